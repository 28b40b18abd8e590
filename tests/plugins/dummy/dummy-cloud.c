/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "dummy-cloud.h"

#include "dummy-instance.h"

DummyCloud *
dummy_cloud_get (WelkinConfig *config)
{
  static GHashTable *clouds;
  const char *name = welkin_config_get_name (config);
  DummyCloud *cloud;

  if (clouds == NULL)
    clouds = g_hash_table_new (g_str_hash, g_str_equal);
  cloud = g_hash_table_lookup (clouds, name);
  if (cloud != NULL)
    return cloud;

  cloud = g_new0 (DummyCloud, 1);
  cloud->instances = g_ptr_array_new_with_free_func (g_object_unref);
  cloud->objects = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                          (GDestroyNotify) g_bytes_unref);
  for (gint64 i = 0; i < welkin_config_get_int (config, "machines"); i++)
    {
      g_autofree char *machine_id = g_strdup_printf ("%" G_GINT64_FORMAT, i);

      g_ptr_array_add (cloud->instances,
                       dummy_instance_new (++cloud->n_started, machine_id, NULL, NULL));
    }
  g_hash_table_insert (clouds, g_strdup (name), cloud);
  return cloud;
}

gboolean
dummy_cloud_fails (WelkinConfig *config,
                   const char   *operation,
                   GError      **error)
{
  g_auto(GStrv) broken = welkin_config_get_strings (config, "broken");

  if (!g_strv_contains ((const char * const *) broken, operation))
    return FALSE;
  g_propagate_error (error, welkin_error_new_from_service (WELKIN_ERROR_UNAVAILABLE,
                                                           "the cloud is broken", "dummy", 503,
                                                           "req-dummy"));
  return TRUE;
}
