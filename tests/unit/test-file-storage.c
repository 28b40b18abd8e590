/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <welkin.h>

#include "result.h"

/* A directory of this machine as a storage. */

typedef struct
{
  char          *directory; /* (owned) */
  WelkinStorage *storage;   /* (owned) private, below it */
  char          *root;      /* (owned) */
  GAsyncResult  *result;    /* (owned) (nullable) */
} Fixture;

static void
set_up (Fixture      *fixture,
        gconstpointer data)
{
  fixture->directory = g_dir_make_tmp ("welkin-test-XXXXXX", NULL);
  g_assert_nonnull (fixture->directory);
  fixture->root = g_build_filename (fixture->directory, "e", "storage", NULL);
  fixture->storage = welkin_file_storage_new_private (fixture->root);
}

static void
tear_down (Fixture      *fixture,
           gconstpointer data)
{
  g_autofree char *command = g_strconcat ("rm -rf ", fixture->directory, NULL);

  g_clear_object (&fixture->result);
  g_clear_object (&fixture->storage);
  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL));
  g_free (fixture->root);
  g_free (fixture->directory);
}

static GAsyncResult *
wait_for (Fixture *fixture)
{
  g_clear_object (&fixture->result);
  return result_wait (&fixture->result);
}

static gboolean
save (Fixture           *fixture,
      const char        *name,
      const char        *text,
      WelkinStorageFlags flags,
      GError           **error)
{
  g_autoptr(GBytes) bytes = g_bytes_new (text, strlen (text));

  welkin_storage_save_async (fixture->storage, name, bytes, flags, NULL, result_cb,
                             &fixture->result);
  return welkin_storage_save_finish (fixture->storage, wait_for (fixture), error);
}

static void
save_well (Fixture    *fixture,
           const char *name,
           const char *text)
{
  g_autoptr(GError) error = NULL;

  save (fixture, name, text, 0, &error);
  g_assert_no_error (error);
}

static GBytes *
load (Fixture    *fixture,
      const char *name,
      GError    **error)
{
  welkin_storage_load_async (fixture->storage, name, 0, NULL, result_cb, &fixture->result);
  return welkin_storage_load_finish (fixture->storage, wait_for (fixture), error);
}

static void
assert_contents (Fixture    *fixture,
                 const char *name,
                 const char *text)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GBytes) bytes = load (fixture, name, &error);

  g_assert_no_error (error);
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), text, strlen (text));
}

static void
assert_names (Fixture    *fixture,
              const char *prefix,
              const char *expected)
{
  g_autoptr(GError) error = NULL;
  g_auto(GStrv) names = NULL;
  g_autofree char *joined = NULL;

  welkin_storage_list_async (fixture->storage, prefix, NULL, result_cb, &fixture->result);
  names = welkin_storage_list_finish (fixture->storage, wait_for (fixture), &error);
  g_assert_no_error (error);
  joined = g_strjoinv ("|", names);
  g_assert_cmpstr (joined, ==, expected);
}

static void
remove_well (Fixture    *fixture,
             const char *name)
{
  g_autoptr(GError) error = NULL;

  welkin_storage_remove_async (fixture->storage, name, NULL, result_cb, &fixture->result);
  welkin_storage_remove_finish (fixture->storage, wait_for (fixture), &error);
  g_assert_no_error (error);
}

static guint
get_mode (Fixture    *fixture,
          const char *name)
{
  g_autofree char *path = g_build_filename (fixture->root, name, NULL);
  struct stat status;

  g_assert_cmpint (g_stat (path, &status), ==, 0);
  return status.st_mode & 0777;
}

/* What is in the directory for files that are being written. */
static guint
count_temporary (Fixture *fixture)
{
  g_autofree char *path = g_build_filename (fixture->root, ".tmp", NULL);
  g_autoptr(GDir) entries = g_dir_open (path, 0, NULL);
  guint n = 0;

  while (entries != NULL && g_dir_read_name (entries) != NULL)
    n++;
  return n;
}

