/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "transport/os-cloud-entry.h"

#include <glib/gi18n-lib.h>

#include "transport/os-refuse.h"
#include "values/welkin-schema.h"

#define REGION_PLACE "{region_name}"

#define BOOLEAN WELKIN_ATTRIBUTE_BOOLEAN
#define INT WELKIN_ATTRIBUTE_INT
#define STRING WELKIN_ATTRIBUTE_STRING
#define OPTIONAL WELKIN_ATTRIBUTE_MAY_BE_EMPTY
#define SECRET WELKIN_ATTRIBUTE_SECRET

/* The keys that stand in "auth", or beside it. */
static const WelkinAttribute auth_keys[] = {
  { "auth_url", STRING, NULL, OPTIONAL },
  { "username", STRING, NULL, OPTIONAL },
  { "user_id", STRING, NULL, OPTIONAL },
  { "password", STRING, NULL, OPTIONAL | SECRET },
  { "project_name", STRING, NULL, OPTIONAL },
  { "project_id", STRING, NULL, OPTIONAL },
  { "tenant_name", STRING, NULL, OPTIONAL },
  { "tenant_id", STRING, NULL, OPTIONAL },
  { "user_domain_name", STRING, NULL, OPTIONAL },
  { "user_domain_id", STRING, NULL, OPTIONAL },
  { "project_domain_name", STRING, NULL, OPTIONAL },
  { "project_domain_id", STRING, NULL, OPTIONAL },
  { "domain_name", STRING, NULL, OPTIONAL },
  { "domain_id", STRING, NULL, OPTIONAL },
  { "default_domain_name", STRING, NULL, OPTIONAL },
  { "default_domain_id", STRING, NULL, OPTIONAL },
  { "default_domain", STRING, NULL, OPTIONAL },
  { "token", STRING, NULL, OPTIONAL | SECRET },
  { "auth_token", STRING, NULL, OPTIONAL | SECRET },
  { "application_credential_id", STRING, NULL, OPTIONAL },
  { "application_credential_name", STRING, NULL, OPTIONAL },
  { "application_credential_secret", STRING, NULL, OPTIONAL | SECRET },
  { "trust_id", STRING, NULL, OPTIONAL },
};

/* Those that never stand in it. */
static const WelkinAttribute other_keys[] = {
  { "auth_type", STRING, NULL, OPTIONAL },
  { "auth_plugin", STRING, NULL, OPTIONAL },
  { "region_name", STRING, NULL, OPTIONAL },
  { "interface", STRING, NULL, OPTIONAL },
  { "verify", BOOLEAN },
  { "insecure", BOOLEAN },
  { "cacert", STRING, NULL, OPTIONAL },
  { "cert", STRING, NULL, OPTIONAL },
  { "key", STRING, NULL, OPTIONAL },
  { "identity_api_version", STRING, NULL, OPTIONAL },
  { "compute_api_version", STRING, NULL, OPTIONAL },
  { "compute_default_microversion", STRING, NULL, OPTIONAL },
  { "compute_endpoint_override", STRING, NULL, OPTIONAL },
  { "network_endpoint_override", STRING, NULL, OPTIONAL },
  { "image_endpoint_override", STRING, NULL, OPTIONAL },
  { "object_store_endpoint_override", STRING, NULL, OPTIONAL },
  { "block_storage_endpoint_override", STRING, NULL, OPTIONAL },
  { "volumev3_endpoint_override", STRING, NULL, OPTIONAL },
  { "volume_endpoint_override", STRING, NULL, OPTIONAL },
  { "compute_service_type", STRING, NULL, OPTIONAL },
  { "network_service_type", STRING, NULL, OPTIONAL },
  { "image_service_type", STRING, NULL, OPTIONAL },
  { "object_store_service_type", STRING, NULL, OPTIONAL },
  { "block_storage_service_type", STRING, NULL, OPTIONAL },
  { "volume_service_type", STRING, NULL, OPTIONAL },
  { "api_timeout", INT, NULL, OPTIONAL, .minimum = 0, .maximum = 86400 },
  { "internal_network", STRING, NULL, OPTIONAL },
  { "external_network", STRING, NULL, OPTIONAL },
};

static const WelkinAttribute network_keys[] = {
  { "name", STRING, NULL, OPTIONAL },
  { "routes_externally", BOOLEAN },
  { "nat_source", BOOLEAN },
  { "nat_destination", BOOLEAN },
};

