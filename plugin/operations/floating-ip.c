/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/floating-ip.h"

#include <glib/gi18n-lib.h>

#include "base/attempt.h"
#include "base/flow.h"
#include "operations/make-floating-ip.h"
#include "operations/sweep.h"
#include "values/welkin-error.h"

/* How long a port that nova has made may not be ready. */
static const WkAttemptStrategy new_port_strategy = { .total = 60, .delay = 1 };

typedef struct
{
  /* inputs */
  OsSnapshot         *snapshot;     /* (owned) */
  OsFloatingIpRequest request;      /* its texts are owned */
  GCancellable       *cancellable;  /* (owned) (nullable) the caller's */

  /* while running */
  gboolean            has_revision; /* neutron compares them */
  gboolean            has_marks;    /* that are written in the call which changes one */
  gboolean            was_claimed;  /* was it tried to take one that is there? */
  WkAttempt           attempt;      /* at a port that is new */
  GError             *refusal;      /* (owned) (nullable) the last one for a shortage */
} GetIp;

/* What is said of a shortage. */

static gboolean
is_reuse (GetIp      *self,
          const char *word)
{
  return g_str_equal (welkin_config_get_string (os_snapshot_get_config (self->snapshot),
                                                "floating-ip-reuse"),
                      word);
}

/* Clouds refuse what is too much as what is forbidden, too. */
static gboolean
is_shortage (const GError *error)
{
  return g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_QUOTA_EXCEEDED)
         || g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NO_ADDRESSES)
         || g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_FORBIDDEN);
}

/* What to do about it depends on whether the project has addresses that nothing uses. */
static void
explain_shortage (GetIp     *self,
                  GPtrArray *ips)
{
  guint n_free = 0;
  g_autofree char *hint = NULL;

  for (guint i = 0; i < ips->len; i++)
    if (os_floating_ip_is_free (g_ptr_array_index (ips, i)))
      n_free++;
  if (n_free > 0 && self->has_marks && !is_reuse (self, "any"))
    hint = g_strdup_printf (_("The project has %u floating IPs, %u of them unused: set "
                              "\"floating-ip-reuse: any\" to take those, release them, ask for a "
                              "larger quota, or set \"use-floating-ip: false\"."),
                            ips->len, n_free);
  else
    hint = g_strdup_printf (_("The project has %u floating IPs, %u of them unused: release some, "
                              "ask for a larger quota, or set \"use-floating-ip: false\"."),
                            ips->len, n_free);
  welkin_error_set_hint (self->refusal, hint);
}

static void
explain_refusal (GError *error)
{
  welkin_error_set_zone_independent (error, TRUE);
  if (g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT))
    welkin_error_set_hint (error, _("The network of the machines needs a router to the external "
                                    "network: connect them, or set \"external-network\" or "
                                    "\"network\" to others."));
}

/* Without revisions it is a last resort to take what is there: nothing but the look afterwards
 * keeps two from taking the same. Without marks, not even that would tell. */
static gboolean
may_claim (GetIp *self)
{
  if (self->was_claimed || !self->has_marks || is_reuse (self, "never"))
    return FALSE;
  return self->has_revision || (self->refusal != NULL && is_reuse (self, "any"));
}

/* That there is no way outside, which is a 404 as well, does not pass. */
static gboolean
is_too_early (GetIp        *self,
              const GError *error)
{
  return self->request.is_new
         && (g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND)
             || welkin_error_get_status (error) == 400);
}

