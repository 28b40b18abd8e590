/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>

#include "base/flow.h"
#include "base/text.h"
#include "os-storage-swift-private.h"
#include "transport/os-spool.h"
#include "values/welkin-error.h"

/*
 * Writing a large file. Its segments go first, each compared with what swift says that it got; the
 * manifest then makes a file of them at once. Whatever happens before that leaves nothing under the
 * name, and takes the segments away again.
 */

/* Few are fast to read: swift sums up each one that is read whole, but not the first, of which
 * OsDownload reads a piece. One that fails goes out again from its start, however, and what cannot
 * go back is in a temporary file meanwhile. */
#define SEGMENT_SIZE (G_GINT64_CONSTANT (1) << 30)
#define SEGMENT_SIZE_IN_FILE (G_GINT64_CONSTANT (256) << 20)

typedef struct
{
  /* inputs */
  char         *name;
  GInputStream *stream; /* (owned) */
  goffset       length;
  gboolean      replace;

  /* while running */
  OsObjectStoreInfo *info;      /* (owned) */
  OsContainer       *container; /* (owned) */
  char         *former;         /* (owned) (nullable) the upload that is replaced */
  char         *upload;         /* (owned) ours */
  goffset       segment_size;
  GPtrArray    *names;          /* (owned) of the segments that were begun */
  char         *etag;           /* (owned) (nullable) of all of them */
  GError       *failure;        /* (owned) (nullable) */
} PutLarge;

static void
put_large_free (PutLarge *self)
{
  g_free (self->name);
  g_object_unref (self->stream);
  g_clear_pointer (&self->info, os_object_store_info_unref);
  g_clear_pointer (&self->container, os_container_unref);
  g_free (self->former);
  g_free (self->upload);
  g_ptr_array_unref (self->names);
  g_free (self->etag);
  g_clear_error (&self->failure);
  g_free (self);
}

/* Takes the present object into account, NULL when there is none. */
static gboolean
check_present (PutLarge        *self,
               OsStorageSwift  *storage,
               WkHttpResponse  *present,
               GError         **error)
{
  if (present != NULL && !self->replace)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_ALREADY_EXISTS,
                   _("container %s has a file %s already"), storage->container, self->name);
      return FALSE;
    }
  self->former = os_storage_swift_dup_upload (present);
  return TRUE;
}

static void
begin_upload (PutLarge *self)
{
  g_autofree char *random = wk_random_hex (4);
  goffset least = self->length / self->info->max_segments + 1;
  goffset wanted = os_spool_can_go_back (self->stream) ? SEGMENT_SIZE : SEGMENT_SIZE_IN_FILE;

  self->upload = g_strdup_printf ("%" G_GINT64_FORMAT "-%s", g_get_real_time () / G_USEC_PER_SEC,
                                  random);
  self->segment_size = MAX (MIN (wanted, self->info->max_object_size), least);
}

/* (transfer full) */
static char *
make_prefix (PutLarge *self)
{
  g_autofree char *prefix = os_segments_prefix (self->name);

  return g_strdup_printf ("%s%s/", prefix, self->upload);
}

/* The segments are there, and as they should be. (transfer full) */
static GBytes *
make_manifest (PutLarge       *self,
               OsStorageSwift *storage,
               GPtrArray      *checksums)
{
  g_autoptr(JsonNode) root = json_node_new (JSON_NODE_ARRAY);
  g_autoptr(JsonArray) manifest = json_array_new ();
  g_autoptr(GChecksum) etag = g_checksum_new (G_CHECKSUM_MD5);
  goffset left = self->length;
  char *text;

  for (guint i = 0; i < checksums->len; i++)
    {
      const char *md5 = g_ptr_array_index (checksums, i);
      const char *name = g_ptr_array_index (self->names, i);
      g_autofree char *path = g_strconcat ("/", storage->container, "/", name, NULL);
      JsonObject *segment = json_object_new ();

      json_object_set_string_member (segment, "path", path);
      json_object_set_string_member (segment, "etag", md5);
      json_object_set_int_member (segment, "size_bytes", MIN (self->segment_size, left));
      json_array_add_object_element (manifest, segment);
      g_checksum_update (etag, (const guchar *) md5, -1);
      left -= self->segment_size;
    }
  g_free (self->etag);
  self->etag = g_strdup (g_checksum_get_string (etag));
  json_node_set_array (root, manifest);
  text = json_to_string (root, FALSE);
  return g_bytes_new_take (text, strlen (text));
}

/* The manifest's answer is lost: is the file that is there ours? */
static gboolean
is_ours (PutLarge       *self,
         WkHttpResponse *present)
{
  g_autofree char *upload = os_storage_swift_dup_upload (present);

  return g_strcmp0 (upload, self->upload) == 0;
}

/* Whether it may have come about all the same. */
static gboolean
is_uncertain (GError *error)
{
  guint status = welkin_error_get_status (error);

  return status == 0 || status >= 500;
}

