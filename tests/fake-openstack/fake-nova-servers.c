/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* Servers: lists with their filters and pages, one by one, and deleting. */

#include "fake-nova.h"

/* One list request. */
typedef struct
{
  GRegex *name;    /* (owned) (nullable) as the database searches */
  GRegex *strict;  /* (owned) (nullable) as Python does, for those not yet in the database */
  const char *status; /* (nullable) */
  char **tags;     /* (owned) (nullable) all of them */
  char **any_tags; /* (owned) (nullable) */
  char **not_tags; /* (owned) (nullable) */
  gboolean is_all; /* of all projects */
} Query;

static void
query_clear (Query *query)
{
  g_clear_pointer (&query->name, g_regex_unref);
  g_clear_pointer (&query->strict, g_regex_unref);
  g_strfreev (query->tags);
  g_strfreev (query->any_tags);
  g_strfreev (query->not_tags);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Query, query_clear)

/*
 * Nova checks the filter as a regular expression of Python, escapes "|" for
 * MariaDB, and lets the database search with it. PCRE, which both GLib and
 * MariaDB use, knows a little more than Python.
 */
static gboolean
compile_name (FakeRequest *request, Query *query, const char *pattern)
{
  gboolean is_strict = request->cloud->settings.case_sensitive;
  g_autoptr (GString) escaped = NULL;

  if (*pattern == '\0' || g_regex_match_simple ("\\(\\?[a-zA-Z]*-[a-zA-Z]*\\)", pattern, 0, 0))
    return FALSE;
  query->strict = g_regex_new (pattern, 0, 0, NULL);
  if (query->strict == NULL)
    return FALSE;
  escaped = g_string_new (pattern);
  if (!is_strict)
    g_string_replace (escaped, "|", "\\|", 0);
  query->name = g_regex_new (escaped->str, (is_strict ? 0 : G_REGEX_CASELESS) | G_REGEX_OPTIMIZE, 0,
                             NULL);
  return query->name != NULL;
}

static char **
get_tag_list (FakeRequest *request, const char *name)
{
  const char *value = fake_request_get_parameter (request, name);

  if (value == NULL || request->microversion < 26)
    return NULL;
  return g_strsplit (value, ",", -1);
}

/* FALSE after an answer. */
static gboolean
parse_query (FakeRequest *request, Query *query)
{
  const char *name = fake_request_get_parameter (request, "name");
  const char *all = fake_request_get_parameter (request, "all_tenants");

  if (name != NULL && !compile_name (request, query, name))
    {
      g_autofree char *shown = fake_json_text_to_python (name);

      fake_nova_fail (request, 400,
                      "Invalid input for query parameters name. Value: %s. %s is not a 'regex'",
                      name, shown);
      return FALSE;
    }
  query->is_all = all != NULL && !g_str_equal (all, "0") && g_ascii_strcasecmp (all, "false") != 0;
  if (query->is_all && !request->token->is_admin)
    {
      fake_nova_fail (request, 403,
                      "Policy doesn't allow os_compute_api:servers:index:get_all_tenants to be "
                      "performed.");
      return FALSE;
    }
  query->status = fake_request_get_parameter (request, "status");
  query->tags = get_tag_list (request, "tags");
  query->any_tags = get_tag_list (request, "tags-any");
  query->not_tags = get_tag_list (request, "not-tags");
  return TRUE;
}

static guint
count_tags (const FakeServer *server, char **tags)
{
  guint n = 0;

  for (guint i = 0; tags[i] != NULL; i++)
    if (g_ptr_array_find_with_equal_func (server->tags, tags[i], g_str_equal, NULL))
      n++;
  return n;
}

static gboolean
matches (FakeRequest *request, const Query *query, const FakeServer *server)
{
  if (!query->is_all && g_strcmp0 (server->project_id, request->token->project_id) != 0)
    return FALSE;
  if (fake_server_is_gone (server))
    return FALSE;
  if (query->status != NULL && g_ascii_strcasecmp (query->status, server->status) != 0)
    return FALSE;
  if (query->tags != NULL && count_tags (server, query->tags) < g_strv_length (query->tags))
    return FALSE;
  if (query->any_tags != NULL && count_tags (server, query->any_tags) == 0)
    return FALSE;
  if (query->not_tags != NULL
      && count_tags (server, query->not_tags) == g_strv_length (query->not_tags))
    return FALSE;
  if (query->name == NULL)
    return TRUE;
  return g_regex_match (server->host == NULL && server->fault_message == NULL ? query->strict
                                                                              : query->name,
                        server->name, 0, NULL);
}

