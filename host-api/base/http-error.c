/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/http-private.h"
#include "base/text.h"
#include "values/welkin-error.h"

/* How many of a certificate's names a message shows. */
#define MAX_NAMES 4

/* Errors of TLS and of name resolution keep their domain; a wrong certificate stays wrong. */
static GError *
translate_tls (const GError  *error,
               WkHttpFailure *failure)
{
  if (g_error_matches (error, G_TLS_ERROR, G_TLS_ERROR_BAD_CERTIFICATE)
      || g_error_matches (error, G_TLS_ERROR, G_TLS_ERROR_CERTIFICATE_REQUIRED))
    *failure = WK_HTTP_FAILURE_FINAL;
  if (g_error_matches (error, G_TLS_ERROR, G_TLS_ERROR_CERTIFICATE_REQUIRED))
    return g_error_new_literal (G_TLS_ERROR, G_TLS_ERROR_CERTIFICATE_REQUIRED,
                                _("the server wants to see a certificate of ours: name it in "
                                  "client-cert, and its key in client-key"));
  return g_error_copy (error);
}

GError *
wk_http_error_translate (const GError  *error,
                         gboolean       has_answer,
                         WkHttpFailure *failure,
                         gboolean      *is_timeout)
{
  if (error->domain == G_TLS_ERROR && !g_error_matches (error, G_TLS_ERROR, G_TLS_ERROR_EOF))
    return translate_tls (error, failure);
  if (error->domain == G_RESOLVER_ERROR || error->domain == WELKIN_ERROR)
    return g_error_copy (error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_TIMED_OUT))
    {
      *is_timeout = TRUE;
      return g_error_new_literal (WELKIN_ERROR, WELKIN_ERROR_TIMED_OUT, error->message);
    }
  if (has_answer
      && (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT)
          || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CONNECTION_CLOSED)
          || g_error_matches (error, G_TLS_ERROR, G_TLS_ERROR_EOF)))
    return g_error_new_literal (WELKIN_ERROR, WELKIN_ERROR_PROTOCOL, _("the answer was cut off"));
  if (error->domain == SOUP_SESSION_ERROR ||
      g_error_matches (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA))
    return g_error_new (WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
                        _("the answer is not one of HTTP: %s"), error->message);
  return g_error_new_literal (WELKIN_ERROR, WELKIN_ERROR_UNAVAILABLE, error->message);
}

static void
append_name (GString    *names,
             const char *name)
{
  if (names->len > 0)
    g_string_append (names, ", ");
  g_string_append (names, name);
}

/* The names that the certificate is good for, or whose it is when it lists none. */
static char *
describe_names (GTlsCertificate *certificate)
{
  g_autoptr(GPtrArray) names = g_tls_certificate_get_dns_names (certificate);
  g_autoptr(GPtrArray) addresses = g_tls_certificate_get_ip_addresses (certificate);
  g_autofree char *subject = g_tls_certificate_get_subject_name (certificate);
  GString *text = g_string_new (NULL);

  for (guint i = 0; names != NULL && i < MIN (names->len, MAX_NAMES); i++)
    {
      gsize length;
      const char *data = g_bytes_get_data (names->pdata[i], &length);
      g_autofree char *name = g_utf8_make_valid (data, length);

      append_name (text, name);
    }
  for (guint i = 0; addresses != NULL && i < MIN (addresses->len, MAX_NAMES); i++)
    {
      g_autofree char *address = g_inet_address_to_string (addresses->pdata[i]);

      append_name (text, address);
    }
  if (text->len == 0 && subject != NULL)
    append_name (text, subject);
  return g_string_free (text, FALSE);
}

static char *
describe_flaw (GTlsCertificate     *certificate,
               GTlsCertificateFlags flags,
               const char          *host)
{
  /* The name first: where it is wrong, the rest is about somebody else. */
  if ((flags & G_TLS_CERTIFICATE_BAD_IDENTITY) != 0)
    {
      g_autofree char *names = describe_names (certificate);
      g_autofree char *quoted = wk_quote (names);

      /* TRANSLATORS: the host of a URL, and the names that a certificate lists */
      return g_strdup_printf (_("the certificate is not for %s but for %s"), host, quoted);
    }
  if ((flags & G_TLS_CERTIFICATE_UNKNOWN_CA) != 0)
    {
      g_autofree char *issuer = g_tls_certificate_get_issuer_name (certificate);
      g_autofree char *quoted = wk_quote (issuer != NULL ? issuer : "");

      return g_strdup_printf (_("the issuer of the certificate is unknown: %s"), quoted);
    }
  if ((flags & G_TLS_CERTIFICATE_EXPIRED) != 0)
    return g_strdup (_("the certificate has expired"));
  if ((flags & G_TLS_CERTIFICATE_NOT_ACTIVATED) != 0)
    return g_strdup (_("the certificate is not valid yet; is the clock of this machine right?"));
  if ((flags & G_TLS_CERTIFICATE_REVOKED) != 0)
    return g_strdup (_("the certificate has been revoked"));
  if ((flags & G_TLS_CERTIFICATE_INSECURE) != 0)
    return g_strdup (_("the certificate uses an algorithm that is not secure any more"));
  return g_strdup (_("the certificate is not acceptable"));
}

GError *
wk_http_error_new_certificate (GTlsCertificate     *certificate,
                               GTlsCertificateFlags flags,
                               const char          *host,
                               const char          *advice)
{
  g_autofree char *flaw = describe_flaw (certificate, flags, host);

  return g_error_new (G_TLS_ERROR, G_TLS_ERROR_BAD_CERTIFICATE, "%s; %s", flaw, advice);
}
