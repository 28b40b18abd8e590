/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* The object store: paths, accounts, containers. */

#include "fake-swift.h"

static const char *const account_prefixes[] = { "x-account-meta-", NULL };
static const char *const container_prefixes[] = {
  "x-container-meta-", "x-container-read", "x-container-write", NULL,
};

/* answers */

static const struct
{
  guint status;
  const char *text;
} texts[] = {
  { 202, "The request is accepted for processing." },
  { 400, "The server could not comply with the request since it is either malformed or otherwise "
         "incorrect." },
  { 401, "This server could not verify that you are authorized to access the document you "
         "requested." },
  { 403, "Access was denied to this resource." },
  { 404, "The resource could not be found." },
  { 405, "The method is not allowed for this resource." },
  { 409, "There was a conflict when trying to complete your request." },
  { 412, "A precondition for this request was not met." },
  { 416, "The Range requested is not available." },
  { 422, "Unable to process the contained instructions" },
};

void
fake_swift_reply_status (FakeRequest *request, guint status)
{
  g_autofree char *body = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    if (texts[i].status == status)
      body = g_strdup_printf ("<html><h1>%s</h1><p>%s</p></html>",
                              status == 416 ? "Requested Range Not Satisfiable"
                                            : soup_status_get_phrase (status),
                              texts[i].text);
  if (g_str_equal (request->method, "HEAD"))
    g_clear_pointer (&body, g_free);
  fake_request_reply (request, status, "text/html; charset=UTF-8", body);
}

void
fake_swift_set_time_headers (FakeRequest *request, gint64 time_us)
{
  gint64 seconds = (time_us + G_USEC_PER_SEC - 1) / G_USEC_PER_SEC;
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_utc (seconds);
  g_autofree char *date = g_date_time_format (time, "%a, %d %b %Y %H:%M:%S GMT");
  g_autofree char *stamp =
    g_strdup_printf ("%" G_GINT64_FORMAT ".%05d", time_us / G_USEC_PER_SEC,
                     (int) (time_us % G_USEC_PER_SEC / 10));

  fake_request_set_header (request, "Last-Modified", date);
  fake_request_set_header (request, "X-Timestamp", stamp);
}

static void
set_number_header (FakeRequest *request, const char *name, guint64 number)
{
  g_autofree char *text = g_strdup_printf ("%" G_GUINT64_FORMAT, number);

  fake_request_set_header (request, name, text);
}

/* metadata */

