/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "bootstrap/wait-for-agent.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "bootstrap/agent-client.h"
#include "machine/agent-records.h"
#include "values/welkin-address.h"
#include "values/welkin-error.h"

/* Of one attempt, by the wall's clock. */
#define CONNECT_SECONDS 10.0

typedef struct
{
  /* inputs */
  WelkinConfig        *config;      /* (owned) */
  char                *address;     /* (owned) */
  WelkinConnectDelays  delays;
  WkClock             *clock;       /* (owned) (nullable) */

  /* while running */
  WelkinAgentClient   *client;      /* (owned) (nullable) */
  char                *host_port;   /* (owned) (nullable) */
  double               deadline;
  GError              *last_error;  /* (owned) (nullable) */
} Wait;

static void
wait_free (gpointer data)
{
  Wait *self = data;

  g_clear_error (&self->last_error);
  g_free (self->host_port);
  g_clear_pointer (&self->client, welkin_agent_client_free);
  g_clear_pointer (&self->clock, wk_clock_unref);
  g_free (self->address);
  welkin_config_unref (self->config);
  g_free (self);
}

/* An address of ours may be another environment's now. */
static gboolean
check_environment (Wait         *self,
                   GAsyncResult *result,
                   GError      **error)
{
  g_autoptr(GBytes) bytes = welkin_agent_client_get_finish (self->client, result, error);
  WelkinAgentEnvironment *environment = NULL;
  gboolean is_ours;

  if (bytes != NULL)
    environment = wk_json_decode_record (&welkin_agent_environment_table, "environment", bytes,
                                         error);
  if (environment == NULL)
    return FALSE;
  is_ours = g_strcmp0 (environment->uuid, welkin_config_get_uuid (self->config)) == 0;
  if (!is_ours)
    g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_FOREIGN_ENVIRONMENT,
                 _("it is the agent of another environment, %s"),
                 environment->uuid != NULL ? environment->uuid : _("which has no uuid"));
  wk_json_record_free (&welkin_agent_environment_table, environment);
  return is_ours;
}

static gboolean
is_over (Wait *self)
{
  return wk_clock_get_seconds (self->clock) >= self->deadline;
}

static void
wait_run (WkFlow  *flow,
          gpointer user_data)
{
  Wait *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  self->client = welkin_agent_client_new (self->config, &error);
  if (self->client == NULL)
    WK_FAIL (flow, &error, NULL);
  self->deadline = wk_clock_get_seconds (self->clock) + self->delays.timeout;
  do
    {
      WK_AWAIT (flow, welkin_agent_client_get_async (self->client, self->host_port,
                                                     WELKIN_AGENT_ENVIRONMENT_PATH,
                                                     CONNECT_SECONDS, WK_RESUME (flow)));
      if (check_environment (self, WK_RESULT (flow), &error))
        {
          wk_flow_return_boolean (flow, TRUE);
          return;
        }
      if (wk_flow_is_cancelled (flow, NULL))
        WK_FAIL (flow, &error, NULL);
      g_clear_error (&self->last_error);
      self->last_error = g_steal_pointer (&error);
      WK_AWAIT (flow, wk_clock_sleep_async (self->clock, self->delays.retry_delay,
                                            WK_RESUME (flow)));
      if (!wk_clock_sleep_finish (self->clock, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
    }
  while (!is_over (self));

  g_set_error (&error, WELKIN_ERROR, WELKIN_ERROR_TIMED_OUT,
               _("the agent at %s does not answer: %s"), self->address, self->last_error->message);
  WK_FAIL (flow, &error, NULL);

  WK_FLOW_END (flow);
}

void
welkin_wait_for_agent_async (WelkinConfig              *config,
                             const char                *address,
                             const WelkinConnectDelays *delays,
                             WkClock                   *clock,
                             GCancellable              *cancellable,
                             GAsyncReadyCallback        callback,
                             gpointer                   user_data)
{
  g_autoptr(WelkinAddress) value = welkin_address_new (address, WELKIN_SCOPE_UNKNOWN, NULL);
  Wait *self = g_new0 (Wait, 1);

  self->config = welkin_config_ref (config);
  self->address = g_strdup (address);
  self->host_port =
    welkin_address_to_host_port (value, (guint16) welkin_config_get_int (config, "api-port"));
  self->delays = *delays;
  self->clock = clock != NULL ? wk_clock_ref (clock) : NULL;

  wk_flow_start (NULL, cancellable, callback, user_data, welkin_wait_for_agent_async, wait_run,
                 self, wait_free);
}

gboolean
welkin_wait_for_agent_finish (GAsyncResult *result,
                              GError      **error)
{
  return wk_flow_finish_boolean (result, NULL, welkin_wait_for_agent_async, error);
}
