/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/console.h"

#define REDRAW_MILLISECONDS 250

struct _Console
{
  gboolean        is_terminal;  /* of standard error */
  gboolean        is_quiet;     /* no progress */
  gboolean        is_verbose;
  gboolean        is_debug;
  FILE           *log;          /* (owned) (nullable) */

  /* progress */
  WelkinProgress *progress;     /* (owned) (nullable) */
  gulong          changed;      /* handlers of the two signals */
  gulong          said;
  GSource        *redraw;       /* (owned) (nullable) on a terminal */
  gint64          since;        /* microseconds */
  char           *last_message; /* (owned) (nullable) the last line in a pipe */
  gboolean        has_line;     /* there is a line on the terminal to wipe */
};

static void
wipe_line (Console *self)
{
  if (!self->has_line)
    return;
  fputs ("\r\033[K", stderr);
  fflush (stderr);
  self->has_line = FALSE;
}

static guint
terminal_width (void)
{
  struct winsize size;

  if (ioctl (STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 10)
    return size.ws_col;
  return 80;
}

static char *
format_elapsed (gint64 microseconds)
{
  gint64 seconds = microseconds / G_USEC_PER_SEC;

  return g_strdup_printf ("%" G_GINT64_FORMAT ":%02" G_GINT64_FORMAT, seconds / 60, seconds % 60);
}

/* What files, variables and clouds say gets into messages: none of it may steer the terminal. */
static char *
dup_printable (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  GString *printable = g_string_new (NULL);

  for (const char *place = valid; *place != '\0'; place = g_utf8_next_char (place))
    {
      gunichar character = g_utf8_get_char (place);

      if (g_unichar_iscntrl (character) && character != '\n' && character != '\t')
        g_string_append_printf (printable, "\\u%04x", character);
      else
        g_string_append_unichar (printable, character);
    }
  return g_string_free (printable, FALSE);
}

static void
write_line (FILE       *file,
            const char *start,
            const char *text)
{
  g_autofree char *printable = dup_printable (text);

  fprintf (file, "%s%s\n", start, printable);
}

/* At most width characters, so that the line never wraps and can be wiped. */
static char *
fit_line (const char *text,
          guint       width)
{
  g_autofree char *start = NULL;

  if ((guint) g_utf8_strlen (text, -1) <= width)
    return g_strdup (text);

  start = g_utf8_substring (text, 0, width - 1);
  return g_strconcat (start, "…", NULL);
}

static void
draw_line (Console *self)
{
  const char *message = welkin_progress_get_message (self->progress);
  double fraction = welkin_progress_get_fraction (self->progress);
  g_autofree char *elapsed = format_elapsed (g_get_monotonic_time () - self->since);
  g_autofree char *printable = dup_printable (message != NULL ? message : "");
  g_autofree char *text = NULL;
  g_autofree char *line = NULL;

  if (fraction > 0 && fraction < 1)
    text = g_strdup_printf ("%s  %2.0f %%  %s", elapsed, 100 * fraction, printable);
  else
    text = g_strdup_printf ("%s  %s", elapsed, printable);
  line = fit_line (text, terminal_width () - 1);
  fprintf (stderr, "\r\033[K%s", line);
  fflush (stderr);
  self->has_line = TRUE;
}

static gboolean
redraw_cb (gpointer user_data)
{
  draw_line (user_data);
  return G_SOURCE_CONTINUE;
}

/* Whether the text is another one now. */
static gboolean
replace_text (char      **text,
              const char *new_text)
{
  if (g_strcmp0 (*text, new_text) == 0)
    return FALSE;
  g_free (*text);
  *text = g_strdup (new_text);
  return TRUE;
}

static void
progress_changed_cb (WelkinProgress *progress,
                     GParamSpec     *pspec,
                     gpointer        user_data)
{
  Console *self = user_data;
  const char *message = welkin_progress_get_message (progress);

  if (message == NULL || *message == '\0')
    return;
  if (self->is_terminal)
    {
      draw_line (self);
      return;
    }
  if (replace_text (&self->last_message, message))
    write_line (stderr, "", message);
}

static void
line_said_cb (WelkinProgress *progress,
              const char     *line,
              gpointer        user_data)
{
  Console *self = user_data;

  wipe_line (self);
  write_line (stderr, "", line);
}

void
console_watch_progress (Console        *self,
                        WelkinProgress *progress)
{
  wipe_line (self);
  if (self->redraw != NULL)
    g_source_destroy (self->redraw);
  g_clear_pointer (&self->redraw, g_source_unref);
  if (self->progress != NULL)
    {
      g_clear_signal_handler (&self->changed, self->progress);
      g_clear_signal_handler (&self->said, self->progress);
    }
  g_clear_object (&self->progress);
  g_clear_pointer (&self->last_message, g_free);

  if (progress == NULL || self->is_quiet)
    return;

  self->progress = g_object_ref (progress);
  self->since = g_get_monotonic_time ();
  self->changed = g_signal_connect (progress, "notify::message", G_CALLBACK (progress_changed_cb),
                                    self);
  self->said = g_signal_connect (progress, "said", G_CALLBACK (line_said_cb), self);
  if (self->is_terminal)
    {
      self->redraw = g_timeout_source_new (REDRAW_MILLISECONDS);
      g_source_set_callback (self->redraw, redraw_cb, self, NULL);
      g_source_attach (self->redraw, NULL);
    }
}

void
console_print (Console    *self,
               const char *text)
{
  wipe_line (self);
  fputs (text, stdout);
  if (!g_str_has_suffix (text, "\n"))
    fputc ('\n', stdout);
}

static void
print_row (Console     *self,
           char       **row,
           const glong *widths)
{
  g_autoptr(GString) line = g_string_new (NULL);

  for (guint i = 0; row[i] != NULL; i++)
    {
      g_string_append (line, row[i]);
      for (glong n = g_utf8_strlen (row[i], -1); row[i + 1] != NULL && n < widths[i] + 2; n++)
        g_string_append_c (line, ' ');
    }
  console_print (self, line->str);
}

void
console_print_table (Console   *self,
                     GPtrArray *rows)
{
  guint n_columns = rows->len > 0 ? g_strv_length (g_ptr_array_index (rows, 0)) : 0;
  g_autofree glong *widths = g_new0 (glong, n_columns + 1);

  for (guint i = 0; i < rows->len; i++)
    {
      char **row = g_ptr_array_index (rows, i);

      for (guint j = 0; j < n_columns; j++)
        widths[j] = MAX (widths[j], g_utf8_strlen (row[j], -1));
    }
  for (guint i = 0; i < rows->len; i++)
    print_row (self, g_ptr_array_index (rows, i), widths);
}

gboolean
console_finish (Console *self,
                GError **error)
{
  int saved_errno;

  if (fflush (stdout) == 0 && !ferror (stdout))
    return TRUE;

  /* Whoever reads may have had enough: that is no failure of ours. */
  saved_errno = errno;
  if (saved_errno == EPIPE)
    return TRUE;
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (saved_errno),
               _("Cannot write the output: %s"), g_strerror (saved_errno));
  return FALSE;
}

