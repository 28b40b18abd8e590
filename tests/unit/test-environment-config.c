/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "environments/environment-config.h"

#include <string.h>

#include "base/yaml.h"
#include "home.h"
#include "machine/certificates.h"
#include "result.h"
#include "values/welkin-error.h"

#define MINIMAL "name: e1\ntype: openstack\n"
#define KEYS "authorized-keys: ssh-rsa AAAA x\n"

static WelkinConfig *
parse (const char *text)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinValue) map = wk_yaml_parse (text, -1, "e.yaml", &error);

  g_assert_no_error (error);
  return welkin_config_new_from_value (map);
}

static WelkinConfig *
complete (Home       *home,
          const char *text,
          GError    **error)
{
  g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func (g_free);
  g_autoptr(WelkinConfig) attributes = parse (text);
  g_autoptr(WelkinConfig) translated = welkin_environment_config_translate (attributes, warnings);

  return welkin_environment_config_complete (translated, home->surroundings, NULL, error);
}

static WelkinConfig *
complete_well (Home       *home,
               const char *text)
{
  g_autoptr(GError) error = NULL;
  WelkinConfig *config = complete (home, text, &error);

  g_assert_no_error (error);
  g_assert_nonnull (config);
  return config;
}

static void
assert_string (WelkinConfig *config,
               const char   *key,
               const char   *wanted)
{
  g_assert_true (welkin_config_has (config, key));
  g_assert_cmpstr (welkin_config_get_string (config, key), ==, wanted);
}

static void
test_defaults (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinConfig) config = complete_well (home, MINIMAL KEYS "default-series: ''\n"
                                                  "firewall-mode:\nown-thing: [1]\n");

  assert_string (config, "name", "e1");
  assert_string (config, "default-series", "noble");
  assert_string (config, "firewall-mode", "instance");
  assert_string (config, "authorized-keys", "ssh-rsa AAAA x");
  assert_string (config, "ssl-hostname-verification", "true");
  assert_string (config, "state-port", "37017");
  assert_string (config, "api-port", "17070");
  assert_string (config, "bootstrap-timeout", "600");
  assert_string (config, "bootstrap-retry-delay", "5");
  assert_string (config, "bootstrap-addresses-delay", "10");
  assert_string (config, "ssh-user", "ubuntu");
  assert_string (config, "development", "false");
  assert_string (config, "logging-config", "<root>=WARNING");
  assert_string (config, "admin-secret", "");
  assert_string (config, "tools-metadata-url", "");
  g_assert_false (welkin_config_has (config, "uuid"));
  g_assert_false (welkin_config_has (config, "ca-cert"));
  g_assert_false (welkin_config_has (config, "agent-version"));
  g_assert_true (welkin_config_has (config, "own-thing"));
}

/* What looks like another type in YAML is still the text that was written. */
static void
test_scalars (void)
{
  const char *const truths[] = { "true", "'True'", "yes", "ON", "t", "'1'", "1" };
  const char *const lies[] = { "false", "'False'", "no", "OFF", "f", "'0'", "0" };
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinConfig) config = complete_well (home, "name: 0123\ntype: yes\n" KEYS
                                                  "admin-secret: 1e5\n"
                                                  "state-port: '0x10'\napi-port: 42.9\n");

  assert_string (config, "name", "0123");
  assert_string (config, "type", "yes");
  assert_string (config, "admin-secret", "1e5");
  assert_string (config, "state-port", "16");
  assert_string (config, "api-port", "42");

  for (gsize i = 0; i < G_N_ELEMENTS (truths); i++)
    {
      g_autofree char *truth = g_strconcat (MINIMAL KEYS, "development: ", truths[i], NULL);
      g_autofree char *lie = g_strconcat (MINIMAL KEYS, "ssl-hostname-verification: ", lies[i],
                                          NULL);
      g_autoptr(WelkinConfig) on = complete_well (home, truth);
      g_autoptr(WelkinConfig) off = complete_well (home, lie);

      assert_string (on, "development", "true");
      assert_string (off, "ssl-hostname-verification", "false");
    }
}

