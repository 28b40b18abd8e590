/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "metadata/tools-bundle.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/flow.h"
#include "base/text.h"
#include "metadata/tools-version.h"
#include "values/welkin-error.h"

#define AGENT "welkin-agent"
#define COPY "agent"
/* The only directory in that of an agent: where the service of the agent has GIO look for TLS. */
#define MODULES "gio-modules"
#define FORCE_VERSION "FORCE-VERSION"
#define OWNER "ubuntu"
#define BLOCK_SIZE ((gsize) 64 * 1024)

/* A file that is packed. */
typedef struct
{
  char    *name;         /* (owned) below the directory */
  gboolean is_executable;
  gint64   size;
  gint64   modified;     /* seconds */
} Member;

typedef struct
{
  /* inputs */
  char              *source;   /* (owned) the directory */
  char              *number;   /* (owned) (nullable) that the agent is made to be */
  gint64             epoch;    /* below 0: the files' own times */
  GError            *error;    /* (owned) (nullable) what is wrong with the inputs */

  /* while running */
  char              *copy;     /* (owned) (nullable) of the directory */
  GPtrArray         *members;  /* (owned) of Member, sorted */
  GSubprocess       *agent;    /* (owned) (nullable) */
  int                fd;       /* of the archive, or -1 */
  GChecksum         *checksum; /* (owned) */
  WelkinToolsBundle *bundle;   /* (owned) (nullable) */
} Pack;

static void
member_free (gpointer user_data)
{
  Member *self = user_data;

  g_free (self->name);
  g_free (self);
}

/* What the system said, about a path. Returns FALSE. */
static gboolean
fail (GError    **error,
      int         saved_errno,
      const char *words,
      const char *path)
{
  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (saved_errno), "%s \"%s\": %s", words,
               path, g_strerror (saved_errno));
  return FALSE;
}

/* There is nothing in it that anybody else has put there. */
static void
remove_directory (const char *path)
{
  g_autoptr(GDir) directory = g_dir_open (path, 0, NULL);
  const char *name;

  while (directory != NULL && (name = g_dir_read_name (directory)) != NULL)
    {
      g_autofree char *file = g_build_filename (path, name, NULL);

      g_unlink (file);
    }
  g_rmdir (path);
}

void
welkin_tools_bundle_free (WelkinToolsBundle *self)
{
  if (self->directory != NULL)
    {
      g_autofree char *copy = g_build_filename (self->directory, COPY, NULL);
      g_autofree char *modules = g_build_filename (copy, MODULES, NULL);

      remove_directory (modules);
      remove_directory (copy);
      if (self->path != NULL)
        g_unlink (self->path);
      if (g_rmdir (self->directory) != 0)
        g_warning (_("Cannot remove \"%s\": %s"), self->directory, g_strerror (errno));
    }
  g_free (self->directory);
  g_free (self->path);
  g_free (self->binary);
  g_free (self->sha256);
  g_free (self);
}

static void
pack_free (gpointer user_data)
{
  Pack *self = user_data;

  if (self->agent != NULL)
    g_subprocess_force_exit (self->agent);
  g_clear_object (&self->agent);
  if (self->fd >= 0)
    close (self->fd);
  g_clear_pointer (&self->bundle, welkin_tools_bundle_free);
  g_checksum_free (self->checksum);
  g_ptr_array_unref (self->members);
  g_free (self->copy);
  g_clear_error (&self->error);
  g_free (self->number);
  g_free (self->source);
  g_free (self);
}

static int
compare_members (gconstpointer a,
                 gconstpointer b)
{
  const Member *left = *(Member *const *) a;
  const Member *right = *(Member *const *) b;

  return strcmp (left->name, right->name);
}

static void
add_member (Pack              *self,
            const char        *name,
            const struct stat *status)
{
  Member *member = g_new0 (Member, 1);

  member->name = g_strdup (name);
  member->is_executable = (status->st_mode & S_IXUSR) != 0;
  member->size = status->st_size;
  member->modified = self->epoch >= 0 ? self->epoch : status->st_mtime;
  g_ptr_array_add (self->members, member);
}

static gboolean copy_directory (Pack         *self,
                                const char   *name,
                                GCancellable *cancellable,
                                GError      **error);

