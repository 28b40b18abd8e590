/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What whoever starts the agent learns from its exit status. */
#define AGENT_EXIT_USAGE 2
#define AGENT_EXIT_NOT_NEEDED 64

/* How often machines report. */
#define AGENT_REPORT_SECONDS 300

/* The commands; each gets what stands behind its name, and gives the exit status. */
int agent_run_machine         (int    *argc,
                               char ***argv);
int agent_run_bootstrap_state (int    *argc,
                               char ***argv);

/* What is wrong goes to standard error. */
gboolean agent_parse_options  (const GOptionEntry *entries,
                               int                *argc,
                               char             ***argv);
int      agent_fail           (const GError       *error);

/* The binary version of this agent, "1.2.3-noble-amd64". (transfer full) */
char    *agent_get_version    (void);

G_END_DECLS
