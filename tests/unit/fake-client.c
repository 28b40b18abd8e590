/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "fake-client.h"

struct _FakePending
{
  SoupMessage *message; /* (owned) */
  GBytes *bytes;        /* (owned) (nullable) */
  GError *error;        /* (owned) (nullable) */
  gboolean is_done;
};

static char *last_text;

FakeClient *
fake_client_new (void)
{
  g_autoptr (GError) error = NULL;
  FakeClient *client = g_new0 (FakeClient, 1);

  client->cloud = fake_cloud_new (&error);
  g_assert_no_error (error);
  client->session =
    soup_session_new_with_options ("max-conns", 64, "max-conns-per-host", 64, NULL);
  soup_session_set_proxy_resolver (client->session, NULL);
  fake_client_log_in (client, "demo", "secret", "demo");
  return client;
}

static void
forget_answer (FakeClient *client)
{
  client->status = 0;
  g_clear_object (&client->message);
  g_clear_pointer (&client->text, g_free);
  g_clear_pointer (&client->json, json_node_unref);
}

void
fake_client_free (FakeClient *client)
{
  forget_answer (client);
  g_clear_pointer (&last_text, g_free);
  soup_session_abort (client->session);
  g_object_unref (client->session);
  fake_cloud_free (client->cloud);
  while (g_main_context_iteration (NULL, FALSE))
    continue;
  g_free (client->token);
  g_free (client->project_id);
  g_free (client);
}

void
fake_client_log_in (FakeClient *client,
                    const char *user,
                    const char *password,
                    const char *project)
{
  g_autofree char *body = g_strdup_printf (
    "{'auth': {'identity': {'methods': ['password'], 'password': {'user': {'name': '%s',"
    " 'domain': {'id': 'default'}, 'password': '%s'}}}, 'scope': {'project': {'name': '%s',"
    " 'domain': {'id': 'default'}}}}}",
    user, password, project);

  g_clear_pointer (&client->token, g_free);
  fake_client_send (client, "POST", "/identity/v3/auth/tokens", body, NULL);
  fake_client_assert_status (client, 201);
  client->token = g_strdup (fake_client_get_header (client, "X-Subject-Token"));
  g_free (client->project_id);
  client->project_id = g_strdup (fake_client_get (client, "token.project.id"));
}

static void
message_sent_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  FakePending *pending = user_data;

  pending->bytes =
    soup_session_send_and_read_finish (SOUP_SESSION (source), result, &pending->error);
  pending->is_done = TRUE;
}

static FakePending *
start_valist (FakeClient *client,
              const char *method,
              const char *path,
              const char *body,
              va_list headers)
{
  FakePending *pending = g_new0 (FakePending, 1);
  g_autofree char *uri = g_strconcat (fake_cloud_get_url (client->cloud), path, NULL);
  SoupMessageHeaders *request;
  const char *header;

  pending->message = soup_message_new (method, uri);
  g_assert_nonnull (pending->message);
  soup_message_add_flags (pending->message, SOUP_MESSAGE_NO_REDIRECT);
  request = soup_message_get_request_headers (pending->message);
  soup_message_headers_replace (request, "Accept", "application/json");
  if (client->token != NULL)
    soup_message_headers_replace (request, "X-Auth-Token", client->token);
  if (body != NULL)
    {
      g_autoptr (GString) strict = g_string_new (body);
      g_autoptr (GBytes) bytes = NULL;

      if (strchr (body, '"') == NULL)
        g_string_replace (strict, "'", "\"", 0);
      bytes = g_bytes_new (strict->str, strict->len);
      soup_message_set_request_body_from_bytes (pending->message, "application/json", bytes);
    }
  while ((header = va_arg (headers, const char *)) != NULL)
    {
      g_auto (GStrv) parts = g_strsplit (header, ": ", 2);

      if (*parts[1] == '\0')
        soup_message_headers_remove (request, parts[0]);
      else
        soup_message_headers_replace (request, parts[0], parts[1]);
    }
  soup_session_send_and_read_async (client->session, pending->message, G_PRIORITY_DEFAULT, NULL,
                                    message_sent_cb, pending);
  return pending;
}

