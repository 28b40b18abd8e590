# SPDX-License-Identifier: LGPL-2.1-or-later
"""A fake cloud, a home of its own, and the command, for tests of what a user sees.

Output is compared whole with the files in expected/; WELKIN_TEST_REGENERATE=1 writes them anew.
"""

import difflib
import json
import os
import pty
import re
import shutil
import signal
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.request

HERE = os.path.dirname(os.path.realpath(__file__))
EXPECTED = os.path.join(HERE, 'expected')

ENVIRONMENT = '''\
environments:
    lab:
        type: openstack
        auth-url: {auth_url}
        username: demo
        password: {password}
        tenant-name: demo
        region: RegionOne
'''


class Fake:
    """The program fake-openstack on a free port; with a certificate, it speaks TLS."""

    def __init__(self, *options, certificate=None, address='127.0.0.1'):
        scheme = 'http'
        self.context = None
        if certificate:
            options += ('--certificate', certificate)
            scheme = 'https'
            self.context = ssl._create_unverified_context()
        self.directory = tempfile.mkdtemp(prefix='welkin-fake-')
        port_file = os.path.join(self.directory, 'port')
        self.process = subprocess.Popen(
            [os.environ['WELKIN_TEST_FAKE'], '--port-file', port_file, '--address', address,
             *options],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        end = time.monotonic() + 20
        while not (os.path.exists(port_file) and os.path.getsize(port_file)):
            if self.process.poll() is not None or time.monotonic() > end:
                raise RuntimeError('the fake OpenStack does not start')
            time.sleep(0.02)
        with open(port_file) as file:
            self.port = int(file.read())
        self.url = f'{scheme}://{address}:{self.port}'
        self.auth_url = f'{self.url}/identity/v3'

    def control(self, method, path, body=None):
        data = json.dumps(body).encode() if body is not None else None
        headers = {'Content-Type': 'application/json'} if data else {}
        request = urllib.request.Request(f'{self.url}/_fake/{path}', data, headers, method=method)
        with urllib.request.urlopen(request, timeout=20, context=self.context) as answer:
            return answer.read().decode()

    def inventory(self):
        return self.control('GET', 'inventory')

    def requests(self):
        return json.loads(self.control('GET', 'log'))

    def stop(self):
        self.process.terminate()
        self.process.wait(20)
        shutil.rmtree(self.directory)


def change_json(path, change_document):
    with open(path, encoding='utf-8') as file:
        document = json.load(file)
    change_document(document)
    with open(path, 'w', encoding='utf-8') as file:
        json.dump(document, file)
    return document


class Home:
    """A home without anything in it, and the command run in it."""

    def __init__(self, fake=None):
        self.fake = fake
        # Nothing boots there: how far a bootstrap goes that does not say it.
        self.until = 'active'
        self.directory = tempfile.mkdtemp(prefix='welkin-home-')
        self.environment = {
            'PATH': os.environ['PATH'],
            'HOME': self.directory,
            'WELKIN_HOME': os.path.join(self.directory, 'welkin'),
            'WELKIN_PLUGIN_PATH': os.environ['WELKIN_TEST_PLUGINS'],
            'WELKIN_TIME_SCALE': '20',
            'WELKIN_PUBLIC_IMAGES': 'none',
            'WELKIN_PUBLIC_TOOLS': '',
            'WELKIN_AGENT_DIR': '/nonexistent',
            'LC_ALL': 'C.UTF-8',
            'G_DEBUG': 'fatal-criticals',
            'no_proxy': '127.0.0.1',
        }
        for name in ('ASAN_OPTIONS', 'LSAN_OPTIONS', 'UBSAN_OPTIONS', 'LD_LIBRARY_PATH',
                     'GI_TYPELIB_PATH'):
            if name in os.environ:
                self.environment[name] = os.environ[name]

    def write(self, text=None, extra='', password='secret', **values):
        os.makedirs(self.environment['WELKIN_HOME'], 0o700, exist_ok=True)
        if text is None:
            text = ENVIRONMENT
        auth_url = self.fake.auth_url if self.fake else 'http://127.0.0.1:1/v3'
        text = text.format(**{'auth_url': auth_url, 'password': password, **values})
        path = os.path.join(self.environment['WELKIN_HOME'], 'environments.yaml')
        with open(path, 'w', opener=lambda p, flags: os.open(p, flags, 0o600)) as file:
            file.write(text + extra)

    def info_path(self, name):
        return os.path.join(self.environment['WELKIN_HOME'], 'environments', name + '.yaml')

    def complete(self, arguments):
        if not self.until or arguments[:1] == ('help',) or '--until' in arguments \
                or 'bootstrap' not in arguments:
            return arguments
        place = arguments.index('bootstrap') + 1
        return (*arguments[:place], '--until', self.until, *arguments[place:])

    def start(self, *arguments, quiet=True, **variables):
        # How much of the progress is seen depends on how fast things go.
        options = ['--quiet'] if quiet else []
        return subprocess.Popen(
            [os.environ['WELKIN_TEST_COMMAND'], *options, *self.complete(arguments)],
            cwd=self.directory,
            env={**self.environment, **variables}, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run_on_terminal(self, *arguments):
        """What the command writes to a terminal, and its exit status."""
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(self.directory)
            os.execve(os.environ['WELKIN_TEST_COMMAND'], ['welkin', *self.complete(arguments)],
                      {**self.environment, 'TERM': 'xterm'})
        written = b''
        try:
            while piece := os.read(terminal, 4096):
                written += piece
        except OSError:  # how the end of a terminal is told
            pass
        os.close(terminal)
        return written.decode(), os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])

    def run(self, *arguments, stdin='', timeout=60, quiet=True, **variables):
        process = self.start(*arguments, quiet=quiet, **variables)
        try:
            output, errors = process.communicate(stdin, timeout)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGABRT)
            output, errors = process.communicate()
            raise AssertionError(f'welkin {" ".join(arguments)} hangs\n{output}{errors}') from None
        return Outcome(self, self.complete(arguments), process.returncode, output, errors)

    def remove(self):
        shutil.rmtree(self.directory)


