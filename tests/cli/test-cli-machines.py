#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Further machines of an environment: added, shown, opened, stopped, and never started twice."""

import fcntl
import json
import os
import shutil
import signal
import sys
import time

from fixture import compare, run_tests


def bootstrap(home, extra=''):
    home.write(extra=extra)
    home.run('bootstrap').check(0)


def status(home):
    return json.loads(home.run('status', '--format', 'json').check(0).output)['machines']


def list_servers(fake):
    return [line.split()[1] for line in fake.inventory().splitlines()
            if line.startswith('server ')]


def count_servers(fake):
    return sum(1 for request in fake.requests()
               if request['method'] == 'POST' and request['path'].endswith('/servers')
               and request['status'] in (200, 202))


def test_machines_are_added_shown_and_destroyed(fake, home):
    home.write()
    before = fake.inventory()
    bootstrap(home)
    outcomes = [home.run('add-machine', '--constraints', 'mem=1G', '-n', '2').check(0),
                home.run('status').check(0),
                home.run('destroy-environment', 'lab', '-y').check(1),
                home.run('destroy-machine', '0').check(1),
                home.run('destroy-machine', '7').check(1),
                home.run('destroy-machine', '1', '2').check(0),
                home.run('status').check(0),
                # Ids are never used again.
                home.run('add-machine', '--format', 'json').check(0),
                home.run('destroy-environment', 'lab', '-y', '--force').check(0)]
    compare('machines', *outcomes)
    assert fake.inventory() == before


def test_what_is_named_twice_is_told_once(fake, home):
    bootstrap(home)
    home.run('add-machine').check(0)
    home.run('open-port', '-m', '1', '80/tcp', '80/tcp').check(0)
    assert home.run('ports', '-m', '1').check(0).output == '- port: 80/tcp\n'
    assert status(home)['1']['opened-ports'] == ['80/tcp'], status(home)
    home.run('close-port', '-m', '1', '80/tcp', '80/tcp').check(0)
    outcome = home.run('destroy-machine', '1', '1').check(0)
    assert outcome.errors == 'Machine 1 is destroyed\n', outcome.errors


def test_mistakes_of_machines_are_told(fake, home):
    bootstrap(home)
    compare('machines-mistakes',
            home.run('add-machine', '-n', '0').check(2),
            home.run('add-machine', '-n', '1001').check(1),
            home.run('add-machine', '--parallel', '0').check(2),
            home.run('add-machine', '--constraints', 'mem=much').check(2),
            home.run('add-machine', '--constraints', 'container=lxc').check(1),
            home.run('add-machine', 'zone=nowhere').check(1),
            home.run('add-machine', 'cupboard=3').check(1),
            home.run('destroy-machine').check(2),
            home.run('provision', '--interval', '0').check(2),
            home.run('open-port').check(2),
            home.run('open-port', '-m', '0', '80').check(2),
            home.run('open-port', '80/tcp').check(1),
            home.run('open-port', '-m', '7', '80/tcp').check(1))
    assert list(status(home)) == ['0']


def test_series_that_are_none_are_told(fake, home):
    """Wherever they come from, and whatever they look like."""
    home.write(extra='        network: private\n')
    home.run('plan', '--series', 'a/b').check(1).says('invalid series "a/b"')
    bootstrap(home)
    compare('series-mistakes',
            *[home.run(verb, '--series', series).check(1)
              for verb in ('plan', 'add-machine')
              for series in ('a/b', '/', '', 'amd64/noble', 'noble\n')],
            home.run('bootstrap', '--upload-tools', '--series', 'a/b').check(2),
            home.run('set-environment', 'default-series=a/b').check(1))
    # What is remembered may be another version's.
    with open(home.info_path('lab')) as file:
        text = file.read()
    assert '  default-series: noble\n' in text
    with open(home.info_path('lab'), 'w') as file:
        file.write(text.replace('  default-series: noble\n', '  default-series: a/b\n'))
    for arguments in ['plan'], ['add-machine'], ['set-constraints', 'mem=1G']:
        home.run(*arguments).check(1).says('invalid series "a/b": expected the code name')
    # It stands in the way of no other change.
    home.run('set-environment', 'anti-affinity=soft').check(0)
    home.run('set-environment', 'default-series=jammy').check(0)
    assert list(status(home)) == ['0']


