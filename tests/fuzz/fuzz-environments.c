/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "environments/environments-file.h"
#include "fuzz-driver.h"

/* Whatever is read of it must be whole. */
static void
use_file (WelkinEnvironmentsFile *file)
{
  g_auto(GStrv) names = welkin_environments_file_list_names (file);
  g_autofree char *chosen = welkin_environments_file_get_default (file);

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr(GError) error = NULL;
      g_autoptr(WelkinConfig) config = welkin_environments_file_get_attributes (file, names[i],
                                                                                &error);

      g_assert_true (welkin_environments_file_has (file, names[i]));
      g_assert_true ((config == NULL) == (error != NULL));
      if (config != NULL)
        g_assert_cmpstr (welkin_config_get_string (config, "name"), ==, names[i]);
    }
  g_assert_true (chosen == NULL || welkin_environments_file_has (file, chosen));
}

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         size)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *text = g_strndup ((const char *) data, size);
  g_autoptr(WelkinEnvironmentsFile) file =
      welkin_environments_file_parse (text, strlen (text), "environments.yaml", &error);

  g_assert_true ((file == NULL) == (error != NULL));
  if (file != NULL)
    use_file (file);
  return 0;
}
