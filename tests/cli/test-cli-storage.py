#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The verbs of storage: what they move, and what they leave when they cannot."""

import hashlib
import itertools
import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import time

from fixture import compare, run_tests

NETWORK = '        network: private\n'
LARGE = 80 << 20  # more than goes to swift in one piece


def begin(home):
    home.write(extra=NETWORK)
    home.run('bootstrap').check(0)


def path_of(home, name):
    return os.path.join(home.directory, name)


def write(home, name, data):
    with open(path_of(home, name), 'wb') as file:
        file.write(data)
    return path_of(home, name)


def read(path):
    with open(path, 'rb') as file:
        return file.read()


def fill(home, name, size, seed=0):
    """A large file, of which little is in our memory at a time: that would count as the command's,
    when it is asked how much it used."""
    source = random.Random(seed)
    with open(path_of(home, name), 'wb') as file:
        while size > 0:
            file.write(source.randbytes(min(size, 1 << 20)))
            size -= 1 << 20


def digest(path):
    checksum = hashlib.md5()
    with open(path, 'rb') as file:
        while block := file.read(1 << 20):
            checksum.update(block)
    return checksum.hexdigest()


def leftovers(home):
    return [name for name in os.listdir(home.directory) if name != 'welkin']


def test_wrong_use(fake, home):
    begin(home)
    compare('storage',
            home.run('storage').check(2),
            home.run('storage', 'frobnicate').check(2),
            home.run('storage', 'get').check(2),
            home.run('storage', 'get', 'a', 'b', 'c').check(2),
            home.run('storage', 'put').check(2),
            home.run('storage', 'put', '-').check(2),
            home.run('storage', 'put', 'a', 'b', 'c').check(2),
            home.run('storage', 'rm').check(2),
            home.run('storage', 'list', 'a', 'b').check(2),
            home.run('storage', 'list', '--format', 'xml').check(2),
            home.run('storage', 'put', 'provider-state').check(2),
            home.run('storage', 'put', 'x', 'bootstrap-verify').check(2),
            home.run('storage', 'rm', 'x', 'provider-state').check(2),
            home.run('storage', 'put', 'nosuch').check(1))


def test_an_environment_that_is_not_there(fake, home):
    home.write(extra=NETWORK)
    home.run('storage', 'list').check(1).says('not bootstrapped')
    home.run('storage', 'list', '-e', 'nosuch').check(1).says('nosuch')


def test_an_environment_may_do_without_storage(fake, home):
    before = fake.inventory()
    home.write(extra=NETWORK + '        storage: none\n')
    home.run('bootstrap').check(0)
    assert not [request for request in fake.requests() if '/object-store/' in request['path']]
    home.run('bootstrap').check(1).says('already bootstrapped')
    assert 'instance-state: ACTIVE' in home.run('status').check(0).output
    home.run('storage', 'list').check(1).says('attribute storage is "none"')
    home.run('destroy-environment', 'lab', '-y').check(0)
    assert fake.inventory() == before


def test_files_go_up_and_come_down(fake, home):
    begin(home)
    data = random.Random(1).randbytes(100000)
    write(home, 'up', data)
    home.run('storage', 'put', 'up').check(0)
    home.run('storage', 'put', 'up', 'tools/a b%20c.tgz').check(0)
    assert home.run('storage', 'list').check(0).output.splitlines() == [
        'bootstrap-verify', 'provider-state', 'tools/a b%20c.tgz', 'up']
    assert home.run('storage', 'list', 'tools/').check(0).output == 'tools/a b%20c.tgz\n'
    names = json.loads(home.run('storage', 'list', '--format', 'json').check(0).output)
    assert names == ['bootstrap-verify', 'provider-state', 'tools/a b%20c.tgz', 'up'], names
    assert 'tools/a b%20c.tgz' in home.run('storage', 'list', '--format=yaml').check(0).output
    assert home.run('storage', 'list', 'nothing').check(0).output == ''

    home.run('storage', 'get', 'tools/a b%20c.tgz').check(0)
    assert read(path_of(home, 'a b%20c.tgz')) == data
    home.run('storage', 'get', 'up', 'down').check(0)
    assert read(path_of(home, 'down')) == data
    os.mkdir(path_of(home, 'directory'))
    home.run('storage', 'get', 'up', 'directory').check(0)
    assert read(path_of(home, 'directory/up')) == data
    os.symlink('down', path_of(home, 'link'))
    home.run('storage', 'put', '-e', 'lab', '/dev/null', 'up').check(0)
    home.run('storage', 'get', 'up', 'link').check(0)
    assert os.path.islink(path_of(home, 'link')) and read(path_of(home, 'down')) == b''

    fake.control('DELETE', 'log')
    home.run('storage', 'rm', 'up', 'tools/a b%20c.tgz', 'nosuch', 'up').check(0)
    removed = [request['path'].rpartition('/')[2] for request in fake.requests()
               if request['method'] == 'DELETE']
    assert len(removed) == len(set(removed)), removed
    assert home.run('storage', 'list').check(0).output == 'bootstrap-verify\nprovider-state\n'
    home.run('storage', 'get', 'up', 'gone').check(1)
    assert not os.path.exists(path_of(home, 'gone'))


