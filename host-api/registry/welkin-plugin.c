/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "welkin-plugin.h"

#include <glib/gi18n-lib.h>
#include <gmodule.h>

#include "registry/welkin-plugin-private.h"

/**
 * WelkinPluginError:
 * @WELKIN_PLUGIN_ERROR_NOT_FOUND: there is no plugin of the type
 * @WELKIN_PLUGIN_ERROR_BAD_NAME: the type, or the name of the file, is not of
 *   the form "openstack"
 * @WELKIN_PLUGIN_ERROR_CANNOT_OPEN: the system's loader refuses the file
 * @WELKIN_PLUGIN_ERROR_NO_ENTRY_POINT: the file is no plugin of its type
 * @WELKIN_PLUGIN_ERROR_WRONG_ABI: it was made for another version of Welkin
 * @WELKIN_PLUGIN_ERROR_INVALID_INFO: what it says of itself is incomplete or
 *   wrong
 * @WELKIN_PLUGIN_ERROR_NAME_MISMATCH: it is of another type than its file is
 *   named for
 * @WELKIN_PLUGIN_ERROR_WRONG_TYPE: its type is no provider
 * @WELKIN_PLUGIN_ERROR_SHADOWED: a directory before has a file of the same name
 * @WELKIN_PLUGIN_ERROR_DUPLICATE: another plugin has its type or one of its
 *   aliases
 *
 * Why a plugin cannot be used.
 *
 * Since: 0.1
 */

/**
 * welkin_plugin_error_quark:
 *
 * Gets the domain of the errors of plugins.
 *
 * Returns: the quark
 *
 * Since: 0.1
 */
G_DEFINE_QUARK (welkin-plugin-error-quark, welkin_plugin_error)

/**
 * WelkinPlugin:
 *
 * What the registry knows of one plugin file.
 *
 * A plugin that cannot be used has an error that says why, and never hurts
 * others.
 *
 * Since: 0.1
 */
struct _WelkinPlugin
{
  GObject                 parent_instance;

  char                   *path;
  char                   *type;     /* from the name of the file */

  /* once it was opened */
  const WelkinPluginInfo *info;     /* (nullable) belongs to the file, which stays */
  WelkinProvider         *provider; /* (owned) (nullable) */
  GError                 *error;    /* (owned) (nullable) */
};

enum
{
  PROP_PROVIDER_TYPE = 1,
  PROP_PATH,
  PROP_OPENED,
  PROP_ERROR,
  PROP_SUMMARY,
  PROP_VERSION,
  PROP_LICENSE,
  PROP_ALIASES,
  N_PROPERTIES,
};

static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE (WelkinPlugin, welkin_plugin, G_TYPE_OBJECT)

gboolean
welkin_plugin_is_type (const char *type)
{
  if (!g_ascii_islower (*type))
    return FALSE;
  return strspn (type, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen (type);
}

WelkinPlugin *
welkin_plugin_new (const char *path,
                   const char *type)
{
  WelkinPlugin *self = g_object_new (WELKIN_TYPE_PLUGIN, NULL);

  self->path = g_strdup (path);
  self->type = g_strdup (type);
  return self;
}

void
welkin_plugin_take_error (WelkinPlugin *self,
                          GError       *error)
{
  g_assert (self->error == NULL && self->provider == NULL);

  self->error = error;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ERROR]);
}

typedef const WelkinPluginInfo *(*InfoFunction) (void);

/* What the system's loader says, without the path that it mostly begins with. */
static const char *
get_words_of_loader (WelkinPlugin *self,
                     const GError *error)
{
  const char *words = error->message;

  if (!g_str_has_prefix (words, self->path))
    return words;
  words += strlen (self->path);
  return g_str_has_prefix (words, ": ") ? words + strlen (": ") : error->message;
}

/* The file stays even when it is refused: what its constructors did cannot
 * be undone. */
