/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/claim-floating-ip.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "operations/address-intent.h"
#include "operations/outcome.h"
#include "operations/ownership.h"
#include "values/welkin-error.h"

/* So long after somebody else's change was under way together with ours, it is over. */
#define SETTLE_SECONDS 2.0
/* A floating IP changes its status by itself, and its revision with that. */
#define N_TRIES 2

typedef struct
{
  OsSnapshot         *snapshot;     /* (owned) */
  OsFloatingIpRequest request;      /* its texts are owned */

  gboolean            has_revision; /* neutron compares them */
  OsFloatingIp       *spare;        /* (owned) (nullable) the one that is tried */
  char               *description;  /* (owned) (nullable) what it will have */
  char               *former;       /* (owned) (nullable) what it is to have again */
  gboolean            has_to_note;  /* that */
  char               *intent;       /* (owned) (nullable) the key under which that is noted */
  guint               n_tries;      /* at it */
  gboolean            is_refused;   /* it was changed since we looked */
  gboolean            is_hopeless;  /* so would every other one be */
} Claim;

void
os_floating_ip_request_copy (const OsFloatingIpRequest *self,
                             OsFloatingIpRequest       *copy)
{
  copy->network_id = g_strdup (self->network_id);
  copy->port_id = g_strdup (self->port_id);
  copy->fixed_address = g_strdup (self->fixed_address);
  copy->mark = g_strdup (self->mark);
  copy->is_new = self->is_new;
}

void
os_floating_ip_request_clear (OsFloatingIpRequest *self)
{
  g_clear_pointer (&self->network_id, g_free);
  g_clear_pointer (&self->port_id, g_free);
  g_clear_pointer (&self->fixed_address, g_free);
  g_clear_pointer (&self->mark, g_free);
}

static void
clear_spare (Claim *self)
{
  if (self->spare != NULL)
    os_floating_pool_let_go (os_snapshot_get_floating_pool (self->snapshot), self->spare);
  g_clear_pointer (&self->spare, os_floating_ip_free);
  g_clear_pointer (&self->description, g_free);
  g_clear_pointer (&self->former, g_free);
  g_clear_pointer (&self->intent, g_free);
}

/* What one that is borrowed has to have again. (transfer full) */
static char *
find_former (Claim *self)
{
  if (os_mark_is_borrowed (self->spare->description))
    return os_find_former_description (self->snapshot, self->spare);
  return g_strdup (self->spare->description != NULL ? self->spare->description : "");
}

/* Whoever borrows gives back what he got: where that cannot be noted, only what has no description
 * is borrowed. */
static gboolean
describe_spare (Claim *self)
{
  const char *uuid = os_snapshot_get_environ_uuid (self->snapshot);
  const char *present = self->spare->description;

  if (os_mark_is_ours (present, uuid, NULL) && !os_mark_is_borrowed (present))
    {
      self->description = g_strdup (self->request.mark);
      return TRUE;
    }
  self->description = os_mark_format_borrowed (self->request.mark);
  self->former = find_former (self);
  return *self->former == '\0' || os_snapshot_get_intents (self->snapshot) != NULL;
}

static gboolean
take_spare (Claim *self)
{
  do
    {
      clear_spare (self);
      self->spare = os_floating_pool_take (os_snapshot_get_floating_pool (self->snapshot),
                                           self->request.network_id);
    }
  while (self->spare != NULL && !describe_spare (self));
  self->has_to_note = self->former != NULL && *self->former != '\0';
  return self->spare != NULL;
}

/* As it was when it was chosen. */
static gboolean
is_still_spare (Claim              *self,
                const OsFloatingIp *ip)
{
  return os_floating_ip_is_free (ip)
         && g_strcmp0 (ip->description, self->spare->description) == 0;
}

static void
begin_change (Claim              *self,
              const OsFloatingIp *ip,
              GAsyncReadyCallback callback,
              gpointer            user_data)
{
  OsFloatingIpChange change = {
    .id = ip->id,
    .port_id = self->request.port_id,
    .fixed_address = self->request.fixed_address,
    .description = self->description,
    .revision = self->has_revision ? ip->revision : -1,
  };

  os_network_service_change_floating_ip_async (os_snapshot_get_network_service (self->snapshot),
                                               &change, NULL, callback, user_data);
}

static gboolean
is_claimed (Claim              *self,
            const OsFloatingIp *ip)
{
  return g_strcmp0 (ip->port_id, self->request.port_id) == 0
         && g_strcmp0 (ip->description, self->description) == 0;
}

static gboolean
is_conflict (const GError *error)
{
  return error != NULL
         && (welkin_error_get_status (error) == 412 || welkin_error_get_status (error) == 409);
}

