/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "metadata/welkin-image-lookup.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "contracts/welkin-optional.h"
#include "metadata/image-products.h"
#include "metadata/metadata-keys.h"
#include "metadata/metadata-names.h"
#include "metadata/simplestreams-search.h"
#include "values/welkin-error.h"

/**
 * WelkinImageLookup:
 *
 * What a look-up of image metadata has found, or why it has found nothing.
 *
 * It is immutable and may be shared between threads.
 *
 * Since: 0.1
 */
struct _WelkinImageLookup
{
  GPtrArray         *images;      /* of WelkinImage */
  WelkinResolveInfo *info;        /* (nullable) */
  char              *explanation;
};

G_DEFINE_BOXED_TYPE (WelkinImageLookup,
                     welkin_image_lookup,
                     welkin_image_lookup_ref,
                     welkin_image_lookup_unref)

static void
image_lookup_clear (gpointer data)
{
  WelkinImageLookup *self = data;

  g_ptr_array_unref (self->images);
  g_clear_pointer (&self->info, welkin_resolve_info_unref);
  g_free (self->explanation);
}

static WelkinImageLookup *
image_lookup_new (WelkinStreamsFound *found)
{
  WelkinImageLookup *self = g_atomic_rc_box_new0 (WelkinImageLookup);

  self->images = found->records != NULL ? g_ptr_array_ref (found->records) : g_ptr_array_new ();
  if (found->info != NULL)
    self->info = welkin_resolve_info_ref (found->info);
  self->explanation = welkin_streams_found_explain (found);
  return self;
}

/**
 * welkin_image_lookup_ref:
 * @self: a look-up
 *
 * Takes another reference.
 *
 * Returns: (transfer full): @self
 *
 * Since: 0.1
 */
WelkinImageLookup *
welkin_image_lookup_ref (WelkinImageLookup *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

/**
 * welkin_image_lookup_unref:
 * @self: (transfer full): a look-up
 *
 * Drops a reference; the last one frees it.
 *
 * Since: 0.1
 */
void
welkin_image_lookup_unref (WelkinImageLookup *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, image_lookup_clear);
}

/**
 * welkin_image_lookup_get_images:
 * @self: a look-up
 *
 * Gets the images of the first source that had any, the newest of each kind.
 *
 * Returns: (transfer none) (element-type WelkinImage): the images, perhaps none
 *
 * Since: 0.1
 */
GPtrArray *
welkin_image_lookup_get_images (WelkinImageLookup *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->images;
}

/**
 * welkin_image_lookup_get_info:
 * @self: a look-up
 *
 * Gets where the images were found, or where they were looked for last.
 *
 * Returns: (transfer none) (nullable): where; %NULL when there was no source
 *
 * Since: 0.1
 */
WelkinResolveInfo *
welkin_image_lookup_get_info (WelkinImageLookup *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->info;
}

/**
 * welkin_image_lookup_get_explanation:
 * @self: a look-up
 *
 * Gets what each source had to say that had nothing, one line for each.
 *
 * Returns: (transfer none): text for people, perhaps empty
 *
 * Since: 0.1
 */
const char *
welkin_image_lookup_get_explanation (WelkinImageLookup *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->explanation;
}

static void
searched_cb (GObject      *source,
             GAsyncResult *result,
             gpointer      user_data)
{
  g_autoptr(GTask) task = user_data;
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStreamsFound) found = welkin_streams_search_finish (result, &error);

  if (found != NULL)
    g_task_return_pointer (task, image_lookup_new (found),
                           (GDestroyNotify) welkin_image_lookup_unref);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

/**
 * welkin_image_lookup_async:
 * @sources: (element-type WelkinDataSource): where to look, in this order
 * @series: the series that images are to hold, as in "noble"
 * @arches: (nullable) (array zero-terminated=1): the architectures, as in
 *   "amd64"; %NULL for all
 * @stream: (nullable): which images, as in "daily"; %NULL for "released"
 * @region: (nullable): the region of the cloud; %NULL for any
 * @endpoint: (nullable): the identity URL of the cloud; %NULL for any
 * @surroundings: (nullable): where proxies and the key come from; %NULL for
 *   those of the process
 * @cancellable: (nullable): ends the call
 * @callback: (scope async) (closure user_data): called in the thread-default
 *   main context of the call
 * @user_data: data for @callback
 *
 * Looks for images in metadata.
 *
 * The first source that has images for the series and the cloud wins. One that
 * cannot be read is warned of, and does not keep the others from being asked.
 * An unknown series is %WELKIN_ERROR_INVALID_ARGUMENT.
 *
 * Since: 0.1
 */
void
welkin_image_lookup_async (GPtrArray           *sources,
                           const char          *series,
                           const char * const  *arches,
                           const char          *stream,
                           const char          *region,
                           const char          *endpoint,
                           WelkinSurroundings  *surroundings,
                           GCancellable        *cancellable,
                           GAsyncReadyCallback  callback,
                           gpointer             user_data)
{
  g_autoptr(WelkinStreamsQuery) query = NULL;
  g_autoptr(GTask) task = NULL;
  GError *error = NULL;

  g_return_if_fail (sources != NULL);
  g_return_if_fail (series != NULL);

  task = g_task_new (NULL, cancellable, callback, user_data);
  g_task_set_source_tag (task, welkin_image_lookup_async);
  query = welkin_streams_query_new (WELKIN_IMAGES_DATATYPE, welkin_images_collect);
  query->product_ids = welkin_image_product_ids (stream, series, arches, &error);
  if (query->product_ids == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  welkin_cloud_spec_free (query->cloud);
  query->cloud = welkin_cloud_spec_new (region, endpoint);
  query->surroundings = surroundings != NULL ? welkin_surroundings_ref (surroundings)
                                             : welkin_surroundings_new_for_process ();
  query->key_path = welkin_image_key_find (query->surroundings);
  welkin_streams_search_async (sources, query, cancellable, searched_cb, g_steal_pointer (&task));
}

/**
 * welkin_image_lookup_finish:
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [func@ImageLookup.async].
 *
 * That nothing was found is no error.
 *
 * Returns: (transfer full): what was found, or %NULL on error
 *
 * Since: 0.1
 */
WelkinImageLookup *
welkin_image_lookup_finish (GAsyncResult  *result,
                            GError       **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  g_return_val_if_fail (g_async_result_is_tagged (result, welkin_image_lookup_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
