/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/choose-root-disk.h"

/* What a machine on a volume gets when nobody says how much it needs. */
#define DEFAULT_GIB 30

#define MIB_PER_GIB 1024
#define BYTES_PER_GIB (1024 * 1024 * 1024)

gboolean
os_wants_root_volume (WelkinConfig      *config,
                      WelkinConstraints *constraints)
{
  const char *source = welkin_config_get_string (config, "root-disk-source");

  if (welkin_constraints_demands (constraints, "root-disk-source"))
    source = welkin_constraints_get_text (constraints, "root-disk-source");
  return g_str_equal (source, "volume");
}

static guint64
divide_up (guint64 number,
           guint64 divisor)
{
  return number / divisor + (number % divisor != 0);
}

/* MiB of an attribute that is written as a constraint is. */
static guint64
get_configured_size (WelkinConfig *config)
{
  g_autofree char *text =
    g_strconcat ("root-disk=", welkin_config_get_string (config, "root-disk-size"), NULL);
  g_autoptr(WelkinConstraints) size = welkin_constraints_new_parsed (text, NULL);

  return size != NULL ? welkin_constraints_get_number (size, "root-disk") : 0;
}

/* What of it has to fit in. */
static guint64
get_image_gib (const OsImage *image)
{
  return MAX (divide_up (MAX (image->virtual_size, 0), BYTES_PER_GIB),
              (guint64) MAX (image->min_disk, 0));
}

void
os_describe_root_volume (WelkinConfig      *config,
                         WelkinConstraints *constraints,
                         const OsImage     *image,
                         OsRootVolume      *volume)
{
  const char *type = welkin_config_get_string (config, "root-disk-volume-type");
  guint64 mib = welkin_constraints_get_number (constraints, "root-disk");

  if (mib == 0)
    mib = get_configured_size (config);
  volume->gib = mib > 0 ? divide_up (mib, MIB_PER_GIB) : DEFAULT_GIB;
  if (image != NULL)
    volume->gib = MAX (volume->gib, get_image_gib (image));
  volume->type = *type != '\0' ? type : NULL;
}
