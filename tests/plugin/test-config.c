/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "os-config.h"
#include "transport/os-clouds.h"
#include "transport/os-credentials.h"
#include "transport/os-login.h"
#include "values/welkin-error.h"

static const char *const full[] = {
  "name", "test", "type", "openstack", "username", "demo", "password", "secret", "tenant-name",
  "demo", "auth-url", "https://id.cloud.test:5000/v3", NULL,
};

static WelkinConfig *
make_config (const char *const *attributes)
{
  WelkinConfig *config = welkin_config_new ();

  for (guint i = 0; attributes[i] != NULL; i += 2)
    {
      g_autoptr(WelkinConfig) former = config;

      config = welkin_config_with_text (former, attributes[i], attributes[i + 1], "file:3");
    }
  return config;
}

/* A full configuration with one attribute changed. */
static WelkinConfig *
make_full (const char *key,
           const char *value)
{
  g_autoptr(WelkinConfig) config = make_config (full);

  return welkin_config_with_text (config, key, value, "file:7");
}

static WelkinSurroundings *
make_surroundings (const char *const *variables)
{
  return welkin_surroundings_new (variables, "/");
}

static void
assert_refused (WelkinConfig      *config,
                WelkinConfig      *old_config,
                const char *const *variables,
                const char        *message)
{
  g_autoptr(WelkinSurroundings) surroundings = make_surroundings (variables);
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinConfig) valid = os_config_validate (config, old_config, surroundings, &error);

  g_assert_null (valid);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG);
  g_assert_cmpstr (error->message, ==, message);
}

static WelkinConfig *
assert_valid (WelkinConfig      *config,
              const char *const *variables)
{
  g_autoptr(WelkinSurroundings) surroundings = make_surroundings (variables);
  g_autoptr(GError) error = NULL;
  WelkinConfig *valid = os_config_validate (config, NULL, surroundings, &error);

  g_assert_no_error (error);
  return valid;
}

static void
test_defaults_are_filled_in (void)
{
  g_autoptr(WelkinConfig) config = make_config (full);
  g_autoptr(WelkinConfig) valid = assert_valid (config, NULL);

  g_assert_false (welkin_config_get_boolean (valid, "use-floating-ip"));
  g_assert_false (welkin_config_get_boolean (valid, "use-default-secgroup"));
  g_assert_true (welkin_config_get_boolean (valid, "enable-ipv6-rules"));
  g_assert_cmpstr (welkin_config_get_string (valid, "resource-prefix"), ==, "welkin");
  g_assert_cmpint (welkin_config_get_int (valid, "start-timeout"), ==, 300);
  g_assert_cmpstr (welkin_config_get_string (valid, "network"), ==, "");
}

static void
test_unknown_attributes_are_kept (void)
{
  g_autoptr(WelkinConfig) config = make_full ("future", "x");
  g_autoptr(WelkinConfig) valid = assert_valid (config, NULL);

  g_assert_cmpstr (welkin_config_get_string (valid, "future"), ==, "x");
}

