/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "provider-fixture.h"

#include "values/welkin-error.h"

/* Lists of all services go through their pages, and come to an end. */

typedef struct
{
  char *id;
} Thing;

static const WkJsonField thing_fields[] = {
  { "id", WK_JSON_ID, G_STRUCT_OFFSET (Thing, id), WK_JSON_REQUIRED },
};
static const WkJsonTable thing_table = WK_JSON_TABLE (Thing, thing_fields);

static const struct
{
  OsServiceKind service;
  const char   *path[2];
  const char   *member;
  const char   *setting; /* of the fake: the longest page */
} lists[] = {
  { OS_SERVICE_COMPUTE, { "servers", "detail" }, "servers", "nova-max-limit" },
  { OS_SERVICE_COMPUTE, { "flavors", "detail" }, "flavors", "nova-max-limit" },
  { OS_SERVICE_NETWORK, { "networks" }, "networks", "neutron-max-limit" },
  { OS_SERVICE_NETWORK, { "ports" }, "ports", "neutron-max-limit" },
  { OS_SERVICE_NETWORK, { "subnets" }, "subnets", "neutron-max-limit" },
  { OS_SERVICE_NETWORK, { "security-groups" }, "security_groups", "neutron-max-limit" },
  { OS_SERVICE_NETWORK, { "security-group-rules" }, "security_group_rules", "neutron-max-limit" },
  { OS_SERVICE_IMAGE, { "images" }, "images", "glance-max-limit" },
};

static GPtrArray *
list_things (ProviderFixture *fixture,
             OsClient        *client,
             guint            index,
             GError         **error)
{
  g_autoptr(OsRequest) request = os_request_new (lists[index].service, "GET", lists[index].path[0],
                                                 lists[index].path[1], NULL);

  os_client_list_async (client, client, request, &thing_table, lists[index].member, NULL, NULL,
                        NULL, provider_fixture_done_cb, fixture);
  return os_client_list_finish (client, provider_fixture_wait (fixture), error);
}

/* The ids, one a line, in the order in which they came. */
static char *
list_ids (ProviderFixture *fixture,
          OsClient        *client,
          guint            index)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GPtrArray) things = list_things (fixture, client, index, &error);
  GString *ids = g_string_new (NULL);

  g_assert_no_error (error);
  for (guint i = 0; i < things->len; i++)
    {
      Thing *thing = g_ptr_array_index (things, i);

      g_string_append_printf (ids, "%s\n", thing->id);
    }
  return g_string_free (ids, FALSE);
}

static void
test_lists_of_all_services (ProviderFixture *fixture,
                            gconstpointer    data)
{
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);

  if (provider_fixture_needs_fake (fixture))
    return;
  fake_cloud_add (fixture->fake, "server",
                  "{'name': 'x', 'project': 'demo', 'network': 'private', 'count': 7}");
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      g_autofree char *whole = list_ids (fixture, client, i);

      g_assert_cmpstr (whole, !=, "");
      for (int limit = 1; limit <= 8; limit++)
        {
          g_autofree char *paged = NULL;

          fake_cloud_set (fixture->fake, lists[i].setting, limit);
          paged = list_ids (fixture, client, i);
          g_test_message ("%s by %d", lists[i].member, limit);
          g_assert_cmpstr (paged, ==, whole);
        }
      fake_cloud_set (fixture->fake, lists[i].setting, 1000);
    }

  /* How long a page is, is the service's own choice. */
  for (guint i = 0; i < fake_log_get_entries (fixture->fake)->len; i++)
    {
      const FakeLogEntry *entry = g_ptr_array_index (fake_log_get_entries (fixture->fake), i);

      g_assert_true (entry->query == NULL || strstr (entry->query, "limit=") == NULL
                     || strstr (entry->query, "marker=") != NULL);
    }
}

#define PAGE(ids, rel, href) \
  "{\"servers\": [" ids "], \"servers_links\": [{\"rel\": \"" rel "\", \"href\": \"" href "\"}]}"
#define NEXT(ids, marker) PAGE (ids, "next", "http://inner.test:9999/v9/x?marker=" marker "#f")
#define A "{\"id\": \"a\"}"
#define B "{\"id\": \"b\"}"
#define C "{\"id\": 3}"

