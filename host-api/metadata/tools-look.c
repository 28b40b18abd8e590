/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "metadata/tools-look.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#define BLOCK_SIZE ((gsize) 64 * 1024)
/* Machines unpack no more than this. */
#define MAX_BYTES ((guint64) 1024 * 1024 * 1024)

/* The header of the first file in a tar, and what stands in it. */
#define TAR_HEADER_SIZE 512
#define TAR_MAGIC "ustar"
#define TAR_MAGIC_OFFSET 257

struct _WelkinToolsLook
{
  GConverter *gzip;                     /* (owned) */
  char       *block;                    /* (owned) what comes out of it, which is not kept */
  char        header[TAR_HEADER_SIZE];  /* the beginning of that */
  guint64     n_in;
  guint64     n_out;
  gboolean    is_whole;
  const char *complaint;                /* (nullable) */
};

WelkinToolsLook *
welkin_tools_look_new (void)
{
  WelkinToolsLook *self = g_new0 (WelkinToolsLook, 1);

  self->gzip = G_CONVERTER (g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP));
  self->block = g_malloc (BLOCK_SIZE);
  return self;
}

void
welkin_tools_look_free (WelkinToolsLook *self)
{
  g_free (self->block);
  g_object_unref (self->gzip);
  g_free (self);
}

static void
take_output (WelkinToolsLook *self,
             gsize            length)
{
  if (self->n_out < TAR_HEADER_SIZE)
    memcpy (self->header + self->n_out, self->block, MIN (length, TAR_HEADER_SIZE - self->n_out));
  self->n_out += length;
  if (self->n_out > MAX_BYTES)
    self->complaint = _("it unpacks to more than 1 GiB");
}

/* FALSE when more must come, or when there is no need of more. */
static gboolean
convert (WelkinToolsLook *self,
         const char     **data,
         gsize           *length)
{
  gsize n_read = 0;
  gsize n_written = 0;
  g_autoptr(GError) error = NULL;
  GConverterResult result;

  if (self->is_whole || self->complaint != NULL)
    return FALSE;
  result = g_converter_convert (self->gzip, *data, *length, self->block, BLOCK_SIZE,
                                G_CONVERTER_NO_FLAGS, &n_read, &n_written, &error);
  if (result == G_CONVERTER_ERROR)
    {
      if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT))
        self->complaint = _("it is not compressed by gzip, or is damaged");
      return FALSE;
    }
  self->is_whole = result == G_CONVERTER_FINISHED;
  take_output (self, n_written);
  *data += n_read;
  *length -= n_read;
  return TRUE;
}

void
welkin_tools_look_feed (WelkinToolsLook *self,
                        const char      *data,
                        gsize            length)
{
  self->n_in += length;
  while (convert (self, &data, &length))
    continue;
}

const char *
welkin_tools_look_finish (WelkinToolsLook *self)
{
  if (self->n_in == 0)
    return _("it is empty");
  if (self->complaint != NULL)
    return self->complaint;
  if (!self->is_whole)
    return _("it is cut off");
  if (self->n_out < TAR_HEADER_SIZE
      || memcmp (self->header + TAR_MAGIC_OFFSET, TAR_MAGIC, strlen (TAR_MAGIC)) != 0)
    return _("it holds no tar");
  return NULL;
}
