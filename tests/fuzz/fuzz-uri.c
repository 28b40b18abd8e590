/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/uri.h"
#include "fuzz-driver.h"

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         size)
{
  g_autofree char *text = g_strndup ((const char *) data, size);
  g_autofree char *joined = wk_uri_join (text, text, "..", NULL);
  g_autofree char *path = wk_uri_join_path ("http://h/c", text);
  g_autofree char *queried = wk_uri_add_query (text, text, text, NULL);
  g_autofree char *next = wk_uri_with_query_of (text, text);
  g_autofree char *origin = wk_uri_get_origin (text);
  g_autofree char *shown = wk_uri_for_display (text);

  g_assert_true (g_str_has_prefix (path, "http://h/c/"));
  g_assert_nonnull (joined);
  g_assert_nonnull (queried);
  g_assert_nonnull (next);
  /* An origin is one of itself, and what is shown is one more time the same. */
  if (origin != NULL)
    {
      g_autofree char *again = wk_uri_get_origin (origin);
      g_autofree char *shown_again = wk_uri_for_display (shown);

      g_assert_cmpstr (again, ==, origin);
      g_assert_cmpstr (shown_again, ==, shown);
    }
  return 0;
}
