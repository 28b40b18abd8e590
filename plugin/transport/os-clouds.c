/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "transport/os-clouds.h"

#include <glib/gi18n-lib.h>

#include "base/uri.h"
#include "transport/os-cloud-entry.h"
#include "transport/os-cloud-files.h"
#include "transport/os-refuse.h"
#include "transport/os-settings.h"
#include "values/welkin-error.h"

/* The one cloud that there is. */
#define AUTO "auto"
/* The name under which the variables can be asked for as if they were a cloud of a file. */
#define VARIABLES "envvars"

/* What the attribute says, else the variable; NULL: nothing. (transfer full) */
static WelkinValue *
dup_choice (WelkinConfig       *config,
            WelkinSurroundings *surroundings)
{
  const char *variable = welkin_surroundings_get_variable (surroundings, "OS_CLOUD");

  if (*welkin_config_get_string (config, "cloud") != '\0')
    return welkin_value_ref (welkin_config_lookup (config, "cloud"));
  return variable != NULL ? welkin_value_new_text (variable, TRUE, "OS_CLOUD") : NULL;
}

static const char *
get_name_of_variables (WelkinSurroundings *surroundings)
{
  const char *renamed = welkin_surroundings_get_variable (surroundings, "OS_CLOUD_NAME");

  return renamed != NULL ? renamed : VARIABLES;
}

static char *
join_names (OsCloudFiles *files)
{
  g_auto(GStrv) names = os_cloud_files_list (files);

  return *names != NULL ? g_strjoinv (", ", names) : g_strdup (_("none"));
}

/* Why there is no such cloud: the file that might have had it cannot be read, or there is none. */
static void
refuse_missing (OsCloudFiles *files,
                WelkinValue  *choice,
                GError      **error)
{
  const char *name = welkin_value_get_text (choice);
  const char *path = files->clouds.path != NULL ? files->clouds.path : files->secure.path;
  g_autofree char *names = join_names (files);

  if (files->failure != NULL)
    {
      g_propagate_error (error, g_error_copy (files->failure));
      g_prefix_error (error, _("cannot look up cloud \"%s\": "), name);
      return;
    }
  if (path == NULL)
    os_refuse (choice,
               g_strdup_printf (_("there is no cloud \"%s\", since there is no clouds.yaml in %s"),
                                name, files->places),
               error);
  else if (g_str_equal (name, AUTO))
    os_refuse (choice,
               g_strdup_printf (_("cloud \"%s\" is for a file that has one cloud; %s has: %s"),
                                name, path, names),
               error);
  else
    os_refuse (choice,
               g_strdup_printf (_("there is no cloud \"%s\" in %s, which has: %s"), name, path,
                                names),
               error);
}

/* The only cloud, or NULL. (transfer full) */
static char *
dup_only (OsCloudFiles *files)
{
  g_auto(GStrv) names = os_cloud_files_list (files);

  return g_strv_length (names) == 1 ? g_strdup (*names) : NULL;
}

/* The cloud that is in use, NULL for the variables; FALSE when there is no such cloud. */
static gboolean
choose (OsCloudFiles        *files,
        WelkinValue         *choice,
        WelkinSurroundings  *surroundings,
        char               **name,
        GError             **error)
{
  const char *text = choice != NULL ? welkin_value_get_text (choice) : AUTO;
  const char *renamed = welkin_surroundings_get_variable (surroundings, "OS_CLOUD_NAME");

  *name = NULL;
  if (g_strcmp0 (text, renamed) == 0 && os_cloud_files_have (files, text))
    {
      os_refuse (choice,
                 g_strdup_printf (_("%s has a cloud \"%s\", which OS_CLOUD_NAME says of the "
                                    "variables: rename one of them"),
                                  files->clouds.path, text),
                 error);
      return FALSE;
    }
  if (os_cloud_files_have (files, text))
    *name = g_strdup (text);
  else if (g_str_equal (text, AUTO))
    *name = dup_only (files);
  /* Whoever did not choose is told what else is missing. */
  if (*name != NULL || choice == NULL
      || g_str_equal (text, get_name_of_variables (surroundings)))
    return TRUE;
  refuse_missing (files, choice, error);
  return FALSE;
}

