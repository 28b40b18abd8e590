/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* The fake's compute service: lives of servers, lists, refusals. */

#include "fake-client.h"

#define COMPUTE "/compute/v2.1"
#define AT(version) "X-OpenStack-Nova-API-Version: " version

/* POST /servers with the members a server needs and @more, which begins with a comma. */
static void
post_server (FakeClient *client, const char *name, const char *more, const char *header)
{
  g_autofree char *body = fake_client_format (
    "{'server': {'name': '%s', 'flavorRef': '%s', 'imageRef': '%s'%s}}", name,
    fake_cloud_find (client->cloud, "flavor", "m1.tiny"),
    fake_cloud_find (client->cloud, "image", "ubuntu-24.04"), more);

  fake_client_send (client, "POST", COMPUTE "/servers", body, header, NULL);
}

static char *
make_server (FakeClient *client, const char *name)
{
  g_autofree char *more = fake_client_format (
    ", 'networks': [{'uuid': '%s'}]", fake_cloud_find (client->cloud, "network", "private"));

  post_server (client, name, more, NULL);
  fake_client_assert_status (client, 202);
  return fake_client_format (COMPUTE "/servers/%s", fake_client_get (client, "server.id"));
}

static void
test_server_is_built_and_deleted (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();
  g_autofree char *before = fake_cloud_dump_inventory (client->cloud, NULL);
  g_autofree char *path = make_server (client, "s");
  g_autofree char *after = NULL;

  fake_client_send (client, "GET", path, NULL, NULL);
  g_assert_cmpstr (fake_client_get (client, "server.status"), ==, "BUILD");
  g_assert_cmpstr (fake_client_get (client, "server.addresses"), ==, "{}");
  fake_client_await (client, path, "server.status", "ACTIVE");
  g_assert_cmpint (fake_client_count (client, "server.addresses.private"), ==, 2);
  g_assert_cmpstr (fake_client_get (client, "server.security_groups.0.name"), ==, "default");

  fake_client_send (client, "DELETE", path, NULL, NULL);
  fake_client_assert_status (client, 204);
  fake_client_send (client, "GET", path, NULL, NULL);
  g_assert_cmpstr (fake_client_get (client, "server.status"), ==, "ACTIVE");
  g_assert_cmpstr (fake_client_get (client, "server.OS-EXT-STS:task_state"), ==, "deleting");
  fake_client_await (client, path, "itemNotFound.code", "404");
  after = fake_cloud_dump_inventory (client->cloud, NULL);
  g_assert_cmpstr (before, ==, after);
}

static void
test_volume_comes_and_goes_with_its_server (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();
  g_autofree char *before = fake_cloud_dump_inventory (client->cloud, NULL);
  g_autofree char *body = fake_client_format (
    "{'server': {'name': 's', 'flavorRef': '%s', 'networks': 'none', 'block_device_mapping_v2': "
    "[{'boot_index': 0, 'uuid': '%s', 'source_type': 'image', 'destination_type': 'volume',"
    " 'volume_size': 30, 'delete_on_termination': true}]}}",
    fake_cloud_find (client->cloud, "flavor", "m1.diskless"),
    fake_cloud_find (client->cloud, "image", "ubuntu-24.04"));
  g_autofree char *path = NULL;
  g_autofree char *volume = NULL;
  g_autofree char *after = NULL;

  fake_client_send (client, "POST", COMPUTE "/servers", body, AT ("2.37"), NULL);
  fake_client_assert_status (client, 202);
  path = fake_client_format (COMPUTE "/servers/%s", fake_client_get (client, "server.id"));
  fake_client_await (client, path, "server.status", "ACTIVE");
  g_assert_cmpstr (fake_client_get (client, "server.image"), ==, "");
  g_assert_null (fake_client_get (
    client, "server.os-extended-volumes:volumes_attached.0.delete_on_termination"));
  volume = fake_client_format (
    "/volume/v3/volumes/%s",
    fake_client_get (client, "server.os-extended-volumes:volumes_attached.0.id"));
  fake_client_send (client, "GET", path, NULL, AT ("2.3"), NULL);
  g_assert_cmpstr (
    fake_client_get (client, "server.os-extended-volumes:volumes_attached.0.delete_on_termination"),
    ==, "true");

  fake_client_send (client, "GET", volume, NULL, NULL);
  g_assert_cmpstr (fake_client_get (client, "volume.status"), ==, "in-use");
  g_assert_cmpstr (fake_client_get (client, "volume.size"), ==, "30");
  fake_client_send (client, "DELETE", volume, NULL, NULL);
  fake_client_assert_status (client, 400);
  fake_client_send (client, "DELETE", path, NULL, NULL);
  fake_client_await (client, path, "itemNotFound.code", "404");
  fake_client_send (client, "GET", volume, NULL, NULL);
  fake_client_assert_status (client, 404);
  after = fake_cloud_dump_inventory (client->cloud, NULL);
  g_assert_cmpstr (before, ==, after);
}

