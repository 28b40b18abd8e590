/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "machine/user-data.h"

#include <glib/gstdio.h>
#include <string.h>

#include "base/yaml.h"
#include "home.h"
#include "machine/agent-conf.h"
#include "machine/keys.h"
#include "values/welkin-error.h"

#define RSA_KEY "ssh-rsa AAAAB3NzaC1yc2EAAAABIwAAAEE="
#define EMPTY_SHA256 "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

#define APT_SETTINGS "apt/apt.conf.d/42-welkin-proxy-settings"
#define APT_LOGINS "apt/auth.conf.d/42-welkin-proxy-settings.conf"

#define ENVIRONMENT \
  "name: test\n" \
  "type: openstack\n" \
  "uuid: 7a0b8a55-0ed3-4f2c-9a0f-7c1f0d1d2a11\n" \
  "authorized-keys: " RSA_KEY " me\n" \
  "admin-secret: hush-admin\n" \
  "ca-cert: \"CERT\\n\"\n" \
  "ca-private-key: hush-key\n" \
  "password: hush-cloud\n" \
  "default-series: noble\n" \
  "api-port: 17070\n" \
  "ssl-hostname-verification: true\n"

/* What differs between the machines of this test. */
typedef struct
{
  const char *id;
  gboolean    is_bootstrap;
  gboolean    has_agent;
  gboolean    has_host_key;
  const char *sha256;
  const char *uri;
  const char *environment; /* lines of YAML */
} Machine;

static WelkinMachineServer *
make_server (void)
{
  WelkinMachineServer *server = welkin_machine_server_new ();

  server->certificate = g_strdup ("SERVER CERT\n");
  server->private_key = g_strdup ("SERVER KEY\n");
  server->secret = g_strdup ("s3cret");
  server->system_key = g_strdup ("SYSTEM KEY");
  server->state_uri = g_strdup ("http://127.0.0.1/state?sig=1");
  server->environment_config = g_strdup ("name: test\n");
  server->constraints = g_strdup ("mem=4G cores=2");
  return server;
}

static WelkinMachineConfig *
with_all (WelkinMachineConfig *begun,
          const Machine       *machine)
{
  static const char *const addresses[] = { "localhost:17070", "10.0.0.1:17070", NULL };
  g_autoptr(WelkinMachineConfig) keyed = NULL;
  g_autoptr(WelkinMachineConfig) reporting = NULL;
  g_autoptr(WelkinMachineServer) server = make_server ();
  g_autofree char *private_key = NULL;
  g_autofree char *public_key = NULL;

  g_assert_true (welkin_ssh_key_generate ("host", &private_key, &public_key, NULL));
  keyed = machine->has_host_key
            ? welkin_machine_config_with_host_key (begun, "ed25519", private_key, public_key)
            : welkin_machine_config_ref (begun);
  reporting = machine->has_agent
                ? welkin_machine_config_with_api (keyed, addresses, "machine-password")
                : welkin_machine_config_ref (keyed);
  return machine->is_bootstrap ? welkin_machine_config_with_server (reporting, server)
                               : welkin_machine_config_ref (reporting);
}

static WelkinValue *
parse (const char *text)
{
  g_autoptr(GError) error = NULL;
  WelkinValue *map = wk_yaml_parse (text, -1, "text", &error);

  g_assert_no_error (error);
  return map;
}

static WelkinConfig *
parse_config (const char *text)
{
  g_autoptr(WelkinValue) map = parse (text);

  return *text != '\0' ? welkin_config_new_from_value (map) : welkin_config_new ();
}

static WelkinMachineConfig *
finish (const Machine *machine)
{
  g_autoptr(WelkinConfig) common = parse_config (ENVIRONMENT);
  g_autoptr(WelkinConfig) own = parse_config (machine->environment);
  g_autoptr(WelkinConfig) config = welkin_config_with_all (common, own);
  g_autoptr(WelkinMachineConfig) begun = NULL;
  g_autoptr(WelkinMachineConfig) complete = NULL;
  g_autoptr(WelkinTools) tools = NULL;
  g_autoptr(GError) error = NULL;
  WelkinMachineConfig *finished = NULL;

  begun = welkin_machine_config_new (machine->id, "client:it's", NULL, machine->is_bootstrap,
                                     &error);
  g_assert_no_error (error);
  complete = with_all (begun, machine);
  if (machine->uri != NULL)
    tools = welkin_tools_new ("1.2.3", "noble", "amd64", machine->uri, machine->sha256, 10);
  finished = welkin_machine_config_finish (complete, config, tools, &error);
  g_assert_no_error (error);
  return finished;
}

