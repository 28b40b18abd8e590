/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <pwd.h>
#include <welkin.h>

static WelkinSurroundings *
make (const char *first,
      const char *second)
{
  const char *variables[] = { first, second, NULL };

  return welkin_surroundings_new (variables, "/work/dir");
}

static void
assert_resolves (WelkinSurroundings *surroundings,
                 const char         *path,
                 const char         *base,
                 const char         *expected)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *resolved = NULL;

  resolved = welkin_surroundings_resolve_path (surroundings, path, base, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (resolved, ==, expected);
}

static void
test_an_empty_variable_is_unset (void)
{
  g_autoptr(WelkinSurroundings) surroundings = make ("EMPTY=", "FULL=a=b");

  g_assert_null (welkin_surroundings_get_variable (surroundings, "EMPTY"));
  g_assert_null (welkin_surroundings_get_variable (surroundings, "MISSING"));
  g_assert_cmpstr (welkin_surroundings_get_variable (surroundings, "FULL"), ==, "a=b");
}

static void
test_the_process_is_copied (void)
{
  g_autoptr(WelkinSurroundings) surroundings = NULL;
  g_autofree char *directory = g_get_current_dir ();

  g_setenv ("WELKIN_TEST_COPY", "before", TRUE);
  surroundings = welkin_surroundings_new_for_process ();
  g_setenv ("WELKIN_TEST_COPY", "after", TRUE);

  g_assert_cmpstr (welkin_surroundings_get_variable (surroundings, "WELKIN_TEST_COPY"), ==,
                   "before");
  g_assert_cmpstr (welkin_surroundings_get_working_directory (surroundings), ==, directory);
}

static void
test_paths_are_made_absolute_and_clean (void)
{
  g_autoptr(WelkinSurroundings) surroundings = make ("HOME=/home/me", NULL);

  assert_resolves (surroundings, "a//b/./c/../d", NULL, "/work/dir/a/b/d");
  assert_resolves (surroundings, "/a/../b", "/base", "/b");
  assert_resolves (surroundings, "a", "/base/", "/base/a");
  assert_resolves (surroundings, "a", "base", "/work/dir/base/a");
  assert_resolves (surroundings, "~", NULL, "/home/me");
  assert_resolves (surroundings, "~/a", "/base", "/home/me/a");
  assert_resolves (surroundings, "a/~/b", NULL, "/work/dir/a/~/b");
}

static void
test_the_home_of_a_user_is_the_system_s (void)
{
  g_autoptr(WelkinSurroundings) surroundings = make ("HOME=/home/me", NULL);
  g_autofree char *expected = NULL;
  struct passwd *root = getpwnam ("root");

  if (root == NULL)
    {
      g_test_skip ("this system knows no root");
      return;
    }
  expected = g_build_filename (root->pw_dir, "a", NULL);
  assert_resolves (surroundings, "~root/a", NULL, expected);
}

static void
test_what_cannot_be_resolved_is_named (void)
{
  g_autoptr(WelkinSurroundings) surroundings = make (NULL, NULL);
  g_autoptr(GError) no_home = NULL;
  g_autoptr(GError) no_user = NULL;

  g_assert_null (welkin_surroundings_resolve_path (surroundings, "~/a", NULL, &no_home));
  g_assert_error (no_home, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND);
  g_assert_cmpstr (no_home->message, ==, "cannot determine home directory");
  g_assert_null (welkin_surroundings_resolve_path (surroundings, "~no-such-user/a", NULL,
                                                   &no_user));
  g_assert_error (no_user, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND);
  g_assert_cmpstr (no_user->message, ==, "user \"no-such-user\" not found");
}

