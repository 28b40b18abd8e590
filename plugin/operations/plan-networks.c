/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/plan-networks.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "base/join.h"
#include "operations/choose-network.h"
#include "operations/plan-nova-networks.h"
#include "values/welkin-error.h"

/* What neutron calls that ports and floating IPs have descriptions, which our marks are in. */

/* One network that the configuration names. */
typedef struct
{
  gpointer   planning; /* the operation */
  char      *text;     /* (owned) (nullable) name or id; NULL: it names none */
  GPtrArray *networks; /* (owned) (nullable) of OsNetwork: what was found for it */
} Question;

/* The routers of one network. */
typedef struct
{
  gpointer planning; /* the operation */
  guint    index;    /* of the network in the plan */
} RouterCall;

typedef struct
{
  OsSnapshot        *snapshot;          /* (owned) */
  WelkinConstraints *constraints;       /* (owned) */

  /* while running */
  WkJoin            *join;              /* (owned) (nullable) */
  GPtrArray         *network_questions; /* (owned) of Question */
  Question          *external_question; /* (owned) (nullable) */
  GHashTable        *extensions;        /* (owned) (nullable) of neutron: a set of aliases */
  GPtrArray         *routers;           /* (owned) (nullable) for each network, of OsRouter */
  GPtrArray         *all_networks;      /* (owned) (nullable) when one was not found */

  OsNetworkPlan     *plan;              /* (owned) */
} Planning;

static void
planned_network_free (gpointer user_data)
{
  OsPlannedNetwork *self = user_data;

  g_free (self->name);
  g_free (self->id);
  g_free (self);
}

OsNetworkPlan *
os_network_plan_new (void)
{
  OsNetworkPlan *self = g_new0 (OsNetworkPlan, 1);

  self->networks = g_ptr_array_new_with_free_func (planned_network_free);
  return self;
}

static void
clear_routers (gpointer routers)
{
  if (routers != NULL)
    g_ptr_array_unref (routers);
}

void
os_network_plan_free (OsNetworkPlan *self)
{
  g_free (self->external_network_id);
  g_free (self->external_network_name);
  g_ptr_array_unref (self->networks);
  g_free (self);
}

static gboolean
is_planned (OsNetworkPlan   *plan,
            const OsNetwork *network)
{
  for (guint i = 0; i < plan->networks->len; i++)
    {
      OsPlannedNetwork *planned = g_ptr_array_index (plan->networks, i);

      if (g_str_equal (planned->id, network->id))
        return TRUE;
    }
  return FALSE;
}

void
os_network_plan_add (OsNetworkPlan   *self,
                     const OsNetwork *network)
{
  OsPlannedNetwork *planned;

  if (is_planned (self, network))
    return;
  planned = g_new0 (OsPlannedNetwork, 1);
  planned->id = g_strdup (network->id);
  planned->name = g_strdup (network->name);
  planned->has_port_security = network->has_port_security != FALSE;
  g_ptr_array_add (self->networks, planned);
}

static Question *
question_new (Planning   *self,
              const char *text)
{
  Question *question = g_new0 (Question, 1);

  question->planning = self;
  question->text = *text != '\0' ? g_strdup (text) : NULL;
  return question;
}

static void
question_free (gpointer user_data)
{
  Question *self = user_data;

  g_clear_pointer (&self->networks, g_ptr_array_unref);
  g_free (self->text);
  g_free (self);
}

/* The questions. */

static void
networks_listed_cb (GObject      *source,
                    GAsyncResult *result,
                    gpointer      user_data)
{
  Question *question = user_data;
  Planning *self = question->planning;
  OsNetworkService *service = os_snapshot_get_network_service (self->snapshot);
  GError *error = NULL;

  question->networks = os_network_service_list_networks_finish (service, result, &error);
  wk_join_end_with_context (self->join, error, _("cannot list networks"));
}

