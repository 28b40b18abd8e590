/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cloud-files-fixture.h"

/* Finding files */

static void
test_the_working_directory_comes_first (CloudFilesFixture *fixture,
                                        gconstpointer      data)
{
  /* From the last place to the first: each new file hides all others. */
  static const char *const places[] = {
    "system/openstack/clouds.yaml", "home/.config/openstack/clouds.json",
    "home/.config/openstack/clouds.yml", "home/.config/openstack/clouds.yaml", "here/clouds.json",
    "here/clouds.yml", "here/clouds.yaml", "named.yaml",
  };
  g_autofree char *named = cloud_files_fixture_path (fixture, "named.yaml");

  cloud_files_fixture_set (fixture, "OS_CLOUD", "a");
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      g_autofree char *text = g_strdup_printf (
        "{\"clouds\": {\"a\": {\"auth\": {\"auth_url\": \"https://h/v3\", \"username\": \"u%u\", "
        "\"password\": \"" CANARY "\", \"project_name\": \"p\"}}}}", i);
      g_autofree char *user = g_strdup_printf ("u%u", i);
      g_autoptr(WelkinConfig) effective = NULL;

      cloud_files_fixture_write (fixture, places[i], text);
      if (g_str_equal (places[i], "named.yaml"))
        cloud_files_fixture_set (fixture, "OS_CLIENT_CONFIG_FILE", named);
      effective = cloud_files_fixture_fill (fixture, NULL);
      cloud_files_fixture_assert (fixture, effective, "username", user, places[i], 1);
      cloud_files_fixture_assert_notices (fixture, NULL);
    }
}

static void
test_files_are_not_merged_with_each_other (CloudFilesFixture *fixture,
                                           gconstpointer      data)
{
  cloud_files_fixture_write (fixture, "here/clouds.yaml", "clouds: {b: {}}\n");
  cloud_files_fixture_write (fixture, CLOUDS, A_CLOUD);
  cloud_files_fixture_set (fixture, "OS_CLOUD", "a");
  cloud_files_fixture_assert_refused (fixture,
                                      "OS_CLOUD: there is no cloud \"a\" in @/here/clouds.yaml, "
                                      "which has: b",
                                      NULL);
}

static void
test_a_file_with_an_error_is_left (CloudFilesFixture *fixture,
                                   gconstpointer      data)
{
  g_autoptr(WelkinConfig) effective = NULL;

  cloud_files_fixture_write (fixture, "here/clouds.yaml", "clouds:\n  a: [\n");
  cloud_files_fixture_write (fixture, "here/clouds.yml", "- clouds\n");
  cloud_files_fixture_write (fixture, "here/clouds.json", "{\"clouds\": [1]}\n");
  cloud_files_fixture_write (fixture, CLOUDS, A_CLOUD);
  cloud_files_fixture_set (fixture, "OS_CLOUD", "a");

  effective = cloud_files_fixture_fill (fixture, NULL);
  cloud_files_fixture_assert (fixture, effective, "username", "u", CLOUDS, 3);
  cloud_files_fixture_assert_notices (
    fixture,
    "@/here/clouds.yaml:3: cannot parse: not valid YAML in column 1 (did not find expected "
    "node content): a value that has special characters must be in quotes",
    "@/here/clouds.yml:1: expected a map that has the key \"clouds\", with names of clouds below "
    "it",
    "@/here/clouds.json:1: expected a map that has the key \"clouds\", with names of clouds below "
    "it",
    NULL);
}

static void
test_nothing_is_left_of_a_cloud_in_a_broken_file (CloudFilesFixture *fixture,
                                                  gconstpointer      data)
{
  cloud_files_fixture_write (fixture, CLOUDS, "clouds:\n  a: }\n");
  cloud_files_fixture_write (fixture, "here/secure.yaml", "clouds: {a: {password: " CANARY "}}\n");
  cloud_files_fixture_set (fixture, "OS_CLOUD", "a");
  cloud_files_fixture_assert_refused (fixture,
                                      "cannot look up cloud \"a\": @/" CLOUDS ":2: cannot parse: "
                                      "not valid YAML in column 6 (did not find expected node "
                                      "content): a value that has special characters must be in "
                                      "quotes",
                                      NULL);
}

