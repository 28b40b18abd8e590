/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/attempt.h"
#include "base/flow.h"
#include "base/text.h"
#include "os-storage-swift-private.h"
#include "values/welkin-error.h"

/* The container as a whole: making it, marking it, and who may read it. */

#define KEY_BYTES 32
/* After so many that were not kept, the object store has no keys of containers. */
#define MAX_OFFERS 2
#define MAX_LOOKS 5
#define LOOK_DELAY 1.0
/* Everybody may read what he knows the name of, and list nothing. */
#define PUBLIC_RULE ".r:*"

static const char *
get_mark (WkHttpResponse *container)
{
  const char *mark = wk_http_response_get_header (container, OS_CONTAINER_MARK_HEADER);

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

static void
container_clear (gpointer data)
{
  OsContainer *self = data;

  g_free (self->key);
}

void
os_container_unref (OsContainer *self)
{
  g_rc_box_release_full (self, container_clear);
}

typedef struct
{
  guint        looks;
  guint        offers;    /* of a key */
  gboolean     exists;
  gboolean     is_made;   /* by us, just now */
  gboolean     is_marked; /* as ours */
  gboolean     is_public; /* everybody may read it */
  OsContainer *container; /* (owned) what it shows */
} Ensure;

static void
ensure_free (Ensure *self)
{
  os_container_unref (self->container);
  g_free (self);
}

/* One without a mark that is empty is what an earlier run made and could not mark; in any other
 * there are things of somebody's. */
gboolean
os_storage_swift_may_take (WkHttpResponse *container)
{
  const char *count = wk_http_response_get_header (container, "X-Container-Object-Count");

  return get_mark (container) == NULL && g_strcmp0 (count, "0") == 0;
}

static gboolean
is_public (WkHttpResponse *container)
{
  const char *rules = wk_http_response_get_header (container, OS_CONTAINER_READ_HEADER);
  g_auto(GStrv) parts = g_strsplit (rules != NULL ? rules : "", ",", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    if (g_str_has_prefix (g_strstrip (parts[i]), ".r:"))
      return TRUE;
  return FALSE;
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
  if (container == NULL || os_storage_swift_may_take (container))
    return TRUE;
  if (!os_storage_swift_check_mark (storage, container, error))
    return FALSE;
  self->is_marked = TRUE;
  self->is_public = is_public (container);
  self->container->has_large_objects =
    wk_http_response_get_header (container, OS_CONTAINER_LARGE_HEADER) != NULL;
  key = wk_http_response_get_header (container, OS_CONTAINER_KEY_HEADER);
  if (key != NULL && *key != '\0')
    {
      g_free (self->container->key);
      self->container->key = g_strdup (key);
    }
  return TRUE;
}

static gboolean
wants_key (OsStorageSwift *storage)
{
  return storage->access == OS_ACCESS_AUTO || storage->access == OS_ACCESS_TEMPURL;
}

static gboolean
is_ready (Ensure         *self,
          OsStorageSwift *storage)
{
  return self->is_marked && self->is_public == (storage->access == OS_ACCESS_PUBLIC)
         && (self->container->key != NULL || !wants_key (storage) || self->offers == MAX_OFFERS);
}

static GError *
make_error (Ensure         *self,
            OsStorageSwift *storage)
{
  if (!self->is_marked)
    return g_error_new (WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
                        _("the object store does not keep the mark on container %s"),
                        storage->container);
  if (storage->access == OS_ACCESS_PUBLIC)
    return g_error_new (WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED,
                        _("storage-access is public-read, but the object store does not let "
                          "everybody read container %s"),
                        storage->container);
  return g_error_new (WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
                      _("the object store goes on to let everybody read container %s"),
                      storage->container);
}

/* A key that is there already is never replaced: that would revoke all URLs. */
static void
update_container (Ensure              *self,
                  OsStorageSwift      *storage,
                  GCancellable        *cancellable,
                  GAsyncReadyCallback  callback,
                  gpointer             user_data)
{
  g_autofree char *key = NULL;
  const char *headers[7] = { OS_CONTAINER_MARK_HEADER, storage->uuid };
  guint n = 2;

  if (wants_key (storage) && self->container->key == NULL)
    {
      key = wk_random_hex (KEY_BYTES);
      self->offers++;
      headers[n++] = OS_CONTAINER_KEY_HEADER;
      headers[n++] = key;
    }
  if (storage->access == OS_ACCESS_PUBLIC || self->is_public)
    {
      headers[n++] = OS_CONTAINER_READ_HEADER;
      headers[n++] = storage->access == OS_ACCESS_PUBLIC ? PUBLIC_RULE : "";
    }
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
          error = make_error (self, storage);
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
      /* In a request of its own, for what comes with the other is ignored by radosgw. */
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
  wk_flow_return_pointer (flow, g_rc_box_acquire (self->container),
                          (GDestroyNotify) os_container_unref);

  WK_FLOW_END (flow);
}

static void
load_container (gpointer             owner,
                const char          *key,
                GCancellable        *cancellable,
                GAsyncReadyCallback  callback,
                gpointer             user_data)
{
  Ensure *ensure = g_new0 (Ensure, 1);

  ensure->container = g_rc_box_new0 (OsContainer);
  wk_flow_start (owner, cancellable, callback, user_data, load_container, ensure_run, ensure,
                 (GDestroyNotify) ensure_free);
}

static gpointer
load_container_finish (gpointer       owner,
                       GAsyncResult  *result,
                       GError       **error)
{
  return wk_flow_finish_pointer (result, owner, load_container, error);
}

WkMemo *
os_storage_swift_new_memo (OsStorageSwift *self)
{
  return wk_memo_new (self, -1, load_container, load_container_finish,
                      (WkMemoCopy) g_rc_box_acquire, (GDestroyNotify) os_container_unref);
}

void
os_storage_swift_ensure_async (OsStorageSwift      *self,
                               GCancellable        *cancellable,
                               GAsyncReadyCallback  callback,
                               gpointer             user_data)
{
  wk_memo_get_async (self->containers, "", cancellable, callback, user_data);
}

OsContainer *
os_storage_swift_ensure_finish (OsStorageSwift  *self,
                                GAsyncResult    *result,
                                GError         **error)
{
  return wk_memo_get_finish (self->containers, result, error);
}
