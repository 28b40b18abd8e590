/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "contracts/welkin-trace.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "values/welkin-error.h"

/*
 * The file is a whole archive at every moment: each entry is written over the end of the text,
 * with a new end behind it, in one go. So it can be read while we run, and when we have crashed.
 */

#define BEGIN \
  "{\"log\":{\"version\":\"1.2\",\"creator\":{\"name\":\"Welkin\",\"version\":\"" PACKAGE_VERSION \
  "\"},\"entries\":["
#define END "\n]}}\n"

/**
 * WelkinTrace:
 *
 * What went over the wire, in a file that browsers show.
 *
 * The file is an HTTP archive (HAR 1.2). A host puts the trace into the
 * surroundings of what it opens, with
 * [method@Surroundings.with_trace], and whoever speaks HTTP there adds an entry
 * for each request. It may be used by several threads.
 *
 * Since: 0.1
 */
struct _WelkinTrace
{
  GObject parent;

  char   *path;  /* (owned) */
  int     fd;    /* -1: closed */

  GMutex  mutex; /* for all below */
  goffset end;   /* where END begins */
  GError *error; /* (owned) (nullable) the first that a write had */
};

G_DEFINE_FINAL_TYPE (WelkinTrace, welkin_trace, G_TYPE_OBJECT)

static gboolean
set_error_from_errno (WelkinTrace  *self,
                      GError      **error)
{
  int saved_errno = errno;

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (saved_errno),
               _("Cannot write the trace \"%s\": %s"), self->path, g_strerror (saved_errno));
  return FALSE;
}

static gboolean
write_at (WelkinTrace *self,
          const char  *text,
          goffset      offset,
          GError     **error)
{
  gsize length = strlen (text);

  while (length > 0)
    {
      gssize written = pwrite (self->fd, text, length, offset);

      if (written < 0 && errno == EINTR)
        continue;
      if (written < 0)
        return set_error_from_errno (self, error);
      text += written;
      offset += written;
      length -= written;
    }
  return TRUE;
}

/* Two processes that write to one file would spoil it, and a link may lead to somebody else's. */
static gboolean
open_file (WelkinTrace *self,
           GError     **error)
{
  struct stat status;

  if (*self->path == '\0')
    {
      g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
                           _("Cannot write the trace: the name of its file is empty"));
      return FALSE;
    }
  self->fd = g_open (self->path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0600);
  if (self->fd == -1 && g_file_test (self->path, G_FILE_TEST_IS_SYMLINK))
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
                   _("Cannot write the trace \"%s\": it is a symbolic link, and these are not "
                     "followed"), self->path);
      return FALSE;
    }
  if (self->fd == -1 || fstat (self->fd, &status) != 0)
    return set_error_from_errno (self, error);
  if (!S_ISREG (status.st_mode))
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
                   _("Cannot write the trace \"%s\": it is not an ordinary file"), self->path);
      return FALSE;
    }
  if (flock (self->fd, LOCK_EX | LOCK_NB) != 0)
    {
      if (errno != EWOULDBLOCK)
        return set_error_from_errno (self, error);
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_IN_USE,
                   _("Cannot write the trace \"%s\": somebody else is writing to it"), self->path);
      return FALSE;
    }
  if ((status.st_mode & 0077) != 0 && fchmod (self->fd, 0600) != 0)
    return set_error_from_errno (self, error);
  self->end = status.st_size;
  return TRUE;
}

/* A file that ends as ours do goes on; one with anything else in it is left alone. */
static gboolean
find_end (WelkinTrace *self,
          GError     **error)
{
  char begin[sizeof "{\"log\":"] = "";
  char end[sizeof END] = "";

  if (self->end == 0)
    {
      if (!write_at (self, BEGIN END, 0, error))
        return FALSE;
      self->end = strlen (BEGIN);
      return TRUE;
    }

  self->end -= strlen (END);
  if (self->end < 0 || pread (self->fd, begin, sizeof begin - 1, 0) < 0
      || pread (self->fd, end, sizeof end - 1, self->end) < 0 || !g_str_equal (end, END)
      || !g_str_equal (begin, "{\"log\":"))
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_ALREADY_EXISTS,
                   _("Cannot write the trace \"%s\": the file holds something else"), self->path);
      return FALSE;
    }
  return TRUE;
}

