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

WelkinHardware *
os_describe_hardware (const OsDetail *detail,
                      GPtrArray      *flavors,
                      const char     *arch)
{
  const OsFlavor *flavor = find_flavor (os_detail_get_flavor_id (detail), flavors);
  const char *zone = os_detail_get_zone (detail);

  if (zone != NULL && *zone == '\0')
    zone = NULL;
  if (flavor == NULL)
    return welkin_hardware_new (arch, -1, -1, -1, zone);
  /* A disk of 0 is as large as the image, which is not known here. */
  return welkin_hardware_new (arch, flavor->ram, flavor->vcpus,
                              flavor->disk > 0 ? flavor->disk * 1024 : -1, zone);
}
