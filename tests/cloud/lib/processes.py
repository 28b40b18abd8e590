# SPDX-License-Identifier: LGPL-2.1-or-later
"""Starts, watches and stops processes.

Every service leads a process group of its own and has a file run/NAME.pid
with its process id and start time; the two together are never those of
another process.
"""

import dataclasses
import os
import signal
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request

from layout import CloudError, DIR, HERE, log_path, path, say

# Drivers of nova and neutron for a cloud whose machines boot.
GUESTS = os.path.join(HERE, '..', 'guest', 'drivers')

# Set when the cloud will not come up: all who wait give up.
giving_up = threading.Event()

# Management commands are all computation; more of them at once take longer.
PROCESSORS = threading.Semaphore(max(2, os.cpu_count() or 2))

OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


@dataclasses.dataclass
class Service:
    name: str
    argv: list
    environment: dict = None
    # How to see that it answers; for one without, that its process lives.
    url: str = None
    socket: str = None
    listens: tuple = None


def clean_environment():
    kept = {name: value for name, value in os.environ.items() if name.startswith('WELKIN_GUESTS')}
    return {
        **kept,
        'PATH': '/usr/sbin:/usr/bin:/sbin:/bin',
        'LANG': 'C.UTF-8',
        'HOME': path('home'),
        'TMPDIR': path('tmp'),
        'PYTHONPATH': ':'.join((os.path.join(HERE, 'neutron'), GUESTS)),
        'PYTHONDONTWRITEBYTECODE': '1',
        'PYTHONUNBUFFERED': '1',
        'PYTHONWARNINGS': 'ignore',
        'no_proxy': '*',
    }


# --------------------------------------------------------------- look at them

def _stat(pid):
    """State, process group and start time from /proc, None if it is gone."""
    try:
        with open('/proc/%d/stat' % pid) as file:
            fields = file.read().rsplit(')', 1)[1].split()
    except (OSError, IndexError):
        return None
    state, group, started = fields[0], int(fields[2]), fields[19]
    return None if state == 'Z' else (state, group, started)


def pid_of(name):
    try:
        with open(path('run', name + '.pid')) as file:
            pid, started = file.read().split()
    except (OSError, ValueError):
        return None
    stat = _stat(int(pid))
    return int(pid) if stat and stat[2] == started else None


def is_paused(pid):
    stat = _stat(pid)
    return stat is not None and stat[0] == 'T'


def group_members(group):
    pids = (int(entry) for entry in os.listdir('/proc') if entry.isdigit())
    stats = ((pid, _stat(pid)) for pid in pids)
    return [pid for pid, stat in stats if stat and stat[1] == group]


def memory_of(group):
    """Proportional set size in bytes: what is shared counts once in all."""
    kilobytes = 0
    for pid in group_members(group):
        try:
            with open('/proc/%d/smaps_rollup' % pid) as file:
                kilobytes += sum(int(line.split()[1]) for line in file if line.startswith('Pss:'))
        except OSError:
            pass
    return kilobytes * 1024


def accepts_connections(address, port):
    try:
        socket.create_connection((address, port), 1).close()
        return True
    except OSError:
        return False


def _answers(url):
    try:
        with OPENER.open(url, timeout=10):
            return True
    except urllib.error.HTTPError as error:
        return error.code < 500
    except OSError:
        return False


def is_healthy(service):
    if not pid_of(service.name):
        return False
    if service.url:
        return _answers(service.url)
    if service.socket:
        return os.path.exists(service.socket)
    if service.listens:
        return accepts_connections(*service.listens)
    return True


# -------------------------------------------------------------- change them

def start(service):
    """Starts it unless it runs; does not wait until it answers."""
    if pid_of(service.name):
        return False
    with open(log_path(service.name), 'ab') as log:
        process = subprocess.Popen(
            service.argv, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=DIR,
            env=service.environment or clean_environment(), start_new_session=True)
    stat = _stat(process.pid)
    if not stat:
        raise CloudError('%s ended at once, see %s' % (service.name, log_path(service.name)))
    pid_file = path('run', service.name + '.pid')
    with open(pid_file + '.new', 'w') as file:
        file.write('%d %s\n' % (process.pid, stat[2]))
    os.rename(pid_file + '.new', pid_file)
    return True


def wait_healthy(*services):
    for service in services:
        wait_until('%s answers' % service.name, lambda: is_healthy(service), [service])
    say('up: ' + ' '.join(service.name for service in services))


def start_and_wait(*services):
    """Starts them side by side."""
    for service in services:
        start(service)
    wait_healthy(*services)


def wait_until(what, test, services=(), seconds=180):
    """Waits for the test, but not for services which have died."""
    end = time.monotonic() + seconds
    while not test():
        for service in services:
            if not pid_of(service.name):
                raise CloudError('%s died, see %s' % (service.name, log_path(service.name)))
        if giving_up.is_set():
            raise CloudError('given up waiting until ' + what)
        if time.monotonic() > end:
            raise CloudError('waited %d s until %s, in vain; logs are in %s'
                             % (seconds, what, path('log')))
        time.sleep(0.2)


def signal_group(group, number):
    try:
        os.killpg(group, number)
    except ProcessLookupError:
        pass


def _reap():
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def _groups_left(groups, seconds):
    end = time.monotonic() + seconds
    while groups and time.monotonic() < end:
        time.sleep(0.1)
        _reap()
        groups = [group for group in groups if group_members(group)]
    return groups


def stop(names, patience=20):
    """Stops these services side by side, by force when they are slow."""
    groups = [pid for pid in map(pid_of, names) if pid]
    for group in groups:
        signal_group(group, signal.SIGCONT)
        signal_group(group, signal.SIGTERM)
    slow = _groups_left(groups, patience)
    for group in slow:
        signal_group(group, signal.SIGKILL)
    if _groups_left(slow, 10):
        raise CloudError('not even SIGKILL ends all of ' + ' '.join(names))
    for name in names:
        try:
            os.unlink(path('run', name + '.pid'))
        except FileNotFoundError:
            pass


def run(argv, log_name):
    """Runs a management command to its end."""
    log_file = log_path(log_name)
    with PROCESSORS, open(log_file, 'ab') as log:
        if giving_up.is_set():
            raise CloudError('given up before %s' % log_name)
        log.write(('\n### %s\n' % ' '.join(argv)).encode())
        log.flush()
        process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                   env=clean_environment(), cwd=DIR)
        while process.poll() is None:
            if giving_up.wait(0.05):
                process.kill()
        if process.returncode != 0:
            raise CloudError('%s failed, see %s' % (log_name, log_file))
