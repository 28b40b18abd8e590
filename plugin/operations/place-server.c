/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/place-server.h"

#include <glib/gi18n-lib.h>

#include "base/attempt.h"
#include "base/flow.h"
#include "operations/make-server.h"
#include "operations/ownership.h"
#include "values/welkin-error.h"

/* How long a port may take to let go of a server that is gone. */
static const WkAttemptStrategy unbind_strategy = { .total = 30, .delay = 1 };

typedef struct
{
  OsSnapshot        *snapshot; /* (owned) */
  const OsPlacement *placement;
  guint              n_zone;
  OsServerRequest    request;
  char              *start;    /* (owned) (nullable) of this attempt */
  WkAttempt          attempt;  /* at the ports */
  GError            *bound;    /* (owned) (nullable) a port has not let go */
} Place;

static const char *
get_zone (Place *self)
{
  return self->placement->zones[self->n_zone];
}

static void
begin_zone (Place *self)
{
  const OsPlacement *placement = self->placement;
  g_autofree char *message = NULL;

  g_free (self->start);
  self->start = os_mark_format_start (placement->start_id, self->n_zone + 1);
  self->request = placement->server;
  if (*get_zone (self) == '\0')
    {
      welkin_progress_set_message (placement->progress, _("Waiting for the server"));
      return;
    }
  self->request.zone = get_zone (self);
  if (placement->tally != NULL)
    os_zone_tally_add (placement->tally, self->start, get_zone (self));
  message = g_strdup_printf (_("Waiting for the server in zone %s"), get_zone (self));
  welkin_progress_set_message (placement->progress, message);
}

static gboolean
can_go_on (Place        *self,
           const GError *error)
{
  return g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NO_VALID_HOST)
         && !welkin_error_is_zone_independent (error)
         && self->placement->zones[self->n_zone + 1] != NULL;
}

static char *
describe_failure (Place *self)
{
  g_autoptr(GString) zones = NULL;

  if (self->n_zone == 0)
    return g_strdup (_("cannot create server"));
  zones = g_string_new (NULL);
  for (guint i = 0; i <= self->n_zone; i++)
    g_string_append_printf (zones, "%s%s", i > 0 ? ", " : "", self->placement->zones[i]);
  return g_strdup_printf (_("cannot create server in zones %s"), zones->str);
}

/* Asks for all ports of the server at once: key, value, … */
static const char **
make_ports_query (Place *self)
{
  g_autoptr(GPtrArray) query = g_ptr_array_new ();

  for (gsize i = 0; self->request.port_ids[i] != NULL; i++)
    {
      g_ptr_array_add (query, (gpointer) "id");
      g_ptr_array_add (query, (gpointer) self->request.port_ids[i]);
    }
  g_ptr_array_add (query, NULL);
  return (const char **) g_ptr_array_steal (query, NULL);
}

/* NULL when all are free. */
static GError *
check_bound (GPtrArray *ports)
{
  for (guint i = 0; i < ports->len; i++)
    {
      const OsPort *port = g_ptr_array_index (ports, i);

      if (port->device_id != NULL && *port->device_id != '\0')
        return g_error_new (WELKIN_ERROR, WELKIN_ERROR_IN_USE,
                            _("port %s is still bound to server %s, which is gone"), port->id,
                            port->device_id);
    }
  return NULL;
}

static void
place_run (WkFlow  *flow,
           gpointer user_data)
{
  Place *self = user_data;
  OsNetworkService *network_service = os_snapshot_get_network_service (self->snapshot);
  OsServer *server;
  g_autofree const char **query = NULL;
  g_autofree char *context = NULL;
  g_autoptr(GPtrArray) ports = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  for (self->n_zone = 0;; self->n_zone++)
    {
      begin_zone (self);
      WK_AWAIT (flow, os_make_server_async (self->snapshot, &self->request, self->start,
                                            WK_RESUME (flow)));
      server = os_make_server_finish (self->snapshot, WK_RESULT (flow), &error);
      if (server != NULL)
        {
          wk_flow_return_pointer (flow, server, (GDestroyNotify) os_server_free);
          return;
        }
      if (!can_go_on (self, error))
        {
          context = describe_failure (self);
          WK_FAIL (flow, &error, context);
        }
      g_info ("zone %s has no room: %s", get_zone (self), error->message);
      g_clear_error (&error);

      /* The ports are for the next one, as soon as they have let go of this one. */
      wk_attempt_clear (&self->attempt);
      wk_attempt_init (&self->attempt, &unbind_strategy, os_snapshot_get_clock (self->snapshot));
      do
        {
          query = make_ports_query (self);
          WK_AWAIT (flow, os_network_service_list_ports_async (network_service, query,
                                                               WK_RESUME (flow)));
          ports = os_network_service_list_ports_finish (network_service, WK_RESULT (flow), &error);
          if (ports == NULL)
            WK_FAIL (flow, &error, _("cannot list ports"));
          g_clear_error (&self->bound);
          self->bound = check_bound (ports);
          if (self->bound == NULL)
            break;
          WK_AWAIT (flow, wk_attempt_next_async (&self->attempt, WK_RESUME (flow)));
        }
      while (wk_attempt_next_finish (&self->attempt, WK_RESULT (flow), &error));
      if (error != NULL)
        WK_FAIL (flow, &error, NULL);
      if (self->bound != NULL)
        WK_FAIL (flow, &self->bound, NULL);
    }

  WK_FLOW_END (flow);
}

static void
place_free (gpointer user_data)
{
  Place *self = user_data;

  g_clear_error (&self->bound);
  wk_attempt_clear (&self->attempt);
  g_free (self->start);
  g_object_unref (self->snapshot);
  g_free (self);
}

void
os_place_server_async (OsSnapshot         *snapshot,
                       const OsPlacement  *placement,
                       GCancellable       *cancellable,
                       GAsyncReadyCallback callback,
                       gpointer            user_data)
{
  Place *self = g_new0 (Place, 1);

  self->snapshot = g_object_ref (snapshot);
  self->placement = placement;
  wk_attempt_init (&self->attempt, &unbind_strategy, os_snapshot_get_clock (snapshot));
  wk_flow_start (snapshot, cancellable, callback, user_data, os_place_server_async, place_run, self,
                 place_free);
}

OsServer *
os_place_server_finish (OsSnapshot   *snapshot,
                        GAsyncResult *result,
                        GError      **error)
{
  return wk_flow_finish_pointer (result, snapshot, os_place_server_async, error);
}
