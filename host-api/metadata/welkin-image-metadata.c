/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "metadata/welkin-image-metadata.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "machine/welkin-series.h"
#include "metadata/data-source-private.h"
#include "metadata/image-check.h"
#include "metadata/image-products.h"
#include "metadata/metadata-names.h"
#include "metadata/metadata-sink.h"
#include "metadata/simplestreams-former.h"
#include "metadata/simplestreams-writer.h"

#define PREFIX WELKIN_IMAGES_DIRECTORY "/"
#define INDEX WELKIN_METADATA_INDEX WELKIN_METADATA_PLAIN_SUFFIX

static const char *const content_ids[] = { WELKIN_IMAGES_CONTENT_ID, NULL };

static const WelkinStreamsField product_fields[] = {
  WELKIN_STREAMS_ARCH,
  WELKIN_STREAMS_VERSION,
};

static const WelkinStreamsField item_fields[] = {
  WELKIN_STREAMS_ID,       WELKIN_STREAMS_REGION,     WELKIN_STREAMS_ENDPOINT,
  WELKIN_STREAMS_VIRT,     WELKIN_STREAMS_ROOT_STORE,
};

static const WelkinStreamsLayout layout = {
  .content_id = WELKIN_IMAGES_CONTENT_ID,
  .cloud_name = WELKIN_IMAGES_CLOUD_NAME,
  .datatype = WELKIN_IMAGES_DATATYPE,
  .products_path = WELKIN_IMAGES_PRODUCTS_PATH,
  .comes_first = TRUE,
  .product_fields = product_fields,
  .n_product_fields = G_N_ELEMENTS (product_fields),
  .item_fields = item_fields,
  .n_item_fields = G_N_ELEMENTS (item_fields),
};

typedef struct
{
  /* inputs */
  GPtrArray       *images;    /* (owned) of WelkinImage */
  char            *series;    /* (owned) */
  WelkinCloudSpec *cloud;     /* (owned) */
  char            *directory; /* (owned) (nullable) */
  WelkinStorage   *storage;   /* (owned) (nullable) */

  /* while running */
  char            *version;   /* (owned) of the series */
  GPtrArray       *sources;   /* (owned) the place itself */
  JsonNode        *index;     /* (owned) (nullable) that there is */
  JsonNode        *products;  /* (owned) (nullable) that it leads to */
  GPtrArray       *items;     /* (owned) of WelkinStreamsItem: what there is to be */
  GPtrArray       *clouds;    /* (owned) of WelkinCloudSpec */
  GPtrArray       *files;     /* (owned) of WelkinStreamsFile */
} Write;

static void
write_free (gpointer user_data)
{
  Write *self = user_data;

  g_clear_pointer (&self->files, g_ptr_array_unref);
  g_clear_pointer (&self->clouds, g_ptr_array_unref);
  g_clear_pointer (&self->items, g_ptr_array_unref);
  g_clear_pointer (&self->products, json_node_unref);
  g_clear_pointer (&self->index, json_node_unref);
  g_clear_pointer (&self->sources, g_ptr_array_unref);
  g_free (self->version);
  g_clear_object (&self->storage);
  g_free (self->directory);
  welkin_cloud_spec_free (self->cloud);
  g_free (self->series);
  g_ptr_array_unref (self->images);
  g_free (self);
}

static GPtrArray *
collect_all (GPtrArray                *items,
             const WelkinStreamsQuery *query)
{
  return g_ptr_array_ref (items);
}

static gboolean
check_inputs (Write   *self,
              GError **error)
{
  if (!welkin_series_lookup (self->series, NULL, &self->version, error)
      || !welkin_image_check_cloud (self->cloud->region, self->cloud->endpoint, error))
    return FALSE;
  for (guint i = 0; i < self->images->len; i++)
    if (!welkin_image_check (g_ptr_array_index (self->images, i), error))
      return FALSE;
  return TRUE;
}

static void
open_place (Write *self)
{
  g_autofree char *path = NULL;
  WelkinDataSource *source;

  if (self->directory != NULL)
    {
      path = g_build_filename (self->directory, WELKIN_IMAGES_DIRECTORY, NULL);
      source = welkin_data_source_new_for_directory (path, path, WELKIN_DATA_SOURCE_NONE);
    }
  else
    source = welkin_data_source_new_for_storage (self->storage, PREFIX, "cloud storage");
  self->sources = g_ptr_array_new_with_free_func (g_object_unref);
  g_ptr_array_add (self->sources, source);
}

