/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <welkin.h>

static WelkinConfig *
make (const char *first_key,
      const char *first_text,
      const char *second_key,
      const char *second_text)
{
  g_autoptr(WelkinConfig) empty = welkin_config_new ();
  g_autoptr(WelkinConfig) one = welkin_config_with_text (empty, first_key, first_text, NULL);

  return welkin_config_with_text (one, second_key, second_text, NULL);
}

static void
assert_keys (WelkinConfig *config,
             const char   *expected)
{
  g_autofree const char **keys = welkin_config_get_keys (config);
  g_autofree char *joined = g_strjoinv (" ", (char **) keys);

  g_assert_cmpstr (joined, ==, expected);
}

static void
test_changes_make_new_configs (void)
{
  g_autoptr(WelkinConfig) config = make ("b", "1", "a", "2");
  g_autoptr(WelkinConfig) changed = welkin_config_with_text (config, "b", "3", "--set");
  g_autoptr(WelkinConfig) without = welkin_config_without (config, "b");
  g_autoptr(WelkinConfig) same = welkin_config_without (config, "c");

  assert_keys (config, "b a");
  g_assert_cmpstr (welkin_config_get_string (config, "b"), ==, "1");
  assert_keys (changed, "b a");
  g_assert_cmpstr (welkin_config_get_string (changed, "b"), ==, "3");
  g_assert_cmpstr (welkin_value_get_origin (welkin_config_lookup (changed, "b")), ==, "--set");
  assert_keys (without, "a");
  g_assert_true (welkin_config_equal (config, same));
}

static void
test_another_s_attributes_go_over_its_own (void)
{
  g_autoptr(WelkinConfig) config = make ("a", "1", "b", "2");
  g_autoptr(WelkinConfig) other = make ("c", "3", "a", "4");
  g_autoptr(WelkinConfig) both = welkin_config_with_all (config, other);

  assert_keys (both, "a b c");
  g_assert_cmpstr (welkin_config_get_string (both, "a"), ==, "4");
  g_assert_cmpstr (welkin_config_get_string (both, "b"), ==, "2");
}

static void
test_order_does_not_matter_for_equality (void)
{
  g_autoptr(WelkinConfig) config = make ("a", "1", "b", "2");
  g_autoptr(WelkinConfig) turned = make ("b", "2", "a", "1");
  g_autoptr(WelkinConfig) other = make ("a", "1", "b", "3");

  g_assert_true (welkin_config_equal (config, turned));
  g_assert_false (welkin_config_equal (config, other));
}

static void
test_absent_and_unset_read_as_nothing (void)
{
  g_autoptr(WelkinConfig) empty = welkin_config_new ();
  g_autoptr(WelkinValue) unset = welkin_value_new_unset ("a.yaml:1");
  g_autoptr(WelkinConfig) config = welkin_config_with (empty, "name", unset);
  g_auto(GStrv) strings = welkin_config_get_strings (config, "name");

  g_assert_false (welkin_config_has (config, "name"));
  g_assert_nonnull (welkin_config_lookup (config, "name"));
  g_assert_cmpstr (welkin_config_get_name (config), ==, "");
  g_assert_cmpstr (welkin_config_get_uuid (config), ==, "");
  g_assert_cmpstr (welkin_config_get_provider_type (config), ==, "");
  g_assert_false (welkin_config_get_boolean (config, "name"));
  g_assert_cmpint (welkin_config_get_int (config, "missing"), ==, 0);
  g_assert_null (welkin_config_get_entry (config, "missing", "entry"));
  g_assert_cmpuint (g_strv_length (strings), ==, 0);
}

static void
test_texts_split_at_commas (void)
{
  g_autoptr(WelkinConfig) config = make ("networks", " a, b ,,c", "name", "e");
  g_auto(GStrv) strings = welkin_config_get_strings (config, "networks");
  const char *expected[] = { "a", "b", "c", NULL };

  g_assert_cmpstrv (strings, expected);
}

static void
test_entries_are_found_in_maps (void)
{
  const char *keys[] = { "noble/amd64" };
  g_autoptr(WelkinConfig) empty = welkin_config_new ();
  g_autoptr(WelkinValue) id = welkin_value_new_text ("17ab", FALSE, NULL);
  g_autoptr(WelkinValue) map = welkin_value_new_map (keys, &id, 1, NULL);
  g_autoptr(WelkinConfig) config = welkin_config_with (empty, "image-ids", map);

  g_assert_cmpstr (welkin_config_get_entry (config, "image-ids", "noble/amd64"), ==, "17ab");
  g_assert_null (welkin_config_get_entry (config, "image-ids", "noble/arm64"));
  g_assert_cmpstr (welkin_config_get_string (config, "image-ids"), ==, "");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/config/changes-make-new-configs", test_changes_make_new_configs);
  g_test_add_func ("/config/another-s-attributes-go-over-its-own",
                   test_another_s_attributes_go_over_its_own);
  g_test_add_func ("/config/order-does-not-matter-for-equality",
                   test_order_does_not_matter_for_equality);
  g_test_add_func ("/config/absent-and-unset-read-as-nothing",
                   test_absent_and_unset_read_as_nothing);
  g_test_add_func ("/config/texts-split-at-commas", test_texts_split_at_commas);
  g_test_add_func ("/config/entries-are-found-in-maps", test_entries_are_found_in_maps);
  return g_test_run ();
}
