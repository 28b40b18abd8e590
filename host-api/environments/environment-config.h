/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

#include "values/welkin-config.h"
#include "values/welkin-surroundings.h"

G_BEGIN_DECLS

/*
 * The attributes that every environment has, whatever its provider: their
 * types, defaults and rules, and the files that they are completed from. What
 * is the provider's own is kept as it is. Every message begins with the place
 * of the value that it is about, where there is one.
 */

/* Names become part of file, server and security group names. */
gboolean      welkin_environment_check_name      (const char         *name,
                                                  GError            **error);

/* The attributes of an entry of environments.yaml by the names that they have
 * today. What the user should know of it is added to warnings: (element-type
 * utf8) */
WelkinConfig *welkin_environment_config_translate (WelkinConfig       *attributes,
                                                   GPtrArray          *warnings);

/* From an entry of environments.yaml, translated: keys and certificates are
 * read from their files, the defaults are filled in. keys_error: (nullable): why
 * there are no client keys, which is the error if there are no others */
WelkinConfig *welkin_environment_config_complete (WelkinConfig       *attributes,
                                                  WelkinSurroundings *surroundings,
                                                  const GError       *keys_error,
                                                  GError            **error);

/* From what was completed before, as the info store has it: nothing is read,
 * nothing is filled in but what may be empty. */
WelkinConfig *welkin_environment_config_restore  (WelkinConfig       *attributes,
                                                  GError            **error);

/* That a config, completed or restored, makes sense, and that nothing in it has
 * changed that must stay. old_config: nullable */
gboolean      welkin_environment_config_validate (WelkinConfig       *config,
                                                  WelkinConfig       *old_config,
                                                  GError            **error);

/* A restored config with other attributes over its own, checked anew: what of it
 * changed must be of what may change. (transfer full) */
WelkinConfig *welkin_environment_config_apply    (WelkinConfig       *config,
                                                  WelkinConfig       *attributes,
                                                  GError            **error);

/* What an environment gets once, before it is made: its id, the administrator's
 * password, an authority of its own, whose keys are made in a thread. */
void          welkin_environment_config_generate_async  (WelkinConfig       *config,
                                                         GCancellable       *cancellable,
                                                         GAsyncReadyCallback callback,
                                                         gpointer            user_data);
WelkinConfig *welkin_environment_config_generate_finish (GAsyncResult       *result,
                                                         GError            **error);

G_END_DECLS
