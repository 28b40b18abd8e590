/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "transport/os-checksum.h"
#include "values/welkin-error.h"

struct _OsChecksum
{
  GObject parent;

  char      *md5;
  GChecksum *checksum; /* (owned) of what went through so far */
};

static void os_checksum_converter_init (GConverterIface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (OsChecksum, os_checksum, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_CONVERTER,
                                                      os_checksum_converter_init))

static GConverterResult
os_checksum_convert (GConverter       *converter,
                     const void       *input,
                     gsize             input_size,
                     void             *output,
                     gsize             output_size,
                     GConverterFlags   flags,
                     gsize            *bytes_read,
                     gsize            *bytes_written,
                     GError          **error)
{
  OsChecksum *self = OS_CHECKSUM (converter);
  gsize size = MIN (input_size, output_size);

  if (size == 0 && input_size > 0)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE, _("no room for the output"));
      return G_CONVERTER_ERROR;
    }
  if (size > 0)
    memcpy (output, input, size);
  g_checksum_update (self->checksum, input, size);
  *bytes_read = size;
  *bytes_written = size;

  if ((flags & G_CONVERTER_INPUT_AT_END) == 0 || size < input_size)
    {
      if (size > 0)
        return G_CONVERTER_CONVERTED;
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT, _("no input"));
      return G_CONVERTER_ERROR;
    }
  if (g_ascii_strcasecmp (g_checksum_get_string (self->checksum), self->md5) == 0)
    return G_CONVERTER_FINISHED;
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
               _("the data arrived damaged: their checksum is %s, not %s"),
               g_checksum_get_string (self->checksum), self->md5);
  return G_CONVERTER_ERROR;
}

static void
os_checksum_reset (GConverter *converter)
{
  OsChecksum *self = OS_CHECKSUM (converter);

  g_checksum_reset (self->checksum);
}

static void
os_checksum_converter_init (GConverterIface *iface)
{
  iface->convert = os_checksum_convert;
  iface->reset = os_checksum_reset;
}

GConverter *
os_checksum_new (const char *md5)
{
  OsChecksum *self = g_object_new (OS_TYPE_CHECKSUM, NULL);

  self->md5 = g_strdup (md5);
  return G_CONVERTER (self);
}

static void
os_checksum_finalize (GObject *object)
{
  OsChecksum *self = OS_CHECKSUM (object);

  g_free (self->md5);
  g_checksum_free (self->checksum);

  G_OBJECT_CLASS (os_checksum_parent_class)->finalize (object);
}

static void
os_checksum_class_init (OsChecksumClass *class)
{
  G_OBJECT_CLASS (class)->finalize = os_checksum_finalize;
}

static void
os_checksum_init (OsChecksum *self)
{
  self->checksum = g_checksum_new (G_CHECKSUM_MD5);
}
