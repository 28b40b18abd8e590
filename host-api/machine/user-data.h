/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "machine/cloud-init.h"
#include "values/welkin-machine-config-private.h"

G_BEGIN_DECLS

/*
 * What a machine is told of a finished config. The basic part lets keys in, and ends with the file
 * with the nonce, by which the host knows that it is over. The full part sets up the agent: for the
 * first machine over SSH later, as a script; for the others in the user data.
 */
void     welkin_user_data_add_basic (WelkinMachineConfig *config,
                                     WelkinCloudInit     *document);
/* Whether there is all that the full part needs; errors begin with "invalid machine
 * configuration: ". */
gboolean welkin_user_data_check     (WelkinMachineConfig *config,
                                     GError             **error);
void     welkin_user_data_add_full  (WelkinMachineConfig *config,
                                     WelkinCloudInit     *document);

/* Scripts for root, once the machine can be logged in to: whoever can ask the cloud for the user
 * data knows the host keys that it began with. The first makes a new one, of which its output is
 * the public half; the second puts it in the place of all others. Between them it can be written
 * down, so that the machine is known whenever somebody is killed. (transfer full) */
char    *welkin_user_data_print_make_host_key (void);
char    *welkin_user_data_print_take_host_key (void);

G_END_DECLS
