/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "odd-stream.h"

struct _OddStream
{
  GInputStream parent;

  goffset  length;
  gboolean is_one_way;
  OddFlaw  flaw;
  goffset  flaw_offset; /* length: it has none */
  int      n_readers;

  GMutex   lock;
  goffset  position;
};

static void odd_stream_seekable_init (GSeekableIface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (OddStream, odd_stream, G_TYPE_INPUT_STREAM,
                               G_IMPLEMENT_INTERFACE (G_TYPE_SEEKABLE, odd_stream_seekable_init))

static void
fill (guint8  *data,
      goffset  offset,
      gsize    length)
{
  for (gsize i = 0; i < length; i++)
    {
      guint64 place = (guint64) offset + i;

      data[i] = (guint8) (place * 7 + place / 251 + place / 65521);
    }
}

/* FALSE when it fails, or ends, here. */
static gboolean
go_past_flaw (OddStream  *self,
              GError    **error)
{
  if (self->flaw == ODD_STREAM_ENDS)
    return FALSE;
  if (self->flaw == ODD_STREAM_FAILS)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, "the disk is broken");
      return FALSE;
    }
  self->flaw_offset = MIN (2 * self->flaw_offset, self->length);
  g_usleep (ODD_STREAM_STALL_MS * 1000);
  return TRUE;
}

static gssize
odd_stream_read (GInputStream  *stream,
                 void          *buffer,
                 gsize          count,
                 GCancellable  *cancellable,
                 GError       **error)
{
  OddStream *self = ODD_STREAM (stream);
  goffset position = odd_stream_get_position (self);
  goffset end;
  GError *failure = NULL;

  g_assert_cmpint (g_atomic_int_add (&self->n_readers, 1), ==, 0);
  if (position == self->flaw_offset && position < self->length && !go_past_flaw (self, &failure))
    end = position;
  else
    end = position < self->flaw_offset ? self->flaw_offset : self->length;
  count = MIN (count, (gsize) (end - position));
  fill (buffer, position, count);
  g_mutex_lock (&self->lock);
  self->position += (goffset) count;
  g_mutex_unlock (&self->lock);
  g_atomic_int_add (&self->n_readers, -1);
  if (failure == NULL)
    return (gssize) count;
  g_propagate_error (error, failure);
  return -1;
}

static goffset
odd_stream_tell (GSeekable *seekable)
{
  return odd_stream_get_position (ODD_STREAM (seekable));
}

static gboolean
odd_stream_can_seek (GSeekable *seekable)
{
  return !ODD_STREAM (seekable)->is_one_way;
}

static gboolean
odd_stream_seek (GSeekable     *seekable,
                 goffset        offset,
                 GSeekType      type,
                 GCancellable  *cancellable,
                 GError       **error)
{
  OddStream *self = ODD_STREAM (seekable);

  g_assert_false (self->is_one_way);
  g_assert_cmpint (type, ==, G_SEEK_SET);
  g_assert_cmpint (offset, <=, self->length);
  g_mutex_lock (&self->lock);
  self->position = offset;
  g_mutex_unlock (&self->lock);
  return TRUE;
}

static gboolean
odd_stream_can_truncate (GSeekable *seekable)
{
  return FALSE;
}

static void
odd_stream_seekable_init (GSeekableIface *iface)
{
  iface->tell = odd_stream_tell;
  iface->can_seek = odd_stream_can_seek;
  iface->seek = odd_stream_seek;
  iface->can_truncate = odd_stream_can_truncate;
}

OddStream *
odd_stream_new (goffset length)
{
  OddStream *self = g_object_new (ODD_TYPE_STREAM, NULL);

  self->length = length;
  self->flaw_offset = length;
  return self;
}

void
odd_stream_set_one_way (OddStream *self)
{
  self->is_one_way = TRUE;
}

void
odd_stream_set_flaw (OddStream *self,
                     OddFlaw    flaw,
                     goffset    offset)
{
  self->flaw = flaw;
  self->flaw_offset = offset;
}

goffset
odd_stream_get_position (OddStream *self)
{
  goffset position;

  g_mutex_lock (&self->lock);
  position = self->position;
  g_mutex_unlock (&self->lock);
  return position;
}

GBytes *
odd_stream_make_bytes (goffset offset,
                       gsize   length)
{
  guint8 *data = g_malloc (length);

  fill (data, offset, length);
  return g_bytes_new_take (data, length);
}

static void
odd_stream_finalize (GObject *object)
{
  g_mutex_clear (&ODD_STREAM (object)->lock);

  G_OBJECT_CLASS (odd_stream_parent_class)->finalize (object);
}

static void
odd_stream_class_init (OddStreamClass *class)
{
  G_OBJECT_CLASS (class)->finalize = odd_stream_finalize;
  G_INPUT_STREAM_CLASS (class)->read_fn = odd_stream_read;
}

static void
odd_stream_init (OddStream *self)
{
  g_mutex_init (&self->lock);
}
