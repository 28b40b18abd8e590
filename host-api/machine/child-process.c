/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "machine/child-process.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#include "base/flow.h"
#include "base/follow.h"
#include "base/join.h"
#include "values/welkin-error.h"

#define CHUNK_BYTES 4096
/* Of each of the two outputs; and of one line that is said. */
#define MAX_BYTES (64 * 1024)
#define MAX_LINE_BYTES 2000

/* One of the two outputs while it is read. */
typedef struct
{
  GInputStream   *stream;   /* (transfer none) the child's */
  GString        *text;     /* (owned) */
  GString        *line;     /* (owned) that has not ended yet */
  WelkinProgress *progress; /* (transfer none) (nullable) where lines are said */
  WkJoin         *join;     /* (transfer none) */
  GCancellable   *cancellable; /* (transfer none) */
} Reader;

typedef struct
{
  /* inputs */
  char          **arguments; /* (owned) */
  char           *input;     /* (owned) */
  double          seconds;
  WelkinProgress *progress;  /* (owned) (nullable) */

  /* while running */
  GSubprocess    *process;   /* (owned) (nullable) */
  WkJoin         *join;      /* (owned) (nullable) */
  GCancellable   *stop;      /* (owned) ends all that is read and written */
  GSource        *following; /* (owned) (nullable) the caller's cancellable, which ends it too */
  GSource        *timer;     /* (owned) (nullable) */
  gboolean        is_late;
  Reader          output;
  Reader          errors;
} Run;

static void
reader_clear (Reader *self)
{
  g_string_free (self->text, TRUE);
  g_string_free (self->line, TRUE);
}

static void
run_free (gpointer data)
{
  Run *self = data;

  if (self->process != NULL)
    g_subprocess_force_exit (self->process);
  if (self->timer != NULL)
    g_source_destroy (self->timer);
  g_clear_pointer (&self->timer, g_source_unref);
  wk_unfollow (&self->following);
  reader_clear (&self->errors);
  reader_clear (&self->output);
  g_clear_object (&self->stop);
  g_clear_pointer (&self->join, wk_join_unref);
  g_clear_object (&self->process);
  g_clear_object (&self->progress);
  g_free (self->input);
  g_strfreev (self->arguments);
  g_free (self);
}

static void
say_line (Reader *self)
{
  g_autofree char *valid = g_utf8_make_valid (self->line->str, (gssize) self->line->len);

  welkin_progress_say (self->progress, g_strchomp (valid));
  g_string_truncate (self->line, 0);
}

static void
reader_take (Reader     *self,
             const char *bytes,
             gsize       length)
{
  g_string_append_len (self->text, bytes, (gssize) MIN (length, MAX_BYTES - self->text->len));
  for (gsize i = 0; i < length; i++)
    {
      if (bytes[i] == '\n' || self->line->len == MAX_LINE_BYTES)
        say_line (self);
      if (bytes[i] != '\n' && bytes[i] != '\0')
        g_string_append_c (self->line, bytes[i]);
    }
}

static void reader_go_on (Reader *self);

/* That a pipe breaks is no news: how the child has ended tells why. */
static void
bytes_read_cb (GObject      *source,
               GAsyncResult *result,
               gpointer      user_data)
{
  Reader *self = user_data;
  g_autoptr(GBytes) bytes = NULL;
  gsize length = 0;
  const char *data = NULL;

  bytes = g_input_stream_read_bytes_finish (G_INPUT_STREAM (source), result, NULL);
  if (bytes != NULL)
    data = g_bytes_get_data (bytes, &length);
  if (length > 0)
    {
      reader_take (self, data, length);
      reader_go_on (self);
      return;
    }
  if (self->line->len > 0)
    say_line (self);
  wk_join_end (self->join, NULL);
}

static void
reader_go_on (Reader *self)
{
  g_input_stream_read_bytes_async (self->stream, CHUNK_BYTES, G_PRIORITY_DEFAULT,
                                   self->cancellable, bytes_read_cb, self);
}

static void
reader_start (Reader         *self,
              Run            *run,
              GInputStream   *stream,
              WelkinProgress *progress)
{
  self->stream = stream;
  self->progress = progress;
  self->join = run->join;
  self->cancellable = wk_join_begin (run->join);
  reader_go_on (self);
}

/* The child may end without having read it all. */
static void
input_written_cb (GObject      *source,
                  GAsyncResult *result,
                  gpointer      user_data)
{
  Run *self = user_data;

  g_output_stream_write_all_finish (G_OUTPUT_STREAM (source), result, NULL, NULL);
  g_output_stream_close (G_OUTPUT_STREAM (source), NULL, NULL);
  wk_join_end (self->join, NULL);
}

static gboolean
time_over_cb (gpointer data)
{
  Run *self = data;

  self->is_late = TRUE;
  g_cancellable_cancel (self->stop);
  return G_SOURCE_REMOVE;
}

/* A session of its own: what the terminal sends to all in the foreground is for us to handle. */
static void
leave_terminal_cb (gpointer data)
{
  setsid ();
}

