/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "metadata/tools-pack.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "base/system-error.h"
#include "metadata/tools-copy.h"
#include "values/welkin-error.h"

#define OWNER "ubuntu"
#define BLOCK_SIZE ((gsize) 64 * 1024)

typedef struct
{
  const char *directory;
  GPtrArray  *members;   /* of WelkinToolsMember */
  int         fd;        /* of the archive */
  GChecksum  *checksum;  /* of what is written */
  gint64      size;      /* of what is written */
} Pack;

/* Where the archive goes as it is made. */
static la_ssize_t
write_cb (struct archive *archive,
          void           *user_data,
          const void     *bytes,
          size_t          length)
{
  Pack *self = user_data;
  gsize done = 0;

  while (done < length)
    {
      gssize written = write (self->fd, (const char *) bytes + done, length - done);

      if (written < 0 && errno == EINTR)
        continue;
      if (written < 0)
        {
          int saved_errno = errno;

          archive_set_error (archive, saved_errno, "%s", g_strerror (saved_errno));
          return -1;
        }
      done += (gsize) written;
    }
  g_checksum_update (self->checksum, bytes, (gssize) length);
  self->size += (gint64) length;
  return (la_ssize_t) length;
}

static gboolean
pack_contents (Pack           *self,
               struct archive *archive,
               const char     *path,
               GCancellable   *cancellable,
               GError        **error)
{
  g_autoptr(GFile) file = g_file_new_for_path (path);
  g_autoptr(GFileInputStream) stream = g_file_read (file, cancellable, error);
  g_autofree char *block = g_malloc (BLOCK_SIZE);
  gssize length = stream != NULL ? 1 : -1;

  while (length > 0)
    {
      length = g_input_stream_read (G_INPUT_STREAM (stream), block, BLOCK_SIZE, cancellable,
                                    error);
      if (length > 0 && archive_write_data (archive, block, (size_t) length) != length)
        {
          g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_FAILED, "%s",
                       archive_error_string (archive));
          return FALSE;
        }
    }
  return length == 0;
}

static gboolean
pack_member (Pack                    *self,
             struct archive          *archive,
             const WelkinToolsMember *member,
             GCancellable            *cancellable,
             GError                 **error)
{
  g_autofree char *path = g_build_filename (self->directory, member->name, NULL);
  struct archive_entry *entry = archive_entry_new ();
  int status;

  archive_entry_set_pathname (entry, member->name);
  archive_entry_set_filetype (entry, AE_IFREG);
  archive_entry_set_perm (entry, member->is_executable ? 0755 : 0644);
  archive_entry_set_size (entry, member->size);
  archive_entry_set_mtime (entry, member->modified, 0);
  archive_entry_set_uname (entry, OWNER);
  archive_entry_set_gname (entry, OWNER);
  status = archive_write_header (archive, entry);
  archive_entry_free (entry);
  if (status != ARCHIVE_OK)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_FAILED, "%s: %s", member->name,
                   archive_error_string (archive));
      return FALSE;
    }
  return pack_contents (self, archive, path, cancellable, error);
}

static gboolean
pack_all (Pack         *self,
          GCancellable *cancellable,
          GError      **error)
{
  struct archive *archive = archive_write_new ();
  gboolean is_packed;

  archive_write_set_format_ustar (archive);
  archive_write_add_filter_gzip (archive);
  archive_write_set_options (archive, "gzip:!timestamp");
  /* Nothing behind the end of what gzip has made. */
  archive_write_set_bytes_in_last_block (archive, 1);
  is_packed = archive_write_open (archive, self, NULL, write_cb, NULL) == ARCHIVE_OK;
  if (!is_packed)
    g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_FAILED, "%s", archive_error_string (archive));
  for (guint i = 0; is_packed && i < self->members->len; i++)
    is_packed = pack_member (self, archive, g_ptr_array_index (self->members, i), cancellable,
                             error);
  if (is_packed && archive_write_close (archive) != ARCHIVE_OK)
    {
      is_packed = FALSE;
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_FAILED, "%s", archive_error_string (archive));
    }
  archive_write_free (archive);
  return is_packed;
}

gboolean
welkin_tools_pack (const char   *directory,
                   GPtrArray    *members,
                   const char   *path,
                   char        **sha256,
                   gint64       *size,
                   GCancellable *cancellable,
                   GError      **error)
{
  g_autoptr(GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  Pack self = { directory, members, -1, checksum, 0 };
  gboolean is_packed;

  self.fd = g_open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (self.fd < 0)
    return wk_fail_with_errno (error, errno, _("Cannot write"), path);
  is_packed = pack_all (&self, cancellable, error);
  close (self.fd);
  if (!is_packed)
    {
      g_prefix_error (error, _("Cannot write %s: "), path);
      return FALSE;
    }
  *sha256 = g_strdup (g_checksum_get_string (checksum));
  *size = self.size;
  return TRUE;
}
