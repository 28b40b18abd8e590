#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What a user sees of the verbs of "metadata", and whether others can read what they write."""

import json
import os
import shutil
import sys

from fixture import change_json, compare, run_tests
from read_streams import read

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'data', 'simplestreams')
ENDPOINT = 'https://id.cloud.test:5000/v3'
NETWORK = '        network: private\n'


def generate(home, image, *options, directory='tree', series='noble', region='RegionOne',
             endpoint=ENDPOINT, **variables):
    place = ['-d', directory] if directory else []
    return home.run('metadata', 'generate-image', '-i', image, '-s', series, '-r', region,
                    '-u', endpoint, *place, *options, **variables)


def tree(home):
    return os.path.join(home.directory, 'tree', 'images')


def ids(home, product, region='RegionOne', endpoint=ENDPOINT):
    return [item['id'] for item in read(tree(home), 'image-ids', region, endpoint, product)]


def validate(home, *options):
    outcome = home.run('metadata', 'validate-images', '-p', 'openstack', '-d', 'tree',
                       '-u', ENDPOINT, '--format', 'json', *options).check(0)
    return json.loads(outcome.output)


def test_what_generate_image_writes_others_can_read(fake, home):
    generate(home, 'noble-one').check(0)
    generate(home, 'noble-arm', '-a', 'arm64', '--virt-type', 'kvm').check(0)
    generate(home, 'jammy-one', series='jammy').check(0)
    generate(home, 'noble-two', region='RegionTwo').check(0)
    generate(home, 'elsewhere', series='bookworm', region='R', endpoint='http://other/').check(0)

    assert ids(home, 'com.ubuntu.cloud:server:24.04:amd64') == ['noble-one', 'noble-two']
    assert ids(home, 'com.ubuntu.cloud:server:24.04:amd64', 'RegionTwo') \
        == ['noble-one', 'noble-two']
    assert ids(home, 'com.ubuntu.cloud:server:22.04:amd64') == ['jammy-one']
    assert ids(home, 'com.ubuntu.cloud:server:12:amd64', 'R', 'http://other/') == ['elsewhere']
    arm, = read(tree(home), 'image-ids', 'RegionOne', ENDPOINT,
                'com.ubuntu.cloud:server:24.04:arm64')
    assert arm == {'id': 'noble-arm', 'arch': 'arm64', 'version': '24.04', 'virt': 'kvm',
                   'region': 'RegionOne', 'endpoint': ENDPOINT}, arm


def test_a_newer_image_takes_the_place_of_the_one_before(fake, home):
    generate(home, 'old').check(0)
    generate(home, 'other', region='RegionTwo').check(0)
    generate(home, 'new').check(0)
    assert sorted(ids(home, 'com.ubuntu.cloud:server:24.04:amd64')) == ['new', 'other']


def test_we_read_what_we_write(fake, home):
    generate(home, 'noble-one').check(0)
    generate(home, 'noble-two', region='RegionTwo').check(0)
    found = validate(home, '-s', 'noble', '-r', 'RegionTwo')
    assert found['ImageIds'] == ['noble-two'] and found['Region'] == 'RegionTwo', found
    assert found['Resolve Metadata'] == {
        'source': 'local metadata directory', 'signed': 'false',
        'indexURL': f'file://{tree(home)}/streams/v1/index.json'}, found


def test_metadata_that_cannot_be_read_are_left_alone(fake, home):
    generate(home, 'first').check(0)
    path = os.path.join(tree(home), 'streams', 'v1', 'index.json')
    with open(path, 'w', encoding='utf-8') as file:
        file.write('{"mine": ')
    generate(home, 'second').check(1).says('Cannot read the metadata that there are')
    with open(path, encoding='utf-8') as file:
        assert file.read() == '{"mine": '


def test_metadata_of_others_in_the_same_index_stay(fake, home):
    shutil.copytree(os.path.join(DATA, 'images'), tree(home))
    product = 'com.ubuntu.cloud:server:24.04:amd64'
    published = ids(home, product)
    generate(home, 'elsewhere', region='RegionFive', endpoint='http://five/').check(0)
    assert ids(home, product) == published
    assert ids(home, product, 'RegionFive', 'http://five/') == ['elsewhere']
    generate(home, 'better').check(0)
    assert ids(home, product) == ['better', 'elsewhere']
    assert validate(home, '-s', 'noble', '-r', 'RegionOne')['ImageIds'] == ['better']


def change(home, name, change_document):
    return change_json(os.path.join(tree(home), 'streams', 'v1', name), change_document)


