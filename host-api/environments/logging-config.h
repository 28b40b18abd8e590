/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define WELKIN_DEFAULT_LOGGING_CONFIG "<root>=WARNING"

/* What agents log, module by module: "WARNING", "a.b=debug : <root>=INFO" … in
 * canonical form, "a.b=DEBUG;<root>=INFO". (transfer full) */
char *welkin_logging_config_normalize (const char  *text,
                                       GError     **error);

G_END_DECLS
