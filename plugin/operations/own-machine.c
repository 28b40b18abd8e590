/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/own-machine.h"

#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>

#include "base/flow.h"
#include "base/join.h"
#include "base/json.h"
#include "base/uri.h"
#include "metadata/welkin-data-sources.h"
#include "model/os-server.h"
#include "services/os-own-metadata.h"
#include "transport/os-client.h"
#include "values/welkin-error.h"

/* Nowhere else: it is the same at every cloud. */
#define METADATA_URL "http://169.254.169.254"

#define META_DATA "openstack/latest/meta_data.json"
#define LOCAL_ADDRESS "latest/meta-data/local-ipv4"
#define PUBLIC_ADDRESS "latest/meta-data/public-ipv4"
/* The same two on a config drive. */
#define EC2_DATA "ec2/latest/meta-data.json"

typedef struct
{
  /* inputs */
  WelkinSurroundings *surroundings;     /* (owned) */
  WkHttp             *http;             /* (owned) */
  char               *base;             /* (owned) of the metadata service */

  /* while running */
  WelkinDataSource   *drive;            /* (owned) (nullable) */
  WkJoin             *join;             /* (owned) (nullable) */
  char               *instance_id;      /* (owned) (nullable) */
  char               *zone;             /* (owned) (nullable) */
  char               *floating_address; /* (owned) (nullable) that we gave it */
  char               *private_address;  /* (owned) (nullable) */
  char               *public_address;   /* (owned) (nullable) */
} Look;

/* (transfer full) (nullable) */
static JsonNode *
parse_object (GBytes  *bytes,
              GError **error)
{
  g_autoptr(JsonNode) root = wk_json_parse (bytes, error);

  if (root == NULL || JSON_NODE_HOLDS_OBJECT (root))
    return g_steal_pointer (&root);
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL, _("expected an object"));
  return NULL;
}

/* NULL when there is none, or it is empty. (transfer full) */
static char *
dup_member (JsonObject *object,
            const char *name)
{
  const char *text = json_object_get_string_member_with_default (object, name, NULL);

  return text != NULL && *text != '\0' ? g_strdup (text) : NULL;
}

/* FALSE unless *address is one, or NULL. */
static gboolean
check_address (const char *name,
               const char *address,
               GError    **error)
{
  if (address == NULL || g_hostname_is_ip_address (address))
    return TRUE;
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL, _("%s is not an IP address"), name);
  return FALSE;
}

/* Where nova has the floating IPs, it is the id of one instead. */
static char *
dup_marked_address (JsonObject *meta)
{
  g_autofree char *text = dup_member (meta, OS_METADATA_FLOATING_IP);

  return text != NULL && g_hostname_is_ip_address (text) ? g_steal_pointer (&text) : NULL;
}

static gboolean
take_meta_data (Look    *self,
                GBytes  *bytes,
                GError **error)
{
  g_autoptr(JsonNode) root = parse_object (bytes, error);
  JsonObject *object;
  JsonNode *meta;

  if (root == NULL)
    return FALSE;
  object = json_node_get_object (root);
  self->instance_id = dup_member (object, "uuid");
  self->zone = dup_member (object, "availability_zone");
  meta = json_object_get_member (object, "meta");
  if (meta != NULL && JSON_NODE_HOLDS_OBJECT (meta))
    self->floating_address = dup_marked_address (json_node_get_object (meta));
  if (self->instance_id == NULL)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL, _("\"uuid\" is missing"));
      return FALSE;
    }
  return TRUE;
}

static gboolean
take_ec2_data (Look    *self,
               GBytes  *bytes,
               GError **error)
{
  g_autoptr(JsonNode) root = parse_object (bytes, error);

  if (root == NULL)
    return FALSE;
  self->private_address = dup_member (json_node_get_object (root), "local-ipv4");
  self->public_address = dup_member (json_node_get_object (root), "public-ipv4");
  return check_address ("local-ipv4", self->private_address, error)
         && check_address ("public-ipv4", self->public_address, error);
}

