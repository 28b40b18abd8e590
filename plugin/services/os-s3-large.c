/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "services/os-s3-private.h"
#include "transport/os-checksum.h"
#include "transport/os-digest.h"
#include "transport/os-spool.h"
#include "transport/os-xml.h"
#include "values/welkin-error.h"

/*
 * Writing a large object: an upload is begun, its parts are put, and it is completed, which makes
 * an object of them at once. Whatever happens before that ends the upload, and leaves nothing.
 */

/* Some servers ask somebody else at each request whose it is: few parts are fast ones. But one that
 * fails goes out again from its start. */
#define N_PARTS 4
#define MIN_PART_SIZE (G_GINT64_CONSTANT (16) << 20)
#define MAX_PART_SIZE (G_GINT64_CONSTANT (1) << 30)
/* Swift takes no more; others take ten times as many. */
#define MAX_PARTS 1000
#define MAX_TRIES 2
/* The guard against a list of uploads that never ends. */
#define MAX_ROUNDS 10000

typedef struct
{
  /* inputs */
  char         *bucket;
  char         *name;
  GInputStream *stream;    /* (owned) */
  goffset       length;
  gboolean      replace;

  /* while running */
  gboolean      is_secure; /* nobody on the way changes what we send */
  goffset       part_size;
  char         *upload;    /* (owned) (nullable) */
  GString      *parts;     /* (owned) as they are told at the end */
  OsDigest     *digests;   /* (owned) of the parts */
  guint         n_parts;
  goffset       done;
  OsSpool      *spool;     /* (owned) (nullable) the part, with its checksum */
  OsBody       *body;      /* (owned) (nullable) the part */
  guint         tries;
  GError       *failure;   /* (owned) (nullable) */
} PutLarge;

static void
put_large_free (PutLarge *self)
{
  g_free (self->bucket);
  g_free (self->name);
  g_object_unref (self->stream);
  g_free (self->upload);
  g_string_free (self->parts, TRUE);
  os_digest_free (self->digests);
  g_clear_pointer (&self->body, os_body_unref);
  os_spool_free (self->spool);
  g_clear_error (&self->failure);
  g_free (self);
}

/* What a document says in one of its elements. */
typedef struct
{
  const char *path;
  char       *text; /* (owned) (nullable) */
} Wanted;

static gboolean
take_wanted (const char  *path,
             const char  *text,
             gpointer     data,
             GError     **error)
{
  Wanted *wanted = data;

  if (wanted->text == NULL && g_str_equal (path, wanted->path))
    wanted->text = g_strdup (text);
  return TRUE;
}

/* (transfer full) (nullable) */
static char *
dup_element (WkHttpResponse *response,
             const char     *path)
{
  Wanted wanted = { path };

  os_xml_read (wk_http_response_get_body (response), take_wanted, &wanted, NULL);
  return wanted.text;
}

static OsS3Request *
make_begin (PutLarge *self)
{
  OsS3Request *request = os_s3_request_new ("POST", self->bucket, self->name);
  g_autofree char *size = NULL;

  self->part_size = CLAMP (self->length / N_PARTS + 1, MIN_PART_SIZE, MAX_PART_SIZE);
  self->part_size = MAX (self->part_size, self->length / MAX_PARTS + 1);
  size = g_strdup_printf ("%" G_GINT64_FORMAT, (gint64) self->part_size);
  os_s3_request_add_query (request, "uploads", "");
  os_s3_request_set_header (request, OS_S3_PART_SIZE_HEADER, size);
  os_s3_request_set_repeatable (request);
  return request;
}

static gboolean
take_begin (PutLarge        *self,
            WkHttpResponse  *response,
            GError         **error)
{
  self->upload = dup_element (response, "InitiateMultipartUploadResult/UploadId");
  if (self->upload != NULL)
    return TRUE;
  g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
                       _("the answer of S3 does not say which upload it has begun"));
  return FALSE;
}

/* Parts */

static goffset
get_part_length (PutLarge *self)
{
  return MIN (self->part_size, self->length - self->done);
}

static void
begin_part (PutLarge *self)
{
  g_clear_pointer (&self->body, os_body_unref);
  g_clear_pointer (&self->spool, os_spool_free);
  self->n_parts++;
  self->tries = 0;
}

static OsS3Request *
make_part (PutLarge *self)
{
  OsS3Request *request = os_s3_request_new ("PUT", self->bucket, self->name);
  g_autofree char *number = g_strdup_printf ("%u", self->n_parts);

  os_s3_request_add_query (request, "partNumber", number);
  os_s3_request_add_query (request, "uploadId", self->upload);
  os_s3_request_set_stream (request, self->body, NULL,
                            self->spool != NULL ? self->spool->sha256 : NULL);
  return request;
}

