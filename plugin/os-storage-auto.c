/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <environments/welkin-file-storage.h>

#include "base/flow.h"
#include "os-storage-auto.h"
#include "os-storage-none.h"
#include "os-storage-s3.h"
#include "os-storage-swift.h"

struct _OsStorageAuto
{
  GObject parent;

  OsClient      *client;    /* (owned) */
  WelkinConfig  *config;    /* (owned) */
  char          *directory; /* (nullable) */
  WelkinStorage *chosen;    /* (owned) (nullable) */
};

static void os_storage_auto_storage_init (WelkinStorageInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (OsStorageAuto, os_storage_auto, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (WELKIN_TYPE_STORAGE,
                                                      os_storage_auto_storage_init))

static gboolean
has_attribute (OsStorageAuto *self,
               const char    *key)
{
  return *welkin_config_get_string (self->config, key) != '\0';
}

/* There has been a login. */
static void
choose (OsStorageAuto *self)
{
  gboolean has_s3 = has_attribute (self, "s3-url")
                    || os_client_get_endpoint (self->client, OS_SERVICE_S3) != NULL;

  if (self->chosen != NULL)
    return;
  if (os_client_get_endpoint (self->client, OS_SERVICE_OBJECT_STORE) != NULL)
    self->chosen = os_storage_swift_new (self->client, self->config);
  else if (has_s3 && has_attribute (self, "access-key"))
    self->chosen = os_storage_s3_new (self->client, self->config);
  else if (self->directory == NULL)
    self->chosen = os_storage_none_new ();
  else
    {
      g_info ("this cloud has no object store: files of the environment are in %s",
              self->directory);
      self->chosen = welkin_file_storage_new_private (self->directory);
    }
}

/* One call of any kind, which goes on to the chosen one. */
typedef enum
{
  GET,
  PUT,
  LIST,
  REMOVE,
  REMOVE_ALL,
  GET_URI,
} Kind;

typedef struct
{
  Kind                kind;
  char               *name;   /* (nullable) or the prefix of a list */
  GInputStream       *stream; /* (owned) (nullable) */
  goffset             length;
  WelkinStorageFlags  flags;

  GDateTime          *expires; /* (owned) (nullable) beside the result */
} Call;

static void
call_free (Call *self)
{
  g_free (self->name);
  g_clear_object (&self->stream);
  g_free (self);
}

static void
forward (Call                *self,
         WelkinStorage       *storage,
         GCancellable        *cancellable,
         GAsyncReadyCallback  callback,
         gpointer             user_data)
{
  switch (self->kind)
    {
    case GET:
      welkin_storage_get_async (storage, self->name, self->flags, cancellable, callback,
                                user_data);
      break;
    case PUT:
      welkin_storage_put_async (storage, self->name, self->stream, self->length, self->flags,
                                cancellable, callback, user_data);
      break;
    case LIST:
      welkin_storage_list_async (storage, self->name, cancellable, callback, user_data);
      break;
    case REMOVE:
      welkin_storage_remove_async (storage, self->name, cancellable, callback, user_data);
      break;
    case REMOVE_ALL:
      welkin_storage_remove_all_async (storage, cancellable, callback, user_data);
      break;
    case GET_URI:
    default:
      welkin_storage_get_uri_async (storage, self->name, cancellable, callback, user_data);
      break;
    }
}

static void
free_result (gpointer result)
{
  g_object_unref (result);
}

/* The chosen storage's own result becomes ours: the finish function knows what it is. */
static void
call_run (WkFlow *flow,
          gpointer user_data)
{
  Call *self = user_data;
  OsStorageAuto *storage = wk_flow_get_source (flow);
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (storage->chosen == NULL)
    {
      WK_AWAIT (flow, os_client_login_async (storage->client, WK_RESUME (flow)));
      if (!os_client_login_finish (storage->client, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
      choose (storage);
    }
  WK_AWAIT (flow, forward (self, storage->chosen, WK_RESUME (flow)));
  wk_flow_return_pointer (flow, g_object_ref (WK_RESULT (flow)), free_result);

  WK_FLOW_END (flow);
}

/* Takes the parts of the call. */
static void
call (WelkinStorage       *storage,
      const Call          *parts,
      GCancellable        *cancellable,
      GAsyncReadyCallback  callback,
      gpointer             user_data)
{
  wk_flow_start (storage, cancellable, callback, user_data, call, call_run,
                 g_memdup2 (parts, sizeof *parts), (GDestroyNotify) call_free);
}

/* The result of the chosen storage (transfer full), NULL when it did not come to that. */
static GAsyncResult *
finish_call (WelkinStorage  *storage,
             GAsyncResult   *result,
             GError        **error)
{
  return wk_flow_finish_pointer (result, storage, call, error);
}

WelkinStorage *
os_storage_auto_get_chosen (OsStorageAuto *self)
{
  return self->chosen;
}

static WelkinStorage *
get_chosen (WelkinStorage *storage)
{
  return os_storage_auto_get_chosen (OS_STORAGE_AUTO (storage));
}

static void
os_storage_auto_get_async (WelkinStorage       *storage,
                           const char          *name,
                           WelkinStorageFlags   flags,
                           GCancellable        *cancellable,
                           GAsyncReadyCallback  callback,
                           gpointer             user_data)
{
  const Call parts = { .kind = GET, .name = g_strdup (name), .flags = flags };

  call (storage, &parts, cancellable, callback, user_data);
}

static GInputStream *
os_storage_auto_get_finish (WelkinStorage  *storage,
                            GAsyncResult   *result,
                            GError        **error)
{
  g_autoptr(GAsyncResult) forwarded = finish_call (storage, result, error);

  return forwarded != NULL ? welkin_storage_get_finish (get_chosen (storage), forwarded, error)
                           : NULL;
}

static void
os_storage_auto_put_async (WelkinStorage       *storage,
                           const char          *name,
                           GInputStream        *stream,
                           goffset              length,
                           WelkinStorageFlags   flags,
                           GCancellable        *cancellable,
                           GAsyncReadyCallback  callback,
                           gpointer             user_data)
{
  const Call parts = {
    .kind = PUT, .name = g_strdup (name), .stream = g_object_ref (stream), .length = length,
    .flags = flags,
  };

  call (storage, &parts, cancellable, callback, user_data);
}

static gboolean
os_storage_auto_put_finish (WelkinStorage  *storage,
                            GAsyncResult   *result,
                            GError        **error)
{
  g_autoptr(GAsyncResult) forwarded = finish_call (storage, result, error);

  return forwarded != NULL
         && welkin_storage_put_finish (get_chosen (storage), forwarded, error);
}

static void
os_storage_auto_list_async (WelkinStorage       *storage,
                            const char          *prefix,
                            GCancellable        *cancellable,
                            GAsyncReadyCallback  callback,
                            gpointer             user_data)
{
  const Call parts = { .kind = LIST, .name = g_strdup (prefix) };

  call (storage, &parts, cancellable, callback, user_data);
}

static char **
os_storage_auto_list_finish (WelkinStorage  *storage,
                             GAsyncResult   *result,
                             GError        **error)
{
  g_autoptr(GAsyncResult) forwarded = finish_call (storage, result, error);

  return forwarded != NULL ? welkin_storage_list_finish (get_chosen (storage), forwarded, error)
                           : NULL;
}

static void
os_storage_auto_remove_async (WelkinStorage       *storage,
                              const char          *name,
                              GCancellable        *cancellable,
                              GAsyncReadyCallback  callback,
                              gpointer             user_data)
{
  const Call parts = { .kind = REMOVE, .name = g_strdup (name) };

  call (storage, &parts, cancellable, callback, user_data);
}

static gboolean
os_storage_auto_remove_finish (WelkinStorage  *storage,
                               GAsyncResult   *result,
                               GError        **error)
{
  g_autoptr(GAsyncResult) forwarded = finish_call (storage, result, error);

  return forwarded != NULL
         && welkin_storage_remove_finish (get_chosen (storage), forwarded, error);
}

static void
os_storage_auto_remove_all_async (WelkinStorage       *storage,
                                  GCancellable        *cancellable,
                                  GAsyncReadyCallback  callback,
                                  gpointer             user_data)
{
  const Call parts = { .kind = REMOVE_ALL };

  call (storage, &parts, cancellable, callback, user_data);
}

static gboolean
os_storage_auto_remove_all_finish (WelkinStorage  *storage,
                                   GAsyncResult   *result,
                                   GError        **error)
{
  g_autoptr(GAsyncResult) forwarded = finish_call (storage, result, error);

  return forwarded != NULL
         && welkin_storage_remove_all_finish (get_chosen (storage), forwarded, error);
}

static void
os_storage_auto_get_uri_async (WelkinStorage       *storage,
                               const char          *name,
                               GCancellable        *cancellable,
                               GAsyncReadyCallback  callback,
                               gpointer             user_data)
{
  const Call parts = { .kind = GET_URI, .name = g_strdup (name) };

  call (storage, &parts, cancellable, callback, user_data);
}

static char *
os_storage_auto_get_uri_finish (WelkinStorage  *storage,
                                GAsyncResult   *result,
                                GDateTime     **expires,
                                GError        **error)
{
  g_autoptr(GAsyncResult) forwarded = finish_call (storage, result, error);

  if (forwarded == NULL)
    return NULL;
  return welkin_storage_get_uri_finish (get_chosen (storage), forwarded, expires, error);
}

WelkinStorage *
os_storage_auto_new (OsClient     *client,
                     WelkinConfig *config,
                     const char   *directory)
{
  OsStorageAuto *self = g_object_new (OS_TYPE_STORAGE_AUTO, NULL);

  self->client = g_object_ref (client);
  self->config = welkin_config_ref (config);
  self->directory = g_strdup (directory);
  return WELKIN_STORAGE (self);
}

static void
os_storage_auto_storage_init (WelkinStorageInterface *iface)
{
  iface->get_async = os_storage_auto_get_async;
  iface->get_finish = os_storage_auto_get_finish;
  iface->put_async = os_storage_auto_put_async;
  iface->put_finish = os_storage_auto_put_finish;
  iface->list_async = os_storage_auto_list_async;
  iface->list_finish = os_storage_auto_list_finish;
  iface->remove_async = os_storage_auto_remove_async;
  iface->remove_finish = os_storage_auto_remove_finish;
  iface->remove_all_async = os_storage_auto_remove_all_async;
  iface->remove_all_finish = os_storage_auto_remove_all_finish;
  iface->get_uri_async = os_storage_auto_get_uri_async;
  iface->get_uri_finish = os_storage_auto_get_uri_finish;
}

static void
os_storage_auto_finalize (GObject *object)
{
  OsStorageAuto *self = OS_STORAGE_AUTO (object);

  g_clear_object (&self->chosen);
  g_clear_object (&self->client);
  g_clear_pointer (&self->config, welkin_config_unref);
  g_free (self->directory);

  G_OBJECT_CLASS (os_storage_auto_parent_class)->finalize (object);
}

static void
os_storage_auto_class_init (OsStorageAutoClass *class)
{
  G_OBJECT_CLASS (class)->finalize = os_storage_auto_finalize;
}

static void
os_storage_auto_init (OsStorageAuto *self)
{
}
