/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "environ-fixture.h"

#include "operations/ownership.h"
#include "os-environ.h"
#include "services/os-compute.h"
#include "services/os-network-service.h"

#define AUTHORIZED_KEYS \
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEvhWl8MW3UBvKsJpJMNzHWDfDRVZ6PmpTf9Xl8OwLXq test"

/* What is common to the environments of these tests. */
static const char *const basics[] = {
  "network", "private", "use-floating-ip", "true", "authorized-keys", AUTHORIZED_KEYS, NULL,
};

static WelkinConfig *
make_config (EnvironFixture *fixture,
             const char     *uuid,
             va_list         attributes)
{
  WelkinConfig *config = provider_fixture_make_config (&fixture->provider, NULL);
  const char *key;

  for (gsize i = 0; basics[i] != NULL; i += 2)
    {
      g_autoptr(WelkinConfig) former = g_steal_pointer (&config);

      config = welkin_config_with_text (former, basics[i], basics[i + 1], NULL);
    }
  while ((key = va_arg (attributes, const char *)) != NULL)
    {
      g_autoptr(WelkinConfig) former = g_steal_pointer (&config);

      config = welkin_config_with_text (former, key, va_arg (attributes, const char *), NULL);
    }
  if (uuid != NULL)
    {
      g_autoptr(WelkinConfig) former = g_steal_pointer (&config);

      config = welkin_config_with_text (former, "uuid", uuid, NULL);
    }
  return config;
}

static WelkinEnviron *
open_environ (EnvironFixture *fixture,
              const char     *uuid,
              va_list         attributes)
{
  g_autoptr(WelkinConfig) config = make_config (fixture, uuid, attributes);
  g_autoptr(GError) error = NULL;
  WelkinEnviron *environ = os_environ_new (config, fixture->provider.surroundings, &error);

  g_assert_no_error (error);
  return environ;
}

WelkinEnviron *
environ_fixture_open (EnvironFixture *fixture,
                      ...)
{
  g_autofree char *uuid = g_uuid_string_random ();
  WelkinEnviron *environ;
  va_list attributes;

  va_start (attributes, fixture);
  environ = open_environ (fixture, uuid, attributes);
  va_end (attributes);
  return environ;
}

void
environ_fixture_reopen (EnvironFixture *fixture,
                        ...)
{
  va_list attributes;

  g_clear_object (&fixture->environ);
  va_start (attributes, fixture);
  fixture->environ = open_environ (fixture, NULL, attributes);
  va_end (attributes);
}

void
environ_fixture_set_up (EnvironFixture *fixture,
                        gconstpointer   data)
{
  provider_fixture_set_up (&fixture->provider, data);
  environ_fixture_reopen (fixture, NULL);
  fixture->before = environ_fixture_take_inventory (fixture);
}

void
environ_fixture_tear_down (EnvironFixture *fixture,
                           gconstpointer   data)
{
  /* Nothing of a test that failed stays on a real cloud. */
  if (fixture->provider.fake == NULL && fixture->environ != NULL)
    environ_fixture_destroy (fixture, fixture->environ, NULL);
  g_clear_pointer (&fixture->before, g_free);
  g_clear_object (&fixture->environ);
  provider_fixture_tear_down (&fixture->provider, data);
}

void
environ_fixture_add_test (const char *path,
                          void      (*test) (EnvironFixture *, gconstpointer))
{
  g_test_add (path, EnvironFixture, NULL, environ_fixture_set_up, test, environ_fixture_tear_down);
}

static void
set_up_nova (EnvironFixture *fixture,
             gconstpointer   data)
{
  environ_fixture_set_up (fixture, data);
  if (fixture->provider.fake != NULL)
    fake_cloud_set (fixture->provider.fake, "nova-network", TRUE);
}

void
environ_fixture_add_nova_test (const char *path,
                               void      (*test) (EnvironFixture *, gconstpointer))
{
  g_test_add (path, EnvironFixture, NULL, set_up_nova, test, environ_fixture_tear_down);
}

void
environ_fixture_add_free_ip (EnvironFixture *fixture)
{
  g_autofree char *ip =
    g_strdup_printf ("{'project': 'demo', 'floating_network_id': '%s'}",
                     fake_cloud_find (fixture->provider.fake, "network", "public"));

  fake_cloud_add (fixture->provider.fake, "floatingip", ip);
}

WelkinStartParams *
environ_fixture_make_params (const char *machine_id,
                             const char *constraints)
{
  g_autofree char *start_id = g_uuid_string_random ();
  g_autofree char *nonce = g_strdup_printf ("machine-0:%s", start_id);
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinMachineConfig) config =
    welkin_machine_config_new (machine_id, nonce, NULL, FALSE, &error);
  g_autoptr(WelkinStartParams) params = NULL;
  g_autoptr(WelkinConstraints) parsed = NULL;

  g_assert_no_error (error);
  params = welkin_start_params_new (start_id, config);
  parsed = welkin_constraints_new_parsed (constraints != NULL ? constraints : "", &error);
  g_assert_no_error (error);
  return welkin_start_params_with_constraints (params, parsed);
}

