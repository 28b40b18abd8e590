/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/plan-entries.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "operations/base-group.h"
#include "operations/ownership.h"
#include "operations/plan.h"
#include "values/welkin-plan-entry.h"

typedef struct
{
  /* inputs */
  WelkinConfig       *config;       /* (owned) */
  WelkinSurroundings *surroundings; /* (owned) (nullable) */
  WelkinStartParams  *params;       /* (owned) */
  guint               n_machines;

  /* while running */
  OsSnapshot         *snapshot;     /* (owned) (nullable) */
  OsPlan             *plan;         /* (owned) (nullable) */
  GPtrArray          *entries;      /* (owned) of WelkinPlanEntry */
} Listing;

static void
add (Listing    *self,
     const char *subject,
     const char *choice,
     const char *reason)
{
  g_ptr_array_add (self->entries, welkin_plan_entry_new (subject, choice, reason));
}

static WelkinMachineConfig *
get_machine (Listing *self)
{
  return welkin_start_params_get_machine_config (self->params);
}

/* What keeps a flavor from being chosen, for who wonders. */
static const char *
get_objection (Listing        *self,
               const OsFlavor *flavor)
{
  WelkinConstraints *constraints = welkin_start_params_get_constraints (self->params);
  const OsImage *image = self->plan->image;

  if (flavor->is_disabled)
    return "it is disabled";
  if ((guint64) flavor->ram < welkin_constraints_get_number (constraints, "mem"))
    return "it has less memory than is wanted";
  if ((guint64) flavor->vcpus < welkin_constraints_get_number (constraints, "cores"))
    return "it has fewer cores than are wanted";
  if (!self->plan->is_on_volume && flavor->disk > 0
      && (guint64) flavor->disk * 1024 < welkin_constraints_get_number (constraints, "root-disk"))
    return "its disk is smaller than is wanted";
  if (flavor->ram < image->min_ram || (flavor->disk > 0 && flavor->disk < image->min_disk))
    return "it is too small for the image";
  return "the chosen one comes first";
}

static void
tell_losers (Listing *self)
{
  for (guint i = 0; i < self->plan->all_flavors->len; i++)
    {
      const OsFlavor *flavor = g_ptr_array_index (self->plan->all_flavors, i);

      if (!g_ptr_array_find (self->plan->flavors, flavor, NULL))
        g_info ("flavor %s is not taken: %s", flavor->name, get_objection (self, flavor));
    }
  for (guint i = 0; i < self->plan->images->images->len; i++)
    {
      const OsImage *image = g_ptr_array_index (self->plan->images->images, i);

      if (image != self->plan->image)
        g_info ("image %s (%s) is not taken: the chosen one comes first", image->name, image->id);
    }
}

static void
add_servers (Listing *self)
{
  g_autofree char *number = NULL;
  g_autofree char *name =
    os_name_server (os_snapshot_get_prefix (self->snapshot),
                    welkin_config_get_string (self->config, "name"),
                    welkin_machine_config_get_machine_id (get_machine (self)));

  number = g_strdup_printf (_("the first of %u"), self->n_machines);
  add (self, "server", name, self->n_machines > 1 ? number : NULL);
}

/* The groups that guard the machines, each of which is made unless it is there. */
static void
add_groups (Listing *self)
{
  const char *mode = welkin_config_get_string (self->config, "firewall-mode");
  const char *prefix = os_snapshot_get_prefix (self->snapshot);
  const char *name = welkin_config_get_string (self->config, "name");
  const char *suffix = NULL;
  g_autoptr(GPtrArray) rules = os_base_group_dup_rules (self->config, "");
  g_autofree char *base = os_name_group (prefix, name, NULL);
  g_autofree char *text = NULL;

  text = g_strdup_printf (g_dngettext (NULL, "%u rule", "%u rules", rules->len), rules->len);
  add (self, "security-group", base, text);
  if (g_str_equal (mode, "global"))
    suffix = "global";
  else if (g_str_equal (mode, "instance"))
    suffix = welkin_machine_config_get_machine_id (get_machine (self));
  if (suffix != NULL)
    {
      g_autofree char *ports = os_name_group (prefix, name, suffix);

      add (self, "security-group", ports, _("for the ports that are opened"));
    }
}

static void
add_machine (Listing *self)
{
  const OsFlavor *flavor = g_ptr_array_index (self->plan->flavors, 0);
  g_autofree char *image =
    g_strdup_printf ("%s (%s)", self->plan->image->name, self->plan->image->id);
  g_autofree char *words = NULL;
  g_autofree char *zones = g_strjoinv (", ", self->plan->zones);

  words = g_strdup_printf (_("%s (cores %" G_GINT64_FORMAT ", memory %" G_GINT64_FORMAT
                             " MiB, disk %" G_GINT64_FORMAT " GiB)"),
                           flavor->name, flavor->vcpus, flavor->ram, flavor->disk);
  add (self, "image", image, self->plan->images->reason);
  add (self, "flavor", words, self->plan->flavor_reason);
  if (self->plan->is_on_volume)
    {
      g_autofree char *volume = g_strdup_printf (_("%" G_GUINT64_FORMAT " GiB"),
                                                 self->plan->volume.gib);

      add (self, "volume", volume, _("\"root-disk-source\" is volume"));
    }
  add (self, "zones", *zones != '\0' ? zones : _("the cloud's choice"),
       *welkin_start_params_get_placement (self->params) != '\0' ? _("the placement names it")
                                : _("those with fewest machines of the environment come first"));
}

