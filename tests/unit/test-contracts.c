/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* That a call which a type does not implement says so, and does nothing
 * worse. */

#include <welkin.h>

#define TEST_TYPE_BARE (test_bare_get_type ())
G_DECLARE_FINAL_TYPE (TestBare, test_bare, TEST, BARE, GObject)

/* Promises everything and implements nothing. */
struct _TestBare
{
  GObject parent_instance;
};

static void
bare_init (gpointer iface,
           gpointer iface_data)
{
}

G_DEFINE_FINAL_TYPE_WITH_CODE (TestBare, test_bare, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (WELKIN_TYPE_PROVIDER, bare_init)
                               G_IMPLEMENT_INTERFACE (WELKIN_TYPE_ENVIRON, bare_init)
                               G_IMPLEMENT_INTERFACE (WELKIN_TYPE_INSTANCE, bare_init)
                               G_IMPLEMENT_INTERFACE (WELKIN_TYPE_STORAGE, bare_init)
                               G_IMPLEMENT_INTERFACE (WELKIN_TYPE_DATA_SOURCE, bare_init)
                               G_IMPLEMENT_INTERFACE (WELKIN_TYPE_REGIONAL, bare_init)
                               G_IMPLEMENT_INTERFACE (WELKIN_TYPE_ZONED, bare_init)
                               G_IMPLEMENT_INTERFACE (WELKIN_TYPE_IMAGE_SOURCES, bare_init)
                               G_IMPLEMENT_INTERFACE (WELKIN_TYPE_TOOLS_SOURCES, bare_init)
                               G_IMPLEMENT_INTERFACE (WELKIN_TYPE_PRECHECKER, bare_init)
                               G_IMPLEMENT_INTERFACE (WELKIN_TYPE_CONSTRAINED, bare_init)
                               G_IMPLEMENT_INTERFACE (WELKIN_TYPE_MAINTAINER, bare_init)
                               G_IMPLEMENT_INTERFACE (WELKIN_TYPE_RECONCILER, bare_init))

static void
test_bare_class_init (TestBareClass *klass)
{
}

static void
test_bare_init (TestBare *self)
{
}

static GAsyncResult *last_result;

static void
done_cb (GObject      *source,
         GAsyncResult *result,
         gpointer      user_data)
{
  last_result = g_object_ref (result);
}

/* The callback comes later, from the main context, as with any other call. */
static GAsyncResult *
wait_for_result (void)
{
  g_assert_null (last_result);
  while (last_result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return g_steal_pointer (&last_result);
}

static void
assert_refused (GError     *error,
                const char *operation)
{
  g_autofree char *expected = g_strdup_printf ("the provider does not support \"%s\"", operation);

  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_SUPPORTED);
  g_assert_cmpstr (error->message, ==, expected);
  g_error_free (error);
}

static void
test_environments_refuse_what_they_lack (void)
{
  g_autoptr(TestBare) bare = g_object_new (TEST_TYPE_BARE, NULL);
  g_autoptr(GAsyncResult) result = NULL;
  GError *error = NULL;
  const char *ids[] = { "id", NULL };

  welkin_environ_verify_async (WELKIN_ENVIRON (bare), NULL, NULL, done_cb, NULL);
  result = wait_for_result ();
  g_assert_false (welkin_environ_verify_finish (WELKIN_ENVIRON (bare), result, &error));
  assert_refused (g_steal_pointer (&error), "verify");
  g_clear_object (&result);

  welkin_environ_stop_instances_async (WELKIN_ENVIRON (bare), ids, NULL, NULL, done_cb, NULL);
  result = wait_for_result ();
  g_assert_false (welkin_environ_stop_instances_finish (WELKIN_ENVIRON (bare), result, &error));
  assert_refused (g_steal_pointer (&error), "stop-instances");
  g_clear_object (&result);

  welkin_environ_find_instances_async (WELKIN_ENVIRON (bare), ids, NULL, done_cb, NULL);
  result = wait_for_result ();
  g_assert_null (welkin_environ_find_instances_finish (WELKIN_ENVIRON (bare), result, &error));
  assert_refused (g_steal_pointer (&error), "find-instances");
  g_clear_object (&result);

  welkin_environ_list_instances_async (WELKIN_ENVIRON (bare), NULL, done_cb, NULL);
  result = wait_for_result ();
  g_assert_null (welkin_environ_list_instances_finish (WELKIN_ENVIRON (bare), result, &error));
  assert_refused (g_steal_pointer (&error), "list-instances");
  g_clear_object (&result);

  welkin_environ_destroy_async (WELKIN_ENVIRON (bare), NULL, NULL, done_cb, NULL);
  result = wait_for_result ();
  g_assert_false (welkin_environ_destroy_finish (WELKIN_ENVIRON (bare), result, &error));
  assert_refused (g_steal_pointer (&error), "destroy");
  g_clear_object (&result);
}

