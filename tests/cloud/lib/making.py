# SPDX-License-Identifier: LGPL-2.1-or-later
"""Brings the cloud up: the steps, and what each of them waits for.

A step that only changes the databases is done once in the life of a cloud and
leaves a file in done/.  Steps run side by side: most of the time goes into
the start of many Python programs, and two processors share it.
"""

import os
import shutil
import threading

import contents
from api import Api
from configuration import database_url
from layout import (ACCOUNTS, COMPUTE_HOSTS, LOOPBACK, REGION, CloudError, path, port, say, url)
from processes import giving_up, run, start, start_and_wait, wait_healthy, wait_until
from quotas import UNLIMITED_PROJECTS, reset_quotas
from services import USER, all_services, config_files, launch

SERVICES = all_services()
NOVA = [service for name, service in SERVICES.items() if name.startswith('nova-')]


def once(name, function):
    mark = path('done', name)
    if not os.path.exists(mark):
        function()
        open(mark, 'w').close()
        say('made: ' + name)


# ---------------------------------------------------------- infrastructure

def mariadb():
    def make_files():
        shutil.rmtree(path('mysql'), ignore_errors=True)
        run(['/usr/bin/mariadb-install-db', '--no-defaults', '--user=' + USER,
             '--datadir=' + path('mysql'), '--skip-test-db', '--innodb-log-file-size=64M',
             '--auth-root-authentication-method=normal'], 'mariadb-install-db')

    once('mariadb', make_files)
    start_and_wait(SERVICES['mariadb'])


def memcached():
    start_and_wait(SERVICES['memcached'])


def rabbitmq():
    # without an epmd it would start one, which nobody would stop
    start_and_wait(SERVICES['epmd'])
    start_and_wait(SERVICES['rabbitmq'])


# --------------------------------------------------------------- databases

def _new_databases(*names):
    """Empty ones: a migration that was interrupted cannot go on."""
    run(['/usr/bin/mariadb', '--no-defaults', '-u', 'root', '-S', path('run/mariadb.sock'), '-e',
         ' '.join('DROP DATABASE IF EXISTS %s; CREATE DATABASE %s;' % (name, name)
                  for name in names)], 'mariadb-client')


def _manage(program, *arguments, config):
    run(launch(program, *config_files(*config), *arguments), program)


def _nova_manage(*arguments):
    _manage('nova-manage', *arguments, config=['nova.conf', 'nova-database.conf'])


def keystone_database():
    def make():
        _new_databases('keystone')
        _manage('keystone-manage', 'db_sync', config=['keystone.conf'])
        address = url('keystone', '/v3')
        _manage('keystone-manage', 'bootstrap',
                '--bootstrap-password', ACCOUNTS['admin'][1], '--bootstrap-region-id', REGION,
                '--bootstrap-public-url', address, '--bootstrap-internal-url', address,
                '--bootstrap-admin-url', address, config=['keystone.conf'])
    once('keystone', make)


def glance_database():
    def make():
        _new_databases('glance')
        _manage('glance-manage', 'db_sync', config=['glance.conf'])
    once('glance', make)


def placement_database():
    def make():
        _new_databases('placement')
        _manage('placement-manage', 'db', 'sync', config=['placement/placement.conf'])
    once('placement', make)


def neutron_database():
    def make():
        _new_databases('neutron')
        _manage('neutron-db-manage', 'upgrade', 'heads', config=['neutron.conf'])
    once('neutron', make)


def nova_database():
    def make():
        _new_databases('nova_api', 'nova_cell0', 'nova')
        _nova_manage('api_db', 'sync')
        _nova_manage('cell_v2', 'map_cell0', '--database_connection',
                     database_url('nova_cell0'))
        _nova_manage('cell_v2', 'create_cell', '--name', 'cell1')
        # that of cell0 and that of cell1
        _nova_manage('db', 'sync')
    once('nova', make)


# ---------------------------------------------------------------- services

def keystone():
    start_and_wait(SERVICES['keystone'])
    once('accounts', contents.make_accounts)
    once('catalog', contents.make_catalog)


def placement():
    start_and_wait(SERVICES['placement'])


def glance():
    start_and_wait(SERVICES['glance-api'])
    once('images', contents.make_images)


def neutron():
    start_and_wait(SERVICES['neutron-server'])
    once('networks', contents.make_networks)


def nova():
    for service in NOVA:
        start(service)
    wait_healthy(SERVICES['nova-api'])
    once('flavors', contents.make_flavors)
    _wait_until_nova_is_up()
    once('hosts', _discover_hosts)
    once('zones', contents.make_zones)


def _wait_until_nova_is_up():
    api = Api()
    wanted = {('nova-conductor', 'controller'), ('nova-scheduler', 'controller')}
    wanted |= {('nova-compute', host) for host in COMPUTE_HOSTS}

    def all_up():
        services = api.get(url('nova-api', '/v2.1/os-services'))['services']
        return wanted <= {(service['binary'], service['host']) for service in services
                          if service['state'] == 'up'}

    wait_until('nova calls all its services up', all_up, NOVA)
    say('up: ' + ' '.join(service.name for service in NOVA))


def _discover_hosts():
    # placement knows a host a moment after its service is up
    api = Api()

    def all_known():
        providers = api.get(url('placement', '/resource_providers'))['resource_providers']
        return set(COMPUTE_HOSTS) <= {provider['name'] for provider in providers}

    wait_until('placement knows all hosts', all_known, NOVA)
    _nova_manage('cell_v2', 'discover_hosts')


def swift():
    def make_rings():
        run(launch('swift-rings', path('etc/swift'),
                   *('%s=%s:%d' % (kind, LOOPBACK, port('swift-' + kind))
                     for kind in ('account', 'container', 'object'))), 'swift-rings')
    once('rings', make_rings)
    start(SERVICES['swift-container-updater'])
    start_and_wait(*(SERVICES[name] for name in (
        'swift-account', 'swift-container', 'swift-object', 'swift-proxy')))


def quotas():
    def make():
        for project in UNLIMITED_PROJECTS:
            reset_quotas(project)
    once('quotas', make)


# step: those before it; the longest chain of steps comes first
STEPS = {
    mariadb: (),
    memcached: (),
    rabbitmq: (),
    neutron_database: (mariadb,),
    keystone_database: (mariadb,),
    keystone: (keystone_database, memcached),
    nova_database: (mariadb,),
    glance_database: (mariadb,),
    placement_database: (mariadb,),
    placement: (placement_database, keystone),
    glance: (glance_database, keystone),
    nova: (nova_database, placement, rabbitmq),
    neutron: (neutron_database, rabbitmq, keystone),
    swift: (memcached, keystone),
    quotas: (nova, neutron),
}


def run_steps():
    finished = {step: threading.Event() for step in STEPS}
    errors = []

    def run_step(step):
        try:
            for before in STEPS[step]:
                finished[before].wait()
            if not giving_up.is_set():
                step()
        except Exception as error:
            # the first error tells; the others only gave up because of it
            if not giving_up.is_set():
                errors.append(error)
            giving_up.set()
        finally:
            finished[step].set()

    threads = [threading.Thread(target=run_step, args=(step,)) for step in STEPS]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            thread.join()
    except BaseException:
        giving_up.set()
        raise
    if errors and isinstance(errors[0], CloudError):
        raise errors[0]
    if errors:
        raise CloudError('a bug: %r' % errors[0]) from errors[0]
