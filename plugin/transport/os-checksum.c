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
  GFilterInputStream parent;

  GArray   *parts;     /* (owned) (nullable) of Part */
  char     *etag;      /* (owned) (nullable) without parts: of their MD5s */
  goffset   part_size; /* with an etag */
  OsDigest *digests;   /* (owned) of the MD5s so far */

  guint     next;      /* the part that is on its way */
  goffset   done;      /* bytes of it */
  OsDigest *digest;    /* (owned) of these */
  gboolean  is_over;   /* there are no more */
};

G_DEFINE_FINAL_TYPE (OsChecksum, os_checksum, G_TYPE_FILTER_INPUT_STREAM)

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

gboolean
os_checksum_check_told (const char  *etag,
                        GError     **error)
{
  if (etag != NULL)
    return TRUE;
  g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
                       _("the answer tells no checksum: something else than the object store may "
                         "have given it"));
  return FALSE;
}

gboolean
os_checksum_check_stored (const char  *etag,
                          const char  *md5,
                          GError     **error)
{
  return os_checksum_check_told (etag, error) && check_md5 (etag, md5, error);
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

static gssize
check (OsChecksum  *self,
       const void  *data,
       gssize       size,
       GError     **error)
{
  if (size > 0 && !take (self, data, (gsize) size, error))
    return -1;
  if (size == 0 && !self->is_over)
    {
      self->is_over = TRUE;
      if (!end (self, error))
        return -1;
    }
  return size;
}

static gssize
os_checksum_read (GInputStream  *stream,
                  void          *buffer,
                  gsize          count,
                  GCancellable  *cancellable,
                  GError       **error)
{
  GInputStream *base = g_filter_input_stream_get_base_stream (G_FILTER_INPUT_STREAM (stream));
  gssize size = g_input_stream_read (base, buffer, count, cancellable, error);

  return check (OS_CHECKSUM (stream), buffer, size, error);
}

static void
read_cb (GObject      *source,
         GAsyncResult *result,
         gpointer      user_data)
{
  g_autoptr(GTask) task = user_data;
  GError *error = NULL;
  gssize size = g_input_stream_read_finish (G_INPUT_STREAM (source), result, &error);

  size = check (g_task_get_source_object (task), g_task_get_task_data (task), size, &error);
  if (size < 0)
    g_task_return_error (task, error);
  else
    g_task_return_int (task, size);
}

static void
os_checksum_read_async (GInputStream        *stream,
                        void                *buffer,
                        gsize                count,
                        int                  io_priority,
                        GCancellable        *cancellable,
                        GAsyncReadyCallback  callback,
                        gpointer             user_data)
{
  GInputStream *base = g_filter_input_stream_get_base_stream (G_FILTER_INPUT_STREAM (stream));
  GTask *task = g_task_new (stream, cancellable, callback, user_data);

  g_task_set_source_tag (task, os_checksum_read_async);
  g_task_set_task_data (task, buffer, NULL);
  g_input_stream_read_async (base, buffer, count, io_priority, cancellable, read_cb, task);
}

static gssize
os_checksum_read_finish (GInputStream  *stream,
                         GAsyncResult  *result,
                         GError       **error)
{
  return g_task_propagate_int (G_TASK (result), error);
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

GInputStream *
os_checksum_new_for_parts (GInputStream *stream,
                           GArray       *parts)
{
  OsChecksum *self = g_object_new (OS_TYPE_CHECKSUM, "base-stream", stream, NULL);

  self->parts = g_array_ref (parts);
  return G_INPUT_STREAM (self);
}

GInputStream *
os_checksum_new_of_parts (GInputStream *stream,
                          const char   *etag,
                          goffset       part_size)
{
  OsChecksum *self = g_object_new (OS_TYPE_CHECKSUM, "base-stream", stream, NULL);

  self->etag = g_strdup (etag);
  self->part_size = part_size;
  return G_INPUT_STREAM (self);
}

GInputStream *
os_checksum_new (GInputStream *stream,
                 const char   *md5)
{
  g_autoptr(GArray) parts = os_checksum_parts_new ();

  os_checksum_parts_add (parts, md5, -1);
  return os_checksum_new_for_parts (stream, parts);
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
  GInputStreamClass *stream_class = G_INPUT_STREAM_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = os_checksum_finalize;
  stream_class->read_fn = os_checksum_read;
  stream_class->read_async = os_checksum_read_async;
  stream_class->read_finish = os_checksum_read_finish;
}

static void
os_checksum_init (OsChecksum *self)
{
  self->digests = os_digest_new (OS_DIGEST_MD5);
  self->digest = os_digest_new (OS_DIGEST_MD5);
}
