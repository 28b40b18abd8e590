/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/*
 * What the files of the fake share: the cloud, a request on its way, and the
 * doors through which one service asks another. A further service is a file
 * with a FakeService and a line in fake-cloud.c.
 */

#include <libsoup/soup.h>

#include "fake-cloud.h"
#include "fake-json.h"
#include "fake-store.h"

G_BEGIN_DECLS

typedef struct _FakeNova FakeNova;
typedef struct _FakeNeutron FakeNeutron;
typedef struct _FakeSwift FakeSwift;
typedef struct _FakeS3 FakeS3;
typedef struct _FakeRequest FakeRequest;
typedef struct _FakeRules FakeRules;
typedef struct _FakeGuests FakeGuests;

typedef struct
{
  int build_delay;
  int delete_delay;
  int fip_delay;
  int latency;
  int token_life;
  int clock_skew;
  int keystone_has_v1;
  int keystone_has_v2;
  int keystone_has_v3;
  int keystone_has_key_pair;
  int keystone_has_ec2;
  int nova_max_limit;
  int neutron_max_limit;
  int glance_max_limit;
  int swift_max_limit;
  int swift_has_info;
  int swift_has_tempurl;
  int swift_has_bulk;
  int swift_has_slo;
  int swift_missing_reads;
  int swift_max_file_size;
  int swift_is_radosgw;
  int s3_max_keys;
  int s3_has_v1_list;
  int s3_is_region_one;
  int s3_ignores_conditions;
  int nova_max_microversion;
  int case_sensitive;
  int nova_network;
  int nova_soft_delete;
  int nova_leaves_volumes;
  int nova_missing_reads;
} FakeSettings;

struct _FakeCloud
{
  GSocketService *service;
  GHashTable *watches; /* of GSource, one for each connection, to its socket */
  guint *n_tls_streams; /* counted by each of them, too */
  SoupServer *server;
  GTlsCertificate *certificate; /* (nullable) */
  GMainContext *context;
  char *url;
  char *auth_url;
  FakeSettings settings;

  /* kind → FakeKind: everything but servers and objects */
  GHashTable *kinds;
  /* project id → JsonObject of resource: limit, where it is not the default */
  GHashTable *quotas;
  GHashTable *tokens; /* id → FakeToken */

  /* what will happen by itself, ordered by time; run before each request */
  GSequence *events;
  guint64 event_count;

  /* requests that wait for their time, or for ever (owned) */
  GHashTable *waiting;

  FakeRules *rules;
  GPtrArray *log;
  guint sequence;
  guint in_flight;

  FakeNeutron *neutron;
  FakeNova *nova;
  FakeSwift *swift;
  FakeS3 *s3;
  FakeGuests *guests; /* (nullable) */
};

typedef struct
{
  const char *type;   /* as in the catalog */
  const char *prefix; /* of the path */
  void (*create) (FakeCloud *cloud);
  void (*destroy) (FakeCloud *cloud);
  void (*handle) (FakeRequest *request);
  void (*dump) (FakeCloud *cloud, const char *project_id, GPtrArray *lines); /* (nullable) */
} FakeService;

extern const FakeService fake_keystone_service;
extern const FakeService fake_nova_service;
extern const FakeService fake_neutron_service;
extern const FakeService fake_glance_service;
extern const FakeService fake_cinder_service;
extern const FakeService fake_swift_service;
extern const FakeService fake_swift_info_service;
extern const FakeService fake_s3_service;
extern const FakeService fake_metadata_service;
extern const FakeService fake_control_service;

/* fake-cloud.c */
const FakeService *fake_cloud_find_service (const char *path);
/* FALSE if there is no such setting */
gboolean fake_cloud_try_set (FakeCloud *self, const char *setting, int value);
/*
 * A kind of contents. @add makes a resource from what fake_cloud_add() was given,
 * and returns NULL if that is not enough.
 */
typedef JsonObject *(*FakeAdd) (FakeCloud *cloud, JsonObject *content);
/* takes it away with all that belongs to it; NULL: only out of its store */
typedef void (*FakeRemove) (FakeCloud *cloud, const char *kind, const char *id);
FakeStore *
fake_cloud_add_kind (FakeCloud *self, const char *kind, FakeAdd add, FakeRemove remove);
/* aborts if there is no such kind */
FakeStore *fake_cloud_get_store (FakeCloud *self, const char *kind);
JsonObject *fake_cloud_find_object (FakeCloud *self, const char *kind, const char *name);
/* FALSE if the kind or the name is unknown, or something is missing */
JsonObject *fake_cloud_try_add (FakeCloud *self, const char *kind, JsonObject *content);
gboolean
fake_cloud_try_update (FakeCloud *self, const char *kind, const char *name, JsonObject *change);
gboolean fake_cloud_try_remove (FakeCloud *self, const char *kind, const char *name);
gboolean fake_cloud_try_set_quota (FakeCloud *self, const char *project, const char *resource,
                                   int limit);
