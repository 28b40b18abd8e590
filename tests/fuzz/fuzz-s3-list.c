/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "fuzz-driver.h"
#include "services/os-s3.h"

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         size)
{
  g_autoptr(GBytes) bytes = g_bytes_new (data, size);
  g_autoptr(GError) error = NULL;
  g_autoptr(OsS3Page) page = os_s3_page_new_from_xml (bytes, &error);

  g_assert_true ((page == NULL) == (error != NULL));
  if (page == NULL)
    return 0;
  for (guint i = 0; i < page->names->len; i++)
    g_assert_true (g_utf8_validate (g_ptr_array_index (page->names, i), -1, NULL));
  /* Whoever follows it comes to an end, or to another page. */
  g_assert_true (page->next == NULL || !page->is_v1 || page->names->len > 0);
  return 0;
}