static const WelkinPluginInfo *
load_info (WelkinPlugin *self,
           GError      **error)
{
  g_autofree char *symbol = g_strdup_printf ("welkin_plugin_%s_info", self->type);
  g_autoptr(GError) local_error = NULL;
  const WelkinPluginInfo *info;
  gpointer function = NULL;
  GModule *module;

  module = g_module_open_full (self->path, G_MODULE_BIND_LOCAL, &local_error);
  if (module == NULL)
    {
      g_set_error (error, WELKIN_PLUGIN_ERROR, WELKIN_PLUGIN_ERROR_CANNOT_OPEN,
                   _("cannot open plugin %s: %s"), self->path,
                   get_words_of_loader (self, local_error));
      return NULL;
    }
  g_module_make_resident (module);

  if (!g_module_symbol (module, symbol, &function) || function == NULL)
    {
      g_set_error (error, WELKIN_PLUGIN_ERROR, WELKIN_PLUGIN_ERROR_NO_ENTRY_POINT,
                   _("%s is no provider plugin: it does not export %s"), self->path, symbol);
      return NULL;
    }
  info = ((InfoFunction) function) ();
  if (info == NULL)
    g_set_error (error, WELKIN_PLUGIN_ERROR, WELKIN_PLUGIN_ERROR_INVALID_INFO,
                 _("plugin %s says nothing of itself"), self->path);
  return info;
}

/* First the version, then the size: only then may the other fields be read. */
static gboolean
check_abi (WelkinPlugin           *self,
           const WelkinPluginInfo *info,
           GError                **error)
{
  if (info->abi_major != WELKIN_PLUGIN_ABI_MAJOR || info->abi_minor > WELKIN_PLUGIN_ABI_MINOR)
    {
      g_set_error (error, WELKIN_PLUGIN_ERROR, WELKIN_PLUGIN_ERROR_WRONG_ABI,
                   _("plugin %s was made for version %u.%u of the plugin interface, and this is "
                     "version %d.%d"),
                   self->path, info->abi_major, info->abi_minor, WELKIN_PLUGIN_ABI_MAJOR,
                   WELKIN_PLUGIN_ABI_MINOR);
      return FALSE;
    }
  if (info->size < G_STRUCT_OFFSET (WelkinPluginInfo, reserved))
    {
      g_set_error (error, WELKIN_PLUGIN_ERROR, WELKIN_PLUGIN_ERROR_INVALID_INFO,
                   _("what plugin %s says of itself is too short: %" G_GSIZE_FORMAT " bytes"),
                   self->path, info->size);
      return FALSE;
    }
  return TRUE;
}

static const char *
find_bad_field (const WelkinPluginInfo *info)
{
  if (info->type == NULL || !welkin_plugin_is_type (info->type))
    return "type";
  if (info->summary == NULL)
    return "summary";
  if (info->version == NULL)
    return "version";
  if (info->license == NULL)
    return "license";
  if (info->get_type == NULL)
    return "get_type";
  for (guint i = 0; info->aliases != NULL && info->aliases[i] != NULL; i++)
    {
      if (!welkin_plugin_is_type (info->aliases[i]))
        return "aliases";
    }
  return NULL;
}

static gboolean
check_info (WelkinPlugin           *self,
            const WelkinPluginInfo *info,
            GError                **error)
{
  const char *field = find_bad_field (info);

  if (field != NULL)
    {
      g_set_error (error, WELKIN_PLUGIN_ERROR, WELKIN_PLUGIN_ERROR_INVALID_INFO,
                   _("what plugin %s says of itself is wrong: \"%s\" is missing or malformed"),
                   self->path, field);
      return FALSE;
    }
  if (!g_str_equal (info->type, self->type))
    {
      g_set_error (error, WELKIN_PLUGIN_ERROR, WELKIN_PLUGIN_ERROR_NAME_MISMATCH,
                   _("plugin %s is of type \"%s\": name it %s.so"), self->path, info->type,
                   info->type);
      return FALSE;
    }
  return TRUE;
}

