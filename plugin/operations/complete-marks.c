/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/complete-marks.h"

#include <glib/gi18n-lib.h>

#include "base/flow.h"
#include "operations/address-intent.h"
#include "operations/ownership.h"
#include "values/welkin-error.h"

/* A line that names a port. */
typedef struct
{
  char *key;
  char *mark;
  char *port_id;
} Line;

typedef struct
{
  GPtrArray *lines; /* (owned) (nullable) of Line */
  guint      next;  /* of them */
  GPtrArray *ips;   /* (owned) (nullable) of OsFloatingIp */
} Complete;

static void
line_free (gpointer user_data)
{
  Line *self = user_data;

  g_free (self->port_id);
  g_free (self->mark);
  g_free (self->key);
  g_free (self);
}

static GPtrArray *
load_lines (WelkinIntents *intents,
            GError       **error)
{
  g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func (line_free);
  g_autoptr(GHashTable) texts = NULL;
  GHashTableIter iter;
  gpointer key, text;

  if (intents == NULL)
    return g_steal_pointer (&lines);
  texts = welkin_intents_load (intents, error);
  if (texts == NULL)
    return NULL;
  g_hash_table_iter_init (&iter, texts);
  while (g_hash_table_iter_next (&iter, &key, &text))
    {
      g_autofree char *mark = NULL;
      g_autofree char *port_id = NULL;
      Line *line;

      if (!os_intent_parse_port (text, &mark, &port_id))
        continue;
      line = g_new0 (Line, 1);
      line->key = g_strdup (key);
      line->mark = g_steal_pointer (&mark);
      line->port_id = g_steal_pointer (&port_id);
      g_ptr_array_add (lines, line);
    }
  return g_steal_pointer (&lines);
}

/* The next line whose port has a floating IP: for the others, none was made yet. */
static const Line *
find_next (Complete        *self,
           OsFloatingIp **found)
{
  for (; self->next < self->lines->len; self->next++)
    {
      const Line *line = g_ptr_array_index (self->lines, self->next);

      for (guint i = 0; i < self->ips->len; i++)
        {
          *found = g_ptr_array_index (self->ips, i);
          if (g_strcmp0 ((*found)->port_id, line->port_id) == 0)
            return line;
        }
    }
  return NULL;
}

static void
complete_run (WkFlow  *flow,
            gpointer user_data)
{
  Complete *self = user_data;
  OsSnapshot *snapshot = OS_SNAPSHOT (wk_flow_get_source (flow));
  OsNetworkService *service = os_snapshot_get_network_service (snapshot);
  OsFloatingIp *ip;
  const Line *line;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  self->lines = load_lines (os_snapshot_get_intents (snapshot), &error);
  if (self->lines == NULL)
    WK_FAIL (flow, &error, NULL);
  if (self->lines->len == 0)
    {
      wk_flow_return_boolean (flow, TRUE);
      return;
    }

  WK_AWAIT (flow, os_network_service_list_floating_ips_async (service, NULL, WK_RESUME (flow)));
  self->ips = os_network_service_list_floating_ips_finish (service, WK_RESULT (flow), &error);
  if (self->ips == NULL)
    WK_FAIL (flow, &error, _("cannot list floating IPs"));

  while ((line = find_next (self, &ip)) != NULL)
    {
      if (!os_mark_is_ours (ip->description, os_snapshot_get_environ_uuid (snapshot), NULL))
        {
          WK_AWAIT (flow, os_network_service_tag_floating_ip_async (service, ip->id, line->mark,
                                                                    WK_RESUME (flow)));
          if (!os_network_service_tag_floating_ip_finish (service, WK_RESULT (flow), &error)
              && !g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND))
            WK_FAIL (flow, &error, _("cannot mark a floating IP"));
          g_clear_error (&error);
        }
      line = g_ptr_array_index (self->lines, self->next);
      self->next++;
      WK_AWAIT (flow, os_note_address_async (snapshot, line->key, line->mark, NULL,
                                             wk_flow_resume_cb, flow));
      if (!os_note_address_finish (snapshot, WK_RESULT (flow), &error))
        g_debug ("a floating IP that has its mark stays noted: %s", error->message);
      g_clear_error (&error);
    }
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

static void
complete_free (gpointer user_data)
{
  Complete *self = user_data;

  g_clear_pointer (&self->ips, g_ptr_array_unref);
  g_clear_pointer (&self->lines, g_ptr_array_unref);
  g_free (self);
}

void
os_complete_marks_async (OsSnapshot         *snapshot,
                           GCancellable       *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer            user_data)
{
  wk_flow_start (snapshot, cancellable, callback, user_data, os_complete_marks_async, complete_run,
                 g_new0 (Complete, 1), complete_free);
}

gboolean
os_complete_marks_finish (OsSnapshot   *snapshot,
                            GAsyncResult *result,
                            GError      **error)
{
  return wk_flow_finish_boolean (result, snapshot, os_complete_marks_async, error);
}
