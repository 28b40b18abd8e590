/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "cli/cli.h"

G_BEGIN_DECLS

/* What the verbs of storage share. */

/* The environment that -e names, or else the one meant; its storage. (transfer full) */
WelkinEnviron *cli_open_remembered       (Cli           *cli,
                                          const char    *option,
                                          GError       **error);
WelkinStorage *cli_open_storage          (Cli           *cli,
                                          const char    *option,
                                          GError       **error);
/* FALSE with an error for a file that the environment itself lives by, unless forced. */
gboolean       cli_check_storage_name    (const char    *name,
                                          gboolean       is_forced,
                                          GError       **error);

/* How many bytes went, as one line on a terminal. */
typedef struct
{
  Cli            *cli;
  WelkinProgress *progress; /* (owned) */
  char           *what;     /* (owned) */
  goffset         total;    /* below 0: not known */
  gint64          shown_at; /* microseconds */
} CliTransfer;

void           cli_transfer_begin        (CliTransfer   *self,
                                          Cli           *cli,
                                          const char    *what,
                                          goffset        total);
void           cli_transfer_update       (CliTransfer   *self,
                                          goffset        done);
void           cli_transfer_end          (CliTransfer   *self);

G_END_DECLS
