#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What is remembered of the configuration of an environment, and how it is changed."""

import json
import os
import sys

from fixture import compare, run_at_once, run_tests

NETWORK = '        network: private\n'


def get(home, *words):
    return home.run('get-environment', *words).check(0).output


def test_attributes_are_shown_and_changed(fake, home):
    home.write(extra=NETWORK)
    home.run('bootstrap').check(0)
    assert get(home, 'network') == 'private\n', get(home, 'network')
    everything = json.loads(get(home, '--format', 'json'))
    assert everything['name'] == 'lab', everything
    for key in ('admin-secret', 'ca-private-key'):
        assert everything[key] == '********', everything[key]
    secret = get(home, '--show-secrets', 'admin-secret').strip()
    assert len(secret) == 32, secret

    home.run('set-environment', 'http-proxy=http://127.0.0.1:1/', 'apt-mirror=http://m/').check(0)
    assert get(home, 'http-proxy') == 'http://127.0.0.1:1/\n'
    assert get(home, '--show-secrets', 'admin-secret').strip() == secret
    home.run('unset-environment', 'http-proxy', 'apt-mirror').check(0)
    assert get(home, 'http-proxy') == '\n', get(home, 'http-proxy')
    home.run('get-environment', 'apt-mirror').check(1).says('Key "apt-mirror" not found')


def test_what_came_from_variables_is_not_written_down(fake, home):
    home.write(extra=NETWORK)
    home.run('bootstrap').check(0)
    home.run('set-environment', 'http-proxy=http://127.0.0.1:1/', OS_USERNAME='else',
             OS_PASSWORD='hush').check(0)
    with open(home.info_path('lab'), encoding='utf-8') as file:
        text = file.read()
    assert 'hush' not in text and 'else' not in text, text


def test_changes_that_come_at_once_all_last(fake, home):
    home.write(extra=NETWORK)
    home.run('bootstrap').check(0)
    home.run('set-environment', 'of-old=1').check(0)
    run_at_once(home, [['set-environment', f'own-{i}={i}'] for i in range(8)]
                + [['unset-environment', 'of-old']])
    everything = json.loads(get(home, '--show-secrets', '--format', 'json'))
    assert [everything.get(f'own-{i}') for i in range(8)] == list('01234567'), everything
    assert 'of-old' not in everything, everything


def test_what_was_only_begun_is_forgotten(fake, home):
    """A bootstrap that was killed at once leaves a file with nothing in it."""
    home.write(extra=NETWORK)
    os.makedirs(os.path.dirname(home.info_path('lab')), 0o700)
    open(home.info_path('lab'), 'w').close()
    home.run('status').check(1).says('uninitialized environment info for "lab"',
                                     'welkin destroy-environment lab')
    home.run('destroy-environment', 'lab').check(0).says(
        'a bootstrap of environment "lab" was interrupted before it made anything: '
        'its empty file is removed')
    assert not os.path.exists(home.info_path('lab'))
    assert fake.requests() == []
    home.run('destroy-environment', 'lab').check(1).says('not bootstrapped')

    open(home.info_path('lab'), 'w').close()
    home.run('bootstrap', '--until', 'active').check(0)
    home.run('destroy-environment', 'lab', '-y').check(0)


def test_mistakes_change_nothing(fake, home):
    home.write(extra=NETWORK)
    home.run('bootstrap').check(0)
    with open(home.info_path('lab'), encoding='utf-8') as file:
        before = file.read()
    compare('environment-mistakes',
            home.run('get-environment', 'nothing').check(1),
            home.run('get-environment', 'one', 'two').check(2),
            home.run('set-environment').check(2),
            home.run('set-environment', 'http-proxy').check(2),
            home.run('set-environment', 'ftp-proxy=a', '=b').check(2),
            home.run('set-environment', 'ftp-proxy=a', 'ftp-proxy=b').check(2),
            home.run('set-environment', 'agent-version=1.2.3').check(2),
            home.run('set-environment', 'firewall-mode=none').check(1),
            home.run('set-environment', 'enable-os-upgrade=perhaps').check(1),
            home.run('set-environment', 'default-series=a/b').check(1),
            home.run('set-environment', 'use-floating-ip=perhaps').check(1),
            home.run('unset-environment').check(2),
            home.run('unset-environment', 'firewall-mode').check(2),
            home.run('unset-environment', 'nothing').check(1))
    with open(home.info_path('lab'), encoding='utf-8') as file:
        assert file.read() == before


if __name__ == '__main__':
    sys.exit(run_tests([function for name, function in list(globals().items())
                        if name.startswith('test_')]))
