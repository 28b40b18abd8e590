/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/floating-ip.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "operations/outcome.h"
#include "values/welkin-error.h"

typedef struct
{
  /* inputs */
  OsSnapshot   *snapshot;    /* (owned) */
  char         *network_id;  /* (owned) */
  char         *port_id;     /* (owned) */
  char         *address;     /* (owned) (nullable) the port's that it is put on */
  char         *mark;        /* (owned) */
  GCancellable *cancellable; /* (owned) (nullable) the caller's */

  GError       *refusal;     /* (owned) (nullable) */
} MakeIp;

static void
make_async (gpointer            data,
            GAsyncReadyCallback callback,
            gpointer            user_data)
{
  MakeIp *self = data;

  os_network_service_create_floating_ip_async (os_snapshot_get_network_service (self->snapshot),
                                               self->network_id, self->port_id, self->address,
                                               self->mark, NULL, callback, user_data);
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
  const char *query[] = { "port_id", self->port_id, NULL };

  os_network_service_list_floating_ips_async (os_snapshot_get_network_service (self->snapshot),
                                              query, NULL, callback, user_data);
}

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

      if (g_strcmp0 (ip->description, self->mark) == 0)
        return g_ptr_array_steal_index (ips, i);
    }
  return NULL;
}

static const OsMaker ip_maker = { make_async, make_finish, find_async, find_finish };

/* What to do about it depends on whether the project has addresses that nothing uses. */
static void
explain_shortage (GError    *error,
                  GPtrArray *ips)
{
  guint n_free = 0;
  g_autofree char *hint = NULL;

  for (guint i = 0; i < ips->len; i++)
    {
      if (os_floating_ip_is_free (g_ptr_array_index (ips, i)))
        n_free++;
    }
  hint = g_strdup_printf (
      _("The project has %u floating IPs, %u of them unused: release those, ask for "
         "a larger quota, or set \"use-floating-ip: false\"."),
      ips->len, n_free);
  welkin_error_set_hint (error, hint);
}

static void
make_ip_run (WkFlow  *flow,
             gpointer user_data)
{
  MakeIp *self = user_data;
  OsNetworkService *service = os_snapshot_get_network_service (self->snapshot);
  OsFloatingIp *ip;
  g_autoptr(GPtrArray) ips = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_make_async (&ip_maker, self, os_snapshot_get_clock (self->snapshot),
                                 self->cancellable, wk_flow_resume_cb, flow));
  ip = os_make_finish (WK_RESULT (flow), &error);
  if (ip != NULL)
    {
      wk_flow_return_pointer (flow, ip, (GDestroyNotify) os_floating_ip_free);
      return;
    }

  welkin_error_set_zone_independent (error, TRUE);
  if (g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_QUOTA_EXCEEDED)
      || g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NO_ADDRESSES))
    {
      self->refusal = g_steal_pointer (&error);
      WK_AWAIT (flow, os_network_service_list_floating_ips_async (service, NULL, WK_RESUME (flow)));
      ips = os_network_service_list_floating_ips_finish (service, WK_RESULT (flow), NULL);
      if (ips != NULL)
        explain_shortage (self->refusal, ips);
      error = g_steal_pointer (&self->refusal);
    }
  WK_FAIL (flow, &error, _("cannot allocate a floating IP"));

  WK_FLOW_END (flow);
}

static void
make_ip_free (gpointer user_data)
{
  MakeIp *self = user_data;

  g_clear_error (&self->refusal);
  g_clear_object (&self->cancellable);
  g_free (self->mark);
  g_free (self->address);
  g_free (self->port_id);
  g_free (self->network_id);
  g_object_unref (self->snapshot);
  g_free (self);
}

void
os_make_floating_ip_async (OsSnapshot         *snapshot,
                           const char         *external_network_id,
                           const OsPort       *port,
                           const char         *mark,
                           GCancellable       *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer            user_data)
{
  MakeIp *self = g_new0 (MakeIp, 1);

  self->snapshot = g_object_ref (snapshot);
  self->network_id = g_strdup (external_network_id);
  self->port_id = g_strdup (port->id);
  self->address = g_strdup (os_port_get_ipv4 (port));
  self->mark = g_strdup (mark);
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
