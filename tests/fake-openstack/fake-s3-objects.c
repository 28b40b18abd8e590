/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* S3: objects, one and many. */

#include "fake-s3.h"

#define MAX_DELETES 1000

gboolean
fake_s3_check_body (FakeRequest *request)
{
  const char *wanted_md5 = fake_request_get_header (request, "Content-MD5");
  const char *wanted_hash = fake_request_get_header (request, "X-Amz-Content-Sha256");
  g_autofree char *hash = g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, request->body);
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_MD5);
  g_autofree char *md5 = NULL;
  guint8 digest[16];
  gsize size;
  const guchar *data = g_bytes_get_data (request->body, &size);

  g_checksum_update (checksum, data, (gssize) size);
  size = sizeof digest;
  g_checksum_get_digest (checksum, digest, &size);
  md5 = g_base64_encode (digest, size);
  if (wanted_md5 != NULL && !g_str_equal (wanted_md5, md5))
    {
      fake_s3_fail (request, 400, "BadDigest",
                    "The Content-MD5 you specified did not match what we received.", "");
      return FALSE;
    }
  if (wanted_hash != NULL && !g_str_equal (wanted_hash, "UNSIGNED-PAYLOAD")
      && !g_str_equal (wanted_hash, hash))
    {
      fake_s3_fail (request, 400, "XAmzContentSHA256Mismatch",
                    "The provided 'x-amz-content-sha256' header does not match what was computed.",
                    "");
      return FALSE;
    }
  return TRUE;
}

void
fake_s3_store (FakeRequest *request,
               FakeContainer *container,
               const char *key,
               GBytes *content,
               const char *etag,
               const char *part_size)
{
  FakeObject *object = g_new0 (FakeObject, 1);

  object->content = g_bytes_ref (content);
  object->etag = g_strdup (etag);
  object->content_type = g_strdup ("application/octet-stream");
  object->metadata = fake_swift_metadata_new ();
  object->time_us = g_get_real_time ();
  object->size = g_bytes_get_size (content);
  object->reads_until_seen = request->cloud->settings.swift_missing_reads;
  object->writer = fake_log_entry_ref (request->entry);
  if (part_size != NULL)
    g_hash_table_insert (object->metadata, g_strdup ("x-amz-meta-welkin-part-size"),
                         g_strdup (part_size));
  fake_swift_remove_object (container, key);
  g_tree_insert (container->objects, g_strdup (key), object);
  container->bytes += object->size;
}

static void
set_etag (FakeRequest *request, const char *etag)
{
  g_autofree char *quoted = g_strdup_printf ("\"%s\"", etag);

  fake_request_set_header (request, "ETag", quoted);
}

static void
put_object (FakeRequest *request, FakeContainer *container, const char *key)
{
  FakeObject *present = g_tree_lookup (container->objects, key);
  g_autofree char *etag = g_compute_checksum_for_bytes (G_CHECKSUM_MD5, request->body);

  if (request->cloud->settings.s3_ignores_conditions == 2
      && fake_request_get_header (request, "If-None-Match") != NULL)
    return fake_s3_fail (request, 501, "NotImplemented",
                         "Conditional object PUTs are not supported.", "");
  if (present != NULL && present->writer != NULL && present->writer->end_us != 0
      && !request->cloud->settings.s3_ignores_conditions
      && fake_request_get_header (request, "If-None-Match") != NULL)
    return fake_s3_fail (request, 412, "PreconditionFailed",
                         "At least one of the preconditions you specified did not hold.", "");
  fake_s3_store (request, container, key, request->body, etag, NULL);
  fake_request_reply (request, 200, NULL, NULL);
  set_etag (request, etag);
}

static void
get_object (FakeRequest *request, FakeObject *object)
{
  GHashTableIter iter;
  gpointer name, value;

  if (object->reads_until_seen > 0)
    {
      object->reads_until_seen--;
      return fake_s3_fail (request, 404, "NoSuchKey", "The specified key does not exist.", "");
    }
  fake_swift_reply_content (request, object, object->content);
  set_etag (request, object->etag);
  g_hash_table_iter_init (&iter, object->metadata);
  while (g_hash_table_iter_next (&iter, &name, &value))
    fake_request_set_header (request, name, value);
}

void
fake_s3_handle_object (FakeRequest *request, FakeContainer *container, const FakeS3Path *path)
{
  FakeObject *object = g_tree_lookup (container->objects, path->key);

  if (g_str_equal (request->method, "PUT"))
    return put_object (request, container, path->key);
  if (g_str_equal (request->method, "DELETE"))
    {
      fake_swift_remove_object (container, path->key);
      return fake_request_reply (request, 204, NULL, NULL);
    }
  if (object == NULL)
    return fake_s3_fail (request, 404, "NoSuchKey", "The specified key does not exist.", "");
  if (g_str_equal (request->method, "GET") || g_str_equal (request->method, "HEAD"))
    return get_object (request, object);
  fake_s3_fail (request, 405, "MethodNotAllowed",
                "The specified method is not allowed against this resource.", "");
}

void
fake_s3_delete_objects (FakeRequest *request, FakeContainer *container)
{
  g_autoptr (GPtrArray) keys = fake_s3_read_elements (request->body, "Key");

  if (fake_request_get_header (request, "Content-MD5") == NULL)
    return fake_s3_fail (request, 400, "InvalidRequest", "Missing required header for this"
                                                         " request: Content-MD5", "");
  if (keys == NULL || keys->len == 0 || keys->len > MAX_DELETES)
    return fake_s3_fail (request, 400, "MalformedXML",
                         "The XML you provided was not well-formed or did not validate against"
                         " our published schema.",
                         "");
  for (guint i = 0; i < keys->len; i++)
    fake_swift_remove_object (container, g_ptr_array_index (keys, i));
  fake_s3_reply (request, g_strdup ("<DeleteResult"
                                    " xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"/>"));
}
