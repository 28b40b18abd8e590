/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/start-instance.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "base/join.h"
#include "operations/adopt-ports.h"
#include "operations/describe-interfaces.h"
#include "operations/describe-server.h"
#include "operations/give-address.h"
#include "operations/hardware.h"
#include "operations/live-starts.h"
#include "operations/machine-groups.h"
#include "operations/make-ports.h"
#include "operations/ownership.h"
#include "operations/place-server.h"
#include "operations/plan.h"
#include "operations/recent-servers.h"
#include "operations/remove-whole-server.h"
#include "operations/sweep.h"
#include "values/welkin-error.h"

/* Undoing waits for a server to be gone. */
#define UNDO_SECONDS 480.0

typedef struct
{
  /* inputs */
  OsSnapshot          *snapshot;    /* (owned) */
  WelkinStartParams   *params;      /* (owned) */
  WelkinProgress      *progress;    /* (owned) (nullable) */

  /* while running */
  WkFlow              *flow;
  WkJoin              *join;        /* (owned) (nullable) */
  OsPlan              *plan;        /* (owned) */
  WelkinMachineConfig *config;      /* (owned) finished */
  GBytes              *user_data;   /* (owned) */
  char                *mark;        /* (owned) of ports, floating IP and group */
  OsMachineGroups     *groups;      /* (owned) (nullable) */
  GPtrArray           *ports;       /* (owned) (nullable) of OsPort, as the networks */
  gboolean             lacks_ports; /* the cloud lets us make none: nova does */
  OsGivenAddress      *address;     /* (owned) (nullable) */
  OsServerDescription *description; /* (owned) (nullable) */
  OsPlacement          placement;
  OsServer            *server;      /* (owned) */
} Start;

void
os_started_free (OsStarted *self)
{
  g_ptr_array_unref (self->interfaces);
  g_free (self->floating_address);
  g_clear_pointer (&self->tools, welkin_tools_unref);
  g_clear_pointer (&self->hardware, welkin_hardware_unref);
  os_detail_unref (self->detail);
  g_free (self);
}

static WelkinConfig *
get_config (Start *self)
{
  return os_snapshot_get_config (self->snapshot);
}

static const char *
get_machine_id (Start *self)
{
  return welkin_machine_config_get_machine_id (
      welkin_start_params_get_machine_config (self->params));
}

/* Planning. */

static void
begin_plan (Start              *self,
            GCancellable       *cancellable,
            GAsyncReadyCallback callback,
            gpointer            user_data)
{
  WelkinMachineConfig *machine_config = welkin_start_params_get_machine_config (self->params);
  OsPlanRequest request = {
    .constraints = welkin_start_params_get_constraints (self->params),
    .series = welkin_machine_config_get_series (machine_config),
    .images = welkin_start_params_get_images (self->params),
    .placement = welkin_start_params_get_placement (self->params),
    .distribution_group = welkin_start_params_get_distribution_group (self->params),
    .start_id = welkin_start_params_get_start_id (self->params),
  };

  if (request.series == NULL)
    request.series = welkin_config_get_string (get_config (self), "default-series");
  os_plan_async (self->snapshot, &request, cancellable, callback, user_data);
}

/* Before anything is made, because it may turn out to be too large. */
static gboolean
prepare_user_data (Start   *self,
                   GError **error)
{
  GPtrArray *found = welkin_start_params_get_tools (self->params);
  WelkinTools *tools = NULL;

  if (found != NULL)
    {
      tools = welkin_tools_choose (found, os_image_get_arch (self->plan->image), error);
      if (tools == NULL)
        return FALSE;
    }
  self->config = welkin_machine_config_finish (
      welkin_start_params_get_machine_config (self->params), get_config (self), tools, error);
  if (self->config == NULL)
    return FALSE;
  self->user_data = welkin_machine_config_render_user_data (self->config, error);
  return self->user_data != NULL;
}

/* Ports. */