static const struct
{
  const char *pages[3]; /* the last one again and again */
  guint       n_pages;
  int         n_records; /* below 0: the list has no end */
} ends[] = {
  { { NEXT (A, "a"), NEXT (B, "b"), "{\"servers\": [" C "]}" }, 3, 3 },
  { { NEXT (A, "a"), PAGE (B, "previous", "http://h/?marker=x") }, 2, 2 },
  { { NEXT (A, "a"), "{\"servers\": [], \"servers_links\": []}" }, 2, 1 },
  { { NEXT (A, "a"), "{\"servers\": [], \"servers_links\": null}" }, 2, 1 },
  { { "{\"servers\": [" A "], \"next\": \"/v2/servers?marker=a\"}", "{\"servers\": [" B "]}" }, 2,
    2 },
  { { "{\"servers\": [" A "], \"next\": null}" }, 1, 1 },
  /* the same link */
  { { NEXT (A, "a") }, 2, -1 },
  { { NEXT (A, "a"), NEXT (B, "a") }, 2, -1 },
  /* other links, and nothing new */
  { { NEXT (A, "a"), NEXT (A, "b"), NEXT (B, "c") }, 2, -1 },
  { { NEXT (A "," B, "a"), NEXT (A, "b"), NEXT (A "," B, "c") }, 3, -1 },
  { { NEXT (A, "a"), NEXT ("", "b"), "{\"servers\": [" B "]}" }, 2, -1 },
  /* numbers are ids as well */
  { { NEXT (C, "a"), NEXT (C, "b"), "{\"servers\": []}" }, 2, -1 },
};

static void
add_page (ProviderFixture *fixture,
          const char      *body,
          int              times)
{
  const FakeRule rule = {
    .method = "GET", .path = "*/servers/detail", .times = times, .action = FAKE_FAIL,
    .status = 200, .body = body,
  };

  fake_cloud_add_rule (fixture->fake, &rule);
}

static void
test_ends (ProviderFixture *fixture,
           gconstpointer    data)
{
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);

  if (provider_fixture_needs_fake (fixture))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    {
      g_autoptr(GPtrArray) things = NULL;
      g_autoptr(GError) error = NULL;
      const FakeLogEntry *last;

      fake_cloud_clear_rules (fixture->fake);
      fake_log_clear (fixture->fake);
      for (guint j = 0; j < G_N_ELEMENTS (ends[i].pages) && ends[i].pages[j] != NULL; j++)
        add_page (fixture, ends[i].pages[j],
                  j + 1 < G_N_ELEMENTS (ends[i].pages) && ends[i].pages[j + 1] != NULL ? 1 : -1);
      things = list_things (fixture, client, 0, &error);

      g_test_message ("%u: %s", i, error != NULL ? error->message : "");
      g_assert_cmpuint (fake_log_count (fixture->fake, "GET", "*/servers/detail"), ==,
                        ends[i].n_pages);
      /* The query of a link, and nothing else of it. */
      last = fake_log_find (fixture->fake, "GET", "*/servers/detail");
      if (ends[i].n_pages > 1)
        g_assert_true (g_str_has_prefix (last->query, "marker="));
      if (ends[i].n_records < 0)
        {
          g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
          g_assert_nonnull (strstr (error->message, "a list of the compute service has no end"));
          continue;
        }
      g_assert_no_error (error);
      g_assert_cmpuint (things->len, ==, ends[i].n_records);
    }
}

static void
assert_list_fails (ProviderFixture *fixture,
                   OsClient        *client,
                   guint            index,
                   const char      *words)
{
  const char *const *path = lists[index].path;
  g_autoptr(GError) error = NULL;
  g_autoptr(GPtrArray) things = list_things (fixture, client, index, &error);
  g_autofree char *end = g_strdup_printf ("/%s: %s", path[1] != NULL ? path[1] : path[0], words);

  g_assert_null (things);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
  g_assert_true (g_str_has_prefix (error->message, "GET http://"));
  g_assert_true (g_str_has_suffix (error->message, end));
}

static void
test_answer_of_no_use_is_told_with_its_url (ProviderFixture *fixture,
                                            gconstpointer    data)
{
  FakeRule rule = {
    .method = "GET", .path = "*", .times = -1, .action = FAKE_FAIL, .status = 200,
  };
  g_autoptr(OsClient) client = provider_fixture_make_client (fixture, NULL);
  g_autoptr(GPtrArray) things = NULL;
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (fixture))
    return;
  things = list_things (fixture, client, 0, &error); /* logs in */
  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      g_autofree char *lacking = g_strdup_printf ("the answer lacks “%s”", lists[i].member);

      rule.body = "{}";
      fake_cloud_add_rule (fixture->fake, &rule);
      assert_list_fails (fixture, client, i, lacking);
      fake_cloud_clear_rules (fixture->fake);
      rule.body = "{\"others\": [";
      fake_cloud_add_rule (fixture->fake, &rule);
      assert_list_fails (fixture, client, i, "the answer is cut off after 12 bytes");
      fake_cloud_clear_rules (fixture->fake);
    }
}

static void
add (const char *path,
     void      (*test) (ProviderFixture *, gconstpointer))
{
  g_test_add (path, ProviderFixture, NULL, provider_fixture_set_up, test,
              provider_fixture_tear_down);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add ("/paging/lists-of-all-services", test_lists_of_all_services);
  add ("/paging/ends", test_ends);
  add ("/paging/answer-of-no-use-is-told-with-its-url",
       test_answer_of_no_use_is_told_with_its_url);

  return provider_fixture_run ();
}
