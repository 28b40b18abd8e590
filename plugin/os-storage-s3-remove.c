/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/flow.h"
#include "operations/delete-patiently.h"
#include "os-storage-s3-private.h"
#include "values/welkin-error.h"

/* Removing a file, and all there is. */

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
  char     *bucket;
  OsS3Page *page;   /* (owned) (nullable) the one that is being removed */
} RemoveBucket;

static void
remove_bucket_free (RemoveBucket *self)
{
  g_free (self->bucket);
  g_clear_pointer (&self->page, os_s3_page_free);
  g_free (self);
}

/* The mark goes last: without it, the rest would be nobody's. */
static void
take_page (RemoveBucket *self,
           OsS3Page     *page)
{
  guint index;

  g_clear_pointer (&self->page, os_s3_page_free);
  self->page = page;
  if (page != NULL
      && g_ptr_array_find_with_equal_func (page->names, OS_BUCKET_MARK, g_str_equal, &index))
    g_ptr_array_remove_index (page->names, index);
}

/* All that is listed, the mark, and the bucket. */
static void
remove_bucket_run (WkFlow *flow,
                   gpointer user_data)
{
  RemoveBucket *self = user_data;
  OsStorageS3 *storage = wk_flow_get_source (flow);
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  do
    {
      WK_AWAIT (flow, os_s3_list_page_async (storage->s3, self->bucket, "", self->page,
                                             WK_RESUME (flow)));
      take_page (self, os_s3_list_page_finish (storage->s3, WK_RESULT (flow), &error));
      if (self->page == NULL)
        WK_FAIL (flow, &error, NULL);
      WK_AWAIT (flow, os_s3_delete_objects_async (storage->s3, self->bucket, self->page->names,
                                                  WK_RESUME (flow)));
      if (!os_s3_delete_objects_finish (storage->s3, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
    }
  while (self->page->next != NULL);

  WK_AWAIT (flow, os_s3_delete_object_async (storage->s3, self->bucket, OS_BUCKET_MARK,
                                             WK_RESUME (flow)));
  if (!os_s3_delete_object_finish (storage->s3, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  WK_AWAIT (flow, os_s3_delete_bucket_async (storage->s3, self->bucket, WK_RESUME (flow)));
  if (!os_s3_delete_bucket_finish (storage->s3, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

static void
remove_bucket_async (OsStorageS3         *storage,
                     const char          *bucket,
                     GCancellable        *cancellable,
                     GAsyncReadyCallback  callback,
                     gpointer             user_data)
{
  RemoveBucket *remove = g_new0 (RemoveBucket, 1);

  remove->bucket = g_strdup (bucket);
  wk_flow_start (storage, cancellable, callback, user_data, remove_bucket_async, remove_bucket_run,
                 remove, (GDestroyNotify) remove_bucket_free);
}

static gboolean
remove_bucket_finish (OsStorageS3   *storage,
                      GAsyncResult  *result,
                      GError       **error)
{
  return wk_flow_finish_boolean (result, storage, remove_bucket_async, error);
}

static const OsDeleter bucket_deleter = {
  .delete_async = (WkUndoAsync) remove_bucket_async,
  .delete_finish = (WkUndoFinish) remove_bucket_finish,
  .is_busy = os_storage_is_not_empty,
  .strategy = OS_STORAGE_REMOVAL_STRATEGY,
};

static void
remove_all_run (WkFlow *flow,
                gpointer user_data)
{
  OsStorageS3 *storage = wk_flow_get_source (flow);
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

  WK_AWAIT (flow, os_delete_patiently_async (&bucket_deleter, storage, storage->bucket,
                                             os_client_get_clock (storage->client),
                                             WK_RESUME (flow)));
  if (!os_delete_patiently_finish (storage, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
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
                 remove_all_run, NULL, NULL);
}

gboolean
os_storage_s3_remove_all_finish (WelkinStorage  *storage,
                                 GAsyncResult   *result,
                                 GError        **error)
{
  return wk_flow_finish_boolean (result, storage, os_storage_s3_remove_all_async, error);
}
