/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/nova-reserve-address.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "operations/address-intent.h"
#include "operations/outcome.h"
#include "operations/wanted-addresses.h"
#include "values/welkin-error.h"

typedef struct
{
  /* inputs */
  OsSnapshot    *snapshot;    /* (owned) */
  OsNovaNetwork *service;     /* the snapshot's */
  char          *pool;        /* (owned) */
  char          *mark;        /* (owned) of the start */
  gboolean       may_borrow;
  GCancellable  *cancellable; /* (owned) (nullable) the caller's */

  /* while running */
  gboolean       has_turn;
  GHashTable    *known_ids;   /* (owned) of those that there were before */
  char          *intent;      /* (owned) (nullable) the key of what is noted */
  OsFloatingIp  *ip;          /* (owned) (nullable) */
  GError        *failure;     /* (owned) (nullable) */
} Reserve;

static void
make_async (gpointer            data,
            GAsyncReadyCallback callback,
            gpointer            user_data)
{
  Reserve *self = data;

  os_nova_network_create_floating_ip_async (self->service, self->pool, NULL, callback, user_data);
}

static gpointer
make_finish (gpointer      data,
             GAsyncResult *result,
             GError      **error)
{
  Reserve *self = data;

  return os_nova_network_create_floating_ip_finish (self->service, result, error);
}

static void
find_async (gpointer            data,
            GAsyncReadyCallback callback,
            gpointer            user_data)
{
  Reserve *self = data;

  os_addresses_list_async (OS_ADDRESSES (self->service), NULL, NULL, callback, user_data);
}

/* The one that was not there before we asked for it, and that nothing has. It is likely ours, but
 * somebody else may have asked in this moment, and nothing can tell: so it is used, as one that
 * was there, and never released. What nobody needs any more may stay behind; what is not marked as
 * ours may not be removed. If there are several, none is touched. */
static gpointer
find_finish (gpointer      data,
             GAsyncResult *result,
             GError      **error)
{
  Reserve *self = data;
  g_autoptr(GPtrArray) ips =
    os_addresses_list_finish (OS_ADDRESSES (self->service), result, error);
  g_autoptr(GString) addresses = g_string_new (NULL);
  guint n_new = 0;
  guint found = 0;

  for (guint i = 0; ips != NULL && i < ips->len; i++)
    {
      const OsFloatingIp *ip = g_ptr_array_index (ips, i);

      if (!os_floating_ip_is_free (ip) || g_hash_table_contains (self->known_ids, ip->id))
        continue;
      g_string_append_printf (addresses, "%s%s", n_new++ > 0 ? ", " : "", ip->address);
      found = i;
    }
  if (n_new == 1)
    {
      OsFloatingIp *ip = g_ptr_array_steal_index (ips, found);

      g_message ("it is not certain that floating IP %s is ours: it will not be released",
                 ip->address);
      ip->was_there = TRUE;
      return ip;
    }
  if (n_new > 1)
    {
      g_message ("one of these floating IPs is ours, it cannot be told which: %s", addresses->str);
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_AMBIGUOUS, "several new floating IPs: %s",
                   addresses->str);
    }
  return NULL;
}

static const OsMaker address_maker = { make_async, make_finish, find_async, find_finish };

/* One that nothing has: it is not ours, and goes on to be there when we have done with it. */
static OsFloatingIp *
borrow (Reserve   *self,
        GPtrArray *ips)
{
  for (guint i = 0; self->may_borrow && i < ips->len; i++)
    {
      OsFloatingIp *ip = g_ptr_array_index (ips, i);

      if (!os_floating_ip_is_free (ip)
          || (*self->pool != '\0' && g_strcmp0 (ip->network_id, self->pool) != 0)
          || !os_want_address (os_snapshot_get_client (self->snapshot), ip->id))
        continue;
      ip->was_there = TRUE;
      return g_ptr_array_steal_index (ips, i);
    }
  return NULL;
}

static void
note_known (Reserve   *self,
            GPtrArray *ips)
{
  for (guint i = 0; i < ips->len; i++)
    g_hash_table_add (self->known_ids,
                      g_strdup (((OsFloatingIp *) g_ptr_array_index (ips, i))->id));
}

/* There is none for certain. */
static gboolean
is_refused (const GError *error)
{
  return !os_error_leaves_doubt (error)
         && !g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_AMBIGUOUS)
         && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
