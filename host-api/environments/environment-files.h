/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-config.h"
#include "values/welkin-surroundings.h"

G_BEGIN_DECLS

/* Reads the files that attributes of an entry of environments.yaml stand for:
 * public SSH keys, the certificate of the environment's authority and its key.
 * The attributes that named them are gone from *config afterwards. keys_error:
 * (nullable): why there are no client keys */
gboolean welkin_environment_files_read (WelkinConfig      **config,
                                        WelkinSurroundings *surroundings,
                                        const GError       *keys_error,
                                        GError            **error);

G_END_DECLS
