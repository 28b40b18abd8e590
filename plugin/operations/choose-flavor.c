/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/choose-flavor.h"

#include <glib/gi18n-lib.h>

#include "operations/load-validator.h"
#include "values/welkin-error.h"

/* What a machine gets at least when no constraint speaks of memory. */
#define DEFAULT_MEM 1024

static int
compare_numbers (guint64 a,
                 guint64 b)
{
  return (a > b) - (a < b);
}

/* Many clouds start no server from an image on a flavor without a disk: those come last. */
static int
compare_flavors (gconstpointer a,
                 gconstpointer b,
                 gpointer      user_data)
{
  const OsFlavor *left = *(const OsFlavor *const *) a;
  const OsFlavor *right = *(const OsFlavor *const *) b;
  const OsOffer *offer = user_data;
  int order = 0;

  if (!offer->is_on_volume)
    order = (left->disk == 0) - (right->disk == 0);
  if (order == 0)
    order = compare_numbers (left->ram, right->ram);
  if (order == 0)
    order = compare_numbers (left->vcpus, right->vcpus);
  if (order == 0)
    order = compare_numbers (left->disk, right->disk);
  if (order == 0)
    order = g_strcmp0 (left->name, right->name);
  return order != 0 ? order : g_strcmp0 (left->id, right->id);
}

/* MiB that the image needs, and has for sure on a flavor with no disk of its own. */
static guint64
get_image_size (const OsImage *image)
{
  return MAX ((guint64) image->virtual_size / (1024 * 1024), (guint64) image->min_disk * 1024);
}

/* A disk of 0 is as large as the image. */
static gboolean
has_root_disk (const OsOffer  *offer,
               const OsFlavor *flavor)
{
  guint64 root_disk = welkin_constraints_get_number (offer->constraints, "root-disk");

  if (offer->is_on_volume)
    return TRUE;
  if (flavor->disk > 0 || root_disk == 0)
    return (guint64) flavor->disk * 1024 >= root_disk;
  for (guint i = 0; i < offer->images->len; i++)
    if (get_image_size (g_ptr_array_index (offer->images, i)) >= root_disk)
      return TRUE;
  return FALSE;
}

static GPtrArray *
list_satisfying (const OsOffer *offer,
                 guint64        mem)
{
  guint64 cores = welkin_constraints_get_number (offer->constraints, "cores");
  GPtrArray *satisfying = g_ptr_array_new ();

  for (guint i = 0; i < offer->flavors->len; i++)
    {
      OsFlavor *flavor = g_ptr_array_index (offer->flavors, i);

      if (!flavor->is_disabled && (guint64) flavor->ram >= mem
          && (guint64) flavor->vcpus >= cores && has_root_disk (offer, flavor))
        g_ptr_array_add (satisfying, flavor);
    }
  g_ptr_array_sort_with_data (satisfying, compare_flavors, (gpointer) offer);
  return satisfying;
}

/* Of those with most memory, the one that comes first; they are sorted. */
static void
keep_largest (GPtrArray *flavors)
{
  guint largest = 0;

  for (guint i = 1; i < flavors->len; i++)
    {
      const OsFlavor *flavor = g_ptr_array_index (flavors, i);
      const OsFlavor *best = g_ptr_array_index (flavors, largest);

      if (flavor->ram > best->ram && (flavor->disk > 0 || best->disk == 0))
        largest = i;
    }
  if (flavors->len > 0)
    flavors->pdata[0] = flavors->pdata[largest];
  g_ptr_array_set_size (flavors, MIN (flavors->len, 1));
}

static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  return g_strcmp0 (*(const char *const *) a, *(const char *const *) b);
}

static char *
join_names (GPtrArray  *flavors,
            const char *separator)
{
  g_autoptr(GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; i < flavors->len; i++)
    g_ptr_array_add (names, ((OsFlavor *) g_ptr_array_index (flavors, i))->name);
  g_ptr_array_sort (names, compare_names);
  g_ptr_array_add (names, NULL);
  return g_strjoinv (separator, (char **) names->pdata);
}

