/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "base/memo.h"
#include "services/os-compute-private.h"
#include "values/welkin-error.h"

/* How long flavors and zones are kept. */
#define MEMO_SECONDS 60.0
/* Which of a server's volumes go along with it is told from here on. */
#define VOLUMES_VERSION "2.3"

G_DEFINE_FINAL_TYPE (OsCompute, os_compute, G_TYPE_OBJECT)

/* Flavors */

static void
load_flavors (gpointer             owner,
              const char          *key,
              GCancellable        *cancellable,
              GAsyncReadyCallback  callback,
              gpointer             user_data)
{
  OsCompute *self = OS_COMPUTE (owner);
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_COMPUTE, "GET", "flavors", "detail",
                                                 NULL);

  os_client_list_async (self->client, self, request, &os_flavor_table, "flavors", NULL, NULL,
                        cancellable, callback, user_data);
}

static gpointer
load_list_finish (gpointer       owner,
                  GAsyncResult  *result,
                  GError       **error)
{
  return os_client_list_finish (owner, result, error);
}

void
os_compute_list_flavors_async (OsCompute           *self,
                               GCancellable        *cancellable,
                               GAsyncReadyCallback  callback,
                               gpointer             user_data)
{
  wk_memo_get_async (self->flavors, "", cancellable, callback, user_data);
}

GPtrArray *
os_compute_list_flavors_finish (OsCompute     *self,
                                GAsyncResult  *result,
                                GError       **error)
{
  return wk_memo_get_finish (self->flavors, result, error);
}

/* Zones */

static void
load_zones (gpointer             owner,
            const char          *key,
            GCancellable        *cancellable,
            GAsyncReadyCallback  callback,
            gpointer             user_data)
{
  OsCompute *self = OS_COMPUTE (owner);
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_COMPUTE, "GET", "os-availability-zone",
                                                 NULL);

  os_client_list_async (self->client, self, request, &os_zone_table, "availabilityZoneInfo", NULL,
                        NULL, cancellable, callback, user_data);
}

void
os_compute_list_zones_async (OsCompute           *self,
                             GCancellable        *cancellable,
                             GAsyncReadyCallback  callback,
                             gpointer             user_data)
{
  wk_memo_get_async (self->zones, "", cancellable, callback, user_data);
}

GPtrArray *
os_compute_list_zones_finish (OsCompute     *self,
                              GAsyncResult  *result,
                              GError       **error)
{
  g_autoptr(GError) local_error = NULL;
  GPtrArray *zones = wk_memo_get_finish (self->zones, result, &local_error);

  if (zones != NULL)
    return zones;
  if (g_error_matches (local_error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND)
      || g_error_matches (local_error, WELKIN_ERROR, WELKIN_ERROR_FORBIDDEN))
    g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED,
                 _("this cloud shows no availability zones: %s"), local_error->message);
  else
    g_propagate_error (error, g_steal_pointer (&local_error));
  return NULL;
}

/* Servers */

typedef struct
{
  char       *name_pattern; /* (nullable) */
  OsPageFunc  page;
  gpointer    page_data;
} ListServers;

static void
list_servers_free (ListServers *self)
{
  g_free (self->name_pattern);
  g_free (self);
}

static void
list_servers_once (OsCompute           *compute,
                   ListServers         *self,
                   GCancellable        *cancellable,
                   GAsyncReadyCallback  callback,
                   gpointer             user_data)
{
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_COMPUTE, "GET", "servers", "detail",
                                                 NULL);

  os_request_add_query (request, "name", self->name_pattern);
  os_client_list_async (compute->client, compute, request, &os_server_table, "servers", self->page,
                        self->page_data, cancellable, callback, user_data);
}

static void
list_servers_run (WkFlow *flow,
                  gpointer user_data)
{
  ListServers *self = user_data;
  OsCompute *compute = wk_flow_get_source (flow);
  g_autoptr(GError) error = NULL;
  GPtrArray *servers;

  WK_FLOW_BEGIN (flow);

  if (compute->refuses_pattern)
    g_clear_pointer (&self->name_pattern, g_free);
  WK_AWAIT (flow, list_servers_once (compute, self, WK_RESUME (flow)));
  servers = os_client_list_finish (compute, WK_RESULT (flow), &error);

  /* What is a pattern depends on nova's database. It only saves traffic: go without. */
  if (servers == NULL && self->name_pattern != NULL
      && g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT))
    {
      g_debug ("nova refuses the name pattern %s: %s", self->name_pattern, error->message);
      g_clear_error (&error);
      compute->refuses_pattern = TRUE;
      g_clear_pointer (&self->name_pattern, g_free);
      WK_AWAIT (flow, list_servers_once (compute, self, WK_RESUME (flow)));
      servers = os_client_list_finish (compute, WK_RESULT (flow), &error);
    }
  if (servers == NULL)
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_pointer (flow, servers, (GDestroyNotify) g_ptr_array_unref);

  WK_FLOW_END (flow);
}

