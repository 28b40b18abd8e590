/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-constraints.h"

G_BEGIN_DECLS

typedef enum
{
  WELKIN_CONSTRAINT_TEXT,
  WELKIN_CONSTRAINT_NUMBER,
  WELKIN_CONSTRAINT_SIZE, /* a number of MiB */
  WELKIN_CONSTRAINT_LIST,
  WELKIN_CONSTRAINT_BOOLEAN,
} WelkinConstraintKind;

/* While constraints are made: value is as it is written behind "NAME=". */
gboolean           welkin_constraints_set                (WelkinConstraints    *self,
                                                          const char           *name,
                                                          const char           *value,
                                                          GError              **error);
/* "cores" of "cpu-cores", and of every other name itself; NULL when there is no such constraint.
 * kind: (out) (optional) */
const char        *welkin_constraints_get_canonical_name (const char           *name,
                                                          WelkinConstraintKind *kind);
/* Which are present, in the order in which they are written. (transfer container) */
const char       **welkin_constraints_list_names         (WelkinConstraints    *self);
/* The value if it is not empty, or the items of a list. (transfer full) */
char             **welkin_constraints_dup_values         (WelkinConstraints    *self,
                                                          const char           *name);
/* All but these. (transfer full) */
WelkinConstraints *welkin_constraints_without            (WelkinConstraints    *self,
                                                          const char *const    *names);

G_END_DECLS
