/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/attempt.h"
#include "base/flow.h"
#include "bootstrap/provider-state.h"
#include "bootstrap/welkin-bootstrap.h"
#include "values/surroundings-clock.h"
#include "values/welkin-error.h"

struct _WelkinStateInfo
{
  gatomicrefcount references;
  char          **instance_ids;
  char          **api_addresses;
  char           *ca_certificate;
};

/**
 * WelkinStateInfo:
 *
 * Where the state of a bootstrapped environment is to be had.
 *
 * Since: 0.1
 */
G_DEFINE_BOXED_TYPE (WelkinStateInfo, welkin_state_info, welkin_state_info_ref,
                     welkin_state_info_unref)

typedef struct
{
  WelkinEnviron       *environment; /* (owned) */
  WkClock             *clock;       /* (owned) */

  WelkinProviderState *state;       /* (owned) (nullable) */
  WkAttempt            attempt;
  char               **addresses;   /* (owned) (nullable) */
} Load;

static void
load_free (gpointer data)
{
  Load *self = data;

  wk_attempt_clear (&self->attempt);
  g_clear_pointer (&self->addresses, g_strfreev);
  g_clear_pointer (&self->state, welkin_provider_state_unref);
  wk_clock_unref (self->clock);
  g_clear_object (&self->environment);
  g_free (self);
}

/* host:api-port of every instance that has an address. */
static char **
collect_addresses (WelkinInstances *instances,
                   guint16          port)
{
  g_autoptr(GStrvBuilder) addresses = g_strv_builder_new ();
  GPtrArray *found = welkin_instances_get_found (instances);

  for (guint i = 0; i < found->len; i++)
    {
      WelkinInstance *instance = g_ptr_array_index (found, i);
      WelkinAddress *address;

      address = welkin_instance_select_address (instance);
      if (address != NULL)
        {
          g_autofree char *host_port = welkin_address_to_host_port (address, port);

          g_strv_builder_add (addresses, host_port);
        }
    }
  return g_strv_builder_end (addresses);
}

static WelkinStateInfo *
state_info_new (Load *self)
{
  WelkinConfig *config = welkin_environ_get_config (self->environment);
  WelkinStateInfo *info = g_new0 (WelkinStateInfo, 1);

  g_atomic_ref_count_init (&info->references);
  info->instance_ids = g_strdupv ((char **) welkin_provider_state_get_instance_ids (self->state));
  info->api_addresses = g_steal_pointer (&self->addresses);
  info->ca_certificate = g_strdup (welkin_config_get_string (config, "ca-cert"));
  return info;
}

static GError *
no_address_yet (WelkinProviderState *state)
{
  char **instance_ids = (char **) welkin_provider_state_get_instance_ids (state);
  g_autofree char *ids = g_strjoinv (", ", instance_ids);

  return g_error_new (WELKIN_ERROR, WELKIN_ERROR_NO_ADDRESS_YET,
                      _("timed out waiting for an address of the state instances: %s"), ids);
}

static void
load_run (WkFlow  *flow,
          gpointer user_data)
{
  Load *self = user_data;
  WelkinConfig *config = welkin_environ_get_config (self->environment);
  g_autoptr(WelkinInstances) instances = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (*welkin_config_get_string (config, "ca-cert") == '\0')
    {
      g_set_error_literal (&error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG,
                           _("The environment has no CA certificate"));
      WK_FAIL (flow, &error, NULL);
    }

  WK_AWAIT (flow, welkin_provider_state_load_async (self->environment, WK_RESUME (flow)));
  self->state = welkin_provider_state_load_finish (self->environment, WK_RESULT (flow), &error);
  if (self->state == NULL)
    WK_FAIL (flow, &error, NULL);

  wk_attempt_init (&self->attempt, &wk_attempt_long, self->clock);
  while (TRUE)
    {
      WK_AWAIT (flow, welkin_environ_find_instances_async (
                        self->environment, welkin_provider_state_get_instance_ids (self->state),
                        WK_RESUME (flow)));
      instances = welkin_environ_find_instances_finish (self->environment, WK_RESULT (flow),
                                                        &error);
      if (instances == NULL)
        WK_FAIL (flow, &error, _("Cannot look the state instances up"));

      self->addresses = collect_addresses (instances, welkin_config_get_int (config, "api-port"));
      if (*self->addresses != NULL)
        break;
      g_clear_pointer (&self->addresses, g_strfreev);

      WK_AWAIT (flow, wk_attempt_next_async (&self->attempt, WK_RESUME (flow)));
      if (wk_attempt_next_finish (&self->attempt, WK_RESULT (flow), &error))
        continue;
      if (error == NULL)
        error = no_address_yet (self->state);
      WK_FAIL (flow, &error, _("Cannot tell where the state is"));
    }

  wk_flow_return_pointer (flow, state_info_new (self), (GDestroyNotify) welkin_state_info_unref);

  WK_FLOW_END (flow);
}

