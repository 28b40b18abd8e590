/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "environments/info-intents.h"

#include "home.h"
#include "result.h"

/* text: (nullable) */
static gboolean
record (Home       *home,
        const char *key,
        const char *text,
        GError    **error)
{
  g_autoptr(WelkinIntents) intents = welkin_info_intents_new (home->surroundings, "e1");
  g_autoptr(GAsyncResult) result = NULL;

  welkin_intents_record_async (intents, key, text, NULL, result_cb, &result);
  return welkin_intents_record_finish (intents, result_wait (&result), error);
}

static void
assert_records (Home       *home,
                const char *key,
                const char *text)
{
  g_autoptr(GError) error = NULL;

  g_assert_true (record (home, key, text, &error));
  g_assert_no_error (error);
}

/* Those of another process, which has nothing but the file. (transfer full) */
static GHashTable *
load (Home *home)
{
  g_autoptr(WelkinIntents) intents = welkin_info_intents_new (home->surroundings, "e1");
  g_autoptr(GError) error = NULL;
  GHashTable *lines = welkin_intents_load (intents, &error);

  g_assert_no_error (error);
  return lines;
}

static void
write_info (WelkinInfo *info)
{
  g_autoptr(GError) error = NULL;

  welkin_info_write (info, &error);
  g_assert_no_error (error);
}

static WelkinInfo *
create (Home *home)
{
  g_autoptr(GError) error = NULL;
  WelkinInfo *info = welkin_info_create (home->surroundings, "e1", &error);

  g_assert_no_error (error);
  write_info (info);
  return info;
}

static void
test_line_is_there_until_it_is_removed (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinInfo) info = create (home);
  g_autoptr(GHashTable) none = load (home);
  g_autoptr(GHashTable) both = NULL;
  g_autoptr(GHashTable) one = NULL;

  g_assert_cmpuint (g_hash_table_size (none), ==, 0);
  assert_records (home, "s/1", "pool=public known=");
  assert_records (home, "t/1", "id: \"7\" # \xe2\x82\xac");
  assert_records (home, "s/1", "id=8");
  both = load (home);
  g_assert_cmpuint (g_hash_table_size (both), ==, 2);
  g_assert_cmpstr (g_hash_table_lookup (both, "s/1"), ==, "id=8");
  g_assert_cmpstr (g_hash_table_lookup (both, "t/1"), ==, "id: \"7\" # \xe2\x82\xac");

  assert_records (home, "s/1", NULL);
  one = load (home);
  g_assert_cmpuint (g_hash_table_size (one), ==, 1);
  g_assert_false (g_hash_table_contains (one, "s/1"));
}

static void
test_lines_of_a_start_are_forgotten (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinInfo) created = create (home);
  g_autoptr(WelkinInfo) info = NULL;
  g_autoptr(GHashTable) lines = NULL;

  assert_records (home, "s/1", "one");
  assert_records (home, "s/2", "two");
  assert_records (home, "s2/1", "three");
  info = welkin_info_load (home->surroundings, "e1", NULL);
  g_assert_nonnull (info);
  welkin_info_intents_forget (info, "s");
  write_info (info);
  lines = load (home);
  g_assert_cmpuint (g_hash_table_size (lines), ==, 1);
  g_assert_cmpstr (g_hash_table_lookup (lines, "s2/1"), ==, "three");
}

static void
test_line_without_info_is_an_error (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinIntents) intents = welkin_info_intents_new (home->surroundings, "e1");
  g_autoptr(GError) error = NULL;

  g_assert_false (record (home, "s/1", "one", &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_assert_null (welkin_intents_load (intents, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND);
}

static void
test_what_is_no_mapping_has_no_lines (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinInfo) info = create (home);
  g_autoptr(WelkinValue) text = welkin_value_new_text ("broken", TRUE, NULL);
  g_autoptr(GHashTable) lines = NULL;

  welkin_info_set (info, WELKIN_KEY_INTENTS, text);
  write_info (info);
  welkin_info_intents_forget (info, "s");
  lines = load (home);
  g_assert_cmpuint (g_hash_table_size (lines), ==, 0);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/info-intents/line-is-there-until-it-is-removed",
                   test_line_is_there_until_it_is_removed);
  g_test_add_func ("/info-intents/lines-of-a-start-are-forgotten",
                   test_lines_of_a_start_are_forgotten);
  g_test_add_func ("/info-intents/line-without-info-is-an-error",
                   test_line_without_info_is_an_error);
  g_test_add_func ("/info-intents/what-is-no-mapping-has-no-lines",
                   test_what_is_no_mapping_has_no_lines);
  return g_test_run ();
}
