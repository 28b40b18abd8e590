/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-instance.h"
#include "model/os-detail.h"
#include "operations/snapshot.h"

G_BEGIN_DECLS

#define OS_TYPE_INSTANCE (os_instance_get_type ())

/* A server of an environment, as nova told of it the last time. */
G_DECLARE_FINAL_TYPE (OsInstance, os_instance, OS, INSTANCE, GObject)

/* server: taken; hardware: (nullable); floating_address: (nullable) one that nova may not tell of
 * yet */
WelkinInstance *os_instance_new (OsSnapshot     *snapshot,
                                 OsDetail       *detail,
                                 WelkinHardware *hardware,
                                 const char     *floating_address);

G_END_DECLS
