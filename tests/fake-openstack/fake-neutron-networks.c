/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* Networks, subnets, routers. */

#include "fake-neutron.h"

/* networks */

static const char *const network_settable[] = {
  "name", "description", "admin_state_up", "shared", "router:external", "port_security_enabled",
  "mtu", "project_id", "tenant_id", "is_default", "availability_zone_hints",
  "provider:network_type", "provider:physical_network", "provider:segmentation_id", NULL,
};
static const char *const network_changeable[] = {
  "name", "description", "admin_state_up", "shared", "port_security_enabled", "mtu", NULL,
};

static JsonObject *
create_network (FakeCloud *cloud, const FakeToken *caller, JsonObject *body, FakeFault *fault)
{
  const char *owner = fake_neutron_get_owner (cloud, caller, body);
  gboolean is_external = fake_json_get_bool (body, "router:external", FALSE);
  gboolean is_shared = fake_json_get_bool (body, "shared", FALSE);
  const char *id = fake_json_get_string (body, "id");
  const char *name = fake_json_get_string (body, "name");
  JsonObject *network;

  if ((is_external || is_shared) && !caller->is_admin)
    return fake_fault_set (fault, 403, "PolicyNotAuthorized",
                           "(rule:create_network and rule:create_network:%s) is disallowed by "
                           "policy",
                           is_external ? "router:external" : "shared");
  if (!fake_neutron_check_quota (cloud, &fake_network_resource, owner, 1, fault))
    return NULL;
  network = fake_json_object_new (
    "{'id': null, 'name': %s, 'tenant_id': null, 'admin_state_up': %b, 'mtu': %l,"
    " 'status': 'ACTIVE', 'subnets': [], 'shared': %b, 'availability_zone_hints': [],"
    " 'availability_zones': [], 'ipv4_address_scope': null, 'ipv6_address_scope': null,"
    " 'router:external': %b, 'description': %s, 'port_security_enabled': %b}",
    name != NULL ? name : "", fake_json_get_bool (body, "admin_state_up", TRUE),
    fake_json_get_int (body, "mtu", is_external ? 1500 : 1450), is_shared, is_external,
    fake_json_get_string (body, "description") != NULL
      ? fake_json_get_string (body, "description") : "",
    fake_json_get_bool (body, "port_security_enabled", TRUE));
  if (id != NULL)
    json_object_set_string_member (network, "id", id);
  if (is_external)
    json_object_set_boolean_member (network, "is_default",
                                    fake_json_get_bool (body, "is_default", FALSE));
  return fake_neutron_store (cloud, &fake_network_resource, owner, network);
}

static void
edit_network_answer (JsonObject *answer)
{
  if (!json_object_has_member (answer, "is_default"))
    json_object_set_boolean_member (answer, "is_default", FALSE);
}

static gboolean
remove_network (FakeCloud *cloud, JsonObject *network, FakeFault *fault)
{
  const char *id = fake_json_get_string (network, "id");
  g_autoptr (GString) in_use = g_string_new (NULL);

  for (GList *l = fake_store_get_first (fake_cloud_get_store (cloud, "port")); l != NULL;
       l = l->next)
    if (g_strcmp0 (fake_json_get_string (l->data, "network_id"), id) == 0)
      g_string_append_printf (in_use, "%s%s", in_use->len > 0 ? "," : "",
                              fake_json_get_string (l->data, "id"));
  if (in_use->len > 0)
    {
      fake_fault_set (fault, 409, "NetworkInUse",
                      "Unable to complete operation on network %s. There are one or more ports "
                      "still in use on the network, id for these ports is: %s.",
                      id, in_use->str);
      return FALSE;
    }
  /* Each subnet leaves with a new array behind. */
  while (json_array_get_length (fake_json_get_array (network, "subnets")) > 0)
    {
      g_autofree char *subnet_id =
        g_strdup (json_array_get_string_element (fake_json_get_array (network, "subnets"), 0));

      fake_neutron_drop (cloud, &fake_subnet_resource, subnet_id);
    }
  return TRUE;
}

const FakeResource fake_network_resource = {
  .kind = "network",
  .plural = "networks",
  .path = "networks",
  .not_found_type = "NetworkNotFound",
  .not_found_message = "Network %s could not be found.",
  .settable = network_settable,
  .changeable = network_changeable,
  .create = create_network,
  .edit_answer = edit_network_answer,
  .remove = remove_network,
};

/* subnets */

static const char *const subnet_settable[] = {
  "network_id", "cidr", "ip_version", "name", "description", "gateway_ip", "enable_dhcp",
  "allocation_pools", "dns_nameservers", "host_routes", "ipv6_ra_mode", "ipv6_address_mode",
  "project_id", "tenant_id", "subnetpool_id", "service_types", NULL,
};
static const char *const subnet_changeable[] = {
  "name", "description", "gateway_ip", "enable_dhcp", "dns_nameservers", "host_routes", NULL,
};

