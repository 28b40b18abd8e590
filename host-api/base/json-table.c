/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/json-private.h"

/* Records: memory that a table describes, and how single values get into it. */

/* Stands in front of each record, so that an array can free its records with one
 * function and no closure. Two words keep the record aligned for anything. */
typedef struct
{
  const WkJsonTable *table;
  gsize              group_key; /* offset of a key that the table does not list, or NO_GROUP */
} RecordHead;

#define NO_GROUP G_MAXSIZE

static gpointer
record_new (const WkJsonTable *table,
            gsize              group_key)
{
  RecordHead *head = g_malloc0 (sizeof (RecordHead) + table->size);
  gpointer record = head + 1;

  head->table = table;
  head->group_key = group_key;
  for (guint i = 0; i < table->n_fields; i++)
    wk_json_field_clear (&table->fields[i], record);
  return record;
}

gpointer
wk_json_record_new (const WkJsonTable *table)
{
  g_return_val_if_fail (table != NULL, NULL);

  return record_new (table, NO_GROUP);
}

gpointer
wk_json_record_new_in_group (const WkJsonTable *table,
                             gsize              group_key,
                             const char        *key)
{
  gpointer record = record_new (table, group_key);

  G_STRUCT_MEMBER (char *, record, group_key) = g_strdup (key);
  return record;
}

void
wk_json_record_destroy (gpointer record)
{
  RecordHead *head;

  if (record == NULL)
    return;

  head = (RecordHead *) record - 1;
  for (guint i = 0; i < head->table->n_fields; i++)
    wk_json_field_clear (&head->table->fields[i], record);
  if (head->group_key != NO_GROUP)
    g_clear_pointer (&G_STRUCT_MEMBER (char *, record, head->group_key), g_free);
  g_free (head);
}

void
wk_json_record_free (const WkJsonTable *table,
                     gpointer           record)
{
  g_return_if_fail (record == NULL || ((RecordHead *) record - 1)->table == table);

  wk_json_record_destroy (record);
}

const WkJsonField *
wk_json_table_find (const WkJsonTable *table,
                    const char        *key,
                    gsize              length)
{
  for (guint i = 0; i < table->n_fields; i++)
    {
      const char *name = table->fields[i].key;

      if (strncmp (name, key, length) == 0 && name[length] == '\0')
        return &table->fields[i];
    }

  return NULL;
}

const char *
wk_json_record_get_id (const WkJsonTable *table,
                       gpointer           record)
{
  const WkJsonField *field = wk_json_table_find (table, "id", strlen ("id"));

  if (field == NULL || field->kind != WK_JSON_ID)
    return NULL;
  return *(char **) wk_json_field_get_place (field, record);
}

gpointer
wk_json_field_get_place (const WkJsonField *field,
                         gpointer           record)
{
  return G_STRUCT_MEMBER_P (record, field->offset);
}

/* Back to what null and absence mean. */
void
wk_json_field_clear (const WkJsonField *field,
                     gpointer           record)
{
  gpointer place = wk_json_field_get_place (field, record);

  switch (field->kind)
    {
    case WK_JSON_STRING:
    case WK_JSON_ID:
    case WK_JSON_TEXT:
      g_clear_pointer ((char **) place, g_free);
      break;
    case WK_JSON_INT:
      *(gint64 *) place = (field->flags & WK_JSON_TRISTATE) != 0 ? -1 : 0;
      break;
    case WK_JSON_DOUBLE:
      *(double *) place = 0;
      break;
    case WK_JSON_BOOLEAN:
      *(gboolean *) place = (field->flags & WK_JSON_TRISTATE) != 0 ? -1 : FALSE;
      break;
    case WK_JSON_STRINGS:
    case WK_JSON_RECORDS:
    case WK_JSON_GROUPS:
      g_clear_pointer ((GPtrArray **) place, g_ptr_array_unref);
      break;
    case WK_JSON_RECORD:
      g_clear_pointer ((gpointer *) place, wk_json_record_destroy);
      break;
    case WK_JSON_MAP:
      g_clear_pointer ((GHashTable **) place, g_hash_table_unref);
      break;
    default:
      g_assert_not_reached ();
    }
}

static const char *
describe_type (WkJsonValueType type)
{
  switch (type)
    {
    case WK_JSON_VALUE_NULL:
      return "null";
    case WK_JSON_VALUE_BOOLEAN:
      return _("a boolean");
    case WK_JSON_VALUE_NUMBER:
      return _("a number");
    case WK_JSON_VALUE_STRING:
      return _("a string");
    case WK_JSON_VALUE_ARRAY:
      return _("a list");
    case WK_JSON_VALUE_OBJECT:
      return _("an object");
    default:
      g_assert_not_reached ();
    }
}

char *
wk_json_complain (const char     *expected,
                  WkJsonValueType type)
{
  /* TRANSLATORS: what should have been there, and what was, as in "a string" and "a number" */
  return g_strdup_printf (_("expected %s, got %s"), expected, describe_type (type));
}

/* The parser has not looked at the bytes: strings that nobody keeps cost nothing. A NUL
 * is refused as well, since what follows it would be lost without a word. */