def test_a_name_cannot_break_its_line(fake, home):
    begin(home)
    write(home, 'up', b'x')
    for name in ('two\nlines', 'red\x1b[31m', 'c1\x9b'):
        home.run('storage', 'put', 'up', name).check(0)
    listed = home.run('storage', 'list').check(0).output
    assert not set(listed) & set('\x1b\x9b'), listed
    assert len(listed.splitlines()) == 5 and '"two\\nlines"' in listed, listed
    names = json.loads(home.run('storage', 'list', '--format', 'json').check(0).output)
    assert 'two\nlines' in names, names


def test_a_replaced_file_keeps_its_mode(fake, home):
    begin(home)
    os.chmod(write(home, 'up', b'secret'), 0o600)
    home.run('storage', 'put', 'up').check(0)
    home.run('storage', 'get', 'up').check(0)
    assert os.stat(path_of(home, 'up')).st_mode & 0o777 == 0o600


def test_what_is_not_there_is_named(fake, home):
    begin(home)
    home.run('storage', 'get', 'nosuch').check(1).says('Cannot get "nosuch": ')


def test_standard_input_and_output(fake, home):
    begin(home)
    text = ''.join(random.Random(2).choices('abc\n', k=300000))
    home.run('storage', 'put', '-', 'text', stdin=text).check(0)
    assert home.run('storage', 'get', 'text', '-').check(0).output == text
    os.mkfifo(path_of(home, 'pipe'))
    process = home.start('storage', 'put', 'pipe', 'piped')
    with open(path_of(home, 'pipe'), 'w') as pipe:
        pipe.write(text)
    process.communicate(timeout=30)
    assert process.returncode == 0
    assert home.run('storage', 'get', 'piped', '-').check(0).output == text


def test_a_pipe_that_nobody_else_opens_can_be_interrupted(fake, home):
    begin(home)
    write(home, 'up', b'x')
    home.run('storage', 'put', 'up').check(0)
    os.mkfifo(path_of(home, 'pipe'))
    for arguments in (('put', 'pipe'), ('get', 'up', 'pipe')):
        process = home.start('storage', *arguments)
        time.sleep(0.5)
        assert process.poll() is None, arguments
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=20)
        assert process.returncode == 130, (arguments, output, errors)


def test_a_pipe_may_be_read_later(fake, home):
    begin(home)
    write(home, 'up', b'x' * 300000)
    home.run('storage', 'put', 'up').check(0)
    os.mkfifo(path_of(home, 'pipe'))
    process = home.start('storage', 'get', 'up', 'pipe')
    time.sleep(0.5)
    assert read(path_of(home, 'pipe')) == b'x' * 300000
    process.communicate(timeout=20)
    assert process.returncode == 0


def test_a_stream_that_is_closed_is_told(fake, home):
    """What the command opens itself must not become one of them."""
    begin(home)
    write(home, 'up', b'x')
    home.run('storage', 'put', 'up').check(0)
    for stream, arguments in (('<&-', ('put', '-', 'closed')), ('>&-', ('get', 'up', '-'))):
        process = subprocess.run(
            ['sh', '-c', f'exec "$@" {stream}', 'sh', os.environ['WELKIN_TEST_COMMAND'], '--quiet',
             'storage', *arguments],
            env=home.environment, capture_output=True, text=True, timeout=30, check=False)
        assert process.returncode == 1 and 'Bad file descriptor' in process.stderr, process


