/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/address-intent.h"

#define MARK  "welkin env=u machine=3 start=s/1"
#define OTHER "welkin env=u machine=4 start=t/1"

typedef struct
{
  GPtrArray  *ips;     /* (owned) of OsFloatingIp */
  GPtrArray  *servers; /* (owned) of OsServer */
  GHashTable *lines;   /* (owned) */
} Fixture;

static void
fixture_set_up (Fixture      *fixture,
                gconstpointer user_data)
{
  fixture->ips = g_ptr_array_new_with_free_func ((GDestroyNotify) os_floating_ip_free);
  fixture->servers = g_ptr_array_new_with_free_func ((GDestroyNotify) os_server_free);
  fixture->lines = g_hash_table_new (g_str_hash, g_str_equal);
}

static void
fixture_tear_down (Fixture      *fixture,
                   gconstpointer user_data)
{
  g_hash_table_unref (fixture->lines);
  g_ptr_array_unref (fixture->servers);
  g_ptr_array_unref (fixture->ips);
}

/* server_id: (nullable) */
static void
add_ip (Fixture    *fixture,
        const char *id,
        const char *pool,
        const char *server_id)
{
  OsFloatingIp *ip = wk_json_record_new (&os_floating_ip_table);

  ip->id = g_strdup (id);
  ip->network_id = g_strdup (pool);
  ip->server_id = g_strdup (server_id);
  g_ptr_array_add (fixture->ips, ip);
}

static void
add_server (Fixture    *fixture,
            const char *ip_id)
{
  OsServer *server = wk_json_record_new (&os_server_table);

  g_clear_pointer (&server->metadata, g_hash_table_unref);
  server->metadata = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_hash_table_insert (server->metadata, g_strdup (OS_METADATA_FLOATING_IP), g_strdup (ip_id));
  g_ptr_array_add (fixture->servers, server);
}

static void
add_line (Fixture    *fixture,
          const char *line)
{
  g_hash_table_insert (fixture->lines, (char *) line, (char *) line);
}

/* What is found of the addresses, each with its mark. */
static void
assert_marks (Fixture    *fixture,
              const char *expected)
{
  g_autoptr(GString) text = g_string_new (NULL);

  os_mark_addresses (fixture->ips, fixture->servers, fixture->lines);
  for (guint i = 0; i < fixture->ips->len; i++)
    {
      const OsFloatingIp *ip = g_ptr_array_index (fixture->ips, i);

      if (ip->description != NULL)
        g_string_append_printf (text, "%s: %s\n", ip->id, ip->description);
    }
  g_assert_cmpstr (text->str, ==, expected);
}

static void
test_address_noted_with_its_id_is_of_its_start (Fixture      *fixture,
                                                gconstpointer user_data)
{
  add_ip (fixture, "7", "public", NULL);
  add_ip (fixture, "8", "public", NULL);
  add_line (fixture, MARK " id=8");
  assert_marks (fixture, "8: " MARK "\n");
}

static void
test_address_in_use_is_nobodys (Fixture      *fixture,
                                gconstpointer user_data)
{
  add_ip (fixture, "7", "public", "server");
  add_ip (fixture, "8", "public", NULL);
  add_server (fixture, "8");
  add_line (fixture, MARK " id=7");
  add_line (fixture, MARK " id=8");
  add_line (fixture, OTHER " pool= known=");
  assert_marks (fixture, "");
}

static void
test_only_new_address_is_doubtful (Fixture      *fixture,
                                   gconstpointer user_data)
{
  add_ip (fixture, "7", "public", NULL);
  add_ip (fixture, "8", "the pool", NULL);
  add_ip (fixture, "9", "private", NULL);
  add_ip (fixture, "10", "the pool", NULL);
  add_line (fixture, OTHER " id=10");
  add_line (fixture, MARK " pool=the%20pool known=7");
  assert_marks (fixture, "8: perhaps " MARK "\n10: " OTHER "\n");
}

static void
test_known_address_is_nobodys (Fixture      *fixture,
                               gconstpointer user_data)
{
  add_ip (fixture, "7", "public", NULL);
  add_ip (fixture, "8", "public", NULL);
  add_line (fixture, MARK " pool= known=7,8");
  assert_marks (fixture, "");
}

static void
test_one_of_several_new_addresses_is_doubtful (Fixture      *fixture,
                                               gconstpointer user_data)
{
  g_autofree char *mark = NULL;
  const OsFloatingIp *ip;

  add_ip (fixture, "7", "public", NULL);
  add_ip (fixture, "8", "public", NULL);
  add_line (fixture, MARK " pool=public known=");
  assert_marks (fixture, "7: perhaps " MARK "\n8: perhaps " MARK "\n");
  ip = g_ptr_array_index (fixture->ips, 1);
  mark = os_get_doubtful_mark (ip->description);
  g_assert_cmpstr (mark, ==, MARK);
}

static void
test_broken_line_says_nothing (Fixture      *fixture,
                               gconstpointer user_data)
{
  add_ip (fixture, "7", "public", NULL);
  add_line (fixture, "");
  add_line (fixture, MARK);
  add_line (fixture, MARK " pool=public");
  add_line (fixture, "something else id=7");
  assert_marks (fixture, "");
}

int
main (int    argc,
      char **argv)
{
  static const struct
  {
    const char *path;
    void      (*function) (Fixture *fixture, gconstpointer user_data);
  } tests[] = {
    { "/address-intent/noted-with-its-id", test_address_noted_with_its_id_is_of_its_start },
    { "/address-intent/in-use", test_address_in_use_is_nobodys },
    { "/address-intent/only-new-one", test_only_new_address_is_doubtful },
    { "/address-intent/known", test_known_address_is_nobodys },
    { "/address-intent/one-of-several", test_one_of_several_new_addresses_is_doubtful },
    { "/address-intent/broken-line", test_broken_line_says_nothing },
  };

  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Fixture, NULL, fixture_set_up, tests[i].function,
                fixture_tear_down);
  return g_test_run ();
}
