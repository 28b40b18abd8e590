/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What is told of machines: what is remembered of each, beside what the cloud says of it. */

#include "config.h"

#include "cli/machines.h"

#include <glib/gi18n-lib.h>

#include "base/map-builder.h"

/* What is empty is not told. */
static void
add_text (WkMapBuilder *map,
          const char   *key,
          const char   *text)
{
  if (text != NULL && *text != '\0')
    wk_map_add_text (map, key, text);
}

static void
add_list (WkMapBuilder *map,
          const char   *key,
          WelkinValue  *list)
{
  if (list != NULL && welkin_value_get_length (list) > 0)
    wk_map_take (map, key, welkin_value_ref (list));
}

static const char *
record_text (WelkinValue *record,
             const char  *key)
{
  WelkinValue *value = welkin_value_lookup (record, key);

  return value != NULL ? welkin_value_get_text (value) : NULL;
}

static int
compare_addresses (gconstpointer a,
                   gconstpointer b)
{
  return welkin_address_compare (*(WelkinAddress *const *) a, *(WelkinAddress *const *) b);
}

static WelkinValue *
list_addresses (GPtrArray *addresses)
{
  g_autoptr(GPtrArray) sorted = g_ptr_array_new ();
  g_autoptr(GPtrArray) items = NULL;

  g_ptr_array_extend (sorted, addresses, NULL, NULL);
  g_ptr_array_sort (sorted, compare_addresses);
  items = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_value_unref);
  for (guint i = 0; i < sorted->len; i++)
    {
      g_autofree char *text = welkin_address_to_string (g_ptr_array_index (sorted, i));

      g_ptr_array_add (items, welkin_value_new_text (text, FALSE, NULL));
    }
  return welkin_value_new_list ((WelkinValue **) items->pdata, items->len, NULL);
}

static void
add_instance (WkMapBuilder   *map,
              WelkinInstance *instance)
{
  GPtrArray *addresses = welkin_instance_get_addresses (instance);
  g_autofree char *name = welkin_instance_get_dns_name (instance, NULL);

  add_text (map, "instance-state", welkin_instance_get_status (instance));
  add_text (map, "instance-state-info", welkin_instance_get_status_message (instance));
  add_text (map, "dns-name", name);
  if (addresses->len > 0)
    wk_map_take (map, "addresses", list_addresses (addresses));
}

/* A start that has neither ended nor failed is under way, or was cut off. */
static const char *
describe_state (const char  *id,
                WelkinValue *record)
{
  const char *text = record_text (record, "status-info");
  const char *status = record_text (record, "status");
  const char *set_up = record_text (record, "set-up");

  if (g_strcmp0 (set_up, "failed") == 0)
    return _("its bootstrap failed, and it was kept");
  if (set_up != NULL)
    return _("its set-up has not ended: if nothing is at work on it, \"welkin bootstrap\" goes on "
             "with it");
  if (text != NULL || record_text (record, "instance-id") != NULL)
    return text;
  if (g_str_equal (id, "0"))
    return g_strcmp0 (status, "provisioning") == 0
             ? _("the start has not ended: if nothing is at work on it, \"welkin bootstrap\" goes "
                 "on with it")
             : NULL;
  if (g_strcmp0 (status, "pending") == 0 || g_strcmp0 (status, "provisioning") == 0)
    return _("it is not started: if nothing is at work on it, \"welkin provision --once\" starts "
             "it");
  return NULL;
}

/* report: nullable, when the machine has not reported yet */
static void
add_report (WkMapBuilder *map,
            WelkinValue  *report,
            gboolean      is_missing)
{
  if (is_missing)
    add_text (map, "agent-state", "down");
  else if (report != NULL)
    add_text (map, "agent-state", record_text (report, "status"));
  else
    {
      add_text (map, "agent-state", "pending");
      add_text (map, "agent-state-info", _("its agent has not reported yet"));
    }
  if (report != NULL)
    add_text (map, "agent-version", record_text (report, "version"));
}

