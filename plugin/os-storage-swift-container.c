/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/attempt.h"
#include "base/flow.h"
#include "base/text.h"
#include "os-storage-swift-private.h"
#include "values/welkin-error.h"

/* The container as a whole: making it, marking it, removing it. */

#define KEY_BYTES 32
#define MAX_REMOVALS 5
#define REMOVAL_DELAY 1.0

gboolean
os_storage_swift_check_mark (OsStorageSwift  *self,
                             WkHttpResponse  *container,
                             GError         **error)
{
  const char *mark = wk_http_response_get_header (container, OS_MARK_HEADER);

  if (mark == NULL || *mark == '\0' || g_str_equal (mark, self->uuid))
    return TRUE;
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_FOREIGN_ENVIRONMENT,
               _("container %s belongs to the environment %s: set attribute control-bucket to a "
                 "name of its own"),
               self->container, mark);
  return FALSE;
}

/* Making */

typedef struct
{
  gboolean  is_marked;
  gboolean  exists;
  char     *key;
} Ensure;

static void
ensure_free (Ensure *self)
{
  g_free (self->key);
  g_free (self);
}

static void
take_container (Ensure         *self,
                WkHttpResponse *container)
{
  const char *mark = wk_http_response_get_header (container, OS_MARK_HEADER);

  self->exists = TRUE;
  self->is_marked = mark != NULL && *mark != '\0';
  self->key = g_strdup (wk_http_response_get_header (container, OS_KEY_HEADER));
}

static void
update_container (Ensure              *self,
                  OsStorageSwift      *storage,
                  GCancellable        *cancellable,
                  GAsyncReadyCallback  callback,
                  gpointer             user_data)
{
  const char *headers[] = {
    OS_MARK_HEADER, storage->uuid, OS_KEY_HEADER, self->key, NULL,
  };

  if (storage->is_private)
    headers[2] = NULL;
  os_object_store_update_container_async (storage->store, storage->container, headers, cancellable,
                                          callback, user_data);
}

static void
ensure_run (WkFlow *flow,
            gpointer user_data)
{
  Ensure *self = user_data;
  OsStorageSwift *storage = wk_flow_get_source (flow);
  g_autoptr(WkHttpResponse) container = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_object_store_head_container_async (storage->store, storage->container,
                                                        WK_RESUME (flow)));
  container = os_object_store_head_container_finish (storage->store, WK_RESULT (flow), &error);
  if (container == NULL && !g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND))
    WK_FAIL (flow, &error, NULL);
  if (container != NULL && !os_storage_swift_check_mark (storage, container, &error))
    WK_FAIL (flow, &error, NULL);
  if (container != NULL)
    take_container (self, container);

  if (!self->exists)
    {
      WK_AWAIT (flow, os_object_store_create_container_async (storage->store, storage->container,
                                                              WK_RESUME (flow)));
      if (!os_object_store_create_container_finish (storage->store, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
    }

  /* A second request: object stores that are no swift may ignore such headers in the first. */
  if (!self->is_marked || (self->key == NULL && !storage->is_private))
    {
      if (self->key == NULL)
        self->key = wk_random_hex (KEY_BYTES);
      WK_AWAIT (flow, update_container (self, storage, WK_RESUME (flow)));
      if (!os_object_store_update_container_finish (storage->store, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
    }
  wk_flow_return_pointer (flow, g_strdup (self->key != NULL ? self->key : ""), g_free);

  WK_FLOW_END (flow);
}

static void
load_key (gpointer             owner,
          const char          *memo_key,
          GCancellable        *cancellable,
          GAsyncReadyCallback  callback,
          gpointer             user_data)
{
  wk_flow_start (owner, cancellable, callback, user_data, load_key, ensure_run,
                 g_new0 (Ensure, 1), (GDestroyNotify) ensure_free);
}

static gpointer
load_key_finish (gpointer       owner,
                 GAsyncResult  *result,
                 GError       **error)
{
  return wk_flow_finish_pointer (result, owner, load_key, error);
}

WkMemo *
os_storage_swift_new_key_memo (OsStorageSwift *self)
{
  return wk_memo_new (self, -1, load_key, load_key_finish, (WkMemoCopy) g_strdup, g_free);
}

void
os_storage_swift_ensure_async (OsStorageSwift      *self,
                               GCancellable        *cancellable,
                               GAsyncReadyCallback  callback,
                               gpointer             user_data)
{
  wk_memo_get_async (self->key, "", cancellable, callback, user_data);
}

char *
os_storage_swift_ensure_finish (OsStorageSwift  *self,
                                GAsyncResult    *result,
                                GError         **error)
{
  return wk_memo_get_finish (self->key, result, error);
}

/* Removing */

typedef struct
{
  guint tries;
} RemoveAll;

static void
remove_all_run (WkFlow *flow,
                gpointer user_data)
{
  RemoveAll *self = user_data;
  OsStorageSwift *storage = wk_flow_get_source (flow);
  WkClock *clock = os_client_get_clock (storage->client);
  g_autoptr(WkHttpResponse) container = NULL;
  g_autoptr(GPtrArray) names = NULL;
  g_autoptr(GError) error = NULL;
  gboolean is_gone;

  WK_FLOW_BEGIN (flow);

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

  wk_memo_invalidate (storage->key, "");
  /* A listing may lag behind, so that a container which looks empty is not. */
  for (self->tries = 1;; self->tries++)
    {
      WK_AWAIT (flow, os_object_store_list_objects_async (storage->store, storage->container, "",
                                                          WK_RESUME (flow)));
      names = os_object_store_list_objects_finish (storage->store, WK_RESULT (flow), &error);
      if (names == NULL)
        WK_FAIL (flow, &error, NULL);
      WK_AWAIT (flow, os_object_store_delete_objects_async (storage->store, storage->container,
                                                            names, WK_RESUME (flow)));
      if (!os_object_store_delete_objects_finish (storage->store, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
      WK_AWAIT (flow, os_object_store_delete_container_async (storage->store, storage->container,
                                                              WK_RESUME (flow)));
      is_gone = os_object_store_delete_container_finish (storage->store, WK_RESULT (flow), &error);
      if (is_gone)
        break;
      if (self->tries == MAX_REMOVALS
          || !g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_CONFLICT))
        WK_FAIL (flow, &error, NULL);
      WK_AWAIT (flow, wk_clock_sleep_async (clock, REMOVAL_DELAY, WK_RESUME (flow)));
      if (!wk_clock_sleep_finish (clock, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
    }
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

void
os_storage_swift_remove_all_async (WelkinStorage       *storage,
                                   GCancellable        *cancellable,
                                   GAsyncReadyCallback  callback,
                                   gpointer             user_data)
{
  wk_flow_start (storage, cancellable, callback, user_data, os_storage_swift_remove_all_async,
                 remove_all_run, g_new0 (RemoveAll, 1), g_free);
}

gboolean
os_storage_swift_remove_all_finish (WelkinStorage  *storage,
                                    GAsyncResult   *result,
                                    GError        **error)
{
  return wk_flow_finish_boolean (result, storage, os_storage_swift_remove_all_async, error);
}
