/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* The log of requests, and the questions that tests ask it. */

#include "fake-private.h"

#define MAX_KEPT_BODY (1024 * 1024)

static const char *const secret_headers[] = {
  "Authorization",
  "X-Auth-Key",
  "X-Auth-Token",
  "X-Subject-Token",
  "X-Account-Meta-Temp-Url-Key",
  "X-Account-Meta-Temp-Url-Key-2",
  "X-Container-Meta-Temp-Url-Key",
  "X-Container-Meta-Temp-Url-Key-2",
};

static void
entry_clear (gpointer data)
{
  FakeLogEntry *entry = data;

  g_free (entry->method);
  g_free (entry->path);
  g_free (entry->query);
  g_free (entry->request_id);
  g_strfreev (entry->headers);
  g_clear_pointer (&entry->body, g_bytes_unref);
}

FakeLogEntry *
fake_log_entry_ref (FakeLogEntry *entry)
{
  return g_rc_box_acquire (entry);
}

void
fake_log_entry_unref (FakeLogEntry *entry)
{
  g_rc_box_release_full (entry, entry_clear);
}

/* The signature of a temporary URL is a secret like a token. */
static char *
mask_query (const char *query)
{
  g_autoptr (GRegex) regex = g_regex_new ("(temp_url_sig|X-Amz-Signature)=[^&]*", 0, 0, NULL);

  if (query == NULL)
    return NULL;
  return g_regex_replace (regex, query, -1, 0, "\\1=***", 0, NULL);
}

FakeLogEntry *
fake_log_open (FakeCloud *self, const char *method, GUri *uri)
{
  FakeLogEntry *entry = g_rc_box_new0 (FakeLogEntry);
  const FakeService *service;

  entry->method = g_strdup (method);
  entry->path = g_strdup (g_uri_get_path (uri));
  entry->query = g_strdup (g_uri_get_query (uri));
  service = fake_cloud_find_service (entry->path);
  entry->service = service != NULL ? service->type : "";
  if (service == &fake_control_service)
    return entry;

  entry->sequence = ++self->sequence;
  entry->in_flight = self->in_flight++;
  entry->start_us = g_get_monotonic_time ();
  g_ptr_array_add (self->log, fake_log_entry_ref (entry));
  return entry;
}

void
fake_log_set_request (FakeLogEntry *entry, SoupMessageHeaders *headers, GBytes *body)
{
  GPtrArray *lines = g_ptr_array_new ();
  SoupMessageHeadersIter iter;
  const char *name, *value;

  soup_message_headers_iter_init (&iter, headers);
  while (soup_message_headers_iter_next (&iter, &name, &value))
    {
      for (guint i = 0; i < G_N_ELEMENTS (secret_headers); i++)
        if (g_ascii_strcasecmp (name, secret_headers[i]) == 0)
          value = "***";
      g_ptr_array_add (lines, g_strdup_printf ("%s: %s", name, value));
    }
  g_ptr_array_add (lines, NULL);
  entry->headers = (char **) g_ptr_array_free (lines, FALSE);

  entry->request_size = g_bytes_get_size (body);
  if (entry->request_size <= MAX_KEPT_BODY && g_strcmp0 (entry->service, "object-store") != 0)
    entry->body = g_bytes_ref (body);
}

static const char *const request_id_headers[] = {
  "X-Openstack-Request-Id",
  "X-Trans-Id",
};

/* @message is NULL when there is no answer; a second call changes nothing. */
void
fake_log_close (FakeCloud *self, FakeLogEntry *entry, SoupServerMessage *message)
{
  SoupMessageHeaders *headers;

  if (entry->end_us != 0 || entry->start_us == 0)
    return;

  entry->end_us = g_get_monotonic_time ();
  self->in_flight--;
  if (message == NULL)
    return;
  entry->status = soup_server_message_get_status (message);
  entry->response_size =
    (gsize) soup_server_message_get_response_body (message)->length;
  headers = soup_server_message_get_response_headers (message);
  for (guint i = 0; i < G_N_ELEMENTS (request_id_headers) && entry->request_id == NULL; i++)
    entry->request_id = g_strdup (soup_message_headers_get_one (headers, request_id_headers[i]));
}

