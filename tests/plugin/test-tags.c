/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "environ-fixture.h"
#include "notes.h"

#include "contracts/welkin-optional.h"
#include "values/welkin-error.h"

/* A cloud whose neutron has no descriptions: names of ports and tags of floating IPs are marks. */

#define FLOATING_IPS "/network/v2.0/floatingips"
#define TAGS FLOATING_IPS "/*/tags"
#define DEAD "11111111-2222-4333-8444-555555555555"

typedef struct
{
  EnvironFixture base;
  Notes         *notes; /* (owned) */
} TagsFixture;

static void
set_up (TagsFixture  *fixture,
        gconstpointer data)
{
  environ_fixture_set_up (&fixture->base, data);
  fake_cloud_set_extension (fixture->base.provider.fake, "standard-attr-description", FALSE);
  fixture->notes = notes_new_for (fixture->base.environ);
}

static void
tear_down (TagsFixture  *fixture,
           gconstpointer data)
{
  g_clear_object (&fixture->notes);
  environ_fixture_tear_down (&fixture->base, data);
}

static void
assert_goes (TagsFixture *fixture)
{
  environ_fixture_assert_goes (&fixture->base);
  g_assert_cmpuint (g_hash_table_size (notes_get_lines (fixture->notes)), ==, 0);
}

static void
assert_has_line (TagsFixture *fixture,
                 const char  *format)
{
  g_autofree char *inventory = environ_fixture_take_inventory (&fixture->base);
  g_autofree char *line = g_strdup_printf (format, fixture->base.provider.uuid);

  if (strstr (inventory, line) == NULL)
    g_test_message ("%s", inventory);
  g_assert_nonnull (strstr (inventory, line));
}

static void
test_machine_carries_marks (TagsFixture  *fixture,
                            gconstpointer data)
{
  g_autoptr(WelkinStartResult) result =
    environ_fixture_assert_starts (&fixture->base, "0", NULL);
  WelkinInstance *instance = welkin_start_result_get_instance (result);

  assert_has_line (fixture, "port demo/welkin env=%s machine=0 start=");
  assert_has_line (fixture, "floatingip demo/ \"welkin-env=%s welkin-machine=0 welkin-start=");
  g_assert_cmpuint (g_hash_table_size (notes_get_lines (fixture->notes)), ==, 0);

  environ_fixture_assert_stops (&fixture->base, welkin_instance_get_id (instance));
  g_assert_cmpuint (environ_fixture_count_lines (&fixture->base, "port demo/welkin"), ==, 0);
  g_assert_cmpuint (environ_fixture_count_lines (&fixture->base, "floatingip"), ==, 0);
  assert_goes (fixture);
}

/* It is asked for by tags, and others are not even looked at. */
static void
test_sweep_asks_for_tags (TagsFixture  *fixture,
                          gconstpointer data)
{
  FakeCloud *fake = fixture->base.provider.fake;
  g_autoptr(WelkinStartResult) result =
    environ_fixture_assert_starts (&fixture->base, "0", NULL);
  WelkinInstance *instance = welkin_start_result_get_instance (result);
  const FakeLogEntry *entry;

  fake_log_clear (fake);
  environ_fixture_assert_stops (&fixture->base, welkin_instance_get_id (instance));
  entry = fake_log_find (fake, "GET", FLOATING_IPS);
  g_assert_nonnull (strstr (entry->query, "tags-any=welkin-start"));
  entry = fake_log_find (fake, "GET", "/network/v2.0/ports");
  g_assert_nonnull (strstr (entry->query, "name=welkin"));
  assert_goes (fixture);
}

/* Of one machine there is one address, whatever happened to the answer. */
static void
start_with_lost_answer (TagsFixture *fixture,
                        const char  *method,
                        const char  *path,
                        FakeAction   action)
{
  FakeRule lost = { .method = method, .path = path, .action = action };
  g_autoptr(WelkinStartResult) result = NULL;
  guint rule = fake_cloud_add_rule (fixture->base.provider.fake, &lost);

  result = environ_fixture_assert_starts (&fixture->base, "0", NULL);
  g_assert_cmpuint (fake_cloud_get_rule_hits (fixture->base.provider.fake, rule), ==, 1);
  g_assert_cmpuint (environ_fixture_count_lines (&fixture->base, "floatingip"), ==, 1);
  assert_has_line (fixture, "floatingip demo/ \"welkin-env=%s welkin-machine=0 welkin-start=");
  assert_goes (fixture);
}

