/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* What is in /info: bulk deletes, static large objects. */

#include "fake-swift.h"

#define MAX_DELETES 10000
#define MAX_LINE 3078

void
fake_swift_reply_info (FakeRequest *request)
{
  const FakeSettings *settings = &request->cloud->settings;
  GString *out;

  if (!settings->swift_has_info)
    return fake_swift_reply_status (request, 404);
  out = g_string_new (NULL);
  fake_json_append (out, "{'swift': {'version': '2.30.1', 'strict_cors_mode': true,"
                         " 'policies': [{'name': 'gold', 'aliases': 'gold', 'default': true}],"
                         " 'allow_account_management': false, 'account_autocreate': true,"
                         " 'max_file_size': %d, 'max_meta_name_length': 128,"
                         " 'max_meta_value_length': 256, 'max_meta_count': 90,"
                         " 'max_meta_overall_size': 4096, 'max_header_size': 8192,"
                         " 'max_object_name_length': 1024, 'container_listing_limit': %d,"
                         " 'account_listing_limit': %d, 'max_account_name_length': 256,"
                         " 'max_container_name_length': 256, 'extra_header_count': 0}",
                    settings->swift_max_file_size, settings->swift_max_limit,
                    settings->swift_max_limit);
  if (settings->swift_has_slo)
    fake_json_append (out, ", 'slo': {'max_manifest_segments': 1000,"
                           " 'max_manifest_size': 8388608, 'yield_frequency': 10,"
                           " 'min_segment_size': 1, 'allow_async_delete': false}");
  if (settings->swift_has_tempurl)
    fake_json_append (out, ", 'tempurl': {'methods': ['GET', 'HEAD', 'PUT', 'POST', 'DELETE'],"
                           " 'incoming_remove_headers': ['x-timestamp'],"
                           " 'incoming_allow_headers': [],"
                           " 'outgoing_remove_headers': ['x-object-meta-*'],"
                           " 'outgoing_allow_headers': ['x-object-meta-public-*'],"
                           " 'allowed_digests': ['sha1', 'sha256', 'sha512'],"
                           " 'deprecated_digests': ['sha1']}");
  if (settings->swift_has_bulk)
    fake_json_append (out, ", 'bulk_delete': {'max_deletes_per_request': %d,"
                           " 'max_failed_deletes': 1000}",
                      MAX_DELETES);
  g_string_append_c (out, '}');
  fake_request_reply_json (request, 200, g_string_free (out, FALSE));
  fake_request_set_header (request, "Content-Type", "application/json; charset=UTF-8");
}

/* bulk results */

typedef struct
{
  const char *status;
  const char *body;
  guint n_deleted;
  guint n_missing;
  GString *errors; /* (owned) JSON pairs */
  GString *lines;  /* (owned) the same as text */
} Result;

static void
result_clear (Result *result)
{
  g_string_free (result->errors, TRUE);
  g_string_free (result->lines, TRUE);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Result, result_clear)

static void
add_error (Result *result, const char *name, const char *status)
{
  fake_json_append (result->errors, "%r[%s, %s]", result->errors->len > 0 ? ", " : "", name,
                    status);
  g_string_append_printf (result->lines, "%s, %s\n", name, status);
}

/* The HTTP status says nothing. */
static void
reply_result (FakeRequest *request, const Result *result)
{
  const char *accept = fake_request_get_header (request, "Accept");
  g_autofree char *text = NULL;

  if (accept != NULL && strstr (accept, "json") != NULL)
    return fake_request_reply_json (
      request, 200,
      fake_json ("{'Response Status': %s, 'Response Body': %s, 'Number Deleted': %d,"
                 " 'Number Not Found': %d, 'Errors': [%r]}",
                 result->status, result->body, result->n_deleted, result->n_missing,
                 result->errors->str));
  text = g_strdup_printf ("Number Deleted: %u\nNumber Not Found: %u\nResponse Body: %s\n"
                          "Response Status: %s\nErrors:\n%s",
                          result->n_deleted, result->n_missing, result->body, result->status,
                          result->lines->str);
  fake_request_reply (request, 200, "text/plain", text);
}

static void
delete_one (FakeAccount *account, const char *encoded, Result *result)
{
  g_autofree char *name = g_uri_unescape_string (encoded, NULL);
  g_auto (GStrv) parts = NULL;
  FakeContainer *container;

  if (name == NULL)
    return add_error (result, encoded, "412 Precondition Failed");
  parts = g_strsplit (*name == '/' ? name + 1 : name, "/", 2);
  container = parts[0] != NULL ? fake_swift_get_container (account, parts[0]) : NULL;
  if (container == NULL
      || (parts[1] != NULL && g_tree_lookup (container->objects, parts[1]) == NULL))
    {
      result->n_missing++;
      return;
    }
  if (parts[1] != NULL)
    fake_swift_remove_object (container, parts[1]);
  else if (g_tree_nnodes (container->objects) > 0)
    return add_error (result, encoded, "409 Conflict");
  else
    g_tree_remove (account->containers, parts[0]);
  result->n_deleted++;
}

