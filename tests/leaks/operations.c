/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations.h"

static gboolean
bootstrap (World   *world,
           GError **error)
{
  g_autoptr(WelkinBootstrapOptions) defaults = welkin_bootstrap_options_new ();
  g_autoptr(WelkinBootstrapOptions) options = NULL;
  WelkinEnvironments *environments = world_get_environments (world);
  g_autoptr(WelkinEnviron) environment = NULL;

  options = welkin_bootstrap_options_with_until (defaults, WELKIN_STAGE_ACTIVE);
  welkin_bootstrap_async (environments, WORLD_NAME, options, NULL, world_get_cancellable (world),
                          world_done_cb, world);
  environment = welkin_bootstrap_finish (environments, world_wait (world), error);
  if (environment == NULL)
    return FALSE;
  world_share_authority (world, welkin_environ_get_config (environment));
  return TRUE;
}

static WelkinValue *
lookup_machine (WelkinInfo *info,
                const char *machine_id)
{
  WelkinValue *machines = info != NULL ? welkin_info_lookup (info, "machines") : NULL;

  return machines != NULL ? welkin_value_lookup (machines, machine_id) : NULL;
}

/* What the record says of a machine that does not run. */
static gboolean
check_machine (World       *world,
               const char  *machine_id,
               gboolean     is_wanted,
               GError     **error)
{
  g_autoptr(WelkinInfo) info = world_load_info (world);
  WelkinValue *record = lookup_machine (info, machine_id);
  WelkinValue *id = record != NULL ? welkin_value_lookup (record, "instance-id") : NULL;
  WelkinValue *reason = record != NULL ? welkin_value_lookup (record, "status-info") : NULL;

  if (is_wanted ? id != NULL : record == NULL)
    return TRUE;
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_FAILED, "machine %s: %s", machine_id,
               reason != NULL ? welkin_value_get_text (reason) : "no reason is given");
  return FALSE;
}

static gboolean
destroy_environment (World   *world,
                     GError **error)
{
  WelkinEnvironments *environments = world_get_environments (world);

  welkin_destroy_async (environments, WORLD_NAME, NULL, world_get_cancellable (world),
                        world_done_cb, world);
  return welkin_destroy_finish (environments, world_wait (world), error);
}

/* One that was cut off is gone on with, and one that had just ended says so. */
static gboolean
bootstrap_again (World   *world,
                 GError **error)
{
  g_autoptr(GError) local_error = NULL;

  if (bootstrap (world, &local_error)
      || (g_error_matches (local_error, WELKIN_ERROR, WELKIN_ERROR_ALREADY_BOOTSTRAPPED)
          && check_machine (world, "0", TRUE, NULL)))
    return check_machine (world, "0", TRUE, error);
  g_propagate_error (error, g_steal_pointer (&local_error));
  return FALSE;
}

static gboolean
provision (World   *world,
           GError **error)
{
  WelkinEnvironments *environments = world_get_environments (world);

  welkin_provision_async (environments, WORLD_NAME, 1, NULL, world_get_cancellable (world),
                          world_done_cb, world);
  return welkin_provision_finish (environments, world_wait (world), error);
}

static gboolean
add_machine (World   *world,
             GError **error)
{
  WelkinEnvironments *environments = world_get_environments (world);
  g_auto(GStrv) ids = NULL;

  welkin_add_machines_async (environments, WORLD_NAME, 1, NULL, NULL, NULL,
                             world_get_cancellable (world), world_done_cb, world);
  ids = welkin_add_machines_finish (environments, world_wait (world), error);
  return ids != NULL && provision (world, error) && check_machine (world, "1", TRUE, error);
}

/* Of a machine that is not even in the records nothing is to be done. */
static gboolean
go_on_adding (World   *world,
              GError **error)
{
  g_autoptr(WelkinInfo) info = world_load_info (world);

  if (lookup_machine (info, "1") == NULL)
    return add_machine (world, error);
  return provision (world, error) && check_machine (world, "1", TRUE, error);
}

