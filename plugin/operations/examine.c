/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/examine.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "base/join.h"
#include "operations/examine-check.h"
#include "operations/examine-server.h"
#include "operations/plan-networks.h"
#include "operations/plan.h"
#include "operations/quotas.h"
#include "services/os-object-store.h"
#include "transport/os-clouds.h"
#include "transport/os-credentials.h"
#include "transport/os-settings.h"
#include "values/welkin-error.h"

/* The findings, in the order in which they are read. */
enum
{
  CONFIGURATION,
  SERVER,
  TLS,
  CLOCK,
  LOGIN,
  CATALOG,
  ROLES,
  ENDPOINTS, /* one for each service that machines need */
  MACHINE = ENDPOINTS + OS_SERVICE_BLOCK_STORAGE + 1,
  NETWORKS,
  QUOTA,
  STORAGE,
  N_CHECKS,
};

typedef struct
{
  /* inputs */
  WelkinConfig       *config;       /* (owned) */
  WelkinSurroundings *surroundings; /* (owned) (nullable) */
  WelkinConstraints  *constraints;  /* (owned) */
  WelkinProgress     *progress;     /* (owned) (nullable) */

  /* while running */
  OsSnapshot         *snapshot;     /* (owned) (nullable) */
  GProxyResolver     *resolver;     /* (owned) (nullable) */
  OsObjectStore      *store;        /* (owned) (nullable) */
  WkJoin             *join;         /* (owned) (nullable) */
  gboolean            is_in;        /* logged in, with a catalog */
  OsPlan             *plan;         /* (owned) (nullable) */
  OsNetworkPlan      *networks;     /* (owned) (nullable) */
  OsQuotas           *quotas;       /* (owned) (nullable) */
  gboolean            has_container;

  OsCheck             checks[N_CHECKS];
} Examination;

static OsClient *
get_client (Examination *self)
{
  return os_snapshot_get_client (self->snapshot);
}

static GCancellable *
begin_check (Examination *self,
             guint        which)
{
  return os_check_begin (&self->checks[which], self->join, os_snapshot_get_clock (self->snapshot));
}

/* The configuration */

/* What says who we are, and where it is written. */
static void
describe_origins (GString      *text,
                  WelkinConfig *effective)
{
  static const char *const keys[] = {
    "auth-url", "username", "password", "application-credential-id", "application-credential-name",
    "application-credential-secret", "token", "access-key", "secret-key", "region",
  };
  gboolean is_first = TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      WelkinValue *value = welkin_config_lookup (effective, keys[i]);

      /* What bootstrap remembers has all attributes, most of them empty. */
      if (value == NULL || welkin_value_get_origin (value) == NULL
          || g_strcmp0 (welkin_value_get_text (value), "") == 0)
        continue;
      g_string_append_printf (text, "%s%s: %s", is_first ? " (" : ", ", keys[i],
                              welkin_value_get_origin (value));
      is_first = FALSE;
    }
  if (!is_first)
    g_string_append_c (text, ')');
}

static void
describe_unused (GString            *text,
                 WelkinConfig       *effective,
                 WelkinSurroundings *surroundings)
{
  g_auto(GStrv) names = os_settings_list_unused (effective, surroundings);
  g_autofree char *list = g_strjoinv (", ", names);

  if (*names != NULL)
    g_string_append_printf (text, _("; set and not used: %s"), list);
}

