/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "metadata/arch-names.h"

static const struct
{
  const char *arch;
  const char *former;
} renamed[] = {
  { "armhf", "arm" },
  { "ppc64el", "ppc64" },
};

const char *const *
welkin_arch_list (void)
{
  static const char *const arches[] = { "amd64",   "arm64",   "armhf", "i386",
                                        "ppc64el", "riscv64", "s390x", NULL };

  return arches;
}

const char *
welkin_arch_get_present (const char *arch)
{
  for (gsize i = 0; i < G_N_ELEMENTS (renamed); i++)
    if (g_strcmp0 (renamed[i].former, arch) == 0)
      return renamed[i].arch;
  return arch;
}

const char *
welkin_arch_get_former (const char *arch)
{
  for (gsize i = 0; i < G_N_ELEMENTS (renamed); i++)
    if (g_str_equal (renamed[i].arch, arch))
      return renamed[i].former;
  return NULL;
}
