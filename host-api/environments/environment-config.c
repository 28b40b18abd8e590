/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "environments/environment-config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/flow.h"
#include "base/text.h"
#include "environments/environment-files.h"
#include "environments/environment-schema.h"
#include "environments/logging-config.h"
#include "machine/certificates.h"
#include "values/welkin-error.h"

#define MAX_NAME_BYTES 64
#define ADMIN_SECRET_BYTES 16
#define NUMBER_PATTERN "^\\d{1,9}\\.\\d{1,9}(\\.|-[a-z]+)\\d{1,9}(\\.\\d{1,9})?$"
#define USER_PATTERN "\\A[[:alpha:]_][[:alnum:]_.-]*\\z"

typedef struct
{
  WelkinConfig *config; /* (owned) what there is so far */
} Generation;

/* Puts the place of the attribute, if it has one, before the message. Returns
 * FALSE. */
static gboolean
set_config_error (WelkinConfig *config,
                  const char   *key,
                  GError      **error,
                  const char   *message)
{
  WelkinValue *value = welkin_config_lookup (config, key);
  const char *origin = value != NULL ? welkin_value_get_origin (value) : NULL;

  if (origin != NULL)
    g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG, "%s: %s", origin, message);
  else
    g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG, message);
  return FALSE;
}

/* The same about the attribute's value; format has one %s for it, quoted. */
static gboolean
set_value_error (WelkinConfig *config,
                 const char   *key,
                 GError      **error,
                 const char   *format)
{
  g_autofree char *quoted = wk_quote (welkin_config_get_string (config, key));
  g_autofree char *message = g_strdup_printf (format, quoted);

  return set_config_error (config, key, error, message);
}

static gboolean
is_set (WelkinConfig *config,
        const char   *key)
{
  return *welkin_config_get_string (config, key) != '\0';
}

static void
replace_config (WelkinConfig **config,
                WelkinConfig  *other)
{
  welkin_config_unref (*config);
  *config = other;
}

/* Gives one attribute the value of another, place included. */
static void
copy_attribute (WelkinConfig **config,
                const char    *to,
                const char    *from)
{
  replace_config (config, welkin_config_with (*config, to, welkin_config_lookup (*config, from)));
}

static void
add_warning (GPtrArray    *warnings,
             WelkinConfig *config,
             const char   *key,
             const char   *message)
{
  const char *origin = welkin_value_get_origin (welkin_config_lookup (config, key));

  if (origin != NULL)
    g_ptr_array_add (warnings, g_strdup_printf ("%s: %s", origin, message));
  else
    g_ptr_array_add (warnings, g_strdup (message));
}

gboolean
welkin_environment_check_name (const char *name,
                               GError    **error)
{
  g_autofree char *quoted = wk_quote (name);
  gboolean is_safe = strlen (name) <= MAX_NAME_BYTES && g_utf8_validate (name, -1, NULL) &&
                     *name != '.' && *name != '-';

  if (*name == '\0')
    {
      g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG,
                           _("empty name in environment configuration"));
      return FALSE;
    }
  for (const char *place = name; is_safe && *place != '\0'; place = g_utf8_next_char (place))
    {
      gunichar character = g_utf8_get_char (place);

      is_safe = character != '/' && character != '\\' && !g_unichar_isspace (character) &&
                !g_unichar_iscntrl (character);
    }
  if (is_safe)
    return TRUE;

  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG,
               _("environment name contains unsafe characters: %s (at most %d bytes without "
                 "slashes and blanks, not beginning with \".\" or \"-\")"),
               quoted, MAX_NAME_BYTES);
  return FALSE;
}

/* Later releases renamed two attributes; the newer name wins, and only the one
 * we know is kept. */
static void
translate_newer_name (WelkinConfig **config,
                      const char    *newer,
                      const char    *known,
                      GPtrArray     *warnings)
{
  if (is_set (*config, newer))
    {
      if (is_set (*config, known) && !g_str_equal (welkin_config_get_string (*config, newer),
                                                   welkin_config_get_string (*config, known)))
        {
          g_autofree char *message = NULL;

          message = g_strdup_printf (_("\"%s\" is ignored, since \"%s\" is given as well"), known,
                                     newer);
          add_warning (warnings, *config, known, message);
        }
      copy_attribute (config, known, newer);
    }
  replace_config (config, welkin_config_without (*config, newer));
}

