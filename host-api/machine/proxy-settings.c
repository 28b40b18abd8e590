/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "machine/proxy-settings.h"

#include <string.h>

#include "base/text.h"

#define PLAIN "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.:/@,%+-"

WelkinProxySettings *
welkin_proxy_settings_new (WelkinConfig *config)
{
  WelkinProxySettings *self = g_new0 (WelkinProxySettings, 1);

  self->http = g_strdup (welkin_config_get_string (config, "http-proxy"));
  self->https = g_strdup (welkin_config_get_string (config, "https-proxy"));
  self->ftp = g_strdup (welkin_config_get_string (config, "ftp-proxy"));
  self->no_proxy = g_strdup (welkin_config_get_string (config, "no-proxy"));
  return self;
}

static char *
dup_first (WelkinConfig *config,
           const char   *key,
           const char   *other_key)
{
  const char *text = welkin_config_get_string (config, key);

  return g_strdup (*text != '\0' ? text : welkin_config_get_string (config, other_key));
}

WelkinProxySettings *
welkin_proxy_settings_new_for_packages (WelkinConfig *config)
{
  WelkinProxySettings *self = g_new0 (WelkinProxySettings, 1);

  self->http = dup_first (config, "apt-http-proxy", "http-proxy");
  self->https = dup_first (config, "apt-https-proxy", "https-proxy");
  self->ftp = dup_first (config, "apt-ftp-proxy", "ftp-proxy");
  self->no_proxy = g_strdup ("");
  return self;
}

void
welkin_proxy_settings_free (WelkinProxySettings *self)
{
  g_free (self->http);
  g_free (self->https);
  g_free (self->ftp);
  g_free (self->no_proxy);
  g_free (self);
}

gboolean
welkin_proxy_settings_is_empty (WelkinProxySettings *self)
{
  return *self->http == '\0' && *self->https == '\0' && *self->ftp == '\0' &&
         *self->no_proxy == '\0';
}

static void
add_export (GString    *script,
            const char *name,
            const char *value)
{
  gboolean is_plain = strspn (value, PLAIN) == strlen (value);
  g_autofree char *word = is_plain ? g_strdup (value) : wk_shell_quote (value);
  g_autofree char *upper = g_ascii_strup (name, -1);

  if (*value == '\0')
    return;
  g_string_append_printf (script, "export %s=%s\nexport %s=%s\n", name, word, upper, word);
}

char *
welkin_proxy_settings_to_script (WelkinProxySettings *self)
{
  GString *script = g_string_new (NULL);

  add_export (script, "http_proxy", self->http);
  add_export (script, "https_proxy", self->https);
  add_export (script, "ftp_proxy", self->ftp);
  add_export (script, "no_proxy", self->no_proxy);
  return g_string_free (script, FALSE);
}

/* There is no quoting in such a file. */
static gboolean
is_word (const char *text)
{
  return text != NULL && *text != '\0' && strpbrk (text, " \t\r\n\v\f") == NULL;
}

/* Up to Debian 10 apt knows no scheme here; a newer one takes what has none for HTTPS. */
static void
take_login (char   **proxy,
            GString *logins)
{
  g_autoptr(GUri) uri = g_uri_parse (*proxy, G_URI_FLAGS_HAS_PASSWORD, NULL);
  g_autoptr(GUri) bare = NULL;
  g_autofree char *origin = NULL;
  const char *user = uri != NULL ? g_uri_get_user (uri) : NULL;
  const char *password = uri != NULL ? g_uri_get_password (uri) : NULL;

  if (!is_word (user) || !is_word (password) || !is_word (g_uri_get_host (uri)))
    return;
  bare = g_uri_build (G_URI_FLAGS_NONE, g_uri_get_scheme (uri), NULL, g_uri_get_host (uri),
                      g_uri_get_port (uri), "", NULL, NULL);
  origin = g_uri_to_string (bare);
  g_string_append_printf (logins, "machine %s login %s password %s\n", origin, user, password);
  g_string_append_printf (logins, "machine %s login %s password %s\n",
                          strstr (origin, "//") + 2, user, password);
  g_free (*proxy);
  *proxy = g_strconcat (origin, g_uri_get_path (uri), NULL);
}

char *
welkin_proxy_settings_split_apt_logins (WelkinProxySettings *self)
{
  GString *logins = g_string_new (NULL);

  take_login (&self->http, logins);
  take_login (&self->https, logins);
  take_login (&self->ftp, logins);
  return g_string_free (logins, FALSE);
}

/* A value of apt's has no way to hold a quotation mark or the end of a line, and a URL need not. */
static void
add_acquire (GString    *lines,
             const char *scheme,
             const char *value)
{
  if (*value == '\0')
    return;
  g_string_append_printf (lines, "Acquire::%s::Proxy \"", scheme);
  for (; *value != '\0'; value++)
    {
      if (*value == '"' || g_ascii_iscntrl (*value))
        g_string_append_printf (lines, "%%%02X", (guint) (guchar) *value);
      else
        g_string_append_c (lines, *value);
    }
  g_string_append (lines, "\";\n");
}

char *
welkin_proxy_settings_to_apt (WelkinProxySettings *self)
{
  GString *lines = g_string_new (NULL);

  add_acquire (lines, "http", self->http);
  add_acquire (lines, "https", self->https);
  add_acquire (lines, "ftp", self->ftp);
  return g_string_free (lines, FALSE);
}
