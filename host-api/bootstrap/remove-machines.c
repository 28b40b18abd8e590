/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "bootstrap/machine-record.h"
#include "bootstrap/open-remembered.h"
#include "bootstrap/welkin-machines.h"
#include "environments/info-edit.h"
#include "values/welkin-error.h"

typedef struct
{
  /* inputs */
  WelkinEnvironments *environments; /* (owned) */
  char               *name;         /* (owned) */
  char              **machine_ids;  /* (owned) */
  WelkinRemoveFlags   flags;

  WelkinInfo         *info;         /* (owned) (nullable) */
} Remove;

static void
remove_free (gpointer data)
{
  Remove *self = data;

  g_clear_object (&self->info);
  g_strfreev (self->machine_ids);
  g_free (self->name);
  g_object_unref (self->environments);
  g_free (self);
}

static gboolean
edit_remove (WelkinInfo *info,
             gpointer    user_data,
             GError    **error)
{
  Remove *self = user_data;

  for (gsize i = 0; self->machine_ids[i] != NULL; i++)
    {
      const char *id = self->machine_ids[i];
      g_autoptr(WelkinMachineRecord) record = welkin_machine_record_load (info, id);

      if (g_str_equal (id, WELKIN_BOOTSTRAP_MACHINE))
        {
          g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
                       _("machine 0 keeps the state of environment \"%s\" and goes with it alone: "
                         "see \"welkin destroy-environment\""), self->name);
          return FALSE;
        }
      if (record == NULL)
        {
          g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND,
                       _("environment \"%s\" has no machine \"%s\""), self->name, id);
          return FALSE;
        }
      /* An agent has nothing to bring to an end, so that nobody waits for it. */
      welkin_machine_record_set (record, "life", "dead");
      if (self->flags & WELKIN_REMOVE_KEEP_INSTANCE)
        welkin_machine_record_set (record, "keep-instance", "true");
      welkin_machine_record_store (record, info);
    }
  return TRUE;
}

static void
remove_run (WkFlow  *flow,
            gpointer user_data)
{
  Remove *self = user_data;
  g_autoptr(WelkinEnviron) environment = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (!welkin_open_remembered (self->environments, self->name, &environment, &self->info, &error))
    WK_FAIL (flow, &error, NULL);

  WK_AWAIT (flow, welkin_info_edit_async (self->info, edit_remove, self, WK_RESUME (flow)));
  if (!welkin_info_edit_finish (self->info, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);

  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

/**
 * WelkinRemoveFlags:
 * @WELKIN_REMOVE_NONE: nothing special
 * @WELKIN_REMOVE_KEEP_INSTANCE: forget the machine, and let its instance run
 *
 * How machines are removed.
 *
 * Since: 0.1
 */

/**
 * welkin_remove_machines_async:
 * @environments: where the environment is remembered
 * @name: which one
 * @machine_ids: (array zero-terminated=1): the machines
 * @flags: how
 * @cancellable: (nullable): gives up
 * @callback: (scope async): called in the thread-default main context of the call
 * @user_data: for @callback
 *
 * Writes down that machines are to go. The next [func@provision] stops them and forgets them.
 *
 * Since: 0.1
 */
void
welkin_remove_machines_async (WelkinEnvironments *environments,
                              const char         *name,
                              const char *const  *machine_ids,
                              WelkinRemoveFlags   flags,
                              GCancellable       *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer            user_data)
{
  Remove *self;

  g_return_if_fail (WELKIN_IS_ENVIRONMENTS (environments));
  g_return_if_fail (name != NULL);
  g_return_if_fail (machine_ids != NULL);

  self = g_new0 (Remove, 1);
  self->environments = g_object_ref (environments);
  self->name = g_strdup (name);
  self->machine_ids = g_strdupv ((char **) machine_ids);
  self->flags = flags;
  wk_flow_start (environments, cancellable, callback, user_data, welkin_remove_machines_async,
                 remove_run, self, remove_free);
}

/**
 * welkin_remove_machines_finish:
 * @environments: the environments
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends welkin_remove_machines_async(). Machine 0 is %WELKIN_ERROR_INVALID_ARGUMENT, one that there
 * is not %WELKIN_ERROR_NOT_FOUND; then none is marked.
 *
 * Returns: %TRUE when it is written down
 *
 * Since: 0.1
 */
gboolean
welkin_remove_machines_finish (WelkinEnvironments *environments,
                               GAsyncResult       *result,
                               GError            **error)
{
  return wk_flow_finish_boolean (result, environments, welkin_remove_machines_async, error);
}