def test_what_we_do_not_know_stays(fake, home):
    generate(home, 'noble-one').check(0)
    generate(home, 'jammy-one', series='jammy').check(0)
    products = 'com.ubuntu.cloud:released:imagemetadata.json'
    noble = 'com.ubuntu.cloud:server:24.04:amd64'
    jammy = 'com.ubuntu.cloud:server:22.04:amd64'

    def mark_index(document):
        document['_note'] = {'ours': [1, None, True]}
        document['index']['com.ubuntu.cloud:custom']['label'] = 'lab'
    change(home, 'index.json', mark_index)

    def mark_products(document):
        document['license'] = 'free'
        for name in (noble, jammy):
            product = document['products'][name]
            product['os'] = 'ubuntu'
            build, = product['versions'].values()
            build['pubname'] = 'of the build'
            item, = build['items'].values()
            item['md5'] = 'x'
            item['virt'] = 'kvm'
    before = change(home, products, mark_products)

    # The same image once more, of which another kind of virtualization is no longer told.
    generate(home, 'noble-one').check(0)
    generate(home, 'arm-one', '-a', 'arm64').check(0)
    index = change(home, 'index.json', lambda document: None)
    assert index['_note'] == {'ours': [1, None, True]}, index
    assert index['index']['com.ubuntu.cloud:custom']['label'] == 'lab', index
    after = change(home, products, lambda document: None)
    assert after['license'] == 'free', after
    assert after['products'][jammy] == before['products'][jammy], after
    assert after['products'][noble]['os'] == 'ubuntu', after
    build, = after['products'][noble]['versions'].values()
    assert build['pubname'] == 'of the build' and 'virt' not in build['items']['noble-one'], after

    # What takes the place of another image does not get what was said of that.
    generate(home, 'noble-two').check(0)
    after = change(home, products, lambda document: None)
    build, = after['products'][noble]['versions'].values()
    assert list(build['items']) == ['noble-two'] and 'md5' not in build['items']['noble-two'], after


def test_what_we_do_not_know_stays_where_the_index_leads(fake, home):
    generate(home, 'noble-one').check(0)
    directory = os.path.join(tree(home), 'streams', 'v1')
    os.rename(os.path.join(directory, 'com.ubuntu.cloud:released:imagemetadata.json'),
              os.path.join(directory, 'elsewhere.json'))
    change(home, 'elsewhere.json', lambda document: document.update(license='free'))
    change(home, 'index.json', lambda document: document['index']['com.ubuntu.cloud:custom']
           .update(path='streams/v1/elsewhere.json'))
    generate(home, 'jammy-one', series='jammy').check(0)
    after = change(home, 'com.ubuntu.cloud:released:imagemetadata.json', lambda document: None)
    assert after['license'] == 'free' and len(after['products']) == 2, after


def test_what_cannot_be_right_is_refused_and_nothing_written(fake, home):
    for options, told in (
            (('-a', 'amd65'), 'invalid architecture "amd65": expected one of amd64, arm64, armhf'),
            (('-a', ''), 'invalid architecture ""'),
            (('-s', 'noble\nx'), 'invalid series "noble\\nx": expected the code name'),
            (('-r', 'Region\nOne'), 'invalid region "Region\\nOne": expected text without'),
            (('-r', 'RegionOne '), 'invalid region "RegionOne ": expected text without'),
            (('-i', 'an\nimage'), 'invalid image id "an\\nimage": expected'),
            (('-i', 'an image'), 'invalid image id "an image": expected'),
            (('-i', '../image'), 'invalid image id "../image": expected'),
            (('--virt-type', 'k v m'), 'invalid virtualization type "k v m": expected'),
            (('--virt-type', ''), 'invalid virtualization type "": expected'),
            (('-u', 'cloud.test:5000'), 'invalid endpoint "cloud.test:5000": expected a URL'),
            (('-u', 'ftp://cloud.test/'), 'invalid endpoint "ftp://cloud.test/": expected a URL'),
            (('-u', 'https:///v3'), 'invalid endpoint "https:///v3": expected a URL'),
            (('-u', 'https://cloud.test/v3\n'), 'expected a URL'),
            (('-u', 'https://me:secret@cloud.test/v3'), 'without user and password'),
            (('-u', 'https://cloud.test/v3?x=y'), 'without user and password')):
        outcome = generate(home, 'an-image', *options).check(1).says(told)
        assert 'secret' not in outcome.errors, outcome.errors
        assert not os.path.exists(os.path.join(home.directory, 'tree')), options
    generate(home, '4711', '-a', 'arm', '--virt-type', 'kvm', '-r', 'Region One').check(0)


