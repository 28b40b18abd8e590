/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "fuzz-driver.h"
#include "metadata/image-products.h"
#include "metadata/simplestreams-products.h"

/* Each item is whole, and those of a product come with the newest first. */
static void
check_items (GPtrArray *items)
{
  for (guint i = 0; i < items->len; i++)
    {
      const WelkinStreamsItem *item = g_ptr_array_index (items, i);
      const WelkinStreamsItem *former = i > 0 ? g_ptr_array_index (items, i - 1) : NULL;

      g_assert_nonnull (item->product_id);
      g_assert_nonnull (item->name);
      for (guint j = 0; j < WELKIN_STREAMS_N_FIELDS; j++)
        g_assert_nonnull (welkin_streams_item_get (item, (WelkinStreamsField) j));
      if (former != NULL && g_str_equal (former->product_id, item->product_id))
        g_assert_cmpint (strcmp (former->build, item->build), >=, 0);
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         size)
{
  static const char *const ids[] = { "y", "x", "x", NULL };
  g_autoptr(GBytes) bytes = g_bytes_new (data, size);
  g_autoptr(WelkinStreamsQuery) query = welkin_streams_query_new ("image-ids",
                                                                  welkin_images_collect);
  g_autoptr(GPtrArray) all = welkin_streams_parse_products (bytes, NULL, "fuzz", NULL);
  g_autoptr(GPtrArray) some = welkin_streams_parse_products (bytes, ids, "fuzz", NULL);

  if (all != NULL)
    {
      g_autoptr(GPtrArray) images = welkin_images_collect (all, query);

      check_items (all);
      g_assert_cmpuint (images->len, <=, all->len);
    }
  if (some != NULL)
    check_items (some);
  return 0;
}
