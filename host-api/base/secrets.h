/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * Values that are known to be secret, and are left out wherever they stand: as they are, and as
 * others write them into their answers: as HTML, as JSON, as Python shows texts, in URLs, each of
 * them more than once over.
 */
typedef struct _WkSecrets WkSecrets;

WkSecrets *wk_secrets_new  (void);
void       wk_secrets_free (WkSecrets  *self);
/* Short ones are none: they may stand for anything. */
void       wk_secrets_add  (WkSecrets  *self,
                            const char *value);
/* The text without them. is_cut: it is the beginning of a longer one, and so may end in the
 * beginning of a secret. (transfer full) */
char      *wk_secrets_hide (WkSecrets  *self,
                            const char *text,
                            gboolean    is_cut);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WkSecrets, wk_secrets_free)

G_END_DECLS
