/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "bootstrap/wait-for-ssh.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/flow.h"
#include "base/follow.h"
#include "base/join.h"
#include "base/text.h"
#include "values/welkin-error.h"

#define SSH_PORT 22

typedef struct
{
  /* inputs */
  WelkinInstance     *instance; /* (owned) */
  char               *host;     /* (owned) that the user wants to be tried, or "" */
  WelkinSsh          *ssh;      /* (owned) */
  char               *script;   /* (owned) that checks the nonce */
  WelkinConnectDelays delays;
  WkClock            *clock;    /* (owned) (nullable) */
  WelkinProgress     *progress; /* (owned) (nullable) */

  /* while running */
  double              deadline; /* of the clock */
  GPtrArray          *checkers; /* (owned) of Checker, one for each address */
  WkJoin             *join;     /* (owned) (nullable) of the checkers */
  GCancellable       *stop;     /* (owned) ends them all, and the pauses */
  GSource            *following; /* (owned) (nullable) the caller's, which ends them too */
  GError             *failure;  /* (owned) (nullable) why there is no point in going on */

  /* result */
  char               *winner;   /* (owned) (nullable) */
} Wait;

/* Tries one address again and again. */
typedef struct
{
  Wait          *wait;    /* (transfer none) outlives it */
  WelkinAddress *address; /* (owned) */
  char          *reason;  /* (owned) (nullable) why it failed the last time */
} Checker;

static void
checker_free (gpointer data)
{
  Checker *self = data;

  g_free (self->reason);
  welkin_address_unref (self->address);
  g_free (self);
}

static void
wait_free (gpointer data)
{
  Wait *self = data;

  welkin_progress_finish (self->progress);
  wk_unfollow (&self->following);
  g_clear_pointer (&self->winner, g_free);
  g_clear_error (&self->failure);
  g_clear_object (&self->stop);
  g_clear_pointer (&self->join, wk_join_unref);
  g_ptr_array_unref (self->checkers);
  g_clear_object (&self->progress);
  g_clear_pointer (&self->clock, wk_clock_unref);
  g_free (self->script);
  welkin_ssh_unref (self->ssh);
  g_free (self->host);
  g_object_unref (self->instance);
  g_free (self);
}

static char *
make_script (const char *nonce_file,
             const char *nonce)
{
  g_autofree char *file = wk_shell_quote (nonce_file);
  g_autofree char *word = wk_shell_quote (nonce);

  return g_strdup_printf ("if [ ! -e %s ]; then echo %s does not exist >&2; exit 1; fi\n"
                          "if [ \"$(cat %s)\" != %s ]; then\n"
                          "  echo %s contents do not match machine nonce >&2; exit 1\n"
                          "fi\n",
                          file, file, file, word, file);
}

/* Where the client says more than one line, as when it warns of a foreign host key, the last one
 * says what it comes to. */
static char *
get_last_line (const char *text)
{
  const char *end = strrchr (text, '\n');

  return g_strdup (end != NULL ? end + 1 : text);
}

