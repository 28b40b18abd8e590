/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/*
 * The network service: what all of its resources have in common. Its resources
 * are JSON objects just as they are shown; what must not be shown is kept
 * beside them in FakeNeutron.
 */

#include "fake-neutron.h"

const FakeResource *const fake_resources[FAKE_N_RESOURCES] = {
  &fake_network_resource, &fake_subnet_resource, &fake_router_resource, &fake_port_resource,
  &fake_floatingip_resource, &fake_group_resource, &fake_rule_resource,
};

/* errors */

void
fake_fault_clear (FakeFault *fault)
{
  g_clear_pointer (&fault->message, g_free);
}

gpointer
fake_fault_set (FakeFault *fault, guint status, const char *type, const char *format, ...)
{
  va_list args;

  fake_fault_clear (fault);
  fault->status = status;
  fault->type = type;
  va_start (args, format);
  fault->message = g_strdup_vprintf (format, args);
  va_end (args);
  return NULL;
}

static void
reply_fault (FakeRequest *request, const FakeFault *fault)
{
  fake_request_reply_json (request, fault->status,
                           fake_json ("{'NeutronError': {'type': %s, 'message': %s,"
                                      " 'detail': ''}}",
                                      fault->type, fault->message));
}

static void
reply_error (FakeRequest *request, guint status, const char *type, const char *message)
{
  const FakeFault fault = { status, type, (char *) message };

  reply_fault (request, &fault);
}

/* resources */

gboolean
fake_neutron_is_uuid (const char *text)
{
  return g_uuid_string_is_valid (text);
}

gboolean
fake_neutron_is_visible (const FakeResource *resource, JsonObject *object, const FakeToken *caller)
{
  if (caller->is_admin
      || g_strcmp0 (fake_json_get_string (object, "project_id"), caller->project_id) == 0)
    return TRUE;
  return fake_json_get_bool (object, "shared", FALSE)
         || fake_json_get_bool (object, "router:external", FALSE);
}

JsonObject *
fake_neutron_get (FakeCloud *cloud,
                  const FakeResource *resource,
                  const FakeToken *caller,
                  const char *id,
                  FakeFault *fault)
{
  g_autofree char *lower = id != NULL ? g_ascii_strdown (id, -1) : NULL;
  JsonObject *object = fake_store_get (fake_cloud_get_store (cloud, resource->kind), lower);

  if (object != NULL && fake_neutron_is_visible (resource, object, caller))
    return object;
  return fake_fault_set (fault, 404, resource->not_found_type, resource->not_found_message,
                         id != NULL ? id : "None");
}

const char *
fake_neutron_get_owner (FakeCloud *cloud, const FakeToken *caller, JsonObject *body)
{
  const char *project = fake_json_get_string (body, "project_id");

  if (project == NULL)
    project = fake_json_get_string (body, "tenant_id");
  if (project != NULL && caller->is_admin)
    return project;
  return caller->project_id;
}

static guint
count_used (FakeCloud *cloud, const FakeResource *resource, const char *project_id)
{
  guint used = 0;

  for (GList *l = fake_store_get_first (fake_cloud_get_store (cloud, resource->kind)); l != NULL;
       l = l->next)
    if (g_strcmp0 (fake_json_get_string (l->data, "project_id"), project_id) == 0)
      used++;
  return used;
}

gboolean
fake_neutron_check_quota (FakeCloud *cloud,
                          const FakeResource *resource,
                          const char *project_id,
                          guint wanted,
                          FakeFault *fault)
{
  int limit = fake_cloud_get_quota (cloud, project_id, resource->kind);

  if (limit < 0 || count_used (cloud, resource, project_id) + wanted <= (guint) limit)
    return TRUE;
  fake_fault_set (fault, 409, "OverQuota", "Quota exceeded for resources: ['%s'].",
                  resource->kind);
  return FALSE;
}

JsonObject *
fake_neutron_store (FakeCloud *cloud,
                    const FakeResource *resource,
                    const char *project_id,
                    JsonObject *object)
{
  g_autofree char *now = fake_now ();

  json_object_set_string_member (object, "tenant_id", project_id);
  json_object_set_string_member (object, "project_id", project_id);
  if (!json_object_has_member (object, "description"))
    json_object_set_string_member (object, "description", "");
  fake_json_set_text (object, "tags", "[]");
  json_object_set_string_member (object, "created_at", now);
  json_object_set_string_member (object, "updated_at", now);
  json_object_set_int_member (object, "revision_number", 0);
  fake_neutron_strip_members (cloud, resource, object);
  return fake_store_add (fake_cloud_get_store (cloud, resource->kind), object);
}

