/* SPDX-License-Identifier: LGPL-2.1-or-later */

/*
 * metadata sign: makes a signed file of each file of metadata. gpg does it, in a home of its own
 * that holds nothing but the key. The passphrase comes from a variable or from standard input, and
 * goes to gpg by a pipe: it is never an argument, which everybody could read.
 */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <gio/gunixinputstream.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/cmd-metadata.h"

#define PASSPHRASE_FD 3
#define MAX_PASSPHRASE 1024
#define MAX_DEPTH 16
#define STOP_SECONDS 2
/* For how long the agent may be ending, and a look at it in microseconds. */
#define REMOVE_TIMES 250
#define REMOVE_PAUSE (20 * 1000)

static char *option_directory;
static char *option_key;
static char *option_passphrase;

static const GOptionEntry options[] = {
  { "directory", 'd', 0, G_OPTION_ARG_FILENAME, &option_directory,
    N_("Where the metadata are, at any depth"), N_("DIR") },
  { "key", 'k', 0, G_OPTION_ARG_FILENAME, &option_key, N_("The file of the private key"),
    N_("KEYFILE") },
  { "passphrase", 'p', 0, G_OPTION_ARG_STRING, &option_passphrase,
    N_("The variable that holds its passphrase, or \"-\": standard input"), N_("VARIABLE") },
  G_OPTION_ENTRY_NULL
};

typedef struct
{
  Cli  *cli;
  char *home;       /* (owned) of gpg */
  char *passphrase; /* (owned) with a newline at its end */
} Signing;

static char *
read_line (Cli     *cli,
           GError **error)
{
  g_autoptr(GInputStream) input = g_unix_input_stream_new (STDIN_FILENO, FALSE);
  g_autoptr(GDataInputStream) lines = g_data_input_stream_new (input);
  g_autoptr(GError) local_error = NULL;
  char *line;

  g_data_input_stream_read_line_async (lines, G_PRIORITY_DEFAULT, cli->cancellable, cli_done_cb,
                                       cli);
  line = g_data_input_stream_read_line_finish (lines, cli_wait (cli), NULL, &local_error);
  if (local_error != NULL)
    g_propagate_error (error, g_steal_pointer (&local_error));
  else if (line == NULL)
    cli_usage_error (error, _("there is no passphrase on standard input"));
  return line;
}

static gboolean
read_passphrase (Signing *self,
                 GError **error)
{
  WelkinSurroundings *surroundings;
  g_autofree char *line = NULL;
  const char *text = "";

  surroundings = welkin_environments_get_surroundings (self->cli->environments);
  if (g_strcmp0 (option_passphrase, "-") == 0)
    {
      line = read_line (self->cli, error);
      if (line == NULL)
        return FALSE;
      text = line;
    }
  else if (option_passphrase != NULL)
    {
      text = welkin_surroundings_get_variable (surroundings, option_passphrase);
      /* It may be the passphrase itself: it is not to be shown. */
      if (text == NULL)
        return cli_usage_error (error, _("the variable that is to hold the passphrase is not set"));
    }
  if (strlen (text) > MAX_PASSPHRASE)
    return cli_usage_error (error, _("the passphrase is too long"));
  self->passphrase = g_strconcat (text, "\n", NULL);
  return TRUE;
}

/* The end of a pipe that the passphrase can be read from, or -1. */
static int
open_passphrase (Signing *self,
                 GError **error)
{
  gsize length = strlen (self->passphrase);
  int ends[2];
  gboolean is_written;

  if (!g_unix_open_pipe (ends, FD_CLOEXEC, error))
    return -1;
  /* It is short enough to fit into a pipe that nobody reads yet. */
  is_written = write (ends[1], self->passphrase, length) == (gssize) length;
  close (ends[1]);
  if (is_written)
    return ends[0];
  close (ends[0]);
  g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_FAILED,
                       _("Cannot hand over the passphrase"));
  return -1;
}

