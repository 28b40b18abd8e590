/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "model/os-volume.h"

static const WkJsonField volume_fields[] = {
  { "id", WK_JSON_ID, G_STRUCT_OFFSET (OsVolume, id), WK_JSON_REQUIRED },
  { "status", WK_JSON_STRING, G_STRUCT_OFFSET (OsVolume, status) },
  { "created_at", WK_JSON_STRING, G_STRUCT_OFFSET (OsVolume, created) },
  { "size", WK_JSON_INT, G_STRUCT_OFFSET (OsVolume, size) },
  { "metadata", WK_JSON_MAP, G_STRUCT_OFFSET (OsVolume, metadata) },
};

OS_DEFINE_RECORD (OsVolume, os_volume, volume_fields)

const char *
os_volume_get_metadata (const OsVolume *self,
                        const char     *key)
{
  return self->metadata != NULL ? g_hash_table_lookup (self->metadata, key) : NULL;
}

gboolean
os_volume_is_used (const OsVolume *self)
{
  return g_strcmp0 (self->status, "in-use") == 0 || g_strcmp0 (self->status, "attaching") == 0
         || g_strcmp0 (self->status, "detaching") == 0;
}

gboolean
os_volume_is_deleting (const OsVolume *self)
{
  return g_strcmp0 (self->status, "deleting") == 0;
}
