/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "transport/os-checksum.h"
#include "transport/os-digest.h"
#include "values/welkin-error.h"

typedef struct
{
  char    *md5;  /* (owned) */
  goffset  size; /* below 0: all that comes */
} Part;

struct _OsChecksum
{
  GObject parent;

  GArray   *parts;     /* (owned) (nullable) of Part */
  char     *etag;      /* (owned) (nullable) without parts: of their MD5s */
  goffset   part_size; /* with an etag */
  OsDigest *digests;   /* (owned) of the MD5s so far */

  guint     next;      /* the part that is on its way */
  goffset   done;      /* bytes of it */
  OsDigest *digest;    /* (owned) of these */
};

static void os_checksum_converter_init (GConverterIface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (OsChecksum, os_checksum, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_CONVERTER,
                                                      os_checksum_converter_init))

void
os_checksum_set_error (GError     **error,
                       const char  *checksum,
                       const char  *expected)
{
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
               _("the data arrived damaged: their checksum is %s, not %s"), checksum, expected);
}

/* Bytes of the part that is on its way; below 0: all that comes. FALSE when there is no such
 * part. */
static gboolean
get_part_size (OsChecksum *self,
               goffset    *size)
{
  *size = self->part_size;
  if (self->parts == NULL)
    return TRUE;
  if (self->next >= self->parts->len)
    return FALSE;
  *size = g_array_index (self->parts, Part, self->next).size;
  return TRUE;
}

static gboolean
check_md5 (const char *md5,
           const char *expected,
           GError    **error)
{
  if (g_ascii_strcasecmp (md5, expected) == 0)
    return TRUE;
  os_checksum_set_error (error, md5, expected);
  return FALSE;
}

static gboolean
end_part (OsChecksum  *self,
          GError     **error)
{
  g_autofree char *md5 = os_digest_end (self->digest);

  if (self->parts == NULL)
    os_digest_update_hex (self->digests, md5);
  else if (!check_md5 (md5, g_array_index (self->parts, Part, self->next).md5, error))
    return FALSE;
  self->next++;
  self->done = 0;
  return TRUE;
}

static gboolean
take (OsChecksum    *self,
      const guint8  *data,
      gsize          size,
      GError       **error)
{
  while (size > 0)
    {
      gsize piece = size;
      goffset part_size;

      if (!get_part_size (self, &part_size))
        {
          g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
                               _("the data arrived damaged: there are too many"));
          return FALSE;
        }
      if (part_size >= 0)
        piece = (gsize) MIN ((goffset) size, part_size - self->done);
      os_digest_update (self->digest, data, piece);
      self->done += (goffset) piece;
      data += piece;
      size -= piece;
      if (part_size == self->done && !end_part (self, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
check_etag (OsChecksum  *self,
            GError     **error)
{
  g_autofree char *digests = NULL;
  g_autofree char *etag = NULL;

  if (self->done > 0 && !end_part (self, error))
    return FALSE;
  digests = os_digest_end (self->digests);
  etag = g_strdup_printf ("%s-%u", digests, self->next);
  return check_md5 (etag, self->etag, error);
}

/* Parts that are left are of no size, or did not come. */
static gboolean
end (OsChecksum  *self,
     GError     **error)
{
  if (self->parts == NULL)
    return check_etag (self, error);
  while (self->next < self->parts->len)
    if (!end_part (self, error))
      return FALSE;
  return TRUE;
}

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
  if (!take (self, input, size, error))
    return G_CONVERTER_ERROR;
  *bytes_read = size;
  *bytes_written = size;

  if ((flags & G_CONVERTER_INPUT_AT_END) == 0 || size < input_size)
    {
      if (size > 0)
        return G_CONVERTER_CONVERTED;
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT, _("no input"));
      return G_CONVERTER_ERROR;
    }
  return end (self, error) ? G_CONVERTER_FINISHED : G_CONVERTER_ERROR;
}

static void
os_checksum_reset (GConverter *converter)
{
  OsChecksum *self = OS_CHECKSUM (converter);

  g_free (os_digest_end (self->digests));
  g_free (os_digest_end (self->digest));
  self->next = 0;
  self->done = 0;
}

static void
os_checksum_converter_init (GConverterIface *iface)
{
  iface->convert = os_checksum_convert;
  iface->reset = os_checksum_reset;
}

static void
part_clear (gpointer data)
{
  Part *part = data;

  g_free (part->md5);
}

GArray *
os_checksum_parts_new (void)
{
  GArray *parts = g_array_new (FALSE, FALSE, sizeof (Part));

  g_array_set_clear_func (parts, part_clear);
  return parts;
}

void
os_checksum_parts_add (GArray     *parts,
                       const char *md5,
                       goffset     size)
{
  Part part = { g_strdup (md5), size };

  g_array_append_val (parts, part);
}

GConverter *
os_checksum_new_for_parts (GArray *parts)
{
  OsChecksum *self = g_object_new (OS_TYPE_CHECKSUM, NULL);

  self->parts = g_array_ref (parts);
  return G_CONVERTER (self);
}

GConverter *
os_checksum_new_of_parts (const char *etag,
                          goffset     part_size)
{
  OsChecksum *self = g_object_new (OS_TYPE_CHECKSUM, NULL);

  self->etag = g_strdup (etag);
  self->part_size = part_size;
  return G_CONVERTER (self);
}

GConverter *
os_checksum_new (const char *md5)
{
  g_autoptr(GArray) parts = os_checksum_parts_new ();

  os_checksum_parts_add (parts, md5, -1);
  return os_checksum_new_for_parts (parts);
}

static void
os_checksum_finalize (GObject *object)
{
  OsChecksum *self = OS_CHECKSUM (object);

  g_clear_pointer (&self->parts, g_array_unref);
  g_free (self->etag);
  os_digest_free (self->digests);
  os_digest_free (self->digest);

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
  self->digests = os_digest_new (OS_DIGEST_MD5);
  self->digest = os_digest_new (OS_DIGEST_MD5);
}
