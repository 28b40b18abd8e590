/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <gnutls/crypto.h>
#include <string.h>

#include "transport/os-digest.h"

#define MAX_BYTES 32
#define CHUNK_SIZE (256 * 1024)
/* Who moves the data waits when so many are to be summed up. */
#define N_CHUNKS 4

typedef struct
{
  gsize  size; /* 0: there are no more */
  guint8 data[CHUNK_SIZE];
} Chunk;

struct _OsDigest
{
  gnutls_digest_algorithm_t algorithm;
  gnutls_hash_hd_t          hash;      /* (owned): the thread's, while it has chunks */

  Chunk                    *chunk;     /* (owned) (nullable) is being filled */
  GThread                  *thread;    /* (owned) (nullable) from the first full chunk on */
  GAsyncQueue              *full;      /* (owned) of chunks, to the thread */
  GAsyncQueue              *empty;     /* (owned) of chunks, back from it */
};

static gpointer
sum_up (gpointer user_data)
{
  OsDigest *self = user_data;

  while (TRUE)
    {
      Chunk *chunk = g_async_queue_pop (self->full);
      gsize size = chunk->size;

      if (size > 0)
        gnutls_hash (self->hash, chunk->data, size);
      chunk->size = 0;
      g_async_queue_push (self->empty, chunk);
      if (size == 0)
        return NULL;
    }
}

static void
start_thread (OsDigest *self)
{
  self->thread = g_thread_try_new ("checksum", sum_up, self, NULL);
  for (guint i = 1; self->thread != NULL && i < N_CHUNKS; i++)
    g_async_queue_push (self->empty, g_new0 (Chunk, 1));
}

static void
hand_over_chunk (OsDigest *self)
{
  if (self->thread == NULL)
    start_thread (self);
  if (self->thread != NULL)
    g_async_queue_push (self->full, g_steal_pointer (&self->chunk));
  else
    {
      gnutls_hash (self->hash, self->chunk->data, self->chunk->size);
      self->chunk->size = 0;
    }
}

/* Waits until the thread has none. */
static void
await_chunks (OsDigest *self)
{
  Chunk *chunks[N_CHUNKS];
  guint n = 0;

  if (self->thread == NULL)
    return;
  while (n < N_CHUNKS - (self->chunk != NULL))
    chunks[n++] = g_async_queue_pop (self->empty);
  while (n > 0)
    g_async_queue_push (self->empty, chunks[--n]);
}

static void
end_thread (OsDigest *self)
{
  if (self->chunk == NULL)
    self->chunk = g_async_queue_pop (self->empty);
  self->chunk->size = 0;
  g_async_queue_push (self->full, g_steal_pointer (&self->chunk));
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
  self->full = g_async_queue_new ();
  self->empty = g_async_queue_new_full (g_free);
  return self;
}

void
os_digest_free (OsDigest *self)
{
  if (self->thread != NULL)
    end_thread (self);
  g_async_queue_unref (self->empty);
  g_async_queue_unref (self->full);
  g_free (self->chunk);
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
      gsize piece;

      if (self->chunk == NULL)
        self->chunk = self->thread != NULL ? g_async_queue_pop (self->empty) : g_new0 (Chunk, 1);
      piece = MIN (size, CHUNK_SIZE - self->chunk->size);
      memcpy (self->chunk->data + self->chunk->size, bytes, piece);
      self->chunk->size += piece;
      bytes += piece;
      size -= piece;
      if (self->chunk->size == CHUNK_SIZE)
        hand_over_chunk (self);
    }
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

  await_chunks (self);
  if (self->chunk != NULL && self->chunk->size > 0)
    gnutls_hash (self->hash, self->chunk->data, self->chunk->size);
  if (self->chunk != NULL)
    self->chunk->size = 0;
  gnutls_hash_output (self->hash, bytes);
  for (guint i = 0; i < gnutls_hash_get_len (self->algorithm); i++)
    g_string_append_printf (hex, "%02x", bytes[i]);
  return g_string_free (hex, FALSE);
}
