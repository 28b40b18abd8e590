#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The tools of an environment's machines: chosen by a bootstrap, pinned, and kept to later."""

import hashlib
import json
import os
import re
import sys
import tarfile
import time

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


def test_tools_are_of_the_stream_of_the_environment(fake, home):
    home.write(extra=NETWORK + '        tools-stream: devel\n')
    publish(home, '0.1.0-noble-amd64')
    publish(home, '0.1.8-noble-amd64', stream='devel')
    assert 'tools-stream' not in \
        home.run('bootstrap', '--metadata-source', 'published').check(0).errors
    assert pinned(home) == '0.1.8', pinned(home)
    assert home.run('storage', 'list', 'tools/devel/').check(0).output.split() \
        == ['tools/devel/welkin-0.1.8-noble-amd64.tgz']
    publish(home, '0.1.9-noble-amd64', stream='devel')
    copied = home.run('sync-tools', '--source', 'published').check(0).output.split()
    assert copied == ['tools/devel/welkin-0.1.9-noble-amd64.tgz'], copied
    found = home.run('metadata', 'validate-tools').check(0).output
    assert '0.1.9-noble-amd64' in found and '0.1.0-' not in found, found


def test_uploaded_tools_are_of_the_stream_of_the_environment(fake, home):
    home.write(extra=NETWORK + '        tools-stream: proposed\n')
    home.run('bootstrap', '--upload-tools', '--agent-dir', install_agent(home), '--series',
             'noble').check(0)
    assert pinned(home) == '0.1.0.1', pinned(home)
    assert home.run('storage', 'list', 'tools/proposed/').check(0).output.split() \
        == ['tools/proposed/welkin-0.1.0.1-noble-amd64.tgz']


def test_a_version_that_is_not_there_fails_and_leaves_nothing(fake, home):
    home.write(extra=NETWORK + '        agent-version: 0.1.3\n')
    publish(home, '0.1.0-noble-amd64')
    before = fake.inventory()
    home.run('bootstrap', '--metadata-source', 'published').check(1) \
        .says('cannot find bootstrap tools', 'no matching tools are available',
              'local metadata directory')
    assert not os.path.exists(home.info_path('lab'))
    assert fake.inventory() == before, fake.inventory()


def test_a_machine_with_an_agent_needs_tools(fake, home):
    home.write(extra=NETWORK)
    before = fake.inventory()
    home.until = None
    home.run('bootstrap').check(1) \
        .says('cannot find bootstrap tools', 'no matching tools are available',
              'Name a place of tools in "tools-metadata-url"')
    assert not os.path.exists(home.info_path('lab'))
    assert fake.inventory() == before, fake.inventory()


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


def test_later_machines_need_tools_of_their_architecture(fake, home):
    home.write(extra=NETWORK + f'        tools-metadata-url: {home.directory}/published\n')
    publish(home, '0.1.0-noble-amd64', '0.1.0-jammy-amd64')
    home.run('bootstrap').check(0)
    home.run('add-machine', '--series', 'jammy').check(0)
    home.run('add-machine', '--series', 'jammy', '--constraints', 'arch=arm64').check(1) \
        .says('no matching tools are available')


def test_tools_of_many_machines_are_looked_up_once(fake, home):
    home.write(extra=NETWORK + f'        tools-metadata-url: {home.directory}/published\n')
    publish(home, '0.1.0-noble-amd64')
    home.run('bootstrap').check(0)

    def count():
        return sum(request['method'] == 'GET' and '/tools/streams/v1/' in request['path']
                   for request in fake.requests())
    before = count()
    home.run('add-machine', '-n', '50').check(0)
    assert len(json.loads(status(home, '1'))['machines']) == 51
    assert before < count() < before + 20, (before, count())


def test_an_architecture_that_has_no_tools_fails(fake, home):
    home.write(extra=NETWORK)
    publish(home, '0.1.0-noble-arm64')
    home.run('bootstrap', '--metadata-source', 'published').check(1) \
        .says('chosen architecture amd64 not present in [arm64]')


AGENT = """#!/bin/sh
echo "$(cat "$(dirname "$0")/FORCE-VERSION")-noble-amd64"
"""


