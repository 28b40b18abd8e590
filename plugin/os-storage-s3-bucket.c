/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "os-storage-s3-private.h"
#include "values/welkin-error.h"

/* The bucket as a whole: making it, and whose it is. It can carry no mark that every S3 keeps, so
 * an object in it is the mark. */

/* Looking */

typedef enum
{
  MARK_OURS,
  MARK_THEIRS,
  MARK_NONE,
} Mark;

/* The etag of the mark is the checksum of the uuid that it holds. error: of looking at it */
static gboolean
read_mark (OsStorageS3     *self,
           WkHttpResponse  *object,
           Mark            *mark,
           GError         **error)
{
  g_autofree char *expected = g_compute_checksum_for_string (G_CHECKSUM_MD5, self->uuid, -1);
  const char *etag = object != NULL ? wk_http_response_get_header (object, "ETag") : NULL;

  if (g_error_matches (*error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND))
    g_clear_error (error);
  if (*error != NULL)
    return FALSE;
  if (object == NULL)
    *mark = MARK_NONE;
  else
    *mark = etag != NULL && strcasestr (etag, expected) != NULL ? MARK_OURS : MARK_THEIRS;
  return TRUE;
}

static GError *
make_foreign_error (OsStorageS3 *self,
                    Mark         mark)
{
  if (mark == MARK_THEIRS)
    return g_error_new (WELKIN_ERROR, WELKIN_ERROR_FOREIGN_ENVIRONMENT,
                        _("bucket %s belongs to another environment: set attribute control-bucket "
                          "to a name of its own"),
                        self->bucket);
  return g_error_new (WELKIN_ERROR, WELKIN_ERROR_FOREIGN_ENVIRONMENT,
                      _("bucket %s has no mark of an environment and is left alone: set attribute "
                        "control-bucket to a name of its own, or remove the bucket by hand"),
                      self->bucket);
}

typedef struct
{
  Mark          mark;
  OsBucketState state;
} Check;

static void
check_run (WkFlow *flow,
           gpointer user_data)
{
  Check *self = user_data;
  OsStorageS3 *storage = wk_flow_get_source (flow);
  g_autoptr(WkHttpResponse) object = NULL;
  g_autoptr(OsS3Page) page = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_s3_head_object_async (storage->s3, storage->bucket, OS_BUCKET_MARK,
                                           WK_RESUME (flow)));
  object = os_s3_head_object_finish (storage->s3, WK_RESULT (flow), &error);
  if (!read_mark (storage, object, &self->mark, &error))
    WK_FAIL (flow, &error, NULL);
  if (self->mark == MARK_NONE)
    {
      WK_AWAIT (flow, os_s3_list_page_async (storage->s3, storage->bucket, "", NULL,
                                             WK_RESUME (flow)));
      page = os_s3_list_page_finish (storage->s3, WK_RESULT (flow), &error);
      if (page == NULL)
        WK_FAIL (flow, &error, NULL);
      if (page->names->len == 0)
        {
          self->state = page->is_missing ? OS_BUCKET_MISSING : OS_BUCKET_EMPTY;
          wk_flow_return_pointer (flow, g_memdup2 (self, sizeof *self), g_free);
          return;
        }
    }
  if (self->mark != MARK_OURS)
    {
      error = make_foreign_error (storage, self->mark);
      WK_FAIL (flow, &error, NULL);
    }
  self->state = OS_BUCKET_OURS;
  wk_flow_return_pointer (flow, g_memdup2 (self, sizeof *self), g_free);

  WK_FLOW_END (flow);
}

void
os_storage_s3_check_async (OsStorageS3         *self,
                           GCancellable        *cancellable,
                           GAsyncReadyCallback  callback,
                           gpointer             user_data)
{
  wk_flow_start (self, cancellable, callback, user_data, os_storage_s3_check_async, check_run,
                 g_new0 (Check, 1), g_free);
}

gboolean
os_storage_s3_check_finish (OsStorageS3    *self,
                            GAsyncResult   *result,
                            OsBucketState  *state,
                            GError        **error)
{
  g_autofree Check *check =
    wk_flow_finish_pointer (result, self, os_storage_s3_check_async, error);

  if (check == NULL)
    return FALSE;
  *state = check->state;
  return TRUE;
}

