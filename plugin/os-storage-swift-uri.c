/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "base/uri.h"
#include "os-storage-swift-private.h"
#include "values/welkin-error.h"

/* Temporary URLs: whoever has one can read that one object. They are secrets. */

/* As good as never: machines fetch their tools with it, whenever they are started. */
#define LIFE_YEARS 10

typedef struct
{
  char      *uri;
  GDateTime *expires;
} SignedUri;

static void
signed_uri_free (SignedUri *self)
{
  g_free (self->uri);
  g_date_time_unref (self->expires);
  g_free (self);
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

static SignedUri *
make_uri (OsStorageSwift *self,
          const char     *digest,
          const char     *key,
          const char     *name)
{
  const char *endpoint = os_client_get_endpoint (self->client, OS_SERVICE_OBJECT_STORE);
  g_autoptr(GDateTime) now = g_date_time_new_now_utc ();
  g_autoptr(GDateTime) expires = g_date_time_add_years (now, LIFE_YEARS);
  g_autofree char *time = g_strdup_printf ("%" G_GINT64_FORMAT, g_date_time_to_unix (expires));
  g_autofree char *container_uri = wk_uri_join (endpoint, self->container, NULL);
  g_autofree char *object_uri = wk_uri_join_path (container_uri, name);
  /* What is signed is the path as swift sees it: from its version on, and not encoded. */
  g_autofree char *prefix = os_service_strip_version (endpoint);
  const char *account = endpoint + strlen (prefix);
  g_autofree char *path = NULL;
  g_autofree char *signature = NULL;
  SignedUri *uri;

  path = g_strconcat (account, "/", self->container, "/", name, NULL);
  signature = sign (digest, key, path, g_date_time_to_unix (expires));
  uri = g_new0 (SignedUri, 1);
  uri->uri = wk_uri_add_query (object_uri, "temp_url_sig", signature, "temp_url_expires", time,
                               NULL);
  uri->expires = g_steal_pointer (&expires);
  return uri;
}

typedef struct
{
  char              *name;
  OsObjectStoreInfo *info; /* (owned) */
} GetUri;

static void
get_uri_free (GetUri *self)
{
  g_free (self->name);
  g_clear_pointer (&self->info, os_object_store_info_unref);
  g_free (self);
}

static gboolean
check_possible (OsStorageSwift           *storage,
                const OsObjectStoreInfo  *info,
                GError                  **error)
{
  if (!storage->is_private && info->temp_url_digest != NULL)
    return TRUE;
  g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED,
                       storage->is_private
                         ? _("storage-access is private: nothing in storage has a URL")
                         : _("the object store of this cloud makes no temporary URLs"));
  return FALSE;
}

static void
get_uri_run (WkFlow *flow,
             gpointer user_data)
{
  GetUri *self = user_data;
  OsStorageSwift *storage = wk_flow_get_source (flow);
  g_autofree char *key = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (!os_storage_swift_check_name (self->name, &error))
    WK_FAIL (flow, &error, NULL);
  WK_AWAIT (flow, os_object_store_load_info_async (storage->store, WK_RESUME (flow)));
  self->info = os_object_store_load_info_finish (storage->store, WK_RESULT (flow), &error);
  if (self->info == NULL || !check_possible (storage, self->info, &error))
    WK_FAIL (flow, &error, NULL);

  WK_AWAIT (flow, os_storage_swift_ensure_async (storage, WK_RESUME (flow)));
  key = os_storage_swift_ensure_finish (storage, WK_RESULT (flow), &error);
  if (key == NULL)
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_pointer (flow, make_uri (storage, self->info->temp_url_digest, key, self->name),
                          (GDestroyNotify) signed_uri_free);

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
  SignedUri *uri = wk_flow_finish_pointer (result, storage, os_storage_swift_get_uri_async, error);
  char *text;

  if (uri == NULL)
    return NULL;
  if (expires != NULL)
    *expires = g_date_time_ref (uri->expires);
  text = g_steal_pointer (&uri->uri);
  signed_uri_free (uri);
  return text;
}