static void
assert_refused (Home       *home,
                const char *text,
                const char *message)
{
  g_autoptr(GError) error = NULL;

  g_assert_null (complete (home, text, &error));
  g_assert_nonnull (error);
  g_test_message ("%s", error->message);
  g_assert_true (g_pattern_match_simple (message, error->message));
  g_assert_null (strstr (error->message, "hush"));
}

static void
test_refused (void)
{
  const struct
  {
    const char *text;
    const char *message;
  } vectors[] = {
    { "type: openstack\n", "empty name in environment configuration" },
    { "name: ''\ntype: openstack\n", "e.yaml:1: empty name in environment configuration" },
    { MINIMAL KEYS "development: invalid\n",
      "e.yaml:4: development: expected bool, got string(\"invalid\")" },
    { MINIMAL KEYS "development: maybe\n", "e.yaml:4: development: expected bool, got *" },
    { MINIMAL KEYS "state-port: illegal\n",
      "e.yaml:4: state-port: expected number, got string(\"illegal\")" },
    { MINIMAL KEYS "state-port: yes\n", "e.yaml:4: state-port: expected number, got bool(yes)" },
    { MINIMAL KEYS "state-port: 0\n", "e.yaml:4: empty state-port in environment configuration" },
    { MINIMAL KEYS "state-port: 65536\n", "e.yaml:4: state-port: *65535*65536*" },
    { MINIMAL KEYS "bootstrap-timeout: -1\n", "e.yaml:4: bootstrap-timeout: *-1*" },
    { MINIMAL KEYS "default-series: [noble]\n",
      "e.yaml:4: default-series: expected string, got *" },
    { MINIMAL KEYS "admin-secret: [hush]\n", "e.yaml:4: admin-secret: expected string, got list" },
    { MINIMAL KEYS "uuid: ''\n", "e.yaml:4: empty uuid in environment configuration" },
    { MINIMAL KEYS "uuid: 17\n", "e.yaml:4: uuid: expected UUID, got \"17\"" },
    { MINIMAL KEYS "agent-version: 1.2\n",
      "e.yaml:4: invalid agent version in environment configuration: \"1.2\"" },
    { MINIMAL KEYS "agent-version: 1234567890.2.1\n",
      "e.yaml:4: invalid agent version in environment configuration: \"1234567890.2.1\"" },
    { MINIMAL KEYS "logging-config: a=LOUD\n",
      "e.yaml:4: logging-config: unknown level in \"a=LOUD\"" },
    { MINIMAL KEYS "firewall-mode: off\n",
      "e.yaml:4: invalid firewall mode in environment configuration: \"off\" *" },
    { MINIMAL KEYS "provisioner-harvest-mode: some\n",
      "e.yaml:4: unknown harvesting method: \"some\" *" },
    { MINIMAL KEYS "ca-cert: nonsense\n",
      "e.yaml:4: bad CA certificate/key in configuration: cannot read the certificate: *" },
    { MINIMAL KEYS "ca-private-key: nonsense\n",
      "e.yaml:4: bad CA certificate/key in configuration: there is a private key *" },
    { MINIMAL KEYS "ca-cert-path: [a]\n", "e.yaml:4: ca-cert-path: expected string, got *" },
    { MINIMAL KEYS "ca-cert-path: none.pem\n", "e.yaml:4: ca-cert-path: *none.pem*" },
    { MINIMAL "authorized-keys-path: none.pub\n",
      "e.yaml:3: authorized-keys-path: file \"*/.ssh/none.pub\" does not exist or is empty" },
    { MINIMAL "authorized-keys-path: ~nobody-of-this-name/x\n",
      "e.yaml:3: authorized-keys-path: *nobody-of-this-name*" },
    { MINIMAL "authorized-keys: ''\n", "no public ssh keys found: *" },
    { MINIMAL, "no public ssh keys found: *" },
  };
  g_autoptr(Home) home = home_new (NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (vectors); i++)
    assert_refused (home, vectors[i].text, vectors[i].message);
}

