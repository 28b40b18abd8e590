/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "machine/user-data.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/text.h"
#include "base/yaml.h"
#include "machine/agent-conf.h"
#include "machine/keys.h"
#include "machine/machine-paths.h"
#include "machine/proxy-settings.h"
#include "machine/systemd-unit.h"
#include "machine/tools-record.h"
#include "values/welkin-error.h"

/* What cloud-init gives the keys to by itself, on the images that we know. */
#define DEFAULT_USER "ubuntu"

#define NEXT_HOST_KEY "/etc/ssh/welkin_next_host_key"
#define TOOLS_DIR WELKIN_MACHINE_DATA_DIR "/tools/"
#define PROXY_FILE ".welkin-proxy"
#define APT_PROXY_FILE "/etc/apt/apt.conf.d/42-welkin-proxy-settings"
#define APT_LOGIN_DIR "/etc/apt/auth.conf.d"
#define APT_LOGIN_FILE APT_LOGIN_DIR "/42-welkin-proxy-settings.conf"

/* The keys, one item each, with comments that tell them from others. */
static char **
mark_keys (WelkinMachineConfig *config)
{
  g_auto(GStrv) keys = welkin_ssh_keys_split (config->authorized_keys);

  for (gsize i = 0; keys[i] != NULL; i++)
    {
      char *marked = welkin_ssh_key_mark (keys[i], WELKIN_KEY_PREFIX);

      if (marked == NULL)
        continue;
      g_free (keys[i]);
      keys[i] = marked;
    }
  return g_steal_pointer (&keys);
}

static WelkinValue *
make_text (const char *text)
{
  return welkin_value_new_text (text, TRUE, NULL);
}

/* A user that the image may not have; the one that it has stays. */
static void
add_user (WelkinCloudInit     *document,
          WelkinMachineConfig *config,
          char               **keys)
{
  const char *const names[] = { "lock_passwd", "name", "shell", "ssh_authorized_keys", "sudo" };
  g_autoptr(WelkinValue) locked = welkin_value_new_text ("true", FALSE, NULL);
  g_autoptr(WelkinValue) name = make_text (config->ssh_user);
  g_autoptr(WelkinValue) shell = make_text ("/bin/bash");
  g_autoptr(WelkinValue) sudo = make_text ("ALL=(ALL) NOPASSWD:ALL");
  g_autoptr(WelkinValue) list = welkin_cloud_init_make_list ((const char *const *) keys);
  g_autoptr(WelkinValue) user = NULL;
  g_autoptr(WelkinValue) others = make_text ("default");
  g_autoptr(WelkinValue) users = NULL;

  user = welkin_value_new_map (names, (WelkinValue *[]) { locked, name, shell, list, sudo },
                               G_N_ELEMENTS (names), NULL);
  users = welkin_value_new_list ((WelkinValue *[]) { others, user }, 2, NULL);
  welkin_cloud_init_set (document, "users", users);
}

static void
add_host_key (WelkinCloudInit     *document,
              WelkinMachineConfig *config)
{
  g_autofree char *private_entry = g_strconcat (config->host_key_kind, "_private", NULL);
  g_autofree char *public_entry = g_strconcat (config->host_key_kind, "_public", NULL);

  welkin_cloud_init_set_map (document, "ssh_keys", private_entry, config->host_private_key,
                             public_entry, config->host_public_key, NULL);
}

static WelkinValue *
make_list (WelkinValue *item)
{
  return welkin_value_new_list (&item, 1, NULL);
}

/* Where packages come from, instead of where the image says. */
static void
add_mirror (WelkinCloudInit     *document,
            WelkinMachineConfig *config)
{
  const char *const names[] = { "arches", "uri" };
  const char *const key[] = { "primary" };
  g_autoptr(WelkinValue) any = make_text ("default");
  g_autoptr(WelkinValue) arches = make_list (any);
  g_autoptr(WelkinValue) uri = make_text (welkin_config_get_string (config->config, "apt-mirror"));
  g_autoptr(WelkinValue) mirror = NULL;
  g_autoptr(WelkinValue) mirrors = NULL;
  g_autoptr(WelkinValue) apt = NULL;

  if (*welkin_value_get_text (uri) == '\0')
    return;
  mirror = welkin_value_new_map (names, (WelkinValue *[]) { arches, uri }, 2, NULL);
  mirrors = make_list (mirror);
  apt = welkin_value_new_map (key, &mirrors, 1, NULL);
  welkin_cloud_init_set (document, "apt", apt);
}

