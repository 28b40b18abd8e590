/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "transport/os-body.h"
#include "transport/os-digest.h"

/* libsoup asks for 8 KiB at a time. */
#define BLOCK_SIZE (256 * 1024)

/* What several bodies may be parts of, whose threads read it in turns. */
typedef struct
{
  GMutex        lock;
  GInputStream *stream; /* (owned) seekable */
} Source;

struct _OsBody
{
  gatomicrefcount references;
  Source         *source;   /* (owned) */
  goffset         begin;
  goffset         length;

  GMutex          lock;     /* what follows is of the thread that sends, too */
  OsBodyRead      watch;    /* (nullable) */
  gpointer        watch_data;
  GMainContext   *context;  /* (owned) (nullable) of the watch */
  guint           sends;
  OsDigest       *digest;   /* (owned) of what was read for the last one */
  char           *md5;      /* (owned) (nullable) */
  gboolean        is_known; /* from the start */
};

#define OS_TYPE_BODY_STREAM (os_body_stream_get_type ())
G_DECLARE_FINAL_TYPE (OsBodyStream, os_body_stream, OS, BODY_STREAM, GInputStream)

struct _OsBodyStream
{
  GInputStream parent;

  OsBody *body;  /* (owned) */
  guint   send;  /* which of the body's */
  GBytes *block; /* (owned) (nullable) */
  gsize   given; /* of it */
  goffset left;  /* behind the block */
};

G_DEFINE_FINAL_TYPE (OsBodyStream, os_body_stream, G_TYPE_INPUT_STREAM)

static void
source_clear (gpointer data)
{
  Source *source = data;

  g_object_unref (source->stream);
  g_mutex_clear (&source->lock);
}

static GBytes *
source_read (Source        *source,
             goffset        offset,
             gsize          size,
             GCancellable  *cancellable,
             GError       **error)
{
  g_autoptr(GMutexLocker) locker = g_mutex_locker_new (&source->lock);

  if (!g_seekable_seek (G_SEEKABLE (source->stream), offset, G_SEEK_SET, cancellable, error))
    return NULL;
  return g_input_stream_read_bytes (source->stream, size, cancellable, error);
}

static OsBody *
body_new (Source     *source,
          goffset     begin,
          goffset     length,
          const char *md5)
{
  OsBody *self = g_new0 (OsBody, 1);

  g_atomic_ref_count_init (&self->references);
  self->source = source;
  self->begin = begin;
  self->length = length;
  g_mutex_init (&self->lock);
  self->digest = os_digest_new (OS_DIGEST_MD5);
  self->md5 = g_strdup (md5);
  self->is_known = md5 != NULL;
  return self;
}

OsBody *
os_body_new (GInputStream *stream,
             goffset       length,
             const char   *md5)
{
  Source *source = g_atomic_rc_box_new0 (Source);

  g_mutex_init (&source->lock);
  source->stream = g_object_ref (stream);
  return body_new (source, g_seekable_tell (G_SEEKABLE (stream)), length, md5);
}

OsBody *
os_body_new_behind (OsBody  *former,
                    goffset  length)
{
  return body_new (g_atomic_rc_box_acquire (former->source), former->begin + former->length,
                   length, NULL);
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
  g_atomic_rc_box_release_full (self->source, source_clear);
  os_digest_free (self->digest);
  g_clear_pointer (&self->context, g_main_context_unref);
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

  if (!self->is_known)
    {
      g_free (os_digest_end (self->digest));
      g_clear_pointer (&self->md5, g_free);
    }
  self->sends++;
  stream = g_object_new (OS_TYPE_BODY_STREAM, NULL);
  stream->body = os_body_ref (self);
  stream->send = self->sends;
  stream->left = self->length;
  return G_INPUT_STREAM (stream);
}