def install_agent(home, text=AGENT, **files):
    """A directory of an agent; returns its path."""
    directory = os.path.join(home.directory, 'agent')
    for name, contents in {'welkin-agent': text, **files}.items():
        path = os.path.join(directory, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w', encoding='utf-8') as file:
            file.write(contents)
        os.chmod(path, 0o755 if name == 'welkin-agent' else 0o600)
        os.utime(path, (1700000000, 1700000000))
    return directory


def fetch(home, name):
    path = os.path.join(home.directory, 'got')
    if os.path.exists(path):
        os.unlink(path)
    home.run('storage', 'get', name, 'got').check(0)
    with open(path, 'rb') as file:
        return file.read()


def test_tools_are_made_of_a_directory(fake, home):
    home.write(extra=NETWORK)
    directory = install_agent(home, settings='what the agent reads',
                              **{'gio-modules/libgiotls.so': 'what it loads'})
    home.run('bootstrap', '--upload-tools', '--agent-dir', directory,
             '--series', 'jammy,noble,jammy').check(0)
    assert pinned(home) == '0.1.0.1', pinned(home)
    assert stored(home) == ['tools/releases/welkin-0.1.0.1-jammy-amd64.tgz',
                            'tools/releases/welkin-0.1.0.1-noble-amd64.tgz'], stored(home)
    contents = fetch(home, stored(home)[0])
    assert contents == fetch(home, stored(home)[1])
    with tarfile.open(os.path.join(home.directory, 'got')) as archive:
        members = [(member.name, member.mode, member.mtime, member.uname, member.gname)
                   for member in archive]
        assert members == [
            ('FORCE-VERSION', 0o644, 1700000000, 'ubuntu', 'ubuntu'),
            ('gio-modules/libgiotls.so', 0o644, 1700000000, 'ubuntu', 'ubuntu'),
            ('settings', 0o644, 1700000000, 'ubuntu', 'ubuntu'),
            ('welkin-agent', 0o755, 1700000000, 'ubuntu', 'ubuntu')], members
        assert archive.extractfile('FORCE-VERSION').read() == b'0.1.0.1\n'
        assert archive.extractfile('welkin-agent').read().decode() == AGENT
    # No name, no time when it was packed, and nothing behind its end.
    assert contents[3] == 0 and contents[4:8] == bytes(4), contents[:10]
    assert len(contents) < 1024, len(contents)
    told = fetch(home, 'tools/streams/v1/org.welkin:released:tools.json').decode()
    assert told.count(hashlib.sha256(contents).hexdigest()) == 2, told
    assert told.count(f'"size" : {len(contents)},') == 2, told


def test_the_same_directory_makes_the_same_tools(fake, home):
    archives = []
    for environment in ({}, {}, {'SOURCE_DATE_EPOCH': '1'}):
        home.write(extra=NETWORK)
        directory = install_agent(home, b='2', a='1')
        home.run('bootstrap', '--upload-tools', WELKIN_AGENT_DIR=directory, **environment).check(0)
        archives.append(fetch(home, 'tools/releases/welkin-0.1.0.1-noble-amd64.tgz'))
        home.run('destroy-environment', '-y', 'lab').check(0)
    assert archives[0] == archives[1]
    assert archives[1] != archives[2]


def test_an_installed_agent_stands_in_where_nobody_publishes_any(fake, home):
    home.write(extra=NETWORK)
    directory = install_agent(home)
    home.run('bootstrap', WELKIN_AGENT_DIR=directory).check(0)
    assert pinned(home) == '0.1.0.1', pinned(home)
    home.run('destroy-environment', '-y', 'lab').check(0)
    publish(home, '0.1.0-noble-amd64')
    home.run('bootstrap', '--metadata-source', 'published', WELKIN_AGENT_DIR=directory).check(0)
    assert pinned(home) == '0.1.0', pinned(home)


def test_an_installed_agent_needs_a_storage_that_machines_reach(fake, home):
    home.write(extra=NETWORK + '        storage: local\n')
    directory = install_agent(home)
    told = home.run('bootstrap', '--until', 'agent', WELKIN_AGENT_DIR=directory).check(1)
    assert 'have no URL for others' in told.errors, told.errors
    assert '--until active' in told.errors, told.errors
    # Nothing of ours runs on the machine then, and nothing has to be fetched.
    home.run('bootstrap', WELKIN_AGENT_DIR=directory).check(0)
    assert pinned(home) is None, pinned(home)


def test_a_binary_version_is_believed(fake, home):
    home.write(extra=NETWORK)
    # It is not for this machine: nobody can ask it.
    directory = install_agent(home, text='no program')
    home.run('bootstrap', '--upload-tools', '--agent-dir', directory, '--agent-version',
             '0.1.5-noble-amd64', '--series', 'noble').check(0)
    assert pinned(home) == '0.1.5', pinned(home)
    assert stored(home) == ['tools/releases/welkin-0.1.5-noble-amd64.tgz'], stored(home)


def test_a_directory_that_is_no_agent_is_refused(fake, home):
    home.write(extra=NETWORK)
    before = fake.inventory()

    def refuse(*texts, options=()):
        home.run('bootstrap', '--upload-tools', '--agent-dir', 'agent', *options).check(1) \
            .says('cannot upload tools', *texts)
        assert not os.path.exists(home.info_path('lab'))
    refuse('welkin-agent', f'{home.directory}/agent')
    os.makedirs(os.path.join(home.directory, 'agent', 'welkin-agent'))
    refuse('there is no executable "welkin-agent"', f'{home.directory}/agent')
    os.rmdir(os.path.join(home.directory, 'agent', 'welkin-agent'))
    install_agent(home, text='#!/bin/sh\necho "what?"\n')
    refuse('invalid version "what?"')
    install_agent(home, text='#!/bin/sh\necho "no such thing" >&2; exit 3\n')
    refuse('cannot get version from', 'no such thing')
    install_agent(home)
    refuse('warty2', options=('--series', 'warty2'))
    os.mkdir(os.path.join(home.directory, 'agent', 'below'))
    refuse('bad file type', 'agent/below')
    os.rmdir(os.path.join(home.directory, 'agent', 'below'))
    os.makedirs(os.path.join(home.directory, 'agent', 'gio-modules', 'below'))
    refuse('bad file type', 'agent/gio-modules/below')
    os.rmdir(os.path.join(home.directory, 'agent', 'gio-modules', 'below'))
    os.symlink('/etc/hostname', os.path.join(home.directory, 'agent', 'link'))
    refuse('bad file type', 'agent/link')
    assert fake.inventory() == before, fake.inventory()


def test_an_agent_that_does_not_answer_is_not_waited_for(fake, home):
    home.write(extra=NETWORK)
    before = fake.inventory()
    # What it has started keeps its output open.
    directory = install_agent(home, text='#!/bin/sh\nsleep 20 & sleep 20\n')
    begin = time.monotonic()
    home.run('bootstrap', '--upload-tools', '--agent-dir', directory) \
        .check(1).says('cannot get version from', f'{directory}', 'was not done after')
    assert time.monotonic() - begin < 15
    assert fake.inventory() == before, fake.inventory()


def test_nothing_temporary_is_left(fake, home):
    home.write(extra=NETWORK)
    temporary = os.path.join(home.directory, 'temporary')
    os.mkdir(temporary)
    directory = install_agent(home, **{'gio-modules/libgiotls.so': 'what it loads'})
    home.run('bootstrap', '--upload-tools', '--agent-dir', directory, TMPDIR=temporary).check(0)
    home.run('destroy-environment', '-y', 'lab').check(0)
    install_agent(home, text='#!/bin/sh\nexit 1\n')
    home.run('bootstrap', '--upload-tools', '--agent-dir', directory, TMPDIR=temporary).check(1)
    assert os.listdir(temporary) == [], os.listdir(temporary)


def test_flags_of_an_upload_need_one(fake, home):
    home.run('bootstrap', '--series', 'noble').check(2).says('--series requires --upload-tools')
    home.run('bootstrap', '--agent-dir', '.').check(2).says('--agent-dir requires --upload-tools')
    home.run('bootstrap', '--upload-tools', '--series', 'noble,-x').check(2) \
        .says('invalid series name "-x"')


if __name__ == '__main__':
    sys.exit(run_tests([function for name, function in list(globals().items())
                        if name.startswith('test_')]))