/* FALSE when there is no use in going on. */
static gboolean
examine_configuration (Examination *self)
{
  OsCheck *check = &self->checks[CONFIGURATION];
  g_autoptr(WelkinConfig) effective = NULL;
  g_autoptr(OsCredentials) credentials = NULL;
  g_autoptr(GString) text = NULL;
  g_autofree char *words = NULL;
  g_autoptr(GError) error = NULL;

  self->snapshot = os_snapshot_new_read_only (self->config, self->surroundings, &error);
  if (self->snapshot != NULL)
    effective = os_clouds_fill (self->config, self->surroundings, &error);
  if (effective != NULL)
    credentials = os_credentials_new (effective, &error);
  if (credentials == NULL)
    {
      os_check_find_error (check, WELKIN_FINDING_FAILURE, error);
      return FALSE;
    }
  words = os_credentials_describe (credentials);
  text = g_string_new (words);
  describe_origins (text, effective);
  describe_unused (text, effective, self->surroundings);
  if (os_credentials_verifies (credentials))
    os_check_find (check, WELKIN_FINDING_OK, text->str, NULL);
  else
    os_check_find (check, WELKIN_FINDING_WARNING, text->str,
                   _("Certificates are not checked: set \"ssl-hostname-verification\" to true, and "
                     "name a private issuer in \"ca-certificates\"."));
  self->resolver = welkin_surroundings_make_proxy_resolver (self->surroundings);
  self->store = os_object_store_new (get_client (self));
  return TRUE;
}

/* The server that logins go to */

static void
server_answered_cb (GObject      *source,
                    GAsyncResult *result,
                    gpointer      user_data)
{
  Examination *self = user_data;
  const char *url = os_client_get_auth_url (get_client (self));
  g_autofree char *way = os_describe_way (self->resolver, url);
  GError *error = NULL;
  g_autoptr(WkHttpResponse) response =
    wk_http_send_finish (os_client_get_http (get_client (self)), result, &error);

  os_examine_answer (&self->checks[SERVER], &self->checks[TLS], &self->checks[CLOCK], url, way,
                     response, error);
  os_check_end (&self->checks[SERVER], error);
}

static void
begin_server (Examination *self)
{
  OsClient *client = get_client (self);
  g_autoptr(WkHttpRequest) request =
    wk_http_request_new ("GET", os_client_get_auth_url (client));

  wk_http_send_async (os_client_get_http (client), request, begin_check (self, SERVER),
                      server_answered_cb, self);
}

/* The login */

static const char *
list_roles (Examination *self,
            char       **text)
{
  *text = g_strjoinv (", ", (char **) os_client_get_roles (get_client (self)));
  return **text != '\0' ? *text : _("none that the cloud tells of");
}

/* Policies are the cloud's own: roles only suggest what they allow. */
static void
examine_roles (Examination *self)
{
  static const char *const makers[] = { "member", "_member_", "admin", "manager", NULL };
  OsCheck *check = &self->checks[ROLES];
  const char *const *roles = os_client_get_roles (get_client (self));
  gboolean may_make = FALSE;
  gboolean may_read = FALSE;
  g_autofree char *list = NULL;
  g_autofree char *text = NULL;
  const char *shown = list_roles (self, &list);

  for (gsize i = 0; roles[i] != NULL; i++)
    {
      g_autofree char *role = g_ascii_strdown (roles[i], -1);

      may_make |= g_strv_contains (makers, role);
      may_read |= g_str_equal (role, "reader");
    }
  if (may_make)
    text = g_strdup_printf (_("%s: probably you may make machines"), shown);
  else if (may_read)
    text = g_strdup_printf (_("%s: probably you may look, but make nothing"), shown);
  else
    text = g_strdup_printf (_("%s: whether you may make machines will be seen"), shown);
  if (may_read && !may_make)
    os_check_find (check, WELKIN_FINDING_WARNING, text,
                   _("Ask the project's administrator for the role \"member\"."));
  else
    os_check_find (check, WELKIN_FINDING_OK, text, NULL);
}

static void
find_login (Examination *self)
{
  g_autofree char *text = g_strdup_printf (_("the cloud lets us in to project %s"),
                                           os_client_get_project_id (get_client (self)));
  g_autofree char *region = g_strdup_printf (_("region %s has what machines need"),
                                             os_snapshot_get_region_name (self->snapshot));

  os_check_find (&self->checks[LOGIN], WELKIN_FINDING_OK, text, NULL);
  os_check_find (&self->checks[CATALOG], WELKIN_FINDING_OK, region, NULL);
  examine_roles (self);
}