static gboolean
copy_member (Pack         *self,
             const char   *name,
             GCancellable *cancellable,
             GError      **error)
{
  g_autofree char *path = g_build_filename (self->source, name, NULL);
  g_autofree char *target = g_build_filename (self->copy, name, NULL);
  g_autoptr(GFile) from = g_file_new_for_path (path);
  g_autoptr(GFile) to = g_file_new_for_path (target);
  struct stat status;

  if (strchr (name, '\\') != NULL)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT, _("bad name \"%s\""), path);
      return FALSE;
    }
  if (g_lstat (path, &status) != 0)
    return fail (error, errno, _("Cannot read"), path);
  if (S_ISDIR (status.st_mode) && g_str_equal (name, MODULES))
    return copy_directory (self, name, cancellable, error);
  if (!S_ISREG (status.st_mode))
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
                   _("bad file type: \"%s\" is no regular file"), path);
      return FALSE;
    }
  /* Made anew below. */
  if (self->number != NULL && g_str_equal (name, FORCE_VERSION))
    return TRUE;
  if (!g_file_copy (from, to, G_FILE_COPY_NOFOLLOW_SYMLINKS, cancellable, NULL, NULL, error))
    {
      g_prefix_error (error, _("Cannot copy %s: "), path);
      return FALSE;
    }
  add_member (self, name, &status);
  return TRUE;
}

/* As old as the agent itself, so that it is the same the next time. */
static gboolean
force_version (Pack    *self,
               GError **error)
{
  g_autofree char *agent = g_build_filename (self->source, AGENT, NULL);
  g_autofree char *path = g_build_filename (self->copy, FORCE_VERSION, NULL);
  g_autofree char *text = g_strconcat (self->number, "\n", NULL);
  struct stat status;

  if (g_stat (agent, &status) != 0)
    return fail (error, errno, _("Cannot read"), agent);
  if (!g_file_set_contents (path, text, -1, error))
    return FALSE;
  status.st_mode = S_IFREG | 0644;
  status.st_size = (off_t) strlen (text);
  add_member (self, FORCE_VERSION, &status);
  return TRUE;
}

