/* SPDX-License-Identifier: LGPL-2.1-or-later */

/*
 * The agent as it is uploaded: with its libraries, so that it runs where there are none.
 */

#include "config.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "agent-fixture.h"
#include "environments/welkin-file-storage.h"
#include "machine/welkin-series.h"
#include "metadata/tools-bundle.h"
#include "metadata/tools-upload.h"
#include "result.h"
#include "values/welkin-error.h"

typedef struct
{
  AgentFixture  agent;
  char         *directory; /* (owned) that is packed */
  GAsyncResult *result;    /* (owned) (nullable) */
} Fixture;

/* (transfer full) what it printed */
static char *
run (const char *const *arguments)
{
  g_autoptr(GSubprocess) child = NULL;
  g_autoptr(GError) error = NULL;
  char *output = NULL;

  child = g_subprocess_newv (arguments, G_SUBPROCESS_FLAGS_STDOUT_PIPE |
                                        G_SUBPROCESS_FLAGS_STDERR_MERGE, &error);
  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (child, NULL, NULL, &output, NULL, &error);
  g_assert_no_error (error);
  if (!g_subprocess_get_successful (child))
    g_test_message ("%s: %s", arguments[0], output);
  g_assert_true (g_subprocess_get_successful (child));
  return output;
}

static void
copy (const char *from,
      const char *to)
{
  const char *const arguments[] = { "cp", "-L", from, to, NULL };
  g_autofree char *output = run (arguments);

  g_assert_cmpstr (output, ==, "");
}

static void
set_up (Fixture      *fixture,
        gconstpointer data)
{
  agent_prepare (&fixture->agent, "5");
  fixture->directory = home_get_path (fixture->agent.home, "installed");
  g_assert_cmpint (g_mkdir (fixture->directory, 0700), ==, 0);
  copy (g_getenv ("WELKIN_TEST_AGENT"), fixture->directory);
}

static void
tear_down (Fixture      *fixture,
           gconstpointer data)
{
  g_clear_object (&fixture->result);
  g_free (fixture->directory);
  agent_tear_down (&fixture->agent, data);
}

static GAsyncResult *
wait_for (Fixture *fixture)
{
  g_clear_object (&fixture->result);
  return result_wait (&fixture->result);
}

/* version: nullable */
static WelkinToolsBundle *
bundle_as (Fixture    *fixture,
           const char *version,
           GError    **error)
{
  welkin_tools_bundle_async (fixture->directory, version, fixture->agent.home->surroundings, NULL,
                             result_cb, &fixture->result);
  return welkin_tools_bundle_finish (wait_for (fixture), error);
}

static WelkinToolsBundle *
bundle (Fixture *fixture,
        GError **error)
{
  return bundle_as (fixture, NULL, error);
}

/* Makes the home a root with the C library of this machine, and nothing else. */
static void
make_root (Fixture *fixture)
{
  static const char script[] =
    "ldd \"$2\" | grep -oE '/[^ ]*/(ld-linux[^ ]*|lib(c|m|resolv|pthread|dl|rt)\\.so\\.[0-9]+)' |\n"
    "while read -r file; do mkdir -p \"$1${file%/*}\"; cp -L \"$file\" \"$1$file\"; done\n";
  const char *const arguments[] = { "sh", "-ec", script, "sh", fixture->agent.home->path,
                                    g_getenv ("WELKIN_TEST_AGENT"), NULL };
  g_autofree char *output = run (arguments);

  g_assert_cmpstr (output, ==, "");
}

/* As a machine does it. */
static void
unpack (Fixture           *fixture,
        WelkinToolsBundle *made)
{
  g_autofree char *directory = home_get_path (fixture->agent.home, "tools");
  const char *const arguments[] = { "tar", "-xzf", made->path, "--no-same-owner", "-C", directory,
                                    NULL };
  g_autofree char *output = NULL;

  g_assert_cmpint (g_mkdir (directory, 0700), ==, 0);
  output = run (arguments);
  g_assert_cmpstr (output, ==, "");
}

/* Whether somebody may have another root here. */
static gboolean
may_change_root (void)
{
  int status = -1;

  return g_spawn_command_line_sync ("unshare -rm true", NULL, NULL, &status, NULL) && status == 0;
}

/* The linker learns from /proc where the agent is. */
static void
test_elsewhere (Fixture      *fixture,
                gconstpointer data)
{
  static const char script[] = "mkdir -p \"$0/proc\"\n"
                               "mount --rbind /proc \"$0/proc\"\n"
                               "exec chroot \"$0\" /tools/welkin-agent \"$@\"\n";
  const char *const begin[] = { "unshare", "-rm", "sh", "-ec", script, fixture->agent.home->path,
                                NULL };
  const char *const ask[] = { "unshare", "-rm", "sh", "-ec", script, fixture->agent.home->path,
                              "version", NULL };
  g_autoptr(WelkinToolsBundle) made = NULL;
  g_autofree char *version = NULL;
  g_autoptr(GError) error = NULL;

  made = bundle (fixture, &error);
  g_assert_no_error (error);
  g_assert_true (made->has_libraries);
  make_root (fixture);
  unpack (fixture, made);
  version = run (ask);
  g_assert_true (g_str_has_prefix (version, PACKAGE_VERSION "-"));

  g_setenv ("GIO_MODULE_DIR", "/tools/gio-modules", TRUE);
  fixture->agent.agent = agent_spawn (&fixture->agent, begin, "/", "0");
  g_unsetenv ("GIO_MODULE_DIR");
  agent_wait_for_health (&fixture->agent);
  agent_wait_for_machine (&fixture->agent, "/v1/machines/0");
}

