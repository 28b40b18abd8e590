/* SPDX-License-Identifier: LGPL-2.1-or-later */

/*
 * Lists the instances of an environment through the plugin, as an application would, and prints how
 * many there are: what the benchmark measures.
 *
 *   list-instances PLUGIN-DIRECTORY ENVIRONMENT-UUID
 */

#include <welkin.h>

typedef struct
{
  GMainLoop *loop;
  GError    *error;
  guint      n_running;
} Listing;

static void
listed_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  Listing *listing = user_data;
  g_autoptr(GPtrArray) instances =
    welkin_environ_list_instances_finish (WELKIN_ENVIRON (source), result, &listing->error);

  for (guint i = 0; instances != NULL && i < instances->len; i++)
    {
      WelkinInstance *instance = g_ptr_array_index (instances, i);

      if (welkin_instance_get_state (instance) == WELKIN_INSTANCE_RUNNING)
        listing->n_running++;
    }
  g_main_loop_quit (listing->loop);
}

static WelkinConfig *
make_config (const char *uuid)
{
  const char *attributes[] = {
    "name", "bench", "type", "openstack", "uuid", uuid, "firewall-mode", "instance", NULL,
  };
  WelkinConfig *config = welkin_config_new ();

  for (gsize i = 0; attributes[i] != NULL; i += 2)
    {
      g_autoptr(WelkinConfig) former = g_steal_pointer (&config);

      config = welkin_config_with_text (former, attributes[i], attributes[i + 1], NULL);
    }
  return config;
}

static WelkinEnviron *
open_environ (const char *directory,
              const char *uuid,
              GError    **error)
{
  const char *directories[] = { directory, NULL };
  g_autoptr(WelkinRegistry) registry = welkin_registry_new (directories);
  g_autoptr(WelkinProvider) provider = welkin_registry_get_provider (registry, "openstack", error);
  g_autoptr(WelkinConfig) config = make_config (uuid);
  g_autoptr(WelkinConfig) prepared = NULL;

  if (provider == NULL)
    return NULL;
  prepared = welkin_provider_prepare (provider, config, WELKIN_PREPARE_NONE, NULL, error);
  return prepared != NULL ? welkin_provider_open (provider, prepared, NULL, error) : NULL;
}

int
main (int    argc,
      char **argv)
{
  g_autoptr(GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  Listing listing = { .loop = loop };
  g_autoptr(WelkinEnviron) environ = NULL;

  if (argc != 3)
    {
      g_printerr ("Usage: list-instances PLUGIN-DIRECTORY ENVIRONMENT-UUID\n");
      return 2;
    }
  environ = open_environ (argv[1], argv[2], &listing.error);
  if (environ != NULL)
    {
      welkin_environ_list_instances_async (environ, NULL, listed_cb, &listing);
      g_main_loop_run (loop);
    }
  if (listing.error != NULL)
    {
      g_printerr ("list-instances: %s\n", listing.error->message);
      g_error_free (listing.error);
      return 1;
    }
  g_print ("%u\n", listing.n_running);
  return 0;
}
