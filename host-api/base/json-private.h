/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/json.h"

G_BEGIN_DECLS

/* The byte order mark of UTF-8, which some put in front of JSON. */
#define WK_JSON_MARK "\xEF\xBB\xBF"
#define WK_JSON_MARK_LENGTH 3

/* What the parser has just met. Numbers and booleans are given as they were written. */
typedef enum
{
  WK_JSON_VALUE_NULL,
  WK_JSON_VALUE_BOOLEAN,
  WK_JSON_VALUE_NUMBER,
  WK_JSON_VALUE_STRING,
  WK_JSON_VALUE_ARRAY,
  WK_JSON_VALUE_OBJECT,
} WkJsonValueType;

typedef struct
{
  WkJsonValueType type;
  const char     *text;   /* not terminated */
  gsize           length;
} WkJsonValue;

gpointer           wk_json_record_new_in_group (const WkJsonTable *table,
                                                gsize              group_key,
                                                const char        *key);
/* A GDestroyNotify: a record knows its table. */
void               wk_json_record_destroy      (gpointer           record);

const WkJsonField *wk_json_table_find          (const WkJsonTable *table,
                                                const char        *key,
                                                gsize              length);

/* The place of the field, to be read as what its kind says. */
gpointer           wk_json_field_get_place     (const WkJsonField *field,
                                                gpointer           record);
void               wk_json_field_clear         (const WkJsonField *field,
                                                gpointer           record);
/* Sets a field of a scalar kind; FALSE with *complaint (transfer full) when the value does not
 * fit. */
gboolean           wk_json_field_set           (const WkJsonField *field,
                                                gpointer           record,
                                                const WkJsonValue *value,
                                                char             **complaint);

/* The value as text, or NULL with *complaint when it is not of a kind that has one, or not
 * UTF-8. */
char              *wk_json_value_to_string     (const WkJsonValue *value,
                                                char             **complaint);
char              *wk_json_value_to_id         (const WkJsonValue *value,
                                                char             **complaint);
char              *wk_json_value_to_any_text   (const WkJsonValue *value,
                                                char             **complaint);
char              *wk_json_complain            (const char        *expected,
                                                WkJsonValueType    type);

/* json-text.c: a value of free shape, written again as it is found. */
typedef struct _WkJsonText WkJsonText;

WkJsonText        *wk_json_text_new            (void);
void               wk_json_text_free           (WkJsonText        *text);
void               wk_json_text_add_value      (WkJsonText        *text,
                                                const WkJsonValue *value);
void               wk_json_text_add_key        (WkJsonText        *text,
                                                const char        *key,
                                                gsize              length);
void               wk_json_text_begin          (WkJsonText        *text,
                                                WkJsonValueType    type);
void               wk_json_text_end            (WkJsonText        *text,
                                                WkJsonValueType    type);
gboolean           wk_json_text_is_complete    (WkJsonText        *text);
gsize              wk_json_text_get_length     (WkJsonText        *text);
char              *wk_json_text_dup            (WkJsonText        *text,
                                                char             **complaint);
/* As far as it goes, and in valid UTF-8 whatever was put in. */
char              *wk_json_text_dup_valid      (WkJsonText        *text);

/* json-parser.c: what it tells of a text goes to a handler. FALSE with an error ends the parse. */
typedef struct
{
  gboolean (*add_value) (gpointer            data,
                         const WkJsonValue  *value,
                         GError            **error);
  gboolean (*add_key)   (gpointer            data,
                         const char         *key,
                         gsize               length,
                         GError            **error);
  gboolean (*begin)     (gpointer            data,
                         WkJsonValueType     type,
                         GError            **error);
  gboolean (*end)       (gpointer            data,
                         WkJsonValueType     type,
                         GError            **error);
} WkJsonHandler;

typedef struct _WkJsonParser WkJsonParser;

/* The limits with the defaults in place of zeros. limits: nullable */
WkJsonLimits       wk_json_limits_complete     (const WkJsonLimits *limits);
/* The limits are all set. */
WkJsonParser      *wk_json_parser_new          (const WkJsonHandler *handler,
                                                gpointer            data,
                                                const WkJsonLimits *limits);
void               wk_json_parser_free         (WkJsonParser       *parser);
gboolean           wk_json_parser_feed         (WkJsonParser       *parser,
                                                const char         *data,
                                                gsize               length,
                                                GError            **error);
/* FALSE when the text was cut. */
gboolean           wk_json_parser_finish       (WkJsonParser       *parser,
                                                GError            **error);

/* json-builder.c: puts each value in its place. */
typedef struct _WkJsonBuilder WkJsonBuilder;

typedef struct
{
  gboolean   has_member;
  GPtrArray *records;   /* (owned) */
  char      *next;      /* (owned) (nullable) */
  guint      spoilt;
  char      *complaint; /* (owned) (nullable) */
} WkJsonOutcome;

/* The limits are all set. */
WkJsonBuilder     *wk_json_builder_new         (const WkJsonTable  *table,
                                                const char         *member,
                                                const WkJsonLimits *limits);
void               wk_json_builder_free        (WkJsonBuilder      *builder);
extern const WkJsonHandler wk_json_builder_handler;
const WkJsonOutcome *wk_json_builder_get_outcome (WkJsonBuilder    *builder);
GPtrArray         *wk_json_builder_steal_records (WkJsonBuilder    *builder);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WkJsonParser, wk_json_parser_free)

G_END_DECLS