static void
test_lost_address_is_known_by_its_port (TagsFixture  *fixture,
                                        gconstpointer data)
{
  start_with_lost_answer (fixture, "POST", FLOATING_IPS, FAKE_DROP_AFTER);
}

static void
test_lost_mark_is_written_again (TagsFixture  *fixture,
                                 gconstpointer data)
{
  start_with_lost_answer (fixture, "PUT", TAGS, FAKE_DROP_BEFORE);
}

static void
test_address_that_cannot_be_marked_goes (TagsFixture  *fixture,
                                         gconstpointer data)
{
  FakeRule refused = {
    .method = "PUT", .path = TAGS, .times = -1, .action = FAKE_FAIL, .status = 403,
    .body = "{\"NeutronError\": {\"type\": \"PolicyNotAuthorized\", \"message\": \"no tags\"}}",
  };
  g_autoptr(WelkinStartResult) result = NULL;
  g_autoptr(GError) error = NULL;

  fake_cloud_add_rule (fixture->base.provider.fake, &refused);
  result = environ_fixture_start (&fixture->base, fixture->base.environ, "0", NULL, &error);
  g_assert_null (result);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_FORBIDDEN);
  g_assert_nonnull (strstr (error->message, "cannot mark a floating IP: "));
  environ_fixture_assert_clean (&fixture->base);
}

/* Nobody has learnt of it when the start is undone: its port still tells. */
static void
test_address_that_nobody_has_learnt_of_goes (TagsFixture  *fixture,
                                             gconstpointer data)
{
  FakeCloud *fake = fixture->base.provider.fake;
  FakeRule lost = { .method = "POST", .path = FLOATING_IPS, .action = FAKE_DROP_AFTER };
  /* Not the look at what is there beforehand, but those for what was made. */
  FakeRule blind = { .method = "GET", .path = FLOATING_IPS, .skip = 1, .times = 3,
                     .action = FAKE_FAIL, .status = 400 };
  g_autoptr(WelkinStartResult) result = NULL;
  g_autoptr(GError) error = NULL;
  guint rule;

  fake_cloud_add_rule (fake, &lost);
  rule = fake_cloud_add_rule (fake, &blind);
  result = environ_fixture_start (&fixture->base, fixture->base.environ, "0", NULL, &error);
  g_assert_null (result);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_UNAVAILABLE);
  g_assert_cmpuint (fake_cloud_get_rule_hits (fake, rule), ==, 3);
  environ_fixture_assert_clean (&fixture->base);
  g_assert_cmpuint (g_hash_table_size (notes_get_lines (fixture->notes)), ==, 0);
}

/* Nobody knows whose it is before it is tagged: that of others is never taken. */
static void
test_free_address_is_not_borrowed (TagsFixture  *fixture,
                                   gconstpointer data)
{
  g_autoptr(WelkinStartResult) result = NULL;
  g_autoptr(GError) error = NULL;

  environ_fixture_add_free_ip (&fixture->base);
  environ_fixture_reopen (&fixture->base, "floating-ip-reuse", "any", NULL);
  fake_cloud_set_quota (fixture->base.provider.fake, "demo", "floatingip", 1);
  result = environ_fixture_start (&fixture->base, fixture->base.environ, "0", NULL, &error);
  g_assert_null (result);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_QUOTA_EXCEEDED);
  g_assert_null (strstr (welkin_error_get_hint (error), "floating-ip-reuse"));
  g_assert_cmpuint (environ_fixture_count_lines (&fixture->base, "floatingip demo/ \"\""), ==, 1);
}

