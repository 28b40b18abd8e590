/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "environ-fixture.h"
#include "values/welkin-error.h"

G_BEGIN_DECLS

/*
 * Opens, closes and lists ports of an owner, which is an instance or an environ. Ports are a text:
 * "80/tcp 53/udp@10.0.0.0/8,192.0.2.0/24 icmp".
 */

/* (element-type WelkinPortRange) (transfer full) */
GPtrArray *ports_fixture_parse        (const char     *text);

/* What opens or closes them. */
typedef gboolean (*PortsFunc)         (EnvironFixture *fixture,
                                       GObject        *owner,
                                       const char     *text,
                                       GCancellable   *cancellable,
                                       GError        **error);

gboolean   ports_fixture_open         (EnvironFixture *fixture,
                                       GObject        *owner,
                                       const char     *text,
                                       GCancellable   *cancellable,
                                       GError        **error);
gboolean   ports_fixture_close        (EnvironFixture *fixture,
                                       GObject        *owner,
                                       const char     *text,
                                       GCancellable   *cancellable,
                                       GError        **error);
GPtrArray *ports_fixture_list         (EnvironFixture *fixture,
                                       GObject        *owner,
                                       GError        **error);

void       ports_fixture_assert       (EnvironFixture *fixture,
                                       GObject        *owner,
                                       const char     *expected);
void       ports_fixture_assert_does  (EnvironFixture *fixture,
                                       PortsFunc       function,
                                       GObject        *owner,
                                       const char     *text);
/* message: a part of the error's */
void       ports_fixture_assert_fails (EnvironFixture *fixture,
                                       PortsFunc       function,
                                       GObject        *owner,
                                       const char     *text,
                                       WelkinError     code,
                                       const char     *message);

/* A machine of the environment (transfer full). */
GObject   *ports_fixture_start        (EnvironFixture *fixture,
                                       const char     *machine_id);
/* All of the environment, after which nothing may be left. */
void       ports_fixture_destroy      (EnvironFixture *fixture);

G_END_DECLS