static void
test_what_is_no_file_is_left (CloudFilesFixture *fixture,
                              gconstpointer      data)
{
  g_autofree char *directory = cloud_files_fixture_path (fixture, "here/clouds.yaml");
  g_autofree char *pipe = cloud_files_fixture_path (fixture, "here/clouds.yml");
  g_autoptr(WelkinConfig) effective = NULL;

  g_assert_cmpint (g_mkdir (directory, 0700), ==, 0);
  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  cloud_files_fixture_write (fixture, CLOUDS, A_CLOUD);
  cloud_files_fixture_set (fixture, "OS_CLOUD", "a");
  cloud_files_fixture_set (fixture, "OS_CLIENT_CONFIG_FILE", "nosuch.yaml");

  effective = cloud_files_fixture_fill (fixture, NULL);
  cloud_files_fixture_assert (fixture, effective, "username", "u", CLOUDS, 3);
  cloud_files_fixture_assert_notices (fixture,
                                      "OS_CLIENT_CONFIG_FILE: there is no nosuch.yaml",
                                      "@/here/clouds.yaml is not a file",
                                      "@/here/clouds.yml is not a file", NULL);
}

static void
test_a_file_that_cannot_be_read_is_left (CloudFilesFixture *fixture,
                                         gconstpointer      data)
{
  g_autofree char *path = cloud_files_fixture_path (fixture, "here/clouds.yaml");
  g_autoptr(WelkinConfig) effective = NULL;

  if (geteuid () == 0)
    {
      g_test_skip ("root can read all files");
      return;
    }
  cloud_files_fixture_write (fixture, "here/clouds.yaml", "clouds: {}\n");
  g_assert_cmpint (g_chmod (path, 0), ==, 0);
  cloud_files_fixture_write (fixture, CLOUDS, A_CLOUD);
  cloud_files_fixture_set (fixture, "OS_CLOUD", "a");
  effective = cloud_files_fixture_fill (fixture, NULL);
  cloud_files_fixture_assert_notices (fixture,
                                      "cannot read @/here/clouds.yaml: Permission denied", NULL);
}

static void
test_a_file_that_cannot_be_opened_is_not_missing (CloudFilesFixture *fixture,
                                                  gconstpointer      data)
{
  g_autofree char *path = cloud_files_fixture_path (fixture, "here/clouds.yaml");

  g_assert_cmpint (symlink ("clouds.yaml", path), ==, 0);
  cloud_files_fixture_set (fixture, "OS_CLOUD", "a");
  cloud_files_fixture_assert_refused (fixture,
                                      "cannot look up cloud \"a\": cannot read "
                                      "@/here/clouds.yaml: Too many levels of symbolic links",
                                      NULL);
}

static void
test_variables_must_be_text (CloudFilesFixture *fixture,
                             gconstpointer      data)
{
  static const char *const names[] = { "OS_PASSWORD", "OS_USERNAME", "OS_REGION_NAME",
                                       "OS_AUTH_TYPE", "OS_CACERT" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *message = g_strconcat (names[i], ": it is not UTF-8 text", NULL);

      cloud_files_fixture_set (fixture, names[i], CANARY "\xff");
      cloud_files_fixture_assert_refused (fixture, message, "auth-url", "https://a.test/v3",
                                          "allow-foreign-auth-url", "true", NULL);
      cloud_files_fixture_set (fixture, names[i], "");
    }
}

static void
test_a_file_of_another_user_is_not_trusted (CloudFilesFixture *fixture,
                                            gconstpointer      data)
{
  g_autofree char *path = cloud_files_fixture_path (fixture, "here/clouds.yaml");

  cloud_files_fixture_write (fixture, "here/clouds.yaml", A_CLOUD);
  if (chown (path, 12345, -1) != 0)
    {
      g_test_skip ("only root can give files away");
      return;
    }
  cloud_files_fixture_set (fixture, "OS_CLOUD", "a");
  cloud_files_fixture_assert_refused (fixture,
                                      "cannot look up cloud \"a\": @/here/clouds.yaml belongs to "
                                      "another user, so it is not trusted",
                                      NULL);
}