static void
translate_tools_url (WelkinConfig **config,
                     GPtrArray     *warnings)
{
  const char *old_url = welkin_config_get_string (*config, "tools-url");
  const char *url = welkin_config_get_string (*config, "tools-metadata-url");
  g_autofree char *quoted = wk_quote (old_url);
  g_autofree char *message = NULL;

  if (*old_url == '\0' || g_str_equal (old_url, url))
    return;
  if (*url != '\0')
    {
      message = g_strdup_printf (_("\"tools-url\" (%s) is deprecated, and ignored since "
                                   "\"tools-metadata-url\" is given as well"), quoted);
      add_warning (warnings, *config, "tools-url", message);
      return;
    }
  message = g_strdup_printf (_("\"tools-url\" (%s) is deprecated: call it "
                               "\"tools-metadata-url\""), quoted);
  add_warning (warnings, *config, "tools-url", message);
  copy_attribute (config, "tools-metadata-url", "tools-url");
}

WelkinConfig *
welkin_environment_config_translate (WelkinConfig *attributes,
                                     GPtrArray    *warnings)
{
  WelkinConfig *config = welkin_config_ref (attributes);

  translate_newer_name (&config, "agent-metadata-url", "tools-metadata-url", warnings);
  translate_newer_name (&config, "agent-stream", "tools-stream", warnings);
  translate_tools_url (&config, warnings);

  if (g_str_equal (welkin_config_get_provider_type (config), "null"))
    {
      const char *origin = welkin_value_get_origin (welkin_config_lookup (config, "type"));

      add_warning (warnings, config, "type",
                   _("provider type \"null\" is deprecated: it is called \"manual\""));
      replace_config (&config, welkin_config_with_text (config, "type", "manual", origin));
    }
  return config;
}

/* Readers of 2014 look at the old name alone. */
static void
align_tools_url (WelkinConfig **config)
{
  const char *url = welkin_config_get_string (*config, "tools-metadata-url");

  replace_config (config, welkin_config_with_text (*config, "tools-url", url, NULL));
}

static gboolean
normalize_logging (WelkinConfig      **config,
                   WelkinSurroundings *surroundings,
                   GError            **error)
{
  const char *text = welkin_config_get_string (*config, "logging-config");
  const char *origin = NULL;
  g_autofree char *canonical = NULL;

  if (*text == '\0')
    {
      text = surroundings != NULL ? welkin_surroundings_get_variable (surroundings,
                                                                      "WELKIN_LOGGING_CONFIG")
                                  : NULL;
      origin = text != NULL ? "WELKIN_LOGGING_CONFIG" : NULL;
      if (text == NULL)
        text = WELKIN_DEFAULT_LOGGING_CONFIG;
    }
  else
    origin = welkin_value_get_origin (welkin_config_lookup (*config, "logging-config"));

  canonical = welkin_logging_config_normalize (text, error);
  if (canonical == NULL)
    {
      if (origin != NULL)
        g_prefix_error (error, "%s: ", origin);
      return FALSE;
    }
  replace_config (config, welkin_config_with_text (*config, "logging-config", canonical, origin));
  return TRUE;
}

/* Those that are as good as absent when they are empty, since they have a
 * default or a file to come from. */
static void
drop_empty (WelkinConfig **config)
{
  const char *const keys[] = { "default-series", "firewall-mode", "authorized-keys",
                               "authorized-keys-path", "ca-cert", "ca-cert-path",
                               "ca-private-key-path" };

  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      WelkinValue *value = welkin_config_lookup (*config, keys[i]);

      if (value != NULL && g_strcmp0 (welkin_value_get_text (value), "") == 0)
        replace_config (config, welkin_config_without (*config, keys[i]));
    }
}

