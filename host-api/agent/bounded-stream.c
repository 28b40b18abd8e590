/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "agent/bounded-stream.h"

struct _BoundedStream
{
  GInputStream  parent_instance;

  GIOStream    *base;  /* (owned) */
  GInputStream *input; /* of base, pollable */
  gsize         left;  /* bytes that may still come */
};

static void bounded_stream_pollable_init (GPollableInputStreamInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (BoundedStream, bounded_stream, G_TYPE_INPUT_STREAM,
                               G_IMPLEMENT_INTERFACE (G_TYPE_POLLABLE_INPUT_STREAM,
                                                      bounded_stream_pollable_init))

static gssize
count (BoundedStream *self,
       gssize         length)
{
  if (length > 0)
    self->left -= (gsize) length;
  return length;
}

static gssize
bounded_stream_read (GInputStream *stream,
                     void         *buffer,
                     gsize         size,
                     GCancellable *cancellable,
                     GError      **error)
{
  BoundedStream *self = BOUNDED_STREAM (stream);

  if (self->left == 0)
    return 0;
  return count (self, g_input_stream_read (self->input, buffer, MIN (size, self->left),
                                           cancellable, error));
}

static gboolean
bounded_stream_close (GInputStream *stream,
                      GCancellable *cancellable,
                      GError      **error)
{
  return g_input_stream_close (BOUNDED_STREAM (stream)->input, cancellable, error);
}

static gboolean
bounded_stream_is_readable (GPollableInputStream *stream)
{
  BoundedStream *self = BOUNDED_STREAM (stream);

  return self->left == 0 ||
         g_pollable_input_stream_is_readable (G_POLLABLE_INPUT_STREAM (self->input));
}

static GSource *
bounded_stream_create_source (GPollableInputStream *stream,
                              GCancellable         *cancellable)
{
  BoundedStream *self = BOUNDED_STREAM (stream);
  g_autoptr(GSource) child = NULL;

  if (self->left == 0)
    child = g_timeout_source_new (0);
  else
    child = g_pollable_input_stream_create_source (G_POLLABLE_INPUT_STREAM (self->input), NULL);
  return g_pollable_source_new_full (stream, child, cancellable);
}

static gssize
bounded_stream_read_nonblocking (GPollableInputStream *stream,
                                 void                 *buffer,
                                 gsize                 size,
                                 GError              **error)
{
  BoundedStream *self = BOUNDED_STREAM (stream);

  if (self->left == 0)
    return 0;
  return count (self, g_pollable_input_stream_read_nonblocking (
                        G_POLLABLE_INPUT_STREAM (self->input), buffer, MIN (size, self->left),
                        NULL, error));
}

GInputStream *
bounded_stream_new (GIOStream *base,
                    gsize      max_bytes)
{
  BoundedStream *self = g_object_new (BOUNDED_TYPE_STREAM, NULL);

  self->base = g_object_ref (base);
  self->input = g_io_stream_get_input_stream (base);
  self->left = max_bytes;
  return G_INPUT_STREAM (self);
}

static void
bounded_stream_finalize (GObject *object)
{
  g_object_unref (BOUNDED_STREAM (object)->base);
  G_OBJECT_CLASS (bounded_stream_parent_class)->finalize (object);
}

static void
bounded_stream_pollable_init (GPollableInputStreamInterface *iface)
{
  iface->is_readable = bounded_stream_is_readable;
  iface->create_source = bounded_stream_create_source;
  iface->read_nonblocking = bounded_stream_read_nonblocking;
}

static void
bounded_stream_class_init (BoundedStreamClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = bounded_stream_finalize;
  G_INPUT_STREAM_CLASS (klass)->read_fn = bounded_stream_read;
  G_INPUT_STREAM_CLASS (klass)->close_fn = bounded_stream_close;
}

static void
bounded_stream_init (BoundedStream *self)
{
}
