/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-intents.h"
#include "operations/apart-group.h"
#include "operations/floating-pool.h"
#include "operations/poller.h"
#include "operations/shared-groups.h"
#include "operations/zone-tally.h"
#include "services/os-block-storage.h"
#include "services/os-compute.h"
#include "services/os-image-service.h"
#include "services/os-network-service.h"
#include "services/os-nova-network.h"

G_BEGIN_DECLS

#define OS_TYPE_SNAPSHOT (os_snapshot_get_type ())

/*
 * What an environ is at one moment: its configuration, the way into the cloud, and all that was
 * learnt through it. An operation holds the snapshot it began with, so that a configuration which
 * changes meanwhile never mixes with it.
 */
G_DECLARE_FINAL_TYPE (OsSnapshot, os_snapshot, OS, SNAPSHOT, GObject)

/* former: (nullable): the snapshot before; what does not depend on the change is kept, the token
 * above all. */
OsSnapshot       *os_snapshot_new                 (WelkinConfig       *config,
                                                   WelkinSurroundings *surroundings,
                                                   OsSnapshot         *former,
                                                   GError            **error);

/* One by which nothing can be changed: it has a way into the cloud that only reads. */
OsSnapshot       *os_snapshot_new_read_only       (WelkinConfig       *config,
                                                   WelkinSurroundings *surroundings,
                                                   GError            **error);

/* That of the environment, with the networks that clouds.yaml names where it leaves them open. */
WelkinConfig     *os_snapshot_get_config          (OsSnapshot         *self);
OsClient         *os_snapshot_get_client          (OsSnapshot         *self);
WkClock          *os_snapshot_get_clock           (OsSnapshot         *self);
OsCompute        *os_snapshot_get_compute         (OsSnapshot         *self);
OsNetworkService *os_snapshot_get_network_service (OsSnapshot         *self);
/* Where there is no network service: NULL where there is. Known after a login. */
OsNovaNetwork    *os_snapshot_get_nova_network    (OsSnapshot         *self);
/* Whichever service has the security groups of this cloud, after a login. */
OsFirewall       *os_snapshot_get_firewall        (OsSnapshot         *self);
OsImageService   *os_snapshot_get_image_service   (OsSnapshot         *self);
OsBlockStorage   *os_snapshot_get_block_storage   (OsSnapshot         *self);
OsPoller         *os_snapshot_get_poller          (OsSnapshot         *self);
OsSharedGroups   *os_snapshot_get_shared_groups   (OsSnapshot         *self);
OsApartGroup     *os_snapshot_get_apart_group     (OsSnapshot         *self);
OsZoneTally      *os_snapshot_get_zone_tally      (OsSnapshot         *self);
OsFloatingPool   *os_snapshot_get_floating_pool   (OsSnapshot         *self);
/* Where to note what can carry no mark; NULL: nowhere. Those that follow have the same. */
WelkinIntents    *os_snapshot_get_intents         (OsSnapshot         *self);
void              os_snapshot_set_intents         (OsSnapshot         *self,
                                                   WelkinIntents      *intents);

const char       *os_snapshot_get_environ_uuid    (OsSnapshot         *self);
const char       *os_snapshot_get_prefix          (OsSnapshot         *self);
/* Does the server carry our mark? Nothing else makes it ours. */
gboolean          os_snapshot_owns_server         (OsSnapshot         *self,
                                                   const OsServer     *server);
/* Tells who watches the log, but not the same again and again. */
void              os_snapshot_notice              (OsSnapshot         *self,
                                                   const char         *message);
/* For the region in messages: its name, or "this cloud". */
const char       *os_snapshot_get_region_name     (OsSnapshot         *self);

G_END_DECLS
