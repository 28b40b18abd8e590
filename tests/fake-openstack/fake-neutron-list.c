/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* Lists of the network service: filters, order, pages, fields. */

#include "fake-neutron.h"

static const char *const not_filters[] = {
  "fields", "limit", "marker", "page_reverse", "sort_key", "sort_dir", NULL,
};

static const char *const tag_filters[] = {
  "tags", "tags-any", "not-tags", "not-tags-any", NULL,
};

static const char *const common_filters[] = {
  "id", "project_id", "tenant_id", "revision_number", "created_at", "updated_at", "status", NULL,
};

static void
reply_fault (FakeRequest *request, const char *type, const char *message)
{
  fake_request_reply_json (request, 400,
                           fake_json ("{'NeutronError': {'type': %s, 'message': %s,"
                                      " 'detail': ''}}",
                                      type, message));
}

static gboolean
is_filter (FakeRequest *request, const FakeResource *resource, const char *name)
{
  if (g_str_equal (name, "security_groups")
      && !fake_neutron_has_extension (request->cloud, "port-security-groups-filtering"))
    return FALSE;
  return g_strv_contains (common_filters, name) || g_strv_contains (tag_filters, name)
         || g_strv_contains (resource->settable, name)
         || (resource->filters != NULL && g_strv_contains (resource->filters, name));
}

/* As MariaDB compares text: no case, no spaces at the end. */
static gboolean
is_equal (FakeRequest *request, const char *a, const char *b)
{
  g_autofree char *left = NULL;
  g_autofree char *right = NULL;

  if (request->cloud->settings.case_sensitive)
    return g_str_equal (a, b);
  left = g_strchomp (g_utf8_casefold (a, -1));
  right = g_strchomp (g_utf8_casefold (b, -1));
  return g_str_equal (left, right);
}

static gboolean
is_truth (const char *text)
{
  return g_ascii_strcasecmp (text, "true") == 0 || g_str_equal (text, "1");
}

static gboolean
is_boolean (const char *text)
{
  return is_truth (text) || g_ascii_strcasecmp (text, "false") == 0 || g_str_equal (text, "0");
}

static gboolean
value_matches (FakeRequest *request, JsonNode *value, const char *wanted)
{
  g_autofree char *text = NULL;

  if (value == NULL || JSON_NODE_HOLDS_NULL (value))
    return *wanted == '\0';
  if (JSON_NODE_HOLDS_ARRAY (value))
    return fake_json_array_has (json_node_get_array (value), wanted);
  if (!JSON_NODE_HOLDS_VALUE (value))
    return FALSE;
  if (json_node_get_value_type (value) == G_TYPE_BOOLEAN)
    return json_node_get_boolean (value) == is_truth (wanted);
  text = fake_json_scalar_to_text (value);
  return is_equal (request, text, wanted);
}

/* fixed_ips=subnet_id=… and fixed_ips=ip_address=… */
static gboolean
has_fixed_ip (JsonObject *object, const char *wanted)
{
  JsonArray *ips = fake_json_get_array (object, "fixed_ips");
  g_auto (GStrv) parts = g_strsplit (wanted, "=", 2);

  for (guint i = 0; ips != NULL && parts[0] != NULL && parts[1] != NULL
                    && i < json_array_get_length (ips); i++)
    if (g_strcmp0 (fake_json_get_string (json_array_get_object_element (ips, i), parts[0]),
                   parts[1]) == 0)
      return TRUE;
  return FALSE;
}

static gboolean
tags_match (JsonObject *object, const char *filter, const char *wanted)
{
  g_auto (GStrv) tags = g_strsplit (wanted, ",", -1);
  JsonArray *own = fake_json_get_array (object, "tags");
  guint hits = 0;
  guint i;

  for (i = 0; tags[i] != NULL; i++)
    if (fake_json_array_has (own, tags[i]))
      hits++;
  if (g_str_equal (filter, "tags"))
    return hits == i;
  if (g_str_equal (filter, "tags-any"))
    return hits > 0;
  return g_str_equal (filter, "not-tags") ? hits < i : hits == 0;
}

static gboolean
matches_one (FakeRequest *request, JsonObject *object, const FakeParameter *parameter)
{
  const char *name = parameter->name;

  if (g_strv_contains (tag_filters, name))
    return tags_match (object, name, parameter->value);
  if (g_str_equal (name, "fixed_ips"))
    return has_fixed_ip (object, parameter->value);
  if (*parameter->value == '\0'
      && !fake_neutron_has_extension (request->cloud, "empty-string-filtering"))
    return TRUE;
  return value_matches (request, json_object_get_member (object, name), parameter->value);
}

