/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Each attribute that an environment on OpenStack may have: its kind, default and rules. */

#include "config.h"

#include "../unit/schema-scalars.h"
#include "os-config.h"

#define BOOLEAN WELKIN_ATTRIBUTE_BOOLEAN
#define INT WELKIN_ATTRIBUTE_INT
#define MAP WELKIN_ATTRIBUTE_MAP
#define STRING WELKIN_ATTRIBUTE_STRING
#define FIXED WELKIN_ATTRIBUTE_IMMUTABLE
#define IDENTITY WELKIN_ATTRIBUTE_IDENTITY
#define SECRET WELKIN_ATTRIBUTE_SECRET

static const struct
{
  const char           *name;
  WelkinAttributeKind   kind;
  const char           *default_value; /* NULL: none, for another word */
  WelkinAttributeFlags  flags;         /* of FIXED, IDENTITY and SECRET */
  const char           *alias_of;
} attributes[] = {
  /* those of 2014 */
  { "username", STRING, "", IDENTITY },
  { "password", STRING, "", SECRET },
  { "tenant-name", STRING, "", IDENTITY },
  { "auth-url", STRING, "" },
  { "auth-mode", STRING, "auto" },
  { "access-key", STRING, "", SECRET },
  { "secret-key", STRING, "", SECRET },
  { "region", STRING, "", FIXED },
  { "control-bucket", STRING, "", FIXED },
  { "use-floating-ip", BOOLEAN, "false" },
  { "use-default-secgroup", BOOLEAN, "false" },
  { "network", STRING, "" },
  { "default-image-id", STRING, "" },
  { "default-instance-type", STRING, "" },

  /* other words */
  { "nova-uri", STRING, NULL, 0, "auth-url" },
  { "project-name", STRING, NULL, IDENTITY, "tenant-name" },
  { "project-id", STRING, NULL, 0, "tenant-id" },
  { "version", STRING, NULL, 0, "identity-api-version" },

  /* later ones, and our own */
  { "tenant-id", STRING, "" },
  { "domain-name", STRING, "" },
  { "domain-id", STRING, "" },
  { "user-domain-name", STRING, "" },
  { "user-domain-id", STRING, "" },
  { "project-domain-name", STRING, "" },
  { "project-domain-id", STRING, "" },
  { "user-id", STRING, "" },
  { "identity-api-version", STRING, "" },
  { "trust-id", STRING, "", SECRET },
  { "application-credential-id", STRING, "", SECRET },
  { "application-credential-name", STRING, "" },
  { "application-credential-secret", STRING, "", SECRET },
  { "token", STRING, "", SECRET },
  { "cloud", STRING, "" },
  /* "public" once variables and clouds.yaml have had their say */
  { "endpoint-interface", STRING, "" },
  { "ca-certificates", STRING, "" },
  { "client-cert", STRING, "" },
  { "client-key", STRING, "", SECRET },
  { "external-network", STRING, "" },
  { "prefer-ipv6", BOOLEAN, "false" },
  { "root-disk-source", STRING, "local" },
  /* 30 GiB where the source is a volume */
  { "root-disk-size", STRING, "" },
  { "root-disk-volume-type", STRING, "" },
  { "resource-prefix", STRING, "welkin", FIXED },
  { "floating-ip-reuse", STRING, "owned" },
  { "image-ids", MAP, "" },
  { "flavor", STRING, "" },
  { "config-drive", STRING, "auto" },
  { "availability-zones", STRING, "" },
  { "anti-affinity", STRING, "none" },
  { "enable-ipv6-rules", BOOLEAN, "true" },
  { "secgroup-keep-extra", BOOLEAN, "false" },
  { "storage", STRING, "auto" },
  { "storage-access", STRING, "auto" },
  { "s3-url", STRING, "" },
  { "s3-region", STRING, "us-east-1" },
  { "s3-signature", STRING, "v4" },
  { "start-timeout", INT, "300" },
  { "compute-api-version", STRING, "" },
  { "compute-endpoint", STRING, "" },
  { "network-endpoint", STRING, "" },
  { "image-endpoint", STRING, "" },
  { "object-store-endpoint", STRING, "" },
  { "block-storage-endpoint", STRING, "" },
  { "allow-foreign-auth-url", BOOLEAN, "false" },
  { "admin-sources", STRING, "0.0.0.0/0,::/0" },
  { "max-connections", INT, "32" },
  { "use-openstack-gbp", BOOLEAN, "false" },
};

