/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <libsoup/soup.h>
#include <string.h>

#include "base/backoff.h"
#include "base/flow.h"
#include "base/uri.h"
#include "transport/os-download.h"
#include "values/welkin-error.h"

#define BACK_OFF_SECONDS 1.0
#define MAX_BACK_OFF_SECONDS 60.0

struct _OsDownload
{
  GInputStream parent;

  /* inputs */
  WkHttp        *http;     /* (owned) */
  WkHttpRequest *request;  /* (owned) */
  char          *etag;     /* (owned) (nullable) of what is read */
  goffset        length;   /* below 0: only its end tells */
  goffset        piece;    /* how much of it the answer is; 0: all that is left */
  gboolean       is_odd;   /* the answer is not what was asked for */

  /* while running */
  GInputStream  *stream;   /* (owned) (nullable) of the last answer */
  goffset        done;
  GByteArray    *ahead;    /* (owned) (nullable) what was read of the piece */
  gsize          given;    /* of this */
  guint          sends;
  double         lost;     /* seconds in which nothing came */
  WkBackoff      backoff;
  WkHttpRequest *rest;     /* (owned) (nullable) the last request for what is left */
  GError        *failure;  /* (owned) (nullable) why there is no more */
  gboolean       is_explained; /* that failure, in our words */

  /* the read that is being waited for */
  void          *buffer;
  gsize          count;
  int            priority;
  gssize         n_read;
};

G_DEFINE_FINAL_TYPE (OsDownload, os_download, G_TYPE_INPUT_STREAM)

/* What was read counts; an end that comes too early is a failure. */
static gboolean
take (OsDownload *self)
{
  if (self->failure == NULL && self->n_read == 0 && self->done < self->length)
    self->failure = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT, "");
  if (self->failure != NULL)
    return FALSE;
  self->done += self->n_read;
  return TRUE;
}

