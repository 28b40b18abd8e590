/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/remove-group.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "operations/delete-patiently.h"
#include "values/welkin-error.h"

static gboolean
is_in_use (GError *error)
{
  return g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_IN_USE);
}

/* Neutron lets go of a group only a while after the server that was in it is gone. */
static const OsDeleter group_deleter = {
  .delete_async = (WkUndoAsync) os_firewall_delete_group_async,
  .delete_finish = (WkUndoFinish) os_firewall_delete_group_finish,
  .is_busy = is_in_use,
  .strategy = { .total = 30, .delay = 1 },
};

typedef struct
{
  char   *id;      /* (owned) */
  GError *refusal; /* (owned) (nullable) */
} RemoveGroup;

static void
add_users (GError     *error,
           char *const *users)
{
  g_autofree char *ids = g_strjoinv (", ", (char **) users);
  char *message;

  if (*users == NULL)
    return;
  /* TRANSLATORS: what the cloud said, and ids of what is in a security group */
  message = g_strdup_printf (_("%s; still in it: %s"), error->message, ids);
  g_free (error->message);
  error->message = message;
}

static void
remove_group_run (WkFlow  *flow,
                  gpointer user_data)
{
  RemoveGroup *self = user_data;
  OsFirewall *firewall = wk_flow_get_source (flow);
  g_autofree char *context = g_strdup_printf (_("cannot delete security group %s"), self->id);
  g_auto(GStrv) users = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_delete_patiently_async (&group_deleter, firewall, self->id,
                                             os_firewall_get_clock (firewall), WK_RESUME (flow)));
  if (os_delete_patiently_finish (firewall, WK_RESULT (flow), &self->refusal))
    {
      wk_flow_return_boolean (flow, TRUE);
      return;
    }

  if (is_in_use (self->refusal))
    {
      WK_AWAIT (flow, os_firewall_list_users_async (firewall, self->id, WK_RESUME (flow)));
      users = os_firewall_list_users_finish (firewall, WK_RESULT (flow), NULL);
      if (users != NULL)
        add_users (self->refusal, users);
    }
  WK_FAIL (flow, &self->refusal, context);

  WK_FLOW_END (flow);
}

static void
remove_group_free (gpointer user_data)
{
  RemoveGroup *self = user_data;

  g_clear_error (&self->refusal);
  g_free (self->id);
  g_free (self);
}

void
os_remove_group_async (gpointer            firewall,
                       const char         *id,
                       GCancellable       *cancellable,
                       GAsyncReadyCallback callback,
                       gpointer            user_data)
{
  RemoveGroup *self = g_new0 (RemoveGroup, 1);

  self->id = g_strdup (id);
  wk_flow_start (firewall, cancellable, callback, user_data, os_remove_group_async,
                 remove_group_run, self, remove_group_free);
}

gboolean
os_remove_group_finish (gpointer      firewall,
                        GAsyncResult *result,
                        GError      **error)
{
  return wk_flow_finish_boolean (result, firewall, os_remove_group_async, error);
}