static void
test_environments_refuse_ports (void)
{
  g_autoptr(TestBare) bare = g_object_new (TEST_TYPE_BARE, NULL);
  g_autoptr(GAsyncResult) result = NULL;
  GError *error = NULL;
  g_autoptr(GPtrArray) ranges = g_ptr_array_new ();

  welkin_environ_open_ports_async (WELKIN_ENVIRON (bare), ranges, NULL, done_cb, NULL);
  result = wait_for_result ();
  g_assert_false (welkin_environ_open_ports_finish (WELKIN_ENVIRON (bare), result, &error));
  assert_refused (g_steal_pointer (&error), "open-ports");
  g_clear_object (&result);

  welkin_environ_close_ports_async (WELKIN_ENVIRON (bare), ranges, NULL, done_cb, NULL);
  result = wait_for_result ();
  g_assert_false (welkin_environ_close_ports_finish (WELKIN_ENVIRON (bare), result, &error));
  assert_refused (g_steal_pointer (&error), "close-ports");
  g_clear_object (&result);

  welkin_environ_list_ports_async (WELKIN_ENVIRON (bare), NULL, done_cb, NULL);
  result = wait_for_result ();
  g_assert_null (welkin_environ_list_ports_finish (WELKIN_ENVIRON (bare), result, &error));
  assert_refused (g_steal_pointer (&error), "list-ports");
  g_clear_object (&result);
}

static void
test_instances_refuse_what_they_lack (void)
{
  g_autoptr(TestBare) bare = g_object_new (TEST_TYPE_BARE, NULL);
  g_autoptr(GAsyncResult) result = NULL;
  GError *error = NULL;
  g_autoptr(GPtrArray) ranges = g_ptr_array_new ();

  welkin_instance_refresh_async (WELKIN_INSTANCE (bare), NULL, done_cb, NULL);
  result = wait_for_result ();
  g_assert_false (welkin_instance_refresh_finish (WELKIN_INSTANCE (bare), result, &error));
  assert_refused (g_steal_pointer (&error), "refresh");
  g_clear_object (&result);

  welkin_instance_open_ports_async (WELKIN_INSTANCE (bare), ranges, NULL, done_cb, NULL);
  result = wait_for_result ();
  g_assert_false (welkin_instance_open_ports_finish (WELKIN_INSTANCE (bare), result, &error));
  assert_refused (g_steal_pointer (&error), "open-ports");
  g_clear_object (&result);

  welkin_instance_close_ports_async (WELKIN_INSTANCE (bare), ranges, NULL, done_cb, NULL);
  result = wait_for_result ();
  g_assert_false (welkin_instance_close_ports_finish (WELKIN_INSTANCE (bare), result, &error));
  assert_refused (g_steal_pointer (&error), "close-ports");
  g_clear_object (&result);

  welkin_instance_list_ports_async (WELKIN_INSTANCE (bare), NULL, done_cb, NULL);
  result = wait_for_result ();
  g_assert_null (welkin_instance_list_ports_finish (WELKIN_INSTANCE (bare), result, &error));
  assert_refused (g_steal_pointer (&error), "list-ports");
  g_clear_object (&result);
}

