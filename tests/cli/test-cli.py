#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What a user sees of the command: every verb, and every mistake that a newcomer makes."""

import json
import os
import random
import signal
import stat
import subprocess
import sys
import time
import urllib.request

from fixture import compare, run_tests

NETWORK = '        network: private\n'
FLOATING = NETWORK + '        use-floating-ip: true\n        external-network: public\n'


def test_help_and_version(fake, home):
    compare('help', home.run('help').check(0), home.run('help', 'bootstrap').check(0))
    home.run('version').check(0)
    home.run('--version').check(0)
    home.run('bootstrap', '--help').check(0)


def test_wrong_use_exits_with_2(fake, home):
    home.write(extra=NETWORK)
    compare('usage',
            home.run('frobnicate').check(2),
            home.run('bootstrap', 'lab').check(2),
            home.run('bootstrap', '--until', 'noon').check(2),
            home.run('bootstrap', '--constraints', 'mem=lots').check(2),
            home.run('status', '--format', 'xml').check(2),
            home.run('destroy-environment').check(2),
            home.run('destroy-environment', 'lab', '-e', 'lab').check(2),
            home.run('switch', '--list', 'lab').check(2),
            home.run('--no-such-flag', 'status').check(2))


def test_output_goes_where_it_is_told(fake, home):
    home.write(extra=NETWORK)
    home.run('bootstrap').check(0)
    path = os.path.join(home.directory, 'status.yaml')
    link = os.path.join(home.directory, 'link.yaml')
    pipe = os.path.join(home.directory, 'pipe')
    os.symlink(path, link)
    home.run('status', '-o', link).check(0)
    assert os.path.islink(link) and 'machines:' in open(path).read()

    os.mkfifo(pipe)
    process = home.start('status', '-o', pipe)
    with open(pipe) as reader:
        assert 'machines:' in reader.read()
    process.communicate(timeout=20)
    assert process.returncode == 0 and stat.S_ISFIFO(os.lstat(pipe).st_mode)

    home.run('status', '-o', home.directory).check(1).says('Is a directory')
    home.run('status', '-o', '').check(2)
    with open('/dev/full', 'w') as full:
        process = subprocess.run([os.environ['WELKIN_TEST_COMMAND'], 'status'], stdout=full,
                                 stderr=subprocess.PIPE, env=home.environment, text=True,
                                 timeout=60, check=False)
    assert process.returncode == 1 and 'No space left' in process.stderr, process.stderr
    home.run('destroy-environment', 'lab', '-y').check(0)


def test_options_may_stand_on_either_side(fake, home):
    home.write(extra=NETWORK)
    assert 'Commands:' in home.run('--help').check(0).output
    assert 'Commands:' in home.run('-h').check(0).output
    assert '--format' in home.run('status', '-h').check(0).output
    home.run('status', '--debug').check(1).says('not bootstrapped')
    home.run('status', '-e', '').check(2)
    home.run('status', '-e', 'nosuch').check(1).says('"nosuch" not found')
    home.run('status', '-e', 'n\u00e9', LC_ALL='C').check(1).says('not found')


def test_init_writes_a_private_file_once(fake, home):
    first = home.run('init').check(0)
    path = first.output.strip()
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(os.path.dirname(path)).st_mode) == 0o700
    compare('init', first, home.run('init').check(1), home.run('init', '--show').check(0))
    home.run('init', '-f').check(0)

    with open(path, 'w') as file:
        file.write('environments: [\n')
    home.run('init', '-f').check(1).says('environments.yaml')


def test_switch_chooses(fake, home):
    home.write(extra='    other:\n        type: openstack\n')
    outcomes = [home.run('switch').check(1),
                home.run('switch', '--list').check(0),
                home.run('switch', 'nowhere').check(1),
                home.run('switch', 'other').check(0),
                home.run('switch').check(0),
                home.run('switch', 'lab').check(0),
                home.run('switch', 'lab', WELKIN_ENV='other').check(1),
                home.run('switch', WELKIN_ENV='other').check(0)]
    compare('switch', *outcomes)


