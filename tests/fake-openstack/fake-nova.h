/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What the files of the compute service share. */

#include "fake-neutron.h"

G_BEGIN_DECLS

/* One network card of a server, as asked for or as it is. */
typedef struct
{
  char *network_id;     /* (nullable) nova makes a port there */
  char *port_id;        /* (nullable) before nova has made it */
  char *fixed_address;  /* (nullable) */
  gboolean is_novas;    /* the port goes with the server */
} FakeCard;

typedef struct
{
  char *id;
  char *name;
  char *description; /* (nullable) */
  char *project_id;
  char *user_id;
  char *zone;           /* where it is, or is wanted */
  char *image_id;       /* (nullable) it boots from a volume */
  char *root_image_id;  /* (nullable) what the volume is made from */
  gint64 root_size;     /* of the volume */
  char *root_type;      /* (nullable) of the volume */
  gboolean keeps_root;  /* the volume stays when the server goes */
  char *volume_id;      /* (nullable) before nova has made it */
  char *key_name;       /* (nullable) */
  char *user_data;      /* (nullable) base64 */
  char *group_id;       /* (nullable) server group */
  JsonObject *flavor;   /* (owned) as it was */
  JsonObject *metadata; /* (owned) */
  GPtrArray *tags;      /* (owned) of char *, sorted */
  GPtrArray *cards;     /* (owned) of FakeCard */
  GPtrArray *groups;    /* (owned) ids of security groups for ports that nova makes */
  gboolean has_config_drive;
  gboolean is_locked;

  const char *status; /* "ACTIVE", … (interned) */
  const char *task;   /* "deleting", … (nullable) */
  char *host;         /* (nullable) where it runs */
  gboolean has_zone;  /* was asked for */
  gboolean was_scheduled;
  gint64 created_us;
  gint64 updated_us;
  gint64 launched_us; /* 0: never */

  int fault_code;
  char *fault_message; /* (nullable) */
  gint64 fault_us;

  char **script; /* (owned) (nullable) states to go through */
  guint script_step;
  int script_code;
  char *script_message;
} FakeServer;

struct _FakeNova
{
  GHashTable *links; /* id → GList of servers */
  GQueue servers;    /* (owned) newest first */
  gint64 last_number; /* of what is shown under one */
  GPtrArray *scripts;
};

/* fake-nova.c */
void fake_nova_fail (FakeRequest *request, guint status, const char *format, ...)
  G_GNUC_PRINTF (3, 4);
/* the URL up to and with the version, as the client wrote it (transfer full) */
char *fake_nova_get_base (FakeRequest *request, gboolean with_version);
/* page size and "NAME_links"; FALSE after an answer */
gboolean fake_nova_get_limit (FakeRequest *request, guint *limit);
void fake_nova_append_next (FakeRequest *request, GString *out, const char *plural,
                            const char *marker);
void fake_nova_reply_no_route (FakeRequest *request);
/* the member @name of the body as an object; answers if there is none */
JsonObject *fake_nova_get_body (FakeRequest *request, const char *name);

/* fake-nova-things.c: flavors, zones, limits, server groups */
void fake_nova_list_flavors (FakeRequest *request);
void fake_nova_detail_flavors (FakeRequest *request);
void fake_nova_get_flavor (FakeRequest *request);
void fake_nova_list_zones (FakeRequest *request);
void fake_nova_detail_zones (FakeRequest *request);
void fake_nova_get_limits (FakeRequest *request);
void fake_nova_list_groups (FakeRequest *request);
void fake_nova_create_group (FakeRequest *request);
void fake_nova_get_group (FakeRequest *request);
void fake_nova_delete_group (FakeRequest *request);
JsonObject *fake_nova_add_flavor (FakeCloud *cloud, JsonObject *content);
JsonObject *fake_nova_add_zone (FakeCloud *cloud, JsonObject *content);
JsonObject *fake_nova_add_keypair (FakeCloud *cloud, JsonObject *content);

/* fake-nova-validate.c: what the API's schemas refuse; FALSE after an answer */
gboolean fake_nova_validate_server (FakeRequest *request, JsonObject *server);
gboolean fake_nova_validate_metadata (FakeRequest *request, JsonObject *metadata);
gboolean fake_nova_validate_tags (FakeRequest *request, JsonArray *tags);

