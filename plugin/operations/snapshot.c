/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/snapshot.h"

#include <glib/gi18n-lib.h>

#include "operations/ownership.h"
#include "transport/os-clouds.h"

#define DEFAULT_PREFIX "welkin"

struct _OsSnapshot
{
  GObject parent;

  WelkinConfig     *config;          /* (owned) */
  OsClient         *client;          /* (owned) */
  OsCompute        *compute;         /* (owned) */
  OsNetworkService *network_service; /* (owned) */
  OsNovaNetwork    *nova_network;    /* (owned) */
  OsImageService   *image_service;   /* (owned) */
  OsBlockStorage   *block_storage;   /* (owned) */
  OsPoller         *poller;          /* (owned) */
  OsSharedGroups   *shared_groups;   /* (owned) (nullable) before a login */
  OsApartGroup     *apart_group;     /* (owned) */
  OsZoneTally      *zone_tally;      /* (owned) */
  OsFloatingPool   *floating_pool;   /* (owned) */
  WelkinIntents    *intents;         /* (owned) (nullable) */
  GHashTable       *notices;         /* (owned) set of what was said */
};

G_DEFINE_FINAL_TYPE (OsSnapshot, os_snapshot, G_TYPE_OBJECT)

/* The services keep what they were told for a while; that stays true while the way in is the
 * same. */
static void
take_services (OsSnapshot *self,
               OsSnapshot *former)
{
  if (former != NULL && former->client == self->client)
    {
      self->compute = g_object_ref (former->compute);
      self->network_service = g_object_ref (former->network_service);
      self->nova_network = g_object_ref (former->nova_network);
      self->image_service = g_object_ref (former->image_service);
      self->block_storage = g_object_ref (former->block_storage);
      return;
    }
  self->compute = os_compute_new (self->client);
  self->network_service = os_network_service_new (self->client);
  self->nova_network = os_nova_network_new (self->client);
  self->image_service = os_image_service_new (self->client);
  self->block_storage = os_block_storage_new (self->client);
}

/* What operations read beside the way in; not a secret may come with it. */
static WelkinConfig *
with_networks (WelkinConfig        *config,
               WelkinSurroundings  *surroundings,
               GError             **error)
{
  static const char *const keys[] = { "network", "external-network" };
  g_autoptr(WelkinConfig) effective = os_clouds_fill (config, surroundings, error);
  WelkinConfig *result;

  if (effective == NULL)
    return NULL;
  result = welkin_config_ref (config);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      WelkinValue *value = welkin_config_lookup (effective, keys[i]);
      g_autoptr(WelkinConfig) former = NULL;

      if (value == NULL)
        continue;
      former = result;
      result = welkin_config_with (former, keys[i], value);
    }
  return result;
}

/* client: (transfer full) (nullable): NULL with an error set */
static OsSnapshot *
make_snapshot (WelkinConfig       *config,
               WelkinSurroundings *surroundings,
               OsSnapshot         *former,
               OsClient           *client,
               GError            **error)
{
  g_autoptr(OsSnapshot) self = g_object_new (OS_TYPE_SNAPSHOT, NULL);
  g_autofree char *server_filter = NULL;
  g_autofree char *server_group = NULL;

  self->client = client;
  if (client == NULL)
    return NULL;
  self->config = with_networks (config, surroundings, error);
  if (self->config == NULL)
    return NULL;
  take_services (self, former);
  if (former != NULL)
    g_set_object (&self->intents, former->intents);

  server_filter = os_name_server_filter (os_snapshot_get_prefix (self),
                                         welkin_config_get_name (config));
  server_group = os_name_server_group (os_snapshot_get_prefix (self),
                                       welkin_config_get_name (config),
                                       os_snapshot_get_environ_uuid (self));
  self->poller = os_poller_new (self->compute, os_snapshot_get_clock (self), server_filter);
  self->apart_group = os_apart_group_new (self->compute, self->client, server_group);
  self->zone_tally = os_zone_tally_new (self->compute, server_filter,
                                        os_snapshot_get_environ_uuid (self));
  self->floating_pool = os_floating_pool_new (self->client, self->network_service, config);
  return g_steal_pointer (&self);
}

OsSnapshot *
os_snapshot_new (WelkinConfig       *config,
                 WelkinSurroundings *surroundings,
                 OsSnapshot         *former,
                 GError            **error)
{
  OsClient *former_client = former != NULL ? former->client : NULL;

  return make_snapshot (config, surroundings, former,
                        os_client_new (config, surroundings, former_client, error), error);
}