def test_providers_lists_and_checks(fake, home):
    compare('providers',
            home.run('providers').check(0),
            home.run('providers', '--check', 'openstack').check(0),
            home.run('providers', '--check', 'nosuch').check(1))


def test_bootstrap_status_destroy(fake, home):
    before = fake.inventory()
    home.write(extra=FLOATING)
    compare('bootstrap',
            home.run('status').check(1),
            home.run('bootstrap').check(0),
            home.run('status').check(0),
            home.run('status', '--format', 'json').check(0),
            home.run('bootstrap').check(1),
            home.run('destroy-environment', 'lab', stdin='no\n').check(1),
            home.run('destroy-environment', 'lab', stdin='y\n').check(0),
            home.run('destroy-environment', 'lab', '-y').check(1))
    assert fake.inventory() == before
    assert not os.path.exists(home.info_path('lab'))


def test_the_examples_list_the_machines(fake, home):
    home.write(extra=FLOATING)
    home.run('bootstrap').check(0)
    status = json.loads(home.run('status', '--format', 'json').check(0).output)
    machine = status['machines']['0']
    for example in os.environ['WELKIN_TEST_EXAMPLES'].split(':'):
        listed = subprocess.run(example.split(), env=home.environment, capture_output=True,
                                text=True, timeout=60, check=False)
        assert listed.returncode == 0, f'{example}: {listed.stderr}'
        words = listed.stdout.split()
        assert words == [machine['instance-id'], 'ACTIVE', machine['dns-name']], \
            f'{example}: {listed.stdout}'
    home.run('destroy-environment', 'lab', '-y').check(0)


def test_progress_in_a_pipe_is_lines(fake, home):
    fake.control('POST', 'settings', {'latency': 60})
    home.write(extra=NETWORK)
    lines = home.run('--verbose', 'bootstrap', quiet=False).check(0).errors.splitlines()
    # What is overtaken by the next message within a moment is never seen.
    assert lines[0] == 'Looking at the cloud' and len(lines) >= 3, lines
    assert len(set(lines)) == len(lines), lines
    home.run('destroy-environment', 'lab', '-y').check(0)


def test_an_interrupt_at_the_question_changes_nothing(fake, home):
    home.write(extra=NETWORK)
    home.run('bootstrap').check(0)
    before = fake.inventory()
    process = home.start('destroy-environment', 'lab')
    while 'Continue' not in (question := process.stderr.read(9)):
        assert question, 'no question is asked'
        process.stderr.readline()
    process.send_signal(signal.SIGINT)
    process.communicate('y\n', timeout=20)
    assert process.returncode == 130, process.returncode
    assert fake.inventory() == before
    home.run('destroy-environment', 'lab', '-y').check(0)


def test_a_plugin_that_crashes_is_a_report(fake, home):
    directory = os.path.join(os.environ['WELKIN_TEST_PLUGINS'], '..', 'tests', 'plugins', 'crash')
    name, = (file.removesuffix('.so') for file in os.listdir(directory) if file.endswith('.so'))
    home.run('--plugin-dir', directory, 'providers', '--check', name).check(1) \
        .says('ended its process with signal')


def test_progress_on_a_terminal_is_one_line(fake, home):
    fake.control('POST', 'settings', {'latency': 60})
    home.write(extra=NETWORK)
    written, status = home.run_on_terminal('bootstrap')
    assert status == 0, written
    assert '\r\x1b[K0:00  Looking at the cloud' in written, written
    assert 'Looking at the cloud\r\n' not in written, written
    # The line is gone before anything that stays is written.
    assert '\r\x1b[KEnvironment "lab" is bootstrapped' in written, written
    home.run('destroy-environment', 'lab', '-y').check(0)


def test_what_is_remembered_is_private(fake, home):
    home.write(extra=NETWORK)
    home.run('bootstrap').check(0)
    assert stat.S_IMODE(os.stat(home.info_path('lab')).st_mode) == 0o600
    with open(home.info_path('lab')) as file:
        text = file.read()
    assert 'start-id' in text and 'instance-id' in text
    home.run('destroy-environment', 'lab', '-y').check(0)


