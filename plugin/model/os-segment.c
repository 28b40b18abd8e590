/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "model/os-segment.h"

static const WkJsonField segment_fields[] = {
  { "hash", WK_JSON_STRING, G_STRUCT_OFFSET (OsSegment, hash) },
  { "etag", WK_JSON_STRING, G_STRUCT_OFFSET (OsSegment, etag) },
  { "bytes", WK_JSON_INT, G_STRUCT_OFFSET (OsSegment, bytes), WK_JSON_TRISTATE },
  { "size_bytes", WK_JSON_INT, G_STRUCT_OFFSET (OsSegment, size_bytes), WK_JSON_TRISTATE },
  { "range", WK_JSON_TEXT, G_STRUCT_OFFSET (OsSegment, range) },
  { "sub_slo", WK_JSON_TEXT, G_STRUCT_OFFSET (OsSegment, sub_slo) },
  { "data", WK_JSON_TEXT, G_STRUCT_OFFSET (OsSegment, data) },
};

OS_DEFINE_RECORD (OsSegment, os_segment, segment_fields)
