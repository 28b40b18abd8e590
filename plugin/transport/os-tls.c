/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "transport/os-tls.h"
#include "values/welkin-error.h"

#define PEM_BEGIN "-----BEGIN"

struct _OsTlsDatabase
{
  GTlsDatabase parent;

  GTlsDatabase *system; /* (owned) */
  GTlsDatabase *own;    /* (owned) */
};

G_DEFINE_FINAL_TYPE (OsTlsDatabase, os_tls_database, G_TYPE_TLS_DATABASE)

/* Called in whatever thread shakes hands; both databases are good for that. */
static GTlsCertificateFlags
os_tls_database_verify_chain (GTlsDatabase            *database,
                              GTlsCertificate         *chain,
                              const char              *purpose,
                              GSocketConnectable      *identity,
                              GTlsInteraction         *interaction,
                              GTlsDatabaseVerifyFlags  flags,
                              GCancellable            *cancellable,
                              GError                 **error)
{
  OsTlsDatabase *self = OS_TLS_DATABASE (database);
  g_autoptr(GError) local_error = NULL;
  GTlsCertificateFlags problems;

  problems = g_tls_database_verify_chain (self->system, chain, purpose, identity, interaction,
                                          flags, cancellable, &local_error);
  if (local_error == NULL && (problems & G_TLS_CERTIFICATE_UNKNOWN_CA) == 0)
    return problems;
  return g_tls_database_verify_chain (self->own, chain, purpose, identity, interaction, flags,
                                      cancellable, error);
}

/* GIO reads certificates for a database from files only. */
static GTlsDatabase *
load_text (const char  *text,
           GError     **error)
{
  g_autofree char *path = NULL;
  GTlsDatabase *database = NULL;
  int fd = g_file_open_tmp ("welkin-XXXXXX.pem", &path, error);

  if (fd == -1)
    return NULL;
  g_close (fd, NULL);
  if (g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_NONE, 0600, error))
    database = g_tls_file_database_new (path, error);
  g_unlink (path);
  return database;
}

GTlsDatabase *
os_tls_database_new (const char  *authorities,
                     GError     **error)
{
  g_autoptr(OsTlsDatabase) self = g_object_new (OS_TYPE_TLS_DATABASE, NULL);
  gboolean is_text = g_str_has_prefix (authorities, PEM_BEGIN);
  g_autoptr(GError) local_error = NULL;

  self->system = g_tls_backend_get_default_database (g_tls_backend_get_default ());
  self->own = is_text ? load_text (authorities, &local_error)
                      : g_tls_file_database_new (authorities, &local_error);
  if (self->own == NULL)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG,
                   _("ca-certificates: cannot use %s: %s"),
                   is_text ? _("the text as certificates") : authorities, local_error->message);
      return NULL;
    }
  return G_TLS_DATABASE (g_steal_pointer (&self));
}

static GTlsCertificate *
load_certificate (const char  *certificate,
                  const char  *key,
                  GError     **error)
{
  g_autofree char *pair = NULL;

  if (!g_str_has_prefix (certificate, PEM_BEGIN))
    return key != NULL ? g_tls_certificate_new_from_files (certificate, key, error)
                       : g_tls_certificate_new_from_file (certificate, error);
  pair = g_strjoin ("\n", certificate, key, NULL);
  return g_tls_certificate_new_from_pem (pair, -1, error);
}

GTlsCertificate *
os_tls_client_certificate_new (const char  *certificate,
                               const char  *key,
                               GError     **error)
{
  gboolean is_text = g_str_has_prefix (certificate, PEM_BEGIN);
  g_autoptr(GError) local_error = NULL;
  g_autoptr(GTlsCertificate) loaded = load_certificate (certificate, key, &local_error);
  g_autofree char *private_key = NULL;

  if (loaded == NULL)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG,
                   _("client-cert: cannot use %s: %s"),
                   is_text ? _("the text as certificates") : certificate, local_error->message);
      return NULL;
    }
  g_object_get (loaded, "private-key-pem", &private_key, NULL);
  if (private_key == NULL)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG,
                   _("client-cert: there is no key in %s: name its file in client-key"),
                   is_text ? _("the text") : certificate);
      return NULL;
    }
  return g_steal_pointer (&loaded);
}

static void
os_tls_database_finalize (GObject *object)
{
  OsTlsDatabase *self = OS_TLS_DATABASE (object);

  g_clear_object (&self->system);
  g_clear_object (&self->own);

  G_OBJECT_CLASS (os_tls_database_parent_class)->finalize (object);
}

static void
os_tls_database_class_init (OsTlsDatabaseClass *class)
{
  G_OBJECT_CLASS (class)->finalize = os_tls_database_finalize;
  G_TLS_DATABASE_CLASS (class)->verify_chain = os_tls_database_verify_chain;
}

static void
os_tls_database_init (OsTlsDatabase *self)
{
}
