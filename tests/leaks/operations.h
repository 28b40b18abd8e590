/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "world.h"

G_BEGIN_DECLS

/* What a user may be in the middle of when something happens. */
typedef struct
{
  const char *name;
  /* Before it (nullable). FALSE: the preparation failed. */
  gboolean  (*prepare) (World *world, GError **error);
  /* FALSE: it says that it did not do what it was asked for. */
  gboolean  (*run)     (World *world, GError **error);
  /* What the user does next when it did not, or was killed. */
  gboolean  (*go_on)   (World *world, GError **error);
  /* NULL: when it fails, to go on finishes it. Otherwise failing leaves the cloud as it was, and if
   * that is not possible, what was left behind is removed like this. */
  gboolean  (*give_up) (World *world, GError **error);
  const char *command[8];
  const char *global_command[8]; /* if it is another one where ports are for all machines */
} Operation;

extern const Operation operations[];
extern const guint     n_operations;

gboolean operation_destroy_all (World   *world,
                                GError **error);

G_END_DECLS
