/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define WELKIN_TYPE_AGENT_AUTHORITY (welkin_agent_authority_get_type ())
G_DECLARE_FINAL_TYPE (WelkinAgentAuthority, welkin_agent_authority, WELKIN, AGENT_AUTHORITY,
                      GTlsDatabase)

/* Trusts servers whose certificate the environment's authority has signed, and nobody else, at
 * whatever address: these are not known when certificates are made. */
GTlsDatabase *welkin_agent_authority_new (const char *certificate,
                                          GError    **error);

G_END_DECLS
