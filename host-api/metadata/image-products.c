/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "metadata/image-products.h"

#include "machine/welkin-series.h"
#include "metadata/arch-names.h"
#include "metadata/metadata-names.h"
#include "metadata/simplestreams-products.h"
#include "values/welkin-image.h"

char *
welkin_image_product_id (const char *stream,
                         const char *version,
                         const char *arch)
{
  gboolean is_released = stream == NULL || *stream == '\0'
                         || g_str_equal (stream, WELKIN_METADATA_RELEASED);

  return g_strconcat (WELKIN_IMAGES_NAMESPACE, is_released ? "" : ".", is_released ? "" : stream,
                      ":server:", version, ":", arch, NULL);
}

static void
add_ids (GStrvBuilder *ids,
         const char   *stream,
         const char   *version,
         const char   *arch)
{
  const char *names[] = { welkin_arch_get_present (arch), NULL };

  names[1] = welkin_arch_get_former (names[0]);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (names[i] != NULL)
      {
        g_autofree char *id = welkin_image_product_id (stream, version, names[i]);

        g_strv_builder_add (ids, id);
      }
}

char **
welkin_image_product_ids (const char        *stream,
                          const char        *series,
                          const char *const *wanted,
                          GError           **error)
{
  g_autoptr(GStrvBuilder) ids = g_strv_builder_new ();
  g_autofree char *version = NULL;

  if (!welkin_series_lookup (series, NULL, &version, error))
    return NULL;
  if (wanted == NULL)
    wanted = welkin_arch_list ();
  for (gsize i = 0; wanted[i] != NULL; i++)
    add_ids (ids, stream, version, wanted[i]);
  return g_strv_builder_end (ids);
}

static const char *
get_or_null (const WelkinStreamsItem *item,
             WelkinStreamsField       field)
{
  const char *text = welkin_streams_item_get (item, field);

  return *text != '\0' ? text : NULL;
}

static WelkinImage *
make_image (const WelkinStreamsItem *item)
{
  return welkin_image_new (welkin_streams_item_get (item, WELKIN_STREAMS_ID),
                           get_or_null (item, WELKIN_STREAMS_RELEASE),
                           welkin_arch_get_present (get_or_null (item, WELKIN_STREAMS_ARCH)),
                           get_or_null (item, WELKIN_STREAMS_VIRT),
                           get_or_null (item, WELKIN_STREAMS_REGION),
                           get_or_null (item, WELKIN_STREAMS_ENDPOINT));
}

/* What only the newest image is wanted of. */
static char *
get_kind (const WelkinStreamsItem *item)
{
  return g_strjoin ("\n", welkin_streams_item_get (item, WELKIN_STREAMS_VIRT),
                    welkin_streams_item_get (item, WELKIN_STREAMS_ARCH),
                    welkin_streams_item_get (item, WELKIN_STREAMS_VERSION),
                    welkin_streams_item_get (item, WELKIN_STREAMS_REGION),
                    welkin_streams_item_get (item, WELKIN_STREAMS_ROOT_STORE), NULL);
}

GPtrArray *
welkin_images_collect (GPtrArray                *items,
                       const WelkinStreamsQuery *query)
{
  g_autoptr(GPtrArray) images =
    g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_image_unref);
  g_autoptr(GHashTable) kinds = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  const char *region = query->cloud->region;

  for (guint i = 0; i < items->len; i++)
    {
      const WelkinStreamsItem *item = g_ptr_array_index (items, i);

      if (*welkin_streams_item_get (item, WELKIN_STREAMS_ID) == '\0')
        continue;
      if (*region != '\0'
          && !g_str_equal (region, welkin_streams_item_get (item, WELKIN_STREAMS_REGION)))
        continue;
      /* Items come with the newest first. */
      if (g_hash_table_add (kinds, get_kind (item)))
        g_ptr_array_add (images, make_image (item));
    }
  return g_steal_pointer (&images);
}
