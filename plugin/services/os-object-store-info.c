/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/flow.h"
#include "services/os-object-store-private.h"
#include "values/welkin-error.h"

/* What this object store can do beyond the basics: it is asked once. */

/* Of an object that is put whole, where the object store does not say. */
#define DEFAULT_MAX_SIZE (G_GINT64_CONSTANT (5) << 30)
/* Names in one request. All of them would go, but one that takes for ever cannot tell how far it
 * has come. */
#define MAX_BULK_DELETES 1000

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

static gint64
get_number (JsonObject *object,
            const char *name,
            gint64      otherwise)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_int (node) : otherwise;
}

/* body: nullable */
static OsObjectStoreInfo *
read_info (GBytes *body)
{
  OsObjectStoreInfo *info = g_rc_box_new0 (OsObjectStoreInfo);
  g_autoptr(JsonNode) root = body != NULL ? wk_json_parse (body, NULL) : NULL;
  JsonObject *object;
  JsonObject *part;

  info->max_object_size = DEFAULT_MAX_SIZE;
  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root))
    return info;
  info->is_known = TRUE;
  object = json_node_get_object (root);
  part = get_object (object, "tempurl");
  if (part != NULL)
    info->temp_url_digest = choose_digest (part);
  part = get_object (object, "bulk_delete");
  if (part != NULL)
    info->max_bulk_deletes =
      (guint) CLAMP (get_number (part, "max_deletes_per_request", 1000), 0, MAX_BULK_DELETES);
  part = get_object (object, "slo");
  if (part != NULL)
    info->max_segments = (guint) CLAMP (get_number (part, "max_manifest_segments", 1000), 0, 10000);
  part = get_object (object, "swift");
  if (part != NULL)
    info->max_object_size = get_number (part, "max_file_size", DEFAULT_MAX_SIZE);
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

  /* Below the service's prefix: that is right for radosgw, too, whose is "/swift". */
  request = os_request_new (OS_SERVICE_OBJECT_STORE, "GET", "info", NULL);
  os_request_set_unversioned (request);
  WK_AWAIT (flow, os_client_send_async (self->client, self, request, WK_RESUME (flow)));
  response = os_client_send_finish (self, WK_RESULT (flow), &error);
  if (response == NULL && welkin_error_get_status (error) == 0)
    WK_FAIL (flow, &error, NULL);

  info = read_info (response != NULL ? wk_http_response_get_body (response) : NULL);
  g_debug ("object store: temporary URLs by %s, %u deletions at once, %u segments",
           info->temp_url_digest != NULL ? info->temp_url_digest : "nothing",
           info->max_bulk_deletes, info->max_segments);
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

WkMemo *
os_object_store_new_info_memo (OsObjectStore *self)
{
  return wk_memo_new (self, -1, load_info, load_info_finish, (WkMemoCopy) g_rc_box_acquire,
                      (GDestroyNotify) os_object_store_info_unref);
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