/* instances, reports: nullable, when the cloud or the agent could not be asked */
static WelkinValue *
describe_machine (const char      *machine_id,
                  WelkinValue     *record,
                  WelkinInstances *instances,
                  WelkinValue     *reports)
{
  const char *id = record_text (record, "instance-id");
  const char *life = record_text (record, "life");
  gboolean is_asked = id != NULL && instances != NULL;
  WelkinInstance *instance = is_asked ? welkin_instances_lookup (instances, id) : NULL;
  gboolean is_missing = is_asked && instance == NULL;
  WkMapBuilder map;

  wk_map_begin (&map);
  /* What was started goes on to report; of the others the records tell more. */
  if (reports != NULL && g_strcmp0 (record_text (record, "status"), "started") == 0)
    add_report (&map, welkin_value_lookup (reports, machine_id), is_missing);
  else
    {
      add_text (&map, "agent-state", record_text (record, "status"));
      add_text (&map, "agent-state-info", describe_state (machine_id, record));
    }
  add_text (&map, "instance-id", id);
  if (instance != NULL)
    add_instance (&map, instance);
  else if (is_missing)
    add_text (&map, "instance-state", "missing");
  if (g_strcmp0 (life, "alive") != 0)
    add_text (&map, "life", life);
  add_text (&map, "series", record_text (record, "series"));
  add_text (&map, "hardware", record_text (record, "hardware"));
  add_text (&map, "availability-zone", record_text (record, "availability-zone"));
  add_list (&map, "opened-ports", welkin_value_lookup (record, "opened-ports"));
  return wk_map_end (&map);
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

WelkinInstances *
cli_ask_for_instances (Cli        *cli,
                       WelkinInfo *info,
                       GError    **error)
{
  const char *name = welkin_info_get_name (info);
  g_autoptr(WelkinEnviron) environment = NULL;
  g_auto(GStrv) ids = collect_instance_ids (welkin_info_lookup (info, "machines"));

  environment = welkin_environments_open (cli->environments, name, error);
  if (environment == NULL)
    return NULL;

  welkin_environ_find_instances_async (environment, (const char *const *) ids, cli->cancellable,
                                       cli_done_cb, cli);
  return welkin_environ_find_instances_finish (environment, cli_wait (cli), error);
}

WelkinValue *
cli_ask_for_reports (Cli        *cli,
                     WelkinInfo *info,
                     GError    **error)
{
  g_autoptr(GError) local_error = NULL;
  WelkinValue *reports;

  welkin_find_reports_async (info, cli->cancellable, cli_done_cb, cli);
  reports = welkin_find_reports_finish (info, cli_wait (cli), &local_error);
  if (g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_propagate_error (error, g_steal_pointer (&local_error));
  else if (reports == NULL
           && !g_error_matches (local_error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED))
    console_say (cli->console, _("The agent does not answer, and agent-state is what is "
                                 "remembered: %s"), local_error->message);
  return reports;
}

/* Ids are numbers; a mapping keeps the order in which it was written. */
static int
compare_ids (gconstpointer a,
             gconstpointer b)
{
  guint64 left = g_ascii_strtoull (*(const char *const *) a, NULL, 10);
  guint64 right = g_ascii_strtoull (*(const char *const *) b, NULL, 10);

  return (left > right) - (left < right);
}

WelkinValue *
cli_describe_machines (WelkinInfo         *info,
                       const char *const  *ids,
                       WelkinInstances    *instances,
                       WelkinValue        *reports)
{
  WelkinValue *machines = welkin_info_lookup (info, "machines");
  g_autoptr(GPtrArray) keys = g_ptr_array_new ();
  WkMapBuilder map;

  for (guint i = 0; machines != NULL && i < welkin_value_get_length (machines); i++)
    {
      const char *id = welkin_value_get_key (machines, i);

      if (ids == NULL || g_strv_contains (ids, id))
        g_ptr_array_add (keys, (gpointer) id);
    }
  g_ptr_array_sort (keys, compare_ids);

  wk_map_begin (&map);
  for (guint i = 0; i < keys->len; i++)
    wk_map_take (&map, keys->pdata[i],
                 describe_machine (keys->pdata[i], welkin_value_lookup (machines, keys->pdata[i]),
                                   instances, reports));
  return wk_map_end (&map);
}

WelkinInfo *
cli_load_info (Cli        *cli,
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

gboolean
cli_provision (Cli        *cli,
               const char *name,
               int         n_parallel,
               GError    **error)
{
  g_autoptr(WelkinProgress) progress = welkin_progress_new ();
  gboolean is_done;

  console_watch_progress (cli->console, progress);
  welkin_provision_async (cli->environments, name, (guint) n_parallel, progress, cli->cancellable,
                          cli_done_cb, cli);
  is_done = welkin_provision_finish (cli->environments, cli_wait (cli), error);
  console_watch_progress (cli->console, NULL);
  return is_done;
}

WelkinConstraints *
cli_read_constraints (char   **words,
                      GError **error)
{
  g_autoptr(GError) local_error = NULL;
  WelkinConstraints *constraints;

  if (words == NULL)
    return welkin_constraints_new ();

  constraints = welkin_constraints_new_parsed_words ((const char *const *) words, &local_error);
  if (constraints == NULL)
    cli_usage_error (error, "%s", local_error->message);
  return constraints;
}

gboolean
cli_check_positive (const char *option,
                    int         value,
                    GError    **error)
{
  if (value > 0)
    return TRUE;
  return cli_usage_error (error, _("invalid value \"%d\" for flag %s: %s"), value, option,
                          _("expected a number from 1"));
}

/* What is said of one machine may have lines of its own. */
static void
add_failure (GString    *failed,
             const char *id,
             const char *reason)
{
  g_auto(GStrv) lines = g_strsplit (reason, "\n", -1);
  g_autofree char *indented = g_strjoinv ("\n    ", lines);

  g_string_append_printf (failed, "\n  %s: %s", id, indented);
}

gboolean
cli_check_started (WelkinInfo        *info,
                   const char *const *ids,
                   GError           **error)
{
  WelkinValue *machines = welkin_info_lookup (info, "machines");
  g_autoptr(GString) failed = g_string_new (NULL);

  for (guint i = 0; machines != NULL && i < welkin_value_get_length (machines); i++)
    {
      const char *id = welkin_value_get_key (machines, i);
      WelkinValue *record = welkin_value_get_item (machines, i);
      const char *reason = record_text (record, "status-info");

      if ((ids != NULL ? !g_strv_contains (ids, id) : g_str_equal (id, "0"))
          || g_strcmp0 (record_text (record, "life"), "alive") != 0
          || record_text (record, "instance-id") != NULL)
        continue;
      add_failure (failed, id, reason != NULL ? reason : record_text (record, "status"));
    }
  if (failed->len == 0)
    return TRUE;

  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_FAILED, _("these machines are not started:%s"),
               failed->str);
  return FALSE;
}
