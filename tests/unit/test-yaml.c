/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/yaml.h"

#include <string.h>

#include "values/welkin-error.h"

static WelkinValue *
parse (const char *text)
{
  g_autoptr(GError) error = NULL;
  WelkinValue *value = wk_yaml_parse (text, -1, "f.yaml", &error);

  g_assert_no_error (error);
  g_assert_nonnull (value);
  return value;
}

static void
assert_refused (const char *text,
                gssize      length,
                const char *message)
{
  g_autoptr(GError) error = NULL;
  WelkinValue *value = wk_yaml_parse (text, length, "f.yaml", &error);

  g_assert_null (value);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG);
  g_assert_cmpstr (error->message, ==, message);
}

static const char *
text_of (WelkinValue *map,
         const char  *key)
{
  WelkinValue *value = welkin_value_lookup (map, key);

  g_assert_nonnull (value);
  return welkin_value_get_text (value);
}

static void
test_scalars_as_written (void)
{
  g_autoptr(WelkinValue) map = parse ("a: 0123\n"
                                      "b: yes\n"
                                      "c: 1e5\n"
                                      "d: '42'\n"
                                      "e: \"a{b}c#d: e\"\n"
                                      "f: 'it''s'\n"
                                      "g: 2014-05-01\n"
                                      "h: !!str 17\n"
                                      "i: two words # a comment\n"
                                      "j: |\n"
                                      "  one\n"
                                      "  two\n");

  g_assert_cmpstr (text_of (map, "a"), ==, "0123");
  g_assert_cmpstr (text_of (map, "b"), ==, "yes");
  g_assert_cmpstr (text_of (map, "c"), ==, "1e5");
  g_assert_cmpstr (text_of (map, "d"), ==, "42");
  g_assert_cmpstr (text_of (map, "e"), ==, "a{b}c#d: e");
  g_assert_cmpstr (text_of (map, "f"), ==, "it's");
  g_assert_cmpstr (text_of (map, "g"), ==, "2014-05-01");
  g_assert_cmpstr (text_of (map, "h"), ==, "17");
  g_assert_cmpstr (text_of (map, "i"), ==, "two words");
  g_assert_cmpstr (text_of (map, "j"), ==, "one\ntwo\n");
  g_assert_false (welkin_value_is_quoted (welkin_value_lookup (map, "a")));
  g_assert_true (welkin_value_is_quoted (welkin_value_lookup (map, "d")));
  g_assert_true (welkin_value_is_quoted (welkin_value_lookup (map, "h")));
}

static void
test_unset (void)
{
  const char *const documents[] = { "", "# only a comment\n", "---\n", "~", "null" };
  g_autoptr(WelkinValue) map = parse ("a:\nb: ~\nc: null\nd: NULL\ne: ''\nf: 'null'\n");

  for (guint i = 0; i < 4; i++)
    {
      WelkinValue *value = welkin_value_get_item (map, i);

      g_assert_cmpint (welkin_value_get_kind (value), ==, WELKIN_VALUE_UNSET);
    }
  g_assert_cmpstr (text_of (map, "e"), ==, "");
  g_assert_cmpstr (text_of (map, "f"), ==, "null");

  for (gsize i = 0; i < G_N_ELEMENTS (documents); i++)
    {
      g_autoptr(WelkinValue) value = parse (documents[i]);

      g_assert_cmpint (welkin_value_get_kind (value), ==, WELKIN_VALUE_UNSET);
    }
}

static void
test_origins (void)
{
  g_autoptr(WelkinValue) map = parse ("a: 1\n"
                                      "b:\n"
                                      "  c: 2\n"
                                      "  d:\n"
                                      "    three\n"
                                      "e: [x,\n"
                                      "    y]\n");
  WelkinValue *b = welkin_value_lookup (map, "b");
  WelkinValue *e = welkin_value_lookup (map, "e");

  g_assert_cmpstr (welkin_value_get_origin (welkin_value_lookup (map, "a")), ==, "f.yaml:1");
  g_assert_cmpstr (welkin_value_get_origin (b), ==, "f.yaml:2");
  g_assert_cmpstr (welkin_value_get_origin (welkin_value_lookup (b, "c")), ==, "f.yaml:3");
  g_assert_cmpstr (welkin_value_get_origin (welkin_value_lookup (b, "d")), ==, "f.yaml:4");
  g_assert_cmpstr (welkin_value_get_origin (e), ==, "f.yaml:6");
  g_assert_cmpstr (welkin_value_get_origin (welkin_value_get_item (e, 1)), ==, "f.yaml:7");
}

