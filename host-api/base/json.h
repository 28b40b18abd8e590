/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/*
 * Values read from the wire. A record is described once, by a static table, and one
 * decoder fills it in a single pass as the bytes arrive: unknown keys are skipped and
 * nothing but the record is kept.
 *
 *   typedef struct { char *id; char *name; gint64 ram; GPtrArray *links; } Flavor;
 *
 *   static const WkJsonField flavor_fields[] = {
 *     { "id", WK_JSON_ID, G_STRUCT_OFFSET (Flavor, id), WK_JSON_REQUIRED },
 *     { "name", WK_JSON_STRING, G_STRUCT_OFFSET (Flavor, name) },
 *     { "ram", WK_JSON_INT, G_STRUCT_OFFSET (Flavor, ram) },
 *     { "links", WK_JSON_RECORDS, G_STRUCT_OFFSET (Flavor, links), 0, &link_table },
 *   };
 *   static const WkJsonTable flavor_table = WK_JSON_TABLE (Flavor, flavor_fields);
 *
 * A wrong type or a missing required key spoils its record: the record is dropped and
 * counted, the list goes on. A syntax error, a cut, or a limit passed fails the whole.
 * null and absence leave a field as it was initialised (0, NULL, or -1 where a flag says so).
 */
typedef enum
{
  WK_JSON_STRING,   /* char *: a string */
  WK_JSON_ID,       /* char *: a string or an integer, kept as text */
  WK_JSON_INT,      /* gint64: a number, a string of digits, "" (0) */
  WK_JSON_DOUBLE,   /* double */
  WK_JSON_BOOLEAN,  /* gboolean: true, false, "True", "false" … */
  WK_JSON_STRINGS,  /* GPtrArray * of char *: an array of strings or ids */
  WK_JSON_RECORD,   /* TYPE *: an object, read by .table; a string in its place leaves NULL */
  WK_JSON_RECORDS,  /* GPtrArray * of TYPE *: an array of objects, read by .table */
  WK_JSON_MAP,      /* GHashTable * of char * to char *: an object of scalars, as text */
  WK_JSON_GROUPS,   /* GPtrArray * of TYPE *: an object of arrays of objects (nova's "addresses"):
                     * each record read by .table, in order; the key it stood under goes into the
                     * record's field named by .group_key */
  WK_JSON_TEXT,     /* char *: any value, as compact JSON text (bounded) */
} WkJsonKind;

typedef enum
{
  WK_JSON_OPTIONAL = 0,
  WK_JSON_REQUIRED = 1 << 0, /* absent or null spoils the record */
  WK_JSON_TRISTATE = 1 << 1, /* a BOOLEAN or INT that starts at -1: unknown */
} WkJsonFlags;

typedef struct _WkJsonTable WkJsonTable;

typedef struct
{
  const char        *key;
  WkJsonKind         kind;
  gsize              offset;
  WkJsonFlags        flags;
  const WkJsonTable *table;     /* for RECORD, RECORDS, GROUPS */
  gsize              group_key; /* for GROUPS: offset of a char * in the record of .table */
} WkJsonField;

struct _WkJsonTable
{
  gsize              size;
  const WkJsonField *fields;
  guint              n_fields;
};

#define WK_JSON_TABLE(Type, fields) { sizeof (Type), (fields), G_N_ELEMENTS (fields) }

/* A new zeroed record; what the table's fields hold is freed with it. */
gpointer wk_json_record_new  (const WkJsonTable *table);
void     wk_json_record_free (const WkJsonTable *table,
                              gpointer           record);

/* The field "id" of the record, or NULL: a table need not have one. */
const char *wk_json_record_get_id (const WkJsonTable *table,
                                   gpointer           record);

typedef struct
{
  gsize max_bytes;   /* of the whole text; 0: 256 MiB */
  guint max_depth;   /* 0: 64 */
  guint max_records; /* of the list; 0: 1,000,000 */
  gsize max_string;  /* bytes of one string that is kept; 0: 1 MiB */
} WkJsonLimits;

/*
 * Reads {"MEMBER": [record, …], "MEMBER_links": [{"rel": "next", "href": …}], "next": …}
 * or {"MEMBER": record}, or a bare [record, …] (member NULL) as swift lists.
 */
typedef struct _WkJsonDecoder WkJsonDecoder;

/* member: the key of the list or record; limits: nullable. */
WkJsonDecoder *wk_json_decoder_new           (const WkJsonTable  *table,
                                              const char         *member,
                                              const WkJsonLimits *limits);
void           wk_json_decoder_free          (WkJsonDecoder      *decoder);
/* Forgets all that was read: the same answer is about to come again. */
void           wk_json_decoder_reset         (WkJsonDecoder      *decoder);
gboolean       wk_json_decoder_feed          (WkJsonDecoder      *decoder,
                                              const char         *data,
                                              gsize               length,
                                              GError            **error);
/* Ends the text; FALSE with WELKIN_ERROR_PROTOCOL when it was cut or lacks the member. */
gboolean       wk_json_decoder_finish        (WkJsonDecoder      *decoder,
                                              GError            **error);
/* (transfer full) records, freed with the array. */
GPtrArray     *wk_json_decoder_steal_records (WkJsonDecoder      *decoder);
/* The first record (transfer full, free with wk_json_record_free()), or NULL. */
gpointer       wk_json_decoder_steal_record  (WkJsonDecoder      *decoder);
guint          wk_json_decoder_get_spoilt    (WkJsonDecoder      *decoder);
/* Why the first spoilt record was, e.g. `servers[3].status: expected a string, got a number`. */
const char    *wk_json_decoder_get_complaint (WkJsonDecoder      *decoder);
/* The href of the "next" link, or of a string member "next"; NULL on the last page. */
const char    *wk_json_decoder_get_next      (WkJsonDecoder      *decoder);

/* All of the above over one buffer. */
gpointer       wk_json_decode_record         (const WkJsonTable  *table,
                                              const char         *member,
                                              GBytes             *bytes,
                                              GError            **error);
GPtrArray     *wk_json_decode_records        (const WkJsonTable  *table,
                                              const char         *member,
                                              GBytes             *bytes,
                                              GError            **error);

/* Small documents of free shape: json-glib, after depth and syntax have been checked in
 * one pass (json-glib itself recurses without a limit). */
JsonNode      *wk_json_parse                 (GBytes             *bytes,
                                              GError            **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WkJsonDecoder, wk_json_decoder_free)

G_END_DECLS
