/* SPDX-License-Identifier: LGPL-2.1-or-later */

/*
 * One attempt to find something in one source: index, perhaps the lists of mirrors, products, and
 * of those the records that are wanted.
 */

#include "config.h"

#include "metadata/simplestreams-attempt.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "metadata/metadata-names.h"
#include "metadata/simplestreams-index.h"
#include "metadata/simplestreams-products.h"
#include "metadata/simplestreams-read.h"
#include "metadata/welkin-data-sources.h"
#include "values/welkin-error.h"

typedef struct
{
  /* inputs */
  WelkinDataSource   *source;          /* (owned) */
  WelkinStreamsQuery *query;           /* (owned) */
  gboolean            is_signed;
  WelkinResolveInfo **info;            /* the caller's */
  WelkinDataSource  **origin;          /* the caller's */

  /* while running */
  const char         *suffix;
  char               *path;            /* (owned) of the file that is read */
  GBytes             *bytes;           /* (owned) (nullable) what it holds */
  char               *index_uri;       /* (owned) */
  GPtrArray          *index;           /* (owned) (nullable) of WelkinStreamsEntry */
  WelkinDataSource   *products_source; /* (owned) the source, or a mirror */
  char               *products_path;   /* (owned) (nullable) */
  char               *mirror_uri;      /* (owned) (nullable) */
} Attempt;

WelkinStreamsQuery *
welkin_streams_query_new (const char          *datatype,
                          WelkinStreamsCollect collect)
{
  WelkinStreamsQuery *self = g_rc_box_new0 (WelkinStreamsQuery);

  self->datatype = g_strdup (datatype);
  self->collect = collect;
  self->cloud = welkin_cloud_spec_new (NULL, NULL);
  return self;
}

WelkinStreamsQuery *
welkin_streams_query_ref (WelkinStreamsQuery *self)
{
  return g_rc_box_acquire (self);
}

static void
query_clear (gpointer data)
{
  WelkinStreamsQuery *self = data;

  g_free (self->datatype);
  g_strfreev (self->content_ids);
  welkin_cloud_spec_free (self->cloud);
  g_strfreev (self->product_ids);
  g_free (self->key_path);
  g_clear_pointer (&self->surroundings, welkin_surroundings_unref);
}

void
welkin_streams_query_unref (WelkinStreamsQuery *self)
{
  g_rc_box_release_full (self, query_clear);
}

static void
attempt_free (gpointer user_data)
{
  Attempt *self = user_data;

  g_clear_pointer (&self->bytes, g_bytes_unref);
  g_clear_pointer (&self->index, g_ptr_array_unref);
  g_object_unref (self->products_source);
  g_free (self->products_path);
  g_free (self->mirror_uri);
  g_free (self->index_uri);
  g_free (self->path);
  welkin_streams_query_unref (self->query);
  g_object_unref (self->source);
  g_free (self);
}

static gboolean
is_missing (const GError *error)
{
  return g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND)
         || g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_UNAUTHORIZED);
}

static void
begin_reading (Attempt            *self,
               WelkinDataSource   *source,
               const char         *name,
               const char         *suffix,
               GCancellable       *cancellable,
               GAsyncReadyCallback callback,
               gpointer            user_data)
{
  char *path = g_strconcat (name, suffix, NULL);

  g_free (self->path);
  self->path = path;
  g_clear_pointer (&self->bytes, g_bytes_unref);
  welkin_streams_read_async (source, self->path, self->is_signed ? self->query->key_path : NULL,
                             cancellable, callback, user_data);
}

static gboolean
finish_reading (Attempt          *self,
                WelkinDataSource *source,
                GAsyncResult     *result,
                GError          **error)
{
  self->bytes = welkin_streams_read_finish (source, result, error);
  return self->bytes != NULL;
}

static void
begin_reading_index (Attempt            *self,
                     const char         *name,
                     GCancellable       *cancellable,
                     GAsyncReadyCallback callback,
                     gpointer            user_data)
{
  g_autofree char *path = g_strconcat (name, self->suffix, NULL);

  g_free (self->index_uri);
  self->index_uri = welkin_data_source_get_uri (self->source, path);
  begin_reading (self, self->source, name, self->suffix, cancellable, callback, user_data);
}

