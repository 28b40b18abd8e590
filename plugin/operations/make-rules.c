/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/make-rules.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "base/join.h"
#include "values/welkin-error.h"

typedef struct
{
  OsFirewall *firewall; /* (owned) */
  GPtrArray  *rules;    /* (owned) of OsSecurityGroupRule */

  WkJoin     *join;     /* (owned) (nullable) */
  GPtrArray  *failed;   /* (owned) of RuleCall */
} MakeRules;

/* One of the rules that are made side by side. */
typedef struct
{
  MakeRules *make;
  GPtrArray *rule;  /* (owned) alone in a list */
  GError    *error; /* (owned) (nullable) */
} RuleCall;

static void
rule_call_free (gpointer data)
{
  RuleCall *self = data;

  g_clear_error (&self->error);
  g_ptr_array_unref (self->rule);
  g_free (self);
}

/* Neutron says 409 of a rule that is there, others say 400, and both say so of other things. */
static gboolean
is_refusal (const GError *error)
{
  return g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_ALREADY_EXISTS)
         || g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_CONFLICT)
         || g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT);
}

static void
rule_made_cb (GObject      *source,
              GAsyncResult *result,
              gpointer      user_data)
{
  RuleCall *call = user_data;
  MakeRules *self = call->make;

  if (os_firewall_create_rules_finish (self->firewall, result, &call->error))
    rule_call_free (call);
  else
    g_ptr_array_add (self->failed, call);
  wk_join_end (self->join, NULL);
}

static void
begin_rules (MakeRules *self)
{
  for (guint i = 0; i < self->rules->len; i++)
    {
      RuleCall *call = g_new0 (RuleCall, 1);

      call->make = self;
      call->rule = g_ptr_array_new ();
      g_ptr_array_add (call->rule, g_ptr_array_index (self->rules, i));
      os_firewall_create_rules_async (self->firewall, call->rule, wk_join_begin (self->join),
                                      rule_made_cb, call);
    }
}

static gboolean
has_refusals (MakeRules *self)
{
  for (guint i = 0; i < self->failed->len; i++)
    {
      if (is_refusal (((RuleCall *) g_ptr_array_index (self->failed, i))->error))
        return TRUE;
    }
  return FALSE;
}

static void
begin_look (MakeRules          *self,
            GCancellable       *cancellable,
            GAsyncReadyCallback callback,
            gpointer            user_data)
{
  const OsSecurityGroupRule *rule = g_ptr_array_index (self->rules, 0);
  const char *query[] = { "id", rule->group_id, NULL };

  os_firewall_list_groups_async (self->firewall, query, cancellable, callback, user_data);
}

/* Whoever made them: what the group has has not failed. */
static void
forgive (MakeRules             *self,
         const OsSecurityGroup *group)
{
  for (guint i = self->failed->len; i > 0; i--)
    {
      RuleCall *call = g_ptr_array_index (self->failed, i - 1);

      if (os_security_group_rule_find (group->rules, g_ptr_array_index (call->rule, 0)) != NULL)
        g_ptr_array_remove_index (self->failed, i - 1);
    }
}

static GError *
take_error (MakeRules *self)
{
  RuleCall *first = g_ptr_array_index (self->failed, 0);
  g_autofree char *message = NULL;

  if (self->rules->len > 1)
    {
      message = g_steal_pointer (&first->error->message);
      /* TRANSLATORS: the first is what went wrong, as in "Quota exceeded (3 of 20 failed)". */
      first->error->message =
        g_strdup_printf (_("%s (%u of %u failed)"), message, self->failed->len, self->rules->len);
    }
  return g_steal_pointer (&first->error);
}

static void
make_rules_run (WkFlow  *flow,
                gpointer user_data)
{
  MakeRules *self = user_data;
  g_autoptr(GPtrArray) groups = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  /* All or nothing: one rule that is there already spoils the lot, and they go one by one. */
  if (self->rules->len > 1)
    {
      WK_AWAIT (flow, os_firewall_create_rules_async (self->firewall, self->rules,
                                                      WK_RESUME (flow)));
      if (os_firewall_create_rules_finish (self->firewall, WK_RESULT (flow), &error))
        {
          wk_flow_return_boolean (flow, TRUE);
          return;
        }
      if (!is_refusal (error) && !g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED))
        WK_FAIL (flow, &error, NULL);
      g_clear_error (&error);
    }

  self->join = wk_join_new (WK_JOIN_COLLECT, wk_flow_get_cancellable (flow));
  begin_rules (self);
  WK_AWAIT (flow, wk_join_wait_async (self->join, wk_flow_resume_cb, flow));
  wk_join_wait_finish (self->join, WK_RESULT (flow), NULL);

  if (has_refusals (self))
    {
      WK_AWAIT (flow, begin_look (self, WK_RESUME (flow)));
      groups = os_firewall_list_groups_finish (self->firewall, WK_RESULT (flow), &error);
      if (groups == NULL)
        WK_FAIL (flow, &error, NULL);
      if (groups->len > 0)
        forgive (self, g_ptr_array_index (groups, 0));
    }
  if (self->failed->len > 0)
    error = take_error (self);
  if (error != NULL)
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

static void
make_rules_free (gpointer user_data)
{
  MakeRules *self = user_data;

  g_ptr_array_unref (self->failed);
  g_clear_pointer (&self->join, wk_join_unref);
  g_ptr_array_unref (self->rules);
  g_object_unref (self->firewall);
  g_free (self);
}

void
os_make_rules_async (OsFirewall         *firewall,
                     GPtrArray          *rules,
                     GCancellable       *cancellable,
                     GAsyncReadyCallback callback,
                     gpointer            user_data)
{
  MakeRules *self = g_new0 (MakeRules, 1);

  self->firewall = g_object_ref (firewall);
  self->rules = g_ptr_array_ref (rules);
  self->failed = g_ptr_array_new_with_free_func (rule_call_free);
  wk_flow_start (firewall, cancellable, callback, user_data, os_make_rules_async, make_rules_run,
                 self, make_rules_free);
}

gboolean
os_make_rules_finish (OsFirewall   *firewall,
                      GAsyncResult *result,
                      GError      **error)
{
  return wk_flow_finish_boolean (result, firewall, os_make_rules_async, error);
}
