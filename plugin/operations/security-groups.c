/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/security-groups.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "base/join.h"
#include "operations/outcome.h"

#define SSH_PORT 22

static void
add_rule (GPtrArray  *rules,
          const char *group_id,
          const char *ethertype,
          const char *protocol,
          guint       port,
          const char *prefix)
{
  g_ptr_array_add (rules, os_security_group_rule_new (group_id, ethertype, protocol, port, port,
                                                      prefix, prefix == NULL ? group_id : NULL));
}

/* Neutron keeps the ports 1 to 65535 as none at all, so none is what is asked for. */
static void
add_inner_rules (GPtrArray  *rules,
                 const char *group_id)
{
  add_rule (rules, group_id, "IPv4", "tcp", 0, NULL);
  add_rule (rules, group_id, "IPv4", "udp", 0, NULL);
  add_rule (rules, group_id, "IPv4", "icmp", 0, NULL);
  add_rule (rules, group_id, "IPv6", "tcp", 0, NULL);
  add_rule (rules, group_id, "IPv6", "udp", 0, NULL);
  add_rule (rules, group_id, "IPv6", "ipv6-icmp", 0, NULL);
}

static GStrv
dup_admin_sources (WelkinConfig *config)
{
  static const char *const everywhere[] = { "0.0.0.0/0", "::/0", NULL };
  gboolean is_set = welkin_config_has (config, "admin-sources");
  g_auto(GStrv) sources = is_set ? welkin_config_get_strings (config, "admin-sources")
                                 : g_strdupv ((char **) everywhere);
  gboolean has_ipv6 = !welkin_config_has (config, "enable-ipv6-rules")
                      || welkin_config_get_boolean (config, "enable-ipv6-rules");
  g_autoptr(GStrvBuilder) kept = g_strv_builder_new ();

  for (gsize i = 0; sources[i] != NULL; i++)
    {
      gboolean is_ipv6 = strchr (sources[i], ':') != NULL;

      if (!is_ipv6 || has_ipv6)
        g_strv_builder_add (kept, sources[i]);
      /* Whoever opens a door to all does not mean all but those with a modern address. */
      if (g_str_equal (sources[i], everywhere[0]) && has_ipv6
          && !g_strv_contains ((const char *const *) sources, everywhere[1]))
        g_strv_builder_add (kept, everywhere[1]);
    }
  return g_strv_builder_end (kept);
}

GPtrArray *
os_base_group_dup_rules (WelkinConfig *config,
                         const char   *group_id)
{
  GPtrArray *rules =
    g_ptr_array_new_with_free_func ((GDestroyNotify) os_security_group_rule_free);
  gint64 ports[] = {
    SSH_PORT,
    welkin_config_get_int (config, "api-port"),
    welkin_config_get_int (config, "state-port"),
  };
  g_auto(GStrv) sources = dup_admin_sources (config);

  for (gsize i = 0; sources[i] != NULL; i++)
    {
      const char *ethertype = strchr (sources[i], ':') != NULL ? "IPv6" : "IPv4";

      for (gsize j = 0; j < G_N_ELEMENTS (ports); j++)
        {
          if (ports[j] > 0)
            add_rule (rules, group_id, ethertype, "tcp", ports[j], sources[i]);
        }
    }
  add_inner_rules (rules, group_id);
  return rules;
}

static gboolean
is_older (const OsSecurityGroup *group,
          const OsSecurityGroup *other)
{
  int order = 0;

  if (group->created != NULL && other->created != NULL)
    order = g_strcmp0 (group->created, other->created);
  return order != 0 ? order < 0 : g_strcmp0 (group->id, other->id) < 0;
}

const OsSecurityGroup *
os_choose_group (GPtrArray  *groups,
                 const char *name,
                 const char *description)
{
  const OsSecurityGroup *chosen = NULL;

  for (guint i = 0; i < groups->len; i++)
    {
      const OsSecurityGroup *group = g_ptr_array_index (groups, i);

      if (g_strcmp0 (group->name, name) != 0)
        continue;
      if (g_strcmp0 (group->description, description) != 0)
        {
          g_debug ("security group %s is called \"%s\" but is not ours", group->id, name);
          continue;
        }
      if (chosen == NULL || is_older (group, chosen))
        chosen = group;
    }
  return chosen;
}

