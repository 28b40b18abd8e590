#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What a user sees of logins that fail: what is wrong, and which attribute sets it right."""

import json
import sys

from fixture import ENVIRONMENT, compare, run_tests

NETWORK = '        network: private\n'
SERVERS = '/compute/v2.1/servers'
TOKENS = '/identity/v3/auth/tokens'


def paths(fake):
    return [request['path'] for request in fake.requests()]


def answer(fake, method, path, status, body, **more):
    fake.control('POST', 'rules', {'method': method, 'path': path, 'times': -1, 'action': 'fail',
                                   'status': status, 'body': json.dumps(body), **more})


def test_g04_several_regions_none_chosen(fake, home):
    fake.control('DELETE', 'endpoint/nova')
    for number in (3, 1, 4, 2):
        fake.control('POST', 'endpoint', {
            'type': 'compute', 'name': f'nova{number}', 'region': f'R{number}',
            'url': '$(cloud)/compute/v2.1'})
    home.write(ENVIRONMENT.replace('RegionOne', 'R9') + NETWORK)
    unknown = home.run('bootstrap').check(1)
    home.write(ENVIRONMENT.replace('        region: RegionOne\n', '') + NETWORK)
    none = home.run('bootstrap').check(1)
    compare('login-region', unknown, none)
    assert not [path for path in paths(fake) if not path.startswith('/identity')], paths(fake)


def test_g05_token_without_a_catalog(fake, home):
    home.write(extra=NETWORK)
    answer(fake, 'POST', TOKENS, 201, {'token': {'methods': ['password'], 'user': {}}},
           headers=['X-Subject-Token: t'])
    compare('login-unscoped', home.run('bootstrap').check(1))
    assert paths(fake) == [TOKENS], paths(fake)


def test_g12_forbidden_is_not_a_bad_login(fake, home):
    home.write(extra=NETWORK)
    answer(fake, 'POST', SERVERS, 403, {'forbidden': {'code': 403, 'message': 'M'}})
    outcome = home.run('bootstrap').check(1).says('M (HTTP 403', f'POST {fake.url}{SERVERS}')
    assert 'log in' not in outcome.errors, outcome.errors
    assert paths(fake).count(TOKENS) == 1
    assert [(request['method'], request['path']) for request in fake.requests()].count(
        ('POST', SERVERS)) == 1


def test_g14_wrong_password_fails_before_anything_is_created(fake, home):
    home.write(password='WrongCanary', extra=NETWORK)
    outcome = home.run('bootstrap').check(1)
    compare('login-password', outcome)
    assert 'WrongCanary' not in outcome.output + outcome.errors
    assert paths(fake) == [TOKENS], paths(fake)


if __name__ == '__main__':
    wanted = sys.argv[1:]
    tests = [function for name, function in list(globals().items()) if name.startswith('test_')]
    sys.exit(run_tests([test for test in tests if not wanted or test.__name__ in wanted]))
