#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""An environment of machines that boot, from nothing to nothing."""

import sys

from fixture import run_tests
from guests import GuestHome, console, make_cloud, running, stage, wait


def started(home, *ids):
    machines = home.machines()
    return all(machines[id]['agent-state'] == 'started' for id in ids) and machines


def test_an_environment_comes_up_and_goes(cloud, home):
    before = cloud.inventory()
    home.write()
    with stage('bootstrap'):
        home.bootstrap().check(0).says('Fetching tools: ', 'Waiting for the agent')
    with stage('status'):
        machines = home.machines()
    assert machines['0']['agent-state'] == 'started', machines
    assert running() == [machines['0']['instance-id']], running()
    assert 'Cloud-init v.' in console(machines['0']['instance-id'])

    with stage('add-machine -n 2'):
        home.run('add-machine', '-n', '2', timeout=120).check(0)
    with stage('both started'):
        machines = wait('started', lambda: started(home, '1', '2'))
    with stage('ssh 1 true'):
        wait('logged in', lambda: home.run('ssh', '1', 'true').status == 0)
    assert home.run('ssh', '1', 'hostname').check(0).output == 'welkin-lab-machine-1\n'
    with stage('open-port'):
        home.run('open-port', '-m', '1', '80/tcp').check(0)
    ports = home.run('ports', '-m', '1').check(0).output
    assert '80/tcp' in ports, ports

    with stage('destroy-machine'):
        home.run('destroy-machine', '2', timeout=60).check(0)
    wait('gone', lambda: sorted(running()) == sorted(machines[id]['instance-id'] for id in '01'),
         20)
    with stage('destroy-environment'):
        home.destroy().check(0)
    wait('as before', lambda: cloud.inventory() == before, 20)
    wait('gone', lambda: not running(), 20)


if __name__ == '__main__':
    sys.exit(run_tests([function for name, function in list(globals().items())
                        if name.startswith('test_')],
                       suite='guests', cloud=make_cloud, home=GuestHome))
