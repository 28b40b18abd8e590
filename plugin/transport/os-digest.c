/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gnutls/crypto.h>

#include "transport/os-digest.h"

#define MAX_BYTES 32

struct _OsDigest
{
  gnutls_digest_algorithm_t algorithm;
  gnutls_hash_hd_t          hash;      /* (owned) */
};

OsDigest *
os_digest_new (OsDigestKind kind)
{
  OsDigest *self = g_new0 (OsDigest, 1);
  int status;

  self->algorithm = kind == OS_DIGEST_MD5 ? GNUTLS_DIG_MD5 : GNUTLS_DIG_SHA256;
  /* Where only what is strong may be used: it is not for security that the clouds ask for MD5. */
  GNUTLS_FIPS140_SET_LAX_MODE ();
  status = gnutls_hash_init (&self->hash, self->algorithm);
  GNUTLS_FIPS140_SET_STRICT_MODE ();
  if (status != GNUTLS_E_SUCCESS)
    g_error ("no checksum can be made: %s", gnutls_strerror (status));
  return self;
}

void
os_digest_free (OsDigest *self)
{
  gnutls_hash_deinit (self->hash, NULL);
  g_free (self);
}

void
os_digest_update (OsDigest   *self,
                  const void *data,
                  gsize       size)
{
  if (size > 0)
    gnutls_hash (self->hash, data, size);
}

void
os_digest_update_hex (OsDigest   *self,
                      const char *hex)
{
  for (; hex[0] != '\0' && hex[1] != '\0'; hex += 2)
    {
      guint8 byte = (guint8) (g_ascii_xdigit_value (hex[0]) << 4 | g_ascii_xdigit_value (hex[1]));

      os_digest_update (self, &byte, 1);
    }
}

char *
os_digest_end (OsDigest *self)
{
  guint8 bytes[MAX_BYTES];
  GString *hex = g_string_new (NULL);

  gnutls_hash_output (self->hash, bytes);
  for (guint i = 0; i < gnutls_hash_get_len (self->algorithm); i++)
    g_string_append_printf (hex, "%02x", bytes[i]);
  return g_string_free (hex, FALSE);
}
