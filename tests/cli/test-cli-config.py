#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What holds for an environment, where each value comes from, and what of it is remembered."""

import http.server
import json
import os
import sys
import threading

from fixture import Fake, compare, run_tests

NETWORK = '        network: private\n'
# One secret for each attribute that is one, none of which may ever be seen.
SECRETS = {'password': 'CanaryB', 'access-key': 'CanaryD', 'secret-key': 'CanaryE',
           'application-credential-id': 'CanaryF', 'application-credential-secret': 'CanaryG',
           'token': 'CanaryH', 'trust-id': 'CanaryI', 'admin-secret': 'CanaryJ',
           'client-key': '/CanaryK', 'client-cert': '/cert'}
VARIABLES = {'OS_USERNAME': 'demo', 'OS_PASSWORD': 'secret', 'OS_PROJECT_NAME': 'demo',
             'OS_REGION_NAME': 'RegionOne'}


def explain(home, *arguments, status=0, **variables):
    outcome = home.run('config', '--explain', '--format', 'json', *arguments, **variables)
    return json.loads(outcome.check(status).output)


def test_what_holds_is_shown_with_where_it_comes_from(fake, home):
    keys = '        authorized-keys: ssh-ed25519 AAAA ada\n'
    home.write(extra=NETWORK + keys + '        image-ids: {{noble/amd64: i1}}\n'.format())
    compare('config',
            home.run('config').check(0),
            home.run('config', '--explain').check(0),
            home.run('config', 'network').check(0),
            home.run('config', 'network', '--explain').check(0),
            home.run('config', 'network', '--format', 'json').check(0),
            home.run('config', 'image-ids').check(0),
            home.run('config', 'project-name').check(0),
            home.run('config', 'external-network').check(0),
            home.run('config', '--cloud', 'other', 'cloud').check(1),
            home.run('config', 'colour').check(1),
            home.run('config', 'network', 'region').check(2),
            home.run('config', '--cloud', '').check(2),
            home.run('config', '-e', 'nosuch').check(1))


def test_what_is_wrong_is_told_behind_what_there_is(fake, home):
    home.write('environments:\n    lab:\n        type: openstack\n        network: private\n')
    outcome = home.run('config').check(1)
    assert 'network: private\n' in outcome.output
    outcome.says('openstack: no user name given: set attribute username or environment variable '
                 'OS_USERNAME')
    home.write(extra='        network: [a]\n')
    outcome = home.run('config').check(1)
    assert outcome.output == '', outcome.output
    outcome.says('environments.yaml:9: network: expected string, got list(a)')


def test_nothing_is_asked_of_the_cloud(fake, home):
    home.write(extra=NETWORK)
    home.run('config', '--explain').check(0)
    assert fake.requests() == []


def test_no_secret_is_ever_shown(fake, home):
    lines = ''.join(f'        {key}: {value}\n' for key, value in SECRETS.items())
    home.write('environments:\n    lab:\n        type: openstack\n'
               '        auth-url: http://cloud/v3\n' + lines)
    outcomes = [home.run('config', '--debug'), home.run('config', '--explain'),
                home.run('config', '--explain', '--format', 'json')]
    outcomes += [home.run('config', '--debug', key) for key in SECRETS]
    for outcome in outcomes:
        assert 'Canary' not in outcome.output + outcome.errors, outcome.text()
    explained = explain(home, status=outcomes[0].status)
    for key in SECRETS.keys() - {'client-cert'}:
        assert explained[key]['value'] == '********', (key, explained[key])
        assert 'environments.yaml:' in explained[key]['origin']


def test_who_logs_in_is_no_secret(fake, home):
    home.write(extra=NETWORK)
    assert home.run('config', 'username').check(0).output == 'demo\n'
    assert home.run('config', 'project-name').check(0).output == 'demo\n'
    home.run('bootstrap', '--until', 'active').check(0)
    assert home.run('get-environment', 'tenant-name').check(0).output == 'demo\n'


