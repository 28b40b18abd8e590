/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "values/welkin-surroundings.h"

#include <glib/gi18n-lib.h>

#include "values/welkin-error.h"

static const char *
get_variable (WelkinSurroundings *surroundings,
              const char         *name)
{
  const char *value = welkin_surroundings_get_variable (surroundings, name);
  g_autofree char *upper = g_ascii_strup (name, -1);

  return value != NULL ? value : welkin_surroundings_get_variable (surroundings, upper);
}

/* A URL, where "proxy.test:3128" is one too. */
static char *
dup_proxy (WelkinSurroundings *surroundings,
           const char         *name)
{
  const char *value = get_variable (surroundings, name);

  if (value == NULL)
    return NULL;
  return strstr (value, "://") != NULL ? g_strdup (value) : g_strconcat ("http://", value, NULL);
}

/* The hosts of no_proxy, the names below each, and the link-local networks: what lies there is on
 * this machine's own wire. NULL: all that there are. */
static char **
list_direct_hosts (const char *no_proxy)
{
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new ();
  g_auto(GStrv) words = g_strsplit_set (no_proxy != NULL ? no_proxy : "", ", \t\n", -1);

  g_strv_builder_add_many (builder, "169.254.0.0/16", "fe80::/10", NULL);
  for (guint i = 0; words[i] != NULL; i++)
    {
      const char *word = words[i];

      if (*word == '\0')
        continue;
      /* All of them: a proxy would have nothing to do. */
      if (g_str_equal (word, "*"))
        return NULL;
      g_strv_builder_add (builder, word);
      if (*word != '.' && *word != '*' && !g_hostname_is_ip_address (word)
          && strchr (word, '/') == NULL)
        {
          g_autofree char *below = g_strconcat (".", word, NULL);

          g_strv_builder_add (builder, below);
        }
    }
  return g_strv_builder_end (builder);
}

static gboolean
has_host (GUri *uri)
{
  return uri != NULL && g_uri_get_host (uri) != NULL && *g_uri_get_host (uri) != '\0';
}

/* The protocols between us and a proxy that GIO knows. */
static gboolean
is_known_scheme (const char *scheme)
{
  static const char *const schemes[] = {
    "http", "https", "socks", "socks4", "socks4a", "socks5", NULL,
  };
  g_autofree char *lower = g_ascii_strdown (scheme, -1);

  return g_strv_contains (schemes, lower);
}

/**
 * welkin_surroundings_check_proxies:
 * @self: surroundings
 * @error: return location for an error
 *
 * Checks that the variables which name proxies hold URLs. To be called before
 * welkin_surroundings_make_proxy_resolver(): GIO shows a URL that it cannot
 * read whole, with the password that may be in it.
 *
 * Returns: whether they do; %WELKIN_ERROR_INVALID_CONFIG otherwise
 *
 * Since: 0.1
 */
gboolean
welkin_surroundings_check_proxies (WelkinSurroundings  *self,
                                   GError             **error)
{
  static const char *const names[] = { "all_proxy", "http_proxy", "https_proxy" };

  g_return_val_if_fail (self != NULL, FALSE);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *proxy = dup_proxy (self, names[i]);
      g_autoptr(GUri) uri = NULL;

      if (proxy == NULL || g_str_has_prefix (proxy, "direct://"))
        continue;
      uri = g_uri_parse (proxy, G_URI_FLAGS_HAS_PASSWORD, NULL);
      if (has_host (uri) && is_known_scheme (g_uri_get_scheme (uri)))
        continue;
      if (has_host (uri))
        g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG,
                     _("%s: there are no proxies of kind \"%s\": expected http, https, socks4, "
                       "socks4a or socks5"),
                     names[i], g_uri_get_scheme (uri));
      else
        g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG,
                     _("%s: expected a URL like http://HOST:PORT or "
                       "http://USER:PASSWORD@HOST:PORT, in which special characters are written as "
                       "%%XX"),
                     names[i]);
      return FALSE;
    }
  return TRUE;
}

/**
 * welkin_surroundings_make_proxy_resolver:
 * @self: surroundings
 *
 * Makes what tells by which proxy to go, from the variables `http_proxy`,
 * `https_proxy`, `all_proxy` and `no_proxy`, in either case of letters.
 *
 * It is not the process's own resolver: two environments may differ.
 *
 * Returns: (transfer full) (nullable): a new resolver, or %NULL when the
 *   variables name no proxy
 *
 * Since: 0.1
 */
GProxyResolver *
welkin_surroundings_make_proxy_resolver (WelkinSurroundings *self)
{
  g_autofree char *all = dup_proxy (self, "all_proxy");
  g_autofree char *http = dup_proxy (self, "http_proxy");
  g_autofree char *https = dup_proxy (self, "https_proxy");
  g_auto(GStrv) direct = list_direct_hosts (get_variable (self, "no_proxy"));
  GProxyResolver *resolver;

  if (direct == NULL || (all == NULL && http == NULL && https == NULL))
    return NULL;
  resolver = g_simple_proxy_resolver_new (all != NULL ? all : "direct://", direct);
  if (http != NULL)
    g_simple_proxy_resolver_set_uri_proxy (G_SIMPLE_PROXY_RESOLVER (resolver), "http", http);
  if (https != NULL)
    g_simple_proxy_resolver_set_uri_proxy (G_SIMPLE_PROXY_RESOLVER (resolver), "https", https);
  return resolver;
}