static void
claim_run (WkFlow  *flow,
           gpointer user_data)
{
  Claim *self = user_data;
  OsNetworkService *service = os_snapshot_get_network_service (self->snapshot);
  OsFloatingPool *pool = os_snapshot_get_floating_pool (self->snapshot);
  WkClock *clock = os_snapshot_get_clock (self->snapshot);
  g_autoptr(GHashTable) extensions = NULL;
  g_autoptr(OsFloatingIp) ip = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_network_service_list_extensions_async (service, WK_RESUME (flow)));
  extensions = os_network_service_list_extensions_finish (service, WK_RESULT (flow), &error);
  if (extensions == NULL)
    WK_FAIL (flow, &error, NULL);
  self->has_revision = g_hash_table_contains (extensions, OS_REVISION_EXTENSION);
  WK_AWAIT (flow, os_floating_pool_load_async (pool, WK_RESUME (flow)));
  if (!os_floating_pool_load_finish (pool, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, _("cannot list floating IPs"));

  while (!self->is_hopeless && take_spare (self))
    {
      if (self->has_to_note)
        {
          WK_AWAIT (flow, os_intend_return_async (self->snapshot, self->request.mark,
                                                  self->spare->id, self->former,
                                                  wk_flow_resume_cb, flow));
          self->intent = os_intend_address_finish (self->snapshot, WK_RESULT (flow), &error);
          if (self->intent == NULL)
            WK_FAIL (flow, &error, _("cannot note whose floating IP is borrowed"));
        }
      for (self->n_tries = 0; self->n_tries < N_TRIES; self->n_tries++)
        {
          WK_AWAIT (flow, os_network_service_load_floating_ip_async (service, self->spare->id,
                                                                     WK_RESUME (flow)));
          ip = os_network_service_load_floating_ip_finish (service, WK_RESULT (flow), NULL);
          self->is_hopeless = wk_flow_is_cancelled (flow, NULL);
          if (self->is_hopeless || ip == NULL || !is_still_spare (self, ip))
            break;

          WK_AWAIT (flow, begin_change (self, ip, wk_flow_resume_cb, flow));
          ip = os_network_service_change_floating_ip_finish (service, WK_RESULT (flow), &error);
          self->is_refused = is_conflict (error);
          if (g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND))
            break;
          /* What speaks against this one speaks against a new one, too, which will tell of it. */
          self->is_hopeless = error != NULL && !self->is_refused && !os_error_leaves_doubt (error);
          if (self->is_hopeless)
            break;

          WK_AWAIT (flow, wk_clock_sleep_async (clock, SETTLE_SECONDS,
                                                WK_RESUME_SHIELDED (flow)));
          wk_clock_sleep_finish (clock, WK_RESULT (flow), NULL);
          WK_AWAIT (flow, os_network_service_load_floating_ip_async (service, self->spare->id,
                                                                     WK_RESUME_SHIELDED (flow)));
          ip = os_network_service_load_floating_ip_finish (service, WK_RESULT (flow), &error);
          if (ip == NULL && !g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND))
            WK_FAIL (flow, &error, NULL);
          if (ip != NULL && is_claimed (self, ip))
            {
              ip->was_there = TRUE;
              wk_flow_return_pointer (flow, g_steal_pointer (&ip),
                                      (GDestroyNotify) os_floating_ip_free);
              return;
            }
          g_debug ("floating IP %s is somebody else's by now", self->spare->address);
          if (!self->is_refused)
            break;
        }
      g_clear_error (&error);
      if (self->intent != NULL)
        {
          WK_AWAIT (flow, os_note_address_async (self->snapshot, self->intent, self->request.mark,
                                                 NULL, wk_flow_resume_cb, flow));
          os_note_address_finish (self->snapshot, WK_RESULT (flow), NULL);
        }
    }
  if (wk_flow_is_cancelled (flow, &error))
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_pointer (flow, NULL, NULL);

  WK_FLOW_END (flow);
}

static void
claim_free (gpointer user_data)
{
  Claim *self = user_data;

  clear_spare (self);
  os_floating_ip_request_clear (&self->request);
  g_object_unref (self->snapshot);
  g_free (self);
}

void
os_claim_floating_ip_async (OsSnapshot                *snapshot,
                            const OsFloatingIpRequest *request,
                            GCancellable              *cancellable,
                            GAsyncReadyCallback        callback,
                            gpointer                   user_data)
{
  Claim *self = g_new0 (Claim, 1);

  self->snapshot = g_object_ref (snapshot);
  os_floating_ip_request_copy (request, &self->request);
  wk_flow_start (snapshot, cancellable, callback, user_data, os_claim_floating_ip_async, claim_run,
                 self, claim_free);
}

OsFloatingIp *
os_claim_floating_ip_finish (OsSnapshot   *snapshot,
                             GAsyncResult *result,
                             GError      **error)
{
  return wk_flow_finish_pointer (result, snapshot, os_claim_floating_ip_async, error);
}
