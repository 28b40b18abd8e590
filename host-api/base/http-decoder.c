/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/http-private.h"
#include "values/welkin-error.h"

/*
 * Bodies that come compressed. libsoup 3.2 would decompress them, but takes the end of the
 * connection for the end of the body, however much of it is missing.
 */

#define BUFFER_SIZE ((gsize) 32 * 1024)

struct _WkHttpDecoder
{
  GConverter *converter; /* (owned) */
  char       *buffer;    /* (owned) */
  gboolean    is_within; /* something has begun that has not ended yet */
};

WkHttpDecoder *
wk_http_decoder_new (const char *encoding)
{
  GZlibCompressorFormat format = G_ZLIB_COMPRESSOR_FORMAT_GZIP;
  WkHttpDecoder *self;

  if (encoding == NULL)
    return NULL;
  if (g_ascii_strcasecmp (encoding, "deflate") == 0)
    format = G_ZLIB_COMPRESSOR_FORMAT_ZLIB;
  else if (g_ascii_strcasecmp (encoding, "gzip") != 0
           && g_ascii_strcasecmp (encoding, "x-gzip") != 0)
    return NULL;

  self = g_new0 (WkHttpDecoder, 1);
  self->converter = G_CONVERTER (g_zlib_decompressor_new (format));
  self->buffer = g_malloc (BUFFER_SIZE);
  return self;
}

void
wk_http_decoder_free (WkHttpDecoder *self)
{
  g_object_unref (self->converter);
  g_free (self->buffer);
  g_free (self);
}

gboolean
wk_http_decoder_feed (WkHttpDecoder *self,
                      const char    *data,
                      gsize          length,
                      WkHttpSink     sink,
                      gpointer       sink_data,
                      GError       **error)
{
  gsize n_written;

  do
    {
      g_autoptr(GError) local_error = NULL;
      gsize n_read = 0;
      GConverterResult result;

      self->is_within = self->is_within || length > 0;
      n_written = 0;
      result = g_converter_convert (self->converter, data, length, self->buffer, BUFFER_SIZE,
                                    G_CONVERTER_NO_FLAGS, &n_read, &n_written, &local_error);
      if (g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT))
        return TRUE;
      if (result == G_CONVERTER_ERROR)
        {
          g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
                       _("the answer could not be decompressed: %s"), local_error->message);
          return FALSE;
        }
      data += n_read;
      length -= n_read;
      /* What follows is one more of its kind. */
      if (result == G_CONVERTER_FINISHED)
        {
          self->is_within = FALSE;
          g_converter_reset (self->converter);
        }
      if (n_written > 0 && !sink (sink_data, self->buffer, n_written, error))
        return FALSE;
    }
  while (length > 0 || n_written == BUFFER_SIZE);
  return TRUE;
}

gboolean
wk_http_decoder_is_whole (WkHttpDecoder *self)
{
  return !self->is_within;
}