/* What is made of other keys before these are read. */
static const char *const structural_keys[] = { "auth", "profile", "cloud", "regions", "networks",
                                               NULL };

/* A cloud while its parts are laid over each other. */
typedef struct
{
  OsCloudFiles       *files;
  const char         *name;
  WelkinSurroundings *surroundings;

  GHashTable         *auth;   /* (owned) char * to WelkinValue * */
  GHashTable         *beside; /* (owned) the same */
} Layers;

static GHashTable *
make_table (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                (GDestroyNotify) welkin_value_unref);
}

static void
layers_clear (Layers *self)
{
  g_clear_pointer (&self->auth, g_hash_table_unref);
  g_clear_pointer (&self->beside, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Layers, layers_clear)

static gboolean
is_unset (WelkinValue *value)
{
  return value == NULL || welkin_value_get_kind (value) == WELKIN_VALUE_UNSET;
}

/* Laying over each other */

static char *
normalize_key (const char *key)
{
  return g_strdelimit (g_strdup (key), "-", '_');
}

/* That of the file that the value is from. */
static const char *
get_directory (Layers      *self,
               WelkinValue *value)
{
  OsCloudFile *files[] = { &self->files->clouds, &self->files->secure, &self->files->profiles };
  const char *origin = welkin_value_get_origin (value);

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    if (files[i]->path != NULL && g_str_has_prefix (origin, files[i]->path)
        && origin[strlen (files[i]->path)] == ':')
      return files[i]->directory;
  return NULL;
}

/* "~" and what is relative to the file. */
static WelkinValue *
resolve_path (Layers       *self,
              const char   *key,
              WelkinValue  *value,
              GError      **error)
{
  static const char *const paths[] = { "cacert", "cert", "key", NULL };
  const char *text = welkin_value_get_text (value);
  g_autoptr(GError) local_error = NULL;
  g_autofree char *path = NULL;

  if (!g_strv_contains (paths, key) || text == NULL || *text == '\0')
    return welkin_value_ref (value);
  path = welkin_surroundings_resolve_path (self->surroundings, text, get_directory (self, value),
                                           &local_error);
  if (path != NULL)
    return welkin_value_new_text (path, TRUE, welkin_value_get_origin (value));
  os_refuse (value, g_strdup_printf ("%s: %s", key, local_error->message), error);
  return NULL;
}

/* Reads one map, whose keys may be written with dashes, into a table of its own. */
static GHashTable *
read_map (Layers       *self,
          WelkinValue  *map,
          const char   *name,
          GError      **error)
{
  g_autoptr(GHashTable) table = make_table ();

  if (is_unset (map))
    return g_steal_pointer (&table);
  if (welkin_value_get_kind (map) != WELKIN_VALUE_MAP)
    {
      os_refuse (map, g_strdup_printf (_("%s: expected a map"), name), error);
      return NULL;
    }
  for (guint i = 0; i < welkin_value_get_length (map); i++)
    {
      WelkinValue *item = welkin_value_get_item (map, i);
      g_autofree char *key = normalize_key (welkin_value_get_key (map, i));
      WelkinValue *value;

      if (is_unset (item))
        continue;
      if (g_hash_table_contains (table, key))
        {
          os_refuse (item,
                     g_strdup_printf (_("%s is given twice, with a dash and an underscore"), key),
                     error);
          return NULL;
        }
      value = resolve_path (self, key, item, error);
      if (value == NULL)
        return NULL;
      g_hash_table_insert (table, g_steal_pointer (&key), value);
    }
  return g_steal_pointer (&table);
}

/* Whichever key ends in "endpoint_type" is an old name of "interface". */
static void
rename_interface (GHashTable *table)
{
  g_autoptr(WelkinValue) found = NULL;
  GHashTableIter iter;
  gpointer key;
  gpointer value;

  g_hash_table_iter_init (&iter, table);
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      if (!g_str_has_suffix (key, "endpoint_type"))
        continue;
      if (found == NULL || g_str_equal (key, "endpoint_type"))
        {
          g_clear_pointer (&found, welkin_value_unref);
          found = welkin_value_ref (value);
        }
      g_hash_table_iter_remove (&iter);
    }
  if (found != NULL && !g_hash_table_contains (table, "interface"))
    g_hash_table_insert (table, g_strdup ("interface"), g_steal_pointer (&found));
}

