/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Instances and storage as the cloud in memory has them. */

#include <welkin.h>

#include "result.h"

static WelkinEnviron *
open_environment (const char *name)
{
  g_autofree char *directory = g_test_build_filename (G_TEST_BUILT, "plugins", "dummy", NULL);
  const char *directories[] = { directory, NULL };
  g_autoptr(WelkinRegistry) registry = welkin_registry_new (directories);
  g_autoptr(WelkinConfig) empty = welkin_config_new ();
  g_autoptr(WelkinConfig) named = welkin_config_with_text (empty, "name", name, NULL);
  g_autoptr(WelkinConfig) config = welkin_config_with_text (named, "machines", "3", NULL);
  g_autoptr(WelkinProvider) provider = NULL;
  g_autoptr(GError) error = NULL;
  WelkinEnviron *environment;

  provider = welkin_registry_get_provider (registry, "dummy", &error);
  g_assert_no_error (error);
  environment = welkin_provider_open (provider, config, NULL, &error);
  g_assert_no_error (error);
  return environment;
}

static void
assert_found (WelkinEnviron *environment,
              const char    *asked,
              const char    *found,
              const char    *missing)
{
  g_auto(GStrv) ids = g_strsplit (asked, " ", -1);
  g_autoptr(WelkinInstances) instances = NULL;
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(GString) found_ids = g_string_new (NULL);
  g_autofree char *missing_ids = NULL;
  g_autoptr(GError) error = NULL;
  GPtrArray *array;

  welkin_environ_find_instances_async (environment, (const char * const *) ids, NULL, result_cb,
                                       &result);
  result_wait (&result);
  instances = welkin_environ_find_instances_finish (environment, result, &error);
  g_assert_no_error (error);

  array = welkin_instances_get_found (instances);
  for (guint i = 0; i < array->len; i++)
    {
      const char *id = welkin_instance_get_id (array->pdata[i]);

      g_string_append_printf (found_ids, "%s%s", i > 0 ? " " : "", id);
      g_assert_true (welkin_instances_lookup (instances, id) == array->pdata[i]);
    }
  missing_ids = g_strjoinv (" ", (char **) welkin_instances_get_missing_ids (instances));
  g_assert_cmpstr (found_ids->str, ==, found);
  g_assert_cmpstr (missing_ids, ==, missing);
  g_assert_null (welkin_instances_lookup (instances, "nobody"));
}

static void
test_answers_are_in_the_order_of_the_question (void)
{
  g_autoptr(WelkinEnviron) environment = open_environment ("questions");

  assert_found (environment, "", "", "");
  assert_found (environment, "dummy-3 dummy-1", "dummy-3 dummy-1", "");
  assert_found (environment, "dummy-2 dummy-9 dummy-1 dummy-2 dummy-9", "dummy-2 dummy-1",
                "dummy-9");
  assert_found (environment, "dummy-7 dummy-8", "", "dummy-7 dummy-8");
}

