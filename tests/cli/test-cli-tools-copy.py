#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Copying tools: large ones, over HTTP, from the catalog, signed, and what goes wrong at it."""

import functools
import http.server
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import threading

from fixture import run_tests
from tools_tree import items, large_archive, publish, stored

RELEASED = '0.1.0-noble-amd64'
NETWORK = '        network: private\n'
DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'data', 'simplestreams')
LARGE = 80 * 1024 * 1024
ENDLESS = 200 * 1024 * 1024
BLOCK = 1024 * 1024


class Handler(http.server.SimpleHTTPRequestHandler):
    """Files of a directory; of archives, what the server is told to send instead."""

    def do_GET(self):
        self.server.paths.append(self.path)
        trouble = self.server.trouble if self.path.endswith('.tgz') else None
        if trouble == 'cut':
            self.send_response(200)
            self.send_header('Content-Length', '1000000')
            self.end_headers()
            self.wfile.write(b'the beginning')
            self.close_connection = True
        elif trouble == 'page':
            self.send_response(200)
            self.send_header('Content-Type', 'text/html')
            self.end_headers()
            self.wfile.write(b'<html>log in first</html>')
        elif trouble == 'gone':
            self.send_error(403)
        elif trouble == 'wait':
            self.send_response(200)
            self.send_header('Content-Length', '1000000')
            self.end_headers()
            self.wfile.write(b'the beginning')
            self.wfile.flush()
            self.server.reached.set()
            self.server.released.wait(20)
        elif trouble == 'endless':
            self.send_response(200)
            self.end_headers()
            try:
                while self.server.sent < ENDLESS:
                    self.wfile.write(bytes(BLOCK))
                    self.server.sent += BLOCK
            except OSError:
                pass
            self.close_connection = True
        else:
            super().do_GET()

    def log_message(self, *arguments):
        pass


class Server:
    def __init__(self, directory):
        self.server = http.server.ThreadingHTTPServer(
            ('127.0.0.1', 0), functools.partial(Handler, directory=directory))
        self.server.trouble = None
        self.server.sent = 0
        self.server.paths = []
        self.server.reached = threading.Event()
        self.server.released = threading.Event()
        self.url = f'http://127.0.0.1:{self.server.server_port}'
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *arguments):
        self.server.released.set()
        self.server.shutdown()
        self.server.server_close()


def serve(home):
    return Server(os.path.join(home.directory, 'published'))


def sync(home, source='published', *options, **variables):
    os.makedirs(os.path.join(home.directory, 'target'), exist_ok=True)
    return home.run('sync-tools', '--source', source, '--local-dir', 'target', *options,
                    **variables)


def all_files(home, tree='target'):
    return [os.path.join(where, name)
            for where, _, names in os.walk(os.path.join(home.directory, tree)) for name in names]


def validate(home, *options, **variables):
    outcome = home.run('metadata', 'validate-tools', '--format', 'json', *options,
                       **variables).check(0)
    return json.loads(outcome.output)


def test_large_tools_are_copied_in_little_memory(fake, home):
    large_archive(home, RELEASED, LARGE)
    home.run('metadata', 'generate-tools', '-d', 'published').check(0)
    os.mkdir(os.path.join(home.directory, 'target'))
    with serve(home) as server:
        process = home.start('sync-tools', '--source', f'{server.url}/tools', '--local-dir',
                             'target')
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output, errors = process.communicate()
    assert process.returncode == 0, errors
    copy = os.path.join(home.directory, 'target', 'tools', 'releases', f'welkin-{RELEASED}.tgz')
    assert os.path.getsize(copy) > LARGE
    if 'ASAN_OPTIONS' not in os.environ:
        assert usage.ru_maxrss < 48 * 1024, f'{usage.ru_maxrss} KiB'


def test_an_archive_that_does_not_come_whole_is_not_stored(fake, home):
    publish(home, RELEASED)
    with serve(home) as server:
        for trouble, told in (('cut', f'welkin-{RELEASED}.tgz'), ('page', 'welkin'),
                              ('gone', 'HTTP 403')):
            server.server.trouble = trouble
            outcome = sync(home, f'{server.url}/tools').check(1).says(told)
            assert outcome.errors.count('error:') == 1, outcome.errors
            assert all_files(home) == [], all_files(home)
        server.server.trouble = None
        sync(home, f'{server.url}/tools').check(0)
        assert stored(home) == [f'welkin-{RELEASED}.tgz'], stored(home)


def test_an_archive_that_does_not_end_is_not_waited_for(fake, home):
    publish(home, RELEASED)
    with serve(home) as server:
        server.server.trouble = 'endless'
        sync(home, f'{server.url}/tools').check(1).says('size mismatch')
        assert server.server.sent < ENDLESS / 2, server.server.sent
    assert all_files(home) == [], all_files(home)