static void
test_volumes_are_found_by_their_metadata (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();
  g_autofree char *path = NULL;
  g_autofree char *metadata = NULL;

  fake_cloud_add (client->cloud, "volume", "{'name': 'a', 'project': 'demo'}");
  fake_cloud_add (client->cloud, "volume", "{'name': 'theirs', 'project': 'other',"
                                           " 'metadata': {'k': 'v'}}");
  path = fake_client_format ("/volume/v3/volumes/%s", fake_cloud_add (client->cloud, "volume",
                             "{'name': 'b', 'project': 'demo', 'metadata': {'x': 'y'}}"));
  fake_cloud_set (client->cloud, "delete-delay", 0);
  fake_client_send (client, "GET", "/volume/v3/volumes/detail", NULL, NULL);
  g_assert_cmpint (fake_client_count (client, "volumes"), ==, 2);
  metadata = g_strconcat (path, "/metadata", NULL);
  fake_client_send (client, "POST", metadata, "{'metadata': {'k': 'v'}}", NULL);
  g_assert_cmpstr (fake_client_get (client, "metadata.x"), ==, "y");
  fake_client_send (client, "GET", "/volume/v3/volumes/detail?metadata=%7B'k':%20'v'%7D", NULL,
                    NULL);
  g_assert_cmpint (fake_client_count (client, "volumes"), ==, 1);
  g_assert_cmpstr (fake_client_get (client, "volumes.0.name"), ==, "b");
  fake_client_send (client, "DELETE", path, NULL, NULL);
  fake_client_assert_status (client, 202);
  fake_client_send (client, "GET", path, NULL, NULL);
  fake_client_assert_status (client, 404);
}

static void
test_port_that_was_given_is_kept (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();
  g_autofree char *body = fake_client_format (
    "{'port': {'network_id': '%s'}}", fake_cloud_find (client->cloud, "network", "private"));
  g_autofree char *more = NULL;
  g_autofree char *port = NULL;
  g_autofree char *path = NULL;

  fake_cloud_set (client->cloud, "build-delay", 0);
  fake_cloud_set (client->cloud, "delete-delay", 0);
  fake_client_send (client, "POST", "/network/v2.0/ports", body, NULL);
  port = fake_client_format ("/network/v2.0/ports/%s", fake_client_get (client, "port.id"));
  more = fake_client_format (", 'networks': [{'port': '%s'}], 'availability_zone': 'az2'",
                             fake_client_get (client, "port.id"));
  post_server (client, "s", more, NULL);
  fake_client_assert_status (client, 202);
  path = fake_client_format (COMPUTE "/servers/%s", fake_client_get (client, "server.id"));
  fake_client_send (client, "GET", port, NULL, NULL);
  g_assert_cmpstr (fake_client_get (client, "port.device_owner"), ==, "compute:az2");
  g_assert_cmpstr (fake_client_get (client, "port.status"), ==, "ACTIVE");
  post_server (client, "t", more, NULL);
  fake_client_assert_status (client, 409);

  fake_client_send (client, "DELETE", path, NULL, NULL);
  fake_client_send (client, "GET", port, NULL, NULL);
  fake_client_assert_status (client, 200);
  g_assert_cmpstr (fake_client_get (client, "port.device_id"), ==, "");
  g_assert_cmpstr (fake_client_get (client, "port.status"), ==, "DOWN");
}

