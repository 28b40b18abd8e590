/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "values/welkin-surroundings.h"

#include <glib/gi18n-lib.h>
#include <pwd.h>

#include "values/welkin-error.h"

/**
 * WelkinSurroundings:
 *
 * A copy of the variables and directories that a configuration may be completed
 * from.
 *
 * What is made of a configuration depends on nothing else, so that it can be
 * made again, and in tests. Surroundings are immutable and may be shared
 * between threads.
 *
 * Since: 0.1
 */
struct _WelkinSurroundings
{
  char       **variables;
  char        *working_directory;
  gboolean     knows_system; /* whether directories of the system count that nobody named */
  WelkinTrace *trace;        /* (nullable) */
};

G_DEFINE_BOXED_TYPE (WelkinSurroundings,
                     welkin_surroundings,
                     welkin_surroundings_ref,
                     welkin_surroundings_unref)

static void
surroundings_clear (gpointer data)
{
  WelkinSurroundings *self = data;

  g_strfreev (self->variables);
  g_free (self->working_directory);
  g_clear_object (&self->trace);
}

/**
 * welkin_surroundings_new_for_process:
 *
 * Copies the variables and the working directory of this process.
 *
 * Returns: (transfer full): new surroundings
 *
 * Since: 0.1
 */
WelkinSurroundings *
welkin_surroundings_new_for_process (void)
{
  WelkinSurroundings *self = g_atomic_rc_box_new0 (WelkinSurroundings);

  self->variables = g_get_environ ();
  self->working_directory = g_get_current_dir ();
  self->knows_system = TRUE;
  return self;
}

/**
 * welkin_surroundings_new:
 * @variables: (nullable) (array zero-terminated=1): strings as in "NAME=value";
 *   %NULL for none
 * @working_directory: an absolute path
 *
 * Makes surroundings from what is given.
 *
 * Returns: (transfer full): new surroundings
 *
 * Since: 0.1
 */
WelkinSurroundings *
welkin_surroundings_new (const char * const *variables,
                         const char         *working_directory)
{
  WelkinSurroundings *self;

  g_return_val_if_fail (working_directory != NULL, NULL);
  g_return_val_if_fail (g_path_is_absolute (working_directory), NULL);

  self = g_atomic_rc_box_new0 (WelkinSurroundings);
  self->variables = variables != NULL ? g_strdupv ((char **) variables) : g_new0 (char *, 1);
  self->working_directory = g_strdup (working_directory);
  return self;
}

/**
 * welkin_surroundings_with_trace:
 * @self: surroundings
 * @trace: (nullable): a trace; %NULL for none
 *
 * Makes the same surroundings with another trace.
 *
 * Whatever is opened in them adds what it sends and gets to the trace.
 *
 * Returns: (transfer full): new surroundings
 *
 * Since: 0.1
 */
WelkinSurroundings *
welkin_surroundings_with_trace (WelkinSurroundings *self,
                                WelkinTrace        *trace)
{
  WelkinSurroundings *copy;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (trace == NULL || WELKIN_IS_TRACE (trace), NULL);

  copy = welkin_surroundings_new ((const char *const *) self->variables, self->working_directory);
  copy->knows_system = self->knows_system;
  g_set_object (&copy->trace, trace);
  return copy;
}

/**
 * welkin_surroundings_get_trace:
 * @self: surroundings
 *
 * Gets what is to learn of all that is sent.
 *
 * Returns: (transfer none) (nullable): a trace, or %NULL
 *
 * Since: 0.1
 */
WelkinTrace *
welkin_surroundings_get_trace (WelkinSurroundings *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->trace;
}

/**
 * welkin_surroundings_ref:
 * @self: surroundings
 *
 * Takes another reference.
 *
 * Returns: (transfer full): @self
 *
 * Since: 0.1
 */
WelkinSurroundings *
welkin_surroundings_ref (WelkinSurroundings *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

/**
 * welkin_surroundings_unref:
 * @self: (transfer full): surroundings
 *
 * Drops a reference; the last one frees the surroundings.
 *
 * Since: 0.1
 */
void
welkin_surroundings_unref (WelkinSurroundings *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, surroundings_clear);
}

