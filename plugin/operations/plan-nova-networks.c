/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/plan-nova-networks.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "operations/choose-network.h"
#include "values/welkin-error.h"

typedef struct
{
  OsSnapshot    *snapshot; /* (owned) */
  char         **names;    /* (owned) of the networks that the configuration names */
  char          *pool;     /* (owned) (nullable) what it names; NULL: no floating IP is wanted */

  OsNetworkPlan *plan;     /* (owned) */
} Planning;

static gboolean
decide_networks (Planning  *self,
                 GPtrArray *networks,
                 GError   **error)
{
  for (gsize i = 0; self->names[i] != NULL; i++)
    {
      g_autofree char *id = os_network_parse_id (self->names[i]);
      const OsNetwork *network;

      if (id != NULL)
        network = os_choose_network_by_id (networks, id, OS_NETWORK_FOR_MACHINES, error);
      else
        network = os_choose_network_by_name (networks, self->names[i], NULL,
                                             OS_NETWORK_FOR_MACHINES, error);
      if (network == NULL)
        return FALSE;
      os_network_plan_add (self->plan, network);
    }
  return TRUE;
}

static gboolean
refuse_pools (GError     **error,
              WelkinError  code,
              char        *text)
{
  g_autofree char *message = text;

  g_set_error_literal (error, WELKIN_ERROR, code, message);
  welkin_error_set_hint (*error, _("Set \"external-network\" in environments.yaml to the name of "
                                   "a pool of floating IPs."));
  welkin_error_set_zone_independent (*error, TRUE);
  return FALSE;
}

static gboolean
decide_pool (Planning *self,
             char    **pools,
             GError  **error)
{
  g_autofree char *names = g_strjoinv (", ", pools);

  if (*self->pool != '\0' && *pools != NULL
      && !g_strv_contains ((const char *const *) pools, self->pool))
    return refuse_pools (error, WELKIN_ERROR_NOT_FOUND,
                         g_strdup_printf (_("there is no pool of floating IPs \"%s\"; there are: "
                                            "%s"),
                                          self->pool, names));
  if (*self->pool == '\0' && g_strv_length (pools) > 1)
    return refuse_pools (error, WELKIN_ERROR_AMBIGUOUS,
                         g_strdup_printf (_("floating IPs could come from several pools: %s"),
                                          names));
  if (*self->pool == '\0' && *pools != NULL)
    self->plan->external_network_id = g_strdup (*pools);
  else
    self->plan->external_network_id = g_strdup (self->pool);
  return TRUE;
}

static void
planning_run (WkFlow  *flow,
              gpointer user_data)
{
  Planning *self = user_data;
  OsNovaNetwork *service = os_snapshot_get_nova_network (self->snapshot);
  g_autoptr(GPtrArray) networks = NULL;
  g_auto(GStrv) pools = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (*self->names != NULL)
    {
      WK_AWAIT (flow, os_nova_network_list_networks_async (service, WK_RESUME (flow)));
      networks = os_nova_network_list_networks_finish (service, WK_RESULT (flow), &error);
      if (networks == NULL)
        WK_FAIL (flow, &error, _("cannot list networks"));
      if (!decide_networks (self, networks, &error))
        WK_FAIL (flow, &error, NULL);
    }
  if (self->pool != NULL)
    {
      WK_AWAIT (flow, os_nova_network_list_pools_async (service, WK_RESUME (flow)));
      pools = os_nova_network_list_pools_finish (service, WK_RESULT (flow), &error);
      if (pools == NULL)
        WK_FAIL (flow, &error, _("cannot list the pools of floating IPs"));
      if (!decide_pool (self, pools, &error))
        WK_FAIL (flow, &error, NULL);
    }
  wk_flow_return_pointer (flow, g_steal_pointer (&self->plan),
                          (GDestroyNotify) os_network_plan_free);

  WK_FLOW_END (flow);
}

static void
planning_free (gpointer user_data)
{
  Planning *self = user_data;

  g_clear_pointer (&self->plan, os_network_plan_free);
  g_free (self->pool);
  g_strfreev (self->names);
  g_object_unref (self->snapshot);
  g_free (self);
}

void
os_plan_nova_networks_async (OsSnapshot         *snapshot,
                             WelkinConstraints  *constraints,
                             GCancellable       *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer            user_data)
{
  WelkinConfig *config = os_snapshot_get_config (snapshot);
  Planning *self = g_new0 (Planning, 1);

  self->snapshot = g_object_ref (snapshot);
  self->names = welkin_config_get_strings (config, "network");
  if (os_wants_floating_ip (config, constraints))
    self->pool = g_strdup (welkin_config_get_string (config, "external-network"));
  self->plan = os_network_plan_new ();
  self->plan->is_novas = TRUE;
  wk_flow_start (snapshot, cancellable, callback, user_data, os_plan_nova_networks_async,
                 planning_run, self, planning_free);
}

OsNetworkPlan *
os_plan_nova_networks_finish (OsSnapshot   *snapshot,
                              GAsyncResult *result,
                              GError      **error)
{
  return wk_flow_finish_pointer (result, snapshot, os_plan_nova_networks_async, error);
}
