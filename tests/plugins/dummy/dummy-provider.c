/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <welkin-plugin.h>

#include "dummy-environ.h"

#define DUMMY_TYPE_PROVIDER (dummy_provider_get_type ())
G_DECLARE_FINAL_TYPE (DummyProvider, dummy_provider, DUMMY, PROVIDER, GObject)

struct _DummyProvider
{
  GObject parent_instance;
};

static void dummy_provider_iface_init (WelkinProviderInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (DummyProvider, dummy_provider, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (WELKIN_TYPE_PROVIDER,
                                                      dummy_provider_iface_init))

static const WelkinAttribute attributes[] = {
  { "machines", WELKIN_ATTRIBUTE_INT, "0", WELKIN_ATTRIBUTE_MAY_BE_EMPTY, 0, 1000, NULL,
    "how many machines there are from the beginning" },
  { "broken", WELKIN_ATTRIBUTE_STRINGS, "", WELKIN_ATTRIBUTE_MAY_BE_EMPTY, 0, 0, NULL,
    "which operations fail, as in \"verify, start-instance, put\"" },
  { "secret", WELKIN_ATTRIBUTE_STRING, "", WELKIN_ATTRIBUTE_MAY_BE_EMPTY | WELKIN_ATTRIBUTE_SECRET,
    0, 0, NULL, "something that nobody may see" },
  { "bucket", WELKIN_ATTRIBUTE_STRING, NULL, WELKIN_ATTRIBUTE_IMMUTABLE, 0, 0, NULL,
    "made when the environment is prepared" },
  { "paint", WELKIN_ATTRIBUTE_BOOLEAN, "true", WELKIN_ATTRIBUTE_UNUSED, 0, 0, NULL,
    "kept for other readers" },
};

static WelkinSchema *
dummy_provider_get_schema (WelkinProvider *provider)
{
  return welkin_schema_new (attributes, G_N_ELEMENTS (attributes));
}

static char *
dummy_provider_get_boilerplate (WelkinProvider *provider)
{
  return g_strdup ("dummy:\n"
                   "  type: dummy\n"
                   "  secret: {{rand}}\n"
                   "  # machines: 3\n");
}

static WelkinConfig *
dummy_provider_validate (WelkinProvider     *provider,
                         WelkinConfig       *config,
                         WelkinConfig       *old_config,
                         WelkinSurroundings *surroundings,
                         GError            **error)
{
  g_autoptr(WelkinSchema) schema = dummy_provider_get_schema (provider);
  g_autoptr(WelkinConfig) coerced = welkin_schema_coerce (schema, config, TRUE, error);

  if (coerced == NULL)
    return NULL;
  if (old_config != NULL && !welkin_schema_check_change (schema, old_config, coerced, error))
    return NULL;
  return g_steal_pointer (&coerced);
}

/* The secret may come from a variable as well. */
static WelkinConfig *
dummy_provider_get_effective_config (WelkinProvider     *provider,
                                     WelkinConfig       *config,
                                     WelkinSurroundings *surroundings,
                                     GError            **error)
{
  const char *secret = welkin_surroundings_get_variable (surroundings, "DUMMY_SECRET");
  g_autoptr(WelkinConfig) valid = dummy_provider_validate (provider, config, NULL, surroundings,
                                                           error);

  if (valid == NULL || secret == NULL || *welkin_config_get_string (valid, "secret") != '\0')
    return g_steal_pointer (&valid);
  return welkin_config_with_text (valid, "secret", secret, "DUMMY_SECRET");
}

static WelkinConfig *
dummy_provider_prepare (WelkinProvider     *provider,
                        WelkinConfig       *config,
                        WelkinPrepareFlags  flags,
                        WelkinSurroundings *surroundings,
                        GError            **error)
{
  g_autoptr(WelkinConfig) prepared = welkin_config_ref (config);

  if ((flags & WELKIN_PREPARE_SAVE_CREDENTIALS) != 0)
    {
      welkin_config_unref (prepared);
      prepared = dummy_provider_get_effective_config (provider, config, surroundings, error);
    }
  if (prepared == NULL || welkin_config_has (prepared, "bucket"))
    return g_steal_pointer (&prepared);
  return welkin_config_with_text (prepared, "bucket", "dummy-bucket", NULL);
}

static WelkinEnviron *
dummy_provider_open (WelkinProvider     *provider,
                     WelkinConfig       *config,
                     WelkinSurroundings *surroundings,
                     GError            **error)
{
  g_autoptr(WelkinConfig) validated = NULL;

  validated = dummy_provider_validate (provider, config, NULL, surroundings, error);
  return validated != NULL ? dummy_environ_new (validated) : NULL;
}

static void
dummy_provider_iface_init (WelkinProviderInterface *iface)
{
  iface->get_schema = dummy_provider_get_schema;
  iface->get_boilerplate = dummy_provider_get_boilerplate;
  iface->validate = dummy_provider_validate;
  iface->prepare = dummy_provider_prepare;
  iface->get_effective_config = dummy_provider_get_effective_config;
  iface->open = dummy_provider_open;
}

static void
dummy_provider_class_init (DummyProviderClass *klass)
{
}

static void
dummy_provider_init (DummyProvider *self)
{
}

static const char * const aliases[] = { "dummy_two", NULL };

WELKIN_PLUGIN_DEFINE (dummy,
                      .summary = "A cloud in memory, for tests",
                      .version = "1.0",
                      .license = "LGPL-2.1-or-later",
                      .aliases = aliases,
                      .get_type = dummy_provider_get_type)
