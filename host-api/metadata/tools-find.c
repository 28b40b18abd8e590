/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "metadata/tools-find.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "metadata/arch-names.h"
#include "metadata/data-source-private.h"
#include "metadata/welkin-tools-metadata.h"
#include "values/welkin-error.h"

typedef struct
{
  GPtrArray          *sources;      /* (owned) of WelkinDataSource */
  WelkinToolsFilter   filter;
  WelkinSurroundings *surroundings; /* (owned) (nullable) */
  WelkinToolsFlags    flags;
  GError             *error;        /* (owned) (nullable) what is wrong with the question */

  /* while running */
  WelkinStreamsFound *found;        /* (owned) (nullable) */
  GPtrArray          *tools;        /* (owned) of WelkinTools */
} Find;

typedef struct
{
  GPtrArray         *tools; /* (owned) of WelkinTools */
  WelkinResolveInfo *info;  /* (owned) */
} Answer;

static void
answer_free (gpointer user_data)
{
  Answer *self = user_data;

  welkin_resolve_info_unref (self->info);
  g_ptr_array_unref (self->tools);
  g_free (self);
}

static void
find_free (gpointer user_data)
{
  Find *self = user_data;

  g_clear_pointer (&self->tools, g_ptr_array_unref);
  g_clear_pointer (&self->found, welkin_streams_found_free);
  g_clear_error (&self->error);
  g_clear_pointer (&self->surroundings, welkin_surroundings_unref);
  welkin_tools_filter_clear (&self->filter);
  g_ptr_array_unref (self->sources);
  g_free (self);
}

/* "1", "1.2" or "1.2.3"; NULL: any. (transfer full) */
static char *
format_wanted (const WelkinToolsFilter *filter)
{
  if (filter->is_exact)
    return welkin_tools_version_format (&filter->number);
  if (filter->major < 0)
    return NULL;
  return filter->minor < 0 ? g_strdup_printf ("%d", filter->major)
                           : g_strdup_printf ("%d.%d", filter->major, filter->minor);
}

void
welkin_tools_fail_to_find (WelkinStreamsFound      *found,
                           const WelkinToolsFilter *filter,
                           GError                 **error)
{
  g_autofree char *explanation = welkin_streams_found_explain (found);
  g_autofree char *wanted = format_wanted (filter);

  if (*explanation == '\0')
    g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_NO_TOOLS,
                         _("no tools are available: there is no place to look in; name one in "
                           "\"tools-metadata-url\""));
  else if (wanted != NULL)
    g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NO_TOOLS,
                 /* TRANSLATORS: a version, and a list of places, each on a line of its own */
                 _("no matching tools are available of version %s in:\n%s"), wanted, explanation);
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

/* uri: (nullable): as the source has it */
static WelkinTools *
make_tools (WelkinStreamsFound      *found,
            const WelkinStreamsItem *item,
            const char              *uri)
{
  const char *path = welkin_streams_item_get (item, WELKIN_STREAMS_PATH);
  const char *sha256 = welkin_streams_item_get (item, WELKIN_STREAMS_SHA256);
  const char *arch = welkin_streams_item_get (item, WELKIN_STREAMS_ARCH);
  g_autofree char *own = uri == NULL ? welkin_data_source_get_uri (found->source, path) : NULL;

  return welkin_tools_new (welkin_streams_item_get (item, WELKIN_STREAMS_VERSION),
                           welkin_streams_item_get (item, WELKIN_STREAMS_RELEASE),
                           welkin_arch_get_present (arch), uri != NULL ? uri : own,
                           *sha256 != '\0' ? sha256 : NULL, welkin_tools_item_size (item));
}

/* The storage that machines cannot read without a URL that lets them; NULL when there is none, or
 * nobody wants to. */
static WelkinStorage *
get_closed_storage (Find *self)
{
  return (self->flags & WELKIN_TOOLS_FOR_MACHINES) != 0
           ? welkin_data_source_get_storage (self->found->source)
           : NULL;
}

static const WelkinStreamsItem *
get_item (Find *self)
{
  return g_ptr_array_index (self->found->records, self->tools->len);
}