def test_options_that_are_missing(fake, home):
    home.write(extra=NETWORK)
    compare('metadata',
            home.run('metadata').check(2),
            home.run('metadata', 'frobnicate').check(2),
            home.run('help', 'metadata', 'generate-image').check(0),
            home.run('metadata', 'generate-image').check(2),
            home.run('metadata', 'generate-image', '-i', 'x', '-d', 'd', '--storage').check(2),
            home.run('metadata', 'generate-image', '-i', 'an-image', '-d', 'tree').check(0),
            home.run('metadata', 'generate-image', '-i', 'x', '-e', 'nosuch').check(2),
            home.run('metadata', 'generate-image', '-i', 'x', '-s', 'warty').check(1),
            home.run('metadata', 'validate-images', '--help').check(0),
            home.run('metadata', 'validate-images', '-p', 'openstack').check(2),
            home.run('metadata', 'validate-images', '-p', 'openstack', '-s', 'noble').check(2),
            home.run('metadata', 'validate-images', '-p', 'openstack', '-s', 'noble',
                     '-r', 'RegionOne').check(2),
            home.run('metadata', 'validate-images', '-p', 'nosuch', '-s', 'noble',
                     '-r', 'RegionOne', '-d', 'tree').check(1),
            home.run('metadata', 'validate-images', '-d', 'tree').check(0),
            home.run('metadata', 'validate-images', '-d', 'tree', '-r', 'Elsewhere').check(1),
            home.run('metadata', 'validate-images').check(1),
            home.run('metadata', 'sign').check(2),
            home.run('metadata', 'sign', '-d', 'tree').check(2),
            home.run('metadata', 'sign', '--help').check(0))


def sign(home, *options, stdin='', **variables):
    return home.run('metadata', 'sign', '-d', 'tree', '-k', os.path.join(DATA, 'signer-secret.asc'),
                    *options, stdin=stdin, **variables)


def test_signed_metadata_are_read_and_changed_ones_refused(fake, home):
    home.environment['TMPDIR'] = home.directory
    generate(home, 'noble-one').check(0)
    sign(home, '-p', 'SIGNING', SIGNING='wrong').check(1).says('Cannot')
    sign(home, '-p', 'NOT_SET').check(2).says('not set')
    signed = sign(home, '-p', 'SIGNING', SIGNING='a secret').check(0)
    names = sorted(os.path.basename(line) for line in signed.output.split())
    assert names == ['com.ubuntu.cloud:released:imagemetadata.sjson', 'index.sjson'], names
    assert not [name for name in os.listdir(home.directory) if name.startswith('welkin-')]

    home.environment['WELKIN_IMAGE_KEY'] = os.path.join(DATA, 'signer.asc')
    found = validate(home, '-s', 'noble', '-r', 'RegionOne')
    assert found['ImageIds'] == ['noble-one'], found
    assert found['Resolve Metadata']['signed'] == 'true', found

    home.environment['WELKIN_IMAGE_KEY'] = '/nonexistent'
    home.run('metadata', 'validate-images', '-p', 'openstack', '-d', 'tree', '-u', ENDPOINT, '-s',
             'noble', '-r', 'RegionOne').check(0).says('are taken unsigned')
    home.environment['WELKIN_IMAGE_KEY'] = os.path.join(DATA, 'signer.asc')

    outdated = 'sign them again'
    generate(home, 'noble-arm', '-a', 'arm64', quiet=False).check(0).says(outdated)
    sign(home, '-p', 'SIGNING', SIGNING='a secret').check(0)
    assert outdated not in generate(home, 'x', directory='other', quiet=False).check(0).errors

    path = os.path.join(tree(home), 'streams', 'v1',
                        'com.ubuntu.cloud:released:imagemetadata.sjson')
    with open(path, encoding='utf-8') as file:
        text = file.read()
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text.replace('noble-one', 'noble-bad'))
    home.run('metadata', 'validate-images', '-p', 'openstack', '-d', 'tree', '-s', 'noble',
             '-r', 'RegionOne').check(1).says('signature is bad')


def test_the_passphrase_may_come_by_standard_input(fake, home):
    generate(home, 'noble-one').check(0)
    sign(home, '-p', '-', stdin='a secret\n').check(0)
    sign(home, '-p', '-', stdin='').check(2).says('no passphrase')


def test_an_agent_that_does_not_hear_is_not_waited_for(fake, home):
    """As one may be that is interrupted in the middle of something."""
    home.environment['TMPDIR'] = home.directory
    generate(home, 'noble-one').check(0)
    programs = os.path.join(home.directory, 'programs')
    os.mkdir(programs)
    with open(os.path.join(programs, 'gpgconf'), 'w', encoding='utf-8',
              opener=lambda path, flags: os.open(path, flags, 0o755)) as script:
        script.write('#!/bin/sh\nexec sleep 1000\n')
    sign(home, '-p', 'SIGNING', SIGNING='a secret', timeout=30,
         PATH=f'{programs}:{os.environ["PATH"]}').check(0)
    assert not [name for name in os.listdir(home.directory) if name.startswith('welkin-')]