def test_variables_are_enough(fake, home):
    variables = {'OS_AUTH_URL': fake.auth_url, 'OS_USERNAME': 'demo', 'OS_PASSWORD': 'secret',
                 'OS_PROJECT_NAME': 'demo', 'OS_REGION_NAME': 'RegionOne'}
    before = fake.inventory()
    home.run('init').check(0)
    home.run('bootstrap', **variables).check(0)
    home.run('status', **variables).check(0)
    home.run('destroy-environment', 'openstack', '-y', **variables).check(0)
    assert fake.inventory() == before


def mistakes(fake, home):
    """Each mistake in environments.yaml or in the cloud: what is written, what is run."""
    yield 'no file', lambda: None
    yield 'a broken file', lambda: home.write('environments: [{{\n')
    yield 'a file of something else', lambda: home.write('- a\n- b\n')
    yield 'no type', lambda: home.write('environments:\n    lab:\n        region: R\n')
    yield 'an unknown type', lambda: home.write('environments:\n    lab:\n        type: cloudy\n')
    yield 'a key twice', lambda: home.write(extra='        region: R\n')
    yield 'a wrong bool', lambda: home.write(extra='        use-floating-ip: perhaps\n')
    yield 'a wrong number', lambda: home.write(extra='        api-port: many\n')
    yield 'a list for a word', lambda: home.write(extra='        network: [a, b, {{}}]\n')
    yield 'a wrong choice', lambda: home.write(extra='        firewall-mode: sometimes\n')
    yield 'a wrong URL', lambda: home.write(auth_url='ftp://cloud/')
    yield 'a wrong password', lambda: home.write(password='WrongCanary', extra=NETWORK)
    yield 'an unreachable cloud', lambda: home.write(auth_url='http://127.0.0.1:1/v3')
    yield 'an unknown region', lambda: home.write(extra=NETWORK, auth_url=fake.auth_url) or \
        home.write(open(os.path.join(home.environment['WELKIN_HOME'], 'environments.yaml'))
                   .read().replace('RegionOne', 'Elsewhere'))
    yield 'an unknown network', lambda: home.write(extra='        network: nosuch\n')
    yield 'an unknown external network', lambda: home.write(
        extra=FLOATING.replace('external-network: public', 'external-network: nosuch'))
    yield 'an unknown series', lambda: home.write(
        extra=NETWORK + '        default-series: warty\n')
    yield 'an unknown flavor', lambda: home.write(extra=NETWORK + '        flavor: m9.huge\n')


def test_every_mistake_is_one_clear_sentence(fake, home):
    outcomes = []
    before = fake.inventory()
    for name, write in mistakes(fake, home):
        write()
        outcome = home.run('bootstrap').check(1)
        errors = [line for line in outcome.errors.splitlines() if line.startswith('error: ')]
        assert len(errors) == 1, f'{name}: {outcome.errors}'
        assert 'WrongCanary' not in outcome.errors + outcome.output
        assert not os.path.exists(home.info_path('lab')), f'{name}: an info is left'
        assert fake.inventory() == before, f'{name}: something is left in the cloud'
        outcomes.append(outcome)
    compare('mistakes', *outcomes)


def test_a_wrong_password_costs_one_login(fake, home):
    home.write(password='wrong', extra=NETWORK)
    home.run('bootstrap').check(1).says('demo', fake.auth_url)
    assert [request['path'] for request in fake.requests()] == ['/identity/v3/auth/tokens']


def test_a_quota_used_up_leaves_nothing(fake, home):
    before = fake.inventory()
    fake.control('POST', 'quotas', {'project': 'demo', 'instances': 0})
    home.write(extra=FLOATING)
    outcome = home.run('bootstrap').check(1).says('uota')
    compare('quota', outcome)
    assert fake.inventory() == before
    assert not os.path.exists(home.info_path('lab'))


