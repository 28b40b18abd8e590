# SPDX-License-Identifier: LGPL-2.1-or-later
"""A driver of nova whose machines boot, from the config drive that nova makes.

All else is that of nova's own fake driver.
"""

import os
import tempfile

from nova.api.metadata import base as instance_metadata
from nova.virt import configdrive, fake

import welkin_guests


class GuestDriver(fake.FakeDriver):

    def spawn(self, context, instance, image_meta, injected_files, admin_password, allocations,
              network_info=None, block_device_info=None, power_on=True, accel_info=None):
        super().spawn(context, instance, image_meta, injected_files, admin_password, allocations,
                      network_info, block_device_info, power_on, accel_info)
        self._start(instance, network_info)

    def _start(self, instance, network_info):
        about = instance_metadata.InstanceMetadata(instance, network_info=network_info)
        with configdrive.ConfigDriveBuilder(instance_md=about) as builder, \
                tempfile.TemporaryDirectory() as drive:
            for path, data in builder.mdfiles:
                target = os.path.join(drive, path)
                os.makedirs(os.path.dirname(target), exist_ok=True)
                with open(target, 'wb') as file:
                    file.write(data.encode() if isinstance(data, str) else data)
            # A guest has one card.
            welkin_guests.call('start', instance.uuid, drive, network_info[0]['address'])

    def destroy(self, context, instance, *arguments, **keywords):
        welkin_guests.call('stop', instance.uuid)
        super().destroy(context, instance, *arguments, **keywords)

    def power_off(self, instance, *arguments, **keywords):
        welkin_guests.call('stop', instance.uuid)
        super().power_off(instance, *arguments, **keywords)

    def power_on(self, context, instance, network_info, *arguments, **keywords):
        super().power_on(context, instance, network_info, *arguments, **keywords)
        # It is on already when it is started anew.
        welkin_guests.call('stop', instance.uuid)
        self._start(instance, network_info)

    def get_console_output(self, context, instance):
        return welkin_guests.read_console(instance.uuid)
