/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "model/os-detail.h"
#include "model/os-flavor.h"
#include "values/welkin-hardware.h"

G_BEGIN_DECLS

/* What a server has, as far as its flavor tells. arch: nullable; flavors: (nullable) of OsFlavor */
WelkinHardware *os_describe_hardware (const OsDetail *detail,
                                      GPtrArray      *flavors,
                                      const char     *arch);

G_END_DECLS
