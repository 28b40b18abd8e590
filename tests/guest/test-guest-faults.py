#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What goes wrong with machines that boot: each ends in one clear error, and leaves nothing."""

import contextlib
import os
import random
import signal
import subprocess
import sys

from fixture import run_tests
from guests import FakeCloud, GuestHome, hook, running, wait

SHORT = '        bootstrap-timeout: 25\n'

# A hook that changes the user data; $text is what is in it.
EDIT = '''#!/usr/bin/python3
import gzip, sys
path = sys.argv[1] + '/openstack/latest/user_data'
with open(path, 'rb') as file:
    text = gzip.decompress(file.read()).decode()
{change}
with open(path, 'wb') as file:
    file.write(gzip.compress(text.encode()))
'''

# A hook that breaks a program for whoever logs in, and lets nobody there sleep.
BREAK = '''#!/bin/sh
cd "$1/.."
for name in {name} sleep; do
  printf '#!/bin/sh\\n[ -z "$SUDO_USER" ] || {{ echo %s is broken >&2; exit 9; }}\\n' $name >$name
  [ $name != sleep ] || printf '#!/bin/sh\\n[ -z "$SUDO_USER" ] || exit 0\\n' >$name
  printf 'exec /opt/%s "$@"\\n' $name >>$name
  chmod 755 $name
  cp $WELKIN_GUESTS_ROOTFS/usr/bin/$name $name.real
  echo --bind-ro=$PWD/$name:/usr/bin/$name
  echo --bind-ro=$PWD/$name.real:/opt/$name
done
'''

# A hook that makes sshd wait.
LATE = '''#!/bin/sh
cd "$1/.."
printf '[Service]\\nExecStartPre=/bin/sleep 12\\n' >late
echo --bind-ro=$PWD/late:/etc/systemd/system/ssh.service.d/late.conf
'''


@contextlib.contextmanager
def leaving_nothing(cloud):
    before = cloud.inventory()
    yield
    assert cloud.inventory() == before, cloud.inventory()
    wait('guests are gone', lambda: not running(), 20)