/* Where there is no network service, nothing is made for them beforehand. */
static void
add_novas_networks (Listing *self)
{
  const OsNetworkPlan *plan = self->plan->networks;
  const char *pool = plan->external_network_id;

  for (guint i = 0; i < plan->networks->len; i++)
    {
      OsPlannedNetwork *network = g_ptr_array_index (plan->networks, i);
      g_autofree char *text = g_strdup_printf ("%s (%s)", network->name, network->id);

      add (self, "network", text, _("\"network\" names it"));
    }
  if (plan->networks->len == 0)
    add (self, "network", _("the cloud's choice"), _("\"network\" names none"));
  if (pool != NULL)
    add (self, "floating-ip", *pool != '\0' ? pool : _("the cloud's choice"),
         _("the pool that it comes from"));
}

static void
add_floating_ip (Listing *self)
{
  const OsNetworkPlan *plan = self->plan->networks;
  g_autofree char *text = NULL;

  if (plan->external_network_id == NULL)
    return;
  text = g_strdup_printf ("%s (%s)", plan->external_network_name, plan->external_network_id);
  add (self, "floating-ip", text, _("the external network"));
}

static void
add_networks (Listing *self)
{
  GPtrArray *networks = self->plan->networks->networks;

  if (self->plan->networks->is_novas)
    {
      add_novas_networks (self);
      return;
    }
  for (guint i = 0; i < networks->len; i++)
    {
      OsPlannedNetwork *network = g_ptr_array_index (networks, i);
      g_autofree char *text = g_strdup_printf ("%s (%s)", network->name, network->id);

      add (self, "port", text,
           network->has_port_security ? NULL : _("without port security: nothing guards it"));
    }
  add_floating_ip (self);
}

static void
add_quota (Listing        *self,
           const OsQuotas *quotas)
{
  gint64 needs[OS_N_QUOTAS];
  g_autofree char *missing = NULL;
  g_autofree char *left = NULL;

  os_plan_count_needs (self->snapshot, self->plan, self->plan->networks, self->n_machines,
                       welkin_machine_config_is_bootstrap (get_machine (self)), needs);
  missing = os_quotas_list_missing (quotas, needs);
  left = os_quotas_describe_left (quotas, needs);
  if (missing != NULL)
    add (self, "quota", missing, _("there is not enough"));
  else
    add (self, "quota", left != NULL ? left : _("no limit"),
         left != NULL ? _("what is left when it is made") : NULL);
}

static void
begin_plan (Listing            *self,
            GCancellable       *cancellable,
            GAsyncReadyCallback callback,
            gpointer            user_data)
{
  OsPlanRequest request = {
    .constraints = welkin_start_params_get_constraints (self->params),
    .series = welkin_machine_config_get_series (get_machine (self)),
    .images = welkin_start_params_get_images (self->params),
    .placement = welkin_start_params_get_placement (self->params),
    .distribution_group = welkin_start_params_get_distribution_group (self->params),
  };

  os_plan_async (self->snapshot, &request, cancellable, callback, user_data);
}

static void
listing_run (WkFlow  *flow,
             gpointer user_data)
{
  Listing *self = user_data;
  g_autofree OsQuotas *quotas = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  self->snapshot = os_snapshot_new_read_only (self->config, self->surroundings, &error);
  if (self->snapshot == NULL)
    WK_FAIL (flow, &error, NULL);
  WK_AWAIT (flow, begin_plan (self, WK_RESUME (flow)));
  self->plan = os_plan_finish (self->snapshot, WK_RESULT (flow), &error);
  if (self->plan == NULL)
    WK_FAIL (flow, &error, NULL);
  tell_losers (self);
  add_servers (self);
  add_machine (self);
  add_networks (self);
  add_groups (self);
  if (welkin_machine_config_is_bootstrap (get_machine (self)))
    add (self, "container", welkin_config_get_string (self->config, "control-bucket"), NULL);

  WK_AWAIT (flow, os_load_quotas_async (self->snapshot, WK_RESUME (flow)));
  quotas = os_load_quotas_finish (self->snapshot, WK_RESULT (flow), &error);
  /* Some clouds keep that to themselves, and a start does not ask. */
  if (quotas != NULL)
    add_quota (self, quotas);
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    WK_FAIL (flow, &error, NULL);
  else
    add (self, "quota", _("not known"), error->message);
  wk_flow_return_pointer (flow, g_steal_pointer (&self->entries),
                          (GDestroyNotify) g_ptr_array_unref);

  WK_FLOW_END (flow);
}

static void
listing_free (gpointer user_data)
{
  Listing *self = user_data;

  g_clear_pointer (&self->entries, g_ptr_array_unref);
  g_clear_pointer (&self->plan, os_plan_free);
  g_clear_object (&self->snapshot);
  welkin_start_params_unref (self->params);
  g_clear_pointer (&self->surroundings, welkin_surroundings_unref);
  welkin_config_unref (self->config);
  g_free (self);
}

void
os_list_plan_async (gpointer            source,
                    WelkinConfig       *config,
                    WelkinSurroundings *surroundings,
                    WelkinStartParams  *params,
                    guint               n_machines,
                    GCancellable       *cancellable,
                    GAsyncReadyCallback callback,
                    gpointer            user_data)
{
  Listing *self = g_new0 (Listing, 1);

  self->config = welkin_config_ref (config);
  if (surroundings != NULL)
    self->surroundings = welkin_surroundings_ref (surroundings);
  self->params = welkin_start_params_ref (params);
  self->n_machines = n_machines;
  self->entries = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_plan_entry_unref);
  wk_flow_start (source, cancellable, callback, user_data, os_list_plan_async, listing_run, self,
                 listing_free);
}

GPtrArray *
os_list_plan_finish (gpointer      source,
                     GAsyncResult *result,
                     GError      **error)
{
  return wk_flow_finish_pointer (result, source, os_list_plan_async, error);
}
