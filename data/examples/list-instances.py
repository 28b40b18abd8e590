#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Lists the machines of an environment: list-instances.py [NAME]"""

import sys

import gi
gi.require_version('Welkin', '1.0')
from gi.repository import GLib, Welkin


def get_address(instance):
    try:
        return instance.get_dns_name()
    except GLib.Error as error:
        if error.matches(Welkin.Error.quark(), Welkin.Error.NO_ADDRESS_YET):
            return '-'
        raise


class Lister:
    def __init__(self, environment):
        self.environment = environment
        self.loop = GLib.MainLoop()
        self.status = 1

    def run(self):
        self.environment.list_instances_async(None, self.instances_listed)
        self.loop.run()
        return self.status

    def instances_listed(self, environment, result):
        try:
            for instance in environment.list_instances_finish(result):
                print(instance.get_id(), instance.get_status(), get_address(instance))
            self.status = 0
        except GLib.Error as error:
            print(f'error: {error.message}', file=sys.stderr)
        self.loop.quit()


def main(arguments):
    environments = Welkin.Environments.new(Welkin.Registry.new(), None)
    try:
        name = environments.choose(arguments[0] if arguments else None)
        environment = environments.open(name)
    except GLib.Error as error:
        print(f'error: {error.message}', file=sys.stderr)
        return 1
    return Lister(environment).run()


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
