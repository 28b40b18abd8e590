/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/make-port.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "operations/outcome.h"
#include "operations/sweep.h"
#include "values/welkin-error.h"

typedef struct
{
  OsSnapshot   *snapshot;    /* (owned) */
  char         *network_id;  /* (owned) */
  char         *name;        /* (owned) */
  char         *mark;        /* (owned) */
  char        **group_ids;   /* (owned) (nullable) */
  GCancellable *cancellable; /* (owned) (nullable) the caller's */
} MakePort;

static void
make_async (gpointer            data,
            GAsyncReadyCallback callback,
            gpointer            user_data)
{
  MakePort *self = data;
  OsPortRequest request = {
    .network_id = self->network_id,
    .name = self->name,
    .description = self->mark,
    .security_group_ids = (const char *const *) self->group_ids,
  };

  os_network_service_create_port_async (os_snapshot_get_network_service (self->snapshot), &request,
                                        NULL, callback, user_data);
}

static gpointer
make_finish (gpointer      data,
             GAsyncResult *result,
             GError      **error)
{
  MakePort *self = data;

  return os_network_service_create_port_finish (os_snapshot_get_network_service (self->snapshot),
                                                result, error);
}

static void
find_async (gpointer            data,
            GAsyncReadyCallback callback,
            gpointer            user_data)
{
  MakePort *self = data;
  const char *query[] = {
    "network_id", self->network_id, "description", self->mark, NULL,
  };

  os_network_service_list_ports_async (os_snapshot_get_network_service (self->snapshot), query,
                                       NULL, callback, user_data);
}

static gpointer
find_finish (gpointer      data,
             GAsyncResult *result,
             GError      **error)
{
  MakePort *self = data;
  g_autoptr(GPtrArray) ports = os_network_service_list_ports_finish (
    os_snapshot_get_network_service (self->snapshot), result, error);

  for (guint i = 0; ports != NULL && i < ports->len; i++)
    {
      const OsPort *port = g_ptr_array_index (ports, i);

      if (g_strcmp0 (port->description, self->mark) == 0)
        return g_ptr_array_steal_index (ports, i);
    }
  return NULL;
}

static void
note_twin (gpointer thing)
{
  OsPort *port = thing;

  port->may_be_two = TRUE;
}

static const OsMaker port_maker = { make_async, make_finish, find_async, find_finish, note_twin };

static void
make_port_run (WkFlow  *flow,
               gpointer user_data)
{
  MakePort *self = user_data;
  OsPort *port;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  while (TRUE)
    {
      WK_AWAIT (flow, os_make_async (&port_maker, self, os_snapshot_get_clock (self->snapshot),
                                     self->cancellable, wk_flow_resume_cb, flow));
      port = os_make_finish (WK_RESULT (flow), &error);
      if (port != NULL)
        break;
      if (!os_may_sweep_orphans (self->snapshot, error))
        WK_FAIL (flow, &error, _("cannot create port"));

      g_clear_error (&error);
      WK_AWAIT (flow, os_sweep_orphans_async (self->snapshot, WK_RESUME (flow)));
      os_sweep_orphans_finish (self->snapshot, WK_RESULT (flow));
    }
  wk_flow_return_pointer (flow, port, (GDestroyNotify) os_port_free);

  WK_FLOW_END (flow);
}

static void
make_port_free (gpointer user_data)
{
  MakePort *self = user_data;

  g_clear_object (&self->cancellable);
  g_strfreev (self->group_ids);
  g_free (self->mark);
  g_free (self->name);
  g_free (self->network_id);
  g_object_unref (self->snapshot);
  g_free (self);
}

void
os_make_port_async (OsSnapshot          *snapshot,
                    const OsPortRequest *request,
                    GCancellable        *cancellable,
                    GAsyncReadyCallback  callback,
                    gpointer             user_data)
{
  MakePort *self = g_new0 (MakePort, 1);

  self->snapshot = g_object_ref (snapshot);
  self->network_id = g_strdup (request->network_id);
  self->name = g_strdup (request->name);
  self->mark = g_strdup (request->description);
  self->group_ids = g_strdupv ((char **) request->security_group_ids);
  g_set_object (&self->cancellable, cancellable);
  wk_flow_start (snapshot, NULL, callback, user_data, os_make_port_async, make_port_run, self,
                 make_port_free);
}

OsPort *
os_make_port_finish (OsSnapshot   *snapshot,
                     GAsyncResult *result,
                     GError      **error)
{
  return wk_flow_finish_pointer (result, snapshot, os_make_port_async, error);
}
