/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* Objects: put, get, describe, remove. */

#include "fake-swift.h"

static const char *const object_prefixes[] = {
  "x-object-meta-", "content-encoding", "content-disposition", NULL,
};

void
fake_object_free (FakeObject *object)
{
  g_clear_pointer (&object->content, g_bytes_unref);
  g_free (object->etag);
  g_free (object->content_type);
  g_hash_table_unref (object->metadata);
  g_clear_pointer (&object->writer, fake_log_entry_unref);
  g_free (object);
}

void
fake_swift_remove_object (FakeContainer *container, const char *name)
{
  FakeObject *object = g_tree_lookup (container->objects, name);

  if (object == NULL)
    return;
  container->bytes -= object->size;
  g_tree_remove (container->objects, name);
}

/* Many at once: name PREFIX000000, content "x". */
JsonObject *
fake_swift_add_objects (FakeCloud *cloud, JsonObject *content)
{
  const char *project = fake_json_get_string (content, "project");
  const char *prefix = fake_json_get_string (content, "prefix");
  const char *name = fake_json_get_string (content, "container");
  const char *project_id = project != NULL ? fake_cloud_find (cloud, "project", project) : NULL;
  g_autofree char *account_name = g_strconcat ("AUTH_", project_id, NULL);
  g_autoptr (GBytes) bytes = g_bytes_new_static ("x", 1);
  FakeContainer *container = NULL;

  if (project_id != NULL && name != NULL)
    container = fake_swift_get_container (fake_swift_get_account (cloud, account_name), name);
  if (container == NULL)
    return NULL;
  for (gint64 i = 0; i < fake_json_get_int (content, "count", 1); i++)
    {
      FakeObject *object = g_new0 (FakeObject, 1);

      object->content = g_bytes_ref (bytes);
      object->etag = g_compute_checksum_for_bytes (G_CHECKSUM_MD5, bytes);
      object->content_type = g_strdup ("application/octet-stream");
      object->metadata = fake_swift_metadata_new ();
      object->time_us = g_get_real_time ();
      object->size = 1;
      g_tree_insert (container->objects,
                     g_strdup_printf ("%s%06d", prefix != NULL ? prefix : "", (int) i), object);
      container->bytes += 1;
    }
  return fake_store_add (fake_cloud_get_store (cloud, "objects"),
                         fake_json_object_new ("{'name': %s}", name));
}

static gboolean
has_manifest_parameter (FakeRequest *request, const char *value)
{
  return request->cloud->settings.swift_has_slo
         && g_strcmp0 (fake_request_get_parameter (request, "multipart-manifest"), value) == 0;
}

/* Two that overlap both think that there is nothing yet: the check is not atomic. */
static gboolean
check_if_none_match (FakeRequest *request, FakeObject *present)
{
  const char *condition = fake_request_get_header (request, "If-None-Match");

  if (condition == NULL)
    return TRUE;
  if (!g_str_equal (condition, "*"))
    {
      fake_request_reply (request, 400, "text/plain", "If-None-Match only supports *");
      return FALSE;
    }
  if (present == NULL || (present->writer != NULL && present->writer->end_us == 0))
    return TRUE;
  fake_swift_reply_status (request, 412);
  return FALSE;
}

static gboolean
check_put (FakeRequest *request, FakeObject *present, const char *name)
{
  const char *encoding = fake_request_get_header (request, "Transfer-Encoding");

  if (fake_request_get_header (request, "Content-Length") == NULL && encoding == NULL)
    {
      fake_request_reply (request, 411, "text/plain", "Missing Content-Length header.");
      return FALSE;
    }
  if (strlen (name) > 1024)
    {
      g_autofree char *message =
        g_strdup_printf ("Object name length of %d longer than 1024", (int) strlen (name));

      fake_request_reply (request, 400, "text/plain", message);
      return FALSE;
    }
  if (g_bytes_get_size (request->body) > (gsize) request->cloud->settings.swift_max_file_size)
    {
      fake_request_reply (request, 413, "text/plain", "Your request is too large.");
      return FALSE;
    }
  return check_if_none_match (request, present);
}

/* The ETag may be quoted. */
static gboolean
is_right_etag (FakeRequest *request, const char *etag)
{
  const char *given = fake_request_get_header (request, "ETag");
  g_autofree char *bare = NULL;

  if (given == NULL)
    return TRUE;
  bare = g_ascii_strdown (given, -1);
  g_strdelimit (bare, "\"", ' ');
  return g_str_equal (g_strstrip (bare), etag);
}

