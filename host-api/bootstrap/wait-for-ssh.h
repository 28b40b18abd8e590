/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/clock.h"
#include "contracts/welkin-instance.h"
#include "contracts/welkin-progress.h"
#include "environments/environment-getters.h"
#include "machine/ssh.h"

G_BEGIN_DECLS

/*
 * Waits until a new machine can be logged in to, by whichever of its addresses answers first. It is
 * the machine that was meant when it shows the host key that it was given, and has the nonce; and
 * it has the nonce when its first boot has come far enough.
 *
 * host: where it is to be tried alone, or "" for its addresses; nonce_file: where it has the nonce;
 * clock: nullable; progress: nullable
 */
void  welkin_wait_for_ssh_async  (WelkinInstance            *instance,
                                  const char                *host,
                                  WelkinSsh                 *ssh,
                                  const char                *nonce_file,
                                  const char                *nonce,
                                  const WelkinConnectDelays *delays,
                                  WkClock                   *clock,
                                  WelkinProgress            *progress,
                                  GCancellable              *cancellable,
                                  GAsyncReadyCallback        callback,
                                  gpointer                   user_data);
/* The address by which it answers. (transfer full) */
char *welkin_wait_for_ssh_finish (WelkinInstance            *instance,
                                  GAsyncResult              *result,
                                  GError                   **error);

G_END_DECLS