static gboolean
check_part (PutLarge        *self,
            WkHttpResponse  *response,
            GError         **error)
{
  g_autofree char *md5 = os_body_dup_md5 (self->body);
  g_autofree char *etag = os_s3_dup_etag (response);

  return response != NULL && os_checksum_check_stored (etag, md5, error);
}

static gboolean
is_damage (GError *error)
{
  return g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
}

static void
end_part (PutLarge *self)
{
  g_autofree char *md5 = os_body_dup_md5 (self->body);

  g_string_append_printf (self->parts,
                          "<Part><PartNumber>%u</PartNumber><ETag>\"%s\"</ETag></Part>",
                          self->n_parts, md5);
  os_digest_update_hex (self->digests, md5);
  self->done += get_part_length (self);
}

/* The end */

static OsS3Request *
make_end (PutLarge *self)
{
  OsS3Request *request = os_s3_request_new ("POST", self->bucket, self->name);
  char *xml = g_strdup_printf ("<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/"
                               "2006-03-01/\">%s</CompleteMultipartUpload>",
                               self->parts->str);
  g_autoptr(GBytes) body = g_bytes_new_take (xml, strlen (xml));

  os_s3_request_add_query (request, "uploadId", self->upload);
  os_s3_request_set_body (request, body);
  os_s3_request_set_repeatable (request);
  return request;
}

/* What went wrong at the end of all may be told with the status of a success. */
static gboolean
check_end (PutLarge        *self,
           WkHttpResponse  *response,
           GError         **error)
{
  g_autofree char *code = NULL;
  g_autofree char *words = NULL;

  if (response == NULL)
    return FALSE;
  code = dup_element (response, "Error/Code");
  if (code == NULL)
    return TRUE;
  words = dup_element (response, "Error/Message");
  g_propagate_error (error,
                     welkin_error_new_from_service (WELKIN_ERROR_UNAVAILABLE,
                                                    words != NULL ? words : code, "s3", 200,
                                                    NULL));
  return FALSE;
}

static gboolean
is_ours (PutLarge       *self,
         WkHttpResponse *present)
{
  g_autofree char *digests = os_digest_end (self->digests);
  g_autofree char *expected = g_strdup_printf ("%s-%u", digests, self->n_parts);
  g_autofree char *etag = os_s3_dup_etag (present);

  return g_strcmp0 (etag, expected) == 0;
}

