/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/choose-image.h"

const char *const os_all_arches[] = {
  "amd64", "arm64", "armhf", "i386", "ppc64el", "riscv64", "s390x", NULL,
};

/* What an image is when its owner did not care to say. */
#define DEFAULT_ARCH "amd64"

/* Why an image is out of the question; NULL when it is not. */
static const char *
get_objection (const OsImage     *image,
               const char        *arch,
               const char *const *arches)
{
  if (g_strcmp0 (image->status, "active") != 0)
    return "it is not active";
  if (image->is_hidden)
    return "it is hidden";
  if (g_strcmp0 (image->image_type, "snapshot") == 0)
    return "it is a snapshot of a server";
  if (arch == NULL)
    return "it does not tell its architecture";
  if (!g_strv_contains (arches, arch))
    return "its architecture is not wanted";
  return NULL;
}

static guint
get_rank (const OsImage *image,
          const char    *project_id)
{
  if (g_strcmp0 (image->owner, project_id) == 0)
    return 0;
  return g_strcmp0 (image->visibility, "public") == 0 ? 1 : 2;
}

static int
compare_images (gconstpointer a,
                gconstpointer b,
                gpointer      project_id)
{
  const OsImage *left = *(const OsImage *const *) a;
  const OsImage *right = *(const OsImage *const *) b;
  int order = (int) get_rank (left, project_id) - (int) get_rank (right, project_id);

  if (order == 0)
    order = g_strcmp0 (right->created, left->created);
  return order != 0 ? order : g_strcmp0 (left->id, right->id);
}

/* default_arch: (nullable): of images that do not tell */
static GPtrArray *
list_usable (GPtrArray         *images,
             const char *const *arches,
             const char        *default_arch)
{
  GPtrArray *usable = g_ptr_array_new ();

  for (guint i = 0; i < images->len; i++)
    {
      OsImage *image = g_ptr_array_index (images, i);
      const char *arch = os_image_get_arch (image);
      const char *objection;

      if (arch == NULL)
        arch = default_arch;
      objection = get_objection (image, arch, arches);
      if (objection == NULL)
        g_ptr_array_add (usable, image);
      else
        g_debug ("image %s (%s) is passed over: %s", image->id, image->name, objection);
    }
  return usable;
}

void
os_image_ensure_arch (OsImage    *image,
                      const char *arch)
{
  if (image->architecture == NULL)
    image->architecture = g_strdup (os_image_get_architecture_of (arch));
}

GPtrArray *
os_choose_images (GPtrArray         *images,
                  const char *const *arches,
                  const char        *project_id)
{
  g_autoptr(GPtrArray) chosen = list_usable (images, arches, NULL);

  if (chosen->len == 0)
    {
      g_clear_pointer (&chosen, g_ptr_array_unref);
      chosen = list_usable (images, arches, DEFAULT_ARCH);
    }

  g_ptr_array_sort_with_data (chosen, compare_images, (gpointer) project_id);
  for (guint i = 0; i < chosen->len; i++)
    {
      OsImage *image = g_ptr_array_index (chosen, i);

      os_image_ensure_arch (image, DEFAULT_ARCH);
      g_debug ("image %s (%s, %s, %s) is number %u", image->id, image->name, image->visibility,
               image->created, i + 1);
    }
  return g_steal_pointer (&chosen);
}
