/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/plan.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "base/join.h"
#include "operations/base-group.h"
#include "operations/choose-flavor.h"
#include "operations/choose-zone.h"
#include "values/welkin-error.h"

/* Neutron puts these into each new group. */
#define EGRESS_RULES 2

typedef struct
{
  /* inputs */
  OsSnapshot        *snapshot;           /* (owned) */
  WelkinConstraints *constraints;        /* (owned) */
  char              *series;             /* (owned) */
  GPtrArray         *known_images;       /* (owned) (nullable) */
  char              *placement;          /* (owned) */
  char             **distribution_group; /* (owned) */
  gboolean           lacks_networks;
  char              *start_id;           /* (owned) (nullable) */

  /* while running */
  WkJoin            *join;               /* (owned) (nullable) */
  GPtrArray         *zones;              /* (owned) (nullable) of OsZone */

  OsPlan            *plan;               /* (owned) */
} Planning;

void
os_plan_free (OsPlan *self)
{
  g_clear_pointer (&self->claim, os_zone_claim_free);
  g_clear_pointer (&self->networks, os_network_plan_free);
  g_clear_pointer (&self->images, os_found_images_free);
  g_clear_pointer (&self->flavors, g_ptr_array_unref);
  g_clear_pointer (&self->all_flavors, g_ptr_array_unref);
  g_strfreev (self->zones);
  g_free (self);
}

/* The questions. */

static void
flavors_listed_cb (GObject      *source,
                   GAsyncResult *result,
                   gpointer      user_data)
{
  Planning *self = user_data;
  OsCompute *compute = os_snapshot_get_compute (self->snapshot);
  GError *error = NULL;

  self->plan->all_flavors = os_compute_list_flavors_finish (compute, result, &error);
  wk_join_end_with_context (self->join, error, _("cannot list flavors"));
}

static void
images_found_cb (GObject      *source,
                 GAsyncResult *result,
                 gpointer      user_data)
{
  Planning *self = user_data;
  GError *error = NULL;

  self->plan->images = os_find_images_finish (self->snapshot, result, &error);
  wk_join_end (self->join, error);
}

static void
networks_planned_cb (GObject      *source,
                     GAsyncResult *result,
                     gpointer      user_data)
{
  Planning *self = user_data;
  GError *error = NULL;

  self->plan->networks = os_plan_networks_finish (self->snapshot, result, &error);
  wk_join_end (self->join, error);
}

/* Not every cloud has zones, or shows them. */
static void
zones_listed_cb (GObject      *source,
                 GAsyncResult *result,
                 gpointer      user_data)
{
  Planning *self = user_data;
  OsCompute *compute = os_snapshot_get_compute (self->snapshot);
  GError *error = NULL;

  self->zones = os_compute_list_zones_finish (compute, result, &error);
  if (g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED))
    g_clear_error (&error);
  wk_join_end_with_context (self->join, error, _("cannot list availability zones"));
}

static void
tally_loaded_cb (GObject      *source,
                 GAsyncResult *result,
                 gpointer      user_data)
{
  Planning *self = user_data;
  OsZoneTally *tally = os_snapshot_get_zone_tally (self->snapshot);
  GError *error = NULL;

  os_zone_tally_load_finish (tally, result, &error);
  wk_join_end_with_context (self->join, error, _("cannot list servers"));
}

static void
groups_prepared_cb (GObject      *source,
                    GAsyncResult *result,
                    gpointer      user_data)
{
  Planning *self = user_data;
  OsSharedGroups *groups = os_snapshot_get_shared_groups (self->snapshot);
  GError *error = NULL;

  os_shared_groups_prepare_finish (groups, result, &error);
  wk_join_end_with_context (self->join, error, _("cannot list security groups"));
}

static void
begin_questions (Planning *self)
{
  OsCompute *compute = os_snapshot_get_compute (self->snapshot);

  os_compute_list_flavors_async (compute, wk_join_begin (self->join), flavors_listed_cb, self);
  os_find_images_async (self->snapshot, self->constraints, self->series, self->known_images,
                        wk_join_begin (self->join), images_found_cb, self);
  if (!self->lacks_networks)
    {
      os_plan_networks_async (self->snapshot, self->constraints, wk_join_begin (self->join),
                              networks_planned_cb, self);
      os_shared_groups_prepare_async (os_snapshot_get_shared_groups (self->snapshot),
                                      wk_join_begin (self->join), groups_prepared_cb, self);
    }
  os_compute_list_zones_async (compute, wk_join_begin (self->join), zones_listed_cb, self);
  if (*self->placement == '\0')
    os_zone_tally_load_async (os_snapshot_get_zone_tally (self->snapshot),
                              wk_join_begin (self->join), tally_loaded_cb, self);
}

