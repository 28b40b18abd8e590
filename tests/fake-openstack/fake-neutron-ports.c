/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* Ports: their addresses and groups, and the machines they are in. */

#include "fake-neutron.h"

static const char *const settable[] = {
  "network_id", "name", "description", "admin_state_up", "security_groups", "fixed_ips",
  "mac_address", "device_id", "device_owner", "port_security_enabled", "binding:vnic_type",
  "allowed_address_pairs", "extra_dhcp_opts", "project_id", "tenant_id", NULL,
};
static const char *const changeable[] = {
  "name", "description", "admin_state_up", "security_groups", "device_id", "device_owner",
  "port_security_enabled", "binding:vnic_type", "allowed_address_pairs", "extra_dhcp_opts", NULL,
};

static const FakeToken everybody = { .is_admin = TRUE };

static gboolean
is_automatic (JsonObject *subnet)
{
  return g_strcmp0 (fake_json_get_string (subnet, "ipv6_address_mode"), "slaac") == 0;
}

static JsonObject *
get_subnet (FakeCloud *cloud, JsonArray *ids, guint index)
{
  return fake_store_get (fake_cloud_get_store (cloud, "subnet"),
                         json_array_get_string_element (ids, index));
}

static void
add_address (JsonArray *fixed_ips, JsonObject *subnet, const char *address)
{
  json_array_add_object_element (
    fixed_ips, fake_json_object_new ("{'subnet_id': %s, 'ip_address': %s}",
                                     fake_json_get_string (subnet, "id"), address));
}

static void
give_back_addresses (FakeCloud *cloud, JsonArray *fixed_ips)
{
  for (guint i = 0; i < json_array_get_length (fixed_ips); i++)
    {
      JsonObject *ip = json_array_get_object_element (fixed_ips, i);

      fake_addresses_give_back (cloud->neutron->addresses, fake_json_get_string (ip, "subnet_id"),
                                fake_json_get_string (ip, "ip_address"));
    }
}

/* The subnet that an element of fixed_ips asks for. */
static JsonObject *
find_wanted_subnet (FakeCloud *cloud, JsonArray *subnet_ids, JsonObject *wanted, FakeFault *fault)
{
  const char *subnet_id = fake_json_get_string (wanted, "subnet_id");
  const char *address = fake_json_get_string (wanted, "ip_address");

  for (guint i = 0; i < json_array_get_length (subnet_ids); i++)
    {
      JsonObject *subnet = get_subnet (cloud, subnet_ids, i);
      g_auto (FakePrefix) prefix = { NULL };

      if (subnet_id != NULL && g_strcmp0 (subnet_id, fake_json_get_string (subnet, "id")) == 0)
        return subnet;
      if (subnet_id == NULL && address != NULL
          && fake_prefix_parse (fake_json_get_string (subnet, "cidr"), &prefix)
          && fake_prefix_has (&prefix, address))
        return subnet;
    }
  if (subnet_id != NULL)
    return fake_fault_set (fault, 404, fake_subnet_resource.not_found_type,
                           fake_subnet_resource.not_found_message, subnet_id);
  return fake_fault_set (fault, 400, "InvalidIpForNetwork",
                         "IP address %s is not a valid IP for any of the subnets on the specified "
                         "network.",
                         address != NULL ? address : "None");
}

static gboolean
take_wanted (FakeCloud *cloud,
             JsonArray *subnet_ids,
             JsonArray *wanted,
             JsonArray *fixed_ips,
             FakeFault *fault)
{
  for (guint i = 0; i < json_array_get_length (wanted); i++)
    {
      JsonObject *element = json_array_get_object_element (wanted, i);
      JsonObject *subnet = find_wanted_subnet (cloud, subnet_ids, element, fault);
      const char *address = fake_json_get_string (element, "ip_address");
      g_autofree char *taken = NULL;

      if (subnet == NULL)
        return FALSE;
      if (is_automatic (subnet) && address == NULL)
        continue;
      taken = fake_addresses_take (cloud->neutron->addresses, subnet, address);
      if (taken == NULL && address != NULL)
        fake_fault_set (fault, 409, "IpAddressAlreadyAllocated",
                        "IP address %s already allocated in subnet %s", address,
                        fake_json_get_string (subnet, "id"));
      else if (taken == NULL)
        fake_fault_set (fault, 409, "IpAddressGenerationFailure",
                        "No more IP addresses available on network %s.",
                        fake_json_get_string (subnet, "network_id"));
      if (taken == NULL)
        return FALSE;
      add_address (fixed_ips, subnet, taken);
    }
  return TRUE;
}