static void
test_bad_values_name_attribute_and_place (void)
{
  static const char *const cases[][3] = {
    { "auth-mode", "magic",
      "file:7: auth-mode \"magic\" is not one of: auto, userpass, keypair, legacy, v3password, "
      "v3applicationcredential, v3token" },
    { "auth-url", "id.cloud.test:5000",
      "file:7: auth-url \"id.cloud.test:5000\" is not an http or https URL with a host" },
    { "auth-url", "ftp://id.cloud.test",
      "file:7: auth-url \"ftp://id.cloud.test\" is not an http or https URL with a host" },
    { "auth-url", "https:///v3",
      "file:7: auth-url \"https:///v3\" is not an http or https URL with a host" },
    { "auth-url", "https://demo:secret@id.cloud.test/v3",
      "file:7: auth-url must not contain a user name or password" },
    { "project-name", "other",
      "file:7: project-name and tenant-name differ: give one of them" },
    { "use-floating-ip", "maybe",
      "file:7: use-floating-ip: expected bool, got string(\"maybe\")" },
    { "resource-prefix", "Welkin",
      "file:7: resource-prefix \"Welkin\" is not a lower-case letter and up to 15 lower-case "
      "letters, digits and hyphens" },
    { "admin-sources", "192.0.2.0/24, nobody",
      "file:7: admin-sources: \"nobody\" is not a network like 192.0.2.0/24 or 2001:db8::/32" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(WelkinConfig) config = make_full (cases[i][0], cases[i][1]);

      assert_refused (config, NULL, NULL, cases[i][2]);
    }
}

static void
test_missing_parts_say_what_supplies_them (void)
{
  static const char *const cases[][2] = {
    { "username",
      "openstack: no user name given: set attribute username or environment variable "
      "OS_USERNAME" },
    { "password",
      "openstack: no password given: set attribute password or environment variable "
      "OS_PASSWORD" },
    { "auth-url",
      "openstack: no auth URL given: set attribute auth-url or environment variable "
      "OS_AUTH_URL" },
    { "tenant-name",
      "openstack: no project given: set attribute tenant-name or environment variable "
      "OS_PROJECT_NAME" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(WelkinConfig) config = make_config (full);
      g_autoptr(WelkinConfig) lacking = welkin_config_without (config, cases[i][0]);

      assert_refused (lacking, NULL, NULL, cases[i][1]);
    }
}

static void
test_immutable_attributes_stay (void)
{
  g_autoptr(WelkinConfig) old_config = make_full ("region", "R1");
  g_autoptr(WelkinConfig) config = make_full ("region", "R2");
  g_autoptr(WelkinConfig) old_bucket = make_full ("control-bucket", "b1");
  g_autoptr(WelkinConfig) bucket = make_full ("control-bucket", "b2");

  assert_refused (config, old_config, NULL,
                  "file:7: attribute region is fixed for an existing environment: it is \"R1\", "
                  "not \"R2\"");
  assert_refused (bucket, old_bucket, NULL,
                  "file:7: attribute control-bucket is fixed for an existing environment: it is "
                  "\"b1\", not \"b2\"");
}

static void
test_validation_stores_nothing_of_the_variables (void)
{
  static const char *const attributes[] = { "name", "test", "type", "openstack", NULL };
  static const char *const variables[] = {
    "OS_AUTH_URL=https://id.cloud.test/v3", "OS_USERNAME=demo", "OS_PASSWORD=secret",
    "OS_PROJECT_NAME=demo", "OS_REGION_NAME=R1", NULL,
  };
  g_autoptr(WelkinConfig) config = make_config (attributes);
  g_autoptr(WelkinConfig) valid = assert_valid (config, variables);

  g_assert_cmpstr (welkin_config_get_string (valid, "password"), ==, "");
  g_assert_cmpstr (welkin_config_get_string (valid, "username"), ==, "");
  g_assert_cmpstr (welkin_config_get_string (valid, "auth-url"), ==, "");
}

static WelkinConfig *
prepare (WelkinConfig       *config,
         WelkinSurroundings *surroundings)
{
  g_autoptr(GError) error = NULL;
  WelkinConfig *prepared = os_config_prepare (config, WELKIN_PREPARE_NONE, surroundings, &error);

  g_assert_no_error (error);
  return prepared;
}

static void
test_preparation_names_a_container_once (void)
{
  g_autoptr(WelkinConfig) config = make_config (full);
  g_autoptr(WelkinSurroundings) surroundings = make_surroundings (NULL);
  g_autoptr(WelkinConfig) one = prepare (config, surroundings);
  g_autoptr(WelkinConfig) two = prepare (config, surroundings);
  g_autoptr(WelkinConfig) again = prepare (one, surroundings);
  const char *bucket = welkin_config_get_string (one, "control-bucket");

  g_assert_cmpuint (strlen (bucket), ==, 32);
  g_assert_cmpuint (strspn (bucket, "0123456789abcdef"), ==, 32);
  g_assert_cmpstr (bucket, !=, welkin_config_get_string (two, "control-bucket"));
  g_assert_cmpstr (bucket, ==, welkin_config_get_string (again, "control-bucket"));
}

/* Credentials */

static OsCredentials *
make_credentials (const char *const *attributes,
                  const char *const *variables)
{
  g_autoptr(WelkinConfig) config = make_config (attributes);
  g_autoptr(WelkinSurroundings) surroundings = make_surroundings (variables);
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinConfig) effective = os_clouds_fill (config, surroundings, &error);
  OsCredentials *credentials = NULL;

  g_assert_no_error (error);
  credentials = os_credentials_new (effective, &error);
  g_assert_no_error (error);
  return credentials;
}

static void
test_spellings_of_auth_url (void)
{
  static const char *const cases[][2] = {
    { "https://id.cloud.test:5000/v3", "https://id.cloud.test:5000/v3" },
    { "https://id.cloud.test:5000/v3/", "https://id.cloud.test:5000/v3" },
    { "https://id.cloud.test:5000/v3// ", "https://id.cloud.test:5000/v3" },
    { "https://id.cloud.test:5000", "https://id.cloud.test:5000" },
    { "https://id.cloud.test:5000/", "https://id.cloud.test:5000" },
    { "https://id.cloud.test:5000/v2.0/tokens", "https://id.cloud.test:5000/v2.0" },
    { "https://id.cloud.test:5000/v3/auth/tokens", "https://id.cloud.test:5000/v3" },
    { "https://id.cloud.test/identity?x=1#y", "https://id.cloud.test/identity" },
    { "https://[2001:db8::a3]:13000/v3", "https://[2001:db8::a3]:13000/v3" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(GError) error = NULL;
      g_autofree char *url = os_auth_url_normalize (cases[i][0], &error);

      g_assert_no_error (error);
      g_assert_cmpstr (url, ==, cases[i][1]);
    }
}

static void
test_version_of_auth_url (void)
{
  static const char *const cases[][3] = {
    { "https://h.test/v3", "v3", "https://h.test" },
    { "https://h.test/identity/V3.14", "V3.14", "https://h.test/identity" },
    { "https://h.test/v2.0", "v2.0", "https://h.test" },
    { "https://h.test", NULL, "https://h.test" },
    { "https://h.test/vault", NULL, "https://h.test/vault" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *base = os_auth_url_get_base (cases[i][0]);

      g_assert_cmpstr (os_auth_url_get_version (cases[i][0]), ==, cases[i][1]);
      g_assert_cmpstr (base, ==, cases[i][2]);
    }
}

static void
test_attributes_win_over_variables (void)
{
  static const char *const variables[] = {
    "OS_USERNAME=other", "OS_USER_ID=u2", "OS_PROJECT_ID=p2", "OS_REGION_NAME=R2",
    "NOVA_REGION=R3", "OS_INTERFACE=internalURL", NULL,
  };
  g_autoptr(OsCredentials) credentials = make_credentials (full, variables);

  g_assert_cmpstr (os_credentials_get (credentials, OS_CREDENTIAL_USERNAME), ==, "demo");
  /* Neither does an id of the variables beat a name of the attributes. */
  g_assert_null (os_credentials_get (credentials, OS_CREDENTIAL_USER_ID));
  g_assert_cmpstr (os_credentials_get (credentials, OS_CREDENTIAL_PROJECT_NAME), ==, "demo");
  g_assert_null (os_credentials_get (credentials, OS_CREDENTIAL_PROJECT_ID));
  g_assert_cmpstr (os_credentials_get (credentials, OS_CREDENTIAL_REGION), ==, "R2");
  g_assert_cmpstr (os_credentials_get (credentials, OS_CREDENTIAL_INTERFACE), ==, "internal");
}

static char *
make_login (const char *const *attributes,
            const char *const *variables)
{
  g_autoptr(OsCredentials) credentials = make_credentials (attributes, variables);
  g_autoptr(JsonNode) login = os_login_make_v3_body (credentials);

  return json_to_string (login, FALSE);
}

static void
test_login_names_user_and_project_in_their_domains (void)
{
  static const char *const variables[] = {
    "OS_USER_DOMAIN_NAME=Default", "OS_PROJECT_DOMAIN_NAME=other", NULL,
  };
  g_autofree char *plain = make_login (full, NULL);
  g_autofree char *domains = make_login (full, variables);

  g_assert_cmpstr (plain, ==,
                   "{\"auth\":{\"identity\":{\"methods\":[\"password\"],\"password\":{\"user\":{"
                   "\"name\":\"demo\",\"domain\":{\"id\":\"default\"},\"password\":\"secret\"}}},"
                   "\"scope\":{\"project\":{\"name\":\"demo\",\"domain\":{\"id\":\"default\"}}}}}");
  g_assert_cmpstr (domains, ==,
                   "{\"auth\":{\"identity\":{\"methods\":[\"password\"],\"password\":{\"user\":{"
                   "\"name\":\"demo\",\"domain\":{\"name\":\"Default\"},\"password\":\"secret\"}}},"
                   "\"scope\":{\"project\":{\"name\":\"demo\",\"domain\":{\"name\":\"other\"}}}}}");
}

static void
test_login_by_ids_names_no_domain (void)
{
  static const char *const attributes[] = {
    "user-id", "42", "password", "0123", "tenant-id", "7", "domain-name", "x", "auth-url",
    "https://h.test/v3", NULL,
  };
  g_autofree char *login = make_login (attributes, NULL);

  g_assert_cmpstr (login, ==,
                   "{\"auth\":{\"identity\":{\"methods\":[\"password\"],\"password\":{\"user\":{"
                   "\"id\":\"42\",\"password\":\"0123\"}}},"
                   "\"scope\":{\"project\":{\"id\":\"7\"}}}}");
}

static void
test_password_goes_to_its_own_cloud_only (void)
{
  static const char *const variables[] = {
    "OS_AUTH_URL=https://other.test/v3", "OS_PASSWORD=theirs", NULL,
  };
  static const char *const same_host[] = {
    "OS_AUTH_URL=https://id.cloud.test:5000/", "OS_PASSWORD=theirs", NULL,
  };
  g_autoptr(WelkinConfig) config = make_config (full);
  g_autoptr(WelkinConfig) lacking = welkin_config_without (config, "password");
  g_autoptr(WelkinConfig) allowing =
    welkin_config_with_text (lacking, "allow-foreign-auth-url", "true", NULL);
  g_autoptr(WelkinConfig) valid = NULL;
  g_autoptr(WelkinConfig) allowed = NULL;

  assert_refused (lacking, NULL, variables,
                  "refusing to send credentials from OS_PASSWORD to a different auth-url");
  valid = assert_valid (lacking, same_host);
  allowed = assert_valid (allowing, variables);
}

static void
test_every_password_of_the_variables_has_a_cloud (void)
{
  static const char *const cases[][4] = {
    { "NOVA_PASSWORD", "NOVA_URL=https://other.test/v3", "NOVA_PASSWORD=theirs" },
    { "NOVA_API_KEY", "NOVA_URL=https://other.test/v3", "NOVA_API_KEY=theirs" },
    { "OS_PASSWORD", "NOVA_URL=https://other.test/v3", "OS_PASSWORD=theirs" },
    { "NOVA_API_KEY", "OS_AUTH_URL=https://other.test/v3", "NOVA_API_KEY=theirs" },
    /* The two families name two clouds. */
    { "NOVA_PASSWORD", "NOVA_URL=https://other.test/v3",
      "OS_AUTH_URL=https://id.cloud.test:5000/v3", "NOVA_PASSWORD=theirs" },
    /* The port counts. */
    { "NOVA_PASSWORD", "NOVA_URL=https://id.cloud.test/v3", "NOVA_PASSWORD=theirs" },
    { "OS_PASSWORD", "OS_AUTH_URL=not a url", "OS_PASSWORD=theirs" },
  };
  static const char *const good[][4] = {
    { "NOVA_URL=https://id.cloud.test:5000/v3", "NOVA_API_KEY=ours" },
    { "OS_AUTH_URL=", "NOVA_URL= https://id.cloud.test:5000/v3 ", "OS_PASSWORD=ours" },
    { "NOVA_URL=https://other.test/v3", "OS_AUTH_URL=https://id.cloud.test:5000/v3",
      "OS_PASSWORD=ours" },
    { "OS_PASSWORD=ours" },
  };
  g_autoptr(WelkinConfig) config = make_config (full);
  g_autoptr(WelkinConfig) lacking = welkin_config_without (config, "password");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *variables[] = { cases[i][1], cases[i][2], cases[i][3], NULL };
      g_autofree char *words =
        g_strdup_printf ("refusing to send credentials from %s to a different auth-url",
                         cases[i][0]);
      g_autoptr(WelkinConfig) valid = NULL;

      assert_refused (lacking, NULL, variables, words);
      /* What the variables say does not matter to one who brings his own. */
      valid = assert_valid (config, variables);
    }
  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    {
      const char *variables[] = { good[i][0], good[i][1], good[i][2], NULL };
      g_autoptr(WelkinConfig) valid = assert_valid (lacking, variables);

      g_assert_nonnull (valid);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/config/defaults-are-filled-in", test_defaults_are_filled_in);
  g_test_add_func ("/config/unknown-attributes-are-kept", test_unknown_attributes_are_kept);
  g_test_add_func ("/config/bad-values-name-attribute-and-place",
                   test_bad_values_name_attribute_and_place);
  g_test_add_func ("/config/missing-parts-say-what-supplies-them",
                   test_missing_parts_say_what_supplies_them);
  g_test_add_func ("/config/immutable-attributes-stay", test_immutable_attributes_stay);
  g_test_add_func ("/config/stores-nothing-of-the-variables",
                   test_validation_stores_nothing_of_the_variables);
  g_test_add_func ("/config/preparation-names-a-container-once",
                   test_preparation_names_a_container_once);
  g_test_add_func ("/credentials/spellings-of-auth-url", test_spellings_of_auth_url);
  g_test_add_func ("/credentials/version-of-auth-url", test_version_of_auth_url);
  g_test_add_func ("/credentials/attributes-win-over-variables",
                   test_attributes_win_over_variables);
  g_test_add_func ("/credentials/login-names-both-domains",
                   test_login_names_user_and_project_in_their_domains);
  g_test_add_func ("/credentials/login-by-ids-names-no-domain",
                   test_login_by_ids_names_no_domain);
  g_test_add_func ("/credentials/password-goes-to-its-own-cloud-only",
                   test_password_goes_to_its_own_cloud_only);
  g_test_add_func ("/credentials/every-variable-with-a-password-has-a-cloud",
                   test_every_password_of_the_variables_has_a_cloud);

  return g_test_run ();
}