/* The address @offset after the first one of the prefix, or before the last one. */
static char *
get_address_at (const FakePrefix *prefix, gint64 offset)
{
  gsize size = g_inet_address_get_native_size (prefix->masked);
  g_autoptr (GInetAddress) address = NULL;
  guint8 bytes[16];

  memcpy (bytes, g_inet_address_to_bytes (prefix->masked), size);
  if (offset < 0)
    for (guint bit = prefix->length; bit < size * 8; bit++)
      bytes[bit / 8] |= (guint8) (0x80 >> (bit % 8));
  bytes[size - 1] = (guint8) (bytes[size - 1] + (offset < 0 ? offset + 1 : offset));
  address = g_inet_address_new_from_bytes (bytes, g_inet_address_get_family (prefix->masked));
  return g_inet_address_to_string (address);
}

static JsonObject *
create_subnet (FakeCloud *cloud, const FakeToken *caller, JsonObject *body, FakeFault *fault)
{
  const char *cidr = fake_json_get_string (body, "cidr");
  const char *name = fake_json_get_string (body, "name");
  const char *mode = fake_json_get_string (body, "ipv6_address_mode");
  const char *gateway = fake_json_get_string (body, "gateway_ip");
  static const char *const lists[] = {
    "allocation_pools", "dns_nameservers", "host_routes",
  };
  g_auto (FakePrefix) prefix = { NULL };
  g_autofree char *first = NULL;
  g_autofree char *start = NULL;
  g_autofree char *end = NULL;
  JsonObject *network, *subnet;
  gboolean is_v6;

  network = fake_neutron_get (cloud, &fake_network_resource, caller,
                              fake_json_get_string (body, "network_id"), fault);
  if (network == NULL)
    return NULL;
  if (!fake_prefix_parse (cidr, &prefix))
    return fake_fault_set (fault, 400, "InvalidInput",
                           "Invalid input for operation: %s is not in a CIDR format.",
                           cidr != NULL ? cidr : "None");
  if (!fake_neutron_check_quota (cloud, &fake_subnet_resource,
                                 fake_json_get_string (network, "project_id"), 1, fault))
    return NULL;

  is_v6 = g_inet_address_get_family (prefix.address) == G_SOCKET_FAMILY_IPV6;
  first = get_address_at (&prefix, is_v6 ? 0 : 1);
  start = get_address_at (&prefix, is_v6 ? 1 : 2);
  end = get_address_at (&prefix, is_v6 ? -1 : -2);
  subnet = fake_json_object_new (
    "{'id': null, 'name': %s, 'tenant_id': null, 'network_id': %s, 'ip_version': %d,"
    " 'subnetpool_id': null, 'enable_dhcp': %b, 'ipv6_ra_mode': %s, 'ipv6_address_mode': %s,"
    " 'gateway_ip': %s, 'cidr': %s, 'allocation_pools': [{'start': %s, 'end': %s}],"
    " 'host_routes': [], 'dns_nameservers': [], 'description': '', 'service_types': []}",
    name != NULL ? name : "", fake_json_get_string (network, "id"), is_v6 ? 6 : 4,
    fake_json_get_bool (body, "enable_dhcp", TRUE), mode, mode,
    gateway != NULL ? gateway : first, cidr, start, end);
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    if (json_object_has_member (body, lists[i]))
      json_object_set_member (subnet, lists[i], json_object_dup_member (body, lists[i]));
  fake_neutron_store (cloud, &fake_subnet_resource, fake_json_get_string (network, "project_id"),
                      subnet);
  json_array_add_string_element (fake_json_get_array (network, "subnets"),
                                 fake_json_get_string (subnet, "id"));
  fake_neutron_touch (network);
  return subnet;
}

static gboolean
remove_subnet (FakeCloud *cloud, JsonObject *subnet, FakeFault *fault)
{
  const char *id = fake_json_get_string (subnet, "id");
  JsonObject *network = fake_cloud_find_object (cloud, "network",
                                                fake_json_get_string (subnet, "network_id"));
  JsonArray *rest = json_array_new ();
  JsonArray *subnets = fake_json_get_array (network, "subnets");

  for (guint i = 0; i < json_array_get_length (subnets); i++)
    if (!g_str_equal (json_array_get_string_element (subnets, i), id))
      json_array_add_string_element (rest, json_array_get_string_element (subnets, i));
  json_object_set_array_member (network, "subnets", rest);
  g_hash_table_remove (cloud->neutron->routers, id);
  return TRUE;
}

const FakeResource fake_subnet_resource = {
  .kind = "subnet",
  .plural = "subnets",
  .path = "subnets",
  .not_found_type = "SubnetNotFound",
  .not_found_message = "Subnet %s could not be found.",
  .required = "network_id",
  .settable = subnet_settable,
  .changeable = subnet_changeable,
  .create = create_subnet,
  .remove = remove_subnet,
};

/* routers */

static const char *const router_settable[] = {
  "name", "description", "admin_state_up", "external_gateway_info", "project_id", "tenant_id",
  NULL,
};
static const char *const router_changeable[] = {
  "name", "description", "admin_state_up", NULL,
};

