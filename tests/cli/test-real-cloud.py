#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The command on a real OpenStack, which the OS_ variables describe.

What the cloud holds is asked of the `openstack` command, not of our own code.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time

from fixture import Home
from real_cloud import inventory, openstack

CLOUD = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cloud', 'cloud')

ENVIRONMENT = '''\
environments:
    {name}:
        type: openstack
        network: private
        use-floating-ip: true
        external-network: public
        use-default-secgroup: true
'''


def same_again(before, what):
    """A deletion may take the cloud a moment."""
    for _ in range(5):
        after = inventory()
        if after == before:
            return
        time.sleep(3)
    assert after == before, f'{what}: before {before}, after {after}'


def bootstrapped(home, name):
    home.write(ENVIRONMENT.format(name=name))
    return home.run('bootstrap', timeout=180)


def test_init_and_nothing_but_the_type(home):
    before = inventory()
    home.run('init').check(0)
    home.run('bootstrap', timeout=180).check(0)
    assert 'ACTIVE' in home.run('status').check(0).output
    home.run('destroy-environment', 'openstack', '-y', timeout=180).check(0)
    same_again(before, 'init to destroy')


def test_bootstrap_with_an_address_and_two_groups(home):
    before = inventory()
    bootstrapped(home, 'lab').check(0)

    status = json.loads(home.run('status', '--format', 'json').check(0).output)
    machine = status['machines']['0']
    server, = openstack(f'server show {machine["instance-id"]} -f json')
    assert server['status'] == 'ACTIVE'
    assert {group['name'] for group in server['security_groups']} == \
        {'welkin-lab', 'welkin-lab-0', 'default'}, server['security_groups']
    assert any(machine['dns-name'] in addresses for addresses in server['addresses'].values()), \
        (machine, server['addresses'])

    bootstrapped(home, 'lab').check(1).says('already bootstrapped')
    home.run('destroy-environment', 'lab', '-y', timeout=180).check(0)
    same_again(before, 'bootstrap and destroy')


def test_names_that_begin_alike_stay_apart(home):
    """The names are the beginnings of each other, and patterns of each other."""
    before = inventory()
    for name in ('a-machine-1', 'a.b'):
        bootstrapped(home, name).check(0)
        home.run('add-machine', '-e', name, timeout=180).check(0)
    between = inventory()
    bootstrapped(home, 'a').check(0)
    home.run('add-machine', '-e', 'a', timeout=180).check(0)
    home.run('destroy-environment', 'a', '-y', '--force', timeout=180).check(0)
    same_again(between, 'destroy of a beside the others')
    for name in ('a-machine-1', 'a.b'):
        found = home.run('gc', '-e', name, '--older-than', '0', '--format', 'json', timeout=60)
        assert json.loads(found.check(0).output) == [], found.output
    same_again(between, 'gc in the others')
    for name in ('a-machine-1', 'a.b'):
        home.run('destroy-environment', name, '-y', '--force', timeout=180).check(0)
    same_again(before, 'destroy of all')


def test_further_machines(home):
    before = inventory()
    bootstrapped(home, 'lab').check(0)
    between = inventory()
    added = json.loads(home.run('add-machine', '-n', '2', '--format', 'json', timeout=300).check(0)
                       .output)['machines']
    assert sorted(added) == ['1', '2'], added
    machines = json.loads(home.run('status', '--format', 'json').check(0).output)['machines']
    assert [machines[id]['instance-state'] for id in '012'] == ['ACTIVE'] * 3, machines
    assert len({machines[id]['availability-zone'] for id in '012'}) == 3, machines

    home.run('open-port', '-m', '1', '80/tcp', '8000-8080/udp', timeout=60).check(0)
    server, = openstack(f'server show {machines["1"]["instance-id"]} -f json')
    assert {'name': 'welkin-lab-1'} in server['security_groups'], server['security_groups']
    rules, = openstack('security group rule list welkin-lab-1 --ingress -f json')
    assert {rule['Port Range'] for rule in rules} == {'80:80', '8000:8080'}, rules
    home.run('close-port', '-m', '1', '80/tcp', timeout=60).check(0)
    ports = json.loads(home.run('ports', '-m', '1', '--format', 'json', timeout=60).check(0).output)
    assert [port['port'] for port in ports] == ['8000-8080/udp'], ports

    home.run('destroy-environment', 'lab', '-y').check(1).says('--force')
    home.run('destroy-machine', '1', '2', timeout=300).check(0)
    same_again(between, 'add-machine and destroy-machine')
    home.run('destroy-environment', 'lab', '-y', timeout=180).check(0)
    same_again(before, 'further machines')