static void
test_each_has_its_kind_default_and_rules (void)
{
  g_autoptr(WelkinSchema) schema = os_config_new_schema ();

  for (gsize i = 0; i < G_N_ELEMENTS (attributes); i++)
    {
      const char *name = attributes[i].name;

      g_test_message ("%s", name);
      g_assert_true (welkin_schema_has (schema, name));
      g_assert_cmpint (welkin_schema_get_kind (schema, name), ==, attributes[i].kind);
      g_assert_cmpstr (welkin_schema_get_default (schema, name), ==, attributes[i].default_value);
      g_assert_cmpint (welkin_schema_get_flags (schema, name) & (FIXED | IDENTITY | SECRET), ==,
                       attributes[i].flags);
      g_assert_cmpstr (welkin_schema_get_alias_of (schema, name), ==, attributes[i].alias_of);
      g_assert_nonnull (welkin_schema_get_description (schema, name));
    }
}

static void
test_there_are_no_others (void)
{
  g_autoptr(WelkinSchema) schema = os_config_new_schema ();
  g_autofree const char **names = welkin_schema_get_names (schema);

  for (gsize i = 0; names[i] != NULL; i++)
    {
      gsize j = 0;

      g_test_message ("%s", names[i]);
      while (j < G_N_ELEMENTS (attributes) && !g_str_equal (attributes[j].name, names[i]))
        j++;
      g_assert_cmpuint (j, <, G_N_ELEMENTS (attributes));
    }
}

static void
test_scalars_are_taken_as_written (void)
{
  g_autoptr(WelkinSchema) schema = os_config_new_schema ();

  g_assert_cmpuint (scalars_check_schema (schema), ==, G_N_ELEMENTS (attributes));
}

static const char good_text[] =
  "name: lab\n"
  "type: openstack\n"
  "auth-url: https://id.cloud.test:5000/v3\n"
  "username: ada\n"
  "password: hush\n"
  "tenant-name: engines\n"
  "resource-prefix: engine\n"
  "region: R1\n"
  "control-bucket: b1\n";

static WelkinConfig *
parse (const char *text)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinValue) map = wk_yaml_parse (text, -1, "e.yaml", &error);

  g_assert_no_error (error);
  return welkin_config_new_from_value (map);
}

static WelkinConfig *
validate (const char    *text,
          WelkinConfig  *old_config,
          GError       **error)
{
  g_autoptr(WelkinSurroundings) surroundings = welkin_surroundings_new (NULL, "/");
  g_autoptr(WelkinConfig) config = parse (text);

  return os_config_validate (config, old_config, surroundings, error);
}

/* good_text with one line put in the place of another. */
static char *
replace_line (const char *key,
              const char *line)
{
  g_auto(GStrv) lines = g_strsplit (good_text, "\n", -1);
  g_autofree char *beginning = g_strconcat (key, ":", NULL);

  for (gsize i = 0; lines[i] != NULL; i++)
    if (g_str_has_prefix (lines[i], beginning))
      {
        g_free (lines[i]);
        lines[i] = g_strdup (line);
      }
  return g_strjoinv ("\n", lines);
}

