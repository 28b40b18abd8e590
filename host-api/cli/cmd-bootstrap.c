/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "cli/machines.h"

#define SERIES_PATTERN "^[a-zA-Z0-9]+([a-zA-Z0-9-]+[a-zA-Z0-9])?$"

static char *option_environment;
static char **option_constraints;
static char *option_placement;
static char *option_until;
static char *option_metadata;
static char *option_agent_version;
static char *option_agent_directory;
static char *option_series;
static gboolean option_upload_tools;
static gboolean option_keep_broken;
static gboolean option_insecure_host_key;
static gboolean option_save_credentials;

static const GOptionEntry options[] = {
  { "environment", 'e', 0, G_OPTION_ARG_FILENAME, &option_environment,
    N_("Which environment (default: see \"welkin switch\")"), N_("NAME") },
  { "constraints", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &option_constraints,
    N_("What the machine must have: \"mem=4G cores=2\""), N_("CONSTRAINTS") },
  { "to", 0, 0, G_OPTION_ARG_FILENAME, &option_placement,
    N_("Where the machine is to be: \"zone=NAME\""), N_("PLACEMENT") },
  { "until", 0, 0, G_OPTION_ARG_FILENAME, &option_until,
    N_("How far to go: until the machine is \"active\", takes \"ssh\", or its \"agent\" answers "
       "(default)"),
    N_("STAGE") },
  { "metadata-source", 0, 0, G_OPTION_ARG_FILENAME, &option_metadata,
    N_("Look images up in DIR/images first, and keep what is there for the environment; tools in "
       "DIR/tools"),
    N_("DIR") },
  { "agent-version", 0, 0, G_OPTION_ARG_FILENAME, &option_agent_version,
    N_("Which tools the machines run (default: the newest that go with this program)"),
    N_("VERSION") },
  { "upload-tools", 0, 0, G_OPTION_ARG_NONE, &option_upload_tools,
    N_("Make the tools of the agent that is installed here, and put them into the storage"), NULL },
  { "agent-dir", 0, 0, G_OPTION_ARG_FILENAME, &option_agent_directory,
    N_("What holds the agent for --upload-tools"), N_("DIR") },
  { "series", 0, 0, G_OPTION_ARG_FILENAME, &option_series,
    N_("What the tools of --upload-tools are for: \"noble,jammy\""), N_("SERIES") },
  /* As it was called in 2014. */
  { "source", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_FILENAME, &option_metadata, NULL, N_("DIR") },
  { "keep-broken", 0, 0, G_OPTION_ARG_NONE, &option_keep_broken,
    N_("Keep what is stored and remembered when the bootstrap fails"), NULL },
  { "insecure-host-key", 0, 0, G_OPTION_ARG_NONE, &option_insecure_host_key,
    N_("Log in to the machine whatever SSH host key it shows"), NULL },
  { "save-credentials", 0, 0, G_OPTION_ARG_NONE, &option_save_credentials,
    N_("Remember what variables and clouds.yaml give to log in with"), NULL },
  G_OPTION_ENTRY_NULL
};

/* NULL, without an error, when none are named. */
static char **
read_series (GError **error)
{
  g_auto(GStrv) series = NULL;

  if (option_series == NULL)
    return NULL;
  series = g_strsplit (option_series, ",", -1);
  for (gsize i = 0; series[i] != NULL; i++)
    {
      g_strstrip (series[i]);
      if (!g_regex_match_simple (SERIES_PATTERN, series[i], G_REGEX_DOLLAR_ENDONLY, 0))
        {
          cli_usage_error (error, _("invalid series name \"%s\""), series[i]);
          return NULL;
        }
    }
  return g_steal_pointer (&series);
}

/* (transfer full): options with what is to be uploaded, or NULL with an error */
static WelkinBootstrapOptions *
add_upload (WelkinBootstrapOptions *given,
            GError                **error)
{
  g_auto(GStrv) series = NULL;
  g_autofree char *directory = NULL;
  const char *lonely = option_series != NULL ? "--series" : "--agent-dir";

  if (!option_upload_tools && (option_series != NULL || option_agent_directory != NULL))
    {
      cli_usage_error (error, _("%s requires --upload-tools"), lonely);
      return NULL;
    }
  if (!option_upload_tools)
    return welkin_bootstrap_options_ref (given);
  series = read_series (error);
  if (series == NULL && option_series != NULL)
    return NULL;
  if (option_agent_directory != NULL)
    directory = g_canonicalize_filename (option_agent_directory, NULL);
  return welkin_bootstrap_options_with_uploaded_tools (given, directory,
                                                       (const char *const *) series);
}

