/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The field cases of clouds.yaml. */

#include "config.h"

#include <glib/gstdio.h>

#include "cloud-files-fixture.h"
#include "transport/os-clouds.h"
#include "transport/os-credentials.h"
#include "transport/os-login.h"
#include "values/welkin-error.h"

static char *
make_login (CloudFilesFixture *fixture)
{
  g_autoptr(WelkinConfig) effective = cloud_files_fixture_fill (fixture, NULL);
  g_autoptr(GError) error = NULL;
  g_autoptr(OsCredentials) credentials = os_credentials_new (effective, &error);
  g_autoptr(JsonNode) login = NULL;

  g_assert_no_error (error);
  login = os_login_make_v3_body (credentials);
  return json_to_string (login, FALSE);
}

static void
test_g13_user_and_project_live_in_different_domains (CloudFilesFixture *fixture,
                                                     gconstpointer      data)
{
  g_autofree char *login = NULL;

  cloud_files_fixture_write (fixture, CLOUDS,
                             "clouds: {a: {auth: {auth_url: 'https://h.test/v3', username: u, "
                             "password: s, user_domain_name: Default, project_name: p1, "
                             "project_domain_name: other}}}\n");
  cloud_files_fixture_set (fixture, "OS_CLOUD", "a");
  login = make_login (fixture);
  g_assert_cmpstr (login, ==,
                   "{\"auth\":{\"identity\":{\"methods\":[\"password\"],\"password\":{\"user\":{"
                   "\"name\":\"u\",\"domain\":{\"name\":\"Default\"},\"password\":\"s\"}}},"
                   "\"scope\":{\"project\":{\"name\":\"p1\",\"domain\":{\"name\":\"other\"}}}}}");
}

static void
test_g51_every_spelling_of_no_turns_verification_off (CloudFilesFixture *fixture,
                                                      gconstpointer      data)
{
  static const char *const spellings[][2] = {
    { "verify: false", "false" }, { "verify: False", "false" }, { "verify: \"False\"", "false" },
    { "verify: no", "false" }, { "verify: 'off'", "false" }, { "verify: F", "false" },
    { "verify: 0", "false" }, { "verify: '0'", "false" }, { "insecure: yes", "false" },
    { "insecure: \"True\"", "false" }, { "verify: true, insecure: 1", "false" },
    { "verify: true", "" }, { "verify: 'Yes'", "" }, { "insecure: \"False\"", "" },
    { "insecure: no", "" }, { "verify: ~", "" }, { "x: y", "" },
  };

  cloud_files_fixture_set (fixture, "OS_CLOUD", "a");
  /* It has no say here. */
  cloud_files_fixture_set (fixture, "OS_INSECURE", "true");
  for (guint i = 0; i < G_N_ELEMENTS (spellings); i++)
    {
      g_autofree char *text = g_strdup_printf ("clouds: {a: {%s}}\n", spellings[i][0]);
      g_autoptr(WelkinConfig) effective = NULL;
      g_autoptr(WelkinConfig) own = NULL;

      cloud_files_fixture_write (fixture, CLOUDS, text);
      effective = cloud_files_fixture_fill (fixture, NULL);
      g_assert_cmpstr (welkin_config_get_string (effective, "ssl-hostname-verification"), ==,
                       spellings[i][1]);
      own = cloud_files_fixture_fill (fixture, "ssl-hostname-verification", "false", NULL);
      g_assert_cmpstr (welkin_config_get_string (own, "ssl-hostname-verification"), ==, "false");
    }
}

