/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/*
 * What nova has of networks, which ended with 2.36: networks, pools, floating IPs
 * and what is done with them to servers; the groups are in a file of their own.
 *
 * With neutron these were views of what neutron has, under its ids; without it
 * (setting "nova-network") they are shown under numbers, and names of groups are
 * unique. Either way the things are those of the network service here.
 */

#include "fake-nova.h"

#define NUMBER "nova_number"
#define LAST_MICROVERSION 35

char *
fake_nova_get_shown_id (FakeCloud *cloud, JsonObject *object)
{
  if (!cloud->settings.nova_network)
    return g_strdup_printf ("\"%s\"", fake_json_get_string (object, "id"));
  if (!json_object_has_member (object, NUMBER))
    json_object_set_int_member (object, NUMBER, ++cloud->nova->last_number);
  return g_strdup_printf ("%" G_GINT64_FORMAT, json_object_get_int_member (object, NUMBER));
}

JsonObject *
fake_nova_find_shown (FakeRequest *request, const char *kind, const char *id)
{
  FakeStore *store = fake_cloud_get_store (request->cloud, kind);

  for (GList *l = fake_store_get_first (store); id != NULL && l != NULL; l = l->next)
    {
      g_autofree char *shown = fake_nova_get_shown_id (request->cloud, l->data);
      g_autofree char *quoted = g_strdup_printf ("\"%s\"", id);

      if ((g_str_equal (shown, id) || g_str_equal (shown, quoted))
          && g_strcmp0 (fake_json_get_string (l->data, "project_id"), request->token->project_id)
               == 0)
        return l->data;
    }
  return NULL;
}

gboolean
fake_nova_has_networks (FakeRequest *request)
{
  if (request->microversion <= LAST_MICROVERSION)
    return TRUE;
  fake_nova_fail (request, 404, "The resource could not be found.");
  return FALSE;
}

/* networks */

static const char *
get_cidr (FakeCloud *cloud, JsonObject *network)
{
  JsonArray *subnets = fake_json_get_array (network, "subnets");
  JsonObject *subnet;

  if (!cloud->settings.nova_network || subnets == NULL || json_array_get_length (subnets) == 0)
    return NULL;
  subnet = fake_store_get (fake_cloud_get_store (cloud, "subnet"),
                           json_array_get_string_element (subnets, 0));
  return subnet != NULL ? fake_json_get_string (subnet, "cidr") : NULL;
}

void
fake_nova_list_networks (FakeRequest *request)
{
  GString *out;
  const char *separator = "";

  if (!fake_nova_has_networks (request))
    return;
  out = g_string_new ("{\"networks\": [");
  for (GList *l = fake_store_get_first (fake_cloud_get_store (request->cloud, "network"));
       l != NULL; l = l->next)
    {
      if (fake_json_get_bool (l->data, "router:external", FALSE)
          || !fake_neutron_is_visible (&fake_network_resource, l->data, request->token))
        continue;
      fake_json_append (out, "%r{'id': %s, 'label': %s, 'cidr': %s}", separator,
                        fake_json_get_string (l->data, "id"),
                        fake_json_get_string (l->data, "name"), get_cidr (request->cloud, l->data));
      separator = ", ";
    }
  g_string_append (out, "]}");
  fake_request_reply_json (request, 200, g_string_free (out, FALSE));
}

/* pools: the external networks */

static JsonObject *
find_pool (FakeRequest *request, const char *name)
{
  for (GList *l = fake_store_get_first (fake_cloud_get_store (request->cloud, "network"));
       l != NULL; l = l->next)
    if (fake_json_get_bool (l->data, "router:external", FALSE)
        && g_strcmp0 (fake_json_get_string (l->data, "name"), name) == 0)
      return l->data;
  return NULL;
}

