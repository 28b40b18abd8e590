/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "model/os-detail.h"
#include "model/os-flavor.h"
#include "values/welkin-hardware.h"

G_BEGIN_DECLS

/* What a server has, as far as its flavor tells. arch: nullable; flavors: (nullable) of OsFlavor;
 * volume_gib: of the volume that it boots from, 0 when that is not known */
WelkinHardware *os_describe_hardware (const OsDetail *detail,
                                      GPtrArray      *flavors,
                                      const char     *arch,
                                      guint64         volume_gib);

G_END_DECLS
