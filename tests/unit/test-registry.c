/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <welkin-plugin.h>

/* folders: below tests/plugins, NULL-terminated */
static WelkinRegistry *
make_registry (const char *first,
               ...)
{
  g_autoptr(GPtrArray) directories = g_ptr_array_new_with_free_func (g_free);
  const char *folder;
  va_list folders;

  va_start (folders, first);
  for (folder = first; folder != NULL; folder = va_arg (folders, const char *))
    g_ptr_array_add (directories, g_test_build_filename (G_TEST_BUILT, "plugins", folder, NULL));
  va_end (folders);
  g_ptr_array_add (directories, NULL);
  return welkin_registry_new ((const char * const *) directories->pdata);
}

static char *
build_path (const char *folder,
            const char *file)
{
  return g_test_build_filename (G_TEST_BUILT, "plugins", folder, file, NULL);
}

static WelkinPlugin *
find_plugin (WelkinRegistry *registry,
             const char     *folder,
             const char     *file)
{
  g_autofree char *path = build_path (folder, file);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (registry)); i++)
    {
      g_autoptr(WelkinPlugin) plugin = g_list_model_get_item (G_LIST_MODEL (registry), i);

      if (g_str_equal (welkin_plugin_get_path (plugin), path))
        return plugin;
    }
  g_assert_not_reached ();
}

/* format: with one %s for the path of the plugin; or NULL to accept any text */
static void
assert_refused (const char       *type,
                WelkinPluginError code,
                const char       *format)
{
  g_autoptr(WelkinRegistry) registry = make_registry ("dummy", "bad", NULL);
  g_autoptr(GError) error = NULL;
  g_autoptr(GError) again = NULL;
  g_autofree char *file = g_strconcat (type, ".so", NULL);
  g_autofree char *path = build_path ("bad", file);
  g_autofree char *expected = NULL;

  g_assert_null (welkin_registry_get_provider (registry, type, &error));
  g_assert_error (error, WELKIN_PLUGIN_ERROR, (int) code);
  if (format != NULL)
    {
      expected = g_strdup_printf (format, path);
      g_assert_cmpstr (error->message, ==, expected);
    }
  g_assert_nonnull (strstr (error->message, path));
  g_assert_false (welkin_plugin_get_opened (find_plugin (registry, "bad", file)));

  /* it is not tried twice, and the answer is the same */
  g_assert_null (welkin_registry_get_provider (registry, type, &again));
  g_assert_cmpstr (again->message, ==, error->message);
}

static void
test_a_provider_is_opened_by_its_type (void)
{
  g_autoptr(WelkinRegistry) registry = make_registry ("dummy", NULL);
  WelkinPlugin *plugin = find_plugin (registry, "dummy", "dummy.so");
  g_autoptr(WelkinProvider) provider = NULL;
  g_autoptr(WelkinProvider) again = NULL;
  g_autoptr(GError) error = NULL;
  const char *aliases[] = { "dummy_two", NULL };

  g_assert_cmpstr (welkin_plugin_get_provider_type (plugin), ==, "dummy");
  g_assert_false (welkin_plugin_get_opened (plugin));
  g_assert_null (welkin_plugin_get_summary (plugin));

  provider = welkin_registry_get_provider (registry, "dummy", &error);
  g_assert_no_error (error);
  g_assert_true (WELKIN_IS_PROVIDER (provider));
  g_assert_true (welkin_plugin_get_opened (plugin));
  g_assert_null (welkin_plugin_get_error (plugin));
  g_assert_cmpstr (welkin_plugin_get_summary (plugin), ==, "A cloud in memory, for tests");
  g_assert_cmpstr (welkin_plugin_get_version (plugin), ==, "1.0");
  g_assert_cmpstr (welkin_plugin_get_license (plugin), ==, "LGPL-2.1-or-later");
  g_assert_cmpstrv ((char **) welkin_plugin_get_aliases (plugin), (char **) aliases);

  again = welkin_registry_get_provider (registry, "dummy", &error);
  g_assert_true (again == provider);
}