/* name: of a directory below that of the agent, or "" for that itself */
static gboolean
copy_directory (Pack         *self,
                const char   *name,
                GCancellable *cancellable,
                GError      **error)
{
  g_autofree char *path = g_build_filename (self->source, name, NULL);
  g_autofree char *target = g_build_filename (self->copy, name, NULL);
  g_autoptr(GDir) directory = g_dir_open (path, 0, error);
  const char *entry;

  if (directory == NULL)
    return FALSE;
  if (g_mkdir (target, 0700) != 0)
    return fail (error, errno, _("Cannot make directory"), target);
  while ((entry = g_dir_read_name (directory)) != NULL)
    {
      g_autofree char *below = g_build_filename (name, entry, NULL);

      if (!copy_member (self, below, cancellable, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
copy_all (Pack         *self,
          GCancellable *cancellable,
          GError      **error)
{
  self->bundle->directory = g_dir_make_tmp ("welkin-tools-XXXXXX", error);
  if (self->bundle->directory == NULL)
    return FALSE;
  self->copy = g_build_filename (self->bundle->directory, COPY, NULL);
  if (!copy_directory (self, "", cancellable, error))
    return FALSE;
  if (self->number != NULL && !force_version (self, error))
    return FALSE;
  g_ptr_array_sort (self->members, compare_members);
  return TRUE;
}

static void
copy_in_thread (GTask        *task,
                gpointer      source,
                gpointer      data,
                GCancellable *cancellable)
{
  GError *error = NULL;

  if (copy_all (data, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static gboolean
start_agent (Pack    *self,
             GError **error)
{
  g_autofree char *path = g_build_filename (self->copy, AGENT, NULL);
  const char *const arguments[] = { path, "version", NULL };

  self->agent = g_subprocess_newv (arguments,
                                   G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE,
                                   error);
  if (self->agent != NULL)
    return TRUE;
  g_prefix_error (error, _("cannot get version from \"%s\": "), self->source);
  return FALSE;
}

static gboolean
take_version (Pack         *self,
              GAsyncResult *result,
              GError      **error)
{
  g_autofree char *output = NULL;
  g_autofree char *complaint = NULL;
  g_autofree char *quoted = NULL;
  g_autofree char *series = NULL;
  g_autofree char *arch = NULL;
  WelkinToolsVersion version;

  if (!g_subprocess_communicate_utf8_finish (self->agent, result, &output, &complaint, error))
    {
      g_prefix_error (error, _("cannot get version from \"%s\": "), self->source);
      return FALSE;
    }
  if (!g_subprocess_get_successful (self->agent))
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_FAILED,
                   _("cannot get version from \"%s\": \"%s\" failed: %s"), self->source,
                   AGENT " version", g_strstrip (complaint));
      return FALSE;
    }
  g_strstrip (output);
  if (!welkin_tools_binary_parse (output, &version, &series, &arch, NULL))
    {
      quoted = wk_quote (output);
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
                   _("invalid version %s from \"%s\": expected NUMBER-SERIES-ARCH"), quoted,
                   self->source);
      return FALSE;
    }
  self->bundle->binary = g_steal_pointer (&output);
  g_clear_object (&self->agent);
  return TRUE;
}

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
  self->bundle->size += (gint64) length;
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
pack_member (Pack           *self,
             struct archive *archive,
             const Member   *member,
             GCancellable   *cancellable,
             GError        **error)
{
  g_autofree char *path = g_build_filename (self->copy, member->name, NULL);
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

static void
pack_in_thread (GTask        *task,
                gpointer      source,
                gpointer      data,
                GCancellable *cancellable)
{
  Pack *self = data;
  GError *error = NULL;

  self->bundle->path = g_build_filename (self->bundle->directory, "tools.tgz", NULL);
  self->fd = g_open (self->bundle->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (self->fd < 0)
    fail (&error, errno, _("Cannot write"), self->bundle->path);
  else if (!pack_all (self, cancellable, &error))
    g_prefix_error (&error, _("Cannot write %s: "), self->bundle->path);
  if (error != NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  self->bundle->sha256 = g_strdup (g_checksum_get_string (self->checksum));
  g_task_return_boolean (task, TRUE);
}

/* The record is not freed before the thread has come back: nothing else waits meanwhile. */
static void
work_async (Pack               *self,
            GTaskThreadFunc     work,
            GCancellable       *cancellable,
            GAsyncReadyCallback callback,
            gpointer            user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_task_data (task, self, NULL);
  g_task_run_in_thread (task, work);
}

static void
pack_run (WkFlow  *flow,
          gpointer user_data)
{
  Pack *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (self->error != NULL)
    WK_FAIL (flow, &self->error, NULL);
  WK_AWAIT (flow, work_async (self, copy_in_thread, WK_RESUME (flow)));
  if (!g_task_propagate_boolean (G_TASK (WK_RESULT (flow)), &error))
    WK_FAIL (flow, &error, NULL);
  if (self->bundle->binary == NULL)
    {
      if (!start_agent (self, &error))
        WK_FAIL (flow, &error, NULL);
      WK_AWAIT (flow, g_subprocess_communicate_utf8_async (self->agent, NULL, WK_RESUME (flow)));
      if (!take_version (self, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
    }
  WK_AWAIT (flow, work_async (self, pack_in_thread, WK_RESUME (flow)));
  if (!g_task_propagate_boolean (G_TASK (WK_RESULT (flow)), &error))
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_pointer (flow, g_steal_pointer (&self->bundle),
                          (GDestroyNotify) welkin_tools_bundle_free);

  WK_FLOW_END (flow);
}

static gboolean
take_forced_version (Pack       *self,
                     const char *version,
                     GError    **error)
{
  g_autofree char *series = NULL;
  g_autofree char *arch = NULL;
  WelkinToolsVersion number;

  if (welkin_tools_binary_parse (version, &number, &series, &arch, NULL))
    self->bundle->binary = g_strdup (version);
  else if (!welkin_tools_version_parse (version, &number, error))
    return FALSE;
  self->number = welkin_tools_version_format (&number);
  return TRUE;
}

/* As others do who make the same thing twice: https://reproducible-builds.org */
static gint64
get_epoch (WelkinSurroundings *surroundings)
{
  const char *text = welkin_surroundings_get_variable (surroundings, "SOURCE_DATE_EPOCH");
  gint64 epoch;

  return text != NULL && g_ascii_string_to_signed (text, 10, 0, G_MAXINT64, &epoch, NULL) ? epoch
                                                                                          : -1;
}

void
welkin_tools_bundle_async (const char         *directory,
                           const char         *version,
                           WelkinSurroundings *surroundings,
                           GCancellable       *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer            user_data)
{
  Pack *self = g_new0 (Pack, 1);

  self->source = g_strdup (directory);
  self->epoch = get_epoch (surroundings);
  self->fd = -1;
  self->checksum = g_checksum_new (G_CHECKSUM_SHA256);
  self->members = g_ptr_array_new_with_free_func (member_free);
  self->bundle = g_new0 (WelkinToolsBundle, 1);
  if (welkin_tools_check_agent_directory (directory, &self->error) && version != NULL)
    take_forced_version (self, version, &self->error);
  wk_flow_start (NULL, cancellable, callback, user_data, welkin_tools_bundle_async, pack_run, self,
                 pack_free);
}

WelkinToolsBundle *
welkin_tools_bundle_finish (GAsyncResult *result,
                            GError      **error)
{
  return wk_flow_finish_pointer (result, NULL, welkin_tools_bundle_async, error);
}

char *
welkin_tools_get_agent_directory (WelkinSurroundings *surroundings)
{
  const char *directory = welkin_surroundings_get_variable (surroundings, "WELKIN_AGENT_DIR");

  return g_strdup (directory != NULL && *directory != '\0' ? directory : AGENT_DIR);
}

gboolean
welkin_tools_check_agent_directory (const char *directory,
                                    GError    **error)
{
  g_autofree char *path = g_build_filename (directory, AGENT, NULL);

  if (g_file_test (path, G_FILE_TEST_IS_EXECUTABLE) && !g_file_test (path, G_FILE_TEST_IS_DIR))
    return TRUE;
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND,
               _("there is no executable \"%s\" in directory \"%s\""), AGENT, directory);
  return FALSE;
}