FakePending *
fake_client_start (FakeClient *client,
                   const char *method,
                   const char *path,
                   const char *body,
                   ...)
{
  FakePending *pending;
  va_list headers;

  va_start (headers, body);
  pending = start_valist (client, method, path, body, headers);
  va_end (headers);
  return pending;
}

void
fake_client_wait (FakeClient *client, FakePending *pending)
{
  while (!pending->is_done)
    g_main_context_iteration (NULL, TRUE);

  forget_answer (client);
  client->message = g_object_ref (pending->message);
  if (pending->error != NULL)
    client->text = g_strdup (pending->error->message);
  else
    {
      gsize size;
      const char *text = g_bytes_get_data (pending->bytes, &size);

      client->status = soup_message_get_status (pending->message);
      client->text = g_strndup (text != NULL ? text : "", size);
      client->json = json_from_string (client->text, NULL);
    }
  g_object_unref (pending->message);
  g_clear_pointer (&pending->bytes, g_bytes_unref);
  g_clear_error (&pending->error);
  g_free (pending);
}

void
fake_client_send (FakeClient *client, const char *method, const char *path, const char *body, ...)
{
  FakePending *pending;
  va_list headers;

  va_start (headers, body);
  pending = start_valist (client, method, path, body, headers);
  va_end (headers);
  fake_client_wait (client, pending);
}

char *
fake_client_format (const char *format, ...)
{
  char *text;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  return text;
}

static JsonNode *
find_value (FakeClient *client, const char *path)
{
  g_auto (GStrv) parts = g_strsplit (path, ".", -1);
  JsonNode *node = client->json;

  for (guint i = 0; parts[i] != NULL && node != NULL; i++)
    {
      if (JSON_NODE_HOLDS_OBJECT (node))
        node = json_object_get_member (json_node_get_object (node), parts[i]);
      else if (JSON_NODE_HOLDS_ARRAY (node)
               && atoi (parts[i]) < (int) json_array_get_length (json_node_get_array (node)))
        node = json_array_get_element (json_node_get_array (node), (guint) atoi (parts[i]));
      else
        node = NULL;
    }
  return node;
}

/* The text stays until the next question of this kind. */
const char *
fake_client_get (FakeClient *client, const char *path)
{
  JsonNode *node = find_value (client, path);

  if (node == NULL || JSON_NODE_HOLDS_NULL (node))
    return NULL;
  g_clear_pointer (&last_text, g_free);
  if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING)
    return json_node_get_string (node);
  last_text = json_to_string (node, FALSE);
  return last_text;
}

int
fake_client_count (FakeClient *client, const char *path)
{
  JsonNode *node = find_value (client, path);

  if (node == NULL || !JSON_NODE_HOLDS_ARRAY (node))
    return -1;
  return (int) json_array_get_length (json_node_get_array (node));
}

const char *
fake_client_get_header (FakeClient *client, const char *name)
{
  return soup_message_headers_get_one (soup_message_get_response_headers (client->message), name);
}

static gboolean
time_over_cb (gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
  return G_SOURCE_REMOVE;
}

void
fake_client_pause (guint ms)
{
  gboolean is_over = FALSE;

  g_timeout_add (ms, time_over_cb, &is_over);
  while (!is_over)
    g_main_context_iteration (NULL, TRUE);
}

void
fake_client_await (FakeClient *client, const char *path, const char *member, const char *value)
{
  for (guint i = 0; i < 200; i++)
    {
      fake_client_send (client, "GET", path, NULL, NULL);
      if (g_strcmp0 (fake_client_get (client, member), value) == 0)
        return;
      fake_client_pause (10);
    }
  g_assert_cmpstr (fake_client_get (client, member), ==, value);
}
