/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "transport/os-cloud-files.h"
#include "values/welkin-config.h"

G_BEGIN_DECLS

/*
 * One cloud as a flat set of keys, each with underscores and its origin, FILE:LINE: its profile of
 * clouds-public.yaml, under its entry of clouds.yaml, under that of secure.yaml, under the values
 * of its region; what stands beside "auth" over what stands in it. Paths are absolute,
 * "region_name" is the one region, and "networks" has become "internal_network" and
 * "external_network". Unset keys and those that nobody reads are left out.
 *
 * region: (nullable): the one that is asked for
 *
 * WELKIN_ERROR_INVALID_CONFIG when the entry makes no sense; it never quotes a secret.
 * (transfer full)
 */
WelkinConfig *os_cloud_entry_new          (OsCloudFiles        *files,
                                           const char          *name,
                                           WelkinValue         *region,
                                           WelkinSurroundings  *surroundings,
                                           GError             **error);
/* The names of the regions that the entry offers, the default one first; empty: whatever the
 * catalog has. (transfer full) */
char        **os_cloud_entry_list_regions (OsCloudFiles        *files,
                                           const char          *name,
                                           WelkinSurroundings  *surroundings,
                                           GError             **error);

G_END_DECLS
