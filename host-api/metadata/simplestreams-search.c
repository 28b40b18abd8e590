/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "metadata/simplestreams-search.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "values/welkin-error.h"

typedef struct
{
  /* inputs */
  GPtrArray          *sources; /* (owned) of WelkinDataSource */
  WelkinStreamsQuery *query;   /* (owned) */

  /* while running */
  guint               index;   /* of the source that is asked */
  WelkinDataSource   *source;  /* that one */
  GError             *reason;  /* (owned) (nullable) why it has nothing for us */
  GPtrArray          *records; /* (owned) (nullable) what it has */

  WelkinStreamsFound *found;   /* (owned) */
} Search;

static void
failure_free (gpointer data)
{
  WelkinStreamsFailure *self = data;

  g_error_free (self->error);
  g_free (self->source);
  g_free (self);
}

void
welkin_streams_found_free (WelkinStreamsFound *self)
{
  g_clear_pointer (&self->records, g_ptr_array_unref);
  g_clear_object (&self->source);
  g_clear_pointer (&self->info, welkin_resolve_info_unref);
  g_ptr_array_unref (self->failures);
  g_free (self);
}

char *
welkin_streams_found_explain (WelkinStreamsFound *self)
{
  g_autoptr(GString) text = g_string_new (NULL);

  for (guint i = 0; i < self->failures->len; i++)
    {
      const WelkinStreamsFailure *failure = g_ptr_array_index (self->failures, i);

      g_string_append_printf (text, "%s%s: %s", i > 0 ? "\n" : "", failure->source,
                              failure->error->message);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
search_free (gpointer user_data)
{
  Search *self = user_data;

  g_clear_error (&self->reason);
  g_clear_pointer (&self->records, g_ptr_array_unref);
  g_clear_pointer (&self->found, welkin_streams_found_free);
  welkin_streams_query_unref (self->query);
  g_ptr_array_unref (self->sources);
  g_free (self);
}

/* There is nothing, as against: something is wrong. */
static gboolean
is_ordinary (const GError *error)
{
  return g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND)
         || g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_UNAUTHORIZED)
         || g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED)
         || g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NO_MATCH);
}

/* Who does not answer is not asked twice, and who sends what somebody has changed not at all. */
static gboolean
is_final (const GError *error)
{
  return error->domain != WELKIN_ERROR || error->code == WELKIN_ERROR_UNAVAILABLE
         || error->code == WELKIN_ERROR_TIMED_OUT || error->code == WELKIN_ERROR_RATE_LIMITED
         || error->code == WELKIN_ERROR_FORBIDDEN;
}

/* Of two reasons the one that tells more. Takes error. */
static void
note_reason (Search *self,
             GError *error)
{
  if (self->reason == NULL || is_ordinary (self->reason) || !is_ordinary (error))
    {
      g_clear_error (&self->reason);
      self->reason = error;
    }
  else
    g_error_free (error);
}

static gboolean
must_be_signed (Search *self)
{
  return welkin_data_source_get_requires_signed (self->source);
}

/* The next source; FALSE when there is none left. */
static gboolean
begin_source (Search *self)
{
  g_clear_error (&self->reason);
  if (self->index == self->sources->len)
    return FALSE;
  self->source = g_ptr_array_index (self->sources, self->index++);
  if (self->query->key_path == NULL && must_be_signed (self))
    g_set_error_literal (&self->reason, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG,
                         _("it must be signed, and there is no key to verify that with"));
  return TRUE;
}

static gboolean
wants_signed (Search *self)
{
  return self->query->key_path != NULL;
}

static gboolean
wants_plain (Search *self)
{
  return self->records == NULL && !must_be_signed (self)
         && (self->reason == NULL || !is_final (self->reason));
}

static void
end_source (Search *self)
{
  WelkinStreamsFailure *failure;

  if (self->records != NULL)
    {
      /* Somebody else's key says nothing to us; ours should be one. */
      if (g_error_matches (self->reason, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG))
        g_warning ("metadata of %s are taken unsigned, for the signed ones cannot be verified: %s",
                   welkin_data_source_get_description (self->source), self->reason->message);
      self->found->records = g_steal_pointer (&self->records);
      return;
    }

  failure = g_new0 (WelkinStreamsFailure, 1);
  failure->source = g_strdup (welkin_data_source_get_description (self->source));
  failure->error = g_steal_pointer (&self->reason);
  g_ptr_array_add (self->found->failures, failure);
  if (is_ordinary (failure->error))
    g_debug ("nothing in %s: %s", failure->source, failure->error->message);
  else
    g_warning ("metadata of %s cannot be used: %s", failure->source, failure->error->message);
}

static void
search_run (WkFlow  *flow,
            gpointer user_data)
{
  Search *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  while (self->found->records == NULL && begin_source (self))
    {
      if (wants_signed (self))
        {
          WK_AWAIT (flow, welkin_streams_attempt_async (self->source, self->query, TRUE,
                                                        &self->found->info,
                                                        &self->found->source,
                                                        WK_RESUME (flow)));
          self->records = welkin_streams_attempt_finish (self->source, WK_RESULT (flow), &error);
          if (self->records == NULL)
            note_reason (self, g_steal_pointer (&error));
        }
      if (wk_flow_is_cancelled (flow, &error))
        WK_FAIL (flow, &error, NULL);
      if (wants_plain (self))
        {
          WK_AWAIT (flow, welkin_streams_attempt_async (self->source, self->query, FALSE,
                                                        &self->found->info,
                                                        &self->found->source,
                                                        WK_RESUME (flow)));
          self->records = welkin_streams_attempt_finish (self->source, WK_RESULT (flow), &error);
          if (self->records == NULL)
            note_reason (self, g_steal_pointer (&error));
        }
      if (wk_flow_is_cancelled (flow, &error))
        WK_FAIL (flow, &error, NULL);
      end_source (self);
    }

  wk_flow_return_pointer (flow, g_steal_pointer (&self->found),
                          (GDestroyNotify) welkin_streams_found_free);

  WK_FLOW_END (flow);
}

void
welkin_streams_search_async (GPtrArray          *sources,
                             WelkinStreamsQuery *query,
                             GCancellable       *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer            user_data)
{
  Search *self = g_new0 (Search, 1);

  self->sources = g_ptr_array_ref (sources);
  self->query = welkin_streams_query_ref (query);
  self->found = g_new0 (WelkinStreamsFound, 1);
  self->found->failures = g_ptr_array_new_with_free_func (failure_free);
  wk_flow_start (NULL, cancellable, callback, user_data, welkin_streams_search_async, search_run,
                 self, search_free);
}

WelkinStreamsFound *
welkin_streams_search_finish (GAsyncResult *result,
                              GError      **error)
{
  return wk_flow_finish_pointer (result, NULL, welkin_streams_search_async, error);
}
