/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "metadata/tools-find.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "metadata/welkin-tools-metadata.h"
#include "values/welkin-error.h"

typedef struct
{
  GPtrArray          *sources;      /* (owned) of WelkinDataSource */
  WelkinToolsFilter   filter;
  WelkinSurroundings *surroundings; /* (owned) (nullable) */
  gboolean            only_newest;
  GError             *error;        /* (owned) (nullable) what is wrong with the question */
} Find;

static void
find_free (gpointer user_data)
{
  Find *self = user_data;

  g_clear_error (&self->error);
  g_clear_pointer (&self->surroundings, welkin_surroundings_unref);
  welkin_tools_filter_clear (&self->filter);
  g_ptr_array_unref (self->sources);
  g_free (self);
}

void
welkin_tools_fail_to_find (WelkinStreamsFound *found,
                           GError            **error)
{
  g_autofree char *explanation = welkin_streams_found_explain (found);

  if (*explanation == '\0')
    g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_NO_TOOLS,
                         _("no tools are available: there is no place to look in; name one in "
                           "\"tools-metadata-url\""));
  else
    g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NO_TOOLS,
                 /* TRANSLATORS: a list of places, each on a line of its own */
                 _("no matching tools are available in:\n%s"), explanation);
}

static void
begin_search (Find               *self,
              GCancellable       *cancellable,
              GAsyncReadyCallback callback,
              gpointer            user_data)
{
  g_autoptr(WelkinStreamsQuery) query = welkin_tools_filter_query (&self->filter,
                                                                   self->surroundings);

  welkin_streams_search_async (self->sources, query, cancellable, callback, user_data);
}

static GPtrArray *
make_tools (WelkinStreamsFound *found)
{
  GPtrArray *tools = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_tools_unref);

  for (guint i = 0; i < found->records->len; i++)
    {
      const WelkinStreamsItem *item = g_ptr_array_index (found->records, i);
      const char *sha256 = welkin_streams_item_get (item, WELKIN_STREAMS_SHA256);
      g_autofree char *uri =
        welkin_data_source_get_uri (found->source,
                                    welkin_streams_item_get (item, WELKIN_STREAMS_PATH));

      g_ptr_array_add (tools,
                       welkin_tools_new (welkin_streams_item_get (item, WELKIN_STREAMS_VERSION),
                                         welkin_streams_item_get (item, WELKIN_STREAMS_RELEASE),
                                         welkin_streams_item_get (item, WELKIN_STREAMS_ARCH), uri,
                                         *sha256 != '\0' ? sha256 : NULL,
                                         welkin_tools_item_size (item)));
    }
  return tools;
}

static void
find_run (WkFlow  *flow,
          gpointer user_data)
{
  Find *self = user_data;
  g_autoptr(WelkinStreamsFound) found = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (self->error != NULL)
    WK_FAIL (flow, &self->error, NULL);
  WK_AWAIT (flow, begin_search (self, WK_RESUME (flow)));
  found = welkin_streams_search_finish (WK_RESULT (flow), &error);
  if (found == NULL)
    WK_FAIL (flow, &error, NULL);
  if (found->records == NULL)
    {
      welkin_tools_fail_to_find (found, &error);
      WK_FAIL (flow, &error, NULL);
    }
  if (self->only_newest)
    welkin_tools_keep_newest (found->records);
  wk_flow_return_pointer (flow, make_tools (found), (GDestroyNotify) g_ptr_array_unref);

  WK_FLOW_END (flow);
}

/**
 * welkin_tools_find_async:
 * @sources: (element-type WelkinDataSource): where to look, in this order
 * @series: (nullable): the series that they are for, as in "noble"; %NULL for any
 * @arch: (nullable): the architecture, as in "amd64"; %NULL for any
 * @version: (nullable): which ones, as in "1", "1.2" or "1.2.3"; %NULL for any
 * @flags: whether all versions, and those that are tried out, are wanted
 * @surroundings: (nullable): where proxies and the key come from; %NULL for
 *   those of the process
 * @cancellable: (nullable): ends the call
 * @callback: (scope async) (closure user_data): called in the thread-default
 *   main context of the call
 * @user_data: data for @callback
 *
 * Looks for tools in metadata.
 *
 * The first source that has any that are wanted wins. What is neither a version
 * nor the beginning of one, and an unknown series, are
 * %WELKIN_ERROR_INVALID_ARGUMENT.
 *
 * Since: 0.1
 */
void
welkin_tools_find_async (GPtrArray           *sources,
                         const char          *series,
                         const char          *arch,
                         const char          *version,
                         WelkinToolsFlags     flags,
                         WelkinSurroundings  *surroundings,
                         GCancellable        *cancellable,
                         GAsyncReadyCallback  callback,
                         gpointer             user_data)
{
  Find *self;

  g_return_if_fail (sources != NULL);

  self = g_new0 (Find, 1);
  self->sources = g_ptr_array_ref (sources);
  if (surroundings != NULL)
    self->surroundings = welkin_surroundings_ref (surroundings);
  self->only_newest = (flags & WELKIN_TOOLS_ALL_VERSIONS) == 0;
  welkin_tools_filter_init (&self->filter, series, arch, version,
                            (flags & WELKIN_TOOLS_DEVELOPMENT) == 0, &self->error);
  wk_flow_start (NULL, cancellable, callback, user_data, welkin_tools_find_async, find_run, self,
                 find_free);
}

/**
 * welkin_tools_find_finish:
 * @result: what the callback got
 * @error: return location for an error
 *
 * Gets what came of [func@Tools.find_async].
 *
 * That there are none is %WELKIN_ERROR_NO_TOOLS, with what each source had to say.
 *
 * Returns: (transfer container) (element-type WelkinTools): the tools, or %NULL
 *   on error
 *
 * Since: 0.1
 */
GPtrArray *
welkin_tools_find_finish (GAsyncResult  *result,
                          GError       **error)
{
  return wk_flow_finish_pointer (result, NULL, welkin_tools_find_async, error);
}