def test_ports_of_a_machine(fake, home):
    bootstrap(home)
    home.run('add-machine').check(0)
    compare('ports-instance',
            home.run('ports', '-m', '1').check(0),
            home.run('open-port', '-m', '1', '80/tcp', '8000-8080/udp').check(0),
            home.run('open-port', '-m', '1', '443/tcp', '--from', '10.0.0.0/8').check(0),
            home.run('ports', '-m', '1').check(0),
            home.run('close-port', '-m', '1', '80/tcp', '81/tcp').check(0),
            home.run('ports', '-m', '1', '--format', 'json').check(0),
            home.run('status').check(0))


def wait_for_silence(fake):
    """Until the command asks the cloud no more."""
    count = -1
    while count != len(fake.requests()):
        count = len(fake.requests())
        time.sleep(0.5)


def test_ports_that_are_opened_at_once_are_all_written_down(fake, home):
    """One looks first and writes last: it looks again."""
    bootstrap(home)
    welkin = home.environment['WELKIN_HOME']
    other = welkin + '-other'
    with open(home.info_path('lab').removesuffix('.yaml') + '.lock', 'w') as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        first = home.start('open-port', '-m', '0', '8001/tcp')
        wait_for_silence(fake)
        shutil.copytree(welkin, other)
        home.run('open-port', '-m', '0', '8002/tcp', WELKIN_HOME=other).check(0)
        os.replace(os.path.join(other, 'environments', 'lab.yaml'), home.info_path('lab'))
    _, errors = first.communicate(timeout=60)
    assert first.returncode == 0, errors
    assert status(home)['0']['opened-ports'] == ['8001/tcp', '8002/tcp'], status(home)


def test_ports_of_an_environment(fake, home):
    bootstrap(home, extra='        firewall-mode: global\n')
    compare('ports-global',
            home.run('open-port', '80/tcp').check(0),
            home.run('open-port', '-m', '0', '81/tcp').check(1),
            home.run('ports').check(0),
            home.run('close-port', '80/tcp').check(0),
            home.run('ports').check(0))


def test_constraints_of_an_environment_hold_for_further_machines(fake, home):
    bootstrap(home)
    compare('constraints',
            home.run('get-constraints').check(0),
            home.run('set-constraints', 'mem=1G', 'cores=1').check(0),
            home.run('get-constraints').check(0),
            home.run('get-constraints', '--format', 'json').check(0),
            home.run('set-constraints', 'mem=much').check(2),
            home.run('set-constraints', 'instance-type=m9.moon').check(1),
            home.run('set-constraints', 'instance-type=m1.small', 'mem=1G').check(1),
            home.run('set-constraints', 'root-disk-source=tape').check(1),
            home.run('set-constraints', 'arch=s390x').check(1),
            home.run('add-machine', '--constraints', 'instance-type=m9.moon').check(1),
            home.run('set-constraints', 'tags=fast', 'mem=1G', 'cores=1').check(0),
            home.run('get-constraints').check(0))
    home.run('add-machine', '--constraints', 'cores=2').check(0)
    with open(home.info_path('lab')) as file:
        assert 'cores=2 mem=1024M tags=fast' in file.read()
    home.run('set-constraints').check(0)
    assert home.run('get-constraints').check(0).output == ''


def test_records_are_shown_without_the_cloud(fake, home):
    bootstrap(home)
    home.run('add-machine').check(0)
    fake.process.send_signal(signal.SIGSTOP)
    try:
        outcome = home.run('status', WELKIN_TIME_SCALE='1000', timeout=100).check(1)
    finally:
        fake.process.send_signal(signal.SIGCONT)
    assert 'instance-id' in outcome.output, outcome.output


