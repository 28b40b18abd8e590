/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* Block storage: volumes, most of which nova makes, and what is known of them. */

#include "fake-cinder.h"
#include "fake-nova.h"

#define OWNER "os-vol-tenant-attr:tenant_id"

/* lists */

static gboolean
is_visible (FakeRequest *request, JsonObject *volume)
{
  return request->token->is_admin
         || g_strcmp0 (fake_json_get_string (volume, OWNER), request->token->project_id) == 0;
}

/* The filter is written as Python writes a dictionary. */
static JsonObject *
parse_metadata (const char *text)
{
  g_autofree char *json = g_strdelimit (g_strdup (text), "'", '"');

  return fake_json_parse_object (json);
}

static gboolean
has_metadata (JsonObject *volume, JsonObject *wanted)
{
  JsonObject *metadata = fake_json_get_object (volume, "metadata");
  JsonObjectIter iter;
  const char *name;
  JsonNode *value;

  json_object_iter_init (&iter, wanted);
  while (json_object_iter_next (&iter, &name, &value))
    if (g_strcmp0 (fake_json_get_string (metadata, name), json_node_get_string (value)) != 0)
      return FALSE;
  return TRUE;
}

static GPtrArray *
find_volumes (FakeRequest *request, JsonObject *metadata)
{
  static const char *const filters[] = { "name", "status" };
  GPtrArray *found = g_ptr_array_new ();

  for (GList *l = fake_store_get_first (fake_cloud_get_store (request->cloud, "volume"));
       l != NULL; l = l->next)
    {
      gboolean is_wanted = is_visible (request, l->data)
                           && (metadata == NULL || has_metadata (l->data, metadata));

      for (guint i = 0; i < G_N_ELEMENTS (filters); i++)
        {
          const char *value = fake_request_get_parameter (request, filters[i]);

          if (value != NULL
              && g_strcmp0 (fake_json_get_string (l->data, filters[i]), value) != 0)
            is_wanted = FALSE;
        }
      if (is_wanted)
        g_ptr_array_add (found, l->data);
    }
  return found;
}

static void
append_volume (GString *out, FakeRequest *request, JsonObject *volume, gboolean is_detailed)
{
  if (is_detailed)
    fake_json_append (out, "%o", volume);
  else
    fake_json_append (out, "{'id': %s, 'name': %s, 'links': []}",
                      fake_json_get_string (volume, "id"), fake_json_get_string (volume, "name"));
}

static void
list (FakeRequest *request, gboolean is_detailed)
{
  const char *filter = fake_request_get_parameter (request, "metadata");
  const char *marker = fake_request_get_parameter (request, "marker");
  g_autoptr (JsonObject) metadata = filter != NULL ? parse_metadata (filter) : NULL;
  g_autoptr (GPtrArray) found = find_volumes (request, metadata);
  guint limit, from = 0, to;
  GString *out;

  if (!fake_nova_get_limit (request, &limit))
    return;
  if (marker != NULL)
    {
      JsonObject *at = fake_store_get (fake_cloud_get_store (request->cloud, "volume"), marker);

      if (at == NULL || !g_ptr_array_find (found, at, &from))
        return fake_nova_fail (request, 404, "Volume %s could not be found.", marker);
      from++;
    }
  to = MIN (found->len, from + limit);
  out = g_string_new ("{\"volumes\": [");
  for (guint i = from; i < to; i++)
    {
      g_string_append (out, i > from ? ", " : "");
      append_volume (out, request, g_ptr_array_index (found, i), is_detailed);
    }
  g_string_append_c (out, ']');
  if (to - from == limit && to < found->len)
    fake_nova_append_next (request, out, "volumes",
                           fake_json_get_string (g_ptr_array_index (found, to - 1), "id"));
  g_string_append_c (out, '}');
  fake_request_reply_json (request, 200, g_string_free (out, FALSE));
}

static void
list_volumes (FakeRequest *request)
{
  list (request, FALSE);
}

static void
detail_volumes (FakeRequest *request)
{
  list (request, TRUE);
}

/* one volume */

static JsonObject *
need_volume (FakeRequest *request)
{
  const char *id = g_ptr_array_index (request->args, 0);
  JsonObject *volume = fake_store_get (fake_cloud_get_store (request->cloud, "volume"), id);

  if (volume != NULL && is_visible (request, volume))
    return volume;
  fake_nova_fail (request, 404, "Volume %s could not be found.", id);
  return NULL;
}

