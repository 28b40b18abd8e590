/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "registry/welkin-registry.h"
#include "values/welkin-config.h"
#include "values/welkin-surroundings.h"

G_BEGIN_DECLS

/* The provider of the config's type. (transfer full) */
WelkinProvider *welkin_environment_find_provider  (WelkinConfig        *config,
                                                   WelkinRegistry      *registry,
                                                   GError             **error);

/* The attributes of an entry of environments.yaml, overrides over them, as a
 * whole config, and its provider, which has still to check it. What the user
 * should know is added to warnings, whether or not it fails: (element-type
 * utf8). (transfer full) */
WelkinConfig   *welkin_environment_entry_complete (WelkinConfig        *attributes,
                                                   WelkinConfig        *overrides,
                                                   WelkinRegistry      *registry,
                                                   WelkinSurroundings  *surroundings,
                                                   WelkinProvider     **provider,
                                                   GPtrArray           *warnings,
                                                   GError             **error);

G_END_DECLS
