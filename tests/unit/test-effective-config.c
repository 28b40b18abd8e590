/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What holds for an environment, where it comes from, and what of it is remembered. */

#include <string.h>
#include <welkin.h>

#include "home.h"
#include "result.h"

#define FILE_NAME ".config/welkin/environments.yaml"
#define INFO_NAME ".local/share/welkin/environments/e1.yaml"
#define GOOD \
  "environments:\n" \
  "  e1:\n" \
  "    type: dummy\n" \
  "    authorized-keys: ssh-rsa AAAA x\n"

static WelkinEnvironments *
make_environments (Home *home)
{
  g_autofree char *directory = g_test_build_filename (G_TEST_BUILT, "plugins", "dummy", NULL);
  const char *const directories[] = { directory, NULL };
  g_autoptr(WelkinRegistry) registry = welkin_registry_new (directories);

  return welkin_environments_new (registry, home->surroundings);
}

static WelkinConfig *
load (WelkinEnvironments *environments)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinProvider) provider = NULL;
  WelkinConfig *config = NULL;

  config = welkin_environments_load_effective_config (environments, "e1", &provider, &error);
  g_assert_no_error (error);
  g_assert_true (WELKIN_IS_PROVIDER (provider));
  return config;
}

/* suffix: (nullable) what the origin of the value ends in; NULL for none */
static void
assert_attribute (WelkinConfig *config,
                  const char   *key,
                  const char   *text,
                  const char   *suffix)
{
  WelkinValue *value = welkin_config_lookup (config, key);
  const char *origin = NULL;

  g_assert_nonnull (value);
  origin = welkin_value_get_origin (value);
  g_test_message ("%s: %s (%s)", key, welkin_value_get_text (value), origin);
  g_assert_cmpstr (welkin_value_get_text (value), ==, text);
  if (suffix == NULL)
    g_assert_null (origin);
  else
    g_assert_true (origin != NULL && g_str_has_suffix (origin, suffix));
}

static void
test_each_value_has_its_origin (void)
{
  g_autoptr(Home) home = home_new ("DUMMY_SECRET=hush");
  g_autoptr(WelkinEnvironments) environments = make_environments (home);
  g_autoptr(WelkinConfig) config = NULL;

  home_write (home, FILE_NAME, GOOD "    machines: 3\n");
  config = load (environments);
  assert_attribute (config, "type", "dummy", "environments.yaml:3");
  assert_attribute (config, "machines", "3", "environments.yaml:5");
  assert_attribute (config, "secret", "hush", "DUMMY_SECRET");
  assert_attribute (config, "api-port", "17070", NULL);
}

static void
test_files_are_origins_as_well (void)
{
  g_autoptr(Home) home = home_new ("WELKIN_LOGGING_CONFIG=<root>=DEBUG");
  g_autoptr(WelkinEnvironments) environments = make_environments (home);
  g_autoptr(WelkinConfig) config = NULL;

  home_write (home, FILE_NAME,
              "environments: {e1: {type: dummy, authorized-keys-path: mine.pub}}\n");
  home_write (home, ".ssh/mine.pub", "ssh-rsa AAAA x\n");
  config = load (environments);
  g_assert_true (g_str_has_suffix (welkin_config_get_string (config, "authorized-keys"),
                                   "ssh-rsa AAAA x\n"));
  g_assert_true (g_str_has_suffix (welkin_value_get_origin (
                                     welkin_config_lookup (config, "authorized-keys")),
                                   "/.ssh/mine.pub"));
  assert_attribute (config, "logging-config", "<root>=DEBUG", "WELKIN_LOGGING_CONFIG");
}

static void
test_what_is_remembered_holds (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinEnvironments) environments = make_environments (home);
  g_autoptr(WelkinConfig) config = NULL;

  home_write (home, FILE_NAME, GOOD "    machines: 3\n");
  home_write (home, INFO_NAME,
              "bootstrap-config:\n"
              "  name: e1\n"
              "  type: dummy\n"
              "  machines: 2\n"
              "  default-series: noble\n"
              "  firewall-mode: none\n"
              "  development: no\n"
              "  ssl-hostname-verification: yes\n"
              "  authorized-keys: ssh-rsa AAAA x\n"
              "  uuid: 0f3c55e4-9f4e-4c7e-8d5c-7f1f0e3f6a11\n");
  config = load (environments);
  assert_attribute (config, "machines", "2", "e1.yaml:4");
}