static void
test_a_provider_is_opened_by_its_alias (void)
{
  g_autoptr(WelkinRegistry) registry = make_registry ("dummy", NULL);
  g_autoptr(WelkinProvider) by_alias = NULL;
  g_autoptr(WelkinProvider) by_type = NULL;
  g_autoptr(GError) error = NULL;

  by_alias = welkin_registry_get_provider (registry, "dummy_two", &error);
  g_assert_no_error (error);
  by_type = welkin_registry_get_provider (registry, "dummy", &error);
  g_assert_true (by_alias == by_type);
}

static void
test_another_registry_opens_the_same_file (void)
{
  g_autoptr(WelkinRegistry) first = make_registry ("dummy", NULL);
  g_autoptr(WelkinProvider) provider = welkin_registry_get_provider (first, "dummy", NULL);
  g_autoptr(WelkinRegistry) second = NULL;
  g_autoptr(WelkinProvider) other = NULL;

  g_clear_object (&first);
  second = make_registry ("dummy", NULL);
  other = welkin_registry_get_provider (second, "dummy", NULL);
  g_assert_true (G_OBJECT_TYPE (provider) == G_OBJECT_TYPE (other));
}

static void
test_a_type_without_a_plugin_is_not_found (void)
{
  g_autoptr(WelkinRegistry) registry = make_registry ("dummy", NULL);
  g_autoptr(WelkinRegistry) empty = make_registry ("no-such-folder", NULL);
  g_autoptr(GError) error = NULL;
  g_autoptr(GError) empty_error = NULL;

  g_assert_null (welkin_registry_get_provider (registry, "opnstack", &error));
  g_assert_error (error, WELKIN_PLUGIN_ERROR, WELKIN_PLUGIN_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "\"opnstack\""));
  g_assert_nonnull (strstr (error->message, "dummy"));

  g_assert_null (welkin_registry_get_provider (empty, "opnstack", &empty_error));
  g_assert_error (empty_error, WELKIN_PLUGIN_ERROR, WELKIN_PLUGIN_ERROR_NOT_FOUND);
}

static void
test_a_type_is_never_a_path (void)
{
  const char *types[] = { "", "../dummy/dummy", "/etc/passwd", "Dummy", "1dummy", "_d", "dummy.so",
                          "dum-my", "dummy\n", "dümmy", "dummy two" };
  g_autoptr(WelkinRegistry) registry = make_registry ("bad", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autoptr(GError) error = NULL;

      g_assert_null (welkin_registry_get_provider (registry, types[i], &error));
      g_assert_error (error, WELKIN_PLUGIN_ERROR, WELKIN_PLUGIN_ERROR_BAD_NAME);
    }
}

static void
test_a_file_of_a_bad_name_is_told (void)
{
  g_autoptr(WelkinRegistry) registry = make_registry ("bad", NULL);
  WelkinPlugin *plugin = find_plugin (registry, "bad", "Bad-Name.so");

  g_assert_error (welkin_plugin_get_error (plugin), WELKIN_PLUGIN_ERROR,
                  WELKIN_PLUGIN_ERROR_BAD_NAME);
}

static void
test_a_file_that_is_no_library_cannot_be_opened (void)
{
  assert_refused ("not_elf", WELKIN_PLUGIN_ERROR_CANNOT_OPEN,
                  "cannot open plugin %s: invalid ELF header");
}

static void
test_what_a_file_lacks_is_found_when_it_is_opened (void)
{
  assert_refused ("unresolved", WELKIN_PLUGIN_ERROR_CANNOT_OPEN,
                  "cannot open plugin %s: undefined symbol: test_function_that_is_nowhere");
}

static void
test_an_ordinary_library_has_no_entry_point (void)
{
  assert_refused ("no_entry", WELKIN_PLUGIN_ERROR_NO_ENTRY_POINT,
                  "%s is no provider plugin: it does not export welkin_plugin_no_entry_info");
}

static void
test_another_major_version_is_refused (void)
{
  assert_refused ("wrong_major", WELKIN_PLUGIN_ERROR_WRONG_ABI,
                  "plugin %s was made for version 2.0 of the plugin interface, and this is "
                  "version 1.0");
}

