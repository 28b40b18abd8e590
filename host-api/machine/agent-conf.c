/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "machine/agent-conf.h"

#include <glib/gi18n-lib.h>
#include <gnutls/crypto.h>
#include <string.h>

#include "base/yaml.h"
#include "machine/cloud-init.h"
#include "machine/machine-paths.h"
#include "values/welkin-error.h"

#define FORMAT_LINE "# format 1.18\n"

#define SECRET_ROUNDS 8192
#define SECRET_BYTES 18

char *
welkin_agent_service_name (WelkinMachineConfig *config)
{
  return g_strconcat (WELKIN_AGENT "-", config->tag, NULL);
}

static void
set (WelkinConfig **map,
     const char    *key,
     const char    *text)
{
  WelkinConfig *former = *map;

  *map = welkin_config_with_text (former, key, text, NULL);
  welkin_config_unref (former);
}

static void
set_value (WelkinConfig **map,
           const char    *key,
           WelkinValue   *value)
{
  WelkinConfig *former = *map;

  *map = welkin_config_with (former, key, value);
  welkin_config_unref (former);
}

static void
set_list (WelkinConfig     **map,
          const char        *key,
          const char *const *texts)
{
  g_autoptr(WelkinValue) list = welkin_cloud_init_make_list (texts);

  set_value (map, key, list);
}

static void
set_number (WelkinConfig **map,
            const char    *key,
            gint64         number)
{
  g_autofree char *text = g_strdup_printf ("%" G_GINT64_FORMAT, number);
  g_autoptr(WelkinValue) value = welkin_value_new_text (text, FALSE, NULL);

  set_value (map, key, value);
}

/* "lxc" of "2/lxc/1"; "" for a machine of the cloud's own. */
static char *
get_container_type (const char *machine_id)
{
  g_auto(GStrv) parts = g_strsplit (machine_id, "/", -1);
  guint n_parts = g_strv_length (parts);

  return g_strdup (n_parts > 1 ? parts[n_parts - 2] : "");
}

static WelkinValue *
make_values (WelkinMachineConfig *config)
{
  g_autoptr(WelkinConfig) values = welkin_config_new ();
  g_autofree char *container_type = get_container_type (config->machine_id);
  g_autofree char *service = welkin_agent_service_name (config);

  set (&values, "AGENT_SERVICE_NAME", service);
  set (&values, "CONTAINER_TYPE", container_type);
  set (&values, "PROVIDER_TYPE", welkin_config_get_provider_type (config->config));
  return welkin_config_to_value (values);
}

char *
welkin_agent_conf_print (WelkinMachineConfig *config)
{
  static const char *const jobs[] = { "JobHostUnits", NULL };
  static const char *const server_jobs[] = { "JobManageEnviron", "JobHostUnits", NULL };
  g_autoptr(WelkinConfig) map = welkin_config_new ();
  g_autoptr(WelkinValue) values = make_values (config);
  g_autoptr(WelkinValue) value = NULL;
  g_autofree char *yaml = NULL;

  set (&map, "tag", config->tag);
  set (&map, "datadir", WELKIN_MACHINE_DATA_DIR);
  set (&map, "logdir", WELKIN_MACHINE_LOG_DIR);
  set (&map, "nonce", config->nonce);
  set_list (&map, "jobs", config->server != NULL ? server_jobs : jobs);
  set (&map, "upgradedToVersion", welkin_tools_get_version (config->tools));
  set (&map, "cacert", welkin_config_get_string (config->config, "ca-cert"));
  set_list (&map, "apiaddresses", (const char *const *) config->api_addresses);
  set (&map, "apipassword", config->api_password);
  set (&map, "oldpassword", "");
  set_value (&map, "values", values);
  if (config->server != NULL)
    {
      set (&map, "stateservercert", config->server->certificate);
      set (&map, "stateserverkey", config->server->private_key);
      set (&map, "apisecret", config->server->secret);
      set_number (&map, "apiport", welkin_config_get_int (config->config, "api-port"));
    }

  value = welkin_config_to_value (map);
  yaml = wk_yaml_print (value);
  return g_strconcat (FORMAT_LINE, yaml, NULL);
}

char *
welkin_agent_secret_derive (const char *admin_secret,
                            const char *uuid,
                            GError    **error)
{
  const gnutls_datum_t key = { (unsigned char *) admin_secret, (unsigned) strlen (admin_secret) };
  const gnutls_datum_t salt = { (unsigned char *) uuid, (unsigned) strlen (uuid) };
  guint8 secret[SECRET_BYTES];
  int status = gnutls_pbkdf2 (GNUTLS_MAC_SHA512, &key, &salt, SECRET_ROUNDS, secret,
                              sizeof secret);

  if (status >= 0)
    return g_base64_encode (secret, sizeof secret);
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_FAILED, _("cannot derive a secret: %s"),
               gnutls_strerror (status));
  return NULL;
}

char *
welkin_agent_password_derive (const char *secret,
                              const char *name)
{
  return g_compute_hmac_for_string (G_CHECKSUM_SHA256, (const guint8 *) secret, strlen (secret),
                                    name, -1);
}