static void
lay_over (GHashTable *table,
          GHashTable *upper)
{
  GHashTableIter iter;
  gpointer key;
  gpointer value;

  g_hash_table_iter_init (&iter, upper);
  while (g_hash_table_iter_next (&iter, &key, &value))
    g_hash_table_replace (table, g_strdup (key), welkin_value_ref (value));
}

/* map: (nullable): an entry, or the values of a region. What is in "auth" is laid over key by key;
 * every other key is replaced. */
static gboolean
add_layer (Layers       *self,
           WelkinValue  *map,
           const char   *name,
           GError      **error)
{
  g_autoptr(GHashTable) beside = read_map (self, map, name, error);
  g_autoptr(GHashTable) auth = NULL;

  if (beside == NULL)
    return FALSE;
  auth = read_map (self, g_hash_table_lookup (beside, "auth"), "auth", error);
  if (auth == NULL)
    return FALSE;
  rename_interface (beside);
  lay_over (self->beside, beside);
  lay_over (self->auth, auth);
  return TRUE;
}

static const char *
get_profile (OsCloudFiles *files,
             const char   *name)
{
  static const char *const keys[] = { "profile", "cloud" };
  WelkinValue *entries[] = { files->secure.entries, files->clouds.entries };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    for (guint j = 0; j < G_N_ELEMENTS (entries); j++)
      {
        WelkinValue *entry = welkin_value_lookup (entries[j], name);
        WelkinValue *value = entry != NULL ? welkin_value_lookup (entry, keys[i]) : NULL;

        if (value != NULL && welkin_value_get_text (value) != NULL)
          return welkin_value_get_text (value);
      }
  return NULL;
}

static gboolean
lay_out (Layers  *self,
         GError **error)
{
  OsCloudFiles *files = self->files;
  const char *profile = get_profile (files, self->name);
  WelkinValue *base = profile != NULL ? welkin_value_lookup (files->profiles.entries, profile)
                                      : NULL;

  self->auth = make_table ();
  self->beside = make_table ();
  if (profile != NULL && base == NULL)
    g_ptr_array_add (files->notices,
                     g_strdup_printf (_("cloud \"%s\" builds on the profile \"%s\", which is in no "
                                        "clouds-public.yaml"),
                                      self->name, profile));
  return add_layer (self, base, profile, error)
         && add_layer (self, welkin_value_lookup (files->clouds.entries, self->name), self->name,
                       error)
         && add_layer (self, welkin_value_lookup (files->secure.entries, self->name), self->name,
                       error);
}

/* Regions */

/* The texts of a list, or of a text with commas. (transfer full) (element-type WelkinValue) */
static GPtrArray *
list_parts (WelkinValue *value)
{
  GPtrArray *parts = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_value_unref);
  g_auto(GStrv) words = NULL;

  for (guint i = 0; value != NULL && i < welkin_value_get_length (value); i++)
    g_ptr_array_add (parts, welkin_value_ref (welkin_value_get_item (value, i)));
  if (value == NULL || welkin_value_get_text (value) == NULL)
    return parts;
  words = g_strsplit (welkin_value_get_text (value), ",", -1);
  for (guint i = 0; words[i] != NULL; i++)
    if (*g_strstrip (words[i]) != '\0')
      g_ptr_array_add (parts, welkin_value_new_text (words[i], TRUE,
                                                     welkin_value_get_origin (value)));
  return parts;
}

/* A region is a text, or a map that has one as "name". */
static const char *
get_name_of_region (WelkinValue *region)
{
  WelkinValue *name = welkin_value_lookup (region, "name");

  return welkin_value_get_text (name != NULL ? name : region);
}

static gboolean
check_regions (GPtrArray *regions,
               GError   **error)
{
  for (guint i = 0; i < regions->len; i++)
    {
      WelkinValue *region = g_ptr_array_index (regions, i);
      const char *name = get_name_of_region (region);

      if (name == NULL || *name == '\0')
        return os_refuse (region, g_strdup (_("regions: expected a name, or a map that has one")),
                          error);
    }
  return TRUE;
}