static gboolean
run_start (Run          *self,
           GCancellable *outer,
           GError      **error)
{
  const GSubprocessFlags flags = G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE
                                 | G_SUBPROCESS_FLAGS_STDERR_PIPE;
  g_autoptr(GSubprocessLauncher) launcher = g_subprocess_launcher_new (flags);

  g_subprocess_launcher_set_child_setup (launcher, leave_terminal_cb, NULL, NULL);
  self->process = g_subprocess_launcher_spawnv (launcher, (const char *const *) self->arguments,
                                                error);
  if (self->process == NULL)
    return FALSE;

  self->following = wk_follow (self->stop, outer);
  if (self->seconds > 0)
    {
      self->timer = g_timeout_source_new ((guint) (self->seconds * 1000));
      g_source_set_callback (self->timer, time_over_cb, self, NULL);
      g_source_attach (self->timer, g_main_context_get_thread_default ());
    }
  self->join = wk_join_new (WK_JOIN_COLLECT, self->stop);
  g_output_stream_write_all_async (g_subprocess_get_stdin_pipe (self->process), self->input,
                                   strlen (self->input), G_PRIORITY_DEFAULT,
                                   wk_join_begin (self->join), input_written_cb, self);
  reader_start (&self->output, self, g_subprocess_get_stdout_pipe (self->process), NULL);
  reader_start (&self->errors, self, g_subprocess_get_stderr_pipe (self->process), self->progress);
  return TRUE;
}

/* Of a script that tells what it does, the last line is what failed; all of it was said. */
static const char *
get_last_line (char *text)
{
  const char *end = strrchr (g_strchomp (text), '\n');

  return end != NULL ? end + 1 : text;
}

/* What it said, and how it ended. */
static void
set_failure (Run     *self,
             GError **error)
{
  g_autofree char *said = g_strconcat (self->output.text->str, self->errors.text->str, NULL);
  g_autofree char *valid = g_utf8_make_valid (g_strstrip (said), -1);
  const char *last = get_last_line (valid);

  if (*valid != '\0' && self->progress == NULL)
    g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_FAILED, valid);
  else if (!g_subprocess_get_if_exited (self->process))
    g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_FAILED, _("it was ended by signal %d"),
                 g_subprocess_get_term_sig (self->process));
  else if (*last != '\0')
    g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_FAILED, _("it ended with status %d: %s"),
                 g_subprocess_get_exit_status (self->process), last);
  else
    g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_FAILED, _("it ended with status %d"),
                 g_subprocess_get_exit_status (self->process));
}

/* Whether the child has ended by itself. */
static gboolean
check_in_time (Run     *self,
               GError **error)
{
  if (self->is_late)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_TIMED_OUT,
                   _("it was not done after %.0f seconds"), self->seconds);
      return FALSE;
    }
  return !g_cancellable_set_error_if_cancelled (self->stop, error);
}

static void
run_run (WkFlow  *flow,
         gpointer user_data)
{
  Run *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (!run_start (self, wk_flow_get_cancellable (flow), &error))
    WK_FAIL (flow, &error, NULL);
  WK_AWAIT (flow, wk_join_wait_async (self->join, wk_flow_resume_cb, flow));
  wk_join_wait_finish (self->join, WK_RESULT (flow), NULL);

  /* The wait would not notice that it is cancelled already. */
  if (!g_cancellable_is_cancelled (self->stop))
    {
      WK_AWAIT (flow, g_subprocess_wait_async (self->process, self->stop, wk_flow_resume_cb, flow));
      g_subprocess_wait_finish (self->process, WK_RESULT (flow), NULL);
    }
  if (!check_in_time (self, &error))
    WK_FAIL (flow, &error, NULL);
  if (!g_subprocess_get_successful (self->process))
    {
      set_failure (self, &error);
      WK_FAIL (flow, &error, NULL);
    }

  wk_flow_return_pointer (flow, g_strdup (self->output.text->str), g_free);

  WK_FLOW_END (flow);
}

void
welkin_child_process_run_async (const char *const  *arguments,
                                const char         *input,
                                double              seconds,
                                WelkinProgress     *progress,
                                GCancellable       *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer            user_data)
{
  Run *self = g_new0 (Run, 1);

  self->arguments = g_strdupv ((char **) arguments);
  self->input = g_strdup (input);
  self->seconds = seconds;
  g_set_object (&self->progress, progress);
  self->stop = g_cancellable_new ();
  self->output.text = g_string_new (NULL);
  self->output.line = g_string_new (NULL);
  self->errors.text = g_string_new (NULL);
  self->errors.line = g_string_new (NULL);

  wk_flow_start (NULL, cancellable, callback, user_data, welkin_child_process_run_async, run_run,
                 self, run_free);
}

char *
welkin_child_process_run_finish (GAsyncResult *result,
                                 GError      **error)
{
  return wk_flow_finish_pointer (result, NULL, welkin_child_process_run_async, error);
}
