/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/make-floating-ip.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "operations/address-intent.h"
#include "operations/outcome.h"

typedef struct
{
  /* inputs */
  OsSnapshot         *snapshot;      /* (owned) */
  OsFloatingIpRequest request;       /* its texts are owned */
  GCancellable       *cancellable;   /* (owned) (nullable) the caller's */

  /* while running */
  gboolean            is_born_bare;  /* without its mark */
  char               *intent;        /* (owned) (nullable) the key of what is noted */
  OsFloatingIp       *ip;            /* (owned) (nullable) */
  GError             *failure;       /* (owned) (nullable) */
} MakeIp;

static void
make_async (gpointer            data,
            GAsyncReadyCallback callback,
            gpointer            user_data)
{
  MakeIp *self = data;
  const OsFloatingIpRequest *request = &self->request;

  os_network_service_create_floating_ip_async (os_snapshot_get_network_service (self->snapshot),
                                               request->network_id, request->port_id,
                                               request->fixed_address, request->mark, NULL,
                                               callback, user_data);
}

static gpointer
make_finish (gpointer      data,
             GAsyncResult *result,
             GError      **error)
{
  MakeIp *self = data;

  return os_network_service_create_floating_ip_finish (
    os_snapshot_get_network_service (self->snapshot), result, error);
}

static void
find_async (gpointer            data,
            GAsyncReadyCallback callback,
            gpointer            user_data)
{
  MakeIp *self = data;
  const char *query[] = { "port_id", self->request.port_id, NULL };

  os_network_service_list_floating_ips_async (os_snapshot_get_network_service (self->snapshot),
                                              query, NULL, callback, user_data);
}

/* Without a mark, the port tells: it is new, and nobody else knows of it. */
static gpointer
find_finish (gpointer      data,
             GAsyncResult *result,
             GError      **error)
{
  MakeIp *self = data;
  g_autoptr(GPtrArray) ips = os_network_service_list_floating_ips_finish (
    os_snapshot_get_network_service (self->snapshot), result, error);

  for (guint i = 0; ips != NULL && i < ips->len; i++)
    {
      const OsFloatingIp *ip = g_ptr_array_index (ips, i);

      if (g_strcmp0 (ip->description, self->request.mark) == 0
          || (self->is_born_bare && ip->description == NULL
              && g_strcmp0 (ip->port_id, self->request.port_id) == 0))
        return g_ptr_array_steal_index (ips, i);
    }
  return NULL;
}

static void
note_twin (gpointer thing)
{
  OsFloatingIp *ip = thing;

  ip->may_be_two = TRUE;
}

static const OsMaker ip_maker = { make_async, make_finish, find_async, find_finish, note_twin };

/* Nothing of it has to be known any more: it has its mark, or there is none. Only a failure leaves
 * that open. */
static gboolean
is_over (MakeIp *self)
{
  return !os_error_leaves_doubt (self->failure)
         && !g_error_matches (self->failure, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
push_bare (MakeIp *self,
           WkFlow *flow)
{
  wk_undo_push (wk_flow_get_undo (flow), _("floating IP"),
                os_snapshot_get_network_service (self->snapshot), self->ip->id,
                (WkUndoAsync) os_network_service_delete_floating_ip_async,
                (WkUndoFinish) os_network_service_delete_floating_ip_finish);
}

static void
make_ip_run (WkFlow  *flow,
             gpointer user_data)
{
  MakeIp *self = user_data;
  OsNetworkService *service = os_snapshot_get_network_service (self->snapshot);
  g_autoptr(GHashTable) extensions = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_network_service_list_extensions_async (service, WK_RESUME (flow)));
  extensions = os_network_service_list_extensions_finish (service, WK_RESULT (flow), &error);
  if (extensions == NULL)
    WK_FAIL (flow, &error, NULL);
  self->is_born_bare = !g_hash_table_contains (extensions, OS_DESCRIPTION_EXTENSION);
  if (self->is_born_bare)
    {
      WK_AWAIT (flow, os_intend_address_on_port_async (self->snapshot, self->request.mark,
                                                       self->request.port_id, wk_flow_resume_cb,
                                                       flow));
      self->intent = os_intend_address_finish (self->snapshot, WK_RESULT (flow), &error);
      if (self->intent == NULL)
        WK_FAIL (flow, &error, _("cannot note that a floating IP is to be allocated"));
    }

  WK_AWAIT (flow, os_make_async (&ip_maker, self, os_snapshot_get_clock (self->snapshot),
                                 self->cancellable, wk_flow_resume_cb, flow));
  self->ip = os_make_finish (WK_RESULT (flow), &self->failure);
  if (self->is_born_bare && self->ip != NULL)
    {
      push_bare (self, flow);
      WK_AWAIT (flow, os_network_service_tag_floating_ip_async (service, self->ip->id,
                                                                self->request.mark,
                                                                WK_RESUME (flow)));
      if (!os_network_service_tag_floating_ip_finish (service, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, _("cannot mark a floating IP"));
    }
  if (self->is_born_bare && is_over (self))
    {
      WK_AWAIT (flow, os_note_address_async (self->snapshot, self->intent, self->request.mark,
                                             NULL, wk_flow_resume_cb, flow));
      if (!os_note_address_finish (self->snapshot, WK_RESULT (flow), &error))
        g_message (_("cannot note what became of a floating IP: %s"), error->message);
      g_clear_error (&error);
    }
  if (self->ip == NULL)
    WK_FAIL (flow, &self->failure, NULL);
  wk_flow_return_pointer (flow, g_steal_pointer (&self->ip), (GDestroyNotify) os_floating_ip_free);

  WK_FLOW_END (flow);
}

static void
make_ip_free (gpointer user_data)
{
  MakeIp *self = user_data;

  g_clear_error (&self->failure);
  g_clear_pointer (&self->ip, os_floating_ip_free);
  g_free (self->intent);
  g_clear_object (&self->cancellable);
  os_floating_ip_request_clear (&self->request);
  g_object_unref (self->snapshot);
  g_free (self);
}

void
os_make_floating_ip_async (OsSnapshot                *snapshot,
                           const OsFloatingIpRequest *request,
                           GCancellable              *cancellable,
                           GAsyncReadyCallback        callback,
                           gpointer                   user_data)
{
  MakeIp *self = g_new0 (MakeIp, 1);

  self->snapshot = g_object_ref (snapshot);
  os_floating_ip_request_copy (request, &self->request);
  g_set_object (&self->cancellable, cancellable);
  wk_flow_start (snapshot, NULL, callback, user_data, os_make_floating_ip_async, make_ip_run, self,
                 make_ip_free);
}

OsFloatingIp *
os_make_floating_ip_finish (OsSnapshot   *snapshot,
                            GAsyncResult *result,
                            GError      **error)
{
  return wk_flow_finish_pointer (result, snapshot, os_make_floating_ip_async, error);
}
