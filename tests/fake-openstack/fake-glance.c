/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* Images: version documents, lists with filters, order and pages, and one by one. */

#include "fake-private.h"

#define DEFAULT_LIMIT 25

/* errors: JSON only for those who ask for it */

static void
reply_error (FakeRequest *request, guint status, const char *message)
{
  const char *accept = fake_request_get_header (request, "Accept");
  const char *title = soup_status_get_phrase (status);
  g_autofree char *code = g_strdup_printf ("%u %s", status, title);
  g_autofree char *body = NULL;

  if (accept != NULL && strstr (accept, "json") != NULL)
    return fake_request_reply_json (request, status,
                                    fake_json ("{'message': %s, 'code': %s, 'title': %s}",
                                               message, code, title));
  body = g_strdup_printf ("<html>\n <head>\n  <title>%s</title>\n </head>\n <body>\n  <h1>%s</h1>\n"
                          "  %s\n </body>\n</html>",
                          code, code, message);
  fake_request_reply (request, status, "text/html; charset=UTF-8", body);
}

static void
reply_bad (FakeRequest *request, guint status, const char *format, ...) G_GNUC_PRINTF (3, 4);

static void
reply_bad (FakeRequest *request, guint status, const char *format, ...)
{
  g_autofree char *reason = NULL;
  g_autofree char *message = NULL;
  va_list args;

  va_start (args, format);
  reason = g_strdup_vprintf (format, args);
  va_end (args);
  message = g_strconcat (reason, "<br /><br />\n\n\n", NULL);
  reply_error (request, status, message);
}

/* lists */

static const char *const not_properties[] = {
  "limit", "marker", "sort", "sort_key", "sort_dir", "visibility", "os_hidden", "tag",
  "member_status", NULL,
};

static gboolean
is_owner (FakeRequest *request, JsonObject *image)
{
  return request->token->is_admin
         || g_strcmp0 (fake_json_get_string (image, "owner"), request->token->project_id) == 0;
}

static gboolean
is_visible (FakeRequest *request, JsonObject *image)
{
  const char *visibility = fake_json_get_string (image, "visibility");

  return is_owner (request, image) || g_strcmp0 (visibility, "public") == 0
         || g_strcmp0 (visibility, "community") == 0;
}

/* Community images and hidden ones are only listed on request. */
static gboolean
is_listed (FakeRequest *request, JsonObject *image)
{
  const char *wanted = fake_request_get_parameter (request, "visibility");
  const char *hidden = fake_request_get_parameter (request, "os_hidden");
  const char *visibility = fake_json_get_string (image, "visibility");
  gboolean wants_hidden = hidden != NULL && g_ascii_strcasecmp (hidden, "true") == 0;

  if (!is_visible (request, image)
      || fake_json_get_bool (image, "os_hidden", FALSE) != wants_hidden)
    return FALSE;
  if (wanted != NULL && !g_str_equal (wanted, "all"))
    return g_strcmp0 (visibility, wanted) == 0;
  return wanted != NULL || is_owner (request, image) || g_strcmp0 (visibility, "community") != 0;
}

static gboolean
value_matches (FakeRequest *request, const char *value, const char *wanted)
{
  if (request->cloud->settings.case_sensitive)
    return g_str_equal (value, wanted);
  return g_ascii_strcasecmp (value, wanted) == 0;
}

static gboolean
property_matches (FakeRequest *request, JsonObject *image, const FakeParameter *parameter)
{
  JsonNode *node = json_object_get_member (image, parameter->name);
  g_autofree char *value = node != NULL ? fake_json_scalar_to_text (node) : NULL;
  g_auto (GStrv) choices = NULL;

  if (value == NULL)
    return FALSE;
  if (!g_str_has_prefix (parameter->value, "in:"))
    return value_matches (request, value, parameter->value);
  choices = g_strsplit (parameter->value + strlen ("in:"), ",", -1);
  for (guint i = 0; choices[i] != NULL; i++)
    if (value_matches (request, value, choices[i]))
      return TRUE;
  return FALSE;
}

