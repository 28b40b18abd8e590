/* SPDX-License-Identifier: LGPL-2.1-or-later */

/*
 * Starts many machines at once through the plugin, as an application would, and prints how many
 * run: what the benchmark measures.
 *
 *   start-instances PLUGIN-DIRECTORY MACHINES
 */

#include <stdlib.h>
#include <welkin.h>

typedef struct
{
  GMainLoop *loop;
  guint      n_left;
  guint      n_running;
} Crowd;

static void
started_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  Crowd *crowd = user_data;
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinStartResult) started =
    welkin_environ_start_instance_finish (WELKIN_ENVIRON (source), result, &error);

  if (started != NULL)
    crowd->n_running++;
  else
    g_printerr ("start-instances: %s\n", error->message);
  if (--crowd->n_left == 0)
    g_main_loop_quit (crowd->loop);
}

static WelkinConfig *
make_config (void)
{
  g_autofree char *uuid = g_uuid_string_random ();
  const char *attributes[] = {
    "name", "bench", "type", "openstack", "uuid", uuid, "firewall-mode", "instance",
    "default-series", "noble", "use-floating-ip", "true",
    "authorized-keys", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBench bench", NULL,
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
              GError    **error)
{
  const char *directories[] = { directory, NULL };
  g_autoptr(WelkinRegistry) registry = welkin_registry_new (directories);
  g_autoptr(WelkinProvider) provider = welkin_registry_get_provider (registry, "openstack", error);
  g_autoptr(WelkinConfig) config = make_config ();
  g_autoptr(WelkinConfig) prepared = NULL;

  if (provider == NULL)
    return NULL;
  prepared = welkin_provider_prepare (provider, config, WELKIN_PREPARE_NONE, NULL, error);
  return prepared != NULL ? welkin_provider_open (provider, prepared, NULL, error) : NULL;
}

static gboolean
begin (Crowd         *crowd,
       WelkinEnviron *environ,
       guint          number,
       GError       **error)
{
  g_autofree char *start_id = g_uuid_string_random ();
  g_autofree char *machine_id = g_strdup_printf ("%u", number);
  g_autofree char *nonce = g_strdup_printf ("client:%s", start_id);
  g_autoptr(WelkinMachineConfig) config =
    welkin_machine_config_new (machine_id, nonce, NULL, FALSE, error);
  g_autoptr(WelkinStartParams) params = NULL;

  if (config == NULL)
    return FALSE;
  params = welkin_start_params_new (start_id, config);
  crowd->n_left++;
  welkin_environ_start_instance_async (environ, params, NULL, NULL, started_cb, crowd);
  return TRUE;
}

int
main (int    argc,
      char **argv)
{
  g_autoptr(GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  Crowd crowd = { .loop = loop };
  g_autoptr(WelkinEnviron) environ = NULL;
  g_autoptr(GError) error = NULL;

  if (argc != 3)
    {
      g_printerr ("Usage: start-instances PLUGIN-DIRECTORY MACHINES\n");
      return 2;
    }
  environ = open_environ (argv[1], &error);
  for (int i = 0; error == NULL && i < atoi (argv[2]); i++)
    begin (&crowd, environ, i, &error);
  if (error != NULL)
    {
      g_printerr ("start-instances: %s\n", error->message);
      return 1;
    }
  g_main_loop_run (loop);
  g_print ("%u\n", crowd.n_running);
  return 0;
}
