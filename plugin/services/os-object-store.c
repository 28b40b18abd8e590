/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "base/memo.h"
#include "services/os-object-store-private.h"
#include "transport/os-checksum.h"
#include "values/welkin-error.h"

#define CONTENT_TYPE "application/octet-stream"

G_DEFINE_FINAL_TYPE (OsObjectStore, os_object_store, G_TYPE_OBJECT)

/* What it can do */

void
os_object_store_info_unref (OsObjectStoreInfo *info)
{
  g_rc_box_release (info);
}

static JsonObject *
get_object (JsonObject *object,
            const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

/* A swift that lists no digests is too old to know any but SHA-1. */
static const char *
choose_digest (JsonObject *temp_url)
{
  static const char *const digests[] = { "sha256", "sha512", "sha1" };
  JsonNode *node = json_object_get_member (temp_url, "allowed_digests");
  JsonArray *allowed;

  if (node == NULL || !JSON_NODE_HOLDS_ARRAY (node))
    return "sha1";
  allowed = json_node_get_array (node);
  for (guint i = 0; i < G_N_ELEMENTS (digests); i++)
    for (guint j = 0; j < json_array_get_length (allowed); j++)
      {
        JsonNode *digest = json_array_get_element (allowed, j);

        if (JSON_NODE_HOLDS_VALUE (digest)
            && g_strcmp0 (json_node_get_string (digest), digests[i]) == 0)
          return digests[i];
      }
  return NULL;
}

static OsObjectStoreInfo *
read_info (GBytes *body)
{
  OsObjectStoreInfo *info = g_rc_box_new0 (OsObjectStoreInfo);
  g_autoptr(JsonNode) root = wk_json_parse (body, NULL);
  JsonObject *object;
  JsonObject *part;

  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root))
    return info;
  object = json_node_get_object (root);
  part = get_object (object, "tempurl");
  if (part != NULL)
    info->temp_url_digest = choose_digest (part);
  part = get_object (object, "bulk_delete");
  if (part != NULL)
    {
      JsonNode *maximum = json_object_get_member (part, "max_deletes_per_request");

      info->max_bulk_deletes = 1000;
      if (maximum != NULL && JSON_NODE_HOLDS_VALUE (maximum))
        info->max_bulk_deletes = CLAMP (json_node_get_int (maximum), 0, 10000);
    }
  return info;
}

static void
load_info_run (WkFlow *flow,
               gpointer user_data)
{
  OsObjectStore *self = wk_flow_get_source (flow);
  g_autoptr(OsRequest) request = NULL;
  g_autoptr(WkHttpResponse) response = NULL;
  g_autoptr(GError) error = NULL;
  OsObjectStoreInfo *info;

  WK_FLOW_BEGIN (flow);

  request = os_request_new (OS_SERVICE_OBJECT_STORE, "GET", "info", NULL);
  os_request_set_unversioned (request);
  WK_AWAIT (flow, os_client_send_async (self->client, self, request, WK_RESUME (flow)));
  response = os_client_send_finish (self, WK_RESULT (flow), &error);
  if (response == NULL && welkin_error_get_status (error) == 0)
    WK_FAIL (flow, &error, NULL);

  if (response != NULL)
    info = read_info (wk_http_response_get_body (response));
  else
    info = g_rc_box_new0 (OsObjectStoreInfo);
  g_debug ("object store: temporary URLs by %s, %u deletions at once",
           info->temp_url_digest != NULL ? info->temp_url_digest : "nothing",
           info->max_bulk_deletes);
  wk_flow_return_pointer (flow, info, (GDestroyNotify) os_object_store_info_unref);

  WK_FLOW_END (flow);
}

static void
load_info (gpointer             owner,
           const char          *key,
           GCancellable        *cancellable,
           GAsyncReadyCallback  callback,
           gpointer             user_data)
{
  wk_flow_start (owner, cancellable, callback, user_data, load_info, load_info_run, NULL, NULL);
}

static gpointer
load_info_finish (gpointer       owner,
                  GAsyncResult  *result,
                  GError       **error)
{
  return wk_flow_finish_pointer (result, owner, load_info, error);
}

void
os_object_store_load_info_async (OsObjectStore       *self,
                                 GCancellable        *cancellable,
                                 GAsyncReadyCallback  callback,
                                 gpointer             user_data)
{
  wk_memo_get_async (self->info, "", cancellable, callback, user_data);
}

