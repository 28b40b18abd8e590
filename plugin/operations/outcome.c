/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/outcome.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/flow.h"
#include "transport/os-errors.h"
#include "values/welkin-error.h"

#define N_LOOKS 3
#define LOOK_SECONDS 2.0

typedef struct
{
  const OsMaker *maker;
  gpointer       data;
  WkClock       *clock;       /* (owned) */
  GCancellable  *cancellable; /* (owned) (nullable) the caller's */

  guint          n_looks;
  gboolean       was_repeated;
  gboolean       is_refused;
  gboolean       is_blind;    /* the last look could not be had */
  GError        *failure;     /* (owned) (nullable) of the last call */
} Make;

gboolean
os_error_leaves_doubt (const GError *error)
{
  return g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_UNAVAILABLE)
         || g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_TIMED_OUT)
         || g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
}

static const struct
{
  const char *text;
  WelkinError code;
} faults[] = {
  { "No valid host was found", WELKIN_ERROR_NO_VALID_HOST },
  { "Exhausted all hosts", WELKIN_ERROR_NO_VALID_HOST },
  { "Exceeded max scheduling attempts", WELKIN_ERROR_NO_VALID_HOST },
  { "Exceeded maximum number of retries", WELKIN_ERROR_NO_VALID_HOST },
  { "requested availability zone is not available", WELKIN_ERROR_NO_VALID_HOST },
  { "No fixed IP addresses available", WELKIN_ERROR_NO_ADDRESSES },
  { "Quota exceeded", WELKIN_ERROR_QUOTA_EXCEEDED },
  { "exceeded for quota", WELKIN_ERROR_QUOTA_EXCEEDED },
  { "exceeds allowed", WELKIN_ERROR_QUOTA_EXCEEDED },
};

static WelkinError
get_fault_code (const char *message)
{
  /* After this word comes the cause, which no other zone would cure. */
  if (strstr (message, "Last exception:") != NULL)
    return WELKIN_ERROR_INSTANCE_FAILED;
  for (gsize i = 0; i < G_N_ELEMENTS (faults); i++)
    {
      if (strstr (message, faults[i].text) != NULL)
        return faults[i].code;
    }
  return WELKIN_ERROR_INSTANCE_FAILED;
}

GError *
os_error_from_fault (const OsServer *server)
{
  const OsFault *fault = server->fault;
  const char *text = fault != NULL && fault->message != NULL ? fault->message : "";
  g_autofree char *message = g_strstrip (g_strdup (text));
  WelkinError code = get_fault_code (message);
  GError *error;

  error = g_error_new (WELKIN_ERROR, code, _("%s (server %s)"),
                       *message != '\0' ? message : _("it is in state ERROR"), server->id);
  welkin_error_set_zone_independent (error, code != WELKIN_ERROR_NO_VALID_HOST);
  if (code == WELKIN_ERROR_NO_VALID_HOST)
    welkin_error_set_hint (error, _("The cloud has no room for a machine of this size now: ask for "
                                    "less with constraints, or for another zone."));
  else
    os_error_explain_shortage (error);
  return error;
}

static void
note_twin (Make    *self,
           gpointer thing)
{
  if (self->was_repeated && self->maker->note_twin != NULL)
    self->maker->note_twin (thing);
}

static void
make_run (WkFlow  *flow,
          gpointer user_data)
{
  Make *self = user_data;
  gpointer thing;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  while (TRUE)
    {
      WK_AWAIT (flow, self->maker->make_async (self->data, wk_flow_resume_cb, flow));
      thing = self->maker->make_finish (self->data, WK_RESULT (flow), &error);
      if (thing != NULL)
        {
          note_twin (self, thing);
          wk_flow_return_pointer (flow, thing, NULL);
          return;
        }
      /* The second time, a refusal may mean that the first time was not in vain. */
      self->is_refused = !os_error_leaves_doubt (error);
      if (self->is_refused && !self->was_repeated)
        WK_FAIL (flow, &error, NULL);
      g_debug ("it is not known what came of it: %s", error->message);
      g_clear_error (&self->failure);
      self->failure = g_steal_pointer (&error);

      for (self->n_looks = 0; self->n_looks < (self->is_refused ? 1 : N_LOOKS); self->n_looks++)
        {
          WK_AWAIT (flow, self->maker->find_async (self->data, wk_flow_resume_cb, flow));
          thing = self->maker->find_finish (self->data, WK_RESULT (flow), &error);
          if (thing != NULL)
            {
              note_twin (self, thing);
              wk_flow_return_pointer (flow, thing, NULL);
              return;
            }
          self->is_blind = error != NULL;
          if (self->is_blind)
            g_debug ("nor can it be looked for: %s", error->message);
          g_clear_error (&error);
          WK_AWAIT (flow, wk_clock_sleep_async (self->clock, LOOK_SECONDS, WK_RESUME (flow)));
          wk_clock_sleep_finish (self->clock, WK_RESULT (flow), NULL);
        }

      if (g_cancellable_set_error_if_cancelled (self->cancellable, &error))
        WK_FAIL (flow, &error, NULL);
      if (self->was_repeated || self->is_blind)
        WK_FAIL (flow, &self->failure, NULL);
      self->was_repeated = TRUE;
    }

  WK_FLOW_END (flow);
}

static void
make_free (gpointer user_data)
{
  Make *self = user_data;

  g_clear_error (&self->failure);
  g_clear_object (&self->cancellable);
  wk_clock_unref (self->clock);
  g_free (self);
}

void
os_make_async (const OsMaker      *maker,
               gpointer            data,
               WkClock            *clock,
               GCancellable       *cancellable,
               GAsyncReadyCallback callback,
               gpointer            user_data)
{
  Make *self = g_new0 (Make, 1);

  self->maker = maker;
  self->data = data;
  self->clock = wk_clock_ref (clock);
  g_set_object (&self->cancellable, cancellable);
  wk_flow_start (NULL, NULL, callback, user_data, os_make_async, make_run, self, make_free);
}

gpointer
os_make_finish (GAsyncResult *result,
                GError      **error)
{
  return wk_flow_finish_pointer (result, NULL, os_make_async, error);
}
