/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "base/text.h"
#include "base/uri.h"
#include "os-storage-swift-private.h"
#include "values/welkin-error.h"

/*
 * URLs by which a machine without a token reads a file. Temporary ones are for one file each, and
 * secrets. Swift signs them with a key of the container; an object store that has no such keys, as
 * an older radosgw, with one of the account, which others may be using.
 */

/* As good as never: machines fetch their tools with it, whenever they are started. */
#define LIFE_YEARS 10
#define KEY_BYTES 32

typedef struct
{
  char      *uri;
  GDateTime *expires; /* (nullable) */
} FileUri;

static void
file_uri_free (FileUri *self)
{
  g_free (self->uri);
  g_clear_pointer (&self->expires, g_date_time_unref);
  g_free (self);
}

static char *
make_plain_uri (OsStorageSwift *self,
                const char     *name)
{
  const char *endpoint = os_client_get_endpoint (self->client, OS_SERVICE_OBJECT_STORE);
  g_autofree char *container_uri = wk_uri_join (endpoint, self->container, NULL);

  return wk_uri_join_path (container_uri, name);
}

static FileUri *
make_public_uri (OsStorageSwift *self,
                 const char     *name)
{
  FileUri *uri = g_new0 (FileUri, 1);

  uri->uri = make_plain_uri (self, name);
  if (!self->has_warned)
    g_warning ("everybody who learns the name of container %s can read the environment's files, "
               "the state among them: storage-access is public-read",
               self->container);
  self->has_warned = TRUE;
  return uri;
}

static const struct
{
  const char    *digest;
  GChecksumType  type;
} digests[] = {
  { "sha1", G_CHECKSUM_SHA1 },
  { "sha256", G_CHECKSUM_SHA256 },
  { "sha512", G_CHECKSUM_SHA512 },
};

static char *
sign (const char *digest,
      const char *key,
      const char *path,
      gint64      expires)
{
  g_autofree char *text = g_strdup_printf ("GET\n%" G_GINT64_FORMAT "\n%s", expires, path);

  for (guint i = 0; i < G_N_ELEMENTS (digests); i++)
    if (g_str_equal (digests[i].digest, digest))
      return g_compute_hmac_for_string (digests[i].type, (const guint8 *) key, strlen (key), text,
                                        -1);
  g_return_val_if_reached (NULL);
}

static FileUri *
make_temporary_uri (OsStorageSwift *self,
                    const char     *digest,
                    const char     *key,
                    const char     *name)
{
  const char *endpoint = os_client_get_endpoint (self->client, OS_SERVICE_OBJECT_STORE);
  g_autoptr(GDateTime) now = g_date_time_new_now_utc ();
  g_autoptr(GDateTime) expires = g_date_time_add_years (now, LIFE_YEARS);
  g_autofree char *time = g_strdup_printf ("%" G_GINT64_FORMAT, g_date_time_to_unix (expires));
  g_autofree char *plain = make_plain_uri (self, name);
  /* What is signed is the path as swift sees it: from its version on, and not encoded. */
  g_autofree char *prefix = os_service_strip_version (endpoint);
  const char *account = endpoint + strlen (prefix);
  g_autofree char *path = NULL;
  g_autofree char *signature = NULL;
  FileUri *uri;

  path = g_strconcat (account, "/", self->container, "/", name, NULL);
  signature = sign (digest, key, path, g_date_time_to_unix (expires));
  uri = g_new0 (FileUri, 1);
  uri->uri = wk_uri_add_query (plain, "temp_url_sig", signature, "temp_url_expires", time, NULL);
  uri->expires = g_steal_pointer (&expires);
  return uri;
}

typedef struct
{
  char              *name;
  OsObjectStoreInfo *info;      /* (owned) (nullable) */
  OsContainer       *container; /* (owned) (nullable) */
  char              *key;       /* (owned) (nullable) */
  const char        *digest;
  FileUri           *uri;       /* (owned) (nullable) */
} GetUri;

static void
get_uri_free (GetUri *self)
{
  g_free (self->name);
  g_clear_pointer (&self->info, os_object_store_info_unref);
  g_clear_pointer (&self->container, os_container_unref);
  g_free (self->key);
  g_clear_pointer (&self->uri, file_uri_free);
  g_free (self);
}

static GError *
make_impossible_error (void)
{
  return g_error_new_literal (WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED,
                              _("the object store of this cloud makes no temporary URLs: set "
                                "attribute storage-access to public-read, if everybody may read "
                                "the environment's files"));
}

/* What the object store says that it can do; nothing at all says nothing. */
static gboolean
choose_digest (GetUri  *self,
               GError **error)
{
  self->digest = self->info->is_known ? self->info->temp_url_digest : "sha1";
  if (self->digest != NULL)
    return TRUE;
  *error = make_impossible_error ();
  return FALSE;
}

/* The key of the account that is there, or one for the slot that is empty; FALSE when it has none,
 * and it is new. */
