/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "metadata/tools-survey.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/flow.h"
#include "metadata/metadata-names.h"
#include "metadata/tools-products.h"
#include "metadata/tools-spool.h"
#include "metadata/tools-write.h"
#include "metadata/welkin-data-sources.h"

typedef struct
{
  /* inputs */
  WelkinStorage     *storage;   /* (owned) */
  WelkinToolsStream *stream;    /* (owned) */
  GPtrArray         *known;     /* (owned) (nullable) of WelkinStreamsItem */
  int                major;     /* -1: any */
  GPtrArray         *left_out;  /* (owned) (nullable) the caller's */

  /* while running */
  WelkinDataSource  *source;    /* (owned) the storage */
  char             **names;     /* (owned) (nullable) of what lies there */
  guint              index;     /* of the name that is looked at */
  const char        *path;      /* of it, below the directory of tools */
  const char        *directory; /* that it is in */
  char              *binary;    /* (owned) (nullable) what it is called by */
  GPtrArray         *items;     /* (owned) of WelkinStreamsItem */
} Survey;

static void
survey_free (gpointer user_data)
{
  Survey *self = user_data;

  g_clear_pointer (&self->items, g_ptr_array_unref);
  g_free (self->binary);
  g_strfreev (self->names);
  g_object_unref (self->source);
  g_clear_pointer (&self->left_out, g_ptr_array_unref);
  g_clear_pointer (&self->known, g_ptr_array_unref);
  welkin_tools_stream_unref (self->stream);
  g_object_unref (self->storage);
  g_free (self);
}

/* "tools/releases/welkin-1.2.3-noble-amd64.tgz" */
static gboolean
take_name (Survey     *self,
           const char *name)
{
  const char *file;

  if (!g_str_has_prefix (name, WELKIN_TOOLS_PREFIX))
    return FALSE;
  self->path = name + strlen (WELKIN_TOOLS_PREFIX);
  self->directory = welkin_tools_stream_find_directory (self->stream, self->path);
  if (self->directory == NULL)
    return FALSE;
  file = self->path + strlen (self->directory);
  if (!g_str_has_prefix (file, WELKIN_TOOLS_FILE_PREFIX)
      || !g_str_has_suffix (file, WELKIN_TOOLS_FILE_SUFFIX))
    return FALSE;
  file += strlen (WELKIN_TOOLS_FILE_PREFIX);
  g_free (self->binary);
  self->binary = g_strndup (file, strlen (file) - strlen (WELKIN_TOOLS_FILE_SUFFIX));
  return TRUE;
}

static gboolean
has_major (Survey            *self,
           WelkinStreamsItem *item)
{
  WelkinToolsVersion version;

  return self->major < 0
         || (welkin_tools_item_version (item, &version) && version.major == (guint) self->major);
}

/* The next archive that nobody knows, after those that somebody does; FALSE when there is none
 * left. */
static gboolean
begin_archive (Survey *self)
{
  for (; self->names[self->index] != NULL; self->index++)
    {
      g_autoptr(WelkinStreamsItem) item = NULL;
      g_autoptr(GError) error = NULL;
      const WelkinStreamsItem *known;

      if (!take_name (self, self->names[self->index]))
        continue;
      item = welkin_tools_item_new (self->directory, self->binary, NULL, -1, &error);
      if (item == NULL)
        g_debug ("%s is passed over: %s", self->names[self->index], error->message);
      if (item == NULL || !has_major (self, item))
        continue;
      known = self->known != NULL ? welkin_tools_find_binary (self->known, self->binary) : NULL;
      if (known == NULL || welkin_tools_item_size (known) < 0)
        return TRUE;
      g_ptr_array_add (self->items, welkin_tools_item_copy (known));
    }
  return FALSE;
}

static gboolean
take_archive (Survey                 *self,
              const WelkinToolsSpool *measured,
              GError                **error)
{
  WelkinStreamsItem *item;

  if (measured->complaint != NULL)
    {
      g_warning (_("%s is left out: %s"), self->names[self->index], measured->complaint);
      if (self->left_out != NULL)
        g_ptr_array_add (self->left_out, g_strdup (self->binary));
      self->index++;
      return TRUE;
    }
  item = welkin_tools_item_new (self->directory, self->binary, measured->sha256, measured->size,
                                error);
  if (item == NULL)
    return FALSE;
  g_ptr_array_add (self->items, item);
  self->index++;
  return TRUE;
}

static void
survey_run (WkFlow  *flow,
            gpointer user_data)
{
  Survey *self = user_data;
  g_autoptr(WelkinToolsSpool) measured = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, welkin_storage_list_async (self->storage, WELKIN_TOOLS_PREFIX,
                                             WK_RESUME (flow)));
  self->names = welkin_storage_list_finish (self->storage, WK_RESULT (flow), &error);
  if (self->names == NULL)
    WK_FAIL (flow, &error, _("Cannot list the tools that there are"));

  while (begin_archive (self))
    {
      WK_AWAIT (flow, welkin_tools_measure_async (self->source, self->path, WK_RESUME (flow)));
      measured = welkin_tools_spool_finish (self->source, WK_RESULT (flow), &error);
      if (measured == NULL || !take_archive (self, measured, &error))
        WK_FAIL (flow, &error, self->binary);
      g_clear_pointer (&measured, welkin_tools_spool_free);
    }
  wk_flow_return_pointer (flow, g_steal_pointer (&self->items),
                          (GDestroyNotify) g_ptr_array_unref);

  WK_FLOW_END (flow);
}

void
welkin_tools_survey_async (WelkinStorage      *storage,
                           WelkinToolsStream  *stream,
                           GPtrArray          *known,
                           int                 major,
                           GPtrArray          *left_out,
                           GCancellable       *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer            user_data)
{
  Survey *self = g_new0 (Survey, 1);

  self->storage = g_object_ref (storage);
  self->stream = welkin_tools_stream_ref (stream);
  if (known != NULL)
    self->known = g_ptr_array_ref (known);
  self->major = major;
  if (left_out != NULL)
    self->left_out = g_ptr_array_ref (left_out);
  self->source = welkin_data_source_new_for_storage (storage, WELKIN_TOOLS_PREFIX, "storage");
  self->items = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_streams_item_free);
  wk_flow_start (NULL, cancellable, callback, user_data, welkin_tools_survey_async, survey_run,
                 self, survey_free);
}

GPtrArray *
welkin_tools_survey_finish (GAsyncResult *result,
                            GError      **error)
{
  return wk_flow_finish_pointer (result, NULL, welkin_tools_survey_async, error);
}
