#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A bootstrap that goes on until the first machine can be logged in to."""

import base64
import contextlib
import json
import os
import random
import re
import signal
import ssl
import subprocess
import sys
import time
import urllib.request

from fixture import Fake, Home, compare, run_tests
from machine import Machine, can_boot


@contextlib.contextmanager
def booting(fake, home, **arguments):
    machine = Machine(fake, home, **arguments)
    try:
        yield machine
    finally:
        machine.stop()
        assert machine.error is None, machine.error


def remembered(home, field):
    with open(home.info_path('lab'), encoding='utf-8') as file:
        found = re.search(rf'^ *{field}:(.*(\n *-.*)*)$', file.read(), re.MULTILINE)
    return found and found[1]


def test_a_bootstrap_ends_when_the_machine_can_be_logged_in_to(fake, home):
    with booting(fake, home) as machine:
        outcome = home.run('bootstrap', '--until', 'ssh', quiet=False).check(0)
        outcome.says('Attempting to connect to 127.0.77.')
        # The key of the user data was for the first connection alone.
        key = machine.read('etc/ssh/ssh_host_ed25519_key.pub').split()[1]
        assert key in remembered(home, 'host-key'), remembered(home, 'host-key')
        home.run('destroy-environment', '-y', 'lab').check(0)


def test_machines_are_logged_in_to_and_files_copied(fake, home):
    with booting(fake, home) as machine:
        home.run('bootstrap', '--until', 'ssh').check(0)
        outcome = home.run('ssh', '0', 'echo', 'here', '-n').check(0)
        assert outcome.output == 'here -n\n', outcome.output
        outcome = home.run('ssh', '-e', 'lab', '0', 'cat; exit 7', stdin='typed').check(7)
        assert outcome.output == 'typed', outcome.output
        sent = os.path.join(home.directory, 'sent file')
        with open(sent, 'w', encoding='utf-8') as file:
            file.write('contents')
        # The fixture has no sftp.
        home.run('scp', '--', '-q', '-O', sent, f'0:{home.directory}/received').check(0)
        with open(os.path.join(home.directory, 'received'), encoding='utf-8') as file:
            assert file.read() == 'contents'

        # A host that is named is not overridden by what the cloud says.
        home.run('set-environment', 'ssh-host=127.0.0.9').check(0)
        home.run('ssh', '0', 'true').check(255).says('127.0.0.9')
        home.run('unset-environment', 'ssh-host').check(0)
        home.run('ssh', '0', 'true').check(0)

        # Somebody else at the address does not show the host key.
        subprocess.run([os.path.join(machine.root, 'bin/ssh-keygen')], check=True)
        subprocess.run([os.path.join(machine.root, 'bin/systemctl'), 'try-reload-or-restart'],
                       check=True)
        time.sleep(0.5)
        home.run('ssh', '0', 'true').check(255).says('Host key verification failed.')

        # What cannot be read is not empty.
        known = os.path.join(home.environment['WELKIN_HOME'], 'ssh/known_hosts-lab')
        assert os.stat(known).st_mode & 0o777 == 0o600
        os.rename(known, known + '.kept')
        os.symlink('known_hosts-lab', known)
        home.run('ssh', '0', 'true').check(1).says('Cannot read the host keys: ')
        assert os.readlink(known) == 'known_hosts-lab'

        os.rename(known + '.kept', known)
        home.run('destroy-environment', '-y', 'lab').check(0)
        assert not os.path.exists(known)


def test_our_own_key_goes_with_whatever_is_set(fake, home):
    with booting(fake, home) as machine:
        home.run('bootstrap').check(0)
        with open(os.path.join(home.environment['WELKIN_HOME'], 'ssh/welkin_id_ed25519.pub'),
                  encoding='utf-8') as file:
            kind, own, _ = file.read().split()
        keys = machine.find_user_data('bootstrap:')['ssh_authorized_keys']
        assert [key.split()[1] for key in keys].count(own) == 1, keys
        home.run('set-environment', f'authorized-keys={kind} AAAAC3NzaC1lZDI1NTE5AAAA me').check(0)
        home.run('add-machine').check(0)
        keys = machine.find_user_data('client:')['ssh_authorized_keys']
        assert [key.split()[1] for key in keys] == ['AAAAC3NzaC1lZDI1NTE5AAAA', own], keys