static char *
render (const Machine *machine)
{
  g_autoptr(WelkinMachineConfig) config = finish (machine);
  g_autoptr(GError) error = NULL;
  char *text = welkin_machine_config_render_cloud_config (config, &error);

  g_assert_no_error (error);
  return text;
}

static const char *
lookup (WelkinValue *map,
        const char  *key)
{
  WelkinValue *value = welkin_value_lookup (map, key);

  g_assert_nonnull (value);
  return welkin_value_get_text (value);
}

static const Machine ordinary = {
  .id = "3",
  .has_agent = TRUE,
  .sha256 = EMPTY_SHA256,
  .uri = "https://127.0.0.1/t.tgz?sig=a&b=it's",
  .environment = "enable-os-refresh-update: true\nenable-os-upgrade: false\n",
};

static void
test_ordinary (void)
{
  static const char *const expected[] = {
    "set -xe",
    "install -D -m 644 /dev/null '/var/lib/welkin/nonce.txt'",
    "printf '%s\\n' 'client:it'\"'\"'s' > '/var/lib/welkin/nonce.txt'",
    "mkdir -p /var/lib/welkin/locks /var/log/welkin",
    "if id -u 'ubuntu' > /dev/null 2>&1; then chown 'ubuntu:' /var/lib/welkin/locks; fi",
    "test -e /proc/self/fd/9 || exec 9>&2; echo 'Fetching tools: 1.2.3-noble-amd64' >&9",
    "bin='/var/lib/welkin/tools/1.2.3-noble-amd64'",
    "mkdir -p $bin",
    "set +x; n=1; until curl -sSfL --connect-timeout 30 --max-time 600 -o $bin/tools.tar.gz "
    "'https://127.0.0.1/t.tgz?sig=a&b=it'\"'\"'s'; do [ $n -lt 10 ] || exit 1; n=$((n + 1)); "
    "echo 'Trying to fetch the tools again in 5 seconds' >&9; sleep 5; done; set -x",
    "[ \"$(sha256sum < $bin/tools.tar.gz | cut -d ' ' -f 1)\" = '" EMPTY_SHA256 "' ] || "
    "{ echo 'Tools checksum mismatch' >&9; exit 1; }",
    "tar -xzf $bin/tools.tar.gz --no-same-owner -C $bin",
    "rm $bin/tools.tar.gz",
    "$bin/welkin-agent version > /dev/null || { echo \"The agent does not run on "
    "$(. /etc/os-release && echo \"$PRETTY_NAME\"): its tools must be made on that release of the "
    "distribution, or on an older one\" >&9; exit 1; }",
    "install -m 600 /dev/null $bin/downloaded-tools.txt",
    "set +x; printf '%s' '{\"version\":\"1.2.3-noble-amd64\","
    "\"url\":\"https://127.0.0.1/t.tgz?sig=a&b=it'\"'\"'s\",\"sha256\":\"" EMPTY_SHA256 "\","
    "\"size\":10}' > $bin/downloaded-tools.txt; set -x",
    "install -D -m 600 /dev/null '/var/lib/welkin/agents/machine-3/agent.conf'",
    NULL, /* its text */
    "ln -sfn '1.2.3-noble-amd64' /var/lib/welkin/tools/machine-3",
    "install -D -m 644 /dev/null '/etc/systemd/system/welkin-agent-machine-3.service'",
    NULL, /* its text */
    "test -e /proc/self/fd/9 || exec 9>&2; "
    "echo 'Starting the machine agent (welkin-agent-machine-3)' >&9",
    "systemctl daemon-reload",
    "systemctl enable --now welkin-agent-machine-3.service",
  };
  g_autofree char *text = render (&ordinary);
  g_autoptr(WelkinValue) map = parse (text);
  WelkinValue *commands = welkin_value_lookup (map, "runcmd");

  g_assert_cmpuint (welkin_value_get_length (commands), ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      if (expected[i] != NULL)
        g_assert_cmpstr (welkin_value_get_text (welkin_value_get_item (commands, i)), ==,
                         expected[i]);
    }
  g_assert_cmpstr (lookup (map, "package_update"), ==, "true");
  g_assert_cmpstr (lookup (map, "package_upgrade"), ==, "false");
  g_assert_cmpuint (welkin_value_get_length (welkin_value_lookup (map, "packages")), ==, 2);
  g_assert_null (welkin_value_lookup (map, "bootcmd"));
  g_assert_null (welkin_value_lookup (map, "apt"));
}

