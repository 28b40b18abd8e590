/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "environments/welkin-info.h"
#include "values/welkin-constraints.h"
#include "values/welkin-start-params.h"
#include "values/welkin-start-result.h"

G_BEGIN_DECLS

/*
 * One entry under `machines` in an environment's info: what the host knows of a machine.
 * It is written, with its start-id, before the provider is asked to start anything.
 *
 * Fields, all of them texts but opened-ports, which is a list: life (alive, dying, dead), status
 * (pending, provisioning, started, error), status-info, transient, series, constraints, placement,
 * start-id, nonce, host-key, instance-id, hardware, availability-zone, keep-instance, and of the
 * first one set-up (begun, failed), while it is not what its bootstrap was to make of it. Fields
 * that this version does not know are kept.
 */
typedef struct _WelkinMachineRecord WelkinMachineRecord;

/* Starts that came to nothing and may have left something: their start-ids, to the machines they
 * were of, in the info. */
#define WELKIN_KEY_ENDED_STARTS "ended-starts"

/* The first machine of every environment. */
#define WELKIN_BOOTSTRAP_MACHINE "0"

/* start_id, nonce: nullable, while nothing is started */
WelkinMachineRecord *welkin_machine_record_new             (const char          *machine_id,
                                                            const char          *series,
                                                            const char          *start_id,
                                                            const char          *nonce);
/* NULL when there is none. */
WelkinMachineRecord *welkin_machine_record_load            (WelkinInfo          *info,
                                                            const char          *machine_id);
/* All of an environment, by number. (element-type WelkinMachineRecord) (transfer full) */
GPtrArray           *welkin_machine_record_load_all        (WelkinInfo          *info);
void                 welkin_machine_record_free            (WelkinMachineRecord *self);
const char          *welkin_machine_record_get_machine_id  (WelkinMachineRecord *self);
/* NULL when there is no such text. */
const char          *welkin_machine_record_get             (WelkinMachineRecord *self,
                                                            const char          *field);
gboolean             welkin_machine_record_is              (WelkinMachineRecord *self,
                                                            const char          *field,
                                                            const char          *text);
/* text: nullable, or "": removes the field */
void                 welkin_machine_record_set             (WelkinMachineRecord *self,
                                                            const char          *field,
                                                            const char          *text);
void                 welkin_machine_record_set_value       (WelkinMachineRecord *self,
                                                            const char          *field,
                                                            WelkinValue         *value);
void                 welkin_machine_record_set_constraints (WelkinMachineRecord *self,
                                                            WelkinConstraints   *constraints);
/* message: nullable */
void                 welkin_machine_record_set_status      (WelkinMachineRecord *self,
                                                            const char          *status,
                                                            const char          *message);
/* hardware: nullable */
void                 welkin_machine_record_set_started     (WelkinMachineRecord *self,
                                                            WelkinInstance      *instance,
                                                            WelkinHardware      *hardware);
/* What it was to be started with, as far as it matters once it runs. (transfer full) */
WelkinStartParams   *welkin_machine_record_make_params     (WelkinMachineRecord *self,
                                                            GError             **error);
/* Drops its start, which has come to nothing, and remembers that it may have left something. In the
 * info, which is not written yet. */
void                 welkin_machine_record_end_start       (WelkinMachineRecord *self,
                                                            WelkinInfo          *info);
/* Puts it into the info, which is not written yet. */
void                 welkin_machine_record_store           (WelkinMachineRecord *self,
                                                            WelkinInfo          *info);
/* A number that no machine of the environment has or had; inside an edit of the info alone. */
char                *welkin_machine_record_allocate_id     (WelkinInfo          *info);
/* As many of them at once: the records are read once. (transfer full) (element-type utf8) */
GPtrArray           *welkin_machine_record_allocate_ids    (WelkinInfo          *info,
                                                            guint                n_machines);
/* Whether so many may be asked for at once. */
gboolean             welkin_machine_record_check_number    (guint                n_machines,
                                                            GError             **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinMachineRecord, welkin_machine_record_free)

G_END_DECLS