/* filled with the name of the entry that is in use, and with what chose it. (transfer full) */
static WelkinConfig *
name_entry (WelkinConfig *filled,
            const char   *name,
            WelkinValue  *choice,
            OsCloudFiles *files)
{
  const char *origin = choice != NULL ? welkin_value_get_origin (choice) : files->clouds.path;

  return welkin_config_with_text (filled, "cloud", name, origin);
}

/* notices: what is to be told to people, for as far as it came */
static WelkinConfig *
fill (WelkinConfig        *config,
      WelkinSurroundings  *surroundings,
      GPtrArray           *notices,
      GError             **error)
{
  g_autoptr(WelkinValue) choice = dup_choice (config, surroundings);
  g_autoptr(WelkinConfig) entry = NULL;
  g_autoptr(WelkinConfig) filled = NULL;
  g_autoptr(OsCloudFiles) files = NULL;
  g_autofree char *name = NULL;
  WelkinValue *region;

  /* A file that nobody asked for is not looked at where everything is said already. */
  if (choice == NULL && os_settings_have_credentials (config, surroundings))
    return os_settings_fill (config, NULL, surroundings, error);

  files = os_cloud_files_load (surroundings, notices);
  if (!choose (files, choice, surroundings, &name, error))
    return NULL;
  if (name != NULL)
    {
      region = *welkin_config_get_string (config, "region") != '\0'
                 ? welkin_config_lookup (config, "region") : NULL;
      entry = os_cloud_entry_new (files, name, region, surroundings, error);
      if (entry == NULL)
        return NULL;
    }
  filled = os_settings_fill (config, entry, surroundings, error);
  if (filled == NULL || name == NULL)
    return g_steal_pointer (&filled);
  return name_entry (filled, name, choice, files);
}

WelkinConfig *
os_clouds_fill (WelkinConfig        *config,
                WelkinSurroundings  *surroundings,
                GError             **error)
{
  g_autoptr(GPtrArray) notices = g_ptr_array_new_with_free_func (g_free);

  return fill (config, surroundings, notices, error);
}

char **
os_clouds_list_notices (WelkinConfig       *config,
                        WelkinSurroundings *surroundings)
{
  g_autoptr(GPtrArray) notices = g_ptr_array_new_with_free_func (g_free);
  g_autoptr(WelkinConfig) effective = NULL;

  effective = fill (config, surroundings, notices, NULL);
  g_ptr_array_add (notices, NULL);
  return (char **) g_ptr_array_steal (notices, NULL);
}

void
os_clouds_tell (WelkinConfig       *config,
                WelkinSurroundings *surroundings)
{
  const char *variable = welkin_surroundings_get_variable (surroundings, "OS_CLOUD");
  const char *cloud = welkin_config_get_string (config, "cloud");
  g_auto(GStrv) notices = os_clouds_list_notices (config, surroundings);

  if (variable != NULL && *cloud != '\0' && !g_str_equal (cloud, variable))
    g_message ("cloud \"%s\" is used, not OS_CLOUD=%s", cloud, variable);
  for (guint i = 0; notices[i] != NULL; i++)
    g_warning ("%s", notices[i]);
}

/* Listing */

/* effective: nullable: what error tells; origin: where the cloud is given */
static WelkinCloud *
describe (const char         *name,
          const char         *origin,
          WelkinConfig       *effective,
          const char *const  *regions,
          gboolean            is_default,
          const GError       *error)
{
  WelkinCloudFlags flags = is_default ? WELKIN_CLOUD_IS_DEFAULT : WELKIN_CLOUD_NONE;
  const char *url = effective != NULL ? welkin_config_get_string (effective, "auth-url") : "";
  g_autofree char *shown = *url != '\0' ? wk_uri_for_display (url) : NULL;

  if (effective != NULL && os_settings_have_secret (effective))
    flags |= WELKIN_CLOUD_HAS_SECRET;
  return welkin_cloud_new (name, origin, shown, regions, flags,
                           error != NULL ? error->message : NULL);
}

