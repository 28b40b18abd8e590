/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "environments/info-edit.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "home.h"
#include "result.h"
#include "values/welkin-error.h"

#define DIRECTORY ".local/share/welkin/environments"
#define FILE_E1 DIRECTORY "/e1.yaml"
#define N_EDITS 50
#define N_TURNS 1000

static WelkinValue *
text_value (const char *text)
{
  return welkin_value_new_text (text, TRUE, NULL);
}

static void
set_text (WelkinInfo *info,
          const char *key,
          const char *text)
{
  g_autoptr(WelkinValue) value = text_value (text);

  welkin_info_set (info, key, value);
}

static void
set_machine (WelkinInfo *info,
             const char *id,
             const char *text)
{
  g_autoptr(WelkinValue) value = text_value (text);

  welkin_info_set_entry (info, "machines", id, value);
}

static WelkinInfo *
create (Home *home)
{
  g_autoptr(GError) error = NULL;
  WelkinInfo *info = welkin_info_create (home->surroundings, "e1", &error);

  g_assert_no_error (error);
  return info;
}

static WelkinInfo *
load (Home *home)
{
  g_autoptr(GError) error = NULL;
  WelkinInfo *info = welkin_info_load (home->surroundings, "e1", &error);

  g_assert_no_error (error);
  return info;
}

static void
write_well (WelkinInfo *info)
{
  g_autoptr(GError) error = NULL;

  welkin_info_write (info, &error);
  g_assert_no_error (error);
}

static const char *
lookup_text (WelkinInfo *info,
             const char *key)
{
  WelkinValue *value = welkin_info_lookup (info, key);

  return value != NULL ? welkin_value_get_text (value) : NULL;
}

static void
test_life (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autofree char *path = home_get_path (home, FILE_E1);
  g_autofree char *location = g_strdup_printf ("file \"%s\"", path);
  g_autoptr(WelkinInfo) info = create (home);
  g_autoptr(WelkinInfo) empty = load (home);
  g_autoptr(WelkinInfo) full = NULL;
  g_autoptr(WelkinConfig) config = welkin_config_new ();
  g_autoptr(WelkinConfig) named = welkin_config_with_text (config, "name", "e1", NULL);
  g_autofree char *text = NULL;
  g_autofree char *directory = NULL;
  g_autoptr(GError) error = NULL;

  g_assert_cmphex (home_get_mode (home, DIRECTORY), ==, 0700);
  g_assert_cmphex (home_get_mode (home, FILE_E1), ==, 0600);
  g_assert_cmpstr (welkin_info_get_name (info), ==, "e1");
  g_assert_cmpstr (welkin_info_get_location (info), ==, location);
  g_assert_false (welkin_info_get_initialized (info));
  g_assert_false (welkin_info_get_initialized (empty));
  g_assert_null (welkin_info_get_config (empty));

  welkin_info_set_config (info, named);
  set_text (info, "constraints", "mem=4G");
  g_assert_cmpstr (lookup_text (info, "constraints"), ==, "mem=4G");
  g_assert_false (welkin_info_get_initialized (info));
  write_well (info);
  g_assert_true (welkin_info_get_initialized (info));
  g_assert_cmphex (home_get_mode (home, FILE_E1), ==, 0600);
  text = home_read (home, FILE_E1);
  g_assert_cmpstr (text, ==, "bootstrap-config:\n  name: e1\nconstraints: mem=4G\nformat: 1\n");

  full = load (home);
  g_assert_true (welkin_info_get_initialized (full));
  g_assert_cmpstr (welkin_config_get_name (welkin_info_get_config (full)), ==, "e1");
  g_assert_cmpstr (lookup_text (full, "constraints"), ==, "mem=4G");

  welkin_info_destroy (full, &error);
  g_assert_no_error (error);
  g_assert_false (welkin_info_destroy (full, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND);
  g_assert_true (g_str_has_prefix (error->message, "environment info has already been removed"));
  g_clear_error (&error);

  g_assert_false (welkin_info_write (info, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND);
  g_assert_null (home_read (home, FILE_E1));
  directory = g_path_get_dirname (path);
  g_assert_cmpint (g_rmdir (directory), ==, 0);
}

static void
test_missing (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(GError) error = NULL;

  g_assert_null (welkin_info_load (home->surroundings, "e1", &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "environment \"e1\""));
}

static void
test_exists (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinInfo) info = create (home);
  g_autoptr(GError) error = NULL;

  g_assert_nonnull (info);
  g_assert_null (welkin_info_create (home->surroundings, "e1", &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_ALREADY_EXISTS);
}

static void
test_unsafe_names (void)
{
  g_autoptr(Home) home = home_new (NULL);
  const char *const names[] = { "../x", "a/b", ".", "", "-x" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr(GError) error = NULL;

      g_assert_null (welkin_info_create (home->surroundings, names[i], &error));
      g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG);
      g_clear_error (&error);
      g_assert_null (welkin_info_load (home->surroundings, names[i], &error));
      g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG);
      g_clear_error (&error);
      g_assert_null (welkin_info_lock_environment (home->surroundings, names[i], &error));
      g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG);
    }
}

