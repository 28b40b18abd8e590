/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-schema.h"

G_BEGIN_DECLS

/* The attributes that every environment may have, whatever its provider.
 * (transfer full) */
WelkinSchema *welkin_environment_schema_new (void);

G_END_DECLS
