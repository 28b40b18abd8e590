/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * An OpenStack in one process, for tests.
 *
 * fake_cloud_new() listens on 127.0.0.1 and answers in the thread-default main
 * context; a client in the same thread must therefore not block. Everything
 * goes over real sockets. One port serves all: /identity, /compute, /network,
 * /image, /object-store, /s3, /volume, /metadata/SERVER for what a server is told of
 * itself, and /_fake for the control points below.
 *
 * It starts with the contents of the real test cloud: domain Default, region
 * RegionOne; users demo/secret (project demo, quotas unlimited), other/secret
 * (project other, default quotas), admin/admin; images, flavors, the zones
 * az1, az2, az3; networks private (demo), other-private (other) and the
 * external one, public.
 */

typedef struct _FakeCloud FakeCloud;

FakeCloud *fake_cloud_new (GError **error);

/*
 * @port 0 is any free one; without defaults there are no accounts and no contents;
 * with a @certificate (nullable), a PEM file with its key, everything speaks TLS
 */
FakeCloud *fake_cloud_new_full (guint port, gboolean with_defaults, const char *certificate,
                                GError **error);
/* the same with defaults, and not on the loopback but on an address of this machine */
FakeCloud *fake_cloud_new_at (const char *address, guint port, const char *certificate,
                              GError **error);
void fake_cloud_free (FakeCloud *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FakeCloud, fake_cloud_free)

/* http://127.0.0.1:PORT (or https) and the same with /identity/v3 (owned by the cloud) */
const char *fake_cloud_get_url (FakeCloud *self);
const char *fake_cloud_get_auth_url (FakeCloud *self);

/* "OS_AUTH_URL=…", … for a user of the cloud, NULL-terminated (transfer full) */
char **fake_cloud_dup_environment (FakeCloud *self, const char *user, const char *project);

/*
 * Contents. Kinds and the members of @json that matter:
 *
 *   domain       name, id?
 *   project      name, id?, domain?
 *   user         name, id?, password, default_project (name), roles {project: [role, …]}, domain?
 *   credential   an application credential: name, secret, user (name), project
 *   ec2-key      access, secret, user, project
 *   trust        trustor, trustee (users), project
 *   endpoint     type, name?, region?, url ("$(project_id)" is replaced), interface?
 *   flavor       name, id?, vcpus, ram, disk, extra_specs?
 *   image        name, id?, any image property
 *   zone         name, available?
 *   network      name, project, any neutron attribute
 *   subnet       network (name or id), cidr, any neutron attribute
 *   security_group       name, project, description?
 *   security_group_rule  security_group_id, direction, any neutron attribute
 *   port         network (name or id), any neutron attribute
 *   router       name, project, external (network), subnets [id, …]
 *   objects      project, container, prefix?, count?: PREFIX000000 and so on, each "x"
 *   server       name, project, network?, count?: made ACTIVE at once, without quota
 *   volume       name, project, size?, status?, metadata?
 *
 * All return the id of what was made (owned by the cloud) and abort on a mistake
 * of the caller. Names count as ids where an id is wanted. JSON without any double
 * quote may use single ones instead.
 */
const char *fake_cloud_add (FakeCloud *self, const char *kind, const char *json);
/* sets members of a network, subnet, port, router, image or flavor */
void fake_cloud_update (FakeCloud *self, const char *kind, const char *name, const char *json);
void fake_cloud_remove (FakeCloud *self, const char *kind, const char *name);
/* the id of the first one of that name, or NULL */
const char *fake_cloud_find (FakeCloud *self, const char *kind, const char *name);

/*
 * Settings, by name:
 *
 *   build-delay (50)   ms that a server spends in BUILD
 *   delete-delay (50)  ms between DELETE of a server and its end
 *   fip-delay (20)     ms until a floating IP changes its status
 *   latency (0)        ms added to every answer
 *   token-life (3600)  seconds
 *   clock-skew (0)     seconds by which the clock of the identity service is ahead, and
 *                      the Date of every answer
 *   keystone-has-v1, keystone-has-v2 (0), keystone-has-v3 (1)   versions of identity
 *   keystone-has-key-pair (0)  v2 takes access keys in place of a password
 *   keystone-has-ec2 (0)       everybody may exchange an EC2 signature for a token
 *   nova-max-limit (1000), neutron-max-limit (0: none), glance-max-limit (1000),
 *   swift-max-limit (10000)   largest page of a service
 *   swift-has-info, swift-has-tempurl, swift-has-bulk, swift-has-slo (1)
 *   swift-missing-reads (0)     so often a new object is first reported missing
 *   swift-max-file-size (2147483647)  bytes of an object that is put whole
 *   swift-is-radosgw (0)        1: its ways of old: containers have no keys, an access rule
 *                               counts in a POST only, a list is text unless its URL says JSON;
 *                               2: nor is an access rule kept then
 *   s3-max-keys (1000)          largest page of a list
 *   s3-has-v1-list (0)          it knows no list of version 2
 *   s3-is-region-one (0)        its region is RegionOne and not us-east-1
 *   s3-ignores-conditions (0)   If-None-Match is nothing to it (2: it answers 501, as Swift)
 *   nova-max-microversion (93)  the N of 2.N; 0 is a nova that has none
 *   case-sensitive (0)         names are matched as PostgreSQL does, not as MariaDB
 *   nova-network (0)            there is no network service, nova has groups and floating IPs
 *   nova-soft-delete (0)        deleted servers stay SOFT_DELETED
 *   nova-leaves-volumes (0)     volumes to boot from stay when their servers go
 *   nova-missing-reads (0)      so many servers are refused because a port or group is not
 *                               seen yet
 */
