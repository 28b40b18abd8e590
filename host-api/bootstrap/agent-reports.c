/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "base/map-builder.h"
#include "bootstrap/agent-client.h"
#include "bootstrap/welkin-machines.h"
#include "machine/agent-records.h"
#include "values/welkin-error.h"

/* For each address, by the wall's clock: somebody waits for an answer. */
#define ASK_SECONDS 5.0

typedef struct
{
  /* inputs */
  WelkinInfo        *info;      /* (owned) */

  /* while running */
  char             **addresses; /* (owned) (nullable) */
  guint              left;      /* of them */
  WelkinAgentClient *client;    /* (owned) (nullable) */
  GError            *error;     /* (owned) (nullable) of the first that was asked */
} Find;

static void
find_free (gpointer data)
{
  Find *self = data;

  g_clear_error (&self->error);
  g_clear_pointer (&self->client, welkin_agent_client_free);
  g_strfreev (self->addresses);
  g_object_unref (self->info);
  g_free (self);
}

static gboolean
find_prepare (Find    *self,
              GError **error)
{
  self->addresses = welkin_agent_list_addresses (self->info);
  if (self->addresses == NULL)
    {
      g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED,
                           _("the environment was bootstrapped without an agent"));
      return FALSE;
    }
  self->left = g_strv_length (self->addresses);
  self->client = welkin_agent_client_new (welkin_info_get_config (self->info), error);
  return self->client != NULL;
}

static WelkinValue *
describe (const WelkinAgentMachine *machine)
{
  WkMapBuilder map;

  wk_map_begin (&map);
  wk_map_add_string (&map, "status", machine->status);
  wk_map_add_string (&map, "version", machine->version);
  wk_map_add_string (&map, "reported", machine->reported);
  return wk_map_end (&map);
}

/* NULL with the error: that is of no use to us. */
static WelkinValue *
take_reports (Find         *self,
              GAsyncResult *result,
              GError      **error)
{
  g_autoptr(GBytes) bytes = welkin_agent_client_get_finish (self->client, result, error);
  g_autoptr(GPtrArray) machines = NULL;
  WkMapBuilder map;

  if (bytes != NULL)
    machines = wk_json_decode_records (&welkin_agent_machine_table, "machines", bytes, error);
  if (machines == NULL)
    return NULL;
  wk_map_begin (&map);
  for (guint i = 0; i < machines->len; i++)
    {
      const WelkinAgentMachine *machine = g_ptr_array_index (machines, i);

      if (machine->id != NULL)
        wk_map_take (&map, machine->id, describe (machine));
    }
  return wk_map_end (&map);
}

/* The last address is the one by which bootstrap has reached the machine. */
static void
find_run (WkFlow  *flow,
          gpointer user_data)
{
  Find *self = user_data;
  WelkinValue *reports;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (!find_prepare (self, &error))
    WK_FAIL (flow, &error, NULL);
  while (self->left-- > 0)
    {
      WK_AWAIT (flow, welkin_agent_client_get_async (self->client, self->addresses[self->left],
                                                     WELKIN_AGENT_MACHINES_PATH, ASK_SECONDS,
                                                     WK_RESUME (flow)));
      reports = take_reports (self, WK_RESULT (flow), &error);
      if (reports != NULL)
        {
          wk_flow_return_pointer (flow, reports, (GDestroyNotify) welkin_value_unref);
          return;
        }
      if (wk_flow_is_cancelled (flow, NULL))
        WK_FAIL (flow, &error, NULL);
      if (self->error == NULL)
        self->error = g_steal_pointer (&error);
      g_clear_error (&error);
    }
  WK_FAIL (flow, &self->error, NULL);

  WK_FLOW_END (flow);
}

/**
 * welkin_find_reports_async:
 * @info: what is remembered of an environment
 * @cancellable: (nullable): gives up
 * @callback: (scope async): called in the thread-default main context of the call
 * @user_data: for @callback
 *
 * Asks the agent of the first machine of an environment what all its machines report.
 *
 * Since: 0.1
 */
void
welkin_find_reports_async (WelkinInfo         *info,
                           GCancellable       *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer            user_data)
{
  Find *self;

  g_return_if_fail (WELKIN_IS_INFO (info));

  self = g_new0 (Find, 1);
  self->info = g_object_ref (info);
  wk_flow_start (info, cancellable, callback, user_data, welkin_find_reports_async, find_run, self,
                 find_free);
}

/**
 * welkin_find_reports_finish:
 * @info: what is remembered of an environment
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends welkin_find_reports_async(). An environment that was bootstrapped without an agent is
 * %WELKIN_ERROR_NOT_SUPPORTED.
 *
 * Returns: (transfer full): a map, by the ids of the machines that have ever reported, of maps with
 *   `status` ("started", or "down" when nothing was heard of it for long), `version` (of its
 *   agent, as in "1.2.3-noble-amd64") and `reported` (when it last did, ISO 8601)
 *
 * Since: 0.1
 */
WelkinValue *
welkin_find_reports_finish (WelkinInfo   *info,
                            GAsyncResult *result,
                            GError      **error)
{
  return wk_flow_finish_pointer (result, info, welkin_find_reports_async, error);
}
