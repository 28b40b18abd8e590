/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "fuzz-driver.h"
#include "metadata/tools-products.h"

/* What is kept is whole, each binary version once, and agrees with itself. */
static void
check_tools (GPtrArray *tools)
{
  g_autoptr(GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < tools->len; i++)
    {
      const WelkinStreamsItem *item = g_ptr_array_index (tools, i);
      WelkinToolsVersion version;

      g_assert_true (welkin_tools_item_version (item, &version));
      g_assert_cmpint (welkin_tools_item_size (item), !=, 0);
      g_assert_cmpstr (welkin_streams_item_get (item, WELKIN_STREAMS_PATH), !=, "");
      g_assert_true (g_hash_table_add (seen, welkin_tools_item_binary (item)));
    }
}

static void
check_merge (GPtrArray *tools)
{
  g_autoptr(GPtrArray) merged =
    g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_streams_item_free);
  g_autoptr(GError) error = NULL;

  welkin_tools_merge (merged, tools, &error);
  g_assert_no_error (error);
  welkin_tools_merge (merged, tools, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (merged->len, ==, tools->len);
  welkin_tools_keep_newest (merged);
  g_assert_true (tools->len == 0 || merged->len > 0);
}

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         size)
{
  g_autoptr(GBytes) bytes = g_bytes_new (data, size);
  g_autoptr(GPtrArray) items = welkin_streams_parse_products (bytes, NULL, "fuzz", NULL);
  g_autoptr(WelkinSurroundings) surroundings = welkin_surroundings_new (NULL, "/");
  g_autoptr(WelkinStreamsQuery) query = NULL;
  g_autoptr(GPtrArray) tools = NULL;
  WelkinToolsFilter filter;

  if (items == NULL)
    return 0;
  welkin_tools_filter_init (&filter, NULL, NULL, NULL, NULL, FALSE, NULL);
  query = welkin_tools_filter_query (&filter, surroundings);
  tools = query->collect (items, query);
  check_tools (tools);
  check_merge (tools);
  welkin_tools_filter_clear (&filter);
  return 0;
}