static void
test_files_from_first_to_last (Fixture      *fixture,
                               gconstpointer data)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GBytes) none = NULL;

  assert_names (fixture, "", "");
  remove_well (fixture, "x");
  save_well (fixture, "tools/b", "two");
  save_well (fixture, "tools/a", "one");
  save_well (fixture, "provider-state", "");
  assert_contents (fixture, "tools/a", "one");
  assert_contents (fixture, "provider-state", "");
  save_well (fixture, "tools/a", "three");
  assert_contents (fixture, "tools/a", "three");
  assert_names (fixture, "tools/", "tools/a|tools/b");
  assert_names (fixture, "too", "tools/a|tools/b");
  assert_names (fixture, "", "provider-state|tools/a|tools/b");

  remove_well (fixture, "tools/a");
  remove_well (fixture, "tools/a");
  none = load (fixture, "tools/a", &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND);
  g_clear_error (&error);
  none = load (fixture, "tools", &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND);
  g_clear_error (&error);
  none = load (fixture, "provider-state/x", &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND);
  g_clear_error (&error);

  welkin_storage_remove_all_async (fixture->storage, NULL, result_cb, &fixture->result);
  welkin_storage_remove_all_finish (fixture->storage, wait_for (fixture), &error);
  g_assert_no_error (error);
  g_assert_false (g_file_test (fixture->root, G_FILE_TEST_EXISTS));
  assert_names (fixture, "", "");
}

static void
test_files_are_for_their_owner_alone (Fixture      *fixture,
                                      gconstpointer data)
{
  mode_t umask_before = umask (0);

  save_well (fixture, "tools/a", "x");
  umask (umask_before);
  g_assert_cmphex (get_mode (fixture, ""), ==, 0700);
  g_assert_cmphex (get_mode (fixture, "tools"), ==, 0700);
  g_assert_cmphex (get_mode (fixture, "tools/a"), ==, 0600);
  g_assert_cmphex (get_mode (fixture, ".tmp"), ==, 0700);
  g_assert_cmpuint (count_temporary (fixture), ==, 0);
}

static void
test_impossible_names_are_refused (Fixture      *fixture,
                                   gconstpointer data)
{
  g_autofree char *long_name = g_strnfill (1025, 'x');
  const char *names[] = {
    "", "/", "/etc/passwd", "..", "../x", "a/../../x", "a/..", "a//b", "a/", ".", "./a", "a/./b",
    ".tmp", ".tmp/x", ".tmpfile", "\xff", long_name,
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr(GError) error = NULL;
      g_autoptr(GBytes) bytes = NULL;

      g_assert_false (save (fixture, names[i], "x", 0, &error));
      g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT);
      g_clear_error (&error);
      bytes = load (fixture, names[i], &error);
      g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT);
      g_clear_error (&error);
      welkin_storage_remove_async (fixture->storage, names[i], NULL, result_cb, &fixture->result);
      g_assert_false (
        welkin_storage_remove_finish (fixture->storage, wait_for (fixture), &error));
      g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT);
    }
  g_assert_false (g_file_test (fixture->root, G_FILE_TEST_EXISTS));
}

static void
test_odd_names_are_kept (Fixture      *fixture,
                         gconstpointer data)
{
  static const char *const names[] = {
    "...", "..a", ".hidden", "100%", "a b", "a\nb", "a\\b", "my%20file.txt", "-rf", "~", "ü/é",
  };
  g_autofree char *joined = g_strjoinv ("|", (char **) (const char *const[]) {
    "-rf", "...", "..a", ".hidden", "100%", "a\nb", "a b", "a\\b", "my%20file.txt", "~", "ü/é",
    NULL });

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    save_well (fixture, names[i], names[i]);
  assert_names (fixture, "", joined);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    assert_contents (fixture, names[i], names[i]);
}

static void
test_links_lead_nowhere (Fixture      *fixture,
                         gconstpointer data)
{
  g_autofree char *link = g_build_filename (fixture->root, "link", NULL);
  g_autofree char *outside = g_build_filename (fixture->directory, "outside", NULL);
  g_autofree char *file = g_build_filename (outside, "file", NULL);
  g_autoptr(GError) error = NULL;

  save_well (fixture, "a", "x");
  g_assert_cmpint (g_mkdir (outside, 0700), ==, 0);
  g_assert_true (g_file_set_contents (file, "theirs", -1, NULL));
  g_assert_cmpint (symlink (outside, link), ==, 0);
  assert_names (fixture, "", "a");
  welkin_storage_remove_all_async (fixture->storage, NULL, result_cb, &fixture->result);
  welkin_storage_remove_all_finish (fixture->storage, wait_for (fixture), &error);
  g_assert_no_error (error);
  g_assert_true (g_file_test (file, G_FILE_TEST_EXISTS));
}

