/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include "base/flow.h"
#include "transport/os-spool.h"
#include "values/welkin-error.h"

#define BLOCK_SIZE (64 * 1024)
#define MAX_IN_MEMORY (1024 * 1024)

typedef struct
{
  GInputStream  *source;   /* (owned) */
  goffset        length;
  goffset        done;
  GChecksum     *checksum; /* (owned) */
  GFileIOStream *file;     /* (owned) (nullable) for long ones */
  GOutputStream *output;   /* (owned) */
  GBytes        *block;    /* (owned) (nullable) that is being written */
} Spool;

static void
spool_free (Spool *self)
{
  g_object_unref (self->source);
  g_checksum_free (self->checksum);
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
  g_clear_object (&self->stream);
  g_clear_object (&self->file);
  g_free (self->md5);
  g_free (self);
}

static gboolean
open_output (Spool   *self,
             GError **error)
{
  g_autoptr(GFile) file = NULL;

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
static gboolean
take_stream (Spool    *self,
             OsSpool  *spool,
             GError  **error)
{
  GInputStream *input;

  if (self->file == NULL)
    {
      g_autoptr(GBytes) bytes = NULL;

      if (!g_output_stream_close (self->output, NULL, error))
        return FALSE;
      bytes = g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (self->output));
      spool->stream = g_memory_input_stream_new_from_bytes (bytes);
      return TRUE;
    }
  if (!g_seekable_seek (G_SEEKABLE (self->file), 0, G_SEEK_SET, NULL, error))
    return FALSE;
  input = g_io_stream_get_input_stream (G_IO_STREAM (self->file));
  spool->stream = g_object_ref (input);
  spool->file = g_object_ref (G_IO_STREAM (self->file));
  return TRUE;
}

static gboolean
take_block (Spool    *self,
            GBytes   *block,
            GError  **error)
{
  gsize size = block != NULL ? g_bytes_get_size (block) : 0;

  if (block == NULL)
    return FALSE;
  if (size == 0)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
                   _("the data end after %" G_GOFFSET_FORMAT " of %" G_GOFFSET_FORMAT " bytes"),
                   self->done, self->length);
      return FALSE;
    }
  g_clear_pointer (&self->block, g_bytes_unref);
  self->block = g_bytes_ref (block);
  g_checksum_update (self->checksum, g_bytes_get_data (block, NULL), size);
  self->done += size;
  return TRUE;
}

static void
spool_run (WkFlow *flow,
           gpointer user_data)
{
  Spool *self = user_data;
  g_autoptr(GBytes) block = NULL;
  g_autoptr(OsSpool) spool = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (!open_output (self, &error))
    WK_FAIL (flow, &error, NULL);
  while (self->done < self->length)
    {
      WK_AWAIT (flow, g_input_stream_read_bytes_async (self->source,
                                                       MIN (BLOCK_SIZE, self->length - self->done),
                                                       G_PRIORITY_DEFAULT, WK_RESUME (flow)));
      block = g_input_stream_read_bytes_finish (self->source, WK_RESULT (flow), &error);
      if (!take_block (self, block, &error))
        WK_FAIL (flow, &error, NULL);
      WK_AWAIT (flow, g_output_stream_write_all_async (self->output,
                                                       g_bytes_get_data (self->block, NULL),
                                                       g_bytes_get_size (self->block),
                                                       G_PRIORITY_DEFAULT, WK_RESUME (flow)));
      if (!g_output_stream_write_all_finish (self->output, WK_RESULT (flow), NULL, &error))
        WK_FAIL (flow, &error, NULL);
    }

  spool = g_new0 (OsSpool, 1);
  spool->md5 = g_strdup (g_checksum_get_string (self->checksum));
  if (!take_stream (self, spool, &error))
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_pointer (flow, g_steal_pointer (&spool), (GDestroyNotify) os_spool_free);

  WK_FLOW_END (flow);
}

void
os_spool_read_async (GInputStream        *stream,
                     goffset              length,
                     GCancellable        *cancellable,
                     GAsyncReadyCallback  callback,
                     gpointer             user_data)
{
  Spool *spool = g_new0 (Spool, 1);

  spool->source = g_object_ref (stream);
  spool->length = length;
  spool->checksum = g_checksum_new (G_CHECKSUM_MD5);
  wk_flow_start (NULL, cancellable, callback, user_data, os_spool_read_async, spool_run, spool,
                 (GDestroyNotify) spool_free);
}

OsSpool *
os_spool_read_finish (GAsyncResult  *result,
                      GError       **error)
{
  return wk_flow_finish_pointer (result, NULL, os_spool_read_async, error);
}