static void
get_ip_run (WkFlow  *flow,
            gpointer user_data)
{
  GetIp *self = user_data;
  OsNetworkService *service = os_snapshot_get_network_service (self->snapshot);
  OsFloatingIp *ip;
  const char *context = _("cannot allocate a floating IP");
  g_autoptr(GHashTable) extensions = NULL;
  g_autoptr(GPtrArray) ips = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_network_service_list_extensions_async (service, WK_RESUME (flow)));
  extensions = os_network_service_list_extensions_finish (service, WK_RESULT (flow), &error);
  if (extensions == NULL)
    WK_FAIL (flow, &error, context);
  self->has_revision = g_hash_table_contains (extensions, OS_REVISION_EXTENSION);
  self->has_marks = g_hash_table_contains (extensions, OS_DESCRIPTION_EXTENSION);
  wk_attempt_init (&self->attempt, &new_port_strategy, os_snapshot_get_clock (self->snapshot));

  while (TRUE)
    {
      if (may_claim (self))
        {
          self->was_claimed = TRUE;
          WK_AWAIT (flow, os_claim_floating_ip_async (self->snapshot, &self->request,
                                                      self->cancellable, wk_flow_resume_cb, flow));
          ip = os_claim_floating_ip_finish (self->snapshot, WK_RESULT (flow), &error);
          if (error != NULL)
            WK_FAIL (flow, &error, context);
          if (ip != NULL)
            break;
        }

      WK_AWAIT (flow, os_make_floating_ip_async (self->snapshot, &self->request,
                                                 self->cancellable, wk_flow_resume_cb, flow));
      ip = os_make_floating_ip_finish (self->snapshot, WK_RESULT (flow), &error);
      if (ip != NULL)
        break;
      explain_refusal (error);
      if (is_too_early (self, error))
        {
          g_clear_error (&self->refusal);
          self->refusal = g_steal_pointer (&error);
          WK_AWAIT (flow, wk_attempt_next_async (&self->attempt, self->cancellable,
                                                 wk_flow_resume_cb, flow));
          if (wk_attempt_next_finish (&self->attempt, WK_RESULT (flow), &error))
            continue;
          if (error == NULL)
            error = g_steal_pointer (&self->refusal);
        }
      if (!is_shortage (error))
        WK_FAIL (flow, &error, context);
      g_clear_error (&self->refusal);
      self->refusal = g_steal_pointer (&error);

      if (os_may_sweep_orphans (self->snapshot, self->refusal))
        {
          WK_AWAIT (flow, os_sweep_orphans_async (self->snapshot, WK_RESUME (flow)));
          os_sweep_orphans_finish (self->snapshot, WK_RESULT (flow));
        }
      else if (!may_claim (self))
        {
          WK_AWAIT (flow, os_network_service_list_floating_ips_async (service, NULL,
                                                                      WK_RESUME (flow)));
          ips = os_network_service_list_floating_ips_finish (service, WK_RESULT (flow), NULL);
          if (ips != NULL)
            explain_shortage (self, ips);
          WK_FAIL (flow, &self->refusal, context);
        }
    }
  wk_flow_return_pointer (flow, ip, (GDestroyNotify) os_floating_ip_free);

  WK_FLOW_END (flow);
}

static void
get_ip_free (gpointer user_data)
{
  GetIp *self = user_data;

  g_clear_error (&self->refusal);
  wk_attempt_clear (&self->attempt);
  g_clear_object (&self->cancellable);
  os_floating_ip_request_clear (&self->request);
  g_object_unref (self->snapshot);
  g_free (self);
}

void
os_get_floating_ip_async (OsSnapshot                *snapshot,
                          const OsFloatingIpRequest *request,
                          GCancellable              *cancellable,
                          GAsyncReadyCallback        callback,
                          gpointer                   user_data)
{
  GetIp *self = g_new0 (GetIp, 1);

  self->snapshot = g_object_ref (snapshot);
  os_floating_ip_request_copy (request, &self->request);
  g_set_object (&self->cancellable, cancellable);
  wk_flow_start (snapshot, NULL, callback, user_data, os_get_floating_ip_async, get_ip_run, self,
                 get_ip_free);
}

OsFloatingIp *
os_get_floating_ip_finish (OsSnapshot   *snapshot,
                           GAsyncResult *result,
                           GError      **error)
{
  return wk_flow_finish_pointer (result, snapshot, os_get_floating_ip_async, error);
}