static void
test_taken_name_is_not_replaced (Fixture      *fixture,
                                 gconstpointer data)
{
  g_autoptr(GError) error = NULL;

  save (fixture, "state", "mine", WELKIN_STORAGE_NO_REPLACE, &error);
  g_assert_no_error (error);
  g_assert_false (save (fixture, "state", "theirs", WELKIN_STORAGE_NO_REPLACE, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_ALREADY_EXISTS);
  assert_contents (fixture, "state", "mine");
  g_assert_cmpuint (count_temporary (fixture), ==, 0);
}

static void
test_short_stream_stores_nothing (Fixture      *fixture,
                                  gconstpointer data)
{
  g_autoptr(GInputStream) stream = g_memory_input_stream_new_from_data ("short", 5, NULL);
  g_autoptr(GError) error = NULL;

  save_well (fixture, "x", "before");
  welkin_storage_put_async (fixture->storage, "x", stream, 50, 0, NULL, result_cb,
                            &fixture->result);
  g_assert_false (welkin_storage_put_finish (fixture->storage, wait_for (fixture), &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT);
  assert_contents (fixture, "x", "before");
  g_assert_cmpuint (count_temporary (fixture), ==, 0);
}

static void
test_no_more_is_read_than_is_put (Fixture      *fixture,
                                  gconstpointer data)
{
  g_autoptr(GInputStream) stream = g_memory_input_stream_new_from_data ("onetwo", 6, NULL);
  g_autoptr(GError) error = NULL;

  welkin_storage_put_async (fixture->storage, "x", stream, 3, 0, NULL, result_cb, &fixture->result);
  welkin_storage_put_finish (fixture->storage, wait_for (fixture), &error);
  g_assert_no_error (error);
  assert_contents (fixture, "x", "one");
  g_assert_cmpint (g_seekable_tell (G_SEEKABLE (stream)), ==, 3);
}

/* Whether a file can be there without a name, of which nothing is left by a kill. */
static gboolean
keeps_unnamed (Fixture *fixture)
{
  int fd = g_open (fixture->root, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);

  return fd >= 0 && close (fd) == 0;
}

static void
test_cancelled_put_leaves_nothing (Fixture      *fixture,
                                   gconstpointer data)
{
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autofree char *text = g_strnfill (4 << 20, 'x');
  g_autoptr(GInputStream) stream =
    g_memory_input_stream_new_from_data (g_steal_pointer (&text), 4 << 20, g_free);
  g_autoptr(GError) error = NULL;

  save_well (fixture, "x", "before");
  g_clear_object (&fixture->result);
  welkin_storage_put_async (fixture->storage, "x", stream, 4 << 20, 0, cancellable, result_cb,
                            &fixture->result);
  while (fixture->result == NULL && g_seekable_tell (G_SEEKABLE (stream)) < 1 << 20)
    g_main_context_iteration (NULL, TRUE);
  if (keeps_unnamed (fixture))
    g_assert_cmpuint (count_temporary (fixture), ==, 0);
  g_cancellable_cancel (cancellable);
  g_assert_null (fixture->result);
  g_assert_false (welkin_storage_put_finish (fixture->storage, wait_for (fixture), &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  assert_contents (fixture, "x", "before");
  g_assert_cmpuint (count_temporary (fixture), ==, 0);
}

static void
test_full_disk_is_one_error (Fixture      *fixture,
                             gconstpointer data)
{
  const struct rlimit small = { 1 << 20, RLIM_INFINITY };
  struct rlimit before;
  g_autofree char *text = g_strnfill (3 << 20, 'x');
  g_autoptr(GError) error = NULL;

  save_well (fixture, "x", "before");
  signal (SIGXFSZ, SIG_IGN);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &before), ==, 0);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &(struct rlimit) { small.rlim_cur, before.rlim_max }),
                   ==, 0);
  g_assert_false (save (fixture, "x", text, 0, &error));
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &before), ==, 0);
  g_assert_nonnull (strstr (error->message, fixture->root));
  g_assert_nonnull (strstr (error->message, "File too large"));
  assert_contents (fixture, "x", "before");
  g_assert_cmpuint (count_temporary (fixture), ==, 0);
}

