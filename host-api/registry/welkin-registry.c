/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "registry/welkin-registry.h"

#include <glib/gi18n-lib.h>
#include <sys/auxv.h>

#include "registry/welkin-plugin-private.h"

/**
 * WelkinRegistry:
 *
 * Finds, checks and opens provider plugins.
 *
 * It is a list of [class@Plugin], one for each file that was found, in the
 * order of the search: the directories that its maker gave, those of the
 * variable WELKIN_PLUGIN_PATH, and the one that belongs to this library. It
 * belongs to the main context that it was made in.
 *
 * Since: 0.1
 */
struct _WelkinRegistry
{
  GObject    parent_instance;

  GPtrArray *directories; /* (owned strings) absolute, each once */
  GPtrArray *plugins;     /* (owned records) */
};

static void list_model_init (GListModelInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (WelkinRegistry, welkin_registry, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

static void
add_directory (WelkinRegistry *self,
               const char     *directory)
{
  g_autofree char *path = NULL;

  if (*directory == '\0')
    return;
  path = g_canonicalize_filename (directory, NULL);
  if (!g_ptr_array_find_with_equal_func (self->directories, path, g_str_equal, NULL))
    g_ptr_array_add (self->directories, g_steal_pointer (&path));
}

/* Whoever runs a program with the rights of another must not choose the code
 * it loads. */
static void
add_directories_of_variable (WelkinRegistry *self)
{
  const char *variable = g_getenv ("WELKIN_PLUGIN_PATH");
  g_auto(GStrv) directories = NULL;

  if (variable == NULL)
    return;
  if (getauxval (AT_SECURE) != 0)
    {
      g_info ("ignoring WELKIN_PLUGIN_PATH, for this process has more rights than its user");
      return;
    }
  directories = g_strsplit (variable, G_SEARCHPATH_SEPARATOR_S, -1);
  for (guint i = 0; directories[i] != NULL; i++)
    add_directory (self, directories[i]);
}

static WelkinPlugin *
find_by_type (WelkinRegistry *self,
              const char     *type)
{
  for (guint i = 0; i < self->plugins->len; i++)
    {
      WelkinPlugin *plugin = self->plugins->pdata[i];

      /* the first of the type is the one that is used; the others are
       * shadowed */
      if (g_str_equal (welkin_plugin_get_provider_type (plugin), type))
        return plugin;
    }
  return NULL;
}

static void
add_file (WelkinRegistry *self,
          const char     *directory,
          const char     *name)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);
  g_autofree char *type = g_strndup (name, strlen (name) - strlen (".so"));
  WelkinPlugin *first = find_by_type (self, type);
  WelkinPlugin *plugin = welkin_plugin_new (path, type);

  g_ptr_array_add (self->plugins, plugin);
  if (!welkin_plugin_is_type (type))
    welkin_plugin_take_error (plugin,
                              g_error_new (WELKIN_PLUGIN_ERROR, WELKIN_PLUGIN_ERROR_BAD_NAME,
                                           _("plugin %s is not named as in openstack.so"), path));
  else if (first != NULL)
    welkin_plugin_take_error (plugin,
                              g_error_new (WELKIN_PLUGIN_ERROR, WELKIN_PLUGIN_ERROR_SHADOWED,
                                           _("plugin %s is hidden by %s"), path,
                                           welkin_plugin_get_path (first)));
}

static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char * const *) a, *(const char * const *) b);
}

static void
scan_directory (WelkinRegistry *self,
                const char     *directory)
{
  g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr(GError) error = NULL;
  g_autoptr(GDir) dir = NULL;
  const char *name;

  dir = g_dir_open (directory, 0, &error);
  if (dir == NULL)
    {
      g_debug ("no plugins in %s: %s", directory, error->message);
      return;
    }
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      if (g_str_has_suffix (name, ".so"))
        g_ptr_array_add (names, g_strdup (name));
    }
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++)
    add_file (self, directory, names->pdata[i]);
}

/**
 * welkin_registry_new:
 * @directories: (nullable) (array zero-terminated=1) (element-type filename):
 *   where to look first
 *
 * Makes a registry of the plugin files that there are.
 *
 * After @directories come those of the variable WELKIN_PLUGIN_PATH, which a
 * process with raised rights ignores, and the one that belongs to this library.
 * No file is opened yet.
 *
 * Returns: (transfer full): a new registry
 *
 * Since: 0.1
 */
WelkinRegistry *
welkin_registry_new (const char * const *directories)
{
  WelkinRegistry *self = g_object_new (WELKIN_TYPE_REGISTRY, NULL);

  for (guint i = 0; directories != NULL && directories[i] != NULL; i++)
    add_directory (self, directories[i]);
  add_directories_of_variable (self);
  add_directory (self, PROVIDERS_DIR);

  for (guint i = 0; i < self->directories->len; i++)
    scan_directory (self, self->directories->pdata[i]);
  return self;
}

WelkinPlugin *
welkin_registry_find (WelkinRegistry *self,
                      const char     *type,
                      WelkinPlugin   *before)
{
  for (guint i = 0; i < self->plugins->len && self->plugins->pdata[i] != before; i++)
    {
      WelkinPlugin *plugin = self->plugins->pdata[i];

      if (g_str_equal (welkin_plugin_get_provider_type (plugin), type) ||
          welkin_plugin_has_alias (plugin, type))
        return plugin;
    }
  return NULL;
}