OsObjectStoreInfo *
os_object_store_load_info_finish (OsObjectStore  *self,
                                  GAsyncResult   *result,
                                  GError        **error)
{
  return wk_memo_get_finish (self->info, result, error);
}

/* Containers */

static gboolean
finish_call (OsObjectStore  *self,
             GAsyncResult   *result,
             GError        **error)
{
  g_autoptr(WkHttpResponse) response = os_client_send_finish (self, result, error);

  return response != NULL;
}

void
os_object_store_create_container_async (OsObjectStore       *self,
                                        const char          *container,
                                        GCancellable        *cancellable,
                                        GAsyncReadyCallback  callback,
                                        gpointer             user_data)
{
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_OBJECT_STORE, "PUT", container, NULL);

  os_client_send_async (self->client, self, request, cancellable, callback, user_data);
}

gboolean
os_object_store_create_container_finish (OsObjectStore  *self,
                                         GAsyncResult   *result,
                                         gboolean       *is_new,
                                         GError        **error)
{
  g_autoptr(WkHttpResponse) response = os_client_send_finish (self, result, error);

  if (response == NULL)
    return FALSE;
  *is_new = wk_http_response_get_status (response) == 201;
  return TRUE;
}

void
os_object_store_update_container_async (OsObjectStore       *self,
                                        const char          *container,
                                        const char * const  *headers,
                                        GCancellable        *cancellable,
                                        GAsyncReadyCallback  callback,
                                        gpointer             user_data)
{
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_OBJECT_STORE, "POST", container, NULL);

  for (guint i = 0; headers[i] != NULL; i += 2)
    os_request_set_header (request, headers[i], headers[i + 1]);
  os_request_set_repeatable (request);
  os_client_send_async (self->client, self, request, cancellable, callback, user_data);
}

gboolean
os_object_store_update_container_finish (OsObjectStore  *self,
                                         GAsyncResult   *result,
                                         GError        **error)
{
  return finish_call (self, result, error);
}

void
os_object_store_head_container_async (OsObjectStore       *self,
                                      const char          *container,
                                      GCancellable        *cancellable,
                                      GAsyncReadyCallback  callback,
                                      gpointer             user_data)
{
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_OBJECT_STORE, "HEAD", container, NULL);

  os_client_send_async (self->client, self, request, cancellable, callback, user_data);
}

WkHttpResponse *
os_object_store_head_container_finish (OsObjectStore  *self,
                                       GAsyncResult   *result,
                                       GError        **error)
{
  return os_client_send_finish (self, result, error);
}

void
os_object_store_delete_container_async (OsObjectStore       *self,
                                        const char          *container,
                                        GCancellable        *cancellable,
                                        GAsyncReadyCallback  callback,
                                        gpointer             user_data)
{
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_OBJECT_STORE, "DELETE", container,
                                                 NULL);

  os_client_send_async (self->client, self, request, cancellable, callback, user_data);
}

gboolean
os_object_store_delete_container_finish (OsObjectStore  *self,
                                         GAsyncResult   *result,
                                         GError        **error)
{
  return os_client_delete_finish (self, result, error);
}

/* Listing */

typedef struct
{
  char      *container;
  char      *prefix;
  GPtrArray *names;  /* (owned) */
} ListObjects;

static void
list_objects_free (ListObjects *self)
{
  g_free (self->container);
  g_free (self->prefix);
  g_clear_pointer (&self->names, g_ptr_array_unref);
  g_free (self);
}

static OsRequest *
make_page_request (ListObjects *self)
{
  OsRequest *request = os_request_new (OS_SERVICE_OBJECT_STORE, "GET", self->container, NULL);

  os_request_add_query (request, "format", "json");
  if (*self->prefix != '\0')
    os_request_add_query (request, "prefix", self->prefix);
  if (self->names->len > 0)
    os_request_add_query (request, "marker",
                          g_ptr_array_index (self->names, self->names->len - 1));
  return request;
}