static void
begin_opening (Find               *self,
               GCancellable       *cancellable,
               GAsyncReadyCallback callback,
               gpointer            user_data)
{
  g_autofree char *name =
    welkin_data_source_get_uri (self->found->source,
                                welkin_streams_item_get (get_item (self), WELKIN_STREAMS_PATH));

  welkin_storage_get_uri_async (get_closed_storage (self), name, cancellable, callback, user_data);
}

static void
find_run (WkFlow  *flow,
          gpointer user_data)
{
  Find *self = user_data;
  Answer *answer;
  g_autofree char *uri = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (self->error != NULL)
    WK_FAIL (flow, &self->error, NULL);
  WK_AWAIT (flow, begin_search (self, WK_RESUME (flow)));
  self->found = welkin_streams_search_finish (WK_RESULT (flow), &error);
  if (self->found == NULL)
    WK_FAIL (flow, &error, NULL);
  if (self->found->records == NULL)
    {
      welkin_tools_fail_to_find (self->found, &self->filter, &error);
      WK_FAIL (flow, &error, NULL);
    }
  if ((self->flags & WELKIN_TOOLS_ALL_VERSIONS) == 0)
    welkin_tools_keep_newest (self->found->records);

  while (self->tools->len < self->found->records->len)
    {
      if (get_closed_storage (self) != NULL)
        {
          WK_AWAIT (flow, begin_opening (self, WK_RESUME (flow)));
          uri = welkin_storage_get_uri_finish (get_closed_storage (self), WK_RESULT (flow), NULL,
                                               &error);
          if (uri == NULL)
            WK_FAIL (flow, &error, NULL);
        }
      g_ptr_array_add (self->tools, make_tools (self->found, get_item (self), uri));
      g_clear_pointer (&uri, g_free);
    }
  answer = g_new0 (Answer, 1);
  answer->tools = g_steal_pointer (&self->tools);
  answer->info = g_steal_pointer (&self->found->info);
  wk_flow_return_pointer (flow, answer, answer_free);

  WK_FLOW_END (flow);
}

/**
 * welkin_tools_find_async:
 * @sources: (element-type WelkinDataSource): where to look, in this order
 * @stream: (nullable): the stream, as in "devel"; %NULL for what is released
 * @series: (nullable): the series that they are for, as in "noble"; %NULL for any
 * @arch: (nullable): the architecture, as in "amd64"; %NULL for any
 * @version: (nullable): which ones, as in "1", "1.2" or "1.2.3", or "current" for
 *   that of this Welkin; %NULL for any
 * @region: (nullable): the region of the cloud that they are for; %NULL for any
 * @endpoint: (nullable): the URL of that cloud; %NULL for any
 * @flags: whether all versions, and those that are tried out, are wanted, and
 *   whether machines are to fetch them
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
 * nor the beginning of one, an unknown series, and what is no name of a stream
 * are %WELKIN_ERROR_INVALID_ARGUMENT.
 *
 * Since: 0.1
 */
void
welkin_tools_find_async (GPtrArray           *sources,
                         const char          *stream,
                         const char          *series,
                         const char          *arch,
                         const char          *version,
                         const char          *region,
                         const char          *endpoint,
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
  self->flags = flags;
  self->tools = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_tools_unref);
  welkin_tools_filter_init (&self->filter, stream, series, arch, version,
                            (flags & WELKIN_TOOLS_DEVELOPMENT) == 0, &self->error);
  self->filter.cloud = welkin_cloud_spec_new (region, endpoint);
  wk_flow_start (NULL, cancellable, callback, user_data, welkin_tools_find_async, find_run, self,
                 find_free);
}

/**
 * welkin_tools_find_finish:
 * @result: what the callback got
 * @info: (out) (optional) (transfer full): where they were found
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
welkin_tools_find_finish (GAsyncResult       *result,
                          WelkinResolveInfo **info,
                          GError            **error)
{
  Answer *answer = wk_flow_finish_pointer (result, NULL, welkin_tools_find_async, error);
  GPtrArray *tools;

  if (info != NULL)
    *info = answer != NULL ? welkin_resolve_info_ref (answer->info) : NULL;
  if (answer == NULL)
    return NULL;
  tools = g_ptr_array_ref (answer->tools);
  answer_free (answer);
  return tools;
}
