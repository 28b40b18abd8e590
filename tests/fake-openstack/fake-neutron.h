/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What the files of the network service share, and what compute asks it for. */

#include "fake-private.h"

G_BEGIN_DECLS

/* Why something was refused. */
typedef struct
{
  guint status;
  const char *type;
  char *message; /* (owned) */
} FakeFault;

void fake_fault_clear (FakeFault *fault);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FakeFault, fake_fault_clear)
/* returns NULL, so that "return fake_fault_set (…)" reads well in makers */
gpointer fake_fault_set (FakeFault *fault, guint status, const char *type, const char *format, ...)
  G_GNUC_PRINTF (4, 5);

/* A resource of the API: how it is called, what may be said of it, how it comes and goes. */
typedef struct
{
  const char *kind;              /* the member in bodies, and the name of the store */
  const char *plural;            /* the member in lists */
  const char *path;              /* in URLs */
  const char *not_found_type;    /* of the error */
  const char *not_found_message; /* with %s for the id */
  const char *required;          /* (nullable) member that a POST must have */
  const char *const *settable;   /* members that a POST may have */
  const char *const *changeable; /* members that a PUT may have */
  const char *const *filters;    /* further names that a GET may filter by */

  /* Makes it, stored, or says why not. @caller is who asks. */
  JsonObject *(*create) (FakeCloud *cloud, const FakeToken *caller, JsonObject *body,
                         FakeFault *fault);
  /* Changes more than the members of @body themselves do (nullable). */
  gboolean (*update) (FakeCloud *cloud, const FakeToken *caller, JsonObject *object,
                      JsonObject *body, FakeFault *fault);
  /* Undoes what create did beside the object (nullable). */
  gboolean (*remove) (FakeCloud *cloud, JsonObject *object, FakeFault *fault);
  /* Changes the answer to a POST, which is not quite what GET shows (nullable). */
  void (*edit_answer) (JsonObject *answer);
  /* All or nothing of several (nullable: one after the other). */
  gboolean (*check_bulk) (FakeCloud *cloud, JsonArray *bodies, FakeFault *fault);
} FakeResource;

extern const FakeResource fake_network_resource;
extern const FakeResource fake_subnet_resource;
extern const FakeResource fake_router_resource;
extern const FakeResource fake_port_resource;
extern const FakeResource fake_floatingip_resource;
extern const FakeResource fake_group_resource;
extern const FakeResource fake_rule_resource;

#define FAKE_N_RESOURCES 7
extern const FakeResource *const fake_resources[FAKE_N_RESOURCES];

/* fake-neutron-extensions.c */
void fake_neutron_add_extensions (FakeCloud *cloud);
gboolean fake_neutron_has_extension (FakeCloud *cloud, const char *alias);
/* FALSE if there is nothing of that name to remove */
gboolean fake_neutron_set_extension (FakeCloud *cloud, const char *alias, gboolean is_present);
/* removes members that belong to missing extensions */
void fake_neutron_strip_members (FakeCloud *cloud, const FakeResource *resource,
                                 JsonObject *object);
/* has the resource the member also without its extension? */
gboolean fake_neutron_keeps_member (const FakeResource *resource, const char *member);
void fake_neutron_get_extensions (FakeRequest *request);

/* fake-neutron.c */
gboolean fake_neutron_is_visible (const FakeResource *resource, JsonObject *object,
                                  const FakeToken *caller);
/* the object if @caller may see it; else says that it was not found */
JsonObject *fake_neutron_get (FakeCloud *cloud, const FakeResource *resource,
                              const FakeToken *caller, const char *id, FakeFault *fault);
/* completes a new object with ids, times and revision, and stores it; takes @object */
JsonObject *fake_neutron_store (FakeCloud *cloud, const FakeResource *resource,
                                const char *project_id, JsonObject *object);
gboolean fake_neutron_check_quota (FakeCloud *cloud, const FakeResource *resource,
                                   const char *project_id, guint wanted, FakeFault *fault);
/* a change that was made by the cloud itself */
void fake_neutron_touch (JsonObject *object);
/* whose the new object will be */
const char *fake_neutron_get_owner (FakeCloud *cloud, const FakeToken *caller, JsonObject *body);
gboolean fake_neutron_is_uuid (const char *text);
/* frees the object with everything create did, without asking */
void fake_neutron_drop (FakeCloud *cloud, const FakeResource *resource, const char *id);

/* fake-neutron-list.c */
void fake_neutron_list (FakeRequest *request, const FakeResource *resource);
/* the object, or only its members that the request wants */
JsonObject *fake_neutron_select_fields (FakeRequest *request, JsonObject *object);

/* fake-neutron-inventory.c */
void fake_neutron_dump (FakeCloud *cloud, const char *project_id, GPtrArray *lines);

/* fake-neutron-addresses.c */
typedef struct _FakeAddresses FakeAddresses;

/* an address with a length: "10.1.2.3/8"; a length is not needed */
typedef struct
{
  GInetAddress *address; /* (owned) */
  GInetAddress *masked;  /* (owned) host bits cleared */
  guint length;
} FakePrefix;

gboolean fake_prefix_parse (const char *text, FakePrefix *prefix);
void fake_prefix_clear (FakePrefix *prefix);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FakePrefix, fake_prefix_clear)
gboolean fake_prefix_has (const FakePrefix *prefix, const char *address);

FakeAddresses *fake_addresses_new (void);
void fake_addresses_free (FakeAddresses *addresses);
/* a free address of the subnet's pool, or @wanted; NULL if there is none (transfer full) */
char *fake_addresses_take (FakeAddresses *addresses, JsonObject *subnet, const char *wanted);
void fake_addresses_give_back (FakeAddresses *addresses, const char *subnet_id,
                               const char *address);
/* the address that a machine with that MAC gives itself (transfer full) */
char *fake_addresses_make_slaac (JsonObject *subnet, const char *mac);

struct _FakeNeutron
{
  FakeAddresses *addresses;
  GHashTable *routers;       /* subnet id → id of the router with an interface in it */
  GHashTable *floating;      /* "port address" → id of the floating IP that leads there */
  GHashTable *defaults;      /* project id → id of its group "default" */
  GHashTable *last_writers;  /* object id → FakeLogEntry of the last PUT */
  GPtrArray *extensions;     /* aliases */
  guint next_mac;
  guint next_attr;
};

/* fake-neutron-ports.c */
/* compute plugs a port in, and takes it out again */
void fake_neutron_bind_port (FakeCloud *cloud, JsonObject *port, const char *server_id,
                             const char *zone);
void fake_neutron_unbind_port (FakeCloud *cloud, const char *port_id);

/* fake-neutron-floating.c */
/* the floating IP of one of the port's addresses, or NULL */
JsonObject *fake_neutron_find_floating (FakeCloud *cloud, const char *port_id,
                                        const char *fixed_address);
/* the port has changed */
void fake_neutron_refresh_floating (FakeCloud *cloud, JsonObject *port);
/* the port is going */
void fake_neutron_release_floating (FakeCloud *cloud, const char *port_id);

/* fake-neutron-groups.c */
/* the id of the project's group "default", which is made if need be */
const char *fake_neutron_ensure_default_group (FakeCloud *cloud, const char *project_id);

G_END_DECLS