/* A port of a start that was cut off, with an address that nobody came to mark. */
static void
add_cut_off (TagsFixture *fixture,
             const char  *machine_id,
             gboolean     is_noted)
{
  FakeCloud *fake = fixture->base.provider.fake;
  g_autofree char *mark = g_strdup_printf ("welkin env=%s machine=%s start=" DEAD "/1",
                                           fixture->base.provider.uuid, machine_id);
  g_autofree char *port =
    g_strdup_printf ("{'network': 'private', 'project': 'demo', 'name': '%s'}", mark);
  const char *port_id = fake_cloud_add (fake, "port", port);
  g_autofree char *ip =
    g_strdup_printf ("{'project': 'demo', 'floating_network_id': '%s', 'port_id': '%s'}",
                     fake_cloud_find (fake, "network", "public"), port_id);

  fake_cloud_add (fake, "floatingip", ip);
  if (is_noted)
    g_hash_table_insert (notes_get_lines (fixture->notes), g_strconcat (DEAD "/", machine_id, NULL),
                         g_strdup_printf ("%s port=%s", mark, port_id));
}

static guint
count_leftovers (TagsFixture       *fixture,
                 WelkinLeftoverKind kind)
{
  ProviderFixture *provider = &fixture->base.provider;
  WelkinReconciler *environ = WELKIN_RECONCILER (fixture->base.environ);
  g_autoptr(GPtrArray) leftovers = NULL;
  g_autoptr(GError) error = NULL;
  guint n = 0;

  welkin_reconciler_list_leftovers_async (environ, (const char *const[]) { NULL }, NULL,
                                          provider_fixture_done_cb, provider);
  leftovers = welkin_reconciler_list_leftovers_finish (environ, provider_fixture_wait (provider),
                                                       &error);
  g_assert_no_error (error);
  for (guint i = 0; i < leftovers->len; i++)
    if (welkin_leftover_get_kind (g_ptr_array_index (leftovers, i)) == kind)
      n++;
  return n;
}

static void
test_address_that_was_noted_is_found_again (TagsFixture  *fixture,
                                            gconstpointer data)
{
  add_cut_off (fixture, "3", TRUE);
  g_assert_cmpuint (count_leftovers (fixture, WELKIN_LEFTOVER_PORT), ==, 1);
  g_assert_cmpuint (count_leftovers (fixture, WELKIN_LEFTOVER_FLOATING_IP), ==, 1);
  assert_goes (fixture);
}

/* Somebody has put his own on a port of ours. */
static void
test_address_that_was_not_noted_is_somebody_elses (TagsFixture  *fixture,
                                                   gconstpointer data)
{
  add_cut_off (fixture, "3", FALSE);
  g_assert_cmpuint (count_leftovers (fixture, WELKIN_LEFTOVER_PORT), ==, 1);
  g_assert_cmpuint (count_leftovers (fixture, WELKIN_LEFTOVER_FLOATING_IP), ==, 0);
  environ_fixture_destroy (&fixture->base, fixture->base.environ, NULL);
  g_assert_cmpuint (environ_fixture_count_lines (&fixture->base, "floatingip demo/ \"\""), ==, 1);
  g_assert_cmpuint (environ_fixture_count_lines (&fixture->base, "port demo/welkin"), ==, 0);
}

static void
add_test (const char *path,
          void      (*test) (TagsFixture *, gconstpointer))
{
  g_test_add (path, TagsFixture, NULL, set_up, test, tear_down);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add_test ("/tags/machine-carries-marks", test_machine_carries_marks);
  add_test ("/tags/sweep-asks-for-tags", test_sweep_asks_for_tags);
  add_test ("/tags/lost-address-is-known-by-its-port", test_lost_address_is_known_by_its_port);
  add_test ("/tags/lost-mark-is-written-again", test_lost_mark_is_written_again);
  add_test ("/tags/address-that-cannot-be-marked-goes", test_address_that_cannot_be_marked_goes);
  add_test ("/tags/unknown-address-goes", test_address_that_nobody_has_learnt_of_goes);
  add_test ("/tags/free-address-is-not-borrowed", test_free_address_is_not_borrowed);
  add_test ("/tags/noted-address-is-found-again", test_address_that_was_noted_is_found_again);
  add_test ("/tags/address-of-others-stays", test_address_that_was_not_noted_is_somebody_elses);

  return provider_fixture_run ();
}