static void
test_g52_digits_are_the_text_that_was_written (CloudFilesFixture *fixture,
                                               gconstpointer      data)
{
  g_autoptr(WelkinConfig) effective = NULL;
  g_autofree char *login = NULL;

  cloud_files_fixture_write (fixture, CLOUDS,
                             "clouds:\n"
                             "  a:\n"
                             "    auth:\n"
                             "      auth_url: https://h.test/v3\n"
                             "      password: 1234\n"
                             "      username: 42\n"
                             "      project_id: 0012345\n"
                             "    region_name: 1\n");
  cloud_files_fixture_set (fixture, "OS_CLOUD", "a");
  effective = cloud_files_fixture_fill (fixture, NULL);
  cloud_files_fixture_assert (fixture, effective, "region", "1", CLOUDS, 8);
  login = make_login (fixture);
  g_assert_cmpstr (login, ==,
                   "{\"auth\":{\"identity\":{\"methods\":[\"password\"],\"password\":{\"user\":{"
                   "\"name\":\"42\",\"domain\":{\"id\":\"default\"},\"password\":\"1234\"}}},"
                   "\"scope\":{\"project\":{\"id\":\"0012345\"}}}}");
}

static void
test_g53_a_reserved_character_is_told_to_be_quoted (CloudFilesFixture *fixture,
                                                    gconstpointer      data)
{
  static const char *const bad[] = { "%", "@", "`" };
  static const char *const good[][2] = {
    { "\"a{b}c#d: e\"", "a{b}c#d: e" }, { "'it''s'", "it's" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *text = g_strdup_printf ("clouds:\n  a:\n    auth:\n      password: %s"
                                               CANARY "\n", bad[i]);
      g_autofree char *message = g_strdup_printf (
        "cannot look up cloud \"a\": @/" CLOUDS ":4: cannot parse: a value may not begin with "
        "\"%s\" (column 17): put it in quotes", bad[i]);

      cloud_files_fixture_write (fixture, CLOUDS, text);
      cloud_files_fixture_set (fixture, "OS_CLOUD", "a");
      cloud_files_fixture_assert_refused (fixture, message, NULL);
    }
  cloud_files_fixture_set (fixture, "OS_CLOUD", "a");
  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_autofree char *text = g_strdup_printf ("clouds: {a: {password: %s}}\n", good[i][0]);
      g_autoptr(WelkinConfig) effective = NULL;

      cloud_files_fixture_write (fixture, CLOUDS, text);
      effective = cloud_files_fixture_fill (fixture, NULL);
      cloud_files_fixture_assert (fixture, effective, "password", good[i][1], CLOUDS, 1);
    }
}

static void
test_g54_1_paths_are_beside_the_file_they_stand_in (CloudFilesFixture *fixture,
                                                    gconstpointer      data)
{
  static const struct
  {
    const char *file;
    const char *text;
    const char *expected;
  } cases[] = {
    { CLOUDS, "clouds: {a: {cacert: ~/ca.pem}}\n", "@/home/ca.pem" },
    { CLOUDS, "clouds: {a: {cacert: ca.pem}}\n", "@/home/.config/openstack/ca.pem" },
    { CLOUDS, "clouds: {a: {cacert: ../x//ca.pem}}\n", "@/home/.config/x/ca.pem" },
    { "here/clouds.yaml", "clouds: {a: {cacert: ./ca.pem}}\n", "@/here/ca.pem" },
    { "system/openstack/secure.yaml", "clouds: {a: {cacert: ca.pem}}\n",
      "@/system/openstack/ca.pem" },
    { "here/clouds-public.yaml", "public-clouds: {p: {cacert: ca.pem}}\n", "@/here/ca.pem" },
    { "here/secure.yaml",
      "clouds: {a: {regions: [{name: r, values: {cacert: ca.pem}}]}}\n", "@/here/ca.pem" },
  };

  cloud_files_fixture_set (fixture, "OS_CLOUD", "a");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(WelkinConfig) effective = NULL;
      g_autofree char *path = cloud_files_fixture_path (fixture, cases[i].file);

      cloud_files_fixture_write (fixture, CLOUDS, "clouds: {a: {profile: p}}\n");
      cloud_files_fixture_write (fixture, cases[i].file, cases[i].text);
      effective = cloud_files_fixture_fill (fixture, NULL);
      cloud_files_fixture_assert (fixture, effective, "ca-certificates", cases[i].expected,
                                  cases[i].file, 1);
      g_unlink (path);
    }
}