static void
test_what_would_break_a_script_is_refused (void)
{
  const char *const vectors[][2] = {
    { "http-proxy: \"http://u:hush@h\\nx\"", "http-proxy: expected one line, *" },
    { "no-proxy: \"a,b\\n\"", "no-proxy: expected one line, *" },
    { "apt-ftp-proxy: \"h\\e\"", "apt-ftp-proxy: expected one line, *" },
    { "ssh-user: root; id", "ssh-user: expected the name of a user, got \"root; id\"" },
    { "ssh-user: -l", "ssh-user: expected the name of a user, got \"-l\"" },
    { "ssh-user: \"a\\n\"", "ssh-user: expected the name of a user, got \"a\\n\"" },
  };
  g_autoptr(Home) home = home_new (NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (vectors); i++)
    {
      g_autofree char *text = g_strconcat (MINIMAL KEYS, vectors[i][0], "\n", NULL);
      g_autofree char *message = g_strconcat ("e.yaml:4: ", vectors[i][1], NULL);

      assert_refused (home, text, message);
    }
}

static void
test_names (void)
{
  const char *const good[] = { "a", "e1", "My-Env_2.x", "\xc3\xbc", "a:b" };
  const char *const bad[] = { "", "a/b", "a\\b", "..", ".a", "-a", "a b", "a\tb", "a\n",
                              "a\x7f", "\xff",
                              "x1234567890123456789012345678901234567890123456789012345678901234" };

  for (gsize i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_autoptr(GError) error = NULL;

      welkin_environment_check_name (good[i], &error);
      g_assert_no_error (error);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr(GError) error = NULL;

      g_assert_false (welkin_environment_check_name (bad[i], &error));
      g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG);
      g_assert_nonnull (strstr (error->message, i == 0 ? "empty name" : "unsafe characters"));
    }
}

static void
test_unsafe_name_has_its_line (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(GError) error = NULL;

  /* Nor is anything read that such a name leads to. */
  home_write (home, ".config/welkin/environments.yaml", "");
  home_write (home, ".config/x-cert.pem", "");
  g_assert_null (complete (home, "name: ../x\ntype: a\n" KEYS, &error));
  g_assert_true (g_str_has_prefix (error->message, "e.yaml:1: environment name contains unsafe "
                                                   "characters: \"../x\""));
}

static void
test_keys (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinConfig) found = NULL;
  g_autoptr(WelkinConfig) named = NULL;
  g_autoptr(WelkinConfig) with_client = NULL;
  g_autoptr(WelkinConfig) given = NULL;

  home_write (home, ".ssh/id_dsa.pub", "dsa");
  home_write (home, ".ssh/id_rsa.pub", "\n\nrsa\n");
  home_write (home, ".ssh/identity.pub", "identity");
  home_write (home, ".ssh/other.pub", "other\r\n");
  found = complete_well (home, MINIMAL);
  assert_string (found, "authorized-keys", "dsa\nrsa\nidentity\n");

  named = complete_well (home, MINIMAL KEYS "authorized-keys-path: other.pub\n");
  assert_string (named, "authorized-keys", "other\n");
  g_assert_false (welkin_config_has (named, "authorized-keys-path"));

  home_write (home, ".local/share/welkin/ssh/mine", "private");
  home_write (home, ".local/share/welkin/ssh/mine.pub", "mine J\xfcrgen\n");
  home_write (home, ".local/share/welkin/ssh/alone.pub", "alone\n");
  with_client = complete_well (home, MINIMAL "authorized-keys-path: ~/.ssh/other.pub\n");
  assert_string (with_client, "authorized-keys", "mine J\xef\xbf\xbdrgen\nother\n");

  given = complete_well (home, MINIMAL KEYS);
  assert_string (given, "authorized-keys", "ssh-rsa AAAA x");
}

