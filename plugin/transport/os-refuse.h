/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-config.h"

G_BEGIN_DECLS

/* Make an error of a configuration, with the place where the value, or that of the key, was given
 * in front. They take message, and return FALSE. value: nullable */
gboolean os_refuse     (WelkinValue  *value,
                        char         *message,
                        GError      **error);
gboolean os_refuse_key (WelkinConfig *config,
                        const char   *key,
                        char         *message,
                        GError      **error);

G_END_DECLS