/* What is wrong with a catalog is told by a login that the cloud has granted. */
static void
logged_in_cb (GObject      *source,
              GAsyncResult *result,
              gpointer      user_data)
{
  Examination *self = user_data;
  GError *error = NULL;

  self->is_in = os_client_login_finish (get_client (self), result, &error);
  if (self->is_in)
    find_login (self);
  else if (g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG))
    {
      os_check_find (&self->checks[LOGIN], WELKIN_FINDING_OK, _("the cloud lets us in"), NULL);
      os_check_find_error (&self->checks[CATALOG], WELKIN_FINDING_FAILURE, error);
    }
  os_check_end (&self->checks[LOGIN], error);
}

/* The endpoints */

typedef struct
{
  OsServiceKind  kind;
  const char    *segment; /* of what is listed; NULL: the account */
  const char    *what;
} Listing;

static const Listing listings[] = {
  { OS_SERVICE_COMPUTE, "servers", N_("servers") },
  { OS_SERVICE_NETWORK, "networks", N_("networks") },
  { OS_SERVICE_IMAGE, "images", N_("images") },
  { OS_SERVICE_OBJECT_STORE, NULL, N_("containers") },
  { OS_SERVICE_BLOCK_STORAGE, "volumes", N_("volumes") },
};

static void
find_endpoint (Examination   *self,
               const Listing *listing)
{
  const char *url = os_client_get_endpoint (get_client (self), listing->kind);
  g_autofree char *way = os_describe_way (self->resolver, url);
  g_autofree char *text = NULL;

  text = g_strdup_printf (_("%s is asked %s and lists %s"), url, way, _(listing->what));
  os_check_find (&self->checks[ENDPOINTS + listing->kind], WELKIN_FINDING_OK, text, NULL);
}

static void
listed_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  OsCheck *check = user_data;
  Examination *self = check->owner;
  const Listing *listing = &listings[check - &self->checks[ENDPOINTS]];
  GError *error = NULL;
  g_autoptr(WkHttpResponse) response = os_client_send_finish (self->snapshot, result, &error);

  if (response != NULL)
    find_endpoint (self, listing);
  else if (listing->kind == OS_SERVICE_BLOCK_STORAGE)
    os_check_find_error (check, WELKIN_FINDING_WARNING, error);
  /* Not every object store shows the account to everybody, nor needs to. */
  else if (listing->segment == NULL
           && g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_FORBIDDEN))
    os_check_find_error (check, WELKIN_FINDING_WARNING, error);
  os_check_end (check, error);
}

static void
begin_endpoint (Examination   *self,
                const Listing *listing)
{
  OsCheck *check = &self->checks[ENDPOINTS + listing->kind];
  g_autoptr(OsRequest) request = NULL;

  if (os_client_get_endpoint (get_client (self), listing->kind) == NULL)
    {
      os_check_find (check, WELKIN_FINDING_OK,
                     listing->kind == OS_SERVICE_NETWORK
                       ? _("there is none: nova has networks, security groups and floating IPs")
                       : _("there is none, so that no machine can boot from a volume"),
                     NULL);
      return;
    }
  request = os_request_new (listing->kind, "GET", listing->segment, NULL);
  os_request_add_query (request, "limit", "1");
  os_client_send_async (get_client (self), self->snapshot, request,
                        begin_check (self, ENDPOINTS + listing->kind), listed_cb, check);
}

/* What a machine would be made of */

