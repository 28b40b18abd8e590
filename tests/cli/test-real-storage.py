#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The verbs of storage on a real OpenStack, which the OS_ variables describe.

What the cloud holds is asked of curl, not of our own code. WELKIN_TEST_LONG=1 moves a file of
1 GiB and lists 25,000 objects, which takes the cloud some minutes.
"""

import hashlib
import hmac
import io
import json
import os
import random
import subprocess
import sys
import tarfile
import time
import traceback
import urllib.parse

from fixture import Home

LONG = bool(os.environ.get('WELKIN_TEST_LONG'))
SIZE = (1024 if LONG else 192) << 20
ROUNDS = 3
OBJECTS = 25000 if LONG else 1000
MEMORY_MAX = 32 * 1024  # KiB

ENVIRONMENT = '''\
environments:
    lab:
        type: openstack
        network: private
        control-bucket: {bucket}
'''


class Account:
    """What a user has in the object store, through curl."""

    def __init__(self):
        name = {'name': os.environ['OS_USERNAME'], 'password': os.environ['OS_PASSWORD'],
                'domain': {'name': os.environ['OS_USER_DOMAIN_NAME']}}
        scope = {'name': os.environ['OS_PROJECT_NAME'],
                 'domain': {'name': os.environ['OS_PROJECT_DOMAIN_NAME']}}
        login = {'auth': {'identity': {'methods': ['password'], 'password': {'user': name}},
                          'scope': {'project': scope}}}
        answer = curl('--include', os.environ['OS_AUTH_URL'] + '/auth/tokens',
                      '--json', json.dumps(login))
        head, body = answer.replace('\r', '').split('\n\n', 1)
        token = json.loads(body)['token']
        self.token = headers(head)['x-subject-token']
        self.user = token['user']['id']
        self.url = next(endpoint['url'] for service in token['catalog']
                        if service['type'] == 'object-store'
                        for endpoint in service['endpoints'] if endpoint['interface'] == 'public')

    def curl(self, path, *options):
        return curl('--header', 'X-Auth-Token: ' + self.token, self.url + path, *options)

    def status(self, path, *options):
        return self.curl(path, '--output', '/dev/null', '--write-out', '%{http_code}', *options)

    def keys(self):
        answer = json.loads(curl('--header', 'X-Auth-Token: ' + self.token,
                                 f'{os.environ["OS_AUTH_URL"]}/users/{self.user}'
                                 '/credentials/OS-EC2'))
        return answer['credentials'][-1]


def curl(*arguments):
    return subprocess.run(['curl', '--silent', '--show-error', *arguments], text=True, check=True,
                          timeout=600, stdout=subprocess.PIPE).stdout


def headers(text):
    pairs = (line.split(':', 1) for line in text.replace('\r', '').splitlines() if ':' in line)
    return {name.lower(): value.strip() for name, value in pairs}


def bootstrapped(home, extra=''):
    bucket = f'welkin-real-{os.getpid()}'
    home.write(ENVIRONMENT.format(bucket=bucket) + extra)
    home.run('bootstrap', timeout=180).check(0)
    return bucket


def destroyed(home):
    home.run('destroy-environment', 'lab', '-y', timeout=600).check(0)


def fill(path, size):
    """A large file, of which little is in our memory at a time: that would count as the command's,
    when it is asked how much it used."""
    source = random.Random(size)
    with open(path, 'wb') as file:
        while size > 0:
            file.write(source.randbytes(min(size, 1 << 20)))
            size -= 1 << 20


def digest(path):
    checksum = hashlib.md5()
    with open(path, 'rb') as file:
        while block := file.read(1 << 20):
            checksum.update(block)
    return checksum.hexdigest()


def measured(home, *arguments):
    """How long the command takes, and how much memory at most."""
    began = time.monotonic()
    process = home.start('storage', *arguments)
    _, status, usage = os.wait4(process.pid, 0)
    took = time.monotonic() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, process.stderr.read()
    assert 'ASAN_OPTIONS' in os.environ or usage.ru_maxrss < MEMORY_MAX, usage.ru_maxrss
    return took, usage.ru_maxrss


def timed(function, *arguments):
    began = time.monotonic()
    status = function(*arguments)
    assert status[0] == '2', status
    return time.monotonic() - began


def summed(path):
    """How long it takes to compare the file, which curl leaves to others."""
    began = time.monotonic()
    subprocess.run(['md5sum', path], check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - began


def beside_curl(home, size, put, get):
    """Moves a file there and back, in turns with curl; put and get: what curl does with a path,
    with the status that it got. How fast each was is told, not judged: others use the machine."""
    up, down = (os.path.join(home.directory, name) for name in ('up', 'down'))
    fill(up, size)
    wanted = digest(up)
    ours = {'put': [], 'get': []}
    theirs = {'put': [], 'get': []}
    memory = []
    sums = []

    def move(verb, is_ours):
        if is_ours:
            took, used = measured(home, *(('put', 'up', 'ours') if verb == 'put'
                                          else ('get', 'ours', 'down')))
            ours[verb].append(took)
            memory.append(used)
        else:
            theirs[verb].append(timed(put, up) if verb == 'put' else timed(get, down))
        if verb == 'get':
            assert digest(down) == wanted
            os.unlink(down)

    for number in range(ROUNDS):
        for is_ours in (number % 2 == 0, number % 2 == 1):
            move('put', is_ours)
        sums.append(summed(up))
        # The cloud is still busy writing it, whoever comes first.
        timed(get, '/dev/null')
        for is_ours in (number % 2 == 0, number % 2 == 1):
            move('get', is_ours)
    for verb, times in ours.items():
        ratio = min(theirs[verb]) / min(times)
        compared = (min(theirs[verb]) + min(sums)) / min(times)
        print(f'# {verb} of {size >> 20} MiB: ' + ' '.join(f'{took:.1f}' for took in times)
              + ' s, curl ' + ' '.join(f'{took:.1f}' for took in theirs[verb])
              + f' s: {ratio:.2f} of its throughput, {compared:.2f} with md5sum behind it')
    print(f'# {max(memory)} KiB of memory at most', flush=True)


def test_a_large_file_beside_curl(home):
    account = Account()
    bucket = bootstrapped(home)
    beside_curl(home, SIZE,
                lambda path: account.status(f'/{bucket}/curl', '--upload-file', path,
                                            '--header', 'Expect:'),
                lambda path: account.curl(f'/{bucket}/ours', '--output', path,
                                          '--write-out', '%{http_code}'))
    destroyed(home)
    assert account.status(f'/{bucket}', '--head') == '404'


def test_a_signed_address_ends(home):
    account = Account()
    bucket = bootstrapped(home)
    with open(os.path.join(home.directory, 'up'), 'w', encoding='utf-8') as file:
        file.write('hello')
    home.run('storage', 'put', 'up', 'tools/a b%20ü').check(0)

    found = headers(account.curl(f'/{bucket}', '--head'))
    key = found['x-container-meta-temp-url-key']
    assert 'x-container-read' not in found, found
    name = f'/{bucket}/tools/a b%20ü'
    path = urllib.parse.quote(name)
    assert curl(account.url + path, '--output', '/dev/null', '--write-out', '%{http_code}') == '401'
    expires = int(time.time()) + 4
    signed = f'GET\n{expires}\n{urllib.parse.urlsplit(account.url).path}{name}'
    signature = hmac.new(key.encode(), signed.encode(), hashlib.sha256).hexdigest()
    url = f'{account.url}{path}?temp_url_sig={signature}&temp_url_expires={expires}'
    assert curl(url) == 'hello'
    time.sleep(6)
    assert curl(url, '--output', '/dev/null', '--write-out', '%{http_code}') == '401'
    destroyed(home)


def test_many_objects_are_listed_and_removed(home):
    account = Account()
    bucket = bootstrapped(home)
    archive = os.path.join(home.directory, 'archive.tar')
    for begin in range(0, OBJECTS, 5000):
        with tarfile.open(archive, 'w') as tar:
            for number in range(begin, min(begin + 5000, OBJECTS)):
                entry = tarfile.TarInfo(f'many/{number:05}')
                entry.size = 1
                tar.addfile(entry, io.BytesIO(b'x'))
        answer = account.curl(f'/{bucket}?extract-archive=tar', '--upload-file', archive,
                              '--header', 'Accept: application/json')
        assert json.loads(answer)['Response Status'] == '201 Created', answer
    began = time.monotonic()
    names = home.run('storage', 'list', 'many/', timeout=300).check(0).output.splitlines()
    print(f'# {len(names)} objects listed in {time.monotonic() - began:.1f} s')
    assert names == [f'many/{number:05}' for number in range(OBJECTS)]
    began = time.monotonic()
    destroyed(home)
    print(f'# and removed in {time.monotonic() - began:.1f} s, with all of the environment',
          flush=True)
    assert account.status(f'/{bucket}', '--head') == '404'


class Bucket:
    """A bucket of the account, through curl, which signs what it asks for."""

    def __init__(self, home, account):
        s3 = f'http://{urllib.parse.urlsplit(account.url).netloc}'
        self.name = bootstrapped(home, f'        storage: s3\n        s3-url: {s3}\n')
        self.url = f'{s3}/{self.name}/'
        keys = account.keys()
        self.signed = ['--aws-sigv4', f'aws:amz:{os.environ["OS_REGION_NAME"]}:s3',
                       '--user', f'{keys["access"]}:{keys["secret"]}',
                       '--write-out', '%{http_code}']

    def get(self, name, path):
        return curl(self.url + urllib.parse.quote(name), '--output', path,
                    '--header', 'x-amz-content-sha256: UNSIGNED-PAYLOAD', *self.signed)

    def put(self, name, path):
        """What goes out is part of the signature, as it is of ours."""
        checksum = subprocess.run(['sha256sum', path], text=True, check=True,
                                  stdout=subprocess.PIPE).stdout.split()[0]
        return curl(self.url + urllib.parse.quote(name), '--upload-file', path,
                    '--output', '/dev/null', '--header', 'x-amz-content-sha256: ' + checksum,
                    *self.signed)


def test_s3_and_curl_read_each_other(home):
    account = Account()
    bucket = Bucket(home, account)
    up, down = (os.path.join(home.directory, name) for name in ('up', 'down'))
    fill(up, 40 << 20)
    home.run('storage', 'put', 'up', 'a b/ü', timeout=120).check(0)
    assert bucket.get('a b/ü', down) == '200'
    assert digest(down) == digest(up)
    assert bucket.put('theirs', up) == '200'
    home.run('storage', 'get', 'theirs', 'back', timeout=120).check(0)
    assert digest(os.path.join(home.directory, 'back')) == digest(up)
    assert home.run('storage', 'list').check(0).output.splitlines() == [
        'a b/ü', 'bootstrap-verify', 'provider-state', 'theirs']
    home.run('storage', 'rm', 'theirs').check(0)
    assert bucket.get('theirs', '/dev/null') == '404'
    destroyed(home)
    assert account.status(f'/{bucket.name}', '--head') == '404'


def test_a_large_file_in_s3_beside_curl(home):
    account = Account()
    bucket = Bucket(home, account)
    beside_curl(home, SIZE // 2, lambda path: bucket.put('curl', path),
                lambda path: bucket.get('ours', path))
    destroyed(home)
    assert account.status(f'/{bucket.name}', '--head') == '404'


def main():
    if 'OS_AUTH_URL' not in os.environ:
        print('1..0 # SKIP no cloud: set OS_AUTH_URL and the others')
        return 0
    tests = [function for name, function in globals().items() if name.startswith('test_')
             and (len(sys.argv) < 2 or name in sys.argv[1:])]
    failed = 0
    print(f'1..{len(tests)}', flush=True)
    for number, test in enumerate(tests, 1):
        name = test.__name__.removeprefix('test_').replace('_', '-')
        home = Home()
        home.environment.update({key: value for key, value in os.environ.items()
                                 if key.startswith('OS_')})
        del home.environment['WELKIN_TIME_SCALE']
        try:
            test(home)
            print(f'ok {number} - /cloud/storage/{name}', flush=True)
        except Exception as exception:  # each test is on its own
            failed += 1
            print(f'not ok {number} - /cloud/storage/{name}\n# home: {home.directory}')
            for line in traceback.format_exc().splitlines():
                print(f'# {line}', flush=True)
            home.run('destroy-environment', 'lab', '-y', timeout=600)
        finally:
            home.remove()
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
