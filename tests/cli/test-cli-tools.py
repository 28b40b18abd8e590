#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What a user sees of tools: copied, found, and their metadata written for others."""

import functools
import gzip
import hashlib
import json
import os
import shutil
import sys
import zlib

from fixture import change_json, compare, run_tests
from read_streams import read
from tools_tree import archive, items, pack, place, publish, stored

RELEASED = '0.1.0-noble-amd64'


def sync(home, *options):
    os.makedirs(os.path.join(home.directory, 'target'), exist_ok=True)
    return home.run('sync-tools', '--source', 'published', '--local-dir', 'target', *options)


def test_what_generate_tools_writes_others_can_read(fake, home):
    publish(home, RELEASED, '0.1.1-noble-amd64', '0.1.0-noble-arm64', '0.2-beta3-jammy-amd64')
    found = {item['version']: item for item in items(home, 'published')}
    assert sorted(found) == ['0.1.0', '0.1.1'], found
    contents = pack(f'the tools {RELEASED}')
    assert found['0.1.0'] == {
        'release': 'noble', 'version': '0.1.0', 'arch': 'amd64', 'size': len(contents),
        'path': f'releases/welkin-{RELEASED}.tgz', 'ftype': 'tar.gz',
        'sha256': hashlib.sha256(contents).hexdigest()}, found
    beta, = items(home, 'published', 'org.welkin:22.04:amd64')
    assert beta['version'] == '0.2-beta3', beta
    arm, = items(home, 'published', 'org.welkin:24.04:arm64')
    assert arm['arch'] == 'arm64', arm


def change(home, name, change_document):
    streams = os.path.join(home.directory, 'published', 'tools', 'streams', 'v1')
    return change_json(os.path.join(streams, name), change_document)


def change_products(home, change_item):
    def change_items(document):
        for product in document['products'].values():
            for version in product['versions'].values():
                for item in version['items'].values():
                    change_item(item)
    change(home, 'org.welkin:released:tools.json', change_items)


def test_what_we_do_not_know_stays(fake, home):
    publish(home, RELEASED)
    for name in ('index.json', 'org.welkin:released:tools.json'):
        change(home, name, lambda document, name=name: document.update(note=name))
    change_products(home, lambda item: item.update(md5='x'))
    publish(home, '0.1.1-noble-amd64')
    publish(home, '0.1.8-noble-amd64', stream='devel')
    change(home, 'index2.json', lambda document: document.update(note='index2.json'))
    publish(home, '0.1.2-noble-amd64')
    for name in ('index.json', 'index2.json', 'org.welkin:released:tools.json'):
        assert change(home, name, lambda document: None)['note'] == name, name
    told = {item['version']: item.get('md5') for item in items(home, 'published')}
    assert told == {'0.1.0': 'x', '0.1.1': None, '0.1.2': None}, told


def test_tools_are_copied_once(fake, home):
    publish(home, RELEASED, '0.1.1-noble-amd64', '0.1.2.3-noble-amd64', '0.2.0-noble-amd64')
    dry = sync(home, '--dry-run').check(0)
    assert dry.output.split() == ['tools/releases/welkin-0.1.1-noble-amd64.tgz'], dry.output
    assert stored(home) == []
    sync(home).check(0)
    assert stored(home) == ['welkin-0.1.1-noble-amd64.tgz'], stored(home)
    assert [item['version'] for item in items(home, 'target')] == ['0.1.1']
    assert sync(home).check(0).output == ''
    sync(home, '--all', '--dev').check(0)
    assert sorted(item['version'] for item in items(home, 'target')) \
        == ['0.1.0', '0.1.1', '0.1.2.3', '0.2.0']


def test_an_archive_that_is_another_is_not_stored(fake, home):
    publish(home, RELEASED)
    change_products(home, lambda item: item.update(sha256='0' * 64))
    sync(home).check(1).says('sha256 mismatch')
    assert stored(home) == []
    change_products(home, lambda item: item.update(size=3))
    sync(home).check(1).says('size mismatch')
    assert stored(home) == []