static void
test_unreadable_keys (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autofree char *path = home_get_path (home, ".ssh/id_rsa.pub");
  g_autoptr(WelkinConfig) config = NULL;
  g_autoptr(GError) error = NULL;

  /* A directory cannot be read by anybody, not even by root. */
  g_assert_cmpint (g_mkdir_with_parents (path, 0700), ==, 0);
  g_assert_null (complete (home, MINIMAL, &error));
  g_assert_nonnull (strstr (error->message, "id_rsa.pub"));
  g_clear_error (&error);

  home_write (home, ".ssh/id_dsa.pub", "dsa");
  config = complete_well (home, MINIMAL);
  assert_string (config, "authorized-keys", "dsa\n");
}

static void
test_certificate_files (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autofree char *certificate = NULL;
  g_autofree char *key = NULL;
  g_autofree char *other_certificate = NULL;
  g_autofree char *other_key = NULL;
  g_autoptr(WelkinConfig) found = NULL;
  g_autoptr(WelkinConfig) named = NULL;
  g_autoptr(GError) error = NULL;

  welkin_certificates_make_authority ("e1", &certificate, &key, &error);
  g_assert_no_error (error);
  welkin_certificates_make_authority ("e1", &other_certificate, &other_key, &error);
  g_assert_no_error (error);
  home_write (home, ".config/welkin/e1-cert.pem", certificate);
  home_write (home, ".config/welkin/e1-private-key.pem", key);
  home_write (home, ".config/welkin/other.pem", other_certificate);
  home_write (home, "other-key.pem", other_key);

  found = complete_well (home, MINIMAL KEYS);
  assert_string (found, "ca-cert", certificate);
  assert_string (found, "ca-private-key", key);

  named = complete_well (home, MINIMAL KEYS "ca-cert: replaced\nca-cert-path: other.pem\n"
                         "ca-private-key-path: ~/other-key.pem\n");
  assert_string (named, "ca-cert", other_certificate);
  assert_string (named, "ca-private-key", other_key);
  g_assert_false (welkin_config_has (named, "ca-cert-path"));
  g_assert_false (welkin_config_has (named, "ca-private-key-path"));

  g_assert_null (complete (home, MINIMAL KEYS "ca-cert-path: other.pem\n", &error));
  g_assert_nonnull (strstr (error->message, "/other.pem: bad CA certificate/key in configuration: "
                                            "the private key is not that of the certificate"));
  g_clear_error (&error);

  home_write (home, ".config/welkin/e1-cert.pem", "");
  g_assert_null (complete (home, MINIMAL KEYS, &error));
  g_assert_true (g_str_has_prefix (error->message, "file \""));
  g_assert_true (g_str_has_suffix (error->message, "e1-cert.pem\" is empty"));
}

static char *
translate (const char    *text,
           WelkinConfig **config)
{
  g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func (g_free);
  g_autoptr(WelkinConfig) attributes = parse (text);

  *config = welkin_environment_config_translate (attributes, warnings);
  g_ptr_array_add (warnings, NULL);
  return g_strjoinv ("|", (char **) warnings->pdata);
}

