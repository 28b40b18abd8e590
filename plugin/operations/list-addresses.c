/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/list-addresses.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "operations/address-intent.h"

typedef struct
{
  GHashTable *lines;   /* (owned) (nullable) of the intents */
  GPtrArray  *servers; /* (owned) (nullable) of OsServer */
} List;

static void
list_run (WkFlow  *flow,
          gpointer user_data)
{
  List *self = user_data;
  OsSnapshot *snapshot = OS_SNAPSHOT (wk_flow_get_source (flow));
  OsAddresses *addresses = OS_ADDRESSES (os_snapshot_get_nova_network (snapshot));
  OsCompute *compute = os_snapshot_get_compute (snapshot);
  WelkinIntents *intents = os_snapshot_get_intents (snapshot);
  g_autoptr(GPtrArray) ips = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (intents != NULL)
    {
      self->lines = welkin_intents_load (intents, &error);
      if (self->lines == NULL)
        WK_FAIL (flow, &error, NULL);
    }
  /* Before the addresses: what a server has got meanwhile is not free any more. */
  if (self->lines != NULL && g_hash_table_size (self->lines) > 0)
    {
      WK_AWAIT (flow, os_compute_list_servers_async (compute, NULL, NULL, NULL, WK_RESUME (flow)));
      self->servers = os_compute_list_servers_finish (compute, WK_RESULT (flow), &error);
      if (self->servers == NULL)
        WK_FAIL (flow, &error, _("cannot list servers"));
    }
  WK_AWAIT (flow, os_addresses_list_async (addresses, NULL, WK_RESUME (flow)));
  ips = os_addresses_list_finish (addresses, WK_RESULT (flow), &error);
  if (ips == NULL)
    WK_FAIL (flow, &error, NULL);
  if (self->servers != NULL)
    os_mark_addresses (ips, self->servers, self->lines);
  wk_flow_return_pointer (flow, g_steal_pointer (&ips), (GDestroyNotify) g_ptr_array_unref);

  WK_FLOW_END (flow);
}

static void
list_free (gpointer user_data)
{
  List *self = user_data;

  g_clear_pointer (&self->servers, g_ptr_array_unref);
  g_clear_pointer (&self->lines, g_hash_table_unref);
  g_free (self);
}

void
os_list_marked_addresses_async (OsSnapshot         *snapshot,
                                GCancellable       *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer            user_data)
{
  wk_flow_start (snapshot, cancellable, callback, user_data, os_list_marked_addresses_async,
                 list_run, g_new0 (List, 1), list_free);
}

GPtrArray *
os_list_marked_addresses_finish (OsSnapshot   *snapshot,
                                 GAsyncResult *result,
                                 GError      **error)
{
  return wk_flow_finish_pointer (result, snapshot, os_list_marked_addresses_async, error);
}
