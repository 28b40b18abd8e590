/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "model/os-record.h"

G_BEGIN_DECLS

/* An entry of the listing of a container. */
typedef struct
{
  char *name; /* NULL for a "subdir" */
} OsObject;

OS_DECLARE_RECORD (OsObject, os_object)

G_END_DECLS
