/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/attempt.h"
#include "base/flow.h"
#include "os-storage-swift-private.h"
#include "transport/os-spool.h"
#include "values/welkin-error.h"

#define MAX_NAME 1024

static void os_storage_swift_storage_init (WelkinStorageInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (OsStorageSwift, os_storage_swift, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (WELKIN_TYPE_STORAGE,
                                                      os_storage_swift_storage_init))

gboolean
os_storage_swift_check_name (const char  *name,
                             GError     **error)
{
  g_auto(GStrv) segments = g_strsplit (name, "/", -1);
  gboolean is_good = *name != '\0' && strlen (name) <= MAX_NAME && g_utf8_validate (name, -1, NULL);

  for (guint i = 0; segments[i] != NULL; i++)
    if (*segments[i] == '\0' || g_str_equal (segments[i], ".") || g_str_equal (segments[i], ".."))
      is_good = FALSE;
  if (is_good)
    return TRUE;
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
               _("\"%s\" is not a name that a file in storage can have"), name);
  return FALSE;
}

/* Reading */

typedef struct
{
  char               *name;
  WelkinStorageFlags  flags;
  WkAttempt           attempt;
} Get;

static void
get_free (Get *self)
{
  wk_attempt_clear (&self->attempt);
  g_free (self->name);
  g_free (self);
}

static void
get_run (WkFlow *flow,
         gpointer user_data)
{
  Get *self = user_data;
  OsStorageSwift *storage = wk_flow_get_source (flow);
  GInputStream *stream = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (!os_storage_swift_check_name (self->name, &error))
    WK_FAIL (flow, &error, NULL);
  wk_attempt_init (&self->attempt, &wk_attempt_storage, os_client_get_clock (storage->client));
  do
    {
      WK_AWAIT (flow, os_object_store_get_object_async (storage->store, storage->container,
                                                        self->name, WK_RESUME (flow)));
      stream = os_object_store_get_object_finish (storage->store, WK_RESULT (flow), &error);
      if (stream != NULL)
        {
          wk_flow_return_pointer (flow, stream, g_object_unref);
          return;
        }
      if ((self->flags & WELKIN_STORAGE_EXPECT_SOON) == 0
          || !g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND))
        WK_FAIL (flow, &error, NULL);
      WK_AWAIT (flow, wk_attempt_next_async (&self->attempt, WK_RESUME (flow)));
    }
  while (wk_attempt_next_finish (&self->attempt, WK_RESULT (flow), &error));

  if (error == NULL)
    g_set_error (&error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND,
                 _("%s is not in storage, though it was written"), self->name);
  WK_FAIL (flow, &error, NULL);

  WK_FLOW_END (flow);
}

static void
os_storage_swift_get_async (WelkinStorage       *storage,
                            const char          *name,
                            WelkinStorageFlags   flags,
                            GCancellable        *cancellable,
                            GAsyncReadyCallback  callback,
                            gpointer             user_data)
{
  Get *get = g_new0 (Get, 1);

  get->name = g_strdup (name);
  get->flags = flags;
  wk_flow_start (storage, cancellable, callback, user_data, os_storage_swift_get_async, get_run,
                 get, (GDestroyNotify) get_free);
}

static GInputStream *
os_storage_swift_get_finish (WelkinStorage  *storage,
                             GAsyncResult   *result,
                             GError        **error)
{
  return wk_flow_finish_pointer (result, storage, os_storage_swift_get_async, error);
}

/* Writing */

typedef struct
{
  char               *name;
  GInputStream       *stream; /* (owned) */
  goffset             length;
  WelkinStorageFlags  flags;
  OsSpool            *spool;  /* (owned) */
  guint               tries;
} Put;

static void
put_free (Put *self)
{
  g_free (self->name);
  g_object_unref (self->stream);
  os_spool_free (self->spool);
  g_free (self);
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
    wk_memo_invalidate (storage->key, "");
  return g_seekable_seek (G_SEEKABLE (self->spool->stream), 0, G_SEEK_SET, NULL, NULL);
}

