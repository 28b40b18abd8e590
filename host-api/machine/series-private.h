/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "machine/welkin-series.h"

G_BEGIN_DECLS

#define WELKIN_DEFAULT_SERIES "noble"

/* The same with another directory in place of the one of package
 * distro-info-data. */
gboolean welkin_series_lookup_in (const char  *directory,
                                  const char  *series,
                                  char       **os_distro,
                                  char       **os_version,
                                  GError     **error);

/* Whether both are known, and of one distribution. What is made for one release of it runs on newer
 * ones. */
gboolean welkin_series_is_older  (const char  *series,
                                  const char  *than);

G_END_DECLS
