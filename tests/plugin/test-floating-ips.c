/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "environ-fixture.h"
#include "notes.h"

#include "services/os-network-service.h"
#include "values/welkin-error.h"

#define FLOATING_IPS "/network/v2.0/floatingips"

typedef struct
{
  EnvironFixture    base;
  OsClient         *client;  /* (owned) another way into the same project */
  OsNetworkService *service; /* (owned) */
  char             *outside; /* (owned) the external network */
} IpFixture;

static void
set_up (IpFixture    *fixture,
        gconstpointer data)
{
  ProviderFixture *provider = &fixture->base.provider;
  g_autoptr(GPtrArray) networks = NULL;
  g_autoptr(GError) error = NULL;

  environ_fixture_set_up (&fixture->base, data);
  fixture->client = provider_fixture_make_client (provider, NULL);
  fixture->service = os_network_service_new (fixture->client);
  os_network_service_list_networks_async (fixture->service, "router:external", "true", NULL,
                                          provider_fixture_done_cb, provider);
  networks = os_network_service_list_networks_finish (fixture->service,
                                                      provider_fixture_wait (provider), &error);
  g_assert_no_error (error);
  fixture->outside = g_strdup (((OsNetwork *) g_ptr_array_index (networks, 0))->id);
}

static void
tear_down (IpFixture    *fixture,
           gconstpointer data)
{
  g_free (fixture->outside);
  g_clear_object (&fixture->service);
  g_clear_object (&fixture->client);
  environ_fixture_tear_down (&fixture->base, data);
}

/* One that nothing uses. */
static OsFloatingIp *
make_spare (IpFixture  *fixture,
            const char *description)
{
  ProviderFixture *provider = &fixture->base.provider;
  g_autoptr(GError) error = NULL;
  OsFloatingIp *ip;

  os_network_service_create_floating_ip_async (fixture->service, fixture->outside, NULL, NULL,
                                               description, NULL, provider_fixture_done_cb,
                                               provider);
  ip = os_network_service_create_floating_ip_finish (fixture->service,
                                                     provider_fixture_wait (provider), &error);
  g_assert_no_error (error);
  g_assert_true (os_floating_ip_is_free (ip));
  return ip;
}

static OsFloatingIp *
make_spare_of_ours (IpFixture *fixture)
{
  g_autofree char *mark = g_strdup_printf ("welkin env=%s machine=9 start=%s/1",
                                           fixture->base.provider.uuid, fixture->outside);

  return make_spare (fixture, mark);
}

/* NULL when it is gone. */
static OsFloatingIp *
load (IpFixture          *fixture,
      const OsFloatingIp *ip)
{
  ProviderFixture *provider = &fixture->base.provider;
  g_autoptr(GError) error = NULL;
  OsFloatingIp *now;

  os_network_service_load_floating_ip_async (fixture->service, ip->id, NULL,
                                             provider_fixture_done_cb, provider);
  now = os_network_service_load_floating_ip_finish (fixture->service,
                                                    provider_fixture_wait (provider), &error);
  if (now == NULL)
    g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND);
  return now;
}

static void
delete (IpFixture          *fixture,
        const OsFloatingIp *ip)
{
  ProviderFixture *provider = &fixture->base.provider;
  g_autoptr(GError) error = NULL;

  os_network_service_delete_floating_ip_async (fixture->service, ip->id, NULL,
                                               provider_fixture_done_cb, provider);
  os_network_service_delete_floating_ip_finish (fixture->service, provider_fixture_wait (provider),
                                                &error);
  g_assert_no_error (error);
}

/* The public address of the machine that runs. */
static char *
start (IpFixture *fixture)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartResult) result =
    environ_fixture_start (&fixture->base, fixture->base.environ, "0", NULL, &error);
  WelkinAddress *address;

  g_assert_no_error (error);
  address = environ_fixture_find_public (welkin_start_result_get_instance (result));
  return g_strdup (welkin_address_get_value (address));
}

static void
destroy (IpFixture *fixture)
{
  g_autoptr(GError) error = NULL;

  environ_fixture_destroy (&fixture->base, fixture->base.environ, &error);
  g_assert_no_error (error);
}

static guint
count_made (IpFixture *fixture)
{
  return fake_log_count (fixture->base.provider.fake, "POST", FLOATING_IPS);
}