void
fake_neutron_touch (JsonObject *object)
{
  g_autofree char *now = fake_now ();

  if (json_object_has_member (object, "updated_at"))
    json_object_set_string_member (object, "updated_at", now);
  if (json_object_has_member (object, "revision_number"))
    json_object_set_int_member (object, "revision_number",
                                json_object_get_int_member (object, "revision_number") + 1);
}

void
fake_neutron_drop (FakeCloud *cloud, const FakeResource *resource, const char *id)
{
  FakeStore *store = fake_cloud_get_store (cloud, resource->kind);
  JsonObject *object = fake_store_get (store, id);
  g_auto (FakeFault) ignored = { 0 };

  if (object == NULL)
    return;
  g_hash_table_remove (cloud->neutron->last_writers, id);
  if (resource->remove != NULL)
    resource->remove (cloud, object, &ignored);
  fake_store_remove (store, id);
}

/* bodies */

static const char *const text_members[] = { "name", "description", NULL };
static const char *const boolean_members[] = {
  "admin_state_up", "shared", "router:external", "port_security_enabled", "enable_dhcp", NULL,
};
static const char *const owner_members[] = { "project_id", "tenant_id", NULL };

static gboolean
check_text (const char *name, JsonNode *value, FakeFault *fault)
{
  if (!fake_json_node_is_string (value))
    {
      g_autofree char *shown = fake_json_node_to_python (value);

      fake_fault_set (fault, 400, "HTTPBadRequest",
                      "Invalid input for %s. Reason: '%s' is not a valid string.", name, shown);
      return FALSE;
    }
  if (g_utf8_strlen (json_node_get_string (value), -1) <= 255)
    return TRUE;
  fake_fault_set (fault, 400, "HTTPBadRequest",
                  "Invalid input for %s. Reason: '%s' exceeds maximum length of 255.", name,
                  json_node_get_string (value));
  return FALSE;
}

/* Booleans may be given as text. */
static gboolean
take_boolean (JsonNode *value, FakeFault *fault)
{
  g_autofree char *text = fake_json_scalar_to_text (value);
  g_autofree char *lower = text != NULL ? g_ascii_strdown (text, -1) : g_strdup ("None");

  if (g_str_equal (lower, "true") || g_str_equal (lower, "1"))
    json_node_set_boolean (value, TRUE);
  else if (g_str_equal (lower, "false") || g_str_equal (lower, "0"))
    json_node_set_boolean (value, FALSE);
  else
    {
      fake_fault_set (fault, 400, "InvalidInput",
                      "Invalid input for operation: '%s' cannot be converted to boolean.", text);
      return FALSE;
    }
  return TRUE;
}

/* Is it known, and may it be given here? */
static gboolean
check_name (FakeCloud *cloud,
            const FakeResource *resource,
            const char *name,
            gboolean is_new,
            FakeFault *fault)
{
  gboolean is_hidden = g_str_equal (name, "description")
                       && !fake_neutron_keeps_member (resource, name)
                       && !fake_neutron_has_extension (cloud, "standard-attr-description");

  /* Ports take tags in a POST and forget them; rules do not know the member at all. */
  if (g_str_equal (name, "tags") && is_new && resource == &fake_port_resource)
    return TRUE;
  if (g_str_equal (name, "tags") && is_new && resource != &fake_rule_resource)
    fake_fault_set (fault, 400, "HTTPBadRequest", "Attribute 'tags' not allowed in POST");
  else if (is_hidden || !g_strv_contains (resource->settable, name))
    fake_fault_set (fault, 400, "HTTPBadRequest", "Unrecognized attribute(s) '%s'", name);
  else if (!is_new && !g_strv_contains (resource->changeable, name))
    fake_fault_set (fault, 400, "HTTPBadRequest", "Cannot update read-only attribute %s", name);
  return fault->message == NULL;
}