static OsSecurityGroupRule *
find_rule (GPtrArray                 *rules,
           const OsSecurityGroupRule *wanted)
{
  for (guint i = 0; rules != NULL && i < rules->len; i++)
    {
      OsSecurityGroupRule *rule = g_ptr_array_index (rules, i);

      if (os_security_group_rule_equal (rule, wanted))
        return rule;
    }
  return NULL;
}

void
os_compare_rules (const OsSecurityGroup *group,
                  GPtrArray             *desired,
                  GPtrArray            **missing,
                  GPtrArray            **surplus)
{
  *missing = g_ptr_array_new_with_free_func ((GDestroyNotify) os_security_group_rule_free);
  *surplus = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; group->rules != NULL && i < group->rules->len; i++)
    {
      const OsSecurityGroupRule *rule = g_ptr_array_index (group->rules, i);

      /* The egress rules are neutron's own. */
      if (g_strcmp0 (rule->direction, "ingress") == 0 && find_rule (desired, rule) == NULL)
        g_ptr_array_add (*surplus, g_strdup (rule->id));
    }
  for (guint i = desired->len; i > 0; i--)
    {
      if (find_rule (group->rules, g_ptr_array_index (desired, i - 1)) == NULL)
        g_ptr_array_insert (*missing, 0, g_ptr_array_steal_index (desired, i - 1));
    }
}

/* Making one. */

typedef struct
{
  OsNetworkService *service;     /* (owned) */
  char             *name;        /* (owned) */
  char             *description; /* (owned) */
  WkClock          *clock;       /* (owned) */
  GCancellable     *cancellable; /* (owned) (nullable) the caller's */
} MakeGroup;

static void
make_async (gpointer            data,
            GAsyncReadyCallback callback,
            gpointer            user_data)
{
  MakeGroup *self = data;

  os_network_service_create_security_group_async (self->service, self->name, self->description,
                                                  NULL, callback, user_data);
}

static gpointer
make_finish (gpointer      data,
             GAsyncResult *result,
             GError      **error)
{
  MakeGroup *self = data;

  return os_network_service_create_security_group_finish (self->service, result, error);
}

static void
find_async (gpointer            data,
            GAsyncReadyCallback callback,
            gpointer            user_data)
{
  MakeGroup *self = data;
  const char *query[] = { "name", self->name, NULL };

  os_network_service_list_security_groups_async (self->service, query, NULL, callback, user_data);
}

static gpointer
find_finish (gpointer      data,
             GAsyncResult *result,
             GError      **error)
{
  MakeGroup *self = data;
  g_autoptr(GPtrArray) groups =
    os_network_service_list_security_groups_finish (self->service, result, error);
  const OsSecurityGroup *group;

  if (groups == NULL)
    return NULL;
  group = os_choose_group (groups, self->name, self->description);
  for (guint i = 0; i < groups->len; i++)
    {
      if (g_ptr_array_index (groups, i) == group)
        return g_ptr_array_steal_index (groups, i);
    }
  return NULL;
}

static const OsMaker group_maker = { make_async, make_finish, find_async, find_finish };

static void
make_group_run (WkFlow  *flow,
                gpointer user_data)
{
  MakeGroup *self = user_data;
  OsSecurityGroup *group;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  WK_AWAIT (flow, os_make_async (&group_maker, self, self->clock, self->cancellable,
                                 wk_flow_resume_cb, flow));
  group = os_make_finish (WK_RESULT (flow), &error);
  if (group == NULL)
    WK_FAIL (flow, &error, _("cannot create security group"));
  wk_flow_return_pointer (flow, group, (GDestroyNotify) os_security_group_free);

  WK_FLOW_END (flow);
}

static void
make_group_free (gpointer user_data)
{
  MakeGroup *self = user_data;

  g_clear_object (&self->cancellable);
  wk_clock_unref (self->clock);
  g_free (self->description);
  g_free (self->name);
  g_object_unref (self->service);
  g_free (self);
}

void
os_make_group_async (OsNetworkService   *network_service,
                     WkClock            *clock,
                     const char         *name,
                     const char         *description,
                     GCancellable       *cancellable,
                     GAsyncReadyCallback callback,
                     gpointer            user_data)
{
  MakeGroup *self = g_new0 (MakeGroup, 1);

  self->service = g_object_ref (network_service);
  self->clock = wk_clock_ref (clock);
  self->name = g_strdup (name);
  self->description = g_strdup (description);
  g_set_object (&self->cancellable, cancellable);
  wk_flow_start (NULL, NULL, callback, user_data, os_make_group_async, make_group_run, self,
                 make_group_free);
}