/* The decisions. */

static gboolean
decide_root_disk (Planning *self,
                  GError  **error)
{
  self->plan->is_on_volume =
    os_wants_root_volume (os_snapshot_get_config (self->snapshot), self->constraints);
  if (!self->plan->is_on_volume
      || os_block_storage_exists (os_snapshot_get_block_storage (self->snapshot)))
    return TRUE;
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED,
               _("%s has no block storage, so that no machine can boot from a volume"),
               os_snapshot_get_region_name (self->snapshot));
  if (error != NULL)
    welkin_error_set_hint (*error, _("Leave out \"root-disk-source=volume\"."));
  return FALSE;
}

/* Which type of volume it is to be, nova can be told only since some time. */
static gboolean
wants_volume_type (Planning *self)
{
  WelkinConfig *config = os_snapshot_get_config (self->snapshot);

  return self->plan->is_on_volume
         && *welkin_config_get_string (config, "root-disk-volume-type") != '\0';
}

static void
refuse_volume_type (Planning *self,
                    GError  **error)
{
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED,
               _("the compute service of %s takes no type of volume to boot from, which needs its "
                 "API version %s"),
               os_snapshot_get_region_name (self->snapshot), OS_COMPUTE_VOLUME_TYPES);
  welkin_error_set_hint (*error, _("Leave out \"root-disk-volume-type\"."));
}

static gboolean
decide_flavor (Planning *self,
               GError  **error)
{
  WelkinConfig *config = os_snapshot_get_config (self->snapshot);
  g_autofree const char **arches = os_list_wanted_arches (self->constraints);
  const char *flavor = welkin_config_get_string (config, "flavor");
  OsOffer offer = {
    .flavors = self->plan->all_flavors,
    .images = self->plan->images->images,
    .constraints = self->constraints,
    .is_on_volume = self->plan->is_on_volume,
    .default_flavor = flavor,
    .region = os_snapshot_get_region_name (self->snapshot),
    .series = self->series,
    .arches = arches,
  };

  if (*flavor == '\0')
    offer.default_flavor = welkin_config_get_string (config, "default-instance-type");
  if (!os_choose_flavor (&offer, &self->plan->flavors, &self->plan->image, error))
    return FALSE;
  self->plan->flavor_reason = os_offer_get_wanted_flavor (&offer) != NULL
                                ? _("which is asked for by its name")
                                : _("the smallest that will do");
  os_describe_root_volume (config, self->constraints, self->plan->image, &self->plan->volume);
  return TRUE;
}

/* The claim is made together with the choice: what starts beside this one goes elsewhere. */
static gboolean
decide_zones (Planning *self,
              GError  **error)
{
  const char *const *group = (const char *const *) self->distribution_group;
  OsZoneTally *tally = os_snapshot_get_zone_tally (self->snapshot);
  g_auto(GStrv) configured =
    welkin_config_get_strings (os_snapshot_get_config (self->snapshot), "availability-zones");
  g_autoptr(GHashTable) populations = os_zone_tally_count (tally, group);
  OsZoneWishes wishes = {
    .zones = self->zones,
    .placement = self->placement,
    .configured = (const char *const *) configured,
    .constrained = welkin_constraints_get_list (self->constraints, "zones"),
    .populations = populations,
  };

  self->plan->zones = os_choose_zones (&wishes, error);
  if (self->plan->zones == NULL)
    return FALSE;
  if (self->zones == NULL && *configured != NULL)
    os_snapshot_notice (self->snapshot, _("this cloud shows no availability zones: "
                                          "\"availability-zones\" makes no difference"));
  if (self->start_id != NULL)
    self->plan->claim = os_zone_tally_claim (tally, self->start_id, self->plan->zones[0], group);
  return TRUE;
}

