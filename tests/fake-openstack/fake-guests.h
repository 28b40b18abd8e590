/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/*
 * Machines that boot behind the servers, by the program tests/guest/guest. Without guests none
 * of these does anything. All wait until it is done: the program takes a tenth of a second.
 */

#include "fake-nova.h"

G_BEGIN_DECLS

void fake_guests_free (FakeGuests *guests);

/* FALSE with what the program said (transfer full) if the guest does not start */
gboolean fake_guests_start (FakeCloud *cloud, FakeServer *server, char **complaint);
void fake_guests_stop (FakeCloud *cloud, const char *server_id);

/* The floating IP has begun to lead to its port, or is about to end it. */
void fake_guests_add_address (FakeCloud *cloud, JsonObject *floating);
void fake_guests_remove_address (FakeCloud *cloud, JsonObject *floating);

/* what the guest has written so far, or NULL if there is none (transfer full) */
char *fake_guests_read_console (FakeCloud *cloud, const char *server_id);

G_END_DECLS
