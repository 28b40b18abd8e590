/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/map-builder.h"
#include "cli/cli.h"

/* Loading a file takes no time at all, unless it hangs. */
#define CHECK_SECONDS 20

static char *option_check;
static char *option_open;
static char *option_format;

static const GOptionEntry options[] = {
  { "check", 0, 0, G_OPTION_ARG_FILENAME, &option_check,
    N_("Open the provider TYPE in a process of its own and tell what happens"), N_("TYPE") },
  { "format", 0, 0, G_OPTION_ARG_FILENAME, &option_format, N_("yaml (default) or json"),
    N_("FORMAT") },
  /* What --check runs in the other process. */
  { "open", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_FILENAME, &option_open, NULL, NULL },
  G_OPTION_ENTRY_NULL
};

static WelkinValue *
describe_plugin (WelkinPlugin *plugin)
{
  const GError *error = welkin_plugin_get_error (plugin);
  const char *const *aliases = welkin_plugin_get_aliases (plugin);
  g_autofree char *joined = NULL;
  WkMapBuilder map;

  if (aliases != NULL && *aliases != NULL)
    joined = g_strjoinv (", ", (char **) aliases);

  wk_map_begin (&map);
  wk_map_add_text (&map, "type", welkin_plugin_get_provider_type (plugin));
  wk_map_add_text (&map, "aliases", joined);
  wk_map_add_text (&map, "summary", welkin_plugin_get_summary (plugin));
  wk_map_add_text (&map, "version", welkin_plugin_get_version (plugin));
  wk_map_add_text (&map, "license", welkin_plugin_get_license (plugin));
  wk_map_add_text (&map, "file", welkin_plugin_get_path (plugin));
  wk_map_add_text (&map, "error", error != NULL ? error->message : NULL);
  return wk_map_end (&map);
}

static gboolean
list_plugins (Cli     *cli,
              GError **error)
{
  g_autoptr(GPtrArray) rows = NULL;
  GListModel *model = G_LIST_MODEL (cli->registry);
  CliFormat format;

  if (!cli_parse_format (option_format, &format, error))
    return FALSE;

  welkin_registry_open_all (cli->registry);
  rows = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_value_unref);
  for (guint i = 0; i < g_list_model_get_n_items (model); i++)
    {
      g_autoptr(WelkinPlugin) plugin = g_list_model_get_item (model, i);

      g_ptr_array_add (rows, describe_plugin (plugin));
    }

  if (rows->len == 0)
    console_say (cli->console, _("There is no provider: look at --plugin-dir and "
                                 "WELKIN_PLUGIN_PATH"));
  return cli_print_list (cli, rows, format, error);
}

static gboolean
check_timed_out_cb (gpointer child)
{
  g_subprocess_force_exit (child);
  return G_SOURCE_REMOVE;
}

/* Runs this program again to open the plugin there, so that one that crashes is a report and
 * not the end of this process. */
static gboolean
check_plugin (Cli     *cli,
              GError **error)
{
  g_autoptr(GStrvBuilder) command = g_strv_builder_new ();
  g_autoptr(GSubprocess) child = NULL;
  g_auto(GStrv) argv = NULL;
  g_autofree char *words = NULL;
  guint deadline;
  gboolean is_done;
  gboolean timed_out;

  g_strv_builder_add (command, "/proc/self/exe");
  for (gsize i = 0; cli->plugin_directories != NULL && cli->plugin_directories[i] != NULL; i++)
    g_strv_builder_add_many (command, "--plugin-dir", cli->plugin_directories[i], NULL);
  g_strv_builder_add_many (command, "providers", "--open", option_check, NULL);
  argv = g_strv_builder_end (command);

  child = g_subprocess_newv ((const char *const *) argv, G_SUBPROCESS_FLAGS_STDERR_PIPE, error);
  if (child == NULL)
    return FALSE;

  deadline = g_timeout_add_seconds (CHECK_SECONDS, check_timed_out_cb, child);
  g_subprocess_communicate_utf8_async (child, NULL, cli->cancellable, cli_done_cb, cli);
  is_done = g_subprocess_communicate_utf8_finish (child, cli_wait (cli), NULL, &words, error);
  timed_out = g_main_context_find_source_by_id (NULL, deadline) == NULL;
  g_subprocess_force_exit (child);
  if (!is_done)
    return FALSE;
  if (timed_out)
    {
      g_set_error (error, WELKIN_PLUGIN_ERROR, WELKIN_PLUGIN_ERROR_CANNOT_OPEN,
                   _("Opening the provider \"%s\" did not end within %d seconds"), option_check,
                   CHECK_SECONDS);
      return FALSE;
    }
  g_source_remove (deadline);
  if (g_subprocess_get_if_signaled (child))
    {
      g_set_error (error, WELKIN_PLUGIN_ERROR, WELKIN_PLUGIN_ERROR_CANNOT_OPEN,
                   _("Opening the provider \"%s\" ended its process with signal %d (%s)"),
                   option_check, g_subprocess_get_term_sig (child),
                   g_strsignal (g_subprocess_get_term_sig (child)));
      return FALSE;
    }
  if (!g_subprocess_get_successful (child))
    {
      const char *text = g_strstrip (words);

      if (g_str_has_prefix (text, "error: "))
        text += strlen ("error: ");
      g_set_error_literal (error, WELKIN_PLUGIN_ERROR, WELKIN_PLUGIN_ERROR_CANNOT_OPEN, text);
      return FALSE;
    }
  console_say (cli->console, _("The provider \"%s\" opens well"), option_check);
  return TRUE;
}

static gboolean
open_plugin (Cli     *cli,
             GError **error)
{
  g_autoptr(WelkinProvider) provider = NULL;

  /* A plugin that hangs hangs here: whoever is tired of it must be able to end it. */
  cli_forget_signals (cli);
  provider = welkin_registry_get_provider (cli->registry, option_open, error);
  return provider != NULL;
}

static gboolean
run_providers (Cli     *cli,
               char   **arguments,
               GError **error)
{
  if (!cli_expect_no_arguments (arguments, error))
    return FALSE;
  if (option_check != NULL && option_format != NULL)
    return cli_usage_error (error, _("--check has no --format"));
  if (option_open != NULL)
    return open_plugin (cli, error);
  if (option_check != NULL)
    return check_plugin (cli, error);
  return list_plugins (cli, error);
}

const CliCommand cli_command_providers = {
  .name = "providers",
  .usage = "",
  .summary = N_("List the providers that there are, or check one"),
  .description = N_("Prints each plugin that was found, in the order of the search, with what it "
                    "says of itself or why it cannot be used."),
  .options = options,
  .run = run_providers,
};
