/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "transport/os-client.h"
#include "values/welkin-error.h"

/* Calls whose answer is one record, or a list of them in pages. */

/* The guard against a list that never ends. */
#define MAX_PAGES 10000

/* One record */

typedef struct
{
  OsClient          *client;  /* (owned) */
  OsRequest         *request; /* (owned) */
  const WkJsonTable *table;
  char              *member;
} Load;

static void
load_free (Load *self)
{
  os_request_unref (self->request);
  g_object_unref (self->client);
  g_free (self->member);
  g_free (self);
}

static void
load_run (WkFlow *flow,
          gpointer user_data)
{
  Load *self = user_data;
  gpointer source = wk_flow_get_source (flow);
  g_autoptr(WkHttpResponse) response = NULL;
  g_autoptr(GError) error = NULL;
  gpointer record;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_client_send_async (self->client, source, self->request, WK_RESUME (flow)));
  response = os_client_send_finish (source, WK_RESULT (flow), &error);
  if (response == NULL)
    WK_FAIL (flow, &error, NULL);
  record = wk_json_decode_record (self->table, self->member, wk_http_response_get_body (response),
                                  &error);
  if (record == NULL)
    {
      wk_http_response_prefix_error (response, &error);
      WK_FAIL (flow, &error, NULL);
    }
  wk_flow_return_pointer (flow, record, NULL);

  WK_FLOW_END (flow);
}

void
os_client_load_async (OsClient            *self,
                      gpointer             source,
                      OsRequest           *request,
                      const WkJsonTable   *table,
                      const char          *member,
                      GCancellable        *cancellable,
                      GAsyncReadyCallback  callback,
                      gpointer             user_data)
{
  Load *load = g_new0 (Load, 1);

  load->client = g_object_ref (self);
  load->request = os_request_ref (request);
  os_request_set_refuses_pages (request);
  load->table = table;
  load->member = g_strdup (member);
  wk_flow_start (source, cancellable, callback, user_data, os_client_load_async, load_run, load,
                 (GDestroyNotify) load_free);
}

gpointer
os_client_load_finish (gpointer       source,
                       GAsyncResult  *result,
                       GError       **error)
{
  return wk_flow_finish_pointer (result, source, os_client_load_async, error);
}

/* Lists */

typedef struct
{
  OsClient      *client;    /* (owned) */
  OsRequest     *request;   /* (owned) */
  OsPageFunc     page;      /* (nullable) */
  gpointer       page_data;

  const WkJsonTable *table;
  WkJsonDecoder *decoder;   /* (owned) of the page that is under way */
  GHashTable    *links;     /* (owned) set of all links that were followed */
  GHashTable    *ends;      /* (owned) set of the last id of each page so far */
  GPtrArray     *records;   /* (owned) (nullable) of all pages, without a page function */
} List;

static void
list_free (List *self)
{
  os_request_unref (self->request);
  g_object_unref (self->client);
  wk_json_decoder_free (self->decoder);
  g_hash_table_unref (self->links);
  g_hash_table_unref (self->ends);
  g_clear_pointer (&self->records, g_ptr_array_unref);
  g_free (self);
}

static gboolean
list_feed (gpointer     data,
           const char  *bytes,
           gsize        length,
           GError     **error)
{
  return wk_json_decoder_feed (data, bytes, length, error);
}

static void
list_reset (gpointer data)
{
  wk_json_decoder_reset (data);
}

/* TRUE when the page brings the list further. Pages are told apart by what they end with, which is
 * where the next one begins: of all ids, a long list would have too many to keep. */
static gboolean
list_goes_on (List      *self,
              GPtrArray *records,
              const char *link)
{
  const char *id = NULL;

  if (records->len > 0)
    id = wk_json_record_get_id (self->table, g_ptr_array_index (records, records->len - 1));
  else if (wk_json_decoder_get_spoilt (self->decoder) == 0)
    return FALSE;
  return g_hash_table_size (self->links) < MAX_PAGES
         && g_hash_table_add (self->links, g_strdup (link))
         && (id == NULL || g_hash_table_add (self->ends, g_strdup (id)));
}

