/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "model/os-image.h"
#include "values/welkin-config.h"
#include "values/welkin-constraints.h"

G_BEGIN_DECLS

/* A volume to boot from. */
typedef struct
{
  guint64     gib;
  const char *type; /* (nullable) the cloud's choice; the configuration's */
} OsRootVolume;

/* Whether the machine is to boot from a volume, and not from a disk of the host that it is on. */
gboolean os_wants_root_volume    (WelkinConfig      *config,
                                  WelkinConstraints *constraints);
/* The volume that is wanted, which has room for the image; image: (nullable) none is known */
void     os_describe_root_volume (WelkinConfig      *config,
                                  WelkinConstraints *constraints,
                                  const OsImage     *image,
                                  OsRootVolume      *volume);

G_END_DECLS