void
os_compute_list_servers_async (OsCompute           *self,
                               const char          *name_pattern,
                               OsPageFunc           page,
                               gpointer             page_data,
                               GCancellable        *cancellable,
                               GAsyncReadyCallback  callback,
                               gpointer             user_data)
{
  ListServers *list = g_new0 (ListServers, 1);

  list->name_pattern = g_strdup (name_pattern);
  list->page = page;
  list->page_data = page_data;
  wk_flow_start (self, cancellable, callback, user_data, os_compute_list_servers_async,
                 list_servers_run, list, (GDestroyNotify) list_servers_free);
}

GPtrArray *
os_compute_list_servers_finish (OsCompute     *self,
                                GAsyncResult  *result,
                                GError       **error)
{
  return wk_flow_finish_pointer (result, self, os_compute_list_servers_async, error);
}

void
os_compute_get_server_async (OsCompute           *self,
                             const char          *id,
                             GCancellable        *cancellable,
                             GAsyncReadyCallback  callback,
                             gpointer             user_data)
{
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_COMPUTE, "GET", "servers", id, NULL);

  os_client_load_async (self->client, self, request, &os_server_table, "server", cancellable,
                        callback, user_data);
}

OsServer *
os_compute_get_server_finish (OsCompute     *self,
                              GAsyncResult  *result,
                              GError       **error)
{
  return os_client_load_finish (self, result, error);
}

/* A server with its volumes */

static void
get_volumes_once (OsCompute           *self,
                  const char          *id,
                  const char          *version,
                  GCancellable        *cancellable,
                  GAsyncReadyCallback  callback,
                  gpointer             user_data)
{
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_COMPUTE, "GET", "servers", id, NULL);

  os_request_set_microversion (request, version);
  os_client_load_async (self->client, self, request, &os_server_table, "server", cancellable,
                        callback, user_data);
}

static void
get_volumes_run (WkFlow *flow,
                 gpointer user_data)
{
  const char *id = user_data;
  OsCompute *compute = wk_flow_get_source (flow);
  g_autoptr(GError) error = NULL;
  const char *version;
  OsServer *server;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_client_has_microversion_async (compute->client, VOLUMES_VERSION,
                                                    WK_RESUME (flow)));
  version = os_client_has_microversion_finish (compute->client, WK_RESULT (flow)) ? VOLUMES_VERSION
                                                                                  : NULL;
  WK_AWAIT (flow, get_volumes_once (compute, id, version, WK_RESUME (flow)));
  server = os_client_load_finish (compute, WK_RESULT (flow), &error);
  if (server == NULL)
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_pointer (flow, server, (GDestroyNotify) os_server_free);

  WK_FLOW_END (flow);
}

void
os_compute_get_volumes_async (OsCompute           *self,
                              const char          *id,
                              GCancellable        *cancellable,
                              GAsyncReadyCallback  callback,
                              gpointer             user_data)
{
  wk_flow_start (self, cancellable, callback, user_data, os_compute_get_volumes_async,
                 get_volumes_run, g_strdup (id), g_free);
}

OsServer *
os_compute_get_volumes_finish (OsCompute     *self,
                               GAsyncResult  *result,
                               GError       **error)
{
  return wk_flow_finish_pointer (result, self, os_compute_get_volumes_async, error);
}

/* Removing one */

void
os_compute_delete_server_async (OsCompute           *self,
                                const char          *id,
                                GCancellable        *cancellable,
                                GAsyncReadyCallback  callback,
                                gpointer             user_data)
{
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_COMPUTE, "DELETE", "servers", id, NULL);

  os_client_send_async (self->client, self, request, cancellable, callback, user_data);
}

gboolean
os_compute_delete_server_finish (OsCompute     *self,
                                 GAsyncResult  *result,
                                 GError       **error)
{
  return os_client_delete_finish (self, result, error);
}

