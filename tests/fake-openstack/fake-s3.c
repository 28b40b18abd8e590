/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* The S3 interface of the object store, as swift's s3api has it: paths, buckets, answers. */

#include "fake-s3.h"

#include "fake-keystone.h"

gint64
fake_s3_get_time (FakeRequest *request)
{
  return fake_keystone_get_time (request->cloud);
}

/* XML */

char *
fake_s3_escape (const char *text)
{
  return g_markup_escape_text (text, -1);
}

typedef struct
{
  const char *name;
  GPtrArray *texts;
  GString *text; /* (nullable) inside such an element */
} Elements;

static void
start_cb (GMarkupParseContext *context,
          const char *element,
          const char **names,
          const char **values,
          gpointer user_data,
          GError **error)
{
  Elements *elements = user_data;

  if (g_str_equal (element, elements->name))
    elements->text = g_string_new (NULL);
}

static void
end_cb (GMarkupParseContext *context, const char *element, gpointer user_data, GError **error)
{
  Elements *elements = user_data;

  if (elements->text == NULL || !g_str_equal (element, elements->name))
    return;
  g_ptr_array_add (elements->texts, g_string_free (elements->text, FALSE));
  elements->text = NULL;
}

static void
text_cb (GMarkupParseContext *context,
         const char *text,
         gsize length,
         gpointer user_data,
         GError **error)
{
  Elements *elements = user_data;

  if (elements->text != NULL)
    g_string_append_len (elements->text, text, (gssize) length);
}

GPtrArray *
fake_s3_read_elements (GBytes *bytes, const char *name)
{
  static const GMarkupParser parser = { start_cb, end_cb, text_cb, NULL, NULL };
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  Elements elements = { name, texts, NULL };
  g_autoptr (GMarkupParseContext) context =
    g_markup_parse_context_new (&parser, G_MARKUP_TREAT_CDATA_AS_TEXT, &elements, NULL);
  gsize size;
  const char *text = g_bytes_get_data (bytes, &size);
  gboolean is_good = size > 0 && g_markup_parse_context_parse (context, text, (gssize) size, NULL)
                     && g_markup_parse_context_end_parse (context, NULL);

  if (elements.text != NULL)
    g_string_free (elements.text, TRUE);
  return is_good ? g_steal_pointer (&texts) : NULL;
}

/* answers */

void
fake_s3_reply (FakeRequest *request, char *xml)
{
  g_autofree char *document =
    g_strconcat ("<?xml version='1.0' encoding='UTF-8'?>\n", xml, NULL);

  fake_request_reply (request, 200, "application/xml", document);
  g_free (xml);
}

void
fake_s3_fail (FakeRequest *request,
              guint status,
              const char *code,
              const char *message,
              const char *extra)
{
  const char *id = soup_message_headers_get_one (
    soup_server_message_get_response_headers (request->message), "X-Amz-Request-Id");
  g_autofree char *body =
    g_strdup_printf ("<?xml version='1.0' encoding='UTF-8'?>\n<Error><Code>%s</Code>"
                     "<Message>%s</Message>%s<RequestId>%s</RequestId></Error>",
                     code, message, extra, id);

  fake_request_reply (request, status, "application/xml",
                      g_str_equal (request->method, "HEAD") ? NULL : body);
}

/* buckets */

static void
put_bucket (FakeRequest *request, FakeAccount *account, const char *bucket)
{
  g_autofree char *location = g_strconcat ("/", bucket, NULL);

  if (fake_swift_get_container (account, bucket) != NULL)
    return fake_s3_fail (request, 409, "BucketAlreadyOwnedByYou",
                         "Your previous request to create the named bucket succeeded and you"
                         " already own it.",
                         "");
  fake_swift_add_container (account, bucket);
  fake_request_reply (request, 200, "application/xml", NULL);
  fake_request_set_header (request, "Location", location);
}

