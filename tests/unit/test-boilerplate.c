/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "environments/boilerplate.h"

#include <string.h>

#include "values/welkin-error.h"

static void
test_rand (void)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *text = NULL;
  g_auto(GStrv) words = NULL;

  text = welkin_boilerplate_expand ("a {{rand}} {{ rand }} {b}", "x", &error);
  g_assert_no_error (error);
  words = g_strsplit (text, " ", -1);
  g_assert_cmpuint (g_strv_length (words), ==, 4);
  g_assert_cmpuint (strlen (words[1]), ==, 32);
  g_assert_cmpuint (strlen (words[2]), ==, 32);
  g_assert_cmpstr (words[1], !=, words[2]);
  g_assert_cmpstr (words[3], ==, "{b}");
}

static void
test_unknown (void)
{
  const char *const stanzas[] = { "a: {{date}}", "a: {{", "a: {{}}", "a: {{rand",
                                  "{{rand}} {{x}}" };

  for (gsize i = 0; i < G_N_ELEMENTS (stanzas); i++)
    {
      g_autoptr(GError) error = NULL;

      g_assert_null (welkin_boilerplate_expand (stanzas[i], "x", &error));
      g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_FAILED);
      g_assert_nonnull (strstr (error->message, "provider \"x\""));
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/boilerplate/rand/is-never-the-same", test_rand);
  g_test_add_func ("/boilerplate/unknown/names-the-provider", test_unknown);
  return g_test_run ();
}