static void
test_no_secrets (void)
{
  Machine machine = ordinary;
  g_autofree char *text = NULL;

  for (guint i = 0; i < 2; i++)
    {
      machine.is_bootstrap = i == 1;
      g_free (text);
      text = render (&machine);
      g_assert_null (strstr (text, "hush"));
      g_assert_null (strstr (text, "s3cret"));
      g_assert_null (strstr (text, "SERVER KEY"));
      g_assert_null (strstr (text, "SYSTEM KEY"));
    }
}

/* The first machine is set up over SSH, and without an agent there is nothing to set up. */
static void
test_basic_only (void)
{
  Machine machines[] = { ordinary, ordinary, ordinary };

  machines[0].is_bootstrap = TRUE;
  machines[1].has_agent = FALSE;
  machines[2].uri = NULL;
  for (guint i = 0; i < G_N_ELEMENTS (machines); i++)
    {
      g_autofree char *text = render (&machines[i]);
      g_autoptr(WelkinValue) map = parse (text);
      WelkinValue *commands = welkin_value_lookup (map, "runcmd");

      g_assert_cmpuint (welkin_value_get_length (commands), ==, 3);
      g_assert_null (welkin_value_lookup (map, "packages"));
    }
}

static void
test_settings (void)
{
  Machine machine = ordinary;
  g_autofree char *text = NULL;
  g_autoptr(WelkinValue) map = NULL;
  WelkinValue *mirror = NULL;

  machine.environment = "http-proxy: http://p:1/\n"
                        "apt-http-proxy: http://q:2/\n"
                        "no-proxy: 10.0.0.1\n"
                        "apt-mirror: http://m/\n"
                        "ssl-hostname-verification: false\n"
                        "ssh-user: debian\n";
  text = render (&machine);
  map = parse (text);

  mirror = welkin_value_get_item (
    welkin_value_lookup (welkin_value_lookup (map, "apt"), "primary"), 0);
  g_assert_cmpstr (lookup (mirror, "uri"), ==, "http://m/");
  g_assert_cmpstr (welkin_value_get_text (
                     welkin_value_get_item (welkin_value_lookup (map, "bootcmd"), 0)), ==,
                   "[ -f /etc/apt/apt.conf.d/42-welkin-proxy-settings ] || "
                   "(printf '%s' 'Acquire::http::Proxy \"http://q:2/\";\n' > "
                   "/etc/apt/apt.conf.d/42-welkin-proxy-settings)");
  g_assert_nonnull (strstr (text, "\n- set +x; export http_proxy=http://p:1/; set -x\n"
                                  "- set +x; export HTTP_PROXY=http://p:1/; set -x\n"
                                  "- set +x; export no_proxy=10.0.0.1; set -x\n"
                                  "- set +x; export NO_PROXY=10.0.0.1; set -x\n"));
  g_assert_nonnull (strstr (text, "> '/home/debian'/.welkin-proxy"));
  g_assert_nonnull (strstr (text, "curl -sSfL --insecure "));
}

/* As the machine would, below a directory. */
static void
run_boot_command (const char *text,
                  Home       *home)
{
  g_autoptr(WelkinValue) map = parse (text);
  WelkinValue *command = welkin_value_get_item (welkin_value_lookup (map, "bootcmd"), 0);
  g_autoptr(GString) script = g_string_new (welkin_value_get_text (command));
  g_autofree char *root = home_get_path (home, "apt");
  const char *arguments[] = { "/bin/sh", "-c", NULL, NULL };
  int status = -1;

  g_string_replace (script, "/etc/apt", root, 0);
  arguments[2] = script->str;
  g_spawn_sync (NULL, (char **) arguments, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL, NULL, &status,
                NULL);
  g_assert_cmpint (status, ==, 0);
}

