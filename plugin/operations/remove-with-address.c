/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/remove-with-address.h"

#include "base/flow.h"
#include "operations/nova-release-address.h"
#include "values/welkin-error.h"

typedef struct
{
  OsSnapshot            *snapshot;    /* (owned) */
  char                  *id;          /* (owned) */
  const OsServerRemover *remover;     /* of the server itself */
  char                  *floating_ip; /* (owned) (nullable) its id */
} Remove;

static void
take_server (Remove         *self,
             const OsServer *server)
{
  self->remover = os_get_server_remover (os_server_is_on_volume (server));
  self->floating_ip = g_strdup (os_server_get_metadata (server, OS_METADATA_FLOATING_IP));
}

static void
remove_run (WkFlow  *flow,
            gpointer user_data)
{
  Remove *self = user_data;
  OsCompute *compute = os_snapshot_get_compute (self->snapshot);
  g_autoptr(OsServer) server = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_compute_get_server_async (compute, self->id, WK_RESUME (flow)));
  server = os_compute_get_server_finish (compute, WK_RESULT (flow), &error);
  if (server != NULL)
    take_server (self, server);
  else if (!g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND))
    WK_FAIL (flow, &error, NULL);
  g_clear_error (&error);

  if (self->floating_ip != NULL)
    {
      WK_AWAIT (flow, os_nova_release_address_async (self->snapshot, self->floating_ip, self->id,
                                                     WK_RESUME (flow)));
      if (!os_nova_release_address_finish (self->snapshot, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
    }
  WK_AWAIT (flow, self->remover->remove_async (self->snapshot, self->id, WK_RESUME (flow)));
  if (!self->remover->remove_finish (self->snapshot, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

static void
remove_free (gpointer user_data)
{
  Remove *self = user_data;

  g_free (self->floating_ip);
  g_free (self->id);
  g_object_unref (self->snapshot);
  g_free (self);
}

static void
remove_with_address_async (gpointer            snapshot,
                           const char         *id,
                           GCancellable       *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer            user_data)
{
  Remove *self = g_new0 (Remove, 1);

  self->snapshot = g_object_ref (snapshot);
  self->id = g_strdup (id);
  self->remover = os_get_server_remover (FALSE);
  wk_flow_start (snapshot, cancellable, callback, user_data, remove_with_address_async,
                 remove_run, self, remove_free);
}

static gboolean
remove_with_address_finish (gpointer      snapshot,
                            GAsyncResult *result,
                            GError      **error)
{
  return wk_flow_finish_boolean (result, snapshot, remove_with_address_async, error);
}

const OsServerRemover *
os_choose_server_remover (OsSnapshot *snapshot,
                          gboolean    is_on_volume,
                          const char *floating_ip)
{
  static const OsServerRemover with_address = {
    remove_with_address_async, remove_with_address_finish,
  };

  if (floating_ip != NULL && os_snapshot_get_nova_network (snapshot) != NULL)
    return &with_address;
  return os_get_server_remover (is_on_volume);
}