/* TRUE: the bytes are a list of lists of mirrors, and self->path is now the list for us. */
static gboolean
take_list_of_mirrors (Attempt *self,
                      GError **error)
{
  g_autofree char *uri = welkin_data_source_get_uri (self->source, self->path);
  g_autoptr(GPtrArray) lists = welkin_streams_parse_mirrors (self->bytes, uri, error);
  const WelkinStreamsEntry *entry = NULL;

  if (lists != NULL)
    entry = welkin_streams_choose_mirrors (lists,
                                           (const char *const *) self->query->content_ids,
                                           self->query->datatype, self->query->cloud);
  if (entry == NULL)
    return FALSE;
  g_free (self->path);
  self->path = g_strdup (entry->path);
  return TRUE;
}

static gboolean
take_mirror (Attempt *self,
             GError **error)
{
  g_autofree char *uri = welkin_data_source_get_uri (self->source, self->path);
  g_autoptr(GPtrArray) mirrors = welkin_streams_parse_mirrors (self->bytes, uri, error);
  const WelkinStreamsEntry *entry = NULL;
  WelkinDataSource *mirror;

  if (mirrors != NULL)
    entry = welkin_streams_choose_mirror (mirrors,
                                          (const char *const *) self->query->content_ids,
                                          self->query->cloud);
  if (entry == NULL)
    return FALSE;
  mirror = welkin_data_source_new_for_location (entry->mirror, "mirror", WELKIN_DATA_SOURCE_NONE,
                                                self->query->surroundings, error);
  if (mirror == NULL)
    return FALSE;

  g_object_unref (self->products_source);
  self->products_source = mirror;
  self->products_path = g_strdup (entry->path);
  self->mirror_uri = g_strdup (entry->mirror);
  return TRUE;
}

/* That a mirror is no good is no reason to do without what the source itself has. */
static void
drop_mirror (Attempt *self)
{
  g_set_object (&self->products_source, self->source);
  g_clear_pointer (&self->products_path, g_free);
  g_clear_pointer (&self->mirror_uri, g_free);
}

static gboolean
choose_products (Attempt *self,
                 GError **error)
{
  const WelkinStreamsEntry *entry;

  entry = welkin_streams_choose_entry (self->index, self->query->datatype,
                                       (const char *const *) self->query->content_ids,
                                       self->query->cloud,
                                       (const char *const *) self->query->product_ids, error);
  if (entry == NULL)
    return FALSE;
  self->products_path = g_strdup (entry->path);
  return TRUE;
}

static GPtrArray *
collect_records (Attempt *self,
                 GError **error)
{
  g_autofree char *uri = welkin_data_source_get_uri (self->products_source, self->path);
  g_autoptr(GPtrArray) items = NULL;
  g_autoptr(GPtrArray) records = NULL;

  items = welkin_streams_parse_products (self->bytes,
                                         (const char *const *) self->query->product_ids, uri,
                                         error);
  if (items == NULL)
    return NULL;
  records = self->query->collect (items, self->query);
  if (records->len > 0)
    return g_steal_pointer (&records);
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NO_MATCH,
               _("index has no matching records: of %u items in %s none is wanted"), items->len,
               uri);
  return NULL;
}

static void
note_info (Attempt *self)
{
  g_clear_pointer (self->info, welkin_resolve_info_unref);
  *self->info = welkin_resolve_info_new (welkin_data_source_get_description (self->source),
                                         self->is_signed, self->index_uri, self->mirror_uri);
}

static void
begin_reading_products (Attempt            *self,
                        GCancellable       *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer            user_data)
{
  begin_reading (self, self->products_source, self->products_path, "", cancellable, callback,
                 user_data);
}