def test_an_interrupted_copy_leaves_nothing(fake, home):
    publish(home, RELEASED)
    os.mkdir(os.path.join(home.directory, 'target'))
    temporary = os.path.join(home.directory, 'temporary')
    os.mkdir(temporary)
    with serve(home) as server:
        server.server.trouble = 'wait'
        process = home.start('sync-tools', '--source', f'{server.url}/tools', '--local-dir',
                             'target', TMPDIR=temporary)
        assert server.server.reached.wait(20)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
    assert process.returncode == 130, errors
    assert all_files(home) == [] and all_files(home, 'temporary') == []


def test_a_full_disk_is_one_clear_error(fake, home):
    large_archive(home, RELEASED, 3 * 1024 * 1024)
    home.run('metadata', 'generate-tools', '-d', 'published').check(0)
    os.mkdir(os.path.join(home.directory, 'target'))

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1024 * 1024, 1024 * 1024))
    outcome = subprocess.run(
        [os.environ['WELKIN_TEST_COMMAND'], '--quiet', 'sync-tools', '--source', 'published',
         '--local-dir', 'target'], cwd=home.directory, env=home.environment, preexec_fn=limit,
        restore_signals=False, capture_output=True, text=True, timeout=60, check=False)
    assert outcome.returncode == 1, outcome
    assert 'Cannot write a temporary file: ' in outcome.stderr, outcome.stderr
    assert 'File too large' in outcome.stderr, outcome.stderr
    assert all_files(home) == [], all_files(home)


def test_tools_are_found_by_the_catalog(fake, home):
    home.write(extra=NETWORK)
    publish(home, RELEASED)
    with serve(home) as server:
        fake.control('POST', 'endpoint', {'type': 'juju-tools', 'name': 'former',
                                          'url': f'{server.url}/tools'})
        found = validate(home)
        assert found['Matching Tools Versions'] == [RELEASED], found
        assert found['Resolve Metadata']['source'] == 'keystone catalog', found
        # Ours goes before the one of the former name, and has nothing.
        fake.control('POST', 'endpoint', {'type': 'welkin-tools', 'name': 'present',
                                          'url': f'{server.url}/nothing'})
        home.run('metadata', 'validate-tools').check(1).says('keystone catalog')
        fake.control('DELETE', 'endpoint/present')
        home.run('bootstrap').check(0)
        with open(home.info_path('lab'), encoding='utf-8') as file:
            assert "agent-version: '0.1.0'" in file.read()


def test_g48_a_dead_place_of_tools_does_not_veto_a_good_one(fake, home):
    dead = 'http://127.0.0.1:1/tools'
    home.write(extra=f'{NETWORK}        tools-metadata-url: {dead}\n')
    publish(home, RELEASED)
    outcome = home.run('metadata', 'validate-tools', '--format', 'json',
                       WELKIN_PUBLIC_TOOLS=f'{home.directory}/published').check(0)
    assert json.loads(outcome.output)['Matching Tools Versions'] == [RELEASED], outcome.output
    outcome.says('tools-metadata-url', dead)
    with serve(home) as server:
        home.run('metadata', 'validate-tools', WELKIN_PUBLIC_TOOLS=f'{server.url}/nothing') \
            .check(1).says('tools-metadata-url: ', 'default simplestreams: ')


def test_g49_a_cloud_of_tools_means_the_same_however_it_is_written(fake, home):
    publish(home, RELEASED)
    path = os.path.join(home.directory, 'published', 'tools', 'streams', 'v1', 'index.json')
    with open(path, encoding='utf-8') as file:
        index = json.load(file)
    for entry in index['index'].values():
        entry['clouds'] = [{'region': 'R1', 'endpoint': 'http://id.cloud.test:80/v3'}]
    with open(path, 'w', encoding='utf-8') as file:
        json.dump(index, file)
    run = functools.partial(home.run, 'metadata', 'validate-tools', '-d', 'published', '-r', 'R1')
    for spelling in ('http://id.cloud.test/v3', 'http://id.cloud.test/v3/',
                     'HTTP://ID.cloud.test:80/v3'):
        run('-u', spelling).check(0)
    run('-u', 'http://id.cloud.test/v2.0').check(1) \
        .says('http://id.cloud.test/v2.0', 'http://id.cloud.test:80/v3')


