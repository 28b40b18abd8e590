/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/json-walk.h"

#include <glib/gi18n-lib.h>

#include "base/json-private.h"
#include "values/welkin-error.h"

/* An array or object that is open. */
typedef struct
{
  gboolean is_array;
  guint    index; /* of the next element of an array */
  GString *key;   /* (owned) that leads on from here */
} Step;

typedef struct
{
  /* inputs */
  WkJsonLimits limits;
  WkJsonVisit  visit;
  gpointer     data;

  /* while running */
  GPtrArray   *steps;   /* (owned) of Step: the open ones, and behind them some to be used again */
  GPtrArray   *path;    /* (owned container) the keys, NULL-terminated */
  guint        depth;   /* of the open ones */
  guint        n_values;
  GString     *text;    /* (owned) of the value */
} Walk;

static void
step_free (gpointer data)
{
  Step *self = data;

  g_string_free (self->key, TRUE);
  g_free (self);
}

static gboolean
check_text (Walk       *self,
            const char *text,
            gsize       length,
            GError    **error)
{
  if (length > self->limits.max_string)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
                   _("a value of more than %lu bytes"), (gulong) self->limits.max_string);
      return FALSE;
    }
  if (!g_utf8_validate_len (text, length, NULL))
    {
      g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
                           _("the answer is not valid UTF-8 text"));
      return FALSE;
    }
  return TRUE;
}

static gboolean
show (Walk       *self,
      const char *text,
      GError    **error)
{
  if (++self->n_values > self->limits.max_records)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL, _("more than %u values"),
                   self->limits.max_records);
      return FALSE;
    }
  return self->visit ((const char *const *) self->path->pdata, self->depth, text, self->data,
                      error);
}

/* The way to the next element of the array that is open, if one is. */
static void
begin_element (Walk *self)
{
  Step *step = self->depth > 0 ? g_ptr_array_index (self->steps, self->depth - 1) : NULL;

  if (step == NULL || !step->is_array)
    return;
  g_string_printf (step->key, "%u", step->index);
  g_ptr_array_index (self->path, self->depth - 1) = step->key->str;
  step->index++;
}

static gboolean
walk_add_value (gpointer           user_data,
                const WkJsonValue *value,
                GError           **error)
{
  Walk *self = user_data;

  begin_element (self);
  if (value->type == WK_JSON_VALUE_NULL)
    return TRUE;
  if (!check_text (self, value->text, value->length, error))
    return FALSE;
  g_string_truncate (self->text, 0);
  g_string_append_len (self->text, value->text, value->length);
  return show (self, self->text->str, error);
}

static gboolean
walk_add_key (gpointer    user_data,
              const char *key,
              gsize       length,
              GError    **error)
{
  Walk *self = user_data;
  Step *step = g_ptr_array_index (self->steps, self->depth - 1);

  if (!check_text (self, key, length, error))
    return FALSE;
  g_string_truncate (step->key, 0);
  g_string_append_len (step->key, key, length);
  g_ptr_array_index (self->path, self->depth - 1) = step->key->str;
  return TRUE;
}

static gboolean
walk_begin (gpointer        user_data,
            WkJsonValueType type,
            GError        **error)
{
  Walk *self = user_data;
  Step *step;

  begin_element (self);
  if (!show (self, NULL, error))
    return FALSE;

  if (self->depth == self->steps->len)
    {
      step = g_new0 (Step, 1);
      step->key = g_string_new (NULL);
      g_ptr_array_add (self->steps, step);
      g_ptr_array_add (self->path, NULL);
    }
  step = g_ptr_array_index (self->steps, self->depth);
  step->is_array = type == WK_JSON_VALUE_ARRAY;
  step->index = 0;
  self->depth++;
  return TRUE;
}

static gboolean
walk_end (gpointer        user_data,
          WkJsonValueType type,
          GError        **error)
{
  Walk *self = user_data;

  self->depth--;
  g_ptr_array_index (self->path, self->depth) = NULL;
  return TRUE;
}

static const WkJsonHandler walk_handler = {
  .add_value = walk_add_value,
  .add_key = walk_add_key,
  .begin = walk_begin,
  .end = walk_end,
};

gboolean
wk_json_walk (GBytes             *bytes,
              const WkJsonLimits *limits,
              WkJsonVisit         visit,
              gpointer            data,
              GError            **error)
{
  Walk self = {
    .limits = wk_json_limits_complete (limits),
    .visit = visit,
    .data = data,
    .steps = g_ptr_array_new_with_free_func (step_free),
    .path = g_ptr_array_new (),
    .text = g_string_new (NULL),
  };
  g_autoptr(WkJsonParser) parser = wk_json_parser_new (&walk_handler, &self, &self.limits);
  gsize length;
  const char *contents = g_bytes_get_data (bytes, &length);
  gboolean is_read;

  g_ptr_array_add (self.path, NULL);
  is_read = wk_json_parser_feed (parser, contents, length, error)
            && wk_json_parser_finish (parser, error);

  g_string_free (self.text, TRUE);
  g_ptr_array_unref (self.path);
  g_ptr_array_unref (self.steps);
  return is_read;
}
