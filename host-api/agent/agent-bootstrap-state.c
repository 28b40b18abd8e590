/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>

#include "agent/agent.h"
#include "agent/agent-settings.h"
#include "agent/agent-state.h"
#include "base/yaml.h"
#include "values/welkin-error.h"

#define FIRST_MACHINE "0"

/* (nullable) */
static const char *
lookup_text (WelkinValue *config,
             const char  *key)
{
  WelkinValue *value = welkin_value_lookup (config, key);

  if (value == NULL || welkin_value_get_kind (value) != WELKIN_VALUE_TEXT)
    return NULL;
  return welkin_value_get_text (value);
}

/* Of all that the configuration says, only whose it is is kept. */
static gboolean
keep_environment (const char *directory,
                  const char *encoded,
                  GError    **error)
{
  gsize length;
  g_autofree guchar *yaml = g_base64_decode (encoded, &length);
  g_autoptr(WelkinValue) config = wk_yaml_parse ((const char *) yaml, (gssize) length,
                                                 "--env-config", error);
  g_autoptr(AgentState) state = NULL;

  if (config == NULL)
    return FALSE;
  if (lookup_text (config, "name") == NULL || lookup_text (config, "uuid") == NULL)
    {
      g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
                           _("--env-config is no configuration of an environment"));
      return FALSE;
    }
  state = agent_state_load (directory, error);
  if (state == NULL)
    return FALSE;
  agent_state_set_environment (state, lookup_text (config, "name"), lookup_text (config, "type"),
                               lookup_text (config, "uuid"));
  return agent_state_save (state, error);
}

int
agent_run_bootstrap_state (int    *argc,
                           char ***argv)
{
  g_autofree char *directory = NULL;
  g_autofree char *config = NULL;
  g_autofree char *constraints = NULL;
  gboolean is_debugging = FALSE;
  const GOptionEntry entries[] = {
    { "data-dir", 0, 0, G_OPTION_ARG_FILENAME, &directory, NULL, NULL },
    { "env-config", 0, 0, G_OPTION_ARG_STRING, &config, NULL, NULL },
    { "constraints", 0, 0, G_OPTION_ARG_STRING, &constraints, NULL, NULL },
    { "debug", 0, 0, G_OPTION_ARG_NONE, &is_debugging, NULL, NULL },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr(AgentSettings) settings = NULL;
  g_autoptr(GError) error = NULL;

  if (!agent_parse_options (entries, argc, argv))
    return AGENT_EXIT_USAGE;
  if (directory == NULL || config == NULL)
    {
      g_printerr (_("welkin-agent: bootstrap-state needs --data-dir DIR"
                    " and --env-config BASE64\n"));
      return AGENT_EXIT_USAGE;
    }
  settings = agent_settings_load (directory, FIRST_MACHINE, &error);
  if (settings == NULL)
    return agent_fail (error);
  if (settings->secret == NULL)
    return AGENT_EXIT_NOT_NEEDED;
  return keep_environment (directory, config, &error) ? EXIT_SUCCESS : agent_fail (error);
}
