#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A marked secret in every place that there is for one, and not a word of it anywhere else.

Each way to log in is walked with all that tells what happens: --debug, --verbose, --log-file and
--debug-http. Nothing of a secret may be in the output, in messages, in the log, in the trace or in
the arguments of any process; only the files that are made to keep them have them.
"""

import base64
import contextlib
import glob
import html
import http.client
import http.server
import json
import os
import re
import sys
import threading
import urllib.parse
import urllib.request

from fixture import run_tests

TLS = os.path.join(os.path.dirname(os.path.realpath(__file__)), '..', 'data', 'tls')
# Whoever looks for secrets looks for this word, and for what cannot have it in it.
MARK = 'Canary'
ENVIRONMENT = '''\
environments:
    lab:
        type: openstack
        auth-url: {auth_url}
        region: RegionOne
        network: private
        admin-secret: CanaryAdmin
        client-cert: {certificate}
'''


class Secrets:
    """What is looked for, and where."""

    def __init__(self, home):
        self.home = home
        self.words = {MARK}
        self.seen = []
        self.ending = threading.Event()

    def add(self, *words):
        self.words.update(word for word in words if len(word) >= 8)

    def add_key(self, pem):
        """A key is one in each of its lines."""
        self.add(*(line for line in pem.splitlines() if line and '-----' not in line))

    def check(self, name, text):
        for word in self.words:
            place = text.find(word)
            assert place < 0, \
                f'{word[:12]}… is in {name}: …{text[max(0, place - 60):place + len(word) + 20]}…'

    def watch(self):
        """Reads what all processes were started with, time and again."""
        while not self.ending.wait(0.002):
            for path in glob.glob('/proc/[0-9]*/cmdline'):
                with contextlib.suppress(OSError):
                    with open(path, 'rb') as file:
                        arguments = file.read().decode(errors='replace')
                    if 'welkin' in arguments or MARK in arguments:
                        self.seen.append(arguments)

    def run(self, *arguments, **variables):
        log = os.path.join(self.home.directory, 'log')
        trace = os.path.join(self.home.directory, 'trace.har')
        watcher = threading.Thread(target=self.watch)
        watcher.start()
        try:
            outcome = self.home.run('--debug', '-v', '--log-file', log, '--debug-http', trace,
                                    *arguments, quiet=False, **variables)
        finally:
            self.ending.set()
            watcher.join()
            self.ending.clear()
        self.learn()
        self.check('standard output', outcome.output)
        self.check('standard error', outcome.errors)
        self.check('process arguments', '\n'.join(self.seen))
        for path in log, trace:
            with open(path) as file:
                self.check(path, file.read())
        with open(trace) as file:
            json.load(file)
        return outcome

    def learn(self):
        """Of what was made on the way: keys and passwords that are remembered."""
        for path in glob.glob(os.path.join(self.home.environment['WELKIN_HOME'],
                                           'environments', '*')):
            with open(path) as file:
                text = file.read()
            for key in re.findall(r'-----BEGIN [A-Z ]*PRIVATE KEY-----(.*?)-----END', text,
                                  re.DOTALL):
                self.add(*key.replace('\\n', '\n').split())
            self.add(*re.findall(r'^ *admin-secret: (\S+)', text, re.MULTILINE))

    def walk(self, **variables):
        """A life of an environment, as far as it goes."""
        for arguments in (['config', '--explain'], ['status'], ['bootstrap'], ['status'],
                          ['status', '--format', 'json'], ['destroy-environment', 'lab', '-y']):
            outcome = self.run(*arguments, **variables)
        return outcome


def begin(fake, home):
    """Those secrets that are there in any case."""
    secrets = Secrets(home)
    with open(os.path.join(TLS, 'client.pem')) as file:
        pem = file.read()
    secrets.add_key(pem[pem.index('-----BEGIN PRIVATE KEY'):])
    fake.control('POST', 'user', {'name': 'ada', 'password': 'CanaryPassword',
                                  'default_project': 'demo', 'roles': {'demo': ['member']}})
    return secrets


def write(home, extra, auth_url=None):
    text = ENVIRONMENT + ''.join(f'        {line}\n' for line in extra)
    home.write(text, certificate=os.path.join(TLS, 'client.pem'),
               **({'auth_url': auth_url} if auth_url else {}))


PASSWORD = ['username: ada', 'password: CanaryPassword', 'tenant-name: demo']


def log_in(fake):
    """A token of ada's."""
    body = {'auth': {'identity': {'methods': ['password'], 'password': {'user': {
        'name': 'ada', 'password': 'CanaryPassword', 'domain': {'id': 'default'}}}},
        'scope': {'project': {'name': 'demo', 'domain': {'id': 'default'}}}}}
    request = urllib.request.Request(f'{fake.auth_url}/auth/tokens', json.dumps(body).encode(),
                                     {'Content-Type': 'application/json'})
    with urllib.request.urlopen(request, timeout=20) as answer:
        return answer.headers['X-Subject-Token']


