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
#define MAX_LOOKS 5
#define LOOK_DELAY 1.0
#define MAX_REMOVALS 5
#define REMOVAL_DELAY 1.0

static const char *
get_mark (WkHttpResponse *container)
{
  const char *mark = wk_http_response_get_header (container, OS_MARK_HEADER);

  return mark != NULL && *mark != '\0' ? mark : NULL;
}

gboolean
os_storage_swift_check_mark (OsStorageSwift  *self,
                             WkHttpResponse  *container,
                             GError         **error)
{
  const char *mark = get_mark (container);

  if (g_strcmp0 (mark, self->uuid) == 0)
    return TRUE;
  if (mark != NULL)
    g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_FOREIGN_ENVIRONMENT,
                 _("container %s belongs to the environment %s: set attribute control-bucket to a "
                   "name of its own"),
                 self->container, mark);
  else
    g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_FOREIGN_ENVIRONMENT,
                 _("container %s has no mark of an environment and is left alone: set attribute "
                   "control-bucket to a name of its own, or remove the container by hand"),
                 self->container);
  return FALSE;
}

/* Making */

typedef struct
{
  guint    looks;
  gboolean exists;
  gboolean is_marked; /* as ours */
  gboolean is_made;   /* by us, just now */
  char    *key;       /* (owned) (nullable) */
} Ensure;

static void
ensure_free (Ensure *self)
{
  g_free (self->key);
  g_free (self);
}

/* One without a mark that is empty is what an earlier run made and could not mark; in any other
 * there are things of somebody's. */
static gboolean
may_take (WkHttpResponse *container)
{
  const char *count = wk_http_response_get_header (container, "X-Container-Object-Count");

  return get_mark (container) == NULL && g_strcmp0 (count, "0") == 0;
}

/* container: NULL when there is none */
static gboolean
read_container (Ensure          *self,
                OsStorageSwift  *storage,
                WkHttpResponse  *container,
                GError         **error)
{
  const char *key;

  self->exists = container != NULL;
  self->is_marked = FALSE;
  if (container == NULL || may_take (container))
    return TRUE;
  if (!os_storage_swift_check_mark (storage, container, error))
    return FALSE;
  self->is_marked = TRUE;
  key = wk_http_response_get_header (container, OS_KEY_HEADER);
  if (key != NULL && *key != '\0')
    {
      g_free (self->key);
      self->key = g_strdup (key);
    }
  return TRUE;
}

static gboolean
is_ready (Ensure         *self,
          OsStorageSwift *storage)
{
  return self->is_marked && (storage->is_private || self->key != NULL);
}

static void
update_container (Ensure              *self,
                  OsStorageSwift      *storage,
                  GCancellable        *cancellable,
                  GAsyncReadyCallback  callback,
                  gpointer             user_data)
{
  const char *headers[] = {
    OS_MARK_HEADER, storage->uuid, OS_KEY_HEADER, NULL, NULL,
  };

  if (self->key == NULL)
    self->key = wk_random_hex (KEY_BYTES);
  if (storage->is_private)
    headers[2] = NULL;
  else
    headers[3] = self->key;
  os_object_store_update_container_async (storage->store, storage->container, headers, cancellable,
                                          callback, user_data);
}

/* Looks, does what is missing and looks again, until the container shows our mark: somebody else
 * may be about to make the same one. That a container can be marked only after it was made leaves
 * a moment in which it is nobody's. So one that somebody else has just made is given time to be
 * marked before it is taken, and ours is not left before it is marked. */
static void
ensure_run (WkFlow *flow,
            gpointer user_data)
{
  Ensure *self = user_data;
  OsStorageSwift *storage = wk_flow_get_source (flow);
  WkClock *clock = os_client_get_clock (storage->client);
  g_autoptr(WkHttpResponse) container = NULL;
  g_autoptr(GError) error = NULL;
  gboolean is_new;

  WK_FLOW_BEGIN (flow);

  for (self->looks = 1;; self->looks++)
    {
      WK_AWAIT (flow, os_object_store_head_container_async (storage->store, storage->container,
                                                            WK_RESUME (flow)));
      container = os_object_store_head_container_finish (storage->store, WK_RESULT (flow), &error);
      if (container == NULL && !g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND))
        WK_FAIL (flow, &error, NULL);
      g_clear_error (&error);
      if (!read_container (self, storage, container, &error))
        WK_FAIL (flow, &error, NULL);
      if (is_ready (self, storage))
        break;
      if (self->looks == MAX_LOOKS)
        {
          g_set_error (&error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
                       _("the object store does not keep the mark on container %s"),
                       storage->container);
          WK_FAIL (flow, &error, NULL);
        }

      if (!self->exists)
        {
          WK_AWAIT (flow,
                    os_object_store_create_container_async (storage->store, storage->container,
                                                            WK_RESUME_SHIELDED (flow)));
          if (!os_object_store_create_container_finish (storage->store, WK_RESULT (flow), &is_new,
                                                        &error))
            WK_FAIL (flow, &error, NULL);
          if (is_new && !self->is_made)
            {
              self->is_made = TRUE;
              wk_undo_push (wk_flow_get_undo (flow), _("container"), storage->store,
                            storage->container,
                            (WkUndoAsync) os_object_store_delete_container_async,
                            (WkUndoFinish) os_object_store_delete_container_finish);
            }
        }
      if (self->is_made || self->is_marked || (self->exists && self->looks > 1))
        {
          WK_AWAIT (flow, update_container (self, storage, WK_RESUME_SHIELDED (flow)));
          if (!os_object_store_update_container_finish (storage->store, WK_RESULT (flow), &error))
            WK_FAIL (flow, &error, NULL);
          wk_undo_forget (wk_flow_get_undo (flow), storage->container);
          continue;
        }
      WK_AWAIT (flow, wk_clock_sleep_async (clock, LOOK_DELAY, WK_RESUME (flow)));
      if (!wk_clock_sleep_finish (clock, WK_RESULT (flow), &error))
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