static void
test_a_secret_that_others_may_read_is_told (CloudFilesFixture *fixture,
                                            gconstpointer      data)
{
  static const char *const harmless[] = {
    "clouds: {a: {auth: {username: u}}}\n", "clouds: {a: {auth: {password: ''}}}\n", "",
  };
  static const char *const secret[] = {
    A_CLOUD, "clouds: {a: {password: " CANARY "}}\n",
    "clouds: {b: {}, a: {auth: {application-credential-secret: " CANARY "}}}\n",
    "clouds: {a: {regions: [{name: r, values: {auth: {token: " CANARY "}}}]}}\n",
  };
  g_autofree char *path = cloud_files_fixture_path (fixture, CLOUDS);

  cloud_files_fixture_set (fixture, "OS_CLOUD", "a");
  for (guint i = 0; i < G_N_ELEMENTS (harmless) + G_N_ELEMENTS (secret); i++)
    {
      gboolean is_secret = i >= G_N_ELEMENTS (harmless);

      cloud_files_fixture_write (fixture, CLOUDS,
                                 is_secret ? secret[i - G_N_ELEMENTS (harmless)] : harmless[i]);
      cloud_files_fixture_assert_notices (fixture, NULL);
      g_assert_cmpint (g_chmod (path, i % 2 == 0 ? 0640 : 0604), ==, 0);
      if (is_secret)
        cloud_files_fixture_assert_notices (
          fixture, "@/" CLOUDS " holds secrets, and others may read it: chmod go= it", NULL);
      else
        cloud_files_fixture_assert_notices (fixture, NULL);
      g_unlink (path);
    }
}

static void
test_without_a_file_the_places_are_named (CloudFilesFixture *fixture,
                                          gconstpointer      data)
{
  cloud_files_fixture_set (fixture, "OS_CLOUD", "a");
  cloud_files_fixture_assert_refused (fixture,
                                      "OS_CLOUD: there is no cloud \"a\", since there is no "
                                      "clouds.yaml in @/here, @/home/.config/openstack, "
                                      "@/system/openstack",
                                      NULL);
}

/* Reading an entry */

static void
test_json_is_read_as_well (CloudFilesFixture *fixture,
                           gconstpointer      data)
{
  g_autoptr(WelkinConfig) effective = NULL;

  cloud_files_fixture_write (fixture, "here/clouds.json",
                             "{\n\t\"clouds\": {\n\t\t\"a\": {\"auth\": {\n"
                             "\t\t\t\"auth_url\": \"https:\\/\\/h.test\\/v3\",\n"
                             "\t\t\t\"username\": \"\\ud83d\\ude00 \\\\ud83d\\\\ude00 \\u00e9\",\n"
                             "\t\t\t\"password\": 12345678901234567890123,\n"
                             "\t\t\t\"project_name\": null, \"tenant_id\": \"7\"}, "
                             "\"verify\": false}}}\n");
  cloud_files_fixture_set (fixture, "OS_CLOUD", "a");
  effective = cloud_files_fixture_fill (fixture, NULL);
  cloud_files_fixture_assert (fixture, effective, "auth-url", "https://h.test/v3",
                              "here/clouds.json", 4);
  cloud_files_fixture_assert (fixture, effective, "username",
                              "\xf0\x9f\x98\x80 \\ud83d\\ude00 \xc3\xa9", "here/clouds.json", 5);
  cloud_files_fixture_assert (fixture, effective, "password", "12345678901234567890123",
                              "here/clouds.json", 6);
  cloud_files_fixture_assert (fixture, effective, "tenant-id", "7", "here/clouds.json", 7);
  cloud_files_fixture_assert (fixture, effective, "ssl-hostname-verification", "false",
                              "here/clouds.json", 7);
}

