/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "cloud-files-fixture.h"
#include "transport/os-clouds.h"
#include "transport/os-credentials.h"
#include "values/welkin-error.h"

/* Ranks */

#define MAX_VARIABLES 5

/* What gives each setting: an attribute, a key, and variables, of which the first one wins. The
 * values are whatever the setting may be. */
static const struct
{
  const char *attribute;
  const char *key;
  const char *variables[MAX_VARIABLES];
  gboolean    is_ambient; /* variables count beside an entry */
} settings[] = {
  { "auth-url", "auth_url", { "OS_AUTH_URL", "NOVA_URL" } },
  { "username", "username", { "OS_USERNAME", "NOVA_USERNAME" } },
  { "user-id", "user_id", { "OS_USER_ID" } },
  { "password", "password", { "OS_PASSWORD", "NOVA_PASSWORD", "NOVA_API_KEY" } },
  { "token", "token", { "OS_TOKEN", "OS_AUTH_TOKEN" } },
  { "access-key", NULL, { "OS_ACCESS_KEY", "EC2_ACCESS_KEY", "AWS_ACCESS_KEY_ID" } },
  { "secret-key", NULL, { "OS_SECRET_KEY", "EC2_SECRET_KEY", "EC2_SECRET_KEYS",
                          "AWS_SECRET_ACCESS_KEY" } },
  { "application-credential-id", "application_credential_id", { "OS_APPLICATION_CREDENTIAL_ID" } },
  { "application-credential-name", "application_credential_name",
    { "OS_APPLICATION_CREDENTIAL_NAME" } },
  { "application-credential-secret", "application_credential_secret",
    { "OS_APPLICATION_CREDENTIAL_SECRET" } },
  { "trust-id", "trust_id", { "OS_TRUST_ID" } },
  { "tenant-name", "project_name", { "OS_PROJECT_NAME", "OS_TENANT_NAME", "NOVA_PROJECT_ID" } },
  { "tenant-id", "project_id", { "OS_PROJECT_ID", "OS_TENANT_ID" } },
  { "user-domain-name", "user_domain_name",
    { "OS_USER_DOMAIN_NAME", "OS_DOMAIN_NAME", "OS_DEFAULT_DOMAIN_NAME" } },
  { "user-domain-id", "user_domain_id",
    { "OS_USER_DOMAIN_ID", "OS_DOMAIN_ID", "OS_DEFAULT_DOMAIN_ID", "OS_DEFAULT_DOMAIN" } },
  { "project-domain-name", "project_domain_name",
    { "OS_PROJECT_DOMAIN_NAME", "OS_DOMAIN_NAME", "OS_DEFAULT_DOMAIN_NAME" } },
  { "project-domain-id", "project_domain_id",
    { "OS_PROJECT_DOMAIN_ID", "OS_DOMAIN_ID", "OS_DEFAULT_DOMAIN_ID", "OS_DEFAULT_DOMAIN" } },
  { "identity-api-version", "identity_api_version",
    { "OS_AUTH_VERSION", "OS_IDENTITY_API_VERSION" } },
  { "endpoint-interface", "interface", { "OS_INTERFACE", "OS_ENDPOINT_TYPE" } },
  { "region", "region_name", { "OS_REGION_NAME", "NOVA_REGION" }, TRUE },
  { "ca-certificates", "cacert", { "OS_CACERT" }, TRUE },
  { "client-cert", "cert", { "OS_CERT" }, TRUE },
  { "client-key", "key", { "OS_KEY" }, TRUE },
  { "compute-endpoint", "compute_endpoint_override", { "OS_COMPUTE_ENDPOINT_OVERRIDE" } },
  { "network-endpoint", "network_endpoint_override", { "OS_NETWORK_ENDPOINT_OVERRIDE" } },
  { "image-endpoint", "image_endpoint_override", { "OS_IMAGE_ENDPOINT_OVERRIDE" } },
  { "object-store-endpoint", "object_store_endpoint_override",
    { "OS_OBJECT_STORE_ENDPOINT_OVERRIDE" } },
  { "block-storage-endpoint", "block_storage_endpoint_override",
    { "OS_BLOCK_STORAGE_ENDPOINT_OVERRIDE", "OS_VOLUMEV3_ENDPOINT_OVERRIDE",
      "OS_VOLUME_ENDPOINT_OVERRIDE" } },
};

