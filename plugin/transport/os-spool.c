/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "base/flow.h"
#include "transport/os-digest.h"
#include "transport/os-spool.h"
#include "values/welkin-error.h"

#define BLOCK_SIZE (256 * 1024)
#define MAX_IN_MEMORY (1024 * 1024)

typedef struct
{
  /* inputs */
  GInputStream  *source; /* (owned) */
  goffset        length;

  /* while running */
  goffset        begin;  /* where the source stood */
  goffset        done;
  OsDigest      *md5;    /* (owned) (nullable) */
  OsDigest      *sha256; /* (owned) (nullable) */
  GFileIOStream *file;   /* (owned) (nullable) for what is long */
  GOutputStream *output; /* (owned) (nullable) for what cannot go back */
  GBytes        *block;  /* (owned) (nullable) the last */
} Spool;

static void
spool_free (Spool *self)
{
  g_object_unref (self->source);
  g_clear_pointer (&self->md5, os_digest_free);
  g_clear_pointer (&self->sha256, os_digest_free);
  g_clear_object (&self->output);
  g_clear_object (&self->file);
  g_clear_pointer (&self->block, g_bytes_unref);
  g_free (self);
}

void
os_spool_free (OsSpool *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->body, os_body_unref);
  g_clear_object (&self->file);
  g_free (self->md5);
  g_free (self->sha256);
  g_free (self);
}

gboolean
os_spool_can_go_back (GInputStream *stream)
{
  return G_IS_SEEKABLE (stream) && g_seekable_can_seek (G_SEEKABLE (stream));
}

static gboolean
open_output (Spool   *self,
             GError **error)
{
  g_autoptr(GFile) file = NULL;

  if (os_spool_can_go_back (self->source))
    {
      self->begin = g_seekable_tell (G_SEEKABLE (self->source));
      return TRUE;
    }
  if (self->length <= MAX_IN_MEMORY)
    {
      self->output = g_memory_output_stream_new_resizable ();
      return TRUE;
    }
  file = g_file_new_tmp ("welkin-XXXXXX", &self->file, error);
  if (file == NULL)
    return FALSE;
  g_unlink (g_file_peek_path (file));
  self->output = g_object_ref (g_io_stream_get_output_stream (G_IO_STREAM (self->file)));
  return TRUE;
}

/* A file's stream goes with the file, which must therefore live as long; but a reference from the
 * stream to the file would keep both, and the descriptor, for ever. */
static OsBody *
make_body (Spool       *self,
           const char  *md5,
           GError     **error)
{
  g_autoptr(GInputStream) input = NULL;
  goffset begin = 0;

  if (self->output == NULL)
    {
      input = g_object_ref (self->source);
      begin = self->begin;
    }
  else if (self->file != NULL)
    input = g_object_ref (g_io_stream_get_input_stream (G_IO_STREAM (self->file)));
  else
    {
      g_autoptr(GBytes) bytes = NULL;

      if (!g_output_stream_close (self->output, NULL, error))
        return NULL;
      bytes = g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (self->output));
      input = g_memory_input_stream_new_from_bytes (bytes);
    }
  if (!g_seekable_seek (G_SEEKABLE (input), begin, G_SEEK_SET, NULL, error))
    return NULL;
  return os_body_new (input, self->length, md5);
}

static OsSpool *
make_spool (Spool   *self,
            GError **error)
{
  g_autofree char *md5 = self->md5 != NULL ? os_digest_end (self->md5) : NULL;
  OsBody *body = make_body (self, md5, error);
  OsSpool *spool;

  if (body == NULL)
    return NULL;
  spool = g_new0 (OsSpool, 1);
  spool->body = body;
  if (self->file != NULL)
    spool->file = g_object_ref (G_IO_STREAM (self->file));
  spool->md5 = g_steal_pointer (&md5);
  if (self->sha256 != NULL)
    spool->sha256 = os_digest_end (self->sha256);
  return spool;
}

/* block: NULL when there is an error already */
static gboolean
take_block (Spool    *self,
            GBytes   *block,
            GError  **error)
{
  gsize size;
  const guint8 *data;

  if (block == NULL)
    return FALSE;
  data = g_bytes_get_data (block, &size);
  if (size == 0)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
                   _("the data end after %" G_GOFFSET_FORMAT " of %" G_GOFFSET_FORMAT " bytes"),
                   self->done, self->length);
      return FALSE;
    }
  g_clear_pointer (&self->block, g_bytes_unref);
  self->block = g_bytes_ref (block);
  if (self->md5 != NULL)
    os_digest_update (self->md5, data, size);
  if (self->sha256 != NULL)
    os_digest_update (self->sha256, data, size);
  self->done += (goffset) size;
  return TRUE;
}

static void
spool_run (WkFlow *flow,
           gpointer user_data)
{
  Spool *self = user_data;
  g_autoptr(GBytes) block = NULL;
  g_autoptr(GError) error = NULL;
  OsSpool *spool;

  WK_FLOW_BEGIN (flow);

  if (!open_output (self, &error))
    WK_FAIL (flow, &error, _("Cannot keep the data in a temporary file"));
  while (self->done < self->length)
    {
      WK_AWAIT (flow, g_input_stream_read_bytes_async (self->source,
                                                       MIN (BLOCK_SIZE, self->length - self->done),
                                                       G_PRIORITY_DEFAULT, WK_RESUME (flow)));
      block = g_input_stream_read_bytes_finish (self->source, WK_RESULT (flow), &error);
      if (!take_block (self, block, &error))
        WK_FAIL (flow, &error, NULL);
      if (self->output == NULL)
        continue;
      WK_AWAIT (flow, g_output_stream_write_all_async (self->output,
                                                       g_bytes_get_data (self->block, NULL),
                                                       g_bytes_get_size (self->block),
                                                       G_PRIORITY_DEFAULT, WK_RESUME (flow)));
      if (!g_output_stream_write_all_finish (self->output, WK_RESULT (flow), NULL, &error))
        WK_FAIL (flow, &error, _("Cannot keep the data in a temporary file"));
    }

  spool = make_spool (self, &error);
  if (spool == NULL)
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_pointer (flow, spool, (GDestroyNotify) os_spool_free);

  WK_FLOW_END (flow);
}

void
os_spool_read_async (GInputStream        *stream,
                     goffset              length,
                     OsSpoolDigests       digests,
                     GCancellable        *cancellable,
                     GAsyncReadyCallback  callback,
                     gpointer             user_data)
{
  Spool *spool = g_new0 (Spool, 1);

  spool->source = g_object_ref (stream);
  spool->length = length;
  if ((digests & OS_SPOOL_MD5) != 0)
    spool->md5 = os_digest_new (OS_DIGEST_MD5);
  if ((digests & OS_SPOOL_SHA256) != 0)
    spool->sha256 = os_digest_new (OS_DIGEST_SHA256);
  wk_flow_start (NULL, cancellable, callback, user_data, os_spool_read_async, spool_run, spool,
                 (GDestroyNotify) spool_free);
}

OsSpool *
os_spool_read_finish (GAsyncResult  *result,
                      GError       **error)
{
  return wk_flow_finish_pointer (result, NULL, os_spool_read_async, error);
}
