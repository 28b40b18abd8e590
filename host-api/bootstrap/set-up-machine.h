/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "bootstrap/machine-record.h"
#include "bootstrap/welkin-bootstrap.h"
#include "machine/ssh.h"
#include "values/welkin-start-params.h"
#include "values/welkin-start-result.h"

G_BEGIN_DECLS

/*
 * Sets up the first machine of an environment, from the moment when it runs: waits until it can be
 * logged in to, gives it host keys that nobody else has seen, and if it is to have an agent
 * makes it one and waits until that answers.
 *
 * What it learns goes into the record and the info, which it writes.
 */
typedef struct
{
  WelkinEnvironments  *environments;
  WelkinEnviron       *environment;
  WelkinInfo          *info;
  WelkinMachineRecord *record;   /* outlives the operation */
  WelkinStartParams   *params;   /* by which it was started */
  WelkinStartResult   *started;
  WelkinSsh           *ssh;      /* from welkin_set_up_make_ssh() */
  gboolean             has_agent;
} WelkinSetUp;

/* Before anything is started, since there may be no client. host_keys: (nullable): one a line, that
 * the machine may have; NULL to take any */
WelkinSsh *welkin_set_up_make_ssh (WelkinEnvironments *environments,
                                   WelkinConfig       *config,
                                   const char         *host_keys,
                                   GError            **error);

/* progress: nullable */
void       welkin_set_up_async    (const WelkinSetUp  *set_up,
                                   WelkinProgress     *progress,
                                   GCancellable       *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer            user_data);
gboolean   welkin_set_up_finish   (WelkinEnviron      *environment,
                                   GAsyncResult       *result,
                                   GError            **error);

G_END_DECLS
