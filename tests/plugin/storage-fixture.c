/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <libsoup/soup.h>

#include "storage-fixture.h"

#include "os-storage.h"
#include "services/os-object-store.h"
#include "transport/os-checksum.h"

void
storage_place_clear (StoragePlace *place)
{
  g_clear_object (&place->storage);
  g_clear_object (&place->client);
  g_clear_pointer (&place->bucket, g_free);
}

void
storage_place_init_for (StoragePlace    *place,
                        ProviderFixture *fixture,
                        WelkinConfig    *config)
{
  g_autoptr(GError) error = NULL;

  place->client = os_client_new (config, fixture->surroundings, NULL, &error);
  g_assert_no_error (error);
  place->storage = os_storage_new (place->client, config, fixture->surroundings);
  place->bucket = g_strdup (welkin_config_get_string (config, "control-bucket"));
}

void
storage_place_init (StoragePlace    *place,
                    ProviderFixture *fixture,
                    const char      *uuid,
                    const char      *bucket)
{
  g_autoptr(WelkinConfig) config =
    provider_fixture_make_config (fixture, "uuid", uuid != NULL ? uuid : fixture->uuid,
                                  "control-bucket", bucket != NULL ? bucket : "", NULL);

  storage_place_init_for (place, fixture, config);
}

gboolean
storage_place_init_kind (StoragePlace    *place,
                         ProviderFixture *fixture,
                         const char      *kind)
{
  g_autoptr(WelkinConfig) config = NULL;

  if (provider_fixture_needs_fake (fixture))
    return FALSE;
  config = provider_fixture_make_config (fixture, "storage", kind, NULL);
  storage_place_init_for (place, fixture, config);
  return TRUE;
}

GBytes *
storage_make_data (gsize size,
                   guint seed)
{
  guint8 *data = g_malloc (size);
  guint32 state = seed;

  for (gsize i = 0; i < size; i++)
    {
      state = state * 1664525 + 1013904223;
      data[i] = (guint8) (state >> 24);
    }
  return g_bytes_new_take (data, size);
}

GInputStream *
storage_make_one_way (GBytes *bytes)
{
  g_autofree char *md5 = g_compute_checksum_for_bytes (G_CHECKSUM_MD5, bytes);
  g_autoptr(GInputStream) memory = g_memory_input_stream_new_from_bytes (bytes);

  return os_checksum_new (memory, md5);
}

gboolean
storage_save (ProviderFixture     *fixture,
              WelkinStorage       *storage,
              const char          *name,
              const char          *text,
              WelkinStorageFlags   flags,
              GError             **error)
{
  g_autoptr(GBytes) bytes = g_bytes_new (text, strlen (text));

  welkin_storage_save_async (storage, name, bytes, flags, NULL, provider_fixture_done_cb, fixture);
  return welkin_storage_save_finish (storage, provider_fixture_wait (fixture), error);
}

void
storage_save_well (ProviderFixture *fixture,
                   WelkinStorage   *storage,
                   const char      *name,
                   const char      *text)
{
  g_autoptr(GError) error = NULL;

  storage_save (fixture, storage, name, text, 0, &error);
  g_assert_no_error (error);
}

GBytes *
storage_load (ProviderFixture     *fixture,
              WelkinStorage       *storage,
              const char          *name,
              WelkinStorageFlags   flags,
              GError             **error)
{
  welkin_storage_load_async (storage, name, flags, NULL, provider_fixture_done_cb, fixture);
  return welkin_storage_load_finish (storage, provider_fixture_wait (fixture), error);
}

gboolean
storage_put (ProviderFixture     *fixture,
             WelkinStorage       *storage,
             const char          *name,
             GInputStream        *stream,
             goffset              size,
             WelkinStorageFlags   flags,
             GCancellable        *cancellable,
             GError             **error)
{
  welkin_storage_put_async (storage, name, stream, size, flags, cancellable,
                            provider_fixture_done_cb, fixture);
  return welkin_storage_put_finish (storage, provider_fixture_wait (fixture), error);
}

guint
storage_count_objects (ProviderFixture *fixture,
                       const char      *part)
{
  g_autofree char *inventory = fake_cloud_dump_inventory (fixture->fake, NULL);
  g_auto(GStrv) lines = g_strsplit (inventory, "\n", -1);
  guint n = 0;

  for (guint i = 0; lines[i] != NULL; i++)
    if (g_str_has_prefix (lines[i], "object ") && strstr (lines[i], part) != NULL)
      n++;
  return n;
}

