/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * How long to wait before the next try: a base time that doubles, up to a limit, each
 * time a fifth longer or shorter by chance, so that many clients do not come back at once.
 */
typedef struct
{
  double base;  /* seconds */
  double limit; /* seconds */
  guint  tries; /* how many waits were asked for so far */
} WkBackoff;

void     wk_backoff_init          (WkBackoff  *backoff,
                                   double      base,
                                   double      limit);
double   wk_backoff_next          (WkBackoff  *backoff);

/* Reads Retry-After: seconds (fractions allowed) or an HTTP date, which counts from the
 * answer's own Date (nullable: the local clock). Negative and past give 0.
 * FALSE when it cannot be read, which is the same as absent. */
gboolean wk_backoff_parse_after   (const char *retry_after,
                                   const char *date,
                                   double     *seconds);

G_END_DECLS
