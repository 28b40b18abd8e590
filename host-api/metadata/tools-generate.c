/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "metadata/metadata-names.h"
#include "metadata/tools-find.h"
#include "metadata/tools-spool.h"
#include "metadata/tools-survey.h"
#include "metadata/tools-write.h"
#include "metadata/welkin-tools-metadata.h"
#include "values/welkin-error.h"

typedef struct
{
  /* inputs */
  WelkinStorage      *storage;      /* (owned) */
  GPtrArray          *sources;      /* (owned) of WelkinDataSource: what is public, if anything */
  WelkinToolsFilter   filter;       /* those that go with this program */
  WelkinToolsFlags    flags;
  WelkinSurroundings *surroundings; /* (owned) (nullable) */
  GError             *error;        /* (owned) (nullable) what is wrong with the inputs */

  /* while running */
  WelkinStreamsFound *found;        /* (owned) (nullable) what is public */
  guint               index;        /* of the record of that which is looked at */
  GPtrArray          *items;        /* (owned) (nullable) of WelkinStreamsItem */
  GPtrArray          *left_out;     /* (owned) the binary versions of what is no archive */
} Generate;

static void
generate_free (gpointer user_data)
{
  Generate *self = user_data;

  g_ptr_array_unref (self->left_out);
  g_clear_pointer (&self->items, g_ptr_array_unref);
  g_clear_pointer (&self->found, welkin_streams_found_free);
  g_clear_error (&self->error);
  g_clear_pointer (&self->surroundings, welkin_surroundings_unref);
  welkin_tools_filter_clear (&self->filter);
  g_ptr_array_unref (self->sources);
  g_object_unref (self->storage);
  g_free (self);
}

static void
begin_search (Generate           *self,
              GCancellable       *cancellable,
              GAsyncReadyCallback callback,
              gpointer            user_data)
{
  g_autoptr(WelkinStreamsQuery) query = welkin_tools_filter_query (&self->filter,
                                                                   self->surroundings);

  g_info ("there are no tools here: asking the public place");
  welkin_streams_search_async (self->sources, query, cancellable, callback, user_data);
}

/* The record that is looked at; NULL behind the last one. */
static const WelkinStreamsItem *
get_record (Generate *self)
{
  return self->found != NULL && self->index < self->found->records->len
           ? g_ptr_array_index (self->found->records, self->index)
           : NULL;
}

static gboolean
add_item (Generate   *self,
          const char *sha256,
          gint64      size,
          GError    **error)
{
  g_autofree char *binary = welkin_tools_item_binary (get_record (self));
  WelkinStreamsItem *item = welkin_tools_item_new (self->filter.stream->directory, binary, sha256,
                                                   size, error);

  if (item == NULL)
    return FALSE;
  g_ptr_array_add (self->items, item);
  self->index++;
  return TRUE;
}

/* As far as its publisher tells all of it. */
static gboolean
add_complete_items (Generate *self,
                    GError  **error)
{
  const WelkinStreamsItem *record;

  while ((record = get_record (self)) != NULL)
    {
      const char *sha256 = welkin_streams_item_get (record, WELKIN_STREAMS_SHA256);
      gint64 size = welkin_tools_item_size (record);

      if (*sha256 == '\0' || size < 0)
        return TRUE;
      if (!add_item (self, sha256, size, error))
        return FALSE;
    }
  return TRUE;
}

static void
fail_without_tools (Generate *self,
                    GError  **error)
{
  if (self->found != NULL)
    welkin_tools_fail_to_find (self->found, &self->filter, error);
  else
    g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NO_TOOLS,
                 _("no tools are available: there is no \"%s%s%s\", and no public place of tools"),
                 WELKIN_TOOLS_PREFIX, self->filter.stream->directory,
                 WELKIN_TOOLS_FILE_PREFIX "VERSION-SERIES-ARCH" WELKIN_TOOLS_FILE_SUFFIX);
}

