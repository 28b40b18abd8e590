#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""--debug-http: what went over the wire, as a file that browsers can show."""

import datetime
import json
import os
import stat
import sys
import time

from fixture import run_tests

NETWORK = '        network: private\n'


def load(path):
    with open(path) as file:
        return json.load(file)['log']


def check_pairs(pairs):
    for pair in pairs:
        assert isinstance(pair['name'], str) and isinstance(pair['value'], str), pair


def check_entry(entry):
    """What HAR 1.2 requires of an entry."""
    started = datetime.datetime.fromisoformat(entry['startedDateTime'].replace('Z', '+00:00'))
    assert started.tzinfo is not None
    assert entry['time'] >= 0 and entry['cache'] == {}
    timings = entry['timings']
    assert all(timings[name] >= 0 for name in ('send', 'wait', 'receive')), timings
    assert all(timings[name] >= -1 for name in ('blocked', 'dns', 'connect', 'ssl')), timings

    request, response = entry['request'], entry['response']
    for part in request, response:
        assert part['httpVersion'] in ('HTTP/1.0', 'HTTP/1.1') and part['cookies'] == []
        assert isinstance(part['headersSize'], int) and isinstance(part['bodySize'], int)
        check_pairs(part['headers'])
    assert request['method'].isupper() and request['url'].startswith('http'), request
    check_pairs(request['queryString'])
    if 'postData' in request:
        assert request['postData']['mimeType'] and request['postData']['params'] == []
    assert isinstance(response['status'], int) and isinstance(response['statusText'], str)
    assert isinstance(response['redirectURL'], str)
    assert response['content']['size'] >= 0 and isinstance(response['content']['mimeType'], str)


def check_archive(log):
    assert log['version'] == '1.2' and log['creator']['name'] and log['creator']['version']
    for entry in log['entries']:
        check_entry(entry)


def test_a_run_is_all_there(fake, home):
    path = os.path.join(home.directory, 'trace.har')
    home.write(extra=NETWORK)
    home.run('--debug-http', path, 'bootstrap').check(0)
    home.run('destroy-environment', 'lab', '-y', '--debug-http', path).check(0)
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600

    log = load(path)
    check_archive(log)
    told = sorted((entry['request']['method'], entry['request']['url'].split('?')[0],
                   entry['response']['status']) for entry in log['entries'])
    done = sorted((request['method'], fake.url + request['path'], request['status'])
                  for request in fake.requests())
    assert told == done, f'{told}\n{done}'

    text = open(path).read()
    assert '"password\\":\\"***' in text and '"name":"X-Subject-Token","value":"***"' in text
    assert '"name":"X-Auth-Token","value":"***"' in text and 'user_data\\":\\"***' in text
    assert 'secret"' not in text and 'gAAAA' not in text


def test_what_fails_is_there_too(fake, home):
    path = os.path.join(home.directory, 'trace.har')
    home.write(extra=NETWORK)
    fake.control('POST', 'rules', {'path': '/compute/*', 'action': 'drop-before', 'times': 1})
    fake.control('POST', 'rules', {'path': '/compute/*', 'status': 503, 'times': 1,
                                   'body': '<h1>busy</h1>', 'content_type': 'text/html'})
    home.run('bootstrap', '--debug-http', path).check(0)
    entries = load(path)['entries']
    check_archive(load(path))
    dropped = [entry for entry in entries if entry['response']['status'] == 0]
    busy = [entry for entry in entries if entry['response']['status'] == 503]
    assert len(dropped) == 1 and dropped[0]['_error'], dropped
    assert len(busy) == 1 and busy[0]['response']['content']['text'] == '<h1>busy</h1>', busy


def test_a_killed_run_leaves_a_whole_file(fake, home):
    path = os.path.join(home.directory, 'trace.har')
    home.write(extra=NETWORK)
    fake.control('POST', 'settings', {'latency': 50})
    process = home.start('--debug-http', path, 'bootstrap')
    while not os.path.exists(path) or os.path.getsize(path) < 10000:
        assert process.poll() is None, 'it has ended before it could be killed'
        time.sleep(0.01)
    process.kill()
    process.communicate(timeout=20)
    log = load(path)
    check_archive(log)
    assert len(log['entries']) >= 1


def test_other_files_are_left_alone(fake, home):
    home.write(extra=NETWORK)
    path = os.path.join(home.directory, 'notes.txt')
    with open(path, 'w') as file:
        file.write('notes\n')
    home.run('--debug-http', path, 'status').check(1).says('something else')
    with open(path) as file:
        assert file.read() == 'notes\n'
    link = os.path.join(home.directory, 'link')
    os.symlink(os.path.join(home.directory, 'elsewhere'), link)
    home.run('--debug-http', link, 'status').check(1).says(
        f'Cannot write the trace "{link}": it is a symbolic link, and these are not followed')
    home.run('--debug-http', '', 'status').check(1).says(
        'Cannot write the trace: the name of its file is empty')
    assert not os.path.exists(os.path.join(home.directory, 'elsewhere'))
    home.run('--debug-http', '/nowhere/trace.har', 'status').check(1).says('No such file')
    assert fake.requests() == []


if __name__ == '__main__':
    sys.exit(run_tests([function for name, function in list(globals().items())
                        if name.startswith('test_')]))
