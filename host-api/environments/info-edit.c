/* SPDX-License-Identifier: LGPL-2.1-or-later */

/*
 * Edits of an info that have to succeed: an edit holds the lock for milliseconds, so whoever
 * comes in between only has to come again.
 */

#include "config.h"

#include "environments/info-edit.h"

#include "base/clock.h"
#include "base/flow.h"
#include "values/welkin-error.h"

#define PAUSE_SECONDS 0.05
/* Of a wall clock: each try waits a little by itself. */
#define MAX_TRIES 100

typedef struct
{
  WelkinInfo    *info;      /* (owned) */
  WelkinInfoEdit edit;      /* (nullable) */
  gpointer       edit_data; /* (unowned) */

  WkClock       *clock;     /* (owned) */
  guint          n_tries;
} InfoEdit;

static void
info_edit_free (gpointer data)
{
  InfoEdit *self = data;

  wk_clock_unref (self->clock);
  g_object_unref (self->info);
  g_free (self);
}

static gboolean
is_worth_another_try (InfoEdit     *self,
                      const GError *error)
{
  return g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_IN_USE) && ++self->n_tries < MAX_TRIES;
}

static void
info_edit_run (WkFlow  *flow,
               gpointer user_data)
{
  InfoEdit *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  while (!welkin_info_edit (self->info, self->edit, self->edit_data, &error))
    {
      if (!is_worth_another_try (self, error))
        WK_FAIL (flow, &error, NULL);
      g_clear_error (&error);

      WK_AWAIT (flow, wk_clock_sleep_async (self->clock, PAUSE_SECONDS, WK_RESUME (flow)));
      if (!wk_clock_sleep_finish (self->clock, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
    }
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

void
welkin_info_edit_async (WelkinInfo         *info,
                        WelkinInfoEdit      edit,
                        gpointer            edit_data,
                        GCancellable       *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer            user_data)
{
  InfoEdit *self = g_new0 (InfoEdit, 1);

  self->info = g_object_ref (info);
  self->edit = edit;
  self->edit_data = edit_data;
  self->clock = wk_clock_new (1);
  wk_flow_start (info, cancellable, callback, user_data, welkin_info_edit_async, info_edit_run,
                 self, info_edit_free);
}

gboolean
welkin_info_edit_finish (WelkinInfo   *self,
                         GAsyncResult *result,
                         GError      **error)
{
  return wk_flow_finish_boolean (result, self, welkin_info_edit_async, error);
}

/**
 * welkin_info_write_async:
 * @self: an info
 * @cancellable: (nullable): gives up
 * @callback: (scope async): called in the thread-default main context of the call
 * @user_data: for @callback
 *
 * Writes what was set since the last write, as [method@Info.write] does, and tries again for some
 * seconds while another process edits the same info.
 *
 * Since: 0.1
 */
void
welkin_info_write_async (WelkinInfo         *self,
                         GCancellable       *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer            user_data)
{
  g_return_if_fail (WELKIN_IS_INFO (self));

  welkin_info_edit_async (self, NULL, NULL, cancellable, callback, user_data);
}

/**
 * welkin_info_write_finish:
 * @self: an info
 * @result: what the callback was given
 * @error: return location for an error
 *
 * Ends [method@Info.write_async]. The errors are those of [method@Info.write].
 *
 * Returns: whether it was written
 *
 * Since: 0.1
 */
gboolean
welkin_info_write_finish (WelkinInfo   *self,
                          GAsyncResult *result,
                          GError      **error)
{
  g_return_val_if_fail (WELKIN_IS_INFO (self), FALSE);
  g_return_val_if_fail (G_IS_ASYNC_RESULT (result), FALSE);

  return welkin_info_edit_finish (self, result, error);
}