/* An unknown filter is one for a property, which nobody may have. */
static gboolean
matches (FakeRequest *request, JsonObject *image)
{
  if (!is_listed (request, image))
    return FALSE;
  for (guint i = 0; i < request->parameters->len; i++)
    {
      FakeParameter *parameter = g_ptr_array_index (request->parameters, i);

      if (g_str_equal (parameter->name, "tag")
          && !fake_json_array_has (fake_json_get_array (image, "tags"), parameter->value))
        return FALSE;
      if (!g_strv_contains (not_properties, parameter->name)
          && !property_matches (request, image, parameter))
        return FALSE;
    }
  return TRUE;
}

typedef struct
{
  char *key;
  gboolean is_descending;
} SortKey;

static void
sort_key_free (gpointer data)
{
  SortKey *key = data;

  g_free (key->key);
  g_free (key);
}

static gboolean
add_sort_key (FakeRequest *request, GPtrArray *keys, const char *name, const char *direction)
{
  static const char *const known[] = {
    "name", "status", "container_format", "disk_format", "size", "id", "created_at", "updated_at",
    NULL,
  };
  SortKey *key;

  if (!g_strv_contains (known, name))
    {
      reply_bad (request, 400,
                 "Invalid sort key: %s. It must be one of the following: name, status, "
                 "container_format, disk_format, size, id, created_at, updated_at.",
                 name);
      return FALSE;
    }
  if (!g_str_equal (direction, "asc") && !g_str_equal (direction, "desc"))
    {
      reply_bad (request, 400, "Invalid sort direction: %s", direction);
      return FALSE;
    }
  key = g_new0 (SortKey, 1);
  key->key = g_strdup (name);
  key->is_descending = g_str_equal (direction, "desc");
  g_ptr_array_add (keys, key);
  return TRUE;
}

/* "sort=a:asc,b", or sort_key and sort_dir; FALSE after an answer. */
static gboolean
parse_sort (FakeRequest *request, GPtrArray *keys)
{
  const char *sort = fake_request_get_parameter (request, "sort");
  const char *key = fake_request_get_parameter (request, "sort_key");
  const char *direction = fake_request_get_parameter (request, "sort_dir");
  g_auto (GStrv) parts = g_strsplit (sort != NULL ? sort : "", ",", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      g_auto (GStrv) pair = g_strsplit (parts[i], ":", 2);

      if (pair[0] != NULL
          && !add_sort_key (request, keys, pair[0], pair[1] != NULL ? pair[1] : "desc"))
        return FALSE;
    }
  if (sort == NULL && key != NULL)
    return add_sort_key (request, keys, key, direction != NULL ? direction : "desc");
  return keys->len > 0 || add_sort_key (request, keys, "created_at", "desc");
}

static int
compare_images (gconstpointer a, gconstpointer b, gpointer user_data)
{
  GPtrArray *keys = user_data;
  JsonObject *left = *(JsonObject *const *) a;
  JsonObject *right = *(JsonObject *const *) b;

  for (guint i = 0; i < keys->len; i++)
    {
      SortKey *key = g_ptr_array_index (keys, i);
      int order;

      if (g_str_equal (key->key, "size"))
        order = (int) CLAMP (fake_json_get_int (left, "size", 0)
                               - fake_json_get_int (right, "size", 0),
                             -1, 1);
      else
        order = g_strcmp0 (fake_json_get_string (left, key->key),
                           fake_json_get_string (right, key->key));
      if (order != 0)
        return key->is_descending ? -order : order;
    }
  return 0;
}

/* FALSE after an answer. */
static gboolean
get_limit (FakeRequest *request, guint *limit)
{
  const char *text = fake_request_get_parameter (request, "limit");
  guint most = (guint) request->cloud->settings.glance_max_limit;
  gint64 asked = DEFAULT_LIMIT;

  if (text != NULL && !g_ascii_string_to_signed (text, 10, G_MININT, G_MAXINT, &asked, NULL))
    {
      reply_bad (request, 400, "limit param must be an integer");
      return FALSE;
    }
  if (asked < 0)
    {
      reply_bad (request, 400, "limit param must be positive");
      return FALSE;
    }
  *limit = MIN ((guint) asked, most);
  return TRUE;
}

