/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/flow.h"
#include "base/gate.h"
#include "base/join.h"
#include "os-storage-swift-private.h"
#include "transport/os-spool.h"
#include "values/welkin-error.h"

/*
 * Putting the segments of a large file, each compared with what swift says that it got. The stream
 * is read by one at a time, in their order; but swift takes its time over the end of each, until it
 * is on its disks, and the next one is on its way meanwhile.
 */

#define MAX_AT_ONCE 3
#define MAX_TRIES 2

typedef struct _PutSegments PutSegments;

typedef struct
{
  PutSegments *all;
  guint        number;
  const char  *name;       /* (nullable) from when there may be something of it */
  gboolean     is_sending; /* has a place among them */
  gboolean     is_reading; /* has the place of whoever reads */
  OsSpool     *spool;      /* (owned) (nullable) of what cannot go back */
  OsBody      *body;       /* (owned) (nullable) while it is sent */
  guint        tries;
  char        *md5;        /* (owned) (nullable) of what was put */
} Segment;

struct _PutSegments
{
  /* inputs */
  GInputStream *stream;       /* (owned) */
  goffset       length;
  goffset       segment_size;
  char         *prefix;       /* of their names */
  GPtrArray    *names;        /* (owned): the caller's */

  /* while running */
  Segment      *segments;     /* (owned) */
  guint         n_segments;
  OsBody       *last;         /* (owned) (nullable) behind which the stream is */
  WkGate       *readers;      /* (owned) of one */
  WkGate       *senders;      /* (owned) */
  WkJoin       *join;         /* (owned) (nullable) */
};

static void
put_segments_free (PutSegments *self)
{
  for (guint i = 0; i < self->n_segments; i++)
    g_free (self->segments[i].md5);
  g_free (self->segments);
  g_object_unref (self->stream);
  g_free (self->prefix);
  g_ptr_array_unref (self->names);
  g_clear_pointer (&self->last, os_body_unref);
  wk_gate_unref (self->readers);
  wk_gate_unref (self->senders);
  g_clear_pointer (&self->join, wk_join_unref);
  g_free (self);
}

static goffset
get_length (Segment *self)
{
  return MIN (self->all->segment_size,
              self->all->length - self->all->segment_size * self->number);
}

static void
add_name (Segment *self)
{
  char *name = g_strdup_printf ("%s%08u", self->all->prefix, self->number);

  g_ptr_array_add (self->all->names, name);
  self->name = name;
}

static void
make_body (Segment *self)
{
  PutSegments *all = self->all;

  self->body = all->last == NULL ? os_body_new (all->stream, get_length (self), NULL)
                                 : os_body_new_behind (all->last, get_length (self));
  g_clear_pointer (&all->last, os_body_unref);
  all->last = os_body_ref (self->body);
}

static void
stop_reading (gpointer data)
{
  Segment *self = data;

  if (self->is_reading)
    wk_gate_leave (self->all->readers, WK_GATE_NEUTRAL);
  self->is_reading = FALSE;
}

/* There may be thousands of segments: none keeps its temporary file, or a thread for its checksum,
 * until the last is put. */
static void
let_go_of_body (Segment *self)
{
  if (self->body == NULL)
    return;
  os_body_watch (self->body, NULL, NULL);
  self->md5 = os_body_dup_md5 (self->body);
  g_clear_pointer (&self->body, os_body_unref);
  g_clear_pointer (&self->spool, os_spool_free);
}

static gboolean
is_damage (GError *error)
{
  return g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL)
         || welkin_error_get_status (error) == 422;
}

