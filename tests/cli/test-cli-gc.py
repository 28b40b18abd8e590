#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What an environment has left behind: found by its mark, told, and removed; and what goes on after
a crash."""

import json
import os
import re
import sys
import time

from fixture import compare, run_tests

DEAD = '11111111-2222-4333-8444-555555555555'
OLD = '2020-02-02T02:02:02Z'

# Names that are the beginnings of each other, and names that are patterns of each other.
ALIKE = ('a', 'a-machine-1', 'a.b', 'a-b', 'A')


def bootstrap(home):
    home.write()
    home.run('bootstrap').check(0)


def uuid_of(home, name='lab'):
    with open(home.info_path(name)) as file:
        return re.search(r'\buuid: ["\']?([0-9a-f-]{36})', file.read())[1]


def mark(home, machine=3, start=DEAD):
    return f'welkin env={uuid_of(home)} machine={machine} start={start}/1'


def add(fake, kind, **members):
    fake.control('POST', kind, {'project': 'demo', **members})


def add_old_port(fake, home, name='cut-off', **members):
    add(fake, 'port', network='private', name=name, description=mark(home), **members)
    fake.control('PATCH', f'port/{name}', {'created_at': OLD, 'updated_at': OLD})


def leftovers(home, *arguments, status=0):
    return json.loads(home.run('gc', '--format', 'json', *arguments).check(status).output)


def status(home, name='lab'):
    outcome = home.run('status', '-e', name, '--format', 'json').check(0)
    return json.loads(outcome.output)['machines']


def list_servers(fake):
    return [line for line in fake.inventory().splitlines() if line.startswith('server ')]


def without_ages(outcome):
    # Not what looks like an age in the middle of a UUID.
    outcome.output = re.sub(r'(?<= )\d+d(?= )', 'NNNNd', outcome.output)
    return outcome


def test_what_was_left_is_told_and_removed(fake, home):
    bootstrap(home)
    before = fake.inventory()
    clean = home.run('gc').check(0)
    add_old_port(fake, home)
    add(fake, 'security_group', name='welkin-lab-3', description=mark(home))
    add(fake, 'security_group', name='welkin-lab-7', description='made by hand')
    add(fake, 'server', name='welkin-lab-machine-7', network='private')
    compare('gc', clean,
            without_ages(home.run('gc', '--dry-run').check(0)),
            without_ages(home.run('gc').check(0)),
            home.run('gc', '--older-than', '0').check(0),
            home.run('gc').check(0))
    fake.control('DELETE', 'security_group/welkin-lab-7')
    fake.control('DELETE', 'server/welkin-lab-machine-7')
    assert fake.inventory() == before, fake.inventory()


def test_each_thing_has_its_mark_and_its_age(fake, home):
    bootstrap(home)
    add_old_port(fake, home)
    thing, = leftovers(home, '--dry-run')
    assert thing.pop('id') and thing == {
        'kind': 'port', 'name': 'cut-off', 'machine': '3', 'start-id': DEAD, 'changed': OLD,
        'marked': 'true', 'reason': 'of a start that is not recorded',
        'action': 'would be removed'}, thing
    thing, = leftovers(home, '--older-than', '9999d')
    assert thing['action'] == 'kept' and 'young' in thing['note'], thing
    thing, = leftovers(home)
    assert thing['action'] == 'removed', thing
    assert leftovers(home) == []


def test_a_host_whose_clock_is_fast_removes_nothing_young(fake, home):
    """Twenty minutes old by the host's clock, and just made by the cloud's."""
    bootstrap(home)
    add_old_port(fake, home)
    stamp = time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime(time.time() - 1200))
    fake.control('PATCH', 'port/cut-off', {'created_at': stamp, 'updated_at': stamp})
    fake.control('POST', 'settings', {'clock-skew': -1200})
    thing, = leftovers(home)
    assert thing['action'] == 'kept' and 'young' in thing['note'], thing
    fake.control('POST', 'settings', {'clock-skew': 0})
    thing, = leftovers(home)
    assert thing['action'] == 'removed', thing


def test_what_cannot_be_removed_is_told(fake, home):
    bootstrap(home)
    add_old_port(fake, home)
    add_old_port(fake, home, 'another')
    fake.control('POST', 'rules', {'method': 'DELETE', 'path': '*/ports/*', 'status': 409,
                                   'action': 'fail', 'body': json.dumps({'NeutronError': {
                                       'type': 'Busy', 'message': 'somebody sits on it'}})})
    outcome = home.run('gc', '--format', 'json').check(1)
    outcome.says('1 thing')
    actions = sorted(thing['action'] for thing in json.loads(outcome.output))
    assert actions == ['not removed', 'removed'], outcome.output
    assert 'somebody sits on it' in outcome.output, outcome.output
    assert [thing['action'] for thing in leftovers(home)] == ['removed']


def test_the_container_goes_when_nothing_else_is_left(fake, home):
    bootstrap(home)
    fake.control('DELETE', 'server/welkin-lab-machine-0')
    assert leftovers(home, '--older-than', '0') == []
    home.run('storage', 'rm', '--force', 'provider-state').check(0)
    thing, = leftovers(home)
    assert thing['kind'] == 'container' and thing['action'] == 'kept', thing
    assert 'young' in thing['note'], thing
    thing, = leftovers(home, '--older-than', '0')
    assert thing['action'] == 'removed', thing
    assert 'container ' not in fake.inventory(), fake.inventory()
    assert leftovers(home, '--older-than', '0') == []


def test_mistakes_are_told(fake, home):
    home.write()
    compare('gc-mistakes',
            home.run('gc', '--older-than', 'long').check(2),
            home.run('gc', '--older-than', '5x').check(2),
            home.run('gc', '--older-than', '15').check(2),
            home.run('gc', '--older-than', '99999999999d').check(2),
            home.run('gc', '--format', 'table').check(2),
            home.run('gc', 'lab').check(2),
            home.run('gc').check(1))


def test_a_start_that_could_not_be_undone_is_remembered(fake, home):
    """Its start is known to be over, so nobody waits until what it left is old."""
    bootstrap(home)
    before = fake.inventory()
    fake.control('POST', 'rules', {'method': 'POST', 'path': '*/servers', 'action': 'fail',
                                   'status': 503, 'times': -1})
    fake.control('POST', 'rules', {'method': 'DELETE', 'path': '*/ports/*', 'action': 'fail',
                                   'status': 403, 'times': -1})
    # It is not tried again before what it left is gone.
    home.run('add-machine', WELKIN_TIME_SCALE='200').check(1).says('HTTP 503')
    assert fake.inventory().count('port demo/welkin-') == before.count('port demo/welkin-') + 1
    fake.control('DELETE', 'rules')
    home.run('destroy-machine', '1').check(0)
    assert fake.inventory() == before, fake.inventory()
    assert leftovers(home, '--older-than', '0') == []


def test_machines_are_not_started_while_leftovers_cannot_be_listed(fake, home):
    """What the start before has left may stand in the way of the next one."""
    bootstrap(home)
    refused = {'action': 'fail', 'status': 403, 'times': -1}
    fake.control('POST', 'rules', {'method': 'POST', 'path': '*/servers', 'action': 'fail',
                                   'status': 503, 'times': -1})
    fake.control('POST', 'rules', {'method': 'DELETE', 'path': '*/ports/*', **refused})
    home.run('add-machine', WELKIN_TIME_SCALE='200').check(1).says('HTTP 503')
    fake.control('DELETE', 'rules')
    fake.control('POST', 'rules', {'method': 'GET', 'path': '*/ports', **refused})
    home.run('provision', '--once').check(1).says('HTTP 403')
    assert len(list_servers(fake)) == 1, fake.inventory()
    fake.control('DELETE', 'rules')
    home.run('provision', '--once').check(0)
    assert len(list_servers(fake)) == 2, fake.inventory()
    assert leftovers(home, '--older-than', '0') == []


def test_a_machine_whose_start_is_forgotten_is_no_leftover(fake, home):
    bootstrap(home)
    before = fake.inventory()
    with open(home.info_path('lab')) as file:
        lines = file.readlines()
    with open(home.info_path('lab'), 'w') as file:
        file.writelines(line for line in lines if 'start-id:' not in line)
    assert leftovers(home, '--older-than', '0') == []
    assert fake.inventory() == before, fake.inventory()


def kill_after(home, delay, *arguments):
    process = home.start(*arguments)
    time.sleep(delay)
    process.kill()
    process.communicate()


def test_a_provisioner_that_was_killed_is_gone_on_with(fake, home):
    home.write()
    before = fake.inventory()
    bootstrap(home)
    for number, delay in enumerate((0.05, 0.12, 0.2, 0.3), 1):
        fake.control('POST', 'rules', {'method': 'POST', 'path': '*/servers', 'action': 'fail',
                                       'status': 503, 'times': -1})
        home.run('add-machine', WELKIN_TIME_SCALE='200').check(1).says('HTTP 503')
        fake.control('DELETE', 'rules')
        fake.control('POST', 'settings', {'latency': 20})
        kill_after(home, delay, 'provision', '--once')
        fake.control('POST', 'settings', {'latency': 0})
        home.run('provision', '--once').check(0)
        machines = status(home)
        assert len(machines) == number + 1 == len(list_servers(fake)), (delay, machines)
        assert len({machine['instance-id'] for machine in machines.values()}) == number + 1
        assert leftovers(home, '--older-than', '0') == [], delay
    home.run('destroy-environment', 'lab', '-y', '--force').check(0)
    assert fake.inventory() == before, fake.inventory()


def test_open_port_that_was_killed_can_be_repeated(fake, home):
    home.write()
    before = fake.inventory()
    bootstrap(home)
    fake.control('POST', 'settings', {'latency': 20})
    for port, delay in enumerate((0.03, 0.08, 0.13, 0.18, 0.25), 80):
        kill_after(home, delay, 'open-port', '-m', '0', f'{port}/tcp')
        home.run('open-port', '-m', '0', f'{port}/tcp').check(0)
    ports = json.loads(home.run('ports', '-m', '0', '--format', 'json').check(0).output)
    assert [entry['port'] for entry in ports] == [f'{port}/tcp' for port in range(80, 85)], ports
    home.run('destroy-environment', 'lab', '-y').check(0)
    assert fake.inventory() == before, fake.inventory()


def test_a_bootstrap_that_was_killed_does_not_stand_in_the_way(fake, home):
    home.write()
    before = fake.inventory()
    fake.control('POST', 'settings', {'latency': 20})
    for delay in (0.1, 0.25, 0.4, 0.7):
        kill_after(home, delay, 'bootstrap')
        seen = home.run('status')
        if 'agent-state: provisioning' in seen.output:
            assert '"welkin bootstrap" goes on with it' in seen.output, seen.output
        outcome = home.run('bootstrap')
        if outcome.status != 0:
            outcome.says('already bootstrapped')
            assert 'instance-id:' in seen.output, seen.output
        assert status(home)['0']['agent-state'] == 'started'
        assert len(list_servers(fake)) == 1, (delay, fake.inventory())
        kill_after(home, delay, 'destroy-environment', 'lab', '-y')
        home.run('destroy-environment', 'lab', '-y')
        assert fake.inventory() == before, (delay, fake.inventory())


def test_a_bootstrap_killed_before_it_made_anything_is_begun_anew(fake, home):
    home.write()
    os.makedirs(os.path.dirname(home.info_path('lab')), 0o700)
    with open(home.info_path('lab'), 'w'):
        pass
    home.run('bootstrap').check(0)
    assert len(list_servers(fake)) == 1, fake.inventory()


def destroy_one_among_many(fake, home):
    entry = '''\
    {name}:
        type: openstack
        auth-url: {auth_url}
        username: demo
        password: secret
        tenant-name: demo
        region: RegionOne
'''
    home.write('environments:\n' + ''.join(
        entry.format(name=json.dumps(name), auth_url='{auth_url}') for name in ALIKE))
    before = fake.inventory()
    for name in ALIKE[1:]:
        home.run('bootstrap', '-e', name).check(0)
        home.run('add-machine', '-e', name).check(0)
    others = fake.inventory()
    home.run('bootstrap', '-e', ALIKE[0]).check(0)
    home.run('add-machine', '-e', ALIKE[0]).check(0)
    for name in ALIKE:
        assert json.loads(home.run('gc', '-e', name, '--older-than', '0', '--format', 'json')
                          .check(0).output) == []
    home.run('destroy-environment', ALIKE[0], '-y', '--force').check(0)
    assert fake.inventory() == others, fake.inventory()
    for name in ALIKE[1:]:
        home.run('gc', '-e', name, '--older-than', '0').check(0)
        assert fake.inventory() == others, (name, fake.inventory())
        assert [machine['instance-state'] for machine in status(home, name).values()] == \
            ['ACTIVE', 'ACTIVE']
    for name in ALIKE[1:]:
        home.run('destroy-environment', name, '-y', '--force').check(0)
    assert fake.inventory() == before, fake.inventory()


def test_environments_of_like_names_stay_apart_on_mariadb(fake, home):
    destroy_one_among_many(fake, home)


def test_environments_of_like_names_stay_apart_on_postgresql(fake, home):
    fake.control('POST', 'settings', {'case-sensitive': 1})
    destroy_one_among_many(fake, home)


if __name__ == '__main__':
    wanted = sys.argv[1:]
    tests = [function for name, function in list(globals().items()) if name.startswith('test_')]
    sys.exit(run_tests([test for test in tests if not wanted or test.__name__ in wanted]))