GHashTable *
fake_swift_metadata_new (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

/* X-Container-Meta-Foo, whatever the case was. */
static char *
get_header_name (const char *name)
{
  char *shown = g_ascii_strdown (name, -1);

  for (char *p = shown; *p != '\0'; p++)
    if (p == shown || p[-1] == '-')
      *p = g_ascii_toupper (*p);
  return shown;
}

/* What radosgw does not keep, though it says that all is well. */
static gboolean
is_ignored (FakeRequest *request, const char *header)
{
  int ways = request->cloud->settings.swift_is_radosgw;

  if (ways == 0)
    return FALSE;
  if (g_str_equal (header, "X-Container-Read"))
    return ways == 2 || g_str_equal (request->method, "PUT");
  return g_str_has_prefix (header, "X-Container-Meta-Temp-Url-Key");
}

void
fake_swift_take_metadata (FakeRequest *request, GHashTable *metadata, const char *const *prefixes)
{
  SoupMessageHeadersIter iter;
  const char *name, *value;

  soup_message_headers_iter_init (&iter, fake_request_get_headers (request));
  while (soup_message_headers_iter_next (&iter, &name, &value))
    for (guint i = 0; prefixes[i] != NULL; i++)
      {
        g_autofree char *shown = NULL;

        if (g_ascii_strncasecmp (name, prefixes[i], strlen (prefixes[i])) != 0)
          continue;
        shown = get_header_name (name);
        if (is_ignored (request, shown))
          break;
        if (*value == '\0')
          g_hash_table_remove (metadata, shown);
        else
          g_hash_table_replace (metadata, g_steal_pointer (&shown), g_strdup (value));
        break;
      }
}

/* Keys of temporary URLs and ACLs are shown to the owner only. */
static void
show_metadata (FakeRequest *request, GHashTable *metadata, const FakeSwiftPath *path)
{
  gboolean is_owner = request->token != NULL && request->token->project_id != NULL
                      && g_str_has_suffix (path->account, request->token->project_id);
  GHashTableIter iter;
  gpointer name, value;

  g_hash_table_iter_init (&iter, metadata);
  while (g_hash_table_iter_next (&iter, &name, &value))
    if (is_owner || (strstr (name, "-Temp-Url-Key") == NULL
                     && !g_str_has_prefix (name, "X-Container-Read")
                     && !g_str_has_prefix (name, "X-Container-Write")))
      fake_request_set_header (request, name, value);
}

/* accounts and containers */

static int
compare_names (gconstpointer a, gconstpointer b, gpointer user_data)
{
  return strcmp (a, b);
}

static void
container_free (gpointer data)
{
  FakeContainer *container = data;

  g_tree_unref (container->objects);
  g_hash_table_unref (container->metadata);
  g_free (container);
}

static void
account_free (gpointer data)
{
  FakeAccount *account = data;

  g_tree_unref (account->containers);
  g_hash_table_unref (account->metadata);
  g_free (account);
}

FakeAccount *
fake_swift_get_account (FakeCloud *cloud, const char *name)
{
  FakeAccount *account = g_hash_table_lookup (cloud->swift->accounts, name);

  if (account != NULL)
    return account;
  account = g_new0 (FakeAccount, 1);
  account->containers = g_tree_new_full (compare_names, NULL, g_free, container_free);
  account->metadata = fake_swift_metadata_new ();
  account->time_us = g_get_real_time ();
  g_hash_table_insert (cloud->swift->accounts, g_strdup (name), account);
  return account;
}

FakeContainer *
fake_swift_get_container (FakeAccount *account, const char *name)
{
  return g_tree_lookup (account->containers, name);
}

FakeContainer *
fake_swift_add_container (FakeAccount *account, const char *name)
{
  FakeContainer *container = g_new0 (FakeContainer, 1);

  container->objects =
    g_tree_new_full (compare_names, NULL, g_free, (GDestroyNotify) fake_object_free);
  container->metadata = fake_swift_metadata_new ();
  container->time_us = g_get_real_time ();
  g_tree_insert (account->containers, g_strdup (name), container);
  return container;
}

static gboolean
add_up_cb (gpointer key, gpointer value, gpointer user_data)
{
  FakeContainer *container = value;
  guint64 *sums = user_data;

  sums[0] += (guint64) g_tree_nnodes (container->objects);
  sums[1] += container->bytes;
  return FALSE;
}

static void
handle_account (FakeRequest *request, FakeAccount *account, const FakeSwiftPath *path)
{
  guint64 sums[2] = { 0, 0 };

  if (g_str_equal (request->method, "POST"))
    {
      fake_swift_take_metadata (request, account->metadata, account_prefixes);
      return fake_request_reply (request, 204, "text/html; charset=UTF-8", NULL);
    }
  if (!g_str_equal (request->method, "GET") && !g_str_equal (request->method, "HEAD"))
    return fake_swift_reply_status (request, 405);

  fake_swift_list_account (request, account);
  if (soup_server_message_get_status (request->message) >= 300)
    return;
  g_tree_foreach (account->containers, add_up_cb, sums);
  fake_request_set_header (request, "Accept-Ranges", "bytes");
  set_number_header (request, "X-Account-Container-Count",
                     (guint64) g_tree_nnodes (account->containers));
  set_number_header (request, "X-Account-Object-Count", sums[0]);
  set_number_header (request, "X-Account-Bytes-Used", sums[1]);
  show_metadata (request, account->metadata, path);
}

/* Designators that begin with a point must be known. FALSE after an answer. */
static gboolean
check_acl (FakeRequest *request)
{
  static const char *const known[] = { ".r", ".ref", ".referer", ".referrer", NULL };
  const char *acl = fake_request_get_header (request, "X-Container-Read");
  g_auto (GStrv) parts = g_strsplit (acl != NULL ? acl : "", ",", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      g_auto (GStrv) pair = g_strsplit (g_strstrip (parts[i]), ":", 2);
      g_autofree char *message = NULL;

      if (g_strv_length (pair) < 2 || *pair[0] != '.' || g_strv_contains (known, pair[0]))
        continue;
      message = g_strdup_printf ("Unknown designator '%s' in ACL: '%s'", pair[0], acl);
      fake_request_reply (request, 400, "text/html; charset=UTF-8", message);
      return FALSE;
    }
  return TRUE;
}

static void
put_container (FakeRequest *request, FakeAccount *account, const FakeSwiftPath *path)
{
  FakeContainer *container = fake_swift_get_container (account, path->container);
  gboolean is_new = container == NULL;

  if (strlen (path->container) > 256)
    {
      g_autofree char *message =
        g_strdup_printf ("Container name length of %d longer than 256",
                         (int) strlen (path->container));

      return fake_request_reply (request, 400, "text/html; charset=UTF-8", message);
    }
  if (!check_acl (request))
    return;
  if (is_new)
    container = fake_swift_add_container (account, path->container);
  fake_swift_take_metadata (request, container->metadata, container_prefixes);
  if (is_new)
    return fake_request_reply (request, 201, "text/html; charset=UTF-8", NULL);
  fake_swift_reply_status (request, 202);
}

static void
handle_container (FakeRequest *request, FakeAccount *account, const FakeSwiftPath *path)
{
  FakeContainer *container = fake_swift_get_container (account, path->container);

  if (g_str_equal (request->method, "PUT"))
    return put_container (request, account, path);
  if (container == NULL)
    return fake_swift_reply_status (request, 404);
  if (g_str_equal (request->method, "POST"))
    {
      if (!check_acl (request))
        return;
      fake_swift_take_metadata (request, container->metadata, container_prefixes);
      return fake_request_reply (request, 204, "text/html; charset=UTF-8", NULL);
    }
  if (g_str_equal (request->method, "DELETE"))
    {
      if (g_tree_nnodes (container->objects) > 0)
        return fake_swift_reply_status (request, 409);
      g_tree_remove (account->containers, path->container);
      return fake_request_reply (request, 204, "text/html; charset=UTF-8", NULL);
    }
  if (!g_str_equal (request->method, "GET") && !g_str_equal (request->method, "HEAD"))
    return fake_swift_reply_status (request, 405);

  fake_swift_list_container (request, container);
  if (soup_server_message_get_status (request->message) >= 300)
    return;
  set_number_header (request, "X-Container-Object-Count",
                     (guint64) g_tree_nnodes (container->objects));
  set_number_header (request, "X-Container-Bytes-Used", container->bytes);
  fake_request_set_header (request, "Accept-Ranges", "bytes");
  fake_swift_set_time_headers (request, container->time_us);
  show_metadata (request, container->metadata, path);
}

/* paths */

void
fake_swift_path_clear (FakeSwiftPath *path)
{
  g_free (path->account);
  g_free (path->container);
  g_free (path->object);
}

static gboolean
take_part (const char *encoded, char **decoded)
{
  if (encoded == NULL || *encoded == '\0')
    return TRUE;
  *decoded = g_uri_unescape_string (encoded, NULL);
  return *decoded != NULL && g_utf8_validate (*decoded, -1, NULL);
}

/* FALSE after an answer. */
static gboolean
parse_path (FakeRequest *request, FakeSwiftPath *path)
{
  g_auto (GStrv) parts = NULL;

  if (!g_str_has_prefix (request->path, "/v1"))
    {
      fake_swift_reply_status (request, *request->path == '\0'
                                            || g_str_equal (request->path, "/") ? 404 : 400);
      return FALSE;
    }
  parts = g_strsplit (request->path, "/", 5);
  if (g_strv_length (parts) < 3 || *parts[2] == '\0')
    {
      fake_request_reply (request, 412, "text/html; charset=UTF-8", "Bad URL");
      return FALSE;
    }
  if (take_part (parts[2], &path->account)
      && (parts[3] == NULL
          || (take_part (parts[3], &path->container) && take_part (parts[4], &path->object))))
    return TRUE;
  fake_request_reply (request, 412, "text/html; charset=UTF-8", "Invalid UTF8 or contains NULL");
  return FALSE;
}

static void
set_request_id (FakeRequest *request)
{
  g_autofree char *random = fake_hex_id ();
  g_autofree char *id =
    g_strdup_printf ("tx%.21s-%010x", random, (guint) (g_get_real_time () / G_USEC_PER_SEC));

  fake_request_set_header (request, "X-Trans-Id", id);
  fake_request_set_header (request, "X-Openstack-Request-Id", id);
}

static void
handle (FakeRequest *request)
{
  g_auto (FakeSwiftPath) path = { NULL };
  FakeAccount *account;
  FakeContainer *container;

  set_request_id (request);
  if (g_str_equal (request->path, "/info"))
    return fake_swift_reply_info (request);
  if (!parse_path (request, &path))
    return;
  fake_keystone_authenticate (request);
  if (path.container == NULL && fake_request_get_parameter (request, "bulk-delete") != NULL
      && request->cloud->settings.swift_has_bulk)
    return fake_swift_bulk_delete (request, &path);
  if (!fake_swift_authorize (request, &path))
    return;
  account = fake_swift_get_account (request->cloud, path.account);
  if (path.container == NULL)
    return handle_account (request, account, &path);
  if (path.object == NULL)
    return handle_container (request, account, &path);
  container = fake_swift_get_container (account, path.container);
  if (container == NULL)
    return fake_swift_reply_status (request, 404);
  fake_swift_handle_object (request, account, container, &path);
}

/* /info is at the origin, whatever the path of the service is */
static void
handle_info (FakeRequest *request)
{
  set_request_id (request);
  fake_swift_reply_info (request);
}

static void
create (FakeCloud *cloud)
{
  cloud->swift = g_new0 (FakeSwift, 1);
  cloud->swift->accounts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, account_free);
  fake_cloud_add_kind (cloud, "objects", fake_swift_add_objects, NULL);
}

