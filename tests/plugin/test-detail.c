/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "model/os-detail.h"

static OsServer *
parse_server (const char *json)
{
  g_autofree char *text = g_strdup_printf ("{\"server\": %s}", json);
  g_autoptr(GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr(GError) error = NULL;
  OsServer *server = wk_json_decode_record (&os_server_table, "server", bytes, &error);

  g_assert_no_error (error);
  return server;
}

static void
test_detail_keeps_what_the_server_told (void)
{
  g_autoptr(OsServer) server = parse_server (
    "{\"id\": \"s1\", \"status\": \"ACTIVE\", \"created\": \"2026-01-01T00:00:00Z\","
    " \"OS-EXT-AZ:availability_zone\": \"az1\", \"flavor\": {\"id\": 7},"
    " \"OS-EXT-STS:task_state\": \"deleting\","
    " \"metadata\": {\"welkin-machine\": \"3\", \"welkin-start\": \"abc/2\", \"other\": \"x\"}}");
  OsDetail *detail = os_detail_new (server);
  g_autoptr(OsDetail) kept = os_detail_ref (detail);

  os_detail_unref (detail);
  g_clear_pointer (&server, os_server_free);
  g_assert_cmpstr (os_detail_get_id (kept), ==, "s1");
  g_assert_cmpstr (os_detail_get_status (kept), ==, "ACTIVE");
  g_assert_cmpint (os_detail_get_state (kept), ==, WELKIN_INSTANCE_STOPPING);
  g_assert_cmpstr (os_detail_get_created (kept), ==, "2026-01-01T00:00:00Z");
  g_assert_cmpstr (os_detail_get_zone (kept), ==, "az1");
  g_assert_cmpstr (os_detail_get_flavor_id (kept), ==, "7");
  g_assert_cmpstr (os_detail_get_machine_id (kept), ==, "3");
  g_assert_cmpstr (os_detail_get_start (kept), ==, "abc/2");
  g_assert_null (os_detail_get_fault (kept));
}

static void
test_detail_of_a_server_that_tells_little (void)
{
  g_autoptr(OsServer) server = parse_server ("{\"id\": \"s1\", \"addresses\": null}");
  g_autoptr(OsDetail) detail = os_detail_new (server);
  g_autoptr(GPtrArray) addresses = os_detail_dup_addresses (detail, "");

  g_assert_cmpstr (os_detail_get_id (detail), ==, "s1");
  g_assert_null (os_detail_get_status (detail));
  g_assert_cmpint (os_detail_get_state (detail), ==, WELKIN_INSTANCE_UNKNOWN);
  g_assert_null (os_detail_get_machine_id (detail));
  g_assert_null (os_detail_get_flavor_id (detail));
  g_assert_cmpuint (addresses->len, ==, 0);
}

static void
test_long_fault_is_cut (void)
{
  g_autoptr(GString) json = g_string_new ("{\"id\": \"s1\", \"status\": \"ERROR\","
                                          " \"fault\": {\"code\": 500, \"message\": \"x");
  g_autoptr(OsServer) server = NULL;
  g_autoptr(OsDetail) detail = NULL;

  for (guint i = 0; i < 1000; i++)
    g_string_append (json, "\xe2\x82\xac");
  g_string_append (json, "\"}}");
  server = parse_server (json->str);
  detail = os_detail_new (server);
  g_assert_cmpuint (strlen (os_detail_get_fault (detail)), <=, 1010);
  g_assert_true (g_utf8_validate (os_detail_get_fault (detail), -1, NULL));
}

static void
test_addresses_come_once_and_in_order (void)
{
  g_autoptr(OsServer) server = parse_server (
    "{\"id\": \"s1\", \"accessIPv4\": \"198.51.100.1\", \"accessIPv6\": \"\", \"addresses\": {"
    " \"private\": ["
    "  {\"version\": 4, \"addr\": \"10.0.0.3\", \"OS-EXT-IPS:type\": \"fixed\"},"
    "  {\"version\": 4, \"addr\": \"198.51.100.1\", \"OS-EXT-IPS:type\": \"floating\"}],"
    " \"public\": [{\"version\": 4, \"addr\": \"172.16.0.9\"}]}}");
  g_autoptr(OsDetail) detail = os_detail_new (server);
  g_autoptr(GPtrArray) addresses = os_detail_dup_addresses (detail, "");
  struct
  {
    const char *value;
    WelkinScope scope;
    const char *network;
  } expected[] = {
    { "10.0.0.3", WELKIN_SCOPE_LOCAL_CLOUD, "private" },
    { "198.51.100.1", WELKIN_SCOPE_PUBLIC, "private" },
    { "172.16.0.9", WELKIN_SCOPE_PUBLIC, "public" },
  };

  g_assert_cmpuint (addresses->len, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < addresses->len; i++)
    {
      WelkinAddress *address = g_ptr_array_index (addresses, i);

      g_assert_cmpstr (welkin_address_get_value (address), ==, expected[i].value);
      g_assert_cmpint (welkin_address_get_scope (address), ==, expected[i].scope);
      g_assert_cmpstr (welkin_address_get_network (address), ==, expected[i].network);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/detail/keeps-what-it-was-told", test_detail_keeps_what_the_server_told);
  g_test_add_func ("/detail/of-a-server-that-tells-little",
                   test_detail_of_a_server_that_tells_little);
  g_test_add_func ("/detail/long-fault-is-cut", test_long_fault_is_cut);
  g_test_add_func ("/detail/addresses-once-and-in-order", test_addresses_come_once_and_in_order);

  return g_test_run ();
}
