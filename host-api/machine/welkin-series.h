/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-types.h"

G_BEGIN_DECLS

/* What machines run is named by its series, the code name of a release, as in
 * "noble". */

/* os_distro, os_version: (out) (optional) (transfer full): "ubuntu" and
 * "24.04", as images are marked. WELKIN_ERROR_INVALID_ARGUMENT when there is no
 * such series. */
WELKIN_AVAILABLE_IN_0_1
gboolean welkin_series_lookup (const char  *series,
                               char       **os_distro,
                               char       **os_version,
                               GError     **error);

G_END_DECLS
