/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/release-floating-ip.h"

#include "base/flow.h"
#include "operations/address-intent.h"
#include "operations/ownership.h"
#include "operations/nova-release-address.h"
#include "values/welkin-error.h"

/* It gets back the description that it had. */
static void
begin_return (OsSnapshot         *snapshot,
              const OsFloatingIp *ip,
              GCancellable       *cancellable,
              GAsyncReadyCallback callback,
              gpointer            user_data)
{
  g_autofree char *former = os_find_former_description (snapshot, ip);
  OsFloatingIpChange change = { .id = ip->id, .description = former, .revision = -1 };

  os_network_service_change_floating_ip_async (os_snapshot_get_network_service (snapshot), &change,
                                               cancellable, callback, user_data);
}

static void
release_run (WkFlow  *flow,
             gpointer user_data)
{
  OsFloatingIp *ip = user_data;
  OsSnapshot *snapshot = OS_SNAPSHOT (wk_flow_get_source (flow));
  OsNetworkService *service = os_snapshot_get_network_service (snapshot);
  g_autoptr(OsFloatingIp) returned = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (os_snapshot_get_nova_network (snapshot) != NULL)
    {
      WK_AWAIT (flow, os_nova_release_address_async (snapshot, ip->id, NULL, WK_RESUME (flow)));
      if (!os_nova_release_address_finish (snapshot, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
    }
  else if (os_mark_is_borrowed (ip->description))
    {
      WK_AWAIT (flow, begin_return (snapshot, ip, WK_RESUME (flow)));
      returned = os_network_service_change_floating_ip_finish (service, WK_RESULT (flow), &error);
      if (error == NULL || g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND))
        {
          WK_AWAIT (flow, os_forget_address_async (snapshot, ip->id, wk_flow_resume_cb, flow));
          os_forget_address_finish (snapshot, WK_RESULT (flow));
        }
    }
  else
    {
      WK_AWAIT (flow, os_network_service_delete_floating_ip_async (service, ip->id,
                                                                   WK_RESUME (flow)));
      os_network_service_delete_floating_ip_finish (service, WK_RESULT (flow), &error);
    }
  if (error != NULL && !g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND))
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

void
os_release_floating_ip_async (OsSnapshot         *snapshot,
                              const OsFloatingIp *ip,
                              GCancellable       *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer            user_data)
{
  wk_flow_start (snapshot, cancellable, callback, user_data, os_release_floating_ip_async,
                 release_run, os_floating_ip_copy (ip), (GDestroyNotify) os_floating_ip_free);
}

gboolean
os_release_floating_ip_finish (OsSnapshot   *snapshot,
                               GAsyncResult *result,
                               GError      **error)
{
  return wk_flow_finish_boolean (result, snapshot, os_release_floating_ip_async, error);
}
