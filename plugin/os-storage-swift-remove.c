/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/flow.h"
#include "operations/delete-patiently.h"
#include "os-storage-swift-private.h"
#include "values/welkin-error.h"

/* Removing a file, the segments of one, and all there is. */

/* An upload that began so long ago is not under way any more. */
#define STALE_SECONDS (24 * 60 * 60)

/* Segments */

char *
os_segments_prefix (const char *name)
{
  /* A name may be as long as that of an object can be, and what follows one name another name. */
  g_autofree char *hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, name, -1);

  return g_strconcat (OS_SEGMENTS_PREFIX, hash, "/", NULL);
}

char *
os_storage_swift_dup_upload (WkHttpResponse *object)
{
  const char *upload = NULL;

  if (object != NULL)
    upload = wk_http_response_get_header (object, OS_OBJECT_UPLOAD_HEADER);
  return g_strdup (upload);
}

typedef struct
{
  char *name;
  char *former; /* (nullable) */
  char *keep;   /* (nullable) */
} Sweep;

static void
sweep_free (Sweep *self)
{
  g_free (self->name);
  g_free (self->former);
  g_free (self->keep);
  g_free (self);
}

static gboolean
is_stale (const char *upload)
{
  gint64 begin = g_ascii_strtoll (upload, NULL, 10);

  return g_get_real_time () / G_USEC_PER_SEC - begin > STALE_SECONDS;
}

/* segment: HASH/UPLOAD/NUMBER below the prefix of all */
static gboolean
has_to_go (Sweep      *self,
           const char *segment)
{
  g_auto(GStrv) parts = g_strsplit (segment + strlen (OS_SEGMENTS_PREFIX), "/", 3);
  const char *upload = g_strv_length (parts) == 3 ? parts[1] : "";

  if (self->keep == NULL)
    return TRUE;
  return !g_str_equal (upload, self->keep)
         && (g_strcmp0 (upload, self->former) == 0 || is_stale (upload));
}

static GPtrArray *
choose_segments (Sweep     *self,
                 GPtrArray *names)
{
  GPtrArray *chosen = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < names->len; i++)
    if (has_to_go (self, g_ptr_array_index (names, i)))
      g_ptr_array_add (chosen, g_strdup (g_ptr_array_index (names, i)));
  return chosen;
}