/* What OS_CLOUD names from then on has this one key and a URL. */
static void
write_entry (CloudFilesFixture *fixture,
             const char        *key)
{
  g_autofree char *text =
    g_strdup_printf ("clouds: {a: {x: y%s%s%s}}\n", key != NULL ? ", " : "", key != NULL ? key : "",
                     key != NULL ? ": /of-entry" : "");

  cloud_files_fixture_write (fixture, CLOUDS, text);
  cloud_files_fixture_set (fixture, "OS_CLOUD", "a");
}

static void
test_the_first_variable_of_a_row_wins (CloudFilesFixture *fixture,
                                       gconstpointer      data)
{
  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    {
      /* From the last one on, each is set beside those that are weaker. */
      for (int j = MAX_VARIABLES - 1; j >= 0; j--)
        {
          g_autofree char *value = g_strdup_printf ("/of-%s", settings[i].variables[j]);
          g_autoptr(WelkinConfig) effective = NULL;

          if (settings[i].variables[j] == NULL)
            continue;
          cloud_files_fixture_set (fixture, settings[i].variables[j], value);
          effective = cloud_files_fixture_fill (fixture, NULL);
          cloud_files_fixture_assert_origin (effective, settings[i].attribute, value,
                                             settings[i].variables[j]);
        }
      for (guint j = 0; j < MAX_VARIABLES && settings[i].variables[j] != NULL; j++)
        cloud_files_fixture_set (fixture, settings[i].variables[j], "");
    }
}

static void
test_each_rank_wins_over_those_below (CloudFilesFixture *fixture,
                                      gconstpointer      data)
{
  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    {
      const char *variable = settings[i].variables[0];
      g_autoptr(WelkinConfig) by_variable = NULL;
      g_autoptr(WelkinConfig) beside_entry = NULL;
      g_autoptr(WelkinConfig) by_entry = NULL;
      g_autoptr(WelkinConfig) by_attribute = NULL;
      g_autoptr(WelkinConfig) by_empty = NULL;

      cloud_files_fixture_set (fixture, "OS_CLOUD", "envvars");
      cloud_files_fixture_set (fixture, variable, "/of-variable");
      by_variable = cloud_files_fixture_fill (fixture, NULL);
      cloud_files_fixture_assert_origin (by_variable, settings[i].attribute, "/of-variable",
                                         variable);
      by_empty = cloud_files_fixture_fill (fixture, settings[i].attribute, "", NULL);
      cloud_files_fixture_assert_origin (by_empty, settings[i].attribute, "/of-variable", variable);

      write_entry (fixture, NULL);
      beside_entry = cloud_files_fixture_fill (fixture, NULL);
      g_assert_cmpstr (welkin_config_get_string (beside_entry, settings[i].attribute), ==,
                       settings[i].is_ambient ? "/of-variable" : "");
      write_entry (fixture, settings[i].key);
      by_entry = cloud_files_fixture_fill (fixture, NULL);
      cloud_files_fixture_assert (fixture, by_entry, settings[i].attribute,
                                  settings[i].key != NULL ? "/of-entry" : "",
                                  settings[i].key != NULL ? CLOUDS : NULL, 1);
      by_attribute = cloud_files_fixture_fill (fixture, settings[i].attribute, "/of-attribute",
                                               NULL);
      cloud_files_fixture_assert_origin (by_attribute, settings[i].attribute, "/of-attribute",
                                         "file:7");
      cloud_files_fixture_set (fixture, variable, "");
    }
}

