/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/verify.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "operations/plan.h"
#include "values/welkin-error.h"

typedef struct
{
  OsSnapshot     *snapshot; /* (owned) */
  WelkinProgress *progress; /* (owned) (nullable) */
} Verification;

static void
verification_free (gpointer data)
{
  Verification *self = data;

  g_object_unref (self->snapshot);
  g_clear_object (&self->progress);
  g_free (self);
}

/* A wrong address is the commonest mistake, and it may take a minute to find out. */
static void
tell_login (Verification *self)
{
  const char *url = os_client_get_auth_url (os_snapshot_get_client (self->snapshot));
  /* TRANSLATORS: a URL */
  g_autofree char *message = g_strdup_printf (_("Logging in at %s"), url);

  welkin_progress_set_message (self->progress, message);
}

static void
begin_plan (OsSnapshot         *snapshot,
            GCancellable       *cancellable,
            GAsyncReadyCallback callback,
            gpointer            user_data)
{
  static const char *const nobody[] = { NULL };
  g_autoptr(WelkinConstraints) constraints = welkin_constraints_new ();
  OsPlanRequest request = {
    .constraints = constraints,
    .series = welkin_config_get_string (os_snapshot_get_config (snapshot), "default-series"),
    .placement = "",
    .distribution_group = nobody,
  };

  os_plan_async (snapshot, &request, cancellable, callback, user_data);
}

static void
verify_run (WkFlow  *flow,
            gpointer user_data)
{
  Verification *self = user_data;
  OsClient *client = os_snapshot_get_client (self->snapshot);
  g_autoptr(OsPlan) plan = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  tell_login (self);
  WK_AWAIT (flow, os_client_login_async (client, WK_RESUME (flow)));
  if (!os_client_login_finish (client, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);

  welkin_progress_set_message (self->progress, _("Looking for image, flavor and networks"));
  WK_AWAIT (flow, begin_plan (self->snapshot, WK_RESUME (flow)));
  plan = os_plan_finish (self->snapshot, WK_RESULT (flow), &error);
  /* The constraints of a machine may name what the environment does not. */
  if (g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NO_MATCH))
    g_debug ("a machine without constraints cannot be started: %s", error->message);
  else if (error != NULL)
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

void
os_verify_async (OsSnapshot         *snapshot,
                 WelkinProgress     *progress,
                 GCancellable       *cancellable,
                 GAsyncReadyCallback callback,
                 gpointer            user_data)
{
  Verification *self = g_new0 (Verification, 1);

  self->snapshot = g_object_ref (snapshot);
  if (progress != NULL)
    self->progress = g_object_ref (progress);
  wk_flow_start (snapshot, cancellable, callback, user_data, os_verify_async, verify_run, self,
                 verification_free);
}

gboolean
os_verify_finish (OsSnapshot   *snapshot,
                  GAsyncResult *result,
                  GError      **error)
{
  return wk_flow_finish_boolean (result, snapshot, os_verify_async, error);
}