/* One IPv4 address from the first subnet that has one left. */
static gboolean
take_any (FakeCloud *cloud,
          JsonObject *network,
          JsonArray *subnet_ids,
          JsonArray *fixed_ips,
          FakeFault *fault)
{
  gboolean has_v4 = FALSE;

  for (guint i = 0; i < json_array_get_length (subnet_ids); i++)
    {
      JsonObject *subnet = get_subnet (cloud, subnet_ids, i);
      g_autofree char *taken = NULL;

      if (is_automatic (subnet) || fake_json_get_int (subnet, "ip_version", 4) != 4)
        continue;
      has_v4 = TRUE;
      taken = fake_addresses_take (cloud->neutron->addresses, subnet, NULL);
      if (taken == NULL)
        continue;
      add_address (fixed_ips, subnet, taken);
      return TRUE;
    }
  if (!has_v4)
    return TRUE;
  fake_fault_set (fault, 409, "IpAddressGenerationFailure",
                  "No more IP addresses available on network %s.",
                  fake_json_get_string (network, "id"));
  return FALSE;
}

/* Subnets with automatic addressing are always added, whatever was asked for. */
static JsonArray *
take_addresses (FakeCloud *cloud,
                JsonObject *network,
                JsonObject *body,
                const char *mac,
                FakeFault *fault)
{
  JsonArray *subnet_ids = fake_json_get_array (network, "subnets");
  JsonArray *wanted = fake_json_get_array (body, "fixed_ips");
  g_autoptr (JsonArray) fixed_ips = json_array_new ();
  gboolean is_router = g_str_has_prefix (fake_json_get_string (body, "device_owner") != NULL
                                           ? fake_json_get_string (body, "device_owner") : "",
                                         "network:router");
  gboolean is_done;

  is_done = wanted != NULL && json_array_get_length (wanted) > 0
              ? take_wanted (cloud, subnet_ids, wanted, fixed_ips, fault)
              : wanted != NULL || take_any (cloud, network, subnet_ids, fixed_ips, fault);
  if (!is_done)
    {
      give_back_addresses (cloud, fixed_ips);
      return NULL;
    }
  for (guint i = 0; !is_router && i < json_array_get_length (subnet_ids); i++)
    {
      JsonObject *subnet = get_subnet (cloud, subnet_ids, i);
      g_autofree char *address = NULL;

      if (is_automatic (subnet))
        address = fake_addresses_make_slaac (subnet, mac);
      if (address != NULL)
        add_address (fixed_ips, subnet, address);
    }
  return g_steal_pointer (&fixed_ips);
}

/* The groups of the port; a missing list means the project's default group. */
static JsonArray *
check_groups (FakeCloud *cloud,
              const FakeToken *caller,
              const char *owner,
              JsonObject *body,
              gboolean has_security,
              FakeFault *fault)
{
  JsonArray *wanted = fake_json_get_array (body, "security_groups");
  g_autoptr (JsonArray) groups = json_array_new ();

  if (!json_object_has_member (body, "security_groups") && has_security)
    json_array_add_string_element (groups, fake_neutron_ensure_default_group (cloud, owner));
  if (wanted != NULL && json_array_get_length (wanted) > 0 && !has_security)
    return fake_fault_set (fault, 400, "PortSecurityAndIPRequiredForSecurityGroups",
                           "Port security must be enabled and port must have an IP address in "
                           "order to use security groups.");
  for (guint i = 0; wanted != NULL && i < json_array_get_length (wanted); i++)
    {
      g_autofree char *id = fake_json_scalar_to_text (json_array_get_element (wanted, i));

      if (id == NULL || !fake_neutron_is_uuid (id))
        return fake_fault_set (fault, 400, "HTTPBadRequest",
                               "Invalid input for security_groups. Reason: '%s' is not a valid "
                               "UUID.",
                               id != NULL ? id : "None");
      if (fake_neutron_get (cloud, &fake_group_resource, caller, id, fault) == NULL)
        return NULL;
      json_array_add_string_element (groups, id);
    }
  return g_steal_pointer (&groups);
}

static char *
make_mac (FakeCloud *cloud)
{
  guint number = ++cloud->neutron->next_mac;

  return g_strdup_printf ("fa:16:3e:%02x:%02x:%02x", (number >> 16) & 255, (number >> 8) & 255,
                          number & 255);
}

static gboolean
check_port (FakeCloud *cloud,
            const FakeToken *caller,
            JsonObject *network,
            JsonObject *body,
            FakeFault *fault)
{
  const char *network_owner = fake_json_get_string (network, "project_id");
  const char *mac = fake_json_get_string (body, "mac_address");

  if (json_object_has_member (body, "fixed_ips")
      && fake_json_get_array (body, "fixed_ips") == NULL)
    {
      fake_fault_set (fault, 400, "HTTPBadRequest",
                      "Invalid input for fixed_ips. Reason: Invalid data format for fixed IP: "
                      "'None'.");
      return FALSE;
    }
  if (mac != NULL && !g_regex_match_simple ("^([0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}$", mac, 0, 0))
    {
      fake_fault_set (fault, 400, "HTTPBadRequest",
                      "Invalid input for mac_address. Reason: '%s' is not a valid MAC address.",
                      mac);
      return FALSE;
    }
  if (!caller->is_admin && !fake_json_get_bool (network, "shared", FALSE)
      && g_strcmp0 (network_owner, caller->project_id) != 0)
    {
      fake_fault_set (fault, 403, "HTTPForbidden",
                      "Tenant %s not allowed to create port on this network",
                      caller->project_id);
      return FALSE;
    }
  return TRUE;
}

