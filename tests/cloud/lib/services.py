# SPDX-License-Identifier: LGPL-2.1-or-later
"""Which services there are, how each is started and how it is seen to answer."""

import os
import pwd

from layout import COMPUTE_HOSTS, HERE, LOOPBACK, address, path, port, url
from processes import Service, clean_environment

USER = pwd.getpwuid(os.geteuid()).pw_name

# Everything leans on these, so they start first and stop last.
INFRASTRUCTURE = ('mariadb', 'memcached', 'epmd', 'rabbitmq')


def launch(program, *arguments):
    """A daemon or a management command of an OpenStack package."""
    return ['/usr/bin/python3', os.path.join(HERE, 'lib', 'launch.py'), program, *arguments]


def config_files(*names):
    return [word for name in names for word in ('--config-file', path('etc', name))]


def _mariadb():
    return Service(
        'mariadb',
        ['/usr/sbin/mariadbd', '--no-defaults', '--user=' + USER,
         '--datadir=' + path('mysql'), '--tmpdir=' + path('tmp'),
         '--socket=' + path('run/mariadb.sock'), '--pid-file=' + path('run/mariadbd.own.pid'),
         '--skip-networking', '--skip-log-bin', '--performance-schema=OFF',
         '--character-set-server=utf8mb3', '--collation-server=utf8mb3_general_ci',
         '--max-connections=1000',
         # A test cloud need not survive a power cut.
         '--innodb-flush-log-at-trx-commit=0', '--innodb-doublewrite=0',
         '--innodb-flush-method=nosync',
         '--innodb-buffer-pool-size=128M', '--innodb-log-file-size=64M'],
        socket=path('run/mariadb.sock'))


def _rabbitmq():
    environment = dict(
        clean_environment(),
        # An address for a host name: a bare chroot may not know "localhost".
        RABBITMQ_NODENAME='welkin-test@' + LOOPBACK,
        RABBITMQ_USE_LONGNAME='true',
        RABBITMQ_NODE_IP_ADDRESS=LOOPBACK,
        RABBITMQ_NODE_PORT=str(port('rabbitmq')),
        RABBITMQ_DIST_PORT=str(port('rabbitmq-distribution')),
        RABBITMQ_MNESIA_BASE=path('rabbitmq'),
        RABBITMQ_LOG_BASE=path('log'),
        RABBITMQ_LOGS=path('log/rabbitmq-server.log'),
        RABBITMQ_ENABLED_PLUGINS_FILE=path('etc/rabbitmq-plugins'),
        RABBITMQ_CONFIG_FILE=path('etc/rabbitmq.conf'),
        RABBITMQ_CONF_ENV_FILE='/dev/null',
        # One scheduler which sleeps when idle, instead of busy waiting.
        RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS=(
            '+S 1:1 +sbwt none +sbwtdcpu none +sbwtdio none '
            '-kernel inet_dist_use_interface {%s}' % LOOPBACK.replace('.', ',')),
        ERL_EPMD_ADDRESS=LOOPBACK,
        ERL_EPMD_PORT=str(port('epmd')))
    return Service('rabbitmq', ['/usr/lib/rabbitmq/bin/rabbitmq-server'], environment,
                   listens=(LOOPBACK, port('rabbitmq')))


def _nova(name):
    return launch(name, *config_files('nova.conf', 'nova-database.conf'))


def _under_waitress(name, config):
    return Service(name, launch(name, '%s:%d' % (address(name), port(name)), config),
                   url=url(name))


def _swift(name):
    return Service(name, launch(name, path('etc/swift/%s.conf' % name)),
                   url=url(name, '/healthcheck'))


def all_services():
    """By name, in the order of their start."""
    services = [
        _mariadb(),
        Service('memcached',
                ['/usr/bin/memcached', '-u', USER, '-l', LOOPBACK, '-U', '0',
                 '-p', str(port('memcached')), '-m', '32', '-t', '1'],
                listens=(LOOPBACK, port('memcached'))),
        Service('epmd', ['/usr/bin/epmd', '-address', LOOPBACK, '-port', str(port('epmd'))],
                listens=(LOOPBACK, port('epmd'))),
        _rabbitmq(),
        _under_waitress('keystone', path('etc/keystone.conf')),
        _under_waitress('placement', path('etc/placement')),
        Service('glance-api', launch('glance-api', *config_files('glance.conf')),
                url=url('glance-api', '/versions')),
        Service('neutron-server', launch('neutron-server', *config_files('neutron.conf')),
                url=url('neutron-server')),
        Service('nova-conductor', _nova('nova-conductor')),
        Service('nova-scheduler', _nova('nova-scheduler')),
        Service('nova-api', _nova('nova-api'), url=url('nova-api')),
    ]
    services += [
        # It must not know the databases, as on a real compute host.
        Service('nova-' + host,
                launch('nova-compute', *config_files('nova.conf', 'nova-%s.conf' % host)))
        for host in COMPUTE_HOSTS]
    services += [
        _swift('swift-account'),
        _swift('swift-container'),
        _swift('swift-object'),
        Service('swift-container-updater',
                launch('swift-container-updater', path('etc/swift/swift-container.conf'))),
        _swift('swift-proxy'),
    ]
    return {service.name: service for service in services}
