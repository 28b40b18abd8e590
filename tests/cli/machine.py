# SPDX-License-Identifier: LGPL-2.1-or-later
"""A machine that boots: a real sshd at the floating IP, on the loopback, of a server of the fake
OpenStack. It does what its user data says about host keys and the nonce, and what a script does
there happens below a directory: paths are changed on the way, and programs that would change this
computer are others."""

import contextlib
import getpass
import gzip
import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import threading
import time
import urllib.error
import urllib.request

import yaml

SSHD = '/usr/sbin/sshd'

SSHD_CONFIG = '''ListenAddress {address}:{port}
HostKey {root}/etc/ssh/ssh_host_ed25519_key
AuthorizedKeysFile {root}/authorized_keys
PidFile {root}/sshd.pid
StrictModes no
UsePAM no
PermitRootLogin yes
PasswordAuthentication no
KbdInteractiveAuthentication no
SetEnv PATH={root}/bin:/usr/bin:/bin
ForceCommand {root}/bin/run
'''

EXTRA = '''        network: inside
        use-floating-ip: true
        external-network: outside
        bootstrap-timeout: 400
        bootstrap-retry-delay: 2
        bootstrap-addresses-delay: 4
        api-port: {port}
        ssh-user: {user}
        enable-os-refresh-update: false
        enable-os-upgrade: false
'''

PROGRAMS = {
    'apt-get': 'exit 0',
    'chown': 'exit 0',
    'ssh-keygen': ('key={root}/etc/ssh/ssh_host_ed25519_key\n'
                   'case "$1" in\n'
                   '-A) [ -e $key ] && exit;;\n'
                   '-*) exec /usr/bin/ssh-keygen "$@";;\n'
                   'esac\n'
                   'rm -f $key*\n'
                   'exec /usr/bin/ssh-keygen -q -t ed25519 -N "" -f $key'),
    'systemctl': ('case "$1" in\n'
                  'try-reload-or-restart) kill -HUP "$(cat {root}/sshd.pid)";;\n'
                  'enable) echo > {root}/enabled;;\n'
                  'esac'),
    'sudo': 'shift; exec "$@"',
    # What sshd runs instead of what it is asked for.
    'run': ('if [ -z "$SSH_ORIGINAL_COMMAND" ]; then exec /bin/sh; fi\n'
            'case "$SSH_ORIGINAL_COMMAND" in\n'
            '*/bin/bash) sed -e "s,/var/,{root}/var/,g; s,/etc/s,{root}/etc/s,g" | '
            '$SSH_ORIGINAL_COMMAND;;\n'
            '*) eval "$SSH_ORIGINAL_COMMAND";;\n'
            'esac'),
}


def can_boot():
    return os.access(SSHD, os.X_OK) and shutil.which('ssh') is not None


def find_port():
    with socket.socket() as free:
        free.bind(('127.0.0.1', 0))
        return free.getsockname()[1]


