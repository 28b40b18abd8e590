/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "fuzz-driver.h"
#include "metadata/simplestreams-index.h"

/* Whatever is read must be whole. */
static void
use_entries (GPtrArray *entries)
{
  static const char *const ids[] = { "x", "y", NULL };
  static const char *const contents[] = { "a:b", NULL };
  g_autoptr(WelkinCloudSpec) cloud = welkin_cloud_spec_new ("R", "http://a.test");
  g_autoptr(GError) error = NULL;
  const WelkinStreamsEntry *entry;

  entry = welkin_streams_choose_entry (entries, "image-ids", NULL, cloud, ids, &error);
  g_assert_true ((entry == NULL) == (error != NULL));
  if (entry != NULL)
    g_assert_nonnull (entry->path);
  entry = welkin_streams_choose_mirrors (entries, contents, "image-ids", cloud);
  if (entry != NULL)
    g_assert_nonnull (entry->path);
  entry = welkin_streams_choose_mirror (entries, contents, cloud);
  if (entry != NULL)
    g_assert_nonnull (entry->mirror);
}

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         size)
{
  g_autoptr(GBytes) bytes = g_bytes_new (data, size);
  g_autoptr(GPtrArray) index = welkin_streams_parse_index (bytes, "fuzz", NULL);
  g_autoptr(GPtrArray) mirrors = welkin_streams_parse_mirrors (bytes, "fuzz", NULL);

  if (index != NULL)
    use_entries (index);
  if (mirrors != NULL)
    use_entries (mirrors);
  return 0;
}
