/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "environments/boilerplate.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/text.h"
#include "base/yaml.h"
#include "environments/environments-file.h"
#include "values/welkin-error.h"

#define RAND_BYTES 16

static const char header[] =
  "# Environments that welkin can bootstrap and manage.\n"
  "#\n"
  "# Each one has a name of your choice, and at least a type: the kind of cloud it is on. Replace\n"
  "# what stands in <angle brackets>. Lines that are commented out are optional, and show the\n"
  "# default or an example.\n"
  "#\n"
  "# When a command does not say with -e NAME which environment it is about, it is the one that\n"
  "# variable WELKIN_ENV names, else the one chosen with \"welkin switch NAME\", else this:\n";

static gboolean
set_provider_error (const char *type,
                    const char *message,
                    GError    **error)
{
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_FAILED,
               _("provider \"%s\" offers bad boilerplate: %s"), type, message);
  return FALSE;
}

char *
welkin_boilerplate_expand (const char *stanza,
                           const char *type,
                           GError    **error)
{
  GString *text = g_string_new (NULL);

  while (TRUE)
    {
      const char *begin = strstr (stanza, "{{");
      const char *end = begin != NULL ? strstr (begin, "}}") : NULL;
      g_autofree char *word = NULL;
      g_autofree char *digits = NULL;

      if (begin == NULL)
        break;
      word = g_strndup (begin + 2, end != NULL ? (gsize) (end - begin - 2) : strlen (begin + 2));
      if (end == NULL || !g_str_equal (g_strstrip (word), "rand"))
        {
          g_autofree char *quoted = wk_quote (word);
          g_autofree char *message = g_strdup_printf (_("unknown template %s"), quoted);

          set_provider_error (type, message, error);
          g_string_free (text, TRUE);
          return NULL;
        }
      digits = wk_random_hex (RAND_BYTES);
      g_string_append_len (text, stanza, begin - stanza);
      g_string_append (text, digits);
      stanza = end + 2;
    }
  g_string_append (text, stanza);
  return g_string_free (text, FALSE);
}

/* The name of the first environment in a stanza, which must be the start of a
 * mapping. */
static char *
find_first_name (const char *stanza,
                 const char *type,
                 GError    **error)
{
  g_autoptr(GError) local_error = NULL;
  g_autoptr(WelkinValue) value = wk_yaml_parse (stanza, -1, type, &local_error);

  if (value == NULL)
    {
      set_provider_error (type, local_error->message, error);
      return NULL;
    }
  if (welkin_value_get_kind (value) != WELKIN_VALUE_MAP || welkin_value_get_length (value) == 0)
    {
      set_provider_error (type, _("it names no environment"), error);
      return NULL;
    }
  return g_strdup (welkin_value_get_key (value, 0));
}

static void
append_indented (GString    *text,
                 const char *stanza)
{
  g_auto(GStrv) lines = NULL;
  g_autofree char *body = g_strdup (stanza);

  if (g_str_has_suffix (body, "\n"))
    body[strlen (body) - 1] = '\0';
  lines = g_strsplit (body, "\n", -1);
  for (gsize i = 0; lines[i] != NULL; i++)
    g_string_append_printf (text, "%s%s\n", *lines[i] != '\0' ? "    " : "", lines[i]);
}

/* Adds the stanza of a provider to text; the first one gives the default. */
static gboolean
add_provider (WelkinRegistry *registry,
              const char     *type,
              GString        *text,
              char          **default_name,
              GError        **error)
{
  g_autoptr(WelkinProvider) provider = welkin_registry_get_provider (registry, type, error);
  g_autofree char *stanza = NULL;
  g_autofree char *expanded = NULL;
  g_autofree char *name = NULL;

  if (provider == NULL)
    return FALSE;
  stanza = welkin_provider_get_boilerplate (provider);
  if (stanza == NULL)
    return TRUE;
  expanded = welkin_boilerplate_expand (stanza, type, error);
  if (expanded == NULL)
    return FALSE;
  name = find_first_name (expanded, type, error);
  if (name == NULL)
    return FALSE;

  if (*default_name == NULL)
    *default_name = g_steal_pointer (&name);
  append_indented (text, expanded);
  return TRUE;
}

char *
welkin_boilerplate_make (WelkinRegistry *registry,
                         GError        **error)
{
  g_autoptr(GString) stanzas = g_string_new (NULL);
  g_autoptr(WelkinEnvironmentsFile) file = NULL;
  g_autofree char *default_name = NULL;
  g_autofree char *text = NULL;
  g_auto(GStrv) types = NULL;

  welkin_registry_open_all (registry);
  types = welkin_registry_get_types (registry);
  for (gsize i = 0; types[i] != NULL; i++)
    {
      if (!add_provider (registry, types[i], stanzas, &default_name, error))
        return NULL;
    }
  if (default_name == NULL)
    {
      g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND,
                           _("there is no provider: see \"welkin providers\""));
      return NULL;
    }

  text = g_strdup_printf ("%sdefault: %s\n\nenvironments:\n%s", header, default_name, stanzas->str);
  file = welkin_environments_file_parse (text, strlen (text), "boilerplate", error);
  return file != NULL ? g_steal_pointer (&text) : NULL;
}