static void
test_script_leads_to_error (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();
  g_autofree char *failing = NULL;
  g_autofree char *stuck = NULL;
  g_autofree char *fine = NULL;

  fake_cloud_set (client->cloud, "build-delay", 10);
  fake_cloud_script_server (client->cloud, "bad*", NULL, 1, "BUILD,BUILD,ERROR", 500, "No luck.");
  fake_cloud_script_server (client->cloud, "stuck", NULL, -1, "BUILD", 0, NULL);
  failing = make_server (client, "bad-1");
  stuck = make_server (client, "stuck");
  fine = make_server (client, "bad-2");
  fake_client_await (client, failing, "server.status", "ERROR");
  g_assert_cmpstr (fake_client_get (client, "server.fault.message"), ==, "No luck.");
  g_assert_null (fake_client_get (client, "server.security_groups"));
  fake_client_await (client, fine, "server.status", "ACTIVE");
  fake_client_pause (50);
  fake_client_send (client, "GET", stuck, NULL, NULL);
  g_assert_cmpstr (fake_client_get (client, "server.status"), ==, "BUILD");
  fake_client_send (client, "DELETE", stuck, NULL, NULL);
  fake_client_await (client, stuck, "itemNotFound.code", "404");
}

static void
test_no_valid_host (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();
  g_autofree char *body = fake_client_format (
    "{'server': {'name': 's', 'flavorRef': '%s', 'imageRef': '%s', 'networks': [{'uuid': '%s'}]}}",
    fake_cloud_find (client->cloud, "flavor", "m1.toobig"),
    fake_cloud_find (client->cloud, "image", "debian-12"),
    fake_cloud_find (client->cloud, "network", "private"));
  g_autofree char *path = NULL;

  fake_client_send (client, "POST", COMPUTE "/servers", body, NULL);
  fake_client_assert_status (client, 202);
  path = fake_client_format (COMPUTE "/servers/%s", fake_client_get (client, "server.id"));
  fake_client_await (client, path, "server.status", "ERROR");
  g_assert_cmpstr (fake_client_get (client, "server.fault.message"), ==,
                   "No valid host was found. ");
  /* A list does not tell the fault of a server that no host ever had. */
  fake_client_send (client, "GET", COMPUTE "/servers/detail", NULL, NULL);
  g_assert_cmpstr (fake_client_get (client, "servers.0.status"), ==, "ERROR");
  g_assert_null (fake_client_get (client, "servers.0.fault"));
}

static void
test_refusals_quote_the_user_data (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();

  post_server (client, "s", ", 'user_data': 'c2VjcmV0'", AT ("2.37"));
  fake_client_assert_status (client, 400);
  g_assert_nonnull (strstr (fake_client_get (client, "badRequest.message"), "c2VjcmV0"));
  post_server (client, "s", ", 'user_data': 'abc'", NULL);
  fake_client_assert_status (client, 400);
  g_assert_cmpstr (fake_client_get (client, "badRequest.message"), ==,
                   "Invalid input for field/attribute user_data. Value: abc. 'abc' is not a "
                   "'base64'");
}

static void
test_user_data_fits_to_the_byte (void)
{
  static const struct
  {
    gsize size;
    guint status;
  } cases[] = { { 49149, 202 }, { 49151, 400 } };
  g_autoptr (FakeClient) client = fake_client_new ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree guchar *raw = g_malloc0 (cases[i].size);
      g_autofree char *data = g_base64_encode (raw, cases[i].size);
      g_autofree char *more = fake_client_format (", 'user_data': '%s'", data);

      post_server (client, "s", more, NULL);
      fake_client_assert_status (client, cases[i].status);
    }
}