/* FALSE when the page is the last, or goes back to what was there before. */
static gboolean
take_page (ListObjects *self,
           GPtrArray   *objects)
{
  gboolean has_new = FALSE;

  for (guint i = 0; i < objects->len; i++)
    {
      OsObject *object = g_ptr_array_index (objects, i);

      if (object->name == NULL)
        continue;
      has_new = has_new || self->names->len == 0
                || strcmp (object->name,
                           g_ptr_array_index (self->names, self->names->len - 1)) > 0;
      g_ptr_array_add (self->names, g_steal_pointer (&object->name));
    }
  return has_new;
}

static void
list_objects_run (WkFlow *flow,
                  gpointer user_data)
{
  ListObjects *self = user_data;
  OsObjectStore *store = wk_flow_get_source (flow);
  g_autoptr(OsRequest) request = NULL;
  g_autoptr(GPtrArray) objects = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  /* Only an empty page tells the end: how long a page is, is the cloud's choice. */
  do
    {
      request = make_page_request (self);
      WK_AWAIT (flow, os_client_list_async (store->client, store, request, &os_object_table, NULL,
                                            NULL, NULL, WK_RESUME (flow)));
      objects = os_client_list_finish (store, WK_RESULT (flow), &error);
      if (objects == NULL && !g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND))
        WK_FAIL (flow, &error, NULL);
    }
  while (objects != NULL && take_page (self, objects));

  wk_flow_return_pointer (flow, g_steal_pointer (&self->names),
                          (GDestroyNotify) g_ptr_array_unref);

  WK_FLOW_END (flow);
}

void
os_object_store_list_objects_async (OsObjectStore       *self,
                                    const char          *container,
                                    const char          *prefix,
                                    GCancellable        *cancellable,
                                    GAsyncReadyCallback  callback,
                                    gpointer             user_data)
{
  ListObjects *list = g_new0 (ListObjects, 1);

  list->container = g_strdup (container);
  list->prefix = g_strdup (prefix);
  list->names = g_ptr_array_new_with_free_func (g_free);
  wk_flow_start (self, cancellable, callback, user_data, os_object_store_list_objects_async,
                 list_objects_run, list, (GDestroyNotify) list_objects_free);
}

GPtrArray *
os_object_store_list_objects_finish (OsObjectStore  *self,
                                     GAsyncResult   *result,
                                     GError        **error)
{
  return wk_flow_finish_pointer (result, self, os_object_store_list_objects_async, error);
}

/* Objects */

OsRequest *
os_object_store_make_request (const char *method,
                              const char *container,
                              const char *name)
{
  OsRequest *request = os_request_new (OS_SERVICE_OBJECT_STORE, method, container, NULL);

  os_request_set_object (request, name);
  return request;
}

typedef struct
{
  OsRequest *request; /* (owned) the PUT */
  char      *container;
  char      *name;
  char      *md5;
  gboolean   replace;
  GError    *refusal; /* (owned) (nullable) that the name is taken, while we look by whom */
} PutObject;

static void
put_object_free (PutObject *self)
{
  os_request_unref (self->request);
  g_free (self->container);
  g_free (self->name);
  g_free (self->md5);
  g_clear_error (&self->refusal);
  g_free (self);
}

static gboolean
is_what_we_put (PutObject      *self,
                WkHttpResponse *response)
{
  const char *etag = response != NULL ? wk_http_response_get_header (response, "Etag") : NULL;

  return etag != NULL && strcasestr (etag, self->md5) != NULL;
}

static void
put_object_run (WkFlow *flow,
                gpointer user_data)
{
  PutObject *self = user_data;
  OsObjectStore *store = wk_flow_get_source (flow);
  g_autoptr(OsRequest) request = NULL;
  g_autoptr(WkHttpResponse) response = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_client_send_async (store->client, store, self->request, WK_RESUME (flow)));
  response = os_client_send_finish (store, WK_RESULT (flow), &error);
  if (response == NULL && (self->replace || welkin_error_get_status (error) != 412))
    WK_FAIL (flow, &error, NULL);

  if (response == NULL)
    {
      /* It may have been sent twice behind our back, and the first one is what is there now. */
      g_set_error (&self->refusal, WELKIN_ERROR, WELKIN_ERROR_ALREADY_EXISTS,
                   _("container %s has a file %s already: %s"), self->container, self->name,
                   error->message);
      if (os_request_get_sends (self->request) <= 1)
        WK_FAIL (flow, &self->refusal, NULL);
      request = os_object_store_make_request ("HEAD", self->container, self->name);
      WK_AWAIT (flow, os_client_send_async (store->client, store, request, WK_RESUME (flow)));
      response = os_client_send_finish (store, WK_RESULT (flow), NULL);
      if (!is_what_we_put (self, response))
        WK_FAIL (flow, &self->refusal, NULL);
    }
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

