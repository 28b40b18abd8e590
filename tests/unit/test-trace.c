/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <welkin.h>

typedef struct
{
  char *directory; /* (owned) */
  char *path;      /* (owned) */
} Fixture;

static void
set_up (Fixture      *fixture,
        gconstpointer data)
{
  fixture->directory = g_dir_make_tmp ("welkin-trace-XXXXXX", NULL);
  fixture->path = g_build_filename (fixture->directory, "trace.har", NULL);
}

static void
tear_down (Fixture      *fixture,
           gconstpointer data)
{
  g_unlink (fixture->path);
  g_assert_cmpint (g_rmdir (fixture->directory), ==, 0);
  g_free (fixture->directory);
  g_free (fixture->path);
}

static WelkinTrace *
open_trace (Fixture *fixture)
{
  g_autoptr(GError) error = NULL;
  WelkinTrace *trace = welkin_trace_new_for_file (fixture->path, &error);

  g_assert_no_error (error);
  return trace;
}

static void
assert_refused (Fixture    *fixture,
                GQuark      domain,
                int         code,
                const char *words)
{
  g_autoptr(GError) error = NULL;

  g_assert_null (welkin_trace_new_for_file (fixture->path, &error));
  g_assert_error (error, domain, code);
  g_assert_nonnull (strstr (error->message, fixture->path));
  g_assert_nonnull (strstr (error->message, words));
}

/* The text between the first bracket and the last one. */
static void
assert_entries (Fixture    *fixture,
                const char *expected)
{
  g_autofree char *text = NULL;
  char *end;

  g_assert_true (g_file_get_contents (fixture->path, &text, NULL, NULL));
  g_assert_true (g_str_has_prefix (text, "{\"log\":{\"version\":\"1.2\",\"creator\":{"));
  g_assert_true (g_str_has_suffix (text, "\n]}}\n"));
  end = strrchr (text, ']');
  *end = '\0';
  g_assert_cmpstr (strchr (text, '[') + 1, ==, expected);
}

static void
test_file_is_whole_at_every_moment (Fixture      *fixture,
                                    gconstpointer data)
{
  g_autoptr(WelkinTrace) trace = open_trace (fixture);
  g_autoptr(GError) error = NULL;

  assert_entries (fixture, "\n");
  welkin_trace_add_entry (trace, "{\"a\":1}");
  assert_entries (fixture, "\n{\"a\":1}\n");
  welkin_trace_add_entry (trace, "{\"b\":2}");
  assert_entries (fixture, "\n{\"a\":1},\n{\"b\":2}\n");

  g_assert_true (welkin_trace_close (trace, &error));
  g_assert_no_error (error);
  welkin_trace_add_entry (trace, "{\"late\":3}");
  g_assert_true (welkin_trace_close (trace, &error));
  assert_entries (fixture, "\n{\"a\":1},\n{\"b\":2}\n");
}

static void
test_trace_goes_on (Fixture      *fixture,
                    gconstpointer data)
{
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr(WelkinTrace) trace = open_trace (fixture);

      /* The first run asks nothing. */
      if (i > 0)
        welkin_trace_add_entry (trace, "{}");
    }
  assert_entries (fixture, "\n{},\n{}\n");
}

static void
test_file_is_its_owner_s (Fixture      *fixture,
                          gconstpointer data)
{
  GStatBuf status;

  g_assert_true (g_file_set_contents (fixture->path, "", 0, NULL));
  g_assert_cmpint (g_chmod (fixture->path, 0644), ==, 0);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr(WelkinTrace) trace = open_trace (fixture);

      g_assert_cmpint (g_stat (fixture->path, &status), ==, 0);
      g_assert_cmpuint (status.st_mode & 07777, ==, 0600);
      g_unlink (fixture->path);
    }
}

static void
test_other_files_are_left_alone (Fixture      *fixture,
                                 gconstpointer data)
{
  static const char *const texts[] = {
    "x", "precious text, and rather more of it", "\n]}}\n", "{\"log\":{\"entries\":[",
    "{\"logs\":[\n]}}\n",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *text = NULL;

      g_assert_true (g_file_set_contents (fixture->path, texts[i], -1, NULL));
      assert_refused (fixture, WELKIN_ERROR, WELKIN_ERROR_ALREADY_EXISTS, "something else");
      g_assert_true (g_file_get_contents (fixture->path, &text, NULL, NULL));
      g_assert_cmpstr (text, ==, texts[i]);
    }
}

