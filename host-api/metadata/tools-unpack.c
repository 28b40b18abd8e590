/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system-error.h"
#include "base/text.h"
#include "machine/machine-paths.h"
#include "machine/tools-record.h"
#include "metadata/tools-copy.h"
#include "metadata/tools-write.h"
#include "metadata/welkin-tools-metadata.h"
#include "values/welkin-error.h"

#define MODULES WELKIN_AGENT_MODULES "/"
#define BLOCK_SIZE ((gsize) 64 * 1024)
/* What somebody may send who wants to fill the disk. */
#define MAX_FILES 1000
#define MAX_BYTES ((gint64) 1024 * 1024 * 1024)

typedef struct
{
  /* inputs */
  WelkinTools    *tools;     /* (owned) */
  char           *archive;   /* (owned) its path */
  char           *directory; /* (owned) where the tools of a machine are */

  /* while running */
  int             fd;        /* of the archive, or -1 */
  struct archive *reader;    /* (owned) (nullable) */
  char           *partial;   /* (owned) (nullable) where it is unpacked */
  guint           n_files;
  gint64          n_bytes;
} Unpack;

static void
unpack_free (gpointer user_data)
{
  Unpack *self = user_data;

  g_free (self->partial);
  if (self->reader != NULL)
    archive_read_free (self->reader);
  if (self->fd >= 0)
    close (self->fd);
  g_free (self->directory);
  g_free (self->archive);
  welkin_tools_unref (self->tools);
  g_free (self);
}

/* Returns FALSE. */
static gboolean
refuse (GError    **error,
        const char *words,
        const char *name)
{
  g_autofree char *quoted = wk_quote (name);

  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL, "%s: %s", words, quoted);
  return FALSE;
}

static gboolean
check_archive (Unpack       *self,
               GCancellable *cancellable,
               GError      **error)
{
  const char *expected = welkin_tools_get_sha256 (self->tools);
  g_autoptr(GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree guchar *block = g_malloc (BLOCK_SIZE);
  gssize length;

  self->fd = g_open (self->archive, O_RDONLY | O_CLOEXEC, 0);
  if (self->fd < 0)
    return wk_fail_with_errno (error, errno, _("Cannot read"), self->archive);
  if (expected == NULL || *expected == '\0')
    return TRUE;
  while ((length = read (self->fd, block, BLOCK_SIZE)) > 0)
    {
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      g_checksum_update (checksum, block, length);
    }
  if (length < 0 || lseek (self->fd, 0, SEEK_SET) != 0)
    return wk_fail_with_errno (error, errno, _("Cannot read"), self->archive);
  if (g_ascii_strcasecmp (g_checksum_get_string (checksum), expected) == 0)
    return TRUE;
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
               _("tarball sha256 mismatch, expected %s, got %s"), expected,
               g_checksum_get_string (checksum));
  return FALSE;
}

/* Everything lies flat, but for what GIO loads. */
static gboolean
check_name (const char *name,
            GError    **error)
{
  const char *file = g_str_has_prefix (name, MODULES) ? name + strlen (MODULES) : name;

  if (*file != '\0' && strchr (file, '/') == NULL && strchr (file, '\\') == NULL
      && !g_str_equal (file, ".") && !g_str_equal (file, ".."))
    return TRUE;
  return refuse (error, _("bad name"), name);
}

static gboolean
write_contents (Unpack       *self,
                int           fd,
                const char   *path,
                GCancellable *cancellable,
                GError      **error)
{
  g_autofree char *block = g_malloc (BLOCK_SIZE);
  gssize length;

  while ((length = archive_read_data (self->reader, block, BLOCK_SIZE)) > 0)
    {
      self->n_bytes += length;
      if (self->n_bytes > MAX_BYTES)
        return refuse (error, _("the archive is too large"), self->archive);
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      for (gssize done = 0; done < length;)
        {
          gssize written = write (fd, block + done, (gsize) (length - done));

          if (written < 0 && errno != EINTR)
            return wk_fail_with_errno (error, errno, _("Cannot write"), path);
          done += MAX (written, 0);
        }
    }
  if (length < 0)
    g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL, "%s",
                 archive_error_string (self->reader));
  return length == 0;
}

static gboolean
unpack_file (Unpack               *self,
             struct archive_entry *entry,
             GCancellable         *cancellable,
             GError              **error)
{
  const char *raw = archive_entry_pathname (entry);
  g_autofree char *name = g_utf8_make_valid (raw != NULL ? raw : "", -1);
  g_autofree char *path = g_build_filename (self->partial, name, NULL);
  const mode_t mode = (archive_entry_perm (entry) & S_IXUSR) != 0 ? 0755 : 0644;
  gboolean is_written;
  int fd;

  if (!check_name (name, error))
    return FALSE;
  if (archive_entry_filetype (entry) != AE_IFREG || archive_entry_hardlink (entry) != NULL)
    return refuse (error, _("bad file type"), name);
  if (++self->n_files > MAX_FILES)
    return refuse (error, _("the archive has too many files"), self->archive);
  if (g_str_has_prefix (name, MODULES))
    {
      g_autofree char *modules = g_build_filename (self->partial, WELKIN_AGENT_MODULES, NULL);

      if (g_mkdir_with_parents (modules, 0755) != 0)
        return wk_fail_with_errno (error, errno, _("Cannot make directory"), modules);
    }
  fd = g_open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (fd < 0)
    return wk_fail_with_errno (error, errno, _("Cannot write"), path);
  is_written = write_contents (self, fd, path, cancellable, error);
  if (is_written && fchmod (fd, mode) != 0)
    is_written = wk_fail_with_errno (error, errno, _("Cannot write"), path);
  close (fd);
  return is_written;
}