static void
set_not_found (WelkinRegistry *self,
               const char     *type,
               GError        **error)
{
  g_auto(GStrv) types = welkin_registry_get_types (self);
  g_autoptr(GString) directories = g_string_new (NULL);

  if (types[0] != NULL)
    {
      g_autofree char *list = g_strjoinv (", ", types);

      g_set_error (error, WELKIN_PLUGIN_ERROR, WELKIN_PLUGIN_ERROR_NOT_FOUND,
                   _("there is no provider of type \"%s\": the installed ones are %s"), type, list);
      return;
    }
  for (guint i = 0; i < self->directories->len; i++)
    g_string_append_printf (directories, "%s%s", i > 0 ? ", " : "",
                            (const char *) self->directories->pdata[i]);
  g_set_error (error, WELKIN_PLUGIN_ERROR, WELKIN_PLUGIN_ERROR_NOT_FOUND,
               _("there is no provider of type \"%s\": no plugin in %s can be used"), type,
               directories->str);
}

/**
 * welkin_registry_get_provider:
 * @self: a registry
 * @type: what "type:" in environments.yaml says
 * @error: return location for an error
 *
 * Gets the provider of a type.
 *
 * The plugin that has the name of the type is opened if it was not. When there
 * is none, all others are opened, and their aliases count. All errors are of
 * the domain %WELKIN_PLUGIN_ERROR.
 *
 * Returns: (transfer full): the provider, or %NULL on error
 *
 * Since: 0.1
 */
WelkinProvider *
welkin_registry_get_provider (WelkinRegistry *self,
                              const char     *type,
                              GError        **error)
{
  WelkinPlugin *plugin;

  g_return_val_if_fail (WELKIN_IS_REGISTRY (self), NULL);
  g_return_val_if_fail (type != NULL, NULL);

  if (!welkin_plugin_is_type (type))
    {
      g_set_error (error, WELKIN_PLUGIN_ERROR, WELKIN_PLUGIN_ERROR_BAD_NAME,
                   _("\"%s\" is no type of provider: expected a word as in openstack"), type);
      return NULL;
    }

  plugin = find_by_type (self, type);
  if (plugin == NULL)
    {
      welkin_registry_open_all (self);
      plugin = welkin_registry_find (self, type, NULL);
    }
  if (plugin == NULL)
    {
      set_not_found (self, type, error);
      return NULL;
    }
  if (!welkin_plugin_open (plugin, self))
    {
      g_propagate_error (error, g_error_copy (welkin_plugin_get_error (plugin)));
      return NULL;
    }
  return g_object_ref (welkin_plugin_get_provider (plugin));
}

/**
 * welkin_registry_open_all:
 * @self: a registry
 *
 * Opens every plugin that there is.
 *
 * Those that fail say why in their records.
 *
 * Since: 0.1
 */
void
welkin_registry_open_all (WelkinRegistry *self)
{
  g_return_if_fail (WELKIN_IS_REGISTRY (self));

  for (guint i = 0; i < self->plugins->len; i++)
    welkin_plugin_open (self->plugins->pdata[i], self);
}

/**
 * welkin_registry_get_types:
 * @self: a registry
 *
 * Lists the types of the plugins that were opened and can be used.
 *
 * Returns: (transfer full) (array zero-terminated=1): the types, sorted
 *
 * Since: 0.1
 */
char **
welkin_registry_get_types (WelkinRegistry *self)
{
  GPtrArray *types;

  g_return_val_if_fail (WELKIN_IS_REGISTRY (self), NULL);

  types = g_ptr_array_new ();
  for (guint i = 0; i < self->plugins->len; i++)
    {
      WelkinPlugin *plugin = self->plugins->pdata[i];

      if (welkin_plugin_get_opened (plugin))
        g_ptr_array_add (types, g_strdup (welkin_plugin_get_provider_type (plugin)));
    }
  g_ptr_array_sort (types, compare_names);
  g_ptr_array_add (types, NULL);
  return (char **) g_ptr_array_free (types, FALSE);
}

static GType
welkin_registry_get_item_type (GListModel *model)
{
  return WELKIN_TYPE_PLUGIN;
}

static guint
welkin_registry_get_n_items (GListModel *model)
{
  return WELKIN_REGISTRY (model)->plugins->len;
}

static gpointer
welkin_registry_get_item (GListModel *model,
                          guint       position)
{
  WelkinRegistry *self = WELKIN_REGISTRY (model);

  return position < self->plugins->len ? g_object_ref (self->plugins->pdata[position]) : NULL;
}

static void
list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = welkin_registry_get_item_type;
  iface->get_n_items = welkin_registry_get_n_items;
  iface->get_item = welkin_registry_get_item;
}

static void
welkin_registry_finalize (GObject *object)
{
  WelkinRegistry *self = WELKIN_REGISTRY (object);

  g_ptr_array_unref (self->directories);
  g_ptr_array_unref (self->plugins);

  G_OBJECT_CLASS (welkin_registry_parent_class)->finalize (object);
}

static void
welkin_registry_class_init (WelkinRegistryClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = welkin_registry_finalize;
}

static void
welkin_registry_init (WelkinRegistry *self)
{
  self->directories = g_ptr_array_new_with_free_func (g_free);
  self->plugins = g_ptr_array_new_with_free_func (g_object_unref);
}