static void
test_one_of_ours_is_used_again_and_released (IpFixture    *fixture,
                                             gconstpointer data)
{
  g_autoptr(OsFloatingIp) spare = make_spare_of_ours (fixture);
  g_autofree char *address = start (fixture);
  g_autoptr(OsFloatingIp) during = load (fixture, spare);
  g_autoptr(OsFloatingIp) after = NULL;

  g_assert_cmpstr (address, ==, spare->address);
  g_assert_false (os_floating_ip_is_free (during));
  g_assert_nonnull (strstr (during->description, " machine=0 "));
  if (fixture->base.provider.fake != NULL)
    {
      const FakeLogEntry *entry =
        fake_log_find (fixture->base.provider.fake, "PUT", FLOATING_IPS "/*");

      g_assert_cmpuint (count_made (fixture), ==, 1);
      g_assert_true (g_str_has_prefix (fake_log_entry_get_header (entry, "If-Match"),
                                       "revision_number="));
    }
  destroy (fixture);
  after = load (fixture, spare);
  g_assert_null (after);
  environ_fixture_assert_clean (&fixture->base);
}

static void
test_none_is_used_again_where_never (IpFixture    *fixture,
                                     gconstpointer data)
{
  g_autoptr(OsFloatingIp) spare = make_spare_of_ours (fixture);
  g_autoptr(OsFloatingIp) during = NULL;
  g_autofree char *address = NULL;

  environ_fixture_reopen (&fixture->base, "floating-ip-reuse", "never", NULL);
  address = start (fixture);
  g_assert_cmpstr (address, !=, spare->address);
  during = load (fixture, spare);
  g_assert_true (os_floating_ip_is_free (during));
  destroy (fixture);
  environ_fixture_assert_clean (&fixture->base);
}

/* Those of others are theirs; of others who use Welkin, too. */
static void
test_those_of_others_are_left_alone_where_owned (IpFixture    *fixture,
                                                 gconstpointer data)
{
  g_autoptr(OsFloatingIp) theirs = make_spare (fixture, "for the web site");
  g_autofree char *address = start (fixture);
  g_autoptr(OsFloatingIp) after = NULL;

  g_assert_cmpstr (address, !=, theirs->address);
  destroy (fixture);
  after = load (fixture, theirs);
  g_assert_cmpstr (after->description, ==, "for the web site");
  g_assert_true (os_floating_ip_is_free (after));
  delete (fixture, theirs);
}

/* The network has subnets of both families; the floating IP is put on the address of IPv4. */
static void
test_machine_has_addresses_of_both_families (IpFixture    *fixture,
                                             gconstpointer data)
{
  g_autoptr(WelkinStartResult) result = environ_fixture_assert_starts (&fixture->base, "0", NULL);
  GPtrArray *interfaces = welkin_start_result_get_network_interfaces (result);
  GPtrArray *addresses;
  guint n_ipv6 = 0;
  guint n_public = 0;

  g_assert_cmpuint (interfaces->len, ==, 1);
  addresses = welkin_network_interface_get_addresses (g_ptr_array_index (interfaces, 0));
  g_assert_cmpuint (addresses->len, ==, 3);
  for (guint i = 0; i < addresses->len; i++)
    {
      WelkinAddress *address = g_ptr_array_index (addresses, i);

      if (strchr (welkin_address_get_value (address), ':') != NULL)
        n_ipv6++;
      else if (welkin_address_get_scope (address) == WELKIN_SCOPE_PUBLIC)
        n_public++;
    }
  g_assert_cmpuint (n_ipv6, ==, 1);
  g_assert_cmpuint (n_public, ==, 1);
  environ_fixture_assert_goes (&fixture->base);
}

static void
test_borrowed_one_is_given_back (IpFixture    *fixture,
                                 gconstpointer data)
{
  static const char text[] = "for the web site: 100% of env=x id=y, was=\"\"";
  g_autoptr(Notes) notes = NULL;
  g_autoptr(OsFloatingIp) theirs = NULL;
  g_autoptr(OsFloatingIp) during = NULL;
  g_autoptr(OsFloatingIp) after = NULL;
  g_autofree char *address = NULL;

  theirs = make_spare (fixture, text);
  environ_fixture_reopen (&fixture->base, "floating-ip-reuse", "any", NULL);
  notes = notes_new_for (fixture->base.environ);
  address = start (fixture);
  g_assert_cmpstr (address, ==, theirs->address);
  during = load (fixture, theirs);
  g_assert_true (g_str_has_suffix (during->description, " borrowed=1"));
  g_assert_cmpuint (g_hash_table_size (notes_get_lines (notes)), ==, 1);
  destroy (fixture);
  after = load (fixture, theirs);
  g_assert_nonnull (after);
  g_assert_true (os_floating_ip_is_free (after));
  g_assert_cmpstr (after->description, ==, text);
  g_assert_cmpuint (g_hash_table_size (notes_get_lines (notes)), ==, 0);
  delete (fixture, theirs);
  environ_fixture_assert_clean (&fixture->base);
}

