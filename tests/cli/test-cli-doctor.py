#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the doctor finds: a healthy cloud, and one for each way to be ill."""

import json
import os
import re
import sys
import time

from fixture import ENVIRONMENT, Fake, compare, run_tests

NETWORK = '        network: private\n'
TLS = os.path.join(os.path.dirname(os.path.realpath(__file__)), '..', 'data', 'tls')
TOKENS = '/identity/v3/auth/tokens'
PAGE = '<html><title>503 Service Unavailable</title>No server is available.</html>'


def assert_read_only(fake):
    """Nothing but logins, and what reads."""
    changing = {(request['method'], request['path']) for request in fake.requests()
                if request['method'] not in ('GET', 'HEAD')}
    assert changing <= {('POST', TOKENS)}, changing


def check(fake, home, name, status, *arguments, **variables):
    """The doctor's whole words, and that it made nothing, there and here."""
    before = fake.inventory()
    outcome = home.run('doctor', *arguments, **variables).check(status)
    compare('doctor-' + name, outcome)
    assert fake.inventory() == before
    assert_read_only(fake)
    assert not os.path.exists(home.info_path('lab'))
    return outcome


def fail(fake, path, **more):
    fake.control('POST', 'rules', {'path': path, 'times': -1, 'action': 'fail', 'status': 503,
                                   'body': '{}', **more})


def statuses(outcome):
    return {finding['check']: finding['status'] for finding in json.loads(outcome.output)}


def test_healthy(fake, home):
    fake.control('POST', 'quotas', {'project': 'demo', 'instances': 10, 'cores': 20, 'ram': 51200,
                                    'port': 500, 'security_group': 10,
                                    'security_group_rule': 100})
    home.write(extra=NETWORK)
    check(fake, home, 'healthy', 0)
    found = statuses(home.run('doctor', '--format', 'json').check(0))
    assert set(found.values()) == {'ok'}, found
    home.run('bootstrap', '--until', 'active').check(0)
    # What is remembered has every attribute: those that are empty say nothing of who we are.
    again = home.run('doctor').check(0)
    assert 'password: ' in again.output and 'token: ' not in again.output, again.output


def test_the_external_network_is_named(fake, home):
    home.write(extra=NETWORK + '        use-floating-ip: true\n')
    assert 'floating IPs come from "public" (' in home.run('doctor').check(0).output
    assert '- choice: public (' in home.run('plan').check(0).output


def test_plan_and_bootstrap_agree(fake, home):
    home.write(extra=NETWORK)
    words = ['--constraints', 'mem=4G cores=2', '--to', 'zone=az2']
    before = fake.inventory()
    outcome = home.run('plan', '--format', 'json', *words).check(0)
    assert fake.inventory() == before
    assert_read_only(fake)
    assert not os.path.exists(home.info_path('lab'))
    chosen = {entry['subject']: entry['choice'] for entry in json.loads(outcome.output)}
    compare('plan', home.run('plan').check(0),
            home.run('plan', '--constraints', 'instance-type=none').check(1))

    home.run('bootstrap', '--until', 'active', *words).check(0)
    with open(home.info_path('lab')) as file:
        remembered = file.read()
    assert chosen['zones'] == 'az2' and 'az2' in remembered, remembered
    memory = re.search(r'memory (\d+) MiB', chosen['flavor'])[1]
    assert f'mem={memory}M' in remembered, (chosen, remembered)

    # And of a further one; the losers are told on request.
    before = fake.inventory()
    fake.control('POST', 'quotas', {'project': 'demo', 'instances': 3, 'cores': 20, 'port': 10,
                                    'security_group': 10})
    compare('plan-further', home.run('plan', '-n', '2').check(0),
            home.run('plan', '-n', '3', '--to', 'zone=az1').check(0),
            home.run('plan', '-n', '0').check(2),
            home.run('plan', '-n', '1001').check(1),
            home.run('plan', '--to', 'zone=nowhere').check(1))
    with open(home.info_path('lab')) as file:
        assert file.read() == remembered
    assert fake.inventory() == before
    home.run('plan', '-v', '--constraints', 'mem=4G', quiet=False).check(0).says(
        'flavor m1.small is not taken: it has less memory than is wanted',
        'flavor m1.xlarge is not taken: the chosen one comes first')


def test_colour_is_for_terminals(fake, home):
    home.write(extra=NETWORK)
    written, status = home.run_on_terminal('doctor')
    assert status == 0 and '\033[32mok' in written, written
    assert '\033' not in home.run('doctor').check(0).output


def test_wrong_password(fake, home):
    home.write(password='WrongCanary', extra=NETWORK)
    outcome = check(fake, home, 'password', 1)
    assert 'WrongCanary' not in outcome.output + outcome.errors


def test_wrong_region(fake, home):
    home.write(ENVIRONMENT.replace('RegionOne', 'Elsewhere') + NETWORK)
    check(fake, home, 'region', 1)


def test_configuration_that_lacks_something(fake, home):
    home.write(ENVIRONMENT.replace('        username: demo\n', ''))
    check(fake, home, 'configuration', 1)
    assert fake.requests() == []


