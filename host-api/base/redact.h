/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

#include "base/secrets.h"

G_BEGIN_DECLS

/* What traces and messages leave out. Rather too much than too little: a name that sounds like a
 * secret is one. */

/* What stands in the place of a secret. */
#define WK_REDACTED "***"

/* The name of a header, of a JSON member or of a parameter in a query. */
gboolean wk_redact_is_secret (const char *name);
/* The text, where URLs in it lose user, password and the values of secret parameters. */
char    *wk_redact_text      (const char *text);
/* The same, without the known secrets as well. known: (nullable); is_cut: see wk_secrets_hide() */
char    *wk_redact_known     (const char *text,
                              WkSecrets  *known,
                              gboolean    is_cut);
/* JSON without the values of members that are secret, as compact text, as far as it can be read: of
 * what was cut, the beginning. known: (nullable) secrets that may stand anywhere else; found:
 * (nullable) gets the values that were left out. */
char    *wk_redact_json      (const char *data,
                              gsize       length,
                              WkSecrets  *known,
                              WkSecrets  *found);

G_END_DECLS