void
welkin_user_data_add_basic (WelkinMachineConfig *config,
                            WelkinCloudInit     *document)
{
  g_auto(GStrv) keys = mark_keys (config);

  welkin_cloud_init_set_map (document, "output", "all",
                             "| tee -a " WELKIN_MACHINE_CLOUD_INIT_LOG, NULL);
  welkin_cloud_init_set_strings (document, "ssh_authorized_keys", (const char *const *) keys);
  if (!g_str_equal (config->ssh_user, DEFAULT_USER))
    add_user (document, config, keys);
  if (config->host_key_kind != NULL)
    add_host_key (document, config);
  add_mirror (document, config);

  /* The file tells that all before it is done, so it comes last. */
  welkin_cloud_init_add_file (document, WELKIN_MACHINE_NONCE_FILE, 0644, config->nonce);
}

/* What the config of the machine lacks; NULL when it has all. */
static const char *
find_lack (WelkinMachineConfig *config)
{
  if (config->tools == NULL)
    return _("tools");
  if (*welkin_tools_get_uri (config->tools) == '\0')
    return _("tools URL");
  if (*welkin_config_get_string (config->config, "ca-cert") == '\0')
    return _("CA certificate");
  if (config->api_addresses == NULL || config->api_addresses[0] == NULL)
    return _("API addresses");
  if (config->is_bootstrap && config->server == NULL)
    return _("state server certificate");
  return NULL;
}

gboolean
welkin_user_data_check (WelkinMachineConfig *config,
                        GError             **error)
{
  const char *lack = find_lack (config);

  if (lack == NULL)
    return TRUE;
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
               /* TRANSLATORS: the placeholder is what is missing, as in "CA certificate" */
               _("invalid machine configuration: missing %s"), lack);
  return FALSE;
}

static void add_command (WelkinCloudInit *document,
                         const char      *format,
                         ...) G_GNUC_PRINTF (2, 3);

static void
add_command (WelkinCloudInit *document,
             const char      *format,
             ...)
{
  g_autofree char *command = NULL;
  va_list arguments;

  va_start (arguments, format);
  command = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  welkin_cloud_init_add_command (document, command);
}

/* Programs that anybody runs read the settings of apt, so that they cannot be root's alone. The
 * logins can: apt_auth.conf(5). Before Ubuntu 18.04 there was no such thing. */
static char *
make_apt_command (WelkinConfig *config)
{
  g_autoptr(WelkinProxySettings) proxies = welkin_proxy_settings_new_for_packages (config);
  g_autofree char *whole = welkin_proxy_settings_to_apt (proxies);
  g_autofree char *logins = welkin_proxy_settings_split_apt_logins (proxies);
  g_autofree char *bare = welkin_proxy_settings_to_apt (proxies);
  g_autofree char *quoted_whole = wk_shell_quote (whole);
  g_autofree char *quoted_logins = wk_shell_quote (logins);
  g_autofree char *quoted_bare = wk_shell_quote (bare);

  if (*whole == '\0')
    return NULL;
  if (*logins == '\0')
    return g_strdup_printf ("[ -f " APT_PROXY_FILE " ] || (printf '%%s' %s > " APT_PROXY_FILE ")",
                            quoted_whole);
  return g_strdup_printf ("[ -f " APT_PROXY_FILE " ] || if [ -d " APT_LOGIN_DIR " ]; then "
                          "install -m 600 /dev/null " APT_LOGIN_FILE " && "
                          "printf '%%s' %s > " APT_LOGIN_FILE " && "
                          "printf '%%s' %s > " APT_PROXY_FILE "; "
                          "else printf '%%s' %s > " APT_PROXY_FILE "; fi",
                          quoted_logins, quoted_bare, quoted_whole);
}

static void
add_packages (WelkinMachineConfig *config,
              WelkinCloudInit     *document)
{
  static const char *const packages[] = { "ca-certificates", "curl", NULL };
  g_autofree char *command = make_apt_command (config->config);

  if (command != NULL)
    welkin_cloud_init_add_boot_command (document, command);
  welkin_cloud_init_set_packages (
    document, packages, welkin_config_get_boolean (config->config, "enable-os-refresh-update"),
    welkin_config_get_boolean (config->config, "enable-os-upgrade"));
}

