#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs one OpenStack daemon or management command: launch.py NAME ARGUMENT...

Debian's python3-* packages hold the programs' code; the few lines that call
it are in other packages, which would also ask for a database and start
daemons.  So those lines are here.
"""

import importlib
import logging
import os
import signal
import sys

# Drivers for a cloud whose machines boot.
GUESTS = os.path.join(os.path.dirname(os.path.realpath(__file__)), '../../guest/drivers')

ENTRY_POINTS = {
    'glance-api': 'glance.cmd.api',
    'glance-manage': 'glance.cmd.manage',
    'keystone-manage': 'keystone.cmd.manage',
    'neutron-db-manage': 'neutron.db.migration.cli',
    'nova-api': 'nova.cmd.api_os_compute',
    'nova-compute': 'nova.cmd.compute',
    'nova-conductor': 'nova.cmd.conductor',
    'nova-manage': 'nova.cmd.manage',
    'nova-scheduler': 'nova.cmd.scheduler',
    'placement-manage': 'placement.cmd.manage',
}


def serve_wsgi(application, listen):
    import waitress
    waitress.serve(application, listen=listen, threads=8, channel_timeout=120, ident='')


def keystone(listen, config_file):
    os.environ['OS_KEYSTONE_CONFIG_FILES'] = config_file
    from keystone.server.wsgi import initialize_public_application
    serve_wsgi(initialize_public_application(), listen)


def placement(listen, config_directory):
    os.environ['OS_PLACEMENT_CONFIG_DIR'] = config_directory
    from placement.wsgi import init_application
    serve_wsgi(init_application(), listen)


def neutron_server(*arguments):
    """The API half of neutron-server; the other half answers agents, and there are none."""
    from neutron.cmd.eventlet import server as _monkey_patches  # noqa: F401
    from neutron import server, service

    def main():
        api = service.serve_wsgi(service.NeutronApiService)
        # ML2 has set a handler that does not end the process.
        signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
        api.wait()

    sys.argv[1:] = arguments
    server.boot_server(main)


def prepare_swift(config_file):
    """Reads swift.conf from beside the server's own file instead of /etc/swift, and logs to
    stdout alone: without a syslog it would open a UDP socket on all addresses."""
    from swift.common import utils
    utils.SWIFT_CONF_FILE = os.path.join(os.path.dirname(config_file), 'swift.conf')
    utils.ThreadSafeSysLogHandler = lambda *args, **kwargs: logging.NullHandler()


def swift_server(kind, config_file):
    prepare_swift(config_file)
    from swift.common.wsgi import run_wsgi
    more = {}
    if kind == 'object-server':
        from swift.obj.server import global_conf_callback
        more['global_conf_callback'] = global_conf_callback
    return run_wsgi(config_file, kind, verbose=True, **more)


def swift_container_updater(config_file):
    prepare_swift(config_file)
    from swift.common.daemon import run_daemon
    from swift.container.updater import ContainerUpdater
    run_daemon(ContainerUpdater, config_file, verbose=True)


def swift_rings(directory, *devices):
    """Makes the rings; each device is KIND=ADDRESS:PORT."""
    prepare_swift(os.path.join(directory, 'swift-proxy.conf'))
    from swift.cli import ringbuilder
    for device in devices:
        kind, listen = device.split('=')
        address, port = listen.split(':')
        for command in (['create', '4', '1', '0'],
                        ['add', '--region', '1', '--zone', '1', '--ip', address, '--port', port,
                         '--device', 'disk1', '--weight', '1'],
                        ['rebalance']):
            try:
                ringbuilder.main(['swift-ring-builder',
                                  os.path.join(directory, kind + '.builder'), *command])
            except SystemExit as end:
                if end.code not in (0, None):
                    raise


OWN = {
    'keystone': keystone,
    'placement': placement,
    'neutron-server': neutron_server,
    'swift-account': lambda config: swift_server('account-server', config),
    'swift-container': lambda config: swift_server('container-server', config),
    'swift-container-updater': swift_container_updater,
    'swift-object': lambda config: swift_server('object-server', config),
    'swift-proxy': lambda config: swift_server('proxy-server', config),
    'swift-rings': swift_rings,
}


def main():
    program, arguments = sys.argv[1], sys.argv[2:]
    if program in OWN:
        # oslo.config would read our arguments as its own.
        sys.argv = [program]
        return OWN[program](*arguments)
    sys.argv = [program, *arguments]
    module = importlib.import_module(ENTRY_POINTS[program])
    if program == 'nova-compute':
        # nova takes no driver from elsewhere, so ours joins its own.
        from nova import virt
        virt.__path__.append(GUESTS)
    return module.main()


if __name__ == '__main__':
    sys.exit(main())