/**
 * welkin_state_info_load_async:
 * @environment: an open environment
 * @surroundings: (nullable): where the clock is, or %NULL for those of the process
 * @cancellable: (nullable): stops waiting
 * @callback: (scope async): called in the thread-default main context of the call
 * @user_data: for @callback
 *
 * Reads which instances hold the state of an environment, and waits up to three minutes until one
 * of them has an address.
 *
 * Since: 0.1
 */
void
welkin_state_info_load_async (WelkinEnviron      *environment,
                              WelkinSurroundings *surroundings,
                              GCancellable       *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer            user_data)
{
  g_autoptr(WelkinSurroundings) own = NULL;
  Load *self;

  g_return_if_fail (WELKIN_IS_ENVIRON (environment));

  own = surroundings != NULL ? welkin_surroundings_ref (surroundings)
                             : welkin_surroundings_new_for_process ();
  self = g_new0 (Load, 1);
  self->environment = g_object_ref (environment);
  self->clock = welkin_surroundings_make_clock (own);

  wk_flow_start (environment, cancellable, callback, user_data, welkin_state_info_load_async,
                 load_run, self, load_free);
}

/**
 * welkin_state_info_load_finish:
 * @environment: the environment
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends welkin_state_info_load_async(). Errors to expect: %WELKIN_ERROR_NOT_BOOTSTRAPPED,
 * %WELKIN_ERROR_NO_ADDRESS_YET, %WELKIN_ERROR_INVALID_CONFIG.
 *
 * Returns: (transfer full): where the state is
 *
 * Since: 0.1
 */
WelkinStateInfo *
welkin_state_info_load_finish (WelkinEnviron *environment,
                               GAsyncResult  *result,
                               GError       **error)
{
  return wk_flow_finish_pointer (result, environment, welkin_state_info_load_async, error);
}

/**
 * welkin_state_info_ref: (skip)
 * @self: a state info
 *
 * Adds a reference.
 *
 * Returns: (transfer full): @self
 *
 * Since: 0.1
 */
WelkinStateInfo *
welkin_state_info_ref (WelkinStateInfo *self)
{
  g_atomic_ref_count_inc (&self->references);
  return self;
}

/**
 * welkin_state_info_unref: (skip)
 * @self: (transfer full): a state info
 *
 * Drops a reference.
 *
 * Since: 0.1
 */
void
welkin_state_info_unref (WelkinStateInfo *self)
{
  if (!g_atomic_ref_count_dec (&self->references))
    return;

  g_strfreev (self->instance_ids);
  g_strfreev (self->api_addresses);
  g_free (self->ca_certificate);
  g_free (self);
}

/**
 * welkin_state_info_get_instance_ids:
 * @self: a state info
 *
 * Gets which instances hold the state.
 *
 * Returns: (transfer none) (array zero-terminated=1): their ids
 *
 * Since: 0.1
 */
const char *const *
welkin_state_info_get_instance_ids (WelkinStateInfo *self)
{
  return (const char *const *) self->instance_ids;
}

/**
 * welkin_state_info_get_api_addresses:
 * @self: a state info
 *
 * Gets where the agents of those instances listen, as "HOST:PORT".
 *
 * Returns: (transfer none) (array zero-terminated=1): at least one address
 *
 * Since: 0.1
 */
const char *const *
welkin_state_info_get_api_addresses (WelkinStateInfo *self)
{
  return (const char *const *) self->api_addresses;
}

/**
 * welkin_state_info_get_ca_certificate:
 * @self: a state info
 *
 * Gets the certificate that those agents' own are signed by.
 *
 * Returns: (transfer none): PEM
 *
 * Since: 0.1
 */
const char *
welkin_state_info_get_ca_certificate (WelkinStateInfo *self)
{
  return self->ca_certificate;
}
