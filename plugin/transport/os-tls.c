/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
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

/* The text, or what is in the file. What a key's attribute says is a secret: it may be the key. */
static char *
load_pem (const char  *value,
          const char  *attribute,
          GError     **error)
{
  g_autoptr(GMappedFile) file = NULL;
  gboolean is_key = g_str_equal (attribute, "client-key");
  int saved_errno = EINVAL;
  int fd;

  if (g_str_has_prefix (value, PEM_BEGIN))
    return g_strdup (value);
  fd = g_open (value, O_RDONLY | O_CLOEXEC, 0);
  if (fd != -1)
    {
      file = g_mapped_file_new_from_fd (fd, FALSE, NULL);
      g_close (fd, NULL);
    }
  else
    saved_errno = errno;
  if (file != NULL)
    return g_strndup (g_mapped_file_get_contents (file), g_mapped_file_get_length (file));

  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG, _("%s: cannot read %s: %s"),
               attribute, is_key ? _("its file") : value, g_strerror (saved_errno));
  return NULL;
}

GTlsCertificate *
os_tls_client_certificate_new (const char  *certificate,
                               const char  *key,
                               GError     **error)
{
  const char *shown = g_str_has_prefix (certificate, PEM_BEGIN) ? _("the text") : certificate;
  g_autofree char *chain = load_pem (certificate, "client-cert", error);
  g_autofree char *key_text = NULL;
  g_autofree char *pair = NULL;
  g_autofree char *private_key = NULL;
  g_autoptr(GTlsCertificate) loaded = NULL;
  g_autoptr(GError) local_error = NULL;

  if (chain == NULL)
    return NULL;
  if (key != NULL)
    {
      key_text = load_pem (key, "client-key", error);
      if (key_text == NULL)
        return NULL;
    }

  pair = g_strjoin ("\n", chain, key_text, NULL);
  loaded = g_tls_certificate_new_from_pem (pair, -1, &local_error);
  if (loaded == NULL)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG,
                   _("client-cert: cannot use %s as a certificate: %s"), shown,
                   local_error->message);
      return NULL;
    }
  g_object_get (loaded, "private-key-pem", &private_key, NULL);
  if (private_key == NULL)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG,
                   _("client-cert: there is no key in %s: name its file in client-key"), shown);
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