def test_an_archive_comes_from_its_source_alone(fake, home):
    publish(home, RELEASED)
    archive(home, RELEASED, 'elsewhere')
    change_products(home, lambda item: item.update(path='../../elsewhere/tools/' + item['path']))
    sync(home).check(1).says('leads out of the source')
    assert stored(home) == []


def make_bomb(n_megabytes):
    """What unpacks to so much nothing."""
    compressor = zlib.compressobj(wbits=31)
    begin = compressor.compress(bytes(1024 * 1024)) + compressor.flush(zlib.Z_FULL_FLUSH)
    again = compressor.compress(bytes(1024 * 1024)) + compressor.flush(zlib.Z_FULL_FLUSH)
    return begin + again * n_megabytes


def test_what_is_no_archive_is_left_out_of_metadata(fake, home):
    whole = archive(home, RELEASED)
    for minor, contents, told in (
            (1, b'', 'it is empty'), (2, b'no archive at all', 'it is not compressed by gzip'),
            (3, whole[:-10], 'it is cut off'), (4, gzip.compress(b'no tar'), 'it holds no tar'),
            (5, whole[:2000] + b'x' + whole[2001:], 'or is damaged'),
            (6, gzip.compress(bytes(2000)), 'it holds no tar'),
            (7, make_bomb(1100), 'it unpacks to more than 1 GiB')):
        path = place(home, f'0.1.{minor}-noble-amd64', contents)
        outcome = home.run('metadata', 'generate-tools', '-d', 'published').check(0)
        outcome.says(f'warning: tools/releases/{os.path.basename(path)} is left out: ', told)
        assert versions(home) == [RELEASED], told
        os.unlink(path)
    # What was an archive when metadata were written is told of no more when it is none.
    archive(home, '0.1.8-noble-amd64')
    home.run('metadata', 'generate-tools', '-d', 'published').check(0)
    assert versions(home) == [RELEASED, '0.1.8-noble-amd64']
    place(home, '0.1.8-noble-amd64', b'')
    home.run('metadata', 'generate-tools', '-d', 'published').check(0)
    assert versions(home) == [RELEASED]
    os.unlink(os.path.join(home.directory, 'published', 'tools', 'releases',
                           f'welkin-{RELEASED}.tgz'))
    shutil.rmtree(os.path.join(home.directory, 'published', 'tools', 'streams'))
    place(home, RELEASED, b'')
    home.run('metadata', 'generate-tools', '-d', 'published').check(1) \
        .says('it is empty', 'no tools are available')


def test_what_is_no_archive_is_not_copied(fake, home):
    publish(home, RELEASED)
    place(home, RELEASED, b'no archive at all')
    change_products(home, lambda item: item.update(sha256='', size=0))
    sync(home).check(1).says(f'welkin-{RELEASED}.tgz: it is not compressed by gzip')
    assert stored(home) == []


def test_a_bad_archive_does_not_keep_the_others_away(fake, home):
    publish(home, RELEASED, '0.1.0-jammy-amd64', '0.1.0-focal-amd64', '0.1.0-noble-arm64')
    published = os.path.join(home.directory, 'published', 'tools', 'releases')
    os.unlink(os.path.join(published, f'welkin-{RELEASED}.tgz'))
    place(home, '0.1.0-jammy-amd64', b'no archive at all')
    # Nobody has told of it, and it is not what is published.
    place(home, '0.1.0-jammy-amd64', pack('something else'), 'target')
    change_products(home, lambda item: item.update(release='nosuch')
                    if item['release'] == 'focal' else None)
    outcome = sync(home).check(1).says(
        'Cannot copy 3 of 4 archives of tools:', f'\ntools/releases/welkin-{RELEASED}.tgz: ',
        '\ntools/releases/welkin-0.1.0-jammy-amd64.tgz: size mismatch',
        '\n0.1.0-nosuch-amd64: invalid series "nosuch"')
    assert outcome.errors.count('error:') == 1, outcome.errors
    assert versions(home, tree='target') == ['0.1.0-noble-arm64']
    assert sorted(stored(home)) == ['welkin-0.1.0-jammy-amd64.tgz', 'welkin-0.1.0-noble-arm64.tgz']


