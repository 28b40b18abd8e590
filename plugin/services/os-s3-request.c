/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <libsoup/soup.h>

#include "base/flow.h"
#include "base/uri.h"
#include "services/os-s3-private.h"
#include "transport/os-download.h"
#include "transport/os-errors.h"
#include "transport/os-xml.h"
#include "values/welkin-error.h"

/* One request: what it is made of, its signature, and the answer. */

#define SERVICE "s3"
#define DEFAULT_SECONDS 120.0
#define CONTENT_TYPE "application/octet-stream"

struct _OsS3Request
{
  grefcount   references;
  char       *method;
  char       *bucket;
  char       *name;         /* (nullable) */
  GPtrArray  *query;        /* (owned) of char *: key, value, … */
  GPtrArray  *headers;      /* (owned) of char *: name, value, … */
  GBytes     *body;         /* (owned) (nullable) */
  OsBody     *stream;       /* (owned) (nullable) in place of body */
  char       *payload_hash; /* (owned) */
  gboolean    is_streaming;
  gboolean    is_repeatable;
  guint       sends;
};

OsS3Request *
os_s3_request_new (const char *method,
                   const char *bucket,
                   const char *name)
{
  OsS3Request *self = g_new0 (OsS3Request, 1);

  g_ref_count_init (&self->references);
  self->method = g_strdup (method);
  self->bucket = g_strdup (bucket);
  self->name = g_strdup (name);
  self->query = g_ptr_array_new_with_free_func (g_free);
  self->headers = g_ptr_array_new_with_free_func (g_free);
  self->payload_hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, "", 0);
  return self;
}

OsS3Request *
os_s3_request_ref (OsS3Request *self)
{
  g_ref_count_inc (&self->references);
  return self;
}

void
os_s3_request_unref (OsS3Request *self)
{
  if (!g_ref_count_dec (&self->references))
    return;
  g_free (self->method);
  g_free (self->bucket);
  g_free (self->name);
  g_ptr_array_unref (self->query);
  g_ptr_array_unref (self->headers);
  g_clear_pointer (&self->body, g_bytes_unref);
  g_clear_pointer (&self->stream, os_body_unref);
  g_free (self->payload_hash);
  g_free (self);
}

void
os_s3_request_add_query (OsS3Request *self,
                         const char  *key,
                         const char  *value)
{
  g_ptr_array_add (self->query, g_strdup (key));
  g_ptr_array_add (self->query, g_strdup (value));
}

void
os_s3_request_set_header (OsS3Request *self,
                          const char  *name,
                          const char  *value)
{
  g_ptr_array_add (self->headers, g_strdup (name));
  g_ptr_array_add (self->headers, g_strdup (value));
}

void
os_s3_request_unset_header (OsS3Request *self,
                            const char  *name)
{
  for (guint i = 0; i < self->headers->len; i += 2)
    if (g_str_equal (g_ptr_array_index (self->headers, i), name))
      {
        g_ptr_array_remove_range (self->headers, i, 2);
        return;
      }
}

/* A checksum as the header Content-MD5 has it. (transfer full) */
static char *
encode_md5 (const char *hex)
{
  guint8 bytes[16] = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (bytes) && hex[2 * i] != '\0'; i++)
    bytes[i] = (guint8) (g_ascii_xdigit_value (hex[2 * i]) << 4
                         | g_ascii_xdigit_value (hex[2 * i + 1]));
  return g_base64_encode (bytes, sizeof bytes);
}

void
os_s3_request_set_body (OsS3Request *self,
                        GBytes      *body)
{
  g_autofree char *md5 = g_compute_checksum_for_bytes (G_CHECKSUM_MD5, body);
  g_autofree char *encoded = encode_md5 (md5);

  self->body = g_bytes_ref (body);
  g_free (self->payload_hash);
  self->payload_hash = g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, body);
  os_s3_request_set_header (self, "content-md5", encoded);
}

