/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "model/os-record.h"

G_BEGIN_DECLS

typedef struct
{
  char    *id;
  char    *name;
  gint64   ram;   /* MiB */
  gint64   vcpus;
  gint64   disk;  /* GiB; 0: as large as the image */
  gboolean is_disabled;
} OsFlavor;

OS_DECLARE_RECORD (OsFlavor, os_flavor)

G_END_DECLS