def test_keys_that_are_lost_are_told_of(fake, home):
    with booting(fake, home):
        home.run('bootstrap', '--until', 'ssh').check(0)
        keys = os.path.join(home.environment['WELKIN_HOME'], 'ssh')
        for name in ('welkin_id_ed25519', 'welkin_id_ed25519.pub'):
            os.remove(os.path.join(keys, name))
        # A new pair would be of no use to a machine that is there.
        for _ in range(2):
            home.run('ssh', '0', 'true').check(255).says(
                f'there is no key of ours in "{keys}": machines that were started with one may '
                'refuse others', 'Permission denied')
        outcome = home.run('add-machine').check(0)
        outcome.says('a new key pair is made', 'machines that are there already do not know it')
        outcome = home.run('add-machine').check(0)
        assert 'key' not in outcome.errors, outcome.errors


def test_mistakes_with_ssh_are_told(fake, home):
    home.write(extra='        network: private\n')
    home.run('bootstrap').check(0)
    compare('ssh-mistakes',
            home.run('ssh').check(2),
            home.run('ssh', '7').check(1),
            home.run('ssh', 'x/y').check(1),
            home.run('scp', 'one').check(2),
            home.run('scp', 'one', '7:two').check(1),
            home.run('ssh', '--wrong', '0').check(2))


def test_a_machine_with_another_nonce_is_not_the_one(fake, home):
    with booting(fake, home, nonce='another'):
        before = fake.inventory()
        home.run('bootstrap', '--until', 'ssh').check(1).says(
            'waited for 6m40s without being able to connect: ',
            'nonce.txt contents do not match machine nonce')
        assert fake.inventory() == before, fake.inventory()