static gboolean
take_account_key (GetUri         *self,
                  WkHttpResponse *account)
{
  static const char *const headers[] = { OS_ACCOUNT_KEY_HEADER, OS_ACCOUNT_KEY_HEADER "-2" };

  for (guint i = 0; i < G_N_ELEMENTS (headers); i++)
    {
      const char *key = wk_http_response_get_header (account, headers[i]);

      if (key == NULL || *key == '\0')
        continue;
      self->key = g_strdup (key);
      return TRUE;
    }
  self->key = wk_random_hex (KEY_BYTES);
  return FALSE;
}

/* A file need not be there yet: it is enough that the signature is not what is wrong. */
static gboolean
is_accepted (WkHttpResponse *response)
{
  guint status = response != NULL ? wk_http_response_get_status (response) : 0;

  return (status >= 200 && status < 300) || status == 404;
}

static void
get_uri_run (WkFlow *flow,
             gpointer user_data)
{
  GetUri *self = user_data;
  OsStorageSwift *storage = wk_flow_get_source (flow);
  g_autoptr(WkHttpRequest) request = NULL;
  g_autoptr(WkHttpResponse) response = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (!os_storage_swift_check_name (self->name, &error))
    WK_FAIL (flow, &error, NULL);
  if (storage->access == OS_ACCESS_PRIVATE)
    {
      g_set_error_literal (&error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED,
                           _("storage-access is private: nothing in storage has a URL"));
      WK_FAIL (flow, &error, NULL);
    }
  WK_AWAIT (flow, os_storage_swift_ensure_async (storage, WK_RESUME (flow)));
  self->container = os_storage_swift_ensure_finish (storage, WK_RESULT (flow), &error);
  if (self->container == NULL)
    WK_FAIL (flow, &error, NULL);
  if (storage->access == OS_ACCESS_PUBLIC)
    {
      wk_flow_return_pointer (flow, make_public_uri (storage, self->name),
                              (GDestroyNotify) file_uri_free);
      return;
    }

  WK_AWAIT (flow, os_object_store_load_info_async (storage->store, WK_RESUME (flow)));
  self->info = os_object_store_load_info_finish (storage->store, WK_RESULT (flow), &error);
  if (self->info == NULL || !choose_digest (self, &error))
    WK_FAIL (flow, &error, NULL);
  self->key = g_strdup (self->container->key);
  if (self->key == NULL)
    {
      WK_AWAIT (flow, os_object_store_head_account_async (storage->store, WK_RESUME (flow)));
      response = os_object_store_head_account_finish (storage->store, WK_RESULT (flow), &error);
      if (response == NULL)
        WK_FAIL (flow, &error, _("Cannot make temporary URLs"));
      if (!take_account_key (self, response))
        {
          WK_AWAIT (flow, os_object_store_set_account_key_async (storage->store, self->key,
                                                                 WK_RESUME (flow)));
          if (!os_object_store_set_account_key_finish (storage->store, WK_RESULT (flow), &error))
            WK_FAIL (flow, &error, _("Cannot make temporary URLs"));
        }
    }

  self->uri = make_temporary_uri (storage, self->digest, self->key, self->name);
  if (!self->info->is_known && !storage->has_tried_uri)
    {
      request = wk_http_request_new ("HEAD", self->uri->uri);
      WK_AWAIT (flow, wk_http_send_async (os_client_get_http (storage->client), request,
                                          WK_RESUME (flow)));
      response = wk_http_send_finish (os_client_get_http (storage->client), WK_RESULT (flow),
                                      &error);
      if (response == NULL)
        WK_FAIL (flow, &error, NULL);
      if (!is_accepted (response))
        {
          error = make_impossible_error ();
          WK_FAIL (flow, &error, NULL);
        }
      storage->has_tried_uri = TRUE;
    }
  wk_flow_return_pointer (flow, g_steal_pointer (&self->uri), (GDestroyNotify) file_uri_free);

  WK_FLOW_END (flow);
}

void
os_storage_swift_get_uri_async (WelkinStorage       *storage,
                                const char          *name,
                                GCancellable        *cancellable,
                                GAsyncReadyCallback  callback,
                                gpointer             user_data)
{
  GetUri *get = g_new0 (GetUri, 1);

  get->name = g_strdup (name);
  wk_flow_start (storage, cancellable, callback, user_data, os_storage_swift_get_uri_async,
                 get_uri_run, get, (GDestroyNotify) get_uri_free);
}

char *
os_storage_swift_get_uri_finish (WelkinStorage  *storage,
                                 GAsyncResult   *result,
                                 GDateTime     **expires,
                                 GError        **error)
{
  FileUri *uri = wk_flow_finish_pointer (result, storage, os_storage_swift_get_uri_async, error);
  char *text;

  if (uri == NULL)
    return NULL;
  if (expires != NULL && uri->expires != NULL)
    *expires = g_date_time_ref (uri->expires);
  text = g_steal_pointer (&uri->uri);
  file_uri_free (uri);
  return text;
}
