/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "environments/info-lock.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define PAUSE_MILLISECONDS 1

struct _WelkinInfoLock
{
  GObject parent_instance;

  char   *path;
  int     fd;   /* (owned) locked */
};

G_DEFINE_FINAL_TYPE (WelkinInfoLock, welkin_info_lock, G_TYPE_OBJECT)

static gboolean
set_errno_error (const char *path,
                 int         code,
                 GError    **error)
{
  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (code),
               _("cannot lock file \"%s\": %s"), path, g_strerror (code));
  return FALSE;
}

/* Whoever had the lock before may have removed the file meanwhile: then it is
 * of no use. */
static gboolean
is_file_at_path (int         fd,
                 const char *path)
{
  struct stat ours;
  struct stat theirs;

  return fstat (fd, &ours) == 0 && g_stat (path, &theirs) == 0 && ours.st_ino == theirs.st_ino &&
         ours.st_dev == theirs.st_dev;
}

static int
read_holder (int fd)
{
  char text[32] = "";
  ssize_t length = pread (fd, text, sizeof text - 1, 0);

  return length > 0 ? (int) g_ascii_strtoll (text, NULL, 10) : 0;
}

static void
write_holder (int fd)
{
  g_autofree char *text = g_strdup_printf ("%ld\n", (long) getpid ());

  /* Only for messages: without it the lock is as good. */
  if (ftruncate (fd, 0) != 0 || pwrite (fd, text, strlen (text), 0) < 0)
    g_debug ("cannot note the process in a lock file: %s", g_strerror (errno));
}

/* One try. FALSE on errors; TRUE with *fd -1 when somebody else has it. */
static gboolean
try_lock (const char *path,
          int        *fd,
          int        *holder,
          GError    **error)
{
  while (TRUE)
    {
      int code = 0;

      *fd = open (path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
      if (*fd < 0)
        return set_errno_error (path, errno, error);

      if (flock (*fd, LOCK_EX | LOCK_NB) != 0)
        code = errno;
      if (code == 0 && is_file_at_path (*fd, path))
        return TRUE;

      *holder = read_holder (*fd);
      close (*fd);
      *fd = -1;
      if (code == EWOULDBLOCK)
        return TRUE;
      if (code != 0)
        return set_errno_error (path, code, error);
    }
}

WelkinInfoLock *
welkin_info_lock_take (const char *path,
                       guint       milliseconds,
                       int        *holder,
                       GError    **error)
{
  gint64 deadline = g_get_monotonic_time () + milliseconds * G_TIME_SPAN_MILLISECOND;
  WelkinInfoLock *self = NULL;
  int fd = -1;

  *holder = 0;
  while (TRUE)
    {
      if (!try_lock (path, &fd, holder, error))
        return NULL;
      if (fd >= 0 || g_get_monotonic_time () >= deadline)
        break;
      g_usleep (PAUSE_MILLISECONDS * 1000);
    }
  if (fd < 0)
    return NULL;

  self = g_object_new (WELKIN_TYPE_INFO_LOCK, NULL);
  self->path = g_strdup (path);
  self->fd = fd;
  write_holder (fd);
  return self;
}

static void
welkin_info_lock_finalize (GObject *object)
{
  WelkinInfoLock *self = WELKIN_INFO_LOCK (object);

  /* Removed while it is locked: whoever waits for it sees that it is another
   * file now. */
  if (self->fd >= 0)
    {
      g_unlink (self->path);
      close (self->fd);
    }
  g_free (self->path);

  G_OBJECT_CLASS (welkin_info_lock_parent_class)->finalize (object);
}

static void
welkin_info_lock_class_init (WelkinInfoLockClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = welkin_info_lock_finalize;
}

static void
welkin_info_lock_init (WelkinInfoLock *self)
{
  self->fd = -1;
}