/* The port of a router in a subnet, at the subnet's gateway address. */
static void
plug_in_subnet (FakeCloud *cloud, JsonObject *router, JsonObject *subnet)
{
  FakeToken caller = { .is_admin = TRUE };
  g_auto (FakeFault) ignored = { 0 };
  const char *router_id = fake_json_get_string (router, "id");
  const char *subnet_id = fake_json_get_string (subnet, "id");
  g_autoptr (JsonObject) body = NULL;

  caller.project_id = (char *) fake_json_get_string (router, "project_id");
  body = fake_json_object_new ("{'network_id': %s, 'device_id': %s,"
                               " 'device_owner': 'network:router_interface',"
                               " 'port_security_enabled': false, 'security_groups': [],"
                               " 'fixed_ips': [{'subnet_id': %s, 'ip_address': %s}]}",
                               fake_json_get_string (subnet, "network_id"), router_id, subnet_id,
                               fake_json_get_string (subnet, "gateway_ip"));
  fake_port_resource.create (cloud, &caller, body, &ignored);
  g_hash_table_replace (cloud->neutron->routers, g_strdup (subnet_id), g_strdup (router_id));
}

/* The router's address on the external network, from its first IPv4 subnet. */
static void
set_gateway (FakeCloud *cloud, JsonObject *router, JsonObject *external)
{
  JsonArray *subnets = fake_json_get_array (external, "subnets");
  JsonObject *subnet = NULL;
  g_autofree char *address = NULL;
  g_autofree char *info = NULL;

  if (json_array_get_length (subnets) > 0)
    subnet = fake_cloud_find_object (cloud, "subnet", json_array_get_string_element (subnets, 0));
  if (subnet != NULL)
    address = fake_addresses_take (cloud->neutron->addresses, subnet, NULL);
  info = fake_json ("{'network_id': %s, 'external_fixed_ips': [{'subnet_id': %s,"
                    " 'ip_address': %s}], 'enable_snat': true}",
                    fake_json_get_string (external, "id"),
                    subnet != NULL ? fake_json_get_string (subnet, "id") : NULL, address);
  fake_json_set_text (router, "external_gateway_info", info);
}

/* "external" and "subnets" are names or ids that only fake_cloud_add() gives. */
static JsonObject *
create_router (FakeCloud *cloud, const FakeToken *caller, JsonObject *body, FakeFault *fault)
{
  const char *owner = fake_neutron_get_owner (cloud, caller, body);
  const char *name = fake_json_get_string (body, "name");
  const char *external = fake_json_get_string (body, "external");
  JsonObject *gateway = fake_json_get_object (body, "external_gateway_info");
  JsonArray *subnets = fake_json_get_array (body, "subnets");
  JsonObject *router, *network = NULL;

  if (gateway != NULL)
    {
      network = fake_neutron_get (cloud, &fake_network_resource, caller,
                                  fake_json_get_string (gateway, "network_id"), fault);
      if (network == NULL)
        return NULL;
    }
  if (external != NULL)
    network = fake_cloud_find_object (cloud, "network", external);
  if (!fake_neutron_check_quota (cloud, &fake_router_resource, owner, 1, fault))
    return NULL;

  router = fake_json_object_new (
    "{'id': null, 'name': %s, 'tenant_id': null, 'admin_state_up': true, 'status': 'ACTIVE',"
    " 'external_gateway_info': null, 'description': '', 'availability_zones': [],"
    " 'availability_zone_hints': [], 'routes': [], 'flavor_id': null}",
    name != NULL ? name : "");
  fake_neutron_store (cloud, &fake_router_resource, owner, router);
  if (network != NULL)
    set_gateway (cloud, router, network);
  for (guint i = 0; subnets != NULL && i < json_array_get_length (subnets); i++)
    {
      JsonObject *subnet = fake_cloud_find_object (cloud, "subnet",
                                                   json_array_get_string_element (subnets, i));

      if (subnet != NULL)
        plug_in_subnet (cloud, router, subnet);
    }
  return router;
}

static gboolean
remove_router (FakeCloud *cloud, JsonObject *router, FakeFault *fault)
{
  const char *id = fake_json_get_string (router, "id");
  GHashTableIter iter;
  gpointer router_id;

  g_hash_table_iter_init (&iter, cloud->neutron->routers);
  while (g_hash_table_iter_next (&iter, NULL, &router_id))
    if (g_str_equal (router_id, id))
      {
        fake_fault_set (fault, 409, "RouterInUse", "Router %s still has ports", id);
        return FALSE;
      }
  return TRUE;
}

const FakeResource fake_router_resource = {
  .kind = "router",
  .plural = "routers",
  .path = "routers",
  .not_found_type = "RouterNotFound",
  .not_found_message = "Router %s could not be found",
  .settable = router_settable,
  .changeable = router_changeable,
  .create = create_router,
  .remove = remove_router,
};