static void
begin_ports (Start              *self,
             GCancellable       *cancellable,
             GAsyncReadyCallback callback,
             gpointer            user_data)
{
  g_auto(GStrv) group_ids = os_machine_groups_list_ids (self->groups);
  g_autofree char *name =
    os_name_port (os_snapshot_get_prefix (self->snapshot),
                  os_snapshot_get_environ_uuid (self->snapshot), get_machine_id (self),
                  welkin_start_params_get_start_id (self->params));
  OsPortsRequest request = {
    .networks = self->plan->networks,
    .name = name,
    .mark = self->mark,
    .group_ids = (const char *const *) group_ids,
  };

  if (self->server == NULL)
    os_make_ports_async (self->snapshot, &request, cancellable, callback, user_data);
  else
    os_adopt_ports_async (self->snapshot, &request, self->server->id, cancellable, callback,
                          user_data);
}

/* Some clouds want to make all ports themselves. */
static GPtrArray *
do_without_ports (Start        *self,
                  const GError *error)
{
  if (!g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_FORBIDDEN))
    return NULL;
  g_debug ("nova is to make the ports: %s", error->message);
  self->lacks_ports = TRUE;
  return g_ptr_array_new ();
}

static void
push_ports (Start *self)
{
  for (guint i = 0; i < self->ports->len; i++)
    wk_undo_push (wk_flow_get_undo (self->flow), _("port"),
                  os_snapshot_get_network_service (self->snapshot),
                  ((OsPort *) g_ptr_array_index (self->ports, i))->id,
                  (WkUndoAsync) os_network_service_delete_port_async,
                  (WkUndoFinish) os_network_service_delete_port_finish);
}

/* The floating IP and the server. */

/* The one that a floating IP is to lead to; NULL where nova makes the ports, and has not yet. */
static const OsPort *
get_floating_port (Start *self)
{
  if (self->ports->len == 0)
    return NULL;
  return g_ptr_array_index (self->ports, self->plan->networks->floating_index);
}

static void
address_born_cb (GObject      *source,
                 GAsyncResult *result,
                 gpointer      user_data)
{
  Start *self = user_data;
  GError *error = NULL;

  os_bear_address_finish (self->address, result, &error);
  wk_join_end (self->join, error);
}

static void
server_placed_cb (GObject      *source,
                  GAsyncResult *result,
                  gpointer      user_data)
{
  Start *self = user_data;
  const OsFloatingIp *ip = os_given_address_get_ip (self->address);
  const OsServerRemover *remover =
    os_choose_server_remover (self->snapshot, self->plan->is_on_volume,
                              ip != NULL ? ip->id : NULL);
  GError *error = NULL;

  self->server = os_place_server_finish (self->snapshot, result, &error);
  if (self->server != NULL)
    wk_undo_push (wk_flow_get_undo (self->flow), _("server"), self->snapshot, self->server->id,
                  remover->remove_async, remover->remove_finish);
  wk_join_end (self->join, error);
}

/* What nova has to connect is there when the server is built, and not before. */
static OsPollGoal
get_goal (Start *self)
{
  if (welkin_start_params_get_waits (self->params) || self->ports->len == 0)
    return OS_POLL_UNTIL_BUILT;
  return OS_POLL_UNTIL_SEEN;
}

static void
begin_server (Start *self)
{
  self->description =
    os_describe_server (self->snapshot, self->params, self->plan, self->groups, self->ports,
                        os_given_address_get_ip (self->address), self->user_data);
  self->placement = (OsPlacement) {
    .server = self->description->request,
    .zones = (const char *const *) self->plan->zones,
    .flavors = self->plan->flavors,
    .start_id = welkin_start_params_get_start_id (self->params),
    .goal = get_goal (self),
    .claim = self->plan->claim,
    .progress = self->progress,
  };
  os_place_server_async (self->snapshot, &self->placement, wk_join_begin (self->join),
                         server_placed_cb, self);
}

/* What the answers that were lost may have made beside. */

static gboolean
may_have_twins (Start *self)
{
  const OsFloatingIp *ip = os_given_address_get_ip (self->address);

  for (guint i = 0; i < self->ports->len; i++)
    {
      const OsPort *port = g_ptr_array_index (self->ports, i);

      if (port->may_be_two)
        return TRUE;
    }
  return ip != NULL && ip->may_be_two;
}