static void
test_refusals_name_what_was_not_found (void)
{
  static const struct
  {
    const char *more;
    guint status;
    const char *message;
  } cases[] = {
    { ", 'networks': [{'uuid': '00000000-0000-4000-8000-000000000000'}]", 400,
      "Network 00000000-0000-4000-8000-000000000000 could not be found." },
    { ", 'networks': [{'port': '00000000-0000-4000-8000-000000000000'}]", 400,
      "Port id 00000000-0000-4000-8000-000000000000 could not be found." },
    { ", 'security_groups': [{'name': 'x'}]", 400,
      "Unable to find security_group with name or id 'x'" },
    { ", 'availability_zone': 'x'", 400, "The requested availability zone is not available" },
    { ", 'key_name': 'x'", 400, "Invalid key_name provided." },
    { ", 'metadata': {'a+b': 'x'}", 400,
      "Invalid input for field/attribute metadata. Value: {'a+b': 'x'}. 'a+b' does not match any "
      "of the regexes: '^[a-zA-Z0-9-_:. ]{1,255}$'" },
    { ", 'tags': ['x']", 400, NULL },
  };
  g_autoptr (FakeClient) client = fake_client_new ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      post_server (client, "s", cases[i].more, NULL);
      fake_client_assert_status (client, cases[i].status);
      if (cases[i].message != NULL)
        g_assert_cmpstr (fake_client_get (client, "badRequest.message"), ==, cases[i].message);
    }
}

static void
test_quotas_are_forbidden (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();

  fake_cloud_set_quota (client->cloud, "demo", "instances", 0);
  post_server (client, "s", "", NULL);
  fake_client_assert_status (client, 403);
  g_assert_cmpstr (fake_client_get (client, "forbidden.message"), ==,
                   "Quota exceeded for instances: Requested 1, but already used 0 of 0 instances");
  fake_cloud_set_quota (client->cloud, "demo", "instances", -1);
  fake_cloud_set_quota (client->cloud, "demo", "port", 0);
  post_server (client, "s", "", NULL);
  fake_client_assert_status (client, 403);
  g_assert_cmpstr (fake_client_get (client, "forbidden.message"), ==,
                   "The number of defined ports: 2 is over the limit: 0");
}

static void
test_name_filter_is_an_unanchored_expression (void)
{
  static const struct
  {
    const char *filter;
    int found;
  } cases[] = {
    { "welkin-a-machine", 3 }, { "%5Ewelkin-a-machine-", 2 }, { "WELKIN-A-MACHINE-1%24", 2 },
    { "a.b", 1 },              { "a%2Bb", 0 },                { "none%7Cwelkin", 0 },
    { "%5Cd%2B", 3 },
  };
  static const char *const bad[] = { "%5B", "(", "*", "%5C", "(%3F-i)x", "" };
  g_autoptr (FakeClient) client = fake_client_new ();

  fake_cloud_add (client->cloud, "server", "{'name': 'welkin-a-machine-1', 'project': 'demo'}");
  fake_cloud_add (client->cloud, "server", "{'name': 'welkin-a-machine-1-machine-0',"
                                           " 'project': 'demo'}");
  fake_cloud_add (client->cloud, "server", "{'name': 'old-welkin-a-machine-1',"
                                           " 'project': 'demo'}");
  fake_cloud_add (client->cloud, "server", "{'name': 'a+b', 'project': 'demo'}");
  fake_cloud_add (client->cloud, "server", "{'name': 'welkin-a-machine-2', 'project': 'other'}");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat (COMPUTE "/servers?name=", cases[i].filter, NULL);

      fake_client_send (client, "GET", path, NULL, NULL);
      fake_client_assert_status (client, 200);
      g_test_message ("%s", cases[i].filter);
      g_assert_cmpint (fake_client_count (client, "servers"), ==, cases[i].found);
    }
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autofree char *path = g_strconcat (COMPUTE "/servers/detail?name=", bad[i], NULL);

      fake_client_send (client, "GET", path, NULL, NULL);
      fake_client_assert_status (client, 400);
      g_assert_nonnull (strstr (client->text, "is not a 'regex'"));
    }
}