/* Borrowed for a machine that is gone, it is still somebody else's when it is borrowed again. */
static void
test_one_that_is_borrowed_twice_is_given_back_as_it_was (IpFixture    *fixture,
                                                         gconstpointer data)
{
  g_autofree char *mark = g_strdup_printf ("welkin env=%s machine=9 start=%s/1",
                                           fixture->base.provider.uuid, fixture->outside);
  g_autofree char *borrowed = g_strconcat (mark, " borrowed=1", NULL);
  g_autoptr(Notes) notes = NULL;
  g_autoptr(OsFloatingIp) theirs = NULL;
  g_autoptr(OsFloatingIp) after = NULL;
  g_autofree char *address = NULL;

  theirs = make_spare (fixture, borrowed);
  environ_fixture_reopen (&fixture->base, "floating-ip-reuse", "any", NULL);
  notes = notes_new_for (fixture->base.environ);
  g_hash_table_insert (notes_get_lines (notes), g_strdup ("a/b"),
                       g_strdup_printf ("%s was=mine id=%s", mark, theirs->id));
  g_hash_table_insert (notes_get_lines (notes), g_strdup ("a/c"),
                       g_strdup_printf ("%s0 was=yours id=%s", mark, theirs->id));
  address = start (fixture);
  g_assert_cmpstr (address, ==, theirs->address);
  destroy (fixture);
  after = load (fixture, theirs);
  g_assert_cmpstr (after->description, ==, "mine");
  g_assert_cmpuint (g_hash_table_size (notes_get_lines (notes)), ==, 0);
  delete (fixture, theirs);
}

/* Where nothing can be noted, that would be lost. */
static void
test_one_that_cannot_be_given_back_is_not_borrowed (IpFixture    *fixture,
                                                    gconstpointer data)
{
  g_autoptr(OsFloatingIp) theirs = make_spare (fixture, "for the web site");
  g_autoptr(OsFloatingIp) after = NULL;
  g_autofree char *address = NULL;

  environ_fixture_reopen (&fixture->base, "floating-ip-reuse", "any", NULL);
  address = start (fixture);
  g_assert_cmpstr (address, !=, theirs->address);
  after = load (fixture, theirs);
  g_assert_cmpstr (after->description, ==, "for the web site");
  destroy (fixture);
  delete (fixture, theirs);
  environ_fixture_assert_clean (&fixture->base);
}

static void
test_one_of_which_nothing_can_be_noted_is_not_borrowed (IpFixture    *fixture,
                                                        gconstpointer data)
{
  g_autoptr(OsFloatingIp) theirs = make_spare (fixture, "for the web site");
  g_autoptr(Notes) notes = NULL;
  g_autoptr(OsFloatingIp) after = NULL;
  g_autoptr(WelkinStartResult) none = NULL;
  g_autoptr(GError) error = NULL;

  environ_fixture_reopen (&fixture->base, "floating-ip-reuse", "any", NULL);
  notes = notes_new_for (fixture->base.environ);
  notes_break (notes);
  none = environ_fixture_start (&fixture->base, fixture->base.environ, "0", NULL, &error);
  g_assert_null (none);
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, "cannot note whose floating IP is borrowed: "));
  g_assert_nonnull (strstr (error->message, "the disk is full"));
  after = load (fixture, theirs);
  g_assert_true (os_floating_ip_is_free (after));
  g_assert_cmpstr (after->description, ==, "for the web site");
  delete (fixture, theirs);
  environ_fixture_assert_clean (&fixture->base);
}

static void
test_borrowed_one_is_given_back_when_the_start_fails (IpFixture    *fixture,
                                                      gconstpointer data)
{
  FakeCloud *fake = fixture->base.provider.fake;
  g_autoptr(OsFloatingIp) theirs = NULL;
  g_autoptr(OsFloatingIp) after = NULL;
  g_autoptr(WelkinStartResult) result = NULL;
  g_autoptr(GError) error = NULL;

  theirs = make_spare (fixture, "");
  environ_fixture_reopen (&fixture->base, "floating-ip-reuse", "any", NULL);
  fake_cloud_script_server (fake, NULL, NULL, 1, "BUILD,ERROR", 500, "It fell over.");
  result = environ_fixture_start (&fixture->base, fixture->base.environ, "0", NULL, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INSTANCE_FAILED);
  g_assert_cmpuint (fake_log_count (fake, "PUT", FLOATING_IPS "/*"), ==, 2);
  after = load (fixture, theirs);
  g_assert_nonnull (after);
  g_assert_true (os_floating_ip_is_free (after));
  g_assert_cmpstr (after->description, ==, "");
  delete (fixture, theirs);
  environ_fixture_assert_clean (&fixture->base);
}

