/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/remove-whole-server.h"

#include "base/flow.h"
#include "operations/mark-volumes.h"
#include "operations/nova-release-address.h"
#include "operations/remove-server.h"
#include "operations/remove-volumes.h"
#include "values/welkin-error.h"

typedef struct
{
  /* inputs */
  OsSnapshot *snapshot;      /* (owned) */
  char       *id;            /* (owned) */
  gboolean    takes_address; /* nova's, which its metadata name */

  /* while running */
  OsServer   *server;        /* (owned) (nullable) as it was seen last */
} Remove;

static const char *
get_address (Remove *self)
{
  if (self->server == NULL || !self->takes_address)
    return NULL;
  return os_server_get_metadata (self->server, OS_METADATA_FLOATING_IP);
}

static gboolean
has_volume (Remove *self)
{
  return self->server != NULL && os_server_is_on_volume (self->server);
}

static void
remove_run (WkFlow  *flow,
            gpointer user_data)
{
  Remove *self = user_data;
  OsCompute *compute = os_snapshot_get_compute (self->snapshot);
  g_auto(GStrv) volumes = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  /* What goes along is known as long as the server is there: while that cannot be asked, it
   * stays. */
  WK_AWAIT (flow, os_compute_get_volumes_async (compute, self->id, WK_RESUME (flow)));
  self->server = os_compute_get_volumes_finish (compute, WK_RESULT (flow), &error);
  if (self->server == NULL && !g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND))
    WK_FAIL (flow, &error, NULL);
  g_clear_error (&error);

  if (get_address (self) != NULL)
    {
      WK_AWAIT (flow, os_nova_release_address_async (self->snapshot, get_address (self), self->id,
                                                     WK_RESUME (flow)));
      if (!os_nova_release_address_finish (self->snapshot, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
    }
  if (has_volume (self))
    {
      /* So that they are known to be ours even if we do not live to see the server gone. */
      WK_AWAIT (flow, os_mark_volumes_async (self->snapshot, self->server, WK_RESUME (flow)));
      os_mark_volumes_finish (self->snapshot, WK_RESULT (flow));
    }

  WK_AWAIT (flow, os_remove_server_async (self->snapshot, self->id, WK_RESUME (flow)));
  if (!os_remove_server_finish (self->snapshot, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);

  if (has_volume (self))
    {
      volumes = os_server_list_doomed_volumes (self->server);
      WK_AWAIT (flow, os_remove_volumes_async (self->snapshot, (const char *const *) volumes,
                                               WK_RESUME (flow)));
      if (!os_remove_volumes_finish (self->snapshot, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
    }
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

static void
remove_free (gpointer user_data)
{
  Remove *self = user_data;

  g_clear_pointer (&self->server, os_server_free);
  g_free (self->id);
  g_object_unref (self->snapshot);
  g_free (self);
}

static void
begin_removing (OsSnapshot         *snapshot,
                const char         *id,
                gboolean            takes_address,
                GCancellable       *cancellable,
                GAsyncReadyCallback callback,
                gpointer            user_data)
{
  Remove *self = g_new0 (Remove, 1);

  self->snapshot = g_object_ref (snapshot);
  self->id = g_strdup (id);
  self->takes_address = takes_address;
  wk_flow_start (snapshot, cancellable, callback, user_data, begin_removing, remove_run, self,
                 remove_free);
}

static void
remove_with_volume_async (gpointer            snapshot,
                          const char         *id,
                          GCancellable       *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer            user_data)
{
  begin_removing (snapshot, id, FALSE, cancellable, callback, user_data);
}

static void
remove_with_all_async (gpointer            snapshot,
                       const char         *id,
                       GCancellable       *cancellable,
                       GAsyncReadyCallback callback,
                       gpointer            user_data)
{
  begin_removing (snapshot, id, TRUE, cancellable, callback, user_data);
}

static gboolean
remove_finish (gpointer      snapshot,
               GAsyncResult *result,
               GError      **error)
{
  return wk_flow_finish_boolean (result, snapshot, begin_removing, error);
}

const OsServerRemover *
os_get_server_remover (gboolean is_on_volume)
{
  static const OsServerRemover plain = { os_remove_server_async, os_remove_server_finish };
  static const OsServerRemover with_volume = { remove_with_volume_async, remove_finish };

  return is_on_volume ? &with_volume : &plain;
}

const OsServerRemover *
os_choose_server_remover (OsSnapshot *snapshot,
                          gboolean    is_on_volume,
                          const char *floating_ip)
{
  static const OsServerRemover with_all = { remove_with_all_async, remove_finish };

  if (floating_ip != NULL && os_snapshot_get_nova_network (snapshot) != NULL)
    return &with_all;
  return os_get_server_remover (is_on_volume);
}