static void
test_what_is_fixed_stays (void)
{
  static const char *const cases[][3] = {
    { "region", "region: R2",
      "e.yaml:8: attribute region is fixed for an existing environment: it is \"R1\", not \"R2\"" },
    { "region", "",
      "attribute region is fixed for an existing environment: it is \"R1\", not \"\"" },
    { "control-bucket", "control-bucket: b2",
      "e.yaml:9: attribute control-bucket is fixed for an existing environment: it is \"b1\", not "
      "\"b2\"" },
    { "resource-prefix", "resource-prefix: steam",
      "e.yaml:7: attribute resource-prefix is fixed for an existing environment: it is "
      "\"engine\", not \"steam\"" },
  };
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinConfig) old_config = validate (good_text, NULL, &error);
  g_autoptr(WelkinConfig) same = validate (good_text, old_config, &error);
  g_autoptr(WelkinConfig) other = NULL;
  g_autofree char *other_text = replace_line ("username", "username: grace");

  g_assert_no_error (error);
  other = validate (other_text, old_config, &error);
  g_assert_no_error (error);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = replace_line (cases[i][0], cases[i][1]);
      g_autoptr(WelkinConfig) changed = validate (text, old_config, &error);

      g_assert_null (changed);
      g_assert_cmpstr (error->message, ==, cases[i][2]);
      g_clear_error (&error);
    }
}

static void
test_what_makes_no_sense_is_told_with_its_line (void)
{
  static const char *const cases[][2] = {
    { "auth-mode: magic",
      "auth-mode \"magic\" is not one of: auto, userpass, keypair, legacy, v3password, "
      "v3applicationcredential, v3token" },
    { "uuid: 17", "uuid \"17\" is not a UUID" },
    { "use-openstack-gbp: true", "use-openstack-gbp is not supported" },
    { "compute-endpoint: nova",
      "compute-endpoint \"nova\" is not an http or https URL with a host" },
    { "network-endpoint: 'http://'",
      "network-endpoint \"http://\" is not an http or https URL with a host" },
    { "image-endpoint: ftp://glance",
      "image-endpoint \"ftp://glance\" is not an http or https URL with a host" },
    { "object-store-endpoint: https://a:hush@swift/",
      "object-store-endpoint must not contain a user name or password" },
    { "block-storage-endpoint: //cinder/",
      "block-storage-endpoint \"//cinder/\" is not an http or https URL with a host" },
    { "s3-url: s3://b", "s3-url \"s3://b\" is not an http or https URL with a host" },
    { "compute-api-version: 3.1", "compute-api-version \"3.1\" is not a version like 2.67" },
    { "compute-api-version: 2.67x", "compute-api-version \"2.67x\" is not a version like 2.67" },
    { "client-key: /hush.pem",
      "client-key is the key of a certificate: set client-cert as well" },
    { "admin-sources: 10.0.0.0/8, nobody",
      "admin-sources: \"nobody\" is not a network like 192.0.2.0/24 or 2001:db8::/32" },
    { "image-ids: {noble: x}", "image-ids: \"noble\" is not SERIES/ARCH, as in noble/amd64" },
    { "root-disk-size: big", "root-disk-size \"big\" is not a size like 30G or 30720M" },
    { "root-disk-size: 0", "root-disk-size \"0\" is not a size like 30G or 30720M" },
    { "root-disk-size: 3 G", "root-disk-size \"3 G\" is not a size like 30G or 30720M" },
    { "anti-affinity: hard",
      "anti-affinity \"hard\" is not supported by this version: \"soft\" keeps machines apart "
      "where there is room" },
    { "endpoint-interface: inner",
      "endpoint-interface: expected one of public internal admin, got string(\"inner\")" },
    { "s3-signature: v2", "s3-signature: expected one of v4, got string(\"v2\")" },
    { "start-timeout: 0", "empty start-timeout in environment configuration" },
    { "start-timeout: 86401",
      "start-timeout: expected number from 1 to 86400, got int(86401)" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strconcat (good_text, cases[i][0], "\n", NULL);
      g_autofree char *message = g_strconcat ("e.yaml:10: ", cases[i][1], NULL);
      g_autoptr(GError) error = NULL;
      g_autoptr(WelkinConfig) config = validate (text, NULL, &error);

      g_assert_null (config);
      g_assert_cmpstr (error->message, ==, message);
    }
}

static void
test_what_makes_sense_is_kept (void)
{
  static const char *const lines[] = {
    "uuid: 0f5d0d80-2f5e-4a0c-8b4a-5f3f3e3c1f7a", "use-openstack-gbp: no",
    "compute-endpoint: http://nova:8774/v2.1", "s3-url: https://[2001:db8::1]:8080",
    "compute-api-version: 2.67", "compute-api-version: 2", "root-disk-size: 30G",
    "root-disk-size: 30720", "root-disk-size: 1.5T", "anti-affinity: soft", "version: 2.0",
    "image-ids: {noble/amd64: a, bookworm/arm64: b}", "image-ids: {}", "auth-mode: ''",
    "admin-sources: '10.0.0.0/8, 2001:db8::/32'",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autofree char *text = g_strconcat (good_text, lines[i], "\n", NULL);
      g_autoptr(GError) error = NULL;
      g_autoptr(WelkinConfig) config = validate (text, NULL, &error);

      g_assert_no_error (error);
      g_assert_nonnull (config);
    }
}

/* Of several mistakes the one that the others may hang on is told. */
static void
test_mistakes_are_told_in_order (void)
{
  static const char *const lines[][2] = {
    { "use-floating-ip: perhaps", "use-floating-ip: expected bool, got string(\"perhaps\")" },
    { "auth-mode: magic", "auth-mode \"magic\" is not one of: *" },
    { "auth-url: nowhere", "auth-url \"nowhere\" is not an http or https URL with a host" },
    { "username: ''", "openstack: no user name given: *" },
    { "region: R2", "attribute region is fixed *" },
  };
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinConfig) old_config = validate (good_text, NULL, &error);

  g_assert_no_error (error);
  for (gsize i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autoptr(GString) text = g_string_new ("name: lab\ntype: openstack\npassword: hush\n"
                                              "tenant-name: engines\nresource-prefix: engine\n"
                                              "control-bucket: b1\n");
      g_autofree char *pattern = g_strconcat ("*", lines[i][1], NULL);
      g_autoptr(WelkinConfig) config = NULL;

      for (gsize j = i; j < G_N_ELEMENTS (lines); j++)
        g_string_append_printf (text, "%s\n", lines[j][0]);
      if (i > 2)
        g_string_append (text, "auth-url: http://h/v3\n");
      if (i > 3)
        g_string_append (text, "username: ada\n");
      config = validate (text->str, old_config, &error);
      g_assert_null (config);
      g_test_message ("%s", error->message);
      g_assert_true (g_pattern_match_simple (pattern, error->message));
      g_clear_error (&error);
    }
}