def test_trees_of_the_former_name_are_read(fake, home):
    contents = archive(home, '0.1.0-trusty-amd64', prefix='juju')
    directory = os.path.join(home.directory, 'published', 'tools', 'streams', 'v1')
    os.makedirs(directory)
    path = 'streams/v1/com.ubuntu.juju:released:tools.json'
    updated = 'Wed, 01 May 2013 13:31:26 +0000'
    product = 'com.ubuntu.juju:14.04:amd64'
    index = {'format': 'index:1.0', 'updated': updated, 'index': {
        'com.ubuntu.juju:released:tools': {
            'format': 'products:1.0', 'datatype': 'content-download', 'path': path,
            'updated': updated, 'products': [product]}}}
    item = {'release': 'trusty', 'version': '0.1.0', 'arch': 'amd64', 'size': len(contents),
            'path': 'releases/juju-0.1.0-trusty-amd64.tgz', 'ftype': 'tar.gz',
            'sha256': hashlib.sha256(contents).hexdigest()}
    products = {'format': 'products:1.0', 'content_id': 'com.ubuntu.juju:released:tools',
                'updated': updated, 'products': {product: {
                    'arch': 'amd64', 'version': '0.1.0',
                    'versions': {'20130501': {'items': {'0.1.0-trusty-amd64': item}}}}}}
    for name, document in (('streams/v1/index.json', index), (path, products)):
        with open(os.path.join(home.directory, 'published', 'tools', name), 'w',
                  encoding='utf-8') as file:
            json.dump(document, file)
    sync(home).check(0)
    assert stored(home) == ['welkin-0.1.0-trusty-amd64.tgz'], stored(home)
    copied, = items(home, 'target', 'org.welkin:14.04:amd64')
    assert copied['sha256'] == item['sha256'], copied


def test_tools_get_into_the_storage_of_an_environment(fake, home):
    home.write(extra='        network: private\n')
    home.run('bootstrap').check(0)
    publish(home, RELEASED)
    copied = home.run('sync-tools', '--source', 'published').check(0)
    assert copied.output.split() == [f'tools/releases/welkin-{RELEASED}.tgz'], copied.output
    home.run('storage', 'get', f'tools/releases/welkin-{RELEASED}.tgz', 'got').check(0)
    with open(os.path.join(home.directory, 'got'), 'rb') as file:
        assert file.read() == pack(f'the tools {RELEASED}')
    assert home.run('sync-tools', '--source', 'published').check(0).output == ''


def test_what_was_wanted_is_told_where_there_is_none(fake, home):
    publish(home, RELEASED)
    os.mkdir(os.path.join(home.directory, 'target'))
    for version in '9', '9.8', '9.8.7':
        sync(home, '--version', version).check(1).says(
            f'no matching tools are available of version {version} in:\npublished: ')


def test_what_is_told_of_the_same_tools_must_agree(fake, home):
    publish(home, RELEASED)
    sync(home).check(0)
    place(home, RELEASED, pack('something else'), 'target')
    home.run('metadata', 'generate-tools', '-d', 'target').check(1) \
        .says(f'metadata mismatch for {RELEASED}')


def versions(home, *options, tree='published'):
    outcome = home.run('metadata', 'validate-tools', '-d', tree, '--format', 'json',
                       *options).check(0)
    return sorted(json.loads(outcome.output)['Matching Tools Versions'])


def content_ids(home, index, tree='published'):
    path = os.path.join(home.directory, tree, 'tools', 'streams', 'v1', f'{index}.json')
    with open(path, encoding='utf-8') as file:
        return sorted(json.load(file)['index'])


