/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "base/uri.h"
#include "services/os-ec2-keys.h"
#include "services/os-s3-private.h"
#include "values/welkin-error.h"

/* Longer than this no server takes it. */
#define MAX_LIFE_SECONDS (7 * 24 * 60 * 60)

G_DEFINE_FINAL_TYPE (OsS3, os_s3, G_TYPE_OBJECT)

/* Where it is, and the keys */

static void
door_clear (gpointer data)
{
  OsS3Door *door = data;

  g_free (door->url);
  g_free (door->access);
  g_free (door->secret);
}

void
os_s3_door_unref (OsS3Door *door)
{
  g_rc_box_release_full (door, door_clear);
}

static OsS3Door *
door_new (const char *url,
          const char *access,
          const char *secret)
{
  OsS3Door *door = g_rc_box_new0 (OsS3Door);

  door->url = g_strdup (url);
  door->access = g_strdup (access);
  door->secret = g_strdup (secret);
  return door;
}

/* The one in the catalog is known behind a login only. */
static const char *
find_url (OsS3    *self,
          GError **error)
{
  const char *url = self->url;

  if (url == NULL)
    url = os_client_get_endpoint (self->client, OS_SERVICE_S3);
  if (url == NULL)
    g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED,
                 _("region \"%s\" of this cloud has no S3 service: set attribute s3-url"),
                 os_client_get_region (self->client));
  return url;
}

static void
load_door_run (WkFlow *flow,
               gpointer user_data)
{
  OsS3 *self = wk_flow_get_source (flow);
  g_autoptr(OsEc2Key) key = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (self->url == NULL)
    {
      WK_AWAIT (flow, os_client_login_async (self->client, WK_RESUME (flow)));
      if (!os_client_login_finish (self->client, WK_RESULT (flow), &error)
          || find_url (self, &error) == NULL)
        WK_FAIL (flow, &error, NULL);
    }
  if (self->access != NULL)
    {
      wk_flow_return_pointer (flow, door_new (find_url (self, NULL), self->access, self->secret),
                              (GDestroyNotify) os_s3_door_unref);
      return;
    }
  WK_AWAIT (flow, os_ec2_keys_load_async (self->client, WK_RESUME (flow)));
  key = os_ec2_keys_load_finish (self->client, WK_RESULT (flow), &error);
  if (key == NULL)
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_pointer (flow, door_new (find_url (self, NULL), key->access, key->secret),
                          (GDestroyNotify) os_s3_door_unref);

  WK_FLOW_END (flow);
}

static void
load_door (gpointer             owner,
           const char          *key,
           GCancellable        *cancellable,
           GAsyncReadyCallback  callback,
           gpointer             user_data)
{
  wk_flow_start (owner, cancellable, callback, user_data, load_door, load_door_run, NULL, NULL);
}

static gpointer
load_door_finish (gpointer       owner,
                  GAsyncResult  *result,
                  GError       **error)
{
  return wk_flow_finish_pointer (result, owner, load_door, error);
}

void
os_s3_load_door_async (OsS3                *self,
                       GCancellable        *cancellable,
                       GAsyncReadyCallback  callback,
                       gpointer             user_data)
{
  wk_memo_get_async (self->doors, "", cancellable, callback, user_data);
}

OsS3Door *
os_s3_load_door_finish (OsS3          *self,
                        GAsyncResult  *result,
                        GError       **error)
{
  return wk_memo_get_finish (self->doors, result, error);
}

/* Signed URLs */

typedef struct
{
  char      *bucket;
  char      *name;

  char      *uri;     /* (owned) (nullable) the result */
  GDateTime *expires; /* (owned) (nullable) */
} Presign;

static void
presign_free (Presign *self)
{
  g_free (self->bucket);
  g_free (self->name);
  g_free (self->uri);
  g_clear_pointer (&self->expires, g_date_time_unref);
  g_free (self);
}

static Presign *
sign_uri (OsS3           *s3,
          const OsS3Door *door,
          const char     *bucket,
          const char     *name)
{
  g_autoptr(GDateTime) now = os_s3_get_time (s3);
  OsSigner signer = os_s3_make_signer (s3, door, now);
  g_autofree char *bucket_uri = wk_uri_join (door->url, bucket, NULL);
  g_autofree char *uri = wk_uri_join_path (bucket_uri, name);
  Presign *presign = g_new0 (Presign, 1);

  presign->uri = os_signer_presign (&signer, uri, MAX_LIFE_SECONDS);
  presign->expires = g_date_time_add_seconds (now, MAX_LIFE_SECONDS);
  return presign;
}

static void
presign_run (WkFlow *flow,
             gpointer user_data)
{
  Presign *self = user_data;
  OsS3 *s3 = wk_flow_get_source (flow);
  g_autoptr(OsS3Door) door = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_s3_load_door_async (s3, WK_RESUME (flow)));
  door = os_s3_load_door_finish (s3, WK_RESULT (flow), &error);
  if (door == NULL)
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_pointer (flow, sign_uri (s3, door, self->bucket, self->name),
                          (GDestroyNotify) presign_free);

  WK_FLOW_END (flow);
}

void
os_s3_presign_async (OsS3                *self,
                     const char          *bucket,
                     const char          *name,
                     GCancellable        *cancellable,
                     GAsyncReadyCallback  callback,
                     gpointer             user_data)
{
  Presign *presign = g_new0 (Presign, 1);

  presign->bucket = g_strdup (bucket);
  presign->name = g_strdup (name);
  wk_flow_start (self, cancellable, callback, user_data, os_s3_presign_async, presign_run,
                 presign, (GDestroyNotify) presign_free);
}

char *
os_s3_presign_finish (OsS3          *self,
                      GAsyncResult  *result,
                      GDateTime    **expires,
                      GError       **error)
{
  Presign *presign = wk_flow_finish_pointer (result, self, os_s3_presign_async, error);
  char *uri;

  if (presign == NULL)
    return NULL;
  uri = g_steal_pointer (&presign->uri);
  if (expires != NULL)
    *expires = g_steal_pointer (&presign->expires);
  presign_free (presign);
  return uri;
}

/* Making one */

OsS3 *
os_s3_new (OsClient   *client,
           const char *url,
           const char *region,
           const char *access,
           const char *secret)
{
  OsS3 *self = g_object_new (OS_TYPE_S3, NULL);

  self->client = g_object_ref (client);
  self->url = g_strdup (url);
  self->region = g_strdup (region);
  self->access = g_strdup (access);
  self->secret = g_strdup (secret);
  self->doors = wk_memo_new (self, -1, load_door, load_door_finish, (WkMemoCopy) g_rc_box_acquire,
                             (GDestroyNotify) os_s3_door_unref);
  return self;
}

static void
os_s3_dispose (GObject *object)
{
  OsS3 *self = OS_S3 (object);

  if (self->doors != NULL)
    wk_memo_close (self->doors);
  g_clear_pointer (&self->doors, wk_memo_unref);
  g_clear_object (&self->client);

  G_OBJECT_CLASS (os_s3_parent_class)->dispose (object);
}

static void
os_s3_finalize (GObject *object)
{
  OsS3 *self = OS_S3 (object);

  g_free (self->url);
  g_free (self->region);
  g_free (self->access);
  g_free (self->secret);

  G_OBJECT_CLASS (os_s3_parent_class)->finalize (object);
}

static void
os_s3_class_init (OsS3Class *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);

  object_class->dispose = os_s3_dispose;
  object_class->finalize = os_s3_finalize;
}

static void
os_s3_init (OsS3 *self)
{
}
