# SPDX-License-Identifier: LGPL-2.1-or-later
"""Where the cloud lies, at which ports it answers and who may log in."""

import json
import os
import sys
import time

HERE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
DIR = os.path.abspath(os.environ.get('WELKIN_CLOUD_DIR', '/var/tmp/welkin-cloud'))

LOOPBACK = '127.0.0.1'
REGION = 'RegionOne'
SERVICE_PASSWORD = 'service'

# user: project, password
ACCOUNTS = {
    'demo': ('demo', 'secret'),
    'other': ('other', 'secret'),
    'admin': ('admin', 'admin'),
}

# host: availability zone
COMPUTE_HOSTS = {'compute1': 'az1', 'compute2': 'az2', 'compute3': 'az3'}

PORTS = {
    'keystone': 5000,
    'glance-api': 9292,
    'placement': 8778,
    'nova-api': 8774,
    'neutron-server': 9696,
    'swift-proxy': 8080,
    'swift-object': 6200,
    'swift-container': 6201,
    'swift-account': 6202,
    'rabbitmq': 5672,
    'rabbitmq-distribution': 25672,
    'epmd': 24369,
    'memcached': 11211,
    'streams': 8990,
}

# Only these are for clients; the rest stays on the loopback interface.
PUBLIC = ('keystone', 'glance-api', 'placement', 'nova-api', 'neutron-server', 'swift-proxy',
          'streams')


class CloudError(Exception):
    """What went wrong, in words for whoever typed the command."""


def path(*parts):
    """A path in the state directory."""
    return os.path.join(DIR, *parts)


def log_path(name):
    return path('log', name + '.log')


# ----------------------------------------------------------------- settings
#
# settings.json keeps what a cloud was made with: its address and ports are
# in its database, so they cannot change later.

def settings():
    try:
        with open(path('settings.json')) as file:
            return json.load(file)
    except OSError:
        return {}


def save_settings(**changes):
    changed = dict(settings(), **changes)
    with open(path('settings.json.new'), 'w') as file:
        json.dump(changed, file)
    os.rename(path('settings.json.new'), path('settings.json'))


def asked_options():
    """What the environment asks for."""
    try:
        offset = int(os.environ.get('WELKIN_CLOUD_PORT_OFFSET', '0'))
    except ValueError:
        raise CloudError('WELKIN_CLOUD_PORT_OFFSET must be a number') from None
    return {'address': os.environ.get('WELKIN_CLOUD_ADDRESS', LOOPBACK), 'port_offset': offset,
            'guests': 'WELKIN_GUESTS' in os.environ}


def options():
    """What the cloud has, or would have if it were made now."""
    return settings().get('options') or asked_options()


def boots_guests():
    """Whether machines boot: it was made inside of tests/guest/in-namespace."""
    return options().get('guests', False)


def address(service):
    return options()['address'] if service in PUBLIC else LOOPBACK


def port(service):
    return PORTS[service] + options()['port_offset'] if service in PORTS else None


def url(service, rest=''):
    return 'http://%s:%d%s' % (address(service), port(service), rest)


# ----------------------------------------------------------------- messages

STARTED = time.monotonic()


def elapsed():
    return time.monotonic() - STARTED


def say(message):
    if os.environ.get('WELKIN_CLOUD_QUIET'):
        return
    print('%6.1f s  %s' % (elapsed(), message), file=sys.stderr, flush=True)
