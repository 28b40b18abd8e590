# SPDX-License-Identifier: LGPL-2.1-or-later
"""Writes the services' configuration files from the templates in etc/."""

import base64
import os
import string

from layout import (COMPUTE_HOSTS, DIR, HERE, LOOPBACK, PORTS, PUBLIC, REGION, SERVICE_PASSWORD,
                    boots_guests, options, path, port, settings, url)
from services import USER

DIRECTORIES = (
    'done', 'etc/policy.d', 'etc/placement', 'etc/swift', 'glance/images', 'glance/staging',
    'glance/tasks', 'log', 'neutron', 'nova', 'rabbitmq', 'swift/disk1', 'tmp')

PRIVATE_DIRECTORIES = ('etc/credential', 'etc/fernet', 'home', 'run')

# template: where it goes
FILES = {
    'glance-paste.ini': 'etc/glance-paste.ini',
    'glance.conf': 'etc/glance.conf',
    'keystone.conf': 'etc/keystone.conf',
    'neutron-paste.ini': 'etc/neutron-paste.ini',
    'neutron.conf': 'etc/neutron.conf',
    'nova-database.conf': 'etc/nova-database.conf',
    'nova-paste.ini': 'etc/nova-paste.ini',
    'nova.conf': 'etc/nova.conf',
    'placement.conf': 'etc/placement/placement.conf',
    'rabbitmq-plugins': 'etc/rabbitmq-plugins',
    'rabbitmq.conf': 'etc/rabbitmq.conf',
    'swift-proxy.conf': 'etc/swift/swift-proxy.conf',
    'swift.conf': 'etc/swift/swift.conf',
}

LOGIN = '''auth_type = password
auth_url = %(keystone)s/v3
password = %(password)s
project_name = service
user_domain_id = default
project_domain_id = default
region_name = %(region)s'''

# The cache time is low so that a revoked token is refused soon.
AUTHTOKEN = '''www_authenticate_uri = %(keystone)s/v3
memcached_servers = %(memcached)s
token_cache_time = 10
service_token_roles = service
service_token_roles_required = true
'''

POOL = '''max_pool_size = 30
max_overflow = 60
connection_recycle_time = 600'''


def database_url(name):
    return 'mysql+pymysql://root@localhost/%s?unix_socket=%s&charset=utf8' % (
        name, path('run/mariadb.sock'))


def _values():
    """What the templates may say."""
    mysql, mysql_options = database_url('').split('/?')
    values = {
        'address': options()['address'],
        'compute_driver': ('welkin_guests_nova.GuestDriver' if boots_guests()
                           else 'fake.FakeDriver'),
        'dir': DIR,
        'loopback': LOOPBACK,
        'mechanism_driver': 'guests' if boots_guests() else 'loopback',
        'memcached': '%s:%d' % (LOOPBACK, port('memcached')),
        'mysql': mysql,
        'mysql_options': mysql_options,
        'password': SERVICE_PASSWORD,
        'pool': POOL,
        'region': REGION,
        'token_ttl': settings().get('token_ttl') or 3600,
        'transport': 'rabbit://guest:guest@%s:%d/' % (LOOPBACK, port('rabbitmq')),
        'user': USER,
    }
    for service in PORTS:
        values[service.replace('-', '_') + '_port'] = port(service)
    for service in PUBLIC:
        values[service.replace('-', '_')] = url(service)
    values['login'] = LOGIN % values
    values['authtoken'] = AUTHTOKEN % values + values['login']
    return values


def _fill(template, target, values):
    with open(os.path.join(HERE, 'etc', template)) as file:
        text = string.Template(file.read()).substitute(values)
    with open(path(target), 'w') as file:
        file.write(text)


def write_configuration():
    for directory in DIRECTORIES + PRIVATE_DIRECTORIES:
        os.makedirs(path(directory), exist_ok=True)
    for directory in PRIVATE_DIRECTORIES:
        os.chmod(path(directory), 0o700)
    values = _values()
    for template, target in FILES.items():
        _fill(template, target, values)
    for host in COMPUTE_HOSTS:
        os.makedirs(path('nova', host), exist_ok=True)
        _fill('nova-compute.conf', 'etc/nova-%s.conf' % host, dict(values, host=host))
    for kind in ('account', 'container', 'object'):
        _fill('swift-server.conf', 'etc/swift/swift-%s.conf' % kind,
              dict(values, kind=kind, server_port=port('swift-' + kind)))
    for repository in ('etc/fernet', 'etc/credential'):
        if not os.listdir(path(repository)):
            write_fernet_keys(repository)


def write_fernet_keys(repository):
    """Keys as keystone-manage fernet_setup makes them."""
    for index in ('0', '1'):
        key = path(repository, index)
        descriptor = os.open(key + '.new', os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, 'wb') as file:
            file.write(base64.urlsafe_b64encode(os.urandom(32)))
        os.rename(key + '.new', key)