WelkinStartResult *
environ_fixture_start (EnvironFixture *fixture,
                       WelkinEnviron  *environ,
                       const char     *machine_id,
                       const char     *constraints,
                       GError        **error)
{
  g_autoptr(WelkinStartParams) params = environ_fixture_make_params (machine_id, constraints);

  return environ_fixture_start_params (fixture, environ, params, error);
}

WelkinStartResult *
environ_fixture_start_params (EnvironFixture    *fixture,
                              WelkinEnviron     *environ,
                              WelkinStartParams *params,
                              GError           **error)
{
  welkin_environ_start_instance_async (environ, params, NULL, NULL, provider_fixture_done_cb,
                                       &fixture->provider);
  return welkin_environ_start_instance_finish (environ, provider_fixture_wait (&fixture->provider),
                                               error);
}

gboolean
environ_fixture_stop (EnvironFixture     *fixture,
                      WelkinEnviron      *environ,
                      const char * const *ids,
                      GError            **error)
{
  welkin_environ_stop_instances_async (environ, ids, NULL, NULL, provider_fixture_done_cb,
                                       &fixture->provider);
  return welkin_environ_stop_instances_finish (environ, provider_fixture_wait (&fixture->provider),
                                               error);
}

gboolean
environ_fixture_destroy (EnvironFixture *fixture,
                         WelkinEnviron  *environ,
                         GError        **error)
{
  welkin_environ_destroy_async (environ, NULL, NULL, provider_fixture_done_cb, &fixture->provider);
  return welkin_environ_destroy_finish (environ, provider_fixture_wait (&fixture->provider), error);
}

guint
environ_fixture_count_requests (EnvironFixture *fixture,
                                const char     *method,
                                const char     *path)
{
  return fake_log_count (fixture->provider.fake, method, path);
}

guint
environ_fixture_count_lines (EnvironFixture *fixture,
                             const char     *start)
{
  g_autofree char *inventory = environ_fixture_take_inventory (fixture);
  g_auto(GStrv) lines = g_strsplit (inventory, "\n", -1);
  guint n = 0;

  for (gsize i = 0; lines[i] != NULL; i++)
    {
      if (g_str_has_prefix (lines[i], start))
        n++;
    }
  return n;
}

WelkinStartResult *
environ_fixture_assert_starts (EnvironFixture *fixture,
                               const char     *machine_id,
                               const char     *constraints)
{
  g_autoptr(GError) error = NULL;
  WelkinStartResult *result =
    environ_fixture_start (fixture, fixture->environ, machine_id, constraints, &error);

  g_assert_no_error (error);
  g_assert_nonnull (result);
  return result;
}

void
environ_fixture_assert_stops (EnvironFixture *fixture,
                              const char     *id)
{
  const char *ids[] = { id, NULL };
  g_autoptr(GError) error = NULL;
  gboolean has_stopped = environ_fixture_stop (fixture, fixture->environ, ids, &error);

  g_assert_no_error (error);
  g_assert_true (has_stopped);
}

void
environ_fixture_assert_goes (EnvironFixture *fixture)
{
  g_autoptr(GError) error = NULL;
  gboolean is_gone = environ_fixture_destroy (fixture, fixture->environ, &error);

  g_assert_no_error (error);
  g_assert_true (is_gone);
  environ_fixture_assert_clean (fixture);
}

GPtrArray *
environ_fixture_list (EnvironFixture *fixture,
                      WelkinEnviron  *environ,
                      GError        **error)
{
  welkin_environ_list_instances_async (environ, NULL, provider_fixture_done_cb, &fixture->provider);
  return welkin_environ_list_instances_finish (environ, provider_fixture_wait (&fixture->provider),
                                               error);
}

WelkinAddress *
environ_fixture_find_public (WelkinInstance *instance)
{
  return welkin_address_select_public (welkin_instance_get_addresses (instance));
}

/* Many at once. */

static void
one_started_cb (GObject      *source,
                GAsyncResult *result,
                gpointer      user_data)
{
  EnvironCrowd *crowd = user_data;
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartResult) started =
    welkin_environ_start_instance_finish (WELKIN_ENVIRON (source), result, &error);
  WelkinInstance *instance;
  WelkinAddress *address;

  g_assert_no_error (error);
  instance = welkin_start_result_get_instance (started);
  address = environ_fixture_find_public (instance);
  g_ptr_array_add (crowd->ids, g_strdup (welkin_instance_get_id (instance)));
  g_hash_table_add (crowd->addresses, g_strdup (welkin_address_get_value (address)));
  crowd->n_left--;
}