static void
test_damaged (void)
{
  const struct
  {
    const char *text;
    const char *message;
  } vectors[] = {
    { "user: [\n", ":2: cannot parse: *" },
    { "just text\n", ":1: cannot parse: expected a mapping" },
    { "user: ''\nformat: 2\n", ":2: the format of the file is not known: *" },
    { "format: [1]\n", ":1: the format of the file is not known: *" },
    { "format: 1\nbootstrap-config: none\n", ":2: bootstrap-config: expected map" },
    { "format: 1\nmachines: 7\n", ":2: machines: expected map" },
  };
  g_autoptr(Home) home = home_new (NULL);
  g_autofree char *path = home_get_path (home, FILE_E1);

  for (gsize i = 0; i < G_N_ELEMENTS (vectors); i++)
    {
      g_autoptr(GError) error = NULL;
      g_autofree char *text = NULL;

      home_write (home, FILE_E1, vectors[i].text);
      g_assert_null (welkin_info_load (home->surroundings, "e1", &error));
      g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG);
      g_assert_true (g_str_has_prefix (error->message, path));
      g_assert_true (g_pattern_match_simple (vectors[i].message, error->message + strlen (path)));
      text = home_read (home, FILE_E1);
      g_assert_cmpstr (text, ==, vectors[i].text);
    }
}

static void
test_unknown_keys (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinInfo) info = NULL;
  g_autofree char *text = NULL;

  home_write (home, FILE_E1, "future: {a: [1, '2']}\nuser: u\nmachines: {'0': x}\n");
  info = load (home);
  set_machine (info, "1", "z");
  welkin_info_set (info, "user", NULL);
  write_well (info);
  text = home_read (home, FILE_E1);
  g_assert_cmpstr (text, ==,
                   "format: 1\n"
                   "future:\n"
                   "  a:\n"
                   "  - 1\n"
                   "  - '2'\n"
                   "machines:\n"
                   "  '0': x\n"
                   "  '1': z\n");
}

static void
test_two_editors (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinInfo) first = create (home);
  g_autoptr(WelkinInfo) second = load (home);
  g_autoptr(WelkinInfo) third = NULL;

  set_machine (first, "0", "a");
  set_machine (second, "1", "b");
  set_text (second, "user", "u");
  write_well (first);
  write_well (second);
  welkin_info_set_entry (first, "machines", "0", NULL);
  set_machine (first, "2", "c");
  write_well (first);

  third = load (home);
  g_assert_cmpuint (welkin_value_get_length (welkin_info_lookup (third, "machines")), ==, 2);
  g_assert_null (welkin_value_lookup (welkin_info_lookup (third, "machines"), "0"));
  g_assert_cmpstr (lookup_text (third, "user"), ==, "u");
}

/* The tests below start this program again, to have other processes. */
static GSubprocess *
start_process (Home       *home,
               const char *verb,
               const char *argument)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autoptr(GError) error = NULL;
  GSubprocess *process = NULL;

  process = g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, &error, program, verb, home->path, argument,
                              NULL);
  g_assert_no_error (error);
  return process;
}