/* fake-nova-create.c */
void fake_nova_create_server (FakeRequest *request);
JsonObject *fake_nova_add_server (FakeCloud *cloud, JsonObject *content);

/* fake-nova-life.c */
void fake_server_free (FakeServer *server);
FakeServer *fake_nova_find_server (FakeCloud *cloud, const char *id);
/* fake-nova.c: gives the server the first script that fits */
void fake_nova_take_script (FakeCloud *cloud, FakeServer *server);
/* takes @server, starts its life */
void fake_nova_launch (FakeCloud *cloud, FakeServer *server);
/* takes @server, which is ACTIVE at once */
void fake_nova_put_active (FakeCloud *cloud, FakeServer *server);
void fake_nova_set_status (FakeServer *server, const char *status);
void fake_nova_rename (FakeCloud *cloud, FakeServer *server, const char *name);
/* what the status means elsewhere */
const char *fake_server_get_vm_state (const FakeServer *server);
int fake_server_get_power_state (const FakeServer *server);
void fake_nova_delete (FakeCloud *cloud, FakeServer *server);
/* the end of a delete, or without one */
void fake_nova_finish_delete (FakeCloud *cloud, const char *id);
gboolean fake_server_is_gone (const FakeServer *server);

/* fake-nova-servers.c */
void fake_nova_list_servers (FakeRequest *request);
void fake_nova_detail_servers (FakeRequest *request);
void fake_nova_get_server (FakeRequest *request);
void fake_nova_update_server (FakeRequest *request);
void fake_nova_delete_server (FakeRequest *request);
void fake_nova_get_interfaces (FakeRequest *request);
/* the server in the path, if it may be seen; else answers */
FakeServer *fake_nova_need_server (FakeRequest *request);

/* fake-nova-actions.c: actions, metadata, tags */
void fake_nova_act (FakeRequest *request);
void fake_nova_get_metadata (FakeRequest *request);
void fake_nova_post_metadata (FakeRequest *request);
void fake_nova_put_metadata (FakeRequest *request);
void fake_nova_delete_metadata (FakeRequest *request);
void fake_nova_get_tags (FakeRequest *request);
void fake_nova_put_tags (FakeRequest *request);
void fake_nova_delete_tags (FakeRequest *request);
void fake_nova_put_tag (FakeRequest *request);
void fake_nova_delete_tag (FakeRequest *request);

/* fake-nova-network.c: networks, floating IPs */
/* the id as JSON: a text, or a number where there is no neutron (transfer full) */
char *fake_nova_get_shown_id (FakeCloud *cloud, JsonObject *object);
/* what is shown under that id in the project of the request, or NULL */
JsonObject *fake_nova_find_shown (FakeRequest *request, const char *kind, const char *id);
/* FALSE after an answer: the microversion is too new */
gboolean fake_nova_has_networks (FakeRequest *request);
void fake_nova_list_networks (FakeRequest *request);
void fake_nova_list_pools (FakeRequest *request);
void fake_nova_list_floating (FakeRequest *request);
void fake_nova_get_floating (FakeRequest *request);
void fake_nova_create_floating (FakeRequest *request);
void fake_nova_delete_floating (FakeRequest *request);
/* FALSE if the action is none of these; else answers */
gboolean fake_nova_act_on_floating (FakeRequest *request, FakeServer *server, const char *action,
                                    JsonObject *parameters);

/* fake-nova-network-groups.c */
void fake_nova_list_security_groups (FakeRequest *request);
void fake_nova_create_security_group (FakeRequest *request);
void fake_nova_get_security_group (FakeRequest *request);
void fake_nova_delete_security_group (FakeRequest *request);
void fake_nova_create_security_rule (FakeRequest *request);
void fake_nova_delete_security_rule (FakeRequest *request);
void fake_nova_list_server_groups_of (FakeRequest *request);

/* fake-metadata.c: what the server is told of itself (transfer full) */
char *fake_server_print_meta_data (const FakeServer *server);

/* fake-nova-view.c */
void fake_server_append_brief (GString *out, FakeRequest *request, const FakeServer *server);
void fake_server_append_detail (GString *out, FakeRequest *request, const FakeServer *server,
                                gboolean is_single);

G_END_DECLS