void
fake_nova_list_pools (FakeRequest *request)
{
  GString *out;
  const char *separator = "";

  if (!fake_nova_has_networks (request))
    return;
  out = g_string_new ("{\"floating_ip_pools\": [");
  for (GList *l = fake_store_get_first (fake_cloud_get_store (request->cloud, "network"));
       l != NULL; l = l->next)
    {
      if (!fake_json_get_bool (l->data, "router:external", FALSE))
        continue;
      fake_json_append (out, "%r{'name': %s}", separator, fake_json_get_string (l->data, "name"));
      separator = ", ";
    }
  g_string_append (out, "]}");
  fake_request_reply_json (request, 200, g_string_free (out, FALSE));
}

/* floating IPs */

static void
append_floating (GString *out, FakeRequest *request, JsonObject *floating)
{
  g_autofree char *id = fake_nova_get_shown_id (request->cloud, floating);
  const char *port_id = fake_json_get_string (floating, "port_id");
  JsonObject *network = fake_store_get (fake_cloud_get_store (request->cloud, "network"),
                                        fake_json_get_string (floating, "floating_network_id"));
  JsonObject *port = port_id != NULL
                       ? fake_store_get (fake_cloud_get_store (request->cloud, "port"), port_id)
                       : NULL;

  fake_json_append (out, "{'id': %r, 'ip': %s, 'fixed_ip': %s, 'instance_id': %s, 'pool': %s}", id,
                    fake_json_get_string (floating, "floating_ip_address"),
                    fake_json_get_string (floating, "fixed_ip_address"),
                    port != NULL ? fake_json_get_string (port, "device_id") : NULL,
                    fake_json_get_string (network, "name"));
}

void
fake_nova_list_floating (FakeRequest *request)
{
  GString *out;
  const char *separator = "";

  if (!fake_nova_has_networks (request))
    return;
  out = g_string_new ("{\"floating_ips\": [");
  for (GList *l = fake_store_get_first (fake_cloud_get_store (request->cloud, "floatingip"));
       l != NULL; l = l->next)
    {
      if (g_strcmp0 (fake_json_get_string (l->data, "project_id"), request->token->project_id)
          != 0)
        continue;
      g_string_append (out, separator);
      append_floating (out, request, l->data);
      separator = ", ";
    }
  g_string_append (out, "]}");
  fake_request_reply_json (request, 200, g_string_free (out, FALSE));
}

static void
reply_floating (FakeRequest *request, JsonObject *floating)
{
  GString *out = g_string_new ("{\"floating_ip\": ");

  append_floating (out, request, floating);
  g_string_append_c (out, '}');
  fake_request_reply_json (request, 200, g_string_free (out, FALSE));
}

static JsonObject *
need_floating (FakeRequest *request)
{
  const char *id = g_ptr_array_index (request->args, 0);
  JsonObject *floating = fake_nova_find_shown (request, "floatingip", id);

  if (floating == NULL)
    fake_nova_fail (request, 404, "Floating IP not found for ID %s", id);
  return floating;
}

void
fake_nova_get_floating (FakeRequest *request)
{
  JsonObject *floating;

  if (!fake_nova_has_networks (request))
    return;
  floating = need_floating (request);
  if (floating != NULL)
    reply_floating (request, floating);
}

static void
refuse_floating (FakeRequest *request, const FakeFault *fault, const char *pool)
{
  if (g_str_equal (fault->type, "OverQuota"))
    return fake_nova_fail (request, 403, pool != NULL
                                           ? "IP allocation over quota in pool %s."
                                           : "IP allocation over quota.", pool);
  if (pool != NULL)
    return fake_nova_fail (request, 404, "No more floating IPs in pool %s.", pool);
  fake_nova_fail (request, 404, "No more floating IPs available.");
}