static void
put_object (FakeRequest *request,
            FakeAccount *account,
            FakeContainer *container,
            const FakeSwiftPath *path)
{
  FakeObject *present = g_tree_lookup (container->objects, path->object);
  gboolean is_slo = has_manifest_parameter (request, "put");
  const char *type = fake_request_get_header (request, "Content-Type");
  g_autofree char *etag = NULL;
  g_autofree char *quoted = NULL;
  guint64 size = g_bytes_get_size (request->body);
  FakeObject *object;

  if (!check_put (request, present, path->object))
    return;
  if (is_slo && !fake_swift_read_manifest (request, account, &etag, &size))
    return;
  if (!is_slo)
    etag = g_compute_checksum_for_bytes (G_CHECKSUM_MD5, request->body);
  if (!is_right_etag (request, etag))
    return fake_swift_reply_status (request, 422);

  object = g_new0 (FakeObject, 1);
  object->content = g_bytes_ref (request->body);
  object->etag = g_steal_pointer (&etag);
  object->content_type = g_strdup (type != NULL ? type : "application/octet-stream");
  object->metadata = fake_swift_metadata_new ();
  object->time_us = g_get_real_time ();
  object->is_slo = is_slo;
  object->size = size;
  object->reads_until_seen = request->cloud->settings.swift_missing_reads;
  object->writer = fake_log_entry_ref (request->entry);
  fake_swift_take_metadata (request, object->metadata, object_prefixes);
  fake_swift_remove_object (container, path->object);
  g_tree_insert (container->objects, g_strdup (path->object), object);
  container->bytes += size;

  fake_request_reply (request, 201, "text/html; charset=UTF-8", NULL);
  quoted = is_slo ? g_strdup_printf ("\"%s\"", object->etag) : g_strdup (object->etag);
  fake_swift_set_time_headers (request, object->time_us);
  fake_request_set_header (request, "Etag", quoted);
}

static void
post_object (FakeRequest *request, FakeObject *object)
{
  const char *type = fake_request_get_header (request, "Content-Type");

  g_hash_table_remove_all (object->metadata);
  fake_swift_take_metadata (request, object->metadata, object_prefixes);
  if (type != NULL)
    {
      g_free (object->content_type);
      object->content_type = g_strdup (type);
    }
  fake_swift_reply_status (request, 202);
}

static void
show_headers (FakeRequest *request, FakeObject *object, gboolean is_manifest)
{
  g_autofree char *etag = object->is_slo && !is_manifest ? g_strdup_printf ("\"%s\"", object->etag)
                                                         : g_strdup (object->etag);
  GHashTableIter iter;
  gpointer name, value;

  g_hash_table_iter_init (&iter, object->metadata);
  while (g_hash_table_iter_next (&iter, &name, &value))
    fake_request_set_header (request, name, value);
  if (object->is_slo)
    fake_request_set_header (request, "X-Static-Large-Object", "True");
  fake_request_set_header (request, "Etag", etag);
  fake_request_set_header (request, "Accept-Ranges", "bytes");
  fake_swift_set_time_headers (request, object->time_us);
}

/* One range, from-to, from- or -last. FALSE if it does not fit. */
static gboolean
parse_range (const char *text, gsize size, gsize *from, gsize *to)
{
  g_auto (GStrv) parts = g_strsplit (text, "-", 2);
  guint64 first, last;

  if (g_strv_length (parts) != 2 || size == 0)
    return FALSE;
  if (*parts[0] == '\0')
    {
      if (!g_ascii_string_to_unsigned (parts[1], 10, 1, G_MAXUINT64, &last, NULL))
        return FALSE;
      *from = last < size ? size - (gsize) last : 0;
      *to = size - 1;
      return TRUE;
    }
  if (!g_ascii_string_to_unsigned (parts[0], 10, 0, G_MAXUINT64, &first, NULL) || first >= size)
    return FALSE;
  if (!g_ascii_string_to_unsigned (parts[1], 10, 0, G_MAXUINT64, &last, NULL))
    last = size - 1;
  *from = (gsize) first;
  *to = MIN ((gsize) last, size - 1);
  return *from <= *to;
}