static void
test_deprecated (void)
{
  const struct
  {
    const char *text;
    const char *key;
    const char *value;
    const char *warnings;
  } vectors[] = {
    { "tools-url: u1\n", "tools-metadata-url", "u1",
      "e.yaml:1: \"tools-url\" (\"u1\") is deprecated: call it \"tools-metadata-url\"" },
    { "tools-url: u1\ntools-metadata-url: u2\n", "tools-metadata-url", "u2",
      "e.yaml:1: \"tools-url\" (\"u1\") is deprecated, and ignored since \"tools-metadata-url\" is "
      "given as well" },
    { "tools-url: u1\ntools-metadata-url: u1\n", "tools-metadata-url", "u1", "" },
    { "tools-url: ''\n", "tools-metadata-url", "", "" },
    { "agent-metadata-url: u3\n", "tools-metadata-url", "u3", "" },
    { "agent-metadata-url: u3\ntools-metadata-url: u2\n", "tools-metadata-url", "u3",
      "e.yaml:2: \"tools-metadata-url\" is ignored, since \"agent-metadata-url\" is given as "
      "well" },
    { "agent-stream: daily\n", "tools-stream", "daily", "" },
    { "agent-stream: daily\ntools-stream: released\n", "tools-stream", "daily",
      "e.yaml:2: \"tools-stream\" is ignored, since \"agent-stream\" is given as well" },
    { "type: 'null'\n", "type", "manual",
      "e.yaml:1: provider type \"null\" is deprecated: it is called \"manual\"" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (vectors); i++)
    {
      g_autoptr(WelkinConfig) config = NULL;
      g_autofree char *warnings = translate (vectors[i].text, &config);

      g_assert_cmpstr (warnings, ==, vectors[i].warnings);
      g_assert_cmpstr (welkin_config_get_string (config, vectors[i].key), ==, vectors[i].value);
      g_assert_false (welkin_config_has (config, "agent-stream"));
      g_assert_false (welkin_config_has (config, "agent-metadata-url"));
    }
}

static void
test_tools_urls_agree (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinConfig) one = complete_well (home, MINIMAL KEYS "tools-metadata-url: u1\n"
                                               "tools-url: u2\n");
  g_autoptr(WelkinConfig) none = complete_well (home, MINIMAL KEYS);

  assert_string (one, "tools-url", "u1");
  assert_string (none, "tools-url", "");
}

static void
test_logging (void)
{
  g_autoptr(Home) home = home_new ("WELKIN_LOGGING_CONFIG=debug");
  g_autoptr(Home) bad_home = home_new ("WELKIN_LOGGING_CONFIG=loud");
  g_autoptr(WelkinConfig) from_variable = complete_well (home, MINIMAL KEYS);
  g_autoptr(WelkinConfig) given = complete_well (home, MINIMAL KEYS "logging-config: a=info\n");
  g_autoptr(GError) error = NULL;

  assert_string (from_variable, "logging-config", "<root>=DEBUG");
  assert_string (given, "logging-config", "a=INFO");
  g_assert_null (complete (bad_home, MINIMAL KEYS, &error));
  g_assert_cmpstr (error->message, ==, "WELKIN_LOGGING_CONFIG: logging-config: expected "
                                       "MODULE=LEVEL, got \"loud\"");
}

static void
test_restore (void)
{
  const struct
  {
    const char *text;
    const char *message;
  } vectors[] = {
    { MINIMAL KEYS, "default-series: expected string, got nothing" },
    { MINIMAL KEYS "default-series: noble\nfirewall-mode: global\n",
      "development: expected bool, got nothing" },
    { MINIMAL KEYS "default-series: noble\nfirewall-mode: global\ndevelopment: no\n"
      "ssl-hostname-verification: yes\nca-cert-path: a\n",
      "e.yaml:8: attribute \"ca-cert-path\" is not allowed in configuration" },
    { MINIMAL "default-series: noble\nfirewall-mode: global\ndevelopment: no\n"
      "ssl-hostname-verification: yes\n",
      "authorized-keys missing from environment configuration" },
    { "type: openstack\n", "e.yaml:1: name: expected string, got nothing" },
  };
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinConfig) completed = complete_well (home, MINIMAL KEYS "http-proxy: p\n");
  g_autoptr(WelkinConfig) restored = NULL;
  g_autoptr(WelkinConfig) attributes = NULL;
  g_autoptr(WelkinConfig) filled = NULL;
  g_autoptr(GError) error = NULL;

  restored = welkin_environment_config_restore (completed, &error);
  g_assert_no_error (error);
  g_assert_true (welkin_config_equal (restored, completed));

  attributes = parse (MINIMAL KEYS "default-series: x\nfirewall-mode: none\ndevelopment: no\n"
                      "ssl-hostname-verification: yes\n");
  filled = welkin_environment_config_restore (attributes, &error);
  g_assert_no_error (error);
  assert_string (filled, "state-port", "37017");
  assert_string (filled, "http-proxy", "");
  g_assert_false (welkin_config_has (filled, "bootstrap-timeout"));
  g_assert_false (welkin_config_has (filled, "ssh-user"));

  for (gsize i = 0; i < G_N_ELEMENTS (vectors); i++)
    {
      g_autoptr(WelkinConfig) bad = parse (vectors[i].text);

      g_assert_null (welkin_environment_config_restore (bad, &error));
      g_assert_cmpstr (error->message, ==, vectors[i].message);
      g_clear_error (&error);
    }
}

