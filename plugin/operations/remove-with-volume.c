/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/remove-with-volume.h"

#include "base/flow.h"
#include "operations/mark-volumes.h"
#include "operations/remove-server.h"
#include "operations/remove-volumes.h"
#include "values/welkin-error.h"

typedef struct
{
  OsSnapshot *snapshot; /* (owned) */
  char       *id;       /* (owned) */
  OsServer   *server;   /* (owned) (nullable) as it was seen last */
} Remove;

static void
remove_run (WkFlow  *flow,
            gpointer user_data)
{
  Remove *self = user_data;
  OsCompute *compute = os_snapshot_get_compute (self->snapshot);
  g_auto(GStrv) volumes = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  /* Which volumes go along is known as long as the server is there: while that cannot be asked, it
   * stays. */
  WK_AWAIT (flow, os_compute_get_volumes_async (compute, self->id, WK_RESUME (flow)));
  self->server = os_compute_get_volumes_finish (compute, WK_RESULT (flow), &error);
  if (self->server == NULL && !g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND))
    WK_FAIL (flow, &error, NULL);
  g_clear_error (&error);
  if (self->server != NULL)
    {
      /* So that they are known to be ours even if we do not live to see the server gone. */
      WK_AWAIT (flow, os_mark_volumes_async (self->snapshot, self->server, WK_RESUME (flow)));
      os_mark_volumes_finish (self->snapshot, WK_RESULT (flow));
    }

  WK_AWAIT (flow, os_remove_server_async (self->snapshot, self->id, WK_RESUME (flow)));
  if (!os_remove_server_finish (self->snapshot, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);

  if (self->server != NULL)
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

void
os_remove_with_volume_async (gpointer            snapshot,
                             const char         *id,
                             GCancellable       *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer            user_data)
{
  Remove *self = g_new0 (Remove, 1);

  self->snapshot = g_object_ref (snapshot);
  self->id = g_strdup (id);
  wk_flow_start (snapshot, cancellable, callback, user_data, os_remove_with_volume_async,
                 remove_run, self, remove_free);
}

gboolean
os_remove_with_volume_finish (gpointer      snapshot,
                              GAsyncResult *result,
                              GError      **error)
{
  return wk_flow_finish_boolean (result, snapshot, os_remove_with_volume_async, error);
}

const OsServerRemover *
os_get_server_remover (gboolean is_on_volume)
{
  static const OsServerRemover plain = { os_remove_server_async, os_remove_server_finish };
  static const OsServerRemover with_volume = {
    os_remove_with_volume_async, os_remove_with_volume_finish,
  };

  return is_on_volume ? &with_volume : &plain;
}
