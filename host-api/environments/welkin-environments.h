/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "environments/welkin-info.h"
#include "registry/welkin-registry.h"

G_BEGIN_DECLS

#define WELKIN_TYPE_ENVIRONMENTS (welkin_environments_get_type ())

/* The environments that a user has: those written in environments.yaml, and
 * those that were bootstrapped and are remembered in the info store. */
WELKIN_AVAILABLE_IN_0_1
G_DECLARE_FINAL_TYPE (WelkinEnvironments, welkin_environments, WELKIN, ENVIRONMENTS, GObject)

/* registry: where providers come from; surroundings: nullable. Reads nothing
 * yet. */
WELKIN_AVAILABLE_IN_0_1
WelkinEnvironments *welkin_environments_new              (WelkinRegistry      *registry,
                                                          WelkinSurroundings  *surroundings);
WELKIN_AVAILABLE_IN_0_1
WelkinRegistry     *welkin_environments_get_registry     (WelkinEnvironments  *self);
WELKIN_AVAILABLE_IN_0_1
WelkinSurroundings *welkin_environments_get_surroundings (WelkinEnvironments  *self);
/* CONFIG_DIR/environments.yaml (transfer full) */
WELKIN_AVAILABLE_IN_0_1
char               *welkin_environments_get_path         (WelkinEnvironments  *self,
                                                          GError             **error);
/* Names in environments.yaml, sorted. */
WELKIN_AVAILABLE_IN_0_1
char              **welkin_environments_list_names       (WelkinEnvironments  *self,
                                                          GError             **error);
/* Which one is meant: wanted (nullable), WELKIN_ENV, current-environment,
 * "default:", the only one. */
WELKIN_AVAILABLE_IN_0_1
char               *welkin_environments_choose           (WelkinEnvironments  *self,
                                                          const char          *wanted,
                                                          GError             **error);
/* The same without the demand that there is one: for "switch". (transfer full)
 * (nullable) */
WELKIN_AVAILABLE_IN_0_1
char               *welkin_environments_get_current      (WelkinEnvironments  *self);
WELKIN_AVAILABLE_IN_0_1
gboolean            welkin_environments_set_current      (WelkinEnvironments  *self,
                                                          const char          *name,
                                                          GError             **error);
/* The text of a new environments.yaml, from the boilerplate of every provider. */
WELKIN_AVAILABLE_IN_0_1
char               *welkin_environments_make_boilerplate (WelkinEnvironments  *self,
                                                          GError             **error);
/* Returns the path written. */
WELKIN_AVAILABLE_IN_0_1
char               *welkin_environments_write            (WelkinEnvironments  *self,
                                                          const char          *text,
                                                          gboolean             replace,
                                                          GError             **error);
/* The attributes that every environment may have. (transfer full) */
WELKIN_AVAILABLE_IN_0_1
WelkinSchema       *welkin_environments_get_schema       (WelkinEnvironments  *self);
/* From now on it wins over what is written. */
WELKIN_AVAILABLE_IN_0_1
void                welkin_environments_override         (WelkinEnvironments  *self,
                                                          const char          *key,
                                                          WelkinValue         *value);
/* The config of a name as environments.yaml has it, validated. */
WELKIN_AVAILABLE_IN_0_1
WelkinConfig       *welkin_environments_load_config      (WelkinEnvironments  *self,
                                                          const char          *name,
                                                          GError             **error);
/* What holds, whatever it comes from, secrets included; something may be
 * missing. provider: (out) (optional) */
WELKIN_AVAILABLE_IN_0_1
WelkinConfig       *welkin_environments_load_effective_config
                                                         (WelkinEnvironments  *self,
                                                          const char          *name,
                                                          WelkinProvider     **provider,
                                                          GError             **error);
/* What would be remembered after a change, checked. (transfer full) */
WELKIN_AVAILABLE_IN_0_1
WelkinConfig       *welkin_environments_check_change     (WelkinEnvironments  *self,
                                                          WelkinConfig        *old_config,
                                                          WelkinConfig        *config,
                                                          GError             **error);
/* Changes what is remembered of one that was bootstrapped. unset_keys: nullable */
WELKIN_AVAILABLE_IN_0_1
void                welkin_environments_change_async     (WelkinEnvironments  *self,
                                                          WelkinInfo          *info,
                                                          WelkinConfig        *values,
                                                          const char *const   *unset_keys,
                                                          GCancellable        *cancellable,
                                                          GAsyncReadyCallback  callback,
                                                          gpointer             user_data);
WELKIN_AVAILABLE_IN_0_1
gboolean            welkin_environments_change_finish    (WelkinEnvironments  *self,
                                                          GAsyncResult        *result,
                                                          GError             **error);
/* An environment that was bootstrapped: WELKIN_ERROR_NOT_BOOTSTRAPPED
 * otherwise. Asks the cloud nothing. */
WELKIN_AVAILABLE_IN_0_1
WelkinEnviron      *welkin_environments_open             (WelkinEnvironments  *self,
                                                          const char          *name,
                                                          GError             **error);
/* For bootstrap: opens it, and if it is not remembered yet completes its config
 * (secrets, keys, names), and writes it down first. is_new: (out) (optional):
 * whether this call wrote it down. */
WELKIN_AVAILABLE_IN_0_1
void                welkin_environments_prepare_async    (WelkinEnvironments  *self,
                                                          const char          *name,
                                                          WelkinPrepareFlags   flags,
                                                          GCancellable        *cancellable,
                                                          GAsyncReadyCallback  callback,
                                                          gpointer             user_data);
WELKIN_AVAILABLE_IN_0_1
WelkinEnviron      *welkin_environments_prepare_finish   (WelkinEnvironments  *self,
                                                          GAsyncResult        *result,
                                                          gboolean            *is_new,
                                                          GError             **error);
/* For a look at what bootstrap would do: opens it in the same way, and writes
 * nothing down. */
WELKIN_AVAILABLE_IN_0_1
void                welkin_environments_preview_async    (WelkinEnvironments  *self,
                                                          const char          *name,
                                                          GCancellable        *cancellable,
                                                          GAsyncReadyCallback  callback,
                                                          gpointer             user_data);
WELKIN_AVAILABLE_IN_0_1
WelkinEnviron      *welkin_environments_preview_finish   (WelkinEnvironments  *self,
                                                          GAsyncResult        *result,
                                                          GError             **error);

G_END_DECLS