/* With others at the same file, over and over, nobody is sure of a turn at once. */
static gboolean
write_in_turn (WelkinInfo *info)
{
  while (TRUE)
    {
      g_autoptr(GError) error = NULL;

      if (welkin_info_write (info, &error))
        return TRUE;
      if (!g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_IN_USE))
        return FALSE;
    }
}

/* Edits the info: machines with ids of their own, N_EDITS times, or one for
 * ever. */
static int
run_edits (Home       *home,
           const char *prefix,
           gboolean    is_endless)
{
  for (guint i = 0; is_endless || i < N_EDITS; i++)
    {
      g_autoptr(WelkinInfo) info = welkin_info_load (home->surroundings, "e1", NULL);
      g_autofree char *id = g_strdup_printf ("%s%u", prefix, i);

      if (info == NULL)
        return 1;
      set_machine (info, is_endless ? prefix : id, id);
      if (!write_in_turn (info))
        return 1;
    }
  return 0;
}

static void
test_many_processes (void)
{
  const char *const prefixes[] = { "a", "b", "c" };
  GSubprocess *processes[G_N_ELEMENTS (prefixes)];
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinInfo) info = create (home);
  g_autoptr(WelkinInfo) after = NULL;

  g_assert_nonnull (info);
  for (gsize i = 0; i < G_N_ELEMENTS (prefixes); i++)
    processes[i] = start_process (home, "edit", prefixes[i]);
  for (gsize i = 0; i < G_N_ELEMENTS (prefixes); i++)
    {
      g_autoptr(GError) error = NULL;

      g_subprocess_wait_check (processes[i], NULL, &error);
      g_assert_no_error (error);
      g_object_unref (processes[i]);
    }

  after = load (home);
  g_assert_cmpuint (welkin_value_get_length (welkin_info_lookup (after, "machines")), ==,
                    G_N_ELEMENTS (prefixes) * N_EDITS);
}

/* Whenever the writer is killed, the file holds one of its states, and the next
 * one can edit. */
static void
test_killed_writer (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinInfo) info = create (home);

  set_text (info, "user", "u");
  write_well (info);
  for (guint i = 0; i < 40; i++)
    {
      g_autoptr(WelkinInfo) after = NULL;
      g_autoptr(GSubprocess) process = start_process (home, "edit-for-ever", "a");

      g_usleep ((gulong) g_test_rand_int_range (5000, 20000));
      g_subprocess_force_exit (process);
      g_assert_true (g_subprocess_wait (process, NULL, NULL));
      g_assert_true (g_subprocess_get_if_signaled (process));

      after = load (home);
      g_assert_cmpstr (lookup_text (after, "user"), ==, "u");
      set_machine (after, "mine", "m");
      write_well (after);
    }
}

static void
test_left_behind (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinInfo) info = create (home);
  g_autoptr(GDir) directory = NULL;
  g_autofree char *path = home_get_path (home, DIRECTORY);
  g_autofree char *text = NULL;

  /* As a crash before the rename leaves it. */
  home_write (home, DIRECTORY "/e1.new", "half of a fi");
  set_text (info, "user", "u");
  write_well (info);
  text = home_read (home, FILE_E1);
  g_assert_cmpstr (text, ==, "format: 1\nuser: u\n");

  directory = g_dir_open (path, 0, NULL);
  g_assert_cmpstr (g_dir_read_name (directory), ==, "e1.yaml");
  g_assert_null (g_dir_read_name (directory));

  home_write (home, DIRECTORY "/e1.new", "half of a fi");
  g_assert_true (welkin_info_destroy (info, NULL));
  g_dir_rewind (directory);
  g_assert_null (g_dir_read_name (directory));
}

/* The main loop waits with it, so it is a matter of milliseconds. */
static void
test_edit_does_not_wait_long (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinInfo) info = create (home);
  g_autofree char *path = home_get_path (home, DIRECTORY "/e1.lock");
  g_autoptr(GError) error = NULL;
  gint64 start = 0;
  int fd = open (path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

  g_assert_cmpint (flock (fd, LOCK_EX | LOCK_NB), ==, 0);
  set_text (info, "user", "u");
  start = g_get_monotonic_time ();
  g_assert_false (welkin_info_write (info, &error));
  g_assert_cmpint (g_get_monotonic_time () - start, <, 2 * G_TIME_SPAN_SECOND);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_IN_USE);
  g_assert_nonnull (strstr (error->message, path));

  /* The edit is not lost. */
  close (fd);
  write_well (info);
}