static gboolean
may_delete (FakeRequest *request, const FakeSwiftPath *path)
{
  return request->token != NULL && request->token->project_id != NULL
         && g_str_equal (path->account + strlen ("AUTH_"), request->token->project_id);
}

/* A name that is too long or one too many spoils all. */
static const char *
check_names (char **names)
{
  guint n = 0;

  for (guint i = 0; names[i] != NULL; i++)
    {
      if (*names[i] == '\0')
        continue;
      if (++n > MAX_DELETES)
        return "413 Request Entity Too Large";
      if (strlen (names[i]) > MAX_LINE)
        return "400 Bad Request";
    }
  return NULL;
}

void
fake_swift_bulk_delete (FakeRequest *request, const FakeSwiftPath *path)
{
  const char *type = fake_request_get_header (request, "Content-Type");
  g_auto (Result) result = { "200 OK", "", 0, 0, g_string_new (NULL), g_string_new (NULL) };
  g_autofree char *text = NULL;
  g_auto (GStrv) names = NULL;
  gsize size;
  const char *bytes = g_bytes_get_data (request->body, &size);
  const char *refusal = NULL;

  if (!g_str_equal (request->method, "POST") && !g_str_equal (request->method, "DELETE"))
    return fake_swift_reply_status (request, 405);
  text = g_strndup (bytes != NULL ? bytes : "", size);
  names = g_strsplit (text, "\n", -1);
  if (size == 0 && fake_request_get_header (request, "Content-Length") == NULL)
    refusal = "411 Length Required";
  else if (size == 0)
    {
      refusal = "400 Bad Request";
      result.body = "Invalid bulk delete.";
    }
  else if (type == NULL || !g_str_has_prefix (type, "text/plain"))
    refusal = "406 Not Acceptable";
  else
    refusal = check_names (names);
  if (refusal != NULL)
    {
      result.status = refusal;
      return reply_result (request, &result);
    }

  for (guint i = 0; names[i] != NULL; i++)
    {
      if (*g_strstrip (names[i]) == '\0')
        continue;
      if (may_delete (request, path))
        delete_one (fake_swift_get_account (request->cloud, path->account), names[i], &result);
      else
        add_error (&result, names[i], request->token != NULL ? "403 Forbidden"
                                                             : "401 Unauthorized");
    }
  if (result.errors->len > 0)
    result.status = "400 Bad Request";
  reply_result (request, &result);
}

/* static large objects */

static FakeObject *
find_segment (FakeAccount *account, const char *path)
{
  g_auto (GStrv) parts = g_strsplit (*path == '/' ? path + 1 : path, "/", 2);
  FakeContainer *container = parts[0] != NULL ? fake_swift_get_container (account, parts[0]) : NULL;

  return container != NULL && parts[1] != NULL ? g_tree_lookup (container->objects, parts[1])
                                               : NULL;
}

static JsonNode *
parse_manifest (GBytes *bytes)
{
  gsize size;
  const char *text = g_bytes_get_data (bytes, &size);
  JsonNode *node = size > 0 ? fake_json_parse (text, (gssize) size) : NULL;

  if (node != NULL && !JSON_NODE_HOLDS_ARRAY (node))
    g_clear_pointer (&node, json_node_unref);
  return node;
}

static void
reply_segment_errors (FakeRequest *request, const Result *result)
{
  const char *accept = fake_request_get_header (request, "Accept");
  g_autofree char *text = NULL;

  if (accept != NULL && strstr (accept, "json") != NULL)
    return fake_request_reply_json (request, 400,
                                    fake_json ("{'Errors': [%r]}", result->errors->str));
  text = g_strconcat ("Errors:\n", result->lines->str, NULL);
  fake_request_reply (request, 400, "text/plain", text);
}

gboolean
fake_swift_read_manifest (FakeRequest *request, FakeAccount *account, char **etag, guint64 *size)
{
  g_autoptr (JsonNode) node = parse_manifest (request->body);
  g_autoptr (GString) etags = g_string_new (NULL);
  g_auto (Result) result = { "", "", 0, 0, g_string_new (NULL), g_string_new (NULL) };
  JsonArray *segments = node != NULL ? json_node_get_array (node) : NULL;

  if (segments == NULL || json_array_get_length (segments) == 0)
    {
      fake_request_reply (request, 400, "text/html; charset=UTF-8",
                          "Manifest must be valid JSON.\n");
      return FALSE;
    }
  *size = 0;
  for (guint i = 0; i < json_array_get_length (segments); i++)
    {
      JsonNode *element = json_array_get_element (segments, i);
      JsonObject *segment =
        JSON_NODE_HOLDS_OBJECT (element) ? json_node_get_object (element) : NULL;
      const char *path = segment != NULL ? fake_json_get_string (segment, "path") : NULL;
      FakeObject *object = path != NULL ? find_segment (account, path) : NULL;
      const char *wanted = segment != NULL ? fake_json_get_string (segment, "etag") : NULL;

      if (object == NULL)
        add_error (&result, path != NULL ? path : "None", "404 Not Found");
      else if (wanted != NULL && !g_str_equal (wanted, object->etag))
        add_error (&result, path, "Etag Mismatch");
      else if (fake_json_get_int (segment, "size_bytes", (gint64) object->size)
               != (gint64) object->size)
        add_error (&result, path, "Size Mismatch");
      else
        {
          g_string_append (etags, object->etag);
          *size += object->size;
        }
    }
  if (result.errors->len > 0)
    {
      reply_segment_errors (request, &result);
      return FALSE;
    }
  *etag = g_compute_checksum_for_string (G_CHECKSUM_MD5, etags->str, -1);
  return TRUE;
}

