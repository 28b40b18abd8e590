/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/flow.h"
#include "metadata/metadata-names.h"
#include "metadata/tools-products.h"
#include "metadata/tools-write.h"
#include "metadata/welkin-tools-metadata.h"
#include "values/welkin-error.h"

#define ARCHIVES WELKIN_TOOLS_PREFIX WELKIN_TOOLS_RELEASES WELKIN_TOOLS_FILE_PREFIX
#define CHUNK ((gsize) 64 * 1024)

typedef struct
{
  WelkinStorage   *storage;  /* (owned) */
  WelkinToolsFlags flags;

  /* while running */
  char           **names;    /* (owned) (nullable) of what lies there */
  guint            index;    /* of the name that is looked at */
  char            *binary;   /* (owned) (nullable) what it is called by */
  GInputStream    *stream;   /* (owned) (nullable) */
  GChecksum       *checksum; /* (owned) (nullable) */
  gint64           size;
  gboolean         is_read;
  GPtrArray       *items;    /* (owned) of WelkinStreamsItem */
} Generate;

static void
generate_free (gpointer user_data)
{
  Generate *self = user_data;

  g_ptr_array_unref (self->items);
  g_clear_pointer (&self->checksum, g_checksum_free);
  g_clear_object (&self->stream);
  g_free (self->binary);
  g_strfreev (self->names);
  g_object_unref (self->storage);
  g_free (self);
}

/* The binary version that the next archive is called by; FALSE when there is none left. */
static gboolean
begin_archive (Generate *self)
{
  for (; self->names[self->index] != NULL; self->index++)
    {
      const char *name = self->names[self->index];
      g_autoptr(WelkinStreamsItem) item = NULL;
      g_autoptr(GError) error = NULL;

      if (!g_str_has_prefix (name, ARCHIVES) || !g_str_has_suffix (name, WELKIN_TOOLS_FILE_SUFFIX))
        continue;
      g_free (self->binary);
      self->binary = g_strndup (name + strlen (ARCHIVES), strlen (name) - strlen (ARCHIVES)
                                                            - strlen (WELKIN_TOOLS_FILE_SUFFIX));
      item = welkin_tools_item_new (self->binary, NULL, -1, &error);
      if (item != NULL)
        {
          g_clear_pointer (&self->checksum, g_checksum_free);
          self->checksum = g_checksum_new (G_CHECKSUM_SHA256);
          self->size = 0;
          self->is_read = FALSE;
          return TRUE;
        }
      g_debug ("%s is passed over: %s", name, error->message);
    }
  return FALSE;
}

static gboolean
take_bytes (Generate     *self,
            GAsyncResult *result,
            GError      **error)
{
  g_autoptr(GBytes) bytes = g_input_stream_read_bytes_finish (self->stream, result, error);
  gsize length;
  const guchar *data;

  if (bytes == NULL)
    return FALSE;
  data = g_bytes_get_data (bytes, &length);
  g_checksum_update (self->checksum, data, (gssize) length);
  self->size += (gint64) length;
  self->is_read = length == 0;
  return TRUE;
}

static gboolean
end_archive (Generate *self,
             GError  **error)
{
  WelkinStreamsItem *item;

  item = welkin_tools_item_new (self->binary, g_checksum_get_string (self->checksum), self->size,
                                error);
  if (item == NULL)
    return FALSE;
  g_ptr_array_add (self->items, item);
  g_clear_object (&self->stream);
  self->index++;
  return TRUE;
}

static void
begin_writing (Generate           *self,
               GCancellable       *cancellable,
               GAsyncReadyCallback callback,
               gpointer            user_data)
{
  welkin_tools_write_async (self->items, self->storage,
                            (self->flags & WELKIN_TOOLS_PUBLIC) != 0, cancellable, callback,
                            user_data);
}

static void
generate_run (WkFlow  *flow,
              gpointer user_data)
{
  Generate *self = user_data;
  char **written;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, welkin_storage_list_async (self->storage, ARCHIVES, WK_RESUME (flow)));
  self->names = welkin_storage_list_finish (self->storage, WK_RESULT (flow), &error);
  if (self->names == NULL)
    WK_FAIL (flow, &error, _("Cannot list the tools that there are"));

  while (begin_archive (self))
    {
      WK_AWAIT (flow, welkin_storage_get_async (self->storage, self->names[self->index],
                                                WELKIN_STORAGE_NONE, WK_RESUME (flow)));
      self->stream = welkin_storage_get_finish (self->storage, WK_RESULT (flow), &error);
      if (self->stream == NULL)
        WK_FAIL (flow, &error, self->binary);
      while (!self->is_read)
        {
          WK_AWAIT (flow, g_input_stream_read_bytes_async (self->stream, CHUNK, G_PRIORITY_DEFAULT,
                                                           WK_RESUME (flow)));
          if (!take_bytes (self, WK_RESULT (flow), &error))
            WK_FAIL (flow, &error, self->binary);
        }
      if (!end_archive (self, &error))
        WK_FAIL (flow, &error, NULL);
    }
  if (self->items->len == 0)
    {
      g_set_error (&error, WELKIN_ERROR, WELKIN_ERROR_NO_TOOLS,
                   _("no tools are available: there is no \"%s\""),
                   ARCHIVES "VERSION-SERIES-ARCH" WELKIN_TOOLS_FILE_SUFFIX);
      WK_FAIL (flow, &error, NULL);
    }

  WK_AWAIT (flow, begin_writing (self, WK_RESUME (flow)));
  written = welkin_tools_write_finish (WK_RESULT (flow), &error);
  if (written == NULL)
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_pointer (flow, written, (GDestroyNotify) g_strfreev);

  WK_FLOW_END (flow);
}

/**
 * welkin_tools_generate_async:
 * @storage: where tools lie
 * @flags: whether they are public
 * @cancellable: (nullable): ends the call
 * @callback: (scope async) (closure user_data): called in the thread-default
 *   main context of the call
 * @user_data: data for @callback
 *
 * Writes metadata of the archives "tools/releases/welkin-VERSION-SERIES-ARCH.tgz"
 * of a storage, beside those that there are of others.
 *
 * Since: 0.1
 */
void
welkin_tools_generate_async (WelkinStorage       *storage,
                             WelkinToolsFlags     flags,
                             GCancellable        *cancellable,
                             GAsyncReadyCallback  callback,
                             gpointer             user_data)
{
  Generate *self;

  g_return_if_fail (WELKIN_IS_STORAGE (storage));

  self = g_new0 (Generate, 1);
  self->storage = g_object_ref (storage);
  self->flags = flags;
  self->items = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_streams_item_free);
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