static void
test_one_of_another_environment_is_never_taken (IpFixture    *fixture,
                                                gconstpointer data)
{
  g_autoptr(OsFloatingIp) theirs = NULL;
  g_autofree char *address = NULL;

  theirs = make_spare (fixture, "welkin env=00000000-0000-4000-8000-000000000000 machine=0");
  environ_fixture_reopen (&fixture->base, "floating-ip-reuse", "any", NULL);
  address = start (fixture);
  g_assert_cmpstr (address, !=, theirs->address);
  g_assert_cmpuint (fake_log_count (fixture->base.provider.fake, "PUT", FLOATING_IPS "/*"), ==, 0);
}

static void
test_sixteen_starts_never_share_an_address (IpFixture    *fixture,
                                            gconstpointer data)
{
  const guint n = 16;
  g_autoptr(GPtrArray) spares = NULL;
  EnvironCrowd crowd;
  guint n_used = 0;

  spares = g_ptr_array_new_with_free_func ((GDestroyNotify) os_floating_ip_free);
  for (guint i = 0; i < 10; i++)
    g_ptr_array_add (spares, make_spare (fixture, ""));
  environ_fixture_reopen (&fixture->base, "floating-ip-reuse", "any", NULL);
  fake_cloud_set (fixture->base.provider.fake, "latency", 20);
  environ_crowd_start (&crowd, &fixture->base, n);
  g_assert_cmpuint (g_hash_table_size (crowd.addresses), ==, n);
  for (guint i = 0; i < spares->len; i++)
    {
      const OsFloatingIp *spare = g_ptr_array_index (spares, i);

      n_used += g_hash_table_contains (crowd.addresses, spare->address) ? 1 : 0;
    }
  g_assert_cmpuint (n_used, ==, spares->len);
  g_assert_cmpuint (count_made (fixture), ==, n);
  environ_crowd_clear (&crowd);
}

/* Somebody on another host who is after the same address. */
typedef struct
{
  OsFloatingIp *contested; /* (owned) */
  const char   *port_id;   /* theirs */
  EnvironCrowd  crowd;     /* our machine */
} Contest;

static void
contest_begin (Contest   *contest,
               IpFixture *fixture)
{
  FakeCloud *fake = fixture->base.provider.fake;
  g_autoptr(WelkinStartParams) params = environ_fixture_make_params ("0", NULL);

  contest->contested = make_spare (fixture, "");
  contest->port_id = fake_cloud_add (fake, "port", "{'name': 'theirs', 'network': 'private'}");
  environ_fixture_reopen (&fixture->base, "floating-ip-reuse", "any", NULL);
  environ_crowd_init (&contest->crowd);
  environ_crowd_add (&contest->crowd, fixture->base.environ, params);
}

static void
wait_for (IpFixture  *fixture,
          const char *method,
          guint       n)
{
  while (fake_log_count (fixture->base.provider.fake, method, FLOATING_IPS "/*") < n)
    g_main_context_iteration (NULL, TRUE);
}

/* revision: the one that they have seen. */
static void
contest_take (Contest   *contest,
              IpFixture *fixture,
              gint64     revision)
{
  OsFloatingIpChange change = {
    .id = contest->contested->id, .port_id = contest->port_id, .description = "theirs",
    .revision = revision,
  };
  g_autoptr(OsFloatingIp) theirs = NULL;
  g_autoptr(GError) error = NULL;

  os_network_service_change_floating_ip_async (fixture->service, &change, NULL,
                                               provider_fixture_done_cb, &fixture->base.provider);
  theirs = os_network_service_change_floating_ip_finish (
    fixture->service, provider_fixture_wait (&fixture->base.provider), &error);
  g_assert_no_error (error);
}

/* It is theirs, and the machine has got another one, after so many looks. */
static void
contest_end (Contest   *contest,
             IpFixture *fixture,
             guint      n_looks)
{
  g_autoptr(OsFloatingIp) after = NULL;

  environ_crowd_wait (&contest->crowd);
  g_assert_cmpuint (fake_log_count (fixture->base.provider.fake, "GET", FLOATING_IPS "/*"), ==,
                    n_looks);
  g_assert_cmpuint (g_hash_table_size (contest->crowd.addresses), ==, 1);
  g_assert_false (g_hash_table_contains (contest->crowd.addresses, contest->contested->address));
  after = load (fixture, contest->contested);
  g_assert_cmpstr (after->port_id, ==, contest->port_id);
  g_assert_cmpuint (count_made (fixture), ==, 2);
  environ_crowd_clear (&contest->crowd);
  os_floating_ip_free (contest->contested);
}