void
os_s3_request_set_stream (OsS3Request *self,
                          OsBody      *body,
                          const char  *md5,
                          const char  *sha256)
{
  self->stream = os_body_ref (body);
  g_free (self->payload_hash);
  self->payload_hash = g_strdup (sha256 != NULL ? sha256 : OS_UNSIGNED_PAYLOAD);
  if (md5 != NULL)
    {
      g_autofree char *encoded = encode_md5 (md5);

      os_s3_request_set_header (self, "content-md5", encoded);
    }
}

void
os_s3_request_set_streaming (OsS3Request *self)
{
  self->is_streaming = TRUE;
}

void
os_s3_request_set_repeatable (OsS3Request *self)
{
  self->is_repeatable = TRUE;
}

guint
os_s3_request_get_sends (OsS3Request *self)
{
  return self->sends;
}

char *
os_s3_dup_etag (WkHttpResponse *response)
{
  const char *etag = response != NULL ? wk_http_response_get_header (response, "ETag") : NULL;
  char *bare;

  if (etag == NULL)
    return NULL;
  bare = g_ascii_strdown (etag, -1);
  g_strdelimit (bare, "\"", ' ');
  return g_strstrip (bare);
}

/* Signing */

GDateTime *
os_s3_get_time (OsS3 *self)
{
  g_autoptr(GDateTime) now = g_date_time_new_now_utc ();

  return g_date_time_add (now, self->skew);
}

OsSigner
os_s3_make_signer (OsS3           *self,
                   const OsS3Door *door,
                   GDateTime      *time)
{
  return (OsSigner) {
    .access = door->access,
    .secret = door->secret,
    .region = self->region,
    .service = SERVICE,
    .time = time,
  };
}

static char *
make_uri (OsS3Request    *self,
          const OsS3Door *door)
{
  char *uri = wk_uri_join (door->url, self->bucket, NULL);

  if (self->name != NULL)
    {
      g_autofree char *base = uri;

      uri = wk_uri_join_path (base, self->name);
    }
  for (guint i = 0; i < self->query->len; i += 2)
    {
      g_autofree char *base = uri;

      uri = wk_uri_add_query (base, g_ptr_array_index (self->query, i),
                              g_ptr_array_index (self->query, i + 1), NULL);
    }
  return uri;
}

typedef struct
{
  const char *name;
  const char *value;
} Header;

static int
compare_headers (gconstpointer a,
                 gconstpointer b)
{
  return strcmp (((const Header *) a)->name, ((const Header *) b)->name);
}

/* Those that are signed, sorted: name, value, …, NULL. (transfer container) */
static GPtrArray *
list_signed_headers (OsS3Request *self,
                     const char  *host,
                     const char  *time)
{
  g_autoptr(GArray) headers = g_array_new (FALSE, FALSE, sizeof (Header));
  const Header basics[] = {
    { "host", host }, { "x-amz-date", time }, { "x-amz-content-sha256", self->payload_hash },
  };
  GPtrArray *list = g_ptr_array_new ();

  g_array_append_vals (headers, basics, G_N_ELEMENTS (basics));
  for (guint i = 0; i < self->headers->len; i += 2)
    {
      Header header = {
        g_ptr_array_index (self->headers, i), g_ptr_array_index (self->headers, i + 1),
      };

      if (g_str_has_prefix (header.name, "x-amz-") || g_str_equal (header.name, "content-md5"))
        g_array_append_val (headers, header);
    }
  g_array_sort (headers, compare_headers);
  for (guint i = 0; i < headers->len; i++)
    {
      g_ptr_array_add (list, (gpointer) g_array_index (headers, Header, i).name);
      g_ptr_array_add (list, (gpointer) g_array_index (headers, Header, i).value);
    }
  g_ptr_array_add (list, NULL);
  return list;
}

static void
set_body (OsS3Request   *self,
          WkHttpRequest *request)
{
  if (self->body != NULL)
    wk_http_request_set_body (request, self->body, CONTENT_TYPE);
  if (self->stream == NULL)
    return;
  wk_http_request_set_body_source (request, (WkHttpOpenBody) os_body_open,
                                   os_body_ref (self->stream), (GDestroyNotify) os_body_unref,
                                   os_body_get_length (self->stream), CONTENT_TYPE);
}

