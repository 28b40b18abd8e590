/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-config.h"
#include "values/welkin-surroundings.h"

G_BEGIN_DECLS

/* File environments.yaml as it was read, and its neighbour,
 * current-environment. */
typedef struct _WelkinEnvironmentsFile WelkinEnvironmentsFile;

char                   *welkin_environments_file_build_path     (WelkinSurroundings *surroundings,
                                                                 GError **error);

/* What the user should know is added to warnings: (element-type utf8) */
WelkinEnvironmentsFile *welkin_environments_file_load           (WelkinSurroundings *surroundings,
                                                                 GPtrArray *warnings,
                                                                 GError **error);
/* A text that is to become the file; path: for messages. */
WelkinEnvironmentsFile *welkin_environments_file_parse          (const char *text,
                                                                 gsize length,
                                                                 const char *path,
                                                                 GError **error);
void                    welkin_environments_file_free           (WelkinEnvironmentsFile *self);

const char             *welkin_environments_file_get_path       (WelkinEnvironmentsFile *self);
char                  **welkin_environments_file_list_names     (WelkinEnvironmentsFile *self);
gboolean                welkin_environments_file_has            (WelkinEnvironmentsFile *self,
                                                                 const char *name);
/* "default", or the only one. (transfer full) (nullable) */
char                   *welkin_environments_file_get_default    (WelkinEnvironmentsFile *self);
/* Those of one environment as they stand there, its name among them. */
WelkinConfig           *welkin_environments_file_get_attributes (WelkinEnvironmentsFile *self,
                                                                 const char *name,
                                                                 GError **error);

/* Returns the path. (transfer full) */
char                   *welkin_environments_file_write          (WelkinSurroundings *surroundings,
                                                                 const char *text,
                                                                 gboolean replace,
                                                                 GPtrArray *warnings,
                                                                 GError **error);

/* (transfer full) (nullable) */
char                   *welkin_environments_file_read_current   (WelkinSurroundings *surroundings);
gboolean                welkin_environments_file_write_current  (WelkinSurroundings *surroundings,
                                                                 const char *name,
                                                                 GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinEnvironmentsFile, welkin_environments_file_free)

G_END_DECLS