/* Neutron tells both that they have it. */
static void
test_one_that_somebody_else_takes_is_let_go (IpFixture    *fixture,
                                             gconstpointer data)
{
  static const FakeRule slow = {
    .method = "PUT", .path = FLOATING_IPS "/*", .action = FAKE_ANSWER, .delay_ms = 300,
  };
  Contest contest;

  fake_cloud_add_rule (fixture->base.provider.fake, &slow);
  contest_begin (&contest, fixture);
  wait_for (fixture, "PUT", 1);
  contest_take (&contest, fixture, 1);
  contest_end (&contest, fixture, 2);
}

static void
test_one_that_is_lost_while_the_server_is_built_is_replaced (IpFixture    *fixture,
                                                             gconstpointer data)
{
  Contest contest;

  fake_cloud_set (fixture->base.provider.fake, "build-delay", 1000);
  contest_begin (&contest, fixture);
  wait_for (fixture, "GET", 2);
  for (guint i = 0; i < 20; i++)
    g_main_context_iteration (NULL, FALSE);
  contest_take (&contest, fixture, -1);
  contest_end (&contest, fixture, 3);
}

/* A cloud without revisions: only the look afterwards tells who has it. */
static void
test_without_revisions_it_is_the_last_resort (IpFixture    *fixture,
                                              gconstpointer data)
{
  FakeCloud *fake = fixture->base.provider.fake;
  g_autoptr(OsFloatingIp) theirs = NULL;
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;

  fake_cloud_set_extension (fake, "revision-if-match", FALSE);
  theirs = make_spare (fixture, "");
  environ_fixture_reopen (&fixture->base, "floating-ip-reuse", "any", NULL);
  first = start (fixture);
  g_assert_cmpstr (first, !=, theirs->address);
  fake_cloud_set_quota (fake, "demo", "floatingip", 2);
  second = start (fixture);
  g_assert_cmpstr (second, ==, theirs->address);
}

static const FakeRule forbidden = {
  .method = "POST", .path = FLOATING_IPS, .times = -1, .action = FAKE_FAIL, .status = 403,
  .body = "{\"NeutronError\": {\"type\": \"PolicyNotAuthorized\", "
          "\"message\": \"(rule:create_floatingip) is disallowed by policy\"}}",
};

static void
test_free_ones_are_used_and_none_is_asked_for (IpFixture    *fixture,
                                               gconstpointer data)
{
  static const char *const changes[] = { "{'port_id': null}", "{'port_id': ''}" };
  FakeCloud *fake = fixture->base.provider.fake;

  environ_fixture_reopen (&fixture->base, "floating-ip-reuse", "any", NULL);
  g_free (start (fixture));
  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      g_autoptr(OsFloatingIp) spare = make_spare (fixture, "");
      g_autofree char *address = NULL;
      guint n_made = count_made (fixture);

      fake_cloud_update (fake, "floatingip", spare->id, changes[i]);
      fake_cloud_add_rule (fake, &forbidden);
      environ_fixture_reopen (&fixture->base, "floating-ip-reuse", "any", NULL);
      address = start (fixture);
      g_assert_cmpstr (address, ==, spare->address);
      g_assert_cmpuint (count_made (fixture), ==, n_made);
      fake_cloud_clear_rules (fake);
    }
}

/* Neither the first of the list nor the last. Of those that are in use none is even looked at. */
static void
test_free_one_among_others_is_the_one_that_is_taken (IpFixture    *fixture,
                                                     gconstpointer data)
{
  g_autoptr(OsFloatingIp) spare = NULL;
  g_autofree char *address = NULL;
  g_autofree char *path = NULL;
  guint looks;

  environ_fixture_reopen (&fixture->base, "floating-ip-reuse", "never", NULL);
  g_free (start (fixture));
  spare = make_spare (fixture, "");
  g_free (start (fixture));
  environ_fixture_reopen (&fixture->base, "floating-ip-reuse", "any", NULL);
  looks = environ_fixture_count_requests (&fixture->base, "GET", "*/floatingips/*");
  address = start (fixture);
  g_assert_cmpstr (address, ==, spare->address);

  path = g_strdup_printf ("*/floatingips/%s", spare->id);
  looks = environ_fixture_count_requests (&fixture->base, "GET", "*/floatingips/*") - looks;
  g_assert_cmpuint (looks, >, 0);
  g_assert_cmpuint (environ_fixture_count_requests (&fixture->base, "GET", path), ==, looks);
}

