/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "contracts/welkin-instance.h"

#include <glib/gi18n-lib.h>

#include "base/attempt.h"
#include "base/flow.h"
#include "values/surroundings-clock.h"
#include "values/welkin-error.h"

static void
wait_run (WkFlow  *flow,
          gpointer user_data)
{
  WkAttempt *attempt = user_data;
  WelkinInstance *self = wk_flow_get_source (flow);
  char *name;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  while (TRUE)
    {
      name = welkin_instance_get_dns_name (self, &error);
      if (name != NULL)
        break;
      if (!g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NO_ADDRESS_YET))
        WK_FAIL (flow, &error, NULL);
      g_clear_error (&error);

      WK_AWAIT (flow, wk_attempt_next_async (attempt, WK_RESUME (flow)));
      if (!wk_attempt_next_finish (attempt, WK_RESULT (flow), &error))
        {
          if (error == NULL)
            g_set_error (&error, WELKIN_ERROR, WELKIN_ERROR_NO_ADDRESS_YET,
                         _("timed out trying to get DNS address for %s"),
                         welkin_instance_get_id (self));
          WK_FAIL (flow, &error, NULL);
        }
      WK_AWAIT (flow, welkin_instance_refresh_async (self, WK_RESUME (flow)));
      if (!welkin_instance_refresh_finish (self, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
    }
  wk_flow_return_pointer (flow, name, g_free);

  WK_FLOW_END (flow);
}

static void
attempt_free (gpointer data)
{
  wk_attempt_clear (data);
  g_free (data);
}

/**
 * welkin_instance_wait_dns_name_async:
 * @self: an instance
 * @surroundings: (nullable): where the clock is, or %NULL for those of the
 *   process
 * @cancellable: (nullable): ends the wait
 * @callback: (nullable) (scope async) (closure user_data): called when it is
 *   done
 * @user_data: data for @callback
 *
 * Waits until the machine has a name or an address to reach it by.
 *
 * As long as it has none it is refreshed every second, for three minutes at
 * most. The callback is called in the main context that @self belongs to.
 *
 * Since: 0.1
 */
void
welkin_instance_wait_dns_name_async (WelkinInstance      *self,
                                     WelkinSurroundings  *surroundings,
                                     GCancellable        *cancellable,
                                     GAsyncReadyCallback  callback,
                                     gpointer             user_data)
{
  g_autoptr(WelkinSurroundings) own = NULL;
  g_autoptr(WkClock) clock = NULL;
  WkAttempt *attempt;

  g_return_if_fail (WELKIN_IS_INSTANCE (self));

  own = surroundings != NULL ? welkin_surroundings_ref (surroundings)
                             : welkin_surroundings_new_for_process ();
  clock = welkin_surroundings_make_clock (own);
  attempt = g_new0 (WkAttempt, 1);
  wk_attempt_init (attempt, &wk_attempt_long, clock);
  wk_flow_start (self, cancellable, callback, user_data, welkin_instance_wait_dns_name_async,
                 wait_run, attempt, attempt_free);
}

/**
 * welkin_instance_wait_dns_name_finish:
 * @self: an instance
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [method@Instance.wait_dns_name_async].
 *
 * A machine that has no address after all is %WELKIN_ERROR_NO_ADDRESS_YET, one
 * that is gone %WELKIN_ERROR_NOT_FOUND; what the cloud says of another failure
 * ends the wait, too.
 *
 * Returns: (transfer full): a host name or an IP address, or %NULL on error
 *
 * Since: 0.1
 */
char *
welkin_instance_wait_dns_name_finish (WelkinInstance  *self,
                                      GAsyncResult    *result,
                                      GError         **error)
{
  g_return_val_if_fail (WELKIN_IS_INSTANCE (self), NULL);

  return wk_flow_finish_pointer (result, self, welkin_instance_wait_dns_name_async, error);
}
