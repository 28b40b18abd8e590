/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* That a process with more rights than its user lets no variable choose the
 * code it loads. The test becomes such a process by changing its real user
 * and executing itself. */

#include <errno.h>
#include <sys/auxv.h>
#include <unistd.h>
#include <welkin.h>

/* How many plugins there are in the directory that the variable names. */
static guint
count_plugins (void)
{
  g_autoptr(WelkinRegistry) registry = welkin_registry_new (NULL);
  const char *directory = g_getenv ("WELKIN_PLUGIN_PATH");
  guint count = 0;

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (registry)); i++)
    {
      g_autoptr(WelkinPlugin) plugin = g_list_model_get_item (G_LIST_MODEL (registry), i);

      if (g_str_has_prefix (welkin_plugin_get_path (plugin), directory))
        count++;
    }
  return count;
}

static void
test_the_variable_counts_without_more_rights (void)
{
  g_assert_cmpuint (getauxval (AT_SECURE), ==, 0);
  g_assert_cmpuint (count_plugins (), ==, 1);
}

static void
become_somebody_else (gpointer user_data)
{
  if (setresuid (65534, 0, 0) != 0)
    _exit (errno);
}

static void
test_the_variable_is_ignored_with_more_rights (void)
{
  char *argv[] = { (char *) "/proc/self/exe", (char *) "--count", NULL };
  g_autoptr(GError) error = NULL;
  int status;

  if (geteuid () != 0)
    {
      g_test_skip ("only root can become a process with more rights than its user");
      return;
    }
  g_spawn_sync (NULL, argv, NULL, G_SPAWN_DEFAULT, become_somebody_else, NULL, NULL, NULL, &status,
                &error);
  g_assert_no_error (error);
  g_assert_true (g_spawn_check_wait_status (status, &error));
  g_assert_no_error (error);
}

int
main (int    argc,
      char **argv)
{
  g_autofree char *directory = NULL;

  if (argc == 2 && g_str_equal (argv[1], "--count"))
    return getauxval (AT_SECURE) == 1 && count_plugins () == 0 ? 0 : 1;

  g_test_init (&argc, &argv, NULL);
  directory = g_test_build_filename (G_TEST_BUILT, "plugins", "dummy", NULL);
  g_setenv ("WELKIN_PLUGIN_PATH", directory, TRUE);
  g_test_add_func ("/registry/the-variable-counts-without-more-rights",
                   test_the_variable_counts_without_more_rights);
  g_test_add_func ("/registry/the-variable-is-ignored-with-more-rights",
                   test_the_variable_is_ignored_with_more_rights);
  return g_test_run ();
}