static void
test_storages_refuse_what_they_lack (void)
{
  g_autoptr(TestBare) bare = g_object_new (TEST_TYPE_BARE, NULL);
  g_autoptr(GAsyncResult) result = NULL;
  GError *error = NULL;
  g_autoptr(GBytes) contents = g_bytes_new_static ("x", 1);
  GDateTime *expires = NULL;

  welkin_storage_get_async (WELKIN_STORAGE (bare), "name", WELKIN_STORAGE_NONE, NULL, done_cb,
                            NULL);
  result = wait_for_result ();
  g_assert_null (welkin_storage_get_finish (WELKIN_STORAGE (bare), result, &error));
  assert_refused (g_steal_pointer (&error), "get");
  g_clear_object (&result);

  welkin_storage_load_async (WELKIN_STORAGE (bare), "name", WELKIN_STORAGE_NONE, NULL, done_cb,
                             NULL);
  result = wait_for_result ();
  g_assert_null (welkin_storage_load_finish (WELKIN_STORAGE (bare), result, &error));
  assert_refused (g_steal_pointer (&error), "get");
  g_clear_object (&result);

  welkin_storage_save_async (WELKIN_STORAGE (bare), "name", contents, WELKIN_STORAGE_NONE, NULL,
                             done_cb, NULL);
  result = wait_for_result ();
  g_assert_false (welkin_storage_save_finish (WELKIN_STORAGE (bare), result, &error));
  assert_refused (g_steal_pointer (&error), "put");
  g_clear_object (&result);

  welkin_storage_list_async (WELKIN_STORAGE (bare), "", NULL, done_cb, NULL);
  result = wait_for_result ();
  g_assert_null (welkin_storage_list_finish (WELKIN_STORAGE (bare), result, &error));
  assert_refused (g_steal_pointer (&error), "list");
  g_clear_object (&result);

  welkin_storage_remove_async (WELKIN_STORAGE (bare), "name", NULL, done_cb, NULL);
  result = wait_for_result ();
  g_assert_false (welkin_storage_remove_finish (WELKIN_STORAGE (bare), result, &error));
  assert_refused (g_steal_pointer (&error), "remove");
  g_clear_object (&result);

  welkin_storage_remove_all_async (WELKIN_STORAGE (bare), NULL, done_cb, NULL);
  result = wait_for_result ();
  g_assert_false (welkin_storage_remove_all_finish (WELKIN_STORAGE (bare), result, &error));
  assert_refused (g_steal_pointer (&error), "remove-all");
  g_clear_object (&result);

  welkin_storage_get_uri_async (WELKIN_STORAGE (bare), "name", NULL, done_cb, NULL);
  result = wait_for_result ();
  g_assert_null (welkin_storage_get_uri_finish (WELKIN_STORAGE (bare), result, &expires, &error));
  g_assert_null (expires);
  assert_refused (g_steal_pointer (&error), "get-uri");
  g_clear_object (&result);
}

static void
test_data_sources_refuse_what_they_lack (void)
{
  g_autoptr(TestBare) bare = g_object_new (TEST_TYPE_BARE, NULL);
  g_autoptr(GAsyncResult) result = NULL;
  GError *error = NULL;
  g_autofree char *uri = welkin_data_source_get_uri (WELKIN_DATA_SOURCE (bare), "path");

  g_assert_cmpstr (uri, ==, "path");
  welkin_data_source_fetch_async (WELKIN_DATA_SOURCE (bare), "path", NULL, done_cb, NULL);
  result = wait_for_result ();
  g_assert_null (welkin_data_source_fetch_finish (WELKIN_DATA_SOURCE (bare), result, &error));
  assert_refused (g_steal_pointer (&error), "fetch");
  g_clear_object (&result);

  welkin_data_source_open_async (WELKIN_DATA_SOURCE (bare), "path", NULL, done_cb, NULL);
  result = wait_for_result ();
  g_assert_null (welkin_data_source_open_finish (WELKIN_DATA_SOURCE (bare), result, &error));
  assert_refused (g_steal_pointer (&error), "open");
  g_clear_object (&result);
}