static void
test_g54_2_nothing_of_another_cloud_leaks (CloudFilesFixture *fixture,
                                           gconstpointer      data)
{
  static const char *const strays[] = {
    "OS_CLOUD", "a", "OS_AUTH_URL", "https://stray.test/v3", "OS_USERNAME", "stray",
    "OS_USER_ID", "stray", "OS_PASSWORD", CANARY, "OS_PROJECT_NAME", "stray", "OS_PROJECT_ID",
    "stray", "OS_TENANT_NAME", "stray", "OS_TENANT_ID", "stray", "OS_USER_DOMAIN_NAME", "stray",
    "OS_USER_DOMAIN_ID", "stray", "OS_PROJECT_DOMAIN_NAME", "stray", "OS_PROJECT_DOMAIN_ID",
    "stray", "OS_DOMAIN_NAME", "stray", "OS_DOMAIN_ID", "stray", "OS_DEFAULT_DOMAIN", "stray",
    "OS_DEFAULT_DOMAIN_NAME", "stray", "OS_DEFAULT_DOMAIN_ID", "stray", "OS_AUTH_TYPE", "token",
    "OS_AUTH_PLUGIN", "token", "OS_TOKEN", CANARY, "OS_AUTH_TOKEN", CANARY,
    "OS_APPLICATION_CREDENTIAL_ID", "stray", "OS_APPLICATION_CREDENTIAL_NAME", "stray",
    "OS_APPLICATION_CREDENTIAL_SECRET", CANARY, "OS_TRUST_ID", "stray", "OS_ACCESS_KEY", "stray",
    "OS_SECRET_KEY", CANARY, "EC2_ACCESS_KEY", "stray", "EC2_SECRET_KEY", CANARY,
    "AWS_ACCESS_KEY_ID", "stray", "AWS_SECRET_ACCESS_KEY", CANARY, "OS_IDENTITY_API_VERSION", "2",
    "OS_AUTH_VERSION", "2", "OS_INTERFACE", "admin", "OS_ENDPOINT_TYPE", "admin", "OS_INSECURE",
    "true", "OS_COMPUTE_API_VERSION", "2.1", "OS_COMPUTE_ENDPOINT_OVERRIDE",
    "https://stray.test", "OS_NETWORK_ENDPOINT_OVERRIDE", "https://stray.test",
    "NOVA_USERNAME", "stray", "NOVA_PASSWORD", CANARY, "NOVA_API_KEY", CANARY, "NOVA_URL",
    "https://stray.test", "NOVA_PROJECT_ID", "stray", NULL,
  };
  static const char *const expected[][2] = {
    { "auth-url", "https://b.test/v3" }, { "username", "ub" }, { "password", "pb" },
    { "tenant-name", "b" },
  };
  g_autoptr(WelkinConfig) effective = NULL;
  g_autoptr(WelkinConfig) plain = NULL;

  cloud_files_fixture_write (fixture, CLOUDS,
                             "clouds:\n"
                             "  a: {auth: {auth_url: 'https://a.test/v3', username: ua, password: "
                             CANARY ", project_id: a, trust_id: a}, cacert: /a.pem}\n"
                             "  b: {auth: {auth_url: 'https://b.test/v3', username: ub, password: "
                             "pb, project_name: b}}\n");
  plain = cloud_files_fixture_fill (fixture, "cloud", "b", NULL);
  for (guint i = 0; strays[i] != NULL; i += 2)
    cloud_files_fixture_set (fixture, strays[i], strays[i + 1]);
  effective = cloud_files_fixture_fill (fixture, "cloud", "b", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_cmpstr (welkin_config_get_string (effective, expected[i][0]), ==, expected[i][1]);
  g_assert_true (welkin_config_equal (plain, effective));
}

static void
test_g54_2_the_choice_is_noticed_once (CloudFilesFixture *fixture,
                                       gconstpointer      data)
{
  g_autoptr(WelkinSurroundings) surroundings = NULL;
  g_autoptr(WelkinConfig) config = welkin_config_new ();
  g_autoptr(WelkinConfig) b = welkin_config_with_text (config, "cloud", "b", NULL);
  g_autoptr(WelkinConfig) a = welkin_config_with_text (config, "cloud", "a", NULL);

  cloud_files_fixture_write (fixture, CLOUDS, "clouds: {a: {}, b: {}}\n");
  cloud_files_fixture_set (fixture, "OS_CLOUD", "a");
  surroundings = cloud_files_fixture_make_surroundings (fixture);
  g_test_expect_message ("welkin-openstack", G_LOG_LEVEL_MESSAGE,
                         "cloud \"b\" is used, not OS_CLOUD=a");
  os_clouds_tell (b, surroundings);
  g_test_assert_expected_messages ();
  os_clouds_tell (a, surroundings);
  os_clouds_tell (config, surroundings);
}

static void
test_g54_3_a_token_needs_no_user (CloudFilesFixture *fixture,
                                  gconstpointer      data)
{
  g_autoptr(WelkinConfig) effective = NULL;
  g_autoptr(OsCredentials) credentials = NULL;
  g_autoptr(GError) error = NULL;

  cloud_files_fixture_write (fixture, CLOUDS,
                             "clouds: {a: {auth_type: token, auth: {auth_url: 'https://h.test/v3', "
                             "token: t, project_id: p}}}\n");
  cloud_files_fixture_set (fixture, "OS_CLOUD", "a");
  effective = cloud_files_fixture_fill (fixture, NULL);
  credentials = os_credentials_new (effective, &error);
  g_assert_no_error (error);
  g_assert_cmpint (os_credentials_get_mode (credentials), ==, OS_AUTH_TOKEN);
  g_assert_cmpstr (os_credentials_get (credentials, OS_CREDENTIAL_TOKEN), ==, "t");
  g_assert_cmpstr (os_credentials_get (credentials, OS_CREDENTIAL_PROJECT_ID), ==, "p");
}

static void
test_g54_4_one_cloud_and_no_choice_is_that_cloud (CloudFilesFixture *fixture,
                                                  gconstpointer      data)
{
  /* Whoever gives any of these has chosen. */
  static const char *const attributes[] = {
    "auth-url", "username", "user-id", "password", "token", "access-key", "secret-key",
    "application-credential-id", "application-credential-name", "application-credential-secret",
  };
  static const char *const variables[] = {
    "OS_AUTH_URL", "NOVA_URL", "OS_USERNAME", "NOVA_USERNAME", "OS_USER_ID", "OS_PASSWORD",
    "NOVA_PASSWORD", "NOVA_API_KEY", "OS_TOKEN", "OS_AUTH_TOKEN", "OS_ACCESS_KEY",
    "OS_SECRET_KEY", "OS_APPLICATION_CREDENTIAL_ID", "OS_APPLICATION_CREDENTIAL_NAME",
    "OS_APPLICATION_CREDENTIAL_SECRET",
  };
  static const char *const harmless[] = {
    "OS_REGION_NAME", "OS_CACERT", "OS_PROJECT_NAME", "OS_CLOUD", "OS_INTERFACE",
    "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "EC2_SECRET_KEY",
  };

  cloud_files_fixture_write (fixture, CLOUDS, A_CLOUD);
  for (guint i = 0; i < G_N_ELEMENTS (attributes); i++)
    {
      g_autoptr(WelkinConfig) effective = cloud_files_fixture_fill (fixture, attributes[i], "x",
                                                                    NULL);

      g_assert_cmpstr (welkin_config_get_string (effective, "tenant-name"), ==, "");
    }
  for (guint i = 0; i < G_N_ELEMENTS (variables); i++)
    {
      g_autoptr(WelkinConfig) effective = NULL;

      cloud_files_fixture_set (fixture, variables[i], "x");
      effective = cloud_files_fixture_fill (fixture, NULL);
      g_assert_cmpstr (welkin_config_get_string (effective, "tenant-name"), ==, "");
      cloud_files_fixture_set (fixture, variables[i], "");
    }
  for (guint i = 0; i < G_N_ELEMENTS (harmless); i++)
    {
      g_autoptr(WelkinConfig) effective = NULL;

      cloud_files_fixture_set (fixture, harmless[i],
                               g_str_equal (harmless[i], "OS_CLOUD") ? "" : "x");
      effective = cloud_files_fixture_fill (fixture, "use-floating-ip", "true", NULL);
      cloud_files_fixture_assert (fixture, effective, "tenant-name", "p", CLOUDS, 3);
    }
}

static void
test_g54_5_a_region_brings_its_values (CloudFilesFixture *fixture,
                                       gconstpointer      data)
{
  static const struct
  {
    const char *asked;
    const char *region;
    const char *network;
    const char *auth_url;
    const char *user;
  } cases[] = {
    { NULL, "r1", "e1", "https://r1.test/v3", "u" },
    { "r1", "r1", "e1", "https://r1.test/v3", "u" },
    { "r2", "r2", "e2", "https://two.test/v3", "u2" },
    { "r3", "r3", "e", "https://r3.test/v3", "u" },
  };

  cloud_files_fixture_write (fixture, CLOUDS,
                             "clouds:\n"
                             "  a:\n"
                             "    auth: {auth_url: 'https://{region_name}.test/v3', username: u}\n"
                             "    external_network: e\n"
                             "    regions:\n"
                             "    - {name: r1, values: {external_network: e1}}\n"
                             "    - name: r2\n"
                             "      values:\n"
                             "        external-network: e2\n"
                             "        auth: {username: u2, auth_url: 'https://two.test/v3'}\n"
                             "    - {name: r3}\n"
                             "  b: {regions: [r1, r2]}\n"
                             "  c: {region_name: r2, regions: [r1, {name: r2}]}\n");
  cloud_files_fixture_set (fixture, "OS_CLOUD", "a");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(WelkinConfig) effective =
        cloud_files_fixture_fill (fixture, "region", cases[i].asked != NULL ? cases[i].asked : "",
                                  NULL);

      g_assert_cmpstr (welkin_config_get_string (effective, "region"), ==, cases[i].region);
      g_assert_cmpstr (welkin_config_get_string (effective, "external-network"), ==,
                       cases[i].network);
      g_assert_cmpstr (welkin_config_get_string (effective, "auth-url"), ==, cases[i].auth_url);
      g_assert_cmpstr (welkin_config_get_string (effective, "username"), ==, cases[i].user);
    }
}

