/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* open-port, close-port and ports. */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/map-builder.h"
#include "cli/machines.h"

static char *option_environment;
static char *option_machine;
static char **option_sources;
static char *option_format;

#define OPTION_ENVIRONMENT \
  { "environment", 'e', 0, G_OPTION_ARG_FILENAME, &option_environment, \
    N_("Which environment (default: see \"welkin switch\")"), N_("NAME") }
#define OPTION_MACHINE \
  { "machine", 'm', 0, G_OPTION_ARG_FILENAME, &option_machine, \
    N_("Which machine, where firewall-mode is \"instance\""), N_("ID") }

static const GOptionEntry change_options[] = {
  OPTION_ENVIRONMENT,
  OPTION_MACHINE,
  { "from", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &option_sources,
    N_("For this network alone; may be repeated (default: everybody)"), N_("CIDR") },
  G_OPTION_ENTRY_NULL
};

static const GOptionEntry list_options[] = {
  OPTION_ENVIRONMENT,
  OPTION_MACHINE,
  { "format", 0, 0, G_OPTION_ARG_FILENAME, &option_format, N_("yaml (default) or json"),
    N_("FORMAT") },
  G_OPTION_ENTRY_NULL
};

static GPtrArray *
read_ranges (char   **arguments,
             GError **error)
{
  g_autoptr(GPtrArray) ranges = NULL;

  ranges = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_port_range_unref);
  for (gsize i = 0; arguments[i] != NULL; i++)
    {
      g_autoptr(GError) local_error = NULL;
      g_autoptr(WelkinPortRange) range = welkin_port_range_new_parsed (arguments[i], &local_error);

      if (range == NULL)
        {
          cli_usage_error (error, "%s", local_error->message);
          return NULL;
        }
      g_ptr_array_add (ranges,
                       welkin_port_range_new (welkin_port_range_get_protocol (range),
                                              welkin_port_range_get_from (range),
                                              welkin_port_range_get_to (range),
                                              (const char *const *) option_sources));
    }
  if (ranges->len > 0)
    return g_steal_pointer (&ranges);

  cli_usage_error (error, _("no ports specified"));
  return NULL;
}

/* The provider knows of no options. Returns FALSE. */
static gboolean
fail (GError **error)
{
  if (option_machine == NULL
      && g_error_matches (*error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED))
    welkin_error_set_hint (*error, _("Where firewall-mode is \"instance\", ports are those of a "
                                     "machine: name it with -m."));
  return FALSE;
}

static gboolean
run_open_port (Cli     *cli,
               char   **arguments,
               GError **error)
{
  g_autoptr(GPtrArray) ranges = read_ranges (arguments, error);
  g_autofree char *name = NULL;

  if (ranges == NULL)
    return FALSE;
  name = cli_choose_environment (cli, option_environment, error);
  if (name == NULL)
    return FALSE;
  welkin_open_ports_async (cli->environments, name, option_machine, ranges, cli->cancellable,
                           cli_done_cb, cli);
  return welkin_open_ports_finish (cli->environments, cli_wait (cli), error) || fail (error);
}

static gboolean
run_close_port (Cli     *cli,
                char   **arguments,
                GError **error)
{
  g_autoptr(GPtrArray) ranges = read_ranges (arguments, error);
  g_autofree char *name = NULL;

  if (ranges == NULL)
    return FALSE;
  name = cli_choose_environment (cli, option_environment, error);
  if (name == NULL)
    return FALSE;
  welkin_close_ports_async (cli->environments, name, option_machine, ranges, cli->cancellable,
                            cli_done_cb, cli);
  return welkin_close_ports_finish (cli->environments, cli_wait (cli), error) || fail (error);
}

/* Without "from", they are open to everybody. */
static WelkinValue *
describe_range (WelkinPortRange *range)
{
  const char *const *sources = welkin_port_range_get_sources (range);
  g_autofree char *ports = welkin_port_range_to_string (range);
  g_autoptr(GPtrArray) items = NULL;
  WkMapBuilder map;

  items = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_value_unref);
  for (gsize i = 0; sources != NULL && sources[i] != NULL; i++)
    g_ptr_array_add (items, welkin_value_new_text (sources[i], FALSE, NULL));

  wk_map_begin (&map);
  wk_map_add_text (&map, "port", ports);
  if (items->len > 0)
    wk_map_take (&map, "from",
                 welkin_value_new_list ((WelkinValue **) items->pdata, items->len, NULL));
  return wk_map_end (&map);
}

static gboolean
run_ports (Cli     *cli,
           char   **arguments,
           GError **error)
{
  g_autoptr(GPtrArray) ranges = NULL;
  g_autoptr(GPtrArray) items = NULL;
  g_autofree char *name = NULL;
  CliFormat format;

  if (!cli_expect_no_arguments (arguments, error)
      || !cli_parse_format (option_format, &format, error))
    return FALSE;
  name = cli_choose_environment (cli, option_environment, error);
  if (name == NULL)
    return FALSE;
  welkin_list_ports_async (cli->environments, name, option_machine, cli->cancellable, cli_done_cb,
                           cli);
  ranges = welkin_list_ports_finish (cli->environments, cli_wait (cli), error);
  if (ranges == NULL)
    return fail (error);

  items = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_value_unref);
  for (guint i = 0; i < ranges->len; i++)
    g_ptr_array_add (items, describe_range (g_ptr_array_index (ranges, i)));
  return cli_print_list (cli, items, format, error);
}

const CliCommand cli_command_open_port = {
  .name = "open-port",
  .usage = "PORT/PROTOCOL…",
  .summary = N_("Let others reach ports of a machine, or of all"),
  .description = N_("Opens ports as in 80/tcp, 8000-8080/udp or icmp: of the machine that -m names "
                    "where firewall-mode is \"instance\", of the whole environment where it is "
                    "\"global\". Ports that are open already are no error."),
  .options = change_options,
  .run = run_open_port,
};

const CliCommand cli_command_close_port = {
  .name = "close-port",
  .usage = "PORT/PROTOCOL…",
  .summary = N_("Close what open-port opened"),
  .description = N_("Closes ports, said as open-port was told them. Ports that are closed already "
                    "are no error."),
  .options = change_options,
  .run = run_close_port,
};

const CliCommand cli_command_ports = {
  .name = "ports",
  .usage = "",
  .summary = N_("Show which ports are open"),
  .description = N_("Asks the cloud which ports of a machine, or of the whole environment, were "
                    "opened, and for whom."),
  .options = list_options,
  .run = run_ports,
};