static gboolean
prepare_machine (World   *world,
                 GError **error)
{
  return bootstrap (world, error) && add_machine (world, error);
}

static gboolean
destroy_machine (World   *world,
                 GError **error)
{
  static const char *const ids[] = { "1", NULL };
  WelkinEnvironments *environments = world_get_environments (world);

  welkin_remove_machines_async (environments, WORLD_NAME, ids, WELKIN_REMOVE_NONE,
                                world_get_cancellable (world), world_done_cb, world);
  return welkin_remove_machines_finish (environments, world_wait (world), error)
         && provision (world, error) && check_machine (world, "1", FALSE, error);
}

static gboolean
go_on_destroying (World   *world,
                  GError **error)
{
  g_autoptr(WelkinInfo) info = world_load_info (world);

  return lookup_machine (info, "1") != NULL ? destroy_machine (world, error)
                                            : provision (world, error);
}

/* Of the first machine, or of all where the firewall is for all. */
static gboolean
change_ports (World   *world,
              gboolean is_opening,
              GError **error)
{
  WelkinEnvironments *environments = world_get_environments (world);
  g_autoptr(WelkinEnviron) environment =
    welkin_environments_open (environments, WORLD_NAME, error);
  g_autoptr(GPtrArray) ranges =
    g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_port_range_unref);
  const char *mode, *machine_id;

  if (environment == NULL)
    return FALSE;
  mode = welkin_config_get_string (welkin_environ_get_config (environment), "firewall-mode");
  machine_id = g_strcmp0 (mode, "global") == 0 ? NULL : "0";
  g_ptr_array_add (ranges, welkin_port_range_new_parsed ("80/tcp", NULL));
  g_ptr_array_add (ranges, welkin_port_range_new_parsed ("8000-8080/udp", NULL));

  if (is_opening)
    {
      welkin_open_ports_async (environments, WORLD_NAME, machine_id, ranges,
                               world_get_cancellable (world), world_done_cb, world);
      return welkin_open_ports_finish (environments, world_wait (world), error);
    }
  welkin_close_ports_async (environments, WORLD_NAME, machine_id, ranges,
                            world_get_cancellable (world), world_done_cb, world);
  return welkin_close_ports_finish (environments, world_wait (world), error);
}

static gboolean
open_ports (World   *world,
            GError **error)
{
  return change_ports (world, TRUE, error);
}

static gboolean
close_ports (World   *world,
             GError **error)
{
  return change_ports (world, FALSE, error);
}

static gboolean
prepare_ports (World   *world,
               GError **error)
{
  return bootstrap (world, error) && open_ports (world, error);
}

static gboolean
prepare_all (World   *world,
             GError **error)
{
  return prepare_machine (world, error) && open_ports (world, error);
}

gboolean
operation_destroy_all (World   *world,
                       GError **error)
{
  g_autoptr(WelkinInfo) info = world_load_info (world);

  return info == NULL || destroy_environment (world, error);
}

const Operation operations[] = {
  { "bootstrap", NULL, bootstrap, bootstrap_again, operation_destroy_all, { "bootstrap" } },
  { "add-machine", bootstrap, add_machine, go_on_adding, destroy_machine, { "add-machine" } },
  { "destroy-machine", prepare_machine, destroy_machine, go_on_destroying, NULL,
    { "destroy-machine", "1" } },
  { "open-port", bootstrap, open_ports, open_ports, NULL,
    { "open-port", "-m", "0", "80/tcp", "8000-8080/udp" },
    { "open-port", "80/tcp", "8000-8080/udp" } },
  { "close-port", prepare_ports, close_ports, close_ports, NULL,
    { "close-port", "-m", "0", "80/tcp", "8000-8080/udp" },
    { "close-port", "80/tcp", "8000-8080/udp" } },
  { "destroy-environment", prepare_all, destroy_environment, operation_destroy_all, NULL,
    { "destroy-environment", WORLD_NAME, "-y", "--force" } },
};

const guint n_operations = G_N_ELEMENTS (operations);