/* Each key that there is, where it may stand, and what it becomes. */
static const struct
{
  const char *key;
  const char *value;
  const char *attribute;
  const char *expected;
  gboolean    is_auth;
} keys[] = {
  { "auth_url", "https://h.test/v3", "auth-url", "https://h.test/v3", TRUE },
  { "username", "u", "username", "u", TRUE },
  { "user_id", "u1", "user-id", "u1", TRUE },
  { "password", CANARY, "password", CANARY, TRUE },
  { "project_name", "p", "tenant-name", "p", TRUE },
  { "project_id", "p1", "tenant-id", "p1", TRUE },
  { "tenant_name", "p", "tenant-name", "p", TRUE },
  { "tenant_id", "p1", "tenant-id", "p1", TRUE },
  { "user_domain_name", "d", "user-domain-name", "d", TRUE },
  { "user_domain_id", "d1", "user-domain-id", "d1", TRUE },
  { "project_domain_name", "d", "project-domain-name", "d", TRUE },
  { "project_domain_id", "d1", "project-domain-id", "d1", TRUE },
  { "domain_name", "d", "user-domain-name", "d", TRUE },
  { "domain_name", "d", "project-domain-name", "d", TRUE },
  { "domain_id", "d1", "user-domain-id", "d1", TRUE },
  { "domain_id", "d1", "project-domain-id", "d1", TRUE },
  { "default_domain_name", "d", "project-domain-name", "d", TRUE },
  { "default_domain_id", "d1", "user-domain-id", "d1", TRUE },
  { "default_domain", "d1", "user-domain-id", "d1", TRUE },
  { "token", CANARY, "token", CANARY, TRUE },
  { "auth_token", CANARY, "token", CANARY, TRUE },
  { "application_credential_id", "i", "application-credential-id", "i", TRUE },
  { "application_credential_name", "n", "application-credential-name", "n", TRUE },
  { "application_credential_secret", CANARY, "application-credential-secret", CANARY, TRUE },
  { "trust_id", "t", "trust-id", "t", TRUE },
  { "auth_type", "password", "auth-mode", "userpass" },
  { "auth_plugin", "v3password", "auth-mode", "v3password" },
  { "auth_type", "token", "auth-mode", "v3token" },
  { "auth_type", "v3token", "auth-mode", "v3token" },
  { "auth_type", "v3applicationcredential", "auth-mode", "v3applicationcredential" },
  { "auth_type", "v2password", "auth-mode", "userpass" },
  { "auth_type", "v2password", "identity-api-version", "2" },
  { "region_name", "r", "region", "r" },
  { "region_name", "[r, s]", "region", "r" },
  { "region_name", "\" r , s\"", "region", "r" },
  { "interface", "internal", "endpoint-interface", "internal" },
  { "interface", "adminURL", "endpoint-interface", "admin" },
  { "endpoint_type", "internalURL", "endpoint-interface", "internal" },
  { "compute_endpoint_type", "admin", "endpoint-interface", "admin" },
  { "verify", "false", "ssl-hostname-verification", "false" },
  { "insecure", "true", "ssl-hostname-verification", "false" },
  { "cacert", "/x/ca.pem", "ca-certificates", "/x/ca.pem" },
  { "cert", "/x/cert.pem", "client-cert", "/x/cert.pem" },
  { "key", "/x/key.pem", "client-key", "/x/key.pem" },
  { "identity_api_version", "2.0", "identity-api-version", "2.0" },
  { "identity_api_version", "3", "identity-api-version", "3" },
  { "compute_default_microversion", "2.60", "compute-api-version", "2.60" },
  { "compute_api_version", "2.1", "compute-api-version", "2.1" },
  { "compute_api_version", "2", "compute-api-version", "" },
  { "compute_endpoint_override", "https://c/", "compute-endpoint", "https://c/" },
  { "network_endpoint_override", "https://c/", "network-endpoint", "https://c/" },
  { "image_endpoint_override", "https://c/", "image-endpoint", "https://c/" },
  { "object_store_endpoint_override", "https://c/", "object-store-endpoint", "https://c/" },
  { "block_storage_endpoint_override", "https://c/", "block-storage-endpoint", "https://c/" },
  { "volume_endpoint_override", "https://c/", "block-storage-endpoint", "https://c/" },
  { "volumev3_endpoint_override", "https://c/", "block-storage-endpoint", "https://c/" },
  { "compute_service_type", "computev21", "compute-service-type", "computev21" },
  { "volume_service_type", "volumev3", "block-storage-service-type", "volumev3" },
  { "api_timeout", "30", "api-timeout", "30" },
  { "internal_network", "n", "network", "n" },
  { "external_network", "n", "external-network", "n" },
};

static void
assert_key (CloudFilesFixture *fixture,
            guint              i,
            const char        *spelling,
            gboolean           is_in_auth)
{
  g_autofree char *text =
    g_strdup_printf (is_in_auth ? "clouds:\n  a:\n    auth: {%s: %s}\n"
                                : "clouds:\n  a:\n    %s: %s\n",
                     spelling, keys[i].value);
  g_autoptr(WelkinConfig) effective = NULL;

  cloud_files_fixture_write (fixture, CLOUDS, text);
  effective = cloud_files_fixture_fill (fixture, NULL);
  cloud_files_fixture_assert (fixture, effective, keys[i].attribute, keys[i].expected,
                              *keys[i].expected != '\0' ? CLOUDS : NULL, 3);
}

static void
test_every_key_is_read_in_both_spellings (CloudFilesFixture *fixture,
                                          gconstpointer      data)
{
  cloud_files_fixture_set (fixture, "OS_CLOUD", "a");
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      g_autofree char *dashes = g_strdelimit (g_strdup (keys[i].key), "_", '-');

      assert_key (fixture, i, keys[i].key, FALSE);
      assert_key (fixture, i, dashes, FALSE);
      if (!keys[i].is_auth)
        continue;
      assert_key (fixture, i, keys[i].key, TRUE);
      assert_key (fixture, i, dashes, TRUE);
    }
}