static gboolean
check_owner (const FakeToken *caller, JsonNode *value, FakeFault *fault)
{
  if (caller->is_admin
      || (fake_json_node_is_string (value)
          && g_strcmp0 (json_node_get_string (value), caller->project_id) == 0))
    return TRUE;
  fake_fault_set (fault, 400, "HTTPBadRequest",
                  "Specifying 'project_id' or 'tenant_id' other than the authenticated project in "
                  "request requires admin or advsvc privileges");
  return FALSE;
}

static gboolean
check_members (FakeRequest *request,
               const FakeResource *resource,
               JsonObject *body,
               gboolean is_new,
               FakeFault *fault)
{
  JsonObjectIter iter;
  const char *name;
  JsonNode *value;

  json_object_iter_init_ordered (&iter, body);
  while (json_object_iter_next_ordered (&iter, &name, &value))
    {
      if (g_strv_contains (owner_members, name) && !check_owner (request->token, value, fault))
        return FALSE;
      if (!check_name (request->cloud, resource, name, is_new, fault))
        return FALSE;
      if (g_strv_contains (text_members, name) && !check_text (name, value, fault))
        return FALSE;
      if (g_strv_contains (boolean_members, name) && !take_boolean (value, fault))
        return FALSE;
    }
  if (!is_new || resource->required == NULL || json_object_has_member (body, resource->required))
    return TRUE;
  fake_fault_set (fault, 400, "HTTPBadRequest",
                  "Failed to parse request. Required attribute '%s' not specified",
                  resource->required);
  return FALSE;
}

/* The body's object; answers if there is none. */
static JsonObject *
get_body (FakeRequest *request)
{
  JsonNode *json = fake_request_get_json (request);

  if (json == NULL && fake_request_has_body (request))
    {
      reply_error (request, 400, "MalformedRequestBody",
                   "Malformed request body: Cannot understand JSON.");
      return NULL;
    }
  if (json == NULL || !JSON_NODE_HOLDS_OBJECT (json))
    {
      reply_error (request, 400, "HTTPBadRequest", "Resource body required");
      return NULL;
    }
  return json_node_get_object (json);
}

/* What a POST shows of a new object. */
static JsonObject *
make_answer (const FakeResource *resource, JsonObject *object)
{
  JsonObject *answer;

  if (resource->edit_answer == NULL)
    return json_object_ref (object);
  answer = json_object_new ();
  fake_json_copy_members (answer, object);
  resource->edit_answer (answer);
  return answer;
}

static void
reply_object (FakeRequest *request, guint status, const FakeResource *resource, JsonObject *object)
{
  g_autoptr (JsonObject) selected = fake_neutron_select_fields (request, object);

  fake_request_reply_json (request, status, fake_json ("{'%r': %o}", resource->kind, selected));
}

static JsonObject *
create_one (FakeRequest *request, const FakeResource *resource, JsonObject *body, FakeFault *fault)
{
  if (!check_members (request, resource, body, TRUE, fault))
    return NULL;
  return resource->create (request->cloud, request->token, body, fault);
}

/* All or nothing. */
static void
create_many (FakeRequest *request, const FakeResource *resource, JsonArray *bodies)
{
  g_auto (FakeFault) fault = { 0 };
  g_autoptr (JsonArray) made = json_array_new ();
  g_autoptr (JsonNode) list = json_node_new (JSON_NODE_ARRAY);
  guint n = json_array_get_length (bodies);
  guint i;

  if (n == 0)
    return reply_error (request, 400, "HTTPBadRequest", "Resources required");
  for (i = 0; i < n; i++)
    if (!JSON_NODE_HOLDS_OBJECT (json_array_get_element (bodies, i)))
      return reply_error (request, 400, "HTTPBadRequest", "Invalid body");
  if (resource->check_bulk != NULL && !resource->check_bulk (request->cloud, bodies, &fault))
    return reply_fault (request, &fault);

  for (i = 0; i < n; i++)
    {
      JsonObject *object =
        create_one (request, resource, json_array_get_object_element (bodies, i), &fault);

      if (object == NULL)
        break;
      json_array_add_object_element (made, make_answer (resource, object));
    }
  if (i < n)
    {
      for (i = 0; i < json_array_get_length (made); i++)
        fake_neutron_drop (request->cloud, resource,
                           json_object_get_string_member (
                             json_array_get_object_element (made, i), "id"));
      return reply_fault (request, &fault);
    }
  json_node_set_array (list, made);
  fake_request_reply_json (request, 201, fake_json ("{'%r': %j}", resource->plural, list));
}

