/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/stop-instances.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/flow.h"
#include "base/join.h"
#include "operations/complete-marks.h"
#include "operations/fetch-instances.h"
#include "operations/ownership.h"
#include "operations/remove-whole-server.h"
#include "operations/sweep.h"
#include "values/welkin-error.h"

/* So many failures are told one by one. */
#define MAX_FAILURES 20

/* How long a stop that was cancelled goes on with what it has begun. */
#define GRACE_SECONDS 60.0

typedef struct
{
  /* inputs */
  OsSnapshot     *snapshot;  /* (owned) */
  char          **ids;       /* (owned) */
  WelkinProgress *progress;  /* (owned) (nullable) */

  /* while running */
  GCancellable   *time_over; /* (owned) cancelled when the grace has passed */
  GSource        *cancelled; /* (owned) (nullable) watches the caller's */
  GSource        *deadline;  /* (owned) (nullable) */
  WkJoin         *join;      /* (owned) (nullable) */
  OsFetched      *fetched;   /* (owned) (nullable) */
  GHashTable     *marks;     /* (owned) of what was made for the servers that are gone */
  guint           n_servers;
  guint           n_gone;

  GError         *error;     /* (owned) (nullable) the first one */
  GPtrArray      *failures;  /* (owned) of texts, one for each server that was not stopped */
} Stop;

/* One server. */
typedef struct
{
  Stop                  *stop;
  const OsDetail        *detail;
  const OsServerRemover *remover;
} ServerCall;

/* The mark of what a start made beside its server: all of it in the first attempt. */
static char *
make_mark (Stop           *self,
           const OsDetail *detail)
{
  const char *machine_id = os_detail_get_machine_id (detail);
  const char *start = os_detail_get_start (detail);
  g_autofree char *start_id = NULL;
  g_autofree char *first = NULL;

  if (machine_id == NULL || start == NULL)
    return NULL;
  start_id = os_mark_get_start_id (start);
  first = os_mark_format_start (start_id, 1);
  return os_mark_format (os_snapshot_get_environ_uuid (self->snapshot), machine_id, first);
}

static void
keep_error (Stop   *self,
            GError *error)
{
  if (error == NULL)
    return;
  if (self->error == NULL)
    self->error = error;
  else
    g_error_free (error);
}

/* Whoever asked for several has to know which of them are still there. */
static void
tell_failures (Stop *self)
{
  GString *text;

  if (self->failures->len < 2)
    return;
  text = g_string_new (self->error->message);
  g_string_append_printf (text, "\n%s", _("What was not stopped:"));
  for (guint i = 0; i < MIN (self->failures->len, MAX_FAILURES); i++)
    g_string_append_printf (text, "\n  %s", (char *) g_ptr_array_index (self->failures, i));
  if (self->failures->len > MAX_FAILURES)
    g_string_append (text, "\n  …");
  g_free (self->error->message);
  self->error->message = g_string_free (text, FALSE);
}

/* The time that is left. Once servers are being deleted, only this call knows what is to go with
 * them: a repeated one does not find them any more. So it goes on for a while when the caller has
 * cancelled, and then ends as it would have. */

static gboolean
time_over_cb (gpointer user_data)
{
  Stop *self = user_data;

  g_cancellable_cancel (self->time_over);
  return G_SOURCE_REMOVE;
}

static gboolean
cancelled_cb (GCancellable *cancellable,
              gpointer      user_data)
{
  Stop *self = user_data;
  WkClock *clock = os_snapshot_get_clock (self->snapshot);

  self->deadline = g_timeout_source_new (wk_clock_get_interval (clock, GRACE_SECONDS));
  g_source_set_callback (self->deadline, time_over_cb, self, NULL);
  g_source_attach (self->deadline, g_main_context_get_thread_default ());
  return G_SOURCE_REMOVE;
}

static void
watch_caller (Stop         *self,
              GCancellable *cancellable)
{
  if (cancellable == NULL)
    return;
  self->cancelled = g_cancellable_source_new (cancellable);
  g_source_set_callback (self->cancelled, G_SOURCE_FUNC (cancelled_cb), self, NULL);
  g_source_attach (self->cancelled, g_main_context_get_thread_default ());
}

static void
clear_source (GSource **source)
{
  if (*source != NULL)
    g_source_destroy (*source);
  g_clear_pointer (source, g_source_unref);
}

/* The servers. */

static void
report_progress (Stop *self)
{
  g_autofree char *message =
    g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Stopping %u machine", "Stopping %u machines",
                                  self->n_servers),
                     self->n_servers);

  welkin_progress_set_message (self->progress, message);
  if (self->n_servers > 0)
    welkin_progress_set_fraction (self->progress, (double) self->n_gone / self->n_servers);
}

