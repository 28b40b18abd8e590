# SPDX-License-Identifier: LGPL-2.1-or-later
"""Sets what a project may use."""

from api import Api
from layout import CloudError, url

COMPUTE = ('instances', 'cores', 'ram', 'key_pairs', 'metadata_items', 'server_groups',
           'server_group_members')
NETWORK = ('network', 'subnet', 'port', 'router', 'floatingip', 'security_group',
           'security_group_rule')

UNLIMITED_PROJECTS = ('demo',)


def set_quotas(project, values):
    api = Api()
    project_id = _project_id(api, project)
    unknown = [name for name in values if name not in COMPUTE + NETWORK]
    if unknown:
        raise CloudError('no such quota: %s; there are %s'
                         % (' '.join(unknown), ' '.join(COMPUTE + NETWORK)))
    compute = {name: value for name, value in values.items() if name in COMPUTE}
    network = {name: value for name, value in values.items() if name in NETWORK}
    if compute:
        api.put(_compute_url(project_id), {'quota_set': dict(compute, force=True)})
    if network:
        api.put(_network_url(project_id), {'quota': network})


def reset_quotas(project):
    """Back to what the project had when the cloud was made."""
    if project in UNLIMITED_PROJECTS:
        set_quotas(project, dict.fromkeys(COMPUTE + NETWORK, -1))
        return
    api = Api()
    project_id = _project_id(api, project)
    api.delete(_compute_url(project_id))
    # neutron answers 404 when the project has the defaults already
    api.put(_network_url(project_id), {'quota': {'port': 0}})
    api.delete(_network_url(project_id))


def _project_id(api, project):
    projects = api.project_ids()
    if project not in projects:
        raise CloudError('no project %s; there are %s' % (project, ' '.join(sorted(projects))))
    return projects[project]


def _compute_url(project_id):
    return url('nova-api', '/v2.1/os-quota-sets/' + project_id)


def _network_url(project_id):
    return url('neutron-server', '/v2.0/quotas/' + project_id)