static void
delete_bucket (FakeRequest *request, FakeAccount *account, const char *bucket)
{
  FakeContainer *container = fake_swift_get_container (account, bucket);

  if (g_tree_nnodes (container->objects) > 0)
    return fake_s3_fail (request, 409, "BucketNotEmpty",
                         "The bucket you tried to delete is not empty.", "");
  g_tree_remove (account->containers, bucket);
  fake_request_reply (request, 204, NULL, NULL);
}

static void
handle_bucket (FakeRequest *request, FakeAccount *account, const char *bucket)
{
  FakeContainer *container = fake_swift_get_container (account, bucket);

  if (g_str_equal (request->method, "PUT"))
    return put_bucket (request, account, bucket);
  if (container == NULL)
    return fake_s3_fail (request, 404, "NoSuchBucket", "The specified bucket does not exist.", "");
  if (g_str_equal (request->method, "DELETE"))
    return delete_bucket (request, account, bucket);
  if (g_str_equal (request->method, "HEAD"))
    return fake_request_reply (request, 200, "application/xml", NULL);
  if (g_str_equal (request->method, "GET")
      && fake_request_get_parameter (request, "uploads") != NULL)
    return fake_s3_list_uploads (request, bucket);
  if (g_str_equal (request->method, "GET"))
    return fake_s3_list_bucket (request, bucket, container);
  if (g_str_equal (request->method, "POST")
      && fake_request_get_parameter (request, "delete") != NULL)
    return fake_s3_delete_objects (request, container);
  fake_s3_fail (request, 405, "MethodNotAllowed",
                "The specified method is not allowed against this resource.", "");
}

/* requests */

static void
fake_s3_path_clear (FakeS3Path *path)
{
  g_free (path->bucket);
  g_free (path->key);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FakeS3Path, fake_s3_path_clear)

static void
set_headers (FakeRequest *request)
{
  g_autofree char *random = fake_hex_id ();
  g_autofree char *id = g_strdup_printf ("tx%.21s", random);

  fake_request_set_header (request, "X-Amz-Request-Id", id);
  fake_request_set_header (request, "X-Trans-Id", id);
}

static void
handle (FakeRequest *request)
{
  g_auto (GStrv) parts = g_strsplit (request->path, "/", 3);
  g_auto (FakeS3Path) path = { NULL };
  g_autofree char *name = NULL;
  FakeAccount *account;
  FakeContainer *container;

  set_headers (request);
  name = fake_s3_authenticate (request);
  if (name == NULL || !fake_s3_check_body (request))
    return;
  account = fake_swift_get_account (request->cloud, name);
  if (g_strv_length (parts) < 2 || *parts[1] == '\0')
    return fake_s3_fail (request, 501, "NotImplemented", "Not implemented.", "");
  path.bucket = g_uri_unescape_string (parts[1], NULL);
  if (parts[2] == NULL || *parts[2] == '\0')
    return handle_bucket (request, account, path.bucket);
  path.key = g_uri_unescape_string (parts[2], NULL);
  container = fake_swift_get_container (account, path.bucket);
  if (container == NULL)
    return fake_s3_fail (request, 404, "NoSuchBucket", "The specified bucket does not exist.", "");
  if (!fake_s3_handle_upload (request, container, &path))
    fake_s3_handle_object (request, container, &path);
}

static void
create (FakeCloud *cloud)
{
  cloud->s3 = g_new0 (FakeS3, 1);
  cloud->s3->uploads = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                              fake_s3_upload_free);
}

static void
destroy (FakeCloud *cloud)
{
  g_hash_table_unref (cloud->s3->uploads);
  g_clear_pointer (&cloud->s3, g_free);
}

static void
dump (FakeCloud *cloud, const char *project_id, GPtrArray *lines)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, cloud->s3->uploads);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      FakeUpload *upload = value;

      g_ptr_array_add (lines, g_strdup_printf ("upload %s/%s %d parts", upload->bucket,
                                               upload->key, g_tree_nnodes (upload->parts)));
    }
}

const FakeService fake_s3_service = {
  .type = "s3",
  .prefix = "/s3",
  .create = create,
  .destroy = destroy,
  .handle = handle,
  .dump = dump,
};
