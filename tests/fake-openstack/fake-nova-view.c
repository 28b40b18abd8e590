/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* How a server is shown, which depends on the microversion. */

#include "fake-nova.h"

static void
append_links (GString *out, FakeRequest *request, const FakeServer *server)
{
  g_autofree char *versioned = fake_nova_get_base (request, TRUE);
  g_autofree char *base = fake_nova_get_base (request, FALSE);

  fake_json_append (out, "'links': [{'rel': 'self', 'href': '%r/servers/%r'},"
                         " {'rel': 'bookmark', 'href': '%r/servers/%r'}]",
                    versioned, server->id, base, server->id);
}

void
fake_server_append_brief (GString *out, FakeRequest *request, const FakeServer *server)
{
  fake_json_append (out, "{'id': %s, 'name': %s, ", server->id, server->name);
  append_links (out, request, server);
  g_string_append_c (out, '}');
}

static void
append_flavor (GString *out, FakeRequest *request, const FakeServer *server)
{
  g_autofree char *base = fake_nova_get_base (request, FALSE);
  JsonObject *flavor = server->flavor;
  const char *id = fake_json_get_string (flavor, "id");

  if (request->microversion < 47)
    {
      fake_json_append (out, "{'id': %s, 'links': [{'rel': 'bookmark', 'href': '%r/flavors/%r'}]}",
                        id, base, id);
      return;
    }
  fake_json_append (out, "{'vcpus': %l, 'ram': %l, 'disk': %l, 'ephemeral': %l, 'swap': 0,"
                         " 'original_name': %s, 'extra_specs': %o}",
                    fake_json_get_int (flavor, "vcpus", 0), fake_json_get_int (flavor, "ram", 0),
                    fake_json_get_int (flavor, "disk", 0),
                    fake_json_get_int (flavor, "ephemeral", 0),
                    fake_json_get_string (flavor, "name"),
                    fake_json_get_object (flavor, "extra_specs"));
}

static JsonObject *
get_port (FakeRequest *request, const FakeCard *card)
{
  if (card->port_id == NULL)
    return NULL;
  return fake_store_get (fake_cloud_get_store (request->cloud, "port"), card->port_id);
}

static void
append_port_addresses (GString *out, FakeRequest *request, JsonObject *port, const char **separator)
{
  JsonArray *ips = fake_json_get_array (port, "fixed_ips");
  const char *mac = fake_json_get_string (port, "mac_address");
  const char *port_id = fake_json_get_string (port, "id");

  for (guint i = 0; i < json_array_get_length (ips); i++)
    {
      const char *address =
        fake_json_get_string (json_array_get_object_element (ips, i), "ip_address");
      JsonObject *floating = fake_neutron_find_floating (request->cloud, port_id, address);

      fake_json_append (out, "%r{'version': %d, 'addr': %s, 'OS-EXT-IPS:type': 'fixed',"
                             " 'OS-EXT-IPS-MAC:mac_addr': %s}",
                        *separator, strchr (address, ':') != NULL ? 6 : 4, address, mac);
      *separator = ", ";
      if (floating != NULL)
        fake_json_append (out, ", {'version': 4, 'addr': %s, 'OS-EXT-IPS:type': 'floating',"
                               " 'OS-EXT-IPS-MAC:mac_addr': %s}",
                          fake_json_get_string (floating, "floating_ip_address"), mac);
    }
}

static const char *
get_network_name (FakeRequest *request, JsonObject *port)
{
  JsonObject *network = fake_store_get (fake_cloud_get_store (request->cloud, "network"),
                                        fake_json_get_string (port, "network_id"));

  return network != NULL ? fake_json_get_string (network, "name") : "";
}

/* By network, in the order of the cards; several cards may be in one network. */
static void
append_addresses (GString *out, FakeRequest *request, const FakeServer *server)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  g_string_append_c (out, '{');
  for (guint i = 0; server->host != NULL && i < server->cards->len; i++)
    {
      JsonObject *port = get_port (request, g_ptr_array_index (server->cards, i));
      const char *name = port != NULL ? get_network_name (request, port) : NULL;
      const char *separator = "";

      if (name == NULL || !g_hash_table_add (seen, (gpointer) name))
        continue;
      fake_json_append (out, "%r%s: [", g_hash_table_size (seen) > 1 ? ", " : "", name);
      for (guint j = i; j < server->cards->len; j++)
        {
          JsonObject *other = get_port (request, g_ptr_array_index (server->cards, j));

          if (other != NULL && g_strcmp0 (get_network_name (request, other), name) == 0)
            append_port_addresses (out, request, other, &separator);
        }
      g_string_append_c (out, ']');
    }
  g_string_append_c (out, '}');
}

/* Names of the groups of all ports, each once; the member is missing if there are none. */
static void
append_security_groups (GString *out, FakeRequest *request, const FakeServer *server)
{
  FakeStore *store = fake_cloud_get_store (request->cloud, "security_group");
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; server->host != NULL && i < server->cards->len; i++)
    {
      JsonObject *port = get_port (request, g_ptr_array_index (server->cards, i));
      JsonArray *ids = port != NULL ? fake_json_get_array (port, "security_groups") : NULL;

      for (guint j = 0; ids != NULL && j < json_array_get_length (ids); j++)
        {
          JsonObject *group = fake_store_get (store, json_array_get_string_element (ids, j));
          const char *name = group != NULL ? fake_json_get_string (group, "name") : NULL;

          if (name == NULL || !g_hash_table_add (seen, (gpointer) name))
            continue;
          fake_json_append (out, "%r{'name': %s}",
                            g_hash_table_size (seen) > 1 ? ", " : ", \"security_groups\": [", name);
        }
    }
  if (g_hash_table_size (seen) > 0)
    g_string_append_c (out, ']');
}

