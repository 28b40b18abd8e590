/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* Floating IPs: their addresses, and the ports they lead to. */

#include "fake-guests.h"

static const char *const settable[] = {
  "floating_network_id", "port_id", "fixed_ip_address", "floating_ip_address", "description",
  "subnet_id", "project_id", "tenant_id", NULL,
};
static const char *const changeable[] = {
  "port_id", "fixed_ip_address", "description", NULL,
};
static const char *const filters[] = { "router_id", NULL };

JsonObject *
fake_neutron_find_floating (FakeCloud *cloud, const char *port_id, const char *fixed_address)
{
  const char *id = NULL;
  g_autofree char *key = g_strdup_printf ("%s %s", port_id, fixed_address);

  id = g_hash_table_lookup (cloud->neutron->floating, key);
  return id != NULL ? fake_store_get (fake_cloud_get_store (cloud, "floatingip"), id) : NULL;
}

static void
forget_association (FakeCloud *cloud, JsonObject *floating)
{
  const char *port_id = fake_json_get_string (floating, "port_id");
  g_autofree char *key = NULL;

  if (port_id == NULL)
    return;
  key = g_strdup_printf ("%s %s", port_id, fake_json_get_string (floating, "fixed_ip_address"));
  g_hash_table_remove (cloud->neutron->floating, key);
}

/* port_details shows the port as it is now. */
static void
set_details (FakeCloud *cloud, JsonObject *floating)
{
  const char *port_id = fake_json_get_string (floating, "port_id");
  JsonObject *port = port_id != NULL
                       ? fake_store_get (fake_cloud_get_store (cloud, "port"), port_id) : NULL;
  static const char *const shown[] = {
    "name", "network_id", "mac_address", "admin_state_up", "status", "device_id", "device_owner",
  };
  JsonObject *details;

  if (port == NULL || !json_object_has_member (floating, "port_details"))
    return;
  details = json_object_new ();
  for (guint i = 0; i < G_N_ELEMENTS (shown); i++)
    json_object_set_member (details, shown[i], json_object_dup_member (port, shown[i]));
  json_object_set_object_member (floating, "port_details", details);
}

void
fake_neutron_refresh_floating (FakeCloud *cloud, JsonObject *port)
{
  JsonArray *ips = fake_json_get_array (port, "fixed_ips");

  for (guint i = 0; i < json_array_get_length (ips); i++)
    {
      JsonObject *floating = fake_neutron_find_floating (
        cloud, fake_json_get_string (port, "id"),
        fake_json_get_string (json_array_get_object_element (ips, i), "ip_address"));

      if (floating != NULL)
        set_details (cloud, floating);
    }
}

/* What the L3 agent reports a moment later. */
static void
settle (FakeCloud *cloud, const char *id)
{
  JsonObject *floating = fake_store_get (fake_cloud_get_store (cloud, "floatingip"), id);
  const char *status;

  if (floating == NULL)
    return;
  status = fake_json_get_string (floating, "port_id") != NULL ? "ACTIVE" : "DOWN";
  if (g_strcmp0 (fake_json_get_string (floating, "status"), status) == 0)
    return;
  json_object_set_string_member (floating, "status", status);
  fake_neutron_touch (floating);
}

static void
disassociate (FakeCloud *cloud, JsonObject *floating)
{
  fake_guests_remove_address (cloud, floating);
  forget_association (cloud, floating);
  json_object_set_null_member (floating, "port_id");
  json_object_set_null_member (floating, "router_id");
  json_object_set_null_member (floating, "fixed_ip_address");
  if (json_object_has_member (floating, "port_details"))
    json_object_set_null_member (floating, "port_details");
  fake_cloud_schedule (cloud, cloud->settings.fip_delay, settle,
                       fake_json_get_string (floating, "id"));
}

static void
associate (FakeCloud *cloud,
           JsonObject *floating,
           JsonObject *port,
           const char *fixed_address,
           const char *router_id)
{
  const char *port_id = fake_json_get_string (port, "id");
  const char *id = fake_json_get_string (floating, "id");

  fake_guests_remove_address (cloud, floating);
  forget_association (cloud, floating);
  json_object_set_string_member (floating, "port_id", port_id);
  json_object_set_string_member (floating, "router_id", router_id);
  json_object_set_string_member (floating, "fixed_ip_address", fixed_address);
  g_hash_table_replace (cloud->neutron->floating,
                        g_strdup_printf ("%s %s", port_id, fixed_address), g_strdup (id));
  fake_guests_add_address (cloud, floating);
  fake_cloud_schedule (cloud, cloud->settings.fip_delay, settle, id);
}

