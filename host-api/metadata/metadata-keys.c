/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "metadata/metadata-keys.h"

/* What package ubuntu-cloudimage-keyring installs. */
#define DISTRIBUTION_IMAGE_KEY "/usr/share/keyrings/ubuntu-cloudimage-keyring.gpg"

static char *
find_key (WelkinSurroundings *surroundings,
          const char         *variable,
          const char *const  *paths)
{
  const char *path = welkin_surroundings_get_variable (surroundings, variable);

  if (path != NULL)
    return g_strdup (path);
  for (gsize i = 0; paths[i] != NULL; i++)
    if (g_file_test (paths[i], G_FILE_TEST_IS_REGULAR))
      return g_strdup (paths[i]);
  return NULL;
}

char *
welkin_image_key_find (WelkinSurroundings *surroundings)
{
  static const char *const paths[] = { KEYS_DIR "/images.asc", DISTRIBUTION_IMAGE_KEY, NULL };

  return find_key (surroundings, "WELKIN_IMAGE_KEY", paths);
}

char *
welkin_tools_key_find (WelkinSurroundings *surroundings)
{
  static const char *const paths[] = { KEYS_DIR "/tools.asc", NULL };

  return find_key (surroundings, "WELKIN_TOOLS_KEY", paths);
}