def test_signed_tools_are_believed_and_changed_ones_not(fake, home):
    home.environment['TMPDIR'] = home.directory
    publish(home, RELEASED)
    home.run('metadata', 'sign', '-d', 'published', '-k', os.path.join(DATA, 'signer-secret.asc'),
             '-p', 'SIGNING', SIGNING='a secret').check(0)
    home.environment['WELKIN_TOOLS_KEY'] = os.path.join(DATA, 'signer.asc')
    found = validate(home, '-d', 'published')
    assert found['Matching Tools Versions'] == [RELEASED], found
    assert found['Resolve Metadata']['signed'] == 'true', found
    path = os.path.join(home.directory, 'published', 'tools', 'streams', 'v1',
                        'org.welkin:released:tools.sjson')
    with open(path, encoding='utf-8') as file:
        text = file.read()
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text.replace('0.1.0', '0.1.9'))
    home.run('metadata', 'validate-tools', '-d', 'published').check(1).says('signature is bad')
    sync(home).check(1).says('signature is bad')
    assert all_files(home) == [], all_files(home)


def test_public_tools_tell_of_their_mirrors(fake, home):
    publish(home, RELEASED)
    sync(home).check(0)
    path = os.path.join(home.directory, 'target', 'tools', 'streams', 'v1', 'mirrors.json')
    assert not os.path.exists(path)
    sync(home, 'published', '--public').check(0)
    assert [item['version'] for item in items(home, 'target')] == ['0.1.0']
    with open(path, encoding='utf-8') as file:
        mirror, = json.load(file)['mirrors']['org.welkin:released:tools']
    assert mirror['datatype'] == 'content-download' and mirror['format'] == 'mirrors:1.0', mirror
    assert mirror['path'] == 'streams/v1/cpc-mirrors.json' and len(mirror['updated']) == 8, mirror
    os.unlink(path)
    home.run('metadata', 'generate-tools', '-d', 'target', '--public').check(0)
    assert os.path.exists(path)


def test_tools_come_from_the_mirror_for_the_cloud(fake, home):
    home.write(extra=NETWORK)
    publish(home, RELEASED)
    directory = os.path.join(home.directory, 'published', 'tools', 'streams', 'v1')
    # What the source names itself is another archive, which is not asked for.
    home.run('metadata', 'generate-tools', '-d', 'published', '--public').check(0)
    shutil.copytree(os.path.join(home.directory, 'published'), os.path.join(home.directory, 'copy'))
    os.unlink(os.path.join(home.directory, 'published', 'tools', 'releases',
                           f'welkin-{RELEASED}.tgz'))
    with Server(os.path.join(home.directory, 'copy')) as mirror, serve(home) as server:
        cloud = {'region': 'RegionOne', 'endpoint': fake.auth_url}
        mirrors = {'format': 'mirrors:1.0', 'mirrors': {'org.welkin:released:tools': [
            {'mirror': f'{mirror.url}/tools', 'clouds': [cloud],
             'path': 'streams/v1/org.welkin:released:tools.json'}]}}
        with open(os.path.join(directory, 'cpc-mirrors.json'), 'w', encoding='utf-8') as file:
            json.dump(mirrors, file)
        public = f'{server.url}/tools'
        cloud_options = ('-r', cloud['region'], '-u', cloud['endpoint'])
        found = validate(home, *cloud_options, WELKIN_PUBLIC_TOOLS=public)
        assert found['Resolve Metadata']['mirrorURL'] == f'{mirror.url}/tools', found
        elsewhere = validate(home, '-r', 'R2', '-u', 'http://elsewhere.test',
                             WELKIN_PUBLIC_TOOLS=public)
        assert 'mirrorURL' not in elsewhere['Resolve Metadata'], elsewhere
        sync(home, public).check(0)
        assert stored(home) == [f'welkin-{RELEASED}.tgz'], stored(home)


def test_mirrors_in_a_circle_end(fake, home):
    home.write(extra=NETWORK)
    publish(home, RELEASED)
    shutil.copytree(os.path.join(home.directory, 'published'), os.path.join(home.directory, 'copy'))
    cloud = {'region': 'R', 'endpoint': 'http://id.cloud.test'}
    content_id = 'org.welkin:released:tools'

    def write(tree, name, entry):
        entry = dict(entry, datatype='content-download', format='mirrors:1.0')
        with open(os.path.join(home.directory, tree, 'tools', 'streams', 'v1', name), 'w',
                  encoding='utf-8') as file:
            json.dump({'format': 'mirrors:1.0', 'mirrors': {content_id: [entry]}}, file)
    with Server(os.path.join(home.directory, 'copy')) as mirror, serve(home) as server:
        place, other = f'{server.url}/tools', f'{mirror.url}/tools'

        def look_up(mirror_uri):
            server.server.paths.clear()
            mirror.server.paths.clear()
            found = validate(home, '-r', 'R', '-u', 'http://id.cloud.test',
                             WELKIN_PUBLIC_TOOLS=place)
            assert found['Matching Tools Versions'] == [RELEASED], found
            assert found['Resolve Metadata'].get('mirrorURL') == mirror_uri, found
            for paths in server.server.paths, mirror.server.paths:
                assert len(paths) <= 6, paths

        # The list of lists leads to itself.
        write('published', 'mirrors.json', {'path': 'streams/v1/mirrors.json'})
        look_up(None)
        # The list leads back to the place itself: to its products, to its index, to the list.
        write('published', 'mirrors.json', {'path': 'streams/v1/list.json'})
        for path, mirror_uri in (('streams/v1/org.welkin:released:tools.json', place),
                                 ('streams/v1/index.json', None), ('streams/v1/list.json', None)):
            write('published', 'list.json', {'mirror': place, 'path': path, 'clouds': [cloud]})
            look_up(mirror_uri)
        # Two places are mirrors of each other: that of the mirror is not asked for.
        write('copy', 'mirrors.json', {'path': 'streams/v1/list.json'})
        for tree, mirror_uri in (('published', other), ('copy', place)):
            write(tree, 'list.json', {'mirror': mirror_uri, 'clouds': [cloud],
                                      'path': 'streams/v1/org.welkin:released:tools.json'})
        look_up(other)
        assert mirror.server.paths == ['/tools/streams/v1/org.welkin%3Areleased%3Atools.json'], \
            mirror.server.paths


