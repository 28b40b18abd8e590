/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What agent.conf tells an agent. */
typedef struct
{
  char   *tag;       /* (owned) "machine-7" */
  char   *authority; /* (owned) the certificate of the environment's authority, PEM */
  GStrv   addresses; /* (owned) "HOST:PORT" of whom to report to */
  char   *password;  /* (owned) with which to */
  char   *secret;    /* (owned) (nullable) of which all passwords are made: this one serves */
  guint16 port;      /* 0 for who does not serve */
} AgentSettings;

/* Whether it is "7", or "7/lxc/2". */
gboolean       agent_machine_id_is_valid (const char    *machine_id);
/* The name that it logs in with, "machine-7-lxc-2". (transfer full) */
char          *agent_machine_id_to_tag   (const char    *machine_id);

AgentSettings *agent_settings_load       (const char    *data_directory,
                                          const char    *machine_id,
                                          GError       **error);
void           agent_settings_free       (AgentSettings *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AgentSettings, agent_settings_free)

G_END_DECLS