static gboolean
close_lock_cb (gpointer fd)
{
  close (GPOINTER_TO_INT (fd));
  return G_SOURCE_REMOVE;
}

/* A bootstrap must not be undone because another command wrote at the same moment. */
static void
test_edit_is_tried_again (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinInfo) info = create (home);
  g_autoptr(WelkinInfo) again = NULL;
  g_autoptr(GAsyncResult) result = NULL;
  g_autofree char *path = home_get_path (home, DIRECTORY "/e1.lock");
  g_autoptr(GError) error = NULL;
  int fd = open (path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

  g_assert_cmpint (flock (fd, LOCK_EX | LOCK_NB), ==, 0);
  g_timeout_add (200, close_lock_cb, GINT_TO_POINTER (fd));
  set_text (info, "user", "u");
  welkin_info_write_async (info, NULL, result_cb, &result);
  result_wait (&result);
  g_assert_true (welkin_info_write_finish (info, result, &error));
  g_assert_no_error (error);

  again = welkin_info_load (home->surroundings, "e1", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (welkin_value_get_text (welkin_info_lookup (again, "user")), ==, "u");
}

static gboolean
count_cb (WelkinInfo *info,
          gpointer    user_data,
          GError    **error)
{
  WelkinValue *value = welkin_info_lookup (info, "count");
  gint64 count = value != NULL ? g_ascii_strtoll (welkin_value_get_text (value), NULL, 10) : 0;
  g_autofree char *text = g_strdup_printf ("%" G_GINT64_FORMAT, count + 1);

  if (user_data != NULL)
    {
      set_text (info, "count", "lost");
      g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_FAILED, "no");
      return FALSE;
    }
  set_text (info, "count", text);
  return TRUE;
}

/* Of two that count, neither counts the same; an edit that fails changes nothing. */
static void
test_edit_sees_what_is_in_the_file (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinInfo) one = create (home);
  g_autoptr(WelkinInfo) two = NULL;
  g_autoptr(GError) error = NULL;

  write_well (one);
  two = welkin_info_load (home->surroundings, "e1", NULL);
  g_assert_true (welkin_info_edit (one, count_cb, NULL, NULL));
  g_assert_true (welkin_info_edit (two, count_cb, NULL, NULL));
  g_assert_false (welkin_info_edit (one, count_cb, one, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_FAILED);
  g_assert_true (welkin_info_edit (one, count_cb, NULL, NULL));
  g_assert_cmpstr (welkin_value_get_text (welkin_info_lookup (one, "count")), ==, "3");
}

static void
test_environment_lock (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(GObject) lock = NULL;
  g_autoptr(GObject) other = NULL;
  g_autoptr(GObject) again = NULL;
  g_autoptr(WelkinInfo) info = create (home);
  g_autofree char *process = g_strdup_printf ("process %d ", (int) getpid ());
  g_autofree char *path = home_get_path (home, DIRECTORY "/e1.busy");
  g_autoptr(GError) error = NULL;

  lock = welkin_info_lock_environment (home->surroundings, "e1", &error);
  g_assert_no_error (error);
  other = welkin_info_lock_environment (home->surroundings, "e2", &error);
  g_assert_no_error (error);
  g_assert_null (welkin_info_lock_environment (home->surroundings, "e1", &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_IN_USE);
  g_assert_nonnull (strstr (error->message, process));
  g_clear_error (&error);

  /* Edits do not wait for it. */
  set_text (info, "user", "u");
  write_well (info);

  g_clear_object (&lock);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  again = welkin_info_lock_environment (home->surroundings, "e1", &error);
  g_assert_no_error (error);
}

static void
test_lock_of_the_dead (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(GSubprocess) process = start_process (home, "lock-and-end", "e1");
  g_autofree char *path = home_get_path (home, DIRECTORY "/e1.busy");
  g_autoptr(GObject) lock = NULL;
  g_autoptr(GError) error = NULL;

  g_subprocess_wait_check (process, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));

  lock = welkin_info_lock_environment (home->surroundings, "e1", &error);
  g_assert_no_error (error);
}