void fake_cloud_set (FakeCloud *self, const char *setting, int value);

/* resources: instances cores ram key_pairs server_groups server_group_members volumes network
 * subnet port router floatingip security_group security_group_rule; -1 is unlimited */
void fake_cloud_set_quota (FakeCloud *self, const char *project, const char *resource, int limit);

/* adds or removes an alias of GET /network/v2.0/extensions, and what it stands for */
void fake_cloud_set_extension (FakeCloud *self, const char *alias, gboolean is_present);

/*
 * Servers made from now on whose name and zone match the globs (NULL: all) go
 * through @states, comma separated, each for one build-delay; the last one stays.
 * With ERROR the fault says @code and @message. @times: so many servers, -1: all.
 */
void fake_cloud_script_server (FakeCloud *self,
                               const char *name,
                               const char *zone,
                               int times,
                               const char *states,
                               int code,
                               const char *message);

/*
 * Boots a guest behind each server that is made from now on, by @program, which is
 * tests/guest/guest. There is one more network for them, "guests".
 */
void fake_cloud_boot_guests (FakeCloud *self, const char *program);

/* Makes every token that was given out invalid; new ones work. */
void fake_cloud_expire_tokens (FakeCloud *self);

/*
 * Rules: what happens to requests that match. The first matching rule with
 * something left to do wins.
 */
typedef enum
{
  FAKE_ANSWER,      /* as usual, after delay_ms */
  FAKE_FAIL,        /* status, body, headers; not executed */
  FAKE_DROP_BEFORE, /* not executed, connection closed without an answer */
  FAKE_DROP_AFTER,  /* executed, connection closed without an answer */
  FAKE_CUT,         /* executed, connection closed in the middle of the body */
  FAKE_HANG,        /* not executed, never answered */
} FakeAction;

typedef struct
{
  const char *method;  /* NULL: any */
  const char *path;    /* glob over the whole path, "*" also matches "/"; NULL: any */
  const char *service; /* identity, compute, network, image, object-store; NULL: any */
  int skip;            /* so many matching requests pass first */
  int times;           /* 0 is once, -1 for ever */
  int for_ms;          /* so long after the first one that it applies to; 0: no end */
  gboolean sticks;     /* after the first one, only those of the same method and path match */

  FakeAction action;
  int delay_ms;
  int status;
  const char *body;
  const char *content_type;   /* NULL: JSON if the body looks like it, else text/plain */
  const char *const *headers; /* "Name: value", …, NULL */
} FakeRule;

/* copies the rule, returns its number */
guint fake_cloud_add_rule (FakeCloud *self, const FakeRule *rule);
/* requests that the rule was applied to, skipped ones not counted */
guint fake_cloud_get_rule_hits (FakeCloud *self, guint rule);
void fake_cloud_clear_rules (FakeCloud *self);

/*
 * The log of requests, oldest first; those under /_fake are not in it.
 */
typedef struct
{
  guint sequence;  /* from 1 */
  gint64 start_us; /* monotonic, first byte of the request seen */
  gint64 end_us;   /* answer written or connection closed; 0: not yet */
  char *method;
  char *path;
  char *query; /* (nullable) */
  const char *service;
  guint status;    /* 0: no answer was sent */
  guint in_flight; /* others being answered when this one came */
  gsize request_size;
  gsize response_size;
  char *request_id;
  char **headers; /* "Name: value" of the request, secrets masked */
  GBytes *body;   /* of the request; not kept for objects, and not in the dump */
} FakeLogEntry;

/* the value of a header of the request, or NULL */
const char *fake_log_entry_get_header (const FakeLogEntry *entry, const char *name);

/* (element-type FakeLogEntry) (transfer none) */
GPtrArray *fake_log_get_entries (FakeCloud *self);
/* @method NULL: any; @path is a glob as in rules */
guint fake_log_count (FakeCloud *self, const char *method, const char *path);
/* the last matching entry, or NULL */
const FakeLogEntry *fake_log_find (FakeCloud *self, const char *method, const char *path);
/*
 * Dependent round trips: the length of the longest chain of requests in which
 * each one starts after the one before has ended. @ignore: globs over
 * "METHOD path" of requests that do not count (polls), NULL-terminated, or NULL.
 */
guint fake_log_round_trips (FakeCloud *self, const char *const *ignore);
void fake_log_clear (FakeCloud *self);
/* the log as a JSON array (transfer full) */
char *fake_log_dump (FakeCloud *self);

/*
 * Every resource of a project (NULL: of all), one line each, sorted, without ids
 * and times, so that two dumps of an unchanged cloud are equal (transfer full).
 */
char *fake_cloud_dump_inventory (FakeCloud *self, const char *project);

G_END_DECLS
