/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/make-server.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/attempt.h"
#include "base/flow.h"
#include "operations/failure-text.h"
#include "operations/mark-volumes.h"
#include "operations/outcome.h"
#include "operations/ownership.h"
#include "operations/remove-whole-server.h"
#include "operations/started-servers.h"
#include "values/welkin-error.h"

#define DEFAULT_START_SECONDS 300.0
#define REMOVE_SECONDS        360.0
#define N_CONSOLE_LINES       50

typedef struct
{
  /* inputs */
  OsSnapshot     *snapshot;    /* (owned) */
  OsServerRequest request;     /* the caller's */
  GHashTable     *metadata;    /* (owned) the request's, and the start */
  char           *start;       /* (owned) */
  OsPollGoal      goal;
  char          **console;     /* the caller's */
  GCancellable   *cancellable; /* (owned) (nullable) the caller's */
  const OsServerRemover *remover;

  /* while running */
  WkAttempt       attempt;     /* at what nova cannot see yet */
  guint           n_made;      /* how often it was asked for since nova refused it */
  gboolean        is_in_doubt; /* how many there are */
  char           *id;          /* (owned) */
  char           *spare_id;    /* (owned) (nullable) of a second one */
  OsServer       *server;      /* (owned) (nullable) it is of use */
  GError         *failure;     /* (owned) (nullable) */
} MakeServer;

/* Asking for it once. */

static void
make_async (gpointer            data,
            GAsyncReadyCallback callback,
            gpointer            user_data)
{
  MakeServer *self = data;

  self->n_made++;
  os_compute_create_server_async (os_snapshot_get_compute (self->snapshot), &self->request, NULL,
                                  callback, user_data);
}

static gpointer
make_finish (gpointer      data,
             GAsyncResult *result,
             GError      **error)
{
  MakeServer *self = data;

  return os_compute_create_server_finish (os_snapshot_get_compute (self->snapshot), result, error);
}

static void
find_async (gpointer            data,
            GAsyncReadyCallback callback,
            gpointer            user_data)
{
  MakeServer *self = data;

  os_list_started_async (self->snapshot, self->start, NULL, callback, user_data);
}

static gpointer
find_finish (gpointer      data,
             GAsyncResult *result,
             GError      **error)
{
  MakeServer *self = data;
  g_autoptr(GPtrArray) servers = os_list_started_finish (self->snapshot, result, error);

  if (servers == NULL || servers->len == 0)
    return NULL;
  return g_strdup (((OsServer *) g_ptr_array_index (servers, 0))->id);
}

static const OsMaker server_maker = { make_async, make_finish, find_async, find_finish };

/* Names of groups begin like those of servers: only a whole one counts. */
static gboolean
names_any (const GError      *error,
           const char *const *names)
{
  g_auto(GStrv) words = g_strsplit_set (error->message, " '\"()[],;", -1);

  for (gsize i = 0; names != NULL && names[i] != NULL; i++)
    {
      if (g_strv_contains ((const char *const *) words, names[i]))
        return TRUE;
    }
  return FALSE;
}

/* Nova may not see a port or group yet that was made a moment ago; any other bad request stays
 * one. */
static gboolean
is_unseen (MakeServer   *self,
           const GError *error)
{
  if (!g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT)
      && !g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND))
    return FALSE;
  return names_any (error, self->request.port_ids) || names_any (error, self->request.group_names);
}

static double
get_start_seconds (MakeServer *self)
{
  gint64 seconds =
    welkin_config_get_int (os_snapshot_get_config (self->snapshot), "start-timeout");

  return seconds > 0 ? (double) seconds : DEFAULT_START_SECONDS;
}

