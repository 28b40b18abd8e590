/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "model/os-record.h"

G_BEGIN_DECLS

/* An entry of a large object's manifest: what swift says of it, or what was said to radosgw. */
typedef struct
{
  char   *hash;       /* (nullable) */
  char   *etag;       /* (nullable) */
  gint64  bytes;      /* or -1 */
  gint64  size_bytes; /* or -1 */

  /* (nullable) what makes it more than a whole object */
  char   *range;
  char   *sub_slo;
  char   *data;
} OsSegment;

OS_DECLARE_RECORD (OsSegment, os_segment)

G_END_DECLS
