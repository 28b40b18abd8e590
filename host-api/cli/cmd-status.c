/* SPDX-License-Identifier: LGPL-2.1-or-later */

/*
 * status: what is remembered of an environment's machines, beside what the cloud says of
 * them. When the cloud cannot be asked, what is remembered is printed all the same.
 */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "cli/cli.h"

static char *option_environment;
static char *option_format;
static char *option_output;

static const GOptionEntry options[] = {
  { "environment", 'e', 0, G_OPTION_ARG_FILENAME, &option_environment,
    N_("Which environment (default: see \"welkin switch\")"), N_("NAME") },
  { "format", 0, 0, G_OPTION_ARG_FILENAME, &option_format, N_("yaml (default) or json"),
    N_("FORMAT") },
  { "output", 'o', 0, G_OPTION_ARG_FILENAME, &option_output, N_("Write to FILE"), N_("FILE") },
  G_OPTION_ENTRY_NULL
};

/* A mapping while it is put together. */
typedef struct
{
  GPtrArray *keys;
  GPtrArray *values;
} MapBuilder;

static void
map_begin (MapBuilder *map)
{
  map->keys = g_ptr_array_new_with_free_func (g_free);
  map->values = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_value_unref);
}

/* Takes the value. */
static void
map_add (MapBuilder  *map,
         const char  *key,
         WelkinValue *value)
{
  g_ptr_array_add (map->keys, g_strdup (key));
  g_ptr_array_add (map->values, value);
}

static void
map_add_text (MapBuilder *map,
              const char *key,
              const char *text)
{
  if (text != NULL && *text != '\0')
    map_add (map, key, welkin_value_new_text (text, FALSE, NULL));
}

static WelkinValue *
map_end (MapBuilder *map)
{
  WelkinValue *value;

  value = welkin_value_new_map ((const char *const *) map->keys->pdata,
                                (WelkinValue **) map->values->pdata, map->values->len, NULL);
  g_ptr_array_unref (map->keys);
  g_ptr_array_unref (map->values);
  return value;
}

static const char *
record_text (WelkinValue *record,
             const char  *key)
{
  WelkinValue *value = welkin_value_lookup (record, key);

  return value != NULL ? welkin_value_get_text (value) : NULL;
}

static WelkinValue *
list_addresses (GPtrArray *addresses)
{
  g_autoptr(GPtrArray) items = NULL;

  items = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_value_unref);
  for (guint i = 0; i < addresses->len; i++)
    {
      g_autofree char *text = welkin_address_to_string (g_ptr_array_index (addresses, i));

      g_ptr_array_add (items, welkin_value_new_text (text, FALSE, NULL));
    }
  return welkin_value_new_list ((WelkinValue **) items->pdata, items->len, NULL);
}

static void
add_instance (MapBuilder     *map,
              WelkinInstance *instance)
{
  GPtrArray *addresses = welkin_instance_get_addresses (instance);
  g_autofree char *name = welkin_instance_get_dns_name (instance, NULL);

  map_add_text (map, "instance-state", welkin_instance_get_status (instance));
  map_add_text (map, "instance-state-info", welkin_instance_get_status_message (instance));
  map_add_text (map, "dns-name", name);
  if (addresses->len > 0)
    map_add (map, "addresses", list_addresses (addresses));
}

/* A start that has neither ended nor failed is under way, or was cut off. */
static const char *
describe_state (WelkinValue *record)
{
  const char *text = record_text (record, "status-info");

  if (text == NULL && record_text (record, "instance-id") == NULL
      && g_strcmp0 (record_text (record, "status"), "provisioning") == 0)
    return _("the start has not ended: if nothing is at work on it, \"welkin destroy-environment\" "
             "removes what there is");
  return text;
}

/* instances: nullable, when the cloud could not be asked */
static WelkinValue *
describe_machine (WelkinValue     *record,
                  WelkinInstances *instances)
{
  const char *id = record_text (record, "instance-id");
  const char *life = record_text (record, "life");
  MapBuilder map;

  map_begin (&map);
  map_add_text (&map, "agent-state", record_text (record, "status"));
  map_add_text (&map, "agent-state-info", describe_state (record));
  map_add_text (&map, "instance-id", id);
  if (id != NULL && instances != NULL)
    {
      WelkinInstance *instance = welkin_instances_lookup (instances, id);

      if (instance != NULL)
        add_instance (&map, instance);
      else
        map_add_text (&map, "instance-state", "missing");
    }
  if (g_strcmp0 (life, "alive") != 0)
    map_add_text (&map, "life", life);
  map_add_text (&map, "series", record_text (record, "series"));
  map_add_text (&map, "hardware", record_text (record, "hardware"));
  map_add_text (&map, "availability-zone", record_text (record, "availability-zone"));
  return map_end (&map);
}

