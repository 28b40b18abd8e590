/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "environ-fixture.h"
#include "notes.h"
#include "storage-fixture.h"

#include "contracts/welkin-optional.h"
#include "services/os-object-store.h"
#include "values/welkin-error.h"

#define DEAD "11111111-2222-4333-8444-555555555555"

static const char *const none[] = { NULL };

/* (transfer container) */
static GPtrArray *
list_leftovers (EnvironFixture    *fixture,
                const char *const *live)
{
  WelkinReconciler *environ = WELKIN_RECONCILER (fixture->environ);
  g_autoptr(GError) error = NULL;
  GPtrArray *leftovers;

  welkin_reconciler_list_leftovers_async (environ, live, NULL, provider_fixture_done_cb,
                                          &fixture->provider);
  leftovers = welkin_reconciler_list_leftovers_finish (
    environ, provider_fixture_wait (&fixture->provider), &error);
  g_assert_no_error (error);
  return leftovers;
}

static gboolean
remove_leftover (EnvironFixture *fixture,
                 WelkinLeftover *leftover,
                 GError        **error)
{
  WelkinReconciler *environ = WELKIN_RECONCILER (fixture->environ);

  welkin_reconciler_remove_leftover_async (environ, leftover, NULL, provider_fixture_done_cb,
                                           &fixture->provider);
  return welkin_reconciler_remove_leftover_finish (
    environ, provider_fixture_wait (&fixture->provider), error);
}

/* "KIND:MACHINE", one for each, in their order. (transfer full) */
static char *
describe (GPtrArray *leftovers)
{
  static const char *const kinds[] = { "server",       "port",   "floating-ip", "security-group",
                                       "server-group", "volume", "container" };
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < leftovers->len; i++)
    {
      WelkinLeftover *leftover = g_ptr_array_index (leftovers, i);
      const char *machine_id = welkin_leftover_get_machine_id (leftover);

      g_string_append_printf (text, "%s%s:%s%s", i > 0 ? " " : "",
                              kinds[welkin_leftover_get_kind (leftover)],
                              machine_id != NULL ? machine_id : "-",
                              welkin_leftover_is_marked (leftover) ? "" : "?");
    }
  return g_string_free (text, FALSE);
}

static void
assert_leftovers (EnvironFixture    *fixture,
                  const char *const *live,
                  const char        *expected)
{
  g_autoptr(GPtrArray) leftovers = list_leftovers (fixture, live);
  g_autofree char *found = describe (leftovers);

  g_assert_cmpstr (found, ==, expected);
}

/* Adds something that a start has made that was cut off; format: with one %s for the environment's
 * UUID. */
static void G_GNUC_PRINTF (3, 0)
add (EnvironFixture *fixture,
     const char     *kind,
     const char     *format)
{
  g_autofree char *json = g_strdup_printf (format, fixture->provider.uuid);

  fake_cloud_add (fixture->provider.fake, kind, json);
}

/* (transfer full) the start-id */
static char *
start (EnvironFixture *fixture,
       const char     *machine_id)
{
  g_autoptr(WelkinStartParams) params = environ_fixture_make_params (machine_id, NULL);
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartResult) result =
    environ_fixture_start_params (fixture, fixture->environ, params, &error);

  g_assert_no_error (error);
  g_assert_nonnull (result);
  return g_strdup (welkin_start_params_get_start_id (params));
}

static void
test_all_of_a_start_is_left_when_nobody_knows_it (EnvironFixture *fixture,
                                                  gconstpointer   data)
{
  g_autofree char *first = start (fixture, "1");
  g_autofree char *second = start (fixture, "2");
  const char *live[] = { "somebody", first, NULL };
  const char *both[] = { first, second, NULL };
  g_autoptr(GPtrArray) leftovers = NULL;
  g_autoptr(GError) error = NULL;

  assert_leftovers (fixture, both, "");
  assert_leftovers (fixture, live, "server:2 port:2 floating-ip:2 security-group:2");
  leftovers = list_leftovers (fixture, live);
  for (guint i = 0; i < leftovers->len; i++)
    {
      WelkinLeftover *leftover = g_ptr_array_index (leftovers, i);
      g_autoptr(GDateTime) now = g_date_time_new_now_utc ();
      GDateTime *changed = welkin_leftover_get_changed (leftover);

      g_assert_cmpstr (welkin_leftover_get_start_id (leftover), ==, second);
      g_assert_cmpint (welkin_leftover_get_state (leftover), ==, WELKIN_LEFTOVER_FOUND);
      g_assert_nonnull (changed);
      g_assert_cmpint (ABS (g_date_time_difference (now, changed)), <, G_TIME_SPAN_MINUTE);
      remove_leftover (fixture, leftover, &error);
      g_assert_no_error (error);
    }
  assert_leftovers (fixture, both, "");
  assert_leftovers (fixture, none, "server:1 port:1 floating-ip:1 security-group:1");
  environ_fixture_destroy (fixture, fixture->environ, &error);
  g_assert_no_error (error);
  environ_fixture_assert_clean (fixture);
}