static void
test_private_files_have_no_uri (Fixture      *fixture,
                                gconstpointer data)
{
  g_autofree char *uri = NULL;
  g_autoptr(GError) error = NULL;

  welkin_storage_get_uri_async (fixture->storage, "x", NULL, result_cb, &fixture->result);
  uri = welkin_storage_get_uri_finish (fixture->storage, wait_for (fixture), NULL, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED);
}

static void
test_directory_that_is_there (Fixture      *fixture,
                              gconstpointer data)
{
  mode_t umask_before = umask (022);
  g_autofree char *uri = NULL;
  g_autofree char *expected = NULL;
  g_autoptr(GError) error = NULL;

  g_clear_object (&fixture->storage);
  fixture->storage = welkin_file_storage_new (fixture->root, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, fixture->root));
  g_assert_nonnull (strstr (error->message, "not a directory"));
  g_clear_error (&error);

  g_assert_cmpint (g_mkdir_with_parents (fixture->root, 0755), ==, 0);
  fixture->storage = welkin_file_storage_new (fixture->root, &error);
  g_assert_no_error (error);
  save_well (fixture, "tools/a b", "x");
  umask (umask_before);
  g_assert_cmphex (get_mode (fixture, "tools"), ==, 0755);
  g_assert_cmphex (get_mode (fixture, "tools/a b"), ==, 0644);

  welkin_storage_get_uri_async (fixture->storage, "tools/a b", NULL, result_cb, &fixture->result);
  uri = welkin_storage_get_uri_finish (fixture->storage, wait_for (fixture), NULL, &error);
  g_assert_no_error (error);
  expected = g_strconcat ("file://", fixture->root, "/tools/a%20b", NULL);
  g_assert_cmpstr (uri, ==, expected);

  /* It is not ours to remove. */
  welkin_storage_remove_all_async (fixture->storage, NULL, result_cb, &fixture->result);
  g_assert_false (welkin_storage_remove_all_finish (fixture->storage, wait_for (fixture), &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED);
  assert_contents (fixture, "tools/a b", "x");
}

static void
test_directory_that_cannot_be_written (Fixture      *fixture,
                                       gconstpointer data)
{
  g_autofree char *parent = g_path_get_dirname (fixture->root);
  g_autoptr(GError) error = NULL;

  /* Something else is where the directory would be. */
  g_assert_true (g_file_set_contents (parent, "x", -1, NULL));
  g_assert_false (save (fixture, "x", "y", 0, &error));
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, fixture->root));
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

  add ("/file-storage/files-from-first-to-last", test_files_from_first_to_last);
  add ("/file-storage/for-their-owner-alone", test_files_are_for_their_owner_alone);
  add ("/file-storage/impossible-names-are-refused", test_impossible_names_are_refused);
  add ("/file-storage/odd-names-are-kept", test_odd_names_are_kept);
  add ("/file-storage/links-lead-nowhere", test_links_lead_nowhere);
  add ("/file-storage/taken-name-is-not-replaced", test_taken_name_is_not_replaced);
  add ("/file-storage/short-stream-stores-nothing", test_short_stream_stores_nothing);
  add ("/file-storage/no-more-is-read-than-is-put", test_no_more_is_read_than_is_put);
  add ("/file-storage/cancelled-leaves-nothing", test_cancelled_put_leaves_nothing);
  add ("/file-storage/full-disk", test_full_disk_is_one_error);
  add ("/file-storage/private-have-no-uri", test_private_files_have_no_uri);
  add ("/file-storage/directory-that-is-there", test_directory_that_is_there);
  add ("/file-storage/cannot-be-written", test_directory_that_cannot_be_written);

  return g_test_run ();
}
