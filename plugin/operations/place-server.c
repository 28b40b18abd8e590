/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/place-server.h"

#include <glib/gi18n-lib.h>

#include "base/attempt.h"
#include "base/flow.h"
#include "operations/failure-text.h"
#include "operations/make-server.h"
#include "operations/ownership.h"
#include "values/welkin-error.h"

/* How long a port may take to let go of a server that is gone. */
static const WkAttemptStrategy unbind_strategy = { .total = 30, .delay = 1 };

typedef struct
{
  OsSnapshot        *snapshot;   /* (owned) */
  const OsPlacement *placement;

  guint              n_zone;
  guint              n_flavor;
  OsServerRequest    request;    /* of this try */
  char              *start;      /* (owned) (nullable) of this try */
  GPtrArray         *tries;      /* (owned) of texts: what was tried, and what came of it */
  gboolean           was_slow;   /* one of them was not built in time */
  char              *console;    /* (owned) (nullable) of the last one that printed something */
  WkAttempt          attempt;    /* at the ports */
  GError            *bound;      /* (owned) (nullable) a port has not let go */
} Place;

static const char *
get_zone (Place *self)
{
  return self->placement->zones[self->n_zone];
}

static const OsFlavor *
get_flavor (Place *self)
{
  return g_ptr_array_index (self->placement->flavors, self->n_flavor);
}

static void
begin_try (Place *self)
{
  const OsPlacement *placement = self->placement;
  g_autofree char *message = NULL;

  g_free (self->start);
  self->start = os_mark_format_start (placement->start_id, self->tries->len + 1);
  self->request.flavor_id = get_flavor (self)->id;
  self->request.zone = *get_zone (self) != '\0' ? get_zone (self) : NULL;
  os_zone_claim_move (placement->claim, get_zone (self));

  if (self->request.zone == NULL)
    message = g_strdup (_("Waiting for the server"));
  else if (self->tries->len == 0)
    message = g_strdup_printf (_("Waiting for the server in zone %s"), get_zone (self));
  else
    message = g_strdup_printf (_("Waiting for the server in zone %s, at try %u"), get_zone (self),
                               self->tries->len + 1);
  welkin_progress_set_message (placement->progress, message);
}

static void
note_failure (Place        *self,
              const GError *error)
{
  const char *flavor = get_flavor (self)->name;
  char *text;

  if (*get_zone (self) == '\0')
    text = g_strdup_printf (_("flavor %s: %s"), flavor, error->message);
  else
    text = g_strdup_printf (_("flavor %s in zone %s: %s"), flavor, get_zone (self), error->message);
  g_info ("%s", text);
  g_ptr_array_add (self->tries, text);
}

static gboolean
go_to_next_zone (Place *self)
{
  self->n_flavor = 0;
  self->n_zone++;
  return self->placement->zones[self->n_zone] != NULL;
}

/* Is there something else to try after this? A flavor that is just like this one may have hosts of
 * its own, and another zone has; where a server is not built in time, another flavor will not be,
 * and nobody waits for that more than twice. */
static gboolean
advance (Place        *self,
         const GError *error)
{
  gboolean is_slow = g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_TIMED_OUT);

  /* A group may be full. That machines are kept apart is a wish, that they start is none. */
  if (self->request.server_group_id != NULL
      && g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_QUOTA_EXCEEDED))
    {
      self->request.server_group_id = NULL;
      return TRUE;
    }
  if (welkin_error_is_zone_independent (error))
    return FALSE;
  if (is_slow && !self->was_slow)
    {
      self->was_slow = TRUE;
      return go_to_next_zone (self);
    }
  if (!g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NO_VALID_HOST))
    return FALSE;
  self->n_flavor++;
  return self->n_flavor < self->placement->flavors->len || go_to_next_zone (self);
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

/* What to say in front of the error. Of several tries the error itself tells. */
static char *
describe_failure (Place *self)
{
  const OsFlavor *flavor = g_ptr_array_index (self->placement->flavors, 0);
  const char *zone = self->placement->zones[0];

  if (self->tries->len > 1)
    return g_strdup (_("cannot create server"));
  if (*zone == '\0')
    return g_strdup_printf (_("cannot create server of flavor %s"), flavor->name);
  return g_strdup_printf (_("cannot create server of flavor %s in zone %s"), flavor->name, zone);
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

  while (TRUE)
    {
      begin_try (self);
      WK_AWAIT (flow, os_make_server_async (self->snapshot, &self->request, self->start,
                                            self->placement->goal, &self->console,
                                            WK_RESUME (flow)));
      server = os_make_server_finish (self->snapshot, WK_RESULT (flow), &error);
      if (server != NULL)
        {
          wk_flow_return_pointer (flow, server, (GDestroyNotify) os_server_free);
          return;
        }
      note_failure (self, error);
      if (!advance (self, error))
        break;
      g_clear_error (&error);
      if (*self->request.port_ids == NULL)
        continue;

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
            {
              g_prefix_error (&error, "%s: ", _("cannot list ports"));
              break;
            }
          g_clear_error (&self->bound);
          self->bound = check_bound (ports);
          if (self->bound == NULL)
            break;
          WK_AWAIT (flow, wk_attempt_next_async (&self->attempt, WK_RESUME (flow)));
        }
      while (wk_attempt_next_finish (&self->attempt, WK_RESULT (flow), &error));
      if (error == NULL)
        error = g_steal_pointer (&self->bound);
      if (error != NULL)
        break;
    }

  context = describe_failure (self);
  os_explain_failure (error, self->tries, self->console);
  WK_FAIL (flow, &error, context);

  WK_FLOW_END (flow);
}

static void
place_free (gpointer user_data)
{
  Place *self = user_data;

  g_clear_error (&self->bound);
  wk_attempt_clear (&self->attempt);
  g_free (self->console);
  g_ptr_array_unref (self->tries);
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
  self->request = placement->server;
  self->tries = g_ptr_array_new_with_free_func (g_free);
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
