/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/clock.h"

G_BEGIN_DECLS

/* The servers that this process has started within the last minute: a service that does not know
 * one of them may only not have heard of it yet. */
void     os_recent_servers_add    (const char *id,
                                   double      now);
/* Whoever removes a server is not surprised that it is gone. */
void     os_recent_servers_remove (const char *id);
/* now: seconds of the clock that it was added by */
gboolean os_recent_servers_has    (const char *id,
                                   double      now);

G_END_DECLS