def test_thirty_machines_at_once(home):
    before = inventory()
    bootstrapped(home, 'lab').check(0)
    between = inventory()
    trace = os.path.join(home.directory, 'start.har')

    began = time.monotonic()
    process = home.start('--debug-http', trace, 'add-machine', '-n', '30')
    output, errors = process.stdout.read(), process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - began
    assert os.waitstatus_to_exitcode(status) == 0, f'{output}{errors}'
    with open(trace, encoding='utf-8') as file:
        requests = len(json.load(file)['log']['entries'])
    during = inventory()
    for kind in 'servers', 'ports', 'floating IPs', 'groups':
        assert len(during[kind]) == len(between[kind]) + 30, (kind, during[kind])
    print(f'# 30 machines: {seconds:.0f} s, {requests} requests, '
          f'at most {usage.ru_maxrss / 1024:.1f} MiB')

    began = time.monotonic()
    home.run('destroy-machine', '--force', *map(str, range(1, 31)), timeout=600).check(0)
    print(f'# and stopped again: {time.monotonic() - began:.0f} s')
    same_again(between, 'thirty machines')
    home.run('destroy-environment', 'lab', '-y', timeout=300).check(0)
    same_again(before, 'the environment of thirty machines')


def test_a_start_that_is_killed_is_gone_on_with(home):
    before = inventory()
    bootstrapped(home, 'lab').check(0)
    for moment in (1.5, 4):
        process = home.start('add-machine')
        time.sleep(moment)
        process.kill()
        process.communicate()
    home.run('provision', '--once', timeout=300).check(0)
    machines = json.loads(home.run('status', '--format', 'json').check(0).output)['machines']
    new = [json.loads(server)['ID'] for server in
           set(inventory()['servers']) - set(before['servers'])]
    assert sorted(machine['instance-id'] for machine in machines.values()) == sorted(new), \
        (machines, new)
    home.run('destroy-environment', 'lab', '-y', '--force', timeout=300).check(0)
    same_again(before, 'starts that were killed')


def test_an_interrupt_at_any_moment_leaves_nothing(home):
    before = inventory()
    seed = int(os.environ.get('WELKIN_TEST_SEED', time.time()))
    chance = random.Random(seed)
    print(f'# WELKIN_TEST_SEED={seed}')
    home.write(ENVIRONMENT.format(name='lab'))
    for number in range(10):
        process = home.start('bootstrap')
        time.sleep(chance.uniform(0.05, 8))
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=180)
        if process.returncode == 0:
            home.run('destroy-environment', 'lab', '-y', timeout=180).check(0)
        else:
            assert process.returncode in (130, -signal.SIGINT), f'{process.returncode}: {errors}'
        assert not os.path.exists(home.info_path('lab')), errors
    same_again(before, 'ten interrupts')


def fault(*words):
    subprocess.run([CLOUD, 'fault', *words], check=True, capture_output=True, timeout=120)