static void
post (FakeRequest *request, const FakeResource *resource)
{
  JsonObject *body = get_body (request);
  g_auto (FakeFault) fault = { 0 };
  g_autoptr (JsonObject) answer = NULL;
  JsonObject *wanted, *object;
  JsonArray *many;

  if (body == NULL)
    return;
  many = fake_json_get_array (body, resource->plural);
  if (many != NULL)
    return create_many (request, resource, many);
  wanted = fake_json_get_object (body, resource->kind);
  if (wanted == NULL)
    return reply_error (request, 400, "HTTPBadRequest", "Resource body required");
  object = create_one (request, resource, wanted, &fault);
  if (object == NULL)
    return reply_fault (request, &fault);
  answer = make_answer (resource, object);
  reply_object (request, 201, resource, answer);
}

/* The object in the path; answers if it is not to be seen. */
static JsonObject *
get_object (FakeRequest *request, const FakeResource *resource)
{
  g_auto (FakeFault) fault = { 0 };
  JsonObject *object = fake_neutron_get (request->cloud, resource, request->token,
                                         g_ptr_array_index (request->args, 0), &fault);

  if (object == NULL)
    reply_fault (request, &fault);
  return object;
}

static void
get (FakeRequest *request, const FakeResource *resource)
{
  JsonObject *object = get_object (request, resource);

  if (object != NULL)
    reply_object (request, 200, resource, object);
}

/*
 * If-Match is not atomic in neutron: the constraint is dropped at its first
 * check, so that of requests which overlap all succeed and the last one wins.
 * FALSE after an answer.
 */
static gboolean
check_revision (FakeRequest *request, JsonObject *object)
{
  const char *text = fake_request_get_header (request, "If-Match");
  const char *id = fake_json_get_string (object, "id");
  FakeLogEntry *writer = g_hash_table_lookup (request->cloud->neutron->last_writers, id);
  gint64 current = fake_json_get_int (object, "revision_number", 0);
  gint64 wanted;
  g_auto (FakeFault) fault = { 0 };

  if (text == NULL || !g_str_has_prefix (text, "revision_number=")
      || !fake_neutron_has_extension (request->cloud, "revision-if-match"))
    return TRUE;
  if (!g_ascii_string_to_signed (strchr (text, '=') + 1, 10, 0, G_MAXINT, &wanted, NULL))
    {
      reply_error (request, 400, "BadRequest",
                   "Bad if-match request: Revision number etag must be in the format of "
                   "revision_number=<int>.");
      return FALSE;
    }
  if (wanted == current || (writer != NULL && writer->end_us == 0))
    return TRUE;
  fake_fault_set (&fault, 412, "RevisionNumberConstraintFailed",
                  "Constrained to %" G_GINT64_FORMAT ", but current revision is %" G_GINT64_FORMAT,
                  wanted, current);
  reply_fault (request, &fault);
  return FALSE;
}

static void
put (FakeRequest *request, const FakeResource *resource)
{
  JsonObject *object = get_object (request, resource);
  JsonObject *body = object != NULL ? get_body (request) : NULL;
  g_auto (FakeFault) fault = { 0 };
  JsonObject *wanted;

  if (body == NULL)
    return;
  wanted = fake_json_get_object (body, resource->kind);
  if (wanted == NULL)
    return reply_error (request, 400, "HTTPBadRequest", "Resource body required");
  if (!check_revision (request, object))
    return;
  if (!check_members (request, resource, wanted, FALSE, &fault)
      || (resource->update != NULL
          && !resource->update (request->cloud, request->token, object, wanted, &fault)))
    return reply_fault (request, &fault);
  fake_json_merge (object, wanted);
  fake_neutron_touch (object);
  g_hash_table_replace (request->cloud->neutron->last_writers,
                        g_strdup (fake_json_get_string (object, "id")),
                        fake_log_entry_ref (request->entry));
  reply_object (request, 200, resource, object);
}

static void
delete (FakeRequest *request, const FakeResource *resource)
{
  JsonObject *object = get_object (request, resource);
  g_auto (FakeFault) fault = { 0 };
  g_autofree char *id = NULL;

  if (object == NULL || !check_revision (request, object))
    return;
  if (resource->remove != NULL && !resource->remove (request->cloud, object, &fault))
    return reply_fault (request, &fault);
  id = g_strdup (fake_json_get_string (object, "id"));
  g_hash_table_remove (request->cloud->neutron->last_writers, id);
  fake_store_remove (fake_cloud_get_store (request->cloud, resource->kind), id);
  fake_request_reply (request, 204, NULL, NULL);
}

