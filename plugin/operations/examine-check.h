/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/clock.h"
#include "base/join.h"
#include "values/welkin-finding.h"

G_BEGIN_DECLS

/*
 * What is looked at in an examination, one thing beside the others: it has a deadline of its own,
 * and ends with a finding, whatever happens to the others.
 */
typedef struct
{
  const char   *name;        /* of the finding */
  gpointer      owner;       /* the examination, for its callbacks */
  WkJoin       *join;        /* (owned) (nullable) while it runs */
  GCancellable *cancellable; /* (owned) (nullable) the same */
  GSource      *following;   /* (owned) (nullable) the same */
  GSource      *timeout;     /* (owned) (nullable) the same */
  gboolean      is_late;
  WelkinFinding *finding;    /* (owned) (nullable) */
} OsCheck;

/* The cancellable that the call is to be given (transfer none). */
GCancellable *os_check_begin (OsCheck             *self,
                              WkJoin              *join,
                              WkClock             *clock);
/* It has ended: error: (transfer full) (nullable) becomes a failure, unless there is a finding. To
 * be said last of all. */
void          os_check_end   (OsCheck             *self,
                              GError              *error);
void          os_check_clear (OsCheck             *self);

/* A finding in place of what is there. */
void          os_check_find  (OsCheck             *self,
                              WelkinFindingStatus  status,
                              const char          *text,
                              const char          *remedy);
/* The error in words, with its hint as the remedy. */
void          os_check_find_error (OsCheck        *self,
                              WelkinFindingStatus  status,
                              const GError        *error);

G_END_DECLS
