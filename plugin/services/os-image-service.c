/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/flow.h"
#include "base/memo.h"
#include "base/uri.h"
#include "services/os-image-service.h"
#include "values/welkin-error.h"

#define MEMO_SECONDS 300.0

struct _OsImageService
{
  GObject parent;

  OsClient *client; /* (owned) */
  WkMemo   *lists;  /* (owned) GPtrArray of OsImage, by the query that gave them */
  WkMemo   *images; /* (owned) GPtrArray of none or one OsImage, by its id */
};

G_DEFINE_FINAL_TYPE (OsImageService, os_image_service, G_TYPE_OBJECT)

/* Lists */

static void
load_images (gpointer             owner,
             const char          *key,
             GCancellable        *cancellable,
             GAsyncReadyCallback  callback,
             gpointer             user_data)
{
  OsImageService *self = OS_IMAGE_SERVICE (owner);
  g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_IMAGE, "GET", "images", NULL);

  os_request_set_link (request, key);
  os_client_list_async (self->client, self, request, &os_image_table, "images", NULL, NULL,
                        cancellable, callback, user_data);
}

static gpointer
load_images_finish (gpointer       owner,
                    GAsyncResult  *result,
                    GError       **error)
{
  return os_client_list_finish (owner, result, error);
}

void
os_image_service_list_images_async (OsImageService      *self,
                                    const char          *os_distro,
                                    const char          *os_version,
                                    GCancellable        *cancellable,
                                    GAsyncReadyCallback  callback,
                                    gpointer             user_data)
{
  g_autofree char *query = wk_uri_add_query ("", "status", "active", "sort", "created_at:desc",
                                             "os_distro", os_distro, "os_version", os_version,
                                             NULL);

  wk_memo_get_async (self->lists, query, cancellable, callback, user_data);
}

GPtrArray *
os_image_service_list_images_finish (OsImageService  *self,
                                     GAsyncResult    *result,
                                     GError         **error)
{
  return wk_memo_get_finish (self->lists, result, error);
}

/* One image */

static void
find_image_run (WkFlow *flow,
                gpointer user_data)
{
  OsRequest *request = user_data;
  OsImageService *self = wk_flow_get_source (flow);
  g_autoptr(OsImage) image = NULL;
  g_autoptr(GError) error = NULL;
  GPtrArray *images;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_client_load_async (self->client, self, request, &os_image_table, NULL,
                                        WK_RESUME (flow)));
  image = os_client_load_finish (self, WK_RESULT (flow), &error);
  if (image == NULL && !g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND))
    WK_FAIL (flow, &error, NULL);
  images = g_ptr_array_new_with_free_func ((GDestroyNotify) os_image_free);
  if (image != NULL)
    g_ptr_array_add (images, g_steal_pointer (&image));
  wk_flow_return_pointer (flow, images, (GDestroyNotify) g_ptr_array_unref);

  WK_FLOW_END (flow);
}

static void
find_image (gpointer             owner,
            const char          *key,
            GCancellable        *cancellable,
            GAsyncReadyCallback  callback,
            gpointer             user_data)
{
  OsRequest *request = os_request_new (OS_SERVICE_IMAGE, "GET", "images", key, NULL);

  wk_flow_start (owner, cancellable, callback, user_data, find_image, find_image_run, request,
                 (GDestroyNotify) os_request_unref);
}

static gpointer
find_image_finish (gpointer       owner,
                   GAsyncResult  *result,
                   GError       **error)
{
  return wk_flow_finish_pointer (result, owner, find_image, error);
}

void
os_image_service_find_image_async (OsImageService      *self,
                                   const char          *id,
                                   GCancellable        *cancellable,
                                   GAsyncReadyCallback  callback,
                                   gpointer             user_data)
{
  wk_memo_get_async (self->images, id, cancellable, callback, user_data);
}

GPtrArray *
os_image_service_find_image_finish (OsImageService  *self,
                                    GAsyncResult    *result,
                                    GError         **error)
{
  return wk_memo_get_finish (self->images, result, error);
}

OsImageService *
os_image_service_new (OsClient *client)
{
  OsImageService *self = g_object_new (OS_TYPE_IMAGE_SERVICE, NULL);

  self->client = g_object_ref (client);
  self->lists = wk_memo_new (self, MEMO_SECONDS, load_images, load_images_finish,
                             (WkMemoCopy) g_ptr_array_ref, (GDestroyNotify) g_ptr_array_unref);
  self->images = wk_memo_new (self, MEMO_SECONDS, find_image, find_image_finish,
                              (WkMemoCopy) g_ptr_array_ref, (GDestroyNotify) g_ptr_array_unref);
  return self;
}

static void
os_image_service_dispose (GObject *object)
{
  OsImageService *self = OS_IMAGE_SERVICE (object);

  if (self->lists != NULL)
    wk_memo_close (self->lists);
  if (self->images != NULL)
    wk_memo_close (self->images);
  g_clear_pointer (&self->lists, wk_memo_unref);
  g_clear_pointer (&self->images, wk_memo_unref);
  g_clear_object (&self->client);

  G_OBJECT_CLASS (os_image_service_parent_class)->dispose (object);
}

static void
os_image_service_class_init (OsImageServiceClass *class)
{
  G_OBJECT_CLASS (class)->dispose = os_image_service_dispose;
}

static void
os_image_service_init (OsImageService *self)
{
}