static void
test_refusal_counts_and_names_the_setting (IpFixture    *fixture,
                                           gconstpointer data)
{
  static const struct
  {
    const char *reuse;
    guint       n_spare;
    const char *hint;
  } cases[] = {
    { "any", 0, "The project has 0 floating IPs, 0 of them unused: release some" },
    { "owned", 1, "The project has 1 floating IPs, 1 of them unused: set \"floating-ip-reuse: "
                  "any\" to take those" },
    { "never", 0, "The project has 1 floating IPs, 1 of them unused: set" },
  };
  FakeCloud *fake = fixture->base.provider.fake;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(WelkinStartResult) result = NULL;
      g_autoptr(GError) error = NULL;

      if (cases[i].n_spare > 0)
        os_floating_ip_free (make_spare (fixture, ""));
      fake_cloud_add_rule (fake, &forbidden);
      environ_fixture_reopen (&fixture->base, "floating-ip-reuse", cases[i].reuse, NULL);
      result = environ_fixture_start (&fixture->base, fixture->base.environ, "0", NULL, &error);
      g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_FORBIDDEN);
      g_test_message ("%s: %s", error->message, welkin_error_get_hint (error));
      g_assert_nonnull (strstr (error->message, "cannot allocate a floating IP: "));
      g_assert_nonnull (strstr (error->message, "is disallowed by policy"));
      g_assert_true (g_str_has_prefix (welkin_error_get_hint (error), cases[i].hint));
      fake_cloud_clear_rules (fake);
    }
}

/* What earlier starts left over counts as well, until it is swept. */
static void
test_shortage_sweeps_what_was_left_over (IpFixture    *fixture,
                                         gconstpointer data)
{
  FakeCloud *fake = fixture->base.provider.fake;
  g_autofree char *port = NULL;
  g_autoptr(OsFloatingIp) orphan = NULL;
  g_autoptr(OsFloatingIp) after = NULL;
  g_autoptr(WelkinStartResult) refused = NULL;
  g_autoptr(WelkinStartResult) result = NULL;
  g_autoptr(GError) error = NULL;

  orphan = make_spare_of_ours (fixture);
  port = g_strdup_printf ("{'name': 'orphan', 'network': 'private', 'description': '%s'}",
                          orphan->description);
  fake_cloud_add (fake, "port", port);
  fake_cloud_set_quota (fake, "demo", "floatingip", 1);

  /* It may be that of another host, which is about to make a server. */
  environ_fixture_reopen (&fixture->base, "floating-ip-reuse", "never", NULL);
  refused = environ_fixture_start (&fixture->base, fixture->base.environ, "0", NULL, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_QUOTA_EXCEEDED);
  after = load (fixture, orphan);
  g_assert_nonnull (after);
  g_clear_error (&error);

  /* It is old, but this environment has looked a moment ago. */
  fake_cloud_update (fake, "floatingip", orphan->id, "{'updated_at': '2020-01-01T00:00:00Z'}");
  fake_cloud_update (fake, "port", "orphan", "{'updated_at': '2020-01-01T00:00:00Z'}");
  refused = environ_fixture_start (&fixture->base, fixture->base.environ, "0", NULL, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_QUOTA_EXCEEDED);
  g_clear_error (&error);

  environ_fixture_reopen (&fixture->base, "floating-ip-reuse", "never", NULL);
  result = environ_fixture_start (&fixture->base, fixture->base.environ, "0", NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (result);
  g_clear_pointer (&after, os_floating_ip_free);
  after = load (fixture, orphan);
  g_assert_null (after);
  g_assert_null (fake_cloud_find (fake, "port", "orphan"));
}

static void
test_shortage_of_ports_sweeps_as_well (IpFixture    *fixture,
                                       gconstpointer data)
{
  FakeCloud *fake = fixture->base.provider.fake;
  g_autofree char *port = g_strdup_printf (
    "{'name': 'orphan', 'network': 'private', 'description': 'welkin env=%s machine=9 start=x/1'}",
    fixture->base.provider.uuid);
  g_autofree char *group = g_strdup_printf (
    "{'name': 'orphan', 'project': 'demo', 'description': 'welkin env=%s machine=9 start=x/1'}",
    fixture->base.provider.uuid);
  g_autoptr(WelkinStartResult) result = NULL;

  fake_cloud_add (fake, "port", port);
  fake_cloud_update (fake, "port", "orphan", "{'updated_at': '2020-01-01T00:00:00Z'}");
  /* Somebody may be about to use it, however old it is. */
  fake_cloud_add (fake, "security_group", group);
  fake_cloud_update (fake, "security_group", "orphan", "{'created_at': '2020-01-01T00:00:00Z'}");
  /* The router has two. */
  fake_cloud_set_quota (fake, "demo", "port", 3);
  result = environ_fixture_assert_starts (&fixture->base, "0", NULL);
  g_assert_null (fake_cloud_find (fake, "port", "orphan"));
  g_assert_nonnull (fake_cloud_find (fake, "security_group", "orphan"));
}

/* The first network has no router. */
static void
test_address_leads_to_the_network_with_a_way_outside (IpFixture    *fixture,
                                                      gconstpointer data)
{
  FakeCloud *fake = fixture->base.provider.fake;
  g_autoptr(WelkinStartResult) result = NULL;
  GPtrArray *interfaces;

  fake_cloud_add (fake, "network", "{'name': 'inner', 'project': 'demo'}");
  fake_cloud_add (fake, "subnet", "{'network': 'inner', 'cidr': '10.77.0.0/24'}");
  environ_fixture_reopen (&fixture->base, "network", "inner, private", NULL);
  result = environ_fixture_assert_starts (&fixture->base, "0", NULL);
  interfaces = welkin_start_result_get_network_interfaces (result);
  g_assert_cmpuint (interfaces->len, ==, 2);
  for (guint i = 0; i < interfaces->len; i++)
    {
      GPtrArray *addresses =
        welkin_network_interface_get_addresses (g_ptr_array_index (interfaces, i));
      WelkinAddress *last = g_ptr_array_index (addresses, addresses->len - 1);

      g_assert_cmpint (welkin_address_get_scope (last) == WELKIN_SCOPE_PUBLIC, ==, i == 1);
    }
}

/* Nova makes the ports, because we may not. */

static const FakeRule no_ports = {
  .method = "POST", .path = "/network/v2.0/ports", .times = -1, .action = FAKE_FAIL,
  .status = 403,
  .body = "{\"NeutronError\": {\"type\": \"PolicyNotAuthorized\", "
          "\"message\": \"(rule:create_port) is disallowed by policy\"}}",
};

static const FakeRule not_ready = {
  .method = "POST", .path = FLOATING_IPS, .times = 1, .action = FAKE_FAIL, .status = 400,
  .body = "{\"NeutronError\": {\"type\": \"BadRequest\", \"message\": "
          "\"Bad floatingip request: Cannot add floating IP to port\"}}",
};

/* Nor is it tried again where a port that is new could be why. */
static void
test_network_without_a_way_outside_is_explained (IpFixture    *fixture,
                                                 gconstpointer data)
{
  FakeCloud *fake = fixture->base.provider.fake;

  fake_cloud_add (fake, "network", "{'name': 'inner', 'project': 'demo'}");
  fake_cloud_add (fake, "subnet", "{'network': 'inner', 'cidr': '10.77.0.0/24'}");
  environ_fixture_reopen (&fixture->base, "network", "inner", NULL);
  for (guint i = 1; i <= 2; i++)
    {
      g_autoptr(WelkinStartResult) result = NULL;
      g_autoptr(GError) error = NULL;

      result = environ_fixture_start (&fixture->base, fixture->base.environ, "0", NULL, &error);
      g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT);
      g_assert_nonnull (strstr (error->message, "is not reachable from subnet"));
      g_assert_nonnull (strstr (welkin_error_get_hint (error), "router"));
      g_assert_cmpuint (count_made (fixture), ==, i);
      fake_cloud_add_rule (fake, &no_ports);
    }
}

