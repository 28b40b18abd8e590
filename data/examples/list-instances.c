/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Lists the machines of an environment: list-instances [NAME]
 *
 * cc list-instances.c $(pkg-config --cflags --libs welkin-1) */

#include <welkin.h>

static void
instances_listed_cb (GObject      *source,
                     GAsyncResult *result,
                     gpointer      user_data)
{
  GAsyncResult **place = user_data;

  *place = g_object_ref (result);
}

static void
print_instance (WelkinInstance *instance)
{
  g_autofree char *address = welkin_instance_get_dns_name (instance, NULL);

  g_print ("%s %s %s\n", welkin_instance_get_id (instance), welkin_instance_get_status (instance),
           address != NULL ? address : "-");
}

/* Which environment is meant, if none is named: WELKIN_ENV, the current one, the default one. */
static GPtrArray *
list_instances (WelkinEnvironments *environments,
                const char         *wanted,
                GError            **error)
{
  g_autofree char *name = welkin_environments_choose (environments, wanted, error);
  g_autoptr(WelkinEnviron) environment = NULL;
  g_autoptr(GAsyncResult) result = NULL;

  if (name != NULL)
    environment = welkin_environments_open (environments, name, error);
  if (environment == NULL)
    return NULL;

  welkin_environ_list_instances_async (environment, NULL, instances_listed_cb, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return welkin_environ_list_instances_finish (environment, result, error);
}

int
main (int    argc,
      char **argv)
{
  g_autoptr(WelkinRegistry) registry = welkin_registry_new (NULL);
  g_autoptr(WelkinEnvironments) environments = welkin_environments_new (registry, NULL);
  g_autoptr(GPtrArray) instances = NULL;
  g_autoptr(GError) error = NULL;

  instances = list_instances (environments, argc > 1 ? argv[1] : NULL, &error);
  if (instances == NULL)
    {
      g_printerr ("error: %s\n", error->message);
      return 1;
    }
  g_ptr_array_foreach (instances, (GFunc) (void (*) (void)) print_instance, NULL);
  return 0;
}