OsSecurityGroup *
os_make_group_finish (GAsyncResult *result,
                      GError      **error)
{
  return wk_flow_finish_pointer (result, NULL, os_make_group_async, error);
}

/* Ensuring one. */

typedef struct
{
  OsNetworkService *service;     /* (owned) */
  WkClock          *clock;       /* (owned) */
  char             *name;        /* (owned) */
  char             *description; /* (owned) */
  WelkinConfig     *config;      /* (owned) (nullable) */

  GPtrArray        *groups;      /* (owned) those that there are */
  WkJoin           *join;        /* (owned) (nullable) */
  GPtrArray        *missing;     /* (owned) (nullable) */
  GPtrArray        *surplus;     /* (owned) (nullable) */

  OsEnsuredGroup   *ensured;     /* (owned) */
} EnsureGroup;

void
os_ensured_group_free (OsEnsuredGroup *self)
{
  g_free (self->id);
  g_free (self);
}

static void
rules_made_cb (GObject      *source,
               GAsyncResult *result,
               gpointer      user_data)
{
  EnsureGroup *self = user_data;
  GError *error = NULL;

  os_network_service_create_rules_finish (self->service, result, &error);
  wk_join_end (self->join, error);
}

static void
relisted_cb (GObject      *source,
             GAsyncResult *result,
             gpointer      user_data)
{
  EnsureGroup *self = user_data;
  GError *error = NULL;
  GPtrArray *groups =
      os_network_service_list_security_groups_finish (self->service, result, &error);

  if (groups != NULL)
    {
      g_ptr_array_unref (self->groups);
      self->groups = groups;
    }
  wk_join_end (self->join, error);
}

static void
rule_deleted_cb (GObject      *source,
                 GAsyncResult *result,
                 gpointer      user_data)
{
  EnsureGroup *self = user_data;
  GError *error = NULL;

  os_network_service_delete_rule_finish (self->service, result, &error);
  wk_join_end (self->join, error);
}

/* Fills a new group and looks, meanwhile, whether another process made one at the same time. */
static void
begin_filling (EnsureGroup *self)
{
  const char *query[] = { "name", self->name, NULL };

  if (self->config != NULL)
    {
      g_autoptr(GPtrArray) rules = os_base_group_dup_rules (self->config, self->ensured->id);

      os_network_service_create_rules_async (self->service, rules, wk_join_begin (self->join),
                                             rules_made_cb, self);
    }
  os_network_service_list_security_groups_async (self->service, query, wk_join_begin (self->join),
                                                 relisted_cb, self);
}

/* What the group has and has not; FALSE when there is nothing to do. */
static gboolean
compare_group (EnsureGroup *self)
{
  const OsSecurityGroup *group = os_choose_group (self->groups, self->name, self->description);
  g_autoptr(GPtrArray) desired = NULL;

  if (self->config == NULL)
    return FALSE;

  desired = os_base_group_dup_rules (self->config, group->id);
  os_compare_rules (group, desired, &self->missing, &self->surplus);
  if (welkin_config_get_boolean (self->config, "secgroup-keep-extra"))
    g_ptr_array_set_size (self->surplus, 0);
  if (self->missing->len > 0 || self->surplus->len > 0)
    g_info ("security group %s: %u rules are missing, %u are too many", self->name,
            self->missing->len, self->surplus->len);
  return self->missing->len > 0 || self->surplus->len > 0;
}

static void
begin_deleting_surplus (EnsureGroup *self)
{
  for (guint i = 0; i < self->surplus->len; i++)
    os_network_service_delete_rule_async (self->service, g_ptr_array_index (self->surplus, i),
                                          wk_join_begin (self->join), rule_deleted_cb, self);
}

