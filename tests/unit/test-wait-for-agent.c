/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "bootstrap/wait-for-agent.h"

#include <signal.h>
#include <string.h>

#include "agent-fixture.h"
#include "machine/certificates.h"
#include "result.h"
#include "values/welkin-error.h"

/* What bootstrap waits for when the machine is set up. */

#define STATE "{\"environment\": {\"name\": \"lab\", \"uuid\": \"%s\"}, \"machines\": []}"

typedef struct
{
  AgentFixture  agent;
  WkClock      *clock;       /* (owned) */
  WelkinConfig *config;      /* (owned) */
  GCancellable *cancellable; /* (owned) */
  GAsyncResult *result;      /* (owned) (nullable) */
} Fixture;

/* As "welkin-agent bootstrap-state" leaves it. */
static void
write_state (Fixture    *fixture,
             const char *uuid)
{
  g_autofree char *state = g_strdup_printf (STATE, uuid);

  home_write (fixture->agent.home, "agents/state.json", state);
}

static void
set_up (Fixture      *fixture,
        gconstpointer data)
{
  agent_prepare (&fixture->agent, "5");
  write_state (fixture, AGENT_UUID);
  fixture->config = agent_make_config (&fixture->agent);
  fixture->clock = wk_clock_new (10);
  fixture->cancellable = g_cancellable_new ();
}

static void
tear_down (Fixture      *fixture,
           gconstpointer data)
{
  g_clear_object (&fixture->result);
  g_object_unref (fixture->cancellable);
  wk_clock_unref (fixture->clock);
  welkin_config_unref (fixture->config);
  agent_tear_down (&fixture->agent, data);
}

static gboolean
wait_for (Fixture *fixture,
          guint    timeout,
          GError **error)
{
  const WelkinConnectDelays delays = { timeout, 1, 1 };

  welkin_wait_for_agent_async (fixture->config, "127.0.0.1", &delays, fixture->clock,
                               fixture->cancellable, result_cb, &fixture->result);
  result_wait (&fixture->result);
  return welkin_wait_for_agent_finish (fixture->result, error);
}

static void
start (Fixture *fixture)
{
  fixture->agent.agent = agent_start (&fixture->agent, "0");
  agent_wait_for_health (&fixture->agent);
}

static void
change_config (Fixture    *fixture,
               const char *key,
               const char *text)
{
  WelkinConfig *config = welkin_config_with_text (fixture->config, key, text, NULL);

  welkin_config_unref (fixture->config);
  fixture->config = config;
}

static gboolean
start_cb (gpointer data)
{
  Fixture *fixture = data;

  fixture->agent.agent = agent_start (&fixture->agent, "0");
  return G_SOURCE_REMOVE;
}

static void
test_late (Fixture      *fixture,
           gconstpointer data)
{
  g_autoptr(GError) error = NULL;

  g_timeout_add (500, start_cb, fixture);
  g_assert_true (wait_for (fixture, 600, &error));
  g_assert_no_error (error);
}

static void
check_refused (Fixture    *fixture,
               const char *reason)
{
  g_autoptr(GError) error = NULL;

  start (fixture);
  g_assert_false (wait_for (fixture, 5, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_TIMED_OUT);
  g_assert_nonnull (strstr (error->message, "the agent at 127.0.0.1 does not answer: "));
  g_assert_nonnull (strstr (error->message, reason));
}

static void
test_foreign_certificate (Fixture      *fixture,
                          gconstpointer data)
{
  g_autofree char *other = NULL;
  g_autofree char *other_key = NULL;
  g_autoptr(GError) error = NULL;

  welkin_certificates_make_authority ("lab", &other, &other_key, &error);
  g_assert_no_error (error);
  change_config (fixture, "ca-cert", other);
  check_refused (fixture, "; it is not that of the environment's agent: ");
}

static void
test_foreign_secret (Fixture      *fixture,
                     gconstpointer data)
{
  change_config (fixture, "admin-secret", "somebody else has it");
  check_refused (fixture, "does not know the environment's secret");
}

/* Its machine was made from a copy of ours. */
static void
test_foreign_environment (Fixture      *fixture,
                          gconstpointer data)
{
  write_state (fixture, "00000000-0d6e-4d0c-9d0f-1c2d3e4f5a6b");
  check_refused (fixture, "another environment, 00000000-0d6e-4d0c-9d0f-1c2d3e4f5a6b");
}

static gboolean
cancel_cb (gpointer data)
{
  g_cancellable_cancel (data);
  return G_SOURCE_REMOVE;
}

static void
test_cancelled (Fixture      *fixture,
                gconstpointer data)
{
  g_autoptr(GError) error = NULL;

  g_timeout_add (150, cancel_cb, fixture->cancellable);
  g_assert_false (wait_for (fixture, 600, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
add (const char *name,
     void      (*test) (Fixture *, gconstpointer))
{
  g_test_add (name, Fixture, NULL, set_up, test, tear_down);
}

int
main (int   argc,
      char *argv[])
{
  signal (SIGPIPE, SIG_IGN);
  g_test_init (&argc, &argv, NULL);
  add ("/wait-for-agent/takes-one-that-comes-up-late", test_late);
  add ("/wait-for-agent/refuses-a-foreign-certificate", test_foreign_certificate);
  add ("/wait-for-agent/refuses-one-that-does-not-let-us-in", test_foreign_secret);
  add ("/wait-for-agent/refuses-that-of-another-environment", test_foreign_environment);
  add ("/wait-for-agent/ends-when-cancelled", test_cancelled);
  return g_test_run ();
}
