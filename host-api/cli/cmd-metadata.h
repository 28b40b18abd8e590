/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "cli/cli.h"

G_BEGIN_DECLS

#define CLI_PLAIN_SUFFIX ".json"
#define CLI_SIGNED_SUFFIX ".sjson"

/* The environment that is meant, as it is remembered, or else as environments.yaml has it.
 * (transfer full) */
WelkinEnviron *cli_open_written (Cli           *cli,
                                 const char    *option,
                                 GError       **error);
/* Its region, as far as it is known without asking the cloud. (transfer full) (nullable) */
char          *cli_get_region   (WelkinEnviron *environment);
/* The stream of tools that is meant: the option's (nullable), or else that of the environment
 * (nullable). (transfer full) */
char          *cli_choose_tools_stream (const char    *option,
                                 WelkinEnviron *environment);
/* Where a kind of cloud stands in for an environment, nothing else can be completed. All may be
 * NULL. */
gboolean       cli_check_offline_options (Cli  *cli,
                                 const char    *type,
                                 const char    *series,
                                 const char    *region,
                                 const char    *directory,
                                 GError       **error);
/* What the signed file is called that stands for a plain one. (transfer full) */
char          *cli_make_signed_path (const char *path);
/* Prints the files of metadata that were written, and tells which signed ones are no longer of
 * them. directory: (nullable): what their paths begin in. */
void           cli_print_written (Cli          *cli,
                                 const char *const *files,
                                 const char    *directory);
/* Where metadata were found, to be printed. (transfer full) */
WelkinValue   *cli_describe_resolve_info (WelkinResolveInfo *info);

G_END_DECLS
