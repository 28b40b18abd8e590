/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "machine/certificates.h"

#include <glib/gi18n-lib.h>
#include <gnutls/abstract.h>
#include <gnutls/crypto.h>
#include <gnutls/x509.h>
#include <string.h>

#include "values/welkin-error.h"

#define RSA_BITS 2048
#define SERIAL_BYTES 16
/* Clocks differ: what is made now is good a little earlier. */
#define SECONDS_BEFORE (5 * 60)
#define YEARS_AFTER 10
#define ORGANIZATION "welkin"

/* What a certificate is made from. */
typedef struct
{
  char                  *common_name; /* (owned) */
  gboolean               is_authority;
  gnutls_x509_crt_t      issuer;      /* (unowned) (nullable): NULL when it signs itself */
  gnutls_x509_privkey_t  issuer_key;  /* (unowned) (nullable) */
} Request;

/* What a thread gives back. */
typedef struct
{
  char *certificate;
  char *private_key;
} Pair;

G_DEFINE_AUTO_CLEANUP_FREE_FUNC (gnutls_x509_crt_t, gnutls_x509_crt_deinit, NULL)
G_DEFINE_AUTO_CLEANUP_FREE_FUNC (gnutls_x509_privkey_t, gnutls_x509_privkey_deinit, NULL)

static gboolean
set_gnutls_error (int         status,
                  const char *what,
                  GError    **error)
{
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_FAILED, "%s: %s", what,
               gnutls_strerror (status));
  return FALSE;
}

static char *
take_datum (gnutls_datum_t *datum)
{
  char *text = g_strndup ((const char *) datum->data, datum->size);

  gnutls_free (datum->data);
  return text;
}

static int
set_serial (gnutls_x509_crt_t certificate)
{
  guint8 serial[SERIAL_BYTES];
  int status = gnutls_rnd (GNUTLS_RND_NONCE, serial, sizeof serial);

  if (status < 0)
    return status;
  /* Serials are positive numbers that do not begin with a zero byte. */
  serial[0] = (guint8) ((serial[0] & 0x7f) | 0x40);
  return gnutls_x509_crt_set_serial (certificate, serial, sizeof serial);
}

static int
set_subject (gnutls_x509_crt_t certificate,
             const char       *common_name)
{
  int status = gnutls_x509_crt_set_dn_by_oid (certificate, GNUTLS_OID_X520_ORGANIZATION_NAME, 0,
                                              ORGANIZATION, (unsigned) strlen (ORGANIZATION));

  if (status < 0)
    return status;
  return gnutls_x509_crt_set_dn_by_oid (certificate, GNUTLS_OID_X520_COMMON_NAME, 0, common_name,
                                        (unsigned) strlen (common_name));
}

static int
set_validity (gnutls_x509_crt_t certificate)
{
  g_autoptr(GDateTime) now = g_date_time_new_now_utc ();
  g_autoptr(GDateTime) end = g_date_time_add_years (now, YEARS_AFTER);
  int status = gnutls_x509_crt_set_activation_time (certificate, g_date_time_to_unix (now) -
                                                                 SECONDS_BEFORE);

  if (status < 0)
    return status;
  return gnutls_x509_crt_set_expiration_time (certificate, g_date_time_to_unix (end));
}

static int
set_authority_use (gnutls_x509_crt_t certificate)
{
  int status = gnutls_x509_crt_set_basic_constraints (certificate, TRUE, 0);

  if (status < 0)
    return status;
  return gnutls_x509_crt_set_key_usage (certificate, GNUTLS_KEY_DIGITAL_SIGNATURE |
                                                     GNUTLS_KEY_KEY_ENCIPHERMENT |
                                                     GNUTLS_KEY_KEY_CERT_SIGN);
}

/* Clients look at alternative names alone; "anyServer" is what every client of
 * ours asks for, since the addresses of machines are not known beforehand. */
static int
set_server_use (gnutls_x509_crt_t certificate)
{
  const char *const names[] = { "localhost", "anyServer" };
  int status = gnutls_x509_crt_set_key_purpose_oid (certificate, GNUTLS_KP_TLS_WWW_SERVER, FALSE);

  for (gsize i = 0; status >= 0 && i < G_N_ELEMENTS (names); i++)
    status = gnutls_x509_crt_set_subject_alt_name (certificate, GNUTLS_SAN_DNSNAME, names[i],
                                                   (unsigned) strlen (names[i]),
                                                   GNUTLS_FSAN_APPEND);
  if (status >= 0)
    status = gnutls_x509_crt_set_basic_constraints (certificate, FALSE, -1);
  if (status < 0)
    return status;
  return gnutls_x509_crt_set_key_usage (certificate, GNUTLS_KEY_DIGITAL_SIGNATURE |
                                                     GNUTLS_KEY_KEY_ENCIPHERMENT);
}

