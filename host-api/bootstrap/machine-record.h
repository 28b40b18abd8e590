/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "environments/welkin-info.h"
#include "values/welkin-constraints.h"
#include "values/welkin-start-result.h"

G_BEGIN_DECLS

/*
 * One entry under `machines` in an environment's info: what the host knows of a machine.
 * It is written, with its start-id, before the provider is asked to start anything.
 */
typedef struct _WelkinMachineRecord WelkinMachineRecord;

/* The first machine of every environment. */
#define WELKIN_BOOTSTRAP_MACHINE "0"

WelkinMachineRecord *welkin_machine_record_new             (const char          *machine_id,
                                                            const char          *series,
                                                            const char          *start_id,
                                                            const char          *nonce);
void                 welkin_machine_record_free            (WelkinMachineRecord *self);
void                 welkin_machine_record_set_constraints (WelkinMachineRecord *self,
                                                            WelkinConstraints   *constraints);
/* The public half of the SSH host key that the machine was given. */
void                 welkin_machine_record_set_host_key    (WelkinMachineRecord *self,
                                                            const char          *public_key);
/* status: pending, provisioning, started, error; message: nullable */
void                 welkin_machine_record_set_status      (WelkinMachineRecord *self,
                                                            const char          *status,
                                                            const char          *message);
void                 welkin_machine_record_set_started     (WelkinMachineRecord *self,
                                                            WelkinStartResult   *result);
/* Puts it into the info, which is not written yet. */
void                 welkin_machine_record_store           (WelkinMachineRecord *self,
                                                            WelkinInfo          *info);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinMachineRecord, welkin_machine_record_free)

G_END_DECLS
