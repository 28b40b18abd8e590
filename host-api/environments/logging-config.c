/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "environments/logging-config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/text.h"
#include "values/welkin-error.h"

#define ROOT "<root>"

/* The canonical name of a level; NULL when it is none. */
static const char *
find_level (const char *text)
{
  const char *const levels[] = { "TRACE", "DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL",
                                 "UNSPECIFIED" };

  for (gsize i = 0; i < G_N_ELEMENTS (levels); i++)
    {
      if (g_ascii_strcasecmp (text, levels[i]) == 0)
        return levels[i];
    }
  return g_ascii_strcasecmp (text, "WARN") == 0 ? "WARNING" : NULL;
}

static gboolean
set_entry_error (const char *format,
                 const char *text,
                 GError    **error)
{
  g_autofree char *quoted = wk_quote (text);

  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG, format, quoted);
  return FALSE;
}

static gboolean
parse_entry (char        *entry,
             char       **module,
             const char **level,
             GError     **error)
{
  g_autofree char *whole = g_strdup (entry);
  char *equals = strchr (entry, '=');

  if (equals == NULL)
    return set_entry_error (_("logging-config: expected MODULE=LEVEL, got %s"), whole, error);

  *equals = '\0';
  *module = g_strdup (g_strstrip (entry));
  *level = find_level (g_strstrip (equals + 1));
  if (**module == '\0')
    return set_entry_error (_("logging-config: expected MODULE=LEVEL, got %s"), whole, error);
  if (*level == NULL)
    return set_entry_error (_("logging-config: unknown level in %s"), whole, error);
  return TRUE;
}

char *
welkin_logging_config_normalize (const char *text,
                                 GError    **error)
{
  g_auto(GStrv) entries = g_strsplit_set (text, ";:", -1);
  g_autoptr(GPtrArray) modules = g_ptr_array_new_with_free_func (g_free);
  g_autoptr(GHashTable) levels = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *bare = g_strstrip (g_strdup (text));
  GString *canonical = NULL;

  if (find_level (bare) != NULL)
    return g_strdup_printf (ROOT "=%s", find_level (bare));

  for (gsize i = 0; entries[i] != NULL; i++)
    {
      g_autofree char *module = NULL;
      const char *level = NULL;

      if (*g_strstrip (entries[i]) == '\0')
        continue;
      if (!parse_entry (entries[i], &module, &level, error))
        return NULL;

      if (!g_hash_table_contains (levels, module))
        g_ptr_array_add (modules, g_strdup (module));
      g_hash_table_replace (levels, g_steal_pointer (&module), (gpointer) level);
    }

  canonical = g_string_new (NULL);
  for (guint i = 0; i < modules->len; i++)
    g_string_append_printf (canonical, "%s%s=%s", i > 0 ? ";" : "", (char *) modules->pdata[i],
                            (char *) g_hash_table_lookup (levels, modules->pdata[i]));
  return g_string_free (canonical, FALSE);
}
