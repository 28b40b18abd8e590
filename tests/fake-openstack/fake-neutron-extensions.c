/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* Extensions of the network service, and what is missing without them. */

#include "fake-neutron.h"

static const struct
{
  const char *alias;
  const char *name;
  const char *member; /* (nullable) that objects lack without it */
} extensions[] = {
  { "address-scope", "Address scope", NULL },
  { "agent", "agent", NULL },
  { "allowed-address-pairs", "Allowed Address Pairs", "allowed_address_pairs" },
  { "availability_zone", "Availability Zone", NULL },
  { "binding", "Port Binding", "binding:vnic_type" },
  { "default-subnetpools", "Default Subnetpools", NULL },
  { "dvr", "Distributed Virtual Router", NULL },
  { "empty-string-filtering", "Empty String Filtering Extension", NULL },
  { "external-net", "Neutron external network", NULL },
  { "ext-gw-mode", "Neutron L3 Configurable external gateway mode", NULL },
  { "filter-validation", "Filter parameters validation", NULL },
  { "fip-port-details", "Floating IP Port Details Extension", "port_details" },
  { "net-mtu", "Network MTU", "mtu" },
  { "network_availability_zone", "Network Availability Zone", "availability_zones" },
  { "pagination", "Pagination support", NULL },
  { "port-security", "Port Security", "port_security_enabled" },
  { "port-security-groups-filtering", "Port filtering on security groups", NULL },
  { "project-id", "project_id field enabled", NULL },
  { "provider", "Provider Network", NULL },
  { "quotas", "Quota management support", NULL },
  { "quota_details", "Quota details management support", NULL },
  { "rbac-policies", "RBAC Policies", NULL },
  { "revision-if-match", "If-Match constraints based on revision_number", NULL },
  { "router", "Neutron L3 Router", NULL },
  { "security-group", "security-group", NULL },
  { "security-groups-normalized-cidr", "Normalized CIDR field for security group rules", NULL },
  { "security-groups-shared-filtering", "Security group filtering on the shared field", NULL },
  { "sorting", "Sorting support", NULL },
  { "standard-attr-description", "standard-attr-description", "description" },
  { "standard-attr-revisions", "Resource revision numbers", "revision_number" },
  { "standard-attr-tag", "Tag support for resources with standard attribute", "tags" },
  { "standard-attr-timestamp", "Resource timestamps", "created_at" },
  { "stateful-security-group", "Stateful security group", NULL },
};

void
fake_neutron_add_extensions (FakeCloud *cloud)
{
  for (guint i = 0; i < G_N_ELEMENTS (extensions); i++)
    g_ptr_array_add (cloud->neutron->extensions, g_strdup (extensions[i].alias));
}

gboolean
fake_neutron_has_extension (FakeCloud *cloud, const char *alias)
{
  return g_ptr_array_find_with_equal_func (cloud->neutron->extensions, alias, g_str_equal, NULL);
}

/* Groups and rules had descriptions before there was an extension for them. */
gboolean
fake_neutron_keeps_member (const FakeResource *resource, const char *member)
{
  return g_str_equal (member, "description")
         && (resource == &fake_group_resource || resource == &fake_rule_resource);
}

void
fake_neutron_strip_members (FakeCloud *cloud, const FakeResource *resource, JsonObject *object)
{
  for (guint i = 0; i < G_N_ELEMENTS (extensions); i++)
    {
      const char *member = extensions[i].member;

      if (member != NULL && !fake_neutron_keeps_member (resource, member)
          && !fake_neutron_has_extension (cloud, extensions[i].alias)
          && json_object_has_member (object, member))
        json_object_remove_member (object, member);
    }
}

gboolean
fake_neutron_set_extension (FakeCloud *cloud, const char *alias, gboolean is_present)
{
  GPtrArray *aliases = cloud->neutron->extensions;
  guint index;
  gboolean was_present =
    g_ptr_array_find_with_equal_func (aliases, alias, g_str_equal, &index);

  if (is_present && !was_present)
    g_ptr_array_add (aliases, g_strdup (alias));
  if (is_present || !was_present)
    return was_present || is_present;

  g_ptr_array_remove_index (aliases, index);
  for (guint i = 0; i < FAKE_N_RESOURCES; i++)
    for (GList *l = fake_store_get_first (fake_cloud_get_store (cloud, fake_resources[i]->kind));
         l != NULL; l = l->next)
      fake_neutron_strip_members (cloud, fake_resources[i], l->data);
  return TRUE;
}

void
fake_cloud_set_extension (FakeCloud *self, const char *alias, gboolean is_present)
{
  if (!fake_neutron_set_extension (self, alias, is_present))
    g_error ("fake-openstack: there is no extension %s", alias);
}

void
fake_neutron_get_extensions (FakeRequest *request)
{
  GString *out = g_string_new ("{\"extensions\": [");
  GPtrArray *aliases = request->cloud->neutron->extensions;

  for (guint i = 0; i < aliases->len; i++)
    {
      const char *alias = g_ptr_array_index (aliases, i);
      const char *name = alias;

      for (guint j = 0; j < G_N_ELEMENTS (extensions); j++)
        if (g_str_equal (extensions[j].alias, alias))
          name = extensions[j].name;
      fake_json_append (out, "%r{'name': %s, 'alias': %s, 'description': %s,"
                             " 'updated': '2015-07-26T10:00:00-00:00', 'links': []}",
                        i > 0 ? ", " : "", name, alias, name);
    }
  g_string_append (out, "]}");
  fake_request_reply_json (request, 200, g_string_free (out, FALSE));
}