static void
test_the_public_address_is_the_one_to_use (void)
{
  g_autoptr(WelkinEnviron) environment = open_environment ("addresses");
  g_autoptr(GPtrArray) instances = NULL;
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(GError) error = NULL;
  g_autofree char *name = NULL;

  welkin_environ_list_instances_async (environment, NULL, result_cb, &result);
  result_wait (&result);
  instances = welkin_environ_list_instances_finish (environment, result, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (instances->len, ==, 3);
  name = welkin_instance_get_dns_name (instances->pdata[0], &error);
  g_assert_no_error (error);
  g_assert_cmpstr (name, ==, "198.51.100.1");

  g_ptr_array_set_size (welkin_instance_get_addresses (instances->pdata[1]), 0);
  g_assert_null (welkin_instance_get_dns_name (instances->pdata[1], &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NO_ADDRESS_YET);
  g_assert_cmpstr (error->message, ==, "instance dummy-2 has no address yet");
}

static gboolean
give_address_cb (gpointer user_data)
{
  g_ptr_array_add (welkin_instance_get_addresses (user_data),
                   welkin_address_new ("198.51.100.7", WELKIN_SCOPE_PUBLIC, NULL));
  return G_SOURCE_REMOVE;
}

static char *
wait_dns_name (WelkinInstance *instance,
               GCancellable   *cancellable,
               GError        **error)
{
  static const char *const fast[] = { "WELKIN_TIME_SCALE=500", NULL };
  g_autoptr(WelkinSurroundings) surroundings = welkin_surroundings_new (fast, "/");
  g_autoptr(GAsyncResult) result = NULL;

  welkin_instance_wait_dns_name_async (instance, surroundings, cancellable, result_cb, &result);
  return welkin_instance_wait_dns_name_finish (instance, result_wait (&result), error);
}

static void
test_an_address_can_be_waited_for (void)
{
  g_autoptr(WelkinEnviron) environment = open_environment ("patience");
  g_autoptr(GPtrArray) instances = NULL;
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autoptr(GError) error = NULL;
  g_autofree char *there = NULL;
  g_autofree char *late = NULL;

  welkin_environ_list_instances_async (environment, NULL, result_cb, &result);
  result_wait (&result);
  instances = welkin_environ_list_instances_finish (environment, result, &error);
  g_assert_no_error (error);
  there = wait_dns_name (instances->pdata[0], NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (there, ==, "198.51.100.1");

  g_ptr_array_set_size (welkin_instance_get_addresses (instances->pdata[1]), 0);
  g_assert_null (wait_dns_name (instances->pdata[1], NULL, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NO_ADDRESS_YET);
  g_assert_cmpstr (error->message, ==, "timed out trying to get DNS address for dummy-2");
  g_clear_error (&error);

  g_timeout_add (20, give_address_cb, instances->pdata[1]);
  late = wait_dns_name (instances->pdata[1], NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (late, ==, "198.51.100.7");

  g_ptr_array_set_size (welkin_instance_get_addresses (instances->pdata[1]), 0);
  g_cancellable_cancel (cancellable);
  g_assert_null (wait_dns_name (instances->pdata[1], cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static GBytes *
load (WelkinStorage *storage,
      const char    *name,
      GError       **error)
{
  g_autoptr(GAsyncResult) result = NULL;

  welkin_storage_load_async (storage, name, WELKIN_STORAGE_NONE, NULL, result_cb, &result);
  return welkin_storage_load_finish (storage, result_wait (&result), error);
}

static gboolean
save (WelkinStorage     *storage,
      const char        *name,
      GBytes            *contents,
      WelkinStorageFlags flags,
      GError           **error)
{
  g_autoptr(GAsyncResult) result = NULL;

  welkin_storage_save_async (storage, name, contents, flags, NULL, result_cb, &result);
  return welkin_storage_save_finish (storage, result_wait (&result), error);
}

static GBytes *
make_contents (gsize size)
{
  guint8 *data = g_malloc (size);

  for (gsize i = 0; i < size; i++)
    data[i] = i % 251;
  return g_bytes_new_take (data, size);
}

static void
test_what_was_saved_can_be_loaded (void)
{
  const gsize sizes[] = { 0, 1, 64 * 1024, 200 * 1000, 16 * 1024 * 1024 };
  g_autoptr(WelkinEnviron) environment = open_environment ("storage");
  g_autoptr(WelkinStorage) storage = welkin_environ_get_storage (environment);

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr(GBytes) contents = make_contents (sizes[i]);
      g_autoptr(GBytes) loaded = NULL;
      g_autoptr(GError) error = NULL;

      g_assert_true (save (storage, "name", contents, WELKIN_STORAGE_NONE, &error));
      g_assert_no_error (error);
      loaded = load (storage, "name", &error);
      g_assert_no_error (error);
      g_assert_true (g_bytes_equal (contents, loaded));
    }
}

static void
test_large_objects_are_for_streams (void)
{
  g_autoptr(WelkinEnviron) environment = open_environment ("large");
  g_autoptr(WelkinStorage) storage = welkin_environ_get_storage (environment);
  g_autoptr(GBytes) contents = make_contents (64 * 1024 * 1024 + 1);
  g_autoptr(GError) error = NULL;

  g_assert_true (save (storage, "big", contents, WELKIN_STORAGE_NONE, NULL));
  g_assert_null (load (storage, "big", &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_FAILED);
  g_assert_cmpstr (error->message, ==, "big in storage is larger than 64 MiB");
}

static void
test_errors_of_the_storage_arrive (void)
{
  g_autoptr(WelkinEnviron) environment = open_environment ("errors");
  g_autoptr(WelkinStorage) storage = welkin_environ_get_storage (environment);
  g_autoptr(GBytes) contents = make_contents (3);
  g_autoptr(GError) missing = NULL;
  g_autoptr(GError) taken = NULL;

  g_assert_null (load (storage, "name", &missing));
  g_assert_error (missing, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND);
  g_assert_true (save (storage, "name", contents, WELKIN_STORAGE_NO_REPLACE, NULL));
  g_assert_false (save (storage, "name", contents, WELKIN_STORAGE_NO_REPLACE, &taken));
  g_assert_error (taken, WELKIN_ERROR, WELKIN_ERROR_ALREADY_EXISTS);
}

static void
test_loading_can_be_cancelled (void)
{
  g_autoptr(WelkinEnviron) environment = open_environment ("cancel");
  g_autoptr(WelkinStorage) storage = welkin_environ_get_storage (environment);
  g_autoptr(GBytes) contents = make_contents (1000 * 1000);
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(GError) error = NULL;

  g_assert_true (save (storage, "name", contents, WELKIN_STORAGE_NONE, NULL));
  welkin_storage_load_async (storage, "name", WELKIN_STORAGE_NONE, cancellable, result_cb, &result);
  g_cancellable_cancel (cancellable);
  result_wait (&result);
  g_assert_null (welkin_storage_load_finish (storage, result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/instances/answers-are-in-the-order-of-the-question",
                   test_answers_are_in_the_order_of_the_question);
  g_test_add_func ("/instances/the-public-address-is-the-one-to-use",
                   test_the_public_address_is_the_one_to_use);
  g_test_add_func ("/instances/an-address-can-be-waited-for", test_an_address_can_be_waited_for);
  g_test_add_func ("/storage/what-was-saved-can-be-loaded", test_what_was_saved_can_be_loaded);
  g_test_add_func ("/storage/large-objects-are-for-streams", test_large_objects_are_for_streams);
  g_test_add_func ("/storage/errors-of-the-storage-arrive", test_errors_of_the_storage_arrive);
  g_test_add_func ("/storage/loading-can-be-cancelled", test_loading_can_be_cancelled);
  return g_test_run ();
}
