/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/map-builder.h"

void
wk_map_begin (WkMapBuilder *self)
{
  self->keys = g_ptr_array_new ();
  self->values = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_value_unref);
}

void
wk_map_take (WkMapBuilder *self,
             const char   *key,
             WelkinValue  *value)
{
  g_ptr_array_add (self->keys, (gpointer) key);
  g_ptr_array_add (self->values, value);
}

void
wk_map_add_text (WkMapBuilder *self,
                 const char   *key,
                 const char   *text)
{
  if (text != NULL)
    wk_map_take (self, key, welkin_value_new_text (text, FALSE, NULL));
}

void
wk_map_add_string (WkMapBuilder *self,
                   const char   *key,
                   const char   *text)
{
  if (text != NULL)
    wk_map_take (self, key, welkin_value_new_text (text, TRUE, NULL));
}

WelkinValue *
wk_map_end (WkMapBuilder *self)
{
  WelkinValue *map = welkin_value_new_map ((const char *const *) self->keys->pdata,
                                           (WelkinValue **) self->values->pdata,
                                           self->values->len, NULL);

  g_clear_pointer (&self->keys, g_ptr_array_unref);
  g_clear_pointer (&self->values, g_ptr_array_unref);
  return map;
}
