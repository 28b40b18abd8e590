/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/text.h"

#include <string.h>

typedef struct
{
  const char *text;
  const char *quoted;
} Vector;

static void
test_quote (void)
{
  const Vector vectors[] = {
    { "", "\"\"" },
    { "plain", "\"plain\"" },
    { "a\"b\\c", "\"a\\\"b\\\\c\"" },
    { "two\nlines\tand\rmore", "\"two\\nlines\\tand\\u000dmore\"" },
    { "\x1b[31mred", "\"\\u001b[31mred\"" },
    { "\xc3\xa4", "\"\xc3\xa4\"" },
    { "bad \xff", "\"bad \xef\xbf\xbd\"" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (vectors); i++)
    {
      g_autofree char *quoted = wk_quote (vectors[i].text);

      g_assert_cmpstr (quoted, ==, vectors[i].quoted);
    }
}

static void
test_shell_quote (void)
{
  const Vector vectors[] = {
    { "", "''" },
    { "plain", "'plain'" },
    { "it's", "'it'\"'\"'s'" },
    { "$(rm -rf /) \\", "'$(rm -rf /) \\'" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (vectors); i++)
    {
      g_autofree char *quoted = wk_shell_quote (vectors[i].text);
      g_autofree char *command = g_strconcat ("printf %s ", quoted, NULL);
      g_auto(GStrv) words = NULL;
      g_autoptr(GError) error = NULL;

      g_assert_cmpstr (quoted, ==, vectors[i].quoted);
      g_shell_parse_argv (command, NULL, &words, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (words[2], ==, vectors[i].text);
    }
}

static void
test_random_hex (void)
{
  g_autofree char *digits = wk_random_hex (16);
  g_autofree char *others = wk_random_hex (16);

  g_assert_cmpuint (strlen (digits), ==, 32);
  g_assert_cmpuint (strspn (digits, "0123456789abcdef"), ==, 32);
  g_assert_cmpstr (digits, !=, others);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/text/quote/escapes-what-would-mislead", test_quote);
  g_test_add_func ("/text/shell-quote/is-one-word-with-the-same-text", test_shell_quote);
  g_test_add_func ("/text/random-hex/is-never-the-same", test_random_hex);
  return g_test_run ();
}
