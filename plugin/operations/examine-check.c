/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/examine-check.h"

#include <glib/gi18n-lib.h>

#include "base/follow.h"
#include "values/welkin-error.h"

/* How long somebody waits for one answer that may never come. */
#define DEADLINE_SECONDS 20.0

static gboolean
late_cb (gpointer user_data)
{
  OsCheck *self = user_data;

  self->is_late = TRUE;
  g_cancellable_cancel (self->cancellable);
  return G_SOURCE_REMOVE;
}

GCancellable *
os_check_begin (OsCheck *self,
                WkJoin  *join,
                WkClock *clock)
{
  self->join = wk_join_ref (join);
  self->cancellable = g_cancellable_new ();
  self->following = wk_follow (self->cancellable, wk_join_begin (join));
  self->timeout = g_timeout_source_new (wk_clock_get_interval (clock, DEADLINE_SECONDS));
  g_source_set_callback (self->timeout, late_cb, self, NULL);
  g_source_attach (self->timeout, g_main_context_get_thread_default ());
  return self->cancellable;
}

static void
stop (OsCheck *self)
{
  if (self->timeout != NULL)
    g_source_destroy (self->timeout);
  g_clear_pointer (&self->timeout, g_source_unref);
  wk_unfollow (&self->following);
  g_clear_object (&self->cancellable);
}

void
os_check_find (OsCheck             *self,
               WelkinFindingStatus  status,
               const char          *text,
               const char          *remedy)
{
  g_clear_pointer (&self->finding, welkin_finding_unref);
  self->finding = welkin_finding_new (self->name, status, text, remedy);
}

void
os_check_find_error (OsCheck             *self,
                     WelkinFindingStatus  status,
                     const GError        *error)
{
  g_autofree char *late = NULL;

  if (!self->is_late)
    {
      os_check_find (self, status, error->message, welkin_error_get_hint (error));
      return;
    }
  late = g_strdup_printf (_("there was no answer within %.0f seconds"), DEADLINE_SECONDS);
  os_check_find (self, status, late,
                 _("See whether the address is right, and whether a firewall or a proxy is on the "
                   "way."));
}

void
os_check_end (OsCheck *self,
              GError  *error)
{
  g_autoptr(WkJoin) join = g_steal_pointer (&self->join);

  if (error != NULL && self->finding == NULL)
    os_check_find_error (self, WELKIN_FINDING_FAILURE, error);
  g_clear_error (&error);
  stop (self);
  wk_join_end (join, NULL);
}

void
os_check_clear (OsCheck *self)
{
  stop (self);
  g_clear_pointer (&self->join, wk_join_unref);
  g_clear_pointer (&self->finding, welkin_finding_unref);
}
