/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "os-storage-swift-private.h"
#include "transport/os-spool.h"
#include "values/welkin-error.h"

/* Writing a file: whole, or in segments when it is a large one. */

/* Files up to this size are read twice, so that swift itself can refuse what arrives damaged. */
#define MAX_WHOLE (G_GINT64_CONSTANT (64) << 20)
/* Up to this one, no swift says that it is too much. */
#define MAX_SMALL (1 << 20)

typedef struct
{
  /* inputs */
  char               *name;
  GInputStream       *stream; /* (owned) */
  goffset             length;
  WelkinStorageFlags  flags;

  /* while running */
  OsObjectStoreInfo  *info;      /* (owned) (nullable) */
  OsContainer        *container; /* (owned) (nullable) */
  char               *former;    /* (owned) (nullable) the upload that is replaced */
  OsSpool            *spool;     /* (owned) (nullable) */
  guint               tries;
} Put;

static void
put_free (Put *self)
{
  g_free (self->name);
  g_object_unref (self->stream);
  g_clear_pointer (&self->info, os_object_store_info_unref);
  g_clear_pointer (&self->container, os_container_unref);
  g_free (self->former);
  os_spool_free (self->spool);
  g_free (self);
}

/* Whether it goes in segments. */
static gboolean
choose_way (Put       *self,
            gboolean  *is_large,
            GError   **error)
{
  *is_large = self->info->max_segments > 0
              && self->length > MIN (MAX_WHOLE, self->info->max_object_size);
  if (*is_large || self->length <= self->info->max_object_size)
    return TRUE;
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
               _("%s is too large for the object store of this cloud: %" G_GINT64_FORMAT
                 " bytes are too many, and it knows no large objects"),
               self->name, (gint64) self->length);
  return FALSE;
}

/* A container that has gone meanwhile and bytes damaged on the way are worth one more try. */
static gboolean
is_worth_another (Put            *self,
                  OsStorageSwift *storage,
                  GError         *error)
{
  guint status = welkin_error_get_status (error);

  if (self->tries > 0 || (status != 404 && status != 422))
    return FALSE;
  if (status == 404)
    wk_memo_invalidate (storage->containers, "");
  return TRUE;
}

static void
put_run (WkFlow *flow,
         gpointer user_data)
{
  Put *self = user_data;
  OsStorageSwift *storage = wk_flow_get_source (flow);
  gboolean replace = (self->flags & WELKIN_STORAGE_NO_REPLACE) == 0;
  g_autoptr(WkHttpResponse) present = NULL;
  g_autoptr(GError) error = NULL;
  gboolean is_put;
  gboolean is_large;

  WK_FLOW_BEGIN (flow);

  if (!os_storage_swift_check_name (self->name, &error))
    WK_FAIL (flow, &error, NULL);

  if (self->length > MAX_SMALL)
    {
      WK_AWAIT (flow, os_object_store_load_info_async (storage->store, WK_RESUME (flow)));
      self->info = os_object_store_load_info_finish (storage->store, WK_RESULT (flow), &error);
      if (self->info == NULL || !choose_way (self, &is_large, &error))
        WK_FAIL (flow, &error, NULL);
      if (is_large)
        {
          WK_AWAIT (flow, os_storage_swift_put_large_async (storage, self->name, self->stream,
                                                            self->length, replace,
                                                            WK_RESUME (flow)));
          if (!os_storage_swift_put_large_finish (storage, WK_RESULT (flow), &error))
            {
              os_storage_explain (&error, _("container %s cannot be written"), storage->container);
              WK_FAIL (flow, &error, NULL);
            }
          wk_flow_return_boolean (flow, TRUE);
          return;
        }
    }

  WK_AWAIT (flow, os_spool_read_async (self->stream, self->length, OS_SPOOL_MD5,
                                       WK_RESUME (flow)));
  self->spool = os_spool_read_finish (WK_RESULT (flow), &error);
  if (self->spool == NULL)
    WK_FAIL (flow, &error, NULL);

  for (self->tries = 0;; self->tries++)
    {
      WK_AWAIT (flow, os_storage_swift_ensure_async (storage, WK_RESUME (flow)));
      g_clear_pointer (&self->container, os_container_unref);
      self->container = os_storage_swift_ensure_finish (storage, WK_RESULT (flow), &error);
      if (self->container == NULL)
        break;
      if (self->container->has_large_objects && replace)
        {
          WK_AWAIT (flow, os_object_store_head_object_async (storage->store, storage->container,
                                                             self->name, WK_RESUME (flow)));
          present = os_object_store_head_object_finish (storage->store, WK_RESULT (flow), NULL);
          self->former = os_storage_swift_dup_upload (present);
        }
      WK_AWAIT (flow,
                os_object_store_put_object_async (storage->store, storage->container, self->name,
                                                  self->spool->body, self->spool->md5, replace,
                                                  WK_RESUME (flow)));
      is_put = os_object_store_put_object_finish (storage->store, WK_RESULT (flow), &error);
      if (is_put || !is_worth_another (self, storage, error))
        break;
      g_clear_error (&error);
    }
  if (error != NULL)
    {
      os_storage_explain (&error, _("container %s cannot be written"), storage->container);
      WK_FAIL (flow, &error, NULL);
    }

  if (self->former != NULL)
    {
      WK_AWAIT (flow, os_storage_swift_sweep_async (storage, self->name, self->former, "",
                                                    WK_RESUME_SHIELDED (flow)));
      if (!os_storage_swift_sweep_finish (storage, WK_RESULT (flow), &error))
        g_warning ("segments of what was %s before are left in container %s: %s", self->name,
                   storage->container, error->message);
    }
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

void
os_storage_swift_put_async (WelkinStorage       *storage,
                            const char          *name,
                            GInputStream        *stream,
                            goffset              length,
                            WelkinStorageFlags   flags,
                            GCancellable        *cancellable,
                            GAsyncReadyCallback  callback,
                            gpointer             user_data)
{
  Put *put = g_new0 (Put, 1);

  put->name = g_strdup (name);
  put->stream = g_object_ref (stream);
  put->length = length;
  put->flags = flags;
  wk_flow_start (storage, cancellable, callback, user_data, os_storage_swift_put_async, put_run,
                 put, (GDestroyNotify) put_free);
}

gboolean
os_storage_swift_put_finish (WelkinStorage  *storage,
                             GAsyncResult   *result,
                             GError        **error)
{
  return wk_flow_finish_boolean (result, storage, os_storage_swift_put_async, error);
}