static void
test_pieces_are_removed_one_by_one (EnvironFixture *fixture,
                                    gconstpointer   data)
{
  g_autoptr(GPtrArray) leftovers = NULL;
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  add (fixture, "port", "{'network': 'private', 'project': 'demo', 'name': 'x', 'description':"
                        " 'welkin env=%s machine=3 start=" DEAD "/1'}");
  add (fixture, "security_group", "{'name': 'welkin-test-3', 'project': 'demo', 'description':"
                                  " 'welkin env=%s machine=3 start=" DEAD "/1'}");
  add (fixture, "volume", "{'name': 'x', 'project': 'demo', 'metadata': {'welkin-env-uuid': '%s',"
                          " 'welkin-machine': '3', 'welkin-start': '" DEAD "/1'}}");
  leftovers = list_leftovers (fixture, none);
  assert_leftovers (fixture, none, "port:3 security-group:3 volume:3");
  assert_leftovers (fixture, (const char *const[]) { DEAD, NULL }, "");
  for (guint i = 0; i < leftovers->len; i++)
    {
      WelkinLeftover *leftover = g_ptr_array_index (leftovers, i);

      g_assert_cmpstr (welkin_leftover_get_start_id (leftover), ==, DEAD);
      remove_leftover (fixture, leftover, &error);
      g_assert_no_error (error);
    }
  environ_fixture_assert_clean (fixture);

  /* What is gone already is no error. */
  for (guint i = 0; i < leftovers->len; i++)
    {
      remove_leftover (fixture, g_ptr_array_index (leftovers, i), &error);
      g_assert_no_error (error);
    }
}

/* A port that was changed so many seconds ago by our clock, which is so many behind the cloud's. */
static gint64
get_age (EnvironFixture *fixture,
         int             seconds,
         int             skew)
{
  g_autoptr(GDateTime) now = g_date_time_new_now_utc ();
  g_autoptr(GDateTime) then = g_date_time_add_seconds (now, -seconds);
  g_autofree char *stamp = g_date_time_format_iso8601 (then);
  g_autofree char *json =
    g_strdup_printf ("{'created_at': '%s', 'updated_at': '%s'}", stamp, stamp);
  g_autoptr(GPtrArray) leftovers = NULL;

  fake_cloud_set (fixture->provider.fake, "clock-skew", skew);
  fake_cloud_update (fixture->provider.fake, "port", "x", json);
  leftovers = list_leftovers (fixture, none);
  g_assert_cmpuint (leftovers->len, ==, 1);
  return welkin_leftover_get_age (g_ptr_array_index (leftovers, 0));
}

static void
test_age_is_that_of_the_clouds_clock (EnvironFixture *fixture,
                                      gconstpointer   data)
{
  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  add (fixture, "port", "{'network': 'private', 'project': 'demo', 'name': 'x', 'description':"
                        " 'welkin env=%s machine=3 start=" DEAD "/1'}");
  g_assert_cmpint (ABS (get_age (fixture, 1200, 0) - 1200), <, 10);
  g_assert_cmpint (get_age (fixture, 1200, -1200), <, 10);
  g_assert_cmpint (ABS (get_age (fixture, 60, 1200) - 1260), <, 10);
  fake_cloud_remove (fixture->provider.fake, "port", "x");
}

