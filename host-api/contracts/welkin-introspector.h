/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-provider.h"
#include "values/welkin-own-machine.h"

G_BEGIN_DECLS

#define WELKIN_TYPE_INTROSPECTOR (welkin_introspector_get_type ())

/* A provider that, on a machine of its cloud, tells which one that is. */
WELKIN_AVAILABLE_IN_0_1
G_DECLARE_INTERFACE (WelkinIntrospector, welkin_introspector, WELKIN, INTROSPECTOR, GObject)

struct _WelkinIntrospectorInterface
{
  GTypeInterface parent;

  void              (*load_own_machine_async)  (WelkinIntrospector  *self,
                                                WelkinSurroundings  *surroundings,
                                                GCancellable        *cancellable,
                                                GAsyncReadyCallback  callback,
                                                gpointer             user_data);
  WelkinOwnMachine *(*load_own_machine_finish) (WelkinIntrospector  *self,
                                                GAsyncResult        *result,
                                                GError             **error);

  gpointer reserved[4];
};

/* surroundings: (nullable) the process's own */
WELKIN_AVAILABLE_IN_0_1
void              welkin_introspector_load_own_machine_async  (WelkinIntrospector  *self,
                                                               WelkinSurroundings  *surroundings,
                                                               GCancellable        *cancellable,
                                                               GAsyncReadyCallback  callback,
                                                               gpointer             user_data);
/* (transfer full) */
WELKIN_AVAILABLE_IN_0_1
WelkinOwnMachine *welkin_introspector_load_own_machine_finish (WelkinIntrospector  *self,
                                                               GAsyncResult        *result,
                                                               GError             **error);

G_END_DECLS
