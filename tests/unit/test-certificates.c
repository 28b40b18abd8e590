/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "machine/certificates.h"

#include <gnutls/x509.h>
#include <string.h>

#include "values/welkin-error.h"

static gnutls_x509_crt_t
read_certificate (const char *text)
{
  const gnutls_datum_t pem = { (unsigned char *) text, (unsigned) strlen (text) };
  gnutls_x509_crt_t certificate = NULL;

  g_assert_cmpint (gnutls_x509_crt_init (&certificate), ==, 0);
  g_assert_cmpint (gnutls_x509_crt_import (certificate, &pem, GNUTLS_X509_FMT_PEM), ==, 0);
  return certificate;
}

static void
assert_validity (gnutls_x509_crt_t certificate)
{
  gint64 now = g_get_real_time () / G_USEC_PER_SEC;
  gint64 begin = gnutls_x509_crt_get_activation_time (certificate);
  gint64 end = gnutls_x509_crt_get_expiration_time (certificate);

  g_assert_cmpint (begin, <=, now - 300);
  g_assert_cmpint (begin, >, now - 400);
  g_assert_cmpint (end, >, now + G_GINT64_CONSTANT (3650) * 24 * 3600);
  g_assert_cmpint (end, <, now + G_GINT64_CONSTANT (3655) * 24 * 3600);
}

static void
assert_name (gnutls_x509_crt_t certificate,
             const char       *oid,
             const char       *wanted)
{
  char name[200];
  size_t size = sizeof name;

  g_assert_cmpint (gnutls_x509_crt_get_dn_by_oid (certificate, oid, 0, 0, name, &size), ==, 0);
  g_assert_cmpstr (name, ==, wanted);
}

static void
test_authority (void)
{
  g_autofree char *text = NULL;
  g_autofree char *key = NULL;
  g_autoptr(GError) error = NULL;
  gnutls_x509_crt_t certificate = NULL;
  unsigned critical = 0;
  unsigned is_authority = 0;
  unsigned usage = 0;
  unsigned bits = 0;
  int path_length = -1;

  welkin_certificates_make_authority ("e1", &text, &key, &error);
  g_assert_no_error (error);
  certificate = read_certificate (text);
  assert_validity (certificate);
  /* The reader escapes quotes as RFC 4514 wants it. */
  assert_name (certificate, GNUTLS_OID_X520_COMMON_NAME,
               "welkin-generated CA for environment \\\"e1\\\"");
  assert_name (certificate, GNUTLS_OID_X520_ORGANIZATION_NAME, "welkin");
  g_assert_cmpint (gnutls_x509_crt_get_pk_algorithm (certificate, &bits), ==, GNUTLS_PK_RSA);
  g_assert_cmpuint (bits, ==, 2048);

  g_assert_cmpint (gnutls_x509_crt_get_basic_constraints (certificate, &critical, &is_authority,
                                                          &path_length), >=, 0);
  g_assert_cmpuint (critical, ==, 1);
  g_assert_cmpuint (is_authority, ==, 1);
  g_assert_cmpint (path_length, ==, 0);
  g_assert_cmpint (gnutls_x509_crt_get_key_usage (certificate, &usage, &critical), ==, 0);
  g_assert_cmphex (usage, ==, GNUTLS_KEY_DIGITAL_SIGNATURE | GNUTLS_KEY_KEY_ENCIPHERMENT |
                              GNUTLS_KEY_KEY_CERT_SIGN);
  g_assert_cmpuint (gnutls_x509_crt_check_issuer (certificate, certificate), ==, 1);
  gnutls_x509_crt_deinit (certificate);

  welkin_certificates_check (text, key, &error);
  g_assert_no_error (error);
}

static void
test_server (void)
{
  g_autofree char *authority_text = NULL;
  g_autofree char *authority_key = NULL;
  g_autofree char *text = NULL;
  g_autofree char *key = NULL;
  g_autoptr(GError) error = NULL;
  gnutls_x509_crt_t authority = NULL;
  gnutls_x509_crt_t certificate = NULL;
  gnutls_x509_trust_list_t trust = NULL;
  unsigned result = 0;

  welkin_certificates_make_authority ("e1", &authority_text, &authority_key, &error);
  g_assert_no_error (error);
  welkin_certificates_make_server (authority_text, authority_key, &text, &key, &error);
  g_assert_no_error (error);
  welkin_certificates_check (text, key, &error);
  g_assert_no_error (error);

  authority = read_certificate (authority_text);
  certificate = read_certificate (text);
  assert_validity (certificate);
  assert_name (certificate, GNUTLS_OID_X520_COMMON_NAME, "*");
  g_assert_cmpuint (gnutls_x509_crt_check_hostname (certificate, "localhost"), !=, 0);
  g_assert_cmpuint (gnutls_x509_crt_check_hostname (certificate, "anyServer"), !=, 0);
  g_assert_cmpuint (gnutls_x509_crt_check_hostname (certificate, "example.com"), ==, 0);
  g_assert_cmpuint (gnutls_x509_crt_check_key_purpose (certificate, GNUTLS_KP_TLS_WWW_SERVER, 0),
                    !=, 0);

  g_assert_cmpint (gnutls_x509_trust_list_init (&trust, 0), ==, 0);
  g_assert_cmpint (gnutls_x509_trust_list_add_cas (trust, &authority, 1, 0), ==, 1);
  g_assert_cmpint (gnutls_x509_trust_list_verify_crt (trust, &certificate, 1, 0, &result, NULL),
                   ==, 0);
  g_assert_cmphex (result, ==, 0);
  gnutls_x509_crt_deinit (certificate);
  gnutls_x509_trust_list_deinit (trust, TRUE);
}

static void
test_check (void)
{
  g_autofree char *text = NULL;
  g_autofree char *key = NULL;
  g_autofree char *other_text = NULL;
  g_autofree char *other_key = NULL;
  g_autoptr(GError) error = NULL;
  const struct
  {
    const char *certificate;
    const char *key;
    const char *message;
  } vectors[] = {
    { "nonsense", NULL, "cannot read the certificate: *" },
    { "", NULL, "cannot read the certificate: *" },
    { "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", NULL,
      "cannot read the certificate: *" },
    { NULL, "nonsense", "cannot read the private key: *" },
    { NULL, NULL, "the private key is not that of the certificate" },
  };

  welkin_certificates_make_authority ("e1", &text, &key, &error);
  g_assert_no_error (error);
  welkin_certificates_make_authority ("e1", &other_text, &other_key, &error);
  g_assert_no_error (error);
  welkin_certificates_check (text, NULL, &error);
  g_assert_no_error (error);

  for (gsize i = 0; i < G_N_ELEMENTS (vectors); i++)
    {
      gboolean is_bad_certificate = vectors[i].certificate != NULL;
      const char *bad_key = vectors[i].key != NULL ? vectors[i].key : other_key;

      g_assert_false (welkin_certificates_check (is_bad_certificate ? vectors[i].certificate : text,
                                                 is_bad_certificate ? NULL : bad_key, &error));
      g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_FAILED);
      g_assert_true (g_pattern_match_simple (vectors[i].message, error->message));
      g_clear_error (&error);
    }

  g_assert_false (welkin_certificates_make_server (text, "nonsense", &other_text, &other_key,
                                                   &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_FAILED);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/certificates/authority/signs-itself-and-others", test_authority);
  g_test_add_func ("/certificates/server/is-trusted-by-its-authority", test_server);
  g_test_add_func ("/certificates/check/tells-what-is-wrong", test_check);
  return g_test_run ();
}
