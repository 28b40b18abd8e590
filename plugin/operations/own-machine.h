/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-own-machine.h"
#include "values/welkin-surroundings.h"

G_BEGIN_DECLS

/* On a machine of a cloud: which one that is. Its config drive tells, where WELKIN_CONFIG_DRIVE
 * names a directory that has one, else the metadata service, which WELKIN_METADATA_URL may name.
 * source: what the callback gets; surroundings: (nullable) */
void              os_load_own_machine_async  (gpointer             source,
                                              WelkinSurroundings  *surroundings,
                                              GCancellable        *cancellable,
                                              GAsyncReadyCallback  callback,
                                              gpointer             user_data);
/* (transfer full) */
WelkinOwnMachine *os_load_own_machine_finish (gpointer             source,
                                              GAsyncResult        *result,
                                              GError             **error);

G_END_DECLS