/* Actions may be repeated. */
static OsRequest *
make_action (const char *id,
             const char *name,
             JsonNode   *parameters)
{
  OsRequest *request = os_request_new (OS_SERVICE_COMPUTE, "POST", "servers", id, "action", NULL);

  os_request_set_json (request, name, parameters);
  os_request_set_repeatable (request);
  return request;
}

void
os_compute_force_delete_server_async (OsCompute           *self,
                                      const char          *id,
                                      GCancellable        *cancellable,
                                      GAsyncReadyCallback  callback,
                                      gpointer             user_data)
{
  g_autoptr(OsRequest) request = make_action (id, "forceDelete", json_node_new (JSON_NODE_NULL));

  os_client_send_async (self->client, self, request, cancellable, callback, user_data);
}

gboolean
os_compute_force_delete_server_finish (OsCompute     *self,
                                       GAsyncResult  *result,
                                       GError       **error)
{
  return os_client_delete_finish (self, result, error);
}

/* Metadata */

void
os_compute_set_metadata_async (OsCompute           *self,
                               const char          *id,
                               const char          *key,
                               const char          *value,
                               GCancellable        *cancellable,
                               GAsyncReadyCallback  callback,
                               gpointer             user_data)
{
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_COMPUTE, "POST", "servers", id,
                                                 "metadata", NULL);

  os_request_set_json_texts (request, "metadata", key, value, NULL);
  os_request_set_repeatable (request);
  os_client_send_async (self->client, self, request, cancellable, callback, user_data);
}

gboolean
os_compute_set_metadata_finish (OsCompute     *self,
                                GAsyncResult  *result,
                                GError       **error)
{
  return os_client_done_finish (self, result, error);
}

/* Console */

void
os_compute_get_console_output_async (OsCompute           *self,
                                     const char          *id,
                                     guint                n_lines,
                                     GCancellable        *cancellable,
                                     GAsyncReadyCallback  callback,
                                     gpointer             user_data)
{
  JsonObject *parameters = json_object_new ();
  JsonNode *node = json_node_new (JSON_NODE_OBJECT);
  g_autoptr(OsRequest) request = NULL;

  json_object_set_int_member (parameters, "length", n_lines);
  json_node_take_object (node, parameters);
  request = make_action (id, "os-getConsoleOutput", node);
  os_client_send_async (self->client, self, request, cancellable, callback, user_data);
}

char *
os_compute_get_console_output_finish (OsCompute     *self,
                                      GAsyncResult  *result,
                                      GError       **error)
{
  g_autoptr(WkHttpResponse) response = os_client_send_finish (self, result, error);
  g_autoptr(JsonNode) root = NULL;
  JsonNode *output = NULL;

  if (response == NULL)
    return NULL;
  root = wk_json_parse (wk_http_response_get_body (response), error);
  if (root == NULL)
    return NULL;
  if (JSON_NODE_HOLDS_OBJECT (root))
    output = json_object_get_member (json_node_get_object (root), "output");
  if (output == NULL || !JSON_NODE_HOLDS_VALUE (output) || json_node_get_string (output) == NULL)
    return g_strdup ("");
  return json_node_dup_string (output);
}

OsCompute *
os_compute_new (OsClient *client)
{
  OsCompute *self = g_object_new (OS_TYPE_COMPUTE, NULL);

  self->client = g_object_ref (client);
  self->flavors = wk_memo_new (self, MEMO_SECONDS, load_flavors, load_list_finish,
                               (WkMemoCopy) g_ptr_array_ref, (GDestroyNotify) g_ptr_array_unref);
  self->zones = wk_memo_new (self, MEMO_SECONDS, load_zones, load_list_finish,
                             (WkMemoCopy) g_ptr_array_ref, (GDestroyNotify) g_ptr_array_unref);
  return self;
}

static void
os_compute_dispose (GObject *object)
{
  OsCompute *self = OS_COMPUTE (object);

  if (self->flavors != NULL)
    wk_memo_close (self->flavors);
  if (self->zones != NULL)
    wk_memo_close (self->zones);
  g_clear_pointer (&self->flavors, wk_memo_unref);
  g_clear_pointer (&self->zones, wk_memo_unref);
  g_clear_object (&self->client);

  G_OBJECT_CLASS (os_compute_parent_class)->dispose (object);
}

static void
os_compute_class_init (OsComputeClass *class)
{
  G_OBJECT_CLASS (class)->dispose = os_compute_dispose;
}

static void
os_compute_init (OsCompute *self)
{
}
