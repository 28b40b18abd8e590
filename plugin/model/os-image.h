/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "model/os-record.h"

G_BEGIN_DECLS

typedef struct
{
  char    *id;
  char    *name;
  char    *status;
  char    *architecture; /* (nullable) in glance's words; see os_image_get_arch() */
  char    *os_distro;    /* (nullable) */
  char    *os_version;   /* (nullable) */
  char    *visibility;   /* public, private, shared, community */
  char    *owner;        /* (nullable) id of a project */
  char    *image_type;   /* (nullable) "snapshot" for one */
  char    *created;      /* ISO 8601, UTC: sorts as text */
  gint64   min_disk;     /* GiB */
  gint64   min_ram;      /* MiB */
  gint64   virtual_size; /* bytes; 0: unknown */
  gboolean is_hidden;
} OsImage;

OS_DECLARE_RECORD (OsImage, os_image)

/* The architecture in Welkin's words, as in "amd64"; NULL when the image does not say. */
const char *os_image_get_arch             (const OsImage *self);
/* The way back; arch itself when there is no other word. */
const char *os_image_get_architecture_of  (const char    *arch);

G_END_DECLS
