/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "environments/welkin-environments.h"
#include "environments/welkin-info.h"
#include "values/welkin-constraints.h"
#include "values/welkin-leftover.h"
#include "values/welkin-port-range.h"

G_BEGIN_DECLS

typedef enum /*< flags >*/
{
  WELKIN_REMOVE_NONE = 0,
  WELKIN_REMOVE_KEEP_INSTANCE = 1 << 0,
} WelkinRemoveFlags;

/**
 * WelkinCollectFlags:
 * @WELKIN_COLLECT_NONE: nothing special
 * @WELKIN_COLLECT_DRY_RUN: tell what would be removed, and remove nothing
 *
 * How to remove what was left behind.
 *
 * Since: 0.1
 */
typedef enum /*< flags >*/
{
  WELKIN_COLLECT_NONE = 0,
  WELKIN_COLLECT_DRY_RUN = 1 << 0,
} WelkinCollectFlags;

/* How old something has to be, in seconds, to belong to no start that is under way. */
#define WELKIN_COLLECT_MIN_AGE (15 * 60)

/* Writes the records of new machines, which the next pass of the provisioner starts.
 * series, constraints, placement: nullable */
WELKIN_AVAILABLE_IN_0_1
void       welkin_add_machines_async     (WelkinEnvironments  *environments,
                                          const char          *name,
                                          guint                n_machines,
                                          const char          *series,
                                          WelkinConstraints   *constraints,
                                          const char          *placement,
                                          GCancellable        *cancellable,
                                          GAsyncReadyCallback  callback,
                                          gpointer             user_data);
/* The ids of the new machines. (transfer full) */
WELKIN_AVAILABLE_IN_0_1
char     **welkin_add_machines_finish    (WelkinEnvironments  *environments,
                                          GAsyncResult        *result,
                                          GError             **error);
/* What machines would be made of, as bootstrap or the provisioner decides it; nothing is made.
 * series, placement: nullable */
WELKIN_AVAILABLE_IN_0_1
void       welkin_plan_machines_async    (WelkinEnvironments  *environments,
                                          const char          *name,
                                          guint                n_machines,
                                          const char          *series,
                                          WelkinConstraints   *constraints,
                                          const char          *placement,
                                          GCancellable        *cancellable,
                                          GAsyncReadyCallback  callback,
                                          gpointer             user_data);
/* (element-type WelkinPlanEntry) (transfer full) */
WELKIN_AVAILABLE_IN_0_1
GPtrArray *welkin_plan_machines_finish   (WelkinEnvironments  *environments,
                                          GAsyncResult        *result,
                                          GError             **error);
/* Replaces the constraints of the environment, which hold for further machines. */
WELKIN_AVAILABLE_IN_0_1
void       welkin_set_constraints_async  (WelkinEnvironments  *environments,
                                          const char          *name,
                                          WelkinConstraints   *constraints,
                                          GCancellable        *cancellable,
                                          GAsyncReadyCallback  callback,
                                          gpointer             user_data);
WELKIN_AVAILABLE_IN_0_1
gboolean   welkin_set_constraints_finish (WelkinEnvironments  *environments,
                                          GAsyncResult        *result,
                                          GError             **error);
/* Marks machines for the next pass of the provisioner, which stops them. All or none of them. */
WELKIN_AVAILABLE_IN_0_1
void       welkin_remove_machines_async  (WelkinEnvironments  *environments,
                                          const char          *name,
                                          const char * const  *machine_ids,
                                          WelkinRemoveFlags    flags,
                                          GCancellable        *cancellable,
                                          GAsyncReadyCallback  callback,
                                          gpointer             user_data);
WELKIN_AVAILABLE_IN_0_1
gboolean   welkin_remove_machines_finish (WelkinEnvironments  *environments,
                                          GAsyncResult        *result,
                                          GError             **error);
/* One pass of the provisioner. n_parallel: how many machines are started at once */
WELKIN_AVAILABLE_IN_0_1
void       welkin_provision_async        (WelkinEnvironments  *environments,
                                          const char          *name,
                                          guint                n_parallel,
                                          WelkinProgress      *progress,
                                          GCancellable        *cancellable,
                                          GAsyncReadyCallback  callback,
                                          gpointer             user_data);