static void
ensure_group_run (WkFlow  *flow,
                  gpointer user_data)
{
  EnsureGroup *self = user_data;
  const OsSecurityGroup *chosen;
  g_autoptr(OsSecurityGroup) made = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  chosen = os_choose_group (self->groups, self->name, self->description);
  if (chosen == NULL)
    {
      WK_AWAIT (flow, os_make_group_async (self->service, self->clock, self->name,
                                           self->description, WK_RESUME (flow)));
      made = os_make_group_finish (WK_RESULT (flow), &error);
      if (made == NULL)
        WK_FAIL (flow, &error, NULL);
      self->ensured->id = g_strdup (made->id);
      self->ensured->was_made = TRUE;
      wk_undo_push (wk_flow_get_undo (flow), _("security group"), self->service, self->ensured->id,
                    (WkUndoAsync) os_network_service_delete_security_group_async,
                    (WkUndoFinish) os_network_service_delete_security_group_finish);

      self->join = wk_join_new (WK_JOIN_CANCEL_OTHERS, wk_flow_get_cancellable (flow));
      begin_filling (self);
      WK_AWAIT (flow, wk_join_wait_async (self->join, wk_flow_resume_cb, flow));
      if (!wk_join_wait_finish (self->join, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, _("cannot set up security group"));
      g_clear_pointer (&self->join, wk_join_unref);

      chosen = os_choose_group (self->groups, self->name, self->description);
      if (chosen == NULL || g_str_equal (chosen->id, self->ensured->id))
        {
          wk_flow_return_pointer (flow, g_steal_pointer (&self->ensured),
                                  (GDestroyNotify) os_ensured_group_free);
          return;
        }
      WK_AWAIT (flow, os_network_service_delete_security_group_async (
                          self->service, self->ensured->id, WK_RESUME_SHIELDED (flow)));
      if (!os_network_service_delete_security_group_finish (self->service, WK_RESULT (flow),
                                                            &error))
        g_info ("security group %s was made twice, and the second one stays: %s", self->name,
                error->message);
      g_clear_error (&error);
      wk_undo_forget (wk_flow_get_undo (flow), self->ensured->id);
      self->ensured->was_made = FALSE;
      g_clear_pointer (&self->ensured->id, g_free);
      chosen = os_choose_group (self->groups, self->name, self->description);
    }
  self->ensured->id = g_strdup (chosen->id);

  if (compare_group (self))
    {
      WK_AWAIT (flow, os_network_service_create_rules_async (self->service, self->missing,
                                                             WK_RESUME (flow)));
      if (!os_network_service_create_rules_finish (self->service, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, _("cannot set up security group"));

      self->join = wk_join_new (WK_JOIN_COLLECT, wk_flow_get_cancellable (flow));
      begin_deleting_surplus (self);
      WK_AWAIT (flow, wk_join_wait_async (self->join, wk_flow_resume_cb, flow));
      if (!wk_join_wait_finish (self->join, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, _("cannot set up security group"));
    }
  wk_flow_return_pointer (flow, g_steal_pointer (&self->ensured),
                          (GDestroyNotify) os_ensured_group_free);

  WK_FLOW_END (flow);
}

static void
ensure_group_free (gpointer user_data)
{
  EnsureGroup *self = user_data;

  g_clear_pointer (&self->join, wk_join_unref);
  g_clear_pointer (&self->missing, g_ptr_array_unref);
  g_clear_pointer (&self->surplus, g_ptr_array_unref);
  g_clear_pointer (&self->config, welkin_config_unref);
  g_ptr_array_unref (self->groups);
  g_clear_pointer (&self->ensured, os_ensured_group_free);
  g_free (self->description);
  g_free (self->name);
  wk_clock_unref (self->clock);
  g_object_unref (self->service);
  g_free (self);
}

void
os_ensure_group_async (const OsGroupRequest *request,
                       GCancellable         *cancellable,
                       GAsyncReadyCallback   callback,
                       gpointer              user_data)
{
  EnsureGroup *self = g_new0 (EnsureGroup, 1);

  self->service = g_object_ref (request->network_service);
  self->clock = wk_clock_ref (request->clock);
  self->name = g_strdup (request->name);
  self->description = g_strdup (request->description);
  if (request->config != NULL)
    self->config = welkin_config_ref (request->config);
  self->groups = g_ptr_array_ref (request->groups);
  self->ensured = g_new0 (OsEnsuredGroup, 1);
  wk_flow_start (NULL, cancellable, callback, user_data, os_ensure_group_async, ensure_group_run,
                 self, ensure_group_free);
}

OsEnsuredGroup *
os_ensure_group_finish (GAsyncResult *result,
                        GError      **error)
{
  return wk_flow_finish_pointer (result, NULL, os_ensure_group_async, error);
}
