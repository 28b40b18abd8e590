/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* The contents of the real test cloud. */

#include "fake-private.h"

static const struct
{
  const char *kind;
  const char *json;
} defaults[] = {
  { "project", "{'name': 'admin'}" },
  { "project", "{'name': 'demo'}" },
  { "project", "{'name': 'other'}" },
  { "endpoint", "{'type': 'identity', 'name': 'keystone', 'url': '$(cloud)/identity/v3'}" },
  { "endpoint", "{'type': 'compute', 'name': 'nova', 'url': '$(cloud)/compute/v2.1'}" },
  { "endpoint", "{'type': 'network', 'name': 'neutron', 'url': '$(cloud)/network'}" },
  { "endpoint", "{'type': 'image', 'name': 'glance', 'url': '$(cloud)/image'}" },
  { "endpoint", "{'type': 'object-store', 'name': 'swift',"
                " 'url': '$(cloud)/object-store/v1/AUTH_$(project_id)'}" },
  { "user", "{'name': 'demo', 'password': 'secret', 'default_project': 'demo',"
            " 'roles': {'demo': ['member', 'reader']}}" },
  { "user", "{'name': 'other', 'password': 'secret',"
            " 'roles': {'other': ['member', 'reader']}}" },
  { "user", "{'name': 'admin', 'password': 'admin',"
            " 'roles': {'admin': ['admin', 'member', 'reader'],"
            "             'demo': ['admin', 'member', 'reader'],"
            "             'other': ['admin', 'member', 'reader']}}" },
  { "network", "{'name': 'public', 'project': 'admin', 'router:external': true,"
               " 'is_default': true}" },
  { "subnet", "{'name': 'public-v4', 'network': 'public', 'cidr': '203.0.113.0/24'}" },
  { "subnet", "{'name': 'public-v4-2', 'network': 'public', 'cidr': '198.51.100.0/24'}" },
  { "network", "{'name': 'private', 'project': 'demo'}" },
  { "subnet", "{'name': 'private-v4', 'network': 'private', 'cidr': '10.11.0.0/16',"
              " 'dns_nameservers': ['127.0.0.1']}" },
  { "subnet", "{'name': 'private-v6', 'network': 'private', 'cidr': '2001:db8:11::/64',"
              " 'ipv6_address_mode': 'slaac'}" },
  { "network", "{'name': 'other-private', 'project': 'other'}" },
  { "subnet", "{'name': 'other-private-v4', 'network': 'other-private',"
              " 'cidr': '10.12.0.0/16'}" },
  { "router", "{'name': 'demo-router', 'project': 'demo', 'external': 'public',"
              " 'subnets': ['private-v4', 'private-v6']}" },
  { "router", "{'name': 'other-router', 'project': 'other', 'external': 'public',"
              " 'subnets': ['other-private-v4']}" },
};

void
fake_cloud_add_defaults (FakeCloud *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (defaults); i++)
    fake_cloud_add (self, defaults[i].kind, defaults[i].json);
  fake_cloud_set_quota (self, "demo", "*", -1);
  fake_cloud_set_quota (self, "admin", "*", -1);
}
