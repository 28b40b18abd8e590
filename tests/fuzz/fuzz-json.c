/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/json.h"
#include "fuzz-driver.h"

/* A record with a field of each kind. */

typedef struct
{
  char   *group;
  char   *text;
  double  number;
} Inner;

static const WkJsonField inner_fields[] = {
  { "text", WK_JSON_STRING, G_STRUCT_OFFSET (Inner, text), WK_JSON_REQUIRED },
  { "number", WK_JSON_DOUBLE, G_STRUCT_OFFSET (Inner, number) },
};
static const WkJsonTable inner_table = WK_JSON_TABLE (Inner, inner_fields);

typedef struct
{
  char       *id;
  gint64      count;
  gboolean    is_on;
  GPtrArray  *strings;
  Inner      *inner;
  GPtrArray  *list;
  GHashTable *map;
  GPtrArray  *groups;
  char       *any;
} Outer;

static const WkJsonField outer_fields[] = {
  { "id", WK_JSON_ID, G_STRUCT_OFFSET (Outer, id), WK_JSON_REQUIRED },
  { "count", WK_JSON_INT, G_STRUCT_OFFSET (Outer, count) },
  { "on", WK_JSON_BOOLEAN, G_STRUCT_OFFSET (Outer, is_on), WK_JSON_TRISTATE },
  { "strings", WK_JSON_STRINGS, G_STRUCT_OFFSET (Outer, strings) },
  { "inner", WK_JSON_RECORD, G_STRUCT_OFFSET (Outer, inner), 0, &inner_table },
  { "list", WK_JSON_RECORDS, G_STRUCT_OFFSET (Outer, list), 0, &inner_table },
  { "map", WK_JSON_MAP, G_STRUCT_OFFSET (Outer, map) },
  { "groups", WK_JSON_GROUPS, G_STRUCT_OFFSET (Outer, groups), 0, &inner_table,
    G_STRUCT_OFFSET (Inner, group) },
  { "any", WK_JSON_TEXT, G_STRUCT_OFFSET (Outer, any) },
};
static const WkJsonTable outer_table = WK_JSON_TABLE (Outer, outer_fields);

int
LLVMFuzzerTestOneInput (const guint8 *data,
                        gsize         size)
{
  const char *text = (const char *) data;
  const WkJsonLimits limits = { .max_records = 8, .max_string = 64 };
  g_autoptr(WkJsonDecoder) decoder = wk_json_decoder_new (&outer_table, "all", NULL);
  g_autoptr(WkJsonDecoder) bounded = wk_json_decoder_new (&outer_table, "all", &limits);
  g_autoptr(WkJsonDecoder) bare = wk_json_decoder_new (&inner_table, NULL, NULL);
  g_autoptr(GBytes) bytes = g_bytes_new (data, size);
  g_autoptr(JsonNode) node = wk_json_parse (bytes, NULL);
  g_autoptr(GPtrArray) records = NULL;

  if (node != NULL)
    g_assert_false (JSON_NODE_HOLDS_VALUE (node));

  wk_json_decoder_feed (decoder, text, size / 2, NULL);
  wk_json_decoder_feed (decoder, text + size / 2, size - size / 2, NULL);
  wk_json_decoder_finish (decoder, NULL);
  records = wk_json_decoder_steal_records (decoder);

  for (gsize i = 0; i < size; i++)
    wk_json_decoder_feed (bounded, text + i, 1, NULL);
  wk_json_decoder_finish (bounded, NULL);

  wk_json_decoder_feed (bare, text, size, NULL);
  wk_json_decoder_finish (bare, NULL);
  return 0;
}