WelkinConfig *
welkin_environment_config_complete (WelkinConfig       *attributes,
                                    WelkinSurroundings *surroundings,
                                    const GError       *keys_error,
                                    GError            **error)
{
  g_autoptr(WelkinSchema) schema = welkin_environment_schema_new ();
  g_autoptr(WelkinConfig) config = welkin_config_ref (attributes);

  if (!is_set (config, "name"))
    {
      set_config_error (config, "name", error, _("empty name in environment configuration"));
      return NULL;
    }

  /* The kinds are checked before the files are read that the values stand for. */
  drop_empty (&config);
  replace_config (&config, welkin_schema_coerce (schema, config, FALSE, error));
  if (config == NULL ||
      !welkin_environment_files_read (&config, surroundings, keys_error, error))
    return NULL;
  replace_config (&config, welkin_schema_coerce (schema, config, TRUE, error));
  if (config == NULL || !normalize_logging (&config, surroundings, error))
    return NULL;
  align_tools_url (&config);
  if (!welkin_environment_config_validate (config, NULL, error))
    return NULL;
  return g_steal_pointer (&config);
}

/* What stays present, whatever wrote the config: what may be empty, the ports,
 * and the test mode. */
static void
fill_indispensable (WelkinConfig **config,
                    WelkinSchema  *schema)
{
  const char *const always[] = { "state-port", "api-port", "test-mode", NULL };
  g_autofree const char **names = welkin_schema_get_names (schema);

  for (gsize i = 0; names[i] != NULL; i++)
    {
      WelkinAttributeFlags flags = welkin_schema_get_flags (schema, names[i]);
      const char *text = welkin_schema_get_default (schema, names[i]);

      if (text == NULL || welkin_config_has (*config, names[i]))
        continue;
      if ((flags & WELKIN_ATTRIBUTE_MAY_BE_EMPTY) != 0 || g_strv_contains (always, names[i]))
        replace_config (config, welkin_config_with_text (*config, names[i], text, NULL));
    }
}

WelkinConfig *
welkin_environment_config_restore (WelkinConfig *attributes,
                                   GError      **error)
{
  const char *const required[] = { "default-series", "firewall-mode", "development",
                                   "ssl-hostname-verification" };
  g_autoptr(WelkinSchema) schema = welkin_environment_schema_new ();
  g_autoptr(WelkinConfig) config = welkin_schema_coerce (schema, attributes, FALSE, error);

  if (config == NULL)
    return NULL;
  for (gsize i = 0; i < G_N_ELEMENTS (required); i++)
    {
      gboolean is_boolean = welkin_schema_get_kind (schema, required[i]) ==
                            WELKIN_ATTRIBUTE_BOOLEAN;

      if (welkin_config_has (config, required[i]))
        continue;
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG,
                   _("%s: expected %s, got nothing"), required[i], is_boolean ? "bool" : "string");
      return NULL;
    }

  fill_indispensable (&config, schema);
  if (!normalize_logging (&config, NULL, error))
    return NULL;
  align_tools_url (&config);
  if (!welkin_environment_config_validate (config, NULL, error))
    return NULL;
  return g_steal_pointer (&config);
}

static gboolean
check_paths_are_gone (WelkinConfig *config,
                      GError      **error)
{
  g_autoptr(WelkinSchema) schema = welkin_environment_schema_new ();
  g_autofree const char **names = welkin_schema_get_names (schema);

  for (gsize i = 0; names[i] != NULL; i++)
    {
      g_autofree char *message = NULL;

      if ((welkin_schema_get_flags (schema, names[i]) & WELKIN_ATTRIBUTE_TRANSIENT) == 0 ||
          !welkin_config_has (config, names[i]))
        continue;
      message = g_strdup_printf (_("attribute \"%s\" is not allowed in configuration"), names[i]);
      return set_config_error (config, names[i], error, message);
    }
  return TRUE;
}

static gboolean
check_name (WelkinConfig *config,
            GError      **error)
{
  g_autoptr(GError) local_error = NULL;

  if (welkin_environment_check_name (welkin_config_get_name (config), &local_error))
    return TRUE;
  return set_config_error (config, "name", error, local_error->message);
}

