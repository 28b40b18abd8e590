/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/flow.h"
#include "os-storage-auto.h"
#include "os-storage-container.h"
#include "os-storage-s3-private.h"
#include "os-storage-swift-private.h"
#include "values/welkin-error.h"

void
os_storage_container_free (OsStorageContainer *self)
{
  g_clear_pointer (&self->created, g_date_time_unref);
  g_free (self->name);
  g_free (self);
}

static OsStorageContainer *
container_new (const char *name,
               gboolean    is_ours,
               GDateTime  *created)
{
  OsStorageContainer *self = g_new0 (OsStorageContainer, 1);

  self->name = g_strdup (name);
  self->is_ours = is_ours;
  self->created = created;
  return self;
}

/* Seconds since 1970 and parts of them. (transfer full) (nullable) */
static GDateTime *
parse_stamp (const char *stamp)
{
  gint64 seconds = stamp != NULL ? g_ascii_strtoll (stamp, NULL, 10) : 0;

  return seconds > 0 ? g_date_time_new_from_unix_utc (seconds) : NULL;
}

/* found: its headers */
static OsStorageContainer *
read_headers (OsStorageSwift *storage,
              WkHttpResponse *found)
{
  g_autoptr(GDateTime) created = parse_stamp (wk_http_response_get_header (found, "X-Timestamp"));
  gboolean is_ours = os_storage_swift_check_mark (storage, found, NULL);

  if (!is_ours && !os_storage_swift_may_take (found))
    return NULL;
  return container_new (storage->container, is_ours, g_steal_pointer (&created));
}

/* Who is not told apart from nobody has none. */
static gboolean
is_none (const GError *error)
{
  return g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND)
         || g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_FORBIDDEN)
         || g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_FOREIGN_ENVIRONMENT);
}

static void
find_run (WkFlow  *flow,
          gpointer user_data)
{
  WelkinStorage *storage = user_data;
  OsStorageSwift *swift = OS_IS_STORAGE_SWIFT (storage) ? OS_STORAGE_SWIFT (storage) : NULL;
  OsStorageS3 *s3 = OS_IS_STORAGE_S3 (storage) ? OS_STORAGE_S3 (storage) : NULL;
  OsStorageContainer *container = NULL;
  OsBucketState state;
  g_autoptr(WkHttpResponse) found = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (swift != NULL)
    {
      WK_AWAIT (flow, os_object_store_head_container_async (swift->store, swift->container,
                                                            WK_RESUME (flow)));
      found = os_object_store_head_container_finish (swift->store, WK_RESULT (flow), &error);
      if (found != NULL)
        container = read_headers (swift, found);
    }
  else if (s3 != NULL)
    {
      WK_AWAIT (flow, os_storage_s3_check_async (s3, WK_RESUME (flow)));
      if (os_storage_s3_check_finish (s3, WK_RESULT (flow), &state, &error)
          && state != OS_BUCKET_MISSING)
        container = container_new (s3->bucket, state == OS_BUCKET_OURS, NULL);
    }
  if (error != NULL && !is_none (error))
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_pointer (flow, container, (GDestroyNotify) os_storage_container_free);

  WK_FLOW_END (flow);
}

void
os_storage_find_container_async (WelkinStorage       *storage,
                                 GCancellable        *cancellable,
                                 GAsyncReadyCallback  callback,
                                 gpointer             user_data)
{
  WelkinStorage *chosen = storage;

  if (OS_IS_STORAGE_AUTO (storage))
    chosen = os_storage_auto_get_chosen (OS_STORAGE_AUTO (storage));
  wk_flow_start (storage, cancellable, callback, user_data, os_storage_find_container_async,
                 find_run, g_object_ref (chosen), g_object_unref);
}

OsStorageContainer *
os_storage_find_container_finish (WelkinStorage  *storage,
                                  GAsyncResult   *result,
                                  GError        **error)
{
  return wk_flow_finish_pointer (result, storage, os_storage_find_container_async, error);
}