static void
begin_sweep_of_twins (Start              *self,
                      GCancellable       *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer            user_data)
{
  const OsFloatingIp *ip = os_given_address_get_ip (self->address);
  g_autoptr(GPtrArray) kept = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < self->ports->len; i++)
    g_ptr_array_add (kept, g_strdup (((OsPort *) g_ptr_array_index (self->ports, i))->id));
  if (ip != NULL)
    g_ptr_array_add (kept, g_strdup (ip->id));
  os_sweep_twins_async (self->snapshot, self->mark, kept, cancellable, callback, user_data);
}

static OsStarted *
make_result (Start *self)
{
  OsStarted *started = g_new0 (OsStarted, 1);
  const OsFloatingIp *ip = os_given_address_get_ip (self->address);
  WelkinTools *tools = welkin_machine_config_get_tools (self->config);

  started->detail = os_detail_new (self->server);
  started->hardware = os_describe_hardware (started->detail, self->plan->all_flavors,
                                            os_image_get_arch (self->plan->image),
                                            self->plan->is_on_volume ? self->plan->volume.gib : 0);
  started->tools = tools != NULL ? welkin_tools_ref (tools) : NULL;
  started->floating_address = ip != NULL ? g_strdup (ip->address) : NULL;
  started->interfaces =
    os_describe_interfaces (self->server, self->ports, self->plan->networks, ip);
  return started;
}

/* It counts where it is from now on, even where it is not seen yet. */
static void
keep_server (Start *self)
{
  WkClock *clock = os_snapshot_get_clock (self->snapshot);

  os_zone_claim_keep (g_steal_pointer (&self->plan->claim), self->server->id);
  os_recent_servers_add (self->server->id, wk_clock_get_seconds (clock));
}