static void
put_run (WkFlow *flow,
         gpointer user_data)
{
  Put *self = user_data;
  OsStorageSwift *storage = wk_flow_get_source (flow);
  g_autofree char *key = NULL;
  g_autoptr(GError) error = NULL;
  gboolean is_put;

  WK_FLOW_BEGIN (flow);

  if (!os_storage_swift_check_name (self->name, &error))
    WK_FAIL (flow, &error, NULL);
  WK_AWAIT (flow, os_spool_read_async (self->stream, self->length, WK_RESUME (flow)));
  self->spool = os_spool_read_finish (WK_RESULT (flow), &error);
  if (self->spool == NULL)
    WK_FAIL (flow, &error, NULL);

  for (self->tries = 0;; self->tries++)
    {
      WK_AWAIT (flow, os_storage_swift_ensure_async (storage, WK_RESUME (flow)));
      key = os_storage_swift_ensure_finish (storage, WK_RESULT (flow), &error);
      if (key == NULL)
        break;
      WK_AWAIT (flow,
                os_object_store_put_object_async (storage->store, storage->container, self->name,
                                                  self->spool->stream, self->length,
                                                  self->spool->md5,
                                                  (self->flags & WELKIN_STORAGE_NO_REPLACE) == 0,
                                                  WK_RESUME (flow)));
      is_put = os_object_store_put_object_finish (storage->store, WK_RESULT (flow), &error);
      if (is_put || !is_worth_another (self, storage, error))
        break;
    }

  if (error != NULL)
    {
      if (g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_FORBIDDEN))
        {
          g_autoptr(GError) refusal = g_steal_pointer (&error);

          g_set_error (&error, WELKIN_ERROR, WELKIN_ERROR_STORAGE_NOT_WRITABLE,
                       _("container %s cannot be written: %s"), storage->container,
                       refusal->message);
        }
      WK_FAIL (flow, &error, NULL);
    }
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

static void
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

static gboolean
os_storage_swift_put_finish (WelkinStorage  *storage,
                             GAsyncResult   *result,
                             GError        **error)
{
  return wk_flow_finish_boolean (result, storage, os_storage_swift_put_async, error);
}

/* Listing */

static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static void
list_run (WkFlow *flow,
          gpointer user_data)
{
  const char *prefix = user_data;
  OsStorageSwift *storage = wk_flow_get_source (flow);
  g_autoptr(GPtrArray) names = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_object_store_list_objects_async (storage->store, storage->container, prefix,
                                                      WK_RESUME (flow)));
  names = os_object_store_list_objects_finish (storage->store, WK_RESULT (flow), &error);
  if (names == NULL)
    WK_FAIL (flow, &error, NULL);
  g_ptr_array_sort (names, compare_names);
  g_ptr_array_add (names, NULL);
  wk_flow_return_pointer (flow, g_ptr_array_steal (names, NULL), (GDestroyNotify) g_strfreev);

  WK_FLOW_END (flow);
}

static void
os_storage_swift_list_async (WelkinStorage       *storage,
                             const char          *prefix,
                             GCancellable        *cancellable,
                             GAsyncReadyCallback  callback,
                             gpointer             user_data)
{
  wk_flow_start (storage, cancellable, callback, user_data, os_storage_swift_list_async, list_run,
                 g_strdup (prefix), g_free);
}

static char **
os_storage_swift_list_finish (WelkinStorage  *storage,
                              GAsyncResult   *result,
                              GError        **error)
{
  return wk_flow_finish_pointer (result, storage, os_storage_swift_list_async, error);
}

/* Removing one */