class Machine:
    def __init__(self, fake, home, nonce=None, host_key=None, fails=None, slow=None):
        self.fake = fake
        self.home = home
        self.nonce = nonce
        self.host_key = host_key
        self.fails = fails
        self.slow = slow
        self.root = os.path.join(home.directory, 'machine')
        self.process = None
        self.error = None
        self.port = find_port()
        self.api_port = find_port()
        self.agent = None
        self.address = None
        for directory in ('etc/ssh', 'etc/systemd/system', 'var/log', 'var/lib/welkin', 'bin'):
            os.makedirs(os.path.join(self.root, directory))
        self.write_programs()
        self.add_networks()
        user = getpass.getuser()
        home.write(extra=EXTRA.format(user=user, port=self.api_port))
        wrapper = self.write('ssh', f'#!/bin/sh\nexec ssh -F none -p {self.port} "$@"\n', 0o755)
        copier = self.write('scp', f'#!/bin/sh\nexec scp -F none -P {self.port} "$@"\n', 0o755)
        home.environment['WELKIN_SSH'] = wrapper
        home.environment['WELKIN_SCP'] = copier
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.boot_when_asked)
        self.thread.start()

    def write(self, name, text, mode=0o600):
        path = os.path.join(self.root, name)
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)
        os.chmod(path, mode)
        return path

    def read(self, name):
        with open(os.path.join(self.root, name), encoding='utf-8') as file:
            return file.read()

    def mode(self, name):
        return stat.S_IMODE(os.stat(os.path.join(self.root, name)).st_mode)

    def write_programs(self):
        for name, body in PROGRAMS.items():
            if name == self.fails:
                body = 'echo it is broken; exit 9'
            if name == self.slow:
                body = 'sleep 0.5\n' + body
            text = '#!/bin/sh\n' + body.replace('{root}', self.root) + '\n'
            self.write(os.path.join('bin', name), text, 0o755)

    def add_networks(self):
        add = self.fake.control
        add('POST', 'network', {'name': 'outside', 'project': 'admin', 'router:external': True})
        add('POST', 'subnet', {'name': 'outside-v4', 'network': 'outside',
                               'cidr': '127.0.77.0/24'})
        add('POST', 'network', {'name': 'inside', 'project': 'demo'})
        add('POST', 'subnet', {'name': 'inside-v4', 'network': 'inside', 'cidr': '127.0.78.0/24'})
        add('POST', 'router', {'name': 'between', 'project': 'demo', 'external': 'outside',
                               'subnets': ['inside-v4']})

    def find_address(self):
        found = re.search(r'^floatingip .* (127\.0\.77\.\d+) port=welkin', self.fake.inventory(),
                          re.MULTILINE)
        return found and found[1]

    def find_user_data(self, mark='bootstrap:'):
        """That of the server whose nonce begins so."""
        for entry in self.fake.requests():
            found = re.fullmatch(r'/compute/v2\.1/servers/([0-9a-f-]{36})', entry['path'])
            if not found or entry['status'] != 200:
                continue
            url = f'{self.fake.url}/metadata/{found[1]}/openstack/latest/user_data'
            with contextlib.suppress(urllib.error.HTTPError), \
                    urllib.request.urlopen(url, timeout=20) as answer:
                text = gzip.decompress(answer.read()).decode()
                if f"'{mark}" in text:
                    return yaml.safe_load(text)
        return None

    def boot_when_asked(self):
        try:
            while not self.ended.is_set():
                if self.process is None:
                    self.boot()
                elif self.agent is None and self.has('enabled'):
                    self.start_agent()
                time.sleep(0.05)
        except Exception as error:  # for the test to tell
            self.error = error

    def has(self, name):
        return os.path.exists(os.path.join(self.root, name))

    def start_agent(self):
        data = os.path.join(self.root, 'var/lib/welkin')
        self.agent = subprocess.Popen(
            [os.path.join(data, 'tools/machine-0/welkin-agent'), 'machine', '--data-dir', data,
             '--machine-id', '0'], stderr=subprocess.DEVNULL)

    def boot(self):
        """If the server is there by now."""
        address = self.find_address()
        document = self.find_user_data() if address else None
        if not document:
            return
        key = self.host_key or document.get('ssh_keys', {}).get('ed25519_private')
        if key:
            self.write('etc/ssh/ssh_host_ed25519_key', key)
        else:
            subprocess.run([os.path.join(self.root, 'bin/ssh-keygen')], check=True)
        self.write('authorized_keys', '\n'.join(document['ssh_authorized_keys']) + '\n')
        self.write_nonce(document)
        self.address = address
        self.start(address)

    def write_nonce(self, document):
        for command in document['runcmd']:
            found = re.match(r"printf '%s\\n' '([^']*)' > '/var/lib/welkin/nonce.txt'", command)
            if found:
                self.write('var/lib/welkin/nonce.txt', (self.nonce or found[1]) + '\n')

    def start(self, address):
        if os.getuid() == 0:
            os.makedirs('/run/sshd', exist_ok=True)
        config = self.write('sshd_config', SSHD_CONFIG.format(
            address=address, port=self.port, root=self.root))
        self.process = subprocess.Popen([SSHD, '-D', '-f', config, '-E',
                                         os.path.join(self.root, 'sshd.log')])

    def authority(self):
        """The certificate of the environment's, which its agents trust."""
        with open(self.home.info_path('lab'), encoding='utf-8') as file:
            return yaml.safe_load(file)['bootstrap-config']['ca-cert']

    def stop_agent(self):
        self.agent.send_signal(signal.SIGTERM)
        self.agent.wait(20)

    def stop(self):
        self.ended.set()
        self.thread.join()
        for process in (self.agent, self.process):
            if process:
                process.send_signal(signal.SIGTERM)
                process.wait(20)