static void
begin_reading (Write              *self,
               GCancellable       *cancellable,
               GAsyncReadyCallback callback,
               gpointer            user_data)
{
  g_autoptr(WelkinStreamsQuery) query =
    welkin_streams_query_new (WELKIN_IMAGES_DATATYPE, collect_all);

  query->content_ids = g_strdupv ((char **) content_ids);
  welkin_streams_search_async (self->sources, query, cancellable, callback, user_data);
}

static WelkinStreamsItem *
make_item (Write       *self,
           WelkinImage *image,
           const char  *build)
{
  WelkinStreamsItem *item = g_new0 (WelkinStreamsItem, 1);

  item->product_id = welkin_image_product_id (NULL, self->version, welkin_image_get_arch (image));
  item->build = g_strdup (build);
  item->name = g_strdup (welkin_image_get_id (image));
  item->fields[WELKIN_STREAMS_ID] = g_strdup (welkin_image_get_id (image));
  item->fields[WELKIN_STREAMS_VERSION] = g_strdup (self->version);
  item->fields[WELKIN_STREAMS_ARCH] = g_strdup (welkin_image_get_arch (image));
  item->fields[WELKIN_STREAMS_VIRT] = g_strdup (welkin_image_get_virt_type (image));
  item->fields[WELKIN_STREAMS_REGION] = g_strdup (self->cloud->region);
  item->fields[WELKIN_STREAMS_ENDPOINT] = g_strdup (self->cloud->endpoint);
  return item;
}

static void
remove_former (Write                   *self,
               const WelkinStreamsItem *item)
{
  for (guint i = self->items->len; i > 0; i--)
    {
      const WelkinStreamsItem *former = g_ptr_array_index (self->items, i - 1);

      if (g_str_equal (former->product_id, item->product_id)
          && g_str_equal (welkin_streams_item_get (former, WELKIN_STREAMS_REGION),
                          self->cloud->region))
        g_ptr_array_remove_index (self->items, i - 1);
    }
}

static void
merge_images (Write      *self,
              const char *build)
{
  g_autoptr(GPtrArray) added = g_ptr_array_new ();

  for (guint i = 0; i < self->images->len; i++)
    {
      WelkinStreamsItem *item = make_item (self, g_ptr_array_index (self->images, i), build);

      remove_former (self, item);
      g_ptr_array_add (added, item);
    }
  g_ptr_array_extend (self->items, added, NULL, NULL);
}

/* The new one, and then one for each other region that there are images of. */
static void
list_clouds (Write *self)
{
  g_autoptr(GHashTable) regions = g_hash_table_new (g_str_hash, g_str_equal);

  self->clouds = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_cloud_spec_free);
  g_ptr_array_add (self->clouds, welkin_cloud_spec_copy (self->cloud));
  g_hash_table_add (regions, self->cloud->region);
  for (guint i = 0; i < self->items->len; i++)
    {
      const WelkinStreamsItem *item = g_ptr_array_index (self->items, i);
      const char *region = welkin_streams_item_get (item, WELKIN_STREAMS_REGION);
      const char *endpoint = welkin_streams_item_get (item, WELKIN_STREAMS_ENDPOINT);

      if (g_hash_table_add (regions, (gpointer) region))
        g_ptr_array_add (self->clouds, welkin_cloud_spec_new (region, endpoint));
    }
}

static void
make_files (Write *self)
{
  g_autoptr(GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *build = welkin_streams_make_build (now);
  g_autoptr(JsonObject) others = welkin_streams_dup_others (self->index, content_ids);

  merge_images (self, build);
  list_clouds (self);
  self->files = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_streams_file_free);
  g_ptr_array_add (self->files, welkin_streams_make_products (&layout, self->products, self->items,
                                                              now));
  g_ptr_array_add (self->files, welkin_streams_make_index (&layout, INDEX, self->index, others,
                                                           self->items, self->clouds, now));
}

static void
begin_fetching_products (Write              *self,
                         GCancellable       *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer            user_data)
{
  welkin_data_source_fetch_async (self->sources->pdata[0],
                                  welkin_streams_get_path (self->index, layout.content_id,
                                                           layout.products_path),
                                  cancellable, callback, user_data);
}