/* Names win over ids: a flavor may be called what another has as its id. */
static OsFlavor *
find_named (GPtrArray  *flavors,
            const char *name)
{
  for (guint i = 0; i < flavors->len; i++)
    {
      OsFlavor *flavor = g_ptr_array_index (flavors, i);

      if (g_strcmp0 (flavor->name, name) == 0)
        return flavor;
    }
  for (guint i = 0; i < flavors->len; i++)
    {
      OsFlavor *flavor = g_ptr_array_index (flavors, i);

      if (g_strcmp0 (flavor->id, name) == 0)
        return flavor;
    }
  return NULL;
}

const char *
os_offer_get_wanted_flavor (const OsOffer *offer)
{
  WelkinConstraints *constraints = offer->constraints;

  if (welkin_constraints_demands (constraints, "instance-type"))
    return welkin_constraints_get_text (constraints, "instance-type");
  if (welkin_constraints_demands (constraints, "mem")
      || welkin_constraints_demands (constraints, "cores")
      || welkin_constraints_demands (constraints, "root-disk"))
    return NULL;
  if (offer->default_flavor != NULL && *offer->default_flavor != '\0')
    return offer->default_flavor;
  return NULL;
}

static gboolean
check_constraints (WelkinConstraints *constraints,
                   GError           **error)
{
  g_autoptr(WelkinConstraintsValidator) validator = os_make_validator ();
  g_auto(GStrv) ignored = welkin_constraints_validator_validate (validator, constraints, error);

  for (gsize i = 0; ignored != NULL && ignored[i] != NULL; i++)
    {
      if (welkin_constraints_demands (constraints, ignored[i]))
        g_warning ("constraint \"%s\" is ignored on openstack", ignored[i]);
    }
  return ignored != NULL;
}

static GPtrArray *
choose_named (const OsOffer *offer,
              const char    *name,
              GError       **error)
{
  OsFlavor *flavor = find_named (offer->flavors, name);
  GPtrArray *chosen;

  if (flavor == NULL)
    {
      g_autofree char *names = join_names (offer->flavors, ", ");

      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NO_MATCH,
                   _("no flavor named \"%s\"; there are: %s"), name, names);
      return NULL;
    }
  if (!has_root_disk (offer, flavor))
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NO_MATCH,
                   _("flavor \"%s\" has a root disk of %" G_GINT64_FORMAT " GiB, which is less "
                     "than root-disk=%" G_GUINT64_FORMAT "M"),
                   flavor->name, flavor->disk,
                   welkin_constraints_get_number (offer->constraints, "root-disk"));
      if (error != NULL)
        welkin_error_set_hint (*error, _("Name another flavor, or boot from a volume with "
                                         "\"root-disk-source=volume\"."));
      return NULL;
    }
  chosen = g_ptr_array_new ();
  g_ptr_array_add (chosen, flavor);
  return chosen;
}

static GPtrArray *
choose_by_constraints (const OsOffer *offer,
                       GError       **error)
{
  WelkinConstraints *constraints = offer->constraints;
  gboolean has_mem = welkin_constraints_has (constraints, "mem");
  guint64 mem = has_mem ? welkin_constraints_get_number (constraints, "mem") : DEFAULT_MEM;
  g_autoptr(GPtrArray) flavors = list_satisfying (offer, mem);

  if (flavors->len == 0 && !has_mem)
    {
      g_clear_pointer (&flavors, g_ptr_array_unref);
      flavors = list_satisfying (offer, 0);
      keep_largest (flavors);
    }
  if (flavors->len == 0)
    {
      g_autofree char *text = welkin_constraints_to_string (constraints);

      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NO_MATCH,
                   _("no instance types in %s matching constraints \"%s\""), offer->region, text);
      if (error != NULL)
        welkin_error_set_hint (*error, _("Ask for less, or name a flavor with the constraint "
                                         "\"instance-type\"."));
      return NULL;
    }
  return g_steal_pointer (&flavors);
}