/* Making */

typedef struct
{
  OsBucketState  state;
  OsBody        *body;   /* (owned) of the mark */
  char          *md5;    /* (owned) */
  char          *sha256; /* (owned) */
} Ensure;

static void
ensure_free (Ensure *self)
{
  os_body_unref (self->body);
  g_free (self->md5);
  g_free (self->sha256);
  g_free (self);
}

/* Of two that find the bucket empty, the one whose mark stays has it. */
static void
ensure_run (WkFlow *flow,
            gpointer user_data)
{
  Ensure *self = user_data;
  OsStorageS3 *storage = wk_flow_get_source (flow);
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_storage_s3_check_async (storage, WK_RESUME (flow)));
  if (!os_storage_s3_check_finish (storage, WK_RESULT (flow), &self->state, &error))
    WK_FAIL (flow, &error, NULL);
  if (self->state != OS_BUCKET_OURS)
    {
      WK_AWAIT (flow, os_s3_create_bucket_async (storage->s3, storage->bucket,
                                                 WK_RESUME_SHIELDED (flow)));
      if (!os_s3_create_bucket_finish (storage->s3, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
      if (self->state == OS_BUCKET_MISSING)
        wk_undo_push (wk_flow_get_undo (flow), _("bucket"), storage->s3, storage->bucket,
                      (WkUndoAsync) os_s3_delete_bucket_async,
                      (WkUndoFinish) os_s3_delete_bucket_finish);
      WK_AWAIT (flow, os_s3_put_object_async (storage->s3, storage->bucket, OS_BUCKET_MARK,
                                              self->body, self->md5, self->sha256, TRUE,
                                              WK_RESUME_SHIELDED (flow)));
      if (!os_s3_put_object_finish (storage->s3, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
      wk_undo_forget (wk_flow_get_undo (flow), storage->bucket);
      WK_AWAIT (flow, os_storage_s3_check_async (storage, WK_RESUME (flow)));
      if (!os_storage_s3_check_finish (storage, WK_RESULT (flow), &self->state, &error))
        WK_FAIL (flow, &error, NULL);
    }
  wk_flow_return_pointer (flow, g_strdup (""), g_free);

  WK_FLOW_END (flow);
}

static void
load_bucket (gpointer             owner,
             const char          *key,
             GCancellable        *cancellable,
             GAsyncReadyCallback  callback,
             gpointer             user_data)
{
  OsStorageS3 *self = OS_STORAGE_S3 (owner);
  Ensure *ensure = g_new0 (Ensure, 1);
  g_autoptr(GInputStream) stream =
    g_memory_input_stream_new_from_data (g_strdup (self->uuid), (gssize) strlen (self->uuid),
                                         g_free);

  ensure->md5 = g_compute_checksum_for_string (G_CHECKSUM_MD5, self->uuid, -1);
  ensure->body = os_body_new (stream, (goffset) strlen (self->uuid), ensure->md5);
  ensure->sha256 = g_compute_checksum_for_string (G_CHECKSUM_SHA256, self->uuid, -1);
  wk_flow_start (owner, cancellable, callback, user_data, load_bucket, ensure_run, ensure,
                 (GDestroyNotify) ensure_free);
}

static gpointer
load_bucket_finish (gpointer       owner,
                    GAsyncResult  *result,
                    GError       **error)
{
  return wk_flow_finish_pointer (result, owner, load_bucket, error);
}

WkMemo *
os_storage_s3_new_memo (OsStorageS3 *self)
{
  return wk_memo_new (self, -1, load_bucket, load_bucket_finish, (WkMemoCopy) g_strdup, g_free);
}

void
os_storage_s3_ensure_async (OsStorageS3         *self,
                            GCancellable        *cancellable,
                            GAsyncReadyCallback  callback,
                            gpointer             user_data)
{
  wk_memo_get_async (self->buckets, "", cancellable, callback, user_data);
}

gboolean
os_storage_s3_ensure_finish (OsStorageS3   *self,
                             GAsyncResult  *result,
                             GError       **error)
{
  g_autofree char *nothing = wk_memo_get_finish (self->buckets, result, error);

  return nothing != NULL;
}
