/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "model/os-record.h"

G_BEGIN_DECLS

typedef struct
{
  char       *id;
  char       *status;   /* (nullable) as cinder wrote it */
  char       *created;  /* (nullable) ISO 8601 */
  gint64      size;     /* GiB */
  GHashTable *metadata; /* (nullable) of texts */
} OsVolume;

OS_DECLARE_RECORD (OsVolume, os_volume)

/* NULL when there is no such item. */
const char *os_volume_get_metadata (const OsVolume *self,
                                    const char     *key);
/* It is attached to something, or about to be, or let go of. */
gboolean    os_volume_is_used      (const OsVolume *self);
/* It goes by itself. */
gboolean    os_volume_is_deleting  (const OsVolume *self);

G_END_DECLS