static void
upload_run (WkFlow *flow,
            gpointer user_data)
{
  PutLarge *self = user_data;
  OsS3 *s3 = wk_flow_get_source (flow);
  g_autoptr(OsS3Request) request = NULL;
  g_autoptr(WkHttpResponse) response = NULL;
  g_autoptr(GError) error = NULL;
  gboolean is_put;

  WK_FLOW_BEGIN (flow);

  while (self->done < self->length)
    {
      begin_part (self);
      if (self->is_secure && os_spool_can_go_back (self->stream))
        self->body = os_body_new (self->stream, get_part_length (self), NULL);
      else
        {
          WK_AWAIT (flow, os_spool_read_async (self->stream, get_part_length (self),
                                               OS_SPOOL_SHA256, WK_RESUME (flow)));
          self->spool = os_spool_read_finish (WK_RESULT (flow), &error);
          if (self->spool == NULL)
            WK_FAIL (flow, &error, NULL);
          self->body = os_body_ref (self->spool->body);
        }
      do
        {
          g_clear_error (&error);
          self->tries++;
          request = make_part (self);
          WK_AWAIT (flow, os_s3_send_async (s3, request, WK_RESUME (flow)));
          response = os_s3_send_finish (s3, WK_RESULT (flow), &error);
          is_put = check_part (self, response, &error);
        }
      while (!is_put && is_damage (error) && self->tries < MAX_TRIES);
      if (!is_put)
        WK_FAIL (flow, &error, NULL);
      end_part (self);
    }

  if (!self->replace)
    {
      WK_AWAIT (flow, os_s3_head_object_async (s3, self->bucket, self->name, WK_RESUME (flow)));
      response = os_s3_head_object_finish (s3, WK_RESULT (flow), &error);
      if (!os_s3_check_absent (self->bucket, self->name, response, &error))
        WK_FAIL (flow, &error, NULL);
    }
  request = make_end (self);
  WK_AWAIT (flow, os_s3_send_async (s3, request, WK_RESUME_SHIELDED (flow)));
  response = os_s3_send_finish (s3, WK_RESULT (flow), &self->failure);
  if (!check_end (self, response, &self->failure))
    {
      /* It may have been completed all the same, by an answer that was lost. */
      WK_AWAIT (flow, os_s3_head_object_async (s3, self->bucket, self->name,
                                               WK_RESUME_SHIELDED (flow)));
      response = os_s3_head_object_finish (s3, WK_RESULT (flow), NULL);
      if (!is_ours (self, response))
        WK_FAIL (flow, &self->failure, NULL);
    }
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

static void
upload_async (OsS3                *s3,
              PutLarge            *put,
              GCancellable        *cancellable,
              GAsyncReadyCallback  callback,
              gpointer             user_data)
{
  wk_flow_start (s3, cancellable, callback, user_data, upload_async, upload_run, put, NULL);
}

static gboolean
upload_finish (OsS3          *s3,
               GAsyncResult  *result,
               GError       **error)
{
  return wk_flow_finish_boolean (result, s3, upload_async, error);
}

static OsS3Request *
make_abort (const char *bucket,
            const char *name,
            const char *upload)
{
  OsS3Request *request = os_s3_request_new ("DELETE", bucket, name);

  os_s3_request_add_query (request, "uploadId", upload);
  return request;
}

static void
put_large_run (WkFlow *flow,
               gpointer user_data)
{
  PutLarge *self = user_data;
  OsS3 *s3 = wk_flow_get_source (flow);
  g_autoptr(OsS3Door) door = NULL;
  g_autoptr(OsS3Request) request = NULL;
  g_autoptr(WkHttpResponse) response = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_s3_load_door_async (s3, WK_RESUME (flow)));
  door = os_s3_load_door_finish (s3, WK_RESULT (flow), &error);
  if (door == NULL)
    WK_FAIL (flow, &error, NULL);
  self->is_secure = g_str_has_prefix (door->url, "https:");
  if (!self->replace)
    {
      WK_AWAIT (flow, os_s3_head_object_async (s3, self->bucket, self->name, WK_RESUME (flow)));
      response = os_s3_head_object_finish (s3, WK_RESULT (flow), &error);
      if (!os_s3_check_absent (self->bucket, self->name, response, &error))
        WK_FAIL (flow, &error, NULL);
    }

  request = make_begin (self);
  WK_AWAIT (flow, os_s3_send_async (s3, request, WK_RESUME_SHIELDED (flow)));
  response = os_s3_send_finish (s3, WK_RESULT (flow), &error);
  if (response == NULL || !take_begin (self, response, &error))
    WK_FAIL (flow, &error, NULL);

  WK_AWAIT (flow, upload_async (s3, self, WK_RESUME (flow)));
  if (!upload_finish (s3, WK_RESULT (flow), &self->failure))
    {
      request = make_abort (self->bucket, self->name, self->upload);
      WK_AWAIT (flow, os_s3_send_async (s3, request, WK_RESUME_SHIELDED (flow)));
      if (!os_s3_send_finish_delete (s3, WK_RESULT (flow), &error))
        g_warning ("parts of %s are left in bucket %s: %s", self->name, self->bucket,
                   error->message);
      WK_FAIL (flow, &self->failure, NULL);
    }
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

void
os_s3_put_large_async (OsS3                *self,
                       const char          *bucket,
                       const char          *name,
                       GInputStream        *stream,
                       goffset              length,
                       gboolean             replace,
                       GCancellable        *cancellable,
                       GAsyncReadyCallback  callback,
                       gpointer             user_data)
{
  PutLarge *put = g_new0 (PutLarge, 1);

  put->bucket = g_strdup (bucket);
  put->name = g_strdup (name);
  put->stream = g_object_ref (stream);
  put->length = length;
  put->replace = replace;
  put->parts = g_string_new (NULL);
  put->digests = os_digest_new (OS_DIGEST_MD5);
  wk_flow_start (self, cancellable, callback, user_data, os_s3_put_large_async, put_large_run,
                 put, (GDestroyNotify) put_large_free);
}

gboolean
os_s3_put_large_finish (OsS3          *self,
                        GAsyncResult  *result,
                        GError       **error)
{
  return wk_flow_finish_boolean (result, self, os_s3_put_large_async, error);
}

/* What others left behind */

typedef struct
{
  char       *bucket;
  GPtrArray  *keys;     /* (owned) of the uploads on the page */
  GPtrArray  *uploads;  /* (owned) the same by their ids */
  guint       next;
  GHashTable *seen;     /* (owned) the uploads of this page and those before it */
  guint       n_rounds;
} AbortUploads;

static void
abort_uploads_free (AbortUploads *self)
{
  g_free (self->bucket);
  g_ptr_array_unref (self->keys);
  g_ptr_array_unref (self->uploads);
  g_hash_table_unref (self->seen);
  g_free (self);
}

static gboolean
take_upload (const char  *path,
             const char  *text,
             gpointer     data,
             GError     **error)
{
  AbortUploads *self = data;

  if (g_str_equal (path, "ListMultipartUploadsResult/Upload/Key"))
    g_ptr_array_add (self->keys, g_strdup (text));
  else if (g_str_equal (path, "ListMultipartUploadsResult/Upload/UploadId"))
    g_ptr_array_add (self->uploads, g_strdup (text));
  return TRUE;
}

/* Whether the page has an upload that none before it had, or none at all. */
static gboolean
check_uploads (AbortUploads  *self,
               GError       **error)
{
  gboolean goes_on = self->uploads->len == 0;

  for (guint i = 0; i < self->uploads->len; i++)
    {
      char *upload = g_strconcat (g_ptr_array_index (self->uploads, i), " ",
                                  g_ptr_array_index (self->keys, i), NULL);

      goes_on = g_hash_table_add (self->seen, upload) || goes_on;
    }
  if (goes_on && self->n_rounds++ < MAX_ROUNDS)
    return TRUE;
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
               _("the list of uploads to bucket %s does not go on: uploads that were ended stay"),
               self->bucket);
  return FALSE;
}