/* *address stays NULL when the text is empty. */
static gboolean
take_address (GBytes  *bytes,
              char   **address,
              GError **error)
{
  gsize length;
  const char *text = g_bytes_get_data (bytes, &length);
  g_autofree char *trimmed = g_strstrip (g_strndup (text != NULL ? text : "", length));

  if (*trimmed == '\0')
    return TRUE;
  if (!check_address (_("what it tells"), trimmed, error))
    return FALSE;
  *address = g_steal_pointer (&trimmed);
  return TRUE;
}

/* FALSE when the surroundings name what can be none. */
static gboolean
open_drive (Look    *self,
            GError **error)
{
  const char *path = welkin_surroundings_get_variable (self->surroundings, "WELKIN_CONFIG_DRIVE");

  if (path == NULL)
    return TRUE;
  self->drive = welkin_data_source_new_for_location (path, "config drive", WELKIN_DATA_SOURCE_NONE,
                                                     self->surroundings, error);
  return self->drive != NULL;
}

/* A drive that lacks the file is no error. */
static gboolean
take_from_drive (Look         *self,
                 const char   *name,
                 GAsyncResult *result,
                 gboolean    (*take) (Look *, GBytes *, GError **),
                 GError      **error)
{
  g_autoptr(GError) local_error = NULL;
  g_autoptr(GBytes) bytes = welkin_data_source_fetch_finish (self->drive, result, &local_error);
  g_autofree char *uri = NULL;

  if (g_error_matches (local_error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND))
    return TRUE;
  if (bytes != NULL && take (self, bytes, &local_error))
    return TRUE;
  uri = welkin_data_source_get_uri (self->drive, name);
  g_propagate_prefixed_error (error, g_steal_pointer (&local_error), "%s: ", uri);
  return FALSE;
}

static void
end_question (Look       *self,
              const char *path,
              GError     *error)
{
  g_autofree char *uri = wk_uri_join_path (self->base, path);

  /* What the transport says of itself names it. */
  if (error != NULL && strstr (error->message, uri) == NULL)
    g_prefix_error (&error, "GET %s: ", uri);
  wk_join_end (self->join, error);
}

static void
meta_data_cb (GObject      *source,
              GAsyncResult *result,
              gpointer      user_data)
{
  Look *self = user_data;
  GError *error = NULL;
  g_autoptr(GBytes) bytes = os_fetch_own_metadata_finish (result, &error);

  if (bytes != NULL)
    take_meta_data (self, bytes, &error);
  end_question (self, META_DATA, error);
}

static void
private_address_cb (GObject      *source,
                    GAsyncResult *result,
                    gpointer      user_data)
{
  Look *self = user_data;
  GError *error = NULL;
  g_autoptr(GBytes) bytes = os_fetch_own_metadata_finish (result, &error);

  if (bytes != NULL && take_address (bytes, &self->private_address, &error)
      && self->private_address == NULL)
    g_set_error (&error, WELKIN_ERROR, WELKIN_ERROR_NO_ADDRESSES,
                 _("the machine has no address there"));
  end_question (self, LOCAL_ADDRESS, error);
}

static void
public_address_cb (GObject      *source,
                   GAsyncResult *result,
                   gpointer      user_data)
{
  Look *self = user_data;
  GError *error = NULL;
  g_autoptr(GBytes) bytes = os_fetch_own_metadata_finish (result, &error);

  if (bytes != NULL)
    take_address (bytes, &self->public_address, &error);
  else if (g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND))
    g_clear_error (&error);
  end_question (self, PUBLIC_ADDRESS, error);
}

static void
ask (Look               *self,
     const char         *path,
     GAsyncReadyCallback callback)
{
  g_autofree char *uri = wk_uri_join_path (self->base, path);

  os_fetch_own_metadata_async (self->http, uri, wk_join_begin (self->join), callback, self);
}

