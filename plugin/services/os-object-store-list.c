/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "services/os-object-store-private.h"
#include "values/welkin-error.h"

/* The names in a container: a page of them, or all. */

/* The guard against a list that never ends. */
#define MAX_PAGES 10000

gboolean
os_object_store_check_pages (const char  *container,
                             guint        n_pages,
                             GError     **error)
{
  if (n_pages < MAX_PAGES)
    return TRUE;
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
               _("the list of container %s has no end"), container);
  return FALSE;
}

/* One page */

typedef struct
{
  char *container;
  char *prefix;
  char *marker;
} ListPage;

static void
list_page_free (ListPage *self)
{
  g_free (self->container);
  g_free (self->prefix);
  g_free (self->marker);
  g_free (self);
}

static OsRequest *
make_page_request (ListPage *self)
{
  OsRequest *request = os_request_new (OS_SERVICE_OBJECT_STORE, "GET", self->container, NULL);

  /* Otherwise radosgw answers with text. */
  os_request_add_query (request, "format", "json");
  if (*self->prefix != '\0')
    os_request_add_query (request, "prefix", self->prefix);
  if (*self->marker != '\0')
    os_request_add_query (request, "marker", self->marker);
  return request;
}

/* The names of the page; NULL when it has entries, but does not end behind the marker: the next
 * page begins where this one ends, and the same would come again for ever. */
static GPtrArray *
take_names (ListPage   *self,
            GPtrArray  *objects,
            GError    **error)
{
  g_autoptr(GPtrArray) names = g_ptr_array_new_full (objects->len, g_free);
  gboolean goes_on = objects->len == 0;

  for (guint i = 0; i < objects->len; i++)
    {
      OsObject *object = g_ptr_array_index (objects, i);
      int order;

      if (object->name == NULL)
        continue;
      order = strcmp (object->name, self->marker);
      goes_on = order > 0;
      if (order != 0)
        g_ptr_array_add (names, g_steal_pointer (&object->name));
    }
  if (goes_on)
    return g_steal_pointer (&names);
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
               _("the list of container %s does not go on behind \"%s\""), self->container,
               self->marker);
  return NULL;
}

static void
list_page_run (WkFlow *flow,
               gpointer user_data)
{
  ListPage *self = user_data;
  OsObjectStore *store = wk_flow_get_source (flow);
  g_autoptr(OsRequest) request = NULL;
  g_autoptr(GPtrArray) objects = NULL;
  g_autoptr(GError) error = NULL;
  GPtrArray *names;

  WK_FLOW_BEGIN (flow);

  request = make_page_request (self);
  WK_AWAIT (flow, os_client_list_async (store->client, store, request, &os_object_table, NULL,
                                        NULL, NULL, WK_RESUME (flow)));
  objects = os_client_list_finish (store, WK_RESULT (flow), &error);
  if (objects == NULL && !g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND))
    WK_FAIL (flow, &error, NULL);
  g_clear_error (&error);
  names = objects != NULL ? take_names (self, objects, &error) : g_ptr_array_new ();
  if (names == NULL)
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_pointer (flow, names, (GDestroyNotify) g_ptr_array_unref);

  WK_FLOW_END (flow);
}

void
os_object_store_list_page_async (OsObjectStore       *self,
                                 const char          *container,
                                 const char          *prefix,
                                 const char          *marker,
                                 GCancellable        *cancellable,
                                 GAsyncReadyCallback  callback,
                                 gpointer             user_data)
{
  ListPage *list = g_new0 (ListPage, 1);

  list->container = g_strdup (container);
  list->prefix = g_strdup (prefix);
  list->marker = g_strdup (marker);
  wk_flow_start (self, cancellable, callback, user_data, os_object_store_list_page_async,
                 list_page_run, list, (GDestroyNotify) list_page_free);
}

GPtrArray *
os_object_store_list_page_finish (OsObjectStore  *self,
                                  GAsyncResult   *result,
                                  GError        **error)
{
  return wk_flow_finish_pointer (result, self, os_object_store_list_page_async, error);
}

/* All of them */

typedef struct
{
  char      *container;
  char      *prefix;
  GPtrArray *names;   /* (owned) */
  guint      n_pages;
} ListObjects;

static void
list_objects_free (ListObjects *self)
{
  g_free (self->container);
  g_free (self->prefix);
  g_clear_pointer (&self->names, g_ptr_array_unref);
  g_free (self);
}

static const char *
get_marker (ListObjects *self)
{
  return self->names->len > 0 ? g_ptr_array_index (self->names, self->names->len - 1) : "";
}

static void
list_objects_run (WkFlow *flow,
                  gpointer user_data)
{
  ListObjects *self = user_data;
  OsObjectStore *store = wk_flow_get_source (flow);
  g_autoptr(GError) error = NULL;
  GPtrArray *page;
  gboolean is_last;

  WK_FLOW_BEGIN (flow);

  /* Only an empty page tells the end: how long a page is, is the cloud's choice. */
  do
    {
      if (!os_object_store_check_pages (self->container, self->n_pages++, &error))
        WK_FAIL (flow, &error, NULL);
      WK_AWAIT (flow, os_object_store_list_page_async (store, self->container, self->prefix,
                                                       get_marker (self), WK_RESUME (flow)));
      page = os_object_store_list_page_finish (store, WK_RESULT (flow), &error);
      if (page == NULL)
        WK_FAIL (flow, &error, NULL);
      is_last = page->len == 0;
      g_ptr_array_extend_and_steal (self->names, page);
    }
  while (!is_last);
  wk_flow_return_pointer (flow, g_steal_pointer (&self->names),
                          (GDestroyNotify) g_ptr_array_unref);

  WK_FLOW_END (flow);
}

void
os_object_store_list_objects_async (OsObjectStore       *self,
                                    const char          *container,
                                    const char          *prefix,
                                    GCancellable        *cancellable,
                                    GAsyncReadyCallback  callback,
                                    gpointer             user_data)
{
  ListObjects *list = g_new0 (ListObjects, 1);

  list->container = g_strdup (container);
  list->prefix = g_strdup (prefix);
  list->names = g_ptr_array_new_with_free_func (g_free);
  wk_flow_start (self, cancellable, callback, user_data, os_object_store_list_objects_async,
                 list_objects_run, list, (GDestroyNotify) list_objects_free);
}

GPtrArray *
os_object_store_list_objects_finish (OsObjectStore  *self,
                                     GAsyncResult   *result,
                                     GError        **error)
{
  return wk_flow_finish_pointer (result, self, os_object_store_list_objects_async, error);
}
