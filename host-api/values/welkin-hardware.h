/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-types.h"

G_BEGIN_DECLS

#define WELKIN_TYPE_HARDWARE (welkin_hardware_get_type ())

/* What a machine has; what is not known is absent. Immutable, refcounted. */
typedef struct _WelkinHardware WelkinHardware;

WELKIN_AVAILABLE_IN_0_1
GType           welkin_hardware_get_type       (void) G_GNUC_CONST;
/* arch, zone: nullable; numbers: negative for unknown */
WELKIN_AVAILABLE_IN_0_1
WelkinHardware *welkin_hardware_new            (const char      *arch,
                                                gint64           mem_mib,
                                                gint64           cores,
                                                gint64           root_disk_mib,
                                                const char      *availability_zone);
/* "arch=amd64 cpu-cores=2 mem=2048M root-disk=20480M availability-zone=az1" */
WELKIN_AVAILABLE_IN_0_1
WelkinHardware *welkin_hardware_new_parsed     (const char      *text,
                                                GError         **error);
WELKIN_AVAILABLE_IN_0_1
WelkinHardware *welkin_hardware_ref            (WelkinHardware  *self);
WELKIN_AVAILABLE_IN_0_1
void            welkin_hardware_unref          (WelkinHardware  *self);
WELKIN_AVAILABLE_IN_0_1
const char     *welkin_hardware_get_arch       (WelkinHardware  *self);
WELKIN_AVAILABLE_IN_0_1
gint64          welkin_hardware_get_mem        (WelkinHardware  *self);
WELKIN_AVAILABLE_IN_0_1
gint64          welkin_hardware_get_cores      (WelkinHardware  *self);
WELKIN_AVAILABLE_IN_0_1
gint64          welkin_hardware_get_root_disk  (WelkinHardware  *self);
WELKIN_AVAILABLE_IN_0_1
const char     *welkin_hardware_get_availability_zone (WelkinHardware *self);
/* 100 is about one core of 2007 */
WELKIN_AVAILABLE_IN_0_1
gint64          welkin_hardware_get_cpu_power  (WelkinHardware  *self);
WELKIN_AVAILABLE_IN_0_1
const char     *welkin_hardware_get_root_disk_source (WelkinHardware *self);
WELKIN_AVAILABLE_IN_0_1
const char *const *welkin_hardware_get_tags    (WelkinHardware  *self);
WELKIN_AVAILABLE_IN_0_1
const char     *welkin_hardware_get_virt_type  (WelkinHardware  *self);
WELKIN_AVAILABLE_IN_0_1
char           *welkin_hardware_to_string      (WelkinHardware  *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinHardware, welkin_hardware_unref)

G_END_DECLS
