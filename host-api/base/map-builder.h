/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-value.h"

G_BEGIN_DECLS

/* A map of values while it is put together, in the order in which it is added to. The keys must
 * live until it ends. */
typedef struct
{
  GPtrArray *keys;   /* (owned) of unowned texts */
  GPtrArray *values; /* (owned) */
} WkMapBuilder;

void         wk_map_begin      (WkMapBuilder *self);
/* Takes the value. */
void         wk_map_take       (WkMapBuilder *self,
                                const char   *key,
                                WelkinValue  *value);
/* text: nullable: nothing is added; what looks like a number or a truth value is read as one. */
void         wk_map_add_text   (WkMapBuilder *self,
                                const char   *key,
                                const char   *text);
/* The same of what stays a text, whatever it looks like. */
void         wk_map_add_string (WkMapBuilder *self,
                                const char   *key,
                                const char   *text);
/* (transfer full) */
WelkinValue *wk_map_end        (WkMapBuilder *self);

G_END_DECLS