def test_only_files_are_signed(fake, home):
    generate(home, 'noble-one').check(0)
    os.mkfifo(os.path.join(tree(home), 'pipe.json'))
    os.symlink('/etc/hostname', os.path.join(tree(home), 'link.json'))
    names = sign(home, '-p', 'SIGNING', SIGNING='a secret').check(0).output
    assert 'pipe' not in names and 'link' not in names and 'index.sjson' in names, names


def add_bare_image(fake):
    """An image of which the cloud itself does not tell what it holds; its id."""
    return json.loads(fake.control('POST', 'image', {'name': 'bare',
                                                     'architecture': 'aarch64'}))['id']


def test_bootstrap_takes_an_image_that_only_metadata_know(fake, home):
    before = fake.inventory()
    image = add_bare_image(fake)
    home.write(extra=NETWORK)
    home.run('bootstrap', '--constraints', 'arch=arm64').check(1) \
        .says('Cannot start machine 0: invalid constraint value: arch=arm64\n'
              'valid values are: amd64')
    generate(home, image, '-a', 'arm64', endpoint=fake.auth_url).check(0)
    home.run('bootstrap', '--constraints', 'arch=arm64', '--metadata-source', 'tree').check(0)
    status = json.loads(home.run('status', '--format', 'json').check(0).output)
    assert 'arch=arm64' in status['machines']['0']['hardware'], status
    assert 'images/streams/v1/index.json' in fake.inventory()

    # From now on they lie in the environment's storage.
    found = json.loads(home.run('metadata', 'validate-images', '--format', 'json').check(0).output)
    assert found['ImageIds'] == [image], found
    assert found['Resolve Metadata']['source'] == 'cloud storage', found
    generate(home, 'another', '--storage', directory=None).check(0)
    home.run('destroy-environment', 'lab', '-y').check(0)
    fake.control('DELETE', 'image/bare')
    assert fake.inventory() == before


def test_why_no_image_is_found_is_told_by_each_source(fake, home):
    home.write(extra=NETWORK + '        default-series: focal\n')
    home.run('bootstrap').check(1).says(
        'no "focal" images in RegionOne', '; metadata name none: cloud storage: ')


def test_further_machines_take_their_images_from_metadata(fake, home):
    image = add_bare_image(fake)
    generate(home, image, '-a', 'arm64', endpoint=fake.auth_url).check(0)
    home.write(extra=NETWORK)
    home.run('bootstrap', '--constraints', 'arch=arm64', '--metadata-source', 'tree').check(0)
    n_before = len(fake.requests())
    home.run('add-machine', '-n', '5', '--series', 'noble').check(0)
    requests = fake.requests()[n_before:]
    machines = json.loads(home.run('status', '--format', 'json').check(0).output)['machines']
    assert all('arch=arm64' in machines[str(i)]['hardware'] for i in range(6)), machines
    # Once when they are asked for, and once for all of them when they are started.
    lookups = [request for request in requests if request['path'].endswith('streams/v1/index.json')]
    assert len(lookups) == 2, lookups

    # What metadata name for no machine that is wanted is no reason to start another one.
    home.run('add-machine', '--constraints', 'arch=s390x').check(1) \
        .says('invalid constraint value: arch=s390x')
    home.run('destroy-environment', 'lab', '-y', '--force').check(0)


def test_a_source_of_metadata_must_be_a_directory(fake, home):
    home.write(extra=NETWORK)
    home.run('bootstrap', '--metadata-source', 'nowhere').check(2).says('expected a directory')


def test_an_image_that_the_cloud_lacks_leaves_its_own(fake, home):
    generate(home, 'no-such-image', endpoint=fake.auth_url).check(0)
    home.write(extra=NETWORK + f'        image-metadata-url: {home.directory}/tree\n')
    home.run('bootstrap').check(0)
    home.run('destroy-environment', 'lab', '-y').check(0)


def test_the_published_tree_is_read(fake, home):
    shutil.copytree(os.path.join(DATA, 'images'), tree(home))
    found = validate(home, '-s', 'noble', '-r', 'RegionOne')
    assert found['ImageIds'] == ['noble-new', 'noble-lxd-old', '4711'], found
    assert ids(home, 'com.ubuntu.cloud:server:24.04:amd64') \
        == ['noble-new', 'noble-two', 'noble-old', 'noble-lxd-old']


if __name__ == '__main__':
    sys.exit(run_tests([function for name, function in list(globals().items())
                        if name.startswith('test_')]))