static void
server_removed_cb (GObject      *source,
                   GAsyncResult *result,
                   gpointer      user_data)
{
  g_autofree ServerCall *call = user_data;
  Stop *self = call->stop;
  g_autofree char *mark = make_mark (self, call->detail);
  GError *error = NULL;

  if (call->remover->remove_finish (self->snapshot, result, &error))
    {
      self->n_gone++;
      report_progress (self);
    }
  else
    {
      g_ptr_array_add (self->failures, g_strdup_printf ("%s: %s", os_detail_get_id (call->detail),
                                                        error->message));
      g_prefix_error (&error, _("Cannot stop instance %s: "), os_detail_get_id (call->detail));
      /* What it may still use stays with it. */
      if (mark != NULL)
        g_hash_table_remove (self->marks, mark);
    }
  wk_join_end (self->join, error);
}

static void
begin_server (Stop           *self,
              const OsDetail *detail)
{
  ServerCall *call = g_new0 (ServerCall, 1);
  char *mark = make_mark (self, detail);

  if (mark != NULL)
    g_hash_table_add (self->marks, mark);
  call->stop = self;
  call->detail = detail;
  call->remover = os_choose_server_remover (self->snapshot, os_detail_is_on_volume (detail),
                                            os_detail_get_floating_ip (detail));
  self->n_servers++;
  call->remover->remove_async (self->snapshot, os_detail_get_id (detail),
                               wk_join_begin (self->join), server_removed_cb, call);
}

static void
begin_servers (Stop *self)
{
  for (guint i = 0; i < self->fetched->details->len; i++)
    begin_server (self, g_ptr_array_index (self->fetched->details, i));
}

static void
refuse_foreign (Stop *self)
{
  const char *name = welkin_config_get_name (os_snapshot_get_config (self->snapshot));

  for (guint i = 0; i < self->fetched->foreign_ids->len; i++)
    {
      const char *id = g_ptr_array_index (self->fetched->foreign_ids, i);
      g_autofree char *reason = g_strdup_printf (_("it does not belong to environment %s"), name);

      g_ptr_array_add (self->failures, g_strdup_printf ("%s: %s", id, reason));
      keep_error (self, g_error_new (WELKIN_ERROR, WELKIN_ERROR_FORBIDDEN,
                                     _("Cannot stop instance %s: %s"), id, reason));
    }
}

static void
stop_run (WkFlow  *flow,
          gpointer user_data)
{
  Stop *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_find_instances_async (self->snapshot, (const char *const *) self->ids,
                                           WK_RESUME (flow)));
  self->fetched = os_find_instances_finish (self->snapshot, WK_RESULT (flow), &error);
  if (self->fetched == NULL)
    WK_FAIL (flow, &error, _("Cannot stop machines"));
  if (wk_flow_is_cancelled (flow, &error))
    WK_FAIL (flow, &error, NULL);
  refuse_foreign (self);
  WK_AWAIT (flow, os_complete_marks_async (self->snapshot, WK_RESUME (flow)));
  if (!os_complete_marks_finish (self->snapshot, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, _("Cannot stop machines"));

  watch_caller (self, wk_flow_get_cancellable (flow));
  self->join = wk_join_new (WK_JOIN_COLLECT, self->time_over);
  begin_servers (self);
  report_progress (self);
  WK_AWAIT (flow, wk_join_wait_async (self->join, wk_flow_resume_cb, flow));
  wk_join_wait_finish (self->join, WK_RESULT (flow), &error);
  keep_error (self, g_steal_pointer (&error));

  if (g_hash_table_size (self->marks) > 0)
    {
      WK_AWAIT (flow, os_sweep_async (self->snapshot, self->marks, self->time_over,
                                      wk_flow_resume_cb, flow));
      if (!os_sweep_finish (self->snapshot, WK_RESULT (flow), &error))
        g_prefix_error (&error, "%s: ", _("Cannot remove what the machines used"));
      keep_error (self, g_steal_pointer (&error));
    }

  tell_failures (self);
  if (self->error != NULL)
    WK_FAIL (flow, &self->error, NULL);
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

static void
stop_free (gpointer user_data)
{
  Stop *self = user_data;

  g_ptr_array_unref (self->failures);
  g_clear_error (&self->error);
  g_hash_table_unref (self->marks);
  g_clear_pointer (&self->fetched, os_fetched_free);
  g_clear_pointer (&self->join, wk_join_unref);
  clear_source (&self->deadline);
  clear_source (&self->cancelled);
  g_object_unref (self->time_over);
  g_clear_object (&self->progress);
  g_strfreev (self->ids);
  g_object_unref (self->snapshot);
  g_free (self);
}

void
os_stop_instances_async (OsSnapshot         *snapshot,
                         const char *const  *ids,
                         WelkinProgress     *progress,
                         GCancellable       *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer            user_data)
{
  Stop *self = g_new0 (Stop, 1);

  self->snapshot = g_object_ref (snapshot);
  self->ids = g_strdupv ((char **) ids);
  g_set_object (&self->progress, progress);
  self->failures = g_ptr_array_new_with_free_func (g_free);
  self->time_over = g_cancellable_new ();
  self->marks = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  wk_flow_start (snapshot, cancellable, callback, user_data, os_stop_instances_async, stop_run,
                 self, stop_free);
}

gboolean
os_stop_instances_finish (OsSnapshot   *snapshot,
                          GAsyncResult *result,
                          GError      **error)
{
  return wk_flow_finish_boolean (result, snapshot, os_stop_instances_async, error);
}