void fake_cloud_add_defaults (FakeCloud *self);
int fake_cloud_get_quota (FakeCloud *self, const char *project_id, const char *resource);
char *fake_uuid (void);
char *fake_hex_id (void);
/* the time as in "2026-11-30T06:34:48Z", with microseconds if wanted */
char *fake_time_text (gint64 real_us, gboolean with_micros);
char *fake_now (void);

/* @run (cloud, id) happens @delay_ms from now, at once if it is 0 */
typedef void (*FakeEvent) (FakeCloud *cloud, const char *id);
void fake_cloud_schedule (FakeCloud *self, int delay_ms, FakeEvent run, const char *id);
void fake_cloud_run_events (FakeCloud *self);

/* fake-server.c */
gboolean fake_server_listen (FakeCloud *self, const char *host, guint port,
                             const char *certificate, GError **error);
void fake_server_stop (FakeCloud *self);

/* fake-log.c */
FakeLogEntry *fake_log_open (FakeCloud *self, const char *method, GUri *uri);
void fake_log_set_request (FakeLogEntry *entry, SoupMessageHeaders *headers, GBytes *body);
void fake_log_close (FakeCloud *self, FakeLogEntry *entry, SoupServerMessage *message);
FakeLogEntry *fake_log_entry_ref (FakeLogEntry *entry);
void fake_log_entry_unref (FakeLogEntry *entry);

/* fake-rules.c */
FakeRules *fake_rules_new (void);
void fake_rules_free (FakeRules *rules);
const FakeRule *fake_rules_match (FakeRules *rules, FakeLogEntry *entry);
gboolean fake_rules_parse (JsonObject *object, FakeRule *rule, GPtrArray *headers);

/* fake-request.c */
typedef struct _FakeToken FakeToken;

FakeRequest *fake_request_new (FakeCloud *cloud, SoupServerMessage *message, FakeLogEntry *entry);
void fake_request_free (FakeRequest *request);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FakeRequest, fake_request_free)

typedef struct
{
  const char *method;
  const char *path; /* segments, "*" takes any one */
  void (*handle) (FakeRequest *request);
} FakeRoute;

typedef struct
{
  char *name;
  char *value;
} FakeParameter;

struct _FakeRequest
{
  FakeCloud *cloud;
  SoupServerMessage *message; /* (owned) */
  FakeLogEntry *entry;        /* (owned) */

  /* the request */
  const char *method;
  const char *path;       /* below the service's prefix, still encoded */
  GBytes *body;           /* (owned) */
  JsonNode *json;         /* (owned) (nullable) the body, if it is JSON */
  GPtrArray *parameters;  /* (owned) of FakeParameter, in order */
  GPtrArray *args;        /* (owned) segments that "*" took, decoded */
  const FakeToken *token; /* (nullable) */
  int microversion;       /* the N of 2.N */

  /* while it waits */
  FakeAction action;
  GSource *timer; /* (owned) (nullable) */
};

JsonNode *fake_request_get_json (FakeRequest *request);
SoupMessageHeaders *fake_request_get_headers (FakeRequest *request);
const char *fake_request_get_header (FakeRequest *request, const char *name);
/* the first of that name, or NULL */
const char *fake_request_get_parameter (FakeRequest *request, const char *name);
/* the member @name of the body, if both are objects */
JsonObject *fake_request_get_body_object (FakeRequest *request, const char *name);
gboolean fake_request_has_body (FakeRequest *request);

typedef enum
{
  FAKE_ROUTE_FOUND,
  FAKE_ROUTE_NO_METHOD,
  FAKE_ROUTE_NONE,
} FakeRouteResult;

/* splits @path by the routes, calls the one that fits */
FakeRouteResult fake_request_route (FakeRequest *request, const char *path, const FakeRoute *routes,
                                    guint n_routes);

void fake_request_set_header (FakeRequest *request, const char *name, const char *value);
void fake_request_reply (FakeRequest *request, guint status, const char *content_type,
                         const char *body);
void fake_request_reply_bytes (FakeRequest *request, guint status, const char *content_type,
                               GBytes *body);
/* takes @json, which is text */
void fake_request_reply_json (FakeRequest *request, guint status, char *json);

/* fake-keystone.c */
struct _FakeToken
{
  char *id;
  char *user_id;
  char *user_name;
  char *project_id;   /* (nullable) unscoped */
  char *project_name; /* (nullable) */
  gboolean is_admin;
  gboolean is_delegated;

  char *head; /* members of the answer to POST /auth/tokens, without the catalog */
  char *roles; /* (nullable) JSON */
  char *methods;
  char *audit_ids;
  gint64 expires_us;
};

/* the valid token of the request, or NULL */
const FakeToken *fake_keystone_authenticate (FakeRequest *request);
/* the 401 of every service behind keystone's token filter */
void fake_keystone_reply_unauthorized (FakeRequest *request);

G_END_DECLS