def store(fake, *paths):
    """Puts containers, and files into them, as somebody does who has never heard of us."""
    password = {'user': {'name': 'demo', 'password': 'secret', 'domain': {'id': 'default'}}}
    login = {'auth': {'identity': {'methods': ['password'], 'password': password},
                      'scope': {'project': {'name': 'demo', 'domain': {'id': 'default'}}}}}
    request = urllib.request.Request(f'{fake.auth_url}/auth/tokens', json.dumps(login).encode(),
                                     {'Content-Type': 'application/json'})
    with urllib.request.urlopen(request, timeout=20) as answer:
        token = answer.headers['X-Subject-Token']
        catalog = json.load(answer)['token']['catalog']
    url = next(endpoint['url'] for service in catalog if service['type'] == 'object-store'
               for endpoint in service['endpoints'] if endpoint['interface'] == 'public')
    for path in paths:
        request = urllib.request.Request(f'{url}/{path}', b'', {'X-Auth-Token': token},
                                         method='PUT')
        urllib.request.urlopen(request, timeout=20).close()


def test_a_state_that_cannot_be_read_any_more_leaves_nothing(fake, home):
    """It is known to be ours since it was written, and need not be read for its removal."""
    home.write()
    before = fake.inventory()
    # The first to read it looks whether there is one yet.
    fake.control('POST', 'rules', {'method': 'GET', 'path': '*/provider-state', 'action': 'fail',
                                   'status': 403, 'skip': 1, 'times': -1})
    home.run('bootstrap').check(1).says('Cannot save state', 'HTTP 403')
    fake.control('DELETE', 'rules')
    assert fake.inventory() == before, fake.inventory()
    assert not os.path.exists(home.info_path('lab'))


def test_a_container_of_somebody_is_left_alone(fake, home):
    store(fake, 'holidays', 'holidays/sun.jpg')
    before = fake.inventory()
    home.write(extra=NETWORK + '        control-bucket: holidays\n')
    outcome = home.run('bootstrap').check(1).says('container holidays', 'control-bucket')
    assert 'left behind' not in outcome.errors, outcome.errors
    assert fake.inventory() == before
    assert not os.path.exists(home.info_path('lab'))


def test_an_unreachable_cloud_still_shows_what_is_known(fake, home):
    home.write(extra=NETWORK)
    home.run('bootstrap').check(0)
    fake.control('POST', 'rules', {'service': 'compute', 'times': -1, 'action': 'fail',
                                   'status': 403})
    outcome = home.run('status').check(1).says('Cannot ask the cloud')
    assert 'instance-id' in outcome.output


def test_an_interrupt_at_any_moment_leaves_nothing(fake, home):
    before = fake.inventory()
    chance = random.Random(int(os.environ.get('WELKIN_TEST_SEED', '1')))
    fake.control('POST', 'settings', {'latency': 20, 'build-delay': 300})
    home.write(extra=FLOATING)
    for number in range(10):
        process = home.start('bootstrap')
        time.sleep(chance.uniform(0.02, 0.9))
        process.send_signal((signal.SIGINT, signal.SIGTERM)[number % 2])
        output, errors = process.communicate(timeout=60)
        if process.returncode == 0:  # it was faster than we
            home.run('destroy-environment', 'lab', '-y').check(0)
        else:
            assert process.returncode in (130, -signal.SIGINT, -signal.SIGTERM), \
                f'{process.returncode}: {errors}'
        assert fake.inventory() == before, f'left behind after: {errors}\n{fake.inventory()}'
        assert not os.path.exists(home.info_path('lab')), errors


def test_two_bootstraps_at_once_make_one_machine(fake, home):
    fake.control('POST', 'settings', {'build-delay': 500})
    home.write(extra=NETWORK)
    first = home.start('bootstrap')
    second = home.start('bootstrap')
    outcomes = [first.communicate(timeout=60), second.communicate(timeout=60)]
    statuses = sorted([first.returncode, second.returncode])
    assert statuses == [0, 1], outcomes
    assert fake.inventory().count('welkin-lab-machine-0') >= 1
    home.run('destroy-environment', 'lab', '-y').check(0)


if __name__ == '__main__':
    wanted = sys.argv[1:]
    tests = [function for name, function in list(globals().items()) if name.startswith('test_')]
    sys.exit(run_tests([test for test in tests if not wanted or test.__name__ in wanted]))