void
fake_neutron_release_floating (FakeCloud *cloud, const char *port_id)
{
  FakeStore *ports = fake_cloud_get_store (cloud, "port");
  JsonArray *ips = fake_json_get_array (fake_store_get (ports, port_id), "fixed_ips");

  for (guint i = 0; i < json_array_get_length (ips); i++)
    {
      JsonObject *ip = json_array_get_object_element (ips, i);
      JsonObject *floating =
        fake_neutron_find_floating (cloud, port_id, fake_json_get_string (ip, "ip_address"));

      if (floating == NULL)
        continue;
      disassociate (cloud, floating);
      fake_neutron_touch (floating);
    }
}

/* Which fixed address of the port is meant, and in which subnet it is. */
static const char *
choose_fixed_address (FakeCloud *cloud,
                      JsonObject *port,
                      const char *wanted,
                      const char **subnet_id,
                      FakeFault *fault)
{
  const char *id = fake_json_get_string (port, "id");
  JsonArray *ips = fake_json_get_array (port, "fixed_ips");
  const char *chosen = NULL;
  guint found = 0;

  for (guint i = 0; i < json_array_get_length (ips); i++)
    {
      JsonObject *ip = json_array_get_object_element (ips, i);
      const char *address = fake_json_get_string (ip, "ip_address");

      if (strchr (address, ':') != NULL || (wanted != NULL && !g_str_equal (wanted, address)))
        continue;
      chosen = address;
      *subnet_id = fake_json_get_string (ip, "subnet_id");
      found++;
    }
  if (found == 1)
    return chosen;
  if (wanted != NULL)
    return fake_fault_set (fault, 400, "BadRequest",
                           "Bad floatingip request: Port %s does not have fixed ip %s.", id,
                           wanted);
  if (found == 0)
    return fake_fault_set (fault, 400, "BadRequest",
                           "Bad floatingip request: Cannot add floating IP to port %s that has no "
                           "fixed IPv4 addresses.",
                           id);
  return fake_fault_set (fault, 400, "BadRequest",
                         "Bad floatingip request: Port %s has multiple fixed IPv4 addresses.  "
                         "Must provide a specific IPv4 address when assigning a floating IP.",
                         id);
}

static const char *
find_router (FakeCloud *cloud, const char *subnet_id, const char *external_id)
{
  const char *router_id = g_hash_table_lookup (cloud->neutron->routers, subnet_id);
  JsonObject *router;

  router = router_id != NULL
             ? fake_store_get (fake_cloud_get_store (cloud, "router"), router_id) : NULL;
  if (router == NULL
      || g_strcmp0 (fake_json_get_string (fake_json_get_object (router, "external_gateway_info"),
                                          "network_id"),
                    external_id) != 0)
    return NULL;
  return router_id;
}

/* Leads @floating to the port that @body names, if that can be. */
static gboolean
associate_as_asked (FakeCloud *cloud,
                    const FakeToken *caller,
                    JsonObject *floating,
                    JsonObject *body,
                    FakeFault *fault)
{
  const char *external_id = fake_json_get_string (floating, "floating_network_id");
  const char *port_id = fake_json_get_string (body, "port_id");
  const char *fixed_address, *router_id, *subnet_id = NULL;
  JsonObject *port, *present;

  port = fake_neutron_get (cloud, &fake_port_resource, caller, port_id, fault);
  if (port == NULL)
    return FALSE;
  fixed_address = choose_fixed_address (cloud, port,
                                        fake_json_get_string (body, "fixed_ip_address"),
                                        &subnet_id, fault);
  if (fixed_address == NULL)
    return FALSE;
  present = fake_neutron_find_floating (cloud, port_id, fixed_address);
  if (present != NULL && present != floating)
    {
      fake_fault_set (fault, 409, "FloatingIPPortAlreadyAssociated",
                      "Cannot associate floating IP %s (%s) with port %s using fixed IP %s, as "
                      "that fixed IP already has a floating IP on external network %s.",
                      fake_json_get_string (floating, "floating_ip_address"),
                      fake_json_get_string (floating, "id"), port_id, fixed_address, external_id);
      return FALSE;
    }
  router_id = find_router (cloud, subnet_id, external_id);
  if (router_id == NULL)
    {
      fake_fault_set (fault, 404, "ExternalGatewayForFloatingIPNotFound",
                      "External network %s is not reachable from subnet %s.  Therefore, cannot "
                      "associate Port %s with a Floating IP.",
                      external_id, subnet_id, port_id);
      return FALSE;
    }
  associate (cloud, floating, port, fixed_address, router_id);
  return TRUE;
}