static gboolean
check_logging (WelkinConfig *config,
               GError      **error)
{
  g_autofree char *canonical = NULL;
  g_autoptr(GError) local_error = NULL;

  canonical = welkin_logging_config_normalize (welkin_config_get_string (config, "logging-config"),
                                               &local_error);
  if (canonical != NULL)
    return TRUE;
  return set_config_error (config, "logging-config", error, local_error->message);
}

static gboolean
check_choices (WelkinConfig *config,
               GError      **error)
{
  const char *const firewall_modes[] = { "instance", "global", "none", NULL };
  const char *const harvest_modes[] = { "all", "none", "unknown", "destroyed", NULL };
  const char *firewall_mode = welkin_config_get_string (config, "firewall-mode");
  const char *harvest_mode = welkin_config_get_string (config, "provisioner-harvest-mode");
  g_autofree char *lower = g_ascii_strdown (harvest_mode, -1);

  if (!g_strv_contains (firewall_modes, firewall_mode))
    return set_value_error (config, "firewall-mode", error,
                            _("invalid firewall mode in environment configuration: %s "
                              "(\"instance\", \"global\" or \"none\")"));
  if (*harvest_mode != '\0' && !g_strv_contains (harvest_modes, lower))
    return set_value_error (config, "provisioner-harvest-mode", error,
                            _("unknown harvesting method: %s (\"all\", \"none\", \"unknown\" or "
                              "\"destroyed\")"));
  return TRUE;
}

/* Whether the value can stand in the scripts that set machines up: one line, and no other name of a
 * user than those that Linux has. A proxy may have a password, so it is not told. */
static gboolean
check_for_scripts (WelkinConfig *config,
                   GError      **error)
{
  const char *const proxies[] = { "http-proxy", "https-proxy", "ftp-proxy", "no-proxy",
                                  "apt-http-proxy", "apt-https-proxy", "apt-ftp-proxy" };

  for (gsize i = 0; i < G_N_ELEMENTS (proxies); i++)
    {
      const char *text = welkin_config_get_string (config, proxies[i]);
      g_autofree char *message = NULL;

      if (!g_regex_match_simple ("[[:cntrl:]]", text, 0, 0))
        continue;
      message = g_strdup_printf (_("%s: expected one line, without control characters"),
                                 proxies[i]);
      return set_config_error (config, proxies[i], error, message);
    }
  if (is_set (config, "ssh-user") &&
      !g_regex_match_simple (USER_PATTERN, welkin_config_get_string (config, "ssh-user"), 0, 0))
    return set_value_error (config, "ssh-user", error,
                            _("ssh-user: expected the name of a user, got %s"));
  return TRUE;
}

static gboolean
check_authority (WelkinConfig *config,
                 GError      **error)
{
  const char *certificate = welkin_config_get_string (config, "ca-cert");
  const char *private_key = welkin_config_get_string (config, "ca-private-key");
  const char *key = *certificate != '\0' ? "ca-cert" : "ca-private-key";
  g_autoptr(GError) local_error = NULL;
  g_autofree char *message = NULL;

  if (*certificate == '\0' && *private_key == '\0')
    return TRUE;
  if (*certificate == '\0')
    return set_config_error (config, key, error,
                             _("bad CA certificate/key in configuration: there is a private key "
                               "(\"ca-private-key\") without its certificate (\"ca-cert\")"));
  if (welkin_certificates_check (certificate, *private_key != '\0' ? private_key : NULL,
                                 &local_error))
    return TRUE;

  message = g_strdup_printf (_("bad CA certificate/key in configuration: %s"),
                             local_error->message);
  return set_config_error (config, key, error, message);
}

static gboolean
check_change (WelkinConfig *config,
              WelkinConfig *old_config,
              GError      **error)
{
  g_autoptr(WelkinSchema) schema = welkin_environment_schema_new ();

  if (!welkin_schema_check_change (schema, old_config, config, error))
    return FALSE;
  if (is_set (old_config, "agent-version") && !is_set (config, "agent-version"))
    return set_config_error (config, "agent-version", error, _("cannot clear agent-version"));
  return TRUE;
}