static void
test_two_words_for_one_thing (void)
{
  static const char *const cases[][3] = {
    { "project-name: other\n", NULL, "e.yaml:10: project-name and tenant-name differ: *" },
    { "nova-uri: http://other/v3\n", NULL, "e.yaml:10: nova-uri and auth-url differ: *" },
    { "tenant-id: a\nproject-id: b\n", NULL, "e.yaml:11: project-id and tenant-id differ: *" },
    { "version: 2\nidentity-api-version: 3\n", NULL,
      "e.yaml:10: version and identity-api-version differ: *" },
    { "project-id: p\n", "tenant-id", "p" },
    { "version: 3\n", "identity-api-version", "3" },
    { "project-name: engines\n", "tenant-name", "engines" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = g_strconcat (good_text, cases[i][0], NULL);
      g_autoptr(GError) error = NULL;
      g_autoptr(WelkinConfig) config = validate (text, NULL, &error);

      if (cases[i][1] != NULL)
        {
          g_assert_no_error (error);
          g_assert_cmpstr (welkin_config_get_string (config, cases[i][1]), ==, cases[i][2]);
          continue;
        }
      g_assert_null (config);
      g_assert_true (g_pattern_match_simple (cases[i][2], error->message));
    }
}

static void
test_the_old_name_of_auth_url_is_told_of_once (void)
{
  g_autofree char *text = replace_line ("auth-url", "nova-uri: http://old/v3");
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinSurroundings) surroundings = welkin_surroundings_new (NULL, "/");
  g_autoptr(WelkinConfig) config = NULL;
  g_autoptr(WelkinConfig) again = NULL;

  g_test_expect_message ("welkin-openstack", G_LOG_LEVEL_WARNING,
                         "nova-uri is deprecated: call it auth-url");
  config = validate (text, NULL, &error);
  g_test_assert_expected_messages ();
  g_assert_no_error (error);
  g_assert_cmpstr (welkin_config_get_string (config, "auth-url"), ==, "http://old/v3");
  g_assert_null (welkin_config_lookup (config, "nova-uri"));
  again = os_config_validate (config, NULL, surroundings, &error);
  g_assert_no_error (error);
}