def test_a_secret_is_none_by_another_name(fake, home):
    """What is misspelt, and what stands in URLs."""
    odd = ['passwrd: CanaryA', 'tokn: [CanaryB]', 'pw: {{x: CanaryC}}',
           'http-proxy: http://u:CanaryD@h:1', 'apt-https-proxy: u:CanaryE@h:1',
           'image-metadata-url: http://h/i?token=CanaryF', 'no-proxy: h']
    home.write(extra=NETWORK + ''.join(f'        {line}\n' for line in odd).format())
    explained = explain(home)
    for key, value in (('passwrd', '********'), ('tokn', '********'), ('pw', '********'),
                       ('http-proxy', 'http://***@h:1'), ('apt-https-proxy', '***@h:1'),
                       ('image-metadata-url', 'http://h/i?token=***'), ('no-proxy', 'h')):
        assert explained[key]['value'] == value, explained[key]
        assert home.run('config', key).check(0).output == value + '\n'
    assert 'Canary' not in home.run('config').check(0).output

    home.run('bootstrap', '--until', 'active').check(0)
    for arguments in [], ['tokn'], ['pw'], ['http-proxy'], ['--format', 'json']:
        assert 'Canary' not in home.run('get-environment', *arguments).check(0).output
    clear = home.run('get-environment', '--show-secrets').check(0).output
    assert all('Canary' + letter in clear for letter in 'ABCDEF'), clear


def test_a_secret_that_is_not_set_looks_so(fake, home):
    home.write(extra=NETWORK)
    assert home.run('config', 'secret-key').check(0).output == '\n'


def test_the_table_of_precedence(fake, home):
    """An attribute, then a variable, then an older variable, then the default."""
    home.write('environments:\n    lab:\n        type: openstack\n'
               '        auth-url: http://cloud/v3\n')
    variables = {**VARIABLES, 'NOVA_USERNAME': 'nova', 'OS_TENANT_NAME': 'other'}
    explained = explain(home, **variables)
    origins = {key: explained[key]['origin'] for key in
               ('username', 'password', 'tenant-name', 'region', 'auth-mode', 'endpoint-interface')}
    assert origins == {'username': 'OS_USERNAME', 'password': 'OS_PASSWORD',
                       'tenant-name': 'OS_PROJECT_NAME', 'region': 'OS_REGION_NAME',
                       'auth-mode': 'default', 'endpoint-interface': 'default'}, origins

    for name in ('OS_USERNAME', 'OS_PROJECT_NAME'):
        variables[name] = ''
    explained = explain(home, OS_INTERFACE='internalURL', **variables)
    assert explained['username']['origin'] == 'NOVA_USERNAME'
    assert explained['tenant-name']['origin'] == 'OS_TENANT_NAME'
    assert explained['endpoint-interface'] == {'value': 'internal', 'origin': 'OS_INTERFACE'}

    home.write(extra=NETWORK)
    explained = explain(home, **{**variables, **VARIABLES})
    for key in ('username', 'password', 'tenant-name', 'region'):
        assert 'environments.yaml:' in explained[key]['origin'], explained[key]


CLOUDS = '''\
clouds:
  one:
    auth:
      auth_url: http://one/v3
      username: ada
      password: CanaryY
      project_name: engines
    region_name: R1
    verify: no
  two:
    auth: {auth_url: http://two/v3, token: CanaryZ, project_id: p2}
'''


def write_clouds(home, text=CLOUDS):
    path = os.path.join(home.directory, '.config', 'openstack', 'clouds.yaml')
    os.makedirs(os.path.dirname(path), 0o700)
    with open(path, 'w') as file:
        file.write(text)
    os.chmod(path, 0o600)
    return path


