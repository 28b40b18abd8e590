/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/memo.h"
#include "services/os-compute.h"

G_BEGIN_DECLS

/* What the files of the service share. */
struct _OsCompute
{
  GObject parent;

  OsClient *client;          /* (owned) */
  WkMemo   *flavors;         /* (owned) GPtrArray of OsFlavor */
  WkMemo   *zones;           /* (owned) GPtrArray of OsZone */
  gboolean  refuses_pattern; /* this nova takes no name pattern of ours */
};

G_END_DECLS
