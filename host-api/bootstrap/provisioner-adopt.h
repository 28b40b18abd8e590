/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "bootstrap/provisioner-plan.h"
#include "bootstrap/provisioner-start.h"

G_BEGIN_DECLS

/* Takes over the machines of the plan that run without their records knowing it: the provider
 * completes their starts, and their records tell of their instances. What cannot be completed is
 * stopped and started anew: the plan says so then. */
void     welkin_provisioner_adopt_async  (WelkinProvisionerPass *pass,
                                          WelkinProvisionerPlan *plan,
                                          GCancellable          *cancellable,
                                          GAsyncReadyCallback    callback,
                                          gpointer               user_data);
/* FALSE when nothing can be written down, and when it was cancelled. */
gboolean welkin_provisioner_adopt_finish (WelkinProvisionerPass *pass,
                                          GAsyncResult          *result,
                                          GError               **error);

G_END_DECLS
