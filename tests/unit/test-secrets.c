/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Secrets are left out in whichever way others write them. */

#include "config.h"

#include <string.h>
#include <time.h>

#include "base/secrets.h"

static char *
hide (const char *secret,
      const char *text,
      gboolean    is_cut)
{
  g_autoptr(WkSecrets) secrets = wk_secrets_new ();

  wk_secrets_add (secrets, secret);
  return wk_secrets_hide (secrets, text, is_cut);
}

/* A secret, and how it may be written. */
static const char *const spellings[][2] = {
  { "plain", "plain" },
  { "a\"b&c", "a\"b&c" },
  { "a\"b&c", "a&quot;b&amp;c" },
  { "a\"b&c", "a&#34;b&#38;c" },
  { "a\"b&c", "a&#034;b&#x26;c" },
  { "a\"b&c", "a&#X22;b&amp;c" },
  { "a\"b&c", "a&amp;quot;b&amp;amp;c" },
  { "a\"b&c", "a&amp;#34;b&amp;amp;amp;c" },
  { "a\"b&c", "a%22b%26c" },
  { "a\"b&c", "a%2522b%2526c" },
  { "a\"b&c", "a\\\"b&c" },
  { "a\"b&c", "a\\\\\\\"b\\u0026c" },
  { "a\"b&c", "a\\&quot;b&amp;c" },
  { "a'b<c>", "a&#x27;b&lt;c&gt;" },
  { "a'b<c>", "a\\'b\\u003cc\\u003E" },
  { "a/b c", "a\\/b+c" },
  { "a/b c", "a%2fb%20c" },
  { "a/b c", "%61%2F%62%20%63" },
  { "tab\there", "tab\\there" },
  { "tab\there", "tab\\\\there" },
  { "tab\there", "tab\\u0009here" },
  { "tab\there", "tab\\x09here" },
  { "tab\there", "tab&#9;here" },
  { "tab\there", "tab%09here" },
  { "do\\main", "do\\main" },
  { "do\\main", "do\\\\main" },
  { "do\\main", "do\\\\\\\\main" },
  { "do\\main", "do%5Cmain" },
  { "do\\main", "do%5cmain" },
  { "do\\main", "do&#92;main" },
  { "do\\main", "do\\u005cmain" },
  { "do\\\tain", "do\\\\\\tain" },
  { "end\\", "end\\\\" },
  { "\\\\\\\\", "\\\\\\\\\\\\\\\\" },
  { "\\\\\\\\\\\\", "\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\" },
  { "xäöü", "x\\u00e4\\u00F6\\u00fc" },
  { "xäöü", "x\\\\u00e4\\\\u00f6\\\\u00fc" },
  { "xäöü", "x\\xe4\\xf6\\xfc" },
  { "xäöü", "x\\xc3\\xa4\\xc3\\xb6\\xc3\\xbc" },
  { "xäöü", "x%C3%A4%c3%b6ü" },
  { "xäöü", "x%E4%F6%FC" },
  { "xäöü", "x&auml;&#246;&#xfc;" },
  { "x€😀", "x\\u20ac\\ud83d\\ude00" },
  { "x€😀", "x\\u20AC\\U0001f600" },
  { "x€😀", "x&#8364;&#x1F600;" },
  { "x€😀", "x%E2%82%AC%F0%9F%98%80" },
  { "a%b+c", "a%25b%2Bc" },
  { "a%25b", "a%25b" },
  { "a%25b", "a%2525b" },
  { "a&amp;b", "a&amp;amp;b" },
  { "a+b c", "a+b+c" },
};

static void
test_each_spelling_is_hidden (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (spellings); i++)
    {
      g_autofree char *text = g_strconcat ("'", spellings[i][1], "' is wrong: ",
                                           spellings[i][1], NULL);
      g_autofree char *safe = hide (spellings[i][0], text, FALSE);

      g_test_message ("%s", spellings[i][1]);
      g_assert_cmpstr (safe, ==, "'***' is wrong: ***");
    }
}

