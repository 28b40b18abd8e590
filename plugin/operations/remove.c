/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/remove.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/attempt.h"
#include "base/flow.h"
#include "values/welkin-error.h"

#define GONE_SECONDS 300.0

/* How often to ask neutron whether a port has let go of its group. */
static const WkAttemptStrategy group_strategy = { .total = 30, .delay = 1 };
/* How often to ask nova whether it has finished what keeps it from deleting. */
static const WkAttemptStrategy server_strategy = {
  .total = GONE_SECONDS, .delay = 1, .growth = 1.5, .max_delay = 5,
};

typedef struct
{
  OsSnapshot *snapshot; /* (owned) */
  char       *id;       /* (owned) */
  WkAttempt   attempt;
  GError     *refusal;  /* (owned) (nullable) what stood in the way the last time */
} Remove;

static Remove *
remove_new (gpointer                 snapshot,
            const char              *id,
            const WkAttemptStrategy *strategy)
{
  Remove *self = g_new0 (Remove, 1);

  self->snapshot = g_object_ref (snapshot);
  self->id = g_strdup (id);
  wk_attempt_init (&self->attempt, strategy, os_snapshot_get_clock (snapshot));
  return self;
}

static void
remove_free (gpointer user_data)
{
  Remove *self = user_data;

  wk_attempt_clear (&self->attempt);
  g_clear_error (&self->refusal);
  g_free (self->id);
  g_object_unref (self->snapshot);
  g_free (self);
}

/* Nova is busy with the server, which ends, or somebody has locked it, which does not. */
static gboolean
is_busy (GError *error)
{
  if (!g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_CONFLICT)
      && !g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_IN_USE))
    return FALSE;
  if (strstr (error->message, "locked") == NULL)
    return TRUE;
  welkin_error_set_hint (error, _("Unlock it first: openstack server unlock ID"));
  return FALSE;
}

static void
remove_server_run (WkFlow  *flow,
                   gpointer user_data)
{
  Remove *self = user_data;
  OsCompute *compute = os_snapshot_get_compute (self->snapshot);
  OsPoller *poller = os_snapshot_get_poller (self->snapshot);
  g_autoptr(OsServer) server = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  while (TRUE)
    {
      WK_AWAIT (flow, os_compute_delete_server_async (compute, self->id, WK_RESUME (flow)));
      if (os_compute_delete_server_finish (compute, WK_RESULT (flow), &error))
        break;
      if (!is_busy (error))
        WK_FAIL (flow, &error, _("cannot delete server"));
      g_clear_error (&self->refusal);
      self->refusal = g_steal_pointer (&error);
      WK_AWAIT (flow, wk_attempt_next_async (&self->attempt, WK_RESUME (flow)));
      if (wk_attempt_next_finish (&self->attempt, WK_RESULT (flow), &error))
        continue;
      if (error == NULL)
        error = g_steal_pointer (&self->refusal);
      WK_FAIL (flow, &error, _("cannot delete server"));
    }

  WK_AWAIT (flow, os_poller_wait_async (poller, self->id, OS_POLL_UNTIL_GONE, GONE_SECONDS,
                                        WK_RESUME (flow)));
  if (!os_poller_wait_finish (poller, WK_RESULT (flow), &server, &error))
    WK_FAIL (flow, &error, _("cannot delete server"));

  /* A cloud that keeps what was deleted counts it, too, until it is told that nobody wants it
   * back. */
  if (server != NULL)
    {
      WK_AWAIT (flow, os_compute_force_delete_server_async (compute, self->id, WK_RESUME (flow)));
      if (!os_compute_force_delete_server_finish (compute, WK_RESULT (flow), &error))
        g_debug ("server %s stays for a while: %s", self->id, error->message);
    }
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

void
os_remove_server_async (gpointer            snapshot,
                        const char         *id,
                        GCancellable       *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer            user_data)
{
  wk_flow_start (snapshot, cancellable, callback, user_data, os_remove_server_async,
                 remove_server_run, remove_new (snapshot, id, &server_strategy), remove_free);
}

gboolean
os_remove_server_finish (gpointer      snapshot,
                         GAsyncResult *result,
                         GError      **error)
{
  return wk_flow_finish_boolean (result, snapshot, os_remove_server_async, error);
}

static void
remove_group_run (WkFlow  *flow,
                  gpointer user_data)
{
  Remove *self = user_data;
  OsNetworkService *service = os_snapshot_get_network_service (self->snapshot);
  g_autofree char *context = g_strdup_printf (_("cannot delete security group %s"), self->id);
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  while (TRUE)
    {
      WK_AWAIT (flow, os_network_service_delete_security_group_async (service, self->id,
                                                                      WK_RESUME (flow)));
      if (os_network_service_delete_security_group_finish (service, WK_RESULT (flow), &error))
        {
          wk_flow_return_boolean (flow, TRUE);
          return;
        }
      if (!g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_IN_USE))
        WK_FAIL (flow, &error, context);
      g_clear_error (&self->refusal);
      self->refusal = g_steal_pointer (&error);
      WK_AWAIT (flow, wk_attempt_next_async (&self->attempt, WK_RESUME (flow)));
      if (wk_attempt_next_finish (&self->attempt, WK_RESULT (flow), &error))
        continue;
      if (error == NULL)
        error = g_steal_pointer (&self->refusal);
      WK_FAIL (flow, &error, context);
    }

  WK_FLOW_END (flow);
}

void
os_remove_group_async (gpointer            snapshot,
                       const char         *id,
                       GCancellable       *cancellable,
                       GAsyncReadyCallback callback,
                       gpointer            user_data)
{
  wk_flow_start (snapshot, cancellable, callback, user_data, os_remove_group_async,
                 remove_group_run, remove_new (snapshot, id, &group_strategy), remove_free);
}

gboolean
os_remove_group_finish (gpointer      snapshot,
                        GAsyncResult *result,
                        GError      **error)
{
  return wk_flow_finish_boolean (result, snapshot, os_remove_group_async, error);
}