/* What apt is to read can be read by all; what holds a password is root's alone. */
static void
test_password_of_a_proxy_is_hidden (void)
{
  Machine machine = ordinary;
  g_autoptr(Home) old = home_new (NULL);
  g_autoptr(Home) home = home_new (NULL);
  g_autofree char *text = NULL;
  g_autofree char *whole = NULL;
  g_autofree char *bare = NULL;
  g_autofree char *logins = NULL;

  machine.environment = "apt-http-proxy: http://me:hush@p:1/\n";
  text = render (&machine);

  home_write (old, "apt/apt.conf.d/README", "");
  run_boot_command (text, old);
  whole = home_read (old, APT_SETTINGS);
  g_assert_cmpstr (whole, ==, "Acquire::http::Proxy \"http://me:hush@p:1/\";\n");

  home_write (home, "apt/apt.conf.d/README", "");
  home_write (home, "apt/auth.conf.d/README", "");
  run_boot_command (text, home);
  bare = home_read (home, APT_SETTINGS);
  g_assert_cmpstr (bare, ==, "Acquire::http::Proxy \"http://p:1/\";\n");
  logins = home_read (home, APT_LOGINS);
  g_assert_cmpstr (logins, ==, "machine http://p:1 login me password hush\n"
                               "machine p:1 login me password hush\n");
  g_assert_cmpuint (home_get_mode (home, APT_LOGINS), ==, 0600);
}

static void
test_lacks (void)
{
  const struct
  {
    const char *uri;
    gboolean    has_agent;
    const char *environment;
    const char *lack;
  } vectors[] = {
    { NULL, TRUE, "", "missing tools" },
    { "", TRUE, "", "missing tools URL" },
    { "http://a", FALSE, "", "missing API addresses" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (vectors); i++)
    {
      const Machine machine = {
        .id = "0",
        .is_bootstrap = TRUE,
        .has_agent = vectors[i].has_agent,
        .uri = vectors[i].uri,
        .environment = vectors[i].environment,
      };
      g_autoptr(WelkinMachineConfig) config = finish (&machine);
      g_autoptr(GError) error = NULL;

      g_assert_null (welkin_machine_config_render_script (config, &error));
      g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT);
      g_assert_true (g_str_has_prefix (error->message, "invalid machine configuration: "));
      g_assert_true (g_str_has_suffix (error->message, vectors[i].lack));
    }
}

static void
test_agent_conf (void)
{
  Machine machine = ordinary;
  g_autoptr(WelkinMachineConfig) plain = finish (&machine);
  g_autoptr(WelkinMachineConfig) server = NULL;
  g_autofree char *text = welkin_agent_conf_print (plain);
  g_autofree char *server_text = NULL;

  g_assert_cmpstr (text, ==,
                   "# format 1.18\n"
                   "apiaddresses:\n"
                   "- localhost:17070\n"
                   "- '10.0.0.1:17070'\n"
                   "apipassword: machine-password\n"
                   "cacert: |\n"
                   "  CERT\n"
                   "datadir: /var/lib/welkin\n"
                   "jobs:\n"
                   "- JobHostUnits\n"
                   "logdir: /var/log/welkin\n"
                   "nonce: client:it's\n"
                   "oldpassword: ''\n"
                   "tag: machine-3\n"
                   "upgradedToVersion: '1.2.3'\n"
                   "values:\n"
                   "  AGENT_SERVICE_NAME: welkin-agent-machine-3\n"
                   "  CONTAINER_TYPE: ''\n"
                   "  PROVIDER_TYPE: openstack\n");

  machine.is_bootstrap = TRUE;
  machine.id = "2/lxc/1";
  server = finish (&machine);
  server_text = welkin_agent_conf_print (server);
  g_assert_nonnull (strstr (server_text, "CONTAINER_TYPE: lxc\n"));
  g_assert_nonnull (strstr (server_text, "\napiport: 17070\napisecret: s3cret\n"));
  g_assert_nonnull (strstr (server_text, "jobs:\n- JobManageEnviron\n- JobHostUnits\n"));
  g_assert_nonnull (strstr (server_text, "stateservercert: |\n  SERVER CERT\n"));
  g_assert_nonnull (strstr (server_text, "stateserverkey: |\n  SERVER KEY\n"));
}