static void
extensions_listed_cb (GObject      *source,
                      GAsyncResult *result,
                      gpointer      user_data)
{
  Planning *self = user_data;
  OsNetworkService *service = os_snapshot_get_network_service (self->snapshot);
  GError *error = NULL;

  self->extensions = os_network_service_list_extensions_finish (service, result, &error);
  wk_join_end_with_context (self->join, error,
                            _("cannot list the extensions of the network service"));
}

static void
pool_loaded_cb (GObject      *source,
                GAsyncResult *result,
                gpointer      user_data)
{
  Planning *self = user_data;
  GError *error = NULL;

  os_floating_pool_load_finish (os_snapshot_get_floating_pool (self->snapshot), result, &error);
  wk_join_end_with_context (self->join, error, _("cannot list floating IPs"));
}

static void
ask_for_network (Planning *self,
                 Question *question)
{
  OsNetworkService *service = os_snapshot_get_network_service (self->snapshot);
  g_autofree char *id = question->text != NULL ? os_network_parse_id (question->text) : NULL;
  const char *key = id != NULL ? "id" : question->text != NULL ? "name" : NULL;

  os_network_service_list_networks_async (service, key, id != NULL ? id : question->text,
                                          wk_join_begin (self->join), networks_listed_cb, question);
}

gboolean
os_wants_floating_ip (WelkinConfig      *config,
                      WelkinConstraints *constraints)
{
  if (welkin_constraints_has (constraints, "allocate-public-ip"))
    return welkin_constraints_get_boolean (constraints, "allocate-public-ip");
  return welkin_config_get_boolean (config, "use-floating-ip");
}

static void
ask_for_networks (Planning *self)
{
  WelkinConfig *config = os_snapshot_get_config (self->snapshot);
  g_auto(GStrv) names = welkin_config_get_strings (config, "network");

  for (gsize i = 0; names[i] != NULL; i++)
    g_ptr_array_add (self->network_questions, question_new (self, names[i]));
  if (self->network_questions->len == 0)
    g_ptr_array_add (self->network_questions, question_new (self, ""));
  if (os_wants_floating_ip (config, self->constraints))
    self->external_question =
      question_new (self, welkin_config_get_string (config, "external-network"));

  for (guint i = 0; i < self->network_questions->len; i++)
    ask_for_network (self, g_ptr_array_index (self->network_questions, i));
  if (self->external_question == NULL)
    return;
  ask_for_network (self, self->external_question);
  os_floating_pool_load_async (os_snapshot_get_floating_pool (self->snapshot),
                               wk_join_begin (self->join), pool_loaded_cb, self);
}

static void
begin_questions (Planning *self)
{
  os_network_service_list_extensions_async (os_snapshot_get_network_service (self->snapshot),
                                            wk_join_begin (self->join), extensions_listed_cb,
                                            self);
  ask_for_networks (self);
}

/* The decisions. */

/* A port without a mark is nobody's: what is made where there are none is never found again. */
static gboolean
check_marks (Planning *self,
             GError  **error)
{
  if (g_hash_table_contains (self->extensions, OS_DESCRIPTION_EXTENSION)
      || g_hash_table_contains (self->extensions, OS_TAG_EXTENSION))
    return TRUE;
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED,
               _("the network service of %s keeps neither descriptions nor tags of ports, so that "
                 "ours could not be told from those of others: ask its operator for the neutron "
                 "extension %s or %s"),
               os_snapshot_get_region_name (self->snapshot), OS_DESCRIPTION_EXTENSION,
               OS_TAG_EXTENSION);
  return FALSE;
}

static const OsNetwork *
answer_question (Planning    *self,
                 Question    *question,
                 OsNetworkUse use,
                 GError     **error)
{
  const char *project_id = os_client_get_project_id (os_snapshot_get_client (self->snapshot));
  g_autofree char *id = question->text != NULL ? os_network_parse_id (question->text) : NULL;

  if (question->text == NULL)
    return os_choose_network (question->networks, project_id, error);
  if (id != NULL)
    return os_choose_network_by_id (question->networks, id, use, error);
  return os_choose_network_by_name (self->all_networks != NULL ? self->all_networks
                                                                : question->networks,
                                    question->text, project_id, use, error);
}