static void
test_dos_file (void)
{
  g_autoptr(WelkinValue) map = parse ("\xef\xbb\xbf"
                                      "a: 1\r\nb:\r\n  c: |\r\n    x\r\n    y\r\nd: e\r\n");

  g_assert_cmpstr (text_of (map, "a"), ==, "1");
  g_assert_cmpstr (text_of (welkin_value_lookup (map, "b"), "c"), ==, "x\ny\n");
  g_assert_cmpstr (text_of (map, "d"), ==, "e");
  g_assert_cmpstr (welkin_value_get_origin (welkin_value_lookup (map, "d")), ==, "f.yaml:6");
}

static void
test_anchors (void)
{
  g_autoptr(WelkinValue) map = parse ("base: &base\n"
                                      "  x: 1\n"
                                      "  y: 2\n"
                                      "one: *base\n"
                                      "two:\n"
                                      "  y: 3\n"
                                      "  <<: *base\n"
                                      "three:\n"
                                      "  <<: [*base, {x: 9, z: 8}]\n");
  WelkinValue *two = welkin_value_lookup (map, "two");
  WelkinValue *three = welkin_value_lookup (map, "three");

  g_assert_cmpstr (text_of (welkin_value_lookup (map, "one"), "x"), ==, "1");
  g_assert_cmpuint (welkin_value_get_length (two), ==, 2);
  g_assert_cmpstr (text_of (two, "x"), ==, "1");
  g_assert_cmpstr (text_of (two, "y"), ==, "3");
  g_assert_cmpuint (welkin_value_get_length (three), ==, 3);
  g_assert_cmpstr (text_of (three, "x"), ==, "1");
  g_assert_cmpstr (text_of (three, "z"), ==, "8");
}