void
fake_nova_create_floating (FakeRequest *request)
{
  JsonNode *json = fake_request_get_json (request);
  g_auto (FakeFault) fault = { 0 };
  g_autoptr (JsonObject) body = NULL;
  JsonObject *network, *floating;
  const char *pool = NULL;

  if (!fake_nova_has_networks (request))
    return;
  if (json != NULL && JSON_NODE_HOLDS_OBJECT (json))
    pool = fake_json_get_string (json_node_get_object (json), "pool");
  /* The one that is nova's by default is called "nova". */
  network = find_pool (request, pool != NULL ? pool : "nova");
  if (network == NULL)
    return fake_nova_fail (request, 404, "Floating IP pool not found.");
  body = fake_json_object_new ("{'floating_network_id': %s}",
                               fake_json_get_string (network, "id"));
  floating = fake_floatingip_resource.create (request->cloud, request->token, body, &fault);
  if (floating == NULL)
    return refuse_floating (request, &fault, pool);
  reply_floating (request, floating);
}

void
fake_nova_delete_floating (FakeRequest *request)
{
  JsonObject *floating;

  if (!fake_nova_has_networks (request))
    return;
  floating = need_floating (request);
  if (floating == NULL)
    return;
  fake_neutron_drop (request->cloud, &fake_floatingip_resource,
                     fake_json_get_string (floating, "id"));
  fake_request_reply (request, 202, "application/json", NULL);
}

/* actions */

static JsonObject *
find_by_address (FakeRequest *request, const char *address)
{
  for (GList *l = fake_store_get_first (fake_cloud_get_store (request->cloud, "floatingip"));
       l != NULL; l = l->next)
    if (g_strcmp0 (fake_json_get_string (l->data, "floating_ip_address"), address) == 0
        && g_strcmp0 (fake_json_get_string (l->data, "project_id"), request->token->project_id)
             == 0)
      return l->data;
  return NULL;
}

static void
add_floating (FakeRequest *request, FakeServer *server, JsonObject *floating)
{
  g_auto (FakeFault) fault = { 0 };
  g_autoptr (JsonObject) body = NULL;
  FakeCard *card = server->cards->len > 0 ? g_ptr_array_index (server->cards, 0) : NULL;

  if (server->host == NULL || card == NULL || card->port_id == NULL)
    return fake_nova_fail (request, 400, "No nw_info cache associated with instance");
  /* It is taken off whatever else it is on. */
  body = fake_json_object_new ("{'port_id': %s}", card->port_id);
  if (!fake_floatingip_resource.update (request->cloud, request->token, floating, body, &fault))
    return fake_nova_fail (request, 400, "Error. Unable to associate floating IP");
  fake_request_reply (request, 202, "application/json", NULL);
}

static gboolean
is_on (FakeServer *server, JsonObject *floating)
{
  const char *port_id = fake_json_get_string (floating, "port_id");

  for (guint i = 0; i < server->cards->len; i++)
    if (g_strcmp0 (((FakeCard *) g_ptr_array_index (server->cards, i))->port_id, port_id) == 0)
      return port_id != NULL;
  return FALSE;
}

static void
remove_floating (FakeRequest *request, FakeServer *server, JsonObject *floating)
{
  g_auto (FakeFault) fault = { 0 };
  g_autoptr (JsonObject) body = fake_json_object_new ("{'port_id': null}");

  if (!is_on (server, floating))
    return fake_nova_fail (request, 409, "Floating IP %s is not associated with instance %s.",
                           fake_json_get_string (floating, "floating_ip_address"), server->id);
  fake_floatingip_resource.update (request->cloud, request->token, floating, body, &fault);
  fake_request_reply (request, 202, "application/json", NULL);
}

gboolean
fake_nova_act_on_floating (FakeRequest *request, FakeServer *server, const char *action,
                           JsonObject *parameters)
{
  const char *address = fake_json_get_string (parameters, "address");
  gboolean is_added = g_str_equal (action, "addFloatingIp");
  JsonObject *floating;

  if (!is_added && !g_str_equal (action, "removeFloatingIp"))
    return FALSE;
  floating = find_by_address (request, address);
  if (address == NULL)
    fake_nova_fail (request, 400, "Invalid input for field/attribute %s. 'address' is a required "
                                  "property", action);
  else if (floating == NULL)
    fake_nova_fail (request, 404, "floating IP not found");
  else if (is_added)
    add_floating (request, server, floating);
  else
    remove_floating (request, server, floating);
  return TRUE;
}
