#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What holds for an environment, where each value comes from, and what of it is remembered."""

import json
import os
import sys

from fixture import compare, run_tests

NETWORK = '        network: private\n'
# One secret for each attribute that is one, none of which may ever be seen.
SECRETS = {'username': 'CanaryA', 'password': 'CanaryB', 'tenant-name': 'CanaryC',
           'access-key': 'CanaryD', 'secret-key': 'CanaryE',
           'application-credential-id': 'CanaryF', 'application-credential-secret': 'CanaryG',
           'token': 'CanaryH', 'trust-id': 'CanaryI', 'admin-secret': 'CanaryJ',
           'client-key': '/CanaryK', 'client-cert': '/cert'}
VARIABLES = {'OS_USERNAME': 'demo', 'OS_PASSWORD': 'secret', 'OS_PROJECT_NAME': 'demo',
             'OS_REGION_NAME': 'RegionOne'}


def explain(home, *arguments, status=0, **variables):
    outcome = home.run('config', '--explain', '--format', 'json', *arguments, **variables)
    return json.loads(outcome.check(status).output)


def test_what_holds_is_shown_with_where_it_comes_from(fake, home):
    keys = '        authorized-keys: ssh-ed25519 AAAA ada\n'
    home.write(extra=NETWORK + keys + '        image-ids: {{noble/amd64: i1}}\n'.format())
    compare('config',
            home.run('config').check(0),
            home.run('config', '--explain').check(0),
            home.run('config', 'network').check(0),
            home.run('config', 'network', '--explain').check(0),
            home.run('config', 'network', '--format', 'json').check(0),
            home.run('config', 'image-ids').check(0),
            home.run('config', 'project-name').check(0),
            home.run('config', 'external-network').check(0),
            home.run('config', '--cloud', 'other', 'cloud', '--explain').check(0),
            home.run('config', 'colour').check(1),
            home.run('config', 'network', 'region').check(2),
            home.run('config', '--cloud', '').check(2),
            home.run('config', '-e', 'nosuch').check(1))


def test_what_is_wrong_is_told_behind_what_there_is(fake, home):
    home.write('environments:\n    lab:\n        type: openstack\n        network: private\n')
    outcome = home.run('config').check(1)
    assert 'network: private\n' in outcome.output
    outcome.says('openstack: no user name given: set attribute username or environment variable '
                 'OS_USERNAME')
    home.write(extra='        network: [a]\n')
    outcome = home.run('config').check(1)
    assert outcome.output == '', outcome.output
    outcome.says('environments.yaml:9: network: expected string, got list(a)')


def test_nothing_is_asked_of_the_cloud(fake, home):
    home.write(extra=NETWORK)
    home.run('config', '--explain').check(0)
    assert fake.requests() == []


def test_no_secret_is_ever_shown(fake, home):
    lines = ''.join(f'        {key}: {value}\n' for key, value in SECRETS.items())
    home.write('environments:\n    lab:\n        type: openstack\n'
               '        auth-url: http://cloud/v3\n' + lines)
    outcomes = [home.run('config', '--debug'), home.run('config', '--explain'),
                home.run('config', '--explain', '--format', 'json')]
    outcomes += [home.run('config', '--debug', key) for key in SECRETS]
    for outcome in outcomes:
        assert 'Canary' not in outcome.output + outcome.errors, outcome.text()
    explained = explain(home, status=outcomes[0].status)
    for key in SECRETS.keys() - {'client-cert'}:
        assert explained[key]['value'] == '********', (key, explained[key])
        assert 'environments.yaml:' in explained[key]['origin']


def test_a_secret_that_is_not_set_looks_so(fake, home):
    home.write(extra=NETWORK)
    assert home.run('config', 'secret-key').check(0).output == '\n'


def test_the_table_of_precedence(fake, home):
    """An attribute, then a variable, then an older variable, then the default."""
    home.write('environments:\n    lab:\n        type: openstack\n'
               '        auth-url: http://cloud/v3\n')
    variables = {**VARIABLES, 'NOVA_USERNAME': 'nova', 'OS_TENANT_NAME': 'other'}
    explained = explain(home, **variables)
    origins = {key: explained[key]['origin'] for key in
               ('username', 'password', 'tenant-name', 'region', 'auth-mode', 'endpoint-interface')}
    assert origins == {'username': 'OS_USERNAME', 'password': 'OS_PASSWORD',
                       'tenant-name': 'OS_PROJECT_NAME', 'region': 'OS_REGION_NAME',
                       'auth-mode': 'default', 'endpoint-interface': 'default'}, origins

    for name in ('OS_USERNAME', 'OS_PROJECT_NAME'):
        variables[name] = ''
    explained = explain(home, OS_INTERFACE='internalURL', **variables)
    assert explained['username']['origin'] == 'NOVA_USERNAME'
    assert explained['tenant-name']['origin'] == 'OS_TENANT_NAME'
    assert explained['endpoint-interface'] == {'value': 'internal', 'origin': 'OS_INTERFACE'}

    home.write(extra=NETWORK)
    explained = explain(home, **{**variables, **VARIABLES})
    for key in ('username', 'password', 'tenant-name', 'region'):
        assert 'environments.yaml:' in explained[key]['origin'], explained[key]


def test_other_words_end_under_todays(fake, home):
    home.write('environments:\n    lab:\n        type: openstack\n'
               '        nova-uri: http://cloud/v3\n        project-id: p1\n        version: 3\n'
               '        username: ada\n        password: secret\n')
    outcome = home.run('config', '--explain', '--format', 'json').check(0)
    assert outcome.errors.count('nova-uri is deprecated: call it auth-url') == 1, outcome.errors
    explained = json.loads(outcome.output)
    for key, line in (('auth-url', 4), ('tenant-id', 5), ('identity-api-version', 6)):
        assert explained[key]['origin'].endswith(f'environments.yaml:{line}'), explained[key]
    for key in ('nova-uri', 'project-id', 'version'):
        assert key not in explained
    assert home.run('config', 'nova-uri').check(0).output == 'http://cloud/v3\n'


def test_what_is_remembered_holds_once_there_is_a_machine(fake, home):
    home.write(extra=NETWORK)
    home.run('bootstrap').check(0)
    home.write(extra='        network: other\n')
    explained = explain(home)
    assert explained['network']['value'] == 'private'
    assert os.path.basename(home.info_path('lab')) in explained['network']['origin']
    assert explained['control-bucket']['value'] != ''
    home.run('destroy-environment', 'lab', '-y').check(0)


def remembered(home):
    with open(home.info_path('openstack')) as file:
        return file.read()


def test_credentials_are_remembered_on_demand_alone(fake, home):
    variables = {**VARIABLES, 'OS_AUTH_URL': fake.auth_url}
    home.run('init').check(0)
    home.run('bootstrap', **variables).check(0)
    text = remembered(home)
    assert fake.auth_url not in text
    assert "\n  password: ''\n" in text and "\n  username: ''\n" in text, text
    home.run('status').check(1).says('openstack: no user name given')
    home.run('destroy-environment', 'openstack', '-y', **variables).check(0)

    home.run('bootstrap', '--save-credentials', **variables).check(0)
    text = remembered(home)
    assert f'\n  auth-url: {fake.auth_url}\n' in text and '\n  password: secret\n' in text, text
    home.run('status').check(0)
    home.run('destroy-environment', 'openstack', '-y').check(0)


if __name__ == '__main__':
    wanted = sys.argv[1:]
    tests = [function for name, function in list(globals().items()) if name.startswith('test_')]
    sys.exit(run_tests([test for test in tests if not wanted or test.__name__ in wanted]))