/* tags */

static JsonArray *
remove_tag (JsonArray *tags, const char *tag)
{
  JsonArray *rest = json_array_new ();

  for (guint i = 0; i < json_array_get_length (tags); i++)
    if (!g_str_equal (json_array_get_string_element (tags, i), tag))
      json_array_add_string_element (rest, json_array_get_string_element (tags, i));
  return rest;
}

static void
handle_tag (FakeRequest *request, JsonObject *object)
{
  const char *tag = g_ptr_array_index (request->args, 1);
  JsonArray *tags = fake_json_get_array (object, "tags");
  g_auto (FakeFault) fault = { 0 };

  if (g_str_equal (request->method, "PUT"))
    {
      if (g_utf8_strlen (tag, -1) > 255)
        {
          fake_fault_set (&fault, 400, "InvalidInput",
                          "Invalid input for operation: '%s' exceeds maximum length of 255.", tag);
          return reply_fault (request, &fault);
        }
      if (!fake_json_array_has (tags, tag))
        json_array_add_string_element (tags, tag);
      fake_neutron_touch (object);
      return fake_request_reply_json (request, 201, g_strdup ("null"));
    }
  if (!fake_json_array_has (tags, tag))
    {
      fake_fault_set (&fault, 404, "TagNotFound", "Tag %s could not be found.", tag);
      return reply_fault (request, &fault);
    }
  if (g_str_equal (request->method, "GET"))
    return fake_request_reply (request, 204, NULL, NULL);
  json_object_set_array_member (object, "tags", remove_tag (tags, tag));
  fake_neutron_touch (object);
  fake_request_reply (request, 204, NULL, NULL);
}

static void
handle_tags (FakeRequest *request, JsonObject *object)
{
  JsonObject *body;

  if (g_str_equal (request->method, "PUT"))
    {
      body = get_body (request);
      if (body == NULL)
        return;
      if (fake_json_get_array (body, "tags") == NULL)
        return reply_error (request, 400, "HTTPBadRequest", "Invalid tags body");
      json_object_set_member (object, "tags", json_object_dup_member (body, "tags"));
      fake_neutron_touch (object);
    }
  if (g_str_equal (request->method, "DELETE"))
    {
      fake_json_set_text (object, "tags", "[]");
      fake_neutron_touch (object);
      return fake_request_reply (request, 204, NULL, NULL);
    }
  fake_request_reply_json (request, 200,
                           fake_json ("{'tags': %j}", json_object_get_member (object, "tags")));
}

/* routing */

static void
get_quotas (FakeRequest *request)
{
  const char *project_id = g_ptr_array_index (request->args, 0);
  GString *out;

  if (!request->token->is_admin && g_strcmp0 (project_id, request->token->project_id) != 0)
    return reply_error (request, 403, "AdminRequired", "User does not have admin privileges");
  out = g_string_new ("{\"quota\": {");
  for (guint i = 0; i < FAKE_N_RESOURCES; i++)
    fake_json_append (out, "'%r': %d, ", fake_resources[i]->kind,
                      fake_cloud_get_quota (request->cloud, project_id, fake_resources[i]->kind));
  fake_json_append (out, "'subnetpool': -1, 'rbac_policy': 10}}");
  fake_request_reply_json (request, 200, g_string_free (out, FALSE));
}

static void
get_quota_details (FakeRequest *request)
{
  const char *project_id = g_ptr_array_index (request->args, 0);
  GString *out;

  if (!fake_neutron_has_extension (request->cloud, "quota_details"))
    return reply_error (request, 404, "HTTPNotFound", "The resource could not be found.");
  if (!request->token->is_admin && g_strcmp0 (project_id, request->token->project_id) != 0)
    return reply_error (request, 403, "AdminRequired", "User does not have admin privileges");
  out = g_string_new ("{\"quota\": {");
  for (guint i = 0; i < FAKE_N_RESOURCES; i++)
    fake_json_append (out, "'%r': {'limit': %d, 'used': %d, 'reserved': 0}, ",
                      fake_resources[i]->kind,
                      fake_cloud_get_quota (request->cloud, project_id, fake_resources[i]->kind),
                      count_used (request->cloud, fake_resources[i], project_id));
  fake_json_append (out, "'subnetpool': {'limit': -1, 'used': 0, 'reserved': 0}}}");
  fake_request_reply_json (request, 200, g_string_free (out, FALSE));
}

