/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "values/welkin-machine-config.h"

#include <string.h>

#include "base/yaml.h"
#include "machine/keys.h"
#include "values/welkin-error.h"

#define RSA_KEY "ssh-rsa AAAAB3NzaC1yc2EAAAABIwAAAEE="

static WelkinConfig *
parse_config (const char *text)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinValue) map = wk_yaml_parse (text, -1, "e.yaml", &error);

  g_assert_no_error (error);
  return welkin_config_new_from_value (map);
}

static WelkinMachineConfig *
make (const char *id,
      gboolean    is_bootstrap)
{
  g_autoptr(GError) error = NULL;
  WelkinMachineConfig *config = NULL;

  config = welkin_machine_config_new (id, "bootstrap:it's", NULL, is_bootstrap, &error);
  g_assert_no_error (error);
  return config;
}

static WelkinMachineConfig *
finish (WelkinMachineConfig *begun,
        const char          *environment)
{
  g_autoptr(WelkinConfig) config = parse_config (environment);
  g_autoptr(GError) error = NULL;
  WelkinMachineConfig *finished = NULL;

  finished = welkin_machine_config_finish (begun, config, NULL, &error);
  g_assert_no_error (error);
  return finished;
}

static char *
render (WelkinMachineConfig *config)
{
  g_autoptr(GError) error = NULL;
  char *text = welkin_machine_config_render_cloud_config (config, &error);

  g_assert_no_error (error);
  return text;
}

static void
test_ids (void)
{
  const struct
  {
    const char *id;
    const char *tag;
  } vectors[] = {
    { "0", "machine-0" }, { "17", "machine-17" },   { "2/lxc/1", "machine-2-lxc-1" },
    { "00", NULL },       { "01", NULL },           { "", NULL },
    { "a", NULL },        { "1/lxc", NULL },        { "1/LXC/0", NULL },
    { "-1", NULL },       { "1\n", NULL },          { "1/lxc/01", NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (vectors); i++)
    {
      g_autoptr(GError) error = NULL;
      g_autoptr(WelkinMachineConfig) config = NULL;

      config = welkin_machine_config_new (vectors[i].id, "n", "noble", FALSE, &error);
      g_assert_true ((config == NULL) == (vectors[i].tag == NULL));
      if (config == NULL)
        {
          g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT);
          g_assert_nonnull (strstr (error->message, "machine id"));
          continue;
        }
      g_assert_cmpstr (welkin_machine_config_get_machine_id (config), ==, vectors[i].id);
      g_assert_cmpstr (welkin_machine_config_get_tag (config), ==, vectors[i].tag);
      g_assert_cmpstr (welkin_machine_config_get_series (config), ==, "noble");
    }
}