static void
test_reconcilers_refuse_what_they_lack (void)
{
  g_autoptr(TestBare) bare = g_object_new (TEST_TYPE_BARE, NULL);
  g_autoptr(GAsyncResult) result = NULL;
  GError *error = NULL;
  g_autoptr(WelkinLeftover) leftover =
    welkin_leftover_new (WELKIN_LEFTOVER_PORT, "17ab", NULL, NULL, NULL, NULL, TRUE, "a test");
  const char *ids[] = { "id", NULL };

  welkin_reconciler_list_leftovers_async (WELKIN_RECONCILER (bare), ids, NULL, done_cb, NULL);
  result = wait_for_result ();
  g_assert_null (welkin_reconciler_list_leftovers_finish (WELKIN_RECONCILER (bare), result,
                                                          &error));
  assert_refused (g_steal_pointer (&error), "list-leftovers");
  g_clear_object (&result);

  welkin_reconciler_remove_leftover_async (WELKIN_RECONCILER (bare), leftover, NULL, done_cb,
                                           NULL);
  result = wait_for_result ();
  g_assert_false (welkin_reconciler_remove_leftover_finish (WELKIN_RECONCILER (bare), result,
                                                            &error));
  assert_refused (g_steal_pointer (&error), "remove-leftover");
  g_clear_object (&result);
}

static void
test_optional_interfaces_refuse_what_they_lack (void)
{
  g_autoptr(TestBare) bare = g_object_new (TEST_TYPE_BARE, NULL);
  g_autoptr(GAsyncResult) result = NULL;
  GError *error = NULL;
  g_autoptr(WelkinConstraints) constraints = welkin_constraints_new ();
  g_autoptr(WelkinMachineConfig) config = welkin_machine_config_new ("3", "n", NULL, FALSE, NULL);
  g_autoptr(WelkinStartParams) params = welkin_start_params_new ("start", config);

  welkin_zoned_list_zones_async (WELKIN_ZONED (bare), NULL, done_cb, NULL);
  result = wait_for_result ();
  g_assert_null (welkin_zoned_list_zones_finish (WELKIN_ZONED (bare), result, &error));
  assert_refused (g_steal_pointer (&error), "list-zones");
  g_clear_object (&result);

  welkin_image_sources_get_async (WELKIN_IMAGE_SOURCES (bare), NULL, done_cb, NULL);
  result = wait_for_result ();
  g_assert_null (welkin_image_sources_get_finish (WELKIN_IMAGE_SOURCES (bare), result, &error));
  assert_refused (g_steal_pointer (&error), "get");
  g_clear_object (&result);

  welkin_tools_sources_get_async (WELKIN_TOOLS_SOURCES (bare), NULL, done_cb, NULL);
  result = wait_for_result ();
  g_assert_null (welkin_tools_sources_get_finish (WELKIN_TOOLS_SOURCES (bare), result, &error));
  assert_refused (g_steal_pointer (&error), "get");
  g_clear_object (&result);

  welkin_prechecker_precheck_async (WELKIN_PRECHECKER (bare), "noble", constraints, NULL, NULL,
                                    NULL, done_cb, NULL);
  result = wait_for_result ();
  g_assert_false (welkin_prechecker_precheck_finish (WELKIN_PRECHECKER (bare), result, &error));
  assert_refused (g_steal_pointer (&error), "precheck");
  g_clear_object (&result);

  welkin_constrained_load_validator_async (WELKIN_CONSTRAINED (bare), NULL, NULL, NULL, done_cb,
                                           NULL);
  result = wait_for_result ();
  g_assert_null (welkin_constrained_load_validator_finish (WELKIN_CONSTRAINED (bare), result,
                                                           &error));
  assert_refused (g_steal_pointer (&error), "load-validator");
  g_clear_object (&result);

  welkin_maintainer_maintain_async (WELKIN_MAINTAINER (bare), "3", WELKIN_INSTANCE (bare), NULL,
                                    done_cb, NULL);
  result = wait_for_result ();
  g_assert_false (welkin_maintainer_maintain_finish (WELKIN_MAINTAINER (bare), result, &error));
  assert_refused (g_steal_pointer (&error), "maintain");
  g_clear_object (&result);

  welkin_maintainer_complete_async (WELKIN_MAINTAINER (bare), params, WELKIN_INSTANCE (bare), NULL,
                                    done_cb, NULL);
  result = wait_for_result ();
  g_assert_false (welkin_maintainer_complete_finish (WELKIN_MAINTAINER (bare), result, &error));
  assert_refused (g_steal_pointer (&error), "complete");
  g_clear_object (&result);
}

