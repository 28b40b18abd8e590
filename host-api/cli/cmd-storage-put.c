/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gunixinputstream.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cmd-storage.h"

#define SHOW_MILLISECONDS 250

static char *option_environment;
static gboolean option_force;

static const GOptionEntry options[] = {
  { "environment", 'e', 0, G_OPTION_ARG_FILENAME, &option_environment,
    N_("Which environment"), N_("NAME") },
  { "force", 'f', 0, G_OPTION_ARG_NONE, &option_force,
    N_("Replace what the environment itself lives by, too"), NULL },
  G_OPTION_ENTRY_NULL
};

/* How much there is has to be known before it goes: what is no file becomes one, without a name. */
static GInputStream *
copy_to_file (Cli          *cli,
              GInputStream *input,
              GError      **error)
{
  g_autoptr(GFileIOStream) copy = NULL;
  g_autoptr(GFileInputStream) stream = NULL;
  g_autoptr(GFile) file = g_file_new_tmp ("welkin-XXXXXX", &copy, error);
  GOutputStream *output;

  if (file == NULL)
    return NULL;
  stream = g_file_read (file, NULL, error);
  g_unlink (g_file_peek_path (file));
  if (stream == NULL)
    return NULL;
  output = g_io_stream_get_output_stream (G_IO_STREAM (copy));
  g_output_stream_splice_async (output, input, G_OUTPUT_STREAM_SPLICE_NONE, G_PRIORITY_DEFAULT,
                                cli->cancellable, cli_done_cb, cli);
  if (g_output_stream_splice_finish (output, cli_wait (cli), error) < 0)
    {
      g_prefix_error (error, _("Cannot keep the data in a temporary file: "));
      return NULL;
    }
  return G_INPUT_STREAM (g_steal_pointer (&stream));
}

static gboolean
get_length (GInputStream *stream,
            goffset      *length,
            GError      **error)
{
  g_autoptr(GFileInfo) info =
    g_file_input_stream_query_info (G_FILE_INPUT_STREAM (stream), G_FILE_ATTRIBUTE_STANDARD_SIZE,
                                    NULL, error);

  if (info != NULL)
    *length = g_file_info_get_size (info);
  return info != NULL;
}

/* Files of /proc, and devices, have data and a size of 0. */
static gboolean
is_plain_file (GInputStream *stream)
{
  goffset length = 0;

  return G_IS_FILE_INPUT_STREAM (stream) && g_seekable_can_seek (G_SEEKABLE (stream))
         && get_length (stream, &length, NULL) && length > 0;
}

/* Nobody may be at the other end of a pipe yet: who opened it to wait could not be interrupted. */
static gboolean
is_device (const char *path)
{
  GStatBuf status;

  return g_stat (path, &status) == 0 && !S_ISREG (status.st_mode) && !S_ISDIR (status.st_mode);
}

static GInputStream *
open_file (const char *path,
           GError    **error)
{
  g_autoptr(GFile) file = g_file_new_for_path (path);
  int fd;

  if (!is_device (path))
    return G_INPUT_STREAM (g_file_read (file, NULL, error));
  fd = g_open (path, O_RDONLY | O_NONBLOCK | O_CLOEXEC, 0);
  if (fd >= 0)
    return g_unix_input_stream_new (fd, TRUE);
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), _("Cannot read \"%s\": %s"), path,
               g_strerror (errno));
  return NULL;
}

/* A stream that can go back, and how much there is in it. */
static GInputStream *
open_source (Cli        *cli,
             const char *path,
             goffset    *length,
             GError    **error)
{
  g_autoptr(GInputStream) stream = NULL;

  if (g_str_equal (path, "-"))
    stream = g_unix_input_stream_new (STDIN_FILENO, FALSE);
  else
    stream = open_file (path, error);
  if (stream == NULL)
    return NULL;
  if (!is_plain_file (stream))
    {
      GInputStream *copy = copy_to_file (cli, stream, error);

      g_object_unref (stream);
      stream = copy;
      if (stream == NULL)
        return NULL;
    }
  return get_length (stream, length, error) ? g_steal_pointer (&stream) : NULL;
}

typedef struct
{
  CliTransfer   transfer;
  GInputStream *stream; /* (owned) */
} Putting;

/* Where the stream stands is how far it has come. */
static gboolean
show_cb (gpointer user_data)
{
  Putting *self = user_data;

  cli_transfer_update (&self->transfer, g_seekable_tell (G_SEEKABLE (self->stream)));
  return G_SOURCE_CONTINUE;
}

static gboolean
put (Cli           *cli,
     WelkinStorage *storage,
     const char    *name,
     const char    *path,
     GError       **error)
{
  Putting putting = { { NULL } };
  g_autofree char *what = g_strdup_printf (_("Putting %s"), name);
  goffset length;
  gboolean is_put;
  guint show;

  putting.stream = open_source (cli, path, &length, error);
  if (putting.stream == NULL)
    return FALSE;
  cli_transfer_begin (&putting.transfer, cli, what, length);
  show = g_timeout_add (SHOW_MILLISECONDS, show_cb, &putting);
  welkin_storage_put_async (storage, name, putting.stream, length, WELKIN_STORAGE_NONE,
                            cli->cancellable, cli_done_cb, cli);
  is_put = welkin_storage_put_finish (storage, cli_wait (cli), error);
  if (!is_put)
    g_prefix_error (error, _("Cannot put \"%s\": "), name);
  g_source_remove (show);
  cli_transfer_end (&putting.transfer);
  g_object_unref (putting.stream);
  return is_put;
}

static gboolean
run_storage_put (Cli     *cli,
                 char   **arguments,
                 GError **error)
{
  g_autoptr(WelkinStorage) storage = NULL;
  g_autofree char *name = NULL;

  if (arguments[0] == NULL)
    return cli_usage_error (error, _("no file given: say what to put into storage"));
  if (arguments[1] != NULL && !cli_expect_no_arguments (arguments + 2, error))
    return FALSE;
  if (arguments[1] == NULL && g_str_equal (arguments[0], "-"))
    return cli_usage_error (error, _("standard input has no name: give one"));
  name = arguments[1] != NULL ? g_strdup (arguments[1]) : g_path_get_basename (arguments[0]);
  if (!cli_check_storage_name (name, option_force, error))
    return FALSE;
  storage = cli_open_storage (cli, option_environment, error);
  return storage != NULL && put (cli, storage, name, arguments[0], error);
}

const CliCommand cli_command_storage_put = {
  .name = "storage put",
  .usage = "FILE [NAME]",
  .summary = N_("Put a file into an environment's storage"),
  .description = N_("A file of that name is replaced when all of it has gone. FILE may be \"-\" "
                    "for standard input; NAME is FILE without its directories unless it is given."),
  .options = options,
  .run = run_storage_put,
};
