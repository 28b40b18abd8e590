/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/yaml.h"
#include "fuzz-driver.h"

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         size)
{
  g_autoptr(WelkinValue) value = wk_yaml_parse ((const char *) data, size, "fuzz.yaml", NULL);

  if (value != NULL)
    {
      g_autofree char *text = wk_yaml_print (value);
      g_autoptr(GError) error = NULL;
      g_autoptr(WelkinValue) again = wk_yaml_parse (text, -1, "again.yaml", &error);

      /* What we print we can read. */
      g_assert_no_error (error);
      g_assert_nonnull (again);
    }
  return 0;
}
