/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "metadata/data-source-private.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gunixinputstream.h>
#include <glib/gi18n-lib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "values/welkin-error.h"

/* Metadata in a directory. */

#define WELKIN_TYPE_DIRECTORY_SOURCE (welkin_directory_source_get_type ())
G_DECLARE_FINAL_TYPE (WelkinDirectorySource, welkin_directory_source, WELKIN, DIRECTORY_SOURCE,
                      GObject)

struct _WelkinDirectorySource
{
  GObject parent;

  char    *path;        /* (owned) */
  char    *description; /* (owned) */
  gboolean requires_signed;
};

static void welkin_directory_source_data_source_init (WelkinDataSourceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (
  WelkinDirectorySource, welkin_directory_source, G_TYPE_OBJECT,
  G_IMPLEMENT_INTERFACE (WELKIN_TYPE_DATA_SOURCE, welkin_directory_source_data_source_init))

static const char *
welkin_directory_source_get_description (WelkinDataSource *source)
{
  return WELKIN_DIRECTORY_SOURCE (source)->description;
}

static gboolean
welkin_directory_source_get_requires_signed (WelkinDataSource *source)
{
  return WELKIN_DIRECTORY_SOURCE (source)->requires_signed;
}

static char *
welkin_directory_source_get_uri (WelkinDataSource *source,
                                 const char       *path)
{
  g_autofree char *whole = g_build_filename (WELKIN_DIRECTORY_SOURCE (source)->path, path, NULL);

  return g_filename_to_uri (whole, NULL, NULL);
}

static GError *
make_error (const char *path,
            int         saved_errno)
{
  gboolean is_missing = saved_errno == ENOENT || saved_errno == ENOTDIR;
  g_autofree char *name = g_filename_display_name (path);

  if (is_missing)
    return g_error_new (WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND, _("file \"%s\" not found"), name);
  return g_error_new (WELKIN_ERROR, WELKIN_ERROR_FAILED, _("cannot read file \"%s\": %s"), name,
                      g_strerror (saved_errno));
}

/* NULL with errno when it cannot be read. */
static GBytes *
read_all (int   file,
          gsize size)
{
  g_autofree char *bytes = g_malloc (size + 1);
  gsize done = 0;

  while (done < size)
    {
      gssize length = read (file, bytes + done, size - done);

      if (length < 0 && errno == EINTR)
        continue;
      if (length < 0)
        return NULL;
      /* It has become shorter since. */
      if (length == 0)
        break;
      done += (gsize) length;
    }
  return g_bytes_new_take (g_steal_pointer (&bytes), done);
}

/* Below 0 with errno when there is no such file. */
static int
open_regular (const char  *path,
              struct stat *status)
{
  /* One that is a pipe must not wait for its other end. */
  int file = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  int saved_errno = 0;

  if (file < 0)
    return -1;
  if (fstat (file, status) != 0)
    saved_errno = errno;
  else if (!S_ISREG (status->st_mode))
    saved_errno = ENOENT;
  if (saved_errno == 0)
    return file;
  close (file);
  errno = saved_errno;
  return -1;
}

/* Runs in a thread: the directory may be on a slow disk, or on none that answers. */
static void
read_in_thread (GTask        *task,
                gpointer      source,
                gpointer      path,
                GCancellable *cancellable)
{
  GBytes *bytes = NULL;
  struct stat status;
  int saved_errno = 0;
  int file = open_regular (path, &status);

  if (file < 0)
    saved_errno = errno;
  else if ((guint64) status.st_size > WELKIN_DATA_SOURCE_MAX_BYTES)
    saved_errno = EFBIG;
  else
    bytes = read_all (file, (gsize) status.st_size);
  if (bytes == NULL && saved_errno == 0)
    saved_errno = errno;
  if (file >= 0)
    close (file);

  if (bytes != NULL)
    g_task_return_pointer (task, bytes, (GDestroyNotify) g_bytes_unref);
  else
    g_task_return_error (task, make_error (path, saved_errno));
}

/* Runs in a thread as well. */
static void
open_in_thread (GTask        *task,
                gpointer      source,
                gpointer      path,
                GCancellable *cancellable)
{
  struct stat status;
  int file = open_regular (path, &status);

  if (file >= 0)
    g_task_return_pointer (task, g_unix_input_stream_new (file, TRUE), g_object_unref);
  else
    g_task_return_error (task, make_error (path, errno));
}

static void
begin_work (WelkinDataSource   *source,
            const char         *path,
            GTaskThreadFunc     work,
            gpointer            tag,
            GCancellable       *cancellable,
            GAsyncReadyCallback callback,
            gpointer            user_data)
{
  g_autoptr(GTask) task = g_task_new (source, cancellable, callback, user_data);

  g_task_set_source_tag (task, tag);
  g_task_set_task_data (task,
                        g_build_filename (WELKIN_DIRECTORY_SOURCE (source)->path, path, NULL),
                        g_free);
  g_task_run_in_thread (task, work);
}

static void
welkin_directory_source_fetch_async (WelkinDataSource    *source,
                                     const char          *path,
                                     GCancellable        *cancellable,
                                     GAsyncReadyCallback  callback,
                                     gpointer             user_data)
{
  begin_work (source, path, read_in_thread, welkin_directory_source_fetch_async, cancellable,
              callback, user_data);
}

static GBytes *
welkin_directory_source_fetch_finish (WelkinDataSource  *source,
                                      GAsyncResult      *result,
                                      GError           **error)
{
  g_return_val_if_fail (g_task_is_valid (result, source), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, welkin_directory_source_fetch_async),
                        NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
welkin_directory_source_open_async (WelkinDataSource    *source,
                                    const char          *path,
                                    GCancellable        *cancellable,
                                    GAsyncReadyCallback  callback,
                                    gpointer             user_data)
{
  begin_work (source, path, open_in_thread, welkin_directory_source_open_async, cancellable,
              callback, user_data);
}

static GInputStream *
welkin_directory_source_open_finish (WelkinDataSource  *source,
                                     GAsyncResult      *result,
                                     GError           **error)
{
  g_return_val_if_fail (g_task_is_valid (result, source), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, welkin_directory_source_open_async),
                        NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
welkin_directory_source_finalize (GObject *object)
{
  WelkinDirectorySource *self = WELKIN_DIRECTORY_SOURCE (object);

  g_free (self->description);
  g_free (self->path);

  G_OBJECT_CLASS (welkin_directory_source_parent_class)->finalize (object);
}

static void
welkin_directory_source_data_source_init (WelkinDataSourceInterface *iface)
{
  iface->get_description = welkin_directory_source_get_description;
  iface->get_requires_signed = welkin_directory_source_get_requires_signed;
  iface->get_uri = welkin_directory_source_get_uri;
  iface->fetch_async = welkin_directory_source_fetch_async;
  iface->fetch_finish = welkin_directory_source_fetch_finish;
  iface->open_async = welkin_directory_source_open_async;
  iface->open_finish = welkin_directory_source_open_finish;
}

static void
welkin_directory_source_class_init (WelkinDirectorySourceClass *class)
{
  G_OBJECT_CLASS (class)->finalize = welkin_directory_source_finalize;
}

static void
welkin_directory_source_init (WelkinDirectorySource *self)
{
}

WelkinDataSource *
welkin_data_source_new_for_directory (const char            *path,
                                      const char            *description,
                                      WelkinDataSourceFlags  flags)
{
  WelkinDirectorySource *self = g_object_new (WELKIN_TYPE_DIRECTORY_SOURCE, NULL);

  self->path = g_strdup (path);
  self->description = g_strdup (description);
  self->requires_signed = (flags & WELKIN_DATA_SOURCE_REQUIRE_SIGNED) != 0;
  return WELKIN_DATA_SOURCE (self);
}
