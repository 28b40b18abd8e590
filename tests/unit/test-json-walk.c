/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/json-walk.h"
#include "values/welkin-error.h"

/* What the walk shows, a line for each value. */
static gboolean
note_value (const char *const *path,
            guint              depth,
            const char        *text,
            gpointer           data,
            GError           **error)
{
  GString *seen = data;
  g_autofree char *way = g_strjoinv ("/", (char **) path);

  g_assert_cmpuint (g_strv_length ((char **) path), ==, depth);
  g_string_append_printf (seen, "%s=%s\n", way, text != NULL ? text : "…");
  if (g_strcmp0 (text, "stop") != 0)
    return TRUE;
  g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_FAILED, "no more of this");
  return FALSE;
}

/* (transfer full): what was seen, or NULL */
static char *
walk (const char         *text,
      gssize              length,
      const WkJsonLimits *limits,
      GError            **error)
{
  g_autoptr(GBytes) bytes = g_bytes_new (text, length >= 0 ? (gsize) length : strlen (text));
  g_autoptr(GString) seen = g_string_new (NULL);

  if (!wk_json_walk (bytes, limits, note_value, seen, error))
    return NULL;
  return g_string_free (g_steal_pointer (&seen), FALSE);
}

static void
assert_seen (const char *text,
             const char *expected)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *seen = walk (text, -1, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (seen, ==, expected);
}

static void
assert_refused (const char         *text,
                gssize              length,
                const WkJsonLimits *limits,
                const char         *message)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *seen = walk (text, length, limits, &error);

  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
  g_assert_nonnull (strstr (error->message, message));
  g_assert_null (seen);
}

static void
test_every_value_is_shown_with_its_way (void)
{
  assert_seen ("{\"a\":{\"b\":[1,\"x\",{\"c\":true}],\"d\":\"\"},\"e\":null,\"f\":-2.5e3}",
               "=…\na=…\na/b=…\na/b/0=1\na/b/1=x\na/b/2=…\na/b/2/c=true\na/d=\nf=-2.5e3\n");
  assert_seen ("[[],[[7]],{}]", "=…\n0=…\n1=…\n1/0=…\n1/0/0=7\n2=…\n");
  assert_seen ("[null,\"after\"]", "=…\n1=after\n");
  assert_seen ("\"bare\"", "=bare\n");
}

/* Also where a key is far longer than the one before. */
static void
test_keys_may_be_anything (void)
{
  assert_seen ("{\"\":1,\"a/b\":{\"a key that is much longer than what there is room for at "
               "first\":2},"
               "\"\\u00e9\":3}",
               "=…\n=1\na/b=…\na/b/a key that is much longer than what there is room for at first=2"
               "\n\u00e9=3\n");
}

static void
test_limits_hold (void)
{
  const WkJsonLimits few = { .max_records = 3 };
  const WkJsonLimits shallow = { .max_depth = 2 };
  const WkJsonLimits narrow = { .max_string = 4 };
  const WkJsonLimits small = { .max_bytes = 8 };

  assert_refused ("[1,2,3]", -1, &few, "more than 3 values");
  assert_refused ("[[[1]]]", -1, &shallow, "nested more than 2 deep");
  assert_refused ("[\"12345\"]", -1, &narrow, "more than 4 bytes");
  assert_refused ("{\"12345\":1}", -1, &narrow, "more than 4 bytes");
  assert_refused ("[1,2,3,4,5]", -1, &small, "longer than 8 bytes");
}

static void
test_what_is_no_text_or_no_json_is_refused (void)
{
  assert_refused ("[\"\xff\"]", -1, NULL, "UTF-8");
  assert_refused ("{\"\xff\":1}", -1, NULL, "UTF-8");
  assert_refused ("[\"a\\u0000b\"]", -1, NULL, "UTF-8");
  assert_refused ("{\"a\":", -1, NULL, "cut off");
  assert_refused ("<html>", -1, NULL, "not JSON");
  assert_refused ("", 0, NULL, "cut off");
}

static void
test_the_visitor_may_end_it (void)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *seen = walk ("[\"go\",\"stop\",\"go\"]", -1, NULL, &error);

  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_FAILED);
  g_assert_cmpstr (error->message, ==, "no more of this");
  g_assert_null (seen);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/json-walk/every-value-is-shown-with-its-way",
                   test_every_value_is_shown_with_its_way);
  g_test_add_func ("/json-walk/keys-may-be-anything", test_keys_may_be_anything);
  g_test_add_func ("/json-walk/limits-hold", test_limits_hold);
  g_test_add_func ("/json-walk/what-is-no-text-or-no-json-is-refused",
                   test_what_is_no_text_or_no_json_is_refused);
  g_test_add_func ("/json-walk/the-visitor-may-end-it", test_the_visitor_may_end_it);

  return g_test_run ();
}