void
environ_crowd_init (EnvironCrowd *crowd)
{
  crowd->n_left = 0;
  crowd->ids = g_ptr_array_new_with_free_func (g_free);
  crowd->addresses = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

void
environ_crowd_add (EnvironCrowd      *crowd,
                   WelkinEnviron     *environ,
                   WelkinStartParams *params)
{
  crowd->n_left++;
  welkin_environ_start_instance_async (environ, params, NULL, NULL, one_started_cb, crowd);
}

void
environ_crowd_wait (EnvironCrowd *crowd)
{
  while (crowd->n_left > 0)
    g_main_context_iteration (NULL, TRUE);
}

void
environ_crowd_clear (EnvironCrowd *crowd)
{
  g_ptr_array_unref (crowd->ids);
  g_hash_table_unref (crowd->addresses);
}

void
environ_crowd_start (EnvironCrowd   *crowd,
                     EnvironFixture *fixture,
                     guint           n)
{
  environ_crowd_init (crowd);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *machine_id = g_strdup_printf ("%u", i);
      g_autoptr(WelkinStartParams) params = environ_fixture_make_params (machine_id, NULL);

      environ_crowd_add (crowd, fixture->environ, params);
    }
  environ_crowd_wait (crowd);
}

/* What a real cloud holds of an environment. */

static void
add_line (GPtrArray  *lines,
          const char *what,
          const char *mark,
          const char *uuid)
{
  if (mark != NULL && strstr (mark, uuid) != NULL)
    g_ptr_array_add (lines, g_strdup_printf ("%s %s\n", what, mark));
}

static int
compare_lines (gconstpointer a,
               gconstpointer b)
{
  return g_strcmp0 (*(const char *const *) a, *(const char *const *) b);
}

static void
add_servers (EnvironFixture *fixture,
             OsClient       *client,
             GPtrArray      *lines)
{
  g_autoptr(OsCompute) compute = os_compute_new (client);
  g_autoptr(GError) error = NULL;
  g_autoptr(GPtrArray) servers = NULL;

  os_compute_list_servers_async (compute, NULL, NULL, NULL, NULL, provider_fixture_done_cb,
                                 &fixture->provider);
  servers =
    os_compute_list_servers_finish (compute, provider_fixture_wait (&fixture->provider), &error);
  g_assert_no_error (error);
  for (guint i = 0; i < servers->len; i++)
    add_line (lines, "server",
              os_server_get_metadata (g_ptr_array_index (servers, i), OS_METADATA_ENVIRON_UUID),
              fixture->provider.uuid);
}

static void
add_network_things (EnvironFixture *fixture,
                    OsClient       *client,
                    GPtrArray      *lines)
{
  g_autoptr(OsNetworkService) service = os_network_service_new (client);
  g_autoptr(GError) error = NULL;
  g_autoptr(GPtrArray) ports = NULL;
  g_autoptr(GPtrArray) ips = NULL;
  g_autoptr(GPtrArray) groups = NULL;

  os_network_service_list_ports_async (service, NULL, NULL, provider_fixture_done_cb,
                                       &fixture->provider);
  ports = os_network_service_list_ports_finish (service, provider_fixture_wait (&fixture->provider),
                                                &error);
  g_assert_no_error (error);
  os_network_service_list_floating_ips_async (service, NULL, NULL, provider_fixture_done_cb,
                                              &fixture->provider);
  ips = os_network_service_list_floating_ips_finish (
    service, provider_fixture_wait (&fixture->provider), &error);
  g_assert_no_error (error);
  os_firewall_list_groups_async (OS_FIREWALL (service), NULL, NULL, provider_fixture_done_cb,
                                 &fixture->provider);
  groups = os_firewall_list_groups_finish (OS_FIREWALL (service),
                                           provider_fixture_wait (&fixture->provider), &error);
  g_assert_no_error (error);

  for (guint i = 0; i < ports->len; i++)
    add_line (lines, "port", ((OsPort *) g_ptr_array_index (ports, i))->description,
              fixture->provider.uuid);
  for (guint i = 0; i < ips->len; i++)
    add_line (lines, "floating IP", ((OsFloatingIp *) g_ptr_array_index (ips, i))->description,
              fixture->provider.uuid);
  for (guint i = 0; i < groups->len; i++)
    add_line (lines, "group", ((OsSecurityGroup *) g_ptr_array_index (groups, i))->description,
              fixture->provider.uuid);
}

char *
environ_fixture_take_inventory (EnvironFixture *fixture)
{
  g_autoptr(GPtrArray) lines = NULL;
  g_autoptr(OsClient) client = NULL;

  if (fixture->provider.fake != NULL)
    return fake_cloud_dump_inventory (fixture->provider.fake, "demo");

  lines = g_ptr_array_new_with_free_func (g_free);
  client = provider_fixture_make_client (&fixture->provider, NULL);
  add_servers (fixture, client, lines);
  add_network_things (fixture, client, lines);
  g_ptr_array_sort (lines, compare_lines);
  g_ptr_array_add (lines, NULL);
  return g_strjoinv ("", (char **) lines->pdata);
}

void
environ_fixture_assert_clean (EnvironFixture *fixture)
{
  g_autofree char *after = environ_fixture_take_inventory (fixture);

  g_assert_cmpstr (after, ==, fixture->before);
}
