/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/nova-assign-address.h"

#include <glib/gi18n-lib.h>

#include "base/attempt.h"
#include "base/flow.h"
#include "operations/address-intent.h"
#include "operations/nova-release-address.h"
#include "operations/nova-reserve-address.h"
#include "operations/wanted-addresses.h"
#include "values/welkin-error.h"

#define MAX_ADDRESSES 3

typedef struct
{
  /* inputs */
  OsSnapshot   *snapshot;   /* (owned) */
  char         *server_id;  /* (owned) */
  char         *mark;       /* (owned) of the start */

  /* while running */
  OsFloatingIp *ip;         /* (owned) */
  OsFloatingIp *seen;       /* (owned) (nullable) what the cloud says of it; NULL: it is gone */
  gboolean      is_another; /* than the caller's */
  gboolean      was_added;
  guint         n_tried;
  WkAttempt     attempt;
  GError       *refusal;    /* (owned) (nullable) of the last attempt */
} Assign;

/* A server that has just become active may have no network yet. */
static gboolean
is_early (const GError *error)
{
  return g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT)
         || g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_CONFLICT);
}

static gboolean
is_on_server (Assign *self)
{
  return self->seen != NULL && g_strcmp0 (self->seen->server_id, self->server_id) == 0;
}

/* Minutes have gone since it was reserved. One that is free again after it was added has been on
 * another server in between, whose owner is not done with it. */
static gboolean
may_be_added (Assign *self)
{
  return self->seen != NULL && os_floating_ip_is_free (self->seen) && !self->was_added;
}

static const char *
get_pool (Assign *self)
{
  return self->ip->network_id != NULL ? self->ip->network_id : "";
}

/* The caller lets go of his own. */
static void
let_go_of_another (Assign *self)
{
  if (self->is_another)
    os_let_go_of_address (os_snapshot_get_client (self->snapshot), self->ip->id);
  self->is_another = FALSE;
}

static void
take_another (Assign       *self,
              WkFlow       *flow,
              OsFloatingIp *ip)
{
  g_message ("floating IP %s was put on another server: %s takes its place", self->ip->address,
             ip->address);
  let_go_of_another (self);
  os_floating_ip_free (self->ip);
  self->ip = ip;
  self->is_another = TRUE;
  self->was_added = FALSE;
  if (!ip->was_there)
    wk_undo_push (wk_flow_get_undo (flow), _("floating IP"), self->snapshot, ip->id,
                  os_nova_release_free_address_async, os_nova_release_free_address_finish);
}

static void
assign_run (WkFlow  *flow,
            gpointer user_data)
{
  Assign *self = user_data;
  OsNovaNetwork *service = os_snapshot_get_nova_network (self->snapshot);
  OsCompute *compute = os_snapshot_get_compute (self->snapshot);
  OsFloatingIp *another;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  while (TRUE)
    {
      WK_AWAIT (flow, os_nova_network_get_floating_ip_async (service, self->ip->id,
                                                             WK_RESUME (flow)));
      g_clear_pointer (&self->seen, os_floating_ip_free);
      self->seen = os_nova_network_get_floating_ip_finish (service, WK_RESULT (flow), &error);
      if (error != NULL && !g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND))
        WK_FAIL (flow, &error, _("cannot look at a floating IP"));
      g_clear_error (&error);
      if (is_on_server (self))
        break;

      if (may_be_added (self))
        {
          WK_AWAIT (flow, os_nova_network_add_floating_ip_async (service, self->server_id,
                                                                 self->ip->address,
                                                                 WK_RESUME (flow)));
          self->was_added = os_nova_network_add_floating_ip_finish (service, WK_RESULT (flow),
                                                                    &error);
          if (self->was_added)
            continue;
          if (!is_early (error))
            WK_FAIL (flow, &error, _("cannot assign the floating IP"));
          self->refusal = g_steal_pointer (&error);
          WK_AWAIT (flow, wk_attempt_next_async (&self->attempt, WK_RESUME (flow)));
          if (!wk_attempt_next_finish (&self->attempt, WK_RESULT (flow), &error))
            WK_FAIL (flow, error != NULL ? &error : &self->refusal,
                     error != NULL ? NULL : _("cannot assign the floating IP"));
          g_clear_error (&self->refusal);
          continue;
        }

      if (++self->n_tried == MAX_ADDRESSES)
        {
          error = g_error_new (WELKIN_ERROR, WELKIN_ERROR_CONFLICT,
                               _("floating IP %s was put on another server"), self->ip->address);
          WK_FAIL (flow, &error, NULL);
        }
      /* Unless it is on nothing at all, it stays with whoever has it. */
      if (!self->ip->was_there)
        {
          WK_AWAIT (flow, os_nova_release_address_async (self->snapshot, self->ip->id, NULL,
                                                         WK_RESUME (flow)));
          if (!os_nova_release_address_finish (self->snapshot, WK_RESULT (flow), &error))
            WK_FAIL (flow, &error, NULL);
        }
      WK_AWAIT (flow, os_nova_reserve_address_async (self->snapshot, get_pool (self), self->mark,
                                                     FALSE, WK_RESUME (flow)));
      another = os_nova_reserve_address_finish (self->snapshot, WK_RESULT (flow), &error);
      if (another == NULL)
        WK_FAIL (flow, &error, NULL);
      take_another (self, flow, another);
      if (self->ip->was_there)
        continue;
      WK_AWAIT (flow, os_compute_set_metadata_async (compute, self->server_id,
                                                     OS_METADATA_FLOATING_IP, self->ip->id,
                                                     WK_RESUME (flow)));
      if (!os_compute_set_metadata_finish (compute, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, _("cannot note the floating IP"));
      WK_AWAIT (flow, os_forget_address_async (self->snapshot, self->ip->id, wk_flow_resume_cb,
                                               flow));
      os_forget_address_finish (self->snapshot, WK_RESULT (flow));
    }
  let_go_of_another (self);
  wk_flow_return_pointer (flow, g_steal_pointer (&self->ip), (GDestroyNotify) os_floating_ip_free);

  WK_FLOW_END (flow);
}

static void
assign_free (gpointer user_data)
{
  Assign *self = user_data;

  g_clear_error (&self->refusal);
  wk_attempt_clear (&self->attempt);
  g_clear_pointer (&self->seen, os_floating_ip_free);
  if (self->ip != NULL)
    let_go_of_another (self);
  g_clear_pointer (&self->ip, os_floating_ip_free);
  g_free (self->mark);
  g_free (self->server_id);
  g_object_unref (self->snapshot);
  g_free (self);
}

void
os_nova_assign_address_async (OsSnapshot         *snapshot,
                              const OsFloatingIp *ip,
                              const char         *server_id,
                              const char         *mark,
                              GCancellable       *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer            user_data)
{
  Assign *self = g_new0 (Assign, 1);

  self->snapshot = g_object_ref (snapshot);
  self->server_id = g_strdup (server_id);
  self->mark = g_strdup (mark);
  self->ip = os_floating_ip_copy (ip);
  wk_attempt_init (&self->attempt, &wk_attempt_long, os_snapshot_get_clock (snapshot));
  wk_flow_start (snapshot, cancellable, callback, user_data, os_nova_assign_address_async,
                 assign_run, self, assign_free);
}

OsFloatingIp *
os_nova_assign_address_finish (OsSnapshot   *snapshot,
                               GAsyncResult *result,
                               GError      **error)
{
  return wk_flow_finish_pointer (result, snapshot, os_nova_assign_address_async, error);
}
