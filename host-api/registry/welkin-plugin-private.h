/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "registry/welkin-registry.h"

G_BEGIN_DECLS

/* What the registry does with its records. */

/* [a-z][a-z0-9_]*, so that it can be part of a path and of the name of a symbol. */
gboolean        welkin_plugin_is_type        (const char     *type);
/* type: from the name of the file */
WelkinPlugin   *welkin_plugin_new            (const char     *path,
                                              const char     *type);
void            welkin_plugin_take_error     (WelkinPlugin   *self,
                                              GError         *error);
/* Opens and checks the file and makes its provider, unless that was tried
 * before. FALSE: it has an error. */
gboolean        welkin_plugin_open           (WelkinPlugin   *self,
                                              WelkinRegistry *registry);
/* NULL until it was opened well. (transfer none) */
WelkinProvider *welkin_plugin_get_provider   (WelkinPlugin   *self);
gboolean        welkin_plugin_has_alias      (WelkinPlugin   *self,
                                              const char     *alias);

/* The first record that has the type, or that was opened and has the alias.
 * before: (nullable): only those that come before it in the search */
WelkinPlugin   *welkin_registry_find         (WelkinRegistry *self,
                                              const char     *type,
                                              WelkinPlugin   *before);

G_END_DECLS
