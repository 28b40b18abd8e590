/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-instance.h"
#include "model/os-record.h"

G_BEGIN_DECLS

/* What our servers' metadata say of them; the first is what makes a server ours. */
#define OS_METADATA_ENVIRON_UUID "welkin-env-uuid"
#define OS_METADATA_ENVIRON_NAME "welkin-env"
#define OS_METADATA_MACHINE_ID "welkin-machine"
#define OS_METADATA_START "welkin-start"
#define OS_METADATA_ROLE "welkin-role"
/* The id of its floating IP, where that cannot say itself whose it is. */
#define OS_METADATA_FLOATING_IP "welkin-fip"

/* What a server says of its flavor and its image; a server on a volume has no image. */
typedef struct
{
  char *id;
} OsReference;

/* Why a server is in ERROR. */
typedef struct
{
  gint64 code;
  char  *message;
} OsFault;

typedef struct
{
  char *network; /* the name of the network that it is on */
  char *address;
  char *type;    /* (nullable) "fixed" or "floating" */
  char *mac;     /* (nullable) of the card that has it */
} OsServerAddress;

/* A volume that is attached to a server. */
typedef struct
{
  char    *id;
  gboolean goes_along; /* it is deleted with the server; -1: nova does not say, below 2.3 */
} OsAttachedVolume;

typedef struct
{
  char        *id;
  char        *name;
  char        *status;     /* (nullable) as nova wrote it */
  char        *task_state; /* (nullable) */
  char        *created;    /* (nullable) ISO 8601 */
  char        *zone;       /* (nullable) */
  char        *access_ipv4;
  char        *access_ipv6;
  OsReference *flavor;     /* (nullable) */
  OsReference *image;      /* (nullable) */
  OsFault     *fault;      /* (nullable) */
  GHashTable  *metadata;   /* (nullable) of texts */
  GPtrArray   *volumes;    /* (nullable) of OsAttachedVolume */
  GPtrArray   *addresses;  /* (nullable) of OsServerAddress, in nova's order */
} OsServer;

OS_DECLARE_RECORD (OsServer, os_server)

/* The status in common words; what is being deleted is stopping whatever its status. */
WelkinInstanceState os_server_get_state    (const OsServer *self);
gboolean            os_server_is_building  (const OsServer *self);
/* Deleted for good, or as good as: it is not to be found any more. */
gboolean            os_server_is_gone      (const OsServer *self);
/* It boots from a volume, or does not tell its image. */
gboolean            os_server_is_on_volume (const OsServer *self);
/* The ids of those of its volumes that nova deletes together with it, for certain.
 * (transfer full) */
char              **os_server_list_doomed_volumes (const OsServer *self);
/* NULL when there is no such item. */
const char         *os_server_get_metadata (const OsServer *self,
                                            const char     *key);

G_END_DECLS