const char *
fake_log_entry_get_header (const FakeLogEntry *entry, const char *name)
{
  gsize length = strlen (name);

  for (guint i = 0; entry->headers != NULL && entry->headers[i] != NULL; i++)
    if (g_ascii_strncasecmp (entry->headers[i], name, length) == 0
        && entry->headers[i][length] == ':')
      return entry->headers[i] + length + 2;
  return NULL;
}

GPtrArray *
fake_log_get_entries (FakeCloud *self)
{
  return self->log;
}

static gboolean
entry_matches (const FakeLogEntry *entry, const char *method, const char *path)
{
  if (method != NULL && !g_str_equal (method, entry->method))
    return FALSE;
  return path == NULL || g_pattern_match_simple (path, entry->path);
}

guint
fake_log_count (FakeCloud *self, const char *method, const char *path)
{
  guint count = 0;

  for (guint i = 0; i < self->log->len; i++)
    if (entry_matches (g_ptr_array_index (self->log, i), method, path))
      count++;
  return count;
}

const FakeLogEntry *
fake_log_find (FakeCloud *self, const char *method, const char *path)
{
  for (guint i = self->log->len; i > 0; i--)
    if (entry_matches (g_ptr_array_index (self->log, i - 1), method, path))
      return g_ptr_array_index (self->log, i - 1);
  return NULL;
}

static gboolean
is_ignored (const FakeLogEntry *entry, const char *const *ignore)
{
  g_autofree char *line = g_strdup_printf ("%s %s", entry->method, entry->path);

  for (guint i = 0; ignore != NULL && ignore[i] != NULL; i++)
    if (g_pattern_match_simple (ignore[i], line))
      return TRUE;
  return FALSE;
}

/*
 * Intervals that lie one behind the other: the largest number of them that do
 * not overlap is found by always taking the one that ends first.
 */
static int
compare_ends (gconstpointer a, gconstpointer b)
{
  const FakeLogEntry *left = *(FakeLogEntry *const *) a;
  const FakeLogEntry *right = *(FakeLogEntry *const *) b;

  return (left->end_us > right->end_us) - (left->end_us < right->end_us);
}

guint
fake_log_round_trips (FakeCloud *self, const char *const *ignore)
{
  g_autoptr (GPtrArray) ended = g_ptr_array_new ();
  gint64 last_end = 0;
  guint count = 0;

  for (guint i = 0; i < self->log->len; i++)
    {
      FakeLogEntry *entry = g_ptr_array_index (self->log, i);

      if (entry->end_us != 0 && !is_ignored (entry, ignore))
        g_ptr_array_add (ended, entry);
    }
  g_ptr_array_sort (ended, compare_ends);
  for (guint i = 0; i < ended->len; i++)
    {
      FakeLogEntry *entry = g_ptr_array_index (ended, i);

      if (entry->start_us < last_end)
        continue;
      count++;
      last_end = entry->end_us;
    }
  return count;
}

void
fake_log_clear (FakeCloud *self)
{
  g_ptr_array_set_size (self->log, 0);
}

char *
fake_log_dump (FakeCloud *self)
{
  GString *out = g_string_new ("[");

  for (guint i = 0; i < self->log->len; i++)
    {
      const FakeLogEntry *entry = g_ptr_array_index (self->log, i);
      g_autofree char *query = mask_query (entry->query);

      fake_json_append (out, "%r\n{'sequence': %d, 'start_us': %l, 'end_us': %l, 'method': %s,"
                             " 'path': %s, 'query': %s, 'service': %s, 'status': %d,"
                             " 'in_flight': %d, 'request_size': %l, 'response_size': %l,"
                             " 'request_id': %s, 'headers': [",
                        i > 0 ? "," : "", entry->sequence, entry->start_us, entry->end_us,
                        entry->method, entry->path, query, entry->service, entry->status,
                        entry->in_flight, (gint64) entry->request_size,
                        (gint64) entry->response_size, entry->request_id);
      for (guint j = 0; entry->headers != NULL && entry->headers[j] != NULL; j++)
        fake_json_append (out, "%r%s", j > 0 ? ", " : "", entry->headers[j]);
      g_string_append (out, "]}");
    }
  g_string_append (out, "]\n");
  return g_string_free (out, FALSE);
}