static gboolean
may_go_on (OsDownload *self)
{
  if (g_error_matches (self->failure, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return FALSE;
  if (g_error_matches (self->failure, G_IO_ERROR, G_IO_ERROR_TIMED_OUT))
    self->lost += WK_HTTP_PROGRESS_SECONDS;
  return g_str_equal (wk_http_request_get_method (self->request), "GET")
         && self->sends < WK_HTTP_MAX_SENDS
         && self->lost < WK_HTTP_SILENCE_SECONDS && (self->etag != NULL || self->done == 0);
}

/* Goes on with the answer where it is the rest, from where we are: else the failure stays. */
static void
take_rest (OsDownload     *self,
           WkHttpResponse *response)
{
  const char *range = wk_http_response_get_header (response, "Content-Range");
  g_autofree char *start = g_strdup_printf ("bytes %" G_GOFFSET_FORMAT "-", self->done);
  guint status = wk_http_response_get_status (response);

  self->sends += wk_http_response_get_sends (response);
  if (self->done == 0 ? status != SOUP_STATUS_OK
                      : status != SOUP_STATUS_PARTIAL_CONTENT || range == NULL
                            || !g_str_has_prefix (range, start))
    return;
  if (self->done == 0)
    self->length = wk_http_response_get_length (response);
  self->stream = wk_http_response_steal_stream (response);
  self->piece = 0;
  g_clear_error (&self->failure);
}

/* What is left, from where we are. Whatever else is answered is no failure of this: there is no
 * stream then. */
static void
ask_run (WkFlow  *flow,
         gpointer user_data)
{
  OsDownload *self = user_data;
  g_autoptr(WkHttpResponse) response = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  /* The last one has a place at the gate, and only one at a time is ours. */
  g_clear_object (&self->stream);
  g_clear_pointer (&self->rest, wk_http_request_unref);
  self->rest = wk_http_request_new_rest (self->request, self->done, self->etag);
  WK_AWAIT (flow, wk_http_send_async (self->http, self->rest, WK_RESUME (flow)));
  response = wk_http_send_finish (self->http, WK_RESULT (flow), &error);
  if (response == NULL)
    WK_FAIL (flow, &error, NULL);
  take_rest (self, response);
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

static void
ask_async (OsDownload          *self,
           GCancellable        *cancellable,
           GAsyncReadyCallback  callback,
           gpointer             user_data)
{
  wk_flow_start (self, cancellable, callback, user_data, ask_async, ask_run, self, NULL);
}

static gboolean
ask_finish (OsDownload    *self,
            GAsyncResult  *result,
            GError       **error)
{
  return wk_flow_finish_boolean (result, self, ask_async, error);
}

/* The failure in our words, with the request in front: it is what every further read gets. */
static GError *
explain (OsDownload *self)
{
  g_autoptr(GError) error = NULL;

  if (self->is_explained)
    return g_error_copy (self->failure);
  error = g_steal_pointer (&self->failure);
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return g_steal_pointer (&error);
  g_clear_object (&self->stream);
  self->is_explained = TRUE;
  self->failure = wk_http_request_explain_cut (self->request, error);
  return g_error_copy (self->failure);
}

/* What was read before anybody wanted it; FALSE when there is no more of that. */
static gboolean
give_ahead (OsDownload *self,
            void       *buffer,
            gsize       count)
{
  if (self->ahead == NULL)
    return FALSE;
  count = MIN (count, self->ahead->len - self->given);
  memcpy (buffer, self->ahead->data + self->given, count);
  self->given += count;
  if (self->given == self->ahead->len)
    g_clear_pointer (&self->ahead, g_byte_array_unref);
  self->n_read = (gssize) count;
  return TRUE;
}

static void
read_run (WkFlow  *flow,
          gpointer user_data)
{
  OsDownload *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (give_ahead (self, self->buffer, self->count))
    {
      wk_flow_return_boolean (flow, TRUE);
      return;
    }
  while (self->failure == NULL)
    {
      WK_AWAIT (flow, g_input_stream_read_async (self->stream, self->buffer, self->count,
                                                 self->priority, WK_RESUME (flow)));
      self->n_read = g_input_stream_read_finish (self->stream, WK_RESULT (flow), &self->failure);
      if (take (self))
        {
          wk_flow_return_boolean (flow, TRUE);
          return;
        }
      if (!may_go_on (self))
        break;

      g_clear_object (&self->stream);
      WK_AWAIT (flow, wk_clock_sleep_async (wk_http_get_clock (self->http),
                                            wk_backoff_next (&self->backoff), WK_RESUME (flow)));
      if (!wk_clock_sleep_finish (wk_http_get_clock (self->http), WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
      WK_AWAIT (flow, ask_async (self, WK_RESUME (flow)));
      if (!ask_finish (self, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
    }
  error = explain (self);
  WK_FAIL (flow, &error, NULL);

  WK_FLOW_END (flow);
}

static void
os_download_read_async (GInputStream       *stream,
                        void               *buffer,
                        gsize               count,
                        int                 io_priority,
                        GCancellable       *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer            user_data)
{
  OsDownload *self = OS_DOWNLOAD (stream);

  self->buffer = buffer;
  self->count = count;
  self->priority = io_priority;
  wk_flow_start (stream, cancellable, callback, user_data, os_download_read_async, read_run,
                 g_object_ref (self), g_object_unref);
}

static gssize
os_download_read_finish (GInputStream *stream,
                         GAsyncResult *result,
                         GError      **error)
{
  if (!wk_flow_finish_boolean (result, stream, os_download_read_async, error))
    return -1;
  return OS_DOWNLOAD (stream)->n_read;
}

/* Whoever blocks cannot wait for another answer. */
static gssize
os_download_read (GInputStream *stream,
                  void         *buffer,
                  gsize         count,
                  GCancellable *cancellable,
                  GError      **error)
{
  OsDownload *self = OS_DOWNLOAD (stream);

  if (give_ahead (self, buffer, count))
    return self->n_read;
  if (self->failure == NULL)
    self->n_read = g_input_stream_read (self->stream, buffer, count, cancellable, &self->failure);
  if (take (self))
    return self->n_read;
  g_propagate_error (error, explain (self));
  return -1;
}

static gboolean
os_download_close (GInputStream *stream,
                   GCancellable *cancellable,
                   GError      **error)
{
  OsDownload *self = OS_DOWNLOAD (stream);

  return self->stream == NULL || g_input_stream_close (self->stream, cancellable, error);
}

/* Not in a thread, which is what GIO makes of the above: it takes no time. */
static void
os_download_close_async (GInputStream       *stream,
                         int                 io_priority,
                         GCancellable       *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer            user_data)
{
  g_autoptr(GTask) task = g_task_new (stream, cancellable, callback, user_data);
  GError *error = NULL;

  g_task_set_source_tag (task, os_download_close_async);
  if (os_download_close (stream, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static gboolean
os_download_close_finish (GInputStream *stream,
                          GAsyncResult *result,
                          GError      **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

/* The rest behind a piece */

#define BLOCK_SIZE (64 * 1024)

typedef struct
{
  OsDownload *download; /* (owned) */
  GByteArray *ahead;    /* (owned) (nullable) what was read of the piece */
  guint8      block[BLOCK_SIZE];
} Load;

static void
load_free (Load *self)
{
  g_object_unref (self->download);
  g_clear_pointer (&self->ahead, g_byte_array_unref);
  g_free (self);
}

/* Why a piece is not good for going on with. */
static gboolean
check_piece (OsDownload  *self,
             GError     **error)
{
  g_autofree char *uri = NULL;

  if (!self->is_odd && (self->piece == 0 || self->piece == self->length || self->etag != NULL))
    return TRUE;
  uri = wk_uri_for_display (wk_http_request_get_uri (self->request));
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
               /* TRANSLATORS: a URL */
               _("GET %s: the answer is only a part of what was asked for"), uri);
  return FALSE;
}

static void
load_rest_run (WkFlow  *flow,
               gpointer user_data)
{
  Load *load = user_data;
  OsDownload *self = load->download;
  g_autoptr(GError) error = NULL;
  gssize n_read;

  WK_FLOW_BEGIN (flow);

  if (!check_piece (self, &error))
    WK_FAIL (flow, &error, NULL);
  if (self->piece == self->length)
    self->piece = 0;
  load->ahead = g_byte_array_sized_new ((guint) self->piece);
  /* Where it is cut off, all that is left is asked for: there is no piece then. */
  while (self->done < self->piece)
    {
      WK_AWAIT (flow, g_input_stream_read_async (G_INPUT_STREAM (self), load->block, BLOCK_SIZE,
                                                 G_PRIORITY_DEFAULT, WK_RESUME (flow)));
      n_read = g_input_stream_read_finish (G_INPUT_STREAM (self), WK_RESULT (flow), &error);
      if (n_read < 0)
        WK_FAIL (flow, &error, NULL);
      g_byte_array_append (load->ahead, load->block, (guint) n_read);
    }
  if (load->ahead->len > 0)
    self->ahead = g_steal_pointer (&load->ahead);
  if (self->piece > 0)
    {
      /* It may go out as often as any request, however often that for the piece did. */
      self->sends = 0;
      WK_AWAIT (flow, ask_async (self, WK_RESUME (flow)));
      if (!ask_finish (self, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
    }
  self->is_odd = self->piece > 0;
  if (!check_piece (self, &error))
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

void
os_download_load_rest_async (OsDownload          *self,
                             GCancellable        *cancellable,
                             GAsyncReadyCallback  callback,
                             gpointer             user_data)
{
  Load *load = g_new0 (Load, 1);

  load->download = g_object_ref (self);
  wk_flow_start (self, cancellable, callback, user_data, os_download_load_rest_async,
                 load_rest_run, load, (GDestroyNotify) load_free);
}

gboolean
os_download_load_rest_finish (OsDownload    *self,
                              GAsyncResult  *result,
                              GError       **error)
{
  return wk_flow_finish_boolean (result, self, os_download_load_rest_async, error);
}

gboolean
os_download_tries_whole (gboolean  *is_whole,
                         GError   **error)
{
  if (*is_whole
      || (welkin_error_get_status (*error) != SOUP_STATUS_REQUESTED_RANGE_NOT_SATISFIABLE
          && !g_error_matches (*error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL)))
    return FALSE;
  *is_whole = TRUE;
  g_clear_error (error);
  return TRUE;
}

/* "bytes 0-99/1000": how much of how much. */
static gboolean
parse_piece (const char *range,
             goffset    *piece,
             goffset    *length)
{
  g_auto(GStrv) parts = NULL;
  guint64 last;
  guint64 total;

  if (range == NULL || !g_str_has_prefix (range, "bytes 0-"))
    return FALSE;
  parts = g_strsplit (range + strlen ("bytes 0-"), "/", 2);
  if (g_strv_length (parts) != 2
      || !g_ascii_string_to_unsigned (parts[0], 10, 0, OS_DOWNLOAD_FIRST_PIECE - 1, &last, NULL)
      || !g_ascii_string_to_unsigned (parts[1], 10, last + 1, G_MAXINT64, &total, NULL))
    return FALSE;
  *piece = (goffset) last + 1;
  *length = (goffset) total;
  return TRUE;
}

void
os_download_begin (WkHttp         *http,
                   WkHttpRequest  *request,
                   WkHttpResponse *response)
{
  OsDownload *self = g_object_new (OS_TYPE_DOWNLOAD, NULL);
  const char *etag = wk_http_response_get_header (response, "ETag");

  self->http = wk_http_ref (http);
  self->request = wk_http_request_ref (request);
  self->stream = wk_http_response_steal_stream (response);
  self->length = wk_http_response_get_length (response);
  if (wk_http_response_get_status (response) != SOUP_STATUS_OK)
    self->is_odd
      = !parse_piece (wk_http_response_get_header (response, "Content-Range"), &self->piece,
                      &self->length);
  self->sends = wk_http_response_get_sends (response);
  /* A weak one is that of things which differ in their bytes. */
  if (etag != NULL && !g_str_has_prefix (etag, "W/"))
    self->etag = g_strdup (etag);
  wk_http_response_take_stream (response, G_INPUT_STREAM (self));
}

static void
os_download_finalize (GObject *object)
{
  OsDownload *self = OS_DOWNLOAD (object);

  g_clear_object (&self->stream);
  g_clear_pointer (&self->rest, wk_http_request_unref);
  wk_http_request_unref (self->request);
  wk_http_unref (self->http);
  g_free (self->etag);
  g_clear_pointer (&self->ahead, g_byte_array_unref);
  g_clear_error (&self->failure);

  G_OBJECT_CLASS (os_download_parent_class)->finalize (object);
}

static void
os_download_class_init (OsDownloadClass *class)
{
  GInputStreamClass *stream_class = G_INPUT_STREAM_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = os_download_finalize;
  stream_class->read_fn = os_download_read;
  stream_class->read_async = os_download_read_async;
  stream_class->read_finish = os_download_read_finish;
  stream_class->close_fn = os_download_close;
  stream_class->close_async = os_download_close_async;
  stream_class->close_finish = os_download_close_finish;
}

static void
os_download_init (OsDownload *self)
{
  wk_backoff_init (&self->backoff, BACK_OFF_SECONDS, MAX_BACK_OFF_SECONDS);
}
