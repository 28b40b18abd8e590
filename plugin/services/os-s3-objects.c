/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "services/os-s3-private.h"
#include "transport/os-checksum.h"
#include "transport/os-download.h"
#include "values/welkin-error.h"

/* Buckets, and the objects in them, one at a time. */

/* Buckets */

typedef struct
{
  char *bucket;
} CreateBucket;

static void
create_bucket_free (CreateBucket *self)
{
  g_free (self->bucket);
  g_free (self);
}

static void
create_bucket_run (WkFlow *flow,
                   gpointer user_data)
{
  CreateBucket *self = user_data;
  OsS3 *s3 = wk_flow_get_source (flow);
  g_autoptr(OsS3Request) request = NULL;
  g_autoptr(WkHttpResponse) response = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  request = os_s3_request_new ("PUT", self->bucket, NULL);
  WK_AWAIT (flow, os_s3_send_async (s3, request, WK_RESUME (flow)));
  response = os_s3_send_finish (s3, WK_RESULT (flow), &error);
  if (response == NULL && !g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_ALREADY_EXISTS))
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

void
os_s3_create_bucket_async (OsS3                *self,
                           const char          *bucket,
                           GCancellable        *cancellable,
                           GAsyncReadyCallback  callback,
                           gpointer             user_data)
{
  CreateBucket *create = g_new0 (CreateBucket, 1);

  create->bucket = g_strdup (bucket);
  wk_flow_start (self, cancellable, callback, user_data, os_s3_create_bucket_async,
                 create_bucket_run, create, (GDestroyNotify) create_bucket_free);
}

gboolean
os_s3_create_bucket_finish (OsS3          *self,
                            GAsyncResult  *result,
                            GError       **error)
{
  return wk_flow_finish_boolean (result, self, os_s3_create_bucket_async, error);
}

void
os_s3_delete_bucket_async (OsS3                *self,
                           const char          *bucket,
                           GCancellable        *cancellable,
                           GAsyncReadyCallback  callback,
                           gpointer             user_data)
{
  g_autoptr(OsS3Request) request = os_s3_request_new ("DELETE", bucket, NULL);

  os_s3_send_async (self, request, cancellable, callback, user_data);
}

gboolean
os_s3_delete_bucket_finish (OsS3          *self,
                            GAsyncResult  *result,
                            GError       **error)
{
  return os_s3_send_finish_delete (self, result, error);
}

/* Putting */

typedef struct
{
  OsS3Request *request; /* (owned) the PUT */
  char        *bucket;
  char        *name;
  OsBody      *body;    /* (owned) */
  gboolean     replace;
  GError      *refusal; /* (owned) (nullable) that the name is taken, while we look by whom */
} PutObject;

static void
put_object_free (PutObject *self)
{
  os_s3_request_unref (self->request);
  g_free (self->bucket);
  g_free (self->name);
  os_body_unref (self->body);
  g_clear_error (&self->refusal);
  g_free (self);
}

static void
set_taken (const char  *bucket,
           const char  *name,
           GError     **error)
{
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_ALREADY_EXISTS,
               _("bucket %s has a file %s already"), bucket, name);
}

gboolean
os_s3_check_absent (const char      *bucket,
                    const char      *name,
                    WkHttpResponse  *present,
                    GError         **error)
{
  if (present != NULL)
    set_taken (bucket, name, error);
  else if (g_error_matches (*error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND))
    g_clear_error (error);
  return *error == NULL;
}

/* A server that does not know the condition may take no notice of it, or refuse it (Swift does):
 * so it is looked for what is there before as well. */