static void
get_volume (FakeRequest *request)
{
  JsonObject *volume = need_volume (request);

  if (volume != NULL)
    fake_request_reply_json (request, 200, fake_json ("{'volume': %o}", volume));
}

static void
finish_delete (FakeCloud *cloud, const char *id)
{
  fake_store_remove (fake_cloud_get_store (cloud, "volume"), id);
}

static void
set_status (JsonObject *volume, const char *status)
{
  json_object_set_string_member (volume, "status", status);
}

static void
delete_volume (FakeRequest *request)
{
  static const char *const deletable[] = {
    "available", "error", "error_restoring", "error_extending", "error_managing", NULL,
  };
  JsonObject *volume = need_volume (request);

  if (volume == NULL)
    return;
  if (!g_strv_contains (deletable, fake_json_get_string (volume, "status"))
      || json_array_get_length (fake_json_get_array (volume, "attachments")) > 0)
    return fake_nova_fail (
      request, 400,
      "Invalid volume: Volume status must be available or error or error_restoring or "
      "error_extending or error_managing and must not be migrating, attached, belong to a group, "
      "have snapshots, awaiting a transfer, or be disassociated from snapshots after volume "
      "transfer.");
  set_status (volume, "deleting");
  fake_cloud_schedule (request->cloud, request->cloud->settings.delete_delay, finish_delete,
                       fake_json_get_string (volume, "id"));
  fake_request_reply (request, 202, "text/html; charset=UTF-8", NULL);
}

static void
post_metadata (FakeRequest *request)
{
  JsonObject *volume = need_volume (request);
  JsonObject *metadata;

  if (volume == NULL)
    return;
  metadata = fake_nova_get_body (request, "metadata");
  if (metadata == NULL || !fake_nova_validate_metadata (request, metadata))
    return;
  fake_json_copy_members (fake_json_get_object (volume, "metadata"), metadata);
  fake_request_reply_json (
    request, 200, fake_json ("{'metadata': %o}", fake_json_get_object (volume, "metadata")));
}

/* what nova asks for */

static guint
count_owned (FakeCloud *cloud, const char *project_id)
{
  guint n = 0;

  for (GList *l = fake_store_get_first (fake_cloud_get_store (cloud, "volume")); l != NULL;
       l = l->next)
    if (g_strcmp0 (fake_json_get_string (l->data, OWNER), project_id) == 0)
      n++;
  return n;
}

static JsonObject *
volume_new (const char *project_id, const char *name, gint64 size, const char *type)
{
  g_autofree char *now = fake_now ();

  return fake_json_object_new (
    "{'name': %s, 'description': '', 'status': 'available', 'size': %l, 'bootable': 'false',"
    " 'encrypted': false, 'multiattach': false, 'volume_type': %s, 'availability_zone': 'nova',"
    " 'created_at': %s, 'attachments': [], 'metadata': {}, 'replication_status': null,"
    " 'snapshot_id': null, 'source_volid': null, 'consistencygroup_id': null, '%r': %s}",
    name, size, type != NULL ? type : "__DEFAULT__", now, OWNER, project_id);
}

JsonObject *
fake_cinder_create (FakeCloud *cloud, const char *project_id, gint64 size, const char *type,
                    const char *image_id)
{
  int limit = fake_cloud_get_quota (cloud, project_id, "volumes");
  JsonObject *volume;

  if (limit >= 0 && count_owned (cloud, project_id) >= (guint) limit)
    return NULL;
  /* Nova gives it no name. */
  volume = volume_new (project_id, "", size, type);
  json_object_set_string_member (volume, "bootable", "true");
  json_object_set_object_member (volume, "volume_image_metadata",
                                 fake_json_object_new ("{'image_id': %s}", image_id));
  return fake_store_add (fake_cloud_get_store (cloud, "volume"), volume);
}

void
fake_cinder_attach (FakeCloud *cloud, const char *id, const char *server_id)
{
  JsonObject *volume = fake_store_get (fake_cloud_get_store (cloud, "volume"), id);
  g_autofree char *attachment = fake_uuid ();
  g_autofree char *attachments = fake_json (
    "[{'id': %s, 'volume_id': %s, 'attachment_id': %s, 'server_id': %s, 'device': '/dev/vda',"
    " 'host_name': null}]",
    id, id, attachment, server_id);

  fake_json_set_text (volume, "attachments", attachments);
  set_status (volume, "in-use");
}