static char *
dup_valid (const WkJsonValue *value,
           char             **complaint)
{
  if (!g_utf8_validate_len (value->text, value->length, NULL))
    {
      *complaint = g_strdup (_("not valid UTF-8 text"));
      return NULL;
    }

  return g_strndup (value->text, value->length);
}

char *
wk_json_value_to_string (const WkJsonValue *value,
                         char             **complaint)
{
  if (value->type == WK_JSON_VALUE_STRING)
    return dup_valid (value, complaint);

  *complaint = wk_json_complain (_("a string"), value->type);
  return NULL;
}

static gboolean
is_integer (const WkJsonValue *value)
{
  return value->type == WK_JSON_VALUE_NUMBER && memchr (value->text, '.', value->length) == NULL
         && memchr (value->text, 'e', value->length) == NULL
         && memchr (value->text, 'E', value->length) == NULL;
}

char *
wk_json_value_to_id (const WkJsonValue *value,
                     char             **complaint)
{
  if (value->type == WK_JSON_VALUE_STRING || is_integer (value))
    return dup_valid (value, complaint);

  *complaint = wk_json_complain (_("a string or an integer"), value->type);
  return NULL;
}

char *
wk_json_value_to_any_text (const WkJsonValue *value,
                           char             **complaint)
{
  if (value->type == WK_JSON_VALUE_STRING || value->type == WK_JSON_VALUE_NUMBER
      || value->type == WK_JSON_VALUE_BOOLEAN)
    return dup_valid (value, complaint);

  *complaint = wk_json_complain (_("a string, a number or a boolean"), value->type);
  return NULL;
}

/* Whole numbers may come with a fraction of zero or an exponent; a double holds those
 * exactly up to 2^53. */
static gboolean
parse_int (const char *text,
           gint64     *number)
{
  const double exact = 9007199254740992.0;
  double wide;
  char *end;

  if (g_ascii_string_to_signed (text, 10, G_MININT64, G_MAXINT64, number, NULL))
    return TRUE;

  wide = g_ascii_strtod (text, &end);
  if (end == text || *end != '\0' || !(wide >= -exact && wide <= exact))
    return FALSE;
  *number = (gint64) wide;
  return (double) *number == wide;
}

static gboolean
parse_double (const char *text,
              double     *number)
{
  char *end;

  *number = g_ascii_strtod (text, &end);
  return end != text && *end == '\0' && *number - *number == 0;
}

static gboolean
parse_boolean (const char *text,
               gboolean   *boolean)
{
  static const char *const yes[] = { "true", "yes", "on", "1", NULL };
  static const char *const no[] = { "false", "no", "off", "0", "", NULL };
  g_autofree char *lower = g_ascii_strdown (text, -1);

  *boolean = g_strv_contains (yes, lower);
  return *boolean || g_strv_contains (no, lower);
}

static gboolean
set_number (const WkJsonField *field,
            gpointer           place,
            const WkJsonValue *value,
            char             **complaint)
{
  g_autofree char *text = g_strndup (value->text, value->length);
  gboolean fits = value->type == WK_JSON_VALUE_NUMBER || value->type == WK_JSON_VALUE_STRING;

  if (fits && *text == '\0')
    return TRUE;

  if (field->kind == WK_JSON_INT)
    fits = fits && parse_int (text, place);
  else
    fits = fits && parse_double (text, place);
  if (!fits)
    *complaint = wk_json_complain (field->kind == WK_JSON_INT ? _("a whole number") : _("a number"),
                                   value->type);
  return fits;
}

static gboolean
set_boolean (gboolean          *place,
             const WkJsonValue *value,
             char             **complaint)
{
  gboolean is_scalar = value->type != WK_JSON_VALUE_ARRAY && value->type != WK_JSON_VALUE_OBJECT;
  g_autofree char *text = g_strndup (value->text, value->length);

  if (is_scalar && parse_boolean (text, place))
    return TRUE;

  *complaint = wk_json_complain (_("true or false"), value->type);
  return FALSE;
}

gboolean
wk_json_field_set (const WkJsonField *field,
                   gpointer           record,
                   const WkJsonValue *value,
                   char             **complaint)
{
  gpointer place = wk_json_field_get_place (field, record);

  wk_json_field_clear (field, record);
  switch (field->kind)
    {
    case WK_JSON_STRING:
      *(char **) place = wk_json_value_to_string (value, complaint);
      return *(char **) place != NULL;
    case WK_JSON_ID:
      *(char **) place = wk_json_value_to_id (value, complaint);
      return *(char **) place != NULL;
    case WK_JSON_INT:
    case WK_JSON_DOUBLE:
      return set_number (field, place, value, complaint);
    case WK_JSON_BOOLEAN:
      return set_boolean (place, value, complaint);
    case WK_JSON_RECORD:
      /* The image of a server that starts from a volume is "". */
      if (value->type == WK_JSON_VALUE_STRING)
        return TRUE;
      *complaint = wk_json_complain (_("an object"), value->type);
      return FALSE;
    case WK_JSON_MAP:
    case WK_JSON_GROUPS:
      *complaint = wk_json_complain (_("an object"), value->type);
      return FALSE;
    case WK_JSON_STRINGS:
    case WK_JSON_RECORDS:
      *complaint = wk_json_complain (_("a list"), value->type);
      return FALSE;
    case WK_JSON_TEXT:
    default:
      g_assert_not_reached ();
    }
}