/**
 * welkin_surroundings_get_variable:
 * @self: surroundings
 * @name: the name of a variable
 *
 * Gets the value of a variable.
 *
 * Returns: (transfer none) (nullable): its value; %NULL when it is unset or
 *   empty, which are the same
 *
 * Since: 0.1
 */
const char *
welkin_surroundings_get_variable (WelkinSurroundings *self,
                                  const char         *name)
{
  const char *value;

  g_return_val_if_fail (self != NULL && name != NULL, NULL);

  value = g_environ_getenv (self->variables, name);
  return value != NULL && *value != '\0' ? value : NULL;
}

/**
 * welkin_surroundings_get_home:
 * @self: surroundings
 *
 * Gets the home directory of the user, which is what HOME says and nothing
 * else.
 *
 * Returns: (transfer none) (nullable): its path
 *
 * Since: 0.1
 */
const char *
welkin_surroundings_get_home (WelkinSurroundings *self)
{
  return welkin_surroundings_get_variable (self, "HOME");
}

/**
 * welkin_surroundings_get_working_directory:
 * @self: surroundings
 *
 * Gets the directory that relative paths are under.
 *
 * Returns: (transfer none): its path
 *
 * Since: 0.1
 */
const char *
welkin_surroundings_get_working_directory (WelkinSurroundings *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->working_directory;
}

static char *
dup_home (WelkinSurroundings *self,
          GError            **error)
{
  const char *home = welkin_surroundings_get_home (self);

  if (home == NULL)
    g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND,
                         _("cannot determine home directory"));
  return g_strdup (home);
}

static char *
dup_home_of_user (const char *user,
                  GError    **error)
{
  char buffer[16 * 1024];
  struct passwd entry;
  struct passwd *found = NULL;

  if (getpwnam_r (user, &entry, buffer, sizeof buffer, &found) != 0 || found == NULL)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND, _("user \"%s\" not found"), user);
      return NULL;
    }
  return g_strdup (found->pw_dir);
}

/* "~/a" and "~user/a"; a tilde elsewhere is an ordinary character. */
static char *
expand_tilde (WelkinSurroundings *self,
              const char         *path,
              GError            **error)
{
  g_autofree char *user = NULL;
  g_autofree char *home = NULL;
  const char *rest;

  if (*path != '~')
    return g_strdup (path);

  rest = path + strcspn (path, "/");
  user = g_strndup (path + 1, rest - path - 1);
  home = *user == '\0' ? dup_home (self, error) : dup_home_of_user (user, error);
  if (home == NULL)
    return NULL;
  return g_strconcat (home, rest, NULL);
}

/**
 * welkin_surroundings_resolve_path:
 * @self: surroundings
 * @path: (type filename): a path as a user writes it
 * @base: (nullable) (type filename): what a relative path is under; %NULL for
 *   the working directory
 * @error: return location for an error
 *
 * Makes a path that a user wrote absolute and clean.
 *
 * A leading "~" or "~user" is expanded, and ".", ".." and doubled slashes are
 * taken away, without a look at the file system. An unknown user is
 * %WELKIN_ERROR_NOT_FOUND, and so is "~" without HOME.
 *
 * Returns: (transfer full) (type filename): the path, or %NULL on error
 *
 * Since: 0.1
 */
char *
welkin_surroundings_resolve_path (WelkinSurroundings *self,
                                  const char         *path,
                                  const char         *base,
                                  GError            **error)
{
  g_autofree char *expanded = NULL;
  g_autofree char *absolute_base = NULL;

  g_return_val_if_fail (self != NULL && path != NULL, NULL);

  expanded = expand_tilde (self, path, error);
  if (expanded == NULL)
    return NULL;
  absolute_base = g_canonicalize_filename (base != NULL ? base : ".", self->working_directory);
  return g_canonicalize_filename (expanded, absolute_base);
}

/* The value of a variable that must be an absolute path: NULL without an
 * error when it is unset. */
static gboolean
dup_absolute (WelkinSurroundings *self,
              const char         *name,
              char              **path,
              GError            **error)
{
  const char *value = welkin_surroundings_get_variable (self, name);

  if (value != NULL && !g_path_is_absolute (value))
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
                   _("%s is not an absolute path: \"%s\""), name, value);
      return FALSE;
    }
  *path = value != NULL ? g_canonicalize_filename (value, "/") : NULL;
  return TRUE;
}