/* By hand: hashlib.pbkdf2_hmac ('sha512', b'hush', b'uuid', 8192, 18), and hmac of the outcome. */
static void
test_passwords (void)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *secret = welkin_agent_secret_derive ("hush", "uuid", &error);
  g_autofree char *other = welkin_agent_secret_derive ("hush", "uuie", &error);
  g_autofree char *password = NULL;

  g_assert_no_error (error);
  g_assert_cmpstr (secret, ==, "9yfYRkwPUuUjuKDarqzYGKxl");
  g_assert_cmpstr (secret, !=, other);
  password = welkin_agent_password_derive (secret, "machine-7");
  g_assert_cmpstr (password, ==,
                   "7e72d44fecd131284d258044bbba3900c2b8f9af43a985cf4a34dfbad79e2376");
}

/* Each setting on and off, and all with each other in turn: 48 documents. */
static void
test_schema (void)
{
  static const char *const settings[] = {
    "http-proxy: http://p:1/\nhttps-proxy: 'http://it''s \"odd\"/'\n",
    "apt-http-proxy: http://me:it's@q:2/\n",
    "apt-mirror: http://m/ubuntu\n",
    "enable-os-refresh-update: true\n",
    "enable-os-upgrade: true\n",
    "ssh-user: debian\n",
  };
  g_autofree char *directory = g_dir_make_tmp ("welkin-test-XXXXXX", NULL);
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new ();
  g_autoptr(GError) error = NULL;
  g_autofree char *script = g_test_build_filename (G_TEST_DIST, "unit", "cloud-init-schema", NULL);
  g_auto(GStrv) arguments = NULL;
  g_autofree char *complaints = NULL;
  int status = 0;

  g_strv_builder_add (builder, script);
  for (guint i = 0; i < 48; i++)
    {
      GString *environment = g_string_new (NULL);
      Machine machine = ordinary;
      g_autofree char *path = g_strdup_printf ("%s/%u", directory, i);
      g_autofree char *text = NULL;

      for (guint j = 0; j < G_N_ELEMENTS (settings); j++)
        {
          if ((i & (1u << j)) != 0 || i == j + 42)
            g_string_append (environment, settings[j]);
        }
      machine.is_bootstrap = i % 5 == 4;
      machine.has_host_key = i % 3 == 0;
      machine.has_agent = i % 7 != 6;
      machine.sha256 = i % 2 == 0 ? EMPTY_SHA256 : NULL;
      machine.uri = i % 4 == 0 ? "file:///t.tgz" : ordinary.uri;
      machine.environment = environment->str;
      text = render (&machine);
      g_string_free (environment, TRUE);
      g_assert_true (g_file_set_contents (path, text, -1, &error));
      g_strv_builder_add (builder, path);
    }
  arguments = g_strv_builder_end (builder);
  g_spawn_sync (NULL, arguments, NULL, G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL, NULL, &complaints,
                &status, &error);
  g_assert_no_error (error);
  for (guint i = 1; arguments[i] != NULL; i++)
    g_unlink (arguments[i]);
  g_rmdir (directory);

  if (g_spawn_check_wait_status (status, &error))
    return;
  if (g_error_matches (error, G_SPAWN_EXIT_ERROR, 77))
    {
      g_test_skip ("cloud-init is not installed");
      return;
    }
  g_assert_cmpstr (complaints, ==, "");
  g_assert_no_error (error);
}

/* A machine of sorts: the script runs with each path that it names under a directory of the test,
 * and with programs that only note how they were called. */
static const char *const programs[] = { "apt-get", "systemctl", "ssh-keygen", "chown" };

static Home *
machine_new (const char *agent)
{
  Home *home = home_new (NULL);
  g_autofree char *archive = home_get_path (home, "t.tgz");
  g_autofree char *files = home_get_path (home, "files");
  const char *const pack[] = { "tar", "-czf", archive, "-C", files, "welkin-agent", NULL };
  g_autofree char *agent_path = home_get_path (home, "files/welkin-agent");
  int status = 0;

  for (guint i = 0; i < G_N_ELEMENTS (programs); i++)
    {
      g_autofree char *name = g_strconcat ("bin/", programs[i], NULL);
      g_autofree char *path = home_get_path (home, name);

      home_write (home, name, "#!/bin/sh\n"
                              "echo \"$(basename \"$0\") $*\" >> \"$(dirname \"$0\")/../calls\"\n");
      g_assert_cmpint (g_chmod (path, 0700), ==, 0);
    }
  home_write (home, "files/welkin-agent", agent);
  g_assert_cmpint (g_chmod (agent_path, 0755), ==, 0);
  g_assert_true (g_spawn_sync (NULL, (char **) pack, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL,
                               NULL, &status, NULL));
  g_assert_cmpint (status, ==, 0);
  home_write (home, "etc/ssh/ssh_host_ed25519_key.pub", "old key\n");
  home_write (home, "etc/ssh/keep", "");
  home_write (home, "etc/os-release", "PRETTY_NAME='Lab 12'\n");
  home_write (home, "var/log/cloud-init-output.log", "before\n");
  return home;
}