static char **
list_names (GPtrArray *regions)
{
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; i < regions->len; i++)
    g_strv_builder_add (builder, get_name_of_region (g_ptr_array_index (regions, i)));
  return g_strv_builder_end (builder);
}

static WelkinValue *
find_region (GPtrArray   *regions,
             const char  *cloud,
             WelkinValue *wanted,
             GError     **error)
{
  g_auto(GStrv) names = list_names (regions);
  g_autofree char *joined = g_strjoinv (", ", names);

  for (guint i = 0; i < regions->len; i++)
    if (g_str_equal (names[i], welkin_value_get_text (wanted)))
      return g_ptr_array_index (regions, i);
  os_refuse (wanted,
             g_strdup_printf (_("region \"%s\" is not one of cloud \"%s\"; there are: %s"),
                              welkin_value_get_text (wanted), cloud, joined),
             error);
  return NULL;
}

/* What "regions" and "region_name" offer, checked: both (transfer full). */
static gboolean
list_regions (Layers     *self,
              GPtrArray **regions,
              GPtrArray **names,
              GError    **error)
{
  *regions = list_parts (g_hash_table_lookup (self->beside, "regions"));
  *names = list_parts (g_hash_table_lookup (self->beside, "region_name"));
  return check_regions (*regions, error) && check_regions (*names, error);
}

/* Settles on one region, and lays its values over the rest. */
static gboolean
settle_region (Layers       *self,
               WelkinValue  *asked,
               GError      **error)
{
  g_autoptr(GPtrArray) regions = NULL;
  g_autoptr(GPtrArray) names = NULL;
  WelkinValue *wanted = asked;
  WelkinValue *values = NULL;

  if (!list_regions (self, &regions, &names, error))
    return FALSE;
  if (wanted == NULL && names->len > 0)
    wanted = g_ptr_array_index (names, 0);
  if (regions->len > 0)
    {
      wanted = wanted == NULL ? g_ptr_array_index (regions, 0)
                              : find_region (regions, self->name, wanted, error);
      if (wanted == NULL)
        return FALSE;
      values = welkin_value_lookup (wanted, "values");
    }
  if (!add_layer (self, values, "values", error))
    return FALSE;
  if (wanted != NULL)
    g_hash_table_replace (self->beside, g_strdup ("region_name"),
                          welkin_value_new_text (get_name_of_region (wanted), TRUE,
                                                 welkin_value_get_origin (wanted)));
  return TRUE;
}

/* Those of the keys that are in the table, in their canonical form. */
static WelkinConfig *
coerce (GHashTable             *keys,
        const WelkinAttribute  *table,
        gsize                   n_keys,
        GError                **error)
{
  g_autoptr(WelkinSchema) schema = welkin_schema_new (table, n_keys);
  g_autoptr(WelkinConfig) config = welkin_config_new ();

  for (gsize i = 0; i < n_keys; i++)
    {
      WelkinValue *value = g_hash_table_lookup (keys, table[i].name);
      g_autoptr(WelkinConfig) former = NULL;

      if (value == NULL)
        continue;
      former = config;
      config = welkin_config_with (former, table[i].name, value);
    }
  return welkin_schema_coerce (schema, config, FALSE, error);
}

/* Networks */

/* Keeps the better of two: rank 2 says outright what it is for, rank 1 allows it, rank 0 does not
 * suit. */
static void
suggest (Layers       *self,
         const char   *key,
         WelkinConfig *network,
         guint         rank,
         guint        *best)
{
  if (rank <= *best)
    return;
  *best = rank;
  g_hash_table_replace (self->beside, g_strdup (key),
                        welkin_value_ref (welkin_config_lookup (network, "name")));
}

