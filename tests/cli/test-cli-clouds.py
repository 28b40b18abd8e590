#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Clouds that files of other clients name, and what the command does with them."""

import json
import os
import sys

from fixture import compare, run_tests

CANARY = 'canary-7d1f'
# What lies about in the shell of somebody who uses other clouds as well.
STRAYS = {'OS_AUTH_URL': 'http://127.0.0.1:1/v3', 'OS_USERNAME': 'stray', 'OS_PASSWORD': CANARY,
          'OS_PROJECT_NAME': 'stray', 'OS_PROJECT_ID': 'stray', 'OS_USER_DOMAIN_NAME': 'stray',
          'OS_TOKEN': CANARY, 'OS_REGION_NAME': 'stray', 'OS_INTERFACE': 'internal'}


def write_clouds(home, text, name='clouds.yaml'):
    directory = os.path.join(home.directory, '.config/openstack')
    os.makedirs(directory, 0o700, exist_ok=True)
    path = os.path.join(directory, name)
    with open(path, 'w', opener=lambda p, flags: os.open(p, flags, 0o600)) as file:
        file.write(text)


def entry(fake, password='secret', more=''):
    return (f'{{auth: {{auth_url: "{fake.auth_url}", username: demo, password: {password}, '
            f'project_name: demo}}, networks: [{{name: private}}], region_name: RegionOne{more}}}')


def write_two(fake, home):
    write_clouds(home, f'clouds:\n  a: {entry(fake, CANARY)}\n  b: {entry(fake)}\n')


def test_clouds_are_listed_without_their_secrets(fake, home):
    clouds = (f'clouds:\n'
              f'  a: {entry(fake, CANARY)}\n'
              f'  b:\n'
              f'    auth: {{auth_url: "https://u:{CANARY}@b.test/v3?x={CANARY}"}}\n'
              f'    regions: [r1, {{name: r2, values: {{auth: {{token: {CANARY}}}}}}}]\n'
              f'  c: {{auth: {{password: [{CANARY}]}}}}\n'
              f'  7: ~\n')
    none = home.run('clouds').check(0)
    write_clouds(home, clouds)
    write_clouds(home, f'clouds: {{c: {{token: {CANARY}}}}}\n', 'secure.yaml')
    outcomes = [none,
                home.run('clouds').check(0),
                home.run('clouds', '--format', 'json', OS_CLOUD='b').check(0)]
    write_clouds(home, f'clouds: {{a: {entry(fake, CANARY)}}}\n')
    write_clouds(home, 'clouds: {a: {regions: [{}]}}\n', 'secure.yaml')
    outcomes += [home.run('clouds').check(0),
                 home.run('clouds', **STRAYS).check(0)]
    write_clouds(home, f'clouds:\n  a: {{password: %{CANARY}}}\n')
    outcomes += [home.run('clouds').check(0),
                 home.run('clouds', 'b').check(2)]
    compare('clouds', *outcomes)
    for outcome in outcomes:
        assert CANARY not in outcome.output + outcome.errors
    assert fake.requests() == []


def test_an_environment_is_booted_with_a_cloud_alone(fake, home):
    """G54.4: one cloud, and nobody chose another."""
    write_clouds(home, f'clouds: {{mine: {entry(fake)}}}\n')
    home.write('environments:\n    lab:\n        type: openstack\n')
    before = fake.inventory()
    home.run('bootstrap').check(0)
    with open(home.info_path('lab')) as file:
        assert 'secret\n' not in file.read()
    home.run('status').check(0)
    home.run('destroy-environment', 'lab', '-y').check(0)
    assert fake.inventory() == before


