/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/destroy.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "operations/fetch-instances.h"
#include "operations/stop-instances.h"
#include "operations/sweep.h"
#include "values/welkin-error.h"

/* A server that was asked for a moment ago may not be listed yet: one look is not enough. */
#define N_EMPTY_LOOKS 2
#define LOOK_SECONDS  2.0
/* Somebody who starts machines all the while is not to keep us for ever. */
#define MAX_ROUNDS    5

typedef struct
{
  /* inputs */
  OsSnapshot     *snapshot; /* (owned) */
  WelkinStorage  *storage;  /* (owned) */
  WelkinProgress *progress; /* (owned) (nullable) */

  /* while running */
  guint           n_empty;  /* looks that found no server, one after another */
  guint           n_rounds;
  char          **ids;      /* (owned) (nullable) */
  WelkinProgress *stopping; /* (owned) (nullable) */

  GError         *error;    /* (owned) (nullable) the first one */
} Destroy;

static void
keep_error (Destroy *self,
            GError  *error)
{
  if (self->error == NULL)
    self->error = error;
  else
    g_clear_error (&error);
}

static char **
list_ids (OsFetched *fetched)
{
  g_autoptr(GStrvBuilder) ids = g_strv_builder_new ();

  for (guint i = 0; i < fetched->details->len; i++)
    g_strv_builder_add (ids, os_detail_get_id (g_ptr_array_index (fetched->details, i)));
  return g_strv_builder_end (ids);
}

/* What machines that are there need is not taken from them. */
static GError *
make_conflict (void)
{
  GError *error = g_error_new_literal (WELKIN_ERROR, WELKIN_ERROR_CONFLICT,
                                       _("machines keep appearing"));

  welkin_error_set_hint (error, _("Somebody starts machines in it: end that and try again."));
  return error;
}

static void
destroy_run (WkFlow  *flow,
             gpointer user_data)
{
  Destroy *self = user_data;
  WkClock *clock = os_snapshot_get_clock (self->snapshot);
  OsApartGroup *apart_group = os_snapshot_get_apart_group (self->snapshot);
  g_autofree char *context =
    g_strdup_printf (_("Cannot destroy environment %s"),
                     welkin_config_get_name (os_snapshot_get_config (self->snapshot)));
  g_autoptr(OsFetched) fetched = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  while (self->n_empty < N_EMPTY_LOOKS && self->n_rounds < MAX_ROUNDS && self->error == NULL)
    {
      welkin_progress_set_message (self->progress, _("Looking for machines"));
      WK_AWAIT (flow, os_list_instances_async (self->snapshot, WK_RESUME (flow)));
      fetched = os_list_instances_finish (self->snapshot, WK_RESULT (flow), &error);
      if (fetched == NULL)
        WK_FAIL (flow, &error, context);

      g_clear_pointer (&self->ids, g_strfreev);
      self->ids = list_ids (fetched);
      g_clear_pointer (&fetched, os_fetched_free);
      if (*self->ids != NULL)
        {
          self->n_empty = 0;
          self->n_rounds++;
          self->stopping = welkin_progress_add_child (self->progress, 1.0);
          WK_AWAIT (flow, os_stop_instances_async (self->snapshot, (const char *const *) self->ids,
                                                   self->stopping, WK_RESUME (flow)));
          g_clear_object (&self->stopping);
          os_stop_instances_finish (self->snapshot, WK_RESULT (flow), &self->error);
          continue;
        }
      if (++self->n_empty == N_EMPTY_LOOKS)
        break;
      WK_AWAIT (flow, wk_clock_sleep_async (clock, LOOK_SECONDS, WK_RESUME (flow)));
      if (!wk_clock_sleep_finish (clock, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, context);
    }
  if (self->n_empty < N_EMPTY_LOOKS && self->error == NULL)
    {
      self->error = make_conflict ();
      WK_FAIL (flow, &self->error, context);
    }

  welkin_progress_set_message (self->progress, _("Removing networking"));
  WK_AWAIT (flow, os_sweep_async (self->snapshot, NULL, WK_RESUME (flow)));
  if (!os_sweep_finish (self->snapshot, WK_RESULT (flow), &error))
    keep_error (self, g_steal_pointer (&error));
  os_shared_groups_forget (os_snapshot_get_shared_groups (self->snapshot));
  WK_AWAIT (flow, os_apart_group_remove_async (apart_group, WK_RESUME (flow)));
  if (!os_apart_group_remove_finish (apart_group, WK_RESULT (flow), &error))
    keep_error (self, g_steal_pointer (&error));
  if (self->error != NULL)
    WK_FAIL (flow, &self->error, context);

  welkin_progress_set_message (self->progress, _("Removing storage"));
  WK_AWAIT (flow, welkin_storage_remove_all_async (self->storage, WK_RESUME (flow)));
  /* An environment may have none. */
  if (!welkin_storage_remove_all_finish (self->storage, WK_RESULT (flow), &error)
      && !g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED))
    WK_FAIL (flow, &error, context);
  welkin_progress_finish (self->progress);
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

static void
destroy_free (gpointer user_data)
{
  Destroy *self = user_data;

  g_clear_error (&self->error);
  g_clear_object (&self->stopping);
  g_strfreev (self->ids);
  g_clear_object (&self->progress);
  g_object_unref (self->storage);
  g_object_unref (self->snapshot);
  g_free (self);
}

void
os_destroy_async (OsSnapshot         *snapshot,
                  WelkinStorage      *storage,
                  WelkinProgress     *progress,
                  GCancellable       *cancellable,
                  GAsyncReadyCallback callback,
                  gpointer            user_data)
{
  Destroy *self = g_new0 (Destroy, 1);

  self->snapshot = g_object_ref (snapshot);
  self->storage = g_object_ref (storage);
  g_set_object (&self->progress, progress);
  wk_flow_start (snapshot, cancellable, callback, user_data, os_destroy_async, destroy_run, self,
                 destroy_free);
}

gboolean
os_destroy_finish (OsSnapshot   *snapshot,
                   GAsyncResult *result,
                   GError      **error)
{
  return wk_flow_finish_boolean (result, snapshot, os_destroy_async, error);
}
