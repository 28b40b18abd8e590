#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What a user sees of tools: copied, found, and their metadata written for others."""

import hashlib
import json
import os
import sys

from fixture import compare, run_tests
from tools_tree import archive, items, publish, stored

RELEASED = '0.1.0-noble-amd64'


def sync(home, *options):
    os.makedirs(os.path.join(home.directory, 'target'), exist_ok=True)
    return home.run('sync-tools', '--source', 'published', '--local-dir', 'target', *options)


def change_products(home, change):
    path = os.path.join(home.directory, 'published', 'tools', 'streams', 'v1',
                        'org.welkin:released:tools.json')
    with open(path, encoding='utf-8') as file:
        document = json.load(file)
    for product in document['products'].values():
        for version in product['versions'].values():
            for item in version['items'].values():
                change(item)
    with open(path, 'w', encoding='utf-8') as file:
        json.dump(document, file)


def test_what_generate_tools_writes_others_can_read(fake, home):
    publish(home, RELEASED, '0.1.1-noble-amd64', '0.1.0-noble-arm64', '0.2-beta3-jammy-amd64')
    found = {item['version']: item for item in items(home, 'published')}
    assert sorted(found) == ['0.1.0', '0.1.1'], found
    contents = f'the tools {RELEASED}'.encode()
    assert found['0.1.0'] == {
        'release': 'noble', 'version': '0.1.0', 'arch': 'amd64', 'size': len(contents),
        'path': f'releases/welkin-{RELEASED}.tgz', 'ftype': 'tar.gz',
        'sha256': hashlib.sha256(contents).hexdigest()}, found
    beta, = items(home, 'published', 'org.welkin:22.04:amd64')
    assert beta['version'] == '0.2-beta3', beta
    arm, = items(home, 'published', 'org.welkin:24.04:arm64')
    assert arm['arch'] == 'arm64', arm


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
    with open(os.path.join(home.directory, 'got'), encoding='utf-8') as file:
        assert file.read() == f'the tools {RELEASED}'
    assert home.run('sync-tools', '--source', 'published').check(0).output == ''


def test_what_is_told_of_the_same_tools_must_agree(fake, home):
    publish(home, RELEASED)
    sync(home).check(0)
    with open(os.path.join(home.directory, 'target', 'tools', 'releases',
                           f'welkin-{RELEASED}.tgz'), 'w', encoding='utf-8') as file:
        file.write('something else')
    home.run('metadata', 'generate-tools', '-d', 'target').check(1) \
        .says(f'metadata mismatch for {RELEASED}')


def test_tools_are_found(fake, home):
    publish(home, RELEASED, '0.1.1-jammy-amd64', '0.2-beta3-noble-amd64')

    def versions(*options):
        outcome = home.run('metadata', 'validate-tools', '-d', 'published', '--format', 'json',
                           *options).check(0)
        return sorted(json.loads(outcome.output)['Matching Tools Versions'])
    assert versions() == [RELEASED, '0.1.1-jammy-amd64', '0.2-beta3-noble-amd64']
    assert versions('-s', 'noble', '-m', '0.1') == [RELEASED]
    assert versions('-j', '0.2-beta3') == ['0.2-beta3-noble-amd64']
    assert versions('-j', 'current') == [RELEASED]


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