static void
generate_run (WkFlow  *flow,
              gpointer user_data)
{
  Generate *self = user_data;
  char **written;
  g_autoptr(WelkinToolsSpool) measured = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (self->error != NULL)
    WK_FAIL (flow, &self->error, NULL);
  WK_AWAIT (flow, welkin_tools_survey_async (self->storage, self->filter.stream, NULL,
                                             self->filter.major, self->left_out,
                                             WK_RESUME (flow)));
  self->items = welkin_tools_survey_finish (WK_RESULT (flow), &error);
  if (self->items == NULL)
    WK_FAIL (flow, &error, NULL);

  if (self->items->len == 0 && self->sources->len > 0)
    {
      WK_AWAIT (flow, begin_search (self, WK_RESUME (flow)));
      self->found = welkin_streams_search_finish (WK_RESULT (flow), &error);
      if (self->found == NULL)
        WK_FAIL (flow, &error, NULL);
    }
  if (self->items->len == 0 && (self->found == NULL || self->found->records == NULL))
    {
      fail_without_tools (self, &error);
      WK_FAIL (flow, &error, NULL);
    }
  if (!add_complete_items (self, &error))
    WK_FAIL (flow, &error, NULL);
  while (get_record (self) != NULL)
    {
      WK_AWAIT (flow, welkin_tools_measure_async (self->found->source,
                                                  welkin_streams_item_get (get_record (self),
                                                                           WELKIN_STREAMS_PATH),
                                                  WK_RESUME (flow)));
      measured = welkin_tools_spool_finish (self->found->source, WK_RESULT (flow), &error);
      if (measured == NULL
          || !welkin_tools_item_check (get_record (self), measured->sha256, measured->size, &error)
          || !welkin_tools_spool_check (measured, &error))
        WK_FAIL (flow, &error, welkin_streams_item_get (get_record (self), WELKIN_STREAMS_PATH));
      if (!add_item (self, measured->sha256, measured->size, &error)
          || !add_complete_items (self, &error))
        WK_FAIL (flow, &error, NULL);
      g_clear_pointer (&measured, welkin_tools_spool_free);
    }

  WK_AWAIT (flow, welkin_tools_write_async (self->items, self->left_out, self->storage,
                                            self->filter.stream,
                                            (self->flags & WELKIN_TOOLS_PUBLIC) != 0,
                                            WK_RESUME (flow)));
  written = welkin_tools_write_finish (WK_RESULT (flow), &error);
  if (written == NULL)
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_pointer (flow, written, (GDestroyNotify) g_strfreev);

  WK_FLOW_END (flow);
}

/**
 * welkin_tools_generate_async:
 * @storage: where tools lie
 * @source: (nullable): where they are public, for when none lie there
 * @stream: (nullable): their stream, as in "devel"; %NULL for what is released
 * @flags: whether they are public
 * @surroundings: (nullable): where proxies and the key come from; %NULL for
 *   those of the process
 * @cancellable: (nullable): ends the call
 * @callback: (scope async) (closure user_data): called in the thread-default
 *   main context of the call
 * @user_data: data for @callback
 *
 * Writes metadata of the archives "tools/releases/welkin-VERSION-SERIES-ARCH.tgz"
 * of a storage, beside those that there are of others. What is no such archive,
 * whatever it is called, is left out with a warning, also of what metadata told
 * before.
 *
 * Archives of another stream than what is released lie in "tools/STREAM". Only
 * those of the same major version as this Welkin count. Where there are none, the
 * metadata tell of what is public, as if it had been copied.
 *
 * Since: 0.1
 */
void
welkin_tools_generate_async (WelkinStorage       *storage,
                             WelkinDataSource    *source,
                             const char          *stream,
                             WelkinToolsFlags     flags,
                             WelkinSurroundings  *surroundings,
                             GCancellable        *cancellable,
                             GAsyncReadyCallback  callback,
                             gpointer             user_data)
{
  Generate *self;

  g_return_if_fail (WELKIN_IS_STORAGE (storage));
  g_return_if_fail (source == NULL || WELKIN_IS_DATA_SOURCE (source));

  self = g_new0 (Generate, 1);
  self->storage = g_object_ref (storage);
  self->sources = g_ptr_array_new_with_free_func (g_object_unref);
  self->left_out = g_ptr_array_new_with_free_func (g_free);
  if (source != NULL)
    g_ptr_array_add (self->sources, g_object_ref (source));
  self->flags = flags;
  if (surroundings != NULL)
    self->surroundings = welkin_surroundings_ref (surroundings);
  if (welkin_tools_filter_init (&self->filter, stream, NULL, NULL, NULL, FALSE, &self->error))
    welkin_tools_filter_take_host_version (&self->filter, TRUE);
  wk_flow_start (NULL, cancellable, callback, user_data, welkin_tools_generate_async, generate_run,
                 self, generate_free);
}

/**
 * welkin_tools_generate_finish:
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [func@Tools.generate_async].
 *
 * Returns: (transfer full) (array zero-terminated=1): the names of the files that
 *   were written, or %NULL on error
 *
 * Since: 0.1
 */
char **
welkin_tools_generate_finish (GAsyncResult  *result,
                              GError       **error)
{
  return wk_flow_finish_pointer (result, NULL, welkin_tools_generate_async, error);
}
