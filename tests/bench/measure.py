# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the benchmarks share: the fake cloud, and what a command costs."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request


class FakeCloud:
    """The fake OpenStack, as a process of its own."""

    def __init__(self, program):
        self.directory = tempfile.mkdtemp(prefix='welkin-bench-')
        port_file = os.path.join(self.directory, 'port')
        self.process = subprocess.Popen([program, '--port-file', port_file],
                                        stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 20
        while not os.path.exists(port_file) or not open(port_file).read():
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise SystemExit('the fake cloud does not come up')
            time.sleep(0.02)
        self.url = 'http://127.0.0.1:' + open(port_file).read().strip()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()
        shutil.rmtree(self.directory)

    def environment(self):
        """The variables of a process that is to use this cloud, and no other."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith('OS_')}
        return kept | {
            'OS_AUTH_URL': self.url + '/identity/v3',
            'OS_IDENTITY_API_VERSION': '3',
            'OS_USERNAME': 'demo',
            'OS_PASSWORD': 'secret',
            'OS_PROJECT_NAME': 'demo',
            'OS_USER_DOMAIN_NAME': 'Default',
            'OS_PROJECT_DOMAIN_NAME': 'Default',
            'OS_REGION_NAME': 'RegionOne',
        }

    def request(self, method, path, body=None, token=None):
        """An answer as (headers, what its JSON says)."""
        headers = {'Content-Type': 'application/json', 'Accept': 'application/json'}
        if token:
            headers['X-Auth-Token'] = token
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        with urllib.request.urlopen(request) as response:
            text = response.read()
            return response.headers, json.loads(text) if text else None

    def log_in(self):
        domain = {'name': 'Default'}
        user = {'name': 'demo', 'password': 'secret', 'domain': domain}
        headers, _ = self.request('POST', '/identity/v3/auth/tokens', {'auth': {
            'identity': {'methods': ['password'], 'password': {'user': user}},
            'scope': {'project': {'name': 'demo', 'domain': domain}}}})
        return headers['X-Subject-Token']


class Cost:
    """What a command took: seconds of CPU, MiB at its peak, seconds by the clock."""

    def __init__(self, cpu, memory, wall, output):
        self.cpu = cpu
        self.memory = memory
        self.wall = wall
        self.output = output


def measure(cost_program, command, environment, runs=3):
    """The cheapest of some runs of a command; it must succeed."""
    best = None
    for _ in range(runs):
        with tempfile.NamedTemporaryFile('r') as figures:
            done = subprocess.run([cost_program, figures.name] + command, env=environment,
                                  stdout=subprocess.PIPE, text=True, check=False)
            if done.returncode != 0:
                raise SystemExit('%s: exit %d' % (command[0], done.returncode))
            cpu, memory, wall = open(figures.name).read().split()
        cost = Cost(float(cpu), int(memory) / 1024, float(wall), done.stdout)
        if best is None or cost.cpu < best.cpu:
            best = cost
    return best


def have(program):
    """Whether a program is installed; says so when it is not."""
    if shutil.which(program):
        return True
    print('%s is not installed: left out' % program)
    return False


def show(rows, base):
    """A table of (name, Cost), with each one's CPU as a multiple of the first one's."""
    print('%-28s %9s %9s %9s %7s' % ('', 'CPU', 'memory', 'clock', 'ratio'))
    for name, cost in rows:
        print('%-28s %7.3f s %5.1f MiB %7.2f s %6.1fx'
              % (name, cost.cpu, cost.memory, cost.wall, cost.cpu / base.cpu))


def check(what, value, limit, unit):
    """Fails the benchmark when a value is over its limit."""
    met = value <= limit
    print('%s: %.2f%s, %.2f%s at most: %s' % (what, value, unit, limit, unit,
                                               'met' if met else 'NOT MET'))
    sys.stdout.flush()
    return met