static void
get_version (FakeRequest *request)
{
  static const char *const shown[] = { "network", "subnet", "subnetpool", "port" };
  GString *out = g_string_new ("{\"resources\": [");

  for (guint i = 0; i < G_N_ELEMENTS (shown); i++)
    fake_json_append (out, "%r{'links': [{'rel': 'self', 'href': '%r/network/v2.0/%rs'}],"
                           " 'name': %s, 'collection': '%rs'}",
                      i > 0 ? ", " : "", request->cloud->url, shown[i], shown[i], shown[i]);
  g_string_append (out, "]}");
  fake_request_reply_json (request, 200, g_string_free (out, FALSE));
}

static const FakeRoute routes[] = {
  { "GET", "/", get_version },
  { "GET", "/extensions", fake_neutron_get_extensions },
  { "GET", "/quotas/*", get_quotas },
  { "GET", "/quotas/*/details", get_quota_details },
};

static const FakeResource *
find_resource (FakeCloud *cloud, const char *path)
{
  static const char *const routed[] = { "routers", "floatingips", NULL };
  static const char *const grouped[] = { "security-groups", "security-group-rules", NULL };

  if (g_strv_contains (routed, path) && !fake_neutron_has_extension (cloud, "router"))
    return NULL;
  if (g_strv_contains (grouped, path) && !fake_neutron_has_extension (cloud, "security-group"))
    return NULL;
  for (guint i = 0; i < FAKE_N_RESOURCES; i++)
    if (g_str_equal (fake_resources[i]->path, path))
      return fake_resources[i];
  return NULL;
}

static void
reply_no_route (FakeRequest *request)
{
  reply_error (request, 404, "HTTPNotFound", "The resource could not be found.");
}

static void
handle_tagging (FakeRequest *request, const FakeResource *resource)
{
  JsonObject *object = get_object (request, resource);

  if (object == NULL)
    return;
  if (!json_object_has_member (object, "tags"))
    return reply_no_route (request);
  if (request->args->len > 1)
    return handle_tag (request, object);
  handle_tags (request, object);
}

static void
handle_collection (FakeRequest *request, const FakeResource *resource)
{
  g_auto (FakeFault) fault = { 0 };

  if (g_str_equal (request->method, "GET"))
    return fake_neutron_list (request, resource);
  if (g_str_equal (request->method, "POST"))
    return post (request, resource);
  fake_fault_set (&fault, 404, resource->not_found_type, resource->not_found_message, "None");
  reply_fault (request, &fault);
}

static void
handle_item (FakeRequest *request, const FakeResource *resource)
{
  if (g_str_equal (request->method, "GET"))
    return get (request, resource);
  if (g_str_equal (request->method, "PUT"))
    return put (request, resource);
  if (g_str_equal (request->method, "DELETE"))
    return delete (request, resource);
  reply_no_route (request);
}

static void
handle_resource (FakeRequest *request, const char *path)
{
  g_auto (GStrv) parts = g_strsplit (path + 1, "/", -1);
  guint n = g_strv_length (parts);
  const FakeResource *resource;

  if (n > 1 && *parts[n - 1] == '\0')
    n--;
  resource = n > 0 ? find_resource (request->cloud, parts[0]) : NULL;
  if (resource == NULL || n > 4 || (n > 2 && !g_str_equal (parts[2], "tags")))
    return reply_no_route (request);

  g_ptr_array_set_size (request->args, 0);
  if (n > 1)
    g_ptr_array_add (request->args, g_uri_unescape_string (parts[1], NULL));
  if (n > 3)
    g_ptr_array_add (request->args, g_uri_unescape_string (parts[3], NULL));
  if (n > 2)
    handle_tagging (request, resource);
  else if (n > 1)
    handle_item (request, resource);
  else
    handle_collection (request, resource);
}