static int
fill_certificate (gnutls_x509_crt_t     certificate,
                  gnutls_x509_privkey_t key,
                  const Request        *request)
{
  int status = gnutls_x509_crt_set_version (certificate, 3);

  if (status >= 0)
    status = set_serial (certificate);
  if (status >= 0)
    status = set_subject (certificate, request->common_name);
  if (status >= 0)
    status = set_validity (certificate);
  if (status >= 0)
    status = gnutls_x509_crt_set_key (certificate, key);
  if (status >= 0)
    status = request->is_authority ? set_authority_use (certificate)
                                   : set_server_use (certificate);
  if (status < 0)
    return status;

  if (request->issuer == NULL)
    return gnutls_x509_crt_sign2 (certificate, certificate, key, GNUTLS_DIG_SHA256, 0);
  return gnutls_x509_crt_sign2 (certificate, request->issuer, request->issuer_key,
                                GNUTLS_DIG_SHA256, 0);
}

static gboolean
make_certificate (const Request *request,
                  char         **certificate_text,
                  char         **key_text,
                  GError       **error)
{
  g_auto(gnutls_x509_crt_t) certificate = NULL;
  g_auto(gnutls_x509_privkey_t) key = NULL;
  gnutls_datum_t certificate_pem = { 0 };
  gnutls_datum_t key_pem = { 0 };
  int status = gnutls_x509_crt_init (&certificate);

  if (status >= 0)
    status = gnutls_x509_privkey_init (&key);
  if (status >= 0)
    status = gnutls_x509_privkey_generate (key, GNUTLS_PK_RSA, RSA_BITS, 0);
  if (status >= 0)
    status = fill_certificate (certificate, key, request);
  if (status >= 0)
    status = gnutls_x509_crt_export2 (certificate, GNUTLS_X509_FMT_PEM, &certificate_pem);
  if (status < 0)
    return set_gnutls_error (status, _("cannot make a certificate"), error);

  status = gnutls_x509_privkey_export2 (key, GNUTLS_X509_FMT_PEM, &key_pem);
  *certificate_text = take_datum (&certificate_pem);
  if (status < 0)
    {
      g_clear_pointer (certificate_text, g_free);
      return set_gnutls_error (status, _("cannot make a certificate"), error);
    }
  *key_text = take_datum (&key_pem);
  return TRUE;
}

gboolean
welkin_certificates_make_authority (const char *environment,
                                    char      **certificate,
                                    char      **private_key,
                                    GError    **error)
{
  g_autofree char *common_name = NULL;
  Request request = { .is_authority = TRUE };

  common_name = g_strdup_printf ("welkin-generated CA for environment \"%s\"", environment);
  request.common_name = common_name;
  return make_certificate (&request, certificate, private_key, error);
}

static void
pair_free (gpointer data)
{
  Pair *self = data;

  g_free (self->certificate);
  g_free (self->private_key);
  g_free (self);
}

static void
return_pair (GTask   *task,
             gboolean is_made,
             Pair    *pair,
             GError  *error)
{
  if (is_made)
    {
      g_task_return_pointer (task, pair, pair_free);
      return;
    }
  pair_free (pair);
  g_task_return_error (task, error);
}

static gboolean
take_pair (GTask   *task,
           char   **certificate,
           char   **private_key,
           GError **error)
{
  Pair *pair = g_task_propagate_pointer (task, error);

  if (pair == NULL)
    return FALSE;
  *certificate = g_steal_pointer (&pair->certificate);
  *private_key = g_steal_pointer (&pair->private_key);
  pair_free (pair);
  return TRUE;
}

static void
make_authority_thread (GTask        *task,
                       gpointer      source_object,
                       gpointer      task_data,
                       GCancellable *cancellable)
{
  Pair *pair = g_new0 (Pair, 1);
  GError *error = NULL;
  gboolean is_made = welkin_certificates_make_authority (task_data, &pair->certificate,
                                                         &pair->private_key, &error);

  return_pair (task, is_made, pair, error);
}

void
welkin_certificates_make_authority_async (const char         *environment,
                                          GCancellable       *cancellable,
                                          GAsyncReadyCallback callback,
                                          gpointer            user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, welkin_certificates_make_authority_async);
  g_task_set_task_data (task, g_strdup (environment), g_free);
  g_task_run_in_thread (task, make_authority_thread);
}

