/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "transport/os-body.h"
#include "transport/os-digest.h"

/*
 * While a block is being sent, a thread reads the next one and makes the checksum of it: both take
 * so long that the connection would rest meanwhile. libsoup itself asks for 8 KiB at a time.
 */
#define BLOCK_SIZE (256 * 1024)

struct _OsBody
{
  gatomicrefcount references;
  goffset         begin;
  goffset         length;

  GMutex          lock;     /* what follows is the thread's, too */
  GInputStream   *source;   /* (owned) seekable */
  guint           sends;
  goffset         done;     /* what was read for the last one */
  OsDigest       *digest;   /* (owned) of this */
  char           *md5;      /* (owned) (nullable) */
  gboolean        is_known; /* from the start */
};

typedef struct
{
  guint8 data[BLOCK_SIZE];
  gsize  size;
} Block;

#define OS_TYPE_BODY_STREAM (os_body_stream_get_type ())
G_DECLARE_FINAL_TYPE (OsBodyStream, os_body_stream, OS, BODY_STREAM, GInputStream)

struct _OsBodyStream
{
  GInputStream parent;

  OsBody  *body;       /* (owned) */
  guint    send;       /* which of the body's */
  Block   *block;      /* (owned) which is being sent */
  gsize    begin;      /* of what is left of it */
  Block   *next;       /* (owned) the thread's, while it is read */
  gboolean is_reading; /* the next block */
  gboolean is_read;    /* the next block */
  goffset  left;       /* behind the next block */
  GError  *failure;    /* (owned) (nullable) why the next block could not be read */

  /* a read that waits for the next block */
  GTask   *task;       /* (owned) (nullable) */
  void    *buffer;     /* of whoever reads */
  gsize    count;
};

G_DEFINE_FINAL_TYPE (OsBodyStream, os_body_stream, G_TYPE_INPUT_STREAM)

OsBody *
os_body_new (GInputStream *stream,
             goffset       length,
             const char   *md5)
{
  OsBody *self = g_new0 (OsBody, 1);

  g_atomic_ref_count_init (&self->references);
  self->begin = g_seekable_tell (G_SEEKABLE (stream));
  self->length = length;
  g_mutex_init (&self->lock);
  self->source = g_object_ref (stream);
  self->digest = os_digest_new (OS_DIGEST_MD5);
  self->md5 = g_strdup (md5);
  self->is_known = md5 != NULL;
  return self;
}

OsBody *
os_body_ref (OsBody *self)
{
  g_atomic_ref_count_inc (&self->references);
  return self;
}

void
os_body_unref (OsBody *self)
{
  if (!g_atomic_ref_count_dec (&self->references))
    return;
  g_object_unref (self->source);
  os_digest_free (self->digest);
  g_mutex_clear (&self->lock);
  g_free (self->md5);
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
  g_autoptr(GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  OsBodyStream *stream;

  if (!g_seekable_seek (G_SEEKABLE (self->source), self->begin, G_SEEK_SET, NULL, error))
    return NULL;
  if (!self->is_known)
    {
      g_free (os_digest_end (self->digest));
      g_clear_pointer (&self->md5, g_free);
    }
  self->done = 0;
  self->sends++;
  stream = g_object_new (OS_TYPE_BODY_STREAM, NULL);
  stream->body = os_body_ref (self);
  stream->send = self->sends;
  stream->left = self->length;
  return G_INPUT_STREAM (stream);
}

char *
os_body_dup_md5 (OsBody *self)
{
  g_autoptr(GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  return g_strdup (self->md5);
}

/* Reading ahead */

/* Below 0 when it fails, 0 when the source has come to its end. */
static gssize
read_block (OsBody  *self,
            guint    send,
            Block   *block,
            gsize    wanted,
            GError **error)
{
  g_autoptr(GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  gssize size;

  /* Another send has moved the source back to its start meanwhile. */
  if (send != self->sends)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "it is sent anew");
      return -1;
    }
  size = g_input_stream_read (self->source, block->data, wanted, NULL, error);
  if (size <= 0)
    return size;
  block->size = (gsize) size;
  self->done += size;
  if (!self->is_known)
    os_digest_update (self->digest, block->data, block->size);
  if (!self->is_known && self->done == self->length)
    self->md5 = os_digest_end (self->digest);
  return size;
}

static void
read_thread (GTask        *task,
             gpointer      source,
             gpointer      task_data,
             GCancellable *cancellable)
{
  OsBodyStream *self = source;
  GError *error = NULL;
  gssize size = read_block (self->body, self->send, self->next,
                            (gsize) MIN (BLOCK_SIZE, self->left), &error);

  if (size < 0)
    g_task_return_error (task, error);
  else
    g_task_return_int (task, size);
}

static void give (OsBodyStream *self);

static void
read_cb (GObject      *source,
         GAsyncResult *result,
         gpointer      user_data)
{
  OsBodyStream *self = OS_BODY_STREAM (source);
  gssize size = g_task_propagate_int (G_TASK (result), &self->failure);

  self->is_reading = FALSE;
  self->is_read = size > 0;
  self->left = size > 0 ? self->left - size : 0;
  if (self->task != NULL)
    give (self);
}

static void
read_ahead (OsBodyStream *self)
{
  g_autoptr(GTask) task = NULL;

  if (self->is_reading || self->is_read || self->left == 0)
    return;
  self->is_reading = TRUE;
  task = g_task_new (self, NULL, read_cb, NULL);
  g_task_set_source_tag (task, read_ahead);
  g_task_run_in_thread (task, read_thread);
}

static void
take_next (OsBodyStream *self)
{
  Block *block = self->block;

  self->block = self->next;
  self->begin = 0;
  self->next = block;
  self->is_read = FALSE;
}

/* What whoever reads waits for, if it is there by now. */
static void
give (OsBodyStream *self)
{
  g_autoptr(GTask) task = NULL;
  gsize size;

  if (self->begin == self->block->size && self->is_read)
    take_next (self);
  read_ahead (self);
  size = MIN (self->count, self->block->size - self->begin);
  if (size == 0 && self->is_reading)
    return;

  task = g_steal_pointer (&self->task);
  if (size == 0 && self->failure != NULL)
    {
      g_task_return_error (task, g_error_copy (self->failure));
      return;
    }
  if (size > 0)
    memcpy (self->buffer, self->block->data + self->begin, size);
  self->begin += size;
  g_task_return_int (task, (gssize) size);
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

  self->task = g_task_new (stream, cancellable, callback, user_data);
  g_task_set_source_tag (self->task, os_body_stream_read_async);
  g_task_set_priority (self->task, io_priority);
  self->buffer = buffer;
  self->count = count;
  give (self);
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
  g_free (self->next);
  g_clear_error (&self->failure);

  G_OBJECT_CLASS (os_body_stream_parent_class)->finalize (object);
}

static void
os_body_stream_class_init (OsBodyStreamClass *class)
{
  GInputStreamClass *stream_class = G_INPUT_STREAM_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = os_body_stream_finalize;
  stream_class->read_async = os_body_stream_read_async;
  stream_class->read_finish = os_body_stream_read_finish;
  stream_class->close_async = os_body_stream_close_async;
  stream_class->close_finish = os_body_stream_close_finish;
}

static void
os_body_stream_init (OsBodyStream *self)
{
  self->block = g_new (Block, 1);
  self->block->size = 0;
  self->next = g_new (Block, 1);
}
