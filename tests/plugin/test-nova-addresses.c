/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "environ-fixture.h"

#include <string.h>

/* Floating IPs of nova, which carry no mark, where several are after them. */

#define ADDRESSES "/compute/v2.1/os-floating-ips"

/* Two machines got addresses, for which so many were made, and neither had to change its own. */
static void
assert_addresses_were_kept (EnvironFixture *fixture,
                            guint           n_made)
{
  FakeCloud *fake = fixture->provider.fake;

  g_assert_cmpuint (fake_log_count (fake, "POST", ADDRESSES), ==, n_made);
  g_assert_cmpuint (fake_log_count (fake, "POST", "/compute/v2.1/servers/*/action"), ==, 2);
  g_assert_cmpuint (fake_log_count (fake, "POST", "/compute/v2.1/servers/*/metadata"), ==, 0);
}

/* Until its server is there, an address that was made for it is as free as any other. */
static void
test_address_of_another_start_is_not_borrowed (EnvironFixture *fixture,
                                               gconstpointer   data)
{
  EnvironCrowd crowd;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  environ_fixture_reopen (fixture, "floating-ip-reuse", "any", NULL);
  fake_cloud_set (fixture->provider.fake, "build-delay", 300);
  environ_crowd_start (&crowd, fixture, 2);
  assert_addresses_were_kept (fixture, 2);
  environ_crowd_clear (&crowd);
  environ_fixture_assert_goes (fixture);
}

/* An environment of its own in a thread of its own, with one machine. */
typedef struct
{
  EnvironFixture *fixture;
  const char     *prefix;
  GThread        *thread;  /* (owned) */
  EnvironCrowd    crowd;
  int             is_over; /* atomic */
} Neighbour;

static gpointer
start_in_thread (gpointer data)
{
  Neighbour *self = data;
  g_autoptr(GMainContext) context = g_main_context_new ();
  g_autoptr(WelkinStartParams) params = environ_fixture_make_params ("0", NULL);
  g_autoptr(WelkinEnviron) environ = NULL;

  g_main_context_push_thread_default (context);
  environ = environ_fixture_open (self->fixture, "resource-prefix", self->prefix,
                                  "floating-ip-reuse", "any", NULL);
  environ_crowd_add (&self->crowd, environ, params);
  while (self->crowd.n_left > 0)
    g_main_context_iteration (context, TRUE);
  g_clear_object (&environ);
  while (g_main_context_iteration (context, FALSE))
    ;
  g_main_context_pop_thread_default (context);
  g_atomic_int_set (&self->is_over, TRUE);
  g_main_context_wakeup (NULL);
  return NULL;
}

static void
test_address_is_borrowed_once_in_a_process (EnvironFixture *fixture,
                                            gconstpointer   data)
{
  Neighbour neighbours[] = { { fixture, "one" }, { fixture, "two" } };

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  environ_fixture_add_free_ip (fixture);
  fake_cloud_set (fixture->provider.fake, "build-delay", 300);
  for (gsize i = 0; i < G_N_ELEMENTS (neighbours); i++)
    {
      environ_crowd_init (&neighbours[i].crowd);
      neighbours[i].thread = g_thread_new ("environment", start_in_thread, &neighbours[i]);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (neighbours); i++)
    {
      while (!g_atomic_int_get (&neighbours[i].is_over))
        g_main_context_iteration (NULL, TRUE);
      g_thread_join (neighbours[i].thread);
    }

  /* One has borrowed the address and one has got his own. */
  assert_addresses_were_kept (fixture, 1);
  for (gsize i = 0; i < G_N_ELEMENTS (neighbours); i++)
    environ_crowd_clear (&neighbours[i].crowd);
}

/* The answer to the call for an address is lost. Such a machine runs, and then goes. */
static void
lose_answer (EnvironFixture *fixture,
             FakeAction      action)
{
  FakeCloud *fake = fixture->provider.fake;
  FakeRule lost = { .method = "POST", .path = ADDRESSES, .action = action };
  g_autoptr(WelkinStartParams) params = environ_fixture_make_params ("0", NULL);
  g_autofree char *inventory = NULL;
  g_autoptr(GError) error = NULL;
  EnvironCrowd crowd;

  fake_cloud_add_rule (fake, &lost);
  environ_crowd_init (&crowd);
  environ_crowd_add (&crowd, fixture->environ, params);
  while (fake_log_count (fake, "POST", ADDRESSES) == 0)
    g_main_context_iteration (NULL, TRUE);
  if (action == FAKE_DROP_BEFORE)
    environ_fixture_add_free_ip (fixture);
  environ_crowd_wait (&crowd);
  g_assert_cmpuint (fake_log_count (fake, "POST", ADDRESSES), ==, 1);
  g_assert_cmpuint (g_hash_table_size (crowd.addresses), ==, 1);
  environ_crowd_clear (&crowd);

  environ_fixture_destroy (fixture, fixture->environ, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fake_log_count (fake, "DELETE", ADDRESSES "/*"), ==, 0);
  inventory = environ_fixture_take_inventory (fixture);
  g_assert_nonnull (strstr (inventory, "floatingip"));
}

/* In that moment somebody else has made one. */
static void
test_address_of_others_is_not_the_lost_one (EnvironFixture *fixture,
                                            gconstpointer   data)
{
  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  lose_answer (fixture, FAKE_DROP_BEFORE);
}

static void
test_lost_address_is_used_and_stays (EnvironFixture *fixture,
                                     gconstpointer   data)
{
  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  lose_answer (fixture, FAKE_DROP_AFTER);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  environ_fixture_add_nova_test ("/nova-addresses/borrowed-once",
                                 test_address_is_borrowed_once_in_a_process);
  environ_fixture_add_nova_test ("/nova-addresses/of-another-start",
                                 test_address_of_another_start_is_not_borrowed);
  environ_fixture_add_nova_test ("/nova-addresses/lost/of-others",
                                 test_address_of_others_is_not_the_lost_one);
  environ_fixture_add_nova_test ("/nova-addresses/lost/stays",
                                 test_lost_address_is_used_and_stays);

  return provider_fixture_run ();
}
