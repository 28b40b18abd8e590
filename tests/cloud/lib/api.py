# SPDX-License-Identifier: LGPL-2.1-or-later
"""Just enough of an OpenStack client to fill the cloud."""

import json
import urllib.error
import urllib.request

from layout import ACCOUNTS, CloudError, url
from processes import OPENER


class Api:
    """A session of the administrator."""

    def __init__(self):
        self.token = None
        project, password = ACCOUNTS['admin']
        domain = {'id': 'default'}
        answer, headers = self._call('POST', url('keystone', '/v3/auth/tokens'), {'auth': {
            'identity': {'methods': ['password'], 'password': {
                'user': {'name': 'admin', 'domain': domain, 'password': password}}},
            'scope': {'project': {'name': project, 'domain': domain}}}})
        self.token = headers['X-Subject-Token']
        self.project_id = answer['token']['project']['id']

    def _call(self, method, address, body=None, content_type='application/json'):
        headers = {'Content-Type': content_type}
        if self.token:
            headers['X-Auth-Token'] = self.token
        if isinstance(body, dict):
            body = json.dumps(body).encode()
        request = urllib.request.Request(address, body, headers, method=method)
        try:
            with OPENER.open(request, timeout=120) as response:
                text = response.read()
                return json.loads(text) if text else None, response.headers
        except urllib.error.HTTPError as error:
            words = error.read().decode(errors='replace')
            raise CloudError('%s %s: %d %s' % (method, address, error.code, words[:500])) from None
        except OSError as error:
            raise CloudError('%s %s: %s' % (method, address, error)) from None

    def get(self, address):
        return self._call('GET', address)[0]

    def post(self, address, body):
        return self._call('POST', address, body)[0]

    def put(self, address, body=None):
        return self._call('PUT', address, body)[0]

    def delete(self, address):
        self._call('DELETE', address)

    def upload(self, address, data):
        self._call('PUT', address, data, 'application/octet-stream')

    def find(self, address, name):
        """The thing of that name in a list such as {"networks": [...]}, or None."""
        answer = self.get(address)
        (things,) = (value for value in answer.values() if isinstance(value, list))
        return next((thing for thing in things if thing['name'] == name), None)

    def ensure(self, address, kind, name, **fields):
        """Finds it by its name, and makes it if it is not there."""
        thing = self.find(address, name)
        if thing is None:
            thing = self.post(address, {kind: dict(fields, name=name)})[kind]
        return thing

    def project_ids(self):
        projects = self.get(url('keystone', '/v3/projects'))['projects']
        return {project['name']: project['id'] for project in projects}