static void
test_g54_5_names_alone_are_regions (CloudFilesFixture *fixture,
                                    gconstpointer      data)
{
  static const char *const cases[][3] = {
    { "regions: [r1, r2]", "", "r1" },
    { "regions: [r1, r2]", "r2", "r2" },
    { "regions: 'r1, r2'", "r2", "r2" },
    { "{region_name: r2, regions: [r1, {name: r2}]}", "", "r2" },
    { "region_name: [r1, r2]", "", "r1" },
    { "region_name: r1", "r9", "r9" },
    { "regions: []", "r9", "r9" },
  };

  cloud_files_fixture_set (fixture, "OS_CLOUD", "a");
  cloud_files_fixture_set (fixture, "OS_REGION_NAME", "stray");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strdup_printf ("clouds:\n  a:\n    %s\n", cases[i][0]);
      g_autoptr(WelkinConfig) effective = NULL;

      cloud_files_fixture_write (fixture, CLOUDS, text);
      effective = cloud_files_fixture_fill (fixture, "region", cases[i][1], NULL);
      g_assert_cmpstr (welkin_config_get_string (effective, "region"), ==, cases[i][2]);
    }
}

static void
test_g54_5_an_unknown_region_names_those_there_are (CloudFilesFixture *fixture,
                                                    gconstpointer      data)
{
  g_autoptr(WelkinSurroundings) surroundings = NULL;
  g_autoptr(WelkinConfig) config = welkin_config_new ();
  g_autoptr(WelkinConfig) asking = welkin_config_with_text (config, "region", "r9", "file:5");
  g_autoptr(WelkinConfig) effective = NULL;
  g_autoptr(GError) error = NULL;

  cloud_files_fixture_write (fixture, CLOUDS, "clouds: {a: {regions: [r1, {name: r2}]}}\n");
  cloud_files_fixture_set (fixture, "OS_CLOUD", "a");
  surroundings = cloud_files_fixture_make_surroundings (fixture);
  effective = os_clouds_fill (asking, surroundings, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG);
  g_assert_cmpstr (error->message, ==,
                   "file:5: region \"r9\" is not one of cloud \"a\"; there are: r1, r2");
}

