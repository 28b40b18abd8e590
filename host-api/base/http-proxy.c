/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/http-private.h"
#include "base/uri.h"
#include "values/welkin-error.h"

/* Proxies: which one a request takes, who we are to it, and what it says of its own. */

char *
wk_http_find_proxy (WkHttp *http,
                    GUri   *uri)
{
  GProxyResolver *resolver = soup_session_get_proxy_resolver (http->session);
  g_autofree char *text = g_uri_to_string (uri);
  g_auto(GStrv) proxies = NULL;

  if (resolver != NULL)
    proxies = g_proxy_resolver_lookup (resolver, text, NULL, NULL);
  if (proxies == NULL || proxies[0] == NULL || g_str_has_prefix (proxies[0], "direct:"))
    return NULL;
  return g_strdup (proxies[0]);
}

void
wk_http_authorize_to_proxy (const char         *proxy,
                            SoupMessageHeaders *headers)
{
  g_autofree char *user = NULL;
  g_autofree char *password = NULL;
  g_autofree char *pair = NULL;
  g_autofree char *encoded = NULL;
  g_autofree char *value = NULL;

  if (!g_uri_split_with_user (proxy, G_URI_FLAGS_HAS_PASSWORD, NULL, &user, &password, NULL, NULL,
                              NULL, NULL, NULL, NULL, NULL)
      || user == NULL)
    return;
  pair = g_strdup_printf ("%s:%s", user, password != NULL ? password : "");
  encoded = g_base64_encode ((const guchar *) pair, strlen (pair));
  value = g_strconcat ("Basic ", encoded, NULL);
  soup_message_headers_replace (headers, "Proxy-Authorization", value);
}

/* libsoup makes the requests for tunnels by itself. */
static void
request_queued_cb (SoupSession *session,
                   SoupMessage *message,
                   gpointer     http)
{
  g_autofree char *proxy = NULL;

  if (soup_message_get_method (message) != SOUP_METHOD_CONNECT)
    return;
  proxy = wk_http_find_proxy (http, soup_message_get_uri (message));
  if (proxy != NULL)
    wk_http_authorize_to_proxy (proxy, soup_message_get_request_headers (message));
}

void
wk_http_watch_tunnels (WkHttp *http)
{
  g_signal_connect (http->session, "request-queued", G_CALLBACK (request_queued_cb), http);
}

GError *
wk_http_error_new_proxy (guint          status,
                         WkHttpFailure *failure)
{
  g_autofree char *message = NULL;

  /* What it has against us it will have the next time as well. */
  *failure = SOUP_STATUS_IS_CLIENT_ERROR (status) ? WK_HTTP_FAILURE_FINAL : WK_HTTP_FAILURE_BEFORE;
  if (status == SOUP_STATUS_PROXY_AUTHENTICATION_REQUIRED)
    return welkin_error_new_from_service (
        WELKIN_ERROR_UNAVAILABLE,
        _("the proxy asks for a user and a password, which go into its URL as in "
          "http://USER:PASSWORD@HOST:PORT"),
        NULL, status, NULL);
  message = g_strdup_printf (_("the proxy does not make the connection: %s"),
                             soup_status_get_phrase (status));
  return welkin_error_new_from_service (WELKIN_ERROR_UNAVAILABLE, message, NULL, status, NULL);
}
