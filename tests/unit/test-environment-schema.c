/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Each attribute that every environment may have: its kind, default and rules. */

#include "config.h"

#include "environments/environment-schema.h"
#include "schema-scalars.h"

#define BOOLEAN WELKIN_ATTRIBUTE_BOOLEAN
#define INT WELKIN_ATTRIBUTE_INT
#define STRING WELKIN_ATTRIBUTE_STRING
#define FIXED WELKIN_ATTRIBUTE_IMMUTABLE
#define NEEDED WELKIN_ATTRIBUTE_REQUIRED
#define EMPTY WELKIN_ATTRIBUTE_MAY_BE_EMPTY
#define SECRET WELKIN_ATTRIBUTE_SECRET
#define PATH WELKIN_ATTRIBUTE_TRANSIENT

static const struct
{
  const char           *name;
  WelkinAttributeKind   kind;
  const char           *default_value; /* NULL: it stays absent */
  WelkinAttributeFlags  flags;
} attributes[] = {
  { "name", STRING, NULL, NEEDED | FIXED },
  { "type", STRING, NULL, NEEDED | FIXED },
  { "uuid", STRING, NULL, FIXED },
  { "default-series", STRING, "noble" },
  { "tools-metadata-url", STRING, "", EMPTY },
  { "image-metadata-url", STRING, "", EMPTY },
  { "image-stream", STRING, "", EMPTY },
  { "tools-stream", STRING, NULL },
  { "authorized-keys", STRING, NULL },
  { "authorized-keys-path", STRING, NULL, PATH },
  { "firewall-mode", STRING, "instance", FIXED },
  { "agent-version", STRING, NULL },
  { "development", BOOLEAN, "false" },
  { "admin-secret", STRING, "", EMPTY | SECRET },
  { "ca-cert", STRING, NULL },
  { "ca-cert-path", STRING, NULL, PATH },
  { "ca-private-key", STRING, "", EMPTY | SECRET },
  { "ca-private-key-path", STRING, NULL, PATH },
  { "ssl-hostname-verification", BOOLEAN, "true" },
  { "state-port", INT, "37017", FIXED },
  { "api-port", INT, "17070", FIXED },
  { "syslog-port", INT, "6514" },
  { "rsyslog-ca-cert", STRING, NULL },
  { "logging-config", STRING, NULL, EMPTY },
  { "provisioner-safe-mode", BOOLEAN, NULL },
  { "provisioner-harvest-mode", STRING, NULL },
  { "http-proxy", STRING, "", EMPTY },
  { "https-proxy", STRING, "", EMPTY },
  { "ftp-proxy", STRING, "", EMPTY },
  { "no-proxy", STRING, "", EMPTY },
  { "apt-http-proxy", STRING, "", EMPTY },
  { "apt-https-proxy", STRING, "", EMPTY },
  { "apt-ftp-proxy", STRING, "", EMPTY },
  { "apt-mirror", STRING, NULL },
  { "bootstrap-timeout", INT, "600", FIXED },
  { "bootstrap-retry-delay", INT, "5", FIXED },
  { "bootstrap-addresses-delay", INT, "10", FIXED },
  { "test-mode", BOOLEAN, "false" },
  { "enable-os-refresh-update", BOOLEAN, "true" },
  { "enable-os-upgrade", BOOLEAN, "true" },
  { "ssh-host", STRING, "", EMPTY },
  { "ssh-user", STRING, "ubuntu" },
  { "tools-url", STRING, "", EMPTY },
};

static void
test_each_has_its_kind_default_and_rules (void)
{
  g_autoptr(WelkinSchema) schema = welkin_environment_schema_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (attributes); i++)
    {
      const char *name = attributes[i].name;

      g_test_message ("%s", name);
      g_assert_true (welkin_schema_has (schema, name));
      g_assert_cmpint (welkin_schema_get_kind (schema, name), ==, attributes[i].kind);
      g_assert_cmpstr (welkin_schema_get_default (schema, name), ==, attributes[i].default_value);
      g_assert_cmpint (welkin_schema_get_flags (schema, name) & ~WELKIN_ATTRIBUTE_UNUSED, ==,
                       attributes[i].flags);
      g_assert_nonnull (welkin_schema_get_description (schema, name));
    }
}

static void
test_scalars_are_taken_as_written (void)
{
  g_autoptr(WelkinSchema) schema = welkin_environment_schema_new ();

  g_assert_cmpuint (scalars_check_schema (schema), >=, G_N_ELEMENTS (attributes));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/environment-schema/each-has-its-kind-default-and-rules",
                   test_each_has_its_kind_default_and_rules);
  g_test_add_func ("/environment-schema/scalars-are-taken-as-written",
                   test_scalars_are_taken_as_written);
  return g_test_run ();
}