gboolean
welkin_certificates_make_authority_finish (GAsyncResult *result,
                                           char        **certificate,
                                           char        **private_key,
                                           GError      **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);
  g_return_val_if_fail (g_task_get_source_tag (G_TASK (result)) ==
                        welkin_certificates_make_authority_async, FALSE);

  return take_pair (G_TASK (result), certificate, private_key, error);
}

static void
make_server_thread (GTask        *task,
                    gpointer      source_object,
                    gpointer      task_data,
                    GCancellable *cancellable)
{
  const Pair *authority = task_data;
  Pair *pair = g_new0 (Pair, 1);
  GError *error = NULL;
  gboolean is_made = welkin_certificates_make_server (authority->certificate,
                                                      authority->private_key,
                                                      &pair->certificate, &pair->private_key,
                                                      &error);

  return_pair (task, is_made, pair, error);
}

void
welkin_certificates_make_server_async (const char         *authority_certificate,
                                       const char         *authority_private_key,
                                       GCancellable       *cancellable,
                                       GAsyncReadyCallback callback,
                                       gpointer            user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Pair *authority = g_new0 (Pair, 1);

  authority->certificate = g_strdup (authority_certificate);
  authority->private_key = g_strdup (authority_private_key);
  g_task_set_source_tag (task, welkin_certificates_make_server_async);
  g_task_set_task_data (task, authority, pair_free);
  g_task_run_in_thread (task, make_server_thread);
}

gboolean
welkin_certificates_make_server_finish (GAsyncResult *result,
                                        char        **certificate,
                                        char        **private_key,
                                        GError      **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);
  g_return_val_if_fail (g_task_get_source_tag (G_TASK (result)) ==
                        welkin_certificates_make_server_async, FALSE);

  return take_pair (G_TASK (result), certificate, private_key, error);
}

static int
read_certificate (const char        *text,
                  gnutls_x509_crt_t *certificate)
{
  const gnutls_datum_t pem = { (unsigned char *) text, (unsigned) strlen (text) };
  int status = gnutls_x509_crt_init (certificate);

  if (status < 0)
    return status;
  return gnutls_x509_crt_import (*certificate, &pem, GNUTLS_X509_FMT_PEM);
}

static int
read_key (const char            *text,
          gnutls_x509_privkey_t *key)
{
  const gnutls_datum_t pem = { (unsigned char *) text, (unsigned) strlen (text) };
  int status = gnutls_x509_privkey_init (key);

  if (status < 0)
    return status;
  return gnutls_x509_privkey_import2 (*key, &pem, GNUTLS_X509_FMT_PEM, NULL, GNUTLS_PKCS_PLAIN);
}

gboolean
welkin_certificates_make_server (const char *authority_certificate,
                                 const char *authority_private_key,
                                 char      **certificate,
                                 char      **private_key,
                                 GError    **error)
{
  g_auto(gnutls_x509_crt_t) issuer = NULL;
  g_auto(gnutls_x509_privkey_t) issuer_key = NULL;
  Request request = { .common_name = (char *) "*" };
  int status = read_certificate (authority_certificate, &issuer);

  if (status >= 0)
    status = read_key (authority_private_key, &issuer_key);
  if (status < 0)
    return set_gnutls_error (status, _("bad CA certificate/key"), error);

  request.issuer = issuer;
  request.issuer_key = issuer_key;
  return make_certificate (&request, certificate, private_key, error);
}

gboolean
welkin_certificates_check (const char *certificate_text,
                           const char *key_text,
                           GError    **error)
{
  g_auto(gnutls_x509_crt_t) certificate = NULL;
  g_auto(gnutls_x509_privkey_t) key = NULL;
  guint8 certificate_id[64];
  guint8 key_id[64];
  size_t certificate_id_size = sizeof certificate_id;
  size_t key_id_size = sizeof key_id;
  int status = read_certificate (certificate_text, &certificate);

  if (status < 0)
    return set_gnutls_error (status, _("cannot read the certificate"), error);
  if (key_text == NULL)
    return TRUE;
  status = read_key (key_text, &key);
  if (status < 0)
    return set_gnutls_error (status, _("cannot read the private key"), error);

  /* Both ids are hashes of the public key. */
  status = gnutls_x509_crt_get_key_id (certificate, GNUTLS_KEYID_USE_SHA256, certificate_id,
                                       &certificate_id_size);
  if (status >= 0)
    status = gnutls_x509_privkey_get_key_id (key, GNUTLS_KEYID_USE_SHA256, key_id, &key_id_size);
  if (status < 0)
    return set_gnutls_error (status, _("cannot compare certificate and private key"), error);
  if (certificate_id_size != key_id_size || memcmp (certificate_id, key_id, key_id_size) != 0)
    {
      g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_FAILED,
                           _("the private key is not that of the certificate"));
      return FALSE;
    }
  return TRUE;
}