/* The path of this list, from @marker on. */
static char *
make_link (FakeRequest *request, const char *marker)
{
  g_autoptr (GString) query = g_string_new (NULL);

  for (guint i = 0; i < request->parameters->len; i++)
    {
      FakeParameter *parameter = g_ptr_array_index (request->parameters, i);
      g_autofree char *value = g_uri_escape_string (parameter->value, NULL, FALSE);

      if (!g_str_equal (parameter->name, "marker"))
        g_string_append_printf (query, "%s%s=%s", query->len > 0 ? "&" : "", parameter->name,
                                value);
    }
  if (marker != NULL)
    g_string_append_printf (query, "%smarker=%s", query->len > 0 ? "&" : "", marker);
  return g_strdup_printf ("/v2/images%s%s", query->len > 0 ? "?" : "", query->str);
}

static GPtrArray *
find_images (FakeRequest *request, GPtrArray *keys)
{
  FakeStore *store = fake_cloud_get_store (request->cloud, "image");
  GPtrArray *found = g_ptr_array_new ();

  for (GList *l = fake_store_get_first (store); l != NULL; l = l->next)
    if (matches (request, l->data))
      g_ptr_array_add (found, l->data);
  g_ptr_array_sort_with_data (found, compare_images, keys);
  return found;
}

static void
list_images (FakeRequest *request)
{
  const char *visibility = fake_request_get_parameter (request, "visibility");
  const char *marker = fake_request_get_parameter (request, "marker");
  static const char *const visibilities[] = {
    "public", "private", "shared", "community", "all", NULL,
  };
  g_autoptr (GPtrArray) keys = g_ptr_array_new_with_free_func (sort_key_free);
  g_autoptr (GPtrArray) found = NULL;
  g_autofree char *first = make_link (request, NULL);
  guint limit, from = 0, to;
  GString *out;

  if (visibility != NULL && !g_strv_contains (visibilities, visibility))
    return reply_bad (request, 400, "Invalid visibility value: %s", visibility);
  if (!get_limit (request, &limit) || !parse_sort (request, keys))
    return;
  found = find_images (request, keys);
  if (marker != NULL)
    {
      JsonObject *at = fake_store_get (fake_cloud_get_store (request->cloud, "image"), marker);

      if (at == NULL || !g_ptr_array_find (found, at, &from))
        return reply_bad (request, 400, "No image found with ID %s", marker);
      from++;
    }

  to = MIN (found->len, from + limit);
  out = g_string_new ("{\"images\": [");
  for (guint i = from; i < to; i++)
    fake_json_append (out, "%r%o", i > from ? ", " : "", g_ptr_array_index (found, i));
  fake_json_append (out, "], 'first': %s, 'schema': '/v2/schemas/images'", first);
  if (to - from == limit && limit > 0)
    {
      g_autofree char *next =
        make_link (request, fake_json_get_string (g_ptr_array_index (found, to - 1), "id"));

      fake_json_append (out, ", 'next': %s", next);
    }
  g_string_append_c (out, '}');
  fake_request_reply_json (request, 200, g_string_free (out, FALSE));
}

static void
get_image (FakeRequest *request)
{
  const char *id = g_ptr_array_index (request->args, 0);
  JsonObject *image = fake_store_get (fake_cloud_get_store (request->cloud, "image"), id);

  if (image == NULL || !is_visible (request, image))
    return reply_bad (request, 404, "No image found with ID %s", id);
  fake_request_reply_json (request, 200, fake_json ("%o", image));
}

/* versions */

static void
reply_versions (FakeRequest *request, guint status)
{
  static const int minors[] = { 15, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0 };
  GString *out = g_string_new ("{\"versions\": [");

  for (guint i = 0; i < G_N_ELEMENTS (minors); i++)
    fake_json_append (out, "%r{'id': 'v2.%d', 'status': %s, 'links': [{'rel': 'self',"
                           " 'href': '%r/image/v2/'}]}",
                      i > 0 ? ", " : "", minors[i], i > 0 ? "SUPPORTED" : "CURRENT",
                      request->cloud->url);
  g_string_append (out, "]}");
  fake_request_reply_json (request, status, g_string_free (out, FALSE));
}