static void
test_nonce (void)
{
  g_autoptr(GError) error = NULL;

  g_assert_null (welkin_machine_config_new ("0", "", NULL, TRUE, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT);
  g_assert_nonnull (strstr (error->message, "machine nonce"));
}

static void
test_finish (void)
{
  g_autoptr(WelkinMachineConfig) begun = make ("0", FALSE);
  g_autoptr(WelkinMachineConfig) more = NULL;
  g_autoptr(WelkinMachineConfig) finished = NULL;
  g_autoptr(WelkinTools) tools = NULL;
  g_autoptr(WelkinConfig) config = NULL;
  g_autoptr(GError) error = NULL;

  g_assert_null (welkin_machine_config_get_series (begun));
  more = welkin_machine_config_with_authorized_keys (begun, RSA_KEY " system");
  g_assert_cmpstr (welkin_machine_config_get_authorized_keys (begun), ==, "");
  tools = welkin_tools_new ("1.2.3", "jammy", "amd64", "http://127.0.0.1/t.tgz", NULL, -1);
  config = parse_config ("authorized-keys: " RSA_KEY " mine\ndefault-series: jammy\n");
  finished = welkin_machine_config_finish (more, config, tools, &error);
  g_assert_no_error (error);

  g_assert_cmpstr (welkin_machine_config_get_series (finished), ==, "jammy");
  g_assert_cmpstr (welkin_machine_config_get_nonce (finished), ==, "bootstrap:it's");
  g_assert_false (welkin_machine_config_is_bootstrap (finished));
  g_assert_true (welkin_machine_config_get_tools (finished) == tools);
  g_assert_cmpstr (welkin_machine_config_get_authorized_keys (finished), ==,
                   RSA_KEY " mine\n" RSA_KEY " system");
}

static void
test_lacks (void)
{
  const struct
  {
    const char *environment;
    gboolean    is_bootstrap;
    const char *lack;
  } vectors[] = {
    { "default-series: noble\n", FALSE, "no authorized-keys" },
    { "authorized-keys: '# none'\n", FALSE, "no authorized-keys" },
    { "authorized-keys: " RSA_KEY "\n", TRUE, "no ca-cert" },
    { "authorized-keys: " RSA_KEY "\nca-cert: x\n", TRUE, "no admin-secret" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (vectors); i++)
    {
      g_autoptr(WelkinMachineConfig) begun = make ("0", vectors[i].is_bootstrap);
      g_autoptr(WelkinConfig) config = parse_config (vectors[i].environment);
      g_autoptr(GError) error = NULL;

      g_assert_null (welkin_machine_config_finish (begun, config, NULL, &error));
      g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG);
      g_assert_true (g_str_has_prefix (error->message, "cannot complete machine configuration: "));
      g_assert_true (g_str_has_suffix (error->message, vectors[i].lack));
    }
}

static void
test_unfinished (void)
{
  g_autoptr(WelkinMachineConfig) begun = make ("0", FALSE);
  g_autoptr(GError) error = NULL;

  g_assert_null (welkin_machine_config_render_user_data (begun, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT);
}

static void
test_basic (void)
{
  g_autoptr(WelkinMachineConfig) begun = make ("0", FALSE);
  g_autoptr(WelkinMachineConfig) finished = NULL;
  g_autofree char *text = NULL;

  finished = finish (begun, "authorized-keys: |\n"
                            "  # mine\n"
                            "  " RSA_KEY "\n"
                            "\n"
                            "  " RSA_KEY " user@host\n"
                            "  " RSA_KEY " Welkin:known\n"
                            "default-series: noble\n");
  text = render (finished);
  g_assert_cmpstr (text, ==,
                   "#cloud-config\n"
                   "output:\n"
                   "  all: '| tee -a /var/log/cloud-init-output.log'\n"
                   "runcmd:\n"
                   "- set -xe\n"
                   "- install -D -m 644 /dev/null '/var/lib/welkin/nonce.txt'\n"
                   "- printf '%s\\n' 'bootstrap:it'\"'\"'s' > '/var/lib/welkin/nonce.txt'\n"
                   "ssh_authorized_keys:\n"
                   "- " RSA_KEY " Welkin:sshkey\n"
                   "- " RSA_KEY " Welkin:user@host\n"
                   "- " RSA_KEY " Welkin:known\n");
}

static void
test_other_user (void)
{
  g_autoptr(WelkinMachineConfig) begun = make ("3", FALSE);
  g_autoptr(WelkinMachineConfig) finished = NULL;
  g_autofree char *text = NULL;

  finished = finish (begun, "authorized-keys: " RSA_KEY "\nssh-user: debian\n");
  text = render (finished);
  g_assert_nonnull (strstr (text, "users:\n"
                                  "- default\n"
                                  "- lock_passwd: true\n"
                                  "  name: debian\n"
                                  "  shell: /bin/bash\n"
                                  "  ssh_authorized_keys:\n"
                                  "  - " RSA_KEY " Welkin:sshkey\n"
                                  "  sudo: ALL=(ALL) NOPASSWD:ALL\n"));
}

static void
test_host_key (void)
{
  g_autoptr(WelkinMachineConfig) begun = make ("0", TRUE);
  g_autoptr(WelkinMachineConfig) keyed = NULL;
  g_autoptr(WelkinMachineConfig) finished = NULL;
  g_autoptr(WelkinValue) map = NULL;
  g_autofree char *private_key = NULL;
  g_autofree char *public_key = NULL;
  g_autofree char *text = NULL;
  g_autoptr(GError) error = NULL;
  WelkinValue *keys = NULL;

  welkin_ssh_key_generate ("host", &private_key, &public_key, &error);
  g_assert_no_error (error);
  keyed = welkin_machine_config_with_host_key (begun, "ed25519", private_key, public_key);
  finished = finish (keyed, "authorized-keys: " RSA_KEY "\nca-cert: x\nadmin-secret: hush\n");
  text = render (finished);
  g_assert_null (strstr (text, "hush"));

  map = wk_yaml_parse (text, -1, "user-data", &error);
  g_assert_no_error (error);
  keys = welkin_value_lookup (map, "ssh_keys");
  g_assert_cmpuint (welkin_value_get_length (keys), ==, 2);
  g_assert_cmpstr (welkin_value_get_text (welkin_value_lookup (keys, "ed25519_private")), ==,
                   private_key);
  g_assert_cmpstr (welkin_value_get_text (welkin_value_lookup (keys, "ed25519_public")), ==,
                   public_key);
}

static void
test_odd_key (void)
{
  g_autoptr(WelkinMachineConfig) begun = make ("0", FALSE);
  g_autoptr(WelkinMachineConfig) finished = NULL;
  g_autofree char *text = NULL;

  g_test_expect_message ("welkin", G_LOG_LEVEL_WARNING,
                         "entry 2 of authorized-keys is no SSH key");
  finished = finish (begun, "authorized-keys: |\n  " RSA_KEY "\n  odd one\n");
  g_test_assert_expected_messages ();
  text = render (finished);
  g_assert_nonnull (strstr (text, "- odd one\n"));
}

static void
test_user_data (void)
{
  g_autoptr(WelkinMachineConfig) begun = make ("0", FALSE);
  g_autoptr(WelkinMachineConfig) finished = NULL;
  g_autoptr(WelkinMachineConfig) with_noise = NULL;
  g_autoptr(WelkinMachineConfig) large = NULL;
  g_autoptr(GBytes) one = NULL;
  g_autoptr(GBytes) two = NULL;
  g_autoptr(GString) noise = g_string_new (RSA_KEY " ");
  g_autoptr(GError) error = NULL;

  finished = finish (begun, "authorized-keys: " RSA_KEY "\n");
  one = welkin_machine_config_render_user_data (finished, &error);
  g_assert_no_error (error);
  two = welkin_machine_config_render_user_data (finished, &error);
  g_assert_no_error (error);
  g_assert_true (g_bytes_equal (one, two));

  for (guint i = 0; i < 70000; i++)
    g_string_append_c (noise, (char) g_test_rand_int_range ('0', 'z'));
  with_noise = welkin_machine_config_with_authorized_keys (begun, noise->str);
  large = finish (with_noise, "authorized-keys: " RSA_KEY "\n");
  g_assert_null (welkin_machine_config_render_user_data (large, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT);
  g_assert_nonnull (strstr (error->message, "user data"));
  g_assert_nonnull (strstr (error->message, "49149"));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/machine-config/id/has-a-tag-or-is-refused", test_ids);
  g_test_add_func ("/machine-config/nonce/must-be-there", test_nonce);
  g_test_add_func ("/machine-config/finish/adds-what-the-environment-has", test_finish);
  g_test_add_func ("/machine-config/finish/names-what-the-environment-lacks", test_lacks);
  g_test_add_func ("/machine-config/finish/warns-of-what-is-no-key", test_odd_key);
  g_test_add_func ("/machine-config/render/needs-finish", test_unfinished);
  g_test_add_func ("/machine-config/render/lets-keys-in-and-writes-the-nonce", test_basic);
  g_test_add_func ("/machine-config/render/makes-another-user", test_other_user);
  g_test_add_func ("/machine-config/render/gives-the-host-key", test_host_key);
  g_test_add_func ("/machine-config/user-data/is-the-same-each-time-and-not-too-large",
                   test_user_data);
  return g_test_run ();
}