static char *
get_directory (WelkinSurroundings *self,
               const char         *xdg_variable,
               const char         *below_home,
               GError            **error)
{
  g_autofree char *own = NULL;
  g_autofree char *xdg = NULL;
  g_autofree char *home = NULL;

  if (!dup_absolute (self, "WELKIN_HOME", &own, error))
    return NULL;
  if (own != NULL)
    return g_steal_pointer (&own);
  if (!dup_absolute (self, xdg_variable, &xdg, error))
    return NULL;
  if (xdg != NULL)
    return g_build_filename (xdg, "welkin", NULL);

  home = dup_home (self, error);
  if (home == NULL)
    return NULL;
  return g_build_filename (home, below_home, "welkin", NULL);
}

/**
 * welkin_surroundings_get_config_directory:
 * @self: surroundings
 * @error: return location for an error
 *
 * Gets the directory in which environments.yaml lives.
 *
 * It is WELKIN_HOME, or "welkin" below XDG_CONFIG_HOME or ~/.config. It need
 * not exist. A relative variable is %WELKIN_ERROR_INVALID_ARGUMENT; none set at
 * all is %WELKIN_ERROR_NOT_FOUND.
 *
 * Returns: (transfer full) (type filename): its path, or %NULL on error
 *
 * Since: 0.1
 */
char *
welkin_surroundings_get_config_directory (WelkinSurroundings *self,
                                          GError            **error)
{
  g_return_val_if_fail (self != NULL, NULL);

  return get_directory (self, "XDG_CONFIG_HOME", ".config", error);
}

/**
 * welkin_surroundings_get_data_directory:
 * @self: surroundings
 * @error: return location for an error
 *
 * Gets the directory in which environments are remembered.
 *
 * It is WELKIN_HOME, or "welkin" below XDG_DATA_HOME or ~/.local/share. It need
 * not exist. The errors are those of
 * [method@Surroundings.get_config_directory].
 *
 * Returns: (transfer full) (type filename): its path, or %NULL on error
 *
 * Since: 0.1
 */
char *
welkin_surroundings_get_data_directory (WelkinSurroundings *self,
                                        GError            **error)
{
  g_return_val_if_fail (self != NULL, NULL);

  return get_directory (self, "XDG_DATA_HOME", ".local/share", error);
}

/* Those of a variable with colons between, with program below each; relative ones do not count. */
static void
add_directories (GStrvBuilder *builder,
                 const char   *paths,
                 const char   *program)
{
  g_auto(GStrv) parts = g_strsplit (paths, G_SEARCHPATH_SEPARATOR_S, -1);

  for (guint i = 0; parts[i] != NULL; i++)
    {
      g_autofree char *path = NULL;

      if (!g_path_is_absolute (parts[i]))
        continue;
      path = g_build_filename (parts[i], program, NULL);
      g_strv_builder_add (builder, path);
    }
}

/**
 * welkin_surroundings_list_config_directories:
 * @self: surroundings
 * @program: the name of a program
 *
 * Lists the directories in which another program is configured, those of the
 * user first.
 *
 * They are below XDG_CONFIG_HOME or ~/.config, below each of XDG_CONFIG_DIRS,
 * which is /etc/xdg if unset, and below /etc. Only surroundings of a process
 * have the latter two without being told.
 *
 * Returns: (transfer full) (array zero-terminated=1) (element-type filename):
 *   their paths; none needs to exist
 *
 * Since: 0.1
 */
char **
welkin_surroundings_list_config_directories (WelkinSurroundings *self,
                                             const char         *program)
{
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new ();
  const char *user;
  const char *system;
  g_autofree char *below_home = NULL;

  g_return_val_if_fail (self != NULL && program != NULL, NULL);

  user = welkin_surroundings_get_variable (self, "XDG_CONFIG_HOME");
  if (user == NULL && welkin_surroundings_get_home (self) != NULL)
    user = below_home = g_build_filename (welkin_surroundings_get_home (self), ".config", NULL);
  if (user != NULL)
    add_directories (builder, user, program);

  system = welkin_surroundings_get_variable (self, "XDG_CONFIG_DIRS");
  if (system == NULL && self->knows_system)
    system = "/etc/xdg";
  if (system != NULL)
    add_directories (builder, system, program);
  if (self->knows_system)
    add_directories (builder, "/etc", program);
  return g_strv_builder_end (builder);
}