static void
planned_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  Examination *self = user_data;
  OsCheck *check = &self->checks[MACHINE];
  GError *error = NULL;

  self->plan = os_plan_finish (self->snapshot, result, &error);
  if (self->plan != NULL)
    {
      const OsFlavor *flavor = g_ptr_array_index (self->plan->flavors, 0);
      g_autofree char *text = NULL;

      text = g_strdup_printf (_("image \"%s\" (%s), %s; flavor \"%s\" (cores %" G_GINT64_FORMAT
                                ", memory %" G_GINT64_FORMAT " MiB, disk %" G_GINT64_FORMAT
                                " GiB), %s"),
                              self->plan->image->name, self->plan->image->id,
                              self->plan->images->reason, flavor->name, flavor->vcpus, flavor->ram,
                              flavor->disk, self->plan->flavor_reason);
      os_check_find (check, WELKIN_FINDING_OK, text, NULL);
    }
  os_check_end (check, error);
}

static void
begin_machine (Examination *self)
{
  static const char *const nobody[] = { NULL };
  OsPlanRequest request = {
    .constraints = self->constraints,
    .series = welkin_config_get_string (os_snapshot_get_config (self->snapshot), "default-series"),
    .placement = "",
    .distribution_group = nobody,
    .lacks_networks = TRUE,
  };

  os_plan_async (self->snapshot, &request, begin_check (self, MACHINE), planned_cb, self);
}

static void
find_networks (Examination *self)
{
  const char *source = self->networks->external_network_id;
  g_autoptr(GString) text = g_string_new (NULL);

  for (guint i = 0; i < self->networks->networks->len; i++)
    {
      OsPlannedNetwork *network = g_ptr_array_index (self->networks->networks, i);

      g_string_append_printf (text, "%s\"%s\" (%s)", i > 0 ? ", " : "", network->name,
                              network->id);
    }
  if (text->len == 0)
    g_string_append (text, _("those that nova chooses"));
  if (source != NULL && *source == '\0')
    g_string_append (text, _("; floating IPs come from where nova chooses"));
  else if (source != NULL && self->networks->is_novas)
    g_string_append_printf (text, _("; floating IPs come from pool %s"), source);
  else if (source != NULL)
    g_string_append_printf (text, _("; floating IPs come from \"%s\" (%s)"),
                            self->networks->external_network_name, source);
  else
    g_string_append (text, _("; no floating IP is wanted"));
  os_check_find (&self->checks[NETWORKS], WELKIN_FINDING_OK, text->str, NULL);
}

static void
networks_planned_cb (GObject      *source,
                     GAsyncResult *result,
                     gpointer      user_data)
{
  Examination *self = user_data;
  GError *error = NULL;

  self->networks = os_plan_networks_finish (self->snapshot, result, &error);
  if (self->networks != NULL)
    find_networks (self);
  os_check_end (&self->checks[NETWORKS], error);
}

/* The quota */

static void
quotas_loaded_cb (GObject      *source,
                  GAsyncResult *result,
                  gpointer      user_data)
{
  Examination *self = user_data;
  GError *error = NULL;

  self->quotas = os_load_quotas_finish (self->snapshot, result, &error);
  /* Some clouds keep that to themselves. */
  if (error != NULL)
    os_check_find_error (&self->checks[QUOTA], WELKIN_FINDING_WARNING, error);
  os_check_end (&self->checks[QUOTA], error);
}

/* What was found out meanwhile says what is needed. */
static void
examine_quota (Examination *self)
{
  OsCheck *check = &self->checks[QUOTA];
  gint64 needs[OS_N_QUOTAS];
  g_autofree char *missing = NULL;
  g_autofree char *left = NULL;
  g_autofree char *text = NULL;

  if (self->quotas == NULL)
    return;
  os_plan_count_needs (self->snapshot, self->plan, self->networks, 1, TRUE, needs);
  missing = os_quotas_list_missing (self->quotas, needs);
  if (missing != NULL)
    {
      text = g_strdup_printf (_("there is not enough of: %s"), missing);
      os_check_find (check, WELKIN_FINDING_FAILURE, text,
                     _("Remove what is not needed any more, or ask for a larger quota."));
      return;
    }
  left = os_quotas_describe_left (self->quotas, needs);
  text = left != NULL
           ? g_strdup_printf (_("there is enough; after a bootstrap there is left: %s"), left)
           : g_strdup (_("nothing of what a bootstrap needs is limited"));
  os_check_find (check, WELKIN_FINDING_OK, text, NULL);
}

