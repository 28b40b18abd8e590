/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/keep-floating-ip.h"

#include "base/flow.h"
#include "operations/ownership.h"
#include "values/welkin-error.h"

typedef struct
{
  OsSnapshot         *snapshot;    /* (owned) */
  OsFloatingIpRequest request;     /* its texts are owned */
  OsFloatingIp       *ip;          /* (owned) (nullable) */
  GCancellable       *cancellable; /* (owned) (nullable) the caller's */
} Keep;

/* found: (nullable). Whoever cannot look believes what he saw before. */
static gboolean
is_lost (Keep               *self,
         const OsFloatingIp *found,
         const GError       *error)
{
  g_autofree char *mark = NULL;

  if (found == NULL)
    return g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND);
  mark = os_mark_strip_borrowed (found->description);
  return g_strcmp0 (found->port_id, self->request.port_id) != 0
         || g_strcmp0 (mark, self->request.mark) != 0;
}

static void
keep_run (WkFlow  *flow,
          gpointer user_data)
{
  Keep *self = user_data;
  OsNetworkService *service = os_snapshot_get_network_service (self->snapshot);
  g_autoptr(OsFloatingIp) found = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_network_service_load_floating_ip_async (service, self->ip->id,
                                                             WK_RESUME (flow)));
  found = os_network_service_load_floating_ip_finish (service, WK_RESULT (flow), &error);
  if (is_lost (self, found, error))
    {
      g_message ("floating IP %s is somebody else's by now: another one takes its place",
                 self->ip->address);
      WK_AWAIT (flow, os_get_floating_ip_async (self->snapshot, &self->request, self->cancellable,
                                                wk_flow_resume_cb, flow));
      g_clear_pointer (&self->ip, os_floating_ip_free);
      self->ip = os_get_floating_ip_finish (self->snapshot, WK_RESULT (flow), &error);
      if (self->ip == NULL)
        WK_FAIL (flow, &error, NULL);
    }
  wk_flow_return_pointer (flow, g_steal_pointer (&self->ip),
                          (GDestroyNotify) os_floating_ip_free);

  WK_FLOW_END (flow);
}

static void
keep_free (gpointer user_data)
{
  Keep *self = user_data;

  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->ip, os_floating_ip_free);
  os_floating_ip_request_clear (&self->request);
  g_object_unref (self->snapshot);
  g_free (self);
}

void
os_keep_floating_ip_async (OsSnapshot                *snapshot,
                           const OsFloatingIpRequest *request,
                           OsFloatingIp              *ip,
                           GCancellable              *cancellable,
                           GAsyncReadyCallback        callback,
                           gpointer                   user_data)
{
  Keep *self = g_new0 (Keep, 1);

  self->snapshot = g_object_ref (snapshot);
  os_floating_ip_request_copy (request, &self->request);
  self->ip = ip;
  g_set_object (&self->cancellable, cancellable);
  wk_flow_start (snapshot, NULL, callback, user_data, os_keep_floating_ip_async, keep_run, self,
                 keep_free);
}

OsFloatingIp *
os_keep_floating_ip_finish (OsSnapshot   *snapshot,
                            GAsyncResult *result,
                            GError      **error)
{
  return wk_flow_finish_pointer (result, snapshot, os_keep_floating_ip_async, error);
}