/**
 * welkin_trace_new_for_file:
 * @path: (type filename): a path
 * @error: return location for an error
 *
 * Makes a trace in a file.
 *
 * Only its owner can read the file. A file that is a trace already gets the
 * entries added; one that holds anything else is
 * %WELKIN_ERROR_ALREADY_EXISTS and left as it is, and one that another process
 * is writing to is %WELKIN_ERROR_IN_USE. Symbolic links are not followed: they
 * are %WELKIN_ERROR_INVALID_ARGUMENT, as is an empty path. Other errors are
 * those of #GIOErrorEnum.
 *
 * Returns: (transfer full): a new trace, or %NULL on error
 *
 * Since: 0.1
 */
WelkinTrace *
welkin_trace_new_for_file (const char *path,
                           GError    **error)
{
  g_autoptr(WelkinTrace) self = NULL;

  g_return_val_if_fail (path != NULL, NULL);

  self = g_object_new (WELKIN_TYPE_TRACE, NULL);
  self->path = g_strdup (path);
  if (!open_file (self, error) || !find_end (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

/* Under the mutex. What could not be written whole is taken away again. */
static void
append (WelkinTrace *self,
        const char  *text)
{
  if (write_at (self, text, self->end, &self->error))
    {
      self->end += strlen (text) - strlen (END);
      return;
    }
  if (!write_at (self, END, self->end, NULL)
      || ftruncate (self->fd, self->end + strlen (END)) != 0)
    g_warning ("the trace \"%s\" has lost its end", self->path);
}

/**
 * welkin_trace_add_entry:
 * @self: a trace
 * @entry: an entry of an HTTP archive, as JSON in UTF-8
 *
 * Adds a request and its answer.
 *
 * This is for providers, who must leave out all that is secret. That it cannot
 * be written is told by [method@Trace.close].
 *
 * Since: 0.1
 */
void
welkin_trace_add_entry (WelkinTrace *self,
                        const char  *entry)
{
  g_autofree char *text = NULL;
  gboolean is_first;

  g_return_if_fail (WELKIN_IS_TRACE (self));
  g_return_if_fail (entry != NULL);

  g_mutex_lock (&self->mutex);
  is_first = self->end == (goffset) strlen (BEGIN);
  text = g_strconcat (is_first ? "\n" : ",\n", entry, END, NULL);
  if (self->fd != -1 && self->error == NULL)
    append (self, text);
  g_mutex_unlock (&self->mutex);
}

/**
 * welkin_trace_close:
 * @self: a trace
 * @error: return location for an error
 *
 * Ends the trace: what is added from now on is lost.
 *
 * Returns: %FALSE with the first error that an entry could not be written for,
 *   one of #GIOErrorEnum
 *
 * Since: 0.1
 */
gboolean
welkin_trace_close (WelkinTrace *self,
                    GError     **error)
{
  GError *first;

  g_return_val_if_fail (WELKIN_IS_TRACE (self), FALSE);

  g_mutex_lock (&self->mutex);
  first = g_steal_pointer (&self->error);
  if (self->fd != -1 && close (self->fd) != 0 && first == NULL)
    set_error_from_errno (self, &first);
  self->fd = -1;
  g_mutex_unlock (&self->mutex);
  if (first == NULL)
    return TRUE;
  g_propagate_error (error, first);
  return FALSE;
}

static void
welkin_trace_finalize (GObject *object)
{
  WelkinTrace *self = WELKIN_TRACE (object);

  if (self->fd != -1)
    close (self->fd);
  g_clear_error (&self->error);
  g_mutex_clear (&self->mutex);
  g_free (self->path);

  G_OBJECT_CLASS (welkin_trace_parent_class)->finalize (object);
}

static void
welkin_trace_class_init (WelkinTraceClass *class)
{
  G_OBJECT_CLASS (class)->finalize = welkin_trace_finalize;
}

static void
welkin_trace_init (WelkinTrace *self)
{
  g_mutex_init (&self->mutex);
  self->fd = -1;
}
