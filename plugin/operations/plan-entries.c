/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/plan-entries.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "operations/plan.h"
#include "values/welkin-plan-entry.h"

typedef struct
{
  /* inputs */
  WelkinConfig       *config;       /* (owned) */
  WelkinSurroundings *surroundings; /* (owned) (nullable) */
  char               *series;       /* (owned) (nullable) */
  WelkinConstraints  *constraints;  /* (owned) */
  char               *placement;    /* (owned) */

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
       *self->placement != '\0' ? _("the placement names it")
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
  if (self->plan->networks->external_network_id != NULL)
    add (self, "floating-ip", self->plan->networks->external_network_id,
         _("the external network"));
}

static void
add_quota (Listing        *self,
           const OsQuotas *quotas)
{
  gint64 needs[OS_N_QUOTAS];
  g_autofree char *missing = NULL;
  g_autofree char *left = NULL;

  os_plan_count_needs (self->snapshot, self->plan, self->plan->networks, needs);
  missing = os_quotas_list_missing (quotas, needs);
  left = os_quotas_describe_left (quotas, needs);
  if (missing != NULL)
    add (self, "quota", missing, _("there is not enough"));
  else
    add (self, "quota", left != NULL ? left : _("no limit"), _("left behind it"));
}

static void
begin_plan (Listing            *self,
            GCancellable       *cancellable,
            GAsyncReadyCallback callback,
            gpointer            user_data)
{
  static const char *const nobody[] = { NULL };
  OsPlanRequest request = {
    .constraints = self->constraints,
    .series = self->series,
    .placement = self->placement,
    .distribution_group = nobody,
  };

  if (request.series == NULL)
    request.series = welkin_config_get_string (self->config, "default-series");
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
  add_machine (self);
  add_networks (self);

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
  g_free (self->placement);
  welkin_constraints_unref (self->constraints);
  g_free (self->series);
  g_clear_pointer (&self->surroundings, welkin_surroundings_unref);
  welkin_config_unref (self->config);
  g_free (self);
}

void
os_list_plan_async (gpointer            source,
                    WelkinConfig       *config,
                    WelkinSurroundings *surroundings,
                    const char         *series,
                    WelkinConstraints  *constraints,
                    const char         *placement,
                    GCancellable       *cancellable,
                    GAsyncReadyCallback callback,
                    gpointer            user_data)
{
  Listing *self = g_new0 (Listing, 1);

  self->config = welkin_config_ref (config);
  if (surroundings != NULL)
    self->surroundings = welkin_surroundings_ref (surroundings);
  self->series = g_strdup (series);
  self->constraints = welkin_constraints_ref (constraints);
  self->placement = g_strdup (placement);
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
