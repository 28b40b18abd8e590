# SPDX-License-Identifier: LGPL-2.1-or-later
"""A mechanism driver that leads floating IPs to guests, as the L3 agent would."""

import welkin_guests
from neutron_lib import context as neutron_context
from neutron_lib.callbacks import events, registry, resources
from neutron_lib.plugins import directory
from welkin_test_ml2 import LoopbackMechanismDriver


class GuestMechanismDriver(LoopbackMechanismDriver):

    def initialize(self):
        super().initialize()
        self._cards = {}
        for event in (events.AFTER_CREATE, events.AFTER_UPDATE, events.AFTER_DELETE):
            registry.subscribe(self._lead, resources.FLOATING_IP, event)
        # A port that is deleted can be looked up for the last time then.
        registry.subscribe(self._remember, resources.PORT, events.BEFORE_DELETE)

    def _card(self, port):
        """The MAC of the port, which may be gone by now."""
        if port not in self._cards:
            plugin = directory.get_plugin()
            context = neutron_context.get_admin_context()
            self._cards[port] = plugin.get_port(context, port)['mac_address']
        return self._cards[port]

    def _remember(self, resource, event, trigger, payload=None):
        self._card(payload.resource_id)

    def _lead(self, resource, event, trigger, payload=None):
        states = [state for state in payload.states if state]
        is_gone = event == events.AFTER_DELETE
        before = states[0].get('port_id') if event != events.AFTER_CREATE else None
        now = None if is_gone else payload.latest_state.get('port_id')
        address = states[-1]['floating_ip_address']
        if before and before != now:
            welkin_guests.call('remove-address', self._card(before), address)
        if now and now != before:
            welkin_guests.call('add-address', self._card(now), address)
