/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "ports-fixture.h"
#include "result.h"

#include "values/welkin-error.h"

#define GROUPS "/network/v2.0/security-groups"
#define RULES  "/network/v2.0/security-group-rules"

/* What another process has made meanwhile: the list does not show it, and the cloud refuses. */
static void
assert_refusal_is_success (EnvironFixture *fixture,
                           GObject        *machine,
                           guint           status,
                           const char     *body,
                           WelkinError     code)
{
  FakeRule unseen = { .method = "GET", .path = GROUPS, .action = FAKE_FAIL, .status = 200 };
  FakeRule refusal = { .method = "POST", .path = RULES, .times = -1, .action = FAKE_FAIL,
                       .status = status, .body = body };
  g_autofree char *groups = g_strdup_printf (
    "{\"security_groups\": [{\"id\": \"%s\", \"name\": \"welkin-test-0\", \"description\": "
    "\"welkin env=%s machine=0\", \"security_group_rules\": []}]}",
    fake_cloud_find (fixture->provider.fake, "security_group", "welkin-test-0"),
    fixture->provider.uuid);

  unseen.body = groups;
  fake_cloud_add_rule (fixture->provider.fake, &unseen);
  fake_cloud_add_rule (fixture->provider.fake, &refusal);
  ports_fixture_assert_does (fixture, ports_fixture_open, machine, "80/tcp 443/tcp");
  /* The same words about what is not there. */
  ports_fixture_assert_fails (fixture, ports_fixture_open, machine, "81/tcp 80/tcp", code,
                              "(2 of 2 failed)");
  fake_cloud_clear_rules (fixture->provider.fake);
}

#define NEUTRON_ERROR(type, message) \
  "{\"NeutronError\": {\"type\": \"" type "\", \"message\": \"" message "\", \"detail\": \"\"}}"

static void
test_rule_that_is_there_is_a_success (EnvironFixture *fixture,
                                      gconstpointer   data)
{
  g_autoptr(GObject) machine = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  machine = ports_fixture_start (fixture, "0");
  ports_fixture_assert_does (fixture, ports_fixture_open, machine, "80/tcp 443/tcp");
  assert_refusal_is_success (fixture, machine, 409,
                             NEUTRON_ERROR ("SecurityGroupRuleExists",
                                            "Security group rule already exists."),
                             WELKIN_ERROR_ALREADY_EXISTS);
  assert_refusal_is_success (fixture, machine, 400,
                             "{\"badRequest\": {\"code\": 400, \"message\": \"This rule already "
                             "exists in group g1\"}}",
                             WELKIN_ERROR_ALREADY_EXISTS);
  assert_refusal_is_success (fixture, machine, 400,
                             "{\"badRequest\": {\"code\": 400, \"message\": \"No\"}}",
                             WELKIN_ERROR_INVALID_ARGUMENT);
  assert_refusal_is_success (fixture, machine, 409,
                             "{\"conflictingRequest\": {\"code\": 409, \"message\": \"No\"}}",
                             WELKIN_ERROR_CONFLICT);
  ports_fixture_assert (fixture, machine, "80/tcp 443/tcp");
  ports_fixture_destroy (fixture);
}

/* Some clouds take one rule at a time. */
static void
test_cloud_that_takes_no_lots_gets_one_by_one (EnvironFixture *fixture,
                                               gconstpointer   data)
{
  FakeRule lot = { .method = "POST", .path = RULES, .action = FAKE_FAIL, .status = 501 };
  g_autoptr(GObject) machine = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  machine = ports_fixture_start (fixture, "0");
  fake_log_clear (fixture->provider.fake);
  fake_cloud_add_rule (fixture->provider.fake, &lot);
  ports_fixture_assert_does (fixture, ports_fixture_open, machine, "80/tcp 443/tcp");
  g_assert_cmpuint (fake_log_count (fixture->provider.fake, "POST", RULES), ==, 5);
  ports_fixture_assert (fixture, machine, "80/tcp 443/tcp");
  ports_fixture_destroy (fixture);
}