static void
segment_run (WkFlow *flow,
             gpointer user_data)
{
  Segment *self = user_data;
  PutSegments *all = self->all;
  OsStorageSwift *storage = wk_flow_get_source (flow);
  g_autoptr(GError) error = NULL;
  gboolean is_put;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, wk_gate_enter_async (all->senders, WK_RESUME (flow)));
  self->is_sending = wk_gate_enter_finish (all->senders, WK_RESULT (flow), &error);
  if (!self->is_sending)
    WK_FAIL (flow, &error, NULL);
  WK_AWAIT (flow, wk_gate_enter_async (all->readers, WK_RESUME (flow)));
  self->is_reading = wk_gate_enter_finish (all->readers, WK_RESULT (flow), &error);
  if (!self->is_reading)
    WK_FAIL (flow, &error, NULL);
  if (os_spool_can_go_back (all->stream))
    make_body (self);
  else
    {
      WK_AWAIT (flow, os_spool_read_async (all->stream, get_length (self), OS_SPOOL_MD5,
                                           WK_RESUME (flow)));
      self->spool = os_spool_read_finish (WK_RESULT (flow), &error);
      if (self->spool == NULL)
        WK_FAIL (flow, &error, NULL);
      self->body = os_body_ref (self->spool->body);
      stop_reading (self);
    }

  os_body_watch (self->body, stop_reading, self);
  add_name (self);
  do
    {
      g_clear_error (&error);
      self->tries++;
      WK_AWAIT (flow,
                os_object_store_put_object_async (storage->store, storage->container,
                                                  self->name, self->body, NULL, TRUE,
                                                  WK_RESUME (flow)));
      is_put = os_object_store_put_object_finish (storage->store, WK_RESULT (flow), &error);
    }
  while (!is_put && is_damage (error) && self->tries < MAX_TRIES);
  if (!is_put)
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

static void
segment_put_cb (GObject      *storage,
                GAsyncResult *result,
                gpointer      user_data)
{
  Segment *self = user_data;
  GError *error = NULL;

  wk_flow_finish_boolean (result, storage, segment_run, &error);
  let_go_of_body (self);
  stop_reading (self);
  if (self->is_sending)
    wk_gate_leave (self->all->senders, WK_GATE_NEUTRAL);
  wk_join_end (self->all->join, error);
}

static void
start_segments (PutSegments    *self,
                OsStorageSwift *storage)
{
  for (guint i = 0; i < self->n_segments; i++)
    {
      self->segments[i].all = self;
      self->segments[i].number = i;
      wk_flow_start (storage, wk_join_begin (self->join), segment_put_cb, &self->segments[i],
                     segment_run, segment_run, &self->segments[i], NULL);
    }
}

/* (transfer full) */
static GPtrArray *
list_checksums (PutSegments *self)
{
  GPtrArray *checksums = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < self->n_segments; i++)
    g_ptr_array_add (checksums, g_strdup (self->segments[i].md5));
  return checksums;
}

static void
put_segments_run (WkFlow *flow,
                  gpointer user_data)
{
  PutSegments *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  self->join = wk_join_new (WK_JOIN_CANCEL_OTHERS, wk_flow_get_cancellable (flow));
  start_segments (self, wk_flow_get_source (flow));
  WK_AWAIT (flow, wk_join_wait_async (self->join, wk_flow_resume_cb, flow));
  if (!wk_join_wait_finish (self->join, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_pointer (flow, list_checksums (self), (GDestroyNotify) g_ptr_array_unref);

  WK_FLOW_END (flow);
}

void
os_storage_swift_put_segments_async (OsStorageSwift       *self,
                                     GInputStream         *stream,
                                     goffset               length,
                                     goffset               segment_size,
                                     const char           *prefix,
                                     GPtrArray            *names,
                                     GCancellable         *cancellable,
                                     GAsyncReadyCallback   callback,
                                     gpointer              user_data)
{
  PutSegments *put = g_new0 (PutSegments, 1);

  put->stream = g_object_ref (stream);
  put->length = length;
  put->segment_size = segment_size;
  put->prefix = g_strdup (prefix);
  put->names = g_ptr_array_ref (names);
  put->n_segments = (guint) ((length + segment_size - 1) / segment_size);
  put->segments = g_new0 (Segment, put->n_segments);
  put->readers = wk_gate_new (1);
  put->senders = wk_gate_new (MAX_AT_ONCE);
  wk_flow_start (self, cancellable, callback, user_data, os_storage_swift_put_segments_async,
                 put_segments_run, put, (GDestroyNotify) put_segments_free);
}

GPtrArray *
os_storage_swift_put_segments_finish (OsStorageSwift  *self,
                                      GAsyncResult    *result,
                                      GError         **error)
{
  return wk_flow_finish_pointer (result, self, os_storage_swift_put_segments_async, error);
}