gboolean
welkin_environment_config_validate (WelkinConfig *config,
                                    WelkinConfig *old_config,
                                    GError      **error)
{
  if (!check_paths_are_gone (config, error))
    return FALSE;
  if (!is_set (config, "authorized-keys"))
    return set_config_error (config, "authorized-keys", error,
                             _("authorized-keys missing from environment configuration"));
  if (!check_name (config, error))
    return FALSE;
  if (is_set (config, "uuid") &&
      !g_uuid_string_is_valid (welkin_config_get_string (config, "uuid")))
    return set_value_error (config, "uuid", error, _("uuid: expected UUID, got %s"));
  if (is_set (config, "agent-version") &&
      !g_regex_match_simple (NUMBER_PATTERN, welkin_config_get_string (config, "agent-version"), 0,
                             0))
    return set_value_error (config, "agent-version", error,
                            _("invalid agent version in environment configuration: %s"));
  return check_logging (config, error) && check_choices (config, error) &&
         check_for_scripts (config, error) && check_authority (config, error) &&
         (old_config == NULL || check_change (config, old_config, error));
}

WelkinConfig *
welkin_environment_config_apply (WelkinConfig *config,
                                 WelkinConfig *attributes,
                                 GError      **error)
{
  g_autoptr(WelkinConfig) all = welkin_config_with_all (config, attributes);
  g_autoptr(WelkinConfig) applied = welkin_environment_config_restore (all, error);

  if (applied == NULL || !welkin_environment_config_validate (applied, config, error))
    return NULL;
  return g_steal_pointer (&applied);
}

/* Sets what there is none of yet, and needs no time. */
static void
add_secrets (WelkinConfig **config)
{
  if (!is_set (*config, "uuid"))
    {
      g_autofree char *uuid = g_uuid_string_random ();

      replace_config (config, welkin_config_with_text (*config, "uuid", uuid, NULL));
    }
  if (!is_set (*config, "admin-secret"))
    {
      g_autofree char *secret = wk_random_hex (ADMIN_SECRET_BYTES);

      replace_config (config, welkin_config_with_text (*config, "admin-secret", secret, NULL));
    }
}

static gboolean
take_authority (WelkinConfig **config,
                GAsyncResult  *result,
                GError       **error)
{
  g_autofree char *certificate = NULL;
  g_autofree char *private_key = NULL;

  if (!welkin_certificates_make_authority_finish (result, &certificate, &private_key, error))
    return FALSE;
  replace_config (config, welkin_config_with_text (*config, "ca-cert", certificate, NULL));
  replace_config (config, welkin_config_with_text (*config, "ca-private-key", private_key, NULL));
  return TRUE;
}

static void
generation_free (gpointer data)
{
  Generation *self = data;

  welkin_config_unref (self->config);
  g_free (self);
}

static void
generation_run (WkFlow  *flow,
                gpointer user_data)
{
  Generation *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (!is_set (self->config, "ca-private-key"))
    {
      if (is_set (self->config, "ca-cert"))
        {
          set_config_error (self->config, "ca-cert", &error,
                            _("environment configuration has a certificate but no CA private "
                              "key: set ca-private-key or ca-private-key-path"));
          WK_FAIL (flow, &error, NULL);
        }
      WK_AWAIT (flow, welkin_certificates_make_authority_async (
                        welkin_config_get_name (self->config), WK_RESUME (flow)));
      if (!take_authority (&self->config, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
    }

  add_secrets (&self->config);
  if (!welkin_environment_config_validate (self->config, NULL, &error))
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_pointer (flow, welkin_config_ref (self->config),
                          (GDestroyNotify) welkin_config_unref);

  WK_FLOW_END (flow);
}

void
welkin_environment_config_generate_async (WelkinConfig       *config,
                                          GCancellable       *cancellable,
                                          GAsyncReadyCallback callback,
                                          gpointer            user_data)
{
  Generation *self = g_new0 (Generation, 1);

  self->config = welkin_config_ref (config);
  wk_flow_start (NULL, cancellable, callback, user_data, welkin_environment_config_generate_async,
                 generation_run, self, generation_free);
}

WelkinConfig *
welkin_environment_config_generate_finish (GAsyncResult *result,
                                           GError      **error)
{
  return wk_flow_finish_pointer (result, NULL, welkin_environment_config_generate_async, error);
}