def test_an_index_that_leads_to_itself_is_told_of(fake, home):
    publish(home, RELEASED)
    directory = os.path.join(home.directory, 'published', 'tools', 'streams', 'v1')
    with open(os.path.join(directory, 'index.json'), encoding='utf-8') as file:
        index = json.load(file)
    for entry in index['index'].values():
        entry['path'] = 'streams/v1/index.json'
    with open(os.path.join(directory, 'index.json'), 'w', encoding='utf-8') as file:
        json.dump(index, file)
    home.run('metadata', 'validate-tools', '-d', 'published').check(1) \
        .says('unexpected products file format "index:1.0"')
    os.unlink(os.path.join(directory, 'index.json'))
    os.symlink('index.json', os.path.join(directory, 'index.json'))
    home.run('metadata', 'validate-tools', '-d', 'published').check(1).says('index.json')


def test_the_public_place_is_the_last_and_the_default(fake, home):
    home.write(extra=NETWORK)
    publish(home, RELEASED)
    os.mkdir(os.path.join(home.directory, 'target'))
    with serve(home) as server:
        public = f'{server.url}/tools'
        home.run('sync-tools', '--local-dir', 'target', WELKIN_PUBLIC_TOOLS=public).check(0)
        assert stored(home) == [f'welkin-{RELEASED}.tgz'], stored(home)
        home.run('bootstrap', WELKIN_PUBLIC_TOOLS=public).check(0)
        with open(home.info_path('lab'), encoding='utf-8') as file:
            assert "agent-version: '0.1.0'" in file.read()
    # Machines fetch it there themselves.
    assert home.run('storage', 'list', 'tools/').check(0).output == ''


def test_how_far_a_copy_is_shows_on_a_terminal(fake, home):
    large_archive(home, RELEASED, LARGE)
    home.run('metadata', 'generate-tools', '-d', 'published').check(0)
    os.mkdir(os.path.join(home.directory, 'target'))
    written, status = home.run_on_terminal('sync-tools', '--source', 'published', '--local-dir',
                                           'target')
    assert status == 0, written
    assert 'Copying tools/releases/' in written and ' %  ' in written, written


def test_what_was_found_and_copied_is_said(fake, home):
    publish(home, RELEASED, '0.1.0-jammy-amd64')
    os.mkdir(os.path.join(home.directory, 'target'))
    run = functools.partial(home.run, 'sync-tools', '--source', 'published', '--local-dir',
                            'target', quiet=False)
    said = run().check(0).says('Found 2 archives of tools',
                               'Copied 2 archives, and wrote the metadata').errors
    assert said.index('Found') < said.index('Copied'), said
    run('--all').check(0).says('Copied 0 archives')
    assert 'Copied' not in run('--dry-run').check(0).errors


def test_former_names_of_architectures_mean_the_present_ones(fake, home):
    publish(home, '0.1.0-noble-arm', '0.1.0-noble-ppc64', RELEASED)
    for arch, former in (('armhf', 'arm'), ('arm', 'arm'), ('ppc64el', 'ppc64')):
        found = validate(home, '-d', 'published', '-a', arch)
        assert len(found['Matching Tools Versions']) == 1, (found, former)


def test_a_kind_of_cloud_stands_in_for_an_environment(fake, home):
    publish(home, RELEASED)
    run = functools.partial(home.run, 'metadata', 'validate-tools', '-p', 'openstack')
    run().check(2).says('series required if provider type is specified')
    run('-s', 'noble').check(2).says('region required if provider type is specified')
    run('-s', 'noble', '-r', 'R').check(2).says('directory required if provider type is specified')
    run('-s', 'noble', '-r', 'R', '-d', 'published').check(0)


if __name__ == '__main__':
    sys.exit(run_tests([function for name, function in list(globals().items())
                        if name.startswith('test_')]))