static gboolean
check_name (WelkinPlugin   *self,
            const char     *name,
            WelkinRegistry *registry,
            GError        **error)
{
  WelkinPlugin *holder = welkin_registry_find (registry, name, self);

  if (holder == NULL)
    return TRUE;
  g_set_error (error, WELKIN_PLUGIN_ERROR, WELKIN_PLUGIN_ERROR_DUPLICATE,
               _("plugin %s answers to \"%s\", which belongs to %s"), self->path, name,
               holder->path);
  return FALSE;
}

/* A type or an alias belongs to the first plugin of the search that has it. */
static gboolean
check_names (WelkinPlugin           *self,
             const WelkinPluginInfo *info,
             WelkinRegistry         *registry,
             GError                **error)
{
  if (!check_name (self, info->type, registry, error))
    return FALSE;
  for (guint i = 0; info->aliases != NULL && info->aliases[i] != NULL; i++)
    {
      if (!check_name (self, info->aliases[i], registry, error))
        return FALSE;
    }
  return TRUE;
}

static WelkinProvider *
make_provider (WelkinPlugin           *self,
               const WelkinPluginInfo *info,
               GError                **error)
{
  GType type = info->get_type ();

  if (!g_type_is_a (type, G_TYPE_OBJECT) || !g_type_is_a (type, WELKIN_TYPE_PROVIDER) ||
      G_TYPE_IS_ABSTRACT (type))
    {
      const char *name = g_type_name (type);

      g_set_error (error, WELKIN_PLUGIN_ERROR, WELKIN_PLUGIN_ERROR_WRONG_TYPE,
                   _("plugin %s has no provider: its type is %s"), self->path,
                   name != NULL ? name : "invalid");
      return NULL;
    }
  return g_object_new (type, NULL);
}

static gboolean
try_open (WelkinPlugin   *self,
          WelkinRegistry *registry,
          GError        **error)
{
  const WelkinPluginInfo *info = load_info (self, error);

  if (info == NULL || !check_abi (self, info, error) || !check_info (self, info, error) ||
      !check_names (self, info, registry, error))
    return FALSE;
  self->provider = make_provider (self, info, error);
  if (self->provider == NULL)
    return FALSE;

  self->info = info;
  if (info->gettext_domain != NULL)
    {
      bindtextdomain (info->gettext_domain, LOCALEDIR);
      bind_textdomain_codeset (info->gettext_domain, "UTF-8");
    }
  return TRUE;
}

gboolean
welkin_plugin_open (WelkinPlugin   *self,
                    WelkinRegistry *registry)
{
  GError *error = NULL;

  if (self->error != NULL)
    return FALSE;
  if (self->provider != NULL)
    return TRUE;

  if (!try_open (self, registry, &error))
    {
      g_info ("%s", error->message);
      welkin_plugin_take_error (self, error);
      return FALSE;
    }
  g_debug ("opened plugin %s: %s %s", self->path, self->type, self->info->version);
  for (guint property = PROP_OPENED; property < N_PROPERTIES; property++)
    {
      if (property != PROP_ERROR)
        g_object_notify_by_pspec (G_OBJECT (self), properties[property]);
    }
  return TRUE;
}

WelkinProvider *
welkin_plugin_get_provider (WelkinPlugin *self)
{
  return self->provider;
}

gboolean
welkin_plugin_has_alias (WelkinPlugin *self,
                         const char   *alias)
{
  return self->info != NULL && self->info->aliases != NULL &&
         g_strv_contains (self->info->aliases, alias);
}

/**
 * welkin_plugin_get_provider_type: (attributes org.gtk.Method.get_property=provider-type)
 * @self: a plugin
 *
 * Gets the type of provider that the file is named for.
 *
 * Returns: (transfer none): as in "openstack"
 *
 * Since: 0.1
 */
const char *
welkin_plugin_get_provider_type (WelkinPlugin *self)
{
  g_return_val_if_fail (WELKIN_IS_PLUGIN (self), NULL);

  return self->type;
}

