/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "environ-fixture.h"

#include <string.h>

#include "contracts/welkin-optional.h"
#include "values/welkin-error.h"

#define FLOATING_IPS "/network/v2.0/floatingips"
#define ADDRESSES "/compute/v2.1/os-floating-ips"
#define ACTIONS "/compute/v2.1/servers/*/action"

/* As a start that was cut off when the instance ran would have gone on. */
static gboolean
complete (EnvironFixture    *fixture,
          WelkinStartParams *params,
          WelkinInstance    *instance,
          GError           **error)
{
  WelkinMaintainer *environ = WELKIN_MAINTAINER (fixture->environ);

  welkin_maintainer_complete_async (environ, params, instance, NULL, provider_fixture_done_cb,
                                    &fixture->provider);
  return welkin_maintainer_complete_finish (environ, provider_fixture_wait (&fixture->provider),
                                            error);
}

static void
assert_completes (EnvironFixture    *fixture,
                  WelkinStartParams *params,
                  WelkinInstance    *instance)
{
  g_autoptr(GError) error = NULL;

  complete (fixture, params, instance, &error);
  g_assert_no_error (error);
}

static WelkinInstance *
start (EnvironFixture    *fixture,
       WelkinStartParams *params)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartResult) started =
    environ_fixture_start_params (fixture, fixture->environ, params, &error);

  g_assert_no_error (error);
  return g_object_ref (welkin_start_result_get_instance (started));
}

static WelkinStartParams *
make_plain (WelkinStartParams *params)
{
  g_autoptr(WelkinConstraints) constraints =
    welkin_constraints_new_parsed ("allocate-public-ip=false", NULL);

  return welkin_start_params_with_constraints (params, constraints);
}

static void
test_address_that_was_not_made_is_made (EnvironFixture *fixture,
                                        gconstpointer   data)
{
  g_autoptr(WelkinStartParams) params = environ_fixture_make_params ("1", NULL);
  g_autoptr(WelkinStartParams) plain = make_plain (params);
  g_autoptr(WelkinInstance) instance = NULL;
  g_autofree char *before = NULL;
  g_autofree char *completed = NULL;
  g_autofree char *again = NULL;
  g_autofree char *mark = NULL;
  const char *line;

  instance = start (fixture, plain);
  before = environ_fixture_take_inventory (fixture);
  assert_completes (fixture, plain, instance);
  completed = environ_fixture_take_inventory (fixture);
  g_assert_cmpstr (completed, ==, before);
  g_free (completed);

  assert_completes (fixture, params, instance);
  completed = environ_fixture_take_inventory (fixture);
  line = strstr (completed, "floatingip ");
  g_assert_nonnull (line);
  mark = g_strdup_printf ("\"welkin env=%s machine=1 start=%s/1\"", fixture->provider.uuid,
                          welkin_start_params_get_start_id (params));
  g_assert_nonnull (strstr (line, mark));
  g_assert_null (strstr (line, "port=-"));

  assert_completes (fixture, params, instance);
  again = environ_fixture_take_inventory (fixture);
  g_assert_cmpstr (again, ==, completed);
  g_assert_cmpuint (fake_log_count (fixture->provider.fake, "POST", FLOATING_IPS), ==, 1);
  environ_fixture_assert_stops (fixture, welkin_instance_get_id (instance));
  environ_fixture_assert_goes (fixture);
}

static void
test_shortage_of_addresses_is_told (EnvironFixture *fixture,
                                    gconstpointer   data)
{
  g_autoptr(WelkinStartParams) params = environ_fixture_make_params ("1", NULL);
  g_autoptr(WelkinStartParams) plain = make_plain (params);
  g_autoptr(WelkinInstance) instance = NULL;
  g_autoptr(GError) error = NULL;

  instance = start (fixture, plain);
  fake_cloud_set_quota (fixture->provider.fake, "demo", "floatingip", 0);
  g_assert_false (complete (fixture, params, instance, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_QUOTA_EXCEEDED);
  g_assert_true (g_str_has_prefix (error->message, "Cannot complete the start of machine 1: "));
  environ_fixture_assert_stops (fixture, welkin_instance_get_id (instance));
  environ_fixture_assert_goes (fixture);
}

/* The id of the floating IP that the server's metadata name. */
static char *
dup_reserved_id (EnvironFixture *fixture)
{
  const FakeLogEntry *entry =
    fake_log_find (fixture->provider.fake, "POST", "/compute/v2.1/servers");
  g_autofree char *body =
    g_strndup (g_bytes_get_data (entry->body, NULL), g_bytes_get_size (entry->body));
  const char *id = strstr (body, "\"welkin-fip\":\"");

  g_assert_nonnull (id);
  id += strlen ("\"welkin-fip\":\"");
  return g_strndup (id, strcspn (id, "\""));
}

static void
test_reserved_address_is_assigned (EnvironFixture *fixture,
                                   gconstpointer   data)
{
  FakeRule unlisted = { .method = "GET", .path = ADDRESSES, .action = FAKE_FAIL, .status = 200 };
  FakeRule unused = { .method = "GET", .path = ADDRESSES "/*", .action = FAKE_FAIL, .status = 200 };
  g_autoptr(WelkinStartParams) params = environ_fixture_make_params ("1", NULL);
  g_autoptr(WelkinInstance) instance = NULL;
  g_autofree char *id = NULL;
  g_autofree char *floating_ip = NULL;
  g_autofree char *list = NULL;
  g_autofree char *body = NULL;
  const char *address;
  g_autoptr(GError) error = NULL;

  instance = start (fixture, params);
  assert_completes (fixture, params, instance);
  g_assert_cmpuint (fake_log_count (fixture->provider.fake, "POST", ACTIONS), ==, 1);

  id = dup_reserved_id (fixture);
  address = welkin_address_get_value (environ_fixture_find_public (instance));
  floating_ip = g_strdup_printf ("{\"id\": \"%s\", \"ip\": \"%s\", \"pool\": \"public\","
                                 " \"instance_id\": null, \"fixed_ip\": null}",
                                 id, address);
  list = g_strdup_printf ("{\"floating_ips\": [%s]}", floating_ip);
  body = g_strdup_printf ("{\"floating_ip\": %s}", floating_ip);
  unlisted.body = list;
  unused.body = body;
  fake_cloud_add_rule (fixture->provider.fake, &unlisted);
  fake_cloud_add_rule (fixture->provider.fake, &unused);
  assert_completes (fixture, params, instance);
  g_assert_cmpuint (fake_log_count (fixture->provider.fake, "POST", ACTIONS), ==, 2);
  g_assert_cmpuint (fake_log_count (fixture->provider.fake, "POST", ADDRESSES), ==, 1);

  unlisted.body = "{\"floating_ips\": []}";
  fake_cloud_add_rule (fixture->provider.fake, &unlisted);
  g_assert_false (complete (fixture, params, instance, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND);
  environ_fixture_assert_stops (fixture, welkin_instance_get_id (instance));
  environ_fixture_assert_goes (fixture);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  environ_fixture_add_test ("/complete-start/address", test_address_that_was_not_made_is_made);
  environ_fixture_add_test ("/complete-start/shortage", test_shortage_of_addresses_is_told);
  environ_fixture_add_nova_test ("/complete-start/reserved-address",
                                 test_reserved_address_is_assigned);

  return provider_fixture_run ();
}