/* The storage */

static void
find_storage (Examination       *self,
              OsObjectStoreInfo *info)
{
  OsCheck *check = &self->checks[STORAGE];
  const char *container =
    welkin_config_get_string (os_snapshot_get_config (self->snapshot), "control-bucket");
  const char *access =
    welkin_config_get_string (os_snapshot_get_config (self->snapshot), "storage-access");
  g_autoptr(GString) text = g_string_new (NULL);
  gboolean has_urls = info->temp_url_digest != NULL;

  g_string_append_printf (text, self->has_container ? _("container %s is there")
                                                    : _("container %s is free"), container);
  g_string_append (text, has_urls ? _("; temporary URLs are possible")
                                  : _("; temporary URLs are not possible, as far as it tells"));
  if (!has_urls && g_str_equal (access, "tempurl"))
    os_check_find (check, WELKIN_FINDING_FAILURE, text->str,
                   _("Set \"storage-access\" to auto."));
  else
    os_check_find (check, WELKIN_FINDING_OK, text->str, NULL);
}

static void
store_told_cb (GObject      *source,
               GAsyncResult *result,
               gpointer      user_data)
{
  Examination *self = user_data;
  GError *error = NULL;
  g_autoptr(OsObjectStoreInfo) info =
    os_object_store_load_info_finish (self->store, result, &error);

  if (info != NULL)
    find_storage (self, info);
  os_check_end (&self->checks[STORAGE], error);
}

static void
container_looked_at_cb (GObject      *source,
                        GAsyncResult *result,
                        gpointer      user_data)
{
  Examination *self = user_data;
  OsCheck *check = &self->checks[STORAGE];
  GError *error = NULL;
  g_autoptr(WkHttpResponse) response =
    os_object_store_head_container_finish (self->store, result, &error);

  self->has_container = response != NULL;
  if (g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND))
    g_clear_error (&error);
  if (error != NULL)
    os_check_end (check, error);
  else
    os_object_store_load_info_async (self->store, check->cancellable, store_told_cb, self);
}

static void
begin_storage (Examination *self)
{
  const char *container =
    welkin_config_get_string (os_snapshot_get_config (self->snapshot), "control-bucket");

  os_object_store_head_container_async (self->store, container, begin_check (self, STORAGE),
                                        container_looked_at_cb, self);
}

/* All of it */

static void
begin_all (Examination *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (listings); i++)
    begin_endpoint (self, &listings[i]);
  begin_machine (self);
  os_plan_networks_async (self->snapshot, self->constraints, begin_check (self, NETWORKS),
                          networks_planned_cb, self);
  os_load_quotas_async (self->snapshot, begin_check (self, QUOTA), quotas_loaded_cb, self);
  begin_storage (self);
}

/* Why so much was not looked at. */
static const char *
explain_skipping (Examination *self)
{
  if (self->snapshot == NULL)
    return _("not looked at, because of the configuration");
  if (self->checks[CATALOG].finding != NULL)
    return _("not looked at, because of the catalog");
  return _("not looked at, because there is no way into the cloud");
}

/* (transfer full) */
static GPtrArray *
make_result (Examination *self)
{
  const char *reason = explain_skipping (self);
  GPtrArray *findings = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_finding_unref);

  for (guint i = 0; i < N_CHECKS; i++)
    {
      OsCheck *check = &self->checks[i];

      if (check->finding == NULL)
        os_check_find (check, WELKIN_FINDING_SKIPPED, reason, NULL);
      g_ptr_array_add (findings, welkin_finding_ref (check->finding));
    }
  return findings;
}

