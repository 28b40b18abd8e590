/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "model/os-tags.h"
#include "operations/ownership.h"

#include <string.h>

#define UUID  "3f0a4d7e-4a43-4f0a-9d2c-0d7a8c1a9b11"
#define OTHER "3f0a4d7e-4a43-4f0a-9d2c-0d7a8c1a9b12"
#define START "9b1c54a2-1111-4222-8333-444455556666"

static void
test_mark_says_whose_and_what_for (void)
{
  g_autofree char *start = os_mark_format_start (START, 2);
  g_autofree char *mark = os_mark_format (UUID, "0/lxc/1", start);
  g_autofree char *word = os_mark_get_word (mark, "start");

  g_assert_cmpstr (mark, ==, "welkin env=" UUID " machine=0/lxc/1 start=" START "/2");
  g_assert_cmpstr (word, ==, START "/2");
  g_assert_true (os_mark_is_ours (mark, UUID, NULL));
  g_assert_true (os_mark_is_ours (mark, UUID, "0/lxc/1"));
  g_assert_false (os_mark_is_ours (mark, UUID, "0"));
  g_assert_false (os_mark_is_ours (mark, OTHER, NULL));
}

static void
test_mark_of_base_group_names_no_machine (void)
{
  g_autofree char *mark = os_mark_format (UUID, NULL, NULL);

  g_assert_cmpstr (mark, ==, "welkin env=" UUID);
  g_assert_true (os_mark_is_ours (mark, UUID, NULL));
  g_assert_false (os_mark_is_ours (mark, UUID, "0"));
}

static void
test_only_a_whole_mark_counts (void)
{
  const char *others[] = {
    "",
    "welkin",
    "welkin ",
    "welkin env=",
    "my welkin env=" UUID,
    "Welkin env=" UUID,
    "welkin env=" UUID "0",
    "welkin environment=" UUID,
    "welkin machine=0",
    "group for env=" UUID,
  };

  g_assert_false (os_mark_is_ours (NULL, UUID, NULL));
  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    g_assert_false (os_mark_is_ours (others[i], UUID, NULL));
}

static void
test_mark_fits_a_description (void)
{
  g_autofree char *machine = g_strnfill (400, '1');
  g_autofree char *mark = os_mark_format (UUID, machine, START "/1");

  g_assert_cmpuint (strlen (mark), ==, 255);
}

static GPtrArray *
make_tags (const char *const *texts)
{
  GPtrArray *tags = g_ptr_array_new ();

  for (gsize i = 0; texts[i] != NULL; i++)
    g_ptr_array_add (tags, (char *) texts[i]);
  return tags;
}

/* Older releases of neutron take 60 characters in one. */
static void
test_mark_becomes_tags_and_a_mark_again (void)
{
  g_autofree char *mark = os_mark_format (UUID, "0/lxc/1", START "/12");
  g_auto(GStrv) tags = os_tags_split (mark);
  const char *mixed[] = { "Red", tags[2], tags[0], "welkinish", tags[1], NULL };
  g_autoptr(GPtrArray) found = make_tags (mixed);
  g_autofree char *joined = os_tags_join (found);

  g_assert_cmpuint (g_strv_length (tags), ==, 3);
  for (gsize i = 0; i < 3; i++)
    g_assert_cmpuint (strlen (tags[i]), <=, 60);
  g_assert_cmpstr (joined, ==, mark);
}

static void
test_tags_of_others_are_no_mark (void)
{
  const char *texts[] = { "red", "Welkin-env=" UUID, "welkin", NULL };
  g_autoptr(GPtrArray) tags = make_tags (texts);
  g_autofree char *joined = os_tags_join (tags);
  g_autofree char *nothing = os_tags_join (NULL);

  g_assert_null (joined);
  g_assert_null (nothing);
}

static void
test_names_are_those_of_2014_with_our_prefix (void)
{
  g_autofree char *server = os_name_server ("welkin", "prod", "2/lxc/1");
  g_autofree char *base = os_name_group ("welkin", "prod", NULL);
  g_autofree char *machine = os_name_group ("welkin", "prod", "0");

  g_assert_cmpstr (server, ==, "welkin-prod-machine-2-lxc-1");
  g_assert_cmpstr (base, ==, "welkin-prod");
  g_assert_cmpstr (machine, ==, "welkin-prod-0");
}

static void
test_long_server_name_stays_a_host_name (void)
{
  g_autofree char *long_name = g_strnfill (200, 'e');
  g_autofree char *longer_name = g_strnfill (201, 'e');
  g_autofree char *server = os_name_server ("welkin", long_name, "123");
  g_autofree char *other = os_name_server ("welkin", longer_name, "123");
  g_autofree char *filter = os_name_server_filter ("welkin", long_name);

  g_assert_cmpuint (strlen (server), <=, 63);
  g_assert_true (g_str_has_suffix (server, "-machine-123"));
  g_assert_cmpstr (server, !=, other);
  g_assert_true (g_regex_match_simple (filter, server, 0, 0));
}

static void
test_long_name_is_cut_between_characters (void)
{
  for (guint ascii = 0; ascii < 4; ascii++)
    {
      g_autofree char *head = g_strnfill (ascii, 'a');
      g_autoptr(GString) name = g_string_new (head);
      g_autofree char *server = NULL;

      for (guint i = 0; i < 50; i++)
        g_string_append (name, "\xe2\x82\xac");
      server = os_name_server ("welkin", name->str, "0");
      g_assert_true (g_utf8_validate (server, -1, NULL));
      g_assert_cmpuint (strlen (server), <=, 63);
    }
}

static void
test_filter_has_no_pattern_of_the_name (void)
{
  struct
  {
    const char *name;
    const char *filter;
  } cases[] = {
    { "prod", "^welkin-prod-machine-" },
    { "a.b", "^welkin-a.b-machine-" },
    { "a+b", "^welkin-a.b-machine-" },
    { "a|b(c[d\\e", "^welkin-a.b.c.d.e-machine-" },
    { "b\xc3\xbc\xc3\xa4" "cher", "^welkin-b.*cher-machine-" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *filter = os_name_server_filter ("welkin", cases[i].name);
      g_autofree char *server = os_name_server ("welkin", cases[i].name, "7");

      g_assert_cmpstr (filter, ==, cases[i].filter);
      g_assert_true (g_regex_match_simple (filter, server, 0, 0));
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/ownership/mark/says-whose-and-what-for", test_mark_says_whose_and_what_for);
  g_test_add_func ("/ownership/mark/base-group-names-no-machine",
                   test_mark_of_base_group_names_no_machine);
  g_test_add_func ("/ownership/mark/only-a-whole-one-counts", test_only_a_whole_mark_counts);
  g_test_add_func ("/ownership/mark/fits-a-description", test_mark_fits_a_description);
  g_test_add_func ("/ownership/tags/become-a-mark-again",
                   test_mark_becomes_tags_and_a_mark_again);
  g_test_add_func ("/ownership/tags/of-others-are-no-mark", test_tags_of_others_are_no_mark);
  g_test_add_func ("/ownership/name/is-as-in-2014", test_names_are_those_of_2014_with_our_prefix);
  g_test_add_func ("/ownership/name/long-one-stays-a-host-name",
                   test_long_server_name_stays_a_host_name);
  g_test_add_func ("/ownership/name/is-cut-between-characters",
                   test_long_name_is_cut_between_characters);
  g_test_add_func ("/ownership/filter/has-no-pattern-of-the-name",
                   test_filter_has_no_pattern_of_the_name);

  return g_test_run ();
}