static void
destroy (FakeCloud *cloud)
{
  g_hash_table_unref (cloud->swift->accounts);
  g_clear_pointer (&cloud->swift, g_free);
}

static void
nothing (FakeCloud *cloud)
{
}

/* inventory */

typedef struct
{
  GPtrArray *lines;
  const char *project;
  const char *container;
} Dump;

static gboolean
dump_object_cb (gpointer key, gpointer value, gpointer user_data)
{
  Dump *dump = user_data;
  FakeObject *object = value;

  g_ptr_array_add (dump->lines,
                   g_strdup_printf ("object %s/%s/%s %" G_GUINT64_FORMAT " %s", dump->project,
                                    dump->container, (char *) key, object->size, object->etag));
  return FALSE;
}

static gboolean
dump_container_cb (gpointer key, gpointer value, gpointer user_data)
{
  Dump *dump = user_data;
  FakeContainer *container = value;
  const char *acl = g_hash_table_lookup (container->metadata, "X-Container-Read");

  g_ptr_array_add (dump->lines, g_strdup_printf ("container %s/%s read=[%s]", dump->project,
                                                 (char *) key, acl != NULL ? acl : ""));
  dump->container = key;
  g_tree_foreach (container->objects, dump_object_cb, dump);
  return FALSE;
}

static void
dump (FakeCloud *cloud, const char *project_id, GPtrArray *lines)
{
  for (GList *l = fake_store_get_first (fake_cloud_get_store (cloud, "project")); l != NULL;
       l = l->next)
    {
      const char *id = fake_json_get_string (l->data, "id");
      g_autofree char *name = g_strconcat ("AUTH_", id, NULL);
      FakeAccount *account = g_hash_table_lookup (cloud->swift->accounts, name);
      Dump state = { lines, fake_json_get_string (l->data, "name"), NULL };

      if (account != NULL && (project_id == NULL || g_str_equal (project_id, id)))
        g_tree_foreach (account->containers, dump_container_cb, &state);
    }
}

const FakeService fake_swift_service = {
  .type = "object-store",
  .prefix = "/object-store",
  .create = create,
  .destroy = destroy,
  .handle = handle,
  .dump = dump,
};

const FakeService fake_swift_info_service = {
  .type = "object-store",
  .prefix = "/info",
  .create = nothing,
  .destroy = nothing,
  .handle = handle_info,
};