void
os_plan_count_needs (OsSnapshot          *snapshot,
                     const OsPlan        *plan,
                     const OsNetworkPlan *networks,
                     guint                n_machines,
                     gboolean             is_first,
                     gint64              *needs)
{
  WelkinConfig *config = os_snapshot_get_config (snapshot);
  const char *mode = welkin_config_get_string (config, "firewall-mode");
  g_autoptr(GPtrArray) rules = os_base_group_dup_rules (config, "");

  memset (needs, 0, sizeof *needs * OS_N_QUOTAS);
  needs[OS_QUOTA_SERVERS] = n_machines;
  if (plan != NULL)
    {
      const OsFlavor *flavor = g_ptr_array_index (plan->flavors, 0);

      needs[OS_QUOTA_CORES] = flavor->vcpus * n_machines;
      needs[OS_QUOTA_RAM] = flavor->ram * n_machines;
    }
  if (networks != NULL)
    {
      needs[OS_QUOTA_PORTS] =
        networks->is_novas ? 0 : (gint64) networks->networks->len * n_machines;
      needs[OS_QUOTA_FLOATING_IPS] = networks->external_network_id != NULL ? n_machines : 0;
    }
  if (is_first && g_str_equal (welkin_config_get_string (config, "anti-affinity"), "soft"))
    needs[OS_QUOTA_SERVER_GROUPS] = 1;
  /* The base group, and one of each machine or of all machines. */
  if (g_str_equal (mode, "instance"))
    needs[OS_QUOTA_GROUPS] = n_machines;
  else if (is_first && g_str_equal (mode, "global"))
    needs[OS_QUOTA_GROUPS] = 1;
  needs[OS_QUOTA_GROUPS] += is_first ? 1 : 0;
  needs[OS_QUOTA_RULES] = (is_first ? rules->len : 0) + EGRESS_RULES * needs[OS_QUOTA_GROUPS];
}

static void
planning_run (WkFlow  *flow,
              gpointer user_data)
{
  Planning *self = user_data;
  OsClient *client = os_snapshot_get_client (self->snapshot);
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (!os_check_placement (self->placement, &error))
    WK_FAIL (flow, &error, NULL);
  WK_AWAIT (flow, os_client_login_async (client, WK_RESUME (flow)));
  if (!os_client_login_finish (client, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  if (!decide_root_disk (self, &error))
    WK_FAIL (flow, &error, NULL);
  if (wants_volume_type (self))
    {
      WK_AWAIT (flow, os_client_has_microversion_async (client, OS_COMPUTE_VOLUME_TYPES,
                                                        WK_RESUME (flow)));
      if (!os_client_has_microversion_finish (client, WK_RESULT (flow)))
        {
          refuse_volume_type (self, &error);
          WK_FAIL (flow, &error, NULL);
        }
    }

  self->join = wk_join_new (WK_JOIN_CANCEL_OTHERS, wk_flow_get_cancellable (flow));
  begin_questions (self);
  WK_AWAIT (flow, wk_join_wait_async (self->join, wk_flow_resume_cb, flow));
  if (!wk_join_wait_finish (self->join, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);

  if (!decide_flavor (self, &error))
    WK_FAIL (flow, &error, NULL);
  if (!decide_zones (self, &error))
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_pointer (flow, g_steal_pointer (&self->plan), (GDestroyNotify) os_plan_free);

  WK_FLOW_END (flow);
}

static void
planning_free (gpointer user_data)
{
  Planning *self = user_data;

  g_clear_pointer (&self->plan, os_plan_free);
  g_clear_pointer (&self->zones, g_ptr_array_unref);
  g_clear_pointer (&self->join, wk_join_unref);
  g_free (self->start_id);
  g_strfreev (self->distribution_group);
  g_free (self->placement);
  g_clear_pointer (&self->known_images, g_ptr_array_unref);
  g_free (self->series);
  welkin_constraints_unref (self->constraints);
  g_object_unref (self->snapshot);
  g_free (self);
}

void
os_plan_async (OsSnapshot          *snapshot,
               const OsPlanRequest *request,
               GCancellable        *cancellable,
               GAsyncReadyCallback  callback,
               gpointer             user_data)
{
  Planning *self = g_new0 (Planning, 1);

  self->snapshot = g_object_ref (snapshot);
  self->constraints = welkin_constraints_ref (request->constraints);
  self->series = g_strdup (request->series);
  if (request->images != NULL)
    self->known_images = g_ptr_array_ref (request->images);
  self->placement = g_strdup (request->placement);
  self->distribution_group = g_strdupv ((char **) request->distribution_group);
  self->start_id = g_strdup (request->start_id);
  self->lacks_networks = request->lacks_networks;
  self->plan = g_new0 (OsPlan, 1);
  wk_flow_start (snapshot, cancellable, callback, user_data, os_plan_async, planning_run, self,
                 planning_free);
}

OsPlan *
os_plan_finish (OsSnapshot   *snapshot,
                GAsyncResult *result,
                GError      **error)
{
  return wk_flow_finish_pointer (result, snapshot, os_plan_async, error);
}
