/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "contracts/welkin-introspector.h"
#include "operations/own-machine.h"
#include "os-config.h"
#include "os-environ.h"
#include "os-provider.h"
#include "transport/os-clouds.h"

struct _OsProvider
{
  GObject parent;
};

static void os_provider_introspector_init (WelkinIntrospectorInterface *iface);
static void os_provider_provider_init (WelkinProviderInterface *iface);

/* The contract itself comes last: of a type that it does not know, gjs 1.74 sees the methods of the
 * interface alone that was added last. */
G_DEFINE_FINAL_TYPE_WITH_CODE (OsProvider, os_provider, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (WELKIN_TYPE_INTROSPECTOR,
                                                      os_provider_introspector_init)
                               G_IMPLEMENT_INTERFACE (WELKIN_TYPE_PROVIDER,
                                                      os_provider_provider_init))

static WelkinSchema *
os_provider_get_schema (WelkinProvider *provider)
{
  return os_config_new_schema ();
}

static char *
os_provider_get_boilerplate (WelkinProvider *provider)
{
  return os_config_get_boilerplate ();
}

static WelkinConfig *
os_provider_validate (WelkinProvider      *provider,
                      WelkinConfig        *config,
                      WelkinConfig        *old_config,
                      WelkinSurroundings  *surroundings,
                      GError             **error)
{
  return os_config_validate (config, old_config, surroundings, error);
}

static WelkinConfig *
os_provider_prepare (WelkinProvider      *provider,
                     WelkinConfig        *config,
                     WelkinPrepareFlags   flags,
                     WelkinSurroundings  *surroundings,
                     GError             **error)
{
  return os_config_prepare (config, flags, surroundings, error);
}

static WelkinConfig *
os_provider_get_effective_config (WelkinProvider      *provider,
                                  WelkinConfig        *config,
                                  WelkinSurroundings  *surroundings,
                                  GError             **error)
{
  return os_config_get_effective (config, surroundings, error);
}

static WelkinEnviron *
os_provider_open (WelkinProvider      *provider,
                  WelkinConfig        *config,
                  WelkinSurroundings  *surroundings,
                  GError             **error)
{
  g_autoptr(WelkinConfig) valid = os_config_validate (config, NULL, surroundings, error);

  if (valid == NULL)
    return NULL;
  return os_environ_new (valid, surroundings, error);
}

static GPtrArray *
os_provider_list_clouds (WelkinProvider     *provider,
                         WelkinSurroundings *surroundings)
{
  return os_clouds_list (surroundings);
}

static void
os_provider_provider_init (WelkinProviderInterface *iface)
{
  iface->get_schema = os_provider_get_schema;
  iface->get_boilerplate = os_provider_get_boilerplate;
  iface->validate = os_provider_validate;
  iface->prepare = os_provider_prepare;
  iface->get_effective_config = os_provider_get_effective_config;
  iface->open = os_provider_open;
  iface->list_clouds = os_provider_list_clouds;
}

static void
os_provider_load_own_machine_async (WelkinIntrospector  *provider,
                                    WelkinSurroundings  *surroundings,
                                    GCancellable        *cancellable,
                                    GAsyncReadyCallback  callback,
                                    gpointer             user_data)
{
  os_load_own_machine_async (provider, surroundings, cancellable, callback, user_data);
}

static WelkinOwnMachine *
os_provider_load_own_machine_finish (WelkinIntrospector  *provider,
                                     GAsyncResult        *result,
                                     GError             **error)
{
  return os_load_own_machine_finish (provider, result, error);
}

static void
os_provider_introspector_init (WelkinIntrospectorInterface *iface)
{
  iface->load_own_machine_async = os_provider_load_own_machine_async;
  iface->load_own_machine_finish = os_provider_load_own_machine_finish;
}

static void
os_provider_class_init (OsProviderClass *class)
{
}

static void
os_provider_init (OsProvider *self)
{
}