static void
test_g54_6_secure_is_laid_over (CloudFilesFixture *fixture,
                                gconstpointer      data)
{
  static const char *const files[] = {
    "home/.config/openstack/secure.yaml", "here/secure.yml", "system/openstack/secure.json",
    "named.yaml",
  };
  g_autofree char *named = cloud_files_fixture_path (fixture, "named.yaml");

  cloud_files_fixture_write (fixture, CLOUDS,
                             "clouds: {a: {auth: {username: u, password: old}}}\n");
  cloud_files_fixture_set (fixture, "OS_CLOUD", "a");
  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr(WelkinConfig) effective = NULL;
      g_autofree char *path = cloud_files_fixture_path (fixture, files[i]);

      if (g_str_equal (files[i], "named.yaml"))
        cloud_files_fixture_set (fixture, "OS_CLIENT_SECURE_FILE", named);
      cloud_files_fixture_write (fixture, files[i],
                                 "{\"clouds\": {\"a\": {\"auth\": {\"password\": \"new\"}}}}");
      effective = cloud_files_fixture_fill (fixture, NULL);
      cloud_files_fixture_assert (fixture, effective, "password", "new", files[i], 1);
      cloud_files_fixture_assert (fixture, effective, "username", "u", CLOUDS, 1);
      g_unlink (path);
    }
}