/* Some way to write the text in YAML that means nothing but the text. */
static char *
spell (const char *text)
{
  GString *spelling = g_string_new (NULL);
  gboolean is_plain = *text != '\0' && strspn (text, "abcxyz0123456789") == strlen (text);

  switch (g_test_rand_int_range (is_plain ? 0 : 1, 4))
    {
    case 0:
      g_string_append (spelling, text);
      break;
    case 1:
      g_string_append_c (spelling, '\'');
      for (const char *place = text; *place != '\0'; place++)
        g_string_append_printf (spelling, *place == '\'' ? "''" : "%c", *place);
      g_string_append_c (spelling, '\'');
      break;
    case 2:
      g_string_append_c (spelling, '"');
      for (const char *place = text; *place != '\0'; place++)
        g_string_append_printf (spelling, strchr ("\"\\", *place) != NULL ? "\\%c" : "%c", *place);
      g_string_append_c (spelling, '"');
      break;
    default:
      g_string_append_c (spelling, '"');
      for (const char *place = text; *place != '\0'; place++)
        g_string_append_printf (spelling, "\\x%02x", (guchar) *place);
      g_string_append_c (spelling, '"');
    }
  return g_string_free (spelling, FALSE);
}

/* Whatever a password is made of, and however it is written, it arrives byte for byte. */
static void
test_any_password_arrives_as_it_is (CloudFilesFixture *fixture,
                                    gconstpointer      data)
{
  static const char characters[] = "abcxyz0123456789 %@`{}[]#:,&*!|>'\"\\?-_=~.$<";
  static const char *const fixed[] = {
    "0123", "yes", "null", "1e5", "0x1f", "~", "{region_name}", "a{b}c#d: e", "it's", "%abc",
    "1_000", "12:30", "=", "<<", "no", ".inf", "2024-01-01",
  };

  cloud_files_fixture_set (fixture, "OS_CLOUD", "a");
  for (guint i = 0; i < 400; i++)
    {
      g_autoptr(GString) password = g_string_new (NULL);
      g_autofree char *spelling = NULL;
      g_autofree char *text = NULL;
      g_autoptr(WelkinConfig) effective = NULL;

      for (int n = g_test_rand_int_range (1, 12); n > 0; n--)
        g_string_append_c (password,
                           characters[g_test_rand_int_range (0, sizeof characters - 1)]);
      if (i < G_N_ELEMENTS (fixed))
        g_string_assign (password, fixed[i]);
      spelling = spell (password->str);
      text = g_strdup_printf ("clouds: {a: {auth: {password: %s}}}\n", spelling);
      cloud_files_fixture_write (fixture, CLOUDS, text);
      effective = cloud_files_fixture_fill (fixture, NULL);
      cloud_files_fixture_assert (fixture, effective, "password", password->str, CLOUDS, 1);
    }
}

static void
test_what_stands_beside_auth_wins (CloudFilesFixture *fixture,
                                   gconstpointer      data)
{
  g_autoptr(WelkinConfig) effective = NULL;

  cloud_files_fixture_write (fixture, CLOUDS,
                             "clouds:\n"
                             "  a:\n"
                             "    username: outside\n"
                             "    auth:\n"
                             "      username: inside\n"
                             "      tenant_name: t\n"
                             "      project-name: p\n"
                             "      user_domain_name: ud\n"
                             "      domain_name: d\n"
                             "      password: ~\n"
                             "    endpoint_type: internal\n"
                             "    interface: admin\n"
                             "    verify: true\n"
                             "    insecure: true\n");
  cloud_files_fixture_set (fixture, "OS_CLOUD", "a");
  effective = cloud_files_fixture_fill (fixture, NULL);
  cloud_files_fixture_assert (fixture, effective, "username", "outside", CLOUDS, 3);
  cloud_files_fixture_assert (fixture, effective, "tenant-name", "p", CLOUDS, 7);
  cloud_files_fixture_assert (fixture, effective, "user-domain-name", "ud", CLOUDS, 8);
  cloud_files_fixture_assert (fixture, effective, "project-domain-name", "d", CLOUDS, 9);
  cloud_files_fixture_assert (fixture, effective, "password", "", NULL, 0);
  cloud_files_fixture_assert (fixture, effective, "endpoint-interface", "admin", CLOUDS, 12);
  cloud_files_fixture_assert (fixture, effective, "ssl-hostname-verification", "false", CLOUDS, 14);
}