void
console_say (Console    *self,
             const char *format,
             ...)
{
  va_list arguments;
  g_autofree char *text = NULL;

  va_start (arguments, format);
  text = g_strdup_vprintf (format, arguments);
  va_end (arguments);

  wipe_line (self);
  write_line (stderr, "", text);
}

void
console_print_error (Console      *self,
                     const GError *error)
{
  const char *hint = welkin_error_get_hint (error);

  wipe_line (self);
  write_line (stderr, "error: ", error->message);
  if (hint != NULL)
    write_line (stderr, "", hint);
}

void
console_ask (Console    *self,
             const char *question)
{
  wipe_line (self);
  fprintf (stderr, "%s ", question);
  fflush (stderr);
}

static gboolean
is_wanted (Console       *self,
           GLogLevelFlags level)
{
  if (level & G_LOG_LEVEL_DEBUG)
    return self->is_debug;
  if (level & G_LOG_LEVEL_INFO)
    return self->is_verbose || self->is_debug;
  return TRUE;
}

static const char *
level_word (GLogLevelFlags level)
{
  if (level & (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL))
    return "critical: ";
  if (level & G_LOG_LEVEL_WARNING)
    return "warning: ";
  if (level & G_LOG_LEVEL_DEBUG)
    return "debug: ";
  return "";
}

/* Messages of the libraries below go the same way as ours, so that they never tear the
 * progress line; what --debug asks for is ours alone. */
static GLogWriterOutput
write_log (GLogLevelFlags   level,
           const GLogField *fields,
           gsize            n_fields,
           gpointer         user_data)
{
  Console *self = user_data;
  const char *message = "";
  const char *domain = "";

  for (gsize i = 0; i < n_fields; i++)
    {
      if (g_str_equal (fields[i].key, "MESSAGE"))
        message = fields[i].value;
      else if (g_str_equal (fields[i].key, "GLIB_DOMAIN"))
        domain = fields[i].value;
    }

  if (self->log != NULL && g_str_has_prefix (domain, "welkin"))
    {
      g_autoptr(GDateTime) now = g_date_time_new_now_utc ();
      g_autofree char *time = g_date_time_format_iso8601 (now);

      fprintf (self->log, "%s %s: %s%s\n", time, domain, level_word (level), message);
      fflush (self->log);
    }

  if (level & (G_LOG_LEVEL_DEBUG | G_LOG_LEVEL_INFO) && !g_str_has_prefix (domain, "welkin"))
    return G_LOG_WRITER_HANDLED;
  if (is_wanted (self, level & G_LOG_LEVEL_MASK))
    {
      wipe_line (self);
      write_line (stderr, level_word (level), message);
    }
  return G_LOG_WRITER_HANDLED;
}

Console *
console_new (void)
{
  Console *self = g_new0 (Console, 1);
  const char *terminal = g_getenv ("TERM");

  self->is_terminal = isatty (STDERR_FILENO) && g_strcmp0 (terminal, "dumb") != 0;
  g_log_set_writer_func (write_log, self, NULL);
  return self;
}

/* The log writer can be set only once and needs the console to the end of the process. */
void
console_free (Console *self)
{
  console_watch_progress (self, NULL);
}

void
console_set_levels (Console *self,
                    gboolean quiet,
                    gboolean verbose,
                    gboolean debug)
{
  self->is_quiet = quiet;
  self->is_verbose = verbose;
  self->is_debug = debug;
}

gboolean
console_open_log (Console    *self,
                  const char *path,
                  GError    **error)
{
  mode_t mask = umask (077);

  self->log = fopen (path, "ae");
  umask (mask);
  if (self->log == NULL)
    {
      int saved_errno = errno;

      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (saved_errno),
                   _("Cannot open the log file \"%s\": %s"), path, g_strerror (saved_errno));
      return FALSE;
    }
  return TRUE;
}