/* What was written for a host of 2014, comments and all. */
static void
test_an_environment_of_2014_still_loads (void)
{
  static const char text[] =
    "name: lab\n"
    "type: openstack\n"
    "admin-secret: 13850d1b9786065cadd0f477e8c97cd3\n"
    "use-floating-ip: false\n"
    "use-default-secgroup: false\n"
    "network: <your network label or uuid>\n"
    "tools-metadata-url:  https://you-tools-metadata-url\n"
    "image-metadata-url:  https://you-image-metadata-url\n"
    "image-stream: \"released\"\n"
    "auth-url: https://yourkeystoneurl:443/v2.0/\n"
    "tenant-name: 12345\n"
    "region: az-1.region-a.geo-1\n"
    "auth-mode: userpass\n"
    "username: 0042\n"
    "password: 1e5\n"
    "control-bucket: juju-fa6b4b\n"
    "default-image-id: \"75845\"\n"
    "default-instance-type: standard.small\n"
    "future: x\n";
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinConfig) config = validate (text, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (welkin_config_get_string (config, "tenant-name"), ==, "12345");
  g_assert_cmpstr (welkin_config_get_string (config, "username"), ==, "0042");
  g_assert_cmpstr (welkin_config_get_string (config, "password"), ==, "1e5");
  g_assert_cmpstr (welkin_config_get_string (config, "control-bucket"), ==, "juju-fa6b4b");
  g_assert_cmpstr (welkin_config_get_string (config, "default-image-id"), ==, "75845");
  g_assert_cmpstr (welkin_config_get_string (config, "default-instance-type"), ==,
                   "standard.small");
  g_assert_cmpstr (welkin_config_get_string (config, "future"), ==, "x");
}

/* They are honoured, and told of once, when the environment is prepared. */
static void
test_old_choices_are_honoured_with_a_notice (void)
{
  g_autofree char *text = g_strconcat (good_text,
                                       "default-image-id: i1\ndefault-instance-type: m1.small\n",
                                       NULL);
  g_autoptr(WelkinSurroundings) surroundings = welkin_surroundings_new (NULL, "/");
  g_autoptr(WelkinConfig) config = parse (text);
  g_autoptr(WelkinConfig) prepared = NULL;
  g_autoptr(GError) error = NULL;

  g_test_expect_message ("welkin-openstack", G_LOG_LEVEL_MESSAGE, "default-image-id *image-ids*");
  g_test_expect_message ("welkin-openstack", G_LOG_LEVEL_MESSAGE,
                         "default-instance-type *constraints*");
  prepared = os_config_prepare (config, WELKIN_PREPARE_NONE, surroundings, &error);
  g_test_assert_expected_messages ();
  g_assert_no_error (error);
  g_assert_cmpstr (welkin_config_get_string (prepared, "default-image-id"), ==, "i1");
  g_assert_cmpstr (welkin_config_get_string (prepared, "default-instance-type"), ==, "m1.small");
}

/* The old cloud whose regions had prefixes. */
static void
test_the_example_of_an_old_cloud_is_valid (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "data", "examples",
                                                 "hpcloud.yaml", NULL);
  g_autoptr(WelkinSurroundings) surroundings = welkin_surroundings_new (NULL, "/");
  g_autoptr(WelkinValue) map = NULL;
  g_autoptr(WelkinConfig) config = NULL;
  g_autoptr(WelkinConfig) valid = NULL;
  g_autoptr(GError) error = NULL;
  g_autofree char *text = NULL;
  WelkinValue *entries;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  map = wk_yaml_parse (text, -1, "hpcloud.yaml", &error);
  g_assert_no_error (error);
  entries = welkin_value_lookup (map, "environments");
  config = welkin_config_new_from_value (welkin_value_lookup (entries, "hpcloud"));
  valid = os_config_validate (config, NULL, surroundings, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (welkin_config_get_string (valid, "auth-mode"), ==, "keypair");
}

