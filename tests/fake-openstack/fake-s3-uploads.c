/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* S3: large objects in parts. */

#include "fake-s3.h"

void
fake_s3_upload_free (gpointer data)
{
  FakeUpload *upload = data;

  g_free (upload->bucket);
  g_free (upload->key);
  g_free (upload->part_size);
  g_tree_unref (upload->parts);
  g_free (upload);
}

static int
compare_numbers (gconstpointer a, gconstpointer b, gpointer user_data)
{
  return GPOINTER_TO_INT (a) - GPOINTER_TO_INT (b);
}

static void
begin_upload (FakeRequest *request, const FakeS3Path *path)
{
  FakeUpload *upload = g_new0 (FakeUpload, 1);
  char *id = fake_hex_id ();
  g_autofree char *key = fake_s3_escape (path->key);

  upload->bucket = g_strdup (path->bucket);
  upload->key = g_strdup (path->key);
  upload->part_size =
    g_strdup (fake_request_get_header (request, "x-amz-meta-welkin-part-size"));
  upload->parts = g_tree_new_full (compare_numbers, NULL, NULL, (GDestroyNotify) g_bytes_unref);
  g_hash_table_insert (request->cloud->s3->uploads, id, upload);
  fake_s3_reply (request, g_strdup_printf ("<InitiateMultipartUploadResult><Bucket>%s</Bucket>"
                                           "<Key>%s</Key><UploadId>%s</UploadId>"
                                           "</InitiateMultipartUploadResult>",
                                           path->bucket, key, id));
}

static void
put_part (FakeRequest *request, FakeUpload *upload)
{
  const char *number = fake_request_get_parameter (request, "partNumber");
  g_autofree char *etag = g_compute_checksum_for_bytes (G_CHECKSUM_MD5, request->body);
  g_autofree char *quoted = g_strdup_printf ("\"%s\"", etag);

  g_tree_replace (upload->parts, GINT_TO_POINTER (atoi (number)), g_bytes_ref (request->body));
  fake_request_reply (request, 200, NULL, NULL);
  fake_request_set_header (request, "ETag", quoted);
}

/* The parts in their order, and the etag of the whole; NULL if they are not as they are told. */
static GBytes *
join_parts (FakeRequest *request, FakeUpload *upload, char **etag)
{
  g_autoptr (GPtrArray) numbers = fake_s3_read_elements (request->body, "PartNumber");
  g_autoptr (GPtrArray) etags = fake_s3_read_elements (request->body, "ETag");
  g_autoptr (GByteArray) whole = g_byte_array_new ();
  g_autoptr (GChecksum) digests = g_checksum_new (G_CHECKSUM_MD5);

  if (numbers == NULL || etags == NULL || numbers->len != etags->len || numbers->len == 0)
    return NULL;
  for (guint i = 0; i < numbers->len; i++)
    {
      int number = atoi (g_ptr_array_index (numbers, i));
      GBytes *part = g_tree_lookup (upload->parts, GINT_TO_POINTER (number));
      g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_MD5);
      guint8 digest[16];
      gsize size;
      const guchar *data;

      if (part == NULL)
        return NULL;
      data = g_bytes_get_data (part, &size);
      g_checksum_update (checksum, data, (gssize) size);
      if (strstr (g_ptr_array_index (etags, i), g_checksum_get_string (checksum)) == NULL)
        return NULL;
      g_byte_array_append (whole, data, (guint) size);
      size = sizeof digest;
      g_checksum_reset (checksum);
      g_checksum_update (checksum, data, (gssize) g_bytes_get_size (part));
      g_checksum_get_digest (checksum, digest, &size);
      g_checksum_update (digests, digest, (gssize) size);
    }
  *etag = g_strdup_printf ("%s-%u", g_checksum_get_string (digests), numbers->len);
  return g_byte_array_free_to_bytes (g_steal_pointer (&whole));
}

static void
end_upload (FakeRequest *request, FakeContainer *container, const char *id, FakeUpload *upload)
{
  g_autofree char *etag = NULL;
  g_autoptr (GBytes) whole = join_parts (request, upload, &etag);

  if (whole == NULL)
    return fake_s3_fail (request, 400, "InvalidPart",
                         "One or more of the specified parts could not be found.", "");
  fake_s3_store (request, container, upload->key, whole, etag, upload->part_size);
  fake_s3_reply (request, g_strdup_printf ("<CompleteMultipartUploadResult><ETag>&quot;%s&quot;"
                                           "</ETag></CompleteMultipartUploadResult>",
                                           etag));
  g_hash_table_remove (request->cloud->s3->uploads, id);
}

gboolean
fake_s3_handle_upload (FakeRequest *request, FakeContainer *container, const FakeS3Path *path)
{
  const char *id = fake_request_get_parameter (request, "uploadId");
  FakeUpload *upload;

  if (g_str_equal (request->method, "POST")
      && fake_request_get_parameter (request, "uploads") != NULL)
    {
      begin_upload (request, path);
      return TRUE;
    }
  if (id == NULL)
    return FALSE;
  upload = g_hash_table_lookup (request->cloud->s3->uploads, id);
  if (upload == NULL || !g_str_equal (upload->key, path->key))
    fake_s3_fail (request, 404, "NoSuchUpload",
                  "The specified upload does not exist. The upload ID may be invalid, or the"
                  " upload may have been aborted or completed.",
                  "");
  else if (g_str_equal (request->method, "PUT"))
    put_part (request, upload);
  else if (g_str_equal (request->method, "POST"))
    end_upload (request, container, id, upload);
  else
    {
      g_hash_table_remove (request->cloud->s3->uploads, id);
      fake_request_reply (request, 204, NULL, NULL);
    }
  return TRUE;
}