static void
test_unmarked_things_are_listed_and_stay (EnvironFixture *fixture,
                                          gconstpointer   data)
{
  g_autoptr(GPtrArray) leftovers = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  add (fixture, "server", "{'name': 'welkin-test-machine-9', 'project': 'demo', 'key': '%s'}");
  add (fixture, "port", "{'network': 'private', 'project': 'demo', 'name': 'welkin-%s-9-abc'}");
  add (fixture, "security_group", "{'name': 'welkin-test-9', 'project': 'demo',"
                                  " 'description': 'not %s'}");
  before = environ_fixture_take_inventory (fixture);
  assert_leftovers (fixture, none, "server:-? port:-? security-group:-?");
  leftovers = list_leftovers (fixture, none);
  for (guint i = 0; i < leftovers->len; i++)
    {
      g_autoptr(GError) error = NULL;

      g_assert_false (remove_leftover (fixture, g_ptr_array_index (leftovers, i), &error));
      g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_FORBIDDEN);
    }
  after = environ_fixture_take_inventory (fixture);
  g_assert_cmpstr (after, ==, before);
}

/* Names that begin alike, and the same name in other hands. */
static void
test_things_of_others_are_not_listed (EnvironFixture *fixture,
                                      gconstpointer   data)
{
  static const char *const names[] = { "test", "test-machine-1", "tes.", "test-0" };

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr(WelkinEnviron) other = environ_fixture_open (fixture, "name", names[i], NULL);
      g_autoptr(GError) error = NULL;
      g_autoptr(WelkinStartResult) result =
        environ_fixture_start (fixture, other, "0", NULL, &error);

      g_assert_no_error (error);
      g_assert_nonnull (result);
    }
  add (fixture, "port", "{'network': 'private', 'project': 'demo', 'name': 'x', 'description':"
                        " 'welkin env=%s0 machine=3 start=" DEAD "/1'}");
  add (fixture, "security_group", "{'name': 'welkin-test-3', 'project': 'demo', 'description':"
                                  " 'welkin env=%s0 machine=3 start=" DEAD "/1'}");
  add (fixture, "volume", "{'name': 'x', 'project': 'demo', 'metadata': {'welkin-env-uuid':"
                          " '%s0'}}");
  add (fixture, "security_group", "{'name': 'welkin-test-machine-1-9', 'project': 'demo',"
                                  " 'description': 'not %s'}");
  assert_leftovers (fixture, none, "");
}

static void
test_what_is_in_use_stays (EnvironFixture *fixture,
                           gconstpointer   data)
{
  g_autoptr(GPtrArray) leftovers = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  add (fixture, "port", "{'network': 'private', 'project': 'demo', 'name': 'used',"
                        " 'device_id': 'a server', 'description':"
                        " 'welkin env=%s machine=3 start=" DEAD "/1'}");
  add (fixture, "volume", "{'name': 'x', 'project': 'demo', 'status': 'in-use', 'metadata':"
                          " {'welkin-env-uuid': '%s', 'welkin-start': '" DEAD "/1'}}");
  assert_leftovers (fixture, none, "");

  /* It has come into use, or into other hands, behind the list. */
  add (fixture, "port", "{'network': 'private', 'project': 'demo', 'name': 'soon', 'description':"
                        " 'welkin env=%s machine=4 start=" DEAD "/1'}");
  add (fixture, "port", "{'network': 'private', 'project': 'demo', 'name': 'sold', 'description':"
                        " 'welkin env=%s machine=4 start=" DEAD "/1'}");
  leftovers = list_leftovers (fixture, none);
  g_assert_cmpuint (leftovers->len, ==, 2);
  fake_cloud_update (fixture->provider.fake, "port", "soon", "{'device_id': 'a server'}");
  fake_cloud_update (fixture->provider.fake, "port", "sold", "{'description': ''}");
  for (guint i = 0; i < leftovers->len; i++)
    {
      WelkinLeftover *leftover = g_ptr_array_index (leftovers, i);
      gboolean is_sold = g_str_equal (welkin_leftover_get_name (leftover), "sold");
      int code = is_sold ? WELKIN_ERROR_FORBIDDEN : WELKIN_ERROR_IN_USE;
      g_autoptr(GError) error = NULL;

      g_assert_false (remove_leftover (fixture, leftover, &error));
      g_assert_error (error, WELKIN_ERROR, code);
      g_assert_nonnull (fake_cloud_find (fixture->provider.fake, "port",
                                         welkin_leftover_get_name (leftover)));
    }
}