/* The exit status of the script there; what it tells is in errors. */
static int
run_script (Home       *home,
            const char *script,
            char      **errors)
{
  static const char *const places[] = { "/var/", "/etc/os-release", "/etc/systemd", "/etc/ssh",
                                       "/home/" };
  g_autofree char *binaries = home_get_path (home, "bin");
  g_autofree char *path = g_strdup_printf ("%s:%s", binaries, g_getenv ("PATH"));
  g_auto(GStrv) environment = g_environ_setenv (g_get_environ (), "PATH", path, TRUE);
  g_autoptr(GSubprocessLauncher) launcher = NULL;
  g_autoptr(GSubprocess) bash = NULL;
  g_autoptr(GString) text = g_string_new (script);
  g_autoptr(GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      g_autofree char *place = g_strconcat (home->path, places[i], NULL);

      g_string_replace (text, places[i], place, 0);
    }
  g_string_replace (text, "$HOME", home->path, 0);
  launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDIN_PIPE
                                        | G_SUBPROCESS_FLAGS_STDOUT_SILENCE
                                        | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_subprocess_launcher_set_environ (launcher, environment);
  bash = g_subprocess_launcher_spawn (launcher, &error, "/bin/bash", NULL);
  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (bash, text->str, NULL, NULL, errors, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_if_exited (bash));
  return g_subprocess_get_exit_status (bash);
}

static char *
make_script (Home       *home,
             const char *sha256)
{
  g_autofree char *uri = g_strconcat ("file://", home->path, "/t.tgz", NULL);
  const Machine machine = {
    .id = "0",
    .is_bootstrap = TRUE,
    .has_agent = TRUE,
    .sha256 = sha256,
    .uri = uri,
    .environment = "enable-os-refresh-update: true\nenable-os-upgrade: true\n"
                   "http-proxy: http://p:1/\n",
  };
  g_autoptr(WelkinMachineConfig) config = finish (&machine);
  g_autoptr(GError) error = NULL;
  char *script = welkin_machine_config_render_script (config, &error);

  g_assert_no_error (error);
  return script;
}

/* What a machine runs at its first boot, in one shell. */
static char *
get_commands (const char *document)
{
  g_autoptr(WelkinValue) map = parse (document);
  WelkinValue *commands = welkin_value_lookup (map, "runcmd");
  GString *script = g_string_new (NULL);

  for (guint i = 0; i < welkin_value_get_length (commands); i++)
    g_string_append_printf (script, "%s\n",
                            welkin_value_get_text (welkin_value_get_item (commands, i)));
  return g_string_free (script, FALSE);
}

static char *
get_checksum (Home *home)
{
  g_autofree char *path = home_get_path (home, "t.tgz");
  g_autofree char *contents = NULL;
  gsize length = 0;

  g_assert_true (g_file_get_contents (path, &contents, &length, NULL));
  return g_compute_checksum_for_data (G_CHECKSUM_SHA256, (guchar *) contents, length);
}

