/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/live-starts.h"

G_LOCK_DEFINE_STATIC (starts);
static GPtrArray *starts;

void
os_live_starts_add (const char *start_id)
{
  G_LOCK (starts);
  if (starts == NULL)
    starts = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (starts, g_strdup (start_id));
  G_UNLOCK (starts);
}

void
os_live_starts_remove (const char *start_id)
{
  guint index;

  G_LOCK (starts);
  if (g_ptr_array_find_with_equal_func (starts, start_id, g_str_equal, &index))
    g_ptr_array_remove_index_fast (starts, index);
  G_UNLOCK (starts);
}

char **
os_live_starts_list (void)
{
  g_autoptr(GStrvBuilder) list = g_strv_builder_new ();

  G_LOCK (starts);
  for (guint i = 0; starts != NULL && i < starts->len; i++)
    g_strv_builder_add (list, g_ptr_array_index (starts, i));
  G_UNLOCK (starts);
  return g_strv_builder_end (list);
}