def test_a_path_with_a_colon_is_no_url(fake, home):
    begin(home)
    write(home, 'host:up', b'x')
    home.run('storage', 'put', 'host:up').check(0)
    assert home.run('storage', 'get', 'host:up', '-').check(0).output == 'x'


def test_a_link_to_nowhere_is_not_replaced(fake, home):
    begin(home)
    write(home, 'up', b'x')
    home.run('storage', 'put', 'up').check(0)
    os.symlink('nosuch', path_of(home, 'link'))
    home.run('storage', 'get', 'up', 'link').check(1).says('link', 'No such file')
    assert os.readlink(path_of(home, 'link')) == 'nosuch'


def test_a_file_that_tells_no_size_goes_whole(fake, home):
    begin(home)
    home.run('storage', 'put', '/proc/version', 'version').check(0)
    whole = open('/proc/version').read()
    assert home.run('storage', 'get', 'version', '-').check(0).output == whole


def test_names_behind_two_dashes_may_begin_with_one(fake, home):
    begin(home)
    write(home, '-up', b'dashed')
    home.run('storage', 'put', '--', '-up').check(0)
    home.run('storage', 'put', '-q', '--', '-up', '--').check(0)
    assert home.run('storage', 'get', '--', '--', '-').check(0).output == 'dashed'
    home.run('storage', 'get', '-up', 'x', '--').check(2)
    home.run('storage', 'rm', '--', 'nosuch', '--', '-up').check(0)
    assert home.run('storage', 'list').check(0).output == 'bootstrap-verify\nprovider-state\n'


def test_what_the_environment_lives_by_takes_force(fake, home):
    begin(home)
    state = home.run('storage', 'get', 'provider-state', '-').check(0).output
    write(home, 'state', b'broken: yes\n')
    home.run('storage', 'put', 'state', 'provider-state').check(2).says('--force')
    assert home.run('storage', 'get', 'provider-state', '-').check(0).output == state
    home.run('storage', 'put', '--force', 'state', 'provider-state').check(0)
    assert home.run('storage', 'get', 'provider-state', '-').check(0).output == 'broken: yes\n'
    home.run('storage', 'rm', '-f', 'provider-state').check(0)
    home.run('storage', 'put', 'state', '../x').check(1).says('../x')


def test_progress_on_a_terminal_is_in_bytes(fake, home):
    begin(home)
    fill(home, 'large', LARGE)
    written, status = home.run_on_terminal('storage', 'put', 'large')
    assert status == 0 and '\r' in written and 'Putting large' in written, written
    assert 'of 83.9' in written and 'MB' in written, written
    # What ends before the line is drawn again, five times a second, shows nothing of it.
    fill(home, 'larger', 6 * LARGE)
    home.run('storage', 'put', 'larger').check(0)
    written, status = home.run_on_terminal('storage', 'get', 'larger', 'down')
    assert status == 0, written
    assert re.search(r'Getting larger: [0-9.]+\s[kM]B', written), written
    home.run('storage', 'rm', 'larger').check(0)
    home.run('storage', 'get', 'large', 'down').check(0)
    assert digest(path_of(home, 'down')) == digest(path_of(home, 'large'))
    # In a pipe it is a line.
    outcome = home.run('storage', 'put', 'large', quiet=False).check(0)
    assert outcome.errors == 'Putting large\n', outcome.errors


def interrupt(home, number, *arguments, until):
    process = home.start(*arguments)
    deadline = time.monotonic() + 30
    while not until() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)
    return process.returncode, errors


def test_an_interrupted_put_leaves_what_was_before(fake, home):
    begin(home)
    write(home, 'before', b'before')
    home.run('storage', 'put', 'before', 'large').check(0)
    fill(home, 'large', LARGE)
    before = fake.inventory()
    for number in (signal.SIGINT, signal.SIGTERM):
        seen = len(fake.requests())
        status, errors = interrupt(
            home, number, 'storage', 'put', 'large',
            until=lambda: any('.segments' in str(request) for request in fake.requests()[seen:]))
        assert status != 0, errors
        assert fake.inventory() == before, fake.inventory()
    assert home.run('storage', 'get', 'large', '-').check(0).output == 'before'