static void
test_refused (void)
{
  const struct
  {
    const char *text;
    const char *message;
  } vectors[] = {
    { "a: 1\nb: 2\na: 3\n",
      "f.yaml:3: cannot parse: duplicate key \"a\", which is also on line 1" },
    { "a:\n\tb: c\n",
      "f.yaml:2: cannot parse: there is a tab in column 1 where only spaces may indent" },
    { "a: b\n\tc: d\n",
      "f.yaml:2: cannot parse: there is a tab in column 1 where only spaces may indent" },
    { "a:\n  b: 1\n \tc: 2\n",
      "f.yaml:3: cannot parse: there is a tab in column 2 where only spaces may indent" },
    { "x: 1\npassword: %abc\n",
      "f.yaml:2: cannot parse: a value may not begin with \"%\" (column 11): put it in quotes" },
    { "x: 1\npassword: @abc\n",
      "f.yaml:2: cannot parse: a value may not begin with \"@\" (column 11): put it in quotes" },
    { "\xc3\xa4\xc3\xb6: `abc\n",
      "f.yaml:1: cannot parse: a value may not begin with \"`\" (column 5): put it in quotes" },
    { "password: &abc\n",
      "f.yaml:1: cannot parse: a value that begins with \"&\" (column 11) has a special meaning in "
      "YAML: put it in quotes" },
    { "password: *abc\n",
      "f.yaml:1: cannot parse: a value that begins with \"*\" (column 11) has a special meaning in "
      "YAML: put it in quotes" },
    { "password: !abc\n",
      "f.yaml:1: cannot parse: a value that begins with \"!\" (column 11) has a special meaning in "
      "YAML: put it in quotes" },
    { "password: ab: c\n",
      "f.yaml:1: cannot parse: unexpected \": \" in column 13: put a value that contains it in "
      "quotes" },
    { "password: 'abc\n",
      "f.yaml:1: cannot parse: the quotation mark in column 11 is never closed" },
    { "password: [abc\n",
      "f.yaml:2: cannot parse: not valid YAML in column 1 (did not find expected ',' or ']'): a "
      "value that has special characters must be in quotes" },
    { "a: \"\\0\"\n", "f.yaml:1: cannot parse: a value holds a NUL character" },
    { "? [x]\n: y\n", "f.yaml:1: cannot parse: a key must be plain text" },
    { "a: 1\n---\nb: 2\n", "f.yaml:2: cannot parse: there is more than one document in the file" },
    { "a: &x [*x]\n",
      "f.yaml:1: cannot parse: a value that begins with \"*\" (column 8) has a special meaning in "
      "YAML: put it in quotes" },
    { "a: 1\n<<: 2\n", "f.yaml:2: cannot parse: \"<<\" stands only before mappings" },
    { "a: 1\nb: \xff\n",
      "f.yaml:2: cannot parse: the file holds a control character or is not UTF-8 text" },
    { "\xff\xfe" "a", "f.yaml:1: cannot parse: the file holds a control character or is not UTF-8 "
      "text" },
    { "a: 1\n\nb: \x01\n",
      "f.yaml:3: cannot parse: the file holds a control character or is not UTF-8 text" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (vectors); i++)
    assert_refused (vectors[i].text, -1, vectors[i].message);
  assert_refused ("a: 1\nb: \0\n", 9,
                  "f.yaml:2: cannot parse: the file holds a control character or is not UTF-8 "
                  "text");
}

/* Whatever is wrong with the line of a password, its text must not be in the message. */
static void
test_values_stay_secret (void)
{
  const char *const starts[] = { "%", "@", "`", "&", "*", "!", "!!", "[", "{", "'", "\"", "\"\\q",
                                 "|", ">", "- ", "? ", ": ", "x: ", "]", "}", ",", "\t%",
                                  "a: b: " };

  for (gsize i = 0; i < G_N_ELEMENTS (starts); i++)
    {
      g_autofree char *text = g_strdup_printf ("a: 1\npassword: %ssecret: x\nb: 2\n", starts[i]);
      g_autoptr(GError) error = NULL;
      g_autoptr(WelkinValue) value = wk_yaml_parse (text, -1, "f.yaml", &error);

      if (value != NULL)
        continue;
      g_assert_true (g_str_has_prefix (error->message, "f.yaml:"));
      g_assert_null (strstr (error->message, "secret"));
    }
}

static void
test_depth (void)
{
  g_autoptr(GString) text = g_string_new (NULL);
  g_autoptr(WelkinValue) value = NULL;

  for (guint i = 0; i < 63; i++)
    g_string_append_c (text, '[');
  g_string_append_c (text, 'x');
  for (guint i = 0; i < 63; i++)
    g_string_append_c (text, ']');
  value = parse (text->str);

  g_string_truncate (text, 0);
  for (guint i = 0; i < 100000; i++)
    g_string_append_c (text, '[');
  assert_refused (text->str, -1, "f.yaml:1: cannot parse: the values are nested too deeply");
}

static void
test_alias_bomb (void)
{
  g_autoptr(GString) text = g_string_new ("a0: &a0 lol\n");

  for (guint i = 1; i < 12; i++)
    {
      g_string_append_printf (text, "a%u: &a%u [", i, i);
      for (guint j = 0; j < 10; j++)
        g_string_append_printf (text, "*a%u,", i - 1);
      g_string_append (text, "]\n");
    }
  assert_refused (text->str, -1, "f.yaml:7: cannot parse: the file holds too many values");
}

static void
test_size (void)
{
  gsize length = 16 * 1024 * 1024 + 1;
  g_autofree char *text = g_malloc (length);

  memset (text, '#', length);
  assert_refused (text, (gssize) length, "f.yaml:1: cannot parse: the file is too large");
}

static void
test_print (void)
{
  g_autoptr(WelkinValue) map = parse ("zone: az1\n"
                                      "port: 17070\n"
                                      "quoted: '17070'\n"
                                      "truth: 'yes'\n"
                                      "none: 'null'\n"
                                      "unset: ~\n"
                                      "list: [a, {c: d, b: ''}, [], {}]\n"
                                      "text: \"one\\ntwo\\n\"\n"
                                      "tab: \"a\\tb\"\n");
  g_autofree char *text = wk_yaml_print (map);

  g_assert_cmpstr (text, ==,
                   "list:\n"
                   "- a\n"
                   "- b: ''\n"
                   "  c: d\n"
                   "- []\n"
                   "- {}\n"
                   "none: 'null'\n"
                   "port: 17070\n"
                   "quoted: '17070'\n"
                   "tab: \"a\\tb\"\n"
                   "text: |\n"
                   "  one\n"
                   "  two\n"
                   "truth: 'yes'\n"
                   "unset: null\n"
                   "zone: az1\n");
}

static void
test_print_invalid_utf8 (void)
{
  g_autoptr(WelkinValue) value = welkin_value_new_text ("J\xfcrgen", TRUE, NULL);
  g_autofree char *text = wk_yaml_print (value);

  g_assert_true (g_str_has_prefix (text, "J\xef\xbf\xbdrgen\n"));
}

/* Texts made of the characters that mean something to YAML come back as they were. */
static void
test_round_trip (void)
{
  const char *const pieces[] = { " ", "\n", "\r", "\t", ":", "#", "-", "'", "\"", "\\", "%", "a",
                                 "\xc2\x85", "\xe2\x80\xa8", "\xf0\x9f\x98\x80", "\xc3\xa4", "{",
                                 "&", "*", "!", "|", ">", "?", "0", "~", ",", "[", "\x01", "<<" };

  for (guint i = 0; i < 5000; i++)
    {
      g_autoptr(GString) content = g_string_new (NULL);
      g_autoptr(WelkinValue) value = NULL;
      g_autoptr(WelkinValue) map = NULL;
      g_autoptr(WelkinValue) again = NULL;
      g_autofree char *text = NULL;

      for (int n = g_test_rand_int_range (0, 8); n > 0; n--)
        g_string_append (content, pieces[g_test_rand_int_range (0, G_N_ELEMENTS (pieces))]);
      value = welkin_value_new_text (content->str, g_test_rand_bit (), NULL);
      map = welkin_value_new_map ((const char *const[]) { "key" }, &value, 1, NULL);
      text = wk_yaml_print (map);
      again = parse (text);
      g_assert_cmpstr (text_of (again, "key"), ==, content->str);

      g_clear_pointer (&map, welkin_value_unref);
      g_clear_pointer (&again, welkin_value_unref);
      g_clear_pointer (&text, g_free);
      map = welkin_value_new_map ((const char *const[]) { content->str }, &value, 1, NULL);
      text = wk_yaml_print (map);
      again = parse (text);
      g_assert_cmpstr (welkin_value_get_key (again, 0), ==, content->str);
    }
}

/* Whatever is done to a good file, reading it neither crashes nor hangs. */
static void
test_damaged (void)
{
  const char *good = "default: a\n"
                     "environments:\n"
                     "  a: &a {type: \"openstack\", password: 'it''s', list: [1, 2]}\n"
                     "  b:\n"
                     "    <<: *a\n"
                     "    text: |-\n"
                     "      x\n";
  gsize length = strlen (good);

  for (guint i = 0; i < 20000; i++)
    {
      g_autofree char *text = g_strdup (good);
      gsize cut = (gsize) g_test_rand_int_range (0, (int) length + 1);
      g_autoptr(WelkinValue) value = NULL;
      g_autoptr(GError) error = NULL;

      for (int n = g_test_rand_int_range (0, 4); n > 0; n--)
        text[g_test_rand_int_range (0, (int) length)] = (char) g_test_rand_int_range (0, 256);
      value = wk_yaml_parse (text, (gssize) cut, "f.yaml", &error);
      g_assert_true ((value == NULL) == (error != NULL));
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/yaml/parse/keeps-scalars-as-written", test_scalars_as_written);
  g_test_add_func ("/yaml/parse/knows-what-is-unset", test_unset);
  g_test_add_func ("/yaml/parse/tells-the-line-of-each-value", test_origins);
  g_test_add_func ("/yaml/parse/reads-files-from-windows", test_dos_file);
  g_test_add_func ("/yaml/parse/follows-anchors-and-merges", test_anchors);
  g_test_add_func ("/yaml/parse/refuses-with-line-and-advice", test_refused);
  g_test_add_func ("/yaml/parse/never-shows-a-value", test_values_stay_secret);
  g_test_add_func ("/yaml/parse/bounds-depth", test_depth);
  g_test_add_func ("/yaml/parse/bounds-aliases", test_alias_bomb);
  g_test_add_func ("/yaml/parse/bounds-size", test_size);
  g_test_add_func ("/yaml/parse/survives-damage", test_damaged);
  g_test_add_func ("/yaml/print/sorts-and-quotes", test_print);
  g_test_add_func ("/yaml/print/replaces-what-is-not-utf8", test_print_invalid_utf8);
  g_test_add_func ("/yaml/print/reads-back-the-same", test_round_trip);
  return g_test_run ();
}