static const FakeRoute routes[] = {
  { "GET", "/v2/images", list_images },
  { "GET", "/v2/images/*", get_image },
};

static void
handle (FakeRequest *request)
{
  g_autofree char *uuid = fake_uuid ();
  g_autofree char *request_id = g_strconcat ("req-", uuid, NULL);
  const char *given_id = fake_request_get_header (request, "X-OpenStack-Request-ID");
  const char *path = request->path;

  if (g_str_equal (path, "/versions"))
    return reply_versions (request, 200);
  if (!g_str_equal (path, "/v2") && !g_str_has_prefix (path, "/v2/"))
    return reply_versions (request, 300);
  if (fake_keystone_authenticate (request) == NULL)
    {
      g_autofree char *uri = g_strdup_printf ("Keystone uri=\"%s\"", request->cloud->auth_url);

      fake_request_set_header (request, "WWW-Authenticate", uri);
      return reply_bad (request, 401,
                        "This server could not verify that you are authorized to access the "
                        "document you requested. Either you supplied the wrong credentials "
                        "(e.g., bad password), or your browser does not understand how to supply "
                        "the credentials required.");
    }
  fake_request_set_header (request, "X-Openstack-Request-Id",
                           given_id != NULL ? given_id : request_id);
  if (g_str_equal (path, "/v2"))
    {
      g_autofree char *location = g_strconcat (request->cloud->url, "/image/v2/", NULL);

      fake_request_set_header (request, "Location", location);
      return fake_request_reply (request, 302, "text/plain; charset=utf8", NULL);
    }
  switch (fake_request_route (request, path, routes, G_N_ELEMENTS (routes)))
    {
    case FAKE_ROUTE_NONE:
      reply_bad (request, 404, "The resource could not be found.");
      break;
    case FAKE_ROUTE_NO_METHOD:
      {
        g_autofree char *message =
          g_strdup_printf ("The method %s is not allowed for this resource. <br /><br />\n",
                           request->method);

        reply_error (request, 405, message);
      }
      break;
    case FAKE_ROUTE_FOUND:
    default:
      break;
    }
}

/* contents */

static JsonObject *
add_image (FakeCloud *cloud, JsonObject *content)
{
  const char *name = fake_json_get_string (content, "name");
  const char *owner = fake_json_get_string (content, "owner");
  g_autofree char *id = g_strdup (fake_json_get_string (content, "id"));
  g_autofree char *now = fake_now ();
  g_autofree char *checksum = NULL;
  g_autofree char *hash = NULL;
  JsonObject *image;

  if (name == NULL)
    return NULL;
  if (id == NULL)
    id = fake_uuid ();
  checksum = g_compute_checksum_for_string (G_CHECKSUM_MD5, name, -1);
  hash = g_compute_checksum_for_string (G_CHECKSUM_SHA512, name, -1);
  image = fake_json_object_new (
    "{'name': %s, 'disk_format': 'qcow2', 'container_format': 'bare', 'visibility': 'public',"
    " 'size': 3328, 'virtual_size': null, 'status': 'active', 'checksum': %s,"
    " 'protected': false, 'min_ram': 128, 'min_disk': 1, 'owner': null, 'os_hidden': false,"
    " 'os_hash_algo': 'sha512', 'os_hash_value': %s, 'id': %s, 'created_at': %s,"
    " 'updated_at': %s, 'tags': [], 'self': '/v2/images/%r', 'file': '/v2/images/%r/file',"
    " 'schema': '/v2/schemas/image', 'stores': 'file'}",
    name, checksum, hash, id, now, now, id, id);
  fake_json_merge (image, content);
  owner = fake_cloud_find (cloud, "project", owner != NULL ? owner : "admin");
  if (owner != NULL)
    json_object_set_string_member (image, "owner", owner);
  return fake_store_add (fake_cloud_get_store (cloud, "image"), image);
}

static void
create (FakeCloud *cloud)
{
  fake_cloud_add_kind (cloud, "image", add_image, NULL);
}

static void
destroy (FakeCloud *cloud)
{
}

const FakeService fake_glance_service = {
  .type = "image",
  .prefix = "/image",
  .create = create,
  .destroy = destroy,
  .handle = handle,
};