GBytes *
fake_swift_describe_segments (FakeAccount *account, const FakeObject *manifest)
{
  g_autoptr (JsonNode) node = parse_manifest (manifest->content);
  JsonArray *segments = json_node_get_array (node);
  GString *out = g_string_new ("[");

  for (guint i = 0; i < json_array_get_length (segments); i++)
    {
      const char *path =
        fake_json_get_string (json_array_get_object_element (segments, i), "path");
      FakeObject *object = find_segment (account, path);

      if (object != NULL)
        fake_json_append (out, "%r{'name': %s, 'bytes': %l, 'hash': %s,"
                               " 'content_type': 'application/octet-stream',"
                               " 'last_modified': '2026-11-30T10:08:39.000000'}",
                          i > 0 ? ", " : "", path, (gint64) object->size, object->etag);
    }
  g_string_append_c (out, ']');
  return g_string_free_to_bytes (out);
}

gboolean
fake_swift_may_read_segments (FakeRequest *request,
                              const FakeSwiftPath *path,
                              const FakeObject *manifest)
{
  g_autoptr (JsonNode) node = parse_manifest (manifest->content);
  JsonArray *segments = json_node_get_array (node);

  for (guint i = 0; i < json_array_get_length (segments); i++)
    {
      const char *name =
        fake_json_get_string (json_array_get_object_element (segments, i), "path");
      g_auto (GStrv) parts = g_strsplit (*name == '/' ? name + 1 : name, "/", 2);
      FakeSwiftPath segment = { path->account, parts[0], parts[1] };

      if (!g_str_equal (parts[0], path->container) && !fake_swift_may_read (request, &segment))
        return FALSE;
    }
  return TRUE;
}

GBytes *
fake_swift_join_segments (FakeAccount *account, const FakeObject *manifest)
{
  g_autoptr (JsonNode) node = parse_manifest (manifest->content);
  JsonArray *segments = json_node_get_array (node);
  g_autoptr (GByteArray) whole = g_byte_array_new ();

  for (guint i = 0; i < json_array_get_length (segments); i++)
    {
      JsonObject *segment = json_array_get_object_element (segments, i);
      FakeObject *object = find_segment (account, fake_json_get_string (segment, "path"));
      gsize size;
      const guint8 *bytes;

      if (object == NULL)
        return NULL;
      bytes = g_bytes_get_data (object->content, &size);
      g_byte_array_append (whole, bytes, (guint) size);
    }
  return g_byte_array_free_to_bytes (g_steal_pointer (&whole));
}

/* Deletes the segments and the manifest; plain objects are left alone. */
void
fake_swift_delete_manifest (FakeRequest *request,
                            FakeAccount *account,
                            FakeContainer *container,
                            const FakeSwiftPath *path)
{
  g_auto (Result) result = { "200 OK", "", 0, 0, g_string_new (NULL), g_string_new (NULL) };
  FakeObject *object = g_tree_lookup (container->objects, path->object);
  g_autofree char *name = g_strdup_printf ("/%s/%s", path->container, path->object);
  g_autofree char *encoded = g_uri_escape_string (name, "/", FALSE);
  g_autoptr (JsonNode) node = NULL;
  JsonArray *segments;

  if (object == NULL)
    {
      result.n_missing++;
      return reply_result (request, &result);
    }
  if (!object->is_slo)
    {
      add_error (&result, encoded, "Not an SLO manifest");
      result.status = "400 Bad Request";
      return reply_result (request, &result);
    }
  node = parse_manifest (object->content);
  segments = json_node_get_array (node);
  for (guint i = 0; i < json_array_get_length (segments); i++)
    {
      JsonObject *segment = json_array_get_object_element (segments, i);
      g_autofree char *segment_name =
        g_uri_escape_string (fake_json_get_string (segment, "path"), "/", FALSE);

      delete_one (account, segment_name, &result);
    }
  delete_one (account, encoded, &result);
  reply_result (request, &result);
}
