/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/quotas.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "base/join.h"
#include "model/os-quota.h"
#include "values/welkin-error.h"

typedef struct
{
  OsSnapshot *snapshot; /* (owned) */
  WkJoin     *join;     /* (owned) (nullable) */
  OsQuotas   *quotas;   /* (owned) */
} Load;

static const char *const names[OS_N_QUOTAS] = {
  N_("servers"), N_("cores"), N_("MiB of memory"), N_("server groups"), N_("ports"),
  N_("floating IPs"), N_("security groups"), N_("security group rules"),
};

/* How many there still may be; G_MAXINT64: no limit is known. */
static gint64
get_left (const OsQuotas *self,
          OsQuotaKind     kind)
{
  if (self->limits[kind] < 0)
    return G_MAXINT64;
  return MAX (self->limits[kind] - MAX (self->used[kind], 0), 0);
}

static void
add_comma (GString *text)
{
  if (text->len > 0)
    g_string_append (text, ", ");
}

char *
os_quotas_list_missing (const OsQuotas *self,
                        const gint64   *needs)
{
  g_autoptr(GString) text = g_string_new (NULL);

  for (guint kind = 0; kind < OS_N_QUOTAS; kind++)
    {
      gint64 left = get_left (self, kind);

      if (needs[kind] <= left)
        continue;
      add_comma (text);
      /* TRANSLATORS: "cores (2 wanted, 1 left)" */
      g_string_append_printf (text, _("%s (%" G_GINT64_FORMAT " wanted, %" G_GINT64_FORMAT
                                      " left)"),
                              _(names[kind]), needs[kind], left);
    }
  return text->len > 0 ? g_strdup (text->str) : NULL;
}

char *
os_quotas_describe_left (const OsQuotas *self,
                         const gint64   *needs)
{
  g_autoptr(GString) text = g_string_new (NULL);

  for (guint kind = 0; kind < OS_N_QUOTAS; kind++)
    {
      gint64 left = get_left (self, kind);

      if (needs[kind] == 0 || left == G_MAXINT64)
        continue;
      add_comma (text);
      /* TRANSLATORS: "cores: 7 of 20" */
      g_string_append_printf (text, _("%s: %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT),
                              _(names[kind]), left - needs[kind], self->limits[kind]);
    }
  return text->len > 0 ? g_strdup (text->str) : NULL;
}

/* Nova says -1 where there is no limit. */
static gint64
get_number (OsLimits   *limits,
            const char *name)
{
  const char *text = limits->absolute != NULL ? g_hash_table_lookup (limits->absolute, name) : NULL;

  return text != NULL ? g_ascii_strtoll (text, NULL, 10) : -1;
}

static void
take_limit (Load       *self,
            OsQuotaKind kind,
            OsLimits   *limits,
            const char *limit,
            const char *used)
{
  self->quotas->limits[kind] = get_number (limits, limit);
  self->quotas->used[kind] = get_number (limits, used);
}

static void
limits_loaded_cb (GObject      *source,
                  GAsyncResult *result,
                  gpointer      user_data)
{
  static const struct
  {
    OsQuotaKind  kind;
    const char  *limit;
    const char  *used;
  } rows[] = {
    { OS_QUOTA_SERVERS, "maxTotalInstances", "totalInstancesUsed" },
    { OS_QUOTA_CORES, "maxTotalCores", "totalCoresUsed" },
    { OS_QUOTA_RAM, "maxTotalRAMSize", "totalRAMUsed" },
    { OS_QUOTA_SERVER_GROUPS, "maxServerGroups", "totalServerGroupsUsed" },
  };
  Load *self = user_data;
  GError *error = NULL;
  g_autoptr(OsLimits) limits = os_client_load_finish (self->snapshot, result, &error);

  for (guint i = 0; limits != NULL && i < G_N_ELEMENTS (rows); i++)
    take_limit (self, rows[i].kind, limits, rows[i].limit, rows[i].used);
  /* They are told everywhere, and mean something only where nova has these things. The limit of
   * rules is one of each group. */
  if (limits != NULL && os_snapshot_get_nova_network (self->snapshot) != NULL)
    {
      take_limit (self, OS_QUOTA_FLOATING_IPS, limits, "maxTotalFloatingIps",
                  "totalFloatingIpsUsed");
      take_limit (self, OS_QUOTA_GROUPS, limits, "maxSecurityGroups", "totalSecurityGroupsUsed");
    }
  wk_join_end (self->join, error);
}

static void
take_detail (Load                *self,
             OsQuotaKind          kind,
             const OsQuotaDetail *detail)
{
  if (detail == NULL)
    return;
  self->quotas->limits[kind] = detail->limit;
  self->quotas->used[kind] = MAX (detail->used, 0) + detail->reserved;
}

static void
plain_loaded_cb (GObject      *source,
                 GAsyncResult *result,
                 gpointer      user_data)
{
  Load *self = user_data;
  GError *error = NULL;
  g_autoptr(OsQuotaLimits) limits = os_client_load_finish (self->snapshot, result, &error);

  if (limits != NULL)
    {
      self->quotas->limits[OS_QUOTA_PORTS] = limits->port;
      self->quotas->limits[OS_QUOTA_FLOATING_IPS] = limits->floating_ip;
      self->quotas->limits[OS_QUOTA_GROUPS] = limits->group;
      self->quotas->limits[OS_QUOTA_RULES] = limits->rule;
    }
  wk_join_end (self->join, error);
}

static void
details_loaded_cb (GObject      *source,
                   GAsyncResult *result,
                   gpointer      user_data)
{
  Load *self = user_data;
  OsClient *client = os_snapshot_get_client (self->snapshot);
  GError *error = NULL;
  g_autoptr(OsQuotaDetails) details = os_client_load_finish (self->snapshot, result, &error);

  if (details != NULL)
    {
      take_detail (self, OS_QUOTA_PORTS, details->port);
      take_detail (self, OS_QUOTA_FLOATING_IPS, details->floating_ip);
      take_detail (self, OS_QUOTA_GROUPS, details->group);
      take_detail (self, OS_QUOTA_RULES, details->rule);
    }
  if (g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND))
    {
      g_autoptr(OsRequest) request = os_request_new (OS_SERVICE_NETWORK, "GET", "quotas",
                                                     os_client_get_project_id (client), NULL);

      g_clear_error (&error);
      os_client_load_async (client, self->snapshot, request, &os_quota_limits_table, "quota",
                            wk_join_begin (self->join), plain_loaded_cb, self);
    }
  wk_join_end (self->join, error);
}