static void
examine_run (WkFlow  *flow,
             gpointer user_data)
{
  Examination *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (examine_configuration (self))
    {
      welkin_progress_set_message (self->progress, _("Logging in"));
      self->join = wk_join_new (WK_JOIN_COLLECT, wk_flow_get_cancellable (flow));
      begin_server (self);
      os_client_login_async (get_client (self), begin_check (self, LOGIN), logged_in_cb, self);
      WK_AWAIT (flow, wk_join_wait_async (self->join, wk_flow_resume_cb, flow));
      if (!wk_join_wait_finish (self->join, WK_RESULT (flow), &error)
          || wk_flow_is_cancelled (flow, &error))
        WK_FAIL (flow, &error, NULL);
      g_clear_pointer (&self->join, wk_join_unref);
    }
  if (self->is_in)
    {
      welkin_progress_set_message (self->progress, _("Asking the services"));
      self->join = wk_join_new (WK_JOIN_COLLECT, wk_flow_get_cancellable (flow));
      begin_all (self);
      WK_AWAIT (flow, wk_join_wait_async (self->join, wk_flow_resume_cb, flow));
      if (!wk_join_wait_finish (self->join, WK_RESULT (flow), &error)
          || wk_flow_is_cancelled (flow, &error))
        WK_FAIL (flow, &error, NULL);
      examine_quota (self);
    }
  welkin_progress_finish (self->progress);
  wk_flow_return_pointer (flow, make_result (self), (GDestroyNotify) g_ptr_array_unref);

  WK_FLOW_END (flow);
}

static void
examination_free (gpointer user_data)
{
  Examination *self = user_data;

  for (guint i = 0; i < N_CHECKS; i++)
    os_check_clear (&self->checks[i]);
  g_free (self->quotas);
  g_clear_pointer (&self->networks, os_network_plan_free);
  g_clear_pointer (&self->plan, os_plan_free);
  g_clear_pointer (&self->join, wk_join_unref);
  g_clear_object (&self->store);
  g_clear_object (&self->resolver);
  g_clear_object (&self->snapshot);
  g_clear_object (&self->progress);
  welkin_constraints_unref (self->constraints);
  g_clear_pointer (&self->surroundings, welkin_surroundings_unref);
  welkin_config_unref (self->config);
  g_free (self);
}

static void
name_checks (Examination *self)
{
  static const char *const names[] = {
    [CONFIGURATION] = "configuration", [SERVER] = "server", [TLS] = "tls", [CLOCK] = "clock",
    [LOGIN] = "login", [CATALOG] = "catalog", [ROLES] = "roles", [MACHINE] = "machine",
    [NETWORKS] = "networks", [QUOTA] = "quota", [STORAGE] = "storage",
  };

  for (guint i = 0; i < N_CHECKS; i++)
    {
      self->checks[i].name =
        names[i] != NULL ? names[i] : os_service_get_name ((OsServiceKind) (i - ENDPOINTS));
      self->checks[i].owner = self;
    }
}

void
os_examine_async (gpointer            source,
                  WelkinConfig       *config,
                  WelkinSurroundings *surroundings,
                  WelkinConstraints  *constraints,
                  WelkinProgress     *progress,
                  GCancellable       *cancellable,
                  GAsyncReadyCallback callback,
                  gpointer            user_data)
{
  Examination *self = g_new0 (Examination, 1);

  self->config = welkin_config_ref (config);
  if (surroundings != NULL)
    self->surroundings = welkin_surroundings_ref (surroundings);
  self->constraints = welkin_constraints_ref (constraints);
  g_set_object (&self->progress, progress);
  name_checks (self);
  wk_flow_start (source, cancellable, callback, user_data, os_examine_async, examine_run, self,
                 examination_free);
}

GPtrArray *
os_examine_finish (gpointer      source,
                   GAsyncResult *result,
                   GError      **error)
{
  return wk_flow_finish_pointer (result, source, os_examine_async, error);
}