WELKIN_AVAILABLE_IN_0_1
gboolean   welkin_provision_finish       (WelkinEnvironments  *environments,
                                          GAsyncResult        *result,
                                          GError             **error);
/* What machines report to the agent of the first one. */
WELKIN_AVAILABLE_IN_0_1
void         welkin_find_reports_async    (WelkinInfo          *info,
                                           GCancellable        *cancellable,
                                           GAsyncReadyCallback  callback,
                                           gpointer             user_data);
/* Maps with "status", "version" and "reported", by the ids of the machines. (transfer full) */
WELKIN_AVAILABLE_IN_0_1
WelkinValue *welkin_find_reports_finish   (WelkinInfo          *info,
                                           GAsyncResult        *result,
                                           GError             **error);
/* Ports of one machine, or of all (machine_id NULL): which of the two is for firewall-mode to say.
 * ranges: (element-type WelkinPortRange) */
WELKIN_AVAILABLE_IN_0_1
void       welkin_open_ports_async        (WelkinEnvironments  *environments,
                                          const char          *name,
                                          const char          *machine_id,
                                          GPtrArray           *ranges,
                                          GCancellable        *cancellable,
                                          GAsyncReadyCallback  callback,
                                          gpointer             user_data);
WELKIN_AVAILABLE_IN_0_1
gboolean   welkin_open_ports_finish       (WelkinEnvironments  *environments,
                                          GAsyncResult        *result,
                                          GError             **error);
WELKIN_AVAILABLE_IN_0_1
void       welkin_close_ports_async       (WelkinEnvironments  *environments,
                                          const char          *name,
                                          const char          *machine_id,
                                          GPtrArray           *ranges,
                                          GCancellable        *cancellable,
                                          GAsyncReadyCallback  callback,
                                          gpointer             user_data);
WELKIN_AVAILABLE_IN_0_1
gboolean   welkin_close_ports_finish      (WelkinEnvironments  *environments,
                                          GAsyncResult        *result,
                                          GError             **error);
WELKIN_AVAILABLE_IN_0_1
void       welkin_list_ports_async       (WelkinEnvironments  *environments,
                                          const char          *name,
                                          const char          *machine_id,
                                          GCancellable        *cancellable,
                                          GAsyncReadyCallback  callback,
                                          gpointer             user_data);
/* (element-type WelkinPortRange) (transfer container) */
WELKIN_AVAILABLE_IN_0_1
GPtrArray *welkin_list_ports_finish      (WelkinEnvironments  *environments,
                                          GAsyncResult        *result,
                                          GError             **error);

/* Removes what starts that came to nothing have left behind in the cloud. min_age: in seconds */
WELKIN_AVAILABLE_IN_0_1
void       welkin_collect_leftovers_async  (WelkinEnvironments  *environments,
                                            const char          *name,
                                            WelkinCollectFlags   flags,
                                            guint                min_age,
                                            WelkinProgress      *progress,
                                            GCancellable        *cancellable,
                                            GAsyncReadyCallback  callback,
                                            gpointer             user_data);
/* (element-type WelkinLeftover) (transfer container) */
WELKIN_AVAILABLE_IN_0_1
GPtrArray *welkin_collect_leftovers_finish (WelkinEnvironments  *environments,
                                            GAsyncResult        *result,
                                            GError             **error);

typedef enum /*< flags >*/
{
  WELKIN_SSH_NONE = 0,
  WELKIN_SSH_TERMINAL = 1 << 0,
  WELKIN_SSH_COPY = 1 << 1,
} WelkinSshFlags;

/* How to log in to a machine, or to copy files from and to machines. arguments: the id of the
 * machine and what to run there; or files, with "7:PATH" for one of machine 7. */
WELKIN_AVAILABLE_IN_0_1
void       welkin_ssh_command_async      (WelkinEnvironments  *environments,
                                          const char          *name,
                                          const char * const  *arguments,
                                          WelkinSshFlags       flags,
                                          GCancellable        *cancellable,
                                          GAsyncReadyCallback  callback,
                                          gpointer             user_data);
/* The program and its arguments. (transfer full) */
WELKIN_AVAILABLE_IN_0_1
char     **welkin_ssh_command_finish     (WelkinEnvironments  *environments,
                                          GAsyncResult        *result,
                                          GError             **error);

G_END_DECLS
