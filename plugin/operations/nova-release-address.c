/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/nova-release-address.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "operations/address-intent.h"
#include "values/welkin-error.h"

typedef struct
{
  OsSnapshot *snapshot;  /* (owned) */
  char       *id;        /* (owned) */
  char       *server_id; /* (owned) (nullable) */
} Release;

static gboolean
has_to_go (Release            *self,
           const OsFloatingIp *ip)
{
  if (os_floating_ip_is_free (ip) || g_strcmp0 (ip->server_id, self->server_id) == 0)
    return TRUE;
  g_message ("floating IP %s is on another server, %s, and stays", ip->address, ip->server_id);
  return FALSE;
}

static void
release_run (WkFlow  *flow,
             gpointer user_data)
{
  Release *self = user_data;
  OsNovaNetwork *service = os_snapshot_get_nova_network (self->snapshot);
  OsAddresses *addresses = OS_ADDRESSES (service);
  g_autoptr(OsFloatingIp) ip = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_nova_network_get_floating_ip_async (service, self->id, WK_RESUME (flow)));
  ip = os_nova_network_get_floating_ip_finish (service, WK_RESULT (flow), &error);
  if (ip == NULL && !g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND))
    WK_FAIL (flow, &error, _("cannot look at a floating IP"));
  g_clear_error (&error);
  if (ip != NULL && has_to_go (self, ip))
    {
      WK_AWAIT (flow, os_addresses_delete_async (addresses, self->id, WK_RESUME (flow)));
      if (!os_addresses_delete_finish (addresses, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, _("cannot release a floating IP"));
    }
  WK_AWAIT (flow, os_forget_address_async (self->snapshot, self->id, wk_flow_resume_cb, flow));
  os_forget_address_finish (self->snapshot, WK_RESULT (flow));
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

static void
release_free (gpointer user_data)
{
  Release *self = user_data;

  g_free (self->server_id);
  g_free (self->id);
  g_object_unref (self->snapshot);
  g_free (self);
}

void
os_nova_release_address_async (OsSnapshot         *snapshot,
                               const char         *id,
                               const char         *server_id,
                               GCancellable       *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer            user_data)
{
  Release *self = g_new0 (Release, 1);

  self->snapshot = g_object_ref (snapshot);
  self->id = g_strdup (id);
  self->server_id = g_strdup (server_id);
  wk_flow_start (snapshot, cancellable, callback, user_data, os_nova_release_address_async,
                 release_run, self, release_free);
}

gboolean
os_nova_release_address_finish (OsSnapshot   *snapshot,
                                GAsyncResult *result,
                                GError      **error)
{
  return wk_flow_finish_boolean (result, snapshot, os_nova_release_address_async, error);
}

void
os_nova_release_free_address_async (gpointer            snapshot,
                                    const char         *id,
                                    GCancellable       *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer            user_data)
{
  os_nova_release_address_async (snapshot, id, NULL, cancellable, callback, user_data);
}

gboolean
os_nova_release_free_address_finish (gpointer      snapshot,
                                     GAsyncResult *result,
                                     GError      **error)
{
  return os_nova_release_address_finish (snapshot, result, error);
}
