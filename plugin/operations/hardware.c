/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/hardware.h"

static const OsFlavor *
find_flavor (const char *id,
             GPtrArray  *flavors)
{
  if (id == NULL || flavors == NULL)
    return NULL;
  for (guint i = 0; i < flavors->len; i++)
    {
      const OsFlavor *flavor = g_ptr_array_index (flavors, i);

      if (g_str_equal (flavor->id, id))
        return flavor;
    }
  return NULL;
}

/* MiB. A disk of 0 is as large as the image, which is not known here; nor is a volume that nobody
 * tells of. */
static gint64
get_root_disk (const OsDetail *detail,
               const OsFlavor *flavor,
               guint64         volume_gib)
{
  if (volume_gib > 0)
    return (gint64) volume_gib * 1024;
  if (os_detail_is_on_volume (detail) || flavor == NULL || flavor->disk == 0)
    return -1;
  return flavor->disk * 1024;
}

WelkinHardware *
os_describe_hardware (const OsDetail *detail,
                      GPtrArray      *flavors,
                      const char     *arch,
                      guint64         volume_gib)
{
  const OsFlavor *flavor = find_flavor (os_detail_get_flavor_id (detail), flavors);
  gint64 root_disk = get_root_disk (detail, flavor, volume_gib);
  const char *zone = os_detail_get_zone (detail);

  if (zone != NULL && *zone == '\0')
    zone = NULL;
  if (flavor == NULL)
    return welkin_hardware_new (arch, -1, -1, root_disk, zone);
  return welkin_hardware_new (arch, flavor->ram, flavor->vcpus, root_disk, zone);
}
