/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "services/os-compute-private.h"

/* Making a server. */

/* Nova may take its time to accept one. */
#define CREATE_SECONDS 300.0

/* [{"KEY": VALUE}, …] */
static JsonArray *
make_objects (const char         *key,
              const char * const *values)
{
  JsonArray *objects = json_array_new ();

  for (guint i = 0; values[i] != NULL; i++)
    {
      JsonObject *object = json_object_new ();

      json_object_set_string_member (object, key, values[i]);
      json_array_add_object_element (objects, object);
    }
  return objects;
}

/* A port brings its security groups along; what nova connects is told of them here. */
static void
add_connections (JsonObject            *server,
                 const OsServerRequest *request)
{
  if (*request->port_ids != NULL)
    {
      json_object_set_array_member (server, "networks", make_objects ("port", request->port_ids));
      return;
    }
  if (request->network_ids != NULL)
    json_object_set_array_member (server, "networks", make_objects ("uuid", request->network_ids));
  if (request->group_names != NULL)
    json_object_set_array_member (server, "security_groups",
                                  make_objects ("name", request->group_names));
}

static JsonObject *
make_metadata (GHashTable *items)
{
  JsonObject *metadata = json_object_new ();
  GHashTableIter iter;
  gpointer key;
  gpointer value;

  g_hash_table_iter_init (&iter, items);
  while (g_hash_table_iter_next (&iter, &key, &value))
    json_object_set_string_member (metadata, key, value);
  return metadata;
}

/* The volume is made from the image, and goes with the server. */
static JsonArray *
make_mappings (const OsServerRequest *request)
{
  JsonArray *mappings = json_array_new ();
  JsonObject *mapping = json_object_new ();

  json_object_set_int_member (mapping, "boot_index", 0);
  json_object_set_string_member (mapping, "source_type", "image");
  json_object_set_string_member (mapping, "uuid", request->image_id);
  json_object_set_string_member (mapping, "destination_type", "volume");
  json_object_set_int_member (mapping, "volume_size", (gint64) request->volume_gib);
  json_object_set_boolean_member (mapping, "delete_on_termination", TRUE);
  if (request->volume_type != NULL)
    json_object_set_string_member (mapping, "volume_type", request->volume_type);
  json_array_add_object_element (mappings, mapping);
  return mappings;
}

static JsonObject *
make_server (const OsServerRequest *request)
{
  JsonObject *server = json_object_new ();

  json_object_set_string_member (server, "name", request->name);
  json_object_set_string_member (server, "flavorRef", request->flavor_id);
  if (request->volume_gib == 0)
    json_object_set_string_member (server, "imageRef", request->image_id);
  else
    json_object_set_array_member (server, "block_device_mapping_v2", make_mappings (request));
  if (request->zone != NULL)
    json_object_set_string_member (server, "availability_zone", request->zone);
  if (request->config_drive >= 0)
    json_object_set_boolean_member (server, "config_drive", request->config_drive != 0);
  if (request->user_data != NULL)
    {
      gsize size;
      gconstpointer data = g_bytes_get_data (request->user_data, &size);
      g_autofree char *text = g_base64_encode (data, size);

      json_object_set_string_member (server, "user_data", text);
    }
  add_connections (server, request);
  json_object_set_object_member (server, "metadata", make_metadata (request->metadata));
  return server;
}

/* Nova reads the hints beside the server, not in it. */
static GBytes *
make_body (const OsServerRequest *request)
{
  g_autoptr(JsonNode) root = json_node_new (JSON_NODE_OBJECT);
  JsonObject *body = json_object_new ();
  char *text;

  json_object_set_object_member (body, "server", make_server (request));
  if (request->server_group_id != NULL)
    {
      JsonObject *hints = json_object_new ();

      json_object_set_string_member (hints, "group", request->server_group_id);
      json_object_set_object_member (body, "os:scheduler_hints", hints);
    }
  json_node_take_object (root, body);
  text = json_to_string (root, FALSE);
  return g_bytes_new_take (text, strlen (text));
}

void
os_compute_create_server_async (OsCompute             *self,
                                const OsServerRequest *request,
                                GCancellable          *cancellable,
                                GAsyncReadyCallback    callback,
                                gpointer               user_data)
{
  g_autoptr(GBytes) body = make_body (request);
  g_autoptr(OsRequest) call = os_request_new (OS_SERVICE_COMPUTE, "POST", "servers", NULL);

  os_request_set_body (call, body, "application/json");
  if (request->volume_type != NULL)
    os_request_set_microversion (call, OS_COMPUTE_VOLUME_TYPES);
  os_request_set_deadline (call, CREATE_SECONDS);
  os_client_load_async (self->client, self, call, &os_server_table, "server", cancellable,
                        callback, user_data);
}

char *
os_compute_create_server_finish (OsCompute     *self,
                                 GAsyncResult  *result,
                                 GError       **error)
{
  g_autoptr(OsServer) server = os_client_load_finish (self, result, error);

  return server != NULL ? g_steal_pointer (&server->id) : NULL;
}
