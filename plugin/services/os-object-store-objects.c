/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "model/os-segment.h"
#include "services/os-object-store-private.h"
#include "transport/os-checksum.h"
#include "transport/os-download.h"
#include "values/welkin-error.h"

/* Objects: put, get, look at, delete. */

#define CONTENT_TYPE "application/octet-stream"
/* How often a large object may change between the two looks at it. */
#define MAX_LOOKS 3

/* (transfer full) */
static OsRequest *
make_request (const char *method,
              const char *container,
              const char *name)
{
  OsRequest *request = os_request_new (OS_SERVICE_OBJECT_STORE, method, container, NULL);

  os_request_set_object (request, name);
  return request;
}

/* The checksum that an answer is headed by, without its quotes; NULL when there is none.
 * (transfer full) */
static char *
dup_etag (WkHttpResponse *response)
{
  const char *etag = response != NULL ? wk_http_response_get_header (response, "Etag") : NULL;
  char *bare;

  if (etag == NULL)
    return NULL;
  bare = g_ascii_strdown (etag, -1);
  g_strdelimit (bare, "\"", ' ');
  return g_strstrip (bare);
}

/* Putting */

typedef struct
{
  OsRequest *request; /* (owned) the PUT */
  char      *container;
  char      *name;
  char      *md5;     /* (nullable) until it is sent */
  OsBody    *body;    /* (owned) (nullable) whose MD5 it is then */
  gboolean   replace;
  GError    *refusal; /* (owned) (nullable) that the name is taken, while we look by whom */
} PutObject;

static void
put_object_free (PutObject *self)
{
  os_request_unref (self->request);
  g_clear_pointer (&self->body, os_body_unref);
  g_free (self->container);
  g_free (self->name);
  g_free (self->md5);
  g_clear_error (&self->refusal);
  g_free (self);
}

/* Swift has compared them where it got ours; what is in between may not have passed them on. */
static gboolean
check_stored (PutObject       *self,
              WkHttpResponse  *response,
              GError         **error)
{
  g_autofree char *etag = dup_etag (response);

  if (self->md5 == NULL)
    self->md5 = os_body_dup_md5 (self->body);
  return os_checksum_check_stored (etag, self->md5, error);
}

static void
put_object_run (WkFlow *flow,
                gpointer user_data)
{
  PutObject *self = user_data;
  OsObjectStore *store = wk_flow_get_source (flow);
  g_autoptr(OsRequest) request = NULL;
  g_autoptr(WkHttpResponse) response = NULL;
  g_autofree char *etag = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_client_send_async (store->client, store, self->request, WK_RESUME (flow)));
  response = os_client_send_finish (store, WK_RESULT (flow), &error);
  if (response != NULL)
    {
      if (!check_stored (self, response, &error))
        WK_FAIL (flow, &error, NULL);
      wk_flow_return_boolean (flow, TRUE);
      return;
    }
  if (self->replace || welkin_error_get_status (error) != 412)
    WK_FAIL (flow, &error, NULL);

  /* It may have been sent twice behind our back, and the first one is what is there now. */
  g_set_error (&self->refusal, WELKIN_ERROR, WELKIN_ERROR_ALREADY_EXISTS,
               _("container %s has a file %s already: %s"), self->container, self->name,
               error->message);
  if (os_request_get_sends (self->request) <= 1)
    WK_FAIL (flow, &self->refusal, NULL);
  request = make_request ("HEAD", self->container, self->name);
  WK_AWAIT (flow, os_client_send_async (store->client, store, request, WK_RESUME (flow)));
  response = os_client_send_finish (store, WK_RESULT (flow), NULL);
  etag = dup_etag (response);
  if (etag == NULL || g_strcmp0 (etag, self->md5) != 0)
    WK_FAIL (flow, &self->refusal, NULL);
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

static PutObject *
put_object_new (const char *container,
                const char *name,
                const char *md5,
                gboolean    replace)
{
  PutObject *put = g_new0 (PutObject, 1);

  put->request = make_request ("PUT", container, name);
  put->container = g_strdup (container);
  put->name = g_strdup (name);
  put->md5 = g_strdup (md5);
  put->replace = replace;
  if (md5 != NULL)
    os_request_set_header (put->request, "ETag", md5);
  if (!replace)
    os_request_set_header (put->request, "If-None-Match", "*");
  return put;
}

void
os_object_store_put_object_async (OsObjectStore       *self,
                                  const char          *container,
                                  const char          *name,
                                  OsBody              *body,
                                  const char          *md5,
                                  gboolean             replace,
                                  GCancellable        *cancellable,
                                  GAsyncReadyCallback  callback,
                                  gpointer             user_data)
{
  PutObject *put = put_object_new (container, name, md5, replace);

  put->body = os_body_ref (body);
  os_request_set_body_stream (put->request, body, CONTENT_TYPE);
  os_request_set_deadline (put->request, 0);
  wk_flow_start (self, cancellable, callback, user_data, os_object_store_put_object_async,
                 put_object_run, put, (GDestroyNotify) put_object_free);
}