static void
test_g54_6_dashes_of_one_file_are_underscores_of_the_other (CloudFilesFixture *fixture,
                                                            gconstpointer      data)
{
  g_autoptr(WelkinConfig) effective = NULL;

  cloud_files_fixture_write (fixture, CLOUDS,
                             "clouds: {a: {auth: {application-credential-secret: old}}}\n");
  cloud_files_fixture_write (fixture, "here/secure.yaml",
                             "clouds: {a: {auth: {application_credential_secret: new}}}\n");
  cloud_files_fixture_set (fixture, "OS_CLOUD", "a");
  effective = cloud_files_fixture_fill (fixture, NULL);
  cloud_files_fixture_assert (fixture, effective, "application-credential-secret", "new",
                              "here/secure.yaml", 1);
}

static void
test_g54_7_an_ipv6_address_stays_readable (CloudFilesFixture *fixture,
                                           gconstpointer      data)
{
  g_autoptr(WelkinConfig) effective = NULL;
  g_autoptr(OsCredentials) credentials = NULL;
  g_autofree char *who = NULL;

  cloud_files_fixture_write (fixture, CLOUDS,
                             "clouds: {a: {auth: {auth_url: 'https://[2001:db8::a3]:13000/v3', "
                             "username: u, password: s, project_name: p}}}\n");
  cloud_files_fixture_set (fixture, "OS_CLOUD", "a");
  effective = cloud_files_fixture_fill (fixture, NULL);
  credentials = os_credentials_new (effective, NULL);
  who = os_credentials_describe (credentials);
  g_assert_cmpstr (who, ==,
                   "user \"u\" and project \"p\" at https://[2001:db8::a3]:13000/v3");
}