def test_a_machine_that_is_gone_is_missing(fake, home):
    bootstrap(home)
    home.run('add-machine').check(0)
    name, = [name for name in list_servers(fake) if name.endswith('-1')]
    fake.control('DELETE', f'server/{name.split("/")[-1]}')
    assert status(home)['1']['instance-state'] == 'missing'
    outcome = home.run('provision', '--once').check(0)
    outcome.says('machine 1: its instance is gone')


def test_an_instance_can_outlive_its_machine(fake, home):
    """It is neither stopped as one that nobody knows of, nor started again."""
    bootstrap(home, extra='        provisioner-harvest-mode: all\n')
    home.run('add-machine').check(0)
    home.run('destroy-machine', '1', '--keep-instance', quiet=False).check(0).says(
        'Machine 1 is forgotten, and its instance runs on')
    home.run('provision', '--once').check(0)
    assert list(status(home)) == ['0'] and len(list_servers(fake)) == 2

    # It goes with its environment, which is told before anything is done.
    compare('kept-instances', home.run('destroy-environment', 'lab', stdin='n\n').check(1),
            home.run('destroy-environment', 'lab', '-y').check(0))
    assert list_servers(fake) == []


def test_what_is_no_environment_is_not_still_remembered(fake, home):
    home.write()
    compare('destroy-nothing',
            *[home.run('destroy-environment', name, '-y', *more).check(1)
              for name in ('../try', 'lab') for more in ([], ['--force'])])


def test_an_interrupted_destruction_by_force_is_repeated_by_force(fake, home):
    bootstrap(home)
    home.run('add-machine').check(0)
    fake.control('POST', 'rules', {'service': 'compute', 'method': 'DELETE', 'path': '*',
                                   'times': -1, 'action': 'fail', 'status': 403, 'body': '{}'})
    home.run('destroy-environment', 'lab', '-y', '--force').check(1).says(
        'run "welkin destroy-environment lab --force" again')


def test_one_that_fails_keeps_no_others_from_starting(fake, home):
    bootstrap(home)
    fake.control('POST', 'quotas', {'project': 'demo', 'instances': 3})
    outcome = home.run('add-machine', '-n', '3', '--parallel', '1').check(1)
    outcome.says('these machines are not started:\n  3: ', 'uota')
    machines = status(home)
    assert [machines[str(i)]['agent-state'] for i in range(4)] == ['started'] * 3 + ['error']
    assert 'quota' in machines['3']['agent-state-info'].lower()


def test_what_to_do_is_told_of_a_start_that_failed(fake, home):
    bootstrap(home)
    fake.control('POST', 'scripts', {'times': -1, 'states': 'BUILD,ERROR', 'code': 500,
                                     'message': 'No valid host was found.'})
    home.run('add-machine').check(1).says('\n    The cloud has no room', 'ask for less')
    assert 'ask for less' in status(home)['1']['agent-state-info'], status(home)


def test_what_to_do_is_told_where_the_project_has_no_more(fake, home):
    bootstrap(home)
    for quota in 'instances', 'port', 'security_group':
        fake.control('POST', 'quotas', {'project': 'demo', quota: 0})
        home.run('add-machine').check(1).says(
            'uota exceeded', '\n    The project may have no more: ')
        fake.control('POST', 'quotas', {'project': 'demo', quota: 100})


def test_what_to_do_is_told_where_a_network_has_no_address_left(fake, home):
    bootstrap(home)
    body = {'NeutronError': {'type': 'IpAddressGenerationFailure', 'detail': '',
                             'message': 'No more IP addresses available on network n.'}}
    fake.control('POST', 'rules', {'service': 'network', 'method': 'POST', 'path': '*/ports',
                                   'times': -1, 'action': 'fail', 'status': 409,
                                   'body': json.dumps(body)})
    home.run('add-machine').check(1).says('\n    The network has no free address: ')
    fake.control('DELETE', 'rules')
    fake.control('POST', 'scripts', {'times': -1, 'states': 'BUILD,ERROR', 'code': 500,
                                     'message': 'No fixed IP addresses available for network: n'})
    home.run('add-machine').check(1).says('\n    The network has no free address: ')