static gboolean
settle_networks (Layers  *self,
                 GError **error)
{
  g_autoptr(GPtrArray) networks = list_parts (g_hash_table_lookup (self->beside, "networks"));
  /* What is named outright is better than all that the list may say. */
  guint best_inside = g_hash_table_contains (self->beside, "internal_network") ? 2 : 0;
  guint best_outside = g_hash_table_contains (self->beside, "external_network") ? 2 : 0;

  for (guint i = 0; i < networks->len; i++)
    {
      g_autoptr(GHashTable) keys = read_map (self, g_ptr_array_index (networks, i), "networks",
                                             error);
      g_autoptr(WelkinConfig) network = NULL;
      gboolean is_outside;

      if (keys == NULL)
        return FALSE;
      network = coerce (keys, network_keys, G_N_ELEMENTS (network_keys), error);
      if (network == NULL)
        return FALSE;
      if (*welkin_config_get_string (network, "name") == '\0')
        return os_refuse (g_ptr_array_index (networks, i),
                          g_strdup (_("networks: expected a name")), error);
      is_outside = welkin_config_get_boolean (network, "routes_externally");
      suggest (self, "internal_network", network,
               welkin_config_get_boolean (network, "nat_destination") ? 2 : !is_outside,
               &best_inside);
      suggest (self, "external_network", network,
               welkin_config_get_boolean (network, "nat_source") ? 2 : is_outside, &best_outside);
    }
  return TRUE;
}

/* One flat set */

static gboolean
expand_region (Layers  *self,
               GError **error)
{
  WelkinValue *url = g_hash_table_lookup (self->auth, "auth_url");
  WelkinValue *region = g_hash_table_lookup (self->beside, "region_name");
  const char *text = url != NULL ? welkin_value_get_text (url) : NULL;
  const char *name = region != NULL
                       ? welkin_value_get_text (region)
                       : welkin_surroundings_get_variable (self->surroundings, "OS_REGION_NAME");
  g_autoptr(GString) expanded = NULL;

  if (text == NULL || strstr (text, REGION_PLACE) == NULL)
    return TRUE;
  if (name == NULL)
    return os_refuse (url, g_strdup_printf (_("auth_url contains %s, and no region is given: set "
                                              "attribute region"),
                                            REGION_PLACE),
                      error);
  expanded = g_string_new (text);
  g_string_replace (expanded, REGION_PLACE, name, 0);
  g_hash_table_replace (self->auth, g_strdup ("auth_url"),
                        welkin_value_new_text (expanded->str, TRUE, welkin_value_get_origin (url)));
  return TRUE;
}

/* What belongs into "auth" counts for more beside it. */
static void
move_into_auth (Layers *self)
{
  for (gsize i = 0; i < G_N_ELEMENTS (auth_keys); i++)
    {
      WelkinValue *value = g_hash_table_lookup (self->beside, auth_keys[i].name);

      if (value != NULL)
        g_hash_table_replace (self->auth, g_strdup (auth_keys[i].name), welkin_value_ref (value));
    }
}

static void
tell_unread_keys (Layers       *self,
                  WelkinConfig *read)
{
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, self->beside);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    if (!welkin_config_has (read, key) && !g_strv_contains (structural_keys, key))
      g_debug ("nobody reads %s of cloud \"%s\"", (const char *) key, self->name);
}

WelkinConfig *
os_cloud_entry_new (OsCloudFiles        *files,
                    const char          *name,
                    WelkinValue         *region,
                    WelkinSurroundings  *surroundings,
                    GError             **error)
{
  g_auto(Layers) self = { .files = files, .name = name, .surroundings = surroundings };
  g_autoptr(WelkinConfig) auth = NULL;
  g_autoptr(WelkinConfig) beside = NULL;
  g_autoptr(WelkinConfig) entry = NULL;

  if (!lay_out (&self, error)
      || !settle_region (&self, region, error)
      || !settle_networks (&self, error))
    return NULL;
  move_into_auth (&self);
  if (!expand_region (&self, error))
    return NULL;
  auth = coerce (self.auth, auth_keys, G_N_ELEMENTS (auth_keys), error);
  if (auth == NULL)
    return NULL;
  beside = coerce (self.beside, other_keys, G_N_ELEMENTS (other_keys), error);
  if (beside == NULL)
    return NULL;
  entry = welkin_config_with_all (beside, auth);
  tell_unread_keys (&self, entry);
  return g_steal_pointer (&entry);
}

char **
os_cloud_entry_list_regions (OsCloudFiles        *files,
                             const char          *name,
                             WelkinSurroundings  *surroundings,
                             GError             **error)
{
  g_auto(Layers) self = { .files = files, .name = name, .surroundings = surroundings };
  g_autoptr(GPtrArray) regions = NULL;
  g_autoptr(GPtrArray) names = NULL;

  if (!lay_out (&self, error) || !list_regions (&self, &regions, &names, error))
    return NULL;
  return list_names (regions->len > 0 ? regions : names);
}
