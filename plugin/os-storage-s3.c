/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "os-storage-s3-private.h"
#include "transport/os-spool.h"
#include "values/welkin-error.h"

/* Files up to this size go in one request, if they can be read twice: S3 wants the checksum first.
 * What else is so large goes in parts, each of which is in a temporary file meanwhile. */
#define MAX_WHOLE (G_GINT64_CONSTANT (1) << 30)
#define MAX_WHOLE_IN_FILE (G_GINT64_CONSTANT (16) << 20)
/* Their second checksum, with which S3 compares them as well, takes no time. */
#define MAX_SMALL (G_GINT64_CONSTANT (1) << 20)

static void os_storage_s3_storage_init (WelkinStorageInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (OsStorageS3, os_storage_s3, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (WELKIN_TYPE_STORAGE,
                                                      os_storage_s3_storage_init))

gboolean
os_storage_s3_check_name (const char  *name,
                          GError     **error)
{
  if (!os_storage_check_name (name, error))
    return FALSE;
  if (!g_str_equal (name, OS_BUCKET_MARK))
    return TRUE;
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
               _("the name \"%s\" is for what tells whose the bucket is"), OS_BUCKET_MARK);
  return FALSE;
}

/* Reading */

static void
os_storage_s3_get_async (WelkinStorage       *storage,
                         const char          *name,
                         WelkinStorageFlags   flags,
                         GCancellable        *cancellable,
                         GAsyncReadyCallback  callback,
                         gpointer             user_data)
{
  OsStorageS3 *self = OS_STORAGE_S3 (storage);

  os_storage_open_async (storage, self->s3, self->bucket, name, flags,
                         os_client_get_clock (self->client), (OsOpen) os_s3_get_object_async,
                         (OsOpenFinish) os_s3_get_object_finish, cancellable, callback, user_data);
}

/* Writing */

typedef struct
{
  char               *name;
  GInputStream       *stream; /* (owned) */
  goffset             length;
  WelkinStorageFlags  flags;
  OsSpool            *spool;  /* (owned) (nullable) */
  guint               tries;
} Put;

static void
put_free (Put *self)
{
  g_free (self->name);
  g_object_unref (self->stream);
  os_spool_free (self->spool);
  g_free (self);
}

static gboolean
goes_in_parts (Put *self)
{
  return self->length > (os_spool_can_go_back (self->stream) ? MAX_WHOLE : MAX_WHOLE_IN_FILE);
}

/* A bucket that has gone meanwhile and bytes damaged on the way are worth one more try. */
static gboolean
is_worth_another (Put         *self,
                  OsStorageS3 *storage,
                  GError      *error)
{
  if (self->tries > 0)
    return FALSE;
  if (g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND))
    {
      wk_memo_invalidate (storage->buckets, "");
      return TRUE;
    }
  return g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
}

