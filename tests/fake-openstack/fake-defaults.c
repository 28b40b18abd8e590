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
  { "endpoint", "{'type': 'block-storage', 'name': 'cinder', 'url': '$(cloud)/volume/v3'}" },
  { "endpoint", "{'type': 's3', 'name': 's3', 'url': '$(cloud)/s3'}" },
  { "user", "{'name': 'demo', 'password': 'secret', 'default_project': 'demo',"
            " 'roles': {'demo': ['member', 'reader']}}" },
  { "user", "{'name': 'other', 'password': 'secret',"
            " 'roles': {'other': ['member', 'reader']}}" },
  { "user", "{'name': 'admin', 'password': 'admin',"
            " 'roles': {'admin': ['admin', 'member', 'reader'],"
            "             'demo': ['admin', 'member', 'reader'],"
            "             'other': ['admin', 'member', 'reader']}}" },
  { "image", "{'name': 'ubuntu-24.04', 'os_distro': 'ubuntu', 'os_version': '24.04',"
             " 'architecture': 'x86_64'}" },
  { "image", "{'name': 'ubuntu-22.04', 'os_distro': 'ubuntu', 'os_version': '22.04',"
             " 'architecture': 'x86_64'}" },
  { "image", "{'name': 'ubuntu-22.04-arm64', 'os_distro': 'ubuntu', 'os_version': '22.04',"
             " 'architecture': 'aarch64'}" },
  { "image", "{'name': 'debian-12', 'os_distro': 'debian', 'os_version': '12',"
             " 'architecture': 'x86_64'}" },
  { "flavor", "{'name': 'm1.tiny', 'ram': 512, 'disk': 1, 'vcpus': 1}" },
  { "flavor", "{'name': 'm1.small', 'ram': 2048, 'disk': 20, 'vcpus': 1}" },
  { "flavor", "{'name': 'm1.medium', 'ram': 4096, 'disk': 40, 'vcpus': 2}" },
  { "flavor", "{'name': 'm1.large', 'ram': 8192, 'disk': 80, 'vcpus': 4}" },
  { "flavor", "{'name': 'm1.xlarge', 'ram': 16384, 'disk': 160, 'vcpus': 8}" },
  { "flavor", "{'name': 'm1.diskless', 'ram': 2048, 'disk': 0, 'vcpus': 2}" },
  { "flavor", "{'name': 'm1.toobig', 'ram': 4096, 'disk': 10, 'vcpus': 4000}" },
  { "zone", "{'name': 'az1', 'architectures': ['x86_64', 'aarch64']}" },
  { "zone", "{'name': 'az2'}" },
  { "zone", "{'name': 'az3'}" },
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