static void
test_what_is_none_stays (void)
{
  static const char *const cases[][2] = {
    { "a\"b&c", "a'b&c" },
    { "a\"b&c", "a&quot;b&amp" },
    { "a\"b&c", "a&#35;b&#38;c" },
    { "xäöü", "x\\u00e4\\u00f6\\u00f" },
    { "xäöü", "x%C3%A4%C3%B6%C3" },
    { "x😀yz", "x\\ud83d\\u0020yz" },
    { "longer", "longe" },
    { "longer", "Longer %" },
    { "longer", "longe\\" },
    { "abc", "abc" },
    { "", "nothing" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *safe = hide (cases[i][0], cases[i][1], FALSE);

      g_assert_cmpstr (safe, ==, cases[i][1]);
    }
}

/* Whichever came first to be known. */
static void
test_a_secret_in_another_leaves_no_rest (void)
{
  static const char *const values[] = { "begin", "beginning", "ending", "ngent" };
  g_autoptr(WkSecrets) secrets = wk_secrets_new ();
  g_autofree char *safe = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    wk_secrets_add (secrets, values[i]);
  safe = wk_secrets_hide (secrets, "a beginning, an ending, begin, beginningent, ending-beginning",
                          FALSE);
  g_assert_cmpstr (safe, ==, "a ***, an ***, ***, ***, ***-***");
}

static void
test_what_was_cut_ends_in_no_beginning (void)
{
  static const char *const cases[][2] = {
    { "it is hush\"hush", "it is ***" },
    { "it is hush\"hu", "it is ***" },
    { "it is hush&quot;hu", "it is ***" },
    { "it is hush&quo", "it is ***" },
    { "it is hush%2", "it is ***" },
    { "it is hush\\", "it is ***" },
    { "it is hush", "it is ***" },
    { "it is hush\xEF\xBF\xBD", "it is ***" },
    { "hush it is", "hush it is" },
    { "hush&quot; it is 25% & more", "hush&quot; it is 25% & more" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *safe = hide ("hush\"hush", cases[i][0], TRUE);

      g_assert_cmpstr (safe, ==, cases[i][1]);
    }
}

static void
test_much_of_a_long_secret_is_one (void)
{
  g_autofree char *head = g_strnfill (300, 'h');
  g_autofree char *few = g_strnfill (255, 'h');
  g_autofree char *secret = g_strconcat (head, "tail", NULL);
  g_autofree char *cut = g_strconcat ("<", head, "…> <", secret, "> <", few, ">", NULL);
  g_autofree char *expected = g_strconcat ("<***…> <***> <", few, ">", NULL);
  g_autofree char *safe = hide (secret, cut, FALSE);

  g_assert_cmpstr (safe, ==, expected);
}

/* One character as somebody may write it. */
static char *
spell (gunichar character,
       int      spelling)
{
  char bytes[7] = { 0 };
  int n_bytes = g_unichar_to_utf8 (character, bytes);
  GString *text = g_string_new (NULL);

  switch (spelling)
    {
    case 0:
      return g_strdup_printf ("&#%u;", character);
    case 1:
      return g_strdup_printf ("&#x%x;", character);
    case 2:
      return g_strdup_printf ("&amp;#x%X;", character);
    case 3:
      if (character > 0xFFFF)
        return g_strdup_printf ("\\u%04x\\u%04x", 0xD7C0 + (character >> 10),
                                0xDC00 + (character & 0x3FF));
      return g_strdup_printf ("\\u%04x", character);
    case 4:
      return g_strdup_printf (character > 0xFFFF ? "\\\\U%08X" : "\\\\u%04X", character);
    case 5:
    case 6:
    case 7:
    case 8:
      for (int i = 0; i < n_bytes; i++)
        g_string_append_printf (text, spelling == 5 ? "%%%02x" : spelling == 6 ? "%%%02X"
                                : spelling == 7 ? "%%25%02X" : "\\x%02x", (guchar) bytes[i]);
      return g_string_free (text, FALSE);
    default:
      if (strchr ("\"'\\/&", bytes[0]) != NULL)
        g_string_append_c (text, '\\');
      g_string_append (text, bytes);
      return g_string_free (text, FALSE);
    }
}

/* Odd characters, of which each may be written in a way of its own, or all in the same. */
static void
test_odd_secrets_never_come_through (void)
{
  static const gunichar odd[] = {
    '"', '\'', '\\', '&', '<', '>', '%', '+', ' ', '\t', '\n', ';', '#', '/', '=', '{', 'u', 'x',
    'n', 't', '0', '2', '5', 'a', 0xE4, 0xFC, 0xA0, 0x20AC, 0x2028, 0x1F600,
  };

  for (guint round = 0; round < 20000; round++)
    {
      g_autoptr(GString) secret = g_string_new (NULL);
      g_autoptr(GString) text = g_string_new ("<");
      g_autofree char *safe = NULL;
      int n = g_test_rand_int_range (4, 12);
      int same = g_test_rand_int_range (-10, 10);

      for (int i = 0; i < n; i++)
        {
          gunichar character = odd[g_test_rand_int_range (0, G_N_ELEMENTS (odd))];
          g_autofree char *spelled =
            spell (character, same >= 0 ? same : g_test_rand_int_range (0, 10));

          g_string_append_unichar (secret, character);
          g_string_append (text, spelled);
        }
      g_string_append (text, ">");
      safe = hide (secret->str, text->str, FALSE);
      g_assert_true (g_str_has_prefix (safe, "<***"));
      g_assert_true (g_str_has_suffix (safe, ">"));
      g_assert_cmpuint (strlen (safe), <=, strlen ("<******>"));
    }
}

/* Text that is full of what a secret may begin with. */
static void
test_much_text_takes_no_time (void)
{
  static const char *const pieces[] = {
    "\\\\\\\\", "&amp;amp;", "%2525", "Canary", "{\"a\": 1}, ",
  };
  gsize size = 1024 * 1024;

  for (guint i = 0; i < G_N_ELEMENTS (pieces); i++)
    {
      g_autoptr(WkSecrets) secrets = wk_secrets_new ();
      g_autoptr(GString) text = g_string_new (NULL);
      g_autofree char *safe = NULL;
      g_autofree char *token = g_strnfill (2000, 'C');
      clock_t begin;

      for (guint j = 0; j < 6; j++)
        {
          g_autofree char *secret = g_strdup_printf ("Canary\\%%&\"%u", j);

          wk_secrets_add (secrets, secret);
        }
      wk_secrets_add (secrets, token);
      while (text->len < size)
        g_string_append (text, pieces[i]);
      begin = clock ();
      safe = wk_secrets_hide (secrets, text->str, FALSE);
      begin = clock () - begin;
      g_test_message ("%s: %ld ms", pieces[i], begin * 1000 / CLOCKS_PER_SEC);
      g_assert_cmpstr (safe, ==, text->str);
      g_assert_cmpint (begin, <, 10 * CLOCKS_PER_SEC);
    }
}

/* A secret of one character, over and over, agrees everywhere with as much of itself. */
static void
test_long_secrets_take_no_time (void)
{
  g_autofree char *secret = g_strnfill (100000, 's');
  g_autofree char *other = g_strconcat (secret, "t", NULL);
  g_autofree char *text = g_strconcat (secret, secret, "-", secret, NULL);
  clock_t begin = clock ();
  g_autofree char *safe = hide (secret, text, FALSE);
  g_autofree char *safe_of_other = hide (other, text, TRUE);

  g_assert_cmpstr (safe, ==, "******-***");
  g_assert_cmpstr (safe_of_other, ==, "******-***");
  g_assert_cmpint (clock () - begin, <, 10 * CLOCKS_PER_SEC);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/secrets/each-spelling-is-hidden", test_each_spelling_is_hidden);
  g_test_add_func ("/secrets/what-is-none-stays", test_what_is_none_stays);
  g_test_add_func ("/secrets/a-secret-in-another-leaves-no-rest",
                   test_a_secret_in_another_leaves_no_rest);
  g_test_add_func ("/secrets/what-was-cut-ends-in-no-beginning",
                   test_what_was_cut_ends_in_no_beginning);
  g_test_add_func ("/secrets/much-of-a-long-secret-is-one", test_much_of_a_long_secret_is_one);
  g_test_add_func ("/secrets/odd-secrets-never-come-through", test_odd_secrets_never_come_through);
  g_test_add_func ("/secrets/much-text-takes-no-time", test_much_text_takes_no_time);
  g_test_add_func ("/secrets/long-secrets-take-no-time", test_long_secrets_take_no_time);

  return g_test_run ();
}