static void
test_a_later_minor_version_is_refused (void)
{
  assert_refused ("newer_minor", WELKIN_PLUGIN_ERROR_WRONG_ABI,
                  "plugin %s was made for version 1.1 of the plugin interface, and this is "
                  "version 1.0");
}

static void
test_a_short_info_is_not_read_on (void)
{
  assert_refused ("short_size", WELKIN_PLUGIN_ERROR_INVALID_INFO,
                  "what plugin %s says of itself is too short: 16 bytes");
}

static void
test_an_incomplete_info_is_refused (void)
{
  assert_refused ("invalid_info", WELKIN_PLUGIN_ERROR_INVALID_INFO,
                  "what plugin %s says of itself is wrong: \"summary\" is missing or malformed");
}

static void
test_no_info_at_all_is_refused (void)
{
  assert_refused ("no_info", WELKIN_PLUGIN_ERROR_INVALID_INFO, "plugin %s says nothing of itself");
}

static void
test_a_renamed_file_is_refused (void)
{
  assert_refused ("name_mismatch", WELKIN_PLUGIN_ERROR_NAME_MISMATCH,
                  "plugin %s is of type \"another\": name it another.so");
}

static void
test_a_type_that_is_no_provider_is_refused (void)
{
  assert_refused ("wrong_type", WELKIN_PLUGIN_ERROR_WRONG_TYPE,
                  "plugin %s has no provider: its type is WelkinRegistry");
}

static void
test_the_alias_of_another_plugin_is_taken (void)
{
  assert_refused ("twin", WELKIN_PLUGIN_ERROR_DUPLICATE, NULL);
}

static void
test_a_type_that_is_another_s_alias_is_taken (void)
{
  g_autoptr(WelkinRegistry) registry = make_registry ("dummy", "bad", NULL);
  WelkinPlugin *second = find_plugin (registry, "bad", "dummy_two.so");

  welkin_registry_open_all (registry);
  g_assert_error (welkin_plugin_get_error (second), WELKIN_PLUGIN_ERROR,
                  WELKIN_PLUGIN_ERROR_DUPLICATE);
}

static void
test_the_first_directory_wins (void)
{
  g_autoptr(WelkinRegistry) registry = make_registry ("dummy", "shadowed", "dummy", NULL);
  WelkinPlugin *hidden = find_plugin (registry, "shadowed", "dummy.so");
  g_autoptr(WelkinProvider) provider = NULL;
  g_autoptr(GError) error = NULL;
  g_autofree char *hiding = build_path ("dummy", "dummy.so");

  g_assert_error (welkin_plugin_get_error (hidden), WELKIN_PLUGIN_ERROR,
                  WELKIN_PLUGIN_ERROR_SHADOWED);
  g_assert_nonnull (strstr (welkin_plugin_get_error (hidden)->message, hiding));
  provider = welkin_registry_get_provider (registry, "dummy", &error);
  g_assert_no_error (error);
}

static void
count_cb (GObject    *object,
          GParamSpec *pspec,
          gpointer    user_data)
{
  guint *count = user_data;

  (*count)++;
}

static void
test_bad_files_hurt_no_other (void)
{
  g_autoptr(WelkinRegistry) registry = make_registry ("dummy", "bad", "shadowed", NULL);
  g_auto(GStrv) before = welkin_registry_get_types (registry);
  g_auto(GStrv) after = NULL;
  const char *expected[] = { "dummy", NULL };
  guint n_opened = 0;
  guint n_refused = 0;

  g_assert_cmpuint (g_strv_length (before), ==, 0);
  g_signal_connect (find_plugin (registry, "dummy", "dummy.so"), "notify::opened",
                    G_CALLBACK (count_cb), &n_opened);
  g_signal_connect (find_plugin (registry, "bad", "twin.so"), "notify::error",
                    G_CALLBACK (count_cb), &n_refused);
  welkin_registry_open_all (registry);
  welkin_registry_open_all (registry);
  after = welkin_registry_get_types (registry);

  g_assert_cmpstrv (after, expected);
  g_assert_cmpuint (n_opened, ==, 1);
  g_assert_cmpuint (n_refused, ==, 1);
}

