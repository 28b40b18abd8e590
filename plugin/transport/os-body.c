/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "transport/os-body.h"

/* libsoup asks for 8 KiB at a time: the source, whose every read costs a change of threads when it
 * is a file, is asked for more. */
#define BLOCK_SIZE (256 * 1024)

struct _OsBody
{
  grefcount     references;
  GInputStream *source;   /* (owned) seekable */
  goffset       begin;
  goffset       length;
  GChecksum    *checksum; /* (owned) of what went out so far */
  goffset       done;
};

#define OS_TYPE_BODY_STREAM (os_body_stream_get_type ())
G_DECLARE_FINAL_TYPE (OsBodyStream, os_body_stream, OS, BODY_STREAM, GInputStream)

struct _OsBodyStream
{
  GInputStream parent;

  OsBody *body;   /* (owned) */
  guint8 *block;  /* (owned) */
  gsize   begin;  /* of what is left of the block */
  gsize   end;

  /* a read that waits for the next block */
  GTask  *task;   /* (owned) (nullable) */
  guint8 *buffer; /* of whoever reads */
  gsize   count;
};

G_DEFINE_FINAL_TYPE (OsBodyStream, os_body_stream, G_TYPE_INPUT_STREAM)

OsBody *
os_body_new (GInputStream *stream,
             goffset       length)
{
  OsBody *self = g_new0 (OsBody, 1);

  g_ref_count_init (&self->references);
  self->source = g_object_ref (stream);
  self->begin = g_seekable_tell (G_SEEKABLE (stream));
  self->length = length;
  self->checksum = g_checksum_new (G_CHECKSUM_MD5);
  return self;
}

OsBody *
os_body_ref (OsBody *self)
{
  g_ref_count_inc (&self->references);
  return self;
}

void
os_body_unref (OsBody *self)
{
  if (!g_ref_count_dec (&self->references))
    return;
  g_object_unref (self->source);
  g_checksum_free (self->checksum);
  g_free (self);
}

goffset
os_body_get_length (OsBody *self)
{
  return self->length;
}

GInputStream *
os_body_open (OsBody  *self,
              GError **error)
{
  OsBodyStream *stream;

  if (!g_seekable_seek (G_SEEKABLE (self->source), self->begin, G_SEEK_SET, NULL, error))
    return NULL;
  g_checksum_reset (self->checksum);
  self->done = 0;
  stream = g_object_new (OS_TYPE_BODY_STREAM, NULL);
  stream->body = os_body_ref (self);
  return G_INPUT_STREAM (stream);
}

char *
os_body_dup_md5 (OsBody *self)
{
  g_autoptr(GChecksum) checksum = NULL;

  if (self->done < self->length)
    return NULL;
  checksum = g_checksum_copy (self->checksum);
  return g_strdup (g_checksum_get_string (checksum));
}

static gsize
get_wanted (OsBodyStream *self)
{
  return (gsize) MIN (BLOCK_SIZE, self->body->length - self->body->done);
}

static void
take_block (OsBodyStream *self,
            gsize         size)
{
  self->begin = 0;
  self->end = size;
  self->body->done += (goffset) size;
  g_checksum_update (self->body->checksum, self->block, (gssize) size);
}

static gsize
give_piece (OsBodyStream *self,
            guint8       *buffer,
            gsize         count)
{
  gsize size = MIN (count, self->end - self->begin);

  if (size > 0)
    memcpy (buffer, self->block + self->begin, size);
  self->begin += size;
  return size;
}

static gssize
os_body_stream_read (GInputStream  *stream,
                     void          *buffer,
                     gsize          count,
                     GCancellable  *cancellable,
                     GError       **error)
{
  OsBodyStream *self = OS_BODY_STREAM (stream);
  gssize size;

  if (self->begin == self->end && get_wanted (self) > 0)
    {
      size = g_input_stream_read (self->body->source, self->block, get_wanted (self), cancellable,
                                  error);
      if (size < 0)
        return -1;
      take_block (self, (gsize) size);
    }
  return (gssize) give_piece (self, buffer, count);
}

static void
block_read_cb (GObject      *source,
               GAsyncResult *result,
               gpointer      user_data)
{
  g_autoptr(OsBodyStream) self = user_data;
  g_autoptr(GTask) task = g_steal_pointer (&self->task);
  GError *error = NULL;
  gssize size = g_input_stream_read_finish (G_INPUT_STREAM (source), result, &error);

  if (size < 0)
    {
      g_task_return_error (task, error);
      return;
    }
  take_block (self, (gsize) size);
  g_task_return_int (task, (gssize) give_piece (self, self->buffer, self->count));
}

static void
os_body_stream_read_async (GInputStream        *stream,
                           void                *buffer,
                           gsize                count,
                           int                  io_priority,
                           GCancellable        *cancellable,
                           GAsyncReadyCallback  callback,
                           gpointer             user_data)
{
  OsBodyStream *self = OS_BODY_STREAM (stream);
  g_autoptr(GTask) task = g_task_new (stream, cancellable, callback, user_data);

  g_task_set_source_tag (task, os_body_stream_read_async);
  g_task_set_priority (task, io_priority);
  if (self->begin < self->end || get_wanted (self) == 0)
    {
      g_task_return_int (task, (gssize) give_piece (self, buffer, count));
      return;
    }
  self->task = g_steal_pointer (&task);
  self->buffer = buffer;
  self->count = count;
  g_input_stream_read_async (self->body->source, self->block, get_wanted (self), io_priority,
                             cancellable, block_read_cb, g_object_ref (self));
}

static gssize
os_body_stream_read_finish (GInputStream  *stream,
                            GAsyncResult  *result,
                            GError       **error)
{
  return g_task_propagate_int (G_TASK (result), error);
}

/* The source stays open, and there is nothing else to close: least of all in a thread. */
static void
os_body_stream_close_async (GInputStream        *stream,
                            int                  io_priority,
                            GCancellable        *cancellable,
                            GAsyncReadyCallback  callback,
                            gpointer             user_data)
{
  g_autoptr(GTask) task = g_task_new (stream, cancellable, callback, user_data);

  g_task_set_source_tag (task, os_body_stream_close_async);
  g_task_return_boolean (task, TRUE);
}

static gboolean
os_body_stream_close_finish (GInputStream  *stream,
                             GAsyncResult  *result,
                             GError       **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
os_body_stream_finalize (GObject *object)
{
  OsBodyStream *self = OS_BODY_STREAM (object);

  g_clear_pointer (&self->body, os_body_unref);
  g_free (self->block);

  G_OBJECT_CLASS (os_body_stream_parent_class)->finalize (object);
}

static void
os_body_stream_class_init (OsBodyStreamClass *class)
{
  GInputStreamClass *stream_class = G_INPUT_STREAM_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = os_body_stream_finalize;
  stream_class->read_fn = os_body_stream_read;
  stream_class->read_async = os_body_stream_read_async;
  stream_class->read_finish = os_body_stream_read_finish;
  stream_class->close_async = os_body_stream_close_async;
  stream_class->close_finish = os_body_stream_close_finish;
}

static void
os_body_stream_init (OsBodyStream *self)
{
  self->block = g_malloc (BLOCK_SIZE);
}
