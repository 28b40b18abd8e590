/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-trace.h"
#include "values/welkin-types.h"

G_BEGIN_DECLS

#define WELKIN_TYPE_SURROUNDINGS (welkin_surroundings_get_type ())

/* A copy of the variables and directories that a configuration may be completed from, so that
 * what is made of it depends on nothing else. Where NULL is taken, it means the process's own. */
typedef struct _WelkinSurroundings WelkinSurroundings;

WELKIN_AVAILABLE_IN_0_1
GType               welkin_surroundings_get_type       (void) G_GNUC_CONST;
WELKIN_AVAILABLE_IN_0_1
WelkinSurroundings *welkin_surroundings_new_for_process (void);
/* variables: "NAME=value" strings (nullable: none) */
WELKIN_AVAILABLE_IN_0_1
WelkinSurroundings *welkin_surroundings_new            (const char * const *variables,
                                                        const char         *working_directory);
/* trace: gets what goes over the wire on behalf of these surroundings. (transfer full) */
WELKIN_AVAILABLE_IN_0_1
WelkinSurroundings *welkin_surroundings_with_trace     (WelkinSurroundings *self,
                                                        WelkinTrace        *trace);
/* (transfer none) (nullable) */
WELKIN_AVAILABLE_IN_0_1
WelkinTrace        *welkin_surroundings_get_trace      (WelkinSurroundings *self);
WELKIN_AVAILABLE_IN_0_1
WelkinSurroundings *welkin_surroundings_ref            (WelkinSurroundings *self);
WELKIN_AVAILABLE_IN_0_1
void                welkin_surroundings_unref          (WelkinSurroundings *self);
/* NULL when unset or empty: the two are the same. */
WELKIN_AVAILABLE_IN_0_1
const char         *welkin_surroundings_get_variable   (WelkinSurroundings *self,
                                                        const char         *name);
WELKIN_AVAILABLE_IN_0_1
const char         *welkin_surroundings_get_home       (WelkinSurroundings *self);
WELKIN_AVAILABLE_IN_0_1
const char         *welkin_surroundings_get_working_directory (WelkinSurroundings *self);
/* Expands a leading ~ or ~user and cleans the path; relative ones are under base.
 * (transfer full) */
WELKIN_AVAILABLE_IN_0_1
char               *welkin_surroundings_resolve_path   (WelkinSurroundings *self,
                                                        const char         *path,
                                                        const char         *base,
                                                        GError            **error);
/* Where environments.yaml lives, and where environments are remembered: $WELKIN_HOME, else XDG.
 * (transfer full) */
WELKIN_AVAILABLE_IN_0_1
char               *welkin_surroundings_get_config_directory (WelkinSurroundings *self,
                                                        GError            **error);
WELKIN_AVAILABLE_IN_0_1
char               *welkin_surroundings_get_data_directory (WelkinSurroundings *self,
                                                        GError            **error);
WELKIN_AVAILABLE_IN_0_1
gboolean            welkin_surroundings_check_proxies (WelkinSurroundings *self,
                                                        GError            **error);
/* What http_proxy, https_proxy, all_proxy and no_proxy say. (transfer full) (nullable): NULL when
 * they name no proxy */
WELKIN_AVAILABLE_IN_0_1
GProxyResolver     *welkin_surroundings_make_proxy_resolver (WelkinSurroundings *self);
/* Where another program is configured: the user's directories first. (transfer full) */
WELKIN_AVAILABLE_IN_0_1
char              **welkin_surroundings_list_config_directories (WelkinSurroundings *self,
                                                        const char         *program);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinSurroundings, welkin_surroundings_unref)

G_END_DECLS
