/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "cli/cli.h"

static char *option_environment;
static gboolean option_yes;
static gboolean option_force;

static const GOptionEntry options[] = {
  { "environment", 'e', 0, G_OPTION_ARG_FILENAME, &option_environment,
    N_("Which environment (an old way to give NAME)"), N_("NAME") },
  { "yes", 'y', 0, G_OPTION_ARG_NONE, &option_yes, N_("Do not ask"), NULL },
  { "force", 0, 0, G_OPTION_ARG_NONE, &option_force,
    N_("Even while there are further machines, or it cannot be opened"), NULL },
  G_OPTION_ENTRY_NULL
};

/* Destroying takes the name, said by the user and by nothing else. */
static const char *
read_name (char   **arguments,
           GError **error)
{
  if (arguments[0] != NULL && option_environment != NULL)
    {
      cli_usage_error (error, _("cannot supply both NAME and --environment"));
      return NULL;
    }
  if (arguments[0] == NULL && option_environment == NULL)
    {
      cli_usage_error (error, _("no environment specified: say which one to destroy"));
      return NULL;
    }
  if (arguments[0] == NULL)
    return option_environment;

  return cli_expect_no_arguments (arguments + 1, error) ? arguments[0] : NULL;
}

/* What runs on further machines is somebody's work. */
static gboolean
check_machines (Cli        *cli,
                const char *name,
                GError    **error)
{
  g_autoptr(WelkinInfo) info = NULL;
  g_autoptr(GString) ids = g_string_new (NULL);
  WelkinValue *machines;

  /* Whatever is in the way of that, opening the environment tells. */
  info = welkin_info_load (cli->surroundings, name, NULL);
  machines = info != NULL ? welkin_info_lookup (info, "machines") : NULL;
  for (guint i = 0; machines != NULL && i < welkin_value_get_length (machines); i++)
    {
      const char *id = welkin_value_get_key (machines, i);

      if (!g_str_equal (id, "0"))
        g_string_append_printf (ids, "%s%s", ids->len > 0 ? ", " : "", id);
    }
  if (ids->len == 0)
    return TRUE;

  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_IN_USE,
               _("environment \"%s\" still has machines: %s; destroy them first, or destroy all "
                 "with --force"), name, ids->str);
  return FALSE;
}

/* They carry the environment's mark, though somebody wanted them to stay. */
static void
tell_of_kept_instances (Cli        *cli,
                        const char *name)
{
  g_autoptr(WelkinInfo) info = welkin_info_load (cli->surroundings, name, NULL);
  g_autoptr(GString) ids = g_string_new (NULL);
  WelkinValue *kept = info != NULL ? welkin_info_lookup (info, "kept-instances") : NULL;

  for (guint i = 0; kept != NULL && i < welkin_value_get_length (kept); i++)
    g_string_append_printf (ids, "%s%s", i > 0 ? ", " : "", welkin_value_get_key (kept, i));
  if (ids->len > 0)
    console_say (cli->console,
                 _("WARNING: instances that were kept when their machines were destroyed go with "
                   "the environment \"%s\": %s"), name, ids->str);
}

/* A bootstrap that made nothing leaves nothing to ask about. */
static gboolean
is_begun_only (Cli        *cli,
               const char *name)
{
  g_autoptr(WelkinInfo) info = welkin_info_load (cli->surroundings, name, NULL);

  return info != NULL && !welkin_info_get_initialized (info);
}

static gboolean
confirm (Cli        *cli,
         const char *name,
         GError    **error)
{
  g_autoptr(WelkinEnviron) environment = NULL;
  g_autoptr(GError) local_error = NULL;

  environment = welkin_environments_open (cli->environments, name, error);
  if (environment == NULL)
    return FALSE;

  console_say (cli->console,
               _("WARNING: this destroys the environment \"%s\" (type: %s) with all its machines, "
                 "addresses and stored files."),
               name,
               welkin_config_get_provider_type (welkin_environ_get_config (environment)));
  if (cli_confirm (cli, _("Continue [y/N]?"), &local_error))
    return TRUE;

  if (local_error != NULL)
    g_propagate_error (error, g_steal_pointer (&local_error));
  else
    g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_FAILED,
                         _("Environment destruction aborted"));
  return FALSE;
}

/* What could not be removed is not lost. */
static void
tell_of_rest (Cli          *cli,
              const char   *name,
              const GError *error)
{
  g_autoptr(WelkinInfo) info = welkin_info_load (cli->surroundings, name, NULL);

  if (info == NULL || g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_BOOTSTRAPPED)
      || g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND)
      || g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_IN_USE))
    return;
  console_say (cli->console,
               _("The environment is still remembered: run \"welkin destroy-environment %s%s\" "
                 "again to remove the rest"),
               name, option_force ? " --force" : "");
}

/* Of an environment that cannot even be opened, nothing can be removed but the memory of it. */
static gboolean
forget_unopenable (Cli        *cli,
                   const char *name)
{
  g_autoptr(WelkinEnviron) environment = welkin_environments_open (cli->environments, name, NULL);
  g_autoptr(WelkinInfo) info = welkin_info_load (cli->surroundings, name, NULL);
  g_autoptr(GError) error = NULL;

  if (environment != NULL || info == NULL)
    return FALSE;
  if (welkin_info_destroy (info, &error))
    console_say (cli->console,
                 _("The environment \"%s\" cannot be opened and is forgotten: its machines, "
                   "addresses, groups and stored files were not removed from the cloud"), name);
  else
    console_say (cli->console, "%s", error->message);
  return TRUE;
}

static gboolean
run_destroy_environment (Cli     *cli,
                         char   **arguments,
                         GError **error)
{
  g_autoptr(WelkinProgress) progress = welkin_progress_new ();
  g_autoptr(GError) local_error = NULL;
  const char *name = read_name (arguments, error);

  if (name == NULL)
    return FALSE;
  if (!option_force && !check_machines (cli, name, error))
    return FALSE;
  tell_of_kept_instances (cli, name);
  if (!option_yes && !is_begun_only (cli, name) && !confirm (cli, name, error))
    return FALSE;

  console_watch_progress (cli->console, progress);
  welkin_destroy_async (cli->environments, name, progress, cli->cancellable, cli_done_cb, cli);
  if (!welkin_destroy_finish (cli->environments, cli_wait (cli), &local_error))
    {
      if (!option_force || !forget_unopenable (cli, name))
        tell_of_rest (cli, name, local_error);
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }

  console_watch_progress (cli->console, NULL);
  console_say (cli->console, _("Environment \"%s\" is destroyed"), name);
  return TRUE;
}

const CliCommand cli_command_destroy_environment = {
  .name = "destroy-environment",
  .usage = "NAME",
  .summary = N_("Remove an environment and all that belongs to it"),
  .description = N_("Stops the machines of the environment, removes its addresses, groups and "
                    "stored files, and forgets it. Only what carries the environment's mark is "
                    "removed. It can be repeated when it failed."),
  .options = options,
  .run = run_destroy_environment,
};
