/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* What can be done to a server: actions, metadata, tags. */

#include "fake-guests.h"

/* actions */

static const struct
{
  const char *name;
  const char *word;   /* in errors */
  const char *from;   /* vm_states, separated by a space */
  const char *status; /* afterwards */
} changes[] = {
  { "os-stop", "stop", "active", "SHUTOFF" },
  { "os-start", "start", "stopped", "ACTIVE" },
  { "reboot", "reboot", "active stopped", "ACTIVE" },
  { "pause", "pause", "active", "PAUSED" },
  { "unpause", "unpause", "paused", "ACTIVE" },
  { "suspend", "suspend", "active", "SUSPENDED" },
  { "resume", "resume", "suspended", "ACTIVE" },
};

/* The guest that is started again is new: it has no disk. */
static gboolean
follow_change (FakeCloud *cloud, FakeServer *server, const char *action, char **complaint)
{
  *complaint = NULL;
  if (g_str_equal (action, "os-stop") || g_str_equal (action, "reboot"))
    fake_guests_stop (cloud, server->id);
  if (g_str_equal (action, "os-start") || g_str_equal (action, "reboot"))
    return fake_guests_start (cloud, server, complaint);
  return TRUE;
}

static void
change_status (FakeRequest *request, FakeServer *server, guint index)
{
  g_autofree char *complaint = NULL;
  g_auto (GStrv) from = g_strsplit (changes[index].from, " ", -1);
  const char *state = fake_server_get_vm_state (server);

  if (server->is_locked && !request->token->is_admin)
    return fake_nova_fail (request, 409, "Instance %s is locked", server->id);
  if (!g_strv_contains ((const char *const *) from, state))
    return fake_nova_fail (request, 409,
                           "Cannot '%s' instance %s while it is in vm_state %s",
                           changes[index].word, server->id, state);
  if (!follow_change (request->cloud, server, changes[index].name, &complaint))
    return fake_nova_fail (request, 500, "%s", complaint);
  fake_nova_set_status (server, changes[index].status);
  fake_request_reply (request, 202, "application/json", NULL);
}

static void
show_console (FakeRequest *request, FakeServer *server, JsonObject *parameters)
{
  gint64 wanted = fake_json_get_int (parameters, "length", -1);
  g_autofree char *console = fake_guests_read_console (request->cloud, server->id);
  g_auto (GStrv) lines = NULL;
  g_autofree char *text = NULL;
  guint n;

  if (server->host == NULL)
    return fake_nova_fail (request, 409, "Instance %s is not ready", server->id);
  lines = g_strsplit (console != NULL ? console : "FAKE CONSOLE OUTPUT\nANOTHER\nLAST LINE", "\n",
                      -1);
  n = g_strv_length (lines);
  text = g_strjoinv ("\n", lines + (wanted >= 0 && wanted < n ? n - (guint) wanted : 0));
  fake_request_reply_json (request, 200, fake_json ("{'output': %s}", text));
}

void
fake_nova_act (FakeRequest *request)
{
  FakeServer *server = fake_nova_need_server (request);
  JsonNode *json = fake_request_get_json (request);
  g_autoptr (GList) names = NULL;
  const char *action;

  if (server == NULL)
    return;
  if (json != NULL && JSON_NODE_HOLDS_OBJECT (json))
    names = json_object_get_members (json_node_get_object (json));
  if (names == NULL || names->next != NULL)
    return fake_nova_fail (request, 400, "Malformed request body");
  action = names->data;

  if (g_str_equal (action, "os-getConsoleOutput"))
    return show_console (request, server,
                         fake_json_get_object (json_node_get_object (json), action));
  if (g_str_equal (action, "forceDelete"))
    {
      fake_nova_delete (request->cloud, server);
      return fake_request_reply (request, 202, "application/json", NULL);
    }
  if (g_str_equal (action, "lock") || g_str_equal (action, "unlock"))
    {
      server->is_locked = g_str_equal (action, "lock");
      return fake_request_reply (request, 202, "application/json", NULL);
    }
  if (fake_nova_act_on_floating (request, server, action,
                                 fake_json_get_object (json_node_get_object (json), action)))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    if (g_str_equal (changes[i].name, action))
      return change_status (request, server, i);
  fake_nova_fail (request, 400, "There is no such action: %s", action);
}

/* metadata */

static void
reply_metadata (FakeRequest *request, FakeServer *server)
{
  fake_request_reply_json (request, 200, fake_json ("{'metadata': %o}", server->metadata));
}

void
fake_nova_get_metadata (FakeRequest *request)
{
  FakeServer *server = fake_nova_need_server (request);

  if (server != NULL)
    reply_metadata (request, server);
}

