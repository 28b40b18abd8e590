# SPDX-License-Identifier: LGPL-2.1-or-later
"""Clouds whose servers boot, and a home for the command there. Only inside of in-namespace."""

import contextlib
import json
import os
import shutil
import subprocess
import time

import real_cloud
from fixture import Fake, Home

HERE = os.path.dirname(os.path.realpath(__file__))
GUEST = os.path.join(HERE, 'guest')

# The address of the cloud, on the bridge that the guests are at.
ADDRESS = '192.0.2.1'

EXTRA = '''\
        network: guests
        use-floating-ip: true
        external-network: public
        default-series: bookworm
        ssh-user: debian
        bootstrap-retry-delay: 1
        bootstrap-addresses-delay: 2
        enable-os-refresh-update: false
        enable-os-upgrade: false
'''


class FakeCloud(Fake):
    """fake-openstack, with guests."""

    def __init__(self, *options):
        super().__init__('--build-delay', '200', '--guests', GUEST, *options, address=ADDRESS)


class RealCloud:
    """The one that the OS_ variables describe: see on-cloud."""

    def __init__(self):
        self.auth_url = os.environ['OS_AUTH_URL']

    def inventory(self):
        return real_cloud.inventory()

    def stop(self):
        pass


def make_cloud():
    return RealCloud() if 'OS_AUTH_URL' in os.environ else FakeCloud()


def running():
    """The names of the guests."""
    return subprocess.run([GUEST, 'list'], check=True, capture_output=True,
                          text=True).stdout.split()


def console(name):
    with open(os.path.join(os.environ['WELKIN_GUESTS'], name, 'console'), encoding='utf-8',
              errors='replace') as file:
        return file.read()


class GuestHome(Home):
    """One where time is what it is, and an agent is installed."""

    def __init__(self, cloud):
        super().__init__(cloud)
        agent = os.path.join(self.directory, 'agent')
        os.mkdir(agent)
        shutil.copy(os.environ['WELKIN_TEST_AGENT'], agent)
        self.environment.update({'WELKIN_TIME_SCALE': '1', 'WELKIN_AGENT_DIR': agent,
                                 'no_proxy': ADDRESS})

    def write(self, extra='', **values):
        super().write(extra=EXTRA + extra, **values)

    def bootstrap(self, *options, until='agent', timeout=180, **variables):
        return self.run('bootstrap', '--upload-tools', '--until', until, *options, quiet=False,
                        timeout=timeout, **variables)

    def destroy(self):
        return self.run('destroy-environment', '-y', '--force', 'lab', timeout=120)

    def machines(self):
        return json.loads(self.run('status', '--format', 'json').check(0).output)['machines']


@contextlib.contextmanager
def hook(text):
    """A program, which gets the config drive of each guest and prints options of nspawn."""
    path = os.path.join(os.environ['WELKIN_GUESTS'], '.hook')
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)
    os.chmod(path, 0o755)
    try:
        yield
    finally:
        os.unlink(path)


def wait(what, condition, seconds=120):
    """Until the condition, which is also returned, holds."""
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end, f'{what}: not after {seconds} s'
        time.sleep(0.2)
    return found


@contextlib.contextmanager
def stage(name):
    """Tells how long it took."""
    start = time.monotonic()
    yield
    print(f'# {name}: {time.monotonic() - start:.1f} s', flush=True)