def test_an_entry_of_clouds_yaml_stands_between(fake, home):
    """It replaces the variables, and the environment's own attributes replace it."""
    write_clouds(home)
    home.write('environments:\n    lab:\n        type: openstack\n        region: R9\n'
               '        authorized-keys: ssh-ed25519 AAAA ada\n')
    stray = {'OS_USERNAME': 'grace', 'OS_PASSWORD': 'CanaryX', 'OS_AUTH_URL': 'http://stray/v3',
             'OS_PROJECT_NAME': 'stray', 'OS_TOKEN': 'CanaryX', 'OS_INTERFACE': 'admin'}
    outcome = home.run('config', '--explain', OS_CLOUD='one', **stray).check(0)
    compare('config-cloud', outcome, home.run('config', '--explain', 'token', '--cloud', 'two',
                                              OS_CLOUD='one', **stray).check(0))
    assert 'Canary' not in outcome.output + outcome.errors

    explained = explain(home, '--cloud', 'two', OS_CLOUD='one', **stray)
    assert explained['cloud'] == {'value': 'two', 'origin': '--cloud'}
    assert explained['auth-url']['value'] == 'http://two/v3'
    assert explained['region']['origin'].endswith('environments.yaml:4')
    assert 'username' not in explained and 'password' not in explained, explained.keys()


def test_variables_that_nobody_listens_to_are_told(fake, home):
    write_clouds(home)
    home.write('environments:\n    lab:\n        type: openstack\n'
               '        authorized-keys: ssh-ed25519 AAAA ada\n')
    told = 'variables that are set and not used: '
    stray = {'OS_USERNAME': 'grace', 'OS_PROJECT_NAME': 'engines', 'OS_INSECURE': 'maybe',
             'OS_DOMAIN_NAME': 'd', 'OS_CACERT': '/ca', 'AWS_ACCESS_KEY_ID': 'x', 'OS_TOKEN': ''}
    for arguments in [], ['--explain']:
        home.run('config', *arguments, OS_CLOUD='one', **stray).check(0).says(
            told + 'OS_USERNAME, OS_DOMAIN_NAME, OS_INSECURE\n')
    assert told not in home.run('config', OS_CLOUD='one').check(0).errors

    home.write(extra=NETWORK)
    home.run('config', OS_USERNAME='grace', OS_REGION_NAME='RegionOne', OS_INSECURE='no',
             OS_PASSWORD='hush').check(0).says(told + 'OS_USERNAME, OS_PASSWORD\n')
    outcome = home.run('doctor', OS_USERNAME='grace', OS_PASSWORD='hush').check(0)
    assert '; set and not used: OS_USERNAME, OS_PASSWORD\n' in outcome.output, outcome.output


def test_other_words_end_under_todays(fake, home):
    home.write('environments:\n    lab:\n        type: openstack\n'
               '        nova-uri: http://cloud/v3\n        project-id: p1\n        version: 3\n'
               '        username: ada\n        password: secret\n')
    outcome = home.run('config', '--explain', '--format', 'json').check(0)
    assert outcome.errors.count('nova-uri is deprecated: call it auth-url') == 1, outcome.errors
    explained = json.loads(outcome.output)
    for key, line in (('auth-url', 4), ('tenant-id', 5), ('identity-api-version', 6)):
        assert explained[key]['origin'].endswith(f'environments.yaml:{line}'), explained[key]
    for key in ('nova-uri', 'project-id', 'version'):
        assert key not in explained
    assert home.run('config', 'nova-uri').check(0).output == 'http://cloud/v3\n'


def test_what_is_remembered_holds_once_there_is_a_machine(fake, home):
    home.write(extra=NETWORK)
    home.run('bootstrap').check(0)
    home.write(extra='        network: other\n')
    explained = explain(home)
    assert explained['network']['value'] == 'private'
    assert os.path.basename(home.info_path('lab')) in explained['network']['origin']
    assert explained['control-bucket']['value'] != ''
    home.run('destroy-environment', 'lab', '-y').check(0)


def remembered(home):
    with open(home.info_path('openstack')) as file:
        return file.read()


