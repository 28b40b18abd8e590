/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/uri.h"

/* Takes the text. */
static void
assert_text (char       *text,
             const char *expected)
{
  g_assert_cmpstr (text, ==, expected);
  g_free (text);
}

static void
test_join_has_one_slash (void)
{
  assert_text (wk_uri_join ("http://h", "a", "b", NULL), "http://h/a/b");
  assert_text (wk_uri_join ("http://h/", "a", NULL), "http://h/a");
  assert_text (wk_uri_join ("http://h/v2.1//", "servers", "17", NULL), "http://h/v2.1/servers/17");
  assert_text (wk_uri_join ("http://h/v2.1", NULL), "http://h/v2.1");
  assert_text (wk_uri_join ("http://h/v1/?token=a/b", "c", NULL), "http://h/v1/c?token=a/b");
}

static void
test_segments_are_encoded_once (void)
{
  static const struct
  {
    const char *name;
    const char *encoded;
  } rows[] = {
    { "my%20file.txt", "my%2520file.txt" },
    { "my file.txt", "my%20file.txt" },
    { "100%", "100%25" },
    { "a#b", "a%23b" },
    { "a?b", "a%3Fb" },
    { "c %1", "c%20%251" },
    { "\u00e9", "%C3%A9" },
    { "a+b&c=d;e:@", "a%2Bb%26c%3Dd%3Be%3A%40" },
    { "-._~", "-._~" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *expected = g_strconcat ("http://h/c/", rows[i].encoded, NULL);
      g_autofree char *uri = wk_uri_join ("http://h/c", rows[i].name, NULL);
      g_autofree char *decoded = g_uri_unescape_string (uri + strlen ("http://h/c/"), NULL);

      g_assert_cmpstr (uri, ==, expected);
      g_assert_cmpstr (decoded, ==, rows[i].name);
      assert_text (wk_uri_join_path ("http://h/c/", rows[i].name), expected);
    }

  assert_text (wk_uri_join ("http://h", "a/b", NULL), "http://h/a%2Fb");
  assert_text (wk_uri_join_path ("http://h", "a b/c d"), "http://h/a%20b/c%20d");
}

static void
test_names_with_slashes_stay_distinct (void)
{
  assert_text (wk_uri_join_path ("http://h/c", "a/b"), "http://h/c/a/b");
  assert_text (wk_uri_join_path ("http://h/c", "a//b"), "http://h/c/a//b");
  assert_text (wk_uri_join_path ("http://h/c", "/a/b"), "http://h/c//a/b");
  assert_text (wk_uri_join_path ("http://h/c", "a/"), "http://h/c/a/");
  assert_text (wk_uri_join_path ("http://h/c", ""), "http://h/c/");
}

static void
test_dots_do_not_climb (void)
{
  assert_text (wk_uri_join ("http://h/servers", "..", NULL), "http://h/servers/%2E%2E");
  assert_text (wk_uri_join ("http://h/servers", ".", "x", NULL), "http://h/servers/%2E/x");
  assert_text (wk_uri_join_path ("http://h/c", "a/../b"), "http://h/c/a/%2E%2E/b");
  assert_text (wk_uri_join_path ("http://h/c", "...a"), "http://h/c/...a");
}

static void
test_query (void)
{
  const char *absent = NULL;

  assert_text (wk_uri_add_query ("http://h/p", "name", "^a b&c$", "limit", "1", NULL),
               "http://h/p?name=%5Ea%20b%26c%24&limit=1");
  assert_text (wk_uri_add_query ("http://h/p?x=1", "y", "2", NULL), "http://h/p?x=1&y=2");
  assert_text (wk_uri_add_query ("http://h/p", "x", absent, "y", "2", NULL), "http://h/p?y=2");
  assert_text (wk_uri_add_query ("http://h/p", "x", absent, NULL), "http://h/p");
  assert_text (wk_uri_add_query ("http://h/p#top", "x", "", NULL), "http://h/p?x=");
}

static void
test_next_link_gives_only_its_query (void)
{
  assert_text (
      wk_uri_with_query_of ("https://h/v2/images?limit=1", "/v2/images?limit=1&marker=a%2Fb"),
      "https://h/v2/images?limit=1&marker=a%2Fb");
  assert_text (wk_uri_with_query_of ("https://h/v2.1/servers", "http://internal:9999/x?marker=1#f"),
               "https://h/v2.1/servers?marker=1");
  assert_text (wk_uri_with_query_of ("https://h/p?a=1", "https://evil/"), "https://h/p");
  assert_text (wk_uri_with_query_of ("https://h/p", "?a=b c\r\nX: y"),
               "https://h/p?a=b%20c%0D%0AX:%20y");
}

static void
test_origin (void)
{
  assert_text (wk_uri_get_origin ("HTTP://Example.COM:80/p"), "http://example.com");
  assert_text (wk_uri_get_origin ("https://example.com:443"), "https://example.com");
  assert_text (wk_uri_get_origin ("https://example.com:80/"), "https://example.com:80");
  assert_text (wk_uri_get_origin ("http://u:p@h:5000/v3?q#f"), "http://h:5000");
  assert_text (wk_uri_get_origin ("https://[2001:DB8::a3]:13000/v3"),
               "https://[2001:db8::a3]:13000");
  assert_text (wk_uri_get_origin ("https://[2001:db8::a3]/"), "https://[2001:db8::a3]");
  assert_text (wk_uri_get_origin ("http://[fe80::1%25eth0]:80/"), "http://[fe80::1%25eth0]");
}

static void
test_no_origin (void)
{
  static const char *const texts[] = {
    "", "h", "h:5000", "ftp://h/", "http://", "http:///p", "file:///etc", "/p", "http://h:port/",
    "http://[::1/",
    "http://a%20b/",
    "http://a%2Fb@c%5D/",
    "http://[::1%25]/", "http://h:99999/", "mailto:a@b",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_test_message ("%s", texts[i]);
      assert_text (wk_uri_get_origin (texts[i]), NULL);
    }
}

static void
test_display_hides_secrets (void)
{
  assert_text (wk_uri_for_display ("https://user:secret@h:5000/v3/a%20b?temp_url_sig=x#f"),
               "https://h:5000/v3/a%20b");
  assert_text (wk_uri_for_display ("https://[2001:db8::a3]:13000/v3"),
               "https://[2001:db8::a3]:13000/v3");
  assert_text (wk_uri_for_display ("user:secret@h:port?x"), "h:port");
  assert_text (wk_uri_for_display ("http://u:se@cret@h:port/"), "h:port/");
  assert_text (wk_uri_for_display ("nonsense"), "nonsense");
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/uri/join-has-one-slash", test_join_has_one_slash);
  g_test_add_func ("/uri/segments-are-encoded-once", test_segments_are_encoded_once);
  g_test_add_func ("/uri/names-with-slashes-stay-distinct", test_names_with_slashes_stay_distinct);
  g_test_add_func ("/uri/dots-do-not-climb", test_dots_do_not_climb);
  g_test_add_func ("/uri/query", test_query);
  g_test_add_func ("/uri/next-link-gives-only-its-query", test_next_link_gives_only_its_query);
  g_test_add_func ("/uri/origin", test_origin);
  g_test_add_func ("/uri/no-origin", test_no_origin);
  g_test_add_func ("/uri/display-hides-secrets", test_display_hides_secrets);

  return g_test_run ();
}