def test_what_to_do_is_told_of_a_server_that_is_never_ready(fake, home):
    bootstrap(home)
    fake.control('POST', 'settings', {'build-delay': 100000000})
    home.run('add-machine', WELKIN_TIME_SCALE='3000').check(1).says(
        'still in state BUILD', '\n    A slow cloud may need a larger "start-timeout"')


def test_all_that_was_tried_is_told_of_a_start_that_failed(fake, home):
    bootstrap(home)
    fake.control('POST', 'flavor', {'name': 'm1.small.amd', 'ram': 2048, 'vcpus': 1, 'disk': 20})
    fake.control('POST', 'rules', {
        'service': 'compute', 'method': 'POST', 'path': '*/action', 'times': -1, 'action': 'fail',
        'status': 200, 'body': json.dumps({'output': '[    1.0] Booting\nKernel panic\n'})})
    before = list_servers(fake)
    for zone, message in (('az2', 'No valid host was found. a'), ('az2', 'Exhausted all hosts. b'),
                          ('az3', 'No valid host was found. c'), ('az3', 'The disk caught fire.')):
        fake.control('POST', 'scripts', {'zone': zone, 'times': 1, 'states': 'BUILD,ERROR',
                                         'code': 500, 'message': message})
    compare('machines-failed', home.run('add-machine').check(1), home.run('status').check(0))
    assert list_servers(fake) == before


def test_what_failed_for_a_passing_reason_is_tried_again(fake, home):
    bootstrap(home)
    fake.control('POST', 'rules', {'service': 'compute', 'method': 'POST', 'path': '*/servers',
                                   'times': -1, 'action': 'fail', 'status': 503})
    home.run('add-machine', WELKIN_TIME_SCALE='1000').check(1)
    machine = status(home)['1']
    assert machine['agent-state'] == 'error' and 'instance-id' not in machine, machine
    fake.control('DELETE', 'rules')
    home.run('provision', '--once').check(0)
    assert status(home)['1']['agent-state'] == 'started'


def test_a_provisioner_goes_on_until_it_is_interrupted(fake, home):
    bootstrap(home)
    provisioner = home.start('provision', '--interval', '1')
    home.run('add-machine', '-n', '2').check(0)
    provisioner.send_signal(signal.SIGINT)
    provisioner.communicate(timeout=30)
    assert provisioner.returncode == 130, provisioner.returncode
    assert len(list_servers(fake)) == 3


def test_ports_of_no_machine_say_how_to_name_one(fake, home):
    bootstrap(home)
    for arguments in ['ports'], ['open-port', '80/tcp'], ['close-port', '80/tcp']:
        home.run(*arguments).check(1).says('invalid firewall mode "instance"', 'name it with -m.\n')


def interrupt(fake, home, number, method, path, *arguments):
    """While the cloud takes its time with what is asked under a path."""
    fake.control('POST', 'rules', {'method': method, 'path': path, 'delay_ms': 2000})
    fake.control('DELETE', 'log')
    process = home.start(*arguments)
    end = time.monotonic() + 20
    while not any(request['method'] == method and request['path'].startswith(path.rstrip('*'))
                  for request in fake.requests()):
        assert time.monotonic() < end and process.poll() is None, arguments
        time.sleep(0.02)
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)
    fake.control('DELETE', 'rules')
    assert process.returncode == 130, errors
    return errors


