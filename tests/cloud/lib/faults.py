# SPDX-License-Identifier: LGPL-2.1-or-later
"""Makes things fail."""

import signal

from configuration import write_configuration, write_fernet_keys
from layout import CloudError, save_settings
from processes import pid_of, signal_group, start_and_wait, stop
from quotas import reset_quotas, set_quotas
from services import all_services


def _with_service(function):
    def fault(*names):
        services = all_services()
        unknown = [name for name in names if name not in services]
        if unknown or not names:
            raise CloudError('name a service of these: ' + ' '.join(services))
        for name in names:
            function(services[name])
    return fault


@_with_service
def stop_service(service):
    stop([service.name])


@_with_service
def start_service(service):
    start_and_wait(service)


@_with_service
def restart_service(service):
    stop([service.name])
    start_and_wait(service)


def _signal(service, number):
    pid = pid_of(service.name)
    if not pid:
        raise CloudError(service.name + ' is not running')
    signal_group(pid, number)


@_with_service
def pause_service(service):
    _signal(service, signal.SIGSTOP)


@_with_service
def resume_service(service):
    _signal(service, signal.SIGCONT)


def set_token_ttl(seconds):
    """How long new tokens live; 0 is the default again."""
    save_settings(token_ttl=_number(seconds))
    write_configuration()
    restart_service('keystone')


def expire_tokens():
    """No token from before this is valid any more."""
    write_fernet_keys('etc/fernet')
    stop(['keystone', 'memcached'])
    start_service('memcached', 'keystone')


def quota(project, *values):
    if not values:
        raise CloudError('say KEY=VALUE..., or reset')
    if values == ('reset',):
        reset_quotas(project)
        return
    pairs = [value.partition('=') for value in values]
    set_quotas(project, {name: _number(value) for name, _equals, value in pairs})


def _number(text):
    try:
        return int(text)
    except ValueError:
        raise CloudError('not a number: "%s"' % text) from None


FAULTS = {
    'stop': stop_service,
    'start': start_service,
    'restart': restart_service,
    'pause': pause_service,
    'resume': resume_service,
    'token-ttl': set_token_ttl,
    'expire-tokens': expire_tokens,
    'quota': quota,
}
