/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <libsoup/soup.h>

#include "base/clock.h"

G_BEGIN_DECLS

/*
 * Lets connections in to a server: TLS 1.2 or later, only so many at once, from one address fewer,
 * and each only for so long and so many bytes, whatever comes by it. It works in the default main
 * context.
 */
typedef struct _AgentListener AgentListener;

AgentListener *agent_listener_new    (SoupServer        *server,
                                      GTlsCertificate   *certificate,
                                      guint16            port,
                                      WkClock           *clock,
                                      GError           **error);
/* One connection that has shaken hands: the server speaks with it over TLS. */
void           agent_listener_let_in (SoupServer        *server,
                                      GIOStream         *tls,
                                      GSocketAddress    *local,
                                      GSocketAddress    *remote);
/* Nobody comes in any more. */
void           agent_listener_stop   (AgentListener     *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AgentListener, agent_listener_stop)

G_END_DECLS