/* What the drive has not told. */
static void
ask_service (Look   *self,
             WkFlow *flow)
{
  self->join = wk_join_new (WK_JOIN_CANCEL_OTHERS, wk_flow_get_cancellable (flow));
  if (self->instance_id == NULL)
    ask (self, META_DATA, meta_data_cb);
  if (self->private_address == NULL)
    {
      ask (self, LOCAL_ADDRESS, private_address_cb);
      ask (self, PUBLIC_ADDRESS, public_address_cb);
    }
}

/* A floating IP that came later than the service has looked stands in our own mark alone. */
static WelkinOwnMachine *
make_machine (Look *self)
{
  const char *public = self->public_address;
  g_autoptr(WelkinAddress) inside = NULL;
  g_autoptr(WelkinAddress) outside = NULL;

  if (public == NULL)
    public = self->floating_address;
  if (public == NULL)
    public = self->private_address;
  inside = welkin_address_new (self->private_address, WELKIN_SCOPE_UNKNOWN, NULL);
  outside = welkin_address_new (public, WELKIN_SCOPE_UNKNOWN, NULL);
  return welkin_own_machine_new (self->instance_id, inside, outside, self->zone);
}

static void
look_run (WkFlow  *flow,
          gpointer user_data)
{
  Look *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (!open_drive (self, &error))
    WK_FAIL (flow, &error, "WELKIN_CONFIG_DRIVE");
  if (self->drive != NULL)
    {
      WK_AWAIT (flow, welkin_data_source_fetch_async (self->drive, META_DATA, WK_RESUME (flow)));
      if (!take_from_drive (self, META_DATA, WK_RESULT (flow), take_meta_data, &error))
        WK_FAIL (flow, &error, NULL);
    }
  if (self->instance_id != NULL)
    {
      WK_AWAIT (flow, welkin_data_source_fetch_async (self->drive, EC2_DATA, WK_RESUME (flow)));
      if (!take_from_drive (self, EC2_DATA, WK_RESULT (flow), take_ec2_data, &error))
        WK_FAIL (flow, &error, NULL);
    }

  if (self->private_address == NULL)
    {
      ask_service (self, flow);
      WK_AWAIT (flow, wk_join_wait_async (self->join, wk_flow_resume_cb, flow));
      if (!wk_join_wait_finish (self->join, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, _("cannot learn which machine this is"));
    }
  wk_flow_return_pointer (flow, make_machine (self), (GDestroyNotify) welkin_own_machine_unref);

  WK_FLOW_END (flow);
}

static void
look_free (gpointer user_data)
{
  Look *self = user_data;

  g_free (self->public_address);
  g_free (self->private_address);
  g_free (self->floating_address);
  g_free (self->zone);
  g_free (self->instance_id);
  g_clear_pointer (&self->join, wk_join_unref);
  g_clear_object (&self->drive);
  g_free (self->base);
  wk_http_unref (self->http);
  welkin_surroundings_unref (self->surroundings);
  g_free (self);
}

void
os_load_own_machine_async (gpointer             source,
                           WelkinSurroundings  *surroundings,
                           GCancellable        *cancellable,
                           GAsyncReadyCallback  callback,
                           gpointer             user_data)
{
  Look *self = g_new0 (Look, 1);
  g_autoptr(WkClock) clock = NULL;
  WkHttpOptions options = { .user_agent = "welkin/" PACKAGE_VERSION, .is_read_only = TRUE };
  const char *base;

  self->surroundings = surroundings != NULL ? welkin_surroundings_ref (surroundings)
                                            : welkin_surroundings_new_for_process ();
  base = welkin_surroundings_get_variable (self->surroundings, "WELKIN_METADATA_URL");
  self->base = g_strdup (base != NULL ? base : METADATA_URL);
  clock = os_client_make_clock (self->surroundings);
  options.clock = clock;
  /* Without a proxy: none of them is the machine that is asked about. */
  self->http = wk_http_new (&options);
  wk_flow_start (source, cancellable, callback, user_data, os_load_own_machine_async, look_run,
                 self, look_free);
}

WelkinOwnMachine *
os_load_own_machine_finish (gpointer       source,
                            GAsyncResult  *result,
                            GError       **error)
{
  return wk_flow_finish_pointer (result, source, os_load_own_machine_async, error);
}