gboolean
os_object_store_put_object_finish (OsObjectStore  *self,
                                   GAsyncResult   *result,
                                   GError        **error)
{
  return wk_flow_finish_boolean (result, self, os_object_store_put_object_async, error);
}

void
os_object_store_put_manifest_async (OsObjectStore       *self,
                                    const char          *container,
                                    const char          *name,
                                    GBytes              *manifest,
                                    const char          *etag,
                                    const char          *upload,
                                    gboolean             replace,
                                    GCancellable        *cancellable,
                                    GAsyncReadyCallback  callback,
                                    gpointer             user_data)
{
  PutObject *put = put_object_new (container, name, etag, replace);

  os_request_add_query (put->request, "multipart-manifest", "put");
  os_request_set_header (put->request, OS_OBJECT_UPLOAD_HEADER, upload);
  os_request_set_body (put->request, manifest, CONTENT_TYPE);
  wk_flow_start (self, cancellable, callback, user_data, os_object_store_put_manifest_async,
                 put_object_run, put, (GDestroyNotify) put_object_free);
}

gboolean
os_object_store_put_manifest_finish (OsObjectStore  *self,
                                     GAsyncResult   *result,
                                     GError        **error)
{
  return wk_flow_finish_boolean (result, self, os_object_store_put_manifest_async, error);
}

/* Getting */

typedef struct
{
  char           *container;
  char           *name;
  guint           looks;    /* that found another thing than the list of its parts tells of */
  gboolean        is_whole; /* at once: it does not go in two ranges */
  WkHttpResponse *response; /* (owned) (nullable) the object */
  GInputStream   *stream;   /* (owned) (nullable) its OsDownload */
  GArray         *parts;    /* (owned) (nullable) of OsChecksumPart */
  char           *etag;     /* (owned) (nullable) that an object of these parts has */
  gboolean        is_odd;   /* it is more than a list of whole objects, and cannot be checked */
} GetObject;

static void
get_object_free (GetObject *self)
{
  g_free (self->container);
  g_free (self->name);
  g_clear_pointer (&self->response, wk_http_response_unref);
  g_clear_object (&self->stream);
  g_clear_pointer (&self->parts, g_array_unref);
  g_free (self->etag);
  g_free (self);
}

static gboolean
is_large (WkHttpResponse *response)
{
  return wk_http_response_get_header (response, "X-Static-Large-Object") != NULL;
}

/* What the object is made of, and the etag that it then has. */
static void
take_manifest (GetObject *self,
               GPtrArray *segments)
{
  g_autoptr(GChecksum) checksum = g_checksum_new (G_CHECKSUM_MD5);

  g_clear_pointer (&self->parts, g_array_unref);
  g_free (self->etag);
  self->parts = os_checksum_parts_new ();
  for (guint i = 0; i < segments->len; i++)
    {
      const OsSegment *segment = g_ptr_array_index (segments, i);
      const char *md5 = segment->hash != NULL ? segment->hash : segment->etag;
      gint64 size = segment->bytes >= 0 ? segment->bytes : segment->size_bytes;

      if (md5 == NULL || size < 0 || segment->range != NULL || segment->sub_slo != NULL
          || segment->data != NULL)
        {
          self->is_odd = TRUE;
          continue;
        }
      os_checksum_parts_add (self->parts, md5, size);
      g_checksum_update (checksum, (const guchar *) md5, -1);
    }
  self->etag = g_strdup (g_checksum_get_string (checksum));
}

/* What comes, compared with what is known of it. */
static GInputStream *
make_stream (GetObject  *self,
             GError    **error)
{
  g_autoptr(GInputStream) stream = g_steal_pointer (&self->stream);
  g_autofree char *etag = dup_etag (self->response);

  /* The etag of one that swift joins by a prefix of names is not that of its bytes, or missing. */
  if (wk_http_response_get_header (self->response, "X-Object-Manifest") != NULL)
    return g_steal_pointer (&stream);
  if (!os_checksum_check_told (etag, error))
    return NULL;
  if (is_large (self->response))
    return self->is_odd ? g_steal_pointer (&stream)
                        : os_checksum_new_for_parts (stream, self->parts);
  return os_checksum_new (stream, etag);
}

/* (transfer full) */
static OsRequest *
make_get (GetObject *self)
{
  OsRequest *request = make_request ("GET", self->container, self->name);

  os_request_set_streaming (request);
  os_request_set_deadline (request, 0);
  if (!self->is_whole)
    os_request_set_header (request, "Range", OS_DOWNLOAD_FIRST_RANGE);
  return request;
}