def test_password(fake, home):
    secrets = begin(fake, home)
    write(home, PASSWORD)
    secrets.run('init')
    secrets.run('bootstrap').check(0)
    secrets.run('status').check(0)
    secrets.run('destroy-environment', 'lab', '-y').check(0)
    assert len(secrets.words) > 5 and secrets.seen, secrets.words


def test_application_credential(fake, home):
    secrets = begin(fake, home)
    fake.control('POST', 'credential', {'name': 'robot', 'secret': 'CanaryCredential',
                                        'user': 'ada', 'project': 'demo'})
    write(home, ['application-credential-name: robot', 'username: ada',
                 'application-credential-secret: CanaryCredential'])
    secrets.walk().check(0)


def test_token(fake, home):
    secrets = begin(fake, home)
    token = log_in(fake)
    secrets.add(token)
    write(home, [f'token: {token}', 'tenant-name: demo'])
    secrets.walk().check(0)


def test_key_pair(fake, home):
    secrets = begin(fake, home)
    fake.control('POST', 'settings', {'keystone-has-ec2': 1})
    fake.control('POST', 'ec2-key', {'access': 'access1', 'secret': 'CanaryKey', 'user': 'ada',
                                     'project': 'demo'})
    write(home, ['auth-mode: keypair', 'access-key: access1', 'secret-key: CanaryKey'])
    secrets.walk().check(0)


def test_variables(fake, home):
    secrets = begin(fake, home)
    write(home, [])
    secrets.walk(OS_AUTH_URL=fake.auth_url, OS_USERNAME='ada', OS_PASSWORD='CanaryPassword',
                 OS_PROJECT_NAME='demo', OS_KEY='/CanaryKey').check(0)


def test_clouds_yaml(fake, home):
    secrets = begin(fake, home)
    write(home, ['cloud: one'])
    directory = os.path.join(home.directory, '.config', 'openstack')
    os.makedirs(directory, 0o700)
    for name, auth in (('clouds', {'auth_url': fake.auth_url, 'username': 'ada',
                                   'project_name': 'demo'}),
                       ('secure', {'password': 'CanaryPassword'})):
        with open(os.path.join(directory, name + '.yaml'), 'w') as file:
            json.dump({'clouds': {'one': {'auth': auth}}}, file)
        os.chmod(file.name, 0o600)
    secrets.walk().check(0)