/* Runs gpg with an input and an argument. (transfer full): what it has written */
static GBytes *
run_gpg (Signing    *self,
         GBytes     *input,
         const char *command,
         const char *argument,
         GError    **error)
{
  g_autoptr(GSubprocessLauncher) launcher = NULL;
  g_autoptr(GSubprocess) process = NULL;
  g_autoptr(GBytes) output = NULL;
  g_autoptr(GBytes) words = NULL;
  g_autofree char *text = NULL;
  int passphrase = open_passphrase (self, error);

  if (passphrase < 0)
    return NULL;
  launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDIN_PIPE
                                        | G_SUBPROCESS_FLAGS_STDOUT_PIPE
                                        | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_subprocess_launcher_setenv (launcher, "LC_ALL", "C.UTF-8", TRUE);
  g_subprocess_launcher_setenv (launcher, "GNUPGHOME", self->home, TRUE);
  g_subprocess_launcher_take_fd (launcher, passphrase, PASSPHRASE_FD);
  process = g_subprocess_launcher_spawn (launcher, error, "gpg", "--batch", "--quiet", "--no-tty",
                                         "--pinentry-mode", "loopback", "--passphrase-fd",
                                         G_STRINGIFY (PASSPHRASE_FD), command, argument, NULL);
  if (process == NULL)
    return NULL;

  g_subprocess_communicate_async (process, input, self->cli->cancellable, cli_done_cb, self->cli);
  if (!g_subprocess_communicate_finish (process, cli_wait (self->cli), &output, &words, error))
    {
      g_subprocess_force_exit (process);
      return NULL;
    }
  if (g_subprocess_get_successful (process))
    return g_steal_pointer (&output);
  text = g_utf8_make_valid (g_bytes_get_data (words, NULL), (gssize) g_bytes_get_size (words));
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_FAILED, "%s", g_strchomp (text));
  return NULL;
}

/* gpg would start it itself, but looks for it only once a second and not for long. */
static void
start_agent (Signing *self)
{
  g_autoptr(GSubprocess) process = NULL;

  process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_SILENCE,
                              NULL, "gpg-agent", "--homedir", self->home, "--daemon", NULL);
  if (process == NULL)
    return;
  g_subprocess_wait_async (process, self->cli->cancellable, cli_done_cb, self->cli);
  g_subprocess_wait_finish (process, cli_wait (self->cli), NULL);
}

/* What a signed file names is to be signed as well. */
static GBytes *
name_signed_files (const char *text,
                   gsize       length)
{
  g_autoptr(GRegex) regex = NULL;
  char *changed;

  regex = g_regex_new ("(\"path\"\\s*:\\s*\"streams/[^\"]*)\\.json\"", 0, 0, NULL);
  changed = g_regex_replace (regex, text, (gssize) length, 0, "\\1" CLI_SIGNED_SUFFIX "\"", 0,
                             NULL);
  return g_bytes_new_take (changed, strlen (changed));
}

static gboolean
sign_file (Signing    *self,
           const char *path,
           GError    **error)
{
  g_autofree char *signed_path = cli_make_signed_path (path);
  g_autofree char *text = NULL;
  g_autoptr(GBytes) input = NULL;
  g_autoptr(GBytes) output = NULL;
  const char *data;
  gsize length;

  if (!g_file_get_contents (path, &text, &length, error))
    return FALSE;
  if (!g_utf8_validate_len (text, length, NULL))
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
                   _("\"%s\" is not valid UTF-8 text"), path);
      return FALSE;
    }
  input = name_signed_files (text, length);
  output = run_gpg (self, input, "--clearsign", "--armor", error);
  if (output == NULL)
    {
      g_prefix_error (error, _("Cannot sign \"%s\": "), path);
      return FALSE;
    }
  data = g_bytes_get_data (output, &length);
  if (!g_file_set_contents_full (signed_path, data, (gssize) length,
                                 G_FILE_SET_CONTENTS_CONSISTENT, 0644, error))
    return FALSE;
  console_print (self->cli->console, signed_path);
  return TRUE;
}

/* Adds the files below a directory, which is not followed out of. */
static gboolean
list_files (GPtrArray  *files,
            const char *directory,
            guint       depth,
            GError    **error)
{
  g_autoptr(GDir) names = g_dir_open (directory, 0, error);
  const char *name;

  if (names == NULL)
    return FALSE;
  while ((name = g_dir_read_name (names)) != NULL)
    {
      g_autofree char *path = g_build_filename (directory, name, NULL);

      if (g_file_test (path, G_FILE_TEST_IS_SYMLINK))
        continue;
      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        {
          if (depth < MAX_DEPTH && !list_files (files, path, depth + 1, error))
            return FALSE;
        }
      /* Who opened a pipe would wait for somebody to write. */
      else if (g_str_has_suffix (name, CLI_PLAIN_SUFFIX)
               && g_file_test (path, G_FILE_TEST_IS_REGULAR))
        g_ptr_array_add (files, g_steal_pointer (&path));
    }
  return TRUE;
}