void
fake_cinder_detach (FakeCloud *cloud, const char *id)
{
  JsonObject *volume = fake_store_get (fake_cloud_get_store (cloud, "volume"), id);

  if (volume == NULL)
    return;
  fake_json_set_text (volume, "attachments", "[]");
  set_status (volume, "available");
}

void
fake_cinder_delete (FakeCloud *cloud, const char *id)
{
  finish_delete (cloud, id);
}

/* routing */

static const FakeRoute routes[] = {
  { "GET", "/volumes", list_volumes },
  { "GET", "/volumes/detail", detail_volumes },
  { "GET", "/volumes/*", get_volume },
  { "DELETE", "/volumes/*", delete_volume },
  { "POST", "/volumes/*/metadata", post_metadata },
};

static void
reply_versions (FakeRequest *request)
{
  fake_request_reply_json (
    request, 300,
    fake_json ("{'versions': [{'id': 'v3.0', 'status': 'CURRENT', 'version': '3.70',"
               " 'min_version': '3.0', 'links': [{'rel': 'self', 'href': '%r/volume/v3/'}]}]}",
               request->cloud->url));
}

static void
handle (FakeRequest *request)
{
  g_autofree char *uuid = fake_uuid ();
  g_autofree char *request_id = g_strconcat ("req-", uuid, NULL);
  const char *path = request->path;
  g_autofree char *project = NULL;

  if (!g_str_has_prefix (path, "/v3/"))
    return reply_versions (request);
  fake_request_set_header (request, "X-Openstack-Request-Id", request_id);
  fake_request_set_header (request, "X-Compute-Request-Id", request_id);
  if (fake_keystone_authenticate (request) == NULL)
    return fake_keystone_reply_unauthorized (request);
  path += strlen ("/v3");
  project = g_strconcat ("/", request->token->project_id, NULL);
  if (request->token->project_id != NULL && g_str_has_prefix (path, project))
    path += strlen (project);
  if (fake_request_route (request, path, routes, G_N_ELEMENTS (routes)) != FAKE_ROUTE_FOUND)
    fake_nova_reply_no_route (request);
}

/* contents */

static JsonObject *
add_volume (FakeCloud *cloud, JsonObject *content)
{
  const char *name = fake_json_get_string (content, "name");
  const char *project = fake_json_get_string (content, "project");
  JsonObject *metadata = fake_json_get_object (content, "metadata");
  JsonObject *volume;

  project = project != NULL ? fake_cloud_find (cloud, "project", project) : NULL;
  if (name == NULL || project == NULL)
    return NULL;
  volume = volume_new (project, name, fake_json_get_int (content, "size", 1), NULL);
  if (metadata != NULL)
    fake_json_copy_members (fake_json_get_object (volume, "metadata"), metadata);
  if (fake_json_get_string (content, "status") != NULL)
    set_status (volume, fake_json_get_string (content, "status"));
  return fake_store_add (fake_cloud_get_store (cloud, "volume"), volume);
}

static void
create (FakeCloud *cloud)
{
  fake_cloud_add_kind (cloud, "volume", add_volume, NULL);
}

static void
destroy (FakeCloud *cloud)
{
}

/* What is being deleted is as good as gone. */
static void
dump (FakeCloud *cloud, const char *project_id, GPtrArray *lines)
{
  for (GList *l = fake_store_get_first (fake_cloud_get_store (cloud, "volume")); l != NULL;
       l = l->next)
    {
      if (g_strcmp0 (fake_json_get_string (l->data, "status"), "deleting") == 0
          || (project_id != NULL
              && g_strcmp0 (fake_json_get_string (l->data, OWNER), project_id) != 0))
        continue;
      g_ptr_array_add (lines,
                       g_strdup_printf ("volume %s: %" G_GINT64_FORMAT " GiB, %s",
                                        fake_json_get_string (l->data, "name"),
                                        fake_json_get_int (l->data, "size", 0),
                                        fake_json_get_string (l->data, "status")));
    }
}

const FakeService fake_cinder_service = {
  .type = "block-storage",
  .prefix = "/volume",
  .create = create,
  .destroy = destroy,
  .handle = handle,
  .dump = dump,
};
