/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "home.h"

/* A real sshd on a loopback address, which lets the user of the test in, and a client that finds
 * its way there. Its keys and all that it writes are in the home. */
typedef struct
{
  Home        *home;       /* (transfer none) */
  char        *address;    /* (owned) */
  guint16      port;
  char        *public_key; /* (owned) of the host */
  GSubprocess *process;    /* (owned) (nullable) */
} SshServer;

/* FALSE, and the test is skipped, where there is no sshd. */
gboolean   ssh_server_is_there (void);
/* A port that is free on all loopback addresses. */
guint16    ssh_server_find_port (void);
/* command: (nullable): what is run instead of what the client asks for */
SshServer *ssh_server_new     (Home       *home,
                               const char *address,
                               guint16     port,
                               const char *command);
void       ssh_server_start   (SshServer  *self);
void       ssh_server_free    (SshServer  *self);

/* Surroundings with the home, and with a client that goes to this port. */
WelkinSurroundings *ssh_server_make_surroundings (Home    *home,
                                                  guint16  port);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (SshServer, ssh_server_free)
