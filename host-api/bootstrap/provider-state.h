/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-environ.h"
#include "contracts/welkin-storage.h"
#include "values/welkin-hardware.h"
#include "values/welkin-value.h"

G_BEGIN_DECLS

/*
 * The file `provider-state` in an environment's storage: which instances hold its state.
 * It is there from the moment a bootstrap begins, with the start-id of that bootstrap and
 * no instance, so that whoever comes second sees it, and a bootstrap that was cut short
 * can be told from one that ended.
 *
 * Where an environment has no storage, the first machine itself tells all this.
 */
#define WELKIN_STATE_FILE "provider-state"

typedef struct _WelkinProviderState WelkinProviderState;

WelkinProviderState *welkin_provider_state_new              (const char          *start_id);
WelkinProviderState *welkin_provider_state_ref              (WelkinProviderState *self);
void                 welkin_provider_state_unref            (WelkinProviderState *self);
const char          *welkin_provider_state_get_start_id     (WelkinProviderState *self);
const char * const  *welkin_provider_state_get_instance_ids (WelkinProviderState *self);
/* The instance that now holds the state, and what it has (nullable). Other keys are kept. */
WelkinProviderState *welkin_provider_state_with_instance    (WelkinProviderState *self,
                                                             const char          *instance_id,
                                                             WelkinHardware      *hardware);

/* WELKIN_ERROR_NOT_BOOTSTRAPPED when there is none. An empty file, as older hosts began with,
 * has no ids. */
void                 welkin_provider_state_load_async    (WelkinEnviron       *environment,
                                                          GCancellable        *cancellable,
                                                          GAsyncReadyCallback  callback,
                                                          gpointer             user_data);
WelkinProviderState *welkin_provider_state_load_finish   (WelkinEnviron       *environment,
                                                          GAsyncResult        *result,
                                                          GError             **error);
/* flags: WELKIN_STORAGE_NO_REPLACE for the first time */
void                 welkin_provider_state_save_async    (WelkinProviderState *self,
                                                          WelkinStorage       *storage,
                                                          WelkinStorageFlags   flags,
                                                          GCancellable        *cancellable,
                                                          GAsyncReadyCallback  callback,
                                                          gpointer             user_data);
gboolean             welkin_provider_state_save_finish   (WelkinStorage       *storage,
                                                          GAsyncResult        *result,
                                                          GError             **error);
void                 welkin_provider_state_remove_async  (WelkinStorage       *storage,
                                                          GCancellable        *cancellable,
                                                          GAsyncReadyCallback  callback,
                                                          gpointer             user_data);
gboolean             welkin_provider_state_remove_finish (WelkinStorage       *storage,
                                                          GAsyncResult        *result,
                                                          GError             **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinProviderState, welkin_provider_state_unref)

G_END_DECLS
