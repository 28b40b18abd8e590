/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/release-address.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"

typedef struct
{
  OsSnapshot *snapshot;  /* (owned) */
  char       *id;        /* (owned) */
  char       *server_id; /* (owned) (nullable) */
} Release;

static gboolean
has_to_go (Release   *self,
           GPtrArray *ips)
{
  for (guint i = 0; i < ips->len; i++)
    {
      const OsFloatingIp *ip = g_ptr_array_index (ips, i);

      if (!g_str_equal (ip->id, self->id))
        continue;
      if (os_floating_ip_is_free (ip) || g_strcmp0 (ip->server_id, self->server_id) == 0)
        return TRUE;
      g_message ("floating IP %s is on another server, %s, and stays", ip->address,
                 ip->server_id);
    }
  return FALSE;
}

static void
release_run (WkFlow  *flow,
             gpointer user_data)
{
  Release *self = user_data;
  OsAddresses *addresses = OS_ADDRESSES (os_snapshot_get_nova_network (self->snapshot));
  g_autoptr(GPtrArray) ips = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_addresses_list_async (addresses, NULL, WK_RESUME (flow)));
  ips = os_addresses_list_finish (addresses, WK_RESULT (flow), &error);
  if (ips == NULL)
    WK_FAIL (flow, &error, _("cannot list floating IPs"));
  if (has_to_go (self, ips))
    {
      WK_AWAIT (flow, os_addresses_delete_async (addresses, self->id, WK_RESUME (flow)));
      if (!os_addresses_delete_finish (addresses, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, _("cannot release a floating IP"));
    }
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
os_release_address_async (OsSnapshot         *snapshot,
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
  wk_flow_start (snapshot, cancellable, callback, user_data, os_release_address_async, release_run,
                 self, release_free);
}

gboolean
os_release_address_finish (OsSnapshot   *snapshot,
                           GAsyncResult *result,
                           GError      **error)
{
  return wk_flow_finish_boolean (result, snapshot, os_release_address_async, error);
}

void
os_release_free_address_async (gpointer            snapshot,
                               const char         *id,
                               GCancellable       *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer            user_data)
{
  os_release_address_async (snapshot, id, NULL, cancellable, callback, user_data);
}

gboolean
os_release_free_address_finish (gpointer      snapshot,
                                GAsyncResult *result,
                                GError      **error)
{
  return os_release_address_finish (snapshot, result, error);
}