/* For this script, and for whoever logs in later. A proxy may have a password. */
static void
add_proxies (WelkinMachineConfig *config,
             WelkinCloudInit     *document)
{
  g_autoptr(WelkinProxySettings) proxies = welkin_proxy_settings_new (config->config);
  g_autofree char *script = welkin_proxy_settings_to_script (proxies);
  g_autofree char *quoted_script = wk_shell_quote (script);
  g_autofree char *home = g_strconcat ("/home/", config->ssh_user, NULL);
  g_autofree char *quoted_home = wk_shell_quote (home);
  g_autofree char *owner = g_strconcat (config->ssh_user, ":", NULL);
  g_autofree char *quoted_owner = wk_shell_quote (owner);
  g_auto(GStrv) lines = g_strsplit (script, "\n", -1);
  g_autofree char *keep = NULL;

  if (welkin_proxy_settings_is_empty (proxies))
    return;
  for (gsize i = 0; lines[i] != NULL; i++)
    {
      if (*lines[i] != '\0')
        welkin_cloud_init_add_secret_command (document, lines[i]);
    }
  add_command (document,
               "if [ -f %s/.profile ] && ! grep -qF " PROXY_FILE " %s/.profile; then "
               "printf '\\n%%s\\n' 'if [ -f \"$HOME/" PROXY_FILE "\" ]; then . \"$HOME/"
               PROXY_FILE "\"; fi' >> %s/.profile; fi",
               quoted_home, quoted_home, quoted_home);
  keep = g_strdup_printf ("if [ -d %s ]; then install -m 600 /dev/null %s/" PROXY_FILE "; "
                          "printf '%%s' %s > %s/" PROXY_FILE "; chown %s %s/" PROXY_FILE "; fi",
                          quoted_home, quoted_home, quoted_script, quoted_home, quoted_owner,
                          quoted_home);
  welkin_cloud_init_add_secret_command (document, keep);
}

static void
add_directories (WelkinMachineConfig *config,
                 WelkinCloudInit     *document)
{
  g_autofree char *owner = g_strconcat (config->ssh_user, ":", NULL);
  g_autofree char *quoted_owner = wk_shell_quote (owner);
  g_autofree char *quoted_user = wk_shell_quote (config->ssh_user);

  welkin_cloud_init_add_command (document, "mkdir -p " WELKIN_MACHINE_DATA_DIR "/locks "
                                           WELKIN_MACHINE_LOG_DIR);
  add_command (document, "if id -u %s > /dev/null 2>&1; then chown %s "
                         WELKIN_MACHINE_DATA_DIR "/locks; fi", quoted_user, quoted_owner);
}

/* Where the tools are is secret, because the URL may be signed. */
static void
add_fetch (WelkinMachineConfig *config,
           WelkinCloudInit     *document)
{
  const char *uri = welkin_tools_get_uri (config->tools);
  g_autofree char *path = g_filename_from_uri (uri, NULL, NULL);
  g_autofree char *quoted_path = path != NULL ? wk_shell_quote (path) : NULL;
  g_autofree char *quoted_uri = wk_shell_quote (uri);
  gboolean verifies = welkin_config_get_boolean (config->config, "ssl-hostname-verification");
  g_autofree char *fetch = NULL;

  if (path != NULL)
    {
      add_command (document, "cp %s $bin/tools.tar.gz", quoted_path);
      return;
    }
  fetch = g_strdup_printf (
    "n=1; until curl -sSfL%s --connect-timeout 30 --max-time 600 "
    "-o $bin/tools.tar.gz %s; do [ $n -lt 10 ] || exit 1; n=$((n + 1)); "
    "echo 'Trying to fetch the tools again in 5 seconds' >&9; sleep 5; done",
    verifies ? "" : " --insecure", quoted_uri);
  welkin_cloud_init_add_secret_command (document, fetch);
}

static void
add_tools (WelkinMachineConfig *config,
           WelkinCloudInit     *document)
{
  const char *sha256 = welkin_tools_get_sha256 (config->tools);
  g_autofree char *binary = welkin_tools_make_binary (config->tools);
  g_autofree char *progress = g_strconcat ("Fetching tools: ", binary, NULL);
  g_autofree char *directory = g_strconcat (TOOLS_DIR, binary, NULL);
  g_autofree char *quoted_directory = wk_shell_quote (directory);
  g_autofree char *record = welkin_tools_make_record (config->tools);
  g_autofree char *quoted_record = wk_shell_quote (record);
  /* Its libraries are those of where it was made. */
  static const char check[] =
    "$bin/" WELKIN_AGENT " version > /dev/null || { echo \"The agent does not run on "
    "$(. /etc/os-release && echo \"$PRETTY_NAME\"): its tools must be made on that release of the "
    "distribution, or on an older one\" >&9; exit 1; }";
  g_autofree char *keep = NULL;

  welkin_cloud_init_add_progress (document, progress);
  add_command (document, "bin=%s", quoted_directory);
  welkin_cloud_init_add_command (document, "mkdir -p $bin");
  add_fetch (config, document);
  if (sha256 != NULL && *sha256 != '\0')
    {
      g_autofree char *quoted_sha256 = wk_shell_quote (sha256);

      add_command (document,
                   "[ \"$(sha256sum < $bin/tools.tar.gz | cut -d ' ' -f 1)\" = %s ] || "
                   "{ echo 'Tools checksum mismatch' >&9; exit 1; }", quoted_sha256);
    }
  else
    welkin_cloud_init_add_progress (document, "The tools have no checksum, and are not checked");
  welkin_cloud_init_add_command (document, "tar -xzf $bin/tools.tar.gz --no-same-owner -C $bin");
  welkin_cloud_init_add_command (document, "rm $bin/tools.tar.gz");
  welkin_cloud_init_add_command (document, check);
  welkin_cloud_init_add_command (document, "install -m 600 /dev/null $bin/"
                                           WELKIN_TOOLS_RECORD_FILE);
  keep = g_strdup_printf ("printf '%%s' %s > $bin/" WELKIN_TOOLS_RECORD_FILE, quoted_record);
  welkin_cloud_init_add_secret_command (document, keep);
}