void
os_body_watch (OsBody     *self,
               OsBodyRead  watch,
               gpointer    data)
{
  g_autoptr(GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  self->watch = watch;
  self->watch_data = data;
  g_clear_pointer (&self->context, g_main_context_unref);
  if (watch != NULL)
    self->context = g_main_context_ref_thread_default ();
}

static gboolean
tell_watch_cb (gpointer user_data)
{
  OsBody *self = user_data;
  OsBodyRead watch;

  g_mutex_lock (&self->lock);
  watch = self->watch;
  self->watch = NULL;
  g_mutex_unlock (&self->lock);
  if (watch != NULL)
    watch (self->watch_data);
  return G_SOURCE_REMOVE;
}

/* In whatever thread reads it. */
static void
tell_watch (OsBody *self)
{
  g_autoptr(GMutexLocker) locker = g_mutex_locker_new (&self->lock);
  g_autoptr(GSource) source = NULL;

  if (self->watch == NULL)
    return;
  source = g_idle_source_new ();
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, tell_watch_cb, os_body_ref (self), (GDestroyNotify) os_body_unref);
  g_source_attach (source, self->context);
}

char *
os_body_dup_md5 (OsBody *self)
{
  g_autoptr(GMutexLocker) locker = g_mutex_locker_new (&self->lock);

  return g_strdup (self->md5);
}

static gsize
get_rest (OsBodyStream *self)
{
  return self->block != NULL ? g_bytes_get_size (self->block) - self->given : 0;
}

/* The source's next block, of no bytes where it has come to its end; FALSE when it fails. */
static gboolean
read_block (OsBodyStream  *self,
            GCancellable  *cancellable,
            GError       **error)
{
  OsBody *body = self->body;
  g_autoptr(GMutexLocker) locker = g_mutex_locker_new (&body->lock);

  /* Another send has moved the source back to its start meanwhile. */
  if (self->send != body->sends)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "it is sent anew");
      return FALSE;
    }
  g_clear_pointer (&self->block, g_bytes_unref);
  self->block = source_read (body->source, body->begin + body->length - self->left,
                             (gsize) MIN (BLOCK_SIZE, self->left), cancellable, error);
  if (self->block == NULL)
    return FALSE;
  self->given = 0;
  self->left -= (goffset) g_bytes_get_size (self->block);
  if (!body->is_known)
    os_digest_update_bytes (body->digest, self->block);
  if (!body->is_known && self->left == 0)
    body->md5 = os_digest_end (body->digest);
  return TRUE;
}

static gssize
os_body_stream_read (GInputStream  *stream,
                     void          *buffer,
                     gsize          count,
                     GCancellable  *cancellable,
                     GError       **error)
{
  OsBodyStream *self = OS_BODY_STREAM (stream);

  if (get_rest (self) == 0 && self->left > 0 && !read_block (self, cancellable, error))
    return -1;
  count = MIN (count, get_rest (self));
  if (count > 0)
    memcpy (buffer, (const guint8 *) g_bytes_get_data (self->block, NULL) + self->given, count);
  self->given += count;
  if (self->left == 0 && get_rest (self) == 0)
    tell_watch (self->body);
  return (gssize) count;
}

/* The source stays open. */
static gboolean
os_body_stream_close (GInputStream  *stream,
                      GCancellable  *cancellable,
                      GError       **error)
{
  return TRUE;
}

static void
os_body_stream_finalize (GObject *object)
{
  OsBodyStream *self = OS_BODY_STREAM (object);

  g_clear_pointer (&self->body, os_body_unref);
  g_clear_pointer (&self->block, g_bytes_unref);

  G_OBJECT_CLASS (os_body_stream_parent_class)->finalize (object);
}

static void
os_body_stream_class_init (OsBodyStreamClass *class)
{
  GInputStreamClass *stream_class = G_INPUT_STREAM_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = os_body_stream_finalize;
  stream_class->read_fn = os_body_stream_read;
  stream_class->close_fn = os_body_stream_close;
}

static void
os_body_stream_init (OsBodyStream *self)
{
}