void
storage_assert_contents (ProviderFixture *fixture,
                         WelkinStorage   *storage,
                         const char      *name,
                         const char      *text)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GBytes) bytes = storage_load (fixture, storage, name, 0, &error);

  g_assert_no_error (error);
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), text, strlen (text));
}

char **
storage_list (ProviderFixture  *fixture,
              WelkinStorage    *storage,
              const char       *prefix,
              GError          **error)
{
  welkin_storage_list_async (storage, prefix, NULL, provider_fixture_done_cb, fixture);
  return welkin_storage_list_finish (storage, provider_fixture_wait (fixture), error);
}

void
storage_assert_names (ProviderFixture *fixture,
                      WelkinStorage   *storage,
                      const char      *prefix,
                      const char      *expected)
{
  g_autoptr(GError) error = NULL;
  g_auto(GStrv) names = storage_list (fixture, storage, prefix, &error);
  g_autofree char *joined = NULL;

  g_assert_no_error (error);
  joined = g_strjoinv ("|", names);
  g_assert_cmpstr (joined, ==, expected);
}

gboolean
storage_try_to_remove (ProviderFixture  *fixture,
                       WelkinStorage    *storage,
                       const char       *name,
                       GError          **error)
{
  welkin_storage_remove_async (storage, name, NULL, provider_fixture_done_cb, fixture);
  return welkin_storage_remove_finish (storage, provider_fixture_wait (fixture), error);
}

void
storage_remove (ProviderFixture *fixture,
                WelkinStorage   *storage,
                const char      *name)
{
  g_autoptr(GError) error = NULL;

  storage_try_to_remove (fixture, storage, name, &error);
  g_assert_no_error (error);
}

gboolean
storage_remove_all (ProviderFixture  *fixture,
                    WelkinStorage    *storage,
                    GError          **error)
{
  welkin_storage_remove_all_async (storage, NULL, provider_fixture_done_cb, fixture);
  return welkin_storage_remove_all_finish (storage, provider_fixture_wait (fixture), error);
}

void
storage_remove_all_well (ProviderFixture *fixture,
                         WelkinStorage   *storage)
{
  g_autoptr(GError) error = NULL;

  storage_remove_all (fixture, storage, &error);
  g_assert_no_error (error);
}

WkHttpResponse *
storage_head_container (ProviderFixture  *fixture,
                        StoragePlace            *place,
                        GError          **error)
{
  g_autoptr(OsObjectStore) store = os_object_store_new (place->client);

  os_object_store_head_container_async (store, place->bucket, NULL, provider_fixture_done_cb,
                                        fixture);
  return os_object_store_head_container_finish (store, provider_fixture_wait (fixture), error);
}

char *
storage_get_uri (ProviderFixture  *fixture,
                 WelkinStorage    *storage,
                 const char       *name,
                 GDateTime       **expires,
                 GError          **error)
{
  welkin_storage_get_uri_async (storage, name, NULL, provider_fixture_done_cb, fixture);
  return welkin_storage_get_uri_finish (storage, provider_fixture_wait (fixture), expires, error);
}

guint
storage_fetch (ProviderFixture  *fixture,
               const char       *uri,
               GBytes          **body)
{
  g_autoptr(SoupSession) session = soup_session_new ();
  g_autoptr(SoupMessage) message = soup_message_new ("GET", uri);
  g_autoptr(GError) error = NULL;

  soup_session_send_and_read_async (session, message, G_PRIORITY_DEFAULT, NULL,
                                    provider_fixture_done_cb, fixture);
  *body = soup_session_send_and_read_finish (session, provider_fixture_wait (fixture), &error);
  g_assert_no_error (error);
  return soup_message_get_status (message);
}

void
storage_add_test (const char *group,
                  const char *kind,
                  const char *path,
                  void      (*test) (ProviderFixture *, gconstpointer))
{
  g_autofree char *full = g_strdup_printf ("%s/%s/%s", group, kind, path);

  g_test_add (full, ProviderFixture, kind, provider_fixture_set_up, test,
              provider_fixture_tear_down);
}