static void
list_servers (FakeRequest *request, gboolean is_detailed)
{
  FakeNova *nova = request->cloud->nova;
  const char *marker = fake_request_get_parameter (request, "marker");
  g_auto (Query) query = { NULL };
  GList *from = nova->servers.head;
  const FakeServer *last = NULL;
  GString *out;
  guint limit, n = 0;

  if (!parse_query (request, &query) || !fake_nova_get_limit (request, &limit))
    return;
  if (marker != NULL && *marker != '\0')
    {
      from = g_hash_table_lookup (nova->links, marker);
      if (from == NULL)
        return fake_nova_fail (request, 400, "marker [%s] not found", marker);
      from = from->next;
    }

  out = g_string_new ("{\"servers\": [");
  for (GList *l = from; l != NULL && n < limit; l = l->next)
    {
      if (!matches (request, &query, l->data))
        continue;
      if (n++ > 0)
        g_string_append (out, ", ");
      if (is_detailed)
        fake_server_append_detail (out, request, l->data, FALSE);
      else
        fake_server_append_brief (out, request, l->data);
      last = l->data;
    }
  g_string_append_c (out, ']');
  if (n == limit && n > 0)
    fake_nova_append_next (request, out, "servers", last->id);
  g_string_append_c (out, '}');
  fake_request_reply_json (request, 200, g_string_free (out, FALSE));
}

void
fake_nova_list_servers (FakeRequest *request)
{
  list_servers (request, FALSE);
}

void
fake_nova_detail_servers (FakeRequest *request)
{
  list_servers (request, TRUE);
}

FakeServer *
fake_nova_need_server (FakeRequest *request)
{
  const char *id = g_ptr_array_index (request->args, 0);
  FakeServer *server = fake_nova_find_server (request->cloud, id);

  if (server != NULL
      && (request->token->is_admin
          || g_strcmp0 (server->project_id, request->token->project_id) == 0))
    return server;
  fake_nova_fail (request, 404, "Instance %s could not be found.", id);
  return NULL;
}

static void
reply_server (FakeRequest *request, const FakeServer *server)
{
  GString *out = g_string_new ("{\"server\": ");

  fake_server_append_detail (out, request, server, TRUE);
  g_string_append_c (out, '}');
  fake_request_reply_json (request, 200, g_string_free (out, FALSE));
}

void
fake_nova_get_server (FakeRequest *request)
{
  FakeServer *server = fake_nova_need_server (request);

  if (server != NULL)
    reply_server (request, server);
}

void
fake_nova_update_server (FakeRequest *request)
{
  FakeServer *server = fake_nova_need_server (request);
  JsonObject *body = server != NULL ? fake_nova_get_body (request, "server") : NULL;
  const char *name;

  if (body == NULL)
    return;
  name = fake_json_get_string (body, "name");
  if (name != NULL)
    fake_nova_rename (request->cloud, server, name);
  reply_server (request, server);
}

void
fake_nova_delete_server (FakeRequest *request)
{
  FakeServer *server = fake_nova_need_server (request);

  if (server == NULL)
    return;
  if (server->is_locked)
    return fake_nova_fail (request, 409, "Instance %s is locked", server->id);
  if (request->cloud->settings.nova_soft_delete)
    fake_nova_set_status (server, "SOFT_DELETED");
  else
    fake_nova_delete (request->cloud, server);
  fake_request_reply (request, 204, "application/json", NULL);
}

void
fake_nova_get_interfaces (FakeRequest *request)
{
  FakeServer *server = fake_nova_need_server (request);
  GString *out;
  const char *separator = "";

  if (server == NULL)
    return;
  out = g_string_new ("{\"interfaceAttachments\": [");
  for (guint i = 0; server->host != NULL && i < server->cards->len; i++)
    {
      FakeCard *card = g_ptr_array_index (server->cards, i);
      JsonObject *port = fake_cloud_find_object (request->cloud, "port", card->port_id);

      if (port == NULL)
        continue;
      fake_json_append (out, "%r{'net_id': %s, 'port_id': %s, 'mac_addr': %s, 'port_state': %s,"
                             " 'fixed_ips': %j}",
                        separator, fake_json_get_string (port, "network_id"), card->port_id,
                        fake_json_get_string (port, "mac_address"),
                        fake_json_get_string (port, "status"),
                        json_object_get_member (port, "fixed_ips"));
      separator = ", ";
    }
  g_string_append (out, "]}");
  fake_request_reply_json (request, 200, g_string_free (out, FALSE));
}