/* Whether the server is of use: if not, it is dropped for the failure that says why not. */
static void
judge_server (MakeServer *self)
{
  if (g_error_matches (self->failure, WELKIN_ERROR, WELKIN_ERROR_TIMED_OUT))
    welkin_error_set_hint (self->failure,
                           _("A slow cloud may need a larger \"start-timeout\" (seconds)."));
  if (self->failure != NULL)
    return;
  if (os_server_get_state (self->server) == WELKIN_INSTANCE_FAILED)
    self->failure = os_error_from_fault (self->server);
  else if (os_server_is_gone (self->server))
    self->failure = g_error_new (WELKIN_ERROR, WELKIN_ERROR_INSTANCE_FAILED,
                                 _("server %s was deleted while it was built"), self->id);
  if (self->failure != NULL)
    g_clear_pointer (&self->server, os_server_free);
}

static void
push_undo (MakeServer *self,
           WkFlow     *flow,
           const char *id)
{
  wk_undo_push (wk_flow_get_undo (flow), _("server"), self->snapshot, id,
                self->remover->remove_async, self->remover->remove_finish);
}

/* There may be a server whose id is not known: it is found by the mark of this start. */
static void
note_doubt (MakeServer   *self,
            WkFlow       *flow,
            const GError *error)
{
  if (self->is_in_doubt)
    return;
  self->is_in_doubt = self->n_made > 1 || os_error_leaves_doubt (error)
                      || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  if (self->is_in_doubt)
    wk_undo_push (wk_flow_get_undo (flow), _("server of start"), self->snapshot, self->start,
                  os_remove_started_async, os_remove_started_finish);
}

static char *
dup_other_id (GPtrArray  *servers,
              const char *id)
{
  for (guint i = 0; i < servers->len; i++)
    {
      const OsServer *server = g_ptr_array_index (servers, i);

      if (!g_str_equal (server->id, id))
        return g_strdup (server->id);
    }
  return NULL;
}

/* The one that failed is the spare one, and the other's turn comes. */
static void
swap_if_failed (MakeServer *self)
{
  char *id = self->id;

  if (self->server != NULL)
    return;
  self->id = self->spare_id;
  self->spare_id = id;
}

static gboolean
has_console (MakeServer *self)
{
  return g_error_matches (self->failure, WELKIN_ERROR, WELKIN_ERROR_INSTANCE_FAILED)
         || g_error_matches (self->failure, WELKIN_ERROR, WELKIN_ERROR_TIMED_OUT);
}

static void
keep_console (MakeServer *self,
              const char *text)
{
  char *console = os_tidy_console (text);

  if (console == NULL)
    return;
  g_free (*self->console);
  *self->console = console;
}

