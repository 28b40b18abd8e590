/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/json.h"

/* Each record of the model is a struct, a table that tells the decoder how to fill it, and a
 * free function: OS_DECLARE_RECORD in its header, OS_DEFINE_RECORD in its source. */
#define OS_DECLARE_RECORD(Type, prefix) \
  extern const WkJsonTable prefix##_table; \
  void prefix##_free (Type *self); \
  G_DEFINE_AUTOPTR_CLEANUP_FUNC (Type, prefix##_free)

#define OS_DEFINE_RECORD(Type, prefix, fields) \
  const WkJsonTable prefix##_table = WK_JSON_TABLE (Type, fields); \
  \
  void \
  prefix##_free (Type *self) \
  { \
    if (self != NULL) \
      wk_json_record_free (&prefix##_table, self); \
  }
