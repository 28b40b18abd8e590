/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-config.h"
#include "values/welkin-surroundings.h"

G_BEGIN_DECLS

/*
 * What a login and the connections take, and where each of it is given: as an attribute of the
 * environment, as a key of an entry of clouds.yaml, or as a variable.
 *
 * The ranks, the first one highest:
 *
 *   1  the environment's own attributes
 *   2  the entry of clouds.yaml, where one is in use; then no variable gives credentials
 *   3  the variables, where no entry is in use
 *   4  defaults, which whoever reads the setting knows
 *
 * What belongs together is never made of two ranks: an id of a lower one does not beat a name of a
 * higher one, and a secret of a higher one settles how to log in.
 */

/* config with all settings that are given at any rank under the names of their attributes, each
 * value with its origin: "environments.yaml:7", "/…/clouds.yaml:3" or "OS_USERNAME".
 *
 * entry: (nullable): flat, its keys with underscores, as of os_cloud_entry_new().
 *
 * WELKIN_ERROR_INVALID_CONFIG when a value makes no sense, or when a secret of rank 2 or 3 would
 * be sent to another cloud than the one it is for. (transfer full) */
WelkinConfig *os_settings_fill              (WelkinConfig        *config,
                                             WelkinConfig        *entry,
                                             WelkinSurroundings  *surroundings,
                                             GError             **error);
/* Whether an attribute or a variable says who logs in, or where: then nothing is guessed. */
gboolean      os_settings_have_credentials  (WelkinConfig        *config,
                                             WelkinSurroundings  *surroundings);
/* Whether a password or the like is among what is given. */
gboolean      os_settings_have_secret       (WelkinConfig        *effective);
/* The variables that are set and say something else than what holds: nobody listens to them. In
 * the order of the settings. (transfer full) */
char        **os_settings_list_unused       (WelkinConfig        *effective,
                                             WelkinSurroundings  *surroundings);

G_END_DECLS