static void
make_server_run (WkFlow  *flow,
                 gpointer user_data)
{
  MakeServer *self = user_data;
  OsCompute *compute = os_snapshot_get_compute (self->snapshot);
  OsPoller *poller = os_snapshot_get_poller (self->snapshot);
  g_autofree char *text = NULL;
  g_autoptr(GPtrArray) servers = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  wk_flow_set_undo_seconds (flow, REMOVE_SECONDS);
  while (self->id == NULL)
    {
      self->n_made = 0;
      WK_AWAIT (flow, os_make_async (&server_maker, self, os_snapshot_get_clock (self->snapshot),
                                     self->cancellable, wk_flow_resume_cb, flow));
      self->id = os_make_finish (WK_RESULT (flow), &error);
      note_doubt (self, flow, error);
      if (self->id != NULL)
        break;
      if (!is_unseen (self, error))
        WK_FAIL (flow, &error, NULL);
      g_clear_error (&self->failure);
      self->failure = g_steal_pointer (&error);
      WK_AWAIT (flow, wk_attempt_next_async (&self->attempt, WK_RESUME (flow)));
      if (!wk_attempt_next_finish (&self->attempt, WK_RESULT (flow), &error))
        WK_FAIL (flow, error != NULL ? &error : &self->failure, NULL);
    }
  push_undo (self, flow, self->id);
  if (wk_flow_is_cancelled (flow, &error))
    WK_FAIL (flow, &error, NULL);

  while (TRUE)
    {
      WK_AWAIT (flow, os_poller_wait_async (poller, self->id, self->goal, get_start_seconds (self),
                                            WK_RESUME (flow)));
      g_clear_error (&self->failure);
      os_poller_wait_finish (poller, WK_RESULT (flow), &self->server, &self->failure);
      judge_server (self);
      if (!self->is_in_doubt)
        break;

      /* It was asked for twice, because the first answer was lost: there may be two by now, of
       * which one at most has the port. */
      self->is_in_doubt = FALSE;
      WK_AWAIT (flow, os_list_started_async (self->snapshot, self->start, WK_RESUME (flow)));
      servers = os_list_started_finish (self->snapshot, WK_RESULT (flow), &error);
      if (servers == NULL)
        WK_FAIL (flow, &error, _("cannot tell whether the server was made twice"));
      self->spare_id = dup_other_id (servers, self->id);
      if (self->spare_id == NULL)
        break;
      push_undo (self, flow, self->spare_id);
      swap_if_failed (self);
      WK_AWAIT (flow, self->remover->remove_async (self->snapshot, self->spare_id,
                                                   WK_RESUME (flow)));
      if (!self->remover->remove_finish (self->snapshot, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
      wk_undo_forget (wk_flow_get_undo (flow), self->spare_id);
      if (self->server != NULL)
        break;
    }

  if (has_console (self))
    {
      WK_AWAIT (flow, os_compute_get_console_output_async (compute, self->id, N_CONSOLE_LINES,
                                                           WK_RESUME (flow)));
      text = os_compute_get_console_output_finish (compute, WK_RESULT (flow), NULL);
      keep_console (self, text);
    }
  if (self->failure != NULL)
    WK_FAIL (flow, &self->failure, NULL);
  if (self->request.volume_gib > 0)
    {
      WK_AWAIT (flow, os_mark_volumes_async (self->snapshot, self->server, WK_RESUME (flow)));
      os_mark_volumes_finish (self->snapshot, WK_RESULT (flow));
    }
  wk_flow_return_pointer (flow, g_steal_pointer (&self->server), (GDestroyNotify) os_server_free);

  WK_FLOW_END (flow);
}

static void
make_server_free (gpointer user_data)
{
  MakeServer *self = user_data;

  g_clear_error (&self->failure);
  g_clear_pointer (&self->server, os_server_free);
  g_free (self->spare_id);
  g_free (self->id);
  wk_attempt_clear (&self->attempt);
  g_clear_object (&self->cancellable);
  g_free (self->start);
  g_hash_table_unref (self->metadata);
  g_object_unref (self->snapshot);
  g_free (self);
}

static GHashTable *
dup_metadata (GHashTable *metadata,
              const char *start)
{
  GHashTable *copy = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  GHashTableIter iter;
  gpointer key;
  gpointer value;

  g_hash_table_iter_init (&iter, metadata);
  while (g_hash_table_iter_next (&iter, &key, &value))
    g_hash_table_insert (copy, g_strdup (key), g_strdup (value));
  g_hash_table_replace (copy, g_strdup (OS_METADATA_START), g_strdup (start));
  return copy;
}

void
os_make_server_async (OsSnapshot            *snapshot,
                      const OsServerRequest *request,
                      const char            *start,
                      OsPollGoal             goal,
                      char                 **console,
                      GCancellable          *cancellable,
                      GAsyncReadyCallback    callback,
                      gpointer               user_data)
{
  MakeServer *self = g_new0 (MakeServer, 1);

  self->snapshot = g_object_ref (snapshot);
  self->request = *request;
  self->metadata = dup_metadata (request->metadata, start);
  self->request.metadata = self->metadata;
  self->remover = os_get_server_remover (request->volume_gib > 0);
  self->start = g_strdup (start);
  self->goal = goal;
  self->console = console;
  g_set_object (&self->cancellable, cancellable);
  wk_attempt_init (&self->attempt, &wk_attempt_short, os_snapshot_get_clock (snapshot));
  wk_flow_start (snapshot, cancellable, callback, user_data, os_make_server_async, make_server_run,
                 self, make_server_free);
}

OsServer *
os_make_server_finish (OsSnapshot   *snapshot,
                       GAsyncResult *result,
                       GError      **error)
{
  return wk_flow_finish_pointer (result, snapshot, os_make_server_async, error);
}
