/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "bootstrap/wait-for-ssh.h"
#include "machine/ssh.h"

#include <string.h>

#include "result.h"
#include "ssh-server.h"
#include "values/welkin-error.h"

#define NONCE "bootstrap:it's"

/* A machine that says what the test wants. */
#define TEST_TYPE_INSTANCE (test_instance_get_type ())
G_DECLARE_FINAL_TYPE (TestInstance, test_instance, TEST, INSTANCE, GObject)

struct _TestInstance
{
  GObject             parent_instance;

  GPtrArray          *addresses; /* (owned) */
  WelkinInstanceState state;
  const char         *refusal;   /* (nullable) */
  guint               n_refreshes;
};

static const char *
test_instance_get_id (WelkinInstance *instance)
{
  return "id";
}

static const char *
test_instance_get_status (WelkinInstance *instance)
{
  return "ERROR";
}

static const char *
test_instance_get_status_message (WelkinInstance *instance)
{
  return "no disk";
}

static WelkinInstanceState
test_instance_get_state (WelkinInstance *instance)
{
  return TEST_INSTANCE (instance)->state;
}

static GPtrArray *
test_instance_get_addresses (WelkinInstance *instance)
{
  return TEST_INSTANCE (instance)->addresses;
}

static void
test_instance_refresh_async (WelkinInstance     *instance,
                             GCancellable       *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer            user_data)
{
  TestInstance *self = TEST_INSTANCE (instance);
  g_autoptr(GTask) task = g_task_new (instance, cancellable, callback, user_data);

  self->n_refreshes++;
  if (self->refusal != NULL)
    g_task_return_new_error (task, WELKIN_ERROR, WELKIN_ERROR_FORBIDDEN, "%s", self->refusal);
  else
    g_task_return_boolean (task, TRUE);
}