static char *
take_external_address (FakeCloud *cloud, JsonObject *network, const char *wanted)
{
  JsonArray *subnets = fake_json_get_array (network, "subnets");
  char *address = NULL;

  for (guint i = 0; i < json_array_get_length (subnets) && address == NULL; i++)
    {
      JsonObject *subnet =
        fake_store_get (fake_cloud_get_store (cloud, "subnet"),
                        json_array_get_string_element (subnets, i));

      if (fake_json_get_int (subnet, "ip_version", 4) == 4)
        address = fake_addresses_take (cloud->neutron->addresses, subnet, wanted);
    }
  return address;
}

static void
give_back_external_address (FakeCloud *cloud, JsonObject *floating)
{
  JsonObject *network =
    fake_store_get (fake_cloud_get_store (cloud, "network"),
                    fake_json_get_string (floating, "floating_network_id"));
  JsonArray *subnets = network != NULL ? fake_json_get_array (network, "subnets") : NULL;

  for (guint i = 0; subnets != NULL && i < json_array_get_length (subnets); i++)
    fake_addresses_give_back (cloud->neutron->addresses,
                              json_array_get_string_element (subnets, i),
                              fake_json_get_string (floating, "floating_ip_address"));
}

static JsonObject *
create_floating (FakeCloud *cloud, const FakeToken *caller, JsonObject *body, FakeFault *fault)
{
  const char *owner = fake_neutron_get_owner (cloud, caller, body);
  const char *description = fake_json_get_string (body, "description");
  g_autofree char *address = NULL;
  JsonObject *network, *floating;
  const char *network_id;

  network = fake_neutron_get (cloud, &fake_network_resource, caller,
                              fake_json_get_string (body, "floating_network_id"), fault);
  if (network == NULL)
    return NULL;
  network_id = fake_json_get_string (network, "id");
  if (!fake_json_get_bool (network, "router:external", FALSE))
    return fake_fault_set (fault, 400, "BadRequest",
                           "Bad floatingip request: Network %s is not a valid external network.",
                           network_id);
  if (fake_json_get_string (body, "floating_ip_address") != NULL && !caller->is_admin)
    return fake_fault_set (fault, 403, "PolicyNotAuthorized",
                           "(rule:create_floatingip and "
                           "rule:create_floatingip:floating_ip_address) is disallowed by policy");
  if (!fake_neutron_check_quota (cloud, &fake_floatingip_resource, owner, 1, fault))
    return NULL;
  address = take_external_address (cloud, network,
                                   fake_json_get_string (body, "floating_ip_address"));
  if (address == NULL)
    return fake_fault_set (fault, 409, "IpAddressGenerationFailure",
                           "No more IP addresses available on network %s.", network_id);

  floating = fake_json_object_new (
    "{'id': null, 'tenant_id': null, 'floating_ip_address': %s, 'floating_network_id': %s,"
    " 'router_id': null, 'port_id': null, 'fixed_ip_address': null, 'status': 'DOWN',"
    " 'description': %s, 'port_details': null}",
    address, network_id, description != NULL ? description : "");
  fake_neutron_store (cloud, &fake_floatingip_resource, owner, floating);
  if (!fake_json_is_null (body, "port_id")
      && !associate_as_asked (cloud, caller, floating, body, fault))
    {
      fake_neutron_drop (cloud, &fake_floatingip_resource, fake_json_get_string (floating, "id"));
      return NULL;
    }
  set_details (cloud, floating);
  return floating;
}

static gboolean
update_floating (FakeCloud *cloud,
                 const FakeToken *caller,
                 JsonObject *floating,
                 JsonObject *body,
                 FakeFault *fault)
{
  if (!json_object_has_member (body, "port_id"))
    return TRUE;
  if (json_object_get_null_member (body, "port_id"))
    disassociate (cloud, floating);
  else if (!associate_as_asked (cloud, caller, floating, body, fault))
    return FALSE;
  set_details (cloud, floating);
  return TRUE;
}

static gboolean
remove_floating (FakeCloud *cloud, JsonObject *floating, FakeFault *fault)
{
  fake_guests_remove_address (cloud, floating);
  forget_association (cloud, floating);
  give_back_external_address (cloud, floating);
  return TRUE;
}

const FakeResource fake_floatingip_resource = {
  .kind = "floatingip",
  .plural = "floatingips",
  .path = "floatingips",
  .not_found_type = "FloatingIPNotFound",
  .not_found_message = "Floating IP %s could not be found",
  .required = "floating_network_id",
  .settable = settable,
  .changeable = changeable,
  .filters = filters,
  .create = create_floating,
  .update = update_floating,
  .remove = remove_floating,
};
