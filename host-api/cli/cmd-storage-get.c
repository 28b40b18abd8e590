/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gunixoutputstream.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/new-file.h"
#include "cli/cmd-storage.h"

#define BLOCK_SIZE (256 * 1024)
#define READER_SECONDS 0.1

static char *option_environment;

static const GOptionEntry options[] = {
  { "environment", 'e', 0, G_OPTION_ARG_FILENAME, &option_environment,
    N_("Which environment"), N_("NAME") },
  G_OPTION_ENTRY_NULL
};

/* Where it goes: a file beside the one that it will be, or whatever else the path leads to. */
typedef struct
{
  char          *path;   /* (owned) */
  WkNewFile      file;   /* if it is a file */
  GOutputStream *output; /* (owned) (nullable) */
} Target;

#define TARGET_INIT { NULL, WK_NEW_FILE_INIT, NULL }

static void
target_clear (Target *self)
{
  g_clear_object (&self->output);
  wk_new_file_clear (&self->file);
  g_free (self->path);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Target, target_clear)

static gboolean
fail (Target  *self,
      int      saved_errno,
      GError **error)
{
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (saved_errno),
               _("Cannot write \"%s\": %s"), self->path, g_strerror (saved_errno));
  return FALSE;
}

static void
choose_path (Target     *self,
             const char *path,
             const char *name)
{
  g_autofree char *base = g_path_get_basename (name);

  self->path = g_file_test (path, G_FILE_TEST_IS_DIR) ? g_build_filename (path, base, NULL)
                                                      : g_strdup (path);
}

/* A pipe or a device takes the data as they come. A pipe that nobody reads yet is waited for here,
 * since an open() that waits could not be interrupted. */
static gboolean
open_device (Target   *self,
             Cli      *cli,
             gboolean  is_pipe,
             GError  **error)
{
  g_autoptr(WkClock) clock = wk_clock_new (1);
  int fd;

  while ((fd = g_open (self->path, O_WRONLY | O_NONBLOCK | O_CLOEXEC, 0)) < 0)
    {
      if (errno != ENXIO || !is_pipe)
        return fail (self, errno, error);
      wk_clock_sleep_async (clock, READER_SECONDS, cli->cancellable, cli_done_cb, cli);
      if (!wk_clock_sleep_finish (clock, cli_wait (cli), error))
        return FALSE;
    }
  self->output = g_unix_output_stream_new (fd, TRUE);
  return TRUE;
}

/* A link stays one; where it leads nowhere, nothing can be written there. */
static gboolean
follow_link (Target  *self,
             GError **error)
{
  char *real;

  if (!g_file_test (self->path, G_FILE_TEST_IS_SYMLINK))
    return TRUE;
  real = realpath (self->path, NULL);
  if (real == NULL)
    return fail (self, errno, error);
  g_free (self->path);
  self->path = g_strdup (real);
  free (real);
  return TRUE;
}

static gboolean
open_target (Target     *self,
             Cli        *cli,
             const char *path,
             const char *name,
             GError    **error)
{
  g_autofree char *name_template = NULL;
  gboolean is_there;
  struct stat status;

  if (g_str_equal (path, "-"))
    {
      self->path = g_strdup (path);
      self->output = g_unix_output_stream_new (STDOUT_FILENO, FALSE);
      return TRUE;
    }
  choose_path (self, path, name);
  is_there = g_stat (self->path, &status) == 0;
  if (is_there && !S_ISREG (status.st_mode))
    return open_device (self, cli, S_ISFIFO (status.st_mode), error);

  if (!follow_link (self, error))
    return FALSE;
  name_template = g_strconcat (self->path, ".XXXXXX", NULL);
  if (!wk_new_file_open (&self->file, name_template, 0666))
    return fail (self, errno, error);
  self->output = g_unix_output_stream_new (self->file.fd, FALSE);
  /* What nobody else could read stays so when it is replaced. */
  if (is_there && fchmod (self->file.fd, status.st_mode & 0777) != 0)
    return fail (self, errno, error);
  return TRUE;
}

static gboolean
close_target (Target  *self,
              GError **error)
{
  if (self->file.fd < 0 || wk_new_file_publish (&self->file, self->path, TRUE))
    return TRUE;
  return fail (self, errno, error);
}

static gboolean
cannot_get (const char  *name,
            GError     **error)
{
  g_prefix_error (error, _("Cannot get \"%s\": "), name);
  return FALSE;
}

static gboolean
copy (Cli          *cli,
      const char   *name,
      GInputStream *stream,
      Target       *target,
      CliTransfer  *transfer,
      GError      **error)
{
  goffset done = 0;

  while (TRUE)
    {
      g_autoptr(GBytes) block = NULL;
      gsize size;
      const void *data;

      g_input_stream_read_bytes_async (stream, BLOCK_SIZE, G_PRIORITY_DEFAULT, cli->cancellable,
                                       cli_done_cb, cli);
      block = g_input_stream_read_bytes_finish (stream, cli_wait (cli), error);
      if (block == NULL)
        return cannot_get (name, error);
      data = g_bytes_get_data (block, &size);
      if (size == 0)
        return TRUE;
      g_output_stream_write_all_async (target->output, data, size, G_PRIORITY_DEFAULT,
                                       cli->cancellable, cli_done_cb, cli);
      if (!g_output_stream_write_all_finish (target->output, cli_wait (cli), NULL, error))
        {
          g_prefix_error (error, _("Cannot write \"%s\": "), target->path);
          return FALSE;
        }
      done += (goffset) size;
      cli_transfer_update (transfer, done);
    }
}

static gboolean
get (Cli           *cli,
     WelkinStorage *storage,
     const char    *name,
     const char    *path,
     GError       **error)
{
  g_autofree char *what = g_strdup_printf (_("Getting %s"), name);
  g_autoptr(GInputStream) stream = NULL;
  g_auto(Target) target = TARGET_INIT;
  CliTransfer transfer;
  gboolean is_copied;

  welkin_storage_get_async (storage, name, WELKIN_STORAGE_NONE, cli->cancellable, cli_done_cb,
                            cli);
  stream = welkin_storage_get_finish (storage, cli_wait (cli), error);
  if (stream == NULL)
    return cannot_get (name, error);
  if (!open_target (&target, cli, path, name, error))
    return FALSE;
  cli_transfer_begin (&transfer, cli, what, -1);
  is_copied = copy (cli, name, stream, &target, &transfer, error);
  cli_transfer_end (&transfer);
  return is_copied && close_target (&target, error);
}

static gboolean
run_storage_get (Cli     *cli,
                 char   **arguments,
                 GError **error)
{
  g_autoptr(WelkinStorage) storage = NULL;
  g_autofree char *base = NULL;

  if (arguments[0] == NULL)
    return cli_usage_error (error, _("no name given: say which file to get"));
  if (arguments[1] != NULL && !cli_expect_no_arguments (arguments + 2, error))
    return FALSE;
  base = g_path_get_basename (arguments[0]);
  storage = cli_open_storage (cli, option_environment, error);
  return storage != NULL
         && get (cli, storage, arguments[0], arguments[1] != NULL ? arguments[1] : base, error);
}

const CliCommand cli_command_storage_get = {
  .name = "storage get",
  .usage = "NAME [FILE]",
  .summary = N_("Get a file from an environment's storage"),
  .description = N_("FILE is there when all of it has come, and its checksum is right; it may be "
                    "\"-\" for standard output, and is NAME without its directories unless it is "
                    "given."),
  .options = options,
  .run = run_storage_get,
};