static void
assert_directories (WelkinSurroundings *surroundings,
                    const char         *config,
                    const char         *data)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *config_directory = NULL;
  g_autofree char *data_directory = NULL;

  config_directory = welkin_surroundings_get_config_directory (surroundings, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (config_directory, ==, config);
  data_directory = welkin_surroundings_get_data_directory (surroundings, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (data_directory, ==, data);
}

static void
test_directories_come_from_the_first_variable_set (void)
{
  g_autoptr(WelkinSurroundings) own = make ("WELKIN_HOME=/own//x/", "XDG_CONFIG_HOME=/xdg");
  g_autoptr(WelkinSurroundings) xdg = make ("XDG_CONFIG_HOME=/c", "XDG_DATA_HOME=/d");
  g_autoptr(WelkinSurroundings) home = make ("HOME=/home/me", "WELKIN_HOME=");

  assert_directories (own, "/own/x", "/own/x");
  assert_directories (xdg, "/c/welkin", "/d/welkin");
  assert_directories (home, "/home/me/.config/welkin", "/home/me/.local/share/welkin");
}

static void
test_relative_variables_are_named (void)
{
  g_autoptr(WelkinSurroundings) own = make ("WELKIN_HOME=rel", "HOME=/home/me");
  g_autoptr(WelkinSurroundings) xdg = make ("XDG_DATA_HOME=rel", "HOME=/home/me");
  g_autoptr(WelkinSurroundings) none = make (NULL, NULL);
  g_autoptr(GError) own_error = NULL;
  g_autoptr(GError) xdg_error = NULL;
  g_autoptr(GError) none_error = NULL;

  g_assert_null (welkin_surroundings_get_config_directory (own, &own_error));
  g_assert_error (own_error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT);
  g_assert_cmpstr (own_error->message, ==, "WELKIN_HOME is not an absolute path: \"rel\"");
  g_assert_null (welkin_surroundings_get_data_directory (xdg, &xdg_error));
  g_assert_cmpstr (xdg_error->message, ==, "XDG_DATA_HOME is not an absolute path: \"rel\"");
  g_assert_null (welkin_surroundings_get_data_directory (none, &none_error));
  g_assert_cmpstr (none_error->message, ==, "cannot determine home directory");
}

static void
assert_config_directories (WelkinSurroundings *surroundings,
                           const char         *expected)
{
  g_auto(GStrv) paths = welkin_surroundings_list_config_directories (surroundings, "other");
  g_autofree char *joined = g_strjoinv (" ", paths);

  g_assert_cmpstr (joined, ==, expected);
}

static void
test_another_program_is_configured_by_the_user_first (void)
{
  g_autoptr(WelkinSurroundings) home = make ("HOME=/home/me", "WELKIN_HOME=/own");
  g_autoptr(WelkinSurroundings) xdg = make ("XDG_CONFIG_HOME=/c", "XDG_CONFIG_DIRS=/s:rel::/t");
  g_autoptr(WelkinSurroundings) relative = make ("XDG_CONFIG_HOME=rel", "HOME=/home/me");
  g_autoptr(WelkinSurroundings) none = make (NULL, NULL);
  g_autoptr(WelkinSurroundings) process = welkin_surroundings_new_for_process ();
  g_auto(GStrv) paths = welkin_surroundings_list_config_directories (process, "other");

  assert_config_directories (home, "/home/me/.config/other");
  assert_config_directories (xdg, "/c/other /s/other /t/other");
  assert_config_directories (relative, "");
  assert_config_directories (none, "");
  g_assert_true (g_strv_contains ((const char *const *) paths, "/etc/other"));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/surroundings/an-empty-variable-is-unset", test_an_empty_variable_is_unset);
  g_test_add_func ("/surroundings/the-process-is-copied", test_the_process_is_copied);
  g_test_add_func ("/surroundings/paths-are-made-absolute-and-clean",
                   test_paths_are_made_absolute_and_clean);
  g_test_add_func ("/surroundings/the-home-of-a-user-is-the-system-s",
                   test_the_home_of_a_user_is_the_system_s);
  g_test_add_func ("/surroundings/what-cannot-be-resolved-is-named",
                   test_what_cannot_be_resolved_is_named);
  g_test_add_func ("/surroundings/directories-come-from-the-first-variable-set",
                   test_directories_come_from_the_first_variable_set);
  g_test_add_func ("/surroundings/relative-variables-are-named", test_relative_variables_are_named);
  g_test_add_func ("/surroundings/another-program-is-configured-by-the-user-first",
                   test_another_program_is_configured_by_the_user_first);
  return g_test_run ();
}