static void
append_volumes (GString *out, FakeRequest *request, const FakeServer *server)
{
  g_string_append (out, ", \"os-extended-volumes:volumes_attached\": [");
  if (server->volume_id != NULL)
    fake_json_append (out, "{'id': %s", server->volume_id);
  if (server->volume_id != NULL && request->microversion >= 3)
    fake_json_append (out, ", 'delete_on_termination': %b", !server->keeps_root);
  g_string_append (out, server->volume_id != NULL ? "}]" : "]");
}

static void
append_by_version (GString *out, FakeRequest *request, const FakeServer *server, gboolean is_single)
{
  int version = request->microversion;

  if (version >= 9)
    fake_json_append (out, ", 'locked': %b", server->is_locked);
  if (version >= 19)
    fake_json_append (out, ", 'description': %s", server->description);
  if (version >= 26)
    {
      g_string_append (out, ", \"tags\": [");
      for (guint i = 0; i < server->tags->len; i++)
        fake_json_append (out, "%r%s", i > 0 ? ", " : "",
                          (char *) g_ptr_array_index (server->tags, i));
      g_string_append_c (out, ']');
    }
  if (version >= 63)
    g_string_append (out, ", \"trusted_image_certificates\": null");
  if (version >= 71 && is_single && server->group_id != NULL)
    fake_json_append (out, ", 'server_groups': [%s]", server->group_id);
  else if (version >= 71 && is_single)
    g_string_append (out, ", \"server_groups\": []");
  if (version >= 90)
    fake_json_append (out, ", 'OS-EXT-SRV-ATTR:hostname': %s", server->name);
  if (version >= 73)
    g_string_append (out, ", \"locked_reason\": null");
}

static void
append_times (GString *out, const FakeServer *server)
{
  g_autofree char *launched = NULL;

  if (server->launched_us != 0)
    {
      launched = fake_time_text (server->launched_us, TRUE);
      launched[strlen (launched) - 1] = '\0';
    }
  fake_json_append (out, ", 'OS-SRV-USG:launched_at': %s, 'OS-SRV-USG:terminated_at': null",
                    launched);
}

/* Lists have no fault of servers that no host ever had: nova looks in the wrong cell. */
static void
append_fault (GString *out, const FakeServer *server, gboolean is_single)
{
  g_autofree char *created = NULL;

  if (server->fault_message == NULL || !g_str_equal (server->status, "ERROR")
      || (!is_single && !server->was_scheduled))
    return;
  created = fake_time_text (server->fault_us, FALSE);
  fake_json_append (out, ", 'fault': {'code': %d, 'created': %s, 'message': %s}",
                    server->fault_code, created, server->fault_message);
}

void
fake_server_append_detail (GString *out,
                           FakeRequest *request,
                           const FakeServer *server,
                           gboolean is_single)
{
  g_autofree char *created = fake_time_text (server->created_us, FALSE);
  g_autofree char *updated = fake_time_text (server->updated_us, FALSE);
  g_autofree char *base = fake_nova_get_base (request, FALSE);
  g_autofree char *host = NULL;

  if (server->host != NULL)
    host = g_compute_checksum_for_string (G_CHECKSUM_SHA1, server->host, -1);
  fake_json_append (out, "{'id': %s, 'name': %s, 'status': %s, 'tenant_id': %s, 'user_id': %s,"
                         " 'metadata': %o, 'hostId': %s, 'image': ",
                    server->id, server->name, server->status, server->project_id, server->user_id,
                    server->metadata, host != NULL ? host : "");
  if (server->image_id != NULL)
    fake_json_append (out, "{'id': %s, 'links': [{'rel': 'bookmark', 'href': '%r/images/%r'}]}",
                      server->image_id, base, server->image_id);
  else
    g_string_append (out, "\"\"");
  g_string_append (out, ", \"flavor\": ");
  append_flavor (out, request, server);
  fake_json_append (out, ", 'created': %s, 'updated': %s, 'addresses': ", created, updated);
  append_addresses (out, request, server);
  g_string_append (out, ", \"accessIPv4\": \"\", \"accessIPv6\": \"\", ");
  append_links (out, request, server);
  g_string_append (out, ", \"OS-DCF:diskConfig\": \"MANUAL\"");
  if (g_str_equal (server->status, "ACTIVE") || g_str_equal (server->status, "BUILD"))
    g_string_append (out, ", \"progress\": 0");
  append_fault (out, server, is_single);
  fake_json_append (out, ", 'OS-EXT-AZ:availability_zone': %s, 'config_drive': %s, 'key_name': %s",
                    server->zone, server->has_config_drive ? "True" : "", server->key_name);
  append_times (out, server);
  fake_json_append (out, ", 'OS-EXT-STS:task_state': %s, 'OS-EXT-STS:vm_state': %s,"
                         " 'OS-EXT-STS:power_state': %d",
                    server->task, fake_server_get_vm_state (server),
                    fake_server_get_power_state (server));
  append_volumes (out, request, server);
  append_security_groups (out, request, server);
  append_by_version (out, request, server, is_single);
  g_string_append_c (out, '}');
}