static void
test_tags_filter_from_its_version_on (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();

  post_server (client, "s", ", 'networks': 'none', 'tags': ['a', 'b']", AT ("2.52"));
  fake_client_assert_status (client, 202);
  fake_client_send (client, "GET", COMPUTE "/servers?tags=zz", NULL, AT ("2.26"), NULL);
  g_assert_cmpint (fake_client_count (client, "servers"), ==, 0);
  fake_client_send (client, "GET", COMPUTE "/servers?tags=a,b", NULL, AT ("2.26"), NULL);
  g_assert_cmpint (fake_client_count (client, "servers"), ==, 1);
  fake_client_send (client, "GET", COMPUTE "/servers?tags=zz", NULL, NULL);
  g_assert_cmpint (fake_client_count (client, "servers"), ==, 1);
}

static void
test_microversions_are_granted_and_refused (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();

  fake_client_send (client, "GET", COMPUTE "/flavors", NULL, AT ("2.26"),
                    "OpenStack-API-Version: compute 2.27", NULL);
  g_assert_cmpstr (fake_client_get_header (client, "X-OpenStack-Nova-API-Version"), ==, "2.27");
  fake_client_send (client, "GET", COMPUTE "/flavors", NULL, AT ("2.94"), NULL);
  fake_client_assert_status (client, 406);
  fake_client_send (client, "GET", "/compute/v2/flavors", NULL, AT ("2.26"), NULL);
  fake_client_assert_status (client, 200);
  g_assert_null (fake_client_get_header (client, "X-OpenStack-Nova-API-Version"));
  fake_cloud_set (client->cloud, "nova-max-microversion", 10);
  fake_client_send (client, "GET", COMPUTE "/", NULL, NULL);
  g_assert_cmpstr (fake_client_get (client, "version.version"), ==, "2.10");
  fake_client_send (client, "GET", COMPUTE "/flavors", NULL, AT ("2.11"), NULL);
  fake_client_assert_status (client, 406);
}

static void
test_lists_come_in_pages (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();
  g_autofree char *path = g_strdup (COMPUTE "/servers/detail?status=ACTIVE");
  int found = 0;
  guint pages = 0;

  fake_cloud_add (client->cloud, "server", "{'name': 's', 'project': 'demo', 'count': 5}");
  fake_cloud_set (client->cloud, "nova-max-limit", 2);
  while (path != NULL)
    {
      const char *next;

      fake_client_send (client, "GET", path, NULL, NULL);
      fake_client_assert_status (client, 200);
      found += fake_client_count (client, "servers");
      pages++;
      next = fake_client_get (client, "servers_links.0.href");
      g_free (path);
      path = next != NULL ? g_strdup (strstr (next, "/compute")) : NULL;
    }
  g_assert_cmpint (found, ==, 5);
  g_assert_cmpuint (pages, ==, 3);
}

static void
test_locked_and_soft_deleted_servers_stay (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();
  g_autofree char *path = make_server (client, "s");
  g_autofree char *action = g_strconcat (path, "/action", NULL);

  fake_client_await (client, path, "server.status", "ACTIVE");
  fake_client_send (client, "POST", action, "{'lock': null}", NULL);
  fake_client_send (client, "DELETE", path, NULL, NULL);
  fake_client_assert_status (client, 409);
  fake_client_send (client, "POST", action, "{'unlock': null}", NULL);
  fake_cloud_set (client->cloud, "nova-soft-delete", 1);
  fake_client_send (client, "DELETE", path, NULL, NULL);
  fake_client_assert_status (client, 204);
  fake_client_send (client, "GET", path, NULL, NULL);
  g_assert_cmpstr (fake_client_get (client, "server.status"), ==, "SOFT_DELETED");
  fake_client_send (client, "GET", COMPUTE "/servers", NULL, NULL);
  g_assert_cmpint (fake_client_count (client, "servers"), ==, 0);
  fake_client_send (client, "POST", action, "{'forceDelete': null}", NULL);
  fake_client_assert_status (client, 202);
  fake_client_await (client, path, "itemNotFound.code", "404");
}