/* (transfer full) the names in an archive, one a line */
static char *
list (WelkinToolsBundle *made)
{
  const char *const arguments[] = { "tar", "-tzf", made->path, NULL };

  return run (arguments);
}

/* Whoever puts a library beside the agent wants that one. */
static void
test_own_libraries (Fixture      *fixture,
                    gconstpointer data)
{
  static const char *const names[] = { "libyajl.so.2", "libgio-2.0.so.0" };
  g_autofree char *modules = g_build_filename (fixture->directory, "gio-modules", NULL);
  g_autoptr(WelkinToolsBundle) first = bundle (fixture, NULL);
  g_autoptr(WelkinToolsBundle) second = NULL;
  g_autofree char *all = list (first);
  g_autofree char *again = NULL;
  g_autoptr(GError) error = NULL;

  g_assert_nonnull (strstr (all, "\nlibsoup-3.0.so.0\n"));
  g_assert_nonnull (strstr (all, "gio-modules/libgiognutls.so\n"));
  g_assert_null (strstr (all, "libc.so"));
  g_assert_null (strstr (all, "ld-linux"));

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (first->directory, "agent", names[i], NULL);

      copy (path, fixture->directory);
    }
  g_assert_cmpint (g_mkdir (modules, 0700), ==, 0);
  second = bundle (fixture, &error);
  g_assert_no_error (error);
  again = list (second);
  g_assert_null (strstr (again, "libgiognutls.so"));
  g_assert_nonnull (strstr (again, "\nlibyajl.so.2\n"));
  g_assert_cmpuint (strlen (again), ==, strlen (all) - strlen ("gio-modules/libgiognutls.so\n"));
}

static void
replace_agent (Fixture    *fixture,
               const char *text,
               gssize      length)
{
  g_autofree char *path = g_build_filename (fixture->directory, "welkin-agent", NULL);

  g_assert_true (g_file_set_contents_full (path, text, length, G_FILE_SET_CONTENTS_CONSISTENT, 0700,
                                           NULL));
}

/* Not even this machine has it. */
static void
test_missing_library (Fixture      *fixture,
                      gconstpointer data)
{
  g_autofree char *text = NULL;
  g_autoptr(WelkinToolsBundle) made = NULL;
  g_autoptr(GError) error = NULL;
  gsize length;
  char *name;

  g_assert_true (g_file_get_contents (g_getenv ("WELKIN_TEST_AGENT"), &text, &length, NULL));
  name = memmem (text, length, "libyajl.so.2", strlen ("libyajl.so.2"));
  g_assert_nonnull (name);
  memcpy (name, "libyajX", strlen ("libyajX"));
  replace_agent (fixture, text, (gssize) length);
  made = bundle_as (fixture, "1.2.3-noble-amd64", &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "needs the library \"libyajX.so.2\""));
}

/* What is no program of this machine may be one of another. */
static void
test_foreign_program (Fixture      *fixture,
                      gconstpointer data)
{
  g_autoptr(WelkinToolsBundle) made = NULL;
  g_autofree char *names = NULL;
  g_autoptr(GError) error = NULL;

  replace_agent (fixture, "\177ELF, but of nobody here", -1);
  made = bundle_as (fixture, "1.2.3-noble-arm64", &error);
  g_assert_no_error (error);
  g_assert_false (made->has_libraries);
  names = list (made);
  g_assert_cmpstr (names, ==, "FORCE-VERSION\nwelkin-agent\n");
}

static void
test_older_release (Fixture      *fixture,
                    gconstpointer data)
{
  static const char *const first_ones[] = { "wheezy", "precise", NULL };
  g_autofree char *host = g_get_os_info (G_OS_INFO_KEY_VERSION_CODENAME);
  g_autoptr(WelkinStorage) storage = NULL;
  g_autofree char *number = NULL;
  g_autoptr(GError) error = NULL;

  if (host == NULL || !welkin_series_lookup (host, NULL, NULL, NULL))
    {
      g_test_skip ("this machine's release is unknown");
      return;
    }
  storage = welkin_file_storage_new_private (fixture->agent.home->path);
  welkin_tools_upload_async (storage, NULL, fixture->directory, NULL, first_ones, NULL, NULL,
                             result_cb, &fixture->result);
  number = welkin_tools_upload_finish (storage, wait_for (fixture), &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED);
  g_assert_nonnull (strstr (error->message, "and does not run on"));
  g_assert_null (number);
}

static void
add (const char *path,
     void      (*test) (Fixture      *fixture,
                        gconstpointer data))
{
  g_test_add (path, Fixture, NULL, set_up, test, tear_down);
}

int
main (int   argc,
      char *argv[])
{
  signal (SIGPIPE, SIG_IGN);
  g_test_init (&argc, &argv, NULL);

  if (may_change_root ())
    add ("/agent-bundle/serves-where-there-is-only-the-c-library", test_elsewhere);
  add ("/agent-bundle/has-what-lies-beside-the-agent-instead", test_own_libraries);
  add ("/agent-bundle/is-not-made-without-a-library", test_missing_library);
  add ("/agent-bundle/has-no-libraries-for-a-program-of-another-machine", test_foreign_program);
  add ("/agent-bundle/is-not-uploaded-for-an-older-release", test_older_release);

  return g_test_run ();
}