void
os_object_store_put_object_async (OsObjectStore       *self,
                                  const char          *container,
                                  const char          *name,
                                  GInputStream        *stream,
                                  goffset              length,
                                  const char          *md5,
                                  gboolean             replace,
                                  GCancellable        *cancellable,
                                  GAsyncReadyCallback  callback,
                                  gpointer             user_data)
{
  PutObject *put = g_new0 (PutObject, 1);
  g_autoptr(OsBody) body = NULL;

  body = os_body_new (stream, length);
  put->request = os_object_store_make_request ("PUT", container, name);
  put->container = g_strdup (container);
  put->name = g_strdup (name);
  put->md5 = g_strdup (md5);
  put->replace = replace;
  os_request_set_body_stream (put->request, body, CONTENT_TYPE);
  os_request_set_header (put->request, "ETag", md5);
  if (!replace)
    os_request_set_header (put->request, "If-None-Match", "*");
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
os_object_store_get_object_async (OsObjectStore       *self,
                                  const char          *container,
                                  const char          *name,
                                  GCancellable        *cancellable,
                                  GAsyncReadyCallback  callback,
                                  gpointer             user_data)
{
  g_autoptr(OsRequest) request = os_object_store_make_request ("GET", container, name);

  os_request_set_streaming (request);
  os_request_set_deadline (request, 0);
  os_client_send_async (self->client, self, request, cancellable, callback, user_data);
}

GInputStream *
os_object_store_get_object_finish (OsObjectStore  *self,
                                   GAsyncResult   *result,
                                   GError        **error)
{
  g_autoptr(WkHttpResponse) response = os_client_send_finish (self, result, error);
  g_autoptr(GInputStream) stream = NULL;
  g_autoptr(GConverter) converter = NULL;
  g_autofree char *md5 = NULL;
  const char *etag;

  if (response == NULL)
    return NULL;
  stream = wk_http_response_steal_stream (response);
  etag = wk_http_response_get_header (response, "Etag");
  /* The etag of a large object is not that of its bytes. */
  if (etag == NULL || wk_http_response_get_header (response, "X-Static-Large-Object") != NULL
      || wk_http_response_get_header (response, "X-Object-Manifest") != NULL)
    return g_steal_pointer (&stream);
  md5 = g_strdup (etag);
  g_strdelimit (md5, "\"", ' ');
  converter = os_checksum_new (g_strstrip (md5));
  return g_converter_input_stream_new (stream, converter);
}

void
os_object_store_delete_object_async (OsObjectStore       *self,
                                     const char          *container,
                                     const char          *name,
                                     GCancellable        *cancellable,
                                     GAsyncReadyCallback  callback,
                                     gpointer             user_data)
{
  g_autoptr(OsRequest) request = os_object_store_make_request ("DELETE", container, name);

  os_client_send_async (self->client, self, request, cancellable, callback, user_data);
}

gboolean
os_object_store_delete_object_finish (OsObjectStore  *self,
                                      GAsyncResult   *result,
                                      GError        **error)
{
  return os_client_delete_finish (self, result, error);
}

OsObjectStore *
os_object_store_new (OsClient *client)
{
  OsObjectStore *self = g_object_new (OS_TYPE_OBJECT_STORE, NULL);

  self->client = g_object_ref (client);
  self->info = wk_memo_new (self, -1, load_info, load_info_finish,
                            (WkMemoCopy) g_rc_box_acquire,
                            (GDestroyNotify) os_object_store_info_unref);
  return self;
}

static void
os_object_store_dispose (GObject *object)
{
  OsObjectStore *self = OS_OBJECT_STORE (object);

  if (self->info != NULL)
    wk_memo_close (self->info);
  g_clear_pointer (&self->info, wk_memo_unref);
  g_clear_object (&self->client);

  G_OBJECT_CLASS (os_object_store_parent_class)->dispose (object);
}

static void
os_object_store_class_init (OsObjectStoreClass *class)
{
  G_OBJECT_CLASS (class)->dispose = os_object_store_dispose;
}

static void
os_object_store_init (OsObjectStore *self)
{
}
