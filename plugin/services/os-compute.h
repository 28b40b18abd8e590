/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "model/os-flavor.h"
#include "model/os-server-group.h"
#include "model/os-server.h"
#include "model/os-zone.h"
#include "transport/os-client.h"

G_BEGIN_DECLS

#define OS_TYPE_COMPUTE (os_compute_get_type ())

/* Nova. */
G_DECLARE_FINAL_TYPE (OsCompute, os_compute, OS, COMPUTE, GObject)

OsCompute *os_compute_new                       (OsClient             *client);

/* All flavors (element-type OsFlavor) (transfer full); asked for once a minute at most. */
void       os_compute_list_flavors_async        (OsCompute            *self,
                                                 GCancellable         *cancellable,
                                                 GAsyncReadyCallback   callback,
                                                 gpointer              user_data);
GPtrArray *os_compute_list_flavors_finish       (OsCompute            *self,
                                                 GAsyncResult         *result,
                                                 GError              **error);

/* Zones (element-type OsZone) (transfer full); asked for once a minute at most.
 * WELKIN_ERROR_NOT_SUPPORTED on clouds that have none or keep them to themselves. */
void       os_compute_list_zones_async          (OsCompute            *self,
                                                 GCancellable         *cancellable,
                                                 GAsyncReadyCallback   callback,
                                                 gpointer              user_data);
GPtrArray *os_compute_list_zones_finish         (OsCompute            *self,
                                                 GAsyncResult         *result,
                                                 GError              **error);

/* Servers of the project (element-type OsServer) (transfer full). name_pattern: (nullable) a
 * regular expression for nova; it saves traffic and proves nothing. page: see
 * os_client_list_async(). */
void       os_compute_list_servers_async        (OsCompute            *self,
                                                 const char           *name_pattern,
                                                 OsPageFunc            page,
                                                 gpointer              page_data,
                                                 GCancellable         *cancellable,
                                                 GAsyncReadyCallback   callback,
                                                 gpointer              user_data);
GPtrArray *os_compute_list_servers_finish       (OsCompute            *self,
                                                 GAsyncResult         *result,
                                                 GError              **error);

/* As much as nova 2.1 tells. */
void       os_compute_get_server_async          (OsCompute            *self,
                                                 const char           *id,
                                                 GCancellable         *cancellable,
                                                 GAsyncReadyCallback   callback,
                                                 gpointer              user_data);
OsServer  *os_compute_get_server_finish         (OsCompute            *self,
                                                 GAsyncResult         *result,
                                                 GError              **error);

/* And which of its volumes go along with it, where nova can tell. */
void       os_compute_get_volumes_async         (OsCompute            *self,
                                                 const char           *id,
                                                 GCancellable         *cancellable,
                                                 GAsyncReadyCallback   callback,
                                                 gpointer              user_data);
OsServer  *os_compute_get_volumes_finish        (OsCompute            *self,
                                                 GAsyncResult         *result,
                                                 GError              **error);

/* What a server is made from; nothing of it is kept beyond the call. */
typedef struct
{
  const char         *name;
  const char         *flavor_id;
  const char         *image_id;
  const char         *zone;            /* (nullable) nova's choice */
  const char         *server_group_id; /* (nullable) of servers to be apart from */
  guint64             volume_gib;      /* of a volume to boot from; 0: from a disk of its host */
  const char         *volume_type;     /* (nullable) cinder's choice */
  const char * const *port_ids;        /* made beforehand; empty: nova is to connect it */
  const char * const *network_ids;     /* (nullable) for nova to connect it to; NULL: its choice */
  const char * const *group_names;     /* (nullable) security groups of what nova connects */
  GBytes             *user_data;       /* (nullable) as it is, not in base64 */
  GHashTable         *metadata;        /* of char * to char * */
  int                 config_drive;    /* -1: the cloud's choice */
} OsServerRequest;

/* The microversion that servers on volumes of a type need. */
#define OS_COMPUTE_VOLUME_TYPES "2.67"

void       os_compute_create_server_async       (OsCompute            *self,
                                                 const OsServerRequest *request,
                                                 GCancellable         *cancellable,
                                                 GAsyncReadyCallback   callback,
                                                 gpointer              user_data);
/* The id (transfer full). WELKIN_ERROR_UNAVAILABLE or _TIMED_OUT: it may have been made all the
 * same, to be looked for by its metadata. */
char      *os_compute_create_server_finish      (OsCompute            *self,
                                                 GAsyncResult         *result,
                                                 GError              **error);

/* That there is no such server is a success. */
void       os_compute_delete_server_async       (OsCompute            *self,
                                                 const char           *id,
                                                 GCancellable         *cancellable,
                                                 GAsyncReadyCallback   callback,
                                                 gpointer              user_data);
gboolean   os_compute_delete_server_finish      (OsCompute            *self,
                                                 GAsyncResult         *result,
                                                 GError              **error);

/* For clouds that keep deleted servers for a while. */
void       os_compute_force_delete_server_async (OsCompute            *self,
                                                 const char           *id,
                                                 GCancellable         *cancellable,
                                                 GAsyncReadyCallback   callback,
                                                 gpointer              user_data);
gboolean   os_compute_force_delete_server_finish (OsCompute           *self,
                                                 GAsyncResult         *result,
                                                 GError              **error);

/* Adds one item to the metadata of a server, or replaces it. */
void       os_compute_set_metadata_async        (OsCompute            *self,
                                                 const char           *id,
                                                 const char           *key,
                                                 const char           *value,
                                                 GCancellable         *cancellable,
                                                 GAsyncReadyCallback   callback,
                                                 gpointer              user_data);
gboolean   os_compute_set_metadata_finish       (OsCompute            *self,
                                                 GAsyncResult         *result,
                                                 GError              **error);

/* The last lines of what the server printed at boot (transfer full). */
void       os_compute_get_console_output_async  (OsCompute            *self,
                                                 const char           *id,
                                                 guint                 n_lines,
                                                 GCancellable         *cancellable,
                                                 GAsyncReadyCallback   callback,
                                                 gpointer              user_data);
char      *os_compute_get_console_output_finish (OsCompute            *self,
                                                 GAsyncResult         *result,
                                                 GError              **error);

/* The microversion that groups of which machines are kept apart as far as possible need. */
#define OS_COMPUTE_SOFT_POLICIES "2.15"

/* Of the project (element-type OsServerGroup) (transfer full). */
void           os_compute_list_server_groups_async   (OsCompute            *self,
                                                      GCancellable         *cancellable,
                                                      GAsyncReadyCallback   callback,
                                                      gpointer              user_data);
GPtrArray     *os_compute_list_server_groups_finish  (OsCompute            *self,
                                                      GAsyncResult         *result,
                                                      GError              **error);
/* A group whose servers are kept apart as far as possible. */
void           os_compute_create_server_group_async  (OsCompute            *self,
                                                      const char           *name,
                                                      GCancellable         *cancellable,
                                                      GAsyncReadyCallback   callback,
                                                      gpointer              user_data);
OsServerGroup *os_compute_create_server_group_finish (OsCompute            *self,
                                                      GAsyncResult         *result,
                                                      GError              **error);
/* Its servers stay. That there is no such group is a success. */
void           os_compute_delete_server_group_async  (OsCompute            *self,
                                                      const char           *id,
                                                      GCancellable         *cancellable,
                                                      GAsyncReadyCallback   callback,
                                                      gpointer              user_data);
gboolean       os_compute_delete_server_group_finish (OsCompute            *self,
                                                      GAsyncResult         *result,
                                                      GError              **error);

G_END_DECLS