static void
test_address_waits_for_the_port_of_nova (IpFixture    *fixture,
                                         gconstpointer data)
{
  static const FakeRule unseen = {
    .method = "GET", .path = "/network/v2.0/ports", .times = 2, .action = FAKE_FAIL,
    .status = 200, .body = "{\"ports\": []}",
  };
  FakeCloud *fake = fixture->base.provider.fake;
  g_autoptr(WelkinStartResult) result = NULL;
  g_autofree char *body = NULL;
  g_autofree char *during = NULL;
  const FakeLogEntry *entry;
  GPtrArray *interfaces;

  fake_cloud_add_rule (fake, &no_ports);
  fake_cloud_add_rule (fake, &unseen);
  fake_cloud_add_rule (fake, &not_ready);
  result = environ_fixture_assert_starts (&fixture->base, "0", NULL);

  entry = fake_log_find (fake, "POST", "/compute/v2.1/servers");
  body = g_strndup (g_bytes_get_data (entry->body, NULL), g_bytes_get_size (entry->body));
  g_assert_nonnull (strstr (body, "\"security_groups\""));
  g_assert_nonnull (strstr (body, fake_cloud_find (fake, "network", "private")));
  g_assert_cmpuint (count_made (fixture), ==, 2);
  entry = fake_log_find (fake, "PUT", "/network/v2.0/ports/*");
  g_assert_nonnull (entry);
  interfaces = welkin_start_result_get_network_interfaces (result);
  g_assert_cmpuint (interfaces->len, ==, 1);
  g_assert_true (g_str_has_suffix (
    entry->path, welkin_network_interface_get_id (g_ptr_array_index (interfaces, 0))));
  g_assert_nonnull (
    environ_fixture_find_public (welkin_start_result_get_instance (result)));
  during = environ_fixture_take_inventory (&fixture->base);
  g_assert_nonnull (strstr (during, " machine=0 "));
  environ_fixture_assert_goes (&fixture->base);
}