static char *
read_boilerplate_keys (void)
{
  g_autofree char *text = os_config_get_boilerplate ();
  g_auto(GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr(GString) keys = g_string_new ("");

  g_assert_cmpstr (lines[0], ==, "openstack:");
  g_assert_cmpstr (lines[1], ==, "  type: openstack");
  for (guint i = 2; lines[i] != NULL; i++)
    {
      g_autoptr(GMatchInfo) match = NULL;
      g_autoptr(GRegex) regex = g_regex_new ("^  # ([a-z0-9-]+):( |$)", 0, 0, NULL);
      g_autofree char *key = NULL;

      /* Nothing else is set: an environment of these lines takes all from variables. */
      g_assert_true (*lines[i] == '\0' || g_str_has_prefix (lines[i], "  #"));
      if (!g_regex_match (regex, lines[i], 0, &match))
        continue;
      key = g_match_info_fetch (match, 1);
      g_string_append_printf (keys, "%s ", key);
    }
  return g_strdup (keys->str);
}

static void
test_the_boilerplate_names_what_people_need (void)
{
  static const char *const own[] = { "image-metadata-url", "image-stream", "tools-metadata-url",
                                     NULL };
  g_autofree char *text = read_boilerplate_keys ();
  g_auto(GStrv) keys = g_strsplit (g_strchomp (text), " ", -1);
  g_autoptr(WelkinSchema) schema = os_config_new_schema ();

  for (guint i = 0; keys[i] != NULL; i++)
    g_assert_true (welkin_schema_has (schema, keys[i]) || g_strv_contains (own, keys[i]));
  g_assert_cmpstr (text, ==,
                   "cloud auth-url tenant-name region "
                   "auth-mode username password user-domain-name project-domain-name "
                   "auth-mode application-credential-id application-credential-secret "
                   "auth-mode access-key secret-key "
                   "ca-certificates network use-floating-ip external-network admin-sources "
                   "use-default-secgroup image-ids "
                   "image-metadata-url image-stream tools-metadata-url");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/attributes/each-has-its-kind-default-and-rules",
                   test_each_has_its_kind_default_and_rules);
  g_test_add_func ("/defects/23/secrets", test_each_has_its_kind_default_and_rules);
  g_test_add_func ("/attributes/there-are-no-others", test_there_are_no_others);
  g_test_add_func ("/attributes/scalars-are-taken-as-written", test_scalars_are_taken_as_written);
  g_test_add_func ("/attributes/what-is-fixed-stays", test_what_is_fixed_stays);
  g_test_add_func ("/attributes/what-makes-no-sense-is-told-with-its-line",
                   test_what_makes_no_sense_is_told_with_its_line);
  g_test_add_func ("/attributes/what-makes-sense-is-kept", test_what_makes_sense_is_kept);
  g_test_add_func ("/attributes/mistakes-are-told-in-order", test_mistakes_are_told_in_order);
  g_test_add_func ("/attributes/two-words-for-one-thing", test_two_words_for_one_thing);
  g_test_add_func ("/attributes/the-old-name-of-auth-url-is-told-of-once",
                   test_the_old_name_of_auth_url_is_told_of_once);
  g_test_add_func ("/attributes/an-environment-of-2014-still-loads",
                   test_an_environment_of_2014_still_loads);
  g_test_add_func ("/attributes/old-choices-are-honoured-with-a-notice",
                   test_old_choices_are_honoured_with_a_notice);
  g_test_add_func ("/attributes/the-example-of-an-old-cloud-is-valid",
                   test_the_example_of_an_old_cloud_is_valid);
  g_test_add_func ("/attributes/the-boilerplate-names-what-people-need",
                   test_the_boilerplate_names_what_people_need);
  return g_test_run ();
}