static void
test_what_makes_no_sense_names_its_place (CloudFilesFixture *fixture,
                                          gconstpointer      data)
{
  static const char *const cases[][2] = {
    { "verify: maybe", "verify: expected bool, got string(\"maybe\")" },
    { "insecure: 2", "insecure: expected bool, got int(2)" },
    { "auth: [" CANARY "]", "auth: expected a map" },
    { "auth: {password: [" CANARY "]}", "password: expected string, got list" },
    { "auth: {token: {x: " CANARY "}}", "token: expected string, got map" },
    { "application_credential_secret: [" CANARY "]",
      "application_credential_secret: expected string, got list" },
    { "auth: {username: {x: y}}", "username: expected string, got map(x)" },
    { "{auth-url: a, auth_url: b}", "auth_url is given twice, with a dash and an underscore" },
    { "auth_type: none",
      "auth_type \"none\" is not supported; these are: password, v3password, v2password, token, "
      "v3token, v3applicationcredential" },
    { "auth_type: v3oidcpassword",
      "auth_type \"v3oidcpassword\" is not supported; these are: password, v3password, "
      "v2password, token, v3token, v3applicationcredential" },
    { "regions: [{values: {}}]", "regions: expected a name, or a map that has one" },
    { "regions: [[r]]", "regions: expected a name, or a map that has one" },
    { "regions: [{name: r, values: x}]", "values: expected a map" },
    { "networks: [{routes_externally: true}]", "networks: expected a name" },
    { "networks: [{name: n, nat_source: maybe}]",
      "nat_source: expected bool, got string(\"maybe\")" },
    { "networks: [n]", "networks: expected a map" },
    { "api_timeout: soon", "api_timeout: expected number, got string(\"soon\")" },
    { "cacert: ~nosuch-user/ca.pem", "cacert: user \"nosuch-user\" not found" },
    { "auth: {auth_url: 'https://{region_name}.h.test'}",
      "auth_url contains {region_name}, and no region is given: set attribute region" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strdup_printf ("clouds:\n  a:\n    %s\n", cases[i][0]);
      g_autofree char *message = NULL;

      cloud_files_fixture_write (fixture, CLOUDS, text);
      message = g_strconcat ("@/" CLOUDS ":3: ", cases[i][1], NULL);
      cloud_files_fixture_set (fixture, "OS_CLOUD", "a");
      cloud_files_fixture_assert_refused (fixture, message, NULL);
    }
}

/* Merging */

static void
test_a_profile_lies_under_the_cloud (CloudFilesFixture *fixture,
                                     gconstpointer      data)
{
  g_autoptr(WelkinConfig) effective = NULL;

  cloud_files_fixture_write (fixture, "system/openstack/clouds-public.yaml",
                             "public-clouds:\n"
                             "  big:\n"
                             "    auth:\n"
                             "      auth-url: https://big.test/v3\n"
                             "      user_domain_name: big\n"
                             "    interface: internal\n"
                             "    regions: [r1, r2]\n"
                             "    identity_api_version: '3'\n");
  cloud_files_fixture_write (fixture, CLOUDS,
                             "clouds:\n"
                             "  a:\n"
                             "    profile: big\n"
                             "    auth: {username: u, password: " CANARY ", project_name: p,\n"
                             "           user_domain_name: mine}\n"
                             "    endpoint_type: admin\n"
                             "    regions: [r3]\n");
  cloud_files_fixture_set (fixture, "OS_CLOUD", "a");
  effective = cloud_files_fixture_fill (fixture, NULL);
  cloud_files_fixture_assert (fixture, effective, "auth-url", "https://big.test/v3",
                              "system/openstack/clouds-public.yaml", 4);
  cloud_files_fixture_assert (fixture, effective, "user-domain-name", "mine", CLOUDS, 5);
  cloud_files_fixture_assert (fixture, effective, "endpoint-interface", "admin", CLOUDS, 6);
  cloud_files_fixture_assert (fixture, effective, "region", "r3", CLOUDS, 7);
  cloud_files_fixture_assert (fixture, effective, "identity-api-version", "3",
                              "system/openstack/clouds-public.yaml", 8);
}

static void
test_an_unknown_profile_is_told (CloudFilesFixture *fixture,
                                 gconstpointer      data)
{
  g_autoptr(WelkinConfig) effective = NULL;

  cloud_files_fixture_write (fixture, CLOUDS, "clouds: {a: {cloud: small, username: u}}\n");
  cloud_files_fixture_set (fixture, "OS_CLOUD", "a");
  effective = cloud_files_fixture_fill (fixture, NULL);
  cloud_files_fixture_assert (fixture, effective, "username", "u", CLOUDS, 1);
  cloud_files_fixture_assert_notices (fixture,
                                      "cloud \"a\" builds on the profile \"small\", which is in no "
                                      "clouds-public.yaml",
                                      NULL);
}

static void
test_networks_become_two_names (CloudFilesFixture *fixture,
                                gconstpointer      data)
{
  static const char *const cases[][3] = {
    { "networks: [{name: o, routes-externally: true}, {name: i}, {name: j}]", "i", "o" },
    { "networks: [{name: i}, {name: j, nat_destination: true}, {name: k, nat_destination: yes}]",
      "j", "" },
    { "networks: [{name: o, routes_externally: 1}, {name: s, nat_source: on}]", "s", "s" },
    { "networks: [{name: o, routes_externally: true}, {name: s, routes_externally: true, "
      "nat_source: true}]",
      "", "s" },
    { "networks: [{name: i}], internal_network: x, external_network: y", "x", "y" },
    { "networks: []", "", "" },
    { "networks: ~", "", "" },
  };

  cloud_files_fixture_set (fixture, "OS_CLOUD", "a");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strdup_printf ("clouds: {a: {%s}}\n", cases[i][0]);
      g_autoptr(WelkinConfig) effective = NULL;
      g_autoptr(WelkinConfig) own = NULL;

      cloud_files_fixture_write (fixture, CLOUDS, text);
      effective = cloud_files_fixture_fill (fixture, NULL);
      g_assert_cmpstr (welkin_config_get_string (effective, "network"), ==, cases[i][1]);
      g_assert_cmpstr (welkin_config_get_string (effective, "external-network"), ==, cases[i][2]);
      own = cloud_files_fixture_fill (fixture, "network", "mine", NULL);
      g_assert_cmpstr (welkin_config_get_string (own, "network"), ==, "mine");
      g_assert_cmpstr (welkin_config_get_string (own, "external-network"), ==, cases[i][2]);
    }
}