static void
test_address_that_never_fits_takes_the_machine_along (IpFixture    *fixture,
                                                      gconstpointer data)
{
  FakeCloud *fake = fixture->base.provider.fake;
  FakeRule never_ready = not_ready;
  g_autoptr(WelkinStartResult) result = NULL;
  g_autoptr(GError) error = NULL;

  never_ready.times = -1;
  fake_cloud_add_rule (fake, &no_ports);
  fake_cloud_add_rule (fake, &never_ready);
  result = environ_fixture_start (&fixture->base, fixture->base.environ, "0", NULL, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT);
  g_assert_nonnull (strstr (error->message, "Cannot add floating IP to port"));
  g_assert_cmpuint (count_made (fixture), >, 2);
  fake_cloud_clear_rules (fake);
  environ_fixture_assert_clean (&fixture->base);
}

/* A cloud that keeps even the marks to itself. */
static void
test_ports_of_nova_may_stay_without_a_mark (IpFixture    *fixture,
                                            gconstpointer data)
{
  FakeCloud *fake = fixture->base.provider.fake;
  FakeRule no_marks = no_ports;
  g_autoptr(WelkinStartResult) result = NULL;

  no_marks.method = "PUT";
  no_marks.path = "/network/v2.0/ports/*";
  fake_cloud_add_rule (fake, &no_ports);
  fake_cloud_add_rule (fake, &no_marks);
  g_test_expect_message ("welkin-openstack", G_LOG_LEVEL_MESSAGE, "*neither make nor mark*");
  result = environ_fixture_assert_starts (&fixture->base, "0", NULL);
  g_test_assert_expected_messages ();
  g_assert_nonnull (
    environ_fixture_find_public (welkin_start_result_get_instance (result)));
  environ_fixture_assert_goes (&fixture->base);
}

static void
add (const char *path,
     void      (*test) (IpFixture *, gconstpointer))
{
  g_test_add (path, IpFixture, NULL, set_up, test, tear_down);
}

static void
add_tests_of_the_fake_cloud (void)
{
  add ("/floating-ips/any/is-given-back", test_borrowed_one_is_given_back);
  add ("/floating-ips/any/twice-and-given-back",
       test_one_that_is_borrowed_twice_is_given_back_as_it_was);
  add ("/floating-ips/any/not-what-cannot-be-given-back",
       test_one_that_cannot_be_given_back_is_not_borrowed);
  add ("/floating-ips/any/not-what-cannot-be-noted",
       test_one_of_which_nothing_can_be_noted_is_not_borrowed);
  add ("/floating-ips/any/is-given-back-after-a-failure",
       test_borrowed_one_is_given_back_when_the_start_fails);
  add ("/floating-ips/any/not-of-another-environment",
       test_one_of_another_environment_is_never_taken);
  add ("/floating-ips/any/sixteen-starts", test_sixteen_starts_never_share_an_address);
  add ("/floating-ips/any/last-resort-without-revisions",
       test_without_revisions_it_is_the_last_resort);
  add ("/cases/G42/free-ones-are-used", test_free_ones_are_used_and_none_is_asked_for);
  add ("/cases/G42/refusal-counts", test_refusal_counts_and_names_the_setting);
  add ("/floating-ips/shortage-sweeps", test_shortage_sweeps_what_was_left_over);
  add ("/floating-ips/shortage-of-ports-sweeps", test_shortage_of_ports_sweeps_as_well);
  add ("/floating-ips/several-networks", test_address_leads_to_the_network_with_a_way_outside);
  add ("/defects/17/no-way-outside", test_network_without_a_way_outside_is_explained);
  add ("/cases/G43/address-waits-for-the-port", test_address_waits_for_the_port_of_nova);
  add ("/cases/G43/address-that-never-fits", test_address_that_never_fits_takes_the_machine_along);
  add ("/floating-ips/ports-without-a-mark", test_ports_of_nova_may_stay_without_a_mark);
  add ("/defects/03/free-one-among-others", test_free_one_among_others_is_the_one_that_is_taken);
  add ("/defects/18/taken-by-somebody-else", test_one_that_somebody_else_takes_is_let_go);
  add ("/defects/18/lost-while-the-server-is-built",
       test_one_that_is_lost_while_the_server_is_built_is_replaced);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add ("/floating-ips/owned/is-used-again-and-released",
       test_one_of_ours_is_used_again_and_released);
  add ("/floating-ips/owned/leaves-others-alone", test_those_of_others_are_left_alone_where_owned);
  add ("/floating-ips/dual-stack", test_machine_has_addresses_of_both_families);
  add ("/floating-ips/never", test_none_is_used_again_where_never);
  if (!provider_fixture_is_real ())
    add_tests_of_the_fake_cloud ();

  return provider_fixture_run ();
}