static void
test_changes (void)
{
  const struct
  {
    const char *change;
    const char *message;
  } vectors[] = {
    { "state-port: 42\n", "e.yaml:4: cannot change state-port from 37017 to 42" },
    { "firewall-mode: global\n",
      "e.yaml:4: cannot change firewall-mode from \"instance\" to \"global\"" },
    { "bootstrap-timeout: 3000\n", "e.yaml:4: cannot change bootstrap-timeout from 600 to 3000" },
    { "state-port: 37017\n", NULL },
    { "default-series: jammy\n", NULL },
    { "agent-version: 1.2.4\n", NULL },
    { "development: yes\n", NULL },
  };
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinConfig) old_config = complete_well (home, MINIMAL KEYS);
  g_autoptr(WelkinConfig) versioned = complete_well (home, MINIMAL KEYS "agent-version: 1.2.3\n");
  g_autoptr(GError) error = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (vectors); i++)
    {
      g_autofree char *text = g_strconcat (MINIMAL KEYS, vectors[i].change, NULL);
      g_autoptr(WelkinConfig) config = complete_well (home, text);

      g_assert_true (welkin_environment_config_validate (config, old_config, &error) ==
                     (vectors[i].message == NULL));
      g_assert_cmpstr (error != NULL ? error->message : NULL, ==, vectors[i].message);
      g_clear_error (&error);
    }

  g_assert_false (welkin_environment_config_validate (old_config, versioned, &error));
  g_assert_cmpstr (error->message, ==, "cannot clear agent-version");
}

/* Of several mistakes the first is told that others may hang on. */
static void
test_order (void)
{
  static const char *const mistakes[][2] = {
    { "ca-cert-path: a\n", "*attribute \"ca-cert-path\" is not allowed in configuration" },
    { "", "authorized-keys missing from environment configuration" },
    { "name: a/b\n", "*environment name contains unsafe characters: \"a/b\" *" },
    { "agent-version: x\n", "*invalid agent version in environment configuration: \"x\"" },
    { "logging-config: a=loud\n", "*logging-config: unknown level in \"a=loud\"" },
    { "firewall-mode: some\n", "*invalid firewall mode in environment configuration: \"some\" *" },
    { "ca-cert: x\n", "*bad CA certificate/key in configuration: *" },
    { "api-port: 42\n", "*cannot change api-port from 17070 to 42" },
  };
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinConfig) old_config = complete_well (home, MINIMAL KEYS);

  for (gsize i = 0; i < G_N_ELEMENTS (mistakes); i++)
    {
      g_autoptr(GString) text = g_string_new ("type: openstack\n");
      g_autoptr(WelkinConfig) config = NULL;
      g_autoptr(GError) error = NULL;

      for (gsize j = i; j < G_N_ELEMENTS (mistakes); j++)
        g_string_append (text, mistakes[j][0]);
      if (i > 1)
        g_string_append (text, KEYS);
      if (i > 2)
        g_string_append (text, "name: e1\n");
      if (i > 5)
        g_string_append (text, "firewall-mode: instance\n");
      config = parse (text->str);
      g_assert_false (welkin_environment_config_validate (config, old_config, &error));
      g_test_message ("%s", error->message);
      g_assert_true (g_pattern_match_simple (mistakes[i][1], error->message));
    }
}