/* Hands the page over, and sets the request up for the next one if there is one. */
static gboolean
list_take_page (List            *self,
                WkHttpResponse  *response,
                gboolean        *is_last,
                GError         **error)
{
  g_autoptr(GPtrArray) records = NULL;
  const char *link;

  /* Nothing at all is how an object store may answer that there is nothing. */
  *is_last = wk_http_response_get_status (response) == 204;
  if (*is_last)
    return TRUE;
  if (!wk_json_decoder_finish (self->decoder, error))
    {
      wk_http_response_prefix_error (response, error);
      return FALSE;
    }
  if (wk_json_decoder_get_spoilt (self->decoder) > 0)
    g_warning ("%u records of a list are left out, the first because of %s",
               wk_json_decoder_get_spoilt (self->decoder),
               wk_json_decoder_get_complaint (self->decoder));

  records = wk_json_decoder_steal_records (self->decoder);
  link = wk_json_decoder_get_next (self->decoder);
  if (link != NULL && !list_goes_on (self, records, link))
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
                   _("a list of the %s service has no end"),
                   os_service_get_name (os_request_get_service (self->request)));
      return FALSE;
    }
  if (self->page != NULL)
    self->page (records, self->page_data);
  else if (self->records == NULL)
    self->records = g_ptr_array_ref (records);
  else
    g_ptr_array_extend_and_steal (self->records, g_ptr_array_ref (records));

  *is_last = link == NULL;
  if (link == NULL)
    return TRUE;
  os_request_set_link (self->request, link);
  wk_json_decoder_reset (self->decoder);
  return TRUE;
}

static void
list_run (WkFlow *flow,
          gpointer user_data)
{
  List *self = user_data;
  gpointer source = wk_flow_get_source (flow);
  g_autoptr(WkHttpResponse) response = NULL;
  g_autoptr(GError) error = NULL;
  gboolean is_last;

  WK_FLOW_BEGIN (flow);

  do
    {
      WK_AWAIT (flow,
                os_client_send_async (self->client, source, self->request, WK_RESUME (flow)));
      response = os_client_send_finish (source, WK_RESULT (flow), &error);
      if (response == NULL || !list_take_page (self, response, &is_last, &error))
        WK_FAIL (flow, &error, NULL);
    }
  while (!is_last);

  if (self->records == NULL)
    self->records = g_ptr_array_new ();
  wk_flow_return_pointer (flow, g_steal_pointer (&self->records),
                          (GDestroyNotify) g_ptr_array_unref);

  WK_FLOW_END (flow);
}

void
os_client_list_async (OsClient            *self,
                      gpointer             source,
                      OsRequest           *request,
                      const WkJsonTable   *table,
                      const char          *member,
                      OsPageFunc           page,
                      gpointer             page_data,
                      GCancellable        *cancellable,
                      GAsyncReadyCallback  callback,
                      gpointer             user_data)
{
  List *list = g_new0 (List, 1);

  list->client = g_object_ref (self);
  list->request = os_request_ref (request);
  list->page = page;
  list->page_data = page_data;
  list->decoder = wk_json_decoder_new (table, member, NULL);
  list->table = table;
  list->ends = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  list->links = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  os_request_set_refuses_pages (request);
  os_request_set_sink (request, list_feed, list_reset, list->decoder);
  wk_flow_start (source, cancellable, callback, user_data, os_client_list_async, list_run, list,
                 (GDestroyNotify) list_free);
}

GPtrArray *
os_client_list_finish (gpointer       source,
                       GAsyncResult  *result,
                       GError       **error)
{
  return wk_flow_finish_pointer (result, source, os_client_list_async, error);
}