def test_credentials_are_remembered_on_demand_alone(fake, home):
    variables = {**VARIABLES, 'OS_AUTH_URL': fake.auth_url}
    home.run('init').check(0)
    home.run('bootstrap', **variables).check(0)
    text = remembered(home)
    assert fake.auth_url not in text
    assert "\n  password: ''\n" in text and "\n  username: ''\n" in text, text
    home.run('status').check(1).says('openstack: no user name given')
    home.run('destroy-environment', 'openstack', '-y', **variables).check(0)

    home.run('bootstrap', '--save-credentials', **variables).check(0)
    text = remembered(home)
    assert f'\n  auth-url: {fake.auth_url}\n' in text and '\n  password: secret\n' in text, text
    home.run('status').check(0)
    home.run('destroy-environment', 'openstack', '-y').check(0)


def test_credentials_of_clouds_yaml_are_remembered_on_demand_alone(fake, home):
    path = write_clouds(home, f'''\
clouds:
  one:
    auth: {{auth_url: '{fake.auth_url}', username: demo, password: secret, project_name: demo}}
    region_name: RegionOne
    networks: [{{name: private, nat_destination: true}}]
''')
    home.run('init').check(0)
    home.run('bootstrap', '--cloud', 'one').check(0)
    text = remembered(home)
    assert '\n  cloud: one\n' in text and "\n  password: ''\n" in text, text
    assert fake.auth_url not in text and "\n  network: ''\n" in text, text
    home.run('destroy-environment', 'openstack', '-y').check(0)

    home.run('bootstrap', '--save-credentials', OS_CLOUD='one').check(0)
    os.remove(path)
    text = remembered(home)
    assert "\n  cloud: ''\n" in text and '\n  password: secret\n' in text, text
    assert '\n  network: private\n' in text, text
    home.run('status').check(0)
    home.run('destroy-environment', 'openstack', '-y').check(0)


def test_what_has_no_effect_is_told(fake, home):
    home.write(extra=NETWORK + '        syslog-port: 6514\n')
    assert 'not used' not in home.run('config').check(0).errors
    home.write(extra=NETWORK + '        syslog-port: 7000\n')
    home.run('config').check(0).says(
        'environments.yaml:10: not used by this version: syslog-port')


def most_at_once(fake, home, line=''):
    fake.control('DELETE', 'log')
    home.write(extra=NETWORK + line)
    home.run('bootstrap').check(0)
    home.run('destroy-environment', 'lab', '-y').check(0)
    return 1 + max(request['in_flight'] for request in fake.requests())


def test_so_many_requests_are_under_way_at_once(fake, home):
    fake.control('POST', 'settings', {'latency': 30})
    assert most_at_once(fake, home) > 1
    assert most_at_once(fake, home, '        max-connections: 1\n') == 1


class Ear(http.server.BaseHTTPRequestHandler):
    """A keystone that believes nobody, and remembers what it was told."""

    def do_POST(self):
        length = int(self.headers['Content-Length'])
        self.server.heard.append(json.loads(self.rfile.read(length)))
        body = b'{"error": {"code": 401, "message": "no", "title": "Unauthorized"}}'
        self.send_response(401)
        self.send_header('Content-Type', 'application/json')
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def hear_login(home, attributes):
    """What a login sends when the attributes are written so."""
    server = http.server.HTTPServer(('127.0.0.1', 0), Ear)
    server.heard = []
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        home.write('environments:\n    lab:\n        type: openstack\n'
                   f'        auth-url: http://127.0.0.1:{server.server_port}/v3\n'.format()
                   + ''.join(f'        {line}\n' for line in attributes).replace('{', '{{')
                   .replace('}', '}}'))
        outcome = home.run('bootstrap').check(1)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    assert len(server.heard) == 1, outcome.errors
    return server.heard[0]['auth'], outcome