static void
remove_run (WkFlow *flow,
            gpointer user_data)
{
  const char *name = user_data;
  OsStorageSwift *storage = wk_flow_get_source (flow);
  g_autoptr(WkHttpResponse) container = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (!os_storage_swift_check_name (name, &error))
    WK_FAIL (flow, &error, NULL);
  WK_AWAIT (flow, os_object_store_head_container_async (storage->store, storage->container,
                                                        WK_RESUME (flow)));
  container = os_object_store_head_container_finish (storage->store, WK_RESULT (flow), &error);
  if (g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND))
    {
      wk_flow_return_boolean (flow, TRUE);
      return;
    }
  if (container == NULL || !os_storage_swift_check_mark (storage, container, &error))
    WK_FAIL (flow, &error, NULL);

  WK_AWAIT (flow, os_object_store_delete_object_async (storage->store, storage->container, name,
                                                       WK_RESUME (flow)));
  if (!os_object_store_delete_object_finish (storage->store, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

static void
os_storage_swift_remove_async (WelkinStorage       *storage,
                               const char          *name,
                               GCancellable        *cancellable,
                               GAsyncReadyCallback  callback,
                               gpointer             user_data)
{
  wk_flow_start (storage, cancellable, callback, user_data, os_storage_swift_remove_async,
                 remove_run, g_strdup (name), g_free);
}

static gboolean
os_storage_swift_remove_finish (WelkinStorage  *storage,
                                GAsyncResult   *result,
                                GError        **error)
{
  return wk_flow_finish_boolean (result, storage, os_storage_swift_remove_async, error);
}

WelkinStorage *
os_storage_swift_new (OsClient     *client,
                      WelkinConfig *config)
{
  OsStorageSwift *self = g_object_new (OS_TYPE_STORAGE_SWIFT, NULL);

  self->client = g_object_ref (client);
  self->store = os_object_store_new (client);
  self->container = g_strdup (welkin_config_get_string (config, "control-bucket"));
  self->uuid = g_strdup (welkin_config_get_uuid (config));
  self->is_private = g_str_equal (welkin_config_get_string (config, "storage-access"), "private");
  self->key = os_storage_swift_new_key_memo (self);
  return WELKIN_STORAGE (self);
}

static void
os_storage_swift_storage_init (WelkinStorageInterface *iface)
{
  iface->get_async = os_storage_swift_get_async;
  iface->get_finish = os_storage_swift_get_finish;
  iface->put_async = os_storage_swift_put_async;
  iface->put_finish = os_storage_swift_put_finish;
  iface->list_async = os_storage_swift_list_async;
  iface->list_finish = os_storage_swift_list_finish;
  iface->remove_async = os_storage_swift_remove_async;
  iface->remove_finish = os_storage_swift_remove_finish;
  iface->remove_all_async = os_storage_swift_remove_all_async;
  iface->remove_all_finish = os_storage_swift_remove_all_finish;
  iface->get_uri_async = os_storage_swift_get_uri_async;
  iface->get_uri_finish = os_storage_swift_get_uri_finish;
}

static void
os_storage_swift_dispose (GObject *object)
{
  OsStorageSwift *self = OS_STORAGE_SWIFT (object);

  if (self->key != NULL)
    wk_memo_close (self->key);
  g_clear_pointer (&self->key, wk_memo_unref);
  g_clear_object (&self->store);
  g_clear_object (&self->client);

  G_OBJECT_CLASS (os_storage_swift_parent_class)->dispose (object);
}

static void
os_storage_swift_finalize (GObject *object)
{
  OsStorageSwift *self = OS_STORAGE_SWIFT (object);

  g_free (self->container);
  g_free (self->uuid);

  G_OBJECT_CLASS (os_storage_swift_parent_class)->finalize (object);
}

static void
os_storage_swift_class_init (OsStorageSwiftClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);

  object_class->dispose = os_storage_swift_dispose;
  object_class->finalize = os_storage_swift_finalize;
}

static void
os_storage_swift_init (OsStorageSwift *self)
{
}
