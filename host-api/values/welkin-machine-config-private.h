/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-machine-config.h"

G_BEGIN_DECLS

/* What only the first machine of an environment is given, and never in its user data, which the
 * cloud and everybody on the machine can read. Refcounted; whoever made it fills all of it in. */
typedef struct
{
  char *certificate;        /* (owned) PEM, signed by the environment's authority */
  char *private_key;        /* (owned) PEM */
  char *secret;             /* (owned) from which the passwords of all machines are derived */
  char *system_key;         /* (owned) the private half of an SSH key, OpenSSH */
  char *state_uri;          /* (owned) where the file with the state is */
  char *environment_config; /* (owned) YAML without secrets */
  char *constraints;        /* (owned) of the environment, "" for none */
} WelkinMachineServer;

struct _WelkinMachineConfig
{
  /* from the host */
  char                *machine_id;
  char                *tag;
  char                *nonce;
  char                *series;           /* (nullable) until it is finished */
  gboolean             is_bootstrap;
  char                *authorized_keys;  /* those of the environment too, once it is finished */
  char                *host_key_kind;    /* (nullable) */
  char                *host_private_key; /* (nullable) */
  char                *host_public_key;  /* (nullable) */

  /* from the host, for the agent */
  char               **api_addresses;    /* (nullable) "HOST:PORT" */
  char                *api_password;     /* (nullable) the machine's own */
  WelkinMachineServer *server;           /* (owned) (nullable) */

  /* from the provider */
  gboolean             is_finished;
  char                *ssh_user;         /* (nullable) until it is finished */
  WelkinConfig        *config;           /* (owned) (nullable) until it is finished */
  WelkinTools         *tools;            /* (owned) (nullable) */
};

WelkinMachineServer *welkin_machine_server_new           (void);
void                 welkin_machine_server_unref         (WelkinMachineServer *self);

/* Where the machine's agent reports, and by which password. Without them, or without tools, a
 * machine runs no agent. */
WelkinMachineConfig *welkin_machine_config_with_api      (WelkinMachineConfig *self,
                                                          const char *const   *addresses,
                                                          const char          *password);
WelkinMachineConfig *welkin_machine_config_with_server   (WelkinMachineConfig *self,
                                                          WelkinMachineServer *server);
/* For a finished config of a machine that is set up over SSH: what bash is to run there as root.
 * Progress is on standard error. (transfer full) */
char                *welkin_machine_config_render_script (WelkinMachineConfig *self,
                                                          GError             **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinMachineServer, welkin_machine_server_unref)

G_END_DECLS
