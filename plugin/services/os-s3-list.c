/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "services/os-s3-private.h"
#include "transport/os-xml.h"
#include "values/welkin-error.h"

/* The guard against a list that never ends. */
#define MAX_PAGES 10000

/* The names in a bucket, by the list of version 2, or by the older one where a server knows no
 * other: that ignores what asks for version 2, and its next page begins behind a name. */

void
os_s3_page_free (OsS3Page *page)
{
  g_ptr_array_unref (page->names);
  g_clear_pointer (&page->seen, g_hash_table_unref);
  g_free (page->next);
  g_free (page);
}

typedef struct
{
  GPtrArray *names;        /* (owned) as they were written */
  gboolean   is_list;
  gboolean   is_encoded;
  gboolean   is_truncated;
  char      *token;        /* (owned) (nullable) */
} Reader;

static void
reader_clear (Reader *self)
{
  g_ptr_array_unref (self->names);
  g_free (self->token);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reader, reader_clear)

static gboolean
take_element (const char  *path,
              const char  *text,
              gpointer     data,
              GError     **error)
{
  Reader *self = data;

  self->is_list = self->is_list || g_str_has_prefix (path, "ListBucketResult");
  if (g_str_equal (path, "ListBucketResult/Contents/Key"))
    g_ptr_array_add (self->names, g_strdup (text));
  else if (g_str_equal (path, "ListBucketResult/EncodingType"))
    self->is_encoded = g_str_equal (text, "url");
  else if (g_str_equal (path, "ListBucketResult/IsTruncated"))
    self->is_truncated = g_str_equal (text, "true");
  else if (g_str_equal (path, "ListBucketResult/NextContinuationToken") && self->token == NULL)
    self->token = g_strdup (text);
  return TRUE;
}

/* A plus sign is a space in this encoding, and so is "%20". NULL for what nobody has encoded.
 * (transfer full) */
static char *
decode (const char *text)
{
  g_autofree char *spaced = g_strdelimit (g_strdup (text), "+", ' ');

  return g_uri_unescape_string (spaced, NULL);
}

static gboolean
decode_names (Reader  *self,
              GError **error)
{
  for (guint i = 0; i < self->names->len; i++)
    {
      char *name = self->is_encoded ? decode (g_ptr_array_index (self->names, i))
                                    : g_strdup (g_ptr_array_index (self->names, i));

      if (name == NULL || !g_utf8_validate (name, -1, NULL))
        {
          g_free (name);
          g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
                               _("a list of S3 has a name that is no text"));
          return FALSE;
        }
      g_free (self->names->pdata[i]);
      self->names->pdata[i] = name;
    }
  return TRUE;
}

OsS3Page *
os_s3_page_new_from_xml (GBytes  *bytes,
                         GError **error)
{
  g_auto(Reader) reader = { g_ptr_array_new_with_free_func (g_free) };
  OsS3Page *page;

  if (!os_xml_read (bytes, take_element, &reader, error) || !decode_names (&reader, error))
    return NULL;
  if (!reader.is_list || (reader.is_truncated && reader.token == NULL && reader.names->len == 0))
    {
      g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
                           _("the answer of S3 is no list of names"));
      return NULL;
    }
  page = g_new0 (OsS3Page, 1);
  page->names = g_ptr_array_ref (reader.names);
  if (reader.is_truncated)
    {
      page->is_v1 = reader.token == NULL;
      page->next = page->is_v1 ? g_strdup (g_ptr_array_index (page->names, page->names->len - 1))
                               : g_steal_pointer (&reader.token);
    }
  return page;
}

/* One page */

typedef struct
{
  char       *bucket;
  char       *prefix;
  char       *next;  /* (nullable) */
  gboolean    is_v1;
  GHashTable *seen;  /* (owned) where the pages before led */
} ListPage;

static void
list_page_free (ListPage *self)
{
  g_free (self->bucket);
  g_free (self->prefix);
  g_free (self->next);
  g_hash_table_unref (self->seen);
  g_free (self);
}

static OsS3Request *
make_request (ListPage *self)
{
  OsS3Request *request = os_s3_request_new ("GET", self->bucket, NULL);

  os_s3_request_add_query (request, "list-type", "2");
  /* XML cannot hold every character that a name can. */
  os_s3_request_add_query (request, "encoding-type", "url");
  if (*self->prefix != '\0')
    os_s3_request_add_query (request, "prefix", self->prefix);
  if (self->next != NULL)
    os_s3_request_add_query (request, self->is_v1 ? "marker" : "continuation-token", self->next);
  return request;
}

/* Whether the page leads to another than itself and those before it. */
static gboolean
check_next (ListPage  *self,
            OsS3Page  *page,
            GError   **error)
{
  page->seen = g_hash_table_ref (self->seen);
  if (page->next == NULL
      || (g_hash_table_size (self->seen) < MAX_PAGES
          && g_hash_table_add (self->seen, g_strdup (page->next))))
    return TRUE;
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
               _("the list of bucket %s does not go on"), self->bucket);
  return FALSE;
}

static void
list_page_run (WkFlow *flow,
               gpointer user_data)
{
  ListPage *self = user_data;
  OsS3 *s3 = wk_flow_get_source (flow);
  g_autoptr(OsS3Request) request = NULL;
  g_autoptr(WkHttpResponse) response = NULL;
  g_autoptr(OsS3Page) page = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  request = make_request (self);
  WK_AWAIT (flow, os_s3_send_async (s3, request, WK_RESUME (flow)));
  response = os_s3_send_finish (s3, WK_RESULT (flow), &error);
  if (g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND))
    {
      page = g_new0 (OsS3Page, 1);
      page->names = g_ptr_array_new ();
      page->is_missing = TRUE;
      wk_flow_return_pointer (flow, g_steal_pointer (&page), (GDestroyNotify) os_s3_page_free);
      return;
    }
  if (response == NULL)
    WK_FAIL (flow, &error, NULL);
  page = os_s3_page_new_from_xml (wk_http_response_get_body (response), &error);
  if (page == NULL)
    g_prefix_error (&error, _("Cannot list bucket %s: "), self->bucket);
  if (page == NULL || !check_next (self, page, &error))
    {
      wk_http_response_prefix_error (response, &error);
      WK_FAIL (flow, &error, NULL);
    }
  wk_flow_return_pointer (flow, g_steal_pointer (&page), (GDestroyNotify) os_s3_page_free);

  WK_FLOW_END (flow);
}

void
os_s3_list_page_async (OsS3                *self,
                       const char          *bucket,
                       const char          *prefix,
                       const OsS3Page      *after,
                       GCancellable        *cancellable,
                       GAsyncReadyCallback  callback,
                       gpointer             user_data)
{
  ListPage *list = g_new0 (ListPage, 1);

  list->bucket = g_strdup (bucket);
  list->prefix = g_strdup (prefix);
  if (after != NULL && after->next != NULL)
    {
      list->next = g_strdup (after->next);
      list->is_v1 = after->is_v1;
      list->seen = g_hash_table_ref (after->seen);
    }
  else
    list->seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  wk_flow_start (self, cancellable, callback, user_data, os_s3_list_page_async, list_page_run,
                 list, (GDestroyNotify) list_page_free);
}

OsS3Page *
os_s3_list_page_finish (OsS3          *self,
                        GAsyncResult  *result,
                        GError       **error)
{
  return wk_flow_finish_pointer (result, self, os_s3_list_page_async, error);
}
