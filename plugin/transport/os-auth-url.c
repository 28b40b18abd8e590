/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "transport/os-auth-url.h"

#include <glib/gi18n-lib.h>

#include "values/welkin-error.h"

char *
os_auth_url_normalize (const char *text,
                       GError    **error)
{
  static const char *const suffixes[] = { "/auth/tokens", "/tokens" };
  g_autofree char *trimmed = g_strstrip (g_strdup (text));
  g_autoptr(GUri) uri = g_uri_parse (trimmed, G_URI_FLAGS_ENCODED | G_URI_FLAGS_HAS_PASSWORD, NULL);
  g_autofree char *path = NULL;
  const char *scheme;

  if (uri != NULL && g_uri_get_userinfo (uri) != NULL)
    {
      g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG,
                           _("auth-url must not contain a user name or password"));
      return NULL;
    }
  scheme = uri != NULL ? g_uri_get_scheme (uri) : "";
  if ((!g_str_equal (scheme, "http") && !g_str_equal (scheme, "https"))
      || g_uri_get_host (uri) == NULL || *g_uri_get_host (uri) == '\0')
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG,
                   _("auth-url \"%s\" is not an http or https URL with a host"), trimmed);
      return NULL;
    }

  path = g_strdup (g_uri_get_path (uri));
  g_strchomp (path);
  while (g_str_has_suffix (path, "/"))
    path[strlen (path) - 1] = '\0';
  /* Some people give the URL of the login itself. */
  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    if (g_str_has_suffix (path, suffixes[i]))
      path[strlen (path) - strlen (suffixes[i])] = '\0';
  return g_uri_join (G_URI_FLAGS_ENCODED, scheme, NULL, g_uri_get_host (uri), g_uri_get_port (uri),
                     path, NULL, NULL);
}

const char *
os_auth_url_get_version (const char *auth_url)
{
  const char *segment = strrchr (auth_url, '/');

  if (segment == NULL || !g_regex_match_simple ("^/v\\d+(\\.\\d+)?$", segment, G_REGEX_CASELESS, 0))
    return NULL;
  return segment + 1;
}

char *
os_auth_url_get_base (const char *auth_url)
{
  const char *version = os_auth_url_get_version (auth_url);

  if (version == NULL)
    return g_strdup (auth_url);
  return g_strndup (auth_url, version - auth_url - 1);
}