def test_an_interruption_is_one_sentence(fake, home):
    bootstrap(home)
    home.run('add-machine', '-n', '3').check(0)
    for number in signal.SIGINT, signal.SIGTERM:
        errors = interrupt(fake, home, number, 'GET', '/compute/v2.1/flavors*', 'plan')
        assert errors.endswith('error: interrupted\n') and 'cancelled' not in errors, errors
    for method, path, machine in (('DELETE', '/compute/v2.1/servers/*', '3'),
                                  ('GET', '/network/v2.0/ports*', '2')):
        errors = interrupt(fake, home, signal.SIGINT, method, path, 'destroy-machine', machine)
        assert errors == ('Interrupted: coming to an orderly end\n'
                          'The machines are marked to go: "welkin provision --once" goes on\n'
                          'error: interrupted\n'), errors


def test_an_interrupted_start_is_undone_and_remembered(fake, home):
    bootstrap(home)
    fake.control('POST', 'settings', {'build-delay': 5000})
    process = home.start('add-machine')
    while len(list_servers(fake)) < 2:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert 'welkin provision --once' in errors, errors
    machine = status(home)['1']
    assert 'welkin provision --once' in machine.pop('agent-state-info'), machine
    assert machine == {'agent-state': 'pending', 'series': 'noble'}, machine
    assert len(list_servers(fake)) == 1


def test_an_environment_that_cannot_be_opened_is_forgotten_by_force(fake, home):
    bootstrap(home)
    with open(home.info_path('lab')) as file:
        text = file.read()
    with open(home.info_path('lab'), 'w') as file:
        file.write(text.replace('type: openstack', 'type: abacus'))
    home.run('destroy-environment', 'lab', '-y').check(1).says('abacus')
    assert os.path.exists(home.info_path('lab'))
    home.run('destroy-environment', 'lab', '-y', '--force').check(1).says(
        'is forgotten', 'were not removed')
    assert not os.path.exists(home.info_path('lab'))


def kill_during(home, fake, delay, *arguments):
    process = home.start(*arguments)
    time.sleep(delay)
    process.kill()
    process.communicate()


def test_a_start_that_was_killed_is_gone_on_with(fake, home):
    """At several moments; whatever they left, one server for each machine is there at the end."""
    before = fake.inventory()
    bootstrap(home)
    fake.control('POST', 'settings', {'latency': 20})
    for delay in (0.02, 0.05, 0.08, 0.11, 0.14, 0.17, 0.2, 0.25, 0.3, 0.4):
        kill_during(home, fake, delay, 'add-machine')
        home.run('provision', '--once').check(0)
        machines = status(home)
        servers = [machine['instance-id'] for machine in machines.values()]
        assert len(set(servers)) == len(machines), machines
        assert len(list_servers(fake)) == len(machines), (delay, machines, fake.inventory())
        ports = [line for line in fake.inventory().splitlines() if 'port demo/welkin-' in line]
        assert len(ports) == len(machines), (delay, ports)
    home.run('destroy-environment', 'lab', '-y', '--force').check(0)
    assert fake.inventory() == before


def test_a_stop_that_was_killed_is_gone_on_with(fake, home):
    bootstrap(home)
    home.run('add-machine', '-n', '6').check(0)
    for number, delay in enumerate((0.02, 0.06, 0.1, 0.15, 0.2, 0.3), 1):
        kill_during(home, fake, delay, 'destroy-machine', str(number))
        home.run('destroy-machine', str(number))
        assert str(number) not in status(home)
        assert len(list_servers(fake)) == 7 - number


def test_three_provisioners_start_nothing_twice(fake, home):
    bootstrap(home)
    adding = [home.start('add-machine', '-n', '2') for _ in range(3)]
    for process in adding:
        output, errors = process.communicate(timeout=60)
        assert process.returncode == 0, errors
    machines = status(home)
    assert sorted(machines) == ['0', '1', '2', '3', '4', '5', '6'], machines
    assert len(list_servers(fake)) == 7 and count_servers(fake) == 7


if __name__ == '__main__':
    wanted = sys.argv[1:]
    tests = [function for name, function in list(globals().items()) if name.startswith('test_')]
    sys.exit(run_tests([test for test in tests if not wanted or test.__name__ in wanted]))