def is_getting(fake, seen, end):
    return any(request['method'] == 'GET' and request['path'].endswith(end)
               for request in fake.requests()[seen:])


def keeps_unnamed(home):
    """Whether a file can be there without a name, of which nothing is left by a kill."""
    try:
        os.close(os.open(home.directory, os.O_TMPFILE | os.O_WRONLY))
        return True
    except OSError:
        return False


def test_an_interrupted_get_leaves_no_file(fake, home):
    begin(home)
    fill(home, 'up', LARGE)
    home.run('storage', 'put', 'up').check(0)
    write(home, 'kept', b'kept')
    before = sorted(leftovers(home))
    for target, number in itertools.product(('down', 'kept'), (signal.SIGINT, signal.SIGKILL)):
        seen = len(fake.requests())
        status, errors = interrupt(home, number, 'storage', 'get', 'up', target,
                                   until=lambda: is_getting(fake, seen, '/up'))
        assert status != 0, errors
        if number == signal.SIGINT or keeps_unnamed(home):
            assert sorted(leftovers(home)) == before, leftovers(home)
        assert read(path_of(home, 'kept')) == b'kept'


def limited(home, size, *arguments):
    """Runs the command where no file may be larger than this, as on a disk that is full."""

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return subprocess.run([os.environ['WELKIN_TEST_COMMAND'], '--quiet', *arguments],
                          cwd=home.directory, env=home.environment, preexec_fn=limit,
                          capture_output=True, text=True, timeout=60, check=False)


def test_a_full_disk_is_one_clear_error(fake, home):
    begin(home)
    fill(home, 'up', 8 << 20)
    home.run('storage', 'put', 'up').check(0)
    before = sorted(leftovers(home))
    process = limited(home, 1 << 20, 'storage', 'get', 'up', 'down')
    assert process.returncode == 1, process.stderr
    assert process.stderr.count('\n') == 1 and 'down' in process.stderr, process.stderr
    assert 'File too large' in process.stderr, process.stderr
    assert sorted(leftovers(home)) == before
    with open('/dev/full', 'w') as full:
        process = subprocess.run(
            [os.environ['WELKIN_TEST_COMMAND'], '--quiet', 'storage', 'get', 'up', '-'],
            stdout=full, stderr=subprocess.PIPE, env=home.environment, text=True, timeout=60,
            check=False)
    assert process.returncode == 1 and 'No space left' in process.stderr, process.stderr


def fails_clearly(home, rule, verb, *says):
    """With the rule, the verb ends with one line that says what it is, and leaves no file."""
    home.fake.control('POST', 'rules', {'path': '*/up', 'times': -1, **rule})
    before = sorted(leftovers(home))
    outcome = home.run('storage', verb, 'up').check(1).says('up', *says)
    assert outcome.errors.count('\n') == 1, outcome.errors
    assert sorted(leftovers(home)) == before
    home.fake.control('DELETE', 'rules')


def test_a_closed_socket_is_one_clear_error(fake, home):
    begin(home)
    write(home, 'up', b'first')
    home.run('storage', 'put', 'up').check(0)
    write(home, 'up', b'second')
    fails_clearly(home, {'method': 'PUT', 'action': 'drop-before'}, 'put', 'Cannot put')
    assert home.run('storage', 'get', 'up', '-').check(0).output == 'first'
    os.unlink(path_of(home, 'up'))
    fails_clearly(home, {'method': 'GET', 'action': 'drop-before'}, 'get', 'Cannot get')
    fails_clearly(home, {'method': 'GET', 'action': 'cut'}, 'get', 'Cannot get "up": GET http://',
                  '/up: the answer was cut off')


def test_an_answer_that_is_cut_is_read_on(fake, home):
    begin(home)
    write(home, 'up', b'a few bytes')
    home.run('storage', 'put', 'up').check(0)
    os.unlink(path_of(home, 'up'))
    fake.control('POST', 'rules', {'method': 'GET', 'path': '*/up', 'times': 2, 'action': 'cut'})
    home.run('storage', 'get', 'up').check(0)
    assert read(path_of(home, 'up')) == b'a few bytes'