/* Which cloud */

static void
test_the_attribute_wins_over_the_variable (CloudFilesFixture *fixture,
                                           gconstpointer      data)
{
  g_autoptr(WelkinConfig) effective = NULL;

  cloud_files_fixture_write (fixture, CLOUDS,
                             "clouds:\n  a: {username: ua}\n  b: {username: ub}\n");
  cloud_files_fixture_set (fixture, "OS_CLOUD", "a");
  effective = cloud_files_fixture_fill (fixture, "cloud", "b", NULL);
  cloud_files_fixture_assert (fixture, effective, "username", "ub", CLOUDS, 3);
}

static void
test_auto_is_the_only_cloud (CloudFilesFixture *fixture,
                             gconstpointer      data)
{
  g_autoptr(WelkinConfig) effective = NULL;
  g_autoptr(WelkinConfig) named = NULL;

  cloud_files_fixture_write (fixture, CLOUDS, "clouds: {x: {username: ux}}\n");
  /* Unlike a cloud that nobody chose, this one does not mind variables. */
  cloud_files_fixture_set (fixture, "OS_USERNAME", "other");
  effective = cloud_files_fixture_fill (fixture, "cloud", "auto", NULL);
  cloud_files_fixture_assert (fixture, effective, "username", "ux", CLOUDS, 1);

  cloud_files_fixture_write (fixture, CLOUDS, "clouds: {x: {}, y: {}}\n");
  cloud_files_fixture_set (fixture, "OS_CLOUD", "auto");
  cloud_files_fixture_assert_refused (fixture,
                                      "OS_CLOUD: cloud \"auto\" is for a file that has one cloud; "
                                      "@/" CLOUDS " has: x, y",
                                      NULL);
  cloud_files_fixture_write (fixture, CLOUDS, "clouds: {x: {}, auto: {username: itself}}\n");
  named = cloud_files_fixture_fill (fixture, "cloud", "auto", NULL);
  cloud_files_fixture_assert (fixture, named, "username", "itself", CLOUDS, 1);
}

