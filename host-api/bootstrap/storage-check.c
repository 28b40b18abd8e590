/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "bootstrap/storage-check.h"
#include "values/welkin-error.h"

#define CHECK_FILE "bootstrap-verify"
#define CHECK_TEXT "welkin storage writing verified: ok\n"

gboolean
welkin_storage_check_is_missing (GError *error)
{
  return g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED);
}

static void
read_cb (GObject      *source,
         GAsyncResult *result,
         gpointer      user_data)
{
  g_autoptr(GTask) task = user_data;
  g_autoptr(GBytes) found = NULL;
  g_autoptr(GBytes) expected = g_bytes_new_static (CHECK_TEXT, strlen (CHECK_TEXT));
  GError *error = NULL;

  found = welkin_storage_load_finish (WELKIN_STORAGE (source), result, &error);
  if (found == NULL && !g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND)
      && !welkin_storage_check_is_missing (error))
    {
      g_task_return_error (task, error);
      return;
    }
  g_clear_error (&error);

  if (found != NULL && !g_bytes_equal (found, expected))
    {
      g_task_return_new_error (task, WELKIN_ERROR, WELKIN_ERROR_FOREIGN_ENVIRONMENT,
                               _("The environment is not a Welkin environment: \"%s\" in its "
                                 "storage was written by something else. Choose another "
                                 "control-bucket"),
                               CHECK_FILE);
      return;
    }
  g_task_return_boolean (task, TRUE);
}

void
welkin_storage_check_read_async (WelkinStorage      *storage,
                                 GCancellable       *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer            user_data)
{
  GTask *task = g_task_new (storage, cancellable, callback, user_data);

  g_task_set_source_tag (task, welkin_storage_check_read_async);
  welkin_storage_load_async (storage, CHECK_FILE, WELKIN_STORAGE_NONE, cancellable, read_cb, task);
}

gboolean
welkin_storage_check_read_finish (WelkinStorage *storage,
                                  GAsyncResult  *result,
                                  GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, storage), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, welkin_storage_check_read_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
written_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autoptr(GTask) task = user_data;
  g_autoptr(GError) error = NULL;

  if (welkin_storage_save_finish (WELKIN_STORAGE (source), result, &error)
      || welkin_storage_check_is_missing (error))
    {
      g_task_return_boolean (task, TRUE);
      return;
    }

  if (g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_FORBIDDEN))
    {
      g_task_return_new_error (task, WELKIN_ERROR, WELKIN_ERROR_STORAGE_NOT_WRITABLE,
                               _("The environment's storage is not writable: %s"), error->message);
      return;
    }
  g_prefix_error (&error, "%s: ", _("Cannot write to the environment's storage"));
  g_task_return_error (task, g_steal_pointer (&error));
}

void
welkin_storage_check_write_async (WelkinStorage      *storage,
                                  GCancellable       *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer            user_data)
{
  GTask *task = g_task_new (storage, cancellable, callback, user_data);
  g_autoptr(GBytes) contents = g_bytes_new_static (CHECK_TEXT, strlen (CHECK_TEXT));

  g_task_set_source_tag (task, welkin_storage_check_write_async);
  welkin_storage_save_async (storage, CHECK_FILE, contents, WELKIN_STORAGE_NONE, cancellable,
                             written_cb, task);
}

gboolean
welkin_storage_check_write_finish (WelkinStorage *storage,
                                   GAsyncResult  *result,
                                   GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, storage), FALSE);
  g_return_val_if_fail (g_async_result_is_tagged (result, welkin_storage_check_write_async), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