/* Whoever hears that there is no such network wants to know which there are. */
static gboolean
needs_all_networks (Planning *self)
{
  for (guint i = 0; i < self->network_questions->len; i++)
    if (answer_question (self, g_ptr_array_index (self->network_questions, i),
                         OS_NETWORK_FOR_MACHINES, NULL) == NULL)
      return TRUE;
  return self->external_question != NULL && self->external_question->text != NULL
         && answer_question (self, self->external_question, OS_NETWORK_FOR_FLOATING_IPS, NULL)
              == NULL;
}

static gboolean
decide_networks (Planning *self,
                 GError  **error)
{
  const char *project_id = os_client_get_project_id (os_snapshot_get_client (self->snapshot));

  for (guint i = 0; i < self->network_questions->len; i++)
    {
      const OsNetwork *network =
        answer_question (self, g_ptr_array_index (self->network_questions, i),
                         OS_NETWORK_FOR_MACHINES, error);

      if (network == NULL
          || !os_check_network (network, project_id, OS_NETWORK_FOR_MACHINES, error))
        return FALSE;
      os_network_plan_add (self->plan, network);
    }
  return TRUE;
}

/* Only where there is a choice does it matter which network has a way to which. */
static gboolean
needs_routers (Planning *self)
{
  if (self->external_question == NULL)
    return FALSE;
  return self->plan->networks->len > 1
         || (self->external_question->text == NULL
             && os_count_external_networks (self->external_question->networks) > 1);
}

static void
routers_listed_cb (GObject      *source,
                   GAsyncResult *result,
                   gpointer      user_data)
{
  g_autofree RouterCall *call = user_data;
  Planning *self = call->planning;
  OsNetworkService *service = os_snapshot_get_network_service (self->snapshot);
  GError *error = NULL;

  self->routers->pdata[call->index] =
    os_network_service_list_routers_finish (service, result, &error);
  wk_join_end_with_context (self->join, error, _("cannot list routers"));
}

static void
begin_routers (Planning *self)
{
  GPtrArray *networks = self->plan->networks;

  self->routers = g_ptr_array_new_with_free_func (clear_routers);
  g_ptr_array_set_size (self->routers, networks->len);
  for (guint i = 0; i < networks->len; i++)
    {
      RouterCall *call = g_new0 (RouterCall, 1);

      call->planning = self;
      call->index = i;
      os_network_service_list_routers_async (
        os_snapshot_get_network_service (self->snapshot),
        ((OsPlannedNetwork *) g_ptr_array_index (networks, i))->id, wk_join_begin (self->join),
        routers_listed_cb, call);
    }
}

/* Those of the first network that has any; NULL where nobody asked. */
static GPtrArray *
get_first_routers (Planning *self)
{
  for (guint i = 0; self->routers != NULL && i < self->routers->len; i++)
    {
      GPtrArray *routers = g_ptr_array_index (self->routers, i);

      if (routers->len > 0)
        return routers;
    }
  return NULL;
}

/* Where no network seems to have a way outside, the first one is as good as any: to whom the
 * routers are not shown, neutron itself says whether there is one. */
static void
decide_floating_index (Planning *self)
{
  for (guint i = 0; self->routers != NULL && i < self->routers->len; i++)
    if (os_routers_lead_to (g_ptr_array_index (self->routers, i),
                            self->plan->external_network_id))
      {
        self->plan->floating_index = i;
        return;
      }
}

static gboolean
decide_external_network (Planning *self,
                         GError  **error)
{
  const char *project_id = os_client_get_project_id (os_snapshot_get_client (self->snapshot));
  Question *question = self->external_question;
  const OsNetwork *network;

  if (question == NULL)
    return TRUE;
  if (question->text == NULL)
    network = os_choose_external_network (question->networks, get_first_routers (self), error);
  else
    network = answer_question (self, question, OS_NETWORK_FOR_FLOATING_IPS, error);
  if (network == NULL
      || !os_check_network (network, project_id, OS_NETWORK_FOR_FLOATING_IPS, error))
    return FALSE;
  self->plan->external_network_id = g_strdup (network->id);
  self->plan->external_network_name = g_strdup (network->name);
  decide_floating_index (self);
  return TRUE;
}