def test_g51_false_in_any_spelling_turns_verification_off(fake, home):
    certificate = os.path.join(os.path.dirname(__file__), '..', 'data', 'tls', 'server.pem')
    warning = 'certificates of this cloud are not checked'
    with_tls = Fake(certificate=certificate)
    try:
        home.fake = with_tls
        home.write(extra=NETWORK)
        outcome = home.run('bootstrap').check(1).says('certificate')
        assert warning not in outcome.errors, outcome.errors
        for word in ('false', 'False', '"False"', 'no', "'0'"):
            home.write(extra=NETWORK + f'        ssl-hostname-verification: {word}\n')
            assert home.run('config', 'ssl-hostname-verification').check(0).output == 'false\n'
        # keystone and each service of the catalog
        home.run('bootstrap').check(0).says(warning)
        home.run('destroy-environment', 'lab', '-y').check(0)
        home.write(extra=NETWORK + '        ssl-hostname-verification: maybe\n')
        home.run('bootstrap').check(1).says(
            'environments.yaml:10: ssl-hostname-verification: expected bool, got string("maybe")')
    finally:
        with_tls.stop()


def test_g52_digits_are_the_text_that_was_written(fake, home):
    auth, _ = hear_login(home, ['username: 42', 'password: 0123', 'tenant-id: 12345', 'region: 1'])
    assert auth['identity']['password']['user'] == {
        'name': '42', 'password': '0123', 'domain': {'id': 'default'}}, auth
    assert auth['scope']['project'] == {'id': '12345'}, auth
    assert home.run('config', 'region').check(0).output == '1\n'
    auth, _ = hear_login(home, ['user-id: 1e5', 'password: 0x1F', 'tenant-name: 1_000'])
    assert auth['identity']['password']['user'] == {'id': '1e5', 'password': '0x1F'}, auth
    assert auth['scope']['project']['name'] == '1_000', auth


def test_g53_a_reserved_character_is_told_to_be_quoted(fake, home):
    for character in '%@`':
        home.write(extra=NETWORK + f'        domain-id: a\n        secret-key: {character}Canary\n')
        outcome = home.run('bootstrap').check(1).says(
            f'environments.yaml:11: cannot parse: a value may not begin with "{character}" '
            '(column 21): put it in quotes')
        assert 'Canary' not in outcome.output + outcome.errors


def test_g53_a_quoted_password_arrives_byte_for_byte(fake, home):
    for written, password in (('"a{b}c#d: e"', 'a{b}c#d: e'), ("'it''s'", "it's"),
                              ("'%abc'", '%abc'), ('"@abc"', '@abc'), ('"{x}"', '{x}'),
                              ("'{{rand}}'", '{{rand}}'), ("' \\ '", ' \\ '),
                              ('"\\u00fc\\t"', '\u00fc\t')):
        auth, outcome = hear_login(home, ['username: ada', 'tenant-name: engines',
                                          f'password: {written}'])
        assert auth['identity']['password']['user']['password'] == password, (written, auth)
        assert password not in outcome.errors, outcome.errors


def test_g54_8_lines_may_end_in_crlf(fake, home):
    home.write(extra=NETWORK)
    path = os.path.join(home.environment['WELKIN_HOME'], 'environments.yaml')
    with open(path, newline='') as file:
        text = file.read()
    with open(path, 'w', newline='') as file:
        file.write(text.replace('\n', '\r\n'))
    explained = explain(home)
    assert explained['network']['value'] == 'private'
    assert explained['network']['origin'].endswith('environments.yaml:9')
    home.run('bootstrap').check(0)
    home.run('destroy-environment', 'lab', '-y').check(0)


def test_g54_8_a_tab_is_named(fake, home):
    home.write(extra='\tnetwork: private\n')
    home.run('bootstrap').check(1).says('environments.yaml:9: cannot parse: there is a tab in '
                                        'column 1 where only spaces may indent')


if __name__ == '__main__':
    wanted = sys.argv[1:]
    tests = [function for name, function in list(globals().items()) if name.startswith('test_')]
    sys.exit(run_tests([test for test in tests if not wanted or test.__name__ in wanted]))