/* An object of parts is asked for twice: only the first answer says that it is one, and while it is
 * open nothing else may be waited for. */
static void
get_object_run (WkFlow *flow,
                gpointer user_data)
{
  GetObject *self = user_data;
  OsObjectStore *store = wk_flow_get_source (flow);
  g_autoptr(OsRequest) request = NULL;
  g_autoptr(GPtrArray) segments = NULL;
  g_autofree char *etag = NULL;
  g_autoptr(GError) error = NULL;
  GInputStream *checked;

  WK_FLOW_BEGIN (flow);

  while (TRUE)
    {
      g_clear_object (&self->stream);
      g_clear_pointer (&self->response, wk_http_response_unref);
      request = make_get (self);
      WK_AWAIT (flow, os_client_send_async (store->client, store, request, WK_RESUME (flow)));
      self->response = os_client_send_finish (store, WK_RESULT (flow), &error);
      if (self->response == NULL && os_download_tries_whole (&self->is_whole, &error))
        continue;
      if (self->response == NULL)
        WK_FAIL (flow, &error, NULL);
      etag = dup_etag (self->response);
      if (!is_large (self->response) || self->is_odd || g_strcmp0 (etag, self->etag) == 0)
        {
          self->stream = wk_http_response_steal_stream (self->response);
          WK_AWAIT (flow, os_download_load_rest_async (OS_DOWNLOAD (self->stream),
                                                       WK_RESUME (flow)));
          if (os_download_load_rest_finish (OS_DOWNLOAD (self->stream), WK_RESULT (flow), &error))
            break;
          if (os_download_tries_whole (&self->is_whole, &error))
            continue;
          WK_FAIL (flow, &error, NULL);
        }
      g_clear_pointer (&self->response, wk_http_response_unref);
      if (++self->looks == MAX_LOOKS)
        {
          g_set_error (&error, WELKIN_ERROR, WELKIN_ERROR_CONFLICT,
                       _("%s in container %s does not have the checksum of its parts: it may be "
                         "changing at the moment"),
                       self->name, self->container);
          WK_FAIL (flow, &error, NULL);
        }

      request = make_request ("GET", self->container, self->name);
      os_request_add_query (request, "multipart-manifest", "get");
      WK_AWAIT (flow, os_client_list_async (store->client, store, request, &os_segment_table, NULL,
                                            NULL, NULL, WK_RESUME (flow)));
      segments = os_client_list_finish (store, WK_RESULT (flow), &error);
      if (segments == NULL)
        WK_FAIL (flow, &error, NULL);
      take_manifest (self, segments);
    }
  checked = make_stream (self, &error);
  if (checked == NULL)
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_pointer (flow, checked, g_object_unref);

  WK_FLOW_END (flow);
}

void
os_object_store_get_object_async (OsObjectStore       *self,
                                  const char          *container,
                                  const char          *name,
                                  GCancellable        *cancellable,
                                  GAsyncReadyCallback  callback,
                                  gpointer             user_data)
{
  GetObject *get = g_new0 (GetObject, 1);

  get->container = g_strdup (container);
  get->name = g_strdup (name);
  wk_flow_start (self, cancellable, callback, user_data, os_object_store_get_object_async,
                 get_object_run, get, (GDestroyNotify) get_object_free);
}

GInputStream *
os_object_store_get_object_finish (OsObjectStore  *self,
                                   GAsyncResult   *result,
                                   GError        **error)
{
  return wk_flow_finish_pointer (result, self, os_object_store_get_object_async, error);
}

/* Looking and deleting */

void
os_object_store_head_object_async (OsObjectStore       *self,
                                   const char          *container,
                                   const char          *name,
                                   GCancellable        *cancellable,
                                   GAsyncReadyCallback  callback,
                                   gpointer             user_data)
{
  g_autoptr(OsRequest) request = make_request ("HEAD", container, name);

  os_client_send_async (self->client, self, request, cancellable, callback, user_data);
}

WkHttpResponse *
os_object_store_head_object_finish (OsObjectStore  *self,
                                    GAsyncResult   *result,
                                    GError        **error)
{
  return os_client_send_finish (self, result, error);
}

void
os_object_store_delete_object_async (OsObjectStore       *self,
                                     const char          *container,
                                     const char          *name,
                                     GCancellable        *cancellable,
                                     GAsyncReadyCallback  callback,
                                     gpointer             user_data)
{
  g_autoptr(OsRequest) request = make_request ("DELETE", container, name);

  os_client_send_async (self->client, self, request, cancellable, callback, user_data);
}

gboolean
os_object_store_delete_object_finish (OsObjectStore  *self,
                                      GAsyncResult   *result,
                                      GError        **error)
{
  return os_client_delete_finish (self, result, error);
}
