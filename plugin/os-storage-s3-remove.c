/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/flow.h"
#include "os-storage-s3-private.h"
#include "values/welkin-error.h"

/* Removing a file, and all there is. */

#define MAX_REMOVALS 5
#define REMOVAL_DELAY 1.0

/* One file */

static void
remove_run (WkFlow *flow,
            gpointer user_data)
{
  const char *name = user_data;
  OsStorageS3 *storage = wk_flow_get_source (flow);
  g_autoptr(GError) error = NULL;
  OsBucketState state;

  WK_FLOW_BEGIN (flow);

  if (!os_storage_s3_check_name (name, &error))
    WK_FAIL (flow, &error, NULL);
  WK_AWAIT (flow, os_storage_s3_check_async (storage, WK_RESUME (flow)));
  if (!os_storage_s3_check_finish (storage, WK_RESULT (flow), &state, &error))
    WK_FAIL (flow, &error, NULL);
  if (state == OS_BUCKET_OURS)
    {
      WK_AWAIT (flow, os_s3_delete_object_async (storage->s3, storage->bucket, name,
                                                 WK_RESUME (flow)));
      if (!os_s3_delete_object_finish (storage->s3, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
    }
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

void
os_storage_s3_remove_async (WelkinStorage       *storage,
                            const char          *name,
                            GCancellable        *cancellable,
                            GAsyncReadyCallback  callback,
                            gpointer             user_data)
{
  wk_flow_start (storage, cancellable, callback, user_data, os_storage_s3_remove_async, remove_run,
                 g_strdup (name), g_free);
}

gboolean
os_storage_s3_remove_finish (WelkinStorage  *storage,
                             GAsyncResult   *result,
                             GError        **error)
{
  return wk_flow_finish_boolean (result, storage, os_storage_s3_remove_async, error);
}

/* All */

typedef struct
{
  guint     tries;
  OsS3Page *page; /* (owned) (nullable) the one that is being removed */
} RemoveAll;

static void
remove_all_free (RemoveAll *self)
{
  g_clear_pointer (&self->page, os_s3_page_free);
  g_free (self);
}

/* The mark goes last: without it, the rest would be nobody's. */
static void
take_page (RemoveAll *self,
           OsS3Page  *page)
{
  guint index;

  g_clear_pointer (&self->page, os_s3_page_free);
  self->page = page;
  if (page != NULL
      && g_ptr_array_find_with_equal_func (page->names, OS_BUCKET_MARK, g_str_equal, &index))
    g_ptr_array_remove_index (page->names, index);
}

/* The mark, and the bucket with it. */
static void
remove_bucket_run (WkFlow *flow,
                   gpointer user_data)
{
  OsStorageS3 *storage = wk_flow_get_source (flow);
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_s3_delete_object_async (storage->s3, storage->bucket, OS_BUCKET_MARK,
                                             WK_RESUME (flow)));
  if (!os_s3_delete_object_finish (storage->s3, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  WK_AWAIT (flow, os_s3_delete_bucket_async (storage->s3, storage->bucket, WK_RESUME (flow)));
  if (!os_s3_delete_bucket_finish (storage->s3, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

static void
remove_bucket_async (OsStorageS3         *storage,
                     GCancellable        *cancellable,
                     GAsyncReadyCallback  callback,
                     gpointer             user_data)
{
  wk_flow_start (storage, cancellable, callback, user_data, remove_bucket_async, remove_bucket_run,
                 NULL, NULL);
}

static gboolean
remove_bucket_finish (OsStorageS3   *storage,
                      GAsyncResult  *result,
                      GError       **error)
{
  return wk_flow_finish_boolean (result, storage, remove_bucket_async, error);
}

static void
remove_all_run (WkFlow *flow,
                gpointer user_data)
{
  RemoveAll *self = user_data;
  OsStorageS3 *storage = wk_flow_get_source (flow);
  WkClock *clock = os_client_get_clock (storage->client);
  g_autoptr(GError) error = NULL;
  OsBucketState state;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_storage_s3_check_async (storage, WK_RESUME (flow)));
  if (!os_storage_s3_check_finish (storage, WK_RESULT (flow), &state, &error))
    WK_FAIL (flow, &error, NULL);
  wk_memo_invalidate (storage->buckets, "");
  if (state != OS_BUCKET_OURS)
    {
      /* There is nothing, but perhaps an empty bucket that somebody else has made. */
      wk_flow_return_boolean (flow, TRUE);
      return;
    }
  WK_AWAIT (flow, os_s3_abort_uploads_async (storage->s3, storage->bucket, WK_RESUME (flow)));
  if (!os_s3_abort_uploads_finish (storage->s3, WK_RESULT (flow), &error))
    g_info ("uploads that came to no end are not known: %s", error->message);
  g_clear_error (&error);

  /* A listing may lag behind, so that a bucket which looks empty is not. */
  for (self->tries = 1;; self->tries++)
    {
      do
        {
          WK_AWAIT (flow, os_s3_list_page_async (storage->s3, storage->bucket, "",
                                                 self->page, WK_RESUME (flow)));
          take_page (self, os_s3_list_page_finish (storage->s3, WK_RESULT (flow), &error));
          if (self->page == NULL)
            WK_FAIL (flow, &error, NULL);
          WK_AWAIT (flow, os_s3_delete_objects_async (storage->s3, storage->bucket,
                                                      self->page->names, WK_RESUME (flow)));
          if (!os_s3_delete_objects_finish (storage->s3, WK_RESULT (flow), &error))
            WK_FAIL (flow, &error, NULL);
        }
      while (self->page->next != NULL);

      WK_AWAIT (flow, remove_bucket_async (storage, WK_RESUME (flow)));
      if (remove_bucket_finish (storage, WK_RESULT (flow), &error))
        break;
      if (self->tries == MAX_REMOVALS
          || !g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_CONFLICT))
        WK_FAIL (flow, &error, NULL);
      g_clear_error (&error);
      g_clear_pointer (&self->page, os_s3_page_free);
      WK_AWAIT (flow, wk_clock_sleep_async (clock, REMOVAL_DELAY, WK_RESUME (flow)));
      if (!wk_clock_sleep_finish (clock, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
    }
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

void
os_storage_s3_remove_all_async (WelkinStorage       *storage,
                                GCancellable        *cancellable,
                                GAsyncReadyCallback  callback,
                                gpointer             user_data)
{
  wk_flow_start (storage, cancellable, callback, user_data, os_storage_s3_remove_all_async,
                 remove_all_run, g_new0 (RemoveAll, 1), (GDestroyNotify) remove_all_free);
}

gboolean
os_storage_s3_remove_all_finish (WelkinStorage  *storage,
                                 GAsyncResult   *result,
                                 GError        **error)
{
  return wk_flow_finish_boolean (result, storage, os_storage_s3_remove_all_async, error);
}
