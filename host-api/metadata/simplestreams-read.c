/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "metadata/simplestreams-read.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "base/text.h"
#include "metadata/signature.h"
#include "values/welkin-error.h"

typedef struct
{
  /* inputs */
  WelkinDataSource *source;   /* (owned) */
  char             *path;     /* (owned) */
  char             *key_path; /* (owned) (nullable) */

  /* while running */
  GBytes           *bytes;    /* (owned) (nullable) */
} Read;

static void
read_free (gpointer user_data)
{
  Read *self = user_data;

  g_clear_pointer (&self->bytes, g_bytes_unref);
  g_free (self->key_path);
  g_free (self->path);
  g_object_unref (self->source);
  g_free (self);
}

gboolean
welkin_streams_check_path (const char  *path,
                           GError     **error)
{
  g_auto(GStrv) segments = g_strsplit (path, "/", -1);
  g_autofree char *quoted = NULL;

  if (*path != '\0' && *path != '/' && !g_strv_contains ((const char *const *) segments, ".."))
    return TRUE;
  quoted = wk_quote (path);
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
               _("the path %s leads out of the source"), quoted);
  return FALSE;
}

static void
read_run (WkFlow  *flow,
          gpointer user_data)
{
  Read *self = user_data;
  GBytes *plain;
  g_autofree char *uri = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (!welkin_streams_check_path (self->path, &error))
    WK_FAIL (flow, &error, NULL);
  WK_AWAIT (flow, welkin_data_source_fetch_async (self->source, self->path, WK_RESUME (flow)));
  self->bytes = welkin_data_source_fetch_finish (self->source, WK_RESULT (flow), &error);
  if (self->bytes == NULL)
    {
      /* Some servers hide in this way that there is nothing. */
      if (g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_FORBIDDEN))
        error->code = WELKIN_ERROR_UNAUTHORIZED;
      WK_FAIL (flow, &error, NULL);
    }

  if (self->key_path != NULL)
    {
      WK_AWAIT (flow, welkin_signature_verify_async (self->key_path, self->bytes,
                                                     WK_RESUME (flow)));
      plain = welkin_signature_verify_finish (WK_RESULT (flow), &error);
      if (plain == NULL)
        {
          uri = welkin_data_source_get_uri (self->source, self->path);
          WK_FAIL (flow, &error, uri);
        }
      g_bytes_unref (self->bytes);
      self->bytes = plain;
    }

  wk_flow_return_pointer (flow, g_steal_pointer (&self->bytes), (GDestroyNotify) g_bytes_unref);

  WK_FLOW_END (flow);
}

void
welkin_streams_read_async (WelkinDataSource   *source,
                           const char         *path,
                           const char         *key_path,
                           GCancellable       *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer            user_data)
{
  Read *self = g_new0 (Read, 1);

  self->source = g_object_ref (source);
  self->path = g_strdup (path);
  self->key_path = g_strdup (key_path);
  wk_flow_start (source, cancellable, callback, user_data, welkin_streams_read_async, read_run,
                 self, read_free);
}

GBytes *
welkin_streams_read_finish (WelkinDataSource *source,
                            GAsyncResult     *result,
                            GError          **error)
{
  return wk_flow_finish_pointer (result, source, welkin_streams_read_async, error);
}