static void
start_run (WkFlow  *flow,
           gpointer user_data)
{
  Start *self = user_data;
  g_autofree char *context =
    g_strdup_printf (_("Cannot start machine %s"), get_machine_id (self));
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  self->flow = flow;
  wk_flow_set_undo_seconds (flow, UNDO_SECONDS);

  welkin_progress_set_message (self->progress, _("Choosing image, flavor and networks"));
  WK_AWAIT (flow, begin_plan (self, WK_RESUME (flow)));
  self->plan = os_plan_finish (self->snapshot, WK_RESULT (flow), &error);
  if (self->plan == NULL)
    WK_FAIL (flow, &error, context);
  if (!prepare_user_data (self, &error))
    WK_FAIL (flow, &error, context);

  /* From here on things are made: each step runs to its end, so that we know what there is. */
  welkin_progress_set_message (self->progress, _("Setting up security groups"));
  self->groups = os_machine_groups_new (self->snapshot, self->plan->networks,
                                        get_machine_id (self), self->mark,
                                        wk_flow_get_undo (flow));
  WK_AWAIT (flow, os_machine_groups_ensure_async (self->groups, WK_RESUME (flow)));
  /* What a call has made whose answer was lost is known by its mark alone. Undone above the
   * groups, because what is found may use them. */
  wk_undo_push (wk_flow_get_undo (flow), _("things marked"), self->snapshot, self->mark,
                os_sweep_mark_async, os_sweep_mark_finish);
  if (!os_machine_groups_ensure_finish (self->groups, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, context);

  welkin_progress_set_message (self->progress, _("Creating ports"));
  while (TRUE)
    {
      WK_AWAIT (flow, begin_ports (self, WK_RESUME (flow)));
      self->ports = os_make_ports_finish (self->snapshot, WK_RESULT (flow), &error);
      if (self->ports == NULL)
        self->ports = do_without_ports (self, error);
      if (self->ports != NULL)
        break;
      if (!os_machine_groups_are_lost (self->groups, error))
        WK_FAIL (flow, &error, context);
      g_clear_error (&error);
      WK_AWAIT (flow, os_machine_groups_ensure_async (self->groups, WK_RESUME (flow)));
      if (!os_machine_groups_ensure_finish (self->groups, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, context);
    }
  g_clear_error (&error);
  push_ports (self);

  self->address = os_given_address_new (self->snapshot, self->plan->networks, self->mark,
                                        wk_flow_get_undo (flow));
  WK_AWAIT (flow, os_allocate_address_async (self->address, WK_RESUME (flow)));
  if (!os_allocate_address_finish (self->address, WK_RESULT (flow), &error)
      || wk_flow_is_cancelled (flow, &error))
    WK_FAIL (flow, &error, context);

  self->join = wk_join_new (WK_JOIN_CANCEL_OTHERS, wk_flow_get_cancellable (flow));
  os_bear_address_async (self->address, get_floating_port (self), wk_join_begin (self->join),
                         address_born_cb, self);
  begin_server (self);
  WK_AWAIT (flow, wk_join_wait_async (self->join, wk_flow_resume_cb, flow));
  if (!wk_join_wait_finish (self->join, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, context);

  if (self->lacks_ports)
    {
      WK_AWAIT (flow, begin_ports (self, WK_RESUME (flow)));
      g_ptr_array_unref (self->ports);
      self->ports = os_adopt_ports_finish (self->snapshot, WK_RESULT (flow), &error);
      if (self->ports == NULL)
        WK_FAIL (flow, &error, context);
    }
  if (!os_given_address_is_settled (self->address))
    {
      WK_AWAIT (flow, os_settle_address_async (self->address, get_floating_port (self),
                                               self->server->id, WK_RESUME (flow)));
      if (!os_settle_address_finish (self->address, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, context);
    }

  if (may_have_twins (self))
    {
      /* They go with the machine at the latest. */
      WK_AWAIT (flow, begin_sweep_of_twins (self, WK_RESUME (flow)));
      if (!os_sweep_twins_finish (self->snapshot, WK_RESULT (flow), &error))
        g_warning ("what may have been made twice goes with the machine: %s", error->message);
      g_clear_error (&error);
    }

  os_machine_groups_keep (self->groups);
  keep_server (self);
  welkin_progress_finish (self->progress);
  wk_flow_return_pointer (flow, make_result (self), (GDestroyNotify) os_started_free);

  WK_FLOW_END (flow);
}

static void
start_free (gpointer user_data)
{
  Start *self = user_data;

  g_clear_pointer (&self->server, os_server_free);
  g_clear_pointer (&self->address, os_given_address_free);
  g_clear_pointer (&self->description, os_server_description_free);
  g_clear_pointer (&self->ports, g_ptr_array_unref);
  g_clear_pointer (&self->groups, os_machine_groups_free);
  g_free (self->mark);
  g_clear_pointer (&self->user_data, g_bytes_unref);
  g_clear_pointer (&self->config, welkin_machine_config_unref);
  g_clear_pointer (&self->plan, os_plan_free);
  g_clear_pointer (&self->join, wk_join_unref);
  g_clear_object (&self->progress);
  os_live_starts_remove (welkin_start_params_get_start_id (self->params));
  welkin_start_params_unref (self->params);
  g_object_unref (self->snapshot);
  g_free (self);
}

void
os_start_instance_async (OsSnapshot         *snapshot,
                         WelkinStartParams  *params,
                         WelkinProgress     *progress,
                         GCancellable       *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer            user_data)
{
  Start *self = g_new0 (Start, 1);
  g_autofree char *start = os_mark_format_start (welkin_start_params_get_start_id (params), 1);

  self->snapshot = g_object_ref (snapshot);
  self->params = welkin_start_params_ref (params);
  os_live_starts_add (welkin_start_params_get_start_id (params));
  g_set_object (&self->progress, progress);
  self->mark =
    os_mark_format (os_snapshot_get_environ_uuid (snapshot), get_machine_id (self), start);
  wk_flow_start (snapshot, cancellable, callback, user_data, os_start_instance_async, start_run,
                 self, start_free);
}

OsStarted *
os_start_instance_finish (OsSnapshot   *snapshot,
                          GAsyncResult *result,
                          GError      **error)
{
  return wk_flow_finish_pointer (result, snapshot, os_start_instance_async, error);
}
