/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/json-private.h"
#include "values/welkin-error.h"

/* The decoder: a parser, and a builder that it tells what it finds. */

struct _WkJsonDecoder
{
  /* inputs */
  const WkJsonTable *table;
  char              *member;  /* (owned) (nullable) */
  WkJsonLimits       limits;

  /* while running */
  WkJsonParser      *parser;  /* (owned) */
  WkJsonBuilder     *builder; /* (owned) */
};

static void
decoder_begin (WkJsonDecoder *self)
{
  self->builder = wk_json_builder_new (self->table, self->member, &self->limits);
  self->parser = wk_json_parser_new (&wk_json_builder_handler, self->builder, &self->limits);
}

static void
decoder_end (WkJsonDecoder *self)
{
  g_clear_pointer (&self->parser, wk_json_parser_free);
  g_clear_pointer (&self->builder, wk_json_builder_free);
}

WkJsonDecoder *
wk_json_decoder_new (const WkJsonTable  *table,
                     const char         *member,
                     const WkJsonLimits *limits)
{
  WkJsonDecoder *self;

  g_return_val_if_fail (table != NULL, NULL);

  self = g_new0 (WkJsonDecoder, 1);
  self->table = table;
  self->member = g_strdup (member);
  self->limits = wk_json_limits_complete (limits);
  decoder_begin (self);
  return self;
}

void
wk_json_decoder_free (WkJsonDecoder *self)
{
  if (self == NULL)
    return;

  decoder_end (self);
  g_free (self->member);
  g_free (self);
}

void
wk_json_decoder_reset (WkJsonDecoder *self)
{
  decoder_end (self);
  decoder_begin (self);
}

gboolean
wk_json_decoder_feed (WkJsonDecoder *self,
                      const char    *data,
                      gsize          length,
                      GError       **error)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (data != NULL || length == 0, FALSE);

  return wk_json_parser_feed (self->parser, data, length, error);
}

gboolean
wk_json_decoder_finish (WkJsonDecoder *self,
                        GError       **error)
{
  g_return_val_if_fail (self != NULL, FALSE);

  if (!wk_json_parser_finish (self->parser, error))
    return FALSE;
  if (wk_json_builder_get_outcome (self->builder)->has_member)
    return TRUE;
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL, _("the answer lacks “%s”"),
               self->member);
  return FALSE;
}

GPtrArray *
wk_json_decoder_steal_records (WkJsonDecoder *self)
{
  return wk_json_builder_steal_records (self->builder);
}

gpointer
wk_json_decoder_steal_record (WkJsonDecoder *self)
{
  GPtrArray *records = wk_json_builder_get_outcome (self->builder)->records;

  return records->len > 0 ? g_ptr_array_steal_index (records, 0) : NULL;
}

guint
wk_json_decoder_get_spoilt (WkJsonDecoder *self)
{
  return wk_json_builder_get_outcome (self->builder)->spoilt;
}

const char *
wk_json_decoder_get_complaint (WkJsonDecoder *self)
{
  return wk_json_builder_get_outcome (self->builder)->complaint;
}

const char *
wk_json_decoder_get_next (WkJsonDecoder *self)
{
  return wk_json_builder_get_outcome (self->builder)->next;
}