static void
sweep_run (WkFlow *flow,
           gpointer user_data)
{
  Sweep *self = user_data;
  OsStorageSwift *storage = wk_flow_get_source (flow);
  g_autofree char *prefix = os_segments_prefix (self->name);
  g_autoptr(GPtrArray) names = NULL;
  g_autoptr(GPtrArray) chosen = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_object_store_list_objects_async (storage->store, storage->container, prefix,
                                                      WK_RESUME (flow)));
  names = os_object_store_list_objects_finish (storage->store, WK_RESULT (flow), &error);
  if (names == NULL)
    WK_FAIL (flow, &error, NULL);
  chosen = choose_segments (self, names);
  WK_AWAIT (flow, os_object_store_delete_objects_async (storage->store, storage->container, chosen,
                                                        WK_RESUME (flow)));
  if (!os_object_store_delete_objects_finish (storage->store, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

void
os_storage_swift_sweep_async (OsStorageSwift      *self,
                              const char          *name,
                              const char          *former,
                              const char          *keep,
                              GCancellable        *cancellable,
                              GAsyncReadyCallback  callback,
                              gpointer             user_data)
{
  Sweep *sweep = g_new0 (Sweep, 1);

  sweep->name = g_strdup (name);
  sweep->former = g_strdup (former);
  sweep->keep = g_strdup (keep);
  wk_flow_start (self, cancellable, callback, user_data, os_storage_swift_sweep_async, sweep_run,
                 sweep, (GDestroyNotify) sweep_free);
}

gboolean
os_storage_swift_sweep_finish (OsStorageSwift  *self,
                               GAsyncResult    *result,
                               GError         **error)
{
  return wk_flow_finish_boolean (result, self, os_storage_swift_sweep_async, error);
}

/* One file */

typedef struct
{
  char     *name;
  gboolean  has_large_objects;
} Remove;

static void
remove_free (Remove *self)
{
  g_free (self->name);
  g_free (self);
}

static void
remove_run (WkFlow *flow,
            gpointer user_data)
{
  Remove *self = user_data;
  OsStorageSwift *storage = wk_flow_get_source (flow);
  g_autoptr(WkHttpResponse) container = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (!os_storage_swift_check_name (self->name, &error))
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
  self->has_large_objects =
    wk_http_response_get_header (container, OS_CONTAINER_LARGE_HEADER) != NULL;

  WK_AWAIT (flow, os_object_store_delete_object_async (storage->store, storage->container,
                                                       self->name, WK_RESUME (flow)));
  if (!os_object_store_delete_object_finish (storage->store, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  if (self->has_large_objects)
    {
      WK_AWAIT (flow, os_storage_swift_sweep_async (storage, self->name, NULL, NULL,
                                                    WK_RESUME (flow)));
      if (!os_storage_swift_sweep_finish (storage, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
    }
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

void
os_storage_swift_remove_async (WelkinStorage       *storage,
                               const char          *name,
                               GCancellable        *cancellable,
                               GAsyncReadyCallback  callback,
                               gpointer             user_data)
{
  Remove *remove = g_new0 (Remove, 1);

  remove->name = g_strdup (name);
  wk_flow_start (storage, cancellable, callback, user_data, os_storage_swift_remove_async,
                 remove_run, remove, (GDestroyNotify) remove_free);
}

gboolean
os_storage_swift_remove_finish (WelkinStorage  *storage,
                                GAsyncResult   *result,
                                GError        **error)
{
  return wk_flow_finish_boolean (result, storage, os_storage_swift_remove_async, error);
}

/* All */

typedef struct
{
  char      *container;
  guint      n_pages;
  GPtrArray *names;     /* (owned) (nullable) the page that is being removed */
} RemoveContainer;

static void
remove_container_free (RemoveContainer *self)
{
  g_free (self->container);
  g_clear_pointer (&self->names, g_ptr_array_unref);
  g_free (self);
}

static void
take_page (RemoveContainer *self,
           GPtrArray       *page)
{
  g_clear_pointer (&self->names, g_ptr_array_unref);
  self->names = page;
}

static const char *
get_marker (RemoveContainer *self)
{
  if (self->names == NULL || self->names->len == 0)
    return "";
  return g_ptr_array_index (self->names, self->names->len - 1);
}

/* However many files there are: a page of them is known at a time. */
static void
remove_container_run (WkFlow *flow,
                      gpointer user_data)
{
  RemoveContainer *self = user_data;
  OsStorageSwift *storage = wk_flow_get_source (flow);
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  do
    {
      if (!os_object_store_check_pages (self->container, self->n_pages++, &error))
        WK_FAIL (flow, &error, NULL);
      WK_AWAIT (flow, os_object_store_list_page_async (storage->store, self->container, "",
                                                       get_marker (self), WK_RESUME (flow)));
      take_page (self, os_object_store_list_page_finish (storage->store, WK_RESULT (flow),
                                                         &error));
      if (self->names == NULL)
        WK_FAIL (flow, &error, NULL);
      WK_AWAIT (flow, os_object_store_delete_objects_async (storage->store, self->container,
                                                            self->names, WK_RESUME (flow)));
      if (!os_object_store_delete_objects_finish (storage->store, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
    }
  while (self->names->len > 0);

  WK_AWAIT (flow, os_object_store_delete_container_async (storage->store, self->container,
                                                          WK_RESUME (flow)));
  if (!os_object_store_delete_container_finish (storage->store, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

static void
remove_container_async (OsStorageSwift      *storage,
                        const char          *container,
                        GCancellable        *cancellable,
                        GAsyncReadyCallback  callback,
                        gpointer             user_data)
{
  RemoveContainer *remove = g_new0 (RemoveContainer, 1);

  remove->container = g_strdup (container);
  wk_flow_start (storage, cancellable, callback, user_data, remove_container_async,
                 remove_container_run, remove, (GDestroyNotify) remove_container_free);
}

static gboolean
remove_container_finish (OsStorageSwift  *storage,
                         GAsyncResult    *result,
                         GError         **error)
{
  return wk_flow_finish_boolean (result, storage, remove_container_async, error);
}

static const OsDeleter container_deleter = {
  .delete_async = (WkUndoAsync) remove_container_async,
  .delete_finish = (WkUndoFinish) remove_container_finish,
  .is_busy = os_storage_is_not_empty,
  .strategy = OS_STORAGE_REMOVAL_STRATEGY,
};

static void
remove_all_run (WkFlow *flow,
                gpointer user_data)
{
  OsStorageSwift *storage = wk_flow_get_source (flow);
  g_autoptr(WkHttpResponse) container = NULL;
  g_autoptr(OsContainer) marked = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_object_store_head_container_async (storage->store, storage->container,
                                                        WK_RESUME (flow)));
  container = os_object_store_head_container_finish (storage->store, WK_RESULT (flow), &error);
  if (g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND))
    {
      wk_flow_return_boolean (flow, TRUE);
      return;
    }
  if (container == NULL)
    WK_FAIL (flow, &error, NULL);
  wk_memo_invalidate (storage->containers, "");
  /* What has come no further than to be made is marked first, as when it is used. */
  if (os_storage_swift_may_take (container))
    {
      WK_AWAIT (flow, os_storage_swift_ensure_async (storage, WK_RESUME (flow)));
      marked = os_storage_swift_ensure_finish (storage, WK_RESULT (flow), &error);
      if (marked == NULL)
        WK_FAIL (flow, &error, NULL);
      wk_memo_invalidate (storage->containers, "");
    }
  else if (!os_storage_swift_check_mark (storage, container, &error))
    WK_FAIL (flow, &error, NULL);

  WK_AWAIT (flow, os_delete_patiently_async (&container_deleter, storage, storage->container,
                                             os_client_get_clock (storage->client),
                                             WK_RESUME (flow)));
  if (!os_delete_patiently_finish (storage, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
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
                 remove_all_run, NULL, NULL);
}

gboolean
os_storage_swift_remove_all_finish (WelkinStorage  *storage,
                                    GAsyncResult   *result,
                                    GError        **error)
{
  return wk_flow_finish_boolean (result, storage, os_storage_swift_remove_all_async, error);
}
