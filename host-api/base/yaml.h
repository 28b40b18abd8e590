/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-value.h"

G_BEGIN_DECLS

/*
 * YAML to and from values. Scalars stay the text that was written: what they mean is
 * for the schema of whoever asks (a password of 0123 is not a number). Duplicate keys,
 * tabs as indentation, aliases that expand without bound and nesting beyond 64 are
 * errors that name FILE:LINE and never quote a value.
 */

/* name: for messages, as in "environments.yaml"; an empty document gives an unset value. */
WelkinValue *wk_yaml_parse (const char  *text,
                            gssize       length,
                            const char  *name,
                            GError     **error);
/* Mapping keys sorted, strings quoted where they would be read as something else. */
char        *wk_yaml_print (WelkinValue *value);

G_END_DECLS