static void
test_what_is_asked_for_wins (void)
{
  g_autoptr(Home) home = home_new ("DUMMY_SECRET=hush");
  g_autoptr(WelkinEnvironments) environments = make_environments (home);
  g_autoptr(WelkinValue) value = welkin_value_new_text ("loud", TRUE, "--secret");
  g_autoptr(WelkinValue) later = welkin_value_new_text ("louder", TRUE, "--secret");
  g_autoptr(WelkinConfig) config = NULL;
  g_autoptr(WelkinConfig) again = NULL;

  home_write (home, FILE_NAME, GOOD "    secret: written\n");
  welkin_environments_override (environments, "secret", value);
  config = load (environments);
  assert_attribute (config, "secret", "loud", "--secret");
  welkin_environments_override (environments, "secret", later);
  again = load (environments);
  assert_attribute (again, "secret", "louder", "--secret");
}

static void
test_errors_are_those_of_the_file (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinEnvironments) environments = make_environments (home);
  g_autoptr(GError) error = NULL;

  g_assert_null (welkin_environments_load_effective_config (environments, "e1", NULL, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NO_ENVIRONS_FILE);
  g_clear_error (&error);

  home_write (home, FILE_NAME, GOOD "    machines: many\n");
  g_assert_null (welkin_environments_load_effective_config (environments, "e1", NULL, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG);
  g_assert_true (g_str_has_suffix (error->message, ":5: machines: expected number, got "
                                                   "string(\"many\")"));
}

/* What the info store holds once the environment is prepared. */
static char *
prepare (Home              *home,
         WelkinPrepareFlags flags)
{
  g_autoptr(WelkinEnvironments) environments = make_environments (home);
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(WelkinEnviron) environment = NULL;
  g_autoptr(GError) error = NULL;

  welkin_environments_prepare_async (environments, "e1", flags, NULL, result_cb, &result);
  result_wait (&result);
  environment = welkin_environments_prepare_finish (environments, result, NULL, &error);
  g_assert_no_error (error);
  return home_read (home, INFO_NAME);
}

static void
test_credentials_are_saved_on_demand_alone (void)
{
  g_autoptr(Home) home = home_new ("DUMMY_SECRET=hush");
  g_autoptr(Home) other_home = home_new ("DUMMY_SECRET=hush");
  g_autofree char *text = NULL;
  g_autofree char *saved = NULL;

  home_write (home, FILE_NAME, GOOD);
  home_write (other_home, FILE_NAME, GOOD);
  text = prepare (home, WELKIN_PREPARE_NONE);
  saved = prepare (other_home, WELKIN_PREPARE_SAVE_CREDENTIALS);
  g_assert_null (strstr (text, "hush"));
  g_assert_nonnull (strstr (saved, "  secret: hush\n"));
}

static void
test_credentials_of_what_is_remembered_are_not_saved (void)
{
  g_autoptr(Home) home = home_new ("DUMMY_SECRET=hush");
  g_autofree char *text = NULL;
  g_autofree char *again = NULL;

  home_write (home, FILE_NAME, GOOD);
  text = prepare (home, WELKIN_PREPARE_NONE);
  g_test_expect_message ("welkin", G_LOG_LEVEL_WARNING, "ignoring environments.yaml: *");
  g_test_expect_message ("welkin", G_LOG_LEVEL_WARNING,
                         "credentials are not saved: environment \"e1\" is remembered already");
  again = prepare (home, WELKIN_PREPARE_SAVE_CREDENTIALS);
  g_test_assert_expected_messages ();
  g_assert_cmpstr (again, ==, text);
}

static void
test_every_attribute_is_in_the_schema (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinEnvironments) environments = make_environments (home);
  g_autoptr(WelkinSchema) schema = welkin_environments_get_schema (environments);

  g_assert_cmpint (welkin_schema_get_flags (schema, "admin-secret") & WELKIN_ATTRIBUTE_SECRET, !=,
                   0);
  g_assert_false (welkin_schema_has (schema, "machines"));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/effective-config/each-value-has-its-origin", test_each_value_has_its_origin);
  g_test_add_func ("/effective-config/files-are-origins-as-well", test_files_are_origins_as_well);
  g_test_add_func ("/effective-config/what-is-remembered-holds", test_what_is_remembered_holds);
  g_test_add_func ("/effective-config/what-is-asked-for-wins", test_what_is_asked_for_wins);
  g_test_add_func ("/effective-config/errors-are-those-of-the-file",
                   test_errors_are_those_of_the_file);
  g_test_add_func ("/effective-config/credentials-are-saved-on-demand-alone",
                   test_credentials_are_saved_on_demand_alone);
  g_test_add_func ("/effective-config/credentials-of-what-is-remembered-are-not-saved",
                   test_credentials_of_what_is_remembered_are_not_saved);
  g_test_add_func ("/effective-config/every-attribute-is-in-the-schema",
                   test_every_attribute_is_in_the_schema);
  return g_test_run ();
}
