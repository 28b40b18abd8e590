/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "bootstrap/own-keys.h"

#include <glib/gi18n-lib.h>

#include "machine/keys.h"

WelkinMachineConfig *
welkin_own_keys_add (WelkinMachineConfig *config,
                     WelkinSurroundings  *surroundings)
{
  gboolean is_new = FALSE;
  g_autofree char *keys = NULL;
  g_autoptr(GError) error = NULL;

  if (welkin_client_keys_ensure (surroundings, &is_new, &error))
    keys = welkin_client_keys_read (surroundings, &error);
  if (is_new && !welkin_machine_config_is_bootstrap (config))
    g_warning (_("the client's own SSH keys are lost, and a new key pair is made: machines that "
                 "are there already do not know it"));
  if (keys != NULL)
    return welkin_machine_config_with_authorized_keys (config, keys);
  g_warning (_("the machine gets no key of ours: %s"), error->message);
  return welkin_machine_config_ref (config);
}
