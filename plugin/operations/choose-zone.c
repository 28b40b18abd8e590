/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/choose-zone.h"

#include <glib/gi18n-lib.h>

#include "model/os-zone.h"
#include "values/welkin-error.h"

#define PLACEMENT_PREFIX "zone="

typedef struct
{
  const char *name;
  guint       population;
  guint       position; /* among the configured ones */
} Candidate;

static const OsZone *
find_zone (GPtrArray  *zones,
           const char *name)
{
  for (guint i = 0; zones != NULL && i < zones->len; i++)
    {
      const OsZone *zone = g_ptr_array_index (zones, i);

      if (g_str_equal (zone->name, name))
        return zone;
    }
  return NULL;
}

static char *
join_zone_names (GPtrArray *zones)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; zones != NULL && i < zones->len; i++)
    {
      const OsZone *zone = g_ptr_array_index (zones, i);

      g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", zone->name);
    }
  return g_string_free (names, FALSE);
}

/* That somebody who names a zone gets it, or hears why not. */
static gboolean
check_zone (GPtrArray  *zones,
            const char *name,
            GError    **error)
{
  const OsZone *zone = find_zone (zones, name);
  g_autofree char *names = NULL;

  if (zone != NULL && os_zone_is_available (zone))
    return TRUE;
  if (zone != NULL)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_UNAVAILABLE,
                   _("availability zone \"%s\" is unavailable"), name);
      return FALSE;
    }
  names = join_zone_names (zones);
  if (*names == '\0')
    g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND,
                 _("no availability zone \"%s\": the cloud tells of none"), name);
  else
    g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND,
                 _("no availability zone \"%s\"; there are: %s"), name, names);
  return FALSE;
}

gboolean
os_check_placement (const char *placement,
                    GError    **error)
{
  if (*placement == '\0'
      || (g_str_has_prefix (placement, PLACEMENT_PREFIX)
          && placement[strlen (PLACEMENT_PREFIX)] != '\0'))
    return TRUE;
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT,
               _("unknown placement directive \"%s\""), placement);
  if (error != NULL)
    welkin_error_set_hint (*error, _("Write \"zone=NAME\"."));
  return FALSE;
}

static char **
choose_placed (const OsZoneWishes *wishes,
               GError            **error)
{
  const char *name = wishes->placement + strlen (PLACEMENT_PREFIX);
  const char *chosen[] = { name, NULL };

  if (!os_check_placement (wishes->placement, error) || !check_zone (wishes->zones, name, error))
    return NULL;
  return g_strdupv ((char **) chosen);
}

static guint
count_servers (const OsZoneWishes *wishes,
               const char         *zone)
{
  if (wishes->populations == NULL)
    return 0;
  return GPOINTER_TO_UINT (g_hash_table_lookup (wishes->populations, zone));
}

static int
compare_candidates (gconstpointer a,
                    gconstpointer b)
{
  const Candidate *left = a;
  const Candidate *right = b;

  if (left->population != right->population)
    return left->population < right->population ? -1 : 1;
  if (left->position != right->position)
    return left->position < right->position ? -1 : 1;
  return g_strcmp0 (left->name, right->name);
}

/* Which place a zone has among the wanted ones; -1 when it is not wanted. */
static int
get_position (const char *const *wanted,
              const char        *name)
{
  if (wanted == NULL || *wanted == NULL)
    return 0;
  for (int i = 0; wanted[i] != NULL; i++)
    {
      if (g_str_equal (wanted[i], name))
        return i;
    }
  return -1;
}

/* "internal" is where nova keeps its own services. */
static gboolean
is_usable (const OsZone *zone)
{
  return os_zone_is_available (zone) && !g_str_equal (zone->name, "internal");
}

static GArray *
list_candidates (const OsZoneWishes *wishes)
{
  GArray *candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));

  for (guint i = 0; i < wishes->zones->len; i++)
    {
      const OsZone *zone = g_ptr_array_index (wishes->zones, i);
      int position = get_position (wishes->configured, zone->name);
      Candidate candidate = { .name = zone->name };

      if (!is_usable (zone) || position < 0
          || get_position (wishes->constrained, zone->name) < 0)
        continue;
      candidate.position = position;
      candidate.population = count_servers (wishes, zone->name);
      g_array_append_val (candidates, candidate);
    }
  g_array_sort (candidates, compare_candidates);
  return candidates;
}

static gboolean
check_wanted (GPtrArray         *zones,
              const char *const *wanted,
              GError           **error)
{
  for (gsize i = 0; wanted != NULL && wanted[i] != NULL; i++)
    {
      if (find_zone (zones, wanted[i]) == NULL)
        return check_zone (zones, wanted[i], error);
    }
  return TRUE;
}

/* What both the environment and the machine ask for. */
static char *
join_wanted (const OsZoneWishes *wishes)
{
  const char *const *lists[] = { wishes->configured, wishes->constrained };
  g_autoptr(GString) wanted = g_string_new (NULL);

  for (gsize l = 0; l < G_N_ELEMENTS (lists); l++)
    for (gsize i = 0; lists[l] != NULL && lists[l][i] != NULL; i++)
      g_string_append_printf (wanted, "%s%s", wanted->len > 0 ? ", " : "", lists[l][i]);
  return g_string_free (g_steal_pointer (&wanted), FALSE);
}

char **
os_choose_zones (const OsZoneWishes *wishes,
                 GError            **error)
{
  g_autoptr(GArray) candidates = NULL;
  g_autoptr(GStrvBuilder) chosen = g_strv_builder_new ();

  if (*wishes->placement != '\0')
    return choose_placed (wishes, error);
  /* A machine that is to be in a zone is in that zone or nowhere. The environment only says in
   * which order to use those that the cloud shows. */
  if (!check_wanted (wishes->zones, wishes->constrained, error)
      || (wishes->zones != NULL && !check_wanted (wishes->zones, wishes->configured, error)))
    return NULL;
  if (wishes->zones == NULL || wishes->zones->len == 0)
    {
      g_strv_builder_add (chosen, "");
      return g_strv_builder_end (chosen);
    }

  candidates = list_candidates (wishes);
  if (candidates->len == 0)
    {
      g_autofree char *wanted = join_wanted (wishes);

      if (*wanted != '\0')
        g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_UNAVAILABLE,
                     _("no availability zone is available of those wanted: %s"), wanted);
      else
        g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_UNAVAILABLE,
                     _("no availability zone is available"));
      return NULL;
    }
  for (guint i = 0; i < candidates->len; i++)
    g_strv_builder_add (chosen, g_array_index (candidates, Candidate, i).name);
  return g_strv_builder_end (chosen);
}

static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  return g_strcmp0 (*(const char *const *) a, *(const char *const *) b);
}

char **
os_list_available_zones (GPtrArray *zones)
{
  g_autoptr(GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; i < zones->len; i++)
    {
      const OsZone *zone = g_ptr_array_index (zones, i);

      if (is_usable (zone))
        g_ptr_array_add (names, g_strdup (zone->name));
    }
  g_ptr_array_sort (names, compare_names);
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_steal (names, NULL);
}