/* Different names must all fit; of equal ones any. */
static gboolean
matches (FakeRequest *request, JsonObject *object)
{
  for (guint i = 0; i < request->parameters->len; i++)
    {
      FakeParameter *parameter = g_ptr_array_index (request->parameters, i);
      gboolean is_match = FALSE;

      if (g_strv_contains (not_filters, parameter->name))
        continue;
      for (guint j = 0; j < request->parameters->len && !is_match; j++)
        {
          FakeParameter *other = g_ptr_array_index (request->parameters, j);

          if (g_str_equal (other->name, parameter->name))
            is_match = matches_one (request, object, other);
        }
      if (!is_match)
        return FALSE;
    }
  return TRUE;
}

/* FALSE after an answer. */
static gboolean
check_filters (FakeRequest *request, const FakeResource *resource)
{
  for (guint i = 0; i < request->parameters->len; i++)
    {
      FakeParameter *parameter = g_ptr_array_index (request->parameters, i);
      g_autofree char *message = NULL;

      if (g_strv_contains (not_filters, parameter->name))
        continue;
      if (!is_filter (request, resource, parameter->name))
        {
          message = g_strdup_printf ("['%s'] is invalid attribute for filtering", parameter->name);
          reply_fault (request, "HTTPBadRequest", message);
          return FALSE;
        }
      if ((g_str_equal (parameter->name, "router:external")
           || g_str_equal (parameter->name, "shared")
           || g_str_equal (parameter->name, "admin_state_up"))
          && !is_boolean (parameter->value))
        {
          message = g_strdup_printf ("Invalid input for operation: '%s' cannot be converted to "
                                     "boolean.",
                                     parameter->value);
          reply_fault (request, "InvalidInput", message);
          return FALSE;
        }
    }
  return TRUE;
}

/* The page size that counts, 0 for none; -1 after an answer. */
static int
get_limit (FakeRequest *request)
{
  const char *text = fake_request_get_parameter (request, "limit");
  int most = request->cloud->settings.neutron_max_limit;
  guint64 limit = 0;

  if (text != NULL && !g_ascii_string_to_unsigned (text, 10, 0, G_MAXINT, &limit, NULL))
    {
      g_autofree char *message =
        g_strdup_printf ("Bad limit request: Limit must be an integer 0 or greater and not '%s'.",
                         text);

      reply_fault (request, "BadRequest", message);
      return -1;
    }
  if (most > 0 && (limit == 0 || limit > (guint64) most))
    return most;
  return (int) limit;
}

JsonObject *
fake_neutron_select_fields (FakeRequest *request, JsonObject *object)
{
  JsonObject *selected;

  if (fake_request_get_parameter (request, "fields") == NULL)
    return json_object_ref (object);

  selected = json_object_new ();
  for (guint i = 0; i < request->parameters->len; i++)
    {
      FakeParameter *parameter = g_ptr_array_index (request->parameters, i);

      if (g_str_equal (parameter->name, "fields")
          && json_object_has_member (object, parameter->value))
        json_object_set_member (selected, parameter->value,
                                json_object_dup_member (object, parameter->value));
    }
  return selected;
}

static int
compare_by_key (gconstpointer a, gconstpointer b, gpointer user_data)
{
  JsonNode *left = json_object_get_member (*(JsonObject *const *) a, user_data);
  JsonNode *right = json_object_get_member (*(JsonObject *const *) b, user_data);
  g_autofree char *left_text = left != NULL ? fake_json_scalar_to_text (left) : NULL;
  g_autofree char *right_text = right != NULL ? fake_json_scalar_to_text (right) : NULL;

  return g_strcmp0 (left_text, right_text);
}

static void
sort (FakeRequest *request, GPtrArray *found)
{
  const char *key = fake_request_get_parameter (request, "sort_key");

  if (key == NULL)
    return;
  g_ptr_array_sort_with_data (found, compare_by_key, (gpointer) key);
  if (g_strcmp0 (fake_request_get_parameter (request, "sort_dir"), "desc") == 0)
    for (guint i = 0; i < found->len / 2; i++)
      {
        gpointer swapped = found->pdata[i];

        found->pdata[i] = found->pdata[found->len - 1 - i];
        found->pdata[found->len - 1 - i] = swapped;
      }
}