static WkHttpRequest *
sign_request (OsS3Request    *self,
              OsS3           *s3,
              const OsS3Door *door)
{
  g_autoptr(GDateTime) now = os_s3_get_time (s3);
  OsSigner signer = os_s3_make_signer (s3, door, now);
  g_autofree char *uri = make_uri (self, door);
  g_autofree char *host = os_signature_get_host (uri);
  g_autofree char *time = os_signer_format_time (&signer);
  g_autoptr(GPtrArray) headers = list_signed_headers (self, host, time);
  g_autofree char *authorization =
    os_signer_authorize (&signer, self->method, uri, (const char *const *) headers->pdata,
                         self->payload_hash);
  WkHttpRequest *request = wk_http_request_new (self->method, uri);
  gboolean has_stream = self->stream != NULL || self->is_streaming;

  wk_http_request_set_header (request, "x-amz-date", time);
  wk_http_request_set_header (request, "x-amz-content-sha256", self->payload_hash);
  wk_http_request_set_header (request, "Authorization", authorization);
  for (guint i = 0; i < self->headers->len; i += 2)
    wk_http_request_set_header (request, g_ptr_array_index (self->headers, i),
                                g_ptr_array_index (self->headers, i + 1));
  wk_http_request_set_service (request, SERVICE);
  wk_http_request_set_deadline (request, has_stream ? 0.0 : DEFAULT_SECONDS);
  wk_http_request_set_streaming (request, self->is_streaming);
  if (self->is_repeatable)
    wk_http_request_set_repeatable (request, TRUE);
  set_body (self, request);
  return request;
}

/* Sending */

typedef struct
{
  OsS3Request    *request;      /* (owned) */
  OsS3Door       *door;         /* (owned) (nullable) */
  guint           tries;
  char           *region;       /* (owned) (nullable): of this signature */
  WkHttpRequest  *http_request; /* (owned) (nullable) */
  WkHttpResponse *response;     /* (owned) (nullable) */
} Send;

static void
send_free (Send *self)
{
  os_s3_request_unref (self->request);
  g_clear_pointer (&self->door, os_s3_door_unref);
  g_clear_pointer (&self->http_request, wk_http_request_unref);
  g_clear_pointer (&self->response, wk_http_response_unref);
  g_free (self->region);
  g_free (self);
}

typedef struct
{
  char *code;   /* (owned) (nullable) */
  char *region; /* (owned) (nullable) */
} Fault;

static void
fault_clear (Fault *fault)
{
  g_free (fault->code);
  g_free (fault->region);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Fault, fault_clear)

static gboolean
take_fault (const char  *path,
            const char  *text,
            gpointer     data,
            GError     **error)
{
  Fault *fault = data;

  if (g_str_equal (path, "Error/Code") && fault->code == NULL)
    fault->code = g_strdup (text);
  if (g_str_equal (path, "Error/Region") && fault->region == NULL)
    fault->region = g_strdup (text);
  return TRUE;
}

/* The signature was for another region than the server's, or another time: what it says of that is
 * taken for this request and all that come. */
static gboolean
is_corrected (Send *self,
              OsS3 *s3)
{
  guint status = wk_http_response_get_status (self->response);
  const char *date = wk_http_response_get_header (self->response, "Date");
  g_auto(Fault) fault = { NULL };

  if (self->tries > 0 || (status != 400 && status != 403))
    return FALSE;
  os_xml_read (wk_http_response_get_body (self->response), take_fault, &fault, NULL);
  if (fault.region != NULL && *fault.region != '\0' && !g_str_equal (fault.region, self->region))
    {
      if (!g_str_equal (fault.region, s3->region)) /* else a request beside this one was told */
        g_info ("the region of this S3 is %s, not %s: set attribute s3-region", fault.region,
                s3->region);
      g_free (s3->region);
      s3->region = g_steal_pointer (&fault.region);
      return TRUE;
    }
  if (g_strcmp0 (fault.code, "RequestTimeTooSkewed") == 0 && date != NULL)
    {
      g_autoptr(GDateTime) theirs = soup_date_time_new_from_http_string (date);
      g_autoptr(GDateTime) ours = g_date_time_new_now_utc ();

      if (theirs == NULL)
        return FALSE;
      s3->skew = g_date_time_difference (theirs, ours);
      g_warning ("the clock of this machine and that of the object store are %.0f minutes apart",
                 ABS ((double) s3->skew) / G_TIME_SPAN_MINUTE);
      return TRUE;
    }
  return FALSE;
}