static void
checker_run (WkFlow  *flow,
             gpointer user_data)
{
  Checker *self = user_data;
  Wait *wait = self->wait;
  const char *address = welkin_address_get_value (self->address);
  g_autofree char *output = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  while (wait->winner == NULL)
    {
      WK_AWAIT (flow, welkin_ssh_run_async (wait->ssh, address, "/bin/bash", wait->script, 0, NULL,
                                            WK_RESUME (flow)));
      output = welkin_ssh_run_finish (wait->ssh, WK_RESULT (flow), &error);
      if (output != NULL && wait->winner == NULL)
        {
          wait->winner = g_strdup (address);
          g_cancellable_cancel (wait->stop);
          break;
        }
      if (error != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        {
          g_debug ("ssh to %s: %s", address, error->message);
          g_free (self->reason);
          self->reason = get_last_line (error->message);
        }
      g_clear_error (&error);

      WK_AWAIT (flow, wk_clock_sleep_async (wait->clock, wait->delays.retry_delay,
                                            WK_RESUME (flow)));
      if (!wk_clock_sleep_finish (wait->clock, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
    }
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

static void
checker_ended_cb (GObject      *source,
                  GAsyncResult *result,
                  gpointer      user_data)
{
  Wait *self = user_data;

  wk_flow_finish_boolean (result, NULL, checker_run, NULL);
  wk_join_end (self->join, NULL);
}

static gboolean
is_tried (Wait          *self,
          WelkinAddress *address)
{
  for (guint i = 0; i < self->checkers->len; i++)
    {
      const Checker *checker = g_ptr_array_index (self->checkers, i);

      if (welkin_address_equal (checker->address, address))
        return TRUE;
    }
  return FALSE;
}

static gboolean
can_be_reached (WelkinAddress *address)
{
  WelkinScope scope = welkin_address_get_scope (address);

  return scope != WELKIN_SCOPE_LOCAL_MACHINE && scope != WELKIN_SCOPE_LINK_LOCAL;
}

static void
start_checker (Wait          *self,
               WelkinAddress *address)
{
  g_autofree char *host_port = welkin_address_to_host_port (address, SSH_PORT);
  g_autofree char *line = g_strdup_printf (_("Attempting to connect to %s"), host_port);
  Checker *checker = g_new0 (Checker, 1);

  welkin_progress_say (self->progress, line);
  checker->wait = self;
  checker->address = welkin_address_ref (address);
  g_ptr_array_add (self->checkers, checker);
  wk_flow_start (NULL, wk_join_begin (self->join), checker_ended_cb, self, checker_run,
                 checker_run, checker, NULL);
}

/* Begins with the addresses that are new. Whoever names a host knows that none of them leads
 * there. */
static void
start_checkers (Wait *self)
{
  GPtrArray *addresses = welkin_instance_get_addresses (self->instance);

  for (guint i = 0; *self->host == '\0' && i < addresses->len; i++)
    {
      WelkinAddress *address = g_ptr_array_index (addresses, i);

      if (can_be_reached (address) && !is_tried (self, address))
        start_checker (self, address);
    }
}

/* Takes what the cloud says of the machine; FALSE when there is no point in going on. */
static gboolean
take_news (Wait         *self,
           GAsyncResult *result)
{
  const char *message;

  if (!welkin_instance_refresh_finish (self->instance, result, &self->failure))
    {
      if (self->winner != NULL)
        g_clear_error (&self->failure);
      else
        g_prefix_error (&self->failure, "%s: ", _("refreshing addresses"));
      return FALSE;
    }
  if (welkin_instance_get_state (self->instance) == WELKIN_INSTANCE_FAILED)
    {
      message = welkin_instance_get_status_message (self->instance);
      g_set_error (&self->failure, WELKIN_ERROR, WELKIN_ERROR_INSTANCE_FAILED,
                   _("instance provisioning failed: %s"),
                   message != NULL ? message : welkin_instance_get_status (self->instance));
      return FALSE;
    }
  start_checkers (self);
  return TRUE;
}

static double
get_pause (Wait *self)
{
  double left = self->deadline - wk_clock_get_seconds (self->clock);

  return MIN (self->delays.addresses_delay, MAX (left, 0));
}

/* As in "10m0s". */
static char *
format_duration (guint seconds)
{
  if (seconds < 60)
    return g_strdup_printf ("%us", seconds);
  return g_strdup_printf ("%um%us", seconds / 60, seconds % 60);
}

/* What is known of each address. */
static char *
list_reasons (Wait *self)
{
  GString *reasons = g_string_new (NULL);

  for (guint i = 0; i < self->checkers->len; i++)
    {
      const Checker *checker = g_ptr_array_index (self->checkers, i);

      if (checker->reason == NULL)
        continue;
      g_string_append (reasons, reasons->len == 0 ? ": " : "; ");
      if (self->checkers->len > 1)
        g_string_append_printf (reasons, "%s: ", welkin_address_get_value (checker->address));
      g_string_append (reasons, checker->reason);
    }
  return g_string_free (reasons, FALSE);
}

static void
set_timed_out (Wait    *self,
               GError **error)
{
  g_autofree char *duration = format_duration (self->delays.timeout);
  g_autofree char *reasons = list_reasons (self);

  if (self->checkers->len == 0)
    g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_TIMED_OUT,
                 _("waited for %s without getting any addresses"), duration);
  else
    g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_TIMED_OUT,
                 _("waited for %s without being able to connect%s"), duration, reasons);
}

static void
wait_begin (Wait         *self,
            GCancellable *outer)
{
  self->deadline = wk_clock_get_seconds (self->clock) + self->delays.timeout;
  self->following = wk_follow (self->stop, outer);
  self->join = wk_join_new (WK_JOIN_COLLECT, self->stop);
  welkin_progress_set_message (self->progress, _("Waiting for address"));
  if (*self->host != '\0')
    {
      g_autoptr(WelkinAddress) address = NULL;

      address = welkin_address_new (self->host, WELKIN_SCOPE_UNKNOWN, NULL);
      start_checker (self, address);
    }
}

static void
wait_run (WkFlow  *flow,
          gpointer user_data)
{
  Wait *self = user_data;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  wait_begin (self, wk_flow_get_cancellable (flow));
  while (!g_cancellable_is_cancelled (self->stop) && get_pause (self) > 0)
    {
      WK_AWAIT (flow, welkin_instance_refresh_async (self->instance, self->stop, wk_flow_resume_cb,
                                                     flow));
      if (!take_news (self, WK_RESULT (flow)))
        break;
      WK_AWAIT (flow, wk_clock_sleep_async (self->clock, get_pause (self), self->stop,
                                            wk_flow_resume_cb, flow));
      wk_clock_sleep_finish (self->clock, WK_RESULT (flow), NULL);
    }

  g_cancellable_cancel (self->stop);
  WK_AWAIT (flow, wk_join_wait_async (self->join, wk_flow_resume_cb, flow));
  wk_join_wait_finish (self->join, WK_RESULT (flow), NULL);

  if (self->winner != NULL)
    {
      wk_flow_return_pointer (flow, g_steal_pointer (&self->winner), g_free);
      return;
    }
  if (wk_flow_is_cancelled (flow, &error))
    WK_FAIL (flow, &error, NULL);
  error = g_steal_pointer (&self->failure);
  if (error == NULL)
    set_timed_out (self, &error);
  WK_FAIL (flow, &error, NULL);

  WK_FLOW_END (flow);
}

void
welkin_wait_for_ssh_async (WelkinInstance            *instance,
                           const char                *host,
                           WelkinSsh                 *ssh,
                           const char                *nonce_file,
                           const char                *nonce,
                           const WelkinConnectDelays *delays,
                           WkClock                   *clock,
                           WelkinProgress            *progress,
                           GCancellable              *cancellable,
                           GAsyncReadyCallback        callback,
                           gpointer                   user_data)
{
  Wait *self = g_new0 (Wait, 1);

  self->instance = g_object_ref (instance);
  self->host = g_strdup (host);
  self->ssh = welkin_ssh_ref (ssh);
  self->script = make_script (nonce_file, nonce);
  self->delays = *delays;
  self->clock = clock != NULL ? wk_clock_ref (clock) : NULL;
  g_set_object (&self->progress, progress);
  self->checkers = g_ptr_array_new_with_free_func (checker_free);
  self->stop = g_cancellable_new ();

  wk_flow_start (instance, cancellable, callback, user_data, welkin_wait_for_ssh_async, wait_run,
                 self, wait_free);
}

char *
welkin_wait_for_ssh_finish (WelkinInstance *instance,
                            GAsyncResult   *result,
                            GError        **error)
{
  return wk_flow_finish_pointer (result, instance, welkin_wait_for_ssh_async, error);
}
