# SPDX-License-Identifier: LGPL-2.1-or-later
"""What is in the cloud when it is new: accounts, images, flavors, zones, networks.

Each function may be called again on a cloud that has some of it.
"""

from api import Api
from layout import ACCOUNTS, COMPUTE_HOSTS, REGION, SERVICE_PASSWORD, boots_guests, url

SERVICE_USERS = ('nova', 'glance', 'placement', 'neutron', 'swift')

# name: os_distro, os_version, architecture
IMAGES = {
    'ubuntu-24.04': ('ubuntu', '24.04', 'x86_64'),
    'ubuntu-22.04': ('ubuntu', '22.04', 'x86_64'),
    'ubuntu-22.04-arm64': ('ubuntu', '22.04', 'aarch64'),
    'debian-12': ('debian', '12', 'x86_64'),
}

# name: virtual processors, MiB of memory, GiB of disk
FLAVORS = {
    'm1.tiny': (1, 512, 1),
    'm1.small': (1, 2048, 20),
    'm1.medium': (2, 4096, 40),
    'm1.large': (4, 8192, 80),
    'm1.xlarge': (8, 16384, 160),
    'm1.diskless': (2, 2048, 0),
    # no host is that large
    'm1.toobig': (4000, 4096, 10),
}

# 506 addresses in all
PUBLIC_SUBNETS = {'public-a': '203.0.113.0/24', 'public-b': '198.51.100.0/24'}


def make_accounts():
    api = Api()
    keystone = url('keystone', '/v3')
    projects = {name: api.ensure(keystone + '/projects', 'project', name,
                                 domain_id='default')['id']
                for name in ('admin', 'demo', 'other', 'service')}
    roles = {name: api.ensure(keystone + '/roles', 'role', name)['id']
             for name in ('admin', 'member', 'service', 'ResellerAdmin')}

    def grant(user, project, *names):
        for name in names:
            api.put('%s/projects/%s/users/%s/roles/%s'
                    % (keystone, projects[project], user['id'], roles[name]))

    def ensure_user(name, password, project):
        return api.ensure(keystone + '/users', 'user', name, domain_id='default',
                          password=password, default_project_id=projects[project])

    for name in SERVICE_USERS:
        user = ensure_user(name, SERVICE_PASSWORD, 'service')
        grant(user, 'service', 'admin', 'service')
        if name == 'swift':
            grant(user, 'service', 'ResellerAdmin')
    for name, (project, password) in ACCOUNTS.items():
        user = ensure_user(name, password, project)
        if name != 'admin':
            grant(user, project, 'member')
    admin = api.find(keystone + '/users', 'admin')
    for project in ('demo', 'other'):
        grant(admin, project, 'admin')


def make_catalog():
    api = Api()
    keystone = url('keystone', '/v3')
    for kind, name, address in (
            ('compute', 'nova', url('nova-api', '/v2.1')),
            ('network', 'neutron', url('neutron-server')),
            ('image', 'glance', url('glance-api')),
            ('placement', 'placement', url('placement')),
            ('object-store', 'swift', url('swift-proxy', '/v1/AUTH_%(project_id)s')),
            # only an entry: whoever wants to serve image metadata may listen there
            ('product-streams', 'streams', url('streams', '/streams'))):
        service = api.ensure(keystone + '/services', 'service', name, type=kind)
        endpoints = api.get(keystone + '/endpoints?service_id=' + service['id'])['endpoints']
        there = {endpoint['interface'] for endpoint in endpoints}
        for interface in ('public', 'internal', 'admin'):
            if interface not in there:
                api.post(keystone + '/endpoints', {'endpoint': {
                    'service_id': service['id'], 'interface': interface, 'url': address,
                    'region_id': REGION}})


def make_images():
    api = Api()
    images = url('glance-api', '/v2/images')
    for name, (distro, version, architecture) in IMAGES.items():
        image = api.find(images, name)
        if image is None:
            image = api.post(images, {
                'name': name, 'disk_format': 'qcow2', 'container_format': 'bare',
                'visibility': 'public', 'min_disk': 1, 'min_ram': 128,
                'os_distro': distro, 'os_version': version, 'architecture': architecture})
        if image['status'] == 'queued':
            api.upload('%s/%s/file' % (images, image['id']), (name + '\n').encode() * 256)


def make_flavors():
    api = Api()
    flavors = url('nova-api', '/v2.1/flavors')
    for number, (name, (processors, memory, disk)) in enumerate(FLAVORS.items(), 1):
        api.ensure(flavors, 'flavor', name, id=str(number), vcpus=processors, ram=memory,
                   disk=disk)


def make_zones():
    api = Api()
    aggregates = url('nova-api', '/v2.1/os-aggregates')
    for host, zone in COMPUTE_HOSTS.items():
        aggregate = api.ensure(aggregates, 'aggregate', zone, availability_zone=zone)
        if host not in aggregate.get('hosts', ()):
            api.post('%s/%s/action' % (aggregates, aggregate['id']), {'add_host': {'host': host}})


def make_networks():
    api = Api()
    neutron = url('neutron-server', '/v2.0')
    projects = api.project_ids()
    public = api.ensure(neutron + '/networks', 'network', 'public', **{
        'router:external': True, 'is_default': True, 'provider:network_type': 'flat',
        'provider:physical_network': 'public'})
    for name, cidr in PUBLIC_SUBNETS.items():
        api.ensure(neutron + '/subnets', 'subnet', name, network_id=public['id'], cidr=cidr,
                   ip_version=4, enable_dhcp=False)

    def ensure_network(project, name, cidr, has_dhcp=True):
        network = api.ensure(neutron + '/networks', 'network', name,
                             project_id=projects[project])
        subnet = api.ensure(neutron + '/subnets', 'subnet', name + '-v4', cidr=cidr,
                            ip_version=4, network_id=network['id'],
                            project_id=projects[project], dns_nameservers=['127.0.0.1'],
                            enable_dhcp=has_dhcp)
        return network, subnet

    def ensure_router(project, *subnets):
        router = api.ensure(neutron + '/routers', 'router', project + '-router',
                            project_id=projects[project],
                            external_gateway_info={'network_id': public['id']})
        ports = api.get(neutron + '/ports?device_id=' + router['id'])['ports']
        joined = {ip['subnet_id'] for port in ports for ip in port['fixed_ips']}
        for subnet in subnets:
            if subnet['id'] not in joined:
                api.put('%s/routers/%s/add_router_interface' % (neutron, router['id']),
                        {'subnet_id': subnet['id']})

    network, subnet = ensure_network('demo', 'private', '10.11.0.0/16')
    subnet6 = api.ensure(neutron + '/subnets', 'subnet', 'private-v6', ip_version=6,
                         cidr='2001:db8:11::/64', network_id=network['id'],
                         project_id=projects['demo'], ipv6_ra_mode='slaac',
                         ipv6_address_mode='slaac')
    joined = [subnet, subnet6]
    if boots_guests():
        # Nobody serves DHCP, so the config drive says the addresses.
        joined.append(ensure_network('demo', 'guests', '192.0.2.0/24', has_dhcp=False)[1])
    ensure_router('demo', *joined)
    _network, subnet = ensure_network('other', 'other-private', '10.12.0.0/16')
    ensure_router('other', subnet)