static void
test_the_variable_names_more_directories (void)
{
  g_autofree char *dummy = build_path ("dummy", NULL);
  g_autofree char *bad = build_path ("bad", NULL);
  g_autofree char *variable = g_strconcat (":", dummy, "::", bad, NULL);
  g_autoptr(WelkinRegistry) registry = NULL;

  g_setenv ("WELKIN_PLUGIN_PATH", variable, TRUE);
  registry = make_registry ("shadowed", NULL);
  g_unsetenv ("WELKIN_PLUGIN_PATH");

  g_assert_error (welkin_plugin_get_error (find_plugin (registry, "dummy", "dummy.so")),
                  WELKIN_PLUGIN_ERROR, WELKIN_PLUGIN_ERROR_SHADOWED);
  g_assert_null (welkin_plugin_get_error (find_plugin (registry, "bad", "twin.so")));
}

/* A child opens it, as "welkin providers --check" does, and its end is a
 * report. */
static void
test_a_crash_while_opening_can_be_watched (void)
{
  if (g_test_subprocess ())
    {
      g_autoptr(WelkinRegistry) registry = make_registry ("crash", NULL);

      welkin_registry_open_all (registry);
      return;
    }
  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_failed ();
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_unsetenv ("WELKIN_PLUGIN_PATH");
  g_test_add_func ("/registry/a-provider-is-opened-by-its-type",
                   test_a_provider_is_opened_by_its_type);
  g_test_add_func ("/registry/a-provider-is-opened-by-its-alias",
                   test_a_provider_is_opened_by_its_alias);
  g_test_add_func ("/registry/another-registry-opens-the-same-file",
                   test_another_registry_opens_the_same_file);
  g_test_add_func ("/registry/a-type-without-a-plugin-is-not-found",
                   test_a_type_without_a_plugin_is_not_found);
  g_test_add_func ("/registry/a-type-is-never-a-path", test_a_type_is_never_a_path);
  g_test_add_func ("/registry/a-file-of-a-bad-name-is-told", test_a_file_of_a_bad_name_is_told);
  g_test_add_func ("/registry/a-file-that-is-no-library-cannot-be-opened",
                   test_a_file_that_is_no_library_cannot_be_opened);
  g_test_add_func ("/registry/what-a-file-lacks-is-found-when-it-is-opened",
                   test_what_a_file_lacks_is_found_when_it_is_opened);
  g_test_add_func ("/registry/an-ordinary-library-has-no-entry-point",
                   test_an_ordinary_library_has_no_entry_point);
  g_test_add_func ("/registry/another-major-version-is-refused",
                   test_another_major_version_is_refused);
  g_test_add_func ("/registry/a-later-minor-version-is-refused",
                   test_a_later_minor_version_is_refused);
  g_test_add_func ("/registry/a-short-info-is-not-read-on", test_a_short_info_is_not_read_on);
  g_test_add_func ("/registry/an-incomplete-info-is-refused", test_an_incomplete_info_is_refused);
  g_test_add_func ("/registry/no-info-at-all-is-refused", test_no_info_at_all_is_refused);
  g_test_add_func ("/registry/a-renamed-file-is-refused", test_a_renamed_file_is_refused);
  g_test_add_func ("/registry/a-type-that-is-no-provider-is-refused",
                   test_a_type_that_is_no_provider_is_refused);
  g_test_add_func ("/registry/the-alias-of-another-plugin-is-taken",
                   test_the_alias_of_another_plugin_is_taken);
  g_test_add_func ("/registry/a-type-that-is-another-s-alias-is-taken",
                   test_a_type_that_is_another_s_alias_is_taken);
  g_test_add_func ("/registry/the-first-directory-wins", test_the_first_directory_wins);
  g_test_add_func ("/registry/bad-files-hurt-no-other", test_bad_files_hurt_no_other);
  g_test_add_func ("/registry/the-variable-names-more-directories",
                   test_the_variable_names_more_directories);
  g_test_add_func ("/registry/a-crash-while-opening-can-be-watched",
                   test_a_crash_while_opening_can_be_watched);
  return g_test_run ();
}