def test_streams_go_side_by_side(fake, home):
    publish(home, RELEASED)
    publish(home, '0.1.8-noble-amd64', stream='devel')
    # Who knows no streams does not get to see what is not released.
    assert content_ids(home, 'index') == ['org.welkin:released:tools']
    assert content_ids(home, 'index2') == ['org.welkin:devel:tools', 'org.welkin:released:tools']
    assert versions(home) == [RELEASED]
    assert versions(home, '--stream', 'devel') == ['0.1.8-noble-amd64']
    home.run('metadata', 'validate-tools', '-d', 'published', '--stream', 'proposed').check(1) \
        .says('org.welkin:proposed:tools')
    publish(home, '0.1.1-noble-amd64')
    assert versions(home) == [RELEASED, '0.1.1-noble-amd64']
    assert versions(home, '--stream', 'devel') == ['0.1.8-noble-amd64']
    found, = read(os.path.join(home.directory, 'published', 'tools'), 'content-download', '', '',
                  'org.welkin:24.04:amd64', index='index2')
    assert found['path'] == 'devel/welkin-0.1.8-noble-amd64.tgz', found


def test_a_stream_is_copied_as_such(fake, home):
    publish(home, RELEASED)
    publish(home, '0.1.8-noble-amd64', stream='devel')
    sync(home, '--stream', 'devel').check(0)
    assert stored(home) == [] and stored(home, stream='devel') == ['welkin-0.1.8-noble-amd64.tgz']
    home.run('metadata', 'validate-tools', '-d', 'target').check(1)
    assert versions(home, '--stream', 'devel', tree='target') == ['0.1.8-noble-amd64']
    sync(home).check(0)
    assert versions(home, tree='target') == [RELEASED]
    assert versions(home, '--stream', 'devel', tree='target') == ['0.1.8-noble-amd64']


def test_streams_that_are_public_have_mirrors_each(fake, home):
    publish(home, RELEASED)
    archive(home, '0.1.8-noble-amd64', stream='devel')
    home.run('metadata', 'generate-tools', '-d', 'published', '--stream', 'devel',
             '--public').check(0)
    path = os.path.join(home.directory, 'published', 'tools', 'streams', 'v1', 'mirrors.json')
    with open(path, encoding='utf-8') as file:
        assert sorted(json.load(file)['mirrors']) == ['org.welkin:devel:tools',
                                                      'org.welkin:released:tools']


def test_archives_in_the_directory_of_the_newer_name_are_read(fake, home):
    archive(home, RELEASED, stream='released')
    home.run('metadata', 'generate-tools', '-d', 'published').check(0)
    found, = items(home, 'published')
    assert found['path'] == f'released/welkin-{RELEASED}.tgz', found


def test_what_is_no_name_of_a_stream_is_refused(fake, home):
    publish(home, RELEASED)
    for name in ('..', 'a/b', 'a:b', 'streams', '-x'):
        for command in (('metadata', 'generate-tools', '-d', 'published'),
                        ('metadata', 'validate-tools', '-d', 'published'),
                        ('sync-tools', '--source', 'published', '--local-dir', 'published')):
            home.run(*command, f'--stream={name}').check(1).says(f'invalid stream "{name}"')


def test_a_copy_that_was_cut_off_is_completed(fake, home):
    publish(home, RELEASED)
    archive(home, RELEASED, 'target')
    # Nobody publishes this one.
    archive(home, '0.1.3-noble-amd64', 'target')
    archive(home, '9.0.0-noble-amd64', 'target')
    assert sync(home).check(0).output == ''
    assert [item['version'] for item in items(home, 'target')] == ['0.1.0', '0.1.3']
    contents = pack(f'the tools {RELEASED}')
    found = items(home, 'target')[0]
    assert found['size'] == len(contents), found
    assert found['sha256'] == hashlib.sha256(contents).hexdigest(), found


def test_what_lies_there_and_is_another_file_is_copied_anew(fake, home):
    publish(home, RELEASED)
    whole = pack(f'the tools {RELEASED}')
    for contents in (whole[:100], pack('something else')):
        path = place(home, RELEASED, contents, 'target')
        assert sync(home).check(0).output == f'tools/releases/welkin-{RELEASED}.tgz\n'
        with open(path, 'rb') as file:
            assert file.read() == whole
        found, = items(home, 'target')
        assert found['size'] == len(whole), found
        shutil.rmtree(os.path.join(home.directory, 'target'))


