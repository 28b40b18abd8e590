/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "cli/cli.h"

G_BEGIN_DECLS

/* How many machines are started at once. */
#define CLI_DEFAULT_PARALLEL 16

/* What the cloud says of the instances of all machines. */
WelkinInstances *cli_ask_for_instances (Cli                *cli,
                                        WelkinInfo         *info,
                                        GError            **error);
/* What machines report themselves. NULL without an error: there is no agent, or it does not answer,
 * as the user is told then. */
WelkinValue     *cli_ask_for_reports   (Cli                *cli,
                                        WelkinInfo         *info,
                                        GError            **error);
/* A mapping from ids. ids: nullable: of all; instances: nullable, when the cloud was not asked;
 * reports: nullable, when the agent was not */
WelkinValue     *cli_describe_machines (WelkinInfo         *info,
                                        const char * const *ids,
                                        WelkinInstances    *instances,
                                        WelkinValue        *reports);
/* The info of a bootstrapped environment. (transfer full) */
WelkinInfo      *cli_load_info         (Cli                *cli,
                                        const char         *name,
                                        GError            **error);
/* An error that names those that are to run and do not. ids: nullable: of all but machine 0 */
gboolean         cli_check_started     (WelkinInfo         *info,
                                        const char * const *ids,
                                        GError            **error);
/* Values of --constraints, or arguments. words: nullable */
WelkinConstraints *cli_read_constraints (char              **words,
                                         GError            **error);
/* An option that is a number, at least 1. */
gboolean         cli_check_positive    (const char         *option,
                                        int                 value,
                                        GError            **error);
/* Runs one pass of the provisioner, and shows its progress. */
gboolean         cli_provision         (Cli                *cli,
                                        const char         *name,
                                        int                 n_parallel,
                                        GError            **error);

G_END_DECLS
