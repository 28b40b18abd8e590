#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What a user sees of certificates and proxies that stand in the way."""

import http.server
import os
import re
import sys
import threading

from fixture import ENVIRONMENT, Fake, Home, compare, run_tests

TLS = os.path.join(os.path.dirname(os.path.realpath(__file__)), '..', 'data', 'tls')
NETWORK = '        network: private\n'
AUTHORITY = f'        ca-certificates: {os.path.join(TLS, "authority.pem")}\n'


def certificate(name):
    return os.path.join(TLS, name + '.pem')


def test_g21_certificates_for_other_names(fake, home):
    cloud = Fake(certificate=certificate('server'))
    nova = Fake(certificate=certificate('elsewhere'))
    try:
        cloud.control('DELETE', 'endpoint/nova')
        cloud.control('POST', 'endpoint', {'type': 'compute', 'name': 'nova',
                                           'url': f'{nova.url}/compute/v2.1'})
        at_cloud = Home(cloud)
        at_cloud.write(extra=NETWORK)
        unknown = at_cloud.run('bootstrap').check(1)
        at_cloud.write(extra=NETWORK + AUTHORITY)
        wrong = at_cloud.run('bootstrap').check(1).says(nova.url)
        for outcome in unknown, wrong:
            outcome.errors = outcome.errors.replace(str(nova.port), 'NOVA').replace(TLS, 'TLS')
            # Several lists are asked for at once: which fails first is not told.
            outcome.errors = re.sub(r'cannot list .*?(: GET .*/compute/v2.1/)[^:]*:',
                                    r'cannot list THINGS\1THINGS:', outcome.errors)
        compare('http-certificates', unknown, wrong)
        assert not nova.requests(), nova.requests()
        # And what was recommended helps.
        at_cloud.write(extra=NETWORK + '        ssl-hostname-verification: false\n')
        at_cloud.run('bootstrap').says('certificates of this cloud are not checked')
        at_cloud.remove()
    finally:
        cloud.stop()
        nova.stop()


def test_a_connection_lost_while_others_wait(fake, home):
    home.write()
    for action in 'drop-before', 'drop-after', 'drop-before', 'drop-after', 'drop-before':
        fake.control('POST', 'rules', {'method': 'PUT', 'service': 'object-store',
                                       'action': action, 'times': 1})
        home.run('bootstrap').check(0)
        fake.control('DELETE', 'rules')
        home.run('destroy-environment', 'lab', '-y').check(0)


class Busy(http.server.BaseHTTPRequestHandler):
    """A proxy that has better things to do."""

    def refuse(self):
        self.send_response(503)
        self.send_header('Content-Type', 'text/html')
        self.end_headers()
        self.wfile.write(b'<html><body><h1>Office proxy</h1>Too busy</body></html>')

    do_GET = do_POST = do_CONNECT = refuse

    def log_message(self, *arguments):
        pass


def test_g22_proxies(fake, home):
    proxy = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Busy)
    threading.Thread(target=proxy.serve_forever, daemon=True).start()
    url = f'http://127.0.0.1:{proxy.server_address[1]}'
    home.write(extra=NETWORK)
    for name in 'http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY':
        # no_proxy has the cloud in it.
        home.run('bootstrap', **{name: url}).check(0)
        home.run('destroy-environment', 'lab', '-y', **{name: url}).check(0)

    del home.environment['no_proxy']
    busy = home.run('bootstrap', http_proxy=url).check(1)
    missing = home.run('bootstrap', HTTP_PROXY='127.0.0.1:1', NO_PROXY='other.test').check(1)
    home.write(ENVIRONMENT.replace('http:', 'https:'), extra=NETWORK,
               auth_url='https://id.cloud.test:5000/v3')
    tunnel = home.run('bootstrap', https_proxy=url).check(1)
    for outcome in busy, tunnel:
        outcome.errors = outcome.errors.replace(url, 'http://PROXY')
    compare('http-proxies', busy, missing, tunnel)
    proxy.shutdown()
    proxy.server_close()


def test_what_is_no_url_of_a_proxy_is_not_shown(fake, home):
    home.write(extra=NETWORK)
    del home.environment['no_proxy']
    for name in 'http_proxy', 'HTTPS_PROXY', 'all_proxy':
        for url in ('http://u:canary%zz@proxy.test:1', 'ht!tp:canary', 'http://u:canary#@p.test',
                    'http://', 'http://u:canary@proxy.test:port'):
            outcome = home.run('bootstrap', **{name: url}).check(1)
            outcome.says(f'{name.lower()}: expected a URL like')
            assert 'canary' not in outcome.errors, outcome.errors
            assert 'warning' not in outcome.errors, outcome.errors
    assert fake.requests() == []


def test_a_proxy_of_another_kind_is_refused(fake, home):
    home.write(extra=NETWORK)
    for name in 'http_proxy', 'ALL_PROXY':
        outcome = home.run('bootstrap', **{name: 'ftp://u:canary@proxy.test:21'}).check(1)
        outcome.says(f'{name.lower()}: there are no proxies of kind "ftp": expected http, https, ')
        assert 'canary' not in outcome.errors, outcome.errors
    for scheme in 'socks5', 'HTTP':
        home.run('bootstrap', '--until', 'active', all_proxy=f'{scheme}://proxy.test:1').check(0)
        home.run('destroy-environment', 'lab', '-y').check(0)


def test_a_variable_that_leads_nowhere_is_named(fake, home):
    home.write(extra=NETWORK)
    home.run('bootstrap', OS_CACERT='/nowhere.pem').check(1).says(
        'OS_CACERT: ca-certificates: cannot use /nowhere.pem: ')
    home.run('bootstrap', OS_CERT='/nowhere.pem').check(1).says(
        'OS_CERT: client-cert: cannot read /nowhere.pem: ')
    home.write(extra=NETWORK + '        ca-certificates: /nowhere.pem\n')
    home.run('bootstrap').check(1).says('environments.yaml:10: ca-certificates: cannot use')


def test_what_is_said_does_not_steer_the_terminal(fake, home):
    home.write(ENVIRONMENT.replace('        region: RegionOne\n', '') + NETWORK)
    outcome = home.run('bootstrap', OS_REGION_NAME='a\x1b[2J\x9bb').check(1)
    outcome.says('no region "a\\u001b[2J\\u009bb"')


if __name__ == '__main__':
    wanted = sys.argv[1:]
    tests = [function for name, function in list(globals().items()) if name.startswith('test_')]
    sys.exit(run_tests([test for test in tests if not wanted or test.__name__ in wanted]))
