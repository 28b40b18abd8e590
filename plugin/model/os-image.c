/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "model/os-image.h"

static const WkJsonField image_fields[] = {
  { "id", WK_JSON_ID, G_STRUCT_OFFSET (OsImage, id), WK_JSON_REQUIRED },
  { "name", WK_JSON_STRING, G_STRUCT_OFFSET (OsImage, name) },
  { "status", WK_JSON_STRING, G_STRUCT_OFFSET (OsImage, status) },
  { "architecture", WK_JSON_STRING, G_STRUCT_OFFSET (OsImage, architecture) },
  { "os_distro", WK_JSON_STRING, G_STRUCT_OFFSET (OsImage, os_distro) },
  { "os_version", WK_JSON_ID, G_STRUCT_OFFSET (OsImage, os_version) },
  { "visibility", WK_JSON_STRING, G_STRUCT_OFFSET (OsImage, visibility) },
  { "owner", WK_JSON_STRING, G_STRUCT_OFFSET (OsImage, owner) },
  { "image_type", WK_JSON_STRING, G_STRUCT_OFFSET (OsImage, image_type) },
  { "created_at", WK_JSON_STRING, G_STRUCT_OFFSET (OsImage, created) },
  { "min_disk", WK_JSON_INT, G_STRUCT_OFFSET (OsImage, min_disk) },
  { "min_ram", WK_JSON_INT, G_STRUCT_OFFSET (OsImage, min_ram) },
  { "virtual_size", WK_JSON_INT, G_STRUCT_OFFSET (OsImage, virtual_size) },
  { "os_hidden", WK_JSON_BOOLEAN, G_STRUCT_OFFSET (OsImage, is_hidden) },
};

OS_DEFINE_RECORD (OsImage, os_image, image_fields)

static const struct
{
  const char *architecture;
  const char *arch;
} architectures[] = {
  { "x86_64", "amd64" },
  { "aarch64", "arm64" },
  { "armv7l", "armhf" },
  { "i686", "i386" },
  { "ppc64le", "ppc64el" },
};

const char *
os_image_get_arch (const OsImage *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (architectures); i++)
    if (g_strcmp0 (self->architecture, architectures[i].architecture) == 0)
      return architectures[i].arch;
  return self->architecture;
}

const char *
os_image_get_architecture_of (const char *arch)
{
  for (guint i = 0; i < G_N_ELEMENTS (architectures); i++)
    if (g_strcmp0 (arch, architectures[i].arch) == 0)
      return architectures[i].architecture;
  return arch;
}
