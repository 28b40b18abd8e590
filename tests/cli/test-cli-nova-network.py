#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A cloud without a network service, from the first look at it to the end of an environment."""

import sys

from fixture import compare, run_tests

FLOATING = '''\
        use-floating-ip: true
'''


def prepare(fake, home):
    fake.control('POST', 'settings', {'nova-network': 1})
    home.write(extra=FLOATING)


def list_network_requests(fake):
    return [request['path'] for request in fake.requests()
            if request['path'].startswith('/network')]


def test_machines_live_without_a_network_service(fake, home):
    prepare(fake, home)
    before = fake.inventory()
    outcomes = [home.run('plan').check(0),
                home.run('bootstrap').check(0),
                home.run('add-machine').check(0),
                home.run('open-port', '-m', '1', '80/tcp', '8000-8080/udp').check(0),
                home.run('ports', '-m', '1').check(0),
                home.run('close-port', '-m', '1', '80/tcp').check(0),
                home.run('ports', '-m', '1').check(0),
                home.run('status').check(0),
                home.run('destroy-machine', '1').check(0),
                home.run('destroy-environment', 'lab', '-y').check(0)]
    compare('nova-network', *outcomes)
    assert fake.inventory() == before
    assert list_network_requests(fake) == []


def test_what_cannot_be_told_apart_is_only_listed(fake, home):
    """A floating IP that nothing has may be anybody's."""
    prepare(fake, home)
    home.run('bootstrap').check(0)
    fake.control('POST', 'rules', {
        'method': 'GET', 'path': '*/os-floating-ips', 'times': -1, 'action': 'fail', 'status': 200,
        'body': '{"floating_ips": [{"id": 99, "ip": "192.0.2.9", "instance_id": null}]}'})
    compare('nova-network-gc', home.run('gc', '--dry-run').check(0), home.run('gc').check(0))
    assert [request for request in fake.requests() if request['method'] == 'DELETE'] == []


def test_doctor_finds_no_network_service(fake, home):
    prepare(fake, home)
    compare('nova-network-doctor', home.run('doctor').check(0))
    assert list_network_requests(fake) == []


if __name__ == '__main__':
    wanted = sys.argv[1:]
    tests = [function for name, function in list(globals().items()) if name.startswith('test_')]
    sys.exit(run_tests([test for test in tests if not wanted or test.__name__ in wanted]))
