/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "model/os-token.h"
#include "transport/os-catalog.h"
#include "values/welkin-error.h"

struct _OsCatalog
{
  char    *region;
  char    *endpoints[OS_N_SERVICES]; /* (nullable) */
  gboolean is_given[OS_N_SERVICES];  /* it is not the catalog's */
};

/* How well the endpoint's region fits the one that is wanted; 0: not at all. A wanted region also
 * lies in one that it ends with: "az-1.region-a.geo-1" in "region-a.geo-1". The longer, the
 * better. */
static gsize
rank_region (const char *wanted,
             const char *region)
{
  gsize length;

  if (region == NULL || *region == '\0')
    return 0;
  if (g_str_equal (region, OS_CATALOG_ANY_REGION))
    return 1;
  if (g_str_equal (wanted, region))
    return G_MAXSIZE;
  length = strlen (region);
  if (g_str_has_suffix (wanted, region) && wanted[strlen (wanted) - length - 1] == '.')
    return 1 + length;
  return 0;
}

/* As os_service_rank_type(), unless it was said what the type is. */
static int
rank_type (const OsCatalogOptions *options,
           OsServiceKind           kind,
           const char             *type)
{
  const char *wanted = options->types != NULL ? options->types[kind] : NULL;

  if (wanted == NULL)
    return os_service_rank_type (kind, type);
  return g_str_equal (wanted, type) ? 0 : -1;
}

/* The URL for a kind of service in the wanted region: the best type, then the best region, then
 * the first in the catalog. */
static const char *
find_url (GPtrArray              *services,
          OsServiceKind           kind,
          const OsCatalogOptions *options,
          const char             *wanted)
{
  const char *best = NULL;
  gsize best_region = 0;
  int best_type = G_MAXINT;

  for (guint i = 0; i < services->len; i++)
    {
      const OsService *service = g_ptr_array_index (services, i);
      int type = rank_type (options, kind, service->type);

      if (type < 0 || type > best_type || service->endpoints == NULL)
        continue;
      for (guint j = 0; j < service->endpoints->len; j++)
        {
          const OsEndpoint *endpoint = g_ptr_array_index (service->endpoints, j);
          gsize region = rank_region (wanted, os_endpoint_get_region (endpoint));

          if (g_strcmp0 (endpoint->interface, options->interface) != 0 || region == 0
              || (type == best_type && region < best_region))
            continue;
          if (type == best_type && region == best_region)
            {
              if (!g_str_equal (endpoint->url, best))
                g_debug ("%s is in the catalog twice: not taking %s", service->type, endpoint->url);
              continue;
            }
          best = endpoint->url;
          best_region = region;
          best_type = type;
        }
    }
  return best;
}

static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* All regions that have an endpoint of the interface, sorted, each once. */
static GPtrArray *
list_regions (GPtrArray              *services,
              const OsCatalogOptions *options)
{
  GPtrArray *regions = g_ptr_array_new ();

  for (guint i = 0; i < services->len; i++)
    {
      const OsService *service = g_ptr_array_index (services, i);

      for (guint j = 0; service->endpoints != NULL && j < service->endpoints->len; j++)
        {
          const OsEndpoint *endpoint = g_ptr_array_index (service->endpoints, j);
          const char *region = os_endpoint_get_region (endpoint);

          if (g_strcmp0 (endpoint->interface, options->interface) == 0
              && region != NULL && *region != '\0'
              && !g_str_equal (region, OS_CATALOG_ANY_REGION)
              && !g_ptr_array_find_with_equal_func (regions, region, g_str_equal, NULL))
            g_ptr_array_add (regions, (gpointer) region);
        }
    }
  g_ptr_array_sort (regions, compare_names);
  return regions;
}

static char *
join_names (GPtrArray *names)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < names->len; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "",
                            (const char *) g_ptr_array_index (names, i));
  return g_string_free (text, FALSE);
}

/* The kinds of what is required that the region lacks. */
static guint
find_missing (GPtrArray              *services,
              const OsCatalogOptions *options,
              const char             *region)
{
  guint missing = 0;

  for (guint kind = 0; kind < OS_N_SERVICES; kind++)
    if ((options->required & (1u << kind)) != 0
        && (options->overrides == NULL || options->overrides[kind] == NULL)
        && find_url (services, kind, options, region) == NULL)
      missing |= 1u << kind;
  return missing;
}

/* The regions that lack nothing of what is required. */
static GPtrArray *
list_complete_regions (GPtrArray              *services,
                       const OsCatalogOptions *options)
{
  g_autoptr(GPtrArray) regions = list_regions (services, options);
  GPtrArray *complete = g_ptr_array_new ();

  for (guint i = 0; i < regions->len; i++)
    {
      const char *region = g_ptr_array_index (regions, i);

      if (find_missing (services, options, region) == 0)
        g_ptr_array_add (complete, (gpointer) region);
    }
  return complete;
}

/* A cloud without regions has all it has in every one of them. */
static gboolean
has_no_regions (GPtrArray              *services,
                const OsCatalogOptions *options)
{
  for (guint kind = 0; kind < OS_N_SERVICES; kind++)
    if (find_url (services, kind, options, "") != NULL)
      return TRUE;
  return FALSE;
}

static gboolean
is_known (GPtrArray              *services,
          const OsCatalogOptions *options,
          GPtrArray              *regions,
          const char             *wanted)
{
  for (guint i = 0; i < regions->len; i++)
    if (rank_region (wanted, g_ptr_array_index (regions, i)) > 0)
      return TRUE;
  return regions->len == 0 && has_no_regions (services, options);
}