/* A group that was made a moment ago is not shown at once by every cloud. */
static void
test_group_that_is_seen_late_is_waited_for (EnvironFixture *fixture,
                                            gconstpointer   data)
{
  FakeRule unseen = { .method = "GET", .path = GROUPS, .times = 2, .action = FAKE_FAIL,
                      .status = 200, .body = "{\"security_groups\": []}" };
  g_autoptr(GObject) machine = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  machine = ports_fixture_start (fixture, "0");
  fake_cloud_add_rule (fixture->provider.fake, &unseen);
  ports_fixture_assert_does (fixture, ports_fixture_open, machine, "80/tcp");
  ports_fixture_assert (fixture, machine, "80/tcp");
  ports_fixture_destroy (fixture);
}

/* One that is gone already does not keep the others. */
static void
test_rule_that_is_gone_is_closed (EnvironFixture *fixture,
                                  gconstpointer   data)
{
  FakeRule gone = { .method = "DELETE", .path = RULES "/*", .action = FAKE_FAIL, .status = 404,
                    .body = NEUTRON_ERROR ("SecurityGroupRuleNotFound", "no such rule") };
  g_autoptr(GPtrArray) left = NULL;
  g_autoptr(GObject) machine = NULL;
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  environ_fixture_reopen (fixture, "enable-ipv6-rules", "false", NULL);
  machine = ports_fixture_start (fixture, "0");
  ports_fixture_assert_does (fixture, ports_fixture_open, machine, "1/tcp 2/tcp 3/tcp");
  fake_cloud_add_rule (fixture->provider.fake, &gone);
  ports_fixture_assert_does (fixture, ports_fixture_close, machine, "1/tcp 2/tcp 3/tcp");
  /* That one alone is left of which the cloud has lied. */
  left = ports_fixture_list (fixture, machine, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (left->len, ==, 1);
  ports_fixture_destroy (fixture);
}

/* What is wrong with one is not the fault of the others. */
static void
test_one_bad_rule_does_not_spoil_the_others (EnvironFixture *fixture,
                                             gconstpointer   data)
{
  FakeRule lot = { .method = "POST", .path = RULES, .action = FAKE_FAIL, .status = 400,
                   .body = NEUTRON_ERROR ("HTTPBadRequest", "one at a time") };
  FakeRule second = { .method = "POST", .path = RULES, .skip = 1, .action = FAKE_FAIL,
                      .status = 403,
                      .body = NEUTRON_ERROR ("PolicyNotAuthorized", "not allowed") };
  g_autoptr(GObject) machine = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  environ_fixture_reopen (fixture, "enable-ipv6-rules", "false", NULL);
  machine = ports_fixture_start (fixture, "0");
  fake_cloud_add_rule (fixture->provider.fake, &lot);
  fake_cloud_add_rule (fixture->provider.fake, &second);
  ports_fixture_assert_fails (fixture, ports_fixture_open, machine, "1/tcp 2/tcp 3/tcp",
                              WELKIN_ERROR_FORBIDDEN, "(1 of 3 failed)");
  ports_fixture_assert (fixture, machine, "1/tcp 3/tcp");
  ports_fixture_assert_does (fixture, ports_fixture_open, machine, "1/tcp 2/tcp 3/tcp");
  ports_fixture_assert (fixture, machine, "1/tcp 2/tcp 3/tcp");
  ports_fixture_destroy (fixture);
}

/* Whatever happens at whichever request, the same call again does all that is left to do. */

static const FakeRule faults[] = {
  { .action = FAKE_DROP_BEFORE },
  { .action = FAKE_DROP_AFTER },
  { .action = FAKE_CUT },
  { .action = FAKE_FAIL, .status = 503 },
  { .action = FAKE_FAIL, .status = 403 },
  { .action = FAKE_FAIL, .status = 409 },
  { .action = FAKE_FAIL, .status = 400 },
};

static void
assert_repeatable (EnvironFixture *fixture,
                   GObject        *machine,
                   PortsFunc       function,
                   const char     *text,
                   const char     *expected,
                   FakeRule        fault)
{
  gboolean was_hit = TRUE;

  for (guint n = 0; was_hit; n++)
    {
      g_autoptr(GError) error = NULL;
      guint rule;

      ports_fixture_assert_does (fixture, ports_fixture_close, machine,
                                 "80/tcp 443/tcp icmp 7/tcp");
      ports_fixture_assert_does (fixture, ports_fixture_open, machine, "443/tcp 7/tcp");
      fault.skip = n;
      rule = fake_cloud_add_rule (fixture->provider.fake, &fault);
      if (!function (fixture, machine, text, NULL, &error))
        {
          g_test_message ("at request %u: %s", n, error->message);
          g_assert_true (g_str_has_prefix (error->message, "Cannot "));
          ports_fixture_assert_does (fixture, function, machine, text);
        }
      was_hit = fake_cloud_get_rule_hits (fixture->provider.fake, rule) > 0;
      fake_cloud_clear_rules (fixture->provider.fake);
      ports_fixture_assert (fixture, machine, expected);
    }
}

static void
test_faults_at_any_request_can_be_mended (EnvironFixture *fixture,
                                          gconstpointer   data)
{
  g_autoptr(GObject) machine = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  machine = ports_fixture_start (fixture, "0");
  for (gsize i = 0; i < G_N_ELEMENTS (faults); i++)
    {
      assert_repeatable (fixture, machine, ports_fixture_open, "80/tcp 443/tcp icmp",
                         "icmp 7/tcp 80/tcp 443/tcp", faults[i]);
      assert_repeatable (fixture, machine, ports_fixture_close, "443/tcp 80/tcp icmp", "7/tcp",
                         faults[i]);
    }
  ports_fixture_destroy (fixture);
}

/* Opens ports, and cancels that at the request of this number. FALSE: it made less of them. */
static gboolean
cancel_at (EnvironFixture *fixture,
           GObject        *machine,
           guint           n)
{
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autoptr(GPtrArray) ranges = ports_fixture_parse ("80/tcp 443/tcp icmp");
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(GError) error = NULL;

  fake_log_clear (fixture->provider.fake);
  welkin_instance_open_ports_async (WELKIN_INSTANCE (machine), ranges, cancellable, result_cb,
                                    &result);
  while (result == NULL)
    {
      g_main_context_iteration (NULL, TRUE);
      if (fake_log_get_entries (fixture->provider.fake)->len >= n)
        g_cancellable_cancel (cancellable);
    }
  if (!welkin_instance_open_ports_finish (WELKIN_INSTANCE (machine), result, &error))
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  return g_cancellable_is_cancelled (cancellable);
}

static void
test_cancelled_call_can_be_repeated (EnvironFixture *fixture,
                                     gconstpointer   data)
{
  g_autoptr(GObject) machine = NULL;
  gboolean was_cancelled = TRUE;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  machine = ports_fixture_start (fixture, "0");
  for (guint n = 1; was_cancelled; n++)
    {
      was_cancelled = cancel_at (fixture, machine, n);
      ports_fixture_assert_does (fixture, ports_fixture_open, machine, "80/tcp 443/tcp icmp");
      ports_fixture_assert (fixture, machine, "icmp 80/tcp 443/tcp");
      ports_fixture_assert_does (fixture, ports_fixture_close, machine, "80/tcp 443/tcp icmp");
      ports_fixture_assert (fixture, machine, "");
    }
  ports_fixture_destroy (fixture);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  environ_fixture_add_test ("/ports/one-by-one", test_cloud_that_takes_no_lots_gets_one_by_one);
  environ_fixture_add_test ("/ports/seen-late", test_group_that_is_seen_late_is_waited_for);
  environ_fixture_add_test ("/defects/38/gone-already", test_rule_that_is_gone_is_closed);
  environ_fixture_add_test ("/defects/21/one-bad-rule",
                            test_one_bad_rule_does_not_spoil_the_others);
  environ_fixture_add_test ("/ports/faults", test_faults_at_any_request_can_be_mended);
  environ_fixture_add_test ("/ports/cancelled", test_cancelled_call_can_be_repeated);
  environ_fixture_add_nova_test ("/ports/nova-network/faults",
                                 test_faults_at_any_request_can_be_mended);
  environ_fixture_add_nova_test ("/ports/nova-network/cancelled",
                                 test_cancelled_call_can_be_repeated);
  environ_fixture_add_test ("/cases/G39/there", test_rule_that_is_there_is_a_success);

  return provider_fixture_run ();
}
