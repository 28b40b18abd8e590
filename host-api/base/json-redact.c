/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/json-private.h"
#include "base/redact.h"

/* JSON that is written again without its secrets. */

/* What an object or an array stands under decides about what is in it. */
typedef enum
{
  ROLE_PLAIN,
  ROLE_SECRET, /* the values of an array */
  ROLE_TOKEN,  /* {"token": {"id": …}}, where the id is the secret */
} Role;

typedef struct
{
  Role     role;
  gboolean is_array;
} Level;

typedef struct
{
  WkJsonText *text;    /* (owned) */
  GArray     *levels;  /* (owned) of Level */
  char       *key;     /* (owned) (nullable) of the value that comes next */
  WkSecrets  *known;   /* (nullable) */
  WkSecrets  *found;   /* (nullable) */
} Redaction;

static Level *
get_level (Redaction *self)
{
  return self->levels->len > 0 ? &g_array_index (self->levels, Level, self->levels->len - 1) : NULL;
}

static gboolean
is_secret_place (Redaction *self)
{
  Level *level = get_level (self);

  if (level == NULL)
    return FALSE;
  if (level->is_array)
    return level->role == ROLE_SECRET;
  return wk_redact_is_secret (self->key)
         || (level->role == ROLE_TOKEN && g_ascii_strcasecmp (self->key, "id") == 0);
}

/* A number or a string, of which null and the booleans tell nothing. */
static gboolean
is_telling (const WkJsonValue *value)
{
  return value->type == WK_JSON_VALUE_STRING || value->type == WK_JSON_VALUE_NUMBER;
}

static gboolean
add_value (gpointer           data,
           const WkJsonValue *value,
           GError           **error)
{
  static const WkJsonValue redacted = {
    WK_JSON_VALUE_STRING, WK_REDACTED, sizeof WK_REDACTED - 1,
  };
  Redaction *self = data;

  if (is_telling (value) && is_secret_place (self))
    {
      g_autofree char *secret = g_strndup (value->text, value->length);

      if (self->found != NULL)
        wk_secrets_add (self->found, secret);
      wk_json_text_add_value (self->text, &redacted);
    }
  else if (is_telling (value))
    {
      g_autofree char *whole = g_strndup (value->text, value->length);
      g_autofree char *safe = wk_redact_known (whole, self->known, FALSE);
      const WkJsonValue safe_value = { WK_JSON_VALUE_STRING, safe, strlen (safe) };
      gboolean is_same = strlen (safe) == value->length && strcmp (safe, whole) == 0;

      /* A number stays one. */
      wk_json_text_add_value (self->text, is_same ? value : &safe_value);
    }
  else
    wk_json_text_add_value (self->text, value);
  return TRUE;
}

static gboolean
add_key (gpointer    data,
         const char *key,
         gsize       length,
         GError    **error)
{
  Redaction *self = data;
  g_autofree char *safe = NULL;

  g_free (self->key);
  self->key = g_strndup (key, length);
  safe = wk_redact_known (self->key, self->known, FALSE);
  wk_json_text_add_key (self->text, safe, strlen (safe));
  /* Who reads what was made safe judges by the key that is there. */
  if (!wk_redact_is_secret (self->key) && wk_redact_is_secret (safe))
    {
      g_free (self->key);
      self->key = g_steal_pointer (&safe);
    }
  return TRUE;
}

static gboolean
begin (gpointer        data,
       WkJsonValueType type,
       GError        **error)
{
  Redaction *self = data;
  Level *outer = get_level (self);
  Level level = { ROLE_PLAIN, type == WK_JSON_VALUE_ARRAY };

  if (outer != NULL && level.is_array && is_secret_place (self))
    level.role = ROLE_SECRET;
  else if (outer != NULL && !level.is_array && !outer->is_array
           && g_ascii_strcasecmp (self->key, "token") == 0)
    level.role = ROLE_TOKEN;
  g_array_append_val (self->levels, level);
  wk_json_text_begin (self->text, type);
  return TRUE;
}

static gboolean
end (gpointer        data,
     WkJsonValueType type,
     GError        **error)
{
  Redaction *self = data;

  g_array_set_size (self->levels, self->levels->len - 1);
  wk_json_text_end (self->text, type);
  return TRUE;
}

char *
wk_redact_json (const char *data,
                gsize       length,
                WkSecrets  *known,
                WkSecrets  *found)
{
  static const WkJsonHandler handler = { add_value, add_key, begin, end };
  const WkJsonLimits limits = wk_json_limits_complete (NULL);
  Redaction self = {
    .text = wk_json_text_new (),
    .levels = g_array_new (FALSE, FALSE, sizeof (Level)),
    .known = known,
    .found = found,
  };
  g_autoptr(WkJsonParser) parser = wk_json_parser_new (&handler, &self, &limits);
  char *text;

  /* What cannot be read is not shown, and that is all there is to say about it. */
  if (wk_json_parser_feed (parser, data, length, NULL))
    wk_json_parser_finish (parser, NULL);
  text = wk_json_text_dup_valid (self.text);
  wk_json_text_free (self.text);
  g_array_unref (self.levels);
  g_free (self.key);
  return text;
}
