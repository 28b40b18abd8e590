/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-schema.h"

G_BEGIN_DECLS

struct _WelkinSchema
{
  const WelkinAttribute *attributes; /* (unowned) */
  gsize                  n_attributes;
};

/* NULL when there is none of that name. */
const WelkinAttribute *welkin_schema_find (WelkinSchema *self,
                                           const char   *name);

G_END_DECLS