/* The process is written into the lock: into no file that somebody leads it to. */
static void
test_lock_follows_no_link (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinInfo) info = create (home);
  g_autofree char *link_path = home_get_path (home, DIRECTORY "/e1.busy");
  g_autofree char *contents = NULL;
  g_autoptr(GError) error = NULL;

  home_write (home, "precious", "text");
  g_assert_cmpint (symlink ("../../../../precious", link_path), ==, 0);
  g_assert_null (welkin_info_lock_environment (home->surroundings, "e1", &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_LOOP);
  contents = home_read (home, "precious");
  g_assert_cmpstr (contents, ==, "text");
}

typedef struct
{
  Home *home;
  int   n_holders;
  int   n_turns;
} Contest;

static gpointer
contend (gpointer data)
{
  Contest *contest = data;

  for (guint i = 0; i < N_TURNS; i++)
    {
      g_autoptr(GObject) lock =
        welkin_info_lock_environment (contest->home->surroundings, "e1", NULL);

      if (lock == NULL)
        continue;
      g_atomic_int_inc (&contest->n_turns);
      g_assert_cmpint (g_atomic_int_add (&contest->n_holders, 1), ==, 0);
      g_usleep (20);
      g_atomic_int_add (&contest->n_holders, -1);
    }
  return NULL;
}

/* Who opened the file just before its holder removed it has a lock on nothing. */
static void
test_lock_has_one_holder (void)
{
  g_autoptr(Home) home = home_new (NULL);
  Contest contest = { home, 0, 0 };
  GThread *threads[4];

  for (gsize i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("contend", contend, &contest);
  for (gsize i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  g_assert_cmpint (contest.n_turns, >, 0);
}

static int
run_process (const char *verb,
             char       *path,
             const char *argument)
{
  g_autofree char *variable = g_strconcat ("HOME=", path, NULL);
  const char *const variables[] = { variable, NULL };
  g_autoptr(WelkinSurroundings) surroundings = welkin_surroundings_new (variables, "/");
  Home home = { path, surroundings };

  /* A test that is cut short takes its processes with it. */
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (g_str_equal (verb, "lock-and-end"))
    {
      /* Not released: the process just ends. */
      if (welkin_info_lock_environment (surroundings, argument, NULL) == NULL)
        return 1;
      _exit (0);
    }
  return run_edits (&home, argument, g_str_equal (verb, "edit-for-ever"));
}

int
main (int   argc,
      char *argv[])
{
  if (argc == 4)
    return run_process (argv[1], argv[2], argv[3]);

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/info/life/from-create-to-destroy", test_life);
  g_test_add_func ("/info/load/tells-that-there-is-none", test_missing);
  g_test_add_func ("/info/load/refuses-what-is-damaged", test_damaged);
  g_test_add_func ("/info/create/happens-once", test_exists);
  g_test_add_func ("/info/name/must-be-safe", test_unsafe_names);
  g_test_add_func ("/info/write/keeps-unknown-keys", test_unknown_keys);
  g_test_add_func ("/info/write/merges-edits-of-two", test_two_editors);
  g_test_add_func ("/info/write/loses-nothing-among-processes", test_many_processes);
  g_test_add_func ("/info/write/survives-kill", test_killed_writer);
  g_test_add_func ("/info/write/leaves-nothing-beside-the-file", test_left_behind);
  g_test_add_func ("/info/edit/does-not-wait-long", test_edit_does_not_wait_long);
  g_test_add_func ("/info/edit/is-tried-again", test_edit_is_tried_again);
  g_test_add_func ("/info/edit/sees-what-is-in-the-file", test_edit_sees_what_is_in_the_file);
  g_test_add_func ("/info/lock/keeps-others-out", test_environment_lock);
  g_test_add_func ("/info/lock/ends-with-its-process", test_lock_of_the_dead);
  g_test_add_func ("/info/lock/follows-no-link", test_lock_follows_no_link);
  g_test_add_func ("/info/lock/has-one-holder", test_lock_has_one_holder);
  return g_test_run ();
}
