#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Our user data on Debian's cloud-init as it is, which nothing makes boot fast."""

import os
import sys

from fixture import run_tests
from guests import FakeCloud, GuestHome, running, stage, wait


def make_cloud():
    os.environ['WELKIN_GUESTS_STOCK'] = '1'
    return FakeCloud()


def test_stock_cloud_init_takes_our_user_data(cloud, home):
    before = cloud.inventory()
    home.write()
    with stage('bootstrap, stock'):
        home.bootstrap(timeout=300).check(0)
    assert home.machines()['0']['agent-state'] == 'started', home.machines()
    # The first machine gets the basic part by cloud-init, a later one all of it.
    home.run('add-machine', timeout=120).check(0)
    with stage('add-machine, stock'):
        wait('started', lambda: home.machines()['1']['agent-state'] == 'started')
    for machine in '01':
        outcome = home.run('ssh', machine, 'sudo cloud-init status --wait --long')
        assert 'status: done' in outcome.check(0).output, outcome.output
        outcome = home.run('ssh', machine, 'sudo cloud-init schema --system').check(0)
        assert 'Valid cloud-config' in outcome.output, outcome.output
    home.destroy().check(0)
    assert cloud.inventory() == before, cloud.inventory()
    wait('gone', lambda: not running(), 20)


if __name__ == '__main__':
    sys.exit(run_tests([test_stock_cloud_init_takes_our_user_data], suite='guests',
                       cloud=make_cloud, home=GuestHome))