class Proxy(http.server.ThreadingHTTPServer):
    """Passes requests on, when it is told who asks."""

    def __init__(self):
        self.identities = []
        super().__init__(('127.0.0.1', 0), Passing)
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Passing(http.server.BaseHTTPRequestHandler):
    def pass_on(self):
        self.server.identities.append(self.headers.get('Proxy-Authorization'))
        if not self.server.identities[-1]:
            return self.send_error(407)
        url = urllib.parse.urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get('Content-Length', 0)))
        server = http.client.HTTPConnection(url.netloc, timeout=20)
        headers = {name: value for name, value in self.headers.items()
                   if name not in ('Proxy-Authorization', 'Connection')}
        server.request(self.command, url._replace(scheme='', netloc='').geturl(), body, headers)
        answer = server.getresponse()
        content = answer.read()
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ('connection', 'transfer-encoding', 'content-length'):
                self.send_header(name, value)
        self.send_header('Content-Length', str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = do_PATCH = pass_on

    def log_message(self, *arguments):
        pass


def test_proxies(fake, home):
    secrets = begin(fake, home)
    write(home, PASSWORD)
    proxy = Proxy()
    port = proxy.server_address[1]
    identity = base64.b64encode(b'CanaryUser:CanaryProxy').decode()
    secrets.add(identity)
    del home.environment['no_proxy']
    good = f'http://CanaryUser:CanaryProxy@127.0.0.1:{port}'
    secrets.walk(http_proxy=good).check(0)
    assert set(proxy.identities) == {'Basic ' + identity}, set(proxy.identities)
    secrets.run('bootstrap', HTTP_PROXY=f'http://127.0.0.1:{port}').check(1).says('HTTP 407')
    secrets.run('bootstrap', all_proxy='http://CanaryUser:CanaryProxy@127.0.0.1:1').check(1) \
        .says('through proxy http://127.0.0.1:1')
    secrets.run('bootstrap', http_proxy='http://CanaryUser:Canary Proxy@127.0.0.1:1').check(1)
    proxy.shutdown()
    proxy.server_close()


def test_what_fails(fake, home):
    """Clouds that repeat what they do not like, and values that make no sense."""
    secrets = begin(fake, home)
    tokens = '/identity/v3/auth/tokens'
    for status in 401, 400, 403, 500:
        for attributes, word in ((PASSWORD, 'CanaryPassword'),
                                 (['token: CanaryToken', 'tenant-name: demo'], 'CanaryToken')):
            echo = json.dumps({'error': {'code': status, 'message': f"'{word}' is wrong"}})
            fake.control('POST', 'rules', {'path': tokens, 'status': status, 'body': echo})
            write(home, attributes)
            secrets.run('bootstrap').check(1)
    for attributes in (
            ['token: CanaryToken', 'tenant-name: demo'],
            ['application-credential-id: x', 'application-credential-secret: CanaryCredential'],
            ['auth-mode: keypair', 'access-key: x', 'secret-key: CanaryKey'],
            ['username: ada', 'password: CanaryWrong', 'tenant-name: demo'],
            ['username: ada', 'password: [CanaryList]', 'tenant-name: demo'],
            ['username: ada', 'password: {{CanaryMap: x}}', 'tenant-name: demo'],
            ['username: ada', 'password: "CanaryOpen', 'tenant-name: demo'],
            ['username: ada', 'password: CanaryTwice', 'password: CanaryTwice'],
            PASSWORD + ['ca-private-key: CanaryAuthority'],
            PASSWORD + ['client-key: /nowhere/CanaryClientKey'],
            PASSWORD + ['ca-cert: CanaryCertificate', 'ca-private-key: "-----BEGIN Canary"']):
        write(home, attributes)
        for arguments in ['config', '--explain'], ['status']:
            secrets.run(*arguments)
        secrets.run('bootstrap').check(1)
    write(home, PASSWORD, fake.auth_url.replace('//', '//CanaryUser:CanaryURL@'))
    secrets.run('bootstrap')
    assert fake.inventory().count('server ') == 0


# What a text in another format does not have in it as it is, between two marks.
ODD = ['"x', '&x"<b>', 'äöü€', '\\pw', '\tpw', "%'+ x", '://u:p@h/?a=b']


def spell(password):
    """As servers write it into their answers."""
    as_json = json.dumps(password)[1:-1]
    quoted = urllib.parse.quote(password, safe='')
    return [password, html.escape(password), html.escape(html.escape(password)),
            ''.join(f'&#{ord(letter)};' for letter in password), quoted, quoted.lower(),
            urllib.parse.quote_plus(password), as_json, json.dumps(as_json), repr(password),
            repr(password.encode())]


def test_what_is_repeated_in_other_words(fake, home):
    """A server escapes what it repeats as its own format wants it."""
    secrets = begin(fake, home)
    for odd in ODD:
        password = f'{MARK}{odd}{MARK}'
        write(home, ['username: ada', 'tenant-name: demo', f'password: {json.dumps(password)}'])
        texts = spell(password)
        for content_type, body in (
                ('text/html', ''.join(f'<p>{text}<br>{text}' for text in texts)),
                ('text/plain', ' '.join(texts)),
                ('application/json', json.dumps({'error': {'message': ' '.join(texts)}}))):
            fake.control('DELETE', 'rules')
            fake.control('POST', 'rules', {'path': '/identity/v3/auth/tokens', 'status': 400,
                                           'content_type': content_type, 'body': body})
            secrets.run('bootstrap').check(1).says('***')


if __name__ == '__main__':
    wanted = sys.argv[1:]
    tests = [function for name, function in list(globals().items()) if name.startswith('test_')]
    sys.exit(run_tests([test for test in tests if not wanted or test.__name__ in wanted]))
