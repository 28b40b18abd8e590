# SPDX-License-Identifier: LGPL-2.1-or-later
"""How the services of a real cloud call tests/guest/guest."""

import os

from oslo_concurrency import processutils

PROGRAM = os.path.join(os.path.dirname(os.path.realpath(__file__)), '..', 'guest')


def call(*arguments):
    processutils.execute(PROGRAM, *arguments)


def read_console(name):
    with open(os.path.join(os.environ['WELKIN_GUESTS'], name, 'console'), encoding='utf-8',
              errors='replace') as file:
        return file.read()
