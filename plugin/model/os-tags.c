/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "model/os-tags.h"

#include <string.h>

#define MARK_PREFIX "welkin "
#define TAG_PREFIX "welkin-"

char **
os_tags_split (const char *mark)
{
  g_autoptr(GStrvBuilder) tags = g_strv_builder_new ();
  g_auto(GStrv) words = NULL;

  g_return_val_if_fail (g_str_has_prefix (mark, MARK_PREFIX), NULL);

  words = g_strsplit (mark + strlen (MARK_PREFIX), " ", -1);
  for (guint i = 0; words[i] != NULL; i++)
    {
      g_autofree char *tag = g_strconcat (TAG_PREFIX, words[i], NULL);

      g_strv_builder_add (tags, tag);
    }
  return g_strv_builder_end (tags);
}

static int
compare_words (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* The names of a mark's words stand in the order of the alphabet: env, machine, start. */
char *
os_tags_join (GPtrArray *tags)
{
  g_autoptr(GPtrArray) words = g_ptr_array_new ();
  g_autofree char *joined = NULL;

  for (guint i = 0; tags != NULL && i < tags->len; i++)
    {
      const char *tag = g_ptr_array_index (tags, i);

      if (g_str_has_prefix (tag, TAG_PREFIX))
        g_ptr_array_add (words, (char *) tag + strlen (TAG_PREFIX));
    }
  if (words->len == 0)
    return NULL;
  g_ptr_array_sort (words, compare_words);
  g_ptr_array_add (words, NULL);
  joined = g_strjoinv (" ", (char **) words->pdata);
  return g_strconcat (MARK_PREFIX, joined, NULL);
}