static void
test_only_ordinary_files_are_taken (Fixture      *fixture,
                                    gconstpointer data)
{
  g_autofree char *target = g_build_filename (fixture->directory, "target", NULL);

  g_assert_cmpint (symlink (target, fixture->path), ==, 0);
  assert_refused (fixture, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT, "a symbolic link");
  g_assert_false (g_file_test (target, G_FILE_TEST_EXISTS));
  g_unlink (fixture->path);

  g_assert_cmpint (mkfifo (fixture->path, 0600), ==, 0);
  assert_refused (fixture, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT, "not an ordinary file");
  g_unlink (fixture->path);

  g_assert_cmpint (g_mkdir (fixture->path, 0700), ==, 0);
  assert_refused (fixture, G_IO_ERROR, G_IO_ERROR_IS_DIRECTORY, "");
  g_rmdir (fixture->path);
}

static void
test_one_writes_at_a_time (Fixture      *fixture,
                           gconstpointer data)
{
  g_autoptr(WelkinTrace) trace = open_trace (fixture);

  assert_refused (fixture, WELKIN_ERROR, WELKIN_ERROR_IN_USE, "somebody else");
  welkin_trace_close (trace, NULL);
  {
    g_autoptr(WelkinTrace) second = open_trace (fixture);

    g_assert_nonnull (second);
  }
}

static gpointer
add_entries_thread (gpointer trace)
{
  for (guint i = 0; i < 100; i++)
    welkin_trace_add_entry (trace, "{}");
  return NULL;
}

static void
test_threads_may_share_it (Fixture      *fixture,
                           gconstpointer data)
{
  g_autoptr(WelkinTrace) trace = open_trace (fixture);
  GThread *threads[4];
  g_auto(GStrv) lines = NULL;
  g_autofree char *text = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("trace", add_entries_thread, trace);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  g_assert_true (g_file_get_contents (fixture->path, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 400 + 3);
  for (guint i = 1; i <= 400; i++)
    g_assert_cmpstr (lines[i], ==, i < 400 ? "{}," : "{}");
}

static void
test_full_disk_is_told_at_the_end (Fixture      *fixture,
                                   gconstpointer data)
{
  g_autoptr(WelkinTrace) trace = open_trace (fixture);
  g_autofree char *entry = g_strnfill (100000, ' ');
  struct rlimit limit;
  struct rlimit small;
  g_autoptr(GError) error = NULL;

  welkin_trace_add_entry (trace, "{}");
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  signal (SIGXFSZ, SIG_IGN);
  small = limit;
  small.rlim_cur = 4096;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &small), ==, 0);
  welkin_trace_add_entry (trace, entry);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  g_assert_false (welkin_trace_close (trace, &error));
  g_assert_nonnull (strstr (error->message, "Cannot write the trace"));
  g_assert_nonnull (strstr (error->message, "File too large"));
  assert_entries (fixture, "\n{}\n");
}

static void
test_surroundings_carry_it (Fixture      *fixture,
                            gconstpointer data)
{
  static const char *const variables[] = { "NAME=value", NULL };
  g_autoptr(WelkinTrace) trace = open_trace (fixture);
  g_autoptr(WelkinSurroundings) plain = welkin_surroundings_new (variables, "/");
  g_autoptr(WelkinSurroundings) traced = welkin_surroundings_with_trace (plain, trace);
  g_autoptr(WelkinSurroundings) without = welkin_surroundings_with_trace (traced, NULL);

  g_assert_null (welkin_surroundings_get_trace (plain));
  g_assert_true (welkin_surroundings_get_trace (traced) == trace);
  g_assert_null (welkin_surroundings_get_trace (without));
  g_assert_cmpstr (welkin_surroundings_get_variable (traced, "NAME"), ==, "value");
  g_assert_cmpstr (welkin_surroundings_get_working_directory (traced), ==, "/");
}

static void
add (const char *path,
     void      (*test) (Fixture *, gconstpointer))
{
  g_test_add (path, Fixture, NULL, set_up, test, tear_down);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  add ("/trace/file-is-whole-at-every-moment", test_file_is_whole_at_every_moment);
  add ("/trace/goes-on-with-a-trace", test_trace_goes_on);
  add ("/trace/file-is-its-owner-s", test_file_is_its_owner_s);
  add ("/trace/other-files-are-left-alone", test_other_files_are_left_alone);
  add ("/trace/only-ordinary-files-are-taken", test_only_ordinary_files_are_taken);
  add ("/trace/one-writes-at-a-time", test_one_writes_at_a_time);
  add ("/trace/threads-may-share-it", test_threads_may_share_it);
  add ("/trace/full-disk-is-told-at-the-end", test_full_disk_is_told_at_the_end);
  add ("/trace/surroundings-carry-it", test_surroundings_carry_it);

  return g_test_run ();
}
