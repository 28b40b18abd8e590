/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "environments/welkin-environments.h"
#include "environments/welkin-info.h"

G_BEGIN_DECLS

/* To the log, unless it has been there. */
void           welkin_environments_warn_once  (WelkinEnvironments  *self,
                                               const char          *message);
/* The config of a name as environments.yaml has it, checked, and its provider.
 * (transfer full) */
WelkinConfig  *welkin_environments_load_entry (WelkinEnvironments  *self,
                                               const char          *name,
                                               WelkinProvider     **provider,
                                               GError             **error);
/* With the config that is remembered. (transfer full) */
WelkinEnviron *welkin_environments_open_info  (WelkinEnvironments  *self,
                                               WelkinInfo          *info,
                                               GError             **error);
/* Tells it where to note what can carry no mark: in its info, once that is there. */
void           welkin_environments_give_intents (WelkinEnvironments *self,
                                               WelkinEnviron       *environment,
                                               const char          *name);

G_END_DECLS