static void
put_run (WkFlow *flow,
         gpointer user_data)
{
  Put *self = user_data;
  OsStorageS3 *storage = wk_flow_get_source (flow);
  gboolean replace = (self->flags & WELKIN_STORAGE_NO_REPLACE) == 0;
  g_autoptr(GError) error = NULL;
  OsSpoolDigests digests;
  gboolean is_put;

  WK_FLOW_BEGIN (flow);

  if (!os_storage_s3_check_name (self->name, &error))
    WK_FAIL (flow, &error, NULL);
  if (goes_in_parts (self))
    {
      WK_AWAIT (flow, os_storage_s3_ensure_async (storage, WK_RESUME (flow)));
      if (!os_storage_s3_ensure_finish (storage, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
      WK_AWAIT (flow, os_s3_put_large_async (storage->s3, storage->bucket, self->name,
                                             self->stream, self->length, replace,
                                             WK_RESUME (flow)));
      if (!os_s3_put_large_finish (storage->s3, WK_RESULT (flow), &error))
        {
          os_storage_explain (&error, _("bucket %s cannot be written"), storage->bucket);
          WK_FAIL (flow, &error, NULL);
        }
      wk_flow_return_boolean (flow, TRUE);
      return;
    }

  digests = self->length > MAX_SMALL ? OS_SPOOL_SHA256 : OS_SPOOL_MD5 | OS_SPOOL_SHA256;
  WK_AWAIT (flow, os_spool_read_async (self->stream, self->length, digests, WK_RESUME (flow)));
  self->spool = os_spool_read_finish (WK_RESULT (flow), &error);
  if (self->spool == NULL)
    WK_FAIL (flow, &error, NULL);
  for (self->tries = 0;; self->tries++)
    {
      g_clear_error (&error);
      WK_AWAIT (flow, os_storage_s3_ensure_async (storage, WK_RESUME (flow)));
      if (!os_storage_s3_ensure_finish (storage, WK_RESULT (flow), &error))
        break;
      WK_AWAIT (flow, os_s3_put_object_async (storage->s3, storage->bucket, self->name,
                                              self->spool->body, self->spool->md5,
                                              self->spool->sha256, replace, WK_RESUME (flow)));
      is_put = os_s3_put_object_finish (storage->s3, WK_RESULT (flow), &error);
      if (is_put || !is_worth_another (self, storage, error))
        break;
    }
  if (error != NULL)
    {
      os_storage_explain (&error, _("bucket %s cannot be written"), storage->bucket);
      WK_FAIL (flow, &error, NULL);
    }
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

static void
os_storage_s3_put_async (WelkinStorage       *storage,
                         const char          *name,
                         GInputStream        *stream,
                         goffset              length,
                         WelkinStorageFlags   flags,
                         GCancellable        *cancellable,
                         GAsyncReadyCallback  callback,
                         gpointer             user_data)
{
  Put *put = g_new0 (Put, 1);

  put->name = g_strdup (name);
  put->stream = g_object_ref (stream);
  put->length = length;
  put->flags = flags;
  wk_flow_start (storage, cancellable, callback, user_data, os_storage_s3_put_async, put_run, put,
                 (GDestroyNotify) put_free);
}

static gboolean
os_storage_s3_put_finish (WelkinStorage  *storage,
                          GAsyncResult   *result,
                          GError        **error)
{
  return wk_flow_finish_boolean (result, storage, os_storage_s3_put_async, error);
}

/* Listing */

typedef struct
{
  char      *prefix;
  GPtrArray *names;   /* (owned) */
  OsS3Page  *page;    /* (owned) (nullable) the last */
} List;

static void
list_free (List *self)
{
  g_free (self->prefix);
  g_ptr_array_unref (self->names);
  g_clear_pointer (&self->page, os_s3_page_free);
  g_free (self);
}

static gboolean
take_page (List     *self,
           OsS3Page *page)
{
  g_clear_pointer (&self->page, os_s3_page_free);
  self->page = page;
  if (page == NULL)
    return FALSE;
  g_ptr_array_extend_and_steal (self->names, g_steal_pointer (&page->names));
  page->names = g_ptr_array_new ();
  return TRUE;
}

/* Sorted and without the mark, NULL-terminated. (transfer full) */
static char **
steal_names (List *self)
{
  guint index;

  if (g_ptr_array_find_with_equal_func (self->names, OS_BUCKET_MARK, g_str_equal, &index))
    g_ptr_array_remove_index_fast (self->names, index);
  g_ptr_array_sort (self->names, os_storage_compare_names);
  g_ptr_array_add (self->names, NULL);
  return (char **) g_ptr_array_steal (self->names, NULL);
}

static void
list_run (WkFlow *flow,
          gpointer user_data)
{
  List *self = user_data;
  OsStorageS3 *storage = wk_flow_get_source (flow);
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  do
    {
      WK_AWAIT (flow, os_s3_list_page_async (storage->s3, storage->bucket, self->prefix,
                                             self->page, WK_RESUME (flow)));
      if (!take_page (self, os_s3_list_page_finish (storage->s3, WK_RESULT (flow), &error)))
        WK_FAIL (flow, &error, NULL);
    }
  while (self->page->next != NULL);
  wk_flow_return_pointer (flow, steal_names (self), (GDestroyNotify) g_strfreev);

  WK_FLOW_END (flow);
}

static void
os_storage_s3_list_async (WelkinStorage       *storage,
                          const char          *prefix,
                          GCancellable        *cancellable,
                          GAsyncReadyCallback  callback,
                          gpointer             user_data)
{
  List *list = g_new0 (List, 1);

  list->prefix = g_strdup (prefix);
  list->names = g_ptr_array_new_with_free_func (g_free);
  wk_flow_start (storage, cancellable, callback, user_data, os_storage_s3_list_async, list_run,
                 list, (GDestroyNotify) list_free);
}

static char **
os_storage_s3_list_finish (WelkinStorage  *storage,
                           GAsyncResult   *result,
                           GError        **error)
{
  return wk_flow_finish_pointer (result, storage, os_storage_s3_list_async, error);
}

/* URLs */

typedef struct
{
  char      *uri;
  GDateTime *expires;
} SignedUri;

static void
signed_uri_free (SignedUri *self)
{
  g_free (self->uri);
  g_clear_pointer (&self->expires, g_date_time_unref);
  g_free (self);
}

static gboolean
check_access (OsStorageS3  *self,
              GError      **error)
{
  if (self->access != OS_ACCESS_PRIVATE && self->access != OS_ACCESS_PUBLIC)
    return TRUE;
  g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED,
                       self->access == OS_ACCESS_PRIVATE
                         ? _("storage-access is private: nothing in storage has a URL")
                         : _("files in S3 have temporary URLs only: set attribute storage-access "
                             "to tempurl"));
  return FALSE;
}

static void
get_uri_run (WkFlow *flow,
             gpointer user_data)
{
  const char *name = user_data;
  OsStorageS3 *storage = wk_flow_get_source (flow);
  g_autoptr(GError) error = NULL;
  SignedUri *uri;

  WK_FLOW_BEGIN (flow);

  if (!os_storage_s3_check_name (name, &error) || !check_access (storage, &error))
    WK_FAIL (flow, &error, NULL);
  /* Only a request tells whether the region and the time are what the server has. */
  WK_AWAIT (flow, os_storage_s3_ensure_async (storage, WK_RESUME (flow)));
  if (!os_storage_s3_ensure_finish (storage, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  WK_AWAIT (flow, os_s3_presign_async (storage->s3, storage->bucket, name, WK_RESUME (flow)));
  uri = g_new0 (SignedUri, 1);
  uri->uri = os_s3_presign_finish (storage->s3, WK_RESULT (flow), &uri->expires, &error);
  if (uri->uri == NULL)
    {
      signed_uri_free (uri);
      WK_FAIL (flow, &error, NULL);
    }
  wk_flow_return_pointer (flow, uri, (GDestroyNotify) signed_uri_free);

  WK_FLOW_END (flow);
}

static void
os_storage_s3_get_uri_async (WelkinStorage       *storage,
                             const char          *name,
                             GCancellable        *cancellable,
                             GAsyncReadyCallback  callback,
                             gpointer             user_data)
{
  wk_flow_start (storage, cancellable, callback, user_data, os_storage_s3_get_uri_async,
                 get_uri_run, g_strdup (name), g_free);
}

static char *
os_storage_s3_get_uri_finish (WelkinStorage  *storage,
                              GAsyncResult   *result,
                              GDateTime     **expires,
                              GError        **error)
{
  SignedUri *uri = wk_flow_finish_pointer (result, storage, os_storage_s3_get_uri_async, error);
  char *text;

  if (uri == NULL)
    return NULL;
  if (expires != NULL)
    *expires = g_steal_pointer (&uri->expires);
  text = g_steal_pointer (&uri->uri);
  signed_uri_free (uri);
  return text;
}

/* Making one */

static const char *
get_attribute (WelkinConfig *config,
               const char   *key)
{
  const char *value = welkin_config_get_string (config, key);

  return *value != '\0' ? value : NULL;
}

WelkinStorage *
os_storage_s3_new (OsClient     *client,
                   WelkinConfig *config)
{
  OsStorageS3 *self = g_object_new (OS_TYPE_STORAGE_S3, NULL);

  self->client = g_object_ref (client);
  self->s3 = os_s3_new (client, get_attribute (config, "s3-url"),
                        welkin_config_get_string (config, "s3-region"),
                        get_attribute (config, "access-key"),
                        get_attribute (config, "secret-key"));
  self->bucket = g_strdup (welkin_config_get_string (config, "control-bucket"));
  self->uuid = g_strdup (welkin_config_get_uuid (config));
  self->access = os_storage_parse_access (welkin_config_get_string (config, "storage-access"));
  self->buckets = os_storage_s3_new_memo (self);
  return WELKIN_STORAGE (self);
}

static void
os_storage_s3_storage_init (WelkinStorageInterface *iface)
{
  iface->get_async = os_storage_s3_get_async;
  iface->get_finish = os_storage_open_finish;
  iface->put_async = os_storage_s3_put_async;
  iface->put_finish = os_storage_s3_put_finish;
  iface->list_async = os_storage_s3_list_async;
  iface->list_finish = os_storage_s3_list_finish;
  iface->remove_async = os_storage_s3_remove_async;
  iface->remove_finish = os_storage_s3_remove_finish;
  iface->remove_all_async = os_storage_s3_remove_all_async;
  iface->remove_all_finish = os_storage_s3_remove_all_finish;
  iface->get_uri_async = os_storage_s3_get_uri_async;
  iface->get_uri_finish = os_storage_s3_get_uri_finish;
}

static void
os_storage_s3_dispose (GObject *object)
{
  OsStorageS3 *self = OS_STORAGE_S3 (object);

  if (self->buckets != NULL)
    wk_memo_close (self->buckets);
  g_clear_pointer (&self->buckets, wk_memo_unref);
  g_clear_object (&self->s3);
  g_clear_object (&self->client);

  G_OBJECT_CLASS (os_storage_s3_parent_class)->dispose (object);
}

static void
os_storage_s3_finalize (GObject *object)
{
  OsStorageS3 *self = OS_STORAGE_S3 (object);

  g_free (self->bucket);
  g_free (self->uuid);

  G_OBJECT_CLASS (os_storage_s3_parent_class)->finalize (object);
}

static void
os_storage_s3_class_init (OsStorageS3Class *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);

  object_class->dispose = os_storage_s3_dispose;
  object_class->finalize = os_storage_s3_finalize;
}

static void
os_storage_s3_init (OsStorageS3 *self)
{
}
