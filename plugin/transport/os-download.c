/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <libsoup/soup.h>

#include "base/backoff.h"
#include "base/flow.h"
#include "transport/os-download.h"

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

  /* while running */
  GInputStream  *stream;   /* (owned) (nullable) of the last answer */
  goffset        done;
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
  g_clear_error (&self->failure);
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

static void
read_run (WkFlow  *flow,
          gpointer user_data)
{
  OsDownload *self = user_data;
  g_autoptr(WkHttpResponse) response = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

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

      /* It has a place at the gate, and only one at a time is ours. */
      g_clear_object (&self->stream);
      WK_AWAIT (flow, wk_clock_sleep_async (wk_http_get_clock (self->http),
                                            wk_backoff_next (&self->backoff), WK_RESUME (flow)));
      if (!wk_clock_sleep_finish (wk_http_get_clock (self->http), WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
      g_clear_pointer (&self->rest, wk_http_request_unref);
      self->rest = wk_http_request_new_rest (self->request, self->done, self->etag);
      WK_AWAIT (flow, wk_http_send_async (self->http, self->rest, WK_RESUME (flow)));
      response = wk_http_send_finish (self->http, WK_RESULT (flow), &error);
      if (response == NULL)
        WK_FAIL (flow, &error, NULL);
      take_rest (self, response);
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