static gboolean
test_instance_refresh_finish (WelkinInstance *instance,
                              GAsyncResult   *result,
                              GError        **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
test_instance_iface_init (WelkinInstanceInterface *iface)
{
  iface->get_id = test_instance_get_id;
  iface->get_state = test_instance_get_state;
  iface->get_status = test_instance_get_status;
  iface->get_status_message = test_instance_get_status_message;
  iface->get_addresses = test_instance_get_addresses;
  iface->refresh_async = test_instance_refresh_async;
  iface->refresh_finish = test_instance_refresh_finish;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (TestInstance, test_instance, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (WELKIN_TYPE_INSTANCE,
                                                      test_instance_iface_init))

static void
test_instance_finalize (GObject *object)
{
  g_ptr_array_unref (TEST_INSTANCE (object)->addresses);
  G_OBJECT_CLASS (test_instance_parent_class)->finalize (object);
}

static void
test_instance_class_init (TestInstanceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = test_instance_finalize;
}

static void
test_instance_init (TestInstance *self)
{
  self->addresses = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_address_unref);
  self->state = WELKIN_INSTANCE_RUNNING;
}

typedef struct
{
  Home               *home;
  WelkinSurroundings *surroundings;
  guint16             port;
  SshServer          *server;   /* at 127.0.0.2 */
  WelkinSsh          *ssh;
  TestInstance       *instance;
  WkClock            *clock;
  WelkinProgress     *progress;
  GString            *said;
  GCancellable       *cancellable;
  GAsyncResult       *result;   /* (nullable) */
  gint64              since;
} Fixture;

static void
said_cb (WelkinProgress *progress,
         const char     *line,
         gpointer        user_data)
{
  Fixture *fixture = user_data;

  g_string_append_printf (fixture->said, "%s\n", line);
}

static void
set_up (Fixture      *fixture,
        gconstpointer data)
{
  g_autoptr(GError) error = NULL;

  fixture->home = home_new (NULL);
  fixture->port = ssh_server_find_port ();
  fixture->surroundings = ssh_server_make_surroundings (fixture->home, fixture->port);
  fixture->server = ssh_server_new (fixture->home, "127.0.0.2", fixture->port, NULL);
  fixture->ssh = welkin_ssh_new (fixture->surroundings, g_get_user_name (), &error);
  g_assert_no_error (error);
  g_assert_true (welkin_ssh_expect_keys (fixture->ssh, "it", fixture->server->public_key, &error));
  fixture->instance = g_object_new (TEST_TYPE_INSTANCE, NULL);
  fixture->clock = wk_clock_new (10);
  fixture->progress = welkin_progress_new ();
  fixture->said = g_string_new (NULL);
  g_signal_connect (fixture->progress, "said", G_CALLBACK (said_cb), fixture);
  fixture->cancellable = g_cancellable_new ();
  fixture->since = g_get_monotonic_time ();
  home_write (fixture->home, "nonce.txt", NONCE "\n");
}

static void
tear_down (Fixture      *fixture,
           gconstpointer data)
{
  g_clear_object (&fixture->result);
  g_object_unref (fixture->cancellable);
  g_object_unref (fixture->progress);
  g_string_free (fixture->said, TRUE);
  wk_clock_unref (fixture->clock);
  g_object_unref (fixture->instance);
  welkin_ssh_unref (fixture->ssh);
  ssh_server_free (fixture->server);
  welkin_surroundings_unref (fixture->surroundings);
  home_free (fixture->home);
}

static void
assert_quick (Fixture *fixture)
{
  g_assert_cmpint (g_get_monotonic_time () - fixture->since, <, 8 * G_USEC_PER_SEC);
}

static char *
run (Fixture    *fixture,
     const char *script,
     double      seconds,
     GError    **error)
{
  fixture->since = g_get_monotonic_time ();
  welkin_ssh_run_async (fixture->ssh, "127.0.0.2", "/bin/bash", script, seconds, fixture->progress,
                        fixture->cancellable, result_cb, &fixture->result);
  result_wait (&fixture->result);
  return welkin_ssh_run_finish (fixture->ssh, fixture->result, error);
}

static void
add_address (Fixture    *fixture,
             const char *address)
{
  g_ptr_array_add (fixture->instance->addresses,
                   welkin_address_new (address, WELKIN_SCOPE_PUBLIC, NULL));
}

static void
begin_wait (Fixture    *fixture,
            const char *host,
            guint       timeout)
{
  const WelkinConnectDelays delays = { timeout, 1, 2 };
  g_autofree char *nonce_file = home_get_path (fixture->home, "nonce.txt");

  fixture->since = g_get_monotonic_time ();
  welkin_wait_for_ssh_async (WELKIN_INSTANCE (fixture->instance), host, fixture->ssh, nonce_file,
                             NONCE, &delays, fixture->clock, fixture->progress,
                             fixture->cancellable, result_cb, &fixture->result);
}

static char *
end_wait (Fixture *fixture,
          GError **error)
{
  result_wait (&fixture->result);
  return welkin_wait_for_ssh_finish (WELKIN_INSTANCE (fixture->instance), fixture->result, error);
}

/* FALSE, with the test skipped, when there is none. */
static gboolean
start_server (Fixture *fixture)
{
  if (!ssh_server_is_there ())
    return FALSE;
  ssh_server_start (fixture->server);
  return TRUE;
}

static void
test_run (Fixture      *fixture,
          gconstpointer data)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *output = NULL;

  if (!start_server (fixture))
    return;
  output = run (fixture, "echo out; echo one >&2; sleep 0.1; printf 'two\\nthree' >&2", 60, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (output, ==, "out\n");
  g_assert_cmpstr (fixture->said->str, ==, "one\ntwo\nthree\n");
}

static void
test_run_failure (Fixture      *fixture,
                  gconstpointer data)
{
  g_autoptr(GError) error = NULL;

  if (!start_server (fixture))
    return;
  g_assert_null (run (fixture, "echo broken >&2; exit 7", 60, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_FAILED);
  g_assert_cmpstr (error->message, ==, "it ended with status 7: broken");
  g_assert_cmpstr (fixture->said->str, ==, "broken\n");
}

/* Megabytes, a line without an end, and what is no text are all the same to us. */
static void
test_run_noise (Fixture      *fixture,
                gconstpointer data)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *output = NULL;

  if (!start_server (fixture))
    return;
  output = run (fixture, "head -c 3000000 /dev/urandom; head -c 300000 /dev/zero | tr '\\0' a >&2",
                60, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (strlen (output), <=, 65536);
  g_assert_cmpuint (fixture->said->len, ==, 300000 + 150);
}

static void
test_run_deadline (Fixture      *fixture,
                   gconstpointer data)
{
  g_autoptr(GError) error = NULL;

  if (!start_server (fixture))
    return;
  g_assert_null (run (fixture, "sleep 60", 0.5, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_TIMED_OUT);
  assert_quick (fixture);
}

static gboolean
cancel_cb (gpointer data)
{
  g_cancellable_cancel (data);
  return G_SOURCE_REMOVE;
}

static void
test_run_cancelled (Fixture      *fixture,
                    gconstpointer data)
{
  g_autoptr(GError) error = NULL;

  if (!start_server (fixture))
    return;
  g_timeout_add (300, cancel_cb, fixture->cancellable);
  g_assert_null (run (fixture, "sleep 60", 0, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  assert_quick (fixture);
}

/* Beside the one that is meant: one that takes connections and says nothing, one that is another
 * machine, and one where nobody is. */
static void
test_wait (Fixture      *fixture,
           gconstpointer data)
{
  g_autoptr(SshServer) other = ssh_server_new (fixture->home, "127.0.0.3", fixture->port, NULL);
  g_autoptr(GSocketAddress) silent_address = NULL;
  g_autoptr(GSocketListener) silent = g_socket_listener_new ();
  g_autoptr(GError) error = NULL;
  g_autofree char *winner = NULL;

  if (!ssh_server_is_there ())
    return;
  silent_address = g_inet_socket_address_new_from_string ("127.0.0.4", fixture->port);
  g_assert_true (g_socket_listener_add_address (silent, silent_address, G_SOCKET_TYPE_STREAM,
                                                G_SOCKET_PROTOCOL_TCP, NULL, NULL, &error));
  ssh_server_start (fixture->server);
  ssh_server_start (other);
  add_address (fixture, "127.0.0.4");
  add_address (fixture, "127.0.0.3");
  add_address (fixture, "127.0.0.5");
  add_address (fixture, "127.0.0.2");
  begin_wait (fixture, "", 600);
  winner = end_wait (fixture, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (winner, ==, "127.0.0.2");
  g_assert_cmpstr (fixture->said->str, ==, "Attempting to connect to 127.0.0.4:22\n"
                                           "Attempting to connect to 127.0.0.3:22\n"
                                           "Attempting to connect to 127.0.0.5:22\n"
                                           "Attempting to connect to 127.0.0.2:22\n");
  assert_quick (fixture);
}

/* As a tunnel has one, of which the cloud knows nothing. */
static void
test_wait_named_host (Fixture      *fixture,
                      gconstpointer data)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *winner = NULL;

  if (!start_server (fixture))
    return;
  add_address (fixture, "127.0.0.5");
  begin_wait (fixture, "127.0.0.2", 600);
  winner = end_wait (fixture, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (winner, ==, "127.0.0.2");
  g_assert_cmpstr (fixture->said->str, ==, "Attempting to connect to 127.0.0.2:22\n");
}

static void
test_wait_overrides_no_named_host (Fixture      *fixture,
                                   gconstpointer data)
{
  g_autoptr(GError) error = NULL;

  if (!start_server (fixture))
    return;
  add_address (fixture, "127.0.0.2");
  begin_wait (fixture, "127.0.0.5", 20);
  g_assert_null (end_wait (fixture, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_TIMED_OUT);
  g_assert_cmpstr (fixture->said->str, ==, "Attempting to connect to 127.0.0.5:22\n");
}

static gboolean
start_cb (gpointer data)
{
  Fixture *fixture = data;

  ssh_server_start (fixture->server);
  add_address (fixture, "127.0.0.2");
  return G_SOURCE_REMOVE;
}

/* The address, the server and the nonce come one after another. */
static gboolean
write_nonce_cb (gpointer data)
{
  Fixture *fixture = data;

  home_write (fixture->home, "nonce.txt", NONCE "\n");
  return G_SOURCE_REMOVE;
}

static void
test_wait_late (Fixture      *fixture,
                gconstpointer data)
{
  g_autofree char *nonce_file = home_get_path (fixture->home, "nonce.txt");
  g_autoptr(GError) error = NULL;
  g_autofree char *winner = NULL;

  if (!ssh_server_is_there ())
    return;
  g_assert_cmpint (g_unlink (nonce_file), ==, 0);
  begin_wait (fixture, "", 600);
  g_timeout_add (500, start_cb, fixture);
  g_timeout_add (1500, write_nonce_cb, fixture);
  winner = end_wait (fixture, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (winner, ==, "127.0.0.2");
  g_assert_cmpint (g_get_monotonic_time () - fixture->since, >=, 1500 * 1000);
  g_assert_cmpuint (fixture->instance->n_refreshes, >=, 5);
}

static void
assert_times_out (Fixture    *fixture,
                  const char *message)
{
  g_autoptr(GError) error = NULL;

  begin_wait (fixture, "", 20);
  g_assert_null (end_wait (fixture, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_TIMED_OUT);
  if (strstr (error->message, message) == NULL)
    g_assert_cmpstr (error->message, ==, message);
  assert_quick (fixture);
}

static void
test_wait_nonce (Fixture      *fixture,
                 gconstpointer data)
{
  if (!start_server (fixture))
    return;
  add_address (fixture, "127.0.0.2");
  home_write (fixture->home, "nonce.txt", "another\n");
  assert_times_out (fixture, "nonce.txt contents do not match machine nonce");
}

static void
test_wait_host_key (Fixture      *fixture,
                    gconstpointer data)
{
  g_autoptr(SshServer) other = ssh_server_new (fixture->home, "127.0.0.3", fixture->port, NULL);

  if (!ssh_server_is_there ())
    return;
  ssh_server_start (other);
  add_address (fixture, "127.0.0.3");
  assert_times_out (fixture, "waited for 20s without being able to connect: "
                             "Host key verification failed.");
}

static void
test_wait_any_host_key (Fixture      *fixture,
                        gconstpointer data)
{
  g_autoptr(SshServer) other = ssh_server_new (fixture->home, "127.0.0.3", fixture->port, NULL);
  g_autoptr(GError) error = NULL;
  g_autofree char *winner = NULL;

  if (!ssh_server_is_there ())
    return;
  ssh_server_start (other);
  add_address (fixture, "127.0.0.3");
  welkin_ssh_take_any_key (fixture->ssh);
  begin_wait (fixture, "", 600);
  winner = end_wait (fixture, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (winner, ==, "127.0.0.3");
}

static void
test_wait_reasons (Fixture      *fixture,
                   gconstpointer data)
{
  if (!ssh_server_is_there ())
    return;
  add_address (fixture, "127.0.0.3");
  add_address (fixture, "127.0.0.2");
  assert_times_out (fixture, "waited for 20s without being able to connect: 127.0.0.3: "
                             "ssh: connect to host 127.0.0.3 port ");
}

/* Nobody outside is at an address of the machine's own. */
static void
test_wait_no_address (Fixture      *fixture,
                      gconstpointer data)
{
  g_ptr_array_add (fixture->instance->addresses,
                   welkin_address_new ("127.0.0.2", WELKIN_SCOPE_LOCAL_MACHINE, NULL));
  g_ptr_array_add (fixture->instance->addresses,
                   welkin_address_new ("fe80::1", WELKIN_SCOPE_LINK_LOCAL, NULL));
  assert_times_out (fixture, "waited for 20s without getting any addresses");
}

static void
test_wait_failed (Fixture      *fixture,
                  gconstpointer data)
{
  g_autoptr(GError) error = NULL;

  fixture->instance->state = WELKIN_INSTANCE_FAILED;
  begin_wait (fixture, "", 600);
  g_assert_null (end_wait (fixture, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INSTANCE_FAILED);
  g_assert_cmpstr (error->message, ==, "instance provisioning failed: no disk");
}

static void
test_wait_refused (Fixture      *fixture,
                   gconstpointer data)
{
  g_autoptr(GError) error = NULL;

  fixture->instance->refusal = "no";
  begin_wait (fixture, "", 600);
  g_assert_null (end_wait (fixture, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_FORBIDDEN);
  g_assert_cmpstr (error->message, ==, "refreshing addresses: no");
}

static void
test_wait_cancelled (Fixture      *fixture,
                     gconstpointer data)
{
  g_autoptr(GError) error = NULL;

  if (!start_server (fixture))
    return;
  home_write (fixture->home, "nonce.txt", "another\n");
  add_address (fixture, "127.0.0.2");
  begin_wait (fixture, "", 600);
  g_timeout_add ((guint) g_test_rand_int_range (0, 600), cancel_cb, fixture->cancellable);
  g_assert_null (end_wait (fixture, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  assert_quick (fixture);
}

static void
test_no_client (void)
{
  const char *const variables[] = { "WELKIN_SSH=/nonexistent/ssh", NULL };
  g_autoptr(WelkinSurroundings) surroundings = welkin_surroundings_new (variables, "/");
  g_autoptr(GError) error = NULL;

  g_assert_null (welkin_ssh_new (surroundings, "ubuntu", &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND);
  g_assert_cmpstr (error->message, ==, "no SSH client available");
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
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ssh/client/is-missed", test_no_client);
  add ("/ssh/run/gives-output-and-says-lines", test_run);
  add ("/ssh/run/tells-the-status-of-a-failure", test_run_failure);
  add ("/ssh/run/bounds-what-a-machine-writes", test_run_noise);
  add ("/ssh/run/ends-after-its-time", test_run_deadline);
  add ("/ssh/run/is-killed-when-cancelled", test_run_cancelled);
  add ("/cases/G50/finds-the-address-that-answers", test_wait);
  add ("/cases/G50/tries-the-host-that-the-user-names", test_wait_named_host);
  add ("/cases/G50/overrides-no-host-that-the-user-names", test_wait_overrides_no_named_host);
  add ("/ssh/wait/takes-a-machine-that-comes-up-late", test_wait_late);
  add ("/ssh/wait/refuses-a-wrong-nonce", test_wait_nonce);
  add ("/ssh/wait/refuses-a-wrong-host-key", test_wait_host_key);
  add ("/ssh/wait/takes-any-host-key-on-demand", test_wait_any_host_key);
  add ("/cases/G50/tells-the-reason-of-each-address", test_wait_reasons);
  add ("/ssh/wait/tries-no-address-of-the-machine-alone", test_wait_no_address);
  add ("/ssh/wait/ends-when-the-instance-failed", test_wait_failed);
  add ("/ssh/wait/ends-when-the-cloud-refuses", test_wait_refused);
  add ("/ssh/wait/ends-when-cancelled", test_wait_cancelled);
  return g_test_run ();
}