OsSnapshot *
os_snapshot_new_read_only (WelkinConfig       *config,
                           WelkinSurroundings *surroundings,
                           GError            **error)
{
  return make_snapshot (config, surroundings, NULL,
                        os_client_new_read_only (config, surroundings, error), error);
}

WelkinConfig *
os_snapshot_get_config (OsSnapshot *self)
{
  return self->config;
}

OsClient *
os_snapshot_get_client (OsSnapshot *self)
{
  return self->client;
}

WkClock *
os_snapshot_get_clock (OsSnapshot *self)
{
  return os_client_get_clock (self->client);
}

OsCompute *
os_snapshot_get_compute (OsSnapshot *self)
{
  return self->compute;
}

OsNetworkService *
os_snapshot_get_network_service (OsSnapshot *self)
{
  return self->network_service;
}

OsNovaNetwork *
os_snapshot_get_nova_network (OsSnapshot *self)
{
  if (os_client_get_endpoint (self->client, OS_SERVICE_NETWORK) != NULL)
    return NULL;
  return self->nova_network;
}

OsFirewall *
os_snapshot_get_firewall (OsSnapshot *self)
{
  OsNovaNetwork *nova_network = os_snapshot_get_nova_network (self);

  return nova_network != NULL ? OS_FIREWALL (nova_network) : OS_FIREWALL (self->network_service);
}

OsImageService *
os_snapshot_get_image_service (OsSnapshot *self)
{
  return self->image_service;
}

OsBlockStorage *
os_snapshot_get_block_storage (OsSnapshot *self)
{
  return self->block_storage;
}

OsPoller *
os_snapshot_get_poller (OsSnapshot *self)
{
  return self->poller;
}

OsSharedGroups *
os_snapshot_get_shared_groups (OsSnapshot *self)
{
  if (self->shared_groups == NULL)
    self->shared_groups = os_shared_groups_new (os_snapshot_get_firewall (self), self->config,
                                                os_snapshot_get_prefix (self));
  return self->shared_groups;
}

OsApartGroup *
os_snapshot_get_apart_group (OsSnapshot *self)
{
  return self->apart_group;
}

OsZoneTally *
os_snapshot_get_zone_tally (OsSnapshot *self)
{
  return self->zone_tally;
}

OsFloatingPool *
os_snapshot_get_floating_pool (OsSnapshot *self)
{
  return self->floating_pool;
}

WelkinIntents *
os_snapshot_get_intents (OsSnapshot *self)
{
  return self->intents;
}

void
os_snapshot_set_intents (OsSnapshot    *self,
                         WelkinIntents *intents)
{
  g_set_object (&self->intents, intents);
}

const char *
os_snapshot_get_environ_uuid (OsSnapshot *self)
{
  return welkin_config_get_uuid (self->config);
}

const char *
os_snapshot_get_prefix (OsSnapshot *self)
{
  const char *prefix = welkin_config_get_string (self->config, "resource-prefix");

  return *prefix != '\0' ? prefix : DEFAULT_PREFIX;
}

gboolean
os_snapshot_owns_server (OsSnapshot     *self,
                         const OsServer *server)
{
  const char *uuid = os_server_get_metadata (server, OS_METADATA_ENVIRON_UUID);

  return g_strcmp0 (uuid, os_snapshot_get_environ_uuid (self)) == 0;
}

void
os_snapshot_notice (OsSnapshot *self,
                    const char *message)
{
  if (g_hash_table_add (self->notices, g_strdup (message)))
    g_message ("%s", message);
}

const char *
os_snapshot_get_region_name (OsSnapshot *self)
{
  const char *region = os_client_get_region (self->client);

  return region != NULL && *region != '\0' ? region : _("this cloud");
}

static void
os_snapshot_finalize (GObject *object)
{
  OsSnapshot *self = OS_SNAPSHOT (object);

  g_hash_table_unref (self->notices);
  g_clear_object (&self->intents);
  g_clear_pointer (&self->floating_pool, os_floating_pool_free);
  g_clear_pointer (&self->zone_tally, os_zone_tally_free);
  g_clear_object (&self->apart_group);
  g_clear_object (&self->shared_groups);
  g_clear_pointer (&self->poller, os_poller_unref);
  g_clear_object (&self->block_storage);
  g_clear_object (&self->image_service);
  g_clear_object (&self->nova_network);
  g_clear_object (&self->network_service);
  g_clear_object (&self->compute);
  g_clear_object (&self->client);
  g_clear_pointer (&self->config, welkin_config_unref);

  G_OBJECT_CLASS (os_snapshot_parent_class)->finalize (object);
}

static void
os_snapshot_class_init (OsSnapshotClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = os_snapshot_finalize;
}

static void
os_snapshot_init (OsSnapshot *self)
{
  self->notices = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}
