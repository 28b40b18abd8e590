/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <environments/welkin-file-storage.h>

#include "os-storage-auto.h"
#include "os-storage-none.h"
#include "os-storage-s3.h"
#include "os-storage-swift.h"
#include "os-storage.h"

/* The other name of this provider, from the days when S3 was the only storage of some clouds. */
#define S3_TYPE "openstack_s3"

/* Where files on this machine are; NULL when there is no place for them, as without a home.
 * (transfer full) */
static char *
find_directory (WelkinConfig       *config,
                WelkinSurroundings *surroundings)
{
  g_autoptr(WelkinSurroundings) own = NULL;
  g_autofree char *data = NULL;
  g_autoptr(GError) error = NULL;

  if (surroundings == NULL)
    surroundings = own = welkin_surroundings_new_for_process ();
  data = welkin_surroundings_get_data_directory (surroundings, &error);
  if (data != NULL)
    return g_build_filename (data, welkin_config_get_uuid (config), "storage", NULL);
  g_info ("no storage on this machine: %s", error->message);
  return NULL;
}

WelkinStorage *
os_storage_new (OsClient           *client,
                WelkinConfig       *config,
                WelkinSurroundings *surroundings)
{
  const char *kind = welkin_config_get_string (config, "storage");
  gboolean is_s3 = g_str_equal (welkin_config_get_provider_type (config), S3_TYPE);
  g_autofree char *directory = NULL;

  if (g_str_equal (kind, "swift"))
    return os_storage_swift_new (client, config);
  if (g_str_equal (kind, "s3") || (g_str_equal (kind, "auto") && is_s3))
    return os_storage_s3_new (client, config);

  directory = find_directory (config, surroundings);
  if (g_str_equal (kind, "none") || (g_str_equal (kind, "local") && directory == NULL))
    return os_storage_none_new ();
  /* What was chosen once stays, whatever the cloud has by now. */
  if (g_str_equal (kind, "local")
      || (directory != NULL && g_file_test (directory, G_FILE_TEST_IS_DIR)))
    return welkin_file_storage_new_private (directory);
  return os_storage_auto_new (client, config, directory);
}