/* A cloud that does not heed what is asked for tells of those of others, too. */
static void
test_volume_that_is_in_other_hands_stays (EnvironFixture *fixture,
                                          gconstpointer   data)
{
  g_autofree char *body = NULL;
  g_autoptr(GPtrArray) leftovers = NULL;
  g_autoptr(GError) error = NULL;
  FakeRule look = { .method = "GET", .path = "/volume/v3/volumes/detail", .action = FAKE_FAIL,
                    .status = 200 };

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  add (fixture, "volume", "{'name': 'sold', 'project': 'demo', 'metadata': {'welkin-env-uuid':"
                          " '%s', 'welkin-machine': '3', 'welkin-start': '" DEAD "/1'}}");
  leftovers = list_leftovers (fixture, none);
  g_assert_cmpuint (leftovers->len, ==, 1);
  body = g_strdup_printf ("{\"volumes\": [{\"id\": \"%s\", \"status\": \"available\", "
                          "\"metadata\": {\"welkin-env-uuid\": \"another\"}}]}",
                          fake_cloud_find (fixture->provider.fake, "volume", "sold"));
  look.body = body;
  fake_cloud_add_rule (fixture->provider.fake, &look);
  g_assert_false (remove_leftover (fixture, g_ptr_array_index (leftovers, 0), &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_FORBIDDEN);
  g_assert_nonnull (fake_cloud_find (fixture->provider.fake, "volume", "sold"));
}

static void
test_server_group_without_machines_is_left (EnvironFixture *fixture,
                                            gconstpointer   data)
{
  g_autofree char *start_id = NULL;
  const char *ids[] = { NULL, NULL };
  g_autoptr(GPtrArray) instances = NULL;
  g_autoptr(GPtrArray) leftovers = NULL;
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;

  environ_fixture_reopen (fixture, "anti-affinity", "soft", NULL);
  start_id = start (fixture, "0");
  ids[0] = start_id;
  assert_leftovers (fixture, ids, "");
  instances = environ_fixture_list (fixture, fixture->environ, &error);
  g_assert_no_error (error);
  ids[0] = welkin_instance_get_id (g_ptr_array_index (instances, 0));
  environ_fixture_stop (fixture, fixture->environ, ids, &error);
  g_assert_no_error (error);
  assert_leftovers (fixture, none, "server-group:-");
  leftovers = list_leftovers (fixture, none);
  g_assert_null (welkin_leftover_get_changed (g_ptr_array_index (leftovers, 0)));
  remove_leftover (fixture, g_ptr_array_index (leftovers, 0), &error);
  g_assert_no_error (error);
  assert_leftovers (fixture, none, "");
}

/* Nova's carry no mark: what is noted tells whose they are. */
static void
test_noted_address_of_nova_is_left (EnvironFixture *fixture,
                                    gconstpointer   data)
{
  g_autoptr(Notes) notes = notes_new_for (fixture->environ);
  const char *live[] = { DEAD, NULL };
  g_autoptr(GPtrArray) leftovers = NULL;
  g_autoptr(GError) error = NULL;
  const char *id;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;
  environ_fixture_add_free_ip (fixture);
  assert_leftovers (fixture, none, "floating-ip:-?");
  leftovers = list_leftovers (fixture, none);
  id = welkin_leftover_get_id (g_ptr_array_index (leftovers, 0));
  g_hash_table_insert (notes_get_lines (notes), g_strdup (DEAD "/1"),
                       g_strdup_printf ("welkin env=%s machine=3 start=" DEAD "/1 id=%s",
                                        fixture->provider.uuid, id));
  assert_leftovers (fixture, live, "");
  assert_leftovers (fixture, none, "floating-ip:3");
  remove_leftover (fixture, g_ptr_array_index (leftovers, 0), &error);
  g_assert_no_error (error);
  assert_leftovers (fixture, none, "");
}

/* It was made while a start asked for one that it never learnt of: another may have made it. */
static void
test_new_address_of_nova_is_doubtful (EnvironFixture *fixture,
                                      gconstpointer   data)
{
  g_autoptr(Notes) notes = notes_new_for (fixture->environ);
  const char *live[] = { DEAD, NULL };
  g_autoptr(GPtrArray) leftovers = NULL;
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;
  environ_fixture_add_free_ip (fixture);
  g_hash_table_insert (notes_get_lines (notes), g_strdup (DEAD "/1"),
                       g_strdup_printf ("welkin env=%s machine=3 start=" DEAD "/1 pool= known=",
                                        fixture->provider.uuid));
  assert_leftovers (fixture, live, "");
  assert_leftovers (fixture, none, "floating-ip:3?");
  leftovers = list_leftovers (fixture, none);
  g_assert_false (remove_leftover (fixture, g_ptr_array_index (leftovers, 0), &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_FORBIDDEN);
  assert_leftovers (fixture, none, "floating-ip:3?");
}

/* Containers. */

static void
save (EnvironFixture *fixture,
      const char     *name)
{
  g_autoptr(WelkinStorage) storage = welkin_environ_get_storage (fixture->environ);

  storage_save_well (&fixture->provider, storage, name, "text");
}

static WelkinLeftover *
describe_container (EnvironFixture *fixture)
{
  WelkinConfig *config = welkin_environ_get_config (fixture->environ);

  return welkin_leftover_new (WELKIN_LEFTOVER_CONTAINER,
                              welkin_config_get_string (config, "control-bucket"), NULL, NULL,
                              NULL, NULL, TRUE, "a test");
}

/* It stays, and is not even listed. */
static void
assert_container_stays (EnvironFixture *fixture)
{
  g_autoptr(WelkinLeftover) leftover = describe_container (fixture);
  g_autoptr(GPtrArray) leftovers = list_leftovers (fixture, none);
  g_autoptr(GError) error = NULL;

  for (guint i = 0; i < leftovers->len; i++)
    g_assert_cmpint (welkin_leftover_get_kind (g_ptr_array_index (leftovers, i)), !=,
                     WELKIN_LEFTOVER_CONTAINER);
  g_assert_false (remove_leftover (fixture, leftover, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_IN_USE);
}

static void
test_container_is_left_without_machines_and_state (EnvironFixture *fixture,
                                                   gconstpointer   data)
{
  static const char *const kinds[] = { "auto", "swift", "s3" };

  if (provider_fixture_needs_fake (&fixture->provider))
    return;
  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      gboolean has_age = !g_str_equal (kinds[i], "s3");
      g_autoptr(GPtrArray) leftovers = NULL;
      g_autoptr(GError) error = NULL;

      environ_fixture_reopen (fixture, "storage", kinds[i], NULL);
      assert_leftovers (fixture, none, "");
      save (fixture, "tools/some.tgz");
      assert_leftovers (fixture, none, "container:-");
      leftovers = list_leftovers (fixture, none);
      g_assert_cmpint (welkin_leftover_get_age (g_ptr_array_index (leftovers, 0)), >=,
                       has_age ? 0 : -1);
      g_assert_cmpint (welkin_leftover_get_age (g_ptr_array_index (leftovers, 0)), <, 60);
      remove_leftover (fixture, g_ptr_array_index (leftovers, 0), &error);
      g_assert_no_error (error);
      assert_leftovers (fixture, none, "");
      environ_fixture_assert_clean (fixture);

      /* What is gone already is no error. */
      remove_leftover (fixture, g_ptr_array_index (leftovers, 0), &error);
      g_assert_no_error (error);
    }
}

static void
test_container_that_cannot_be_removed_is_told_of (EnvironFixture *fixture,
                                                  gconstpointer   data)
{
  g_autoptr(WelkinLeftover) leftover = describe_container (fixture);
  g_autofree char *path = g_strconcat ("*/", welkin_leftover_get_id (leftover), NULL);
  FakeRule refused = { .method = "DELETE", .path = path, .action = FAKE_FAIL, .status = 403 };
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;
  save (fixture, "tools/some.tgz");
  fake_cloud_add_rule (fixture->provider.fake, &refused);
  g_assert_false (remove_leftover (fixture, leftover, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_FORBIDDEN);
  assert_leftovers (fixture, none, "container:-");
}

static void
test_container_of_what_is_there_stays (EnvironFixture *fixture,
                                       gconstpointer   data)
{
  g_autofree char *start_id = NULL;

  save (fixture, "provider-state");
  assert_container_stays (fixture);
  start_id = start (fixture, "0");
  assert_container_stays (fixture);
  environ_fixture_destroy (fixture, fixture->environ, NULL);
  environ_fixture_assert_clean (fixture);

  save (fixture, "tools/some.tgz");
  g_free (start_id);
  start_id = start (fixture, "1");
  assert_container_stays (fixture);
  environ_fixture_destroy (fixture, fixture->environ, NULL);
  environ_fixture_assert_clean (fixture);
}

/* One that another environment has under the same name, and one that nobody has marked yet. */
static void
test_container_without_our_mark_stays (EnvironFixture *fixture,
                                       gconstpointer   data)
{
  static const char *const kinds[] = { "swift", "s3" };

  if (provider_fixture_needs_fake (&fixture->provider))
    return;
  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *bucket = g_strdup_printf ("shared-%s", kinds[i]);
      g_autoptr(WelkinEnviron) other =
        environ_fixture_open (fixture, "storage", kinds[i], "control-bucket", bucket, NULL);
      g_autoptr(WelkinStorage) storage = welkin_environ_get_storage (other);
      g_autoptr(WelkinLeftover) leftover = NULL;

      storage_save_well (&fixture->provider, storage, "a-file", "text");
      environ_fixture_reopen (fixture, "storage", kinds[i], "control-bucket", bucket, NULL);
      assert_leftovers (fixture, none, "");
      leftover = describe_container (fixture);
      remove_leftover (fixture, leftover, NULL);
      storage_assert_contents (&fixture->provider, storage, "a-file", "text");
    }
}

static void
make_container (EnvironFixture *fixture,
                const char     *name)
{
  g_autoptr(OsClient) client = provider_fixture_make_client (&fixture->provider, NULL);
  g_autoptr(OsObjectStore) store = os_object_store_new (client);
  g_autoptr(GError) error = NULL;
  gboolean is_new;

  os_object_store_create_container_async (store, name, NULL, provider_fixture_done_cb,
                                          &fixture->provider);
  os_object_store_create_container_finish (store, provider_fixture_wait (&fixture->provider),
                                           &is_new, &error);
  g_assert_no_error (error);
}

static void
test_container_without_any_mark_is_listed (EnvironFixture *fixture,
                                           gconstpointer   data)
{
  g_autoptr(WelkinLeftover) leftover = describe_container (fixture);
  g_autoptr(GError) error = NULL;

  if (provider_fixture_needs_fake (&fixture->provider))
    return;
  make_container (fixture, welkin_leftover_get_id (leftover));
  assert_leftovers (fixture, none, "container:-?");
  g_assert_false (remove_leftover (fixture, leftover, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_FORBIDDEN);
  assert_leftovers (fixture, none, "container:-?");
}

static void
add_test (const char *path,
          void      (*test) (EnvironFixture *, gconstpointer))
{
  g_test_add (path, EnvironFixture, NULL, environ_fixture_set_up, test, environ_fixture_tear_down);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  add_test ("/leftovers/whole-start", test_all_of_a_start_is_left_when_nobody_knows_it);
  add_test ("/leftovers/pieces", test_pieces_are_removed_one_by_one);
  add_test ("/leftovers/clock", test_age_is_that_of_the_clouds_clock);
  add_test ("/leftovers/unmarked", test_unmarked_things_are_listed_and_stay);
  add_test ("/leftovers/of-others", test_things_of_others_are_not_listed);
  add_test ("/leftovers/in-use", test_what_is_in_use_stays);
  add_test ("/leftovers/volume-in-other-hands", test_volume_that_is_in_other_hands_stays);
  add_test ("/leftovers/server-group", test_server_group_without_machines_is_left);
  environ_fixture_add_nova_test ("/leftovers/nova/noted", test_noted_address_of_nova_is_left);
  environ_fixture_add_nova_test ("/leftovers/nova/doubtful", test_new_address_of_nova_is_doubtful);
  add_test ("/leftovers/container/left", test_container_is_left_without_machines_and_state);
  add_test ("/leftovers/container/refused", test_container_that_cannot_be_removed_is_told_of);
  add_test ("/leftovers/container/in-use", test_container_of_what_is_there_stays);
  add_test ("/leftovers/container/of-others", test_container_without_our_mark_stays);
  add_test ("/leftovers/container/unmarked", test_container_without_any_mark_is_listed);

  return provider_fixture_run ();
}