static void
change_metadata (FakeRequest *request, gboolean is_replaced)
{
  FakeServer *server = fake_nova_need_server (request);
  JsonObject *given = server != NULL ? fake_nova_get_body (request, "metadata") : NULL;

  if (given == NULL || !fake_nova_validate_metadata (request, given))
    return;
  if (g_str_equal (server->status, "BUILD"))
    return fake_nova_fail (request, 409,
                           "Cannot 'update metadata' instance %s while it is in vm_state building",
                           server->id);
  if (is_replaced)
    {
      json_object_unref (server->metadata);
      server->metadata = json_object_new ();
    }
  fake_json_copy_members (server->metadata, given);
  reply_metadata (request, server);
}

void
fake_nova_post_metadata (FakeRequest *request)
{
  change_metadata (request, FALSE);
}

void
fake_nova_put_metadata (FakeRequest *request)
{
  change_metadata (request, TRUE);
}

void
fake_nova_delete_metadata (FakeRequest *request)
{
  FakeServer *server = fake_nova_need_server (request);
  const char *name = g_ptr_array_index (request->args, 1);

  if (server == NULL)
    return;
  if (!json_object_has_member (server->metadata, name))
    return fake_nova_fail (request, 404, "Metadata item was not found");
  json_object_remove_member (server->metadata, name);
  fake_request_reply (request, 204, "application/json", NULL);
}

/* tags */

/* Tags came with 2.26. */
static FakeServer *
need_tagged_server (FakeRequest *request)
{
  if (request->microversion >= 26)
    return fake_nova_need_server (request);
  fake_nova_fail (request, 404, "The resource could not be found.");
  return NULL;
}

static int
compare_tags (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

static void
add_tag (FakeServer *server, const char *tag)
{
  if (g_ptr_array_find_with_equal_func (server->tags, tag, g_str_equal, NULL))
    return;
  g_ptr_array_add (server->tags, g_strdup (tag));
  g_ptr_array_sort (server->tags, compare_tags);
}

static void
reply_tags (FakeRequest *request, FakeServer *server)
{
  GString *out = g_string_new ("{\"tags\": [");

  for (guint i = 0; i < server->tags->len; i++)
    fake_json_append (out, "%r%s", i > 0 ? ", " : "",
                      (char *) g_ptr_array_index (server->tags, i));
  g_string_append (out, "]}");
  fake_request_reply_json (request, 200, g_string_free (out, FALSE));
}

void
fake_nova_get_tags (FakeRequest *request)
{
  FakeServer *server = need_tagged_server (request);

  if (server != NULL)
    reply_tags (request, server);
}

void
fake_nova_put_tags (FakeRequest *request)
{
  FakeServer *server = need_tagged_server (request);
  JsonNode *json = fake_request_get_json (request);
  JsonArray *tags = NULL;

  if (server == NULL)
    return;
  if (json != NULL && JSON_NODE_HOLDS_OBJECT (json))
    tags = fake_json_get_array (json_node_get_object (json), "tags");
  if (tags == NULL)
    return fake_nova_fail (request, 400, "'tags' is a required property");
  if (!fake_nova_validate_tags (request, tags))
    return;
  g_ptr_array_set_size (server->tags, 0);
  for (guint i = 0; i < json_array_get_length (tags); i++)
    add_tag (server, json_array_get_string_element (tags, i));
  reply_tags (request, server);
}

void
fake_nova_delete_tags (FakeRequest *request)
{
  FakeServer *server = need_tagged_server (request);

  if (server == NULL)
    return;
  g_ptr_array_set_size (server->tags, 0);
  fake_request_reply (request, 204, "application/json", NULL);
}

void
fake_nova_put_tag (FakeRequest *request)
{
  FakeServer *server = need_tagged_server (request);
  const char *tag = g_ptr_array_index (request->args, 1);
  g_autofree char *base = NULL;
  g_autofree char *location = NULL;

  if (server == NULL)
    return;
  if (g_ptr_array_find_with_equal_func (server->tags, tag, g_str_equal, NULL))
    return fake_request_reply (request, 204, "text/html; charset=UTF-8", NULL);
  add_tag (server, tag);
  base = fake_nova_get_base (request, TRUE);
  location = g_strdup_printf ("%s/servers/%s/tags/%s", base, server->id, tag);
  fake_request_set_header (request, "Location", location);
  fake_request_reply (request, 201, "text/html; charset=UTF-8", NULL);
}

void
fake_nova_delete_tag (FakeRequest *request)
{
  FakeServer *server = need_tagged_server (request);
  const char *tag = g_ptr_array_index (request->args, 1);
  guint index;

  if (server == NULL)
    return;
  if (!g_ptr_array_find_with_equal_func (server->tags, tag, g_str_equal, &index))
    return fake_nova_fail (request, 404, "Instance %s has no tag '%s'", server->id, tag);
  g_ptr_array_remove_index (server->tags, index);
  fake_request_reply (request, 204, "application/json", NULL);
}