note_outcome (Reserve            *self,
              GAsyncReadyCallback callback,
              gpointer            user_data)
{
  os_note_address_async (self->snapshot, self->intent, self->mark,
                         self->ip != NULL && !self->ip->was_there ? self->ip->id : NULL, callback,
                         user_data);
}

static void
reserve_run (WkFlow  *flow,
             gpointer user_data)
{
  Reserve *self = user_data;
  OsClient *client = os_snapshot_get_client (self->snapshot);
  OsFloatingIp *ip;
  g_autoptr(GPtrArray) ips = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  /* One after another: what is new after a lost answer is that one's then. */
  WK_AWAIT (flow, os_take_address_turn_async (client, wk_flow_resume_cb, flow));
  os_take_address_turn_finish (WK_RESULT (flow));
  self->has_turn = TRUE;

  WK_AWAIT (flow, os_addresses_list_async (OS_ADDRESSES (self->service), NULL, WK_RESUME (flow)));
  ips = os_addresses_list_finish (OS_ADDRESSES (self->service), WK_RESULT (flow), &error);
  if (ips == NULL)
    WK_FAIL (flow, &error, _("cannot list floating IPs"));
  ip = borrow (self, ips);
  if (ip != NULL)
    {
      wk_flow_return_pointer (flow, ip, (GDestroyNotify) os_floating_ip_free);
      return;
    }
  note_known (self, ips);
  WK_AWAIT (flow, os_intend_address_async (self->snapshot, self->mark, self->pool, ips,
                                           wk_flow_resume_cb, flow));
  self->intent = os_intend_address_finish (self->snapshot, WK_RESULT (flow), &error);
  if (self->intent == NULL)
    WK_FAIL (flow, &error, _("cannot note that a floating IP is to be allocated"));

  WK_AWAIT (flow, os_make_async (&address_maker, self, os_snapshot_get_clock (self->snapshot),
                                 self->cancellable, wk_flow_resume_cb, flow));
  self->ip = os_make_finish (WK_RESULT (flow), &self->failure);
  if (self->ip != NULL || is_refused (self->failure))
    {
      WK_AWAIT (flow, note_outcome (self, wk_flow_resume_cb, flow));
      if (!os_note_address_finish (self->snapshot, WK_RESULT (flow), &error))
        g_message (_("cannot note what became of a floating IP: %s"), error->message);
      g_clear_error (&error);
    }
  if (self->ip == NULL)
    {
      welkin_error_set_zone_independent (self->failure, TRUE);
      WK_FAIL (flow, &self->failure, _("cannot allocate a floating IP"));
    }
  /* Free as it is until it has a server, it is not for others to borrow. */
  os_want_address (client, self->ip->id);
  wk_flow_return_pointer (flow, g_steal_pointer (&self->ip), (GDestroyNotify) os_floating_ip_free);

  WK_FLOW_END (flow);
}

static void
reserve_free (gpointer user_data)
{
  Reserve *self = user_data;

  if (self->has_turn)
    os_end_address_turn (os_snapshot_get_client (self->snapshot));
  g_clear_error (&self->failure);
  g_clear_pointer (&self->ip, os_floating_ip_free);
  g_free (self->intent);
  g_hash_table_unref (self->known_ids);
  g_clear_object (&self->cancellable);
  g_free (self->mark);
  g_free (self->pool);
  g_object_unref (self->snapshot);
  g_free (self);
}

void
os_nova_reserve_address_async (OsSnapshot         *snapshot,
                               const char         *pool,
                               const char         *mark,
                               gboolean            may_borrow,
                               GCancellable       *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer            user_data)
{
  Reserve *self = g_new0 (Reserve, 1);

  self->snapshot = g_object_ref (snapshot);
  self->service = os_snapshot_get_nova_network (snapshot);
  self->pool = g_strdup (pool);
  self->mark = g_strdup (mark);
  self->may_borrow =
    may_borrow
    && g_str_equal (welkin_config_get_string (os_snapshot_get_config (snapshot),
                                              "floating-ip-reuse"),
                    "any");
  g_set_object (&self->cancellable, cancellable);
  self->known_ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  wk_flow_start (snapshot, NULL, callback, user_data, os_nova_reserve_address_async,
                 reserve_run, self, reserve_free);
}

OsFloatingIp *
os_nova_reserve_address_finish (OsSnapshot   *snapshot,
                                GAsyncResult *result,
                                GError      **error)
{
  return wk_flow_finish_pointer (result, snapshot, os_nova_reserve_address_async, error);
}