def make_key(home):
    path = os.path.join(home.directory, 'other')
    subprocess.run(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', path], check=True)
    with open(path, encoding='utf-8') as file:
        return file.read()


def test_a_machine_with_another_host_key_is_not_the_one(fake, home):
    with booting(fake, home, host_key=make_key(home)):
        before = fake.inventory()
        home.run('bootstrap', '--until', 'ssh').check(1).says('Host key verification failed.')
        assert fake.inventory() == before, fake.inventory()


def test_any_host_key_will_do_on_demand(fake, home):
    with booting(fake, home, host_key=make_key(home)):
        home.run('bootstrap', '--until', 'ssh', '--insecure-host-key').check(0)


def test_a_machine_that_cannot_be_set_up_is_removed_or_kept(fake, home):
    with booting(fake, home, fails='ssh-keygen'):
        before = fake.inventory()
        outcome = home.run('bootstrap', '--until', 'ssh', quiet=False).check(1)
        # The end of the log of the machine, and which of it was the last.
        outcome.says('\nit is broken\n',
                     'error: Cannot set up machine 0: cannot make new host keys: '
                     'it ended with status 9: it is broken\n')
        assert fake.inventory() == before, fake.inventory()


def test_a_machine_that_cannot_be_set_up_is_kept_on_demand(fake, home):
    with booting(fake, home, fails='ssh-keygen'):
        home.run('bootstrap', '--until', 'ssh', '--keep-broken').check(1)
        assert 'server demo/' in fake.inventory(), fake.inventory()
        home.run('destroy-environment', '-y', 'lab').check(0)
        assert 'server demo/' not in fake.inventory(), fake.inventory()


def test_a_machine_that_cannot_be_removed_stays_known(fake, home):
    with booting(fake, home, fails='ssh-keygen'):
        before = fake.inventory()
        fake.control('POST', 'rules', {'service': 'compute', 'method': 'DELETE', 'path': '*',
                                       'times': -1, 'action': 'fail', 'status': 403, 'body': '{}'})
        outcome = home.run('bootstrap', '--until', 'ssh').check(1)
        outcome.says('Stopping instance...\n', 'it ended with status 9: it is broken',
                     'cannot stop failed bootstrap instance "')
        assert 'server demo/' in fake.inventory(), fake.inventory()
        fake.control('DELETE', 'rules')
        home.run('destroy-environment', '-y', 'lab').check(0)
        assert fake.inventory() == before, fake.inventory()


def test_an_interrupted_wait_leaves_nothing(fake, home):
    with booting(fake, home, nonce='another') as machine:
        before = fake.inventory()
        process = home.start('bootstrap', '--until', 'ssh')
        while machine.process is None:
            time.sleep(0.05)
        process.send_signal(signal.SIGTERM)
        assert process.stderr.readline() == 'Interrupted: coming to an orderly end\n'
        process.send_signal(signal.SIGHUP)
        output, errors = process.communicate(timeout=30)
        assert process.returncode == 130, (process.returncode, output, errors)
        assert 'Cleaning up failed bootstrap\n' in errors, errors
        assert fake.inventory() == before, fake.inventory()


HOST_KEY = 'etc/ssh/ssh_host_ed25519_key'

AGENT = """#!/bin/sh
[ "$1" != version ] && exec "{agent}" "$@"
echo 0.1.0-noble-amd64
"""


def make_agent(home):
    """A directory with our agent; its libraries need not go with it."""
    directory = os.path.join(home.directory, 'agent')
    os.makedirs(directory)
    path = os.path.join(directory, 'welkin-agent')
    with open(path, 'w', encoding='utf-8') as file:
        file.write(AGENT.format(agent=os.environ['WELKIN_TEST_AGENT']))
    os.chmod(path, 0o755)
    return directory


def interrupt(number, seconds):
    """A bootstrap that is interrupted after so long: it has ended well, or left nothing."""
    fake = Fake('--build-delay', '50')
    home = Home(fake)
    try:
        with booting(fake, home, slow='systemctl'):
            before = fake.inventory()
            process = home.start('bootstrap', '--until', 'agent', '--upload-tools', '--agent-dir',
                                 make_agent(home))
            time.sleep(seconds)
            process.send_signal(number)
            output, errors = process.communicate(timeout=60)
            print(f'# {number.name} after {seconds:.2f} s: status {process.returncode}')
            if process.returncode != 0:
                assert process.returncode in (130, -number), (process.returncode, output, errors)
                assert fake.inventory() == before, fake.inventory()
    finally:
        home.remove()
        fake.stop()


def test_interrupts_at_random_moments_leave_nothing(fake, home):
    for moment in range(int(os.environ.get('WELKIN_TEST_MOMENTS', '3'))):
        interrupt(random.choice([signal.SIGINT, signal.SIGTERM]), random.uniform(0, 4))


def test_the_agent_is_set_up_and_waited_for(fake, home):
    with booting(fake, home) as machine:
        agent = make_agent(home)
        home.until = None
        outcome = home.run('bootstrap', '--upload-tools', '--agent-dir', agent,
                           quiet=False).check(0)
        outcome.says('Installing package: curl\n', 'Fetching tools: ',
                     'Starting the machine agent')
        assert machine.mode('var/lib/welkin/agents/machine-0/agent.conf') == 0o600
        text = machine.read('var/lib/welkin/agents/machine-0/agent.conf')
        assert 'tag: machine-0\n' in text and 'secret\n' not in text, text
        assert f':{machine.api_port}' in remembered(home, 'api-addresses')

        # What comes later is told all at its first boot, and reports to the first machine.
        added = machines(home.run('add-machine', '--format', 'json').check(0))['1']
        assert (added['agent-state'], added['agent-state-info']) == (
            'pending', 'its agent has not reported yet'), added
        commands = '\n'.join(machine.find_user_data('client:')['runcmd'])
        assert '/var/lib/welkin/agents/machine-1/agent.conf' in commands, commands
        assert f"127.0.77.{machine.address.split('.')[3]}:{machine.api_port}" in commands, commands
        own = re.search(r'^apipassword: \W*([0-9a-f]{64})\W*$', commands, re.MULTILINE)[1]
        assert own not in text, own
        for name in ('server.pem', 'system-identity', 'apisecret'):
            assert name not in commands, commands

        # Nobody boots the second machine: it has not reported yet.
        assert agent_states(home) == {'0': 'started', '1': 'pending'}, agent_states(home)
        report(machine, '1', own)
        assert agent_states(home) == {'0': 'started', '1': 'started'}, agent_states(home)
        shown = home.run('status').check(0).output
        assert 'agent-version: 0.1.0-' in shown, shown
        instance = machines(home.run('status', '--format', 'json'))['1']['instance-id']
        fake.control('DELETE', f'server/{instance.split("/")[-1]}')
        assert agent_states(home) == {'0': 'started', '1': 'down'}, agent_states(home)
        machine.stop_agent()
        begun = time.monotonic()
        outcome = home.run('status', '--format', 'json', quiet=False).check(0)
        outcome.says('The agent does not answer')
        assert time.monotonic() - begun < 20
        assert {machine['agent-state'] for machine in machines(outcome).values()} == {'started'}


def kill_when(home, is_time, *options):
    """A bootstrap that is killed in the middle of it."""
    process = home.start('bootstrap', *options)
    deadline = time.monotonic() + 60
    while not is_time():
        assert process.poll() is None and time.monotonic() < deadline, process.communicate()
        time.sleep(0.02)
    process.kill()
    process.communicate()


def one_machine(fake, home):
    """How a bootstrap that was killed is gone on with."""
    servers = [line for line in fake.inventory().splitlines() if line.startswith('server demo/')]
    assert len(servers) == 1, servers
    shown = home.run('status', '--format', 'json').check(0)
    assert 'agent-state-info' not in machines(shown)['0'], shown.output
    home.run('bootstrap', '--until', 'agent').check(1).says('already bootstrapped')
    home.run('destroy-environment', '-y', 'lab').check(0)


def test_a_bootstrap_that_was_killed_while_it_waited_goes_on(fake, home):
    with booting(fake, home, nonce='another') as machine:
        before = fake.inventory()
        kill_when(home, lambda: machine.process is not None, '--until', 'ssh')
        shown = home.run('status').check(0).output
        assert 'agent-state-info: \'its set-up has not ended: ' in shown, shown
        machine.nonce = None
        machine.write_nonce(machine.find_user_data())
        home.run('bootstrap', '--until', 'ssh').check(0)
        one_machine(fake, home)
        assert fake.inventory() == before, fake.inventory()


def test_a_bootstrap_that_was_killed_while_it_set_up_goes_on(fake, home):
    with booting(fake, home, slow='systemctl') as machine:
        options = ['--until', 'agent', '--upload-tools', '--agent-dir', make_agent(home)]
        before = fake.inventory()
        for name in ('var/lib/welkin/tools', 'enabled'):
            kill_when(home, lambda name=name: machine.has(name), *options)
        home.run('bootstrap', *options).check(0)
        assert agent_states(home) == {'0': 'started'}, agent_states(home)
        one_machine(fake, home)
        assert fake.inventory() == before, fake.inventory()


def test_a_bootstrap_that_was_killed_knows_the_host_key(fake, home):
    with booting(fake, home, slow='systemctl') as machine:
        kill_when(home, lambda: machine.has('etc/ssh/welkin_next_host_key.pub'), '--until', 'ssh')
        first = machine.read(HOST_KEY)
        kill_when(home, lambda: machine.has(HOST_KEY) and machine.read(HOST_KEY) != first,
                  '--until', 'ssh')
        home.run('bootstrap', '--until', 'ssh').check(0)
        key = machine.read(HOST_KEY + '.pub').split()[1]
        assert remembered(home, 'host-key').strip() == f'ssh-ed25519 {key}'
        home.run('ssh', '0', 'true').check(0)
        one_machine(fake, home)


def test_a_bootstrap_that_was_killed_is_destroyed(fake, home):
    with booting(fake, home, nonce='another') as machine:
        before = fake.inventory()
        kill_when(home, lambda: machine.process is not None, '--until', 'ssh')
        home.run('destroy-environment', '-y', 'lab').check(0)
        assert fake.inventory() == before, fake.inventory()
        assert not os.path.exists(home.info_path('lab'))


def test_a_machine_that_went_while_it_was_set_up_is_made_anew(fake, home):
    with booting(fake, home, nonce='another') as machine:
        kill_when(home, lambda: machine.process is not None, '--until', 'ssh')
        server = next(line for line in fake.inventory().splitlines()
                      if line.startswith('server demo/'))
        fake.control('DELETE', f'server/{server.split()[1].split("/")[1]}')
        home.run('bootstrap').check(0)
        one_machine(fake, home)


def machines(outcome):
    return json.loads(outcome.output)['machines']


def agent_states(home):
    outcome = home.run('status', '--format', 'json', quiet=False).check(0)
    assert 'The agent does not answer' not in outcome.errors, outcome.errors
    return {name: machine['agent-state'] for name, machine in machines(outcome).items()}


def report(machine, number, password):
    """As the agent of another machine does it."""
    body = {'machine': {'status': 'started', 'version': '0.1.0-noble-amd64'}}
    login = base64.b64encode(f'machine-{number}:{password}'.encode()).decode()
    request = urllib.request.Request(
        f'https://{machine.address}:{machine.api_port}/v1/machines/{number}', method='PUT',
        data=json.dumps(body).encode(), headers={'Authorization': f'Basic {login}'})
    context = ssl.create_default_context(cadata=machine.authority())
    context.check_hostname = False
    with urllib.request.urlopen(request, context=context, timeout=20) as answer:
        assert answer.status == 204, answer.status


def test_a_bootstrap_without_a_client_starts_nothing(fake, home):
    home.write(extra='        network: private\n')
    before = fake.inventory()
    home.run('bootstrap', '--until', 'ssh', WELKIN_SSH='/nonexistent').check(1).says(
        'no SSH client available')
    assert fake.inventory() == before, fake.inventory()


if __name__ == '__main__':
    if not can_boot():
        print('1..0 # SKIP openssh-server or openssh-client is not installed')
        sys.exit(0)
    wanted = sys.argv[1:]
    tests = [function for name, function in list(globals().items()) if name.startswith('test_')]
    sys.exit(run_tests([test for test in tests if not wanted or test.__name__ in wanted]))
