#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The tools of an environment's machines: chosen by a bootstrap, pinned, and kept to later."""

import os
import re
import sys

from fixture import run_tests
from tools_tree import archive, publish

NETWORK = '        network: private\n'


def pinned(home):
    """What later machines run, too; None when they run nothing."""
    with open(home.info_path('lab'), encoding='utf-8') as file:
        found = re.search(r"^  agent-version: '(.*)'$", file.read(), re.MULTILINE)
    return found and found[1]


def stored(home):
    return home.run('storage', 'list', 'tools/releases/').check(0).output.split()


def status(home, machine):
    return home.run('status', '--format', 'json').check(0).output


def test_a_bootstrap_without_tools_pins_nothing(fake, home):
    home.write(extra=NETWORK)
    home.run('bootstrap').check(0)
    assert pinned(home) is None, pinned(home)


def test_a_bootstrap_takes_the_newest_tools_and_pins_them(fake, home):
    home.write(extra=NETWORK)
    publish(home, '0.1.0-noble-amd64', '0.1.7-noble-amd64', '0.1.9.1-noble-amd64',
            '0.2.0-noble-amd64')
    home.run('bootstrap', '--metadata-source', 'published').check(0)
    assert pinned(home) == '0.1.7', pinned(home)
    # No machine can fetch what lies in a directory here.
    assert stored(home) == ['tools/releases/welkin-0.1.7-noble-amd64.tgz'], stored(home)


def test_the_version_that_is_asked_for_is_taken(fake, home):
    home.write(extra=NETWORK)
    publish(home, '0.1.0-noble-amd64', '0.1.7-noble-amd64', '0.1.9.1-noble-amd64')
    home.run('bootstrap', '--metadata-source', 'published', '--agent-version', '0.1.9.1').check(0)
    assert pinned(home) == '0.1.9.1', pinned(home)
    assert stored(home) == ['tools/releases/welkin-0.1.9.1-noble-amd64.tgz'], stored(home)


def test_a_version_that_is_not_there_fails_and_leaves_nothing(fake, home):
    home.write(extra=NETWORK + '        agent-version: 0.1.3\n')
    publish(home, '0.1.0-noble-amd64')
    home.run('bootstrap', '--metadata-source', 'published').check(1) \
        .says('cannot find bootstrap tools', 'no matching tools are available',
              'local metadata directory')
    assert not os.path.exists(home.info_path('lab'))
    assert '"servers": 0' in fake.inventory() or 'server' not in fake.inventory(), fake.inventory()


def test_tools_are_taken_from_the_place_that_is_named(fake, home):
    home.write(extra=NETWORK + f'        tools-metadata-url: {home.directory}/published\n')
    publish(home, '0.1.0-noble-amd64')
    home.run('bootstrap').check(0)
    assert pinned(home) == '0.1.0', pinned(home)
    assert stored(home) == ['tools/releases/welkin-0.1.0-noble-amd64.tgz'], stored(home)


def test_later_machines_run_the_pinned_version(fake, home):
    home.write(extra=NETWORK + f'        tools-metadata-url: {home.directory}/published\n')
    publish(home, '0.1.0-noble-amd64')
    home.run('bootstrap').check(0)
    publish(home, '0.1.8-noble-amd64', '0.1.8-jammy-amd64')
    home.run('add-machine').check(0)
    home.run('provision', '--once').check(0)
    assert stored(home) == ['tools/releases/welkin-0.1.0-noble-amd64.tgz'], stored(home)
    # Of another series there are none of that version: the machine is not started.
    home.run('add-machine', '--series', 'jammy')
    home.run('provision', '--once')
    assert 'no matching tools are available' in status(home, '2'), status(home, '2')
    archive(home, '0.1.0-jammy-amd64')


def test_an_architecture_that_has_no_tools_fails(fake, home):
    home.write(extra=NETWORK)
    publish(home, '0.1.0-noble-arm64')
    home.run('bootstrap', '--metadata-source', 'published').check(1) \
        .says('chosen architecture amd64 not present in [arm64]')


if __name__ == '__main__':
    sys.exit(run_tests([function for name, function in list(globals().items())
                        if name.startswith('test_')]))