def test_a_bootstrap_with_every_second_answer_cut(fake, home):
    home.write(extra=NETWORK)
    # What one rule cuts off, those after it do not see.
    for number in range(1, 101):
        fake.control('POST', 'rules', {'method': 'GET', 'path': '/object-store/*/*',
                                       'skip': number, 'action': 'cut'})
    home.run('bootstrap').check(0)
    home.run('status').check(0)
    home.run('destroy-environment', 'lab', '-y').check(0)


def test_a_wrong_checksum_is_one_clear_error(fake, home):
    begin(home)
    write(home, 'up', b'first')
    home.run('storage', 'put', 'up').check(0)
    fails_clearly(home, {'method': 'PUT', 'status': 422, 'body': 'Unprocessable Entity'}, 'put')
    fails_clearly(home, {'method': 'PUT', 'status': 201,
                         'headers': ['Etag: 00000000000000000000000000000000']}, 'put', 'damaged')
    os.unlink(path_of(home, 'up'))
    fails_clearly(home, {'method': 'GET', 'status': 200, 'body': 'damaged',
                         'headers': ['Etag: 00000000000000000000000000000000']}, 'get', 'damaged')


def faults_are_clear(fake, home, extra):
    before = fake.inventory()
    home.write(extra=NETWORK + extra)
    home.run('bootstrap').check(0)
    write(home, 'up', b'a few bytes')
    home.run('storage', 'put', 'up').check(0)
    listing = 'GET', ('storage', 'list')
    removal = 'DELETE', ('storage', 'rm', 'up')
    end = 'DELETE', ('destroy-environment', 'lab', '-y')
    for fault, calls in (({'status': 500}, (listing, removal, end)),
                         ({'status': 403}, (listing, removal, end)),
                         ({'action': 'drop-before'}, (listing, removal, end)),
                         ({'action': 'hang'}, (end,))):
        for method, arguments in calls:
            for path in '/object-store/*/*', '/s3/*':
                fake.control('POST', 'rules', {'method': method, 'path': path, 'times': -1,
                                               **fault})
            outcome = home.run(*arguments, WELKIN_TIME_SCALE='60').check(1)
            assert outcome.errors.count('error:') == 1, outcome.errors
            assert f'{method} http://' in outcome.errors, outcome.errors
            assert outcome.output == '', outcome.output
            fake.control('DELETE', 'rules')
    # What is left is there for the next time, which removes all of it.
    home.run('destroy-environment', 'lab', '-y').check(0)
    assert fake.inventory() == before, fake.inventory()


def test_faults_of_swift_are_one_clear_error(fake, home):
    faults_are_clear(fake, home, '')


def test_faults_of_s3_are_one_clear_error(fake, home):
    faults_are_clear(fake, home, '        storage: s3\n')


def check_page(home):
    write(home, 'up', b'first')
    fails_clearly(home, {'method': 'PUT', 'status': 200, 'content_type': 'text/html',
                         'body': '<html>Please log in</html>'}, 'put', 'no checksum')
    home.run('storage', 'put', 'up').check(0)
    os.unlink(path_of(home, 'up'))
    fails_clearly(home, {'method': 'GET', 'status': 200, 'content_type': 'text/html',
                         'body': '<html>Please log in</html>'}, 'get', 'no checksum')


def test_a_page_to_log_in_at_is_no_object_store(fake, home):
    begin(home)
    check_page(home)


def test_a_page_to_log_in_at_is_no_bucket(fake, home):
    home.write(extra=NETWORK + '        storage: s3\n')
    home.run('bootstrap').check(0)
    check_page(home)


def test_our_memory_stays_flat(fake, home):
    begin(home)
    fill(home, 'up', 200 << 20)
    for arguments in (('put', 'up'), ('get', 'up', 'down')):
        process = home.start('storage', *arguments)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0
        print(f'# storage {arguments[0]} of 200 MiB: {usage.ru_maxrss} KiB at most')
        assert 'ASAN_OPTIONS' in os.environ or usage.ru_maxrss < 32 * 1024, usage.ru_maxrss
    assert digest(path_of(home, 'down')) == digest(path_of(home, 'up'))


if __name__ == '__main__':
    tests = [test for name, test in sorted(globals().items()) if name.startswith('test_')]
    wanted = sys.argv[1:]
    sys.exit(run_tests([test for test in tests if not wanted or test.__name__ in wanted]))