static gboolean
image_fits (const OsOffer  *offer,
            const OsImage  *image,
            const OsFlavor *flavor)
{
  if (image->min_ram > flavor->ram)
    return FALSE;
  if (offer->is_on_volume)
    return TRUE;
  if (flavor->disk > 0)
    return image->min_disk <= flavor->disk;
  return get_image_size (image) >= welkin_constraints_get_number (offer->constraints, "root-disk");
}

static int
compare_arches (const char *a,
                const char *b)
{
  static const char *const short_words[] = { "i386", "armhf", "arm", NULL };
  int order = g_strv_contains (short_words, a) - g_strv_contains (short_words, b);

  return order != 0 ? order : g_strcmp0 (a, b);
}

/* The best image that runs on any of the flavors, and the first flavor that it runs on. */
static const OsImage *
choose_image (const OsOffer   *offer,
              GPtrArray       *flavors,
              const OsFlavor **flavor,
              GError         **error)
{
  const OsImage *image = NULL;
  g_autofree char *names = NULL;

  for (guint f = 0; f < flavors->len; f++)
    {
      for (guint i = 0; i < offer->images->len; i++)
        {
          const OsImage *candidate = g_ptr_array_index (offer->images, i);
          const char *arch = os_image_get_arch (candidate);

          if (!image_fits (offer, candidate, g_ptr_array_index (flavors, f))
              || (image != NULL && compare_arches (arch, os_image_get_arch (image)) >= 0))
            continue;
          *flavor = g_ptr_array_index (flavors, f);
          image = candidate;
        }
    }
  if (image != NULL)
    return image;

  names = join_names (flavors, " ");
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NO_MATCH,
               _("no \"%s\" images in %s matching instance types [%s]"), offer->series,
               offer->region, names);
  if (error != NULL)
    welkin_error_set_hint (*error,
                           _("The images need more memory or disk than these flavors have."));
  return NULL;
}

/* They differ in nothing that the choice goes by, so that either will do. */
static gboolean
is_alike (const OsFlavor *a,
          const OsFlavor *b)
{
  return a->ram == b->ram && a->vcpus == b->vcpus && a->disk == b->disk;
}

/* (transfer container) */
static GPtrArray *
list_alike (const OsOffer  *offer,
            GPtrArray      *flavors,
            const OsFlavor *chosen,
            const OsImage  *image)
{
  GPtrArray *alike = g_ptr_array_new ();

  g_ptr_array_add (alike, (gpointer) chosen);
  for (guint i = 0; i < flavors->len; i++)
    {
      OsFlavor *flavor = g_ptr_array_index (flavors, i);

      if (flavor != chosen && is_alike (flavor, chosen) && image_fits (offer, image, flavor))
        g_ptr_array_add (alike, flavor);
    }
  return alike;
}

gboolean
os_choose_flavor (const OsOffer   *offer,
                  GPtrArray      **flavors,
                  const OsImage  **image,
                  GError         **error)
{
  const char *name = os_offer_get_wanted_flavor (offer);
  g_autoptr(GPtrArray) candidates = NULL;
  const OsFlavor *chosen = NULL;

  if (!check_constraints (offer->constraints, error))
    return FALSE;
  if (offer->images->len == 0)
    {
      g_autofree char *arches = g_strjoinv (" ", (char **) offer->arches);
      g_autofree char *message = g_strdup_printf (_("no \"%s\" images in %s with arches [%s]"),
                                                  offer->series, offer->region, arches);

      g_propagate_error (error, welkin_error_new_from_service (WELKIN_ERROR_NO_MATCH, message,
                                                               "image", 0, NULL));
      if (error != NULL)
        welkin_error_set_hint (*error,
                               _("Set \"image-ids\" in environments.yaml, or give the cloud's "
                                 "images the properties os_distro and os_version."));
      return FALSE;
    }

  candidates =
    name != NULL ? choose_named (offer, name, error) : choose_by_constraints (offer, error);
  if (candidates == NULL)
    return FALSE;
  *image = choose_image (offer, candidates, &chosen, error);
  if (*image == NULL)
    return FALSE;
  *flavors = list_alike (offer, candidates, chosen, *image);
  return TRUE;
}