static void
write_run (WkFlow  *flow,
           gpointer user_data)
{
  Write *self = user_data;
  char **written;
  g_autoptr(WelkinStreamsFound) found = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (!check_inputs (self, &error))
    WK_FAIL (flow, &error, NULL);
  open_place (self);
  WK_AWAIT (flow, begin_reading (self, WK_RESUME (flow)));
  found = welkin_streams_search_finish (WK_RESULT (flow), &error);
  if (found != NULL)
    self->items = welkin_streams_take_items (found, &error);
  if (self->items == NULL)
    WK_FAIL (flow, &error, NULL);
  WK_AWAIT (flow, welkin_data_source_fetch_async (self->sources->pdata[0], INDEX,
                                                  WK_RESUME (flow)));
  self->index = welkin_streams_take_former (self->sources->pdata[0], WK_RESULT (flow), &error);
  if (error != NULL)
    WK_FAIL (flow, &error, NULL);
  WK_AWAIT (flow, begin_fetching_products (self, WK_RESUME (flow)));
  self->products = welkin_streams_take_former (self->sources->pdata[0], WK_RESULT (flow), &error);
  if (error != NULL)
    WK_FAIL (flow, &error, NULL);

  make_files (self);
  WK_AWAIT (flow, welkin_streams_save_async (self->files, self->directory, self->storage, PREFIX,
                                             WK_RESUME (flow)));
  written = welkin_streams_save_finish (WK_RESULT (flow), &error);
  if (written == NULL)
    WK_FAIL (flow, &error, _("Cannot write image metadata"));
  wk_flow_return_pointer (flow, written, (GDestroyNotify) g_strfreev);

  WK_FLOW_END (flow);
}

/**
 * welkin_image_metadata_write_async:
 * @images: (element-type WelkinImage): images, each with its architecture
 * @series: the series that they hold, as in "noble"
 * @region: the region of the cloud that has them
 * @endpoint: the identity URL of that cloud
 * @directory: (nullable) (type filename): where to write
 * @storage: (nullable): where to write instead
 * @cancellable: (nullable): ends the call
 * @callback: (scope async) (closure user_data): called in the thread-default
 *   main context of the call
 * @user_data: data for @callback
 *
 * Adds images to metadata.
 *
 * Those lie below "images/streams/v1". What is there of the same series,
 * architecture and region is replaced, and the rest stays, with what is not
 * known of it, as do metadata of others that the same index leads to; ours come
 * first. Metadata that cannot
 * be read are an error, and are left as they are. An unknown series or
 * architecture, an endpoint that is no URL, and line breaks in anything are
 * %WELKIN_ERROR_INVALID_ARGUMENT.
 *
 * Since: 0.1
 */
void
welkin_image_metadata_write_async (GPtrArray           *images,
                                   const char          *series,
                                   const char          *region,
                                   const char          *endpoint,
                                   const char          *directory,
                                   WelkinStorage       *storage,
                                   GCancellable        *cancellable,
                                   GAsyncReadyCallback  callback,
                                   gpointer             user_data)
{
  Write *self;

  g_return_if_fail (images != NULL && images->len > 0);
  g_return_if_fail (series != NULL && region != NULL && endpoint != NULL);
  g_return_if_fail ((directory != NULL) != (storage != NULL));

  self = g_new0 (Write, 1);
  self->images = g_ptr_array_ref (images);
  self->series = g_strdup (series);
  self->cloud = welkin_cloud_spec_new (region, endpoint);
  self->directory = g_strdup (directory);
  g_set_object (&self->storage, storage);
  wk_flow_start (NULL, cancellable, callback, user_data, welkin_image_metadata_write_async,
                 write_run, self, write_free);
}

/**
 * welkin_image_metadata_write_finish:
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [func@image_metadata_write_async].
 *
 * Returns: (transfer full) (array zero-terminated=1): the files that were
 *   written, by their paths or their names in the storage, or %NULL on error
 *
 * Since: 0.1
 */
char **
welkin_image_metadata_write_finish (GAsyncResult  *result,
                                    GError       **error)
{
  return wk_flow_finish_pointer (result, NULL, welkin_image_metadata_write_async, error);
}
