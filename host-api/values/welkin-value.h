/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-types.h"

G_BEGIN_DECLS

#define WELKIN_TYPE_VALUE (welkin_value_get_type ())

/* One value of a configuration, as it was written: immutable, refcounted. */
typedef struct _WelkinValue WelkinValue;

typedef enum
{
  WELKIN_VALUE_UNSET,
  WELKIN_VALUE_TEXT,
  WELKIN_VALUE_LIST,
  WELKIN_VALUE_MAP,
} WelkinValueKind;

WELKIN_AVAILABLE_IN_0_1
GType           welkin_value_get_type     (void) G_GNUC_CONST;
/* origin, everywhere: where it was written, as in "environments.yaml:7" or "OS_USERNAME";
 * nullable. */
WELKIN_AVAILABLE_IN_0_1
WelkinValue    *welkin_value_new_unset    (const char      *origin);
WELKIN_AVAILABLE_IN_0_1
WelkinValue    *welkin_value_new_text     (const char      *text,
                                           gboolean         is_quoted,
                                           const char      *origin);
/* items: (element-type WelkinValue) (array length=n_items) */
WELKIN_AVAILABLE_IN_0_1
WelkinValue    *welkin_value_new_list     (WelkinValue    **items,
                                           gsize            n_items,
                                           const char      *origin);
/* keys keep their order; values: as many as keys */
WELKIN_AVAILABLE_IN_0_1
WelkinValue    *welkin_value_new_map      (const char * const *keys,
                                           WelkinValue    **values,
                                           gsize            n_values,
                                           const char      *origin);
WELKIN_AVAILABLE_IN_0_1
WelkinValue    *welkin_value_ref          (WelkinValue     *self);
WELKIN_AVAILABLE_IN_0_1
void            welkin_value_unref        (WelkinValue     *self);
WELKIN_AVAILABLE_IN_0_1
gboolean        welkin_value_equal        (WelkinValue     *self,
                                           WelkinValue     *other);
WELKIN_AVAILABLE_IN_0_1
WelkinValueKind welkin_value_get_kind     (WelkinValue     *self);
WELKIN_AVAILABLE_IN_0_1
const char     *welkin_value_get_origin   (WelkinValue     *self);
WELKIN_AVAILABLE_IN_0_1
const char     *welkin_value_get_text     (WelkinValue     *self);
WELKIN_AVAILABLE_IN_0_1
gboolean        welkin_value_is_quoted    (WelkinValue     *self);
/* Items of a list, or entries of a map. */
WELKIN_AVAILABLE_IN_0_1
guint           welkin_value_get_length   (WelkinValue     *self);
WELKIN_AVAILABLE_IN_0_1
WelkinValue    *welkin_value_get_item     (WelkinValue     *self,
                                           guint            index);
WELKIN_AVAILABLE_IN_0_1
const char     *welkin_value_get_key      (WelkinValue     *self,
                                           guint            index);
WELKIN_AVAILABLE_IN_0_1
WelkinValue    *welkin_value_lookup       (WelkinValue     *self,
                                           const char      *key);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinValue, welkin_value_unref)

G_END_DECLS