static void
planning_run (WkFlow  *flow,
              gpointer user_data)
{
  Planning *self = user_data;
  OsNetworkService *service = os_snapshot_get_network_service (self->snapshot);
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  self->join = wk_join_new (WK_JOIN_CANCEL_OTHERS, wk_flow_get_cancellable (flow));
  begin_questions (self);
  WK_AWAIT (flow, wk_join_wait_async (self->join, wk_flow_resume_cb, flow));
  if (!wk_join_wait_finish (self->join, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);

  if (!check_marks (self, &error))
    WK_FAIL (flow, &error, NULL);
  if (needs_all_networks (self))
    {
      WK_AWAIT (flow, os_network_service_list_networks_async (service, NULL, NULL,
                                                              WK_RESUME (flow)));
      self->all_networks =
        os_network_service_list_networks_finish (service, WK_RESULT (flow), &error);
      if (self->all_networks == NULL)
        WK_FAIL (flow, &error, _("cannot list networks"));
    }
  if (!decide_networks (self, &error))
    WK_FAIL (flow, &error, NULL);
  if (needs_routers (self))
    {
      g_clear_pointer (&self->join, wk_join_unref);
      self->join = wk_join_new (WK_JOIN_CANCEL_OTHERS, wk_flow_get_cancellable (flow));
      begin_routers (self);
      WK_AWAIT (flow, wk_join_wait_async (self->join, wk_flow_resume_cb, flow));
      if (!wk_join_wait_finish (self->join, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
    }
  if (!decide_external_network (self, &error))
    WK_FAIL (flow, &error, NULL);

  wk_flow_return_pointer (flow, g_steal_pointer (&self->plan),
                          (GDestroyNotify) os_network_plan_free);

  WK_FLOW_END (flow);
}

static void
planning_free (gpointer user_data)
{
  Planning *self = user_data;

  g_clear_pointer (&self->plan, os_network_plan_free);
  g_clear_pointer (&self->all_networks, g_ptr_array_unref);
  g_clear_pointer (&self->routers, g_ptr_array_unref);
  g_clear_pointer (&self->extensions, g_hash_table_unref);
  g_clear_pointer (&self->external_question, question_free);
  g_ptr_array_unref (self->network_questions);
  g_clear_pointer (&self->join, wk_join_unref);
  welkin_constraints_unref (self->constraints);
  g_object_unref (self->snapshot);
  g_free (self);
}

void
os_plan_networks_async (OsSnapshot         *snapshot,
                        WelkinConstraints  *constraints,
                        GCancellable       *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer            user_data)
{
  Planning *self;

  if (os_snapshot_get_nova_network (snapshot) != NULL)
    {
      os_plan_nova_networks_async (snapshot, constraints, cancellable, callback, user_data);
      return;
    }
  self = g_new0 (Planning, 1);
  self->snapshot = g_object_ref (snapshot);
  self->constraints = welkin_constraints_ref (constraints);
  self->network_questions = g_ptr_array_new_with_free_func (question_free);
  self->plan = os_network_plan_new ();
  wk_flow_start (snapshot, cancellable, callback, user_data, os_plan_networks_async, planning_run,
                 self, planning_free);
}

OsNetworkPlan *
os_plan_networks_finish (OsSnapshot   *snapshot,
                         GAsyncResult *result,
                         GError      **error)
{
  if (g_async_result_is_tagged (result, os_plan_nova_networks_async))
    return os_plan_nova_networks_finish (snapshot, result, error);
  return wk_flow_finish_pointer (result, snapshot, os_plan_networks_async, error);
}