static void
test_the_variables_are_a_cloud_as_well (CloudFilesFixture *fixture,
                                        gconstpointer      data)
{
  g_autoptr(WelkinConfig) effective = NULL;
  g_autoptr(WelkinConfig) renamed = NULL;
  g_autoptr(WelkinConfig) in_file = NULL;

  cloud_files_fixture_write (fixture, CLOUDS, "clouds: {a: {username: ua}}\n");
  cloud_files_fixture_set (fixture, "OS_USERNAME", "u");
  effective = cloud_files_fixture_fill (fixture, "cloud", "envvars", NULL);
  cloud_files_fixture_assert_origin (effective, "username", "u", "OS_USERNAME");

  cloud_files_fixture_set (fixture, "OS_CLOUD_NAME", "mine");
  renamed = cloud_files_fixture_fill (fixture, "cloud", "mine", NULL);
  cloud_files_fixture_assert_origin (renamed, "username", "u", "OS_USERNAME");

  cloud_files_fixture_write (fixture, CLOUDS, "clouds: {envvars: {username: ua}, mine: {}}\n");
  in_file = cloud_files_fixture_fill (fixture, "cloud", "envvars", NULL);
  cloud_files_fixture_assert (fixture, in_file, "username", "ua", CLOUDS, 1);
  cloud_files_fixture_set (fixture, "OS_CLOUD", "mine");
  cloud_files_fixture_assert_refused (fixture,
                                      "OS_CLOUD: @/" CLOUDS " has a cloud \"mine\", which "
                                      "OS_CLOUD_NAME says of the variables: rename one of them",
                                      NULL);
}

static void
test_an_unchosen_cloud_of_several_is_not_guessed (CloudFilesFixture *fixture,
                                                  gconstpointer      data)
{
  g_autoptr(WelkinConfig) effective = NULL;

  cloud_files_fixture_write (fixture, CLOUDS, "clouds: {a: {username: x}, b: {username: y}}\n");
  effective = cloud_files_fixture_fill (fixture, NULL);
  cloud_files_fixture_assert (fixture, effective, "username", "", NULL, 0);
}

#define ADD(path, function)                                                                        \
  g_test_add (path, CloudFilesFixture, NULL, cloud_files_fixture_set_up, function,                 \
              cloud_files_fixture_tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  ADD ("/clouds/the-working-directory-comes-first", test_the_working_directory_comes_first);
  ADD ("/clouds/files-are-not-merged-with-each-other", test_files_are_not_merged_with_each_other);
  ADD ("/clouds/a-file-with-an-error-is-left", test_a_file_with_an_error_is_left);
  ADD ("/clouds/nothing-is-left-of-a-cloud-in-a-broken-file",
       test_nothing_is_left_of_a_cloud_in_a_broken_file);
  ADD ("/clouds/what-is-no-file-is-left", test_what_is_no_file_is_left);
  ADD ("/clouds/a-file-that-cannot-be-read-is-left", test_a_file_that_cannot_be_read_is_left);
  ADD ("/clouds/variables-must-be-text", test_variables_must_be_text);
  ADD ("/clouds/a-file-that-cannot-be-opened-is-not-missing",
       test_a_file_that_cannot_be_opened_is_not_missing);
  ADD ("/clouds/a-file-of-another-user-is-not-trusted", test_a_file_of_another_user_is_not_trusted);
  ADD ("/clouds/a-secret-that-others-may-read-is-told", test_a_secret_that_others_may_read_is_told);
  ADD ("/clouds/without-a-file-the-places-are-named", test_without_a_file_the_places_are_named);
  ADD ("/clouds/json-is-read-as-well", test_json_is_read_as_well);
  ADD ("/clouds/every-key-is-read-in-both-spellings", test_every_key_is_read_in_both_spellings);
  ADD ("/clouds/any-password-arrives-as-it-is", test_any_password_arrives_as_it_is);
  ADD ("/clouds/what-stands-beside-auth-wins", test_what_stands_beside_auth_wins);
  ADD ("/clouds/what-makes-no-sense-names-its-place", test_what_makes_no_sense_names_its_place);
  ADD ("/clouds/a-profile-lies-under-the-cloud", test_a_profile_lies_under_the_cloud);
  ADD ("/clouds/an-unknown-profile-is-told", test_an_unknown_profile_is_told);
  ADD ("/clouds/networks-become-two-names", test_networks_become_two_names);
  ADD ("/clouds/the-attribute-wins-over-the-variable", test_the_attribute_wins_over_the_variable);
  ADD ("/clouds/auto-is-the-only-cloud", test_auto_is_the_only_cloud);
  ADD ("/clouds/the-variables-are-a-cloud-as-well", test_the_variables_are_a_cloud_as_well);
  ADD ("/clouds/an-unchosen-cloud-of-several-is-not-guessed",
       test_an_unchosen_cloud_of_several_is_not_guessed);

  return g_test_run ();
}
