/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "environments/logging-config.h"

#include "values/welkin-error.h"

static void
test_good (void)
{
  const struct
  {
    const char *text;
    const char *canonical;
  } vectors[] = {
    { "", "" },
    { "WARNING", "<root>=WARNING" },
    { " debug ", "<root>=DEBUG" },
    { "warn", "<root>=WARNING" },
    { "<root>=WARNING;juju=DEBUG", "<root>=WARNING;juju=DEBUG" },
    { " a.b = trace : <root>=error ", "a.b=TRACE;<root>=ERROR" },
    { "a=INFO;b=CRITICAL;a=UNSPECIFIED", "a=UNSPECIFIED;b=CRITICAL" },
    { "a=INFO;", "a=INFO" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (vectors); i++)
    {
      g_autoptr(GError) error = NULL;
      g_autofree char *canonical = NULL;

      canonical = welkin_logging_config_normalize (vectors[i].text, &error);
      g_assert_no_error (error);
      g_assert_cmpstr (canonical, ==, vectors[i].canonical);
    }
}

static void
test_bad (void)
{
  const struct
  {
    const char *text;
    const char *message;
  } vectors[] = {
    { "loud", "logging-config: expected MODULE=LEVEL, got \"loud\"" },
    { "a=INFO;b", "logging-config: expected MODULE=LEVEL, got \"b\"" },
    { "=INFO", "logging-config: expected MODULE=LEVEL, got \"=INFO\"" },
    { "a=LOUD", "logging-config: unknown level in \"a=LOUD\"" },
    { "a=", "logging-config: unknown level in \"a=\"" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (vectors); i++)
    {
      g_autoptr(GError) error = NULL;

      g_assert_null (welkin_logging_config_normalize (vectors[i].text, &error));
      g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG);
      g_assert_cmpstr (error->message, ==, vectors[i].message);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/logging-config/good/becomes-canonical", test_good);
  g_test_add_func ("/logging-config/bad/is-named", test_bad);
  return g_test_run ();
}
