/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <libsoup/soup.h>

#include "home.h"
#include "values/welkin-config.h"

/*
 * The agent of a first machine, run as a machine runs it, whose home is its data directory.
 */

/* The environment's. */
#define AGENT_ADMIN_SECRET "only the user has it"
#define AGENT_UUID "3f1c6a52-0d6e-4d0c-9d0f-1c2d3e4f5a6b"

typedef struct
{
  const char  *time_scale;    /* of the agents' clocks */
  Home        *home;
  char        *authority;     /* (owned) PEM */
  char        *authority_key; /* (owned) PEM */
  guint16      port;
  GSubprocess *agent;         /* (owned) (nullable) the first machine's */
  SoupSession *session;       /* (owned) */
  GPtrArray   *others;        /* (owned) of GSubprocess */
} AgentFixture;

/* Everything but the agent itself. */
void         agent_prepare          (AgentFixture      *self,
                                             const char        *time_scale);
/* An agent that answers. data: const char *, the time scale */
void         agent_set_up           (AgentFixture      *self,
                                             gconstpointer      data);
/* The agent must have been content. */
void         agent_tear_down        (AgentFixture      *self,
                                             gconstpointer      data);

/* What a machine is told. serves: as the first machine does. */
void         agent_write_conf       (AgentFixture      *self,
                                             const char        *tag,
                                             const char        *password,
                                             gboolean           serves);
/* As the user has it. (transfer full) */
WelkinConfig *agent_make_config             (AgentFixture      *self);
/* (transfer full) */
char        *agent_get_password     (const char        *name);

/* program: with the arguments before "machine". (transfer full) */
GSubprocess *agent_spawn            (AgentFixture      *self,
                                             const char *const *program,
                                             const char        *data_directory,
                                             const char        *machine_id);
/* (transfer full) */
GSubprocess *agent_start      (AgentFixture      *self,
                                             const char        *machine_id);
void         agent_wait_for_health  (AgentFixture      *self);
void         agent_wait_for_machine (AgentFixture      *self,
                                             const char        *path);
/* Ends an agent. (transfer full): what it has said */
char        *agent_stop             (GSubprocess       *agent,
                                             int                number);

/* Asks the agent, and returns the status, or 0 when nobody answers. name: (nullable): logs in with
 * this password. answer: (out) (optional) (transfer full) */
guint        agent_ask_with         (AgentFixture      *self,
                                             const char        *method,
                                             const char        *path,
                                             const char        *name,
                                             const char        *password,
                                             const char        *body,
                                             char             **answer);
/* The same with the right password. */
guint        agent_ask_as           (AgentFixture      *self,
                                             const char        *method,
                                             const char        *path,
                                             const char        *name,
                                             const char        *body,
                                             char             **answer);