def test_certificate_that_has_expired(fake, home):
    path = os.path.join(TLS, 'expired.pem')
    cloud = Fake(certificate=path)
    try:
        home.fake = cloud
        home.write(extra=NETWORK + f'        ca-certificates: {path}\n')
        outcome = home.run('doctor', '--format', 'json').check(1)
        assert statuses(outcome)['tls'] == 'failure'
        assert 'the certificate has expired' in outcome.output, outcome.output
        assert cloud.requests() == []
    finally:
        cloud.stop()


def test_certificate_that_is_good(fake, home):
    cloud = Fake(certificate=os.path.join(TLS, 'server.pem'))
    try:
        home.fake = cloud
        authority = os.path.join(TLS, 'authority.pem')
        home.write(extra=NETWORK + f'        ca-certificates: {authority}\n')
        outcome = home.run('doctor').check(0)
        found = re.search(r'^ok +tls .*Welkin test authority.* until 2\d{3}-', outcome.output, re.M)
        assert found, outcome.output
    finally:
        cloud.stop()


def test_no_image(fake, home):
    home.write(extra=NETWORK + '        default-series: bionic\n')
    check(fake, home, 'image', 1)


def test_quota_that_is_used_up(fake, home):
    fake.control('POST', 'quotas', {'project': 'demo', 'instances': 1, 'cores': 0, 'port': 0})
    fake.control('POST', 'server', {'name': 'theirs', 'project': 'demo'})
    home.write(extra=NETWORK)
    check(fake, home, 'quota', 1)


def test_quota_whose_use_is_not_told(fake, home):
    fake.control('POST', 'extensions', {'quota_details': False})
    fake.control('POST', 'quotas', {'project': 'demo', 'port': 0})
    home.write(extra=NETWORK)
    home.run('doctor').check(1).says('1 thing would stop')


def test_no_network(fake, home):
    fake.control('DELETE', 'network/private')
    home.write()
    check(fake, home, 'no-network', 1)


def test_several_networks(fake, home):
    fake.control('POST', 'network', {'name': 'second', 'project': 'demo'})
    home.write()
    check(fake, home, 'networks', 1)


def test_clock_that_is_wrong(fake, home):
    fake.control('POST', 'settings', {'clock-skew': 3600})
    home.write(extra=NETWORK)
    outcome = home.run('doctor').check(0)
    assert re.search(r'^warning +clock +it is 60 minutes behind', outcome.output, re.M)


def test_service_that_is_dead(fake, home):
    fail(fake, '/image/*')
    home.write(extra=NETWORK)
    found = statuses(home.run('doctor', '--format', 'json').check(1))
    assert [check for check, status in found.items() if status != 'ok'] == ['image', 'machine']


def test_page_of_a_balancer(fake, home):
    fail(fake, '/identity/*', body=PAGE, content_type='text/html')
    home.write(extra=NETWORK)
    outcome = check(fake, home, 'page', 1)
    assert '<html>' not in outcome.output


def test_server_that_is_not_there(fake, home):
    home.write(ENVIRONMENT.replace('{auth_url}', 'http://127.0.0.1:1/v3') + NETWORK)
    check(fake, home, 'nobody', 1)


def test_cloud_that_never_answers(fake, home):
    fake.control('POST', 'rules', {'times': -1, 'action': 'hang'})
    home.write(extra=NETWORK)
    begin = time.monotonic()
    check(fake, home, 'silence', 1)
    assert time.monotonic() - begin < 10


def test_service_that_never_answers(fake, home):
    fake.control('POST', 'rules', {'path': '/network/*', 'times': -1, 'action': 'hang'})
    home.write(extra=NETWORK)
    found = statuses(home.run('doctor', '--format', 'json').check(1))
    assert found['network'] == found['networks'] == 'failure'
    assert found['compute'] == found['machine'] == found['storage'] == 'ok'


def test_proxy_is_told(fake, home):
    home.write(extra=NETWORK)
    outcome = home.run('doctor', http_proxy='http://u:SecretCanary@127.0.0.1:1',
                       no_proxy='').check(1)
    assert 'by proxy http://' in outcome.output + outcome.errors \
        or '127.0.0.1:1' in outcome.output, outcome.output
    assert 'SecretCanary' not in outcome.output + outcome.errors


def test_roles_that_only_read(fake, home):
    fake.control('POST', 'user', {'name': 'looker', 'password': 'secret',
                                  'default_project': 'demo', 'roles': {'demo': ['reader']}})
    home.write(ENVIRONMENT.replace('username: demo', 'username: looker') + NETWORK)
    outcome = home.run('doctor').check(0)
    assert re.search(r'^warning +roles +reader: probably', outcome.output, re.M), outcome.output


if __name__ == '__main__':
    wanted = sys.argv[1:]
    tests = [function for name, function in list(globals().items()) if name.startswith('test_')]
    sys.exit(run_tests([test for test in tests if not wanted or test.__name__ in wanted]))