static void
handle (FakeRequest *request)
{
  g_autofree char *uuid = fake_uuid ();
  g_autofree char *request_id = g_strconcat ("req-", uuid, NULL);
  const char *path = request->path;

  if (*path == '\0' || g_str_equal (path, "/"))
    return fake_request_reply_json (
      request, 200,
      fake_json ("{'versions': [{'id': 'v2.0', 'status': 'CURRENT', 'links': [{'rel': 'self',"
                 " 'href': '%r/network/v2.0/'}]}]}",
                 request->cloud->url));
  if (!g_str_has_prefix (path, "/v2.0"))
    return fake_request_reply_json (
      request, 404, fake_json ("{'code': 404, 'title': 'Not Found', 'description': null}"));

  fake_request_set_header (request, "X-Openstack-Request-Id", request_id);
  if (fake_keystone_authenticate (request) == NULL)
    return fake_keystone_reply_unauthorized (request);
  path += strlen ("/v2.0");
  if (*path != '/')
    return reply_no_route (request);
  if (fake_request_route (request, path, routes, G_N_ELEMENTS (routes)) != FAKE_ROUTE_FOUND)
    handle_resource (request, path);
}

/* contents */

static JsonObject *
add (FakeCloud *cloud, const FakeResource *resource, JsonObject *content)
{
  const char *project = fake_json_get_string (content, "project");
  const char *network = fake_json_get_string (content, "network");
  g_auto (FakeFault) fault = { 0 };
  FakeToken caller = { .is_admin = TRUE };
  g_autoptr (JsonObject) body = json_object_new ();
  JsonObject *object;

  fake_json_merge (body, content);
  if (network != NULL)
    {
      JsonObject *found = fake_cloud_find_object (cloud, "network", network);

      if (found == NULL)
        return NULL;
      json_object_set_string_member (body, "network_id", fake_json_get_string (found, "id"));
      project = project != NULL ? project : fake_json_get_string (found, "project_id");
    }
  caller.project_id = (char *) fake_cloud_find (cloud, "project", project != NULL ? project : "");
  if (caller.project_id == NULL)
    return NULL;
  object = resource->create (cloud, &caller, body, &fault);
  if (object == NULL)
    g_warning ("fake-openstack: %s: %s", resource->kind, fault.message);
  return object;
}

#define ADDER(name, resource)                                                                     \
  static JsonObject *add_##name (FakeCloud *cloud, JsonObject *content)                           \
  {                                                                                               \
    return add (cloud, &resource, content);                                                       \
  }

ADDER (network, fake_network_resource)
ADDER (subnet, fake_subnet_resource)
ADDER (router, fake_router_resource)
ADDER (port, fake_port_resource)
ADDER (floatingip, fake_floatingip_resource)
ADDER (group, fake_group_resource)
ADDER (rule, fake_rule_resource)

static const FakeAdd adders[] = {
  add_network, add_subnet, add_router, add_port, add_floatingip, add_group, add_rule,
};

G_STATIC_ASSERT (G_N_ELEMENTS (adders) == FAKE_N_RESOURCES);

static void
drop (FakeCloud *cloud, const char *kind, const char *id)
{
  for (guint i = 0; i < FAKE_N_RESOURCES; i++)
    if (g_str_equal (fake_resources[i]->kind, kind))
      fake_neutron_drop (cloud, fake_resources[i], id);
}

static void
create (FakeCloud *cloud)
{
  FakeNeutron *neutron = g_new0 (FakeNeutron, 1);

  neutron->addresses = fake_addresses_new ();
  neutron->routers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  neutron->floating = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  neutron->defaults = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  neutron->last_writers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                                 (GDestroyNotify) fake_log_entry_unref);
  neutron->extensions = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < FAKE_N_RESOURCES; i++)
    fake_cloud_add_kind (cloud, fake_resources[i]->kind, adders[i], drop);
  cloud->neutron = neutron;
  fake_neutron_add_extensions (cloud);
}

static void
destroy (FakeCloud *cloud)
{
  FakeNeutron *neutron = g_steal_pointer (&cloud->neutron);

  fake_addresses_free (neutron->addresses);
  g_hash_table_unref (neutron->routers);
  g_hash_table_unref (neutron->floating);
  g_hash_table_unref (neutron->defaults);
  g_hash_table_unref (neutron->last_writers);
  g_ptr_array_unref (neutron->extensions);
  g_free (neutron);
}

const FakeService fake_neutron_service = {
  .type = "network",
  .prefix = "/network",
  .create = create,
  .destroy = destroy,
  .handle = handle,
  .dump = fake_neutron_dump,
};
