/* SPDX-License-Identifier: LGPL-2.1-or-later */

/*
 * A change of the configuration of a bootstrapped environment. It is made of what the file holds at
 * that moment: two that come at once both last, and are checked with each other.
 */

#include "config.h"

#include "base/flow.h"
#include "environments/info-edit.h"
#include "environments/welkin-environments.h"

typedef struct
{
  WelkinEnvironments *environments; /* (owned) */
  WelkinInfo         *info;         /* (owned) */
  WelkinConfig       *values;       /* (owned) */
  char              **unset_keys;   /* (owned) (nullable) */
} Change;

static void
change_free (gpointer data)
{
  Change *self = data;

  g_strfreev (self->unset_keys);
  welkin_config_unref (self->values);
  g_object_unref (self->info);
  g_object_unref (self->environments);
  g_free (self);
}

/* (transfer full) */
static WelkinConfig *
change_apply (Change       *self,
              WelkinConfig *config)
{
  g_autoptr(WelkinConfig) result = welkin_config_ref (config);
  g_autofree const char **keys = welkin_config_get_keys (self->values);

  for (gsize i = 0; self->unset_keys != NULL && self->unset_keys[i] != NULL; i++)
    {
      g_autoptr(WelkinConfig) former = g_steal_pointer (&result);

      result = welkin_config_without (former, self->unset_keys[i]);
    }
  for (gsize i = 0; keys[i] != NULL; i++)
    {
      g_autoptr(WelkinConfig) former = g_steal_pointer (&result);

      result = welkin_config_with (former, keys[i], welkin_config_lookup (self->values, keys[i]));
    }
  return g_steal_pointer (&result);
}

static gboolean
edit_change (WelkinInfo *info,
             gpointer    user_data,
             GError    **error)
{
  Change *self = user_data;
  WelkinConfig *current = welkin_info_get_config (info);
  g_autoptr(WelkinConfig) changed = change_apply (self, current);
  g_autoptr(WelkinConfig) valid = NULL;

  valid = welkin_environments_check_change (self->environments, current, changed, error);
  if (valid == NULL)
    return FALSE;
  welkin_info_set_config (info, valid);
  return TRUE;
}

static void
change_run (WkFlow  *flow,
            gpointer user_data)
{
  Change *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, welkin_info_edit_async (self->info, edit_change, self, WK_RESUME (flow)));
  if (!welkin_info_edit_finish (self->info, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

/**
 * welkin_environments_change_async:
 * @self: environments
 * @info: what is remembered of a bootstrapped environment
 * @values: attributes, and the values that they get
 * @unset_keys: (nullable) (array zero-terminated=1): attributes that it is to have no more
 * @cancellable: (nullable): gives up
 * @callback: (scope async): called in the thread-default main context of the call
 * @user_data: for @callback
 *
 * Changes the configuration of a bootstrapped environment, as
 * [method@Environments.check_change] allows, and writes it down. What other processes change at the
 * same time stays.
 *
 * Since: 0.1
 */
void
welkin_environments_change_async (WelkinEnvironments *self,
                                  WelkinInfo         *info,
                                  WelkinConfig       *values,
                                  const char *const  *unset_keys,
                                  GCancellable       *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer            user_data)
{
  Change *change;

  g_return_if_fail (WELKIN_IS_ENVIRONMENTS (self));
  g_return_if_fail (WELKIN_IS_INFO (info));
  g_return_if_fail (welkin_info_get_config (info) != NULL);
  g_return_if_fail (values != NULL);

  change = g_new0 (Change, 1);
  change->environments = g_object_ref (self);
  change->info = g_object_ref (info);
  change->values = welkin_config_ref (values);
  change->unset_keys = g_strdupv ((char **) unset_keys);
  wk_flow_start (self, cancellable, callback, user_data, welkin_environments_change_async,
                 change_run, change, change_free);
}

/**
 * welkin_environments_change_finish:
 * @self: environments
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Environments.change_async]. Errors to expect: those of
 * [method@Environments.check_change] and [method@Info.write]; then nothing is changed.
 *
 * Returns: whether it was written
 *
 * Since: 0.1
 */
gboolean
welkin_environments_change_finish (WelkinEnvironments *self,
                                   GAsyncResult       *result,
                                   GError            **error)
{
  return wk_flow_finish_boolean (result, self, welkin_environments_change_async, error);
}