/* The region that is written in other letters, when there is just one. */
static const char *
find_similar (GPtrArray  *regions,
              const char *wanted)
{
  const char *similar = NULL;

  for (guint i = 0; i < regions->len; i++)
    {
      const char *region = g_ptr_array_index (regions, i);

      if (g_ascii_strcasecmp (wanted, region) != 0)
        continue;
      if (similar != NULL)
        return NULL;
      similar = region;
    }
  return similar;
}

static void
set_no_region_error (const OsCatalogOptions  *options,
                     GError                 **error)
{
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG,
               _("the catalog of this cloud has no region with %s endpoints"), options->interface);
}

static gboolean
check_region_known (GPtrArray               *services,
                    const OsCatalogOptions  *options,
                    const char              *region,
                    GError                 **error)
{
  g_autoptr(GPtrArray) regions = list_regions (services, options);
  g_autoptr(GPtrArray) complete = list_complete_regions (services, options);
  g_autofree char *names = join_names (complete->len > 0 ? complete : regions);
  const char *similar = find_similar (regions, region);

  if (is_known (services, options, regions, region))
    return TRUE;
  if (regions->len == 0)
    set_no_region_error (options, error);
  else if (similar != NULL)
    g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG,
                 _("this cloud has no region \"%s\": set attribute region to \"%s\""), region,
                 similar);
  else
    g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG,
                 _("this cloud has no region \"%s\": set attribute region to one of: %s"), region,
                 names);
  return FALSE;
}

static gboolean
check_region_complete (GPtrArray               *services,
                       const OsCatalogOptions  *options,
                       const char              *region,
                       GError                 **error)
{
  guint missing = find_missing (services, options, region);
  g_autoptr(GPtrArray) complete = NULL;
  g_autoptr(GPtrArray) kinds = NULL;
  g_autofree char *types = NULL;
  g_autofree char *names = NULL;

  if (missing == 0)
    return TRUE;

  kinds = g_ptr_array_new ();
  for (guint kind = 0; kind < OS_N_SERVICES; kind++)
    if ((missing & (1u << kind)) != 0)
      g_ptr_array_add (kinds, (gpointer) os_service_get_name (kind));
  types = join_names (kinds);
  complete = list_complete_regions (services, options);
  names = join_names (complete);
  if (complete->len == 0)
    g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG,
                 _("region \"%s\" lacks what is needed: %s"), region, types);
  else
    g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG,
                 _("region \"%s\" lacks what is needed: %s; set attribute region to one of: %s"),
                 region, types, names);
  return FALSE;
}

/* The only region that there is, or that has all that is needed; NULL with an error that lists them
 * when there are several. */
static const char *
choose_region (GPtrArray               *services,
               const OsCatalogOptions  *options,
               GError                 **error)
{
  g_autoptr(GPtrArray) all = list_regions (services, options);
  g_autoptr(GPtrArray) complete = list_complete_regions (services, options);
  GPtrArray *regions = complete->len > 0 ? complete : all;
  g_autofree char *names = join_names (regions);

  if (regions->len == 1)
    {
      g_info ("taking the only region, %s", names);
      return g_ptr_array_index (regions, 0);
    }
  if (regions->len == 0 && has_no_regions (services, options))
    return "";
  if (regions->len == 0)
    set_no_region_error (options, error);
  else
    g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_CONFIG,
                 _("no region given: set attribute region or environment variable OS_REGION_NAME "
                   "to one of: %s"),
                 names);
  return NULL;
}

static void
take_endpoint (OsCatalog              *self,
               GPtrArray              *services,
               const OsCatalogOptions *options,
               OsServiceKind           kind)
{
  const char *override = options->overrides != NULL ? options->overrides[kind] : NULL;
  const char *url = find_url (services, kind, options, self->region);

  self->is_given[kind] = override != NULL;
  if (override != NULL)
    self->endpoints[kind] = os_service_trim_endpoint (override);
  else if (url != NULL)
    self->endpoints[kind] = os_service_normalize_endpoint (kind, url);
}

OsCatalog *
os_catalog_new (GPtrArray               *services,
                const OsCatalogOptions  *options,
                GError                 **error)
{
  const char *region = options->region;
  OsCatalog *self;

  if (region == NULL)
    region = choose_region (services, options, error);
  if (region == NULL
      || !check_region_known (services, options, region, error)
      || !check_region_complete (services, options, region, error))
    return NULL;

  self = g_new0 (OsCatalog, 1);
  self->region = g_strdup (region);
  for (guint kind = 0; kind < OS_N_SERVICES; kind++)
    take_endpoint (self, services, options, kind);
  return self;
}

void
os_catalog_free (OsCatalog *self)
{
  if (self == NULL)
    return;
  for (guint kind = 0; kind < OS_N_SERVICES; kind++)
    g_free (self->endpoints[kind]);
  g_free (self->region);
  g_free (self);
}

const char *
os_catalog_get_region (const OsCatalog *self)
{
  return self->region;
}

const char *
os_catalog_get_endpoint (const OsCatalog *self,
                         OsServiceKind    kind)
{
  return self->endpoints[kind];
}

gboolean
os_catalog_lacks_version (const OsCatalog *self,
                          OsServiceKind    kind)
{
  return kind == OS_SERVICE_COMPUTE && !self->is_given[kind] && self->endpoints[kind] != NULL
         && !os_service_is_versioned (self->endpoints[kind]);
}
