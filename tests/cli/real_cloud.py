# SPDX-License-Identifier: LGPL-2.1-or-later
"""What a real OpenStack, which the OS_ variables describe, holds.

It is asked of the `openstack` command, not of our own code.
"""

import json
import subprocess

# One process of the client for all of an inventory: it is slow to start.
LISTS = {
    'servers': 'server list -f json -c ID -c Name',
    'ports': 'port list -f json -c ID -c Name',
    'floating IPs': 'floating ip list -f json -c ID',
    'groups': 'security group list -f json -c ID -c Name',
    'server groups': 'server group list -f json -c ID -c Name',
    'containers': 'container list -f json',
}


def openstack(*commands):
    """The JSON that each of these commands of the client prints."""
    process = subprocess.run(['openstack'], input='\n'.join(commands) + '\n', text=True,
                             capture_output=True, timeout=120, check=False)
    found = []
    text = process.stdout.strip()
    while text:
        value, end = json.JSONDecoder().raw_decode(text)
        found.append(value)
        text = text[end:].strip()
    assert len(found) == len(commands), f'{process.stdout}{process.stderr}'
    return found


def inventory():
    found = openstack(*LISTS.values())
    return {kind: sorted(json.dumps(item, sort_keys=True) for item in items)
            for kind, items in zip(LISTS, found)}