def make_key(home):
    """The PEM of a private key, and what goes with it."""
    path = os.path.join(home.directory, 'other')
    subprocess.run(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', path], check=True)
    with open(path, encoding='utf-8') as private, open(path + '.pub', encoding='utf-8') as public:
        return private.read(), public.read()


def test_a_machine_with_another_nonce_has_taken_the_address_over(cloud, home):
    home.write(SHORT)
    change = "assert 'bootstrap:' in text\ntext = text.replace('bootstrap:', 'another:')"
    with leaving_nothing(cloud), hook(EDIT.format(change=change)):
        home.bootstrap(until='ssh').check(1).says('waited for 25s without being able to connect',
                                                  'contents do not match machine nonce')


def test_a_machine_with_another_host_key_is_not_the_one(cloud, home):
    home.write(SHORT)
    private, public = make_key(home)
    change = ('import yaml\ndocument = yaml.safe_load(text)\n'
              f'document["ssh_keys"] = {{"ed25519_private": {private!r}, '
              f'"ed25519_public": {public!r}}}\n'
              'text = "#cloud-config\\n" + yaml.safe_dump(document)')
    with leaving_nothing(cloud), hook(EDIT.format(change=change)):
        home.bootstrap(until='ssh').check(1).says('Host key verification failed.')


def test_one_address_that_answers_is_enough(cloud, home):
    home.write()
    with leaving_nothing(cloud):
        # What goes there is lost without a word.
        subprocess.run('ip link add lost up arp off type veth peer name hole && '
                       'ip link set hole up && ip route add 192.0.2.0/25 dev lost',
                       shell=True, check=True)
        try:
            home.bootstrap(until='ssh').check(0).says('Attempting to connect to 192.0.2.',
                                                      'Attempting to connect to 203.0.113.')
        finally:
            subprocess.run(['ip', 'link', 'delete', 'lost'], check=True)
        home.destroy().check(0)


def test_an_sshd_that_comes_late_is_waited_for(cloud, home):
    home.write()
    with leaving_nothing(cloud), hook(LATE):
        home.bootstrap(until='ssh').check(0)
        home.destroy().check(0)


def test_a_script_that_fails_at_any_step_is_told(cloud, home):
    home.write()
    for name in ('ssh-keygen', 'apt-get', 'curl', 'tar', 'install', 'systemctl'):
        with leaving_nothing(cloud), hook(BREAK.format(name=name)):
            home.bootstrap().check(1).says(f'{name} is broken', 'error: Cannot set up machine 0: ')


def test_an_agent_that_cannot_begin_is_told(cloud, home):
    home.write()
    path = os.path.join(home.environment['WELKIN_AGENT_DIR'], 'welkin-agent')
    os.unlink(path)
    with open(path, 'w', encoding='utf-8') as file:
        file.write('#!/bin/sh\n[ "$1" = version ] && exec echo 0.1.0-bookworm-amd64\n'
                   'echo it cannot begin >&2\nexit 1\n')
    os.chmod(path, 0o755)
    with leaving_nothing(cloud):
        home.bootstrap().check(1).says('it cannot begin', 'error: Cannot set up machine 0: ')


def test_tools_with_another_hash_are_refused(cloud, home):
    home.write()
    cloud.control('POST', 'rules', {'method': 'GET', 'path': '*/tools/releases/*.tgz',
                                    'action': 'fail', 'status': 200, 'body': 'others',
                                    'times': -1})
    with leaving_nothing(cloud):
        home.bootstrap().check(1).says('Tools checksum mismatch')


# curl has no other words for it.
def test_a_full_disk_is_told(cloud, home):
    home.write()
    with leaving_nothing(cloud), \
            hook('#!/bin/sh\necho --tmpfs=/var/lib/welkin:mode=755,size=16k\n'):
        home.bootstrap().check(1).says('Failure writing output to destination',
                                       'error: Cannot set up machine 0: ')


def test_interrupts_at_random_moments_leave_nothing(cloud, home):
    home.write()
    for moment in range(int(os.environ.get('WELKIN_TEST_MOMENTS', '10'))):
        number = (signal.SIGINT, signal.SIGTERM)[moment % 2]
        seconds = random.uniform(0, 16)
        with leaving_nothing(cloud):
            process = home.start('bootstrap', '--upload-tools', '--until', 'agent')
            try:
                process.wait(seconds)
            except subprocess.TimeoutExpired:
                process.send_signal(number)
            output, errors = process.communicate(timeout=90)
            print(f'# {number.name} after {seconds:.1f} s: status {process.returncode}', flush=True)
            assert process.returncode in (0, 130, -number), (process.returncode, output, errors)
            if process.returncode == 0:
                home.destroy().check(0)


def kill(home, text):
    """A bootstrap that dies when it has said this."""
    process = home.start('bootstrap', '--upload-tools', '--until', 'agent', quiet=False)
    for line in process.stderr:
        if text in line:
            break
    assert process.poll() is None, process.returncode
    process.kill()
    process.communicate()


def test_the_next_command_goes_on_after_a_crash(cloud, home):
    home.write()
    for text, goes_on in (('Creating ports', False), ('Attempting to connect', True),
                          ('Setting up the machine', False), ('Waiting for the agent', True)):
        with leaving_nothing(cloud):
            kill(home, text)
            if goes_on:
                home.bootstrap().check(0)
                assert home.machines()['0']['agent-state'] == 'started', home.machines()
                assert len(running()) == 1, running()
            home.destroy().check(0)


if __name__ == '__main__':
    sys.exit(run_tests([function for name, function in list(globals().items())
                        if name.startswith('test_')
                        and (len(sys.argv) < 2 or name in sys.argv[1:])],
                       suite='guests', cloud=FakeCloud, home=GuestHome))