static void
put_object_run (WkFlow *flow,
                gpointer user_data)
{
  PutObject *self = user_data;
  OsS3 *s3 = wk_flow_get_source (flow);
  g_autoptr(WkHttpResponse) response = NULL;
  g_autofree char *md5 = NULL;
  g_autofree char *etag = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (!self->replace)
    {
      WK_AWAIT (flow, os_s3_head_object_async (s3, self->bucket, self->name, WK_RESUME (flow)));
      response = os_s3_head_object_finish (s3, WK_RESULT (flow), &error);
      if (!os_s3_check_absent (self->bucket, self->name, response, &error))
        WK_FAIL (flow, &error, NULL);
    }

  WK_AWAIT (flow, os_s3_send_async (s3, self->request, WK_RESUME (flow)));
  response = os_s3_send_finish (s3, WK_RESULT (flow), &error);
  if (response == NULL && !self->replace && welkin_error_get_status (error) == 501)
    {
      g_clear_error (&error);
      os_s3_request_unset_header (self->request, "if-none-match");
      WK_AWAIT (flow, os_s3_send_async (s3, self->request, WK_RESUME (flow)));
      response = os_s3_send_finish (s3, WK_RESULT (flow), &error);
    }
  if (response == NULL && (self->replace || welkin_error_get_status (error) != 412))
    WK_FAIL (flow, &error, NULL);
  if (response == NULL)
    {
      /* It may have been sent twice behind our back, and the first one is what is there now. */
      set_taken (self->bucket, self->name, &self->refusal);
      if (os_s3_request_get_sends (self->request) <= 1)
        WK_FAIL (flow, &self->refusal, NULL);
      WK_AWAIT (flow, os_s3_head_object_async (s3, self->bucket, self->name, WK_RESUME (flow)));
      response = os_s3_head_object_finish (s3, WK_RESULT (flow), NULL);
      etag = os_s3_dup_etag (response);
      md5 = os_body_dup_md5 (self->body);
      if (g_strcmp0 (etag, md5) != 0)
        WK_FAIL (flow, &self->refusal, NULL);
      wk_flow_return_boolean (flow, TRUE);
      return;
    }
  etag = os_s3_dup_etag (response);
  md5 = os_body_dup_md5 (self->body);
  if (!os_checksum_check_stored (etag, md5, &error))
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

void
os_s3_put_object_async (OsS3                *self,
                        const char          *bucket,
                        const char          *name,
                        OsBody              *body,
                        const char          *md5,
                        const char          *sha256,
                        gboolean             replace,
                        GCancellable        *cancellable,
                        GAsyncReadyCallback  callback,
                        gpointer             user_data)
{
  PutObject *put = g_new0 (PutObject, 1);

  put->request = os_s3_request_new ("PUT", bucket, name);
  put->bucket = g_strdup (bucket);
  put->name = g_strdup (name);
  put->body = os_body_ref (body);
  put->replace = replace;
  os_s3_request_set_stream (put->request, body, md5, sha256);
  if (!replace)
    os_s3_request_set_header (put->request, "if-none-match", "*");
  wk_flow_start (self, cancellable, callback, user_data, os_s3_put_object_async, put_object_run,
                 put, (GDestroyNotify) put_object_free);
}

gboolean
os_s3_put_object_finish (OsS3          *self,
                         GAsyncResult  *result,
                         GError       **error)
{
  return wk_flow_finish_boolean (result, self, os_s3_put_object_async, error);
}

/* Getting */

typedef struct
{
  char           *bucket;
  char           *name;
  gboolean        is_whole; /* at once: it does not go in two ranges */
  WkHttpResponse *response; /* (owned) (nullable) */
  GInputStream   *stream;   /* (owned) (nullable) its OsDownload */
} GetObject;

static void
get_object_free (GetObject *self)
{
  g_free (self->bucket);
  g_free (self->name);
  g_clear_pointer (&self->response, wk_http_response_unref);
  g_clear_object (&self->stream);
  g_free (self);
}

/* (transfer full) */
static OsS3Request *
make_get (GetObject *self)
{
  OsS3Request *request = os_s3_request_new ("GET", self->bucket, self->name);

  os_s3_request_set_streaming (request);
  if (!self->is_whole)
    os_s3_request_set_header (request, "range", OS_DOWNLOAD_FIRST_RANGE);
  return request;
}

/* The etag is the MD5 of the bytes, or that of the MD5s of parts, of which it tells the number; how
 * large these are only we know, and only of what we put. Others tell what they like. */
static GInputStream *
make_stream (GetObject  *self,
             GError    **error)
{
  g_autofree char *etag = os_s3_dup_etag (self->response);
  const char *header = wk_http_response_get_header (self->response, OS_S3_PART_SIZE_HEADER);
  gint64 part_size = header != NULL ? g_ascii_strtoll (header, NULL, 10) : 0;

  if (!os_checksum_check_told (etag, error))
    return NULL;
  if (g_regex_match_simple ("^[0-9a-f]{32}$", etag, G_REGEX_DOLLAR_ENDONLY, 0))
    return os_checksum_new (self->stream, etag);
  if (part_size > 0
      && g_regex_match_simple ("^[0-9a-f]{32}-[0-9]+$", etag, G_REGEX_DOLLAR_ENDONLY, 0))
    return os_checksum_new_of_parts (self->stream, etag, part_size);
  return g_steal_pointer (&self->stream);
}

static void
get_object_run (WkFlow  *flow,
                gpointer user_data)
{
  GetObject *self = user_data;
  OsS3 *s3 = wk_flow_get_source (flow);
  g_autoptr(OsS3Request) request = NULL;
  g_autoptr(GError) error = NULL;
  GInputStream *checked;

  WK_FLOW_BEGIN (flow);

  do
    {
      g_clear_object (&self->stream);
      g_clear_pointer (&self->response, wk_http_response_unref);
      request = make_get (self);
      WK_AWAIT (flow, os_s3_send_async (s3, request, WK_RESUME (flow)));
      self->response = os_s3_send_finish (s3, WK_RESULT (flow), &error);
      if (self->response == NULL)
        continue;
      self->stream = wk_http_response_steal_stream (self->response);
      WK_AWAIT (flow, os_download_load_rest_async (OS_DOWNLOAD (self->stream), WK_RESUME (flow)));
      os_download_load_rest_finish (OS_DOWNLOAD (self->stream), WK_RESULT (flow), &error);
    }
  while (error != NULL && os_download_tries_whole (&self->is_whole, &error));
  if (error != NULL)
    WK_FAIL (flow, &error, NULL);
  checked = make_stream (self, &error);
  if (checked == NULL)
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_pointer (flow, checked, g_object_unref);

  WK_FLOW_END (flow);
}

void
os_s3_get_object_async (OsS3                *self,
                        const char          *bucket,
                        const char          *name,
                        GCancellable        *cancellable,
                        GAsyncReadyCallback  callback,
                        gpointer             user_data)
{
  GetObject *get = g_new0 (GetObject, 1);

  get->bucket = g_strdup (bucket);
  get->name = g_strdup (name);
  wk_flow_start (self, cancellable, callback, user_data, os_s3_get_object_async, get_object_run,
                 get, (GDestroyNotify) get_object_free);
}

GInputStream *
os_s3_get_object_finish (OsS3          *self,
                         GAsyncResult  *result,
                         GError       **error)
{
  return wk_flow_finish_pointer (result, self, os_s3_get_object_async, error);
}

/* Looking and deleting */

void
os_s3_head_object_async (OsS3                *self,
                         const char          *bucket,
                         const char          *name,
                         GCancellable        *cancellable,
                         GAsyncReadyCallback  callback,
                         gpointer             user_data)
{
  g_autoptr(OsS3Request) request = os_s3_request_new ("HEAD", bucket, name);

  os_s3_send_async (self, request, cancellable, callback, user_data);
}

WkHttpResponse *
os_s3_head_object_finish (OsS3          *self,
                          GAsyncResult  *result,
                          GError       **error)
{
  return os_s3_send_finish (self, result, error);
}

void
os_s3_delete_object_async (OsS3                *self,
                           const char          *bucket,
                           const char          *name,
                           GCancellable        *cancellable,
                           GAsyncReadyCallback  callback,
                           gpointer             user_data)
{
  g_autoptr(OsS3Request) request = os_s3_request_new ("DELETE", bucket, name);

  os_s3_send_async (self, request, cancellable, callback, user_data);
}

gboolean
os_s3_delete_object_finish (OsS3          *self,
                            GAsyncResult  *result,
                            GError       **error)
{
  return os_s3_send_finish_delete (self, result, error);
}