static void
test_apply (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinConfig) config = complete_well (home, MINIMAL KEYS "future: x\n");
  g_autoptr(WelkinConfig) attributes = parse ("default-series: jammy\ntools-url: u\n");
  g_autoptr(WelkinConfig) fixed = parse ("api-port: 42\n");
  g_autoptr(WelkinConfig) wrong = parse ("development: maybe\n");
  g_autoptr(WelkinConfig) applied = NULL;
  g_autoptr(GError) error = NULL;

  applied = welkin_environment_config_apply (config, attributes, &error);
  g_assert_no_error (error);
  assert_string (applied, "default-series", "jammy");
  assert_string (applied, "future", "x");
  assert_string (applied, "tools-url", "");

  g_assert_null (welkin_environment_config_apply (config, fixed, &error));
  g_assert_cmpstr (error->message, ==, "e.yaml:1: cannot change api-port from 17070 to 42");
  g_clear_error (&error);
  g_assert_null (welkin_environment_config_apply (config, wrong, &error));
  g_assert_cmpstr (error->message, ==, "e.yaml:1: development: expected bool, got "
                                       "string(\"maybe\")");
}

static WelkinConfig *
generate (WelkinConfig *config,
          GError      **error)
{
  g_autoptr(GAsyncResult) result = NULL;

  welkin_environment_config_generate_async (config, NULL, result_cb, &result);
  return welkin_environment_config_generate_finish (result_wait (&result), error);
}

static void
test_generate (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinConfig) config = complete_well (home, MINIMAL KEYS);
  g_autoptr(WelkinConfig) generated = NULL;
  g_autoptr(WelkinConfig) again = NULL;
  g_autoptr(WelkinConfig) without_key = NULL;
  g_autoptr(GError) error = NULL;

  generated = generate (config, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (strlen (welkin_config_get_string (generated, "admin-secret")), ==, 32);
  g_assert_true (g_uuid_string_is_valid (welkin_config_get_uuid (generated)));
  welkin_certificates_check (welkin_config_get_string (generated, "ca-cert"),
                             welkin_config_get_string (generated, "ca-private-key"), &error);
  g_assert_no_error (error);

  again = generate (generated, &error);
  g_assert_no_error (error);
  g_assert_true (welkin_config_equal (again, generated));

  without_key = welkin_config_with_text (generated, "ca-private-key", "", NULL);
  g_assert_null (generate (without_key, &error));
  g_assert_nonnull (strstr (error->message, "certificate but no CA private key"));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/environment-config/complete/fills-the-defaults-in", test_defaults);
  g_test_add_func ("/environment-config/complete/takes-scalars-as-written", test_scalars);
  g_test_add_func ("/environment-config/complete/refuses-with-the-line", test_refused);
  g_test_add_func ("/environment-config/complete/what-would-break-a-script-is-refused",
                   test_what_would_break_a_script_is_refused);
  g_test_add_func ("/environment-config/complete/finds-keys", test_keys);
  g_test_add_func ("/environment-config/complete/reports-keys-it-cannot-read",
                   test_unreadable_keys);
  g_test_add_func ("/environment-config/complete/reads-certificates", test_certificate_files);
  g_test_add_func ("/environment-config/complete/aligns-the-urls-of-tools",
                   test_tools_urls_agree);
  g_test_add_func ("/environment-config/complete/normalizes-logging", test_logging);
  g_test_add_func ("/environment-config/name/is-safe-in-paths", test_names);
  g_test_add_func ("/environment-config/name/is-refused-with-its-line",
                   test_unsafe_name_has_its_line);
  g_test_add_func ("/environment-config/translate/knows-older-names", test_deprecated);
  g_test_add_func ("/environment-config/restore/fills-only-what-must-be", test_restore);
  g_test_add_func ("/environment-config/validate/keeps-what-must-stay", test_changes);
  g_test_add_func ("/environment-config/validate/tells-in-order", test_order);
  g_test_add_func ("/environment-config/apply/checks-anew", test_apply);
  g_test_add_func ("/environment-config/generate/makes-secrets-once", test_generate);
  return g_test_run ();
}
