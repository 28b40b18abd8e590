/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gstdio.h>

#include "contracts/welkin-trace.h"
#include "storage-fixture.h"

/* What the trace of an environment's storage tells, and what it must not tell. */

typedef struct
{
  ProviderFixture provider;
  char           *path;  /* (owned) */
  WelkinTrace    *trace; /* (owned) */
} Fixture;

static void
set_up (Fixture      *fixture,
        gconstpointer data)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinSurroundings) plain = NULL;
  int fd = g_file_open_tmp ("welkin-XXXXXX.har", &fixture->path, &error);

  g_assert_no_error (error);
  g_close (fd, NULL);
  provider_fixture_set_up (&fixture->provider, data);
  fixture->trace = welkin_trace_new_for_file (fixture->path, &error);
  g_assert_no_error (error);
  plain = g_steal_pointer (&fixture->provider.surroundings);
  fixture->provider.surroundings = welkin_surroundings_with_trace (plain, fixture->trace);
}

static void
tear_down (Fixture      *fixture,
           gconstpointer data)
{
  provider_fixture_tear_down (&fixture->provider, data);
  g_clear_object (&fixture->trace);
  g_unlink (fixture->path);
  g_free (fixture->path);
}

static void
test_keys_and_contents_are_left_out (Fixture      *fixture,
                                     gconstpointer data)
{
  ProviderFixture *provider = &fixture->provider;
  g_auto(StoragePlace) place = { NULL };
  g_autoptr(WkHttpResponse) container = NULL;
  g_autoptr(GDateTime) expires = NULL;
  g_autoptr(GError) error = NULL;
  g_autofree char *uri = NULL;
  g_autofree char *text = NULL;
  const char *key;
  const char *signature;

  storage_place_init (&place, provider, NULL, NULL);
  storage_save_well (provider, place.storage, "state", "state-server: the-contents");
  storage_assert_contents (provider, place.storage, "state", "state-server: the-contents");
  uri = storage_get_uri (provider, place.storage, "state", &expires, &error);
  g_assert_no_error (error);
  signature = strstr (uri, "temp_url_sig=") + strlen ("temp_url_sig=");
  container = storage_head_container (provider, &place, &error);
  g_assert_no_error (error);
  key = wk_http_response_get_header (container, "X-Container-Meta-Temp-URL-Key");
  g_assert_nonnull (key);

  g_assert_true (g_file_get_contents (fixture->path, &text, NULL, &error));
  g_assert_nonnull (strcasestr (text, "\"name\":\"X-Container-Meta-Temp-URL-Key\","
                                      "\"value\":\"***\""));
  g_assert_nonnull (strstr (text, "not shown"));
  g_assert_null (strstr (text, key));
  g_assert_null (g_strstr_len (text, -1, "the-contents"));
  {
    g_autofree char *digits = g_strndup (signature, 40);

    g_assert_null (strstr (text, digits));
  }
  storage_remove_all_well (provider, place.storage);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add ("/storage-trace/keys-and-contents-are-left-out", Fixture, NULL, set_up,
              test_keys_and_contents_are_left_out, tear_down);

  return provider_fixture_run ();
}