static void
send_run (WkFlow *flow,
          gpointer user_data)
{
  Send *self = user_data;
  OsS3 *s3 = wk_flow_get_source (flow);
  g_autoptr(OsS3Request) probe = NULL;
  g_autoptr(WkHttpResponse) probed = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_s3_load_door_async (s3, WK_RESUME (flow)));
  self->door = os_s3_load_door_finish (s3, WK_RESULT (flow), &error);
  if (self->door == NULL)
    WK_FAIL (flow, &error, NULL);

  for (self->tries = 0;; self->tries++)
    {
      g_clear_pointer (&self->http_request, wk_http_request_unref);
      g_clear_pointer (&self->response, wk_http_response_unref);
      g_clear_pointer (&self->region, g_free);
      self->region = g_strdup (s3->region);
      self->http_request = sign_request (self->request, s3, self->door);
      WK_AWAIT (flow, wk_http_send_async (os_client_get_http (s3->client), self->http_request,
                                          WK_RESUME (flow)));
      self->response = wk_http_send_finish (os_client_get_http (s3->client), WK_RESULT (flow),
                                            &error);
      if (self->response == NULL)
        {
          os_error_explain (error);
          WK_FAIL (flow, &error, NULL);
        }
      self->request->sends += wk_http_response_get_sends (self->response);
      if (is_corrected (self, s3))
        continue;
      if (self->tries > 0 || wk_http_response_get_status (self->response) != 400
          || !g_str_equal (self->request->method, "HEAD"))
        break;
      /* The answer had no body to tell the region. */
      probe = os_s3_request_new ("GET", self->request->bucket, NULL);
      os_s3_request_add_query (probe, "max-keys", "1");
      WK_AWAIT (flow, os_s3_send_async (s3, probe, WK_RESUME (flow)));
      probed = os_s3_send_finish (s3, WK_RESULT (flow), NULL);
      if (g_str_equal (s3->region, self->region))
        break;
    }

  if (!wk_http_response_is_success (self->response))
    {
      error = os_error_new_from_response (SERVICE, self->http_request, self->response);
      WK_FAIL (flow, &error, NULL);
    }
  if (self->request->is_streaming)
    os_download_begin (os_client_get_http (s3->client), self->http_request, self->response);
  wk_flow_return_pointer (flow, g_steal_pointer (&self->response),
                          (GDestroyNotify) wk_http_response_unref);

  WK_FLOW_END (flow);
}

void
os_s3_send_async (OsS3                *self,
                  OsS3Request         *request,
                  GCancellable        *cancellable,
                  GAsyncReadyCallback  callback,
                  gpointer             user_data)
{
  Send *send = g_new0 (Send, 1);

  send->request = os_s3_request_ref (request);
  wk_flow_start (self, cancellable, callback, user_data, os_s3_send_async, send_run, send,
                 (GDestroyNotify) send_free);
}

WkHttpResponse *
os_s3_send_finish (OsS3          *self,
                   GAsyncResult  *result,
                   GError       **error)
{
  return wk_flow_finish_pointer (result, self, os_s3_send_async, error);
}

gboolean
os_s3_send_finish_delete (OsS3          *self,
                          GAsyncResult  *result,
                          GError       **error)
{
  g_autoptr(GError) local_error = NULL;
  g_autoptr(WkHttpResponse) response = os_s3_send_finish (self, result, &local_error);

  if (response != NULL || g_error_matches (local_error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local_error));
  return FALSE;
}