class Outcome:
    def __init__(self, home, arguments, status, output, errors):
        self.home = home
        self.arguments = arguments
        self.status = status
        self.output = output
        self.errors = errors

    def check(self, status):
        assert self.status == status, \
            f'welkin {" ".join(self.arguments)}: status {self.status}, not {status}\n' \
            f'{self.output}{self.errors}'
        return self

    def says(self, *texts):
        for text in texts:
            assert text in self.errors, f'{text!r} is not in {self.errors!r}'
        return self

    def text(self):
        """All that was shown, without what differs from run to run."""
        text = f'$ welkin {" ".join(self.arguments)}\n{self.output}'
        if self.errors:
            text += f'-- standard error\n{self.errors}'
        text += f'-- exit status {self.status}\n'
        text = text.replace(self.home.directory, '~')
        text = text.replace(os.environ['WELKIN_TEST_PLUGINS'], 'PLUGINS')
        if self.home.fake:
            text = text.replace(f':{self.home.fake.port}', ':PORT')
        text = re.sub(r'\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b', 'UUID', text)
        text = re.sub(r'(\b|(?<=AUTH_))[0-9a-f]{32}\b', 'HEX32', text)
        text = re.sub(r'\b(10|203|198)(\.\d+){3}\b', 'IPV4', text)
        text = re.sub(r'\b2001:db8:[0-9a-f:]+', 'IPV6', text)
        return text


def run_at_once(home, commands):
    """Each in a process of its own, and none fails."""
    processes = [home.start(*command) for command in commands]
    for command, process in zip(commands, processes):
        output, errors = process.communicate(timeout=60)
        Outcome(home, command, process.returncode, output, errors).check(0)


def compare(name, *outcomes):
    """The outcomes, one behind the other, are what expected/NAME says."""
    found = '\n'.join(outcome.text() for outcome in outcomes)
    path = os.path.join(EXPECTED, name + '.txt')
    if os.environ.get('WELKIN_TEST_REGENERATE'):
        with open(path, 'w') as file:
            file.write(found)
        return
    with open(path) as file:
        wanted = file.read()
    difference = ''.join(difflib.unified_diff(
        wanted.splitlines(True), found.splitlines(True), path, 'found'))
    assert not difference, '\n' + difference


def run_tests(tests, suite='cli', cloud=lambda: Fake('--build-delay', '50'), home=Home):
    """Runs functions of a fake and a home and tells of each in the form that meson reads."""
    failed = 0
    print(f'1..{len(tests)}', flush=True)
    for number, test in enumerate(tests, 1):
        name = f'/{suite}/' + test.__name__.removeprefix('test_').replace('_', '-')
        if match := re.match(r'/\w+/(g\d+(?:-\d+)?)-(.*)', name):
            name = f'/cases/{match[1].upper().replace("-", ".")}/{match[2]}'
        a_cloud = cloud()
        a_home = home(a_cloud)
        try:
            test(a_cloud, a_home)
            print(f'ok {number} - {name}', flush=True)
        except Exception as exception:  # each test is on its own
            failed += 1
            print(f'not ok {number} - {name}', flush=True)
            print(f'{name}: {type(exception).__name__}: {exception}', file=sys.stderr, flush=True)
        finally:
            a_cloud.stop()
            a_home.remove()
    return 1 if failed else 0