static void
test_script (void)
{
  g_autoptr(Home) home = machine_new ("#!/bin/sh\n[ $1 = version ] || { echo \"$@\"; exit 64; }\n");
  g_autofree char *sha256 = get_checksum (home);
  g_autofree char *script = make_script (home, sha256);
  g_autofree char *errors = NULL;
  g_autofree char *calls = NULL;
  g_autofree char *log = NULL;
  g_autofree char *pem = NULL;
  g_autofree char *target = NULL;
  g_autofree char *link_path = home_get_path (home, "var/lib/welkin/tools/machine-0");

  g_assert_cmpint (run_script (home, script, &errors), ==, 0);
  g_assert_cmpstr (errors, ==,
                   "Running apt-get update\n"
                   "Running apt-get upgrade\n"
                   "Installing package: ca-certificates\n"
                   "Installing package: curl\n"
                   "Fetching tools: 1.2.3-noble-amd64\n"
                   "Starting the machine agent (welkin-agent-machine-0)\n");
  calls = home_read (home, "calls");
  g_assert_nonnull (strstr (calls, "--assume-yes install curl\n"));
  g_assert_true (g_str_has_suffix (calls,
                                   "systemctl daemon-reload\n"
                                   "systemctl enable --now welkin-agent-machine-0.service\n"));
  log = home_read (home, "var/log/cloud-init-output.log");
  g_assert_true (g_str_has_prefix (log, "before\n"));
  g_assert_nonnull (strstr (log, "--env-config bmFtZTogdGVzdAo= "
                                 "--constraints mem=4G cores=2 --debug\n"));
  g_assert_null (strstr (log, "machine-password"));

  pem = home_read (home, "var/lib/welkin/server.pem");
  g_assert_cmpstr (pem, ==, "SERVER CERT\nSERVER KEY\n\n");
  g_assert_cmphex (home_get_mode (home, "var/lib/welkin/server.pem"), ==, 0600);
  g_assert_cmphex (home_get_mode (home, "var/lib/welkin/system-identity"), ==, 0600);
  g_assert_cmphex (home_get_mode (home, "var/lib/welkin/provider-state-url"), ==, 0600);
  g_assert_cmphex (home_get_mode (home, "var/lib/welkin/agents/machine-0/agent.conf"), ==, 0600);
  g_assert_cmphex (
    home_get_mode (home, "etc/systemd/system/welkin-agent-machine-0.service"), ==, 0644);
  target = g_file_read_link (link_path, NULL);
  g_assert_cmpstr (target, ==, "1.2.3-noble-amd64");
  g_assert_cmphex (home_get_mode (home, "var/lib/welkin/tools/machine-0/welkin-agent"), ==, 0755);

  /* A second run finds all there, and is as good. */
  g_free (errors);
  g_assert_cmpint (run_script (home, script, &errors), ==, 0);
}

/* The log of the first boot shows commands, and the console of the cloud shows the log. */
static void
test_secret_trace (void)
{
  static const char *const secrets[] = { "pr0xy", "sig=", "machine-password" };
  g_autoptr(Home) home = machine_new ("#!/bin/sh\n");
  g_autofree char *curl = home_get_path (home, "bin/curl");
  Machine machine = ordinary;
  g_autofree char *text = NULL;
  g_autofree char *script = NULL;
  g_autofree char *trace = NULL;
  g_autofree char *calls = NULL;
  g_autofree char *record = NULL;
  g_autofree char *proxies = NULL;

  home_write (home, "home/ubuntu/.profile", "");
  home_write (home, "bin/curl", "#!/bin/sh\n"
                                "directory=$(dirname \"$0\")\n"
                                "echo \"curl $8 through $http_proxy\" >> $directory/../calls\n"
                                "cp $directory/../t.tgz \"$7\"\n");
  g_assert_cmpint (g_chmod (curl, 0700), ==, 0);
  machine.sha256 = NULL;
  machine.environment = "http-proxy: http://me:pr0xy@p:1/\n";
  text = render (&machine);
  script = get_commands (text);
  g_assert_cmpint (run_script (home, script, &trace), ==, 0);

  g_assert_nonnull (strstr (trace, "\n+ mkdir -p "));
  g_assert_nonnull (strstr (trace, "\n+ systemctl enable "));
  for (guint i = 0; i < G_N_ELEMENTS (secrets); i++)
    g_assert_null (strstr (trace, secrets[i]));

  calls = home_read (home, "calls");
  g_assert_nonnull (strstr (calls, "sig=a&b=it's through http://me:pr0xy@p:1/\n"));
  record = home_read (home, "var/lib/welkin/tools/machine-3/downloaded-tools.txt");
  g_assert_true (g_str_has_suffix (record, "sig=a&b=it's\",\"size\":10}"));
  g_assert_cmphex (home_get_mode (home, "var/lib/welkin/tools/machine-3/downloaded-tools.txt"), ==,
                   0600);
  proxies = home_read (home, "home/ubuntu/.welkin-proxy");
  g_assert_true (g_str_has_prefix (proxies, "export http_proxy=http://me:pr0xy@p:1/\n"));
  g_assert_cmphex (home_get_mode (home, "home/ubuntu/.welkin-proxy"), ==, 0600);
}