static char **
collect_instance_ids (WelkinValue *machines)
{
  g_autoptr(GStrvBuilder) ids = g_strv_builder_new ();

  for (guint i = 0; machines != NULL && i < welkin_value_get_length (machines); i++)
    {
      const char *id = record_text (welkin_value_get_item (machines, i), "instance-id");

      if (id != NULL)
        g_strv_builder_add (ids, id);
    }
  return g_strv_builder_end (ids);
}

static WelkinInstances *
ask_cloud (Cli         *cli,
           const char  *name,
           WelkinValue *machines,
           GError     **error)
{
  g_autoptr(WelkinEnviron) environment = NULL;
  g_auto(GStrv) ids = collect_instance_ids (machines);

  environment = welkin_environments_open (cli->environments, name, error);
  if (environment == NULL)
    return NULL;

  welkin_environ_find_instances_async (environment, (const char *const *) ids, cli->cancellable,
                                       cli_done_cb, cli);
  return welkin_environ_find_instances_finish (environment, cli_wait (cli), error);
}

static WelkinValue *
describe_environment (const char      *name,
                      WelkinValue     *machines,
                      WelkinInstances *instances)
{
  MapBuilder map;
  MapBuilder rows;

  map_begin (&map);
  map_add_text (&map, "environment", name);
  map_begin (&rows);
  for (guint i = 0; machines != NULL && i < welkin_value_get_length (machines); i++)
    map_add (&rows, welkin_value_get_key (machines, i),
             describe_machine (welkin_value_get_item (machines, i), instances));
  map_add (&map, "machines", map_end (&rows));
  return map_end (&map);
}

static WelkinInfo *
load_info (Cli        *cli,
           const char *name,
           GError    **error)
{
  WelkinSurroundings *surroundings;
  WelkinInfo *info;
  g_autoptr(WelkinEnviron) environment = NULL;
  g_autoptr(GError) local_error = NULL;

  surroundings = welkin_environments_get_surroundings (cli->environments);
  info = welkin_info_load (surroundings, name, &local_error);
  if (info != NULL)
    return info;

  /* Whether there is no such environment or it is only not bootstrapped, opening it tells. */
  if (g_error_matches (local_error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND))
    environment = welkin_environments_open (cli->environments, name, error);
  else
    g_propagate_error (error, g_steal_pointer (&local_error));
  return NULL;
}

static gboolean
run_status (Cli     *cli,
            char   **arguments,
            GError **error)
{
  g_autoptr(WelkinInfo) info = NULL;
  g_autoptr(WelkinInstances) instances = NULL;
  g_autoptr(WelkinValue) value = NULL;
  g_autoptr(GError) cloud_error = NULL;
  g_autofree char *name = NULL;
  WelkinValue *machines;
  CliFormat format;

  if (!cli_expect_no_arguments (arguments, error)
      || !cli_parse_format (option_format, &format, error))
    return FALSE;
  if (option_output != NULL && *option_output == '\0')
    return cli_usage_error (error, _("the name of the output file is empty"));
  name = cli_choose_environment (cli, option_environment, error);
  if (name == NULL)
    return FALSE;
  info = load_info (cli, name, error);
  if (info == NULL)
    return FALSE;

  machines = welkin_info_lookup (info, "machines");
  instances = ask_cloud (cli, name, machines, &cloud_error);
  value = describe_environment (name, machines, instances);
  if (!cli_print_value (cli, value, format, option_output, error))
    return FALSE;

  if (cloud_error == NULL)
    return TRUE;
  g_propagate_prefixed_error (error, g_steal_pointer (&cloud_error), "%s: ",
                              _("Cannot ask the cloud"));
  return FALSE;
}

static const char *const aliases[] = { "stat", NULL };

const CliCommand cli_command_status = {
  .name = "status",
  .aliases = aliases,
  .usage = "",
  .summary = N_("Show the machines of an environment"),
  .description = N_("Prints what is remembered of each machine beside what the cloud says of it. "
                    "When the cloud cannot be asked, what is remembered is printed all the same, "
                    "and the exit status is 1."),
  .options = options,
  .run = run_status,
};
