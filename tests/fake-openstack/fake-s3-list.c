/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* S3: the lists of objects, of both versions, and of uploads. */

#include "fake-s3.h"

static char *
show_key (FakeRequest *request, const char *key)
{
  if (g_strcmp0 (fake_request_get_parameter (request, "encoding-type"), "url") == 0)
    return g_uri_escape_string (key, "/", FALSE);
  return fake_s3_escape (key);
}

static void
append_element (GString *out, const char *name, const char *text)
{
  g_autofree char *escaped = fake_s3_escape (text != NULL ? text : "");

  g_string_append_printf (out, "<%s>%s</%s>", name, escaped, name);
}

/* The token is the last key, in a disguise that nobody can take for a key. */
static char *
read_marker (FakeRequest *request, gboolean is_v2)
{
  const char *token = fake_request_get_parameter (request, "continuation-token");
  gsize size;

  if (!is_v2)
    return g_strdup (fake_request_get_parameter (request, "marker"));
  return token != NULL ? (char *) g_base64_decode (token, &size) : NULL;
}

static void
append_end (GString *out, gboolean is_v2, const char *last)
{
  g_autofree char *token = NULL;

  g_string_append_printf (out, "<IsTruncated>%s</IsTruncated>", last != NULL ? "true" : "false");
  if (last == NULL || !is_v2)
    return;
  token = g_base64_encode ((const guchar *) last, strlen (last) + 1);
  append_element (out, "NextContinuationToken", token);
}

void
fake_s3_list_bucket (FakeRequest *request, const char *bucket, FakeContainer *container)
{
  const char *prefix = fake_request_get_parameter (request, "prefix");
  const char *version = fake_request_get_parameter (request, "list-type");
  gboolean is_v2 = g_strcmp0 (version, "2") == 0 && !request->cloud->settings.s3_has_v1_list;
  g_autofree char *marker = read_marker (request, is_v2);
  GString *out = g_string_new ("<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/"
                               "\">");
  const char *last = NULL;
  int n = 0;

  append_element (out, "Name", bucket);
  append_element (out, "Prefix", prefix);
  if (fake_request_get_parameter (request, "encoding-type") != NULL)
    append_element (out, "EncodingType", "url");
  for (GTreeNode *node = marker != NULL ? g_tree_upper_bound (container->objects, marker)
                                        : g_tree_node_first (container->objects);
       node != NULL; node = g_tree_node_next (node))
    {
      const char *key = g_tree_node_key (node);
      FakeObject *object = g_tree_node_value (node);
      g_autofree char *shown = show_key (request, key);

      if (prefix != NULL && !g_str_has_prefix (key, prefix))
        continue;
      if (n == request->cloud->settings.s3_max_keys)
        {
          append_end (out, is_v2, last);
          break;
        }
      g_string_append_printf (out,
                              "<Contents><Key>%s</Key>"
                              "<LastModified>2026-11-30T10:00:00.000Z</LastModified>"
                              "<ETag>&quot;%s&quot;</ETag><Size>%" G_GUINT64_FORMAT "</Size>"
                              "<StorageClass>STANDARD</StorageClass></Contents>",
                              shown, object->etag, object->size);
      last = key;
      n++;
    }
  if (strstr (out->str, "<IsTruncated>") == NULL)
    append_end (out, is_v2, NULL);
  if (is_v2)
    g_string_append_printf (out, "<KeyCount>%d</KeyCount>", n);
  g_string_append (out, "</ListBucketResult>");
  fake_s3_reply (request, g_string_free (out, FALSE));
}

void
fake_s3_list_uploads (FakeRequest *request, const char *bucket)
{
  GString *out = g_string_new ("<ListMultipartUploadsResult>");
  GHashTableIter iter;
  gpointer id, value;
  int n = 0;

  g_hash_table_iter_init (&iter, request->cloud->s3->uploads);
  while (g_hash_table_iter_next (&iter, &id, &value) && n < request->cloud->settings.s3_max_keys)
    {
      FakeUpload *upload = value;

      if (!g_str_equal (upload->bucket, bucket))
        continue;
      g_string_append (out, "<Upload>");
      append_element (out, "Key", upload->key);
      append_element (out, "UploadId", id);
      g_string_append (out, "</Upload>");
      n++;
    }
  g_string_append (out, "</ListMultipartUploadsResult>");
  fake_s3_reply (request, g_string_free (out, FALSE));
}
