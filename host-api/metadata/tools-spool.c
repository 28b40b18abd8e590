/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "metadata/tools-spool.h"

#include <errno.h>
#include <gio/gunixinputstream.h>
#include <gio/gunixoutputstream.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "base/flow.h"
#include "metadata/simplestreams-read.h"
#include "metadata/tools-look.h"
#include "values/welkin-error.h"

#define BLOCK_SIZE ((gsize) 64 * 1024)

typedef struct
{
  /* inputs */
  WelkinDataSource *source;   /* (owned) */
  char             *path;     /* (owned) */
  gint64            expected;
  gboolean          is_kept;  /* in a file */
  WelkinProgress   *progress; /* (owned) (nullable) */

  /* while running */
  GInputStream     *stream;   /* (owned) (nullable) */
  GOutputStream    *output;   /* (owned) (nullable) into the file */
  int               fd;       /* of it, or -1 */
  GBytes           *block;    /* (owned) (nullable) that is being written */
  GChecksum        *checksum; /* (owned) */
  WelkinToolsLook  *look;     /* (owned) */
  gint64            size;
} Spool;

void
welkin_tools_spool_free (WelkinToolsSpool *self)
{
  g_clear_object (&self->contents);
  g_free (self->complaint);
  g_free (self->sha256);
  g_free (self);
}

gboolean
welkin_tools_spool_check (const WelkinToolsSpool *self,
                          GError                **error)
{
  if (self->complaint == NULL)
    return TRUE;
  g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL, self->complaint);
  return FALSE;
}

static void
spool_free (gpointer user_data)
{
  Spool *self = user_data;

  welkin_tools_look_free (self->look);
  g_checksum_free (self->checksum);
  g_clear_pointer (&self->block, g_bytes_unref);
  g_clear_object (&self->output);
  if (self->fd >= 0)
    close (self->fd);
  g_clear_object (&self->stream);
  g_clear_object (&self->progress);
  g_free (self->path);
  g_object_unref (self->source);
  g_free (self);
}

/* Without a name, so that nothing is left of it whatever happens. */
static gboolean
open_file (Spool   *self,
           GError **error)
{
  g_autofree char *path = NULL;

  self->fd = g_file_open_tmp ("welkin-tools-XXXXXX", &path, error);
  if (self->fd < 0)
    return FALSE;
  g_unlink (path);
  self->output = g_unix_output_stream_new (self->fd, FALSE);
  return TRUE;
}

/* FALSE without an error when nothing more is to be read. */
static gboolean
take_block (Spool        *self,
            GAsyncResult *result,
            GError      **error)
{
  g_clear_pointer (&self->block, g_bytes_unref);
  self->block = g_input_stream_read_bytes_finish (self->stream, result, error);
  if (self->block == NULL || g_bytes_get_size (self->block) == 0)
    return FALSE;
  g_checksum_update (self->checksum, g_bytes_get_data (self->block, NULL),
                     (gssize) g_bytes_get_size (self->block));
  welkin_tools_look_feed (self->look, g_bytes_get_data (self->block, NULL),
                          g_bytes_get_size (self->block));
  self->size += (gint64) g_bytes_get_size (self->block);
  if (self->expected > 0)
    welkin_progress_set_fraction (self->progress,
                                  MIN (1.0, (double) self->size / (double) self->expected));
  return self->expected < 0 || self->size <= self->expected;
}

static WelkinToolsSpool *
make_spool (Spool   *self,
            GError **error)
{
  WelkinToolsSpool *spool;

  if (self->is_kept && lseek (self->fd, 0, SEEK_SET) != 0)
    {
      int saved_errno = errno;

      g_set_error_literal (error, G_FILE_ERROR, g_file_error_from_errno (saved_errno),
                           g_strerror (saved_errno));
      return NULL;
    }
  spool = g_new0 (WelkinToolsSpool, 1);
  if (self->is_kept)
    spool->contents = g_unix_input_stream_new (self->fd, TRUE);
  self->fd = -1;
  spool->sha256 = g_strdup (g_checksum_get_string (self->checksum));
  spool->size = self->size;
  spool->complaint = g_strdup (welkin_tools_look_finish (self->look));
  return spool;
}

static void
spool_run (WkFlow  *flow,
           gpointer user_data)
{
  Spool *self = user_data;
  WelkinToolsSpool *spool;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (!welkin_streams_check_path (self->path, &error))
    WK_FAIL (flow, &error, NULL);
  WK_AWAIT (flow, welkin_data_source_open_async (self->source, self->path, WK_RESUME (flow)));
  self->stream = welkin_data_source_open_finish (self->source, WK_RESULT (flow), &error);
  if (self->stream == NULL)
    WK_FAIL (flow, &error, NULL);
  if (self->is_kept && !open_file (self, &error))
    WK_FAIL (flow, &error, _("Cannot make a temporary file"));

  for (;;)
    {
      WK_AWAIT (flow, g_input_stream_read_bytes_async (self->stream, BLOCK_SIZE,
                                                       G_PRIORITY_DEFAULT, WK_RESUME (flow)));
      if (!take_block (self, WK_RESULT (flow), &error))
        break;
      if (!self->is_kept)
        continue;
      WK_AWAIT (flow, g_output_stream_write_all_async (self->output,
                                                       g_bytes_get_data (self->block, NULL),
                                                       g_bytes_get_size (self->block),
                                                       G_PRIORITY_DEFAULT, WK_RESUME (flow)));
      if (!g_output_stream_write_all_finish (self->output, WK_RESULT (flow), NULL, &error))
        WK_FAIL (flow, &error, _("Cannot write a temporary file"));
    }
  if (error != NULL)
    WK_FAIL (flow, &error, NULL);
  spool = make_spool (self, &error);
  if (spool == NULL)
    WK_FAIL (flow, &error, _("Cannot write a temporary file"));
  wk_flow_return_pointer (flow, spool, (GDestroyNotify) welkin_tools_spool_free);

  WK_FLOW_END (flow);
}

/* progress: nullable */
static Spool *
spool_new (WelkinDataSource *source,
           const char       *path,
           gint64            expected,
           gboolean          is_kept,
           WelkinProgress   *progress)
{
  Spool *self = g_new0 (Spool, 1);

  self->source = g_object_ref (source);
  self->path = g_strdup (path);
  self->expected = expected;
  self->is_kept = is_kept;
  g_set_object (&self->progress, progress);
  self->fd = -1;
  self->checksum = g_checksum_new (G_CHECKSUM_SHA256);
  self->look = welkin_tools_look_new ();
  return self;
}

void
welkin_tools_spool_async (WelkinDataSource   *source,
                          const char         *path,
                          gint64              expected,
                          WelkinProgress     *progress,
                          GCancellable       *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer            user_data)
{
  wk_flow_start (source, cancellable, callback, user_data, welkin_tools_spool_async, spool_run,
                 spool_new (source, path, expected, TRUE, progress), spool_free);
}

void
welkin_tools_measure_async (WelkinDataSource   *source,
                            const char         *path,
                            GCancellable       *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer            user_data)
{
  wk_flow_start (source, cancellable, callback, user_data, welkin_tools_spool_async, spool_run,
                 spool_new (source, path, -1, FALSE, NULL), spool_free);
}

WelkinToolsSpool *
welkin_tools_spool_finish (WelkinDataSource *source,
                           GAsyncResult     *result,
                           GError          **error)
{
  return wk_flow_finish_pointer (result, source, welkin_tools_spool_async, error);
}
