/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "environments/environment-getters.h"

#include <string.h>

#include "base/yaml.h"
#include "values/welkin-error.h"

static WelkinConfig *
parse (const char *text)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *whole = g_strconcat ("name: e1\n", text, NULL);
  g_autoptr(WelkinValue) map = wk_yaml_parse (whole, -1, "e.yaml", &error);

  g_assert_no_error (error);
  return welkin_config_new_from_value (map);
}

static void
test_connect_delays (void)
{
  g_autoptr(WelkinConfig) none = parse ("");
  g_autoptr(WelkinConfig) zero = parse ("bootstrap-timeout: 0\nbootstrap-retry-delay: -3\n");
  g_autoptr(WelkinConfig) given = parse ("bootstrap-timeout: 60\nbootstrap-retry-delay: 1\n"
                                         "bootstrap-addresses-delay: 2\n");

  g_assert_cmpuint (welkin_environment_get_connect_delays (none).timeout, ==, 600);
  g_assert_cmpuint (welkin_environment_get_connect_delays (none).retry_delay, ==, 5);
  g_assert_cmpuint (welkin_environment_get_connect_delays (none).addresses_delay, ==, 10);
  g_assert_cmpuint (welkin_environment_get_connect_delays (zero).timeout, ==, 600);
  g_assert_cmpuint (welkin_environment_get_connect_delays (zero).retry_delay, ==, 5);
  g_assert_cmpuint (welkin_environment_get_connect_delays (given).timeout, ==, 60);
  g_assert_cmpuint (welkin_environment_get_connect_delays (given).retry_delay, ==, 1);
  g_assert_cmpuint (welkin_environment_get_connect_delays (given).addresses_delay, ==, 2);
}

static void
test_harvest_mode (void)
{
  static const struct
  {
    const char        *text;
    WelkinHarvestMode  mode;
  } cases[] = {
    { "", WELKIN_HARVEST_DESTROYED },
    { "provisioner-harvest-mode: all\n", WELKIN_HARVEST_ALL },
    { "provisioner-harvest-mode: None\n", WELKIN_HARVEST_NONE },
    { "provisioner-harvest-mode: UNKNOWN\n", WELKIN_HARVEST_UNKNOWN },
    { "provisioner-harvest-mode: destroyed\n", WELKIN_HARVEST_DESTROYED },
    { "provisioner-safe-mode: true\n", WELKIN_HARVEST_DESTROYED },
    { "provisioner-safe-mode: false\n", WELKIN_HARVEST_ALL },
    { "provisioner-safe-mode: false\nprovisioner-harvest-mode: none\n", WELKIN_HARVEST_NONE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(WelkinConfig) config = parse (cases[i].text);

      g_test_message ("%s", cases[i].text);
      g_assert_cmpint (welkin_environment_get_harvest_mode (config), ==, cases[i].mode);
    }
}

static void
test_stream (void)
{
  g_autoptr(WelkinConfig) config = parse ("image-stream: daily\ntools-stream: ''\n");

  g_assert_cmpstr (welkin_environment_get_stream (config, "image-stream"), ==, "daily");
  g_assert_cmpstr (welkin_environment_get_stream (config, "tools-stream"), ==, "released");
}

#define RESTORABLE \
  "type: openstack\nauthorized-keys: ssh-rsa AAAA x\ndefault-series: noble\n" \
  "firewall-mode: none\ndevelopment: no\nssl-hostname-verification: yes\n" \
  "admin-secret: Canary1\nca-private-key: Canary2\nown-secret: Canary3\n" \
  "own-user: Canary4\nown-thing: x\n"

static void
test_public_config_holds_no_secret (void)
{
  static const WelkinAttribute attributes[] = {
    { "own-secret", WELKIN_ATTRIBUTE_STRING, "", WELKIN_ATTRIBUTE_SECRET },
    { "own-user", WELKIN_ATTRIBUTE_STRING, "", WELKIN_ATTRIBUTE_IDENTITY },
    { "own-thing", WELKIN_ATTRIBUTE_STRING, "", WELKIN_ATTRIBUTE_NONE },
  };
  g_autoptr(WelkinSchema) schema = welkin_schema_new (attributes, G_N_ELEMENTS (attributes));
  g_autoptr(WelkinConfig) config = parse (RESTORABLE "agent-version: 1.2.3\n");
  g_autoptr(WelkinConfig) unversioned = parse (RESTORABLE);
  g_autoptr(WelkinConfig) public_config = NULL;
  g_autoptr(WelkinValue) map = NULL;
  g_autoptr(GError) error = NULL;
  g_autofree char *text = NULL;

  public_config = welkin_environment_make_public_config (config, schema, &error);
  g_assert_no_error (error);
  map = welkin_config_to_value (public_config);
  text = wk_yaml_print (map);
  g_assert_null (strstr (text, "Canary"));
  g_assert_cmpstr (welkin_config_get_string (public_config, "own-thing"), ==, "x");
  g_assert_false (welkin_config_has (public_config, "own-secret"));
  g_assert_cmpstr (welkin_config_get_string (public_config, "agent-version"), ==, "1.2.3");

  g_assert_null (welkin_environment_make_public_config (unversioned, schema, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG);
  g_assert_cmpstr (error->message, ==, "environment configuration has no agent-version");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/environment-getters/connect-delays-are-never-zero", test_connect_delays);
  g_test_add_func ("/environment-getters/harvest-mode-wins-over-safe-mode", test_harvest_mode);
  g_test_add_func ("/environment-getters/stream-is-released-if-none-is-given", test_stream);
  g_test_add_func ("/environment-getters/public-config-holds-no-secret",
                   test_public_config_holds_no_secret);
  return g_test_run ();
}