static void
test_an_old_project_is_an_id_or_a_name (CloudFilesFixture *fixture,
                                        gconstpointer      data)
{
  static const struct
  {
    const char *text;
    gboolean    is_id;
  } cases[] = {
    { "0123456789abcdef0123456789ABCDEF", TRUE },
    { "f81d4fae-7dec-11d0-a765-00a0c91e6bf6", TRUE },
    { "0123456789abcdef0123456789abcde", FALSE },
    { "0123456789abcdef0123456789abcdeg", FALSE },
    { "demo", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(WelkinConfig) effective = NULL;

      cloud_files_fixture_set (fixture, "NOVA_PROJECT_ID", cases[i].text);
      effective = cloud_files_fixture_fill (fixture, NULL);
      cloud_files_fixture_assert_origin (effective,
                                         cases[i].is_id ? "tenant-id" : "tenant-name",
                                         cases[i].text, "NOVA_PROJECT_ID");
      g_assert_cmpstr (
        welkin_config_get_string (effective, cases[i].is_id ? "tenant-name" : "tenant-id"), ==, "");
    }
}

/* A member of a higher rank keeps the others of its group from coming from below. */
static void
test_what_belongs_together_is_of_one_rank (CloudFilesFixture *fixture,
                                           gconstpointer      data)
{
  static const char *const groups[][4] = {
    { "username", "OS_USER_ID", "user-id" },
    { "user-id", "OS_USERNAME", "username" },
    { "tenant-name", "OS_PROJECT_ID", "tenant-id" },
    { "project-name", "OS_TENANT_ID", "tenant-id" },
    { "tenant-id", "OS_TENANT_NAME", "tenant-name" },
    { "tenant-id", "OS_TRUST_ID", "trust-id" },
    { "trust-id", "OS_PROJECT_NAME", "tenant-name" },
    { "user-domain-name", "OS_USER_DOMAIN_ID", "user-domain-id" },
    { "domain-name", "OS_PROJECT_DOMAIN_ID", "project-domain-id" },
    { "project-domain-id", "OS_DEFAULT_DOMAIN_NAME", "project-domain-name" },
    { "client-cert", "OS_KEY", "client-key" },
    /* A secret settles how to log in. */
    { "password", "OS_TOKEN", "token" },
    { "password", "OS_APPLICATION_CREDENTIAL_SECRET", "application-credential-secret" },
    { "password", "OS_APPLICATION_CREDENTIAL_ID", "application-credential-id" },
    { "password", "OS_SECRET_KEY", "secret-key" },
    { "password", "OS_AUTH_TYPE", "auth-mode" },
    { "token", "OS_PASSWORD", "password" },
    { "application-credential-secret", "OS_TOKEN", "token" },
    { "secret-key", "OS_PASSWORD", "password" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    {
      g_autoptr(WelkinConfig) effective = NULL;
      g_autoptr(WelkinConfig) without = NULL;

      cloud_files_fixture_set (fixture, groups[i][1], "token");
      effective = cloud_files_fixture_fill (fixture, groups[i][0], "/x", NULL);
      g_assert_cmpstr (welkin_config_get_string (effective, groups[i][2]), ==, "");
      without = cloud_files_fixture_fill (fixture, NULL);
      g_assert_cmpstr (welkin_config_get_string (without, groups[i][2]), !=, "");
      cloud_files_fixture_set (fixture, groups[i][1], "");
    }
}

static void
test_paths_are_relative_to_where_they_are_given (CloudFilesFixture *fixture,
                                                 gconstpointer      data)
{
  g_autoptr(WelkinConfig) by_variable = NULL;
  g_autoptr(WelkinConfig) by_attribute = NULL;
  g_autoptr(WelkinConfig) of_home = NULL;
  g_autoptr(WelkinConfig) text = NULL;

  cloud_files_fixture_set (fixture, "OS_CACERT", "ca.pem");
  cloud_files_fixture_set (fixture, "OS_KEY", "~/key.pem");
  by_variable = cloud_files_fixture_fill (fixture, NULL);
  cloud_files_fixture_assert (fixture, by_variable, "ca-certificates", "@/here/ca.pem", NULL, 0);
  cloud_files_fixture_assert (fixture, by_variable, "client-key", "@/home/key.pem", NULL, 0);
  by_attribute = cloud_files_fixture_fill (fixture, "ca-certificates", "x/ca.pem", NULL);
  cloud_files_fixture_assert (fixture, by_attribute, "ca-certificates",
                              "@/home/.config/welkin/x/ca.pem", NULL, 0);
  of_home = cloud_files_fixture_fill (fixture, "client-cert", "~/cert.pem", NULL);
  cloud_files_fixture_assert (fixture, of_home, "client-cert", "@/home/cert.pem", NULL, 0);
  text = cloud_files_fixture_fill (fixture, "ca-certificates", "-----BEGIN X", NULL);
  cloud_files_fixture_assert (fixture, text, "ca-certificates", "-----BEGIN X", NULL, 0);
}

static void
test_variables_turn_verification_off (CloudFilesFixture *fixture,
                                      gconstpointer      data)
{
  static const char *const cases[][2] = {
    { "1", "false" }, { "true", "false" }, { "TRUE", "false" }, { "yes", "false" },
    { "Yes", "false" }, { "0", "" }, { "no", "" }, { "false", "" }, { "", "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(WelkinConfig) effective = NULL;

      cloud_files_fixture_set (fixture, "OS_INSECURE", cases[i][0]);
      effective = cloud_files_fixture_fill (fixture, NULL);
      g_assert_cmpstr (welkin_config_get_string (effective, "ssl-hostname-verification"), ==,
                       cases[i][1]);
    }
}

static void
test_a_word_that_is_neither_yes_nor_no_is_refused (CloudFilesFixture *fixture,
                                                   gconstpointer      data)
{
  static const char *const words[] = { "maybe", "2", "on", "tru", " ", "\xff" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      cloud_files_fixture_set (fixture, "OS_INSECURE", words[i]);
      cloud_files_fixture_assert_refused (
        fixture, "OS_INSECURE: expected true, yes or 1, or false, no or 0", NULL);
    }
}

/* Whose secret it is */

static void
test_secrets_of_a_file_stay_with_its_cloud (CloudFilesFixture *fixture,
                                            gconstpointer      data)
{
  static const char *const secrets[] = { "password", "token", "application_credential_secret" };
  static const char *const same[] = {
    "https://a.test/v3", "https://a.test", "https://a.test:443/other/", "HTTPS://A.test/v2.0",
  };
  static const char *const others[] = {
    "https://b.test/v3", "http://a.test/v3", "https://a.test:5000/v3", "https://a.test.b.test/v3",
    "https://xa.test/v3",
  };

  cloud_files_fixture_set (fixture, "OS_CLOUD", "a");
  for (guint i = 0; i < G_N_ELEMENTS (secrets); i++)
    {
      g_autofree char *text = g_strdup_printf ("clouds:\n  a:\n    auth_url: https://a.test/v3\n"
                                               "    %s: " CANARY "\n", secrets[i]);
      g_autoptr(WelkinConfig) allowed = NULL;

      cloud_files_fixture_write (fixture, CLOUDS, text);
      for (guint j = 0; j < G_N_ELEMENTS (same); j++)
        {
          g_autoptr(WelkinConfig) effective =
            cloud_files_fixture_fill (fixture, "auth-url", same[j], NULL);

          g_assert_cmpstr (welkin_config_get_string (effective, "auth-url"), ==, same[j]);
        }
      for (guint j = 0; j < G_N_ELEMENTS (others); j++)
        cloud_files_fixture_assert_refused (fixture,
                                            "refusing to send credentials from @/" CLOUDS
                                            ":4 to a different auth-url",
                                            "auth-url", others[j], NULL);
      allowed = cloud_files_fixture_fill (fixture, "auth-url", others[0],
                                          "allow-foreign-auth-url", "true", NULL);
      g_assert_cmpstr (welkin_config_get_string (allowed, "auth-url"), ==, others[0]);
    }
}

static void
test_secrets_of_variables_stay_with_their_cloud (CloudFilesFixture *fixture,
                                                 gconstpointer      data)
{
  static const char *const secrets[] = {
    "OS_PASSWORD", "NOVA_PASSWORD", "NOVA_API_KEY", "OS_TOKEN", "OS_AUTH_TOKEN", "OS_SECRET_KEY",
    "EC2_SECRET_KEY", "EC2_SECRET_KEYS", "AWS_SECRET_ACCESS_KEY",
    "OS_APPLICATION_CREDENTIAL_SECRET",
  };

  cloud_files_fixture_set (fixture, "OS_AUTH_URL", "https://a.test/v3");
  for (guint i = 0; i < G_N_ELEMENTS (secrets); i++)
    {
      g_autofree char *message = g_strdup_printf (
        "refusing to send credentials from %s to a different auth-url", secrets[i]);
      g_autoptr(WelkinConfig) effective = NULL;

      cloud_files_fixture_set (fixture, secrets[i], CANARY);
      cloud_files_fixture_assert_refused (fixture, message, "auth-url", "https://b.test/v3", NULL);
      effective = cloud_files_fixture_fill (fixture, "auth-url", "https://a.test/identity", NULL);
      cloud_files_fixture_set (fixture, secrets[i], "");
    }
}

/* How to log in */

static OsCredentials *
make (CloudFilesFixture *fixture,
      const char        *attributes)
{
  g_autoptr(WelkinSurroundings) surroundings = cloud_files_fixture_make_surroundings (fixture);
  g_auto(GStrv) words = g_strsplit (attributes, " ", -1);
  g_autoptr(WelkinConfig) config = welkin_config_new ();
  g_autoptr(WelkinConfig) effective = NULL;
  g_autoptr(GError) error = NULL;
  OsCredentials *credentials;

  for (guint i = 0; words[i] != NULL; i++)
    {
      g_autoptr(WelkinConfig) former = g_steal_pointer (&config);
      g_auto(GStrv) pair = g_strsplit (words[i], "=", 2);

      config = welkin_config_with_text (former, pair[0], pair[1], NULL);
    }
  effective = os_clouds_fill (config, surroundings, &error);
  g_assert_no_error (error);
  credentials = os_credentials_new (effective, &error);
  g_assert_no_error (error);
  return credentials;
}

#define PASSWORD "username=u password=p tenant-name=t "
#define APPLICATION "application-credential-id=i application-credential-secret=s "
#define NAMED "application-credential-name=n application-credential-secret=s "
#define KEYS "access-key=a secret-key=s "
#define BASE "auth-url=https://h.test"

static const struct
{
  const char *attributes;
  OsAuthMode  mode;
  guint       version;
} modes[] = {
  /* What is given tells what is meant. */
  { PASSWORD BASE, OS_AUTH_PASSWORD, 0 },
  { PASSWORD BASE " auth-mode=auto", OS_AUTH_PASSWORD, 0 },
  { APPLICATION BASE, OS_AUTH_APPLICATION_CREDENTIAL, 3 },
  { APPLICATION PASSWORD BASE, OS_AUTH_APPLICATION_CREDENTIAL, 3 },
  { APPLICATION "token=t " BASE, OS_AUTH_APPLICATION_CREDENTIAL, 3 },
  { NAMED "username=u " BASE, OS_AUTH_APPLICATION_CREDENTIAL, 3 },
  { NAMED "user-id=u " BASE, OS_AUTH_APPLICATION_CREDENTIAL, 3 },
  { NAMED "token=t " BASE, OS_AUTH_TOKEN, 3 },
  { "application-credential-id=i " PASSWORD BASE, OS_AUTH_PASSWORD, 0 },
  { "token=t " PASSWORD BASE, OS_AUTH_TOKEN, 3 },
  { "token=t " BASE, OS_AUTH_TOKEN, 3 },
  { KEYS BASE, OS_AUTH_KEY_PAIR, 0 },
  { KEYS PASSWORD BASE, OS_AUTH_PASSWORD, 0 },
  { KEYS "username=u " BASE, OS_AUTH_KEY_PAIR, 0 },
  { "access-key=a " PASSWORD BASE, OS_AUTH_PASSWORD, 0 },
  { "username=u password=p " BASE "/v1", OS_AUTH_LEGACY, 1 },
  { "username=u password=p " BASE "/v1.0/", OS_AUTH_LEGACY, 1 },
  { "username=u password=p " BASE "/auth/v1.0", OS_AUTH_LEGACY, 1 },
  /* Unless it is said. */
  { PASSWORD "token=t auth-mode=userpass " BASE, OS_AUTH_PASSWORD, 0 },
  { PASSWORD "token=t auth-mode=v3password " BASE, OS_AUTH_PASSWORD, 3 },
  { PASSWORD KEYS "auth-mode=keypair " BASE, OS_AUTH_KEY_PAIR, 0 },
  { PASSWORD "auth-mode=legacy " BASE, OS_AUTH_LEGACY, 1 },
  { PASSWORD APPLICATION "token=t auth-mode=v3token " BASE, OS_AUTH_TOKEN, 3 },
  { PASSWORD APPLICATION "token=t auth-mode=v3applicationcredential " BASE,
    OS_AUTH_APPLICATION_CREDENTIAL, 3 },
  /* The version is that of the URL, */
  { PASSWORD BASE "/v3", OS_AUTH_PASSWORD, 3 },
  { PASSWORD BASE "/identity/v3/", OS_AUTH_PASSWORD, 3 },
  { PASSWORD BASE "/V3.14", OS_AUTH_PASSWORD, 3 },
  { PASSWORD BASE "/v2.0", OS_AUTH_PASSWORD, 2 },
  { KEYS "tenant-name=t " BASE "/v2.0", OS_AUTH_KEY_PAIR, 2 },
  { KEYS BASE "/v3", OS_AUTH_KEY_PAIR, 3 },
  { PASSWORD BASE "/v4", OS_AUTH_PASSWORD, 0 },
  /* unless a domain, a trust or the like takes the third, */
  { PASSWORD BASE "/v2.0 user-domain-name=d", OS_AUTH_PASSWORD, 3 },
  { PASSWORD BASE "/v2.0 project-domain-id=d", OS_AUTH_PASSWORD, 3 },
  { PASSWORD BASE "/v2.0 domain-id=d", OS_AUTH_PASSWORD, 3 },
  { "username=u password=p trust-id=t " BASE "/v2.0", OS_AUTH_PASSWORD, 3 },
  { APPLICATION BASE "/v2.0", OS_AUTH_APPLICATION_CREDENTIAL, 3 },
  { "token=t " BASE "/v2.0 identity-api-version=2", OS_AUTH_TOKEN, 3 },
  /* or it is said. */
  { PASSWORD BASE " identity-api-version=2", OS_AUTH_PASSWORD, 2 },
  { PASSWORD BASE " version=2.0", OS_AUTH_PASSWORD, 2 },
  { PASSWORD BASE " identity-api-version=3", OS_AUTH_PASSWORD, 3 },
  { PASSWORD BASE "/v2.0 identity-api-version=3", OS_AUTH_PASSWORD, 3 },
  { PASSWORD BASE "/v3 identity-api-version=2.0", OS_AUTH_PASSWORD, 2 },
  { PASSWORD BASE " identity-api-version=2 domain-name=d", OS_AUTH_PASSWORD, 2 },
  { PASSWORD BASE " identity-api-version=v3", OS_AUTH_PASSWORD, 3 },
};

static void
test_mode_and_version_are_told (CloudFilesFixture *fixture,
                                gconstpointer      data)
{
  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    {
      g_autoptr(OsCredentials) credentials = make (fixture, modes[i].attributes);

      g_test_message ("%s", modes[i].attributes);
      g_assert_cmpint (os_credentials_get_mode (credentials), ==, modes[i].mode);
      g_assert_cmpuint (os_credentials_get_version (credentials), ==, modes[i].version);
    }
}

/* Of each way to log in all that it takes: without any one word of it there is no login. */
static const struct
{
  const char *attributes;
  const char *part;      /* that is taken away */
  const char *words;     /* "no WORDS given" */
  const char *attribute; /* that would supply it */
  const char *variable;
} missing[] = {
  { PASSWORD BASE, "username", "user name", "username", "OS_USERNAME" },
  { PASSWORD BASE, "password", "password", "password", "OS_PASSWORD" },
  { PASSWORD BASE, "auth-url", "auth URL", "auth-url", "OS_AUTH_URL" },
  { PASSWORD BASE, "tenant-name", "project", "tenant-name", "OS_PROJECT_NAME" },
  { PASSWORD BASE " domain-id=d", "tenant-name", "project", "tenant-name", "OS_PROJECT_NAME" },
  { PASSWORD BASE "/v2.0", "tenant-name", "project", "tenant-name", "OS_PROJECT_NAME" },
  { APPLICATION BASE " auth-mode=v3applicationcredential", "application-credential-id",
    "application credential", "application-credential-id", "OS_APPLICATION_CREDENTIAL_ID" },
  { APPLICATION BASE " auth-mode=v3applicationcredential", "application-credential-secret",
    "secret of the application credential", "application-credential-secret",
    "OS_APPLICATION_CREDENTIAL_SECRET" },
  { APPLICATION BASE, "auth-url", "auth URL", "auth-url", "OS_AUTH_URL" },
  { NAMED BASE " auth-mode=v3applicationcredential username=u", "username", "user name",
    "username", "OS_USERNAME" },
  { "token=t " BASE " auth-mode=v3token", "token", "token", "token", "OS_TOKEN" },
  { "token=t " BASE, "auth-url", "auth URL", "auth-url", "OS_AUTH_URL" },
  { KEYS BASE " auth-mode=keypair", "access-key", "access key", "access-key", "OS_ACCESS_KEY" },
  { KEYS BASE " auth-mode=keypair", "secret-key", "secret key", "secret-key", "OS_SECRET_KEY" },
  { KEYS BASE, "auth-url", "auth URL", "auth-url", "OS_AUTH_URL" },
  { KEYS BASE "/v2.0 tenant-name=t", "tenant-name", "project", "tenant-name", "OS_PROJECT_NAME" },
  { PASSWORD BASE "/v1 auth-mode=legacy", "username", "user name", "username", "OS_USERNAME" },
  { PASSWORD BASE "/v1 auth-mode=legacy", "password", "password", "password", "OS_PASSWORD" },
  { PASSWORD BASE "/v1 auth-mode=legacy", "auth-url", "auth URL", "auth-url", "OS_AUTH_URL" },
};

static void
test_what_is_missing_is_told (CloudFilesFixture *fixture,
                              gconstpointer      data)
{
  for (guint i = 0; i < G_N_ELEMENTS (missing); i++)
    {
      g_autoptr(OsCredentials) complete = make (fixture, missing[i].attributes);
      g_auto(GStrv) words = g_strsplit (missing[i].attributes, " ", -1);
      g_autofree char *prefix = g_strconcat (missing[i].part, "=", NULL);
      g_autofree char *message = g_strdup_printf (
        "openstack: no %s given: set attribute %s or environment variable %s", missing[i].words,
        missing[i].attribute, missing[i].variable);
      g_autoptr(WelkinConfig) config = welkin_config_new ();
      g_autoptr(OsCredentials) credentials = NULL;
      g_autoptr(GError) error = NULL;

      for (guint j = 0; words[j] != NULL; j++)
        {
          g_autoptr(WelkinConfig) former = g_steal_pointer (&config);
          g_auto(GStrv) pair = g_strsplit (words[j], "=", 2);

          config = g_str_has_prefix (words[j], prefix)
                     ? welkin_config_ref (former)
                     : welkin_config_with_text (former, pair[0], pair[1], NULL);
        }
      credentials = os_credentials_new (config, &error);
      g_assert_null (credentials);
      g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG);
      g_assert_cmpstr (error->message, ==, message);
    }
}

static void
test_what_a_mode_does_not_take_may_be_absent (CloudFilesFixture *fixture,
                                              gconstpointer      data)
{
  static const char *const enough[] = {
    "user-id=u password=p tenant-id=t " BASE, "user-id=u password=p trust-id=t " BASE,
    "username=u password=p tenant-name=t domain-name=d " BASE, APPLICATION BASE,
    NAMED "user-id=u " BASE, "token=t " BASE, KEYS BASE, KEYS BASE "/v3",
    "username=u password=p auth-mode=legacy " BASE,
  };

  for (guint i = 0; i < G_N_ELEMENTS (enough); i++)
    {
      g_autoptr(OsCredentials) credentials = make (fixture, enough[i]);

      g_assert_nonnull (credentials);
    }
}

static void
test_senseless_values_are_refused (CloudFilesFixture *fixture,
                                   gconstpointer      data)
{
  static const char *const cases[][3] = {
    { "OS_IDENTITY_API_VERSION", "latest",
      "OS_IDENTITY_API_VERSION: identity-api-version \"latest\" is not one of: 2, 2.0, 3" },
    { "OS_AUTH_VERSION", "4", "OS_AUTH_VERSION: identity-api-version \"4\" is not one of: 2, 2.0, "
                              "3" },
    { "OS_INTERFACE", "outer",
      "OS_INTERFACE: endpoint-interface \"outer\" is not one of: public, internal, admin" },
    { "OS_AUTH_TYPE", "v3totp",
      "OS_AUTH_TYPE: auth_type \"v3totp\" is not supported; these are: password, v3password, "
      "v2password, token, v3token, v3applicationcredential" },
    { "OS_CACERT", "~nosuch-user/ca.pem",
      "OS_CACERT: ca-certificates: user \"nosuch-user\" not found" },
    { "OS_AUTH_URL", "h.test",
      "OS_AUTH_URL: auth-url \"h.test\" is not an http or https URL with a host" },
    { "OS_AUTH_URL", "https://u:" CANARY "@h.test",
      "OS_AUTH_URL: auth-url must not contain a user name or password" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      cloud_files_fixture_set (fixture, cases[i][0], cases[i][1]);
      cloud_files_fixture_assert_refused (fixture, cases[i][2], "username", "u", NULL);
      cloud_files_fixture_set (fixture, cases[i][0], "");
    }
}

static void
test_messages_say_who (CloudFilesFixture *fixture,
                       gconstpointer      data)
{
  static const char *const cases[][2] = {
    { PASSWORD BASE, "user \"u\" and project \"t\" at https://h.test" },
    { PASSWORD BASE " user-domain-name=ud project-domain-id=pd",
      "user \"u\" (domain \"ud\") and project \"t\" (domain \"pd\") at https://h.test" },
    { "user-id=u password=p trust-id=t " BASE, "user \"u\" and trust \"t\" at https://h.test" },
    { APPLICATION BASE, "application credential \"i\" at https://h.test" },
    { NAMED "username=u " BASE, "application credential \"n\" at https://h.test" },
    { "token=" CANARY " " BASE, "the given token at https://h.test" },
    { "token=" CANARY " tenant-id=t " BASE, "the given token and project \"t\" at https://h.test" },
    { "access-key=a secret-key=" CANARY " " BASE, "access key \"a\" at https://h.test" },
    { "username=u password=" CANARY " " BASE "/v1", "user \"u\" at https://h.test/v1" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(OsCredentials) credentials = make (fixture, cases[i][0]);
      g_autofree char *who = os_credentials_describe (credentials);

      g_assert_cmpstr (who, ==, cases[i][1]);
    }
}

static void
test_credentials_differ_in_each_part (CloudFilesFixture *fixture,
                                      gconstpointer      data)
{
  static const char *const differences[] = {
    "password=q", "region=r", "endpoint-interface=admin", "ca-certificates=/ca", "client-cert=/c",
    "client-key=/k", "ssl-hostname-verification=false", "auth-mode=v3password",
    "identity-api-version=2", "user-domain-id=d",
  };
  g_autoptr(OsCredentials) one = make (fixture, PASSWORD BASE);
  g_autoptr(OsCredentials) same = make (fixture, PASSWORD BASE "/");

  g_assert_true (os_credentials_equal (one, same));
  g_assert_true (os_credentials_verifies (one));
  for (guint i = 0; i < G_N_ELEMENTS (differences); i++)
    {
      g_autofree char *attributes = g_strconcat (PASSWORD BASE " ", differences[i], NULL);
      g_autoptr(OsCredentials) other = make (fixture, attributes);

      g_assert_false (os_credentials_equal (one, other));
    }
}

#define ADD(path, function)                                                                        \
  g_test_add (path, CloudFilesFixture, NULL, cloud_files_fixture_set_up, function,                 \
              cloud_files_fixture_tear_down)

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  ADD ("/ranks/the-first-variable-of-a-row-wins", test_the_first_variable_of_a_row_wins);
  ADD ("/ranks/each-wins-over-those-below", test_each_rank_wins_over_those_below);
  ADD ("/ranks/an-old-project-is-an-id-or-a-name", test_an_old_project_is_an_id_or_a_name);
  ADD ("/defects/23/what-belongs-together", test_what_belongs_together_is_of_one_rank);
  ADD ("/ranks/paths-are-relative-to-where-they-are-given",
       test_paths_are_relative_to_where_they_are_given);
  ADD ("/ranks/variables-turn-verification-off", test_variables_turn_verification_off);
  ADD ("/ranks/a-word-that-is-neither-yes-nor-no-is-refused",
       test_a_word_that_is_neither_yes_nor_no_is_refused);
  ADD ("/ranks/secrets-of-a-file-stay-with-its-cloud", test_secrets_of_a_file_stay_with_its_cloud);
  ADD ("/ranks/secrets-of-variables-stay-with-their-cloud",
       test_secrets_of_variables_stay_with_their_cloud);
  ADD ("/credentials/mode-and-version-are-told", test_mode_and_version_are_told);
  ADD ("/credentials/what-is-missing-is-told", test_what_is_missing_is_told);
  ADD ("/credentials/what-a-mode-does-not-take-may-be-absent",
       test_what_a_mode_does_not_take_may_be_absent);
  ADD ("/credentials/senseless-values-are-refused", test_senseless_values_are_refused);
  ADD ("/credentials/messages-say-who", test_messages_say_who);
  ADD ("/credentials/differ-in-each-part", test_credentials_differ_in_each_part);

  return g_test_run ();
}
