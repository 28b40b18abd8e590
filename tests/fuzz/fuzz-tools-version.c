/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "fuzz-driver.h"
#include "metadata/tools-version.h"

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         size)
{
  g_autofree char *text = g_strndup ((const char *) data, size);
  g_autofree char *series = NULL;
  g_autofree char *arch = NULL;
  WelkinToolsVersion version;
  WelkinToolsVersion again;
  int major;
  int minor;

  welkin_tools_version_parse_major_minor (text, &major, &minor, NULL);
  if (welkin_tools_binary_parse (text, &version, &series, &arch, NULL)
      || welkin_tools_version_parse (text, &version, NULL))
    {
      g_autofree char *number = welkin_tools_version_format (&version);

      g_assert_true (welkin_tools_version_parse (number, &again, NULL));
      g_assert_cmpint (welkin_tools_version_compare (&version, &again), ==, 0);
    }
  return 0;
}