/* The first machine's own files, and what its agent does with them once. An agent that does not
 * know the command has nothing to do. */
static void
add_server (WelkinMachineConfig *config,
            WelkinCloudInit     *document)
{
  WelkinMachineServer *server = config->server;
  g_autofree char *pem = g_strconcat (server->certificate, server->private_key, NULL);
  g_autofree char *encoded = NULL;
  g_autofree char *quoted = wk_shell_quote (server->constraints);

  encoded = g_base64_encode ((const guchar *) server->environment_config,
                             strlen (server->environment_config));
  welkin_cloud_init_add_file (document, WELKIN_MACHINE_DATA_DIR "/system-identity", 0600,
                              server->system_key);
  welkin_cloud_init_add_file (document, WELKIN_MACHINE_DATA_DIR "/server.pem", 0600, pem);
  welkin_cloud_init_add_file (document, WELKIN_MACHINE_DATA_DIR "/provider-state-url", 0600,
                              server->state_uri);
  add_command (document,
               "$bin/" WELKIN_AGENT " bootstrap-state --data-dir " WELKIN_MACHINE_DATA_DIR
               " --env-config %s%s%s --debug || [ $? = 64 ]",
               encoded, *server->constraints != '\0' ? " --constraints " : "",
               *server->constraints != '\0' ? quoted : "");
}

static void
add_service (WelkinMachineConfig *config,
             WelkinCloudInit     *document)
{
  g_autofree char *binary = welkin_tools_make_binary (config->tools);
  g_autofree char *quoted_binary = wk_shell_quote (binary);
  g_autofree char *unit = welkin_systemd_unit_print (config);
  g_autofree char *service = welkin_agent_service_name (config);
  g_autofree char *path = g_strconcat ("/etc/systemd/system/", service, ".service", NULL);
  g_autofree char *progress = g_strdup_printf ("Starting the machine agent (%s)", service);

  add_command (document, "ln -sfn %s " TOOLS_DIR "%s", quoted_binary, config->tag);
  welkin_cloud_init_add_file (document, path, 0644, unit);
  welkin_cloud_init_add_progress (document, progress);
  welkin_cloud_init_add_command (document, "systemctl daemon-reload");
  add_command (document, "systemctl enable --now %s.service", service);
}

void
welkin_user_data_add_full (WelkinMachineConfig *config,
                           WelkinCloudInit     *document)
{
  g_autofree char *conf = welkin_agent_conf_print (config);
  g_autofree char *path = NULL;

  path = g_strconcat (WELKIN_MACHINE_DATA_DIR "/agents/", config->tag, "/agent.conf", NULL);
  add_packages (config, document);
  add_proxies (config, document);
  add_directories (config, document);
  add_tools (config, document);
  welkin_cloud_init_add_file (document, path, 0600, conf);
  if (config->server != NULL)
    add_server (config, document);
  add_service (config, document);
}

static char *
print_script (const char *const *commands)
{
  g_autoptr(WelkinCloudInit) document = welkin_cloud_init_new ();

  for (gsize i = 0; commands[i] != NULL; i++)
    welkin_cloud_init_add_command (document, commands[i]);
  return welkin_cloud_init_print_script (document, WELKIN_MACHINE_CLOUD_INIT_LOG);
}

char *
welkin_user_data_print_make_host_key (void)
{
  static const char *const commands[] = {
    "rm -f " NEXT_HOST_KEY " " NEXT_HOST_KEY ".pub",
    "ssh-keygen -q -t ed25519 -N '' -C '' -f " NEXT_HOST_KEY,
    "cat " NEXT_HOST_KEY ".pub >&8",
    NULL
  };

  return print_script (commands);
}

char *
welkin_user_data_print_take_host_key (void)
{
  static const char *const commands[] = {
    "rm -f /etc/ssh/ssh_host_*_key /etc/ssh/ssh_host_*_key.pub",
    "mv " NEXT_HOST_KEY ".pub /etc/ssh/ssh_host_ed25519_key.pub",
    "mv " NEXT_HOST_KEY " /etc/ssh/ssh_host_ed25519_key",
    "ssh-keygen -A",
    "systemctl try-reload-or-restart ssh.service || systemctl try-reload-or-restart sshd.service",
    NULL
  };

  return print_script (commands);
}