static void
append_link (GString *out, FakeRequest *request, const char *rel, JsonObject *at)
{
  g_autoptr (GString) query = g_string_new (NULL);
  const char *host = fake_request_get_header (request, "Host");
  g_autofree char *href = NULL;

  for (guint i = 0; i < request->parameters->len; i++)
    {
      FakeParameter *parameter = g_ptr_array_index (request->parameters, i);
      g_autofree char *name = g_uri_escape_string (parameter->name, NULL, FALSE);
      g_autofree char *value = g_uri_escape_string (parameter->value, NULL, FALSE);

      if (!g_str_equal (parameter->name, "marker")
          && !g_str_equal (parameter->name, "page_reverse"))
        g_string_append_printf (query, "%s=%s&", name, value);
    }
  g_string_append_printf (query, "marker=%s", at != NULL ? fake_json_get_string (at, "id") : "");
  if (g_str_equal (rel, "previous"))
    g_string_append (query, "&page_reverse=True");
  href = g_strdup_printf ("http://%s%s?%s", host, request->entry->path, query->str);
  fake_json_append (out, "{'rel': %s, 'href': %s}", rel, href);
}

/* With a limit every page has links; the last one only one to the page before. */
static void
append_links (GString *out,
              FakeRequest *request,
              const FakeResource *resource,
              GPtrArray *found,
              guint from,
              guint to,
              guint limit)
{
  fake_json_append (out, ",'%r_links':[", resource->plural);
  if (to - from == limit)
    {
      append_link (out, request, "next", g_ptr_array_index (found, to - 1));
      g_string_append_c (out, ',');
    }
  append_link (out, request, "previous", from < to ? g_ptr_array_index (found, from) : NULL);
  g_string_append_c (out, ']');
}

static GPtrArray *
find_all (FakeRequest *request, const FakeResource *resource)
{
  FakeStore *store = fake_cloud_get_store (request->cloud, resource->kind);
  GPtrArray *found = g_ptr_array_new ();

  for (GList *l = fake_store_get_first (store); l != NULL; l = l->next)
    if (fake_neutron_is_visible (resource, l->data, request->token) && matches (request, l->data))
      g_ptr_array_add (found, l->data);
  sort (request, found);
  return found;
}

/* Where the page begins; FALSE after an answer. */
static gboolean
find_start (FakeRequest *request, const FakeResource *resource, GPtrArray *found, guint *from)
{
  const char *marker = fake_request_get_parameter (request, "marker");
  g_autofree char *message = NULL;
  JsonObject *at;

  *from = 0;
  if (marker == NULL || *marker == '\0')
    return TRUE;
  at = fake_store_get (fake_cloud_get_store (request->cloud, resource->kind), marker);
  if (at == NULL)
    {
      message = g_strdup_printf (resource->not_found_message, marker);
      fake_request_reply_json (request, 404,
                               fake_json ("{'NeutronError': {'type': %s, 'message': %s,"
                                          " 'detail': ''}}",
                                          resource->not_found_type, message));
      return FALSE;
    }
  if (g_ptr_array_find (found, at, from))
    (*from)++;
  return TRUE;
}

void
fake_neutron_list (FakeRequest *request, const FakeResource *resource)
{
  g_autoptr (GPtrArray) found = NULL;
  g_autoptr (JsonNode) list = json_node_new (JSON_NODE_ARRAY);
  JsonArray *array = json_array_new ();
  GString *out;
  int limit = get_limit (request);
  guint from = 0, to;

  json_node_take_array (list, array);
  if (limit < 0 || !check_filters (request, resource))
    return;
  found = find_all (request, resource);
  if (limit > 0 && !find_start (request, resource, found, &from))
    return;
  to = limit > 0 ? MIN (found->len, from + (guint) limit) : found->len;
  for (guint i = from; i < to; i++)
    json_array_add_object_element (
      array, fake_neutron_select_fields (request, g_ptr_array_index (found, i)));

  out = g_string_new (NULL);
  fake_json_append (out, "{'%r':%j", resource->plural, list);
  if (limit > 0)
    append_links (out, request, resource, found, from, to, (guint) limit);
  g_string_append_c (out, '}');
  fake_request_reply_json (request, 200, g_string_free (out, FALSE));
}