def test_what_cannot_be_started_is_told_and_leaves_nothing(home):
    """A flavor that no host has room for, and a quota that is used up."""
    before = inventory()
    bootstrapped(home, 'lab').check(0)
    between = inventory()
    # The pauses between tries are long: here it is known that none of them helps.
    home.run('add-machine', '--constraints', 'instance-type=m1.toobig', timeout=300,
             WELKIN_TIME_SCALE='5').check(1).says(
        'No valid host was found', 'What was tried:', *(f'in zone az{n}: ' for n in (1, 2, 3)))
    home.run('destroy-machine', '1', timeout=180).check(0)
    fault('quota', 'demo', 'instances=1')
    try:
        home.run('add-machine', timeout=180).check(1).says('uota exceeded for instances')
        planned = json.loads(home.run('plan', '--format', 'json', timeout=60).check(0).output)
        assert {'subject': 'quota', 'choice': 'servers (1 wanted, 0 left)',
                'reason': 'there is not enough'} in planned, planned
    finally:
        fault('quota', 'demo', 'reset')
    home.run('destroy-machine', '2', timeout=180).check(0)
    same_again(between, 'what could not be started')

    # One that somebody else deleted is missing, and can be forgotten.
    home.run('add-machine', timeout=180).check(0)
    machines = json.loads(home.run('status', '--format', 'json').check(0).output)['machines']
    subprocess.run(['openstack', 'server', 'delete', '--wait', machines['3']['instance-id']],
                   check=True, timeout=120)
    machines = json.loads(home.run('status', '--format', 'json').check(0).output)['machines']
    assert machines['3']['instance-state'] == 'missing', machines
    assert machines['0']['instance-state'] == 'ACTIVE', machines
    home.run('destroy-machine', '3', timeout=180).check(0)
    home.run('gc', '--older-than', '0', timeout=180).check(0)
    same_again(between, 'a machine that somebody else deleted')
    home.run('destroy-environment', 'lab', '-y', timeout=180).check(0)
    same_again(before, 'what could not be started, and the environment')


def test_a_zone_whose_host_is_down_is_passed_over(home):
    """And a machine that the cloud puts into ERROR is seen, and goes."""
    before = inventory()
    bootstrapped(home, 'lab').check(0)
    between = inventory()
    zone = json.loads(home.run('plan', '--format', 'json', timeout=60).check(0).output)
    first = next(entry['choice'] for entry in zone if entry['subject'] == 'zones').split(', ')[0]
    # The compute service has the number of its zone; others take a while to miss it.
    service = f'nova-compute{first[-1]}'
    fault('stop', service)
    try:
        time.sleep(20)
        home.run('add-machine', timeout=240).check(0)
        machines = json.loads(home.run('status', '--format', 'json').check(0).output)['machines']
        assert machines['1']['availability-zone'] != first, machines
    finally:
        fault('start', service)
    admin = subprocess.run([CLOUD, 'env', 'admin'], capture_output=True, text=True, check=True)
    identifier = machines['1']['instance-id']
    subprocess.run(['sh', '-c', f'{admin.stdout}\nopenstack server set --state error {identifier}'],
                   check=True, timeout=60)
    machines = json.loads(home.run('status', '--format', 'json').check(0).output)['machines']
    assert machines['1']['instance-state'] == 'ERROR', machines
    home.run('destroy-machine', '1', timeout=180).check(0)
    same_again(between, 'a machine in ERROR')
    home.run('destroy-environment', 'lab', '-y', timeout=180).check(0)
    same_again(before, 'a zone whose host is down')


def main():
    if 'OS_AUTH_URL' not in os.environ:
        print('1..0 # SKIP no cloud: set OS_AUTH_URL and the others')
        return 0
    tests = [function for name, function in globals().items() if name.startswith('test_')
             and (len(sys.argv) < 2 or name in sys.argv[1:])]
    failed = 0
    print(f'1..{len(tests)}', flush=True)
    for number, test in enumerate(tests, 1):
        name = test.__name__.removeprefix('test_').replace('_', '-')
        home = Home()
        home.environment.update({key: value for key, value in os.environ.items()
                                 if key.startswith('OS_')})
        del home.environment['WELKIN_TIME_SCALE']
        began = time.monotonic()
        try:
            test(home)
            print(f'ok {number} - /cloud/{name}\n# {time.monotonic() - began:.0f} s', flush=True)
            home.remove()
        except Exception as exception:  # each test is on its own
            failed += 1
            print(f'not ok {number} - /cloud/{name}', flush=True)
            print(f'/cloud/{name}: {type(exception).__name__}: {exception}\n'
                  f'home: {home.directory}', file=sys.stderr, flush=True)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