def test_what_metadata_tell_of_is_not_copied_over(fake, home):
    path = place(home, RELEASED, pack('another one'), 'target')
    home.run('metadata', 'generate-tools', '-d', 'target').check(0)
    publish(home, RELEASED)
    sync(home).check(1).says(f'metadata mismatch for {RELEASED}')
    with open(path, 'rb') as file:
        assert file.read() == pack('another one')


def test_metadata_of_no_tools_are_those_of_the_public_ones(fake, home):
    publish(home, RELEASED, '0.2-beta3-jammy-amd64')
    # What the publisher does not tell is found out.
    change_products(home, lambda item: item.update(sha256='', size=0)
                    if item['version'] == '0.1.0' else None)
    os.mkdir(os.path.join(home.directory, 'target'))
    run = functools.partial(home.run, 'metadata', 'generate-tools', '-d', 'target')
    run().check(1).says('no tools are available', 'no public place')
    run(WELKIN_PUBLIC_TOOLS=f'{home.directory}/published').check(0)
    assert stored(home) == []
    found, = items(home, 'target')
    contents = pack(f'the tools {RELEASED}')
    assert found['sha256'] == hashlib.sha256(contents).hexdigest(), found
    assert found['size'] == len(contents), found
    assert versions(home, tree='target') == [RELEASED, '0.2-beta3-jammy-amd64']
    # What lies here goes first.
    archive(home, '0.1.5-noble-amd64', 'target')
    os.rename(os.path.join(home.directory, 'published'), os.path.join(home.directory, 'gone'))
    run(WELKIN_PUBLIC_TOOLS=f'{home.directory}/published').check(0)
    assert '0.1.5-noble-amd64' in versions(home, tree='target')


def test_tools_are_found(fake, home):
    publish(home, RELEASED, '0.1.1-jammy-amd64', '0.2-beta3-noble-amd64')
    assert versions(home) == [RELEASED, '0.1.1-jammy-amd64', '0.2-beta3-noble-amd64']
    assert versions(home, '-s', 'noble', '-m', '0.1') == [RELEASED]
    assert versions(home, '-j', '0.2-beta3') == ['0.2-beta3-noble-amd64']
    assert versions(home, '-j', 'current') == [RELEASED]


def test_what_is_wrong_is_told(fake, home):
    publish(home, RELEASED)
    os.mkdir(os.path.join(home.directory, 'empty'))
    compare('tools',
            home.run('help', 'sync-tools').check(0),
            home.run('help', 'metadata', 'generate-tools').check(0),
            home.run('help', 'metadata', 'validate-tools').check(0),
            home.run('sync-tools').check(2),
            home.run('sync-tools', '--source', 'empty', '--local-dir', 'empty').check(1),
            home.run('sync-tools', '--source', 'published', '--local-dir', 'nosuch').check(1),
            home.run('sync-tools', '--source', 'published', '--local-dir', 'empty',
                     '--version', '1.x').check(1),
            home.run('sync-tools', '--source', 'published', '--local-dir', 'empty').check(0),
            home.run('sync-tools', '--source', 'published', '--local-dir', 'empty').check(0),
            home.run('metadata', 'generate-tools', '-d', 'nosuch').check(1),
            home.run('metadata', 'validate-tools', '-d', 'empty').check(0),
            home.run('metadata', 'validate-tools', '-d', 'empty', '-s', 'warty').check(1),
            home.run('metadata', 'validate-tools', '-d', 'empty', '-j', '9.9.9').check(1),
            home.run('metadata', 'validate-tools', '-j', '1.2.3', '-m', '1.2').check(2))


if __name__ == '__main__':
    sys.exit(run_tests([function for name, function in list(globals().items())
                        if name.startswith('test_')]))