/**
 * welkin_plugin_get_path: (attributes org.gtk.Method.get_property=path)
 * @self: a plugin
 *
 * Gets where the file is.
 *
 * Returns: (transfer none) (type filename): its path
 *
 * Since: 0.1
 */
const char *
welkin_plugin_get_path (WelkinPlugin *self)
{
  g_return_val_if_fail (WELKIN_IS_PLUGIN (self), NULL);

  return self->path;
}

/**
 * welkin_plugin_get_opened: (attributes org.gtk.Method.get_property=opened)
 * @self: a plugin
 *
 * Tells whether the plugin was opened and can be used.
 *
 * Returns: whether it was
 *
 * Since: 0.1
 */
gboolean
welkin_plugin_get_opened (WelkinPlugin *self)
{
  g_return_val_if_fail (WELKIN_IS_PLUGIN (self), FALSE);

  return self->provider != NULL;
}

/**
 * welkin_plugin_get_error: (attributes org.gtk.Method.get_property=error)
 * @self: a plugin
 *
 * Gets why the plugin cannot be used.
 *
 * Returns: (transfer none) (nullable): the error; %NULL when it was opened, or
 *   not tried
 *
 * Since: 0.1
 */
const GError *
welkin_plugin_get_error (WelkinPlugin *self)
{
  g_return_val_if_fail (WELKIN_IS_PLUGIN (self), NULL);

  return self->error;
}

/**
 * welkin_plugin_get_summary: (attributes org.gtk.Method.get_property=summary)
 * @self: a plugin
 *
 * Gets what the plugin is for, in one line for people.
 *
 * Returns: (transfer none) (nullable): the line; %NULL until the plugin was
 *   opened
 *
 * Since: 0.1
 */
const char *
welkin_plugin_get_summary (WelkinPlugin *self)
{
  g_return_val_if_fail (WELKIN_IS_PLUGIN (self), NULL);

  return self->info != NULL ? self->info->summary : NULL;
}

/**
 * welkin_plugin_get_version: (attributes org.gtk.Method.get_property=version)
 * @self: a plugin
 *
 * Gets the version of the plugin.
 *
 * Returns: (transfer none) (nullable): its version; %NULL until the plugin was
 *   opened
 *
 * Since: 0.1
 */
const char *
welkin_plugin_get_version (WelkinPlugin *self)
{
  g_return_val_if_fail (WELKIN_IS_PLUGIN (self), NULL);

  return self->info != NULL ? self->info->version : NULL;
}

/**
 * welkin_plugin_get_license: (attributes org.gtk.Method.get_property=license)
 * @self: a plugin
 *
 * Gets the licence of the plugin.
 *
 * Returns: (transfer none) (nullable): its SPDX identifier; %NULL until the
 *   plugin was opened
 *
 * Since: 0.1
 */
const char *
welkin_plugin_get_license (WelkinPlugin *self)
{
  g_return_val_if_fail (WELKIN_IS_PLUGIN (self), NULL);

  return self->info != NULL ? self->info->license : NULL;
}

/**
 * welkin_plugin_get_aliases: (attributes org.gtk.Method.get_property=aliases)
 * @self: a plugin
 *
 * Gets the other types that the plugin answers to.
 *
 * Returns: (transfer none) (nullable) (array zero-terminated=1): the types;
 *   %NULL when there are none, and until the plugin was opened
 *
 * Since: 0.1
 */
const char * const *
welkin_plugin_get_aliases (WelkinPlugin *self)
{
  g_return_val_if_fail (WELKIN_IS_PLUGIN (self), NULL);

  return self->info != NULL ? self->info->aliases : NULL;
}