static void
test_g54_8_lines_may_end_in_crlf (CloudFilesFixture *fixture,
                                  gconstpointer      data)
{
  g_autoptr(WelkinConfig) effective = NULL;

  cloud_files_fixture_write (fixture, CLOUDS,
                             "clouds:\r\n  a:\r\n    username: u\r\n    auth:\r\n"
                             "      password: s\r\n");
  cloud_files_fixture_set (fixture, "OS_CLOUD", "a");
  effective = cloud_files_fixture_fill (fixture, NULL);
  cloud_files_fixture_assert (fixture, effective, "username", "u", CLOUDS, 3);
  cloud_files_fixture_assert (fixture, effective, "password", "s", CLOUDS, 5);
}

static void
test_g54_8_a_tab_is_named (CloudFilesFixture *fixture,
                           gconstpointer      data)
{
  cloud_files_fixture_write (fixture, CLOUDS,
                             "clouds:\n  a:\n\tusername: " CANARY "\n");
  cloud_files_fixture_set (fixture, "OS_CLOUD", "a");
  cloud_files_fixture_assert_refused (fixture,
                                      "cannot look up cloud \"a\": @/" CLOUDS ":3: cannot parse: "
                                      "there is a tab in column 1 where only spaces may indent",
                                      NULL);
}

#define ADD(path, function)                                                                        \
  g_test_add (path, CloudFilesFixture, NULL, cloud_files_fixture_set_up, function,                 \
              cloud_files_fixture_tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  ADD ("/cases/G13/user-and-project-live-in-different-domains",
       test_g13_user_and_project_live_in_different_domains);
  ADD ("/cases/G51/every-spelling-of-no-turns-verification-off",
       test_g51_every_spelling_of_no_turns_verification_off);
  ADD ("/cases/G52/digits-are-the-text-that-was-written",
       test_g52_digits_are_the_text_that_was_written);
  ADD ("/cases/G53/a-reserved-character-is-told-to-be-quoted",
       test_g53_a_reserved_character_is_told_to_be_quoted);
  ADD ("/cases/G54.1/paths-are-beside-the-file-they-stand-in",
       test_g54_1_paths_are_beside_the_file_they_stand_in);
  ADD ("/cases/G54.2/nothing-of-another-cloud-leaks", test_g54_2_nothing_of_another_cloud_leaks);
  ADD ("/cases/G54.2/the-choice-is-noticed-once", test_g54_2_the_choice_is_noticed_once);
  ADD ("/cases/G54.3/a-token-needs-no-user", test_g54_3_a_token_needs_no_user);
  ADD ("/cases/G54.4/one-cloud-and-no-choice-is-that-cloud",
       test_g54_4_one_cloud_and_no_choice_is_that_cloud);
  ADD ("/cases/G54.5/a-region-brings-its-values", test_g54_5_a_region_brings_its_values);
  ADD ("/cases/G54.5/names-alone-are-regions", test_g54_5_names_alone_are_regions);
  ADD ("/cases/G54.5/an-unknown-region-names-those-there-are",
       test_g54_5_an_unknown_region_names_those_there_are);
  ADD ("/cases/G54.6/secure-is-laid-over", test_g54_6_secure_is_laid_over);
  ADD ("/cases/G54.6/dashes-of-one-file-are-underscores-of-the-other",
       test_g54_6_dashes_of_one_file_are_underscores_of_the_other);
  ADD ("/cases/G54.7/an-ipv6-address-stays-readable", test_g54_7_an_ipv6_address_stays_readable);
  ADD ("/cases/G54.8/lines-may-end-in-crlf", test_g54_8_lines_may_end_in_crlf);
  ADD ("/cases/G54.8/a-tab-is-named", test_g54_8_a_tab_is_named);

  return g_test_run ();
}