static void
test_metadata_has_to_wait_for_the_build (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();
  g_autofree char *path = make_server (client, "s");
  g_autofree char *metadata = g_strconcat (path, "/metadata", NULL);

  fake_client_send (client, "POST", metadata, "{'metadata': {'a': 'b'}}", NULL);
  fake_client_assert_status (client, 409);
  fake_client_await (client, path, "server.status", "ACTIVE");
  fake_client_send (client, "POST", metadata, "{'metadata': {'a': 'b'}}", NULL);
  fake_client_assert_status (client, 200);
  g_assert_cmpstr (fake_client_get (client, "metadata.a"), ==, "b");
}

/* 64 in flight: libsoup gets slow when many wait in its own queue. */
static void
test_thousand_starts (void)
{
  g_autoptr (FakeClient) client = fake_client_new ();
  FakePending *pending[64] = { NULL };
  g_autofree char *body = fake_client_format (
    "{'server': {'name': 's', 'flavorRef': '1', 'imageRef': '%s', 'networks': [{'uuid': '%s'}]}}",
    fake_cloud_find (client->cloud, "image", "debian-12"),
    fake_cloud_find (client->cloud, "network", "private"));

  for (guint i = 0; i < 1000 + G_N_ELEMENTS (pending); i++)
    {
      FakePending **slot = &pending[i % G_N_ELEMENTS (pending)];

      if (*slot != NULL)
        {
          fake_client_wait (client, *slot);
          fake_client_assert_status (client, 202);
        }
      *slot = i < 1000 ? fake_client_start (client, "POST", COMPUTE "/servers", body, NULL) : NULL;
    }
  fake_client_pause (60);
  fake_client_send (client, "GET", COMPUTE "/servers/detail?status=ACTIVE&limit=1000", NULL, NULL);
  g_assert_cmpint (fake_client_count (client, "servers"), ==, 1000);
  g_assert_cmpint (fake_client_count (client, "servers.999.addresses.private"), ==, 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/fake/compute/server-is-built-and-deleted", test_server_is_built_and_deleted);
  g_test_add_func ("/fake/compute/port-that-was-given-is-kept", test_port_that_was_given_is_kept);
  g_test_add_func ("/fake/compute/volume-goes-along", test_volume_comes_and_goes_with_its_server);
  g_test_add_func ("/fake/compute/volumes-by-metadata", test_volumes_are_found_by_their_metadata);
  g_test_add_func ("/fake/compute/script-leads-to-error", test_script_leads_to_error);
  g_test_add_func ("/fake/compute/no-valid-host", test_no_valid_host);
  g_test_add_func ("/fake/compute/refusals-quote-the-user-data",
                   test_refusals_quote_the_user_data);
  g_test_add_func ("/fake/compute/user-data-fits-to-the-byte", test_user_data_fits_to_the_byte);
  g_test_add_func ("/fake/compute/refusals-name-what-was-not-found",
                   test_refusals_name_what_was_not_found);
  g_test_add_func ("/fake/compute/quotas-are-forbidden", test_quotas_are_forbidden);
  g_test_add_func ("/fake/compute/name-filter-is-an-unanchored-expression",
                   test_name_filter_is_an_unanchored_expression);
  g_test_add_func ("/fake/compute/tags-filter-from-their-version-on",
                   test_tags_filter_from_its_version_on);
  g_test_add_func ("/fake/compute/microversions-are-granted-and-refused",
                   test_microversions_are_granted_and_refused);
  g_test_add_func ("/fake/compute/lists-come-in-pages", test_lists_come_in_pages);
  g_test_add_func ("/fake/compute/locked-and-soft-deleted-servers-stay",
                   test_locked_and_soft_deleted_servers_stay);
  g_test_add_func ("/fake/compute/metadata-has-to-wait-for-the-build",
                   test_metadata_has_to_wait_for_the_build);
  g_test_add_func ("/fake/compute/thousand-starts", test_thousand_starts);

  return g_test_run ();
}