void
fake_swift_reply_content (FakeRequest *request, FakeObject *object, GBytes *content)
{
  const char *range = fake_request_get_header (request, "Range");
  const char *condition = fake_request_get_header (request, "If-Match");
  gsize size = g_bytes_get_size (content);
  g_autofree char *shown = NULL;
  g_autoptr (GBytes) part = NULL;
  gsize from, to;

  if (condition != NULL && strstr (condition, object->etag) == NULL)
    return fake_request_reply (request, 412, object->content_type, NULL);
  if (range == NULL || !g_str_has_prefix (range, "bytes="))
    return fake_request_reply_bytes (request, 200, object->content_type, content);
  if (!parse_range (range + strlen ("bytes="), size, &from, &to))
    {
      shown = g_strdup_printf ("bytes */%" G_GSIZE_FORMAT, size);
      fake_swift_reply_status (request, 416);
      fake_request_set_header (request, "Content-Type", object->content_type);
      return fake_request_set_header (request, "Content-Range", shown);
    }
  shown = g_strdup_printf ("bytes %" G_GSIZE_FORMAT "-%" G_GSIZE_FORMAT "/%" G_GSIZE_FORMAT, from,
                           to, size);
  part = g_bytes_new_from_bytes (content, from, to - from + 1);
  fake_request_set_header (request, "Content-Range", shown);
  fake_request_reply_bytes (request, 206, object->content_type, part);
}

/* A temporary URL is offered as a download. */
static void
set_disposition (FakeRequest *request, const char *name)
{
  const char *last = strrchr (name, '/');
  g_autofree char *file = g_uri_escape_string (last != NULL ? last + 1 : name, NULL, FALSE);
  g_autofree char *disposition =
    g_strdup_printf ("attachment; filename=\"%s\"; filename*=UTF-8''%s", file, file);

  if (fake_request_get_parameter (request, "temp_url_sig") != NULL)
    fake_request_set_header (request, "Content-Disposition", disposition);
}

/* What is read; NULL if it cannot be (transfer full). */
static GBytes *
get_content (FakeRequest *request,
             FakeAccount *account,
             FakeObject *object,
             const FakeSwiftPath *path)
{
  if (!object->is_slo)
    return g_bytes_ref (object->content);
  if (has_manifest_parameter (request, "get"))
    return request->cloud->settings.swift_is_radosgw != 0
             ? g_bytes_ref (object->content)
             : fake_swift_describe_segments (account, object);
  if (!fake_swift_may_read_segments (request, path, object))
    return NULL;
  return fake_swift_join_segments (account, object);
}

static void
get_object (FakeRequest *request,
            FakeAccount *account,
            FakeObject *object,
            const FakeSwiftPath *path)
{
  gboolean is_manifest = object->is_slo && has_manifest_parameter (request, "get");
  const char *condition = fake_request_get_header (request, "If-None-Match");
  g_autoptr (GBytes) content = NULL;

  if (object->reads_until_seen > 0)
    {
      object->reads_until_seen--;
      return fake_swift_reply_status (request, 404);
    }
  content = get_content (request, account, object, path);
  if (content == NULL)
    return fake_swift_reply_status (request, 409);
  if (condition != NULL && strstr (condition, object->etag) != NULL)
    fake_request_reply (request, 304, object->content_type, NULL);
  else
    fake_swift_reply_content (request, object, content);
  show_headers (request, object, is_manifest);
  set_disposition (request, path->object);
}

void
fake_swift_handle_object (FakeRequest *request,
                          FakeAccount *account,
                          FakeContainer *container,
                          const FakeSwiftPath *path)
{
  FakeObject *object = g_tree_lookup (container->objects, path->object);

  if (g_str_equal (request->method, "PUT"))
    return put_object (request, account, container, path);
  if (g_str_equal (request->method, "DELETE") && has_manifest_parameter (request, "delete"))
    return fake_swift_delete_manifest (request, account, container, path);
  if (object == NULL)
    return fake_swift_reply_status (request, 404);
  if (g_str_equal (request->method, "GET") || g_str_equal (request->method, "HEAD"))
    return get_object (request, account, object, path);
  if (g_str_equal (request->method, "POST"))
    return post_object (request, object);
  if (!g_str_equal (request->method, "DELETE"))
    return fake_swift_reply_status (request, 405);
  fake_swift_remove_object (container, path->object);
  fake_request_reply (request, 204, "text/html; charset=UTF-8", NULL);
}