static gboolean
unpack_files (Unpack       *self,
              GCancellable *cancellable,
              GError      **error)
{
  struct archive_entry *entry;
  int status;

  self->reader = archive_read_new ();
  archive_read_support_filter_gzip (self->reader);
  archive_read_support_format_tar (self->reader);
  status = archive_read_open_fd (self->reader, self->fd, BLOCK_SIZE);
  while (status == ARCHIVE_OK
         && (status = archive_read_next_header (self->reader, &entry)) == ARCHIVE_OK)
    if (!unpack_file (self, entry, cancellable, error))
      return FALSE;
  if (status != ARCHIVE_EOF)
    g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL, "%s",
                 archive_error_string (self->reader));
  return status == ARCHIVE_EOF;
}

static gboolean
write_record (Unpack  *self,
              GError **error)
{
  g_autofree char *path = g_build_filename (self->partial, WELKIN_TOOLS_RECORD_FILE, NULL);
  g_autofree char *record = welkin_tools_make_record (self->tools);

  return g_file_set_contents_full (path, record, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, error);
}

/* Somebody else was faster, or it was done long ago. */
static gboolean
is_there (Unpack     *self,
          const char *target)
{
  g_autofree char *path = g_build_filename (target, WELKIN_TOOLS_RECORD_FILE, NULL);
  g_autofree char *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL)
         && welkin_tools_is_record (self->tools, text);
}

/* (transfer full): where they are */
static char *
unpack (Unpack       *self,
        GCancellable *cancellable,
        GError      **error)
{
  g_autofree char *binary = welkin_tools_make_binary (self->tools);
  g_autofree char *target = g_build_filename (self->directory, binary, NULL);
  g_autofree char *partial = g_build_filename (self->directory, "unpacking-XXXXXX", NULL);

  if (strchr (binary, '/') != NULL)
    {
      refuse (error, _("bad name"), binary);
      return NULL;
    }
  if (!check_archive (self, cancellable, error))
    return NULL;
  if (g_mkdir_with_parents (self->directory, 0755) != 0 || g_mkdtemp_full (partial, 0755) == NULL)
    {
      wk_fail_with_errno (error, errno, _("Cannot make directory"), partial);
      return NULL;
    }
  self->partial = g_steal_pointer (&partial);
  if (!unpack_files (self, cancellable, error))
    {
      g_prefix_error (error, _("Cannot unpack %s: "), self->archive);
      return NULL;
    }
  if (!write_record (self, error))
    return NULL;
  if (g_rename (self->partial, target) == 0)
    g_clear_pointer (&self->partial, g_free);
  else if (!is_there (self, target))
    {
      wk_fail_with_errno (error, errno, _("Cannot make directory"), target);
      return NULL;
    }
  return g_steal_pointer (&target);
}

static void
unpack_in_thread (GTask        *task,
                  gpointer      source,
                  gpointer      data,
                  GCancellable *cancellable)
{
  Unpack *self = data;
  GError *error = NULL;
  char *directory = unpack (self, cancellable, &error);

  /* Before anybody gets to know how it went. */
  if (self->partial != NULL)
    welkin_tools_copy_remove (self->partial);
  if (directory != NULL)
    g_task_return_pointer (task, directory, g_free);
  else
    g_task_return_error (task, error);
}

/**
 * welkin_tools_unpack_async:
 * @self: an archive of agent binaries
 * @archive: (type filename): where it lies, once it was fetched
 * @data_directory: (type filename): where the files of a machine's agent are, as
 *   in "/var/lib/welkin"
 * @cancellable: (nullable): ends the call
 * @callback: (scope async) (closure user_data): called in the thread-default
 *   main context of the call
 * @user_data: data for @callback
 *
 * Unpacks an archive into a directory below "tools" that is named by its version,
 * with a record of it in "downloaded-tools.txt". This is for an agent that is to
 * become another version.
 *
 * Nothing is seen there before it is whole, and what is there already stays as it
 * is. The archive must have the checksum that it is to have, and nothing but files
 * with plain names, beside those in "gio-modules": everything else is
 * %WELKIN_ERROR_PROTOCOL.
 *
 * Since: 0.1
 */
void
welkin_tools_unpack_async (WelkinTools        *self,
                           const char         *archive,
                           const char         *data_directory,
                           GCancellable       *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer            user_data)
{
  g_autoptr(GTask) task = NULL;
  Unpack *unpacking;

  g_return_if_fail (self != NULL);
  g_return_if_fail (archive != NULL && data_directory != NULL);

  unpacking = g_new0 (Unpack, 1);
  unpacking->tools = welkin_tools_ref (self);
  unpacking->archive = g_strdup (archive);
  unpacking->directory = g_build_filename (data_directory, WELKIN_TOOLS_PREFIX, NULL);
  unpacking->fd = -1;
  task = g_task_new (NULL, cancellable, callback, user_data);
  g_task_set_source_tag (task, welkin_tools_unpack_async);
  g_task_set_task_data (task, unpacking, unpack_free);
  g_task_run_in_thread (task, unpack_in_thread);
}

/**
 * welkin_tools_unpack_finish:
 * @self: an archive of agent binaries
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [method@Tools.unpack_async].
 *
 * Returns: (transfer full) (type filename): the directory, or %NULL on error
 *
 * Since: 0.1
 */
char *
welkin_tools_unpack_finish (WelkinTools  *self,
                            GAsyncResult *result,
                            GError      **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  g_return_val_if_fail (g_task_get_source_tag (G_TASK (result)) == welkin_tools_unpack_async,
                        NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