static void
test_script_failures (void)
{
  const struct
  {
    const char *name;     /* of a program that fails, or NULL */
    const char *agent;    /* the agent's script, or NULL */
    gboolean    is_wrong; /* the archive */
    int         status;
    const char *tells;
  } vectors[] = {
    { "bin/apt-get", NULL, FALSE, 7, "\nRunning apt-get update\nbefore\nbroken\n" },
    { "bin/systemctl", NULL, FALSE, 7, "\nbroken\n" },
    { NULL, "#!/bin/sh\n[ $1 = version ] || { echo no >&2; exit 3; }\n", FALSE, 1, "\nno\n" },
    { NULL, "#!/bin/sh\nexit 127\n", FALSE, 1, "\nThe agent does not run on Lab 12: " },
    { NULL, NULL, TRUE, 1, "\nTools checksum mismatch\n" },
    { "t.tgz", NULL, FALSE, 1, "\nTools checksum mismatch\n" },
    { "var/lib/welkin", NULL, FALSE, 1, "Not a directory\n" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (vectors); i++)
    {
      const char *agent = vectors[i].agent != NULL ? vectors[i].agent : "#!/bin/sh\n";
      g_autoptr(Home) home = machine_new (agent);
      g_autofree char *sha256 = get_checksum (home);
      g_autofree char *script = make_script (home, vectors[i].is_wrong ? EMPTY_SHA256 : sha256);
      g_autofree char *errors = NULL;
      g_autofree char *lines = NULL;

      if (vectors[i].name != NULL)
        home_write (home, vectors[i].name, "#!/bin/sh\necho broken\nexit 7\n");
      if (vectors[i].name != NULL && g_str_has_prefix (vectors[i].name, "bin/"))
        {
          g_autofree char *path = home_get_path (home, vectors[i].name);

          g_assert_cmpint (g_chmod (path, 0700), ==, 0);
        }
      g_assert_cmpint (run_script (home, script, &errors), ==, vectors[i].status);
      lines = g_strconcat ("\n", errors, NULL);
      if (strstr (lines, vectors[i].tells) == NULL)
        g_assert_cmpstr (lines, ==, vectors[i].tells);
    }
}

/* A connection that breaks cuts the script anywhere; what has come is then not run. */
static void
test_script_cut (void)
{
  g_autoptr(Home) home = machine_new ("#!/bin/sh\n");
  g_autofree char *sha256 = get_checksum (home);
  g_autofree char *script = make_script (home, sha256);
  gsize length = (gsize) (strstr (script, "\n) <") - script);

  for (guint i = 0; i < 10; i++)
    {
      gsize end = (gsize) g_test_rand_int_range (0, (int) length);
      g_autofree char *part = g_strndup (script, end);
      g_autofree char *errors = NULL;
      g_autofree char *calls = NULL;

      run_script (home, part, &errors);
      calls = home_read (home, "calls");
      g_assert_null (calls);
    }
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/user-data/ordinary/sets-up-the-agent-in-order", test_ordinary);
  g_test_add_func ("/user-data/ordinary/has-what-settings-ask-for", test_settings);
  g_test_add_func ("/user-data/secrets/of-a-proxy-of-apt-are-roots-alone",
                   test_password_of_a_proxy_is_hidden);
  g_test_add_func ("/user-data/secrets/are-not-shown-by-the-log", test_secret_trace);
  g_test_add_func ("/user-data/secrets/of-cloud-and-environment-are-not-in-it", test_no_secrets);
  g_test_add_func ("/user-data/basic/is-all-without-an-agent", test_basic_only);
  g_test_add_func ("/user-data/script/names-what-is-missing", test_lacks);
  g_test_add_func ("/user-data/script/sets-up-the-first-machine", test_script);
  g_test_add_func ("/user-data/script/tells-which-step-failed", test_script_failures);
  g_test_add_func ("/user-data/script/runs-nothing-when-it-is-cut", test_script_cut);
  g_test_add_func ("/user-data/agent-conf/has-what-the-agent-needs", test_agent_conf);
  g_test_add_func ("/user-data/passwords/are-derived-from-the-secret", test_passwords);
  g_test_add_func ("/user-data/schema/accepts-each-document", test_schema);
  return g_test_run ();
}
