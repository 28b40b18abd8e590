/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-machine-config-private.h"

G_BEGIN_DECLS

/*
 * agent.conf: what the agent of a machine knows, in the format that 2014 called 1.18. Beside the
 * keys of then, the first machine has "apisecret", from which it derives the password of whoever
 * logs in: welkin_agent_password_derive() of the name that he gives.
 */

/* Of a finished config with an API and tools. (transfer full) */
char *welkin_agent_conf_print        (WelkinMachineConfig *config);

/* The name of the agent's service. (transfer full) */
char *welkin_agent_service_name      (WelkinMachineConfig *config);

/* What all passwords of an environment are derived from, itself derived from what only the user
 * has. Slow on purpose, a few milliseconds. (transfer full) */
char *welkin_agent_secret_derive     (const char          *admin_secret,
                                      const char          *uuid,
                                      GError             **error);
/* The password of "machine-7" or "user-admin". (transfer full) */
char *welkin_agent_password_derive   (const char          *secret,
                                      const char          *name);

G_END_DECLS