static void
load_run (WkFlow  *flow,
          gpointer user_data)
{
  Load *self = user_data;
  OsClient *client = os_snapshot_get_client (self->snapshot);
  g_autoptr(OsRequest) limits = NULL;
  g_autoptr(OsRequest) details = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_client_login_async (client, WK_RESUME (flow)));
  if (!os_client_login_finish (client, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);

  self->join = wk_join_new (WK_JOIN_CANCEL_OTHERS, wk_flow_get_cancellable (flow));
  limits = os_request_new (OS_SERVICE_COMPUTE, "GET", "limits", NULL);
  os_client_load_async (client, self->snapshot, limits, &os_limits_table, "limits",
                        wk_join_begin (self->join), limits_loaded_cb, self);
  if (os_snapshot_get_nova_network (self->snapshot) == NULL)
    {
      details = os_request_new (OS_SERVICE_NETWORK, "GET", "quotas",
                                os_client_get_project_id (client), "details", NULL);
      os_client_load_async (client, self->snapshot, details, &os_quota_details_table, "quota",
                            wk_join_begin (self->join), details_loaded_cb, self);
    }
  WK_AWAIT (flow, wk_join_wait_async (self->join, wk_flow_resume_cb, flow));
  if (!wk_join_wait_finish (self->join, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, _("cannot read the quotas"));
  wk_flow_return_pointer (flow, g_steal_pointer (&self->quotas), g_free);

  WK_FLOW_END (flow);
}

static void
load_free (gpointer user_data)
{
  Load *self = user_data;

  g_clear_pointer (&self->join, wk_join_unref);
  g_free (self->quotas);
  g_object_unref (self->snapshot);
  g_free (self);
}

void
os_load_quotas_async (OsSnapshot         *snapshot,
                      GCancellable       *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer            user_data)
{
  Load *self = g_new0 (Load, 1);

  self->snapshot = g_object_ref (snapshot);
  self->quotas = g_new0 (OsQuotas, 1);
  for (guint kind = 0; kind < OS_N_QUOTAS; kind++)
    {
      self->quotas->limits[kind] = -1;
      self->quotas->used[kind] = -1;
    }
  wk_flow_start (snapshot, cancellable, callback, user_data, os_load_quotas_async, load_run, self,
                 load_free);
}

OsQuotas *
os_load_quotas_finish (OsSnapshot   *snapshot,
                       GAsyncResult *result,
                       GError      **error)
{
  return wk_flow_finish_pointer (result, snapshot, os_load_quotas_async, error);
}
