/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "registry/welkin-registry.h"

G_BEGIN_DECLS

/* An environments.yaml to start from, with a stanza for each provider of the
 * registry. (transfer full) */
char *welkin_boilerplate_make   (WelkinRegistry *registry,
                                 GError        **error);

/* A provider's stanza with random digits in place of each "{{rand}}"; type: for
 * errors. (transfer full) */
char *welkin_boilerplate_expand (const char     *stanza,
                                 const char     *type,
                                 GError        **error);

G_END_DECLS
