# SPDX-License-Identifier: LGPL-2.1-or-later
"""An ML2 mechanism driver for a neutron without agents.

It does towards the API the two things that agents do, and nothing else:

 * it binds every port, on any host, as Open vSwitch and calls it ACTIVE at
   once, for there is no wire to wait for;
 * it reports a floating IP ACTIVE when it gets a port and DOWN when it loses
   it, as the L3 agent does.
"""

import eventlet
from neutron_lib import constants
from neutron_lib import context as neutron_context
from neutron_lib.api.definitions import portbindings
from neutron_lib.callbacks import events, registry, resources
from neutron_lib.exceptions import l3 as l3_exceptions
from neutron_lib.plugins import constants as plugin_constants
from neutron_lib.plugins import directory
from neutron_lib.plugins.ml2 import api
from oslo_log import log

LOG = log.getLogger(__name__)


class LoopbackMechanismDriver(api.MechanismDriver):

    def initialize(self):
        for event in (events.AFTER_CREATE, events.AFTER_UPDATE):
            registry.subscribe(self._floating_ip_changed, resources.FLOATING_IP, event)

    @property
    def connectivity(self):
        return portbindings.CONNECTIVITY_L2

    def bind_port(self, context):
        segment = context.segments_to_bind[0]
        context.set_binding(
            segment[api.ID], portbindings.VIF_TYPE_OVS,
            {portbindings.CAP_PORT_FILTER: True, portbindings.OVS_HYBRID_PLUG: False},
            status=constants.PORT_STATUS_ACTIVE)

    def _floating_ip_changed(self, resource, event, trigger, payload=None):
        floating_ip = payload.latest_state
        port = floating_ip.get('port_id')
        if event == events.AFTER_UPDATE and port == payload.states[0].get('port_id'):
            return
        # Like an agent's report it comes later, in a transaction of its own:
        # at once it would wait for a row that the caller may still hold.
        eventlet.spawn_after(0.2, self._report,
                             payload.resource_id or floating_ip['id'], port)

    def _report(self, floating_ip_id, port):
        status = (constants.FLOATINGIP_STATUS_ACTIVE if port
                  else constants.FLOATINGIP_STATUS_DOWN)
        plugin = directory.get_plugin(plugin_constants.L3)
        context = neutron_context.get_admin_context()
        for _attempt in range(5):
            try:
                if plugin.get_floatingip(context, floating_ip_id)['port_id'] == port:
                    plugin.update_floatingip_status(context, floating_ip_id, status)
                return
            except l3_exceptions.FloatingIPNotFound:
                return
            except Exception as error:  # a deadlock, mostly: neutron retries those itself
                LOG.warning('status of floating IP %s not set: %s', floating_ip_id, error)
                eventlet.sleep(0.5)