/* The segments, and then the manifest. */
static void
upload_run (WkFlow *flow,
            gpointer user_data)
{
  PutLarge *self = user_data;
  OsStorageSwift *storage = wk_flow_get_source (flow);
  g_autofree char *prefix = NULL;
  g_autoptr(GPtrArray) checksums = NULL;
  g_autoptr(GBytes) manifest = NULL;
  g_autoptr(WkHttpResponse) present = NULL;
  g_autoptr(GError) error = NULL;
  gboolean is_put;

  WK_FLOW_BEGIN (flow);

  prefix = make_prefix (self);
  WK_AWAIT (flow, os_storage_swift_put_segments_async (storage, self->stream, self->length,
                                                       self->segment_size, prefix, self->names,
                                                       WK_RESUME (flow)));
  checksums = os_storage_swift_put_segments_finish (storage, WK_RESULT (flow), &error);
  if (checksums == NULL)
    WK_FAIL (flow, &error, NULL);

  manifest = make_manifest (self, storage, checksums);
  WK_AWAIT (flow,
            os_object_store_put_manifest_async (storage->store, storage->container, self->name,
                                                manifest, self->etag,
                                                self->upload, self->replace,
                                                WK_RESUME_SHIELDED (flow)));
  is_put = os_object_store_put_manifest_finish (storage->store, WK_RESULT (flow), &self->failure);
  if (!is_put && is_uncertain (self->failure))
    {
      WK_AWAIT (flow, os_object_store_head_object_async (storage->store, storage->container,
                                                         self->name, WK_RESUME_SHIELDED (flow)));
      present = os_object_store_head_object_finish (storage->store, WK_RESULT (flow), &error);
      is_put = is_ours (self, present);
      /* When nobody knows whether there is a manifest, its segments had better stay. */
      if (!is_put && present == NULL
          && !g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND))
        g_ptr_array_set_size (self->names, 0);
      g_clear_error (&error);
    }
  if (!is_put)
    WK_FAIL (flow, &self->failure, NULL);
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

static void
upload_async (OsStorageSwift      *storage,
              PutLarge            *put,
              GCancellable        *cancellable,
              GAsyncReadyCallback  callback,
              gpointer             user_data)
{
  wk_flow_start (storage, cancellable, callback, user_data, upload_async, upload_run, put, NULL);
}

static gboolean
upload_finish (OsStorageSwift  *storage,
               GAsyncResult    *result,
               GError         **error)
{
  return wk_flow_finish_boolean (result, storage, upload_async, error);
}

static void
put_large_run (WkFlow *flow,
               gpointer user_data)
{
  static const char *const large[] = { OS_CONTAINER_LARGE_HEADER, "yes", NULL };
  PutLarge *self = user_data;
  OsStorageSwift *storage = wk_flow_get_source (flow);
  g_autoptr(WkHttpResponse) present = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_object_store_load_info_async (storage->store, WK_RESUME (flow)));
  self->info = os_object_store_load_info_finish (storage->store, WK_RESULT (flow), &error);
  if (self->info == NULL)
    WK_FAIL (flow, &error, NULL);
  WK_AWAIT (flow, os_storage_swift_ensure_async (storage, WK_RESUME (flow)));
  self->container = os_storage_swift_ensure_finish (storage, WK_RESULT (flow), &error);
  if (self->container == NULL)
    WK_FAIL (flow, &error, NULL);
  if (!self->container->has_large_objects)
    {
      /* Whoever removes or replaces a file looks for segments only then. */
      WK_AWAIT (flow, os_object_store_update_container_async (storage->store, storage->container,
                                                              large, WK_RESUME (flow)));
      if (!os_object_store_update_container_finish (storage->store, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
      wk_memo_invalidate (storage->containers, "");
    }
  WK_AWAIT (flow, os_object_store_head_object_async (storage->store, storage->container,
                                                     self->name, WK_RESUME (flow)));
  present = os_object_store_head_object_finish (storage->store, WK_RESULT (flow), &error);
  if (present == NULL && !g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND))
    WK_FAIL (flow, &error, NULL);
  g_clear_error (&error);
  if (!check_present (self, storage, present, &error))
    WK_FAIL (flow, &error, NULL);

  begin_upload (self);
  WK_AWAIT (flow, upload_async (storage, self, WK_RESUME (flow)));
  if (!upload_finish (storage, WK_RESULT (flow), &self->failure))
    {
      WK_AWAIT (flow, os_object_store_delete_objects_async (storage->store, storage->container,
                                                            self->names,
                                                            WK_RESUME_SHIELDED (flow)));
      if (!os_object_store_delete_objects_finish (storage->store, WK_RESULT (flow), &error))
        g_warning ("segments of %s are left in container %s: %s", self->name, storage->container,
                   error->message);
      WK_FAIL (flow, &self->failure, NULL);
    }

  WK_AWAIT (flow, os_storage_swift_sweep_async (storage, self->name, self->former, self->upload,
                                                WK_RESUME_SHIELDED (flow)));
  if (!os_storage_swift_sweep_finish (storage, WK_RESULT (flow), &error))
    g_warning ("segments of what was %s before are left in container %s: %s", self->name,
               storage->container, error->message);
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

void
os_storage_swift_put_large_async (OsStorageSwift      *self,
                                  const char          *name,
                                  GInputStream        *stream,
                                  goffset              length,
                                  gboolean             replace,
                                  GCancellable        *cancellable,
                                  GAsyncReadyCallback  callback,
                                  gpointer             user_data)
{
  PutLarge *put = g_new0 (PutLarge, 1);

  put->name = g_strdup (name);
  put->stream = g_object_ref (stream);
  put->length = length;
  put->replace = replace;
  put->names = g_ptr_array_new_with_free_func (g_free);
  wk_flow_start (self, cancellable, callback, user_data, os_storage_swift_put_large_async,
                 put_large_run, put, (GDestroyNotify) put_large_free);
}

gboolean
os_storage_swift_put_large_finish (OsStorageSwift  *self,
                                   GAsyncResult    *result,
                                   GError         **error)
{
  return wk_flow_finish_boolean (result, self, os_storage_swift_put_large_async, error);
}