static gboolean
read_until (WelkinStage *until,
            GError     **error)
{
  static const char *const stages[] = { "active", "ssh", "agent" };

  *until = WELKIN_STAGE_AGENT;
  if (option_until == NULL)
    return TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (stages); i++)
    {
      *until = (WelkinStage) i;
      if (g_str_equal (option_until, stages[i]))
        return TRUE;
    }
  return cli_usage_error (error, _("invalid value \"%s\" for flag --until: %s"), option_until,
                          _("expected active, ssh or agent"));
}

static WelkinBootstrapOptions *
read_options (GError **error)
{
  g_autoptr(WelkinBootstrapOptions) defaults = welkin_bootstrap_options_new ();
  g_autoptr(WelkinBootstrapOptions) keeping = NULL;
  g_autoptr(WelkinBootstrapOptions) saving = NULL;
  g_autoptr(WelkinBootstrapOptions) constrained = NULL;
  g_autoptr(WelkinBootstrapOptions) informed = NULL;
  g_autoptr(WelkinBootstrapOptions) versioned = NULL;
  g_autoptr(WelkinBootstrapOptions) placed = NULL;
  g_autoptr(WelkinBootstrapOptions) staged = NULL;
  g_autoptr(WelkinBootstrapOptions) trusting = NULL;
  g_autofree char *directory = NULL;
  g_autoptr(WelkinConstraints) constraints = NULL;
  WelkinStage until;

  if (!read_until (&until, error))
    return NULL;
  constraints = cli_read_constraints (option_constraints, error);
  if (constraints == NULL)
    return NULL;
  if (option_metadata != NULL)
    {
      directory = g_canonicalize_filename (option_metadata, NULL);
      if (!g_file_test (directory, G_FILE_TEST_IS_DIR))
        {
          cli_usage_error (error, _("invalid value \"%s\" for flag --metadata-source: %s"),
                           option_metadata, _("expected a directory"));
          return NULL;
        }
    }

  keeping = welkin_bootstrap_options_with_keep_broken (defaults, option_keep_broken);
  saving = welkin_bootstrap_options_with_save_credentials (keeping, option_save_credentials);
  constrained = welkin_bootstrap_options_with_constraints (saving, constraints);
  informed = welkin_bootstrap_options_with_metadata_directory (constrained, directory);
  versioned = welkin_bootstrap_options_with_agent_version (informed, option_agent_version);
  placed = welkin_bootstrap_options_with_placement (versioned, option_placement != NULL
                                                                 ? option_placement
                                                                 : "");
  staged = welkin_bootstrap_options_with_until (placed, until);
  trusting = welkin_bootstrap_options_with_insecure_host_key (staged, option_insecure_host_key);
  return add_upload (trusting, error);
}

static gboolean
run_bootstrap (Cli     *cli,
               char   **arguments,
               GError **error)
{
  g_autoptr(WelkinBootstrapOptions) bootstrap_options = NULL;
  g_autoptr(WelkinProgress) progress = welkin_progress_new ();
  g_autoptr(WelkinEnviron) environment = NULL;
  g_autofree char *name = NULL;

  if (!cli_expect_no_arguments (arguments, error))
    return FALSE;
  bootstrap_options = read_options (error);
  if (bootstrap_options == NULL)
    return FALSE;
  name = cli_choose_environment (cli, option_environment, error);
  if (name == NULL)
    return FALSE;

  cli->ending = _("Cleaning up failed bootstrap");
  console_watch_progress (cli->console, progress);
  welkin_bootstrap_async (cli->environments, name, bootstrap_options, progress, cli->cancellable,
                          cli_done_cb, cli);
  environment = welkin_bootstrap_finish (cli->environments, cli_wait (cli), error);
  if (environment == NULL)
    return FALSE;

  console_watch_progress (cli->console, NULL);
  console_say (cli->console, _("Environment \"%s\" is bootstrapped; \"welkin status\" shows it"),
               name);
  return TRUE;
}

const CliCommand cli_command_bootstrap = {
  .name = "bootstrap",
  .usage = "",
  .summary = N_("Start the first machine of an environment"),
  .description = N_("Reads the environment from environments.yaml, looks whether the cloud has all "
                    "that is needed, and starts its first machine. What it made is removed again "
                    "when it fails or is interrupted."),
  .options = options,
  .run = run_bootstrap,
};
