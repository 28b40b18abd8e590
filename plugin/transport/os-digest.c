/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gnutls/crypto.h>
#include <string.h>

#include "transport/os-digest.h"

#define MAX_BYTES 32
/* What comes in smaller pieces is collected first. */
#define CHUNK_SIZE ((gsize) 256 * 1024)
/* Who moves the data waits when so many are to be summed up. */
#define MAX_CHUNKS 4

struct _OsDigest
{
  gnutls_digest_algorithm_t algorithm;
  gnutls_hash_hd_t          hash;   /* (owned): the thread's, while it has chunks */
  GByteArray               *chunk;  /* (owned) is being filled */
  GThread                  *thread; /* (owned) (nullable) from the first full chunk on */

  GMutex                    lock;   /* what follows is the thread's, too */
  GCond                     change; /* of that */
  GQueue                    chunks; /* (owned) of GBytes; the first is being summed up */
  gboolean                  is_over;
};

static void
sum_up (OsDigest *self,
        GBytes   *chunk)
{
  gsize size;
  const void *data = g_bytes_get_data (chunk, &size);

  gnutls_hash (self->hash, data, size);
}

static gpointer
sum_up_thread (gpointer user_data)
{
  OsDigest *self = user_data;
  g_autoptr(GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  while (TRUE)
    {
      while (self->chunks.length == 0 && !self->is_over)
        g_cond_wait (&self->change, &self->lock);
      if (self->chunks.length == 0)
        return NULL;
      g_mutex_unlock (&self->lock);
      sum_up (self, g_queue_peek_head (&self->chunks));
      g_mutex_lock (&self->lock);
      g_bytes_unref (g_queue_pop_head (&self->chunks));
      g_cond_signal (&self->change);
    }
}

/* Waits until the thread has fewer. */
static void
await_chunks (OsDigest *self,
              guint     most)
{
  while (self->chunks.length > most)
    g_cond_wait (&self->change, &self->lock);
}

static void
hand_over (OsDigest *self,
           GBytes   *chunk)
{
  g_autoptr(GMutexLocker) locker = NULL;

  if (self->thread == NULL)
    self->thread = g_thread_try_new ("checksum", sum_up_thread, self, NULL);
  if (self->thread == NULL)
    {
      sum_up (self, chunk);
      return;
    }
  locker = g_mutex_locker_new (&self->lock);
  await_chunks (self, MAX_CHUNKS - 1);
  g_queue_push_tail (&self->chunks, g_bytes_ref (chunk));
  g_cond_signal (&self->change);
}

static void
hand_over_chunk (OsDigest *self)
{
  g_autoptr(GBytes) chunk = g_byte_array_free_to_bytes (self->chunk);

  self->chunk = g_byte_array_new ();
  hand_over (self, chunk);
}

static void
end_thread (OsDigest *self)
{
  g_mutex_lock (&self->lock);
  self->is_over = TRUE;
  g_cond_signal (&self->change);
  g_mutex_unlock (&self->lock);
  g_thread_join (self->thread);
}

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
  self->chunk = g_byte_array_new ();
  g_mutex_init (&self->lock);
  g_cond_init (&self->change);
  g_queue_init (&self->chunks);
  return self;
}

void
os_digest_free (OsDigest *self)
{
  if (self->thread != NULL)
    end_thread (self);
  g_cond_clear (&self->change);
  g_mutex_clear (&self->lock);
  g_byte_array_unref (self->chunk);
  gnutls_hash_deinit (self->hash, NULL);
  g_free (self);
}

void
os_digest_update (OsDigest   *self,
                  const void *data,
                  gsize       size)
{
  const guint8 *bytes = data;

  while (size > 0)
    {
      gsize piece = MIN (size, CHUNK_SIZE - self->chunk->len);

      g_byte_array_append (self->chunk, bytes, (guint) piece);
      bytes += piece;
      size -= piece;
      if (self->chunk->len == CHUNK_SIZE)
        hand_over_chunk (self);
    }
}

void
os_digest_update_bytes (OsDigest *self,
                        GBytes   *bytes)
{
  if (self->chunk->len > 0)
    hand_over_chunk (self);
  hand_over (self, bytes);
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

  g_mutex_lock (&self->lock);
  await_chunks (self, 0);
  g_mutex_unlock (&self->lock);
  gnutls_hash (self->hash, self->chunk->data, self->chunk->len);
  g_byte_array_set_size (self->chunk, 0);
  gnutls_hash_output (self->hash, bytes);
  for (guint i = 0; i < gnutls_hash_get_len (self->algorithm); i++)
    g_string_append_printf (hex, "%02x", bytes[i]);
  return g_string_free (hex, FALSE);
}
