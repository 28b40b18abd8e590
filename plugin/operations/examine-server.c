/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/examine-server.h"

#include <glib/gi18n-lib.h>
#include <libsoup/soup.h>

#include "base/uri.h"

/* A certificate that has fewer days left is told of. */
#define NEAR_DAYS 14
/* Signatures and the ends of tokens bear no more than some minutes of difference. */
#define SKEW_SECONDS 60

char *
os_describe_way (GProxyResolver *resolver,
                 const char     *url)
{
  g_auto(GStrv) proxies = NULL;
  g_autofree char *shown = NULL;

  if (resolver != NULL)
    proxies = g_proxy_resolver_lookup (resolver, url, NULL, NULL);
  if (proxies == NULL || proxies[0] == NULL || g_str_has_prefix (proxies[0], "direct:"))
    return g_strdup (_("directly"));
  shown = wk_uri_for_display (proxies[0]);
  /* TRANSLATORS: a URL */
  return g_strdup_printf (_("by proxy %s"), shown);
}

static void
examine_certificate (OsCheck         *check,
                     GTlsCertificate *certificate)
{
  g_autoptr(GDateTime) end = g_tls_certificate_get_not_valid_after (certificate);
  g_autoptr(GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *issuer = g_tls_certificate_get_issuer_name (certificate);
  g_autofree char *day = end != NULL ? g_date_time_format (end, "%Y-%m-%d") : NULL;
  g_autofree char *text = NULL;

  text = g_strdup_printf (_("the certificate was issued by %s and is good until %s"),
                          issuer != NULL ? issuer : "?", day != NULL ? day : "?");
  if (end != NULL && g_date_time_difference (end, now) < NEAR_DAYS * G_TIME_SPAN_DAY)
    os_check_find (check, WELKIN_FINDING_WARNING, text,
                   _("Who runs the cloud should renew it soon."));
  else
    os_check_find (check, WELKIN_FINDING_OK, text, NULL);
}

static gboolean
is_here (const char *url)
{
  g_autoptr(GUri) uri = g_uri_parse (url, G_URI_FLAGS_ENCODED, NULL);
  const char *host = uri != NULL ? g_uri_get_host (uri) : "";
  g_autoptr(GInetAddress) address = g_inet_address_new_from_string (host);

  return g_str_equal (host, "localhost")
         || (address != NULL && g_inet_address_get_is_loopback (address));
}

static void
examine_tls (OsCheck        *check,
             const char     *url,
             WkHttpResponse *response)
{
  GTlsCertificate *certificate = wk_http_response_get_certificate (response);

  if (certificate != NULL)
    examine_certificate (check, certificate);
  else if (is_here (url))
    os_check_find (check, WELKIN_FINDING_OK, _("there is none, and none is needed on one machine"),
                   NULL);
  else
    os_check_find (check, WELKIN_FINDING_WARNING,
                   _("there is none: whoever is on the way can read the password"),
                   _("Ask for an auth-url that begins with https."));
}

static void
examine_clock (OsCheck        *check,
               WkHttpResponse *response)
{
  const char *date = wk_http_response_get_header (response, "Date");
  g_autoptr(GDateTime) theirs = date != NULL ? soup_date_time_new_from_http_string (date) : NULL;
  g_autoptr(GDateTime) ours = g_date_time_new_now_utc ();
  g_autofree char *text = NULL;
  gint64 seconds;

  if (theirs == NULL)
    {
      os_check_find (check, WELKIN_FINDING_SKIPPED, _("the cloud does not tell its time"), NULL);
      return;
    }
  seconds = g_date_time_difference (theirs, ours) / G_TIME_SPAN_SECOND;
  if (ABS (seconds) <= SKEW_SECONDS)
    {
      text = g_strdup_printf (_("it differs from the cloud's by less than %d seconds"),
                              SKEW_SECONDS);
      os_check_find (check, WELKIN_FINDING_OK, text, NULL);
      return;
    }
  if (seconds > 0)
    text = g_strdup_printf (_("it is %" G_GINT64_FORMAT " minutes behind the cloud's"),
                            (seconds + 30) / 60);
  else
    text = g_strdup_printf (_("it is %" G_GINT64_FORMAT " minutes ahead of the cloud's"),
                            (30 - seconds) / 60);
  os_check_find (check, WELKIN_FINDING_WARNING, text,
                 _("Set the clock of this machine: signatures and temporary URLs depend on it."));
}

static void
examine_server (OsCheck        *check,
                const char     *url,
                const char     *way,
                WkHttpResponse *response)
{
  g_autofree char *text = NULL;

  if (wk_http_response_is_page (response))
    {
      text = g_strdup_printf (_("%s is asked %s and answers with a web page (HTTP %u)"), url, way,
                              wk_http_response_get_status (response));
      os_check_find (check, WELKIN_FINDING_WARNING, text,
                     _("Something else than the cloud may have answered, as a balancer or a "
                       "proxy: see whether auth-url is right."));
      return;
    }
  text = g_strdup_printf (_("%s is asked %s and answers"), url, way);
  os_check_find (check, WELKIN_FINDING_OK, text, NULL);
}

void
os_examine_answer (OsCheck        *server,
                   OsCheck        *tls,
                   OsCheck        *clock,
                   const char     *url,
                   const char     *way,
                   WkHttpResponse *response,
                   const GError   *error)
{
  const char *reason = _("not looked at, because the server does not answer");
  g_autofree char *text = NULL;

  if (response != NULL)
    {
      examine_server (server, url, way, response);
      examine_tls (tls, url, response);
      examine_clock (clock, response);
      return;
    }
  if (error->domain == G_TLS_ERROR)
    {
      text = g_strdup_printf (_("%s is asked %s and answers"), url, way);
      os_check_find (server, WELKIN_FINDING_OK, text, NULL);
      os_check_find_error (tls, WELKIN_FINDING_FAILURE, error);
    }
  else
    {
      os_check_find_error (server, WELKIN_FINDING_FAILURE, error);
      os_check_find (tls, WELKIN_FINDING_SKIPPED, reason, NULL);
    }
  os_check_find (clock, WELKIN_FINDING_SKIPPED, reason, NULL);
}