static WelkinCloud *
describe_entry (OsCloudFiles       *files,
                const char         *name,
                gboolean            is_default,
                WelkinSurroundings *surroundings)
{
  WelkinValue *first = welkin_value_lookup (files->clouds.entries, name);
  WelkinValue *value = first != NULL ? first : welkin_value_lookup (files->secure.entries, name);
  g_autoptr(WelkinConfig) nothing = welkin_config_new ();
  g_autoptr(GError) error = NULL;
  g_auto(GStrv) regions = os_cloud_entry_list_regions (files, name, surroundings, &error);
  g_autoptr(WelkinConfig) entry = NULL;
  g_autoptr(WelkinConfig) effective = NULL;

  if (regions != NULL)
    entry = os_cloud_entry_new (files, name, NULL, surroundings, &error);
  if (entry != NULL)
    effective = os_settings_fill (nothing, entry, surroundings, &error);
  return describe (name, welkin_value_get_origin (value), effective, (const char *const *) regions,
                   is_default, error);
}

/* What the variables say, as a cloud; NULL: they say nothing. */
static WelkinCloud *
describe_variables (gboolean            is_default,
                    WelkinSurroundings *surroundings)
{
  g_autoptr(WelkinConfig) nothing = welkin_config_new ();
  g_autoptr(GError) error = NULL;
  g_autoptr(WelkinConfig) effective = os_settings_fill (nothing, NULL, surroundings, &error);
  const char *regions[] = { NULL, NULL };

  if (!os_settings_have_credentials (nothing, surroundings))
    return NULL;
  if (effective != NULL && welkin_config_has (effective, "region"))
    regions[0] = welkin_config_get_string (effective, "region");
  /* TRANSLATORS: where a cloud is given */
  return describe (get_name_of_variables (surroundings), _("variables"), effective, regions,
                   is_default, error);
}

GPtrArray *
os_clouds_list (WelkinSurroundings *surroundings)
{
  g_autoptr(GPtrArray) notices = g_ptr_array_new_with_free_func (g_free);
  g_autoptr(OsCloudFiles) files = os_cloud_files_load (surroundings, notices);
  g_autoptr(WelkinConfig) nothing = welkin_config_new ();
  g_autoptr(WelkinValue) choice = dup_choice (nothing, surroundings);
  gboolean prefers_variables;
  GPtrArray *clouds = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_cloud_unref);
  g_auto(GStrv) names = os_cloud_files_list (files);
  g_autofree char *chosen = NULL;
  WelkinCloud *variables;

  /* A choice that is wrong is none. */
  prefers_variables = choice == NULL
                        ? os_settings_have_credentials (nothing, surroundings)
                        : g_str_equal (welkin_value_get_text (choice),
                                       get_name_of_variables (surroundings));
  if (choice != NULL || !prefers_variables)
    choose (files, choice, surroundings, &chosen, NULL);
  for (guint i = 0; names[i] != NULL; i++)
    g_ptr_array_add (clouds, describe_entry (files, names[i], g_strcmp0 (names[i], chosen) == 0,
                                             surroundings));
  variables = describe_variables (chosen == NULL && prefers_variables, surroundings);
  if (variables != NULL)
    g_ptr_array_add (clouds, variables);
  for (guint i = 0; i < notices->len; i++)
    g_warning ("%s", (const char *) g_ptr_array_index (notices, i));
  return clouds;
}

void
os_clouds_explain (GError             *error,
                   WelkinConfig       *config,
                   WelkinSurroundings *surroundings)
{
  g_autoptr(WelkinValue) choice = dup_choice (config, surroundings);
  g_autoptr(GPtrArray) notices = g_ptr_array_new_with_free_func (g_free);
  g_autoptr(OsCloudFiles) files = NULL;
  g_autofree char *names = NULL;
  g_autofree char *hint = NULL;

  if (choice != NULL || os_settings_have_credentials (config, surroundings))
    return;
  files = os_cloud_files_load (surroundings, notices);
  if (files->clouds.path == NULL)
    return;
  names = join_names (files);
  hint = g_strdup_printf (_("Or set attribute cloud to one of those in %s: %s."),
                          files->clouds.path, names);
  welkin_error_set_hint (error, hint);
}