static void
test_providers_refuse_what_they_lack (void)
{
  g_autoptr(TestBare) bare = g_object_new (TEST_TYPE_BARE, NULL);
  g_autoptr(WelkinConfig) config = welkin_config_new ();
  g_autoptr(WelkinConfig) effective = NULL;
  WelkinProvider *provider = WELKIN_PROVIDER (bare);
  GError *error = NULL;

  g_assert_null (welkin_provider_validate (provider, config, NULL, NULL, &error));
  assert_refused (g_steal_pointer (&error), "validate");
  g_assert_null (welkin_provider_prepare (provider, config, WELKIN_PREPARE_NONE, NULL, &error));
  assert_refused (g_steal_pointer (&error), "prepare");
  g_assert_null (welkin_provider_open (provider, config, NULL, &error));
  assert_refused (g_steal_pointer (&error), "open");
  g_assert_false (welkin_environ_set_config (WELKIN_ENVIRON (bare), config, &error));
  assert_refused (g_steal_pointer (&error), "set-config");

  /* What nothing else fills in is as it is. */
  effective = welkin_provider_get_effective_config (provider, config, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (effective == config);
}

static void
test_what_need_not_be_known_is_absent (void)
{
  g_autoptr(TestBare) bare = g_object_new (TEST_TYPE_BARE, NULL);

  g_assert_null (welkin_instance_get_status_message (WELKIN_INSTANCE (bare)));
  g_assert_null (welkin_instance_get_machine_id (WELKIN_INSTANCE (bare)));
  g_assert_null (welkin_instance_get_hardware (WELKIN_INSTANCE (bare)));
  g_assert_false (welkin_data_source_get_requires_signed (WELKIN_DATA_SOURCE (bare)));
  g_assert_null (welkin_regional_get_region (WELKIN_REGIONAL (bare)));
  g_assert_null (welkin_regional_get_endpoint (WELKIN_REGIONAL (bare)));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/contracts/environments-refuse-what-they-lack",
                   test_environments_refuse_what_they_lack);
  g_test_add_func ("/contracts/environments-refuse-ports", test_environments_refuse_ports);
  g_test_add_func ("/contracts/instances-refuse-what-they-lack",
                   test_instances_refuse_what_they_lack);
  g_test_add_func ("/contracts/storages-refuse-what-they-lack",
                   test_storages_refuse_what_they_lack);
  g_test_add_func ("/contracts/data-sources-refuse-what-they-lack",
                   test_data_sources_refuse_what_they_lack);
  g_test_add_func ("/contracts/optional-interfaces-refuse-what-they-lack",
                   test_optional_interfaces_refuse_what_they_lack);
  g_test_add_func ("/contracts/reconcilers/refuse-what-they-lack",
                   test_reconcilers_refuse_what_they_lack);
  g_test_add_func ("/contracts/providers-refuse-what-they-lack",
                   test_providers_refuse_what_they_lack);
  g_test_add_func ("/contracts/what-need-not-be-known-is-absent",
                   test_what_need_not_be_known_is_absent);
  return g_test_run ();
}