static void
welkin_plugin_get_property (GObject    *object,
                            guint       property_id,
                            GValue     *value,
                            GParamSpec *pspec)
{
  WelkinPlugin *self = WELKIN_PLUGIN (object);

  switch (property_id)
    {
    case PROP_PROVIDER_TYPE:
      g_value_set_string (value, self->type);
      break;
    case PROP_PATH:
      g_value_set_string (value, self->path);
      break;
    case PROP_OPENED:
      g_value_set_boolean (value, welkin_plugin_get_opened (self));
      break;
    case PROP_ERROR:
      g_value_set_boxed (value, self->error);
      break;
    case PROP_SUMMARY:
      g_value_set_string (value, welkin_plugin_get_summary (self));
      break;
    case PROP_VERSION:
      g_value_set_string (value, welkin_plugin_get_version (self));
      break;
    case PROP_LICENSE:
      g_value_set_string (value, welkin_plugin_get_license (self));
      break;
    case PROP_ALIASES:
      g_value_set_boxed (value, welkin_plugin_get_aliases (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property_id, pspec);
    }
}

static void
welkin_plugin_finalize (GObject *object)
{
  WelkinPlugin *self = WELKIN_PLUGIN (object);

  g_free (self->path);
  g_free (self->type);
  g_clear_object (&self->provider);
  g_clear_error (&self->error);

  G_OBJECT_CLASS (welkin_plugin_parent_class)->finalize (object);
}

/* What a plugin says of itself. */
static void
make_info_properties (GParamFlags flags)
{
  /**
   * WelkinPlugin:summary: (attributes org.gtk.Property.get=welkin_plugin_get_summary)
   *
   * What the plugin is for, in one line for people.
   *
   * Since: 0.1
   */
  properties[PROP_SUMMARY] = g_param_spec_string ("summary", NULL, NULL, NULL, flags);

  /**
   * WelkinPlugin:version: (attributes org.gtk.Property.get=welkin_plugin_get_version)
   *
   * The version of the plugin.
   *
   * Since: 0.1
   */
  properties[PROP_VERSION] = g_param_spec_string ("version", NULL, NULL, NULL, flags);

  /**
   * WelkinPlugin:license: (attributes org.gtk.Property.get=welkin_plugin_get_license)
   *
   * The licence of the plugin, as an SPDX identifier.
   *
   * Since: 0.1
   */
  properties[PROP_LICENSE] = g_param_spec_string ("license", NULL, NULL, NULL, flags);

  /**
   * WelkinPlugin:aliases: (attributes org.gtk.Property.get=welkin_plugin_get_aliases)
   *
   * The other types that the plugin answers to.
   *
   * Since: 0.1
   */
  properties[PROP_ALIASES] = g_param_spec_boxed ("aliases", NULL, NULL, G_TYPE_STRV, flags);
}

static void
welkin_plugin_class_init (WelkinPluginClass *klass)
{
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = welkin_plugin_get_property;
  object_class->finalize = welkin_plugin_finalize;

  /**
   * WelkinPlugin:provider-type: (attributes org.gtk.Property.get=welkin_plugin_get_provider_type)
   *
   * The type of provider that the file is named for.
   *
   * Since: 0.1
   */
  properties[PROP_PROVIDER_TYPE] = g_param_spec_string ("provider-type", NULL, NULL, NULL, flags);

  /**
   * WelkinPlugin:path: (attributes org.gtk.Property.get=welkin_plugin_get_path)
   *
   * Where the file is.
   *
   * Since: 0.1
   */
  properties[PROP_PATH] = g_param_spec_string ("path", NULL, NULL, NULL, flags);

  /**
   * WelkinPlugin:opened: (attributes org.gtk.Property.get=welkin_plugin_get_opened)
   *
   * Whether the plugin was opened and can be used.
   *
   * Since: 0.1
   */
  properties[PROP_OPENED] = g_param_spec_boolean ("opened", NULL, NULL, FALSE, flags);

  /**
   * WelkinPlugin:error: (attributes org.gtk.Property.get=welkin_plugin_get_error)
   *
   * Why the plugin cannot be used.
   *
   * Since: 0.1
   */
  properties[PROP_ERROR] = g_param_spec_boxed ("error", NULL, NULL, G_TYPE_ERROR, flags);

  make_info_properties (flags);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
}

static void
welkin_plugin_init (WelkinPlugin *self)
{
}