/* (transfer full): the records, or NULL on error */
static GPtrArray *
finish_reading_products (Attempt      *self,
                         GAsyncResult *result,
                         GError      **error)
{
  GPtrArray *records;

  if (!finish_reading (self, self->products_source, result, error))
    {
      /* What an index names must be there. */
      if (is_missing (*error))
        (*error)->code = WELKIN_ERROR_PROTOCOL;
      g_prefix_error (error, "%s: ", _("cannot read product data"));
      return NULL;
    }
  records = collect_records (self, error);
  if (records != NULL)
    g_set_object (self->origin, self->products_source);
  return records;
}

static void
attempt_run (WkFlow  *flow,
             gpointer user_data)
{
  Attempt *self = user_data;
  GPtrArray *records;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, begin_reading_index (self, WELKIN_METADATA_INDEX2, WK_RESUME (flow)));
  if (!finish_reading (self, self->source, WK_RESULT (flow), &error) && is_missing (error))
    {
      g_clear_error (&error);
      WK_AWAIT (flow, begin_reading_index (self, WELKIN_METADATA_INDEX, WK_RESUME (flow)));
      finish_reading (self, self->source, WK_RESULT (flow), &error);
    }
  note_info (self);
  if (error != NULL)
    WK_FAIL (flow, &error, is_missing (error) ? NULL : _("cannot read index data"));
  self->index = welkin_streams_parse_index (self->bytes, self->index_uri, &error);
  if (self->index == NULL)
    WK_FAIL (flow, &error, NULL);

  if (self->query->follows_mirrors)
    {
      WK_AWAIT (flow, begin_reading (self, self->source, WELKIN_METADATA_MIRRORS, self->suffix,
                                     WK_RESUME (flow)));
      if (!finish_reading (self, self->source, WK_RESULT (flow), &error) && !is_missing (error))
        WK_FAIL (flow, &error, _("cannot load mirror metadata"));
      g_clear_error (&error);
      if (self->bytes != NULL && take_list_of_mirrors (self, &error))
        {
          WK_AWAIT (flow, begin_reading (self, self->source, self->path, "", WK_RESUME (flow)));
          if (finish_reading (self, self->source, WK_RESULT (flow), &error))
            take_mirror (self, &error);
        }
    }
  if (self->mirror_uri != NULL)
    {
      WK_AWAIT (flow, begin_reading_products (self, WK_RESUME (flow)));
      records = finish_reading_products (self, WK_RESULT (flow), &error);
      if (records != NULL)
        {
          note_info (self);
          wk_flow_return_pointer (flow, records, (GDestroyNotify) g_ptr_array_unref);
          return;
        }
      drop_mirror (self);
    }
  if (error != NULL)
    g_info ("no mirror is used: %s", error->message);
  g_clear_error (&error);
  if (wk_flow_is_cancelled (flow, &error) || !choose_products (self, &error))
    WK_FAIL (flow, &error, NULL);

  WK_AWAIT (flow, begin_reading_products (self, WK_RESUME (flow)));
  records = finish_reading_products (self, WK_RESULT (flow), &error);
  if (records == NULL)
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_pointer (flow, records, (GDestroyNotify) g_ptr_array_unref);

  WK_FLOW_END (flow);
}

void
welkin_streams_attempt_async (WelkinDataSource    *source,
                              WelkinStreamsQuery  *query,
                              gboolean             is_signed,
                              WelkinResolveInfo  **info,
                              WelkinDataSource   **origin,
                              GCancellable        *cancellable,
                              GAsyncReadyCallback  callback,
                              gpointer             user_data)
{
  Attempt *self = g_new0 (Attempt, 1);

  self->source = g_object_ref (source);
  self->query = welkin_streams_query_ref (query);
  self->is_signed = is_signed;
  self->info = info;
  self->origin = origin;
  self->suffix = is_signed ? WELKIN_METADATA_SIGNED_SUFFIX : WELKIN_METADATA_PLAIN_SUFFIX;
  self->products_source = g_object_ref (source);
  wk_flow_start (source, cancellable, callback, user_data, welkin_streams_attempt_async,
                 attempt_run, self, attempt_free);
}

GPtrArray *
welkin_streams_attempt_finish (WelkinDataSource *source,
                               GAsyncResult     *result,
                               GError          **error)
{
  return wk_flow_finish_pointer (result, source, welkin_streams_attempt_async, error);
}