static int
compare_paths (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static gboolean
sign_all (Signing *self,
          GError **error)
{
  g_autoptr(GPtrArray) files = g_ptr_array_new_with_free_func (g_free);
  g_autoptr(GBytes) nothing = g_bytes_new_static ("", 0);
  g_autoptr(GBytes) output = NULL;

  if (!list_files (files, option_directory, 0, error))
    return FALSE;
  if (files->len == 0)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND,
                   _("there are no metadata in \"%s\""), option_directory);
      return FALSE;
    }
  start_agent (self);
  output = run_gpg (self, nothing, "--import", option_key, error);
  if (output == NULL)
    {
      g_prefix_error (error, _("Cannot read the key \"%s\": "), option_key);
      return FALSE;
    }
  g_ptr_array_sort (files, compare_paths);
  for (guint i = 0; i < files->len; i++)
    if (!sign_file (self, g_ptr_array_index (files, i), error))
      return FALSE;
  return TRUE;
}

static int
removed_cb (const char        *path,
            const struct stat *status,
            int                kind,
            struct FTW        *walk)
{
  return remove (path) == 0 || errno == ENOENT ? 0 : -1;
}

/* The agent removes its sockets when it ends, and so ends the walk of somebody who meets them. */
static void
remove_tree (const char *path)
{
  for (guint i = 0; i < REMOVE_TIMES && g_file_test (path, G_FILE_TEST_EXISTS); i++)
    {
      if (nftw (path, removed_cb, MAX_DEPTH, FTW_DEPTH | FTW_PHYS) != 0)
        g_usleep (REMOVE_PAUSE);
    }
  if (g_file_test (path, G_FILE_TEST_EXISTS))
    g_warning ("cannot remove %s, where the key is", path);
}

static gboolean
give_up_cb (gpointer process)
{
  g_subprocess_force_exit (process);
  return G_SOURCE_CONTINUE;
}

/* One that was interrupted in the middle of something may be slow to hear it; when its home is
 * gone, it ends as well. */
static void
stop_agent (Signing *self)
{
  g_autoptr(GSubprocess) process = NULL;
  guint deadline;

  process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_SILENCE,
                              NULL, "gpgconf", "--homedir", self->home, "--kill", "all", NULL);
  if (process == NULL)
    return;
  deadline = g_timeout_add_seconds (STOP_SECONDS, give_up_cb, process);
  g_subprocess_wait_async (process, NULL, cli_done_cb, self->cli);
  g_subprocess_wait_finish (process, cli_wait (self->cli), NULL);
  g_source_remove (deadline);
}

/* gpg has left a process behind that keeps the key; both go with the home. */
static void
signing_clear (Signing *self)
{
  if (self->home != NULL)
    {
      stop_agent (self);
      remove_tree (self->home);
    }
  g_free (self->home);
  g_free (self->passphrase);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Signing, signing_clear)

static gboolean
run_sign (Cli     *cli,
          char   **arguments,
          GError **error)
{
  g_auto(Signing) signing = { .cli = cli };

  if (!cli_expect_no_arguments (arguments, error))
    return FALSE;
  if (option_directory == NULL)
    return cli_usage_error (error, _("directory must be specified: -d DIR"));
  if (option_key == NULL)
    return cli_usage_error (error, _("keyfile must be specified: -k KEYFILE"));
  if (!read_passphrase (&signing, error))
    return FALSE;
  signing.home = g_dir_make_tmp ("welkin-gpg-XXXXXX", error);
  return signing.home != NULL && sign_all (&signing, error);
}

const CliCommand cli_command_metadata_sign = {
  .name = "metadata sign",
  .usage = "",
  .summary = N_("Sign metadata"),
  .description = N_("Makes a signed file (.sjson) beside each file of metadata (.json) in a "
                    "directory and those below it, by gpg, with a key that is given in a file."),
  .options = options,
  .run = run_sign,
};