def test_the_flag_wins_over_the_variable_with_one_notice(fake, home):
    """G54.2: nothing of the other cloud and of stray variables leaks."""
    write_two(fake, home)
    home.write('environments:\n    lab:\n        type: openstack\n')
    outcome = home.run('--cloud', 'b', 'bootstrap', OS_CLOUD='a', **STRAYS).check(0)
    assert outcome.errors.count('cloud "b" is used, not OS_CLOUD=a') == 1, outcome.errors
    assert outcome.errors.count('OS_CLOUD') == 1, outcome.errors
    # It is remembered with the environment, and holds without the flag.
    outcome = home.run('status', **STRAYS).check(0)
    assert 'OS_CLOUD' not in outcome.errors, outcome.errors
    home.run('destroy-environment', 'lab', '-y', OS_CLOUD='a').check(0)
    logins = [request for request in fake.requests() if request['path'].endswith('/auth/tokens')]
    assert [request['status'] for request in logins] == [201] * len(logins), logins


def test_the_variable_chooses_where_nothing_else_does(fake, home):
    write_two(fake, home)
    home.write('environments:\n    lab:\n        type: openstack\n')
    home.run('bootstrap', OS_CLOUD='b').check(0)
    home.run('destroy-environment', 'lab', '-y', OS_CLOUD='b').check(0)
    outcome = home.run('bootstrap', OS_CLOUD='a').check(1)
    outcome.says('user "demo" and project "demo"')
    assert CANARY not in outcome.errors


def test_a_missing_user_tells_which_clouds_there_are(fake, home):
    write_two(fake, home)
    home.write('environments:\n    lab:\n        type: openstack\n')
    home.run('bootstrap').check(1).says(
        'openstack: no user name given: set attribute username or environment variable '
        'OS_USERNAME', '/.config/openstack/clouds.yaml: a, b')


def test_a_cloud_that_is_not_there_is_told(fake, home):
    write_two(fake, home)
    home.write('environments:\n    lab:\n        type: openstack\n        cloud: c\n')
    home.run('bootstrap').check(1).says('environments.yaml:4: there is no cloud "c" in ',
                                        ', which has: a, b')
    home.run('--cloud', 'd', 'bootstrap').check(1).says('--cloud: there is no cloud "d" in ')


def test_a_reserved_character_in_the_file_is_told_to_be_quoted(fake, home):
    """G53, in both files."""
    for start in '%@':
        write_clouds(home, f'clouds:\n  a:\n    auth:\n      password: {start}{CANARY}\n')
        home.write('environments:\n    lab:\n        type: openstack\n')
        outcome = home.run('bootstrap', OS_CLOUD='a').check(1)
        outcome.says(f'clouds.yaml:4: cannot parse: a value may not begin with "{start}" '
                     f'(column 17): put it in quotes')
        assert CANARY not in outcome.errors
        home.write(f'environments:\n    lab:\n        type: openstack\n'
                   f'        password: {start}{CANARY}\n')
        outcome = home.run('bootstrap', OS_CLOUD='a').check(1)
        outcome.says('environments.yaml:4: cannot parse: a value may not begin with')
        assert CANARY not in outcome.errors


def test_where_values_of_a_cloud_come_from_is_explained(fake, home):
    write_clouds(home, f'clouds:\n  a: {entry(fake, CANARY)}\n')
    write_clouds(home, f'clouds: {{a: {{auth: {{password: {CANARY}}}}}}}\n', 'secure.yaml')
    home.write('environments:\n    lab:\n        type: openstack\n        username: ada\n')
    outcome = home.run('config', '--explain', '--format', 'json', OS_CLOUD='a', **STRAYS).check(0)
    assert CANARY not in outcome.output + outcome.errors
    explained = json.loads(outcome.output)
    for key, origin in (('username', 'environments.yaml:4'), ('password', 'secure.yaml:1'),
                        ('auth-url', 'clouds.yaml:2'), ('network', 'clouds.yaml:2'),
                        ('region', 'clouds.yaml:2')):
        assert explained[key]['origin'].endswith(origin), (key, explained[key])


if __name__ == '__main__':
    wanted = sys.argv[1:]
    tests = [function for name, function in list(globals().items()) if name.startswith('test_')]
    sys.exit(run_tests([test for test in tests if not wanted or test.__name__ in wanted]))