static const char *
get_text (JsonObject *body, const char *name)
{
  const char *text = fake_json_get_string (body, name);

  return text != NULL ? text : "";
}

static JsonObject *
create_port (FakeCloud *cloud, const FakeToken *caller, JsonObject *body, FakeFault *fault)
{
  const char *owner = fake_neutron_get_owner (cloud, caller, body);
  g_autoptr (JsonArray) groups = NULL;
  g_autofree char *mac = NULL;
  JsonArray *fixed_ips;
  JsonObject *network, *port;
  gboolean has_security;

  network = fake_neutron_get (cloud, &fake_network_resource, caller,
                              fake_json_get_string (body, "network_id"), fault);
  if (network == NULL || !check_port (cloud, caller, network, body, fault))
    return NULL;
  has_security = fake_json_get_bool (body, "port_security_enabled",
                                     fake_json_get_bool (network, "port_security_enabled", TRUE));
  groups = check_groups (cloud, caller, owner, body, has_security, fault);
  if (groups == NULL || !fake_neutron_check_quota (cloud, &fake_port_resource, owner, 1, fault))
    return NULL;
  mac = g_strdup (fake_json_get_string (body, "mac_address"));
  if (mac == NULL)
    mac = make_mac (cloud);
  fixed_ips = take_addresses (cloud, network, body, mac, fault);
  if (fixed_ips == NULL)
    return NULL;

  port = fake_json_object_new (
    "{'id': null, 'name': %s, 'network_id': %s, 'tenant_id': null, 'mac_address': %s,"
    " 'admin_state_up': %b, 'status': 'DOWN', 'device_id': %s, 'device_owner': %s,"
    " 'fixed_ips': [], 'allowed_address_pairs': [], 'extra_dhcp_opts': [],"
    " 'security_groups': [], 'description': %s, 'binding:vnic_type': 'normal',"
    " 'port_security_enabled': %b}",
    get_text (body, "name"), fake_json_get_string (network, "id"), mac,
    fake_json_get_bool (body, "admin_state_up", TRUE), get_text (body, "device_id"),
    get_text (body, "device_owner"), get_text (body, "description"), has_security);
  json_object_set_array_member (port, "fixed_ips", fixed_ips);
  json_object_set_array_member (port, "security_groups", g_steal_pointer (&groups));
  fake_neutron_store (cloud, &fake_port_resource, owner, port);
  json_object_set_int_member (port, "revision_number", 1);
  return port;
}

static gboolean
update_port (FakeCloud *cloud,
             const FakeToken *caller,
             JsonObject *port,
             JsonObject *body,
             FakeFault *fault)
{
  g_autoptr (JsonArray) groups = NULL;
  gboolean has_security =
    fake_json_get_bool (body, "port_security_enabled",
                        fake_json_get_bool (port, "port_security_enabled", TRUE));

  if (!json_object_has_member (body, "security_groups"))
    return TRUE;
  groups = check_groups (cloud, caller, fake_json_get_string (port, "project_id"), body,
                         has_security, fault);
  return groups != NULL;
}

static gboolean
remove_port (FakeCloud *cloud, JsonObject *port, FakeFault *fault)
{
  const char *id = fake_json_get_string (port, "id");
  const char *owner = fake_json_get_string (port, "device_owner");

  if (g_str_has_prefix (owner, "network:"))
    {
      fake_fault_set (fault, 409, "ServicePortInUse",
                      "Port %s cannot be deleted directly via the port API: has device owner %s.",
                      id, owner);
      return FALSE;
    }
  fake_neutron_release_floating (cloud, id);
  give_back_addresses (cloud, fake_json_get_array (port, "fixed_ips"));
  return TRUE;
}

const FakeResource fake_port_resource = {
  .kind = "port",
  .plural = "ports",
  .path = "ports",
  .not_found_type = "PortNotFound",
  .not_found_message = "Port %s could not be found.",
  .required = "network_id",
  .settable = settable,
  .changeable = changeable,
  .create = create_port,
  .update = update_port,
  .remove = remove_port,
};

void
fake_neutron_bind_port (FakeCloud *cloud, JsonObject *port, const char *server_id, const char *zone)
{
  g_autofree char *owner = g_strconcat ("compute:", zone, NULL);

  json_object_set_string_member (port, "device_id", server_id);
  json_object_set_string_member (port, "device_owner", owner);
  json_object_set_string_member (port, "status", "ACTIVE");
  fake_neutron_touch (port);
  fake_neutron_refresh_floating (cloud, port);
}

void
fake_neutron_unbind_port (FakeCloud *cloud, const char *port_id)
{
  g_auto (FakeFault) ignored = { 0 };
  JsonObject *port = fake_neutron_get (cloud, &fake_port_resource, &everybody, port_id, &ignored);

  if (port == NULL)
    return;
  json_object_set_string_member (port, "device_id", "");
  json_object_set_string_member (port, "device_owner", "");
  json_object_set_string_member (port, "status", "DOWN");
  fake_neutron_touch (port);
  fake_neutron_refresh_floating (cloud, port);
}