static gboolean
take_uploads (AbortUploads    *self,
              WkHttpResponse  *response,
              GError         **error)
{
  g_ptr_array_set_size (self->keys, 0);
  g_ptr_array_set_size (self->uploads, 0);
  self->next = 0;
  if (!os_xml_read (wk_http_response_get_body (response), take_upload, self, error))
    return FALSE;
  if (self->keys->len == self->uploads->len)
    return check_uploads (self, error);
  g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
                       _("the answer of S3 is no list of uploads"));
  return FALSE;
}

static OsS3Request *
make_next_abort (AbortUploads *self)
{
  OsS3Request *request = make_abort (self->bucket, g_ptr_array_index (self->keys, self->next),
                                     g_ptr_array_index (self->uploads, self->next));

  self->next++;
  return request;
}

/* Those that were ended are not on the next list, which is therefore always the first page. */
static void
abort_uploads_run (WkFlow *flow,
                   gpointer user_data)
{
  AbortUploads *self = user_data;
  OsS3 *s3 = wk_flow_get_source (flow);
  g_autoptr(OsS3Request) request = NULL;
  g_autoptr(WkHttpResponse) response = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  do
    {
      request = os_s3_request_new ("GET", self->bucket, NULL);
      os_s3_request_add_query (request, "uploads", "");
      WK_AWAIT (flow, os_s3_send_async (s3, request, WK_RESUME (flow)));
      response = os_s3_send_finish (s3, WK_RESULT (flow), &error);
      if (response == NULL || !take_uploads (self, response, &error))
        WK_FAIL (flow, &error, NULL);
      while (self->next < self->uploads->len)
        {
          request = make_next_abort (self);
          WK_AWAIT (flow, os_s3_send_async (s3, request, WK_RESUME (flow)));
          if (!os_s3_send_finish_delete (s3, WK_RESULT (flow), &error))
            WK_FAIL (flow, &error, NULL);
        }
    }
  while (self->uploads->len > 0);
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

void
os_s3_abort_uploads_async (OsS3                *self,
                           const char          *bucket,
                           GCancellable        *cancellable,
                           GAsyncReadyCallback  callback,
                           gpointer             user_data)
{
  AbortUploads *abort = g_new0 (AbortUploads, 1);

  abort->bucket = g_strdup (bucket);
  abort->keys = g_ptr_array_new_with_free_func (g_free);
  abort->uploads = g_ptr_array_new_with_free_func (g_free);
  abort->seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  wk_flow_start (self, cancellable, callback, user_data, os_s3_abort_uploads_async,
                 abort_uploads_run, abort, (GDestroyNotify) abort_uploads_free);
}

gboolean
os_s3_abort_uploads_finish (OsS3          *self,
                            GAsyncResult  *result,
                            GError       **error)
{
  return wk_flow_finish_boolean (result, self, os_s3_abort_uploads_async, error);
}
