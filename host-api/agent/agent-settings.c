/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "agent/agent-settings.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/text.h"
#include "base/yaml.h"
#include "values/welkin-error.h"

#define FORMAT "# format "
#define VERSION "1.18"
#define MAX_ID 64

void
agent_settings_free (AgentSettings *self)
{
  g_free (self->tag);
  g_free (self->authority);
  g_strfreev (self->addresses);
  g_free (self->password);
  g_free (self->secret);
  g_free (self);
}

gboolean
agent_machine_id_is_valid (const char *machine_id)
{
  return strlen (machine_id) <= MAX_ID &&
         g_regex_match_simple ("^[0-9]+(/[a-z]+/[0-9]+)*$", machine_id, G_REGEX_DOLLAR_ENDONLY, 0);
}

char *
agent_machine_id_to_tag (const char *machine_id)
{
  g_autofree char *name = g_strdup (machine_id);

  return g_strconcat ("machine-", g_strdelimit (name, "/", '-'), NULL);
}

/* Returns what stands behind the first line, NULL when that is not right. */
static const char *
check_format (const char *text,
              GError    **error)
{
  const char *end = strchr (text, '\n');
  g_autofree char *version = NULL;
  g_autofree char *quoted = NULL;

  if (end == NULL)
    g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG,
                         _("invalid agent config format"));
  else if (!g_str_has_prefix (text, FORMAT))
    g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG,
                         _("malformed agent config format"));
  else
    version = g_strndup (text + strlen (FORMAT), (gsize) (end - text) - strlen (FORMAT));
  if (version == NULL)
    return NULL;
  if (g_str_equal (version, VERSION))
    return end + 1;
  quoted = wk_quote (version);
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG,
               _("unknown agent config format %s"), quoted);
  return NULL;
}

/* NULL when it is not there or empty. */
static const char *
lookup_text (WelkinValue *map,
             const char  *key)
{
  WelkinValue *value = welkin_value_lookup (map, key);
  const char *text = NULL;

  if (value != NULL && welkin_value_get_kind (value) == WELKIN_VALUE_TEXT)
    text = welkin_value_get_text (value);
  return text != NULL && *text != '\0' ? text : NULL;
}

static char *
dup_required (WelkinValue *map,
              const char  *key,
              GError     **error)
{
  const char *text = lookup_text (map, key);

  if (text == NULL && *error == NULL)
    g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG, _("there is no %s"), key);
  return g_strdup (text);
}

static GStrv
dup_addresses (WelkinValue *map,
               GError     **error)
{
  WelkinValue *list = welkin_value_lookup (map, "apiaddresses");
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new ();
  guint length = 0;

  if (list != NULL && welkin_value_get_kind (list) == WELKIN_VALUE_LIST)
    length = welkin_value_get_length (list);
  for (guint i = 0; i < length; i++)
    {
      WelkinValue *item = welkin_value_get_item (list, i);

      if (welkin_value_get_kind (item) == WELKIN_VALUE_TEXT)
        g_strv_builder_add (builder, welkin_value_get_text (item));
    }
  if (length == 0 && *error == NULL)
    g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG, _("there is no %s"),
                 "apiaddresses");
  return g_strv_builder_end (builder);
}

static AgentSettings *
read_settings (WelkinValue *map,
               GError     **error)
{
  g_autoptr(AgentSettings) self = g_new0 (AgentSettings, 1);
  g_autoptr(GError) local_error = NULL;
  g_autofree char *port = NULL;
  guint64 number = 0;

  self->tag = dup_required (map, "tag", &local_error);
  self->authority = dup_required (map, "cacert", &local_error);
  self->password = dup_required (map, "apipassword", &local_error);
  self->addresses = dup_addresses (map, &local_error);
  self->secret = g_strdup (lookup_text (map, "apisecret"));
  if (self->secret != NULL)
    port = dup_required (map, "apiport", &local_error);
  if (port != NULL && local_error == NULL)
    g_ascii_string_to_unsigned (port, 10, 1, G_MAXUINT16, &number, &local_error);
  self->port = (guint16) number;
  if (local_error == NULL)
    return g_steal_pointer (&self);
  g_propagate_error (error, g_steal_pointer (&local_error));
  return NULL;
}

AgentSettings *
agent_settings_load (const char *data_directory,
                     const char *machine_id,
                     GError    **error)
{
  g_autofree char *tag = agent_machine_id_to_tag (machine_id);
  g_autofree char *path = g_build_filename (data_directory, "agents", tag, "agent.conf", NULL);
  g_autoptr(AgentSettings) self = NULL;
  g_autoptr(WelkinValue) map = NULL;
  g_autofree char *text = NULL;
  const char *yaml;

  if (!g_file_get_contents (path, &text, NULL, error))
    return NULL;
  yaml = check_format (text, error);
  if (yaml != NULL)
    map = wk_yaml_parse (yaml, -1, "agent.conf", error);
  if (map != NULL)
    self = read_settings (map, error);
  if (self != NULL && !g_str_equal (self->tag, tag))
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG,
                   _("it belongs to another machine, %s"), self->tag);
      g_clear_pointer (&self, agent_settings_free);
    }
  if (self == NULL)
    g_prefix_error (error, _("Cannot read \"%s\": "), path);
  return g_steal_pointer (&self);
}
