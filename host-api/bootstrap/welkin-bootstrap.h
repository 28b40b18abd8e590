/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-environ.h"
#include "environments/welkin-environments.h"

G_BEGIN_DECLS

#define WELKIN_TYPE_BOOTSTRAP_OPTIONS (welkin_bootstrap_options_get_type ())

/* How an environment is to be bootstrapped: immutable, refcounted. */
typedef struct _WelkinBootstrapOptions WelkinBootstrapOptions;

typedef enum
{
  WELKIN_STAGE_ACTIVE, /* the first machine runs */
  WELKIN_STAGE_SSH,    /* it can be logged in to */
  WELKIN_STAGE_AGENT,  /* its agent answers */
} WelkinStage;

WELKIN_AVAILABLE_IN_0_1
GType                   welkin_bootstrap_options_get_type  (void) G_GNUC_CONST;
/* Without constraints and placement, until the machine runs, cleaning up after a failure. */
WELKIN_AVAILABLE_IN_0_1
WelkinBootstrapOptions *welkin_bootstrap_options_new       (void);
WELKIN_AVAILABLE_IN_0_1
WelkinBootstrapOptions *welkin_bootstrap_options_with_until (WelkinBootstrapOptions *self,
                                                            WelkinStage             until);
WELKIN_AVAILABLE_IN_0_1
WelkinBootstrapOptions *welkin_bootstrap_options_with_constraints (WelkinBootstrapOptions *self,
                                                            WelkinConstraints      *constraints);
WELKIN_AVAILABLE_IN_0_1
WelkinBootstrapOptions *welkin_bootstrap_options_with_placement (WelkinBootstrapOptions *self,
                                                            const char             *placement);
/* directory: (nullable): images are looked up there first, and put into the storage; tools are
 * looked up there instead of where they are public. */
WELKIN_AVAILABLE_IN_0_1
WelkinBootstrapOptions *welkin_bootstrap_options_with_metadata_directory
                                                           (WelkinBootstrapOptions *self,
                                                            const char             *directory);
/* version: (nullable): of the tools, which then must be there. */
WELKIN_AVAILABLE_IN_0_1
WelkinBootstrapOptions *welkin_bootstrap_options_with_agent_version (WelkinBootstrapOptions *self,
                                                            const char             *version);
/* The tools are made of a directory (nullable: where agents are), for some series (nullable: those
 * of the host and of the environment), and put into the environment's storage. */
WELKIN_AVAILABLE_IN_0_1
WelkinBootstrapOptions *welkin_bootstrap_options_with_uploaded_tools (WelkinBootstrapOptions *self,
                                                            const char             *directory,
                                                            const char * const     *series);
WELKIN_AVAILABLE_IN_0_1
WelkinBootstrapOptions *welkin_bootstrap_options_with_keep_broken (WelkinBootstrapOptions *self,
                                                            gboolean                keep_broken);
/* Takes whatever host key the first machine shows. */
WELKIN_AVAILABLE_IN_0_1
WelkinBootstrapOptions *welkin_bootstrap_options_with_insecure_host_key (
                                                          WelkinBootstrapOptions *self,
                                                          gboolean                insecure);
WELKIN_AVAILABLE_IN_0_1
WelkinBootstrapOptions *welkin_bootstrap_options_with_save_credentials (
                                                          WelkinBootstrapOptions *self,
                                                          gboolean                save_credentials);
WELKIN_AVAILABLE_IN_0_1
WelkinBootstrapOptions *welkin_bootstrap_options_ref       (WelkinBootstrapOptions *self);
WELKIN_AVAILABLE_IN_0_1
void                    welkin_bootstrap_options_unref     (WelkinBootstrapOptions *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinBootstrapOptions, welkin_bootstrap_options_unref)

/* Makes the first machine of an environment, from its entry in environments.yaml to the saved
 * provider-state and the records in the info store. On failure and on cancellation nothing is
 * left in the cloud, and an info that this call made is gone again. */
WELKIN_AVAILABLE_IN_0_1
void               welkin_bootstrap_async  (WelkinEnvironments     *environments,
                                            const char             *name,
                                            WelkinBootstrapOptions *options,
                                            WelkinProgress         *progress,
                                            GCancellable           *cancellable,
                                            GAsyncReadyCallback     callback,
                                            gpointer                user_data);
/* (transfer full): the environment, open, with its first machine running */
WELKIN_AVAILABLE_IN_0_1
WelkinEnviron     *welkin_bootstrap_finish (WelkinEnvironments     *environments,
                                            GAsyncResult           *result,
                                            GError                **error);

/* Removes a bootstrapped environment from the cloud and then from the info store. */
WELKIN_AVAILABLE_IN_0_1
void               welkin_destroy_async    (WelkinEnvironments     *environments,
                                            const char             *name,
                                            WelkinProgress         *progress,
                                            GCancellable           *cancellable,
                                            GAsyncReadyCallback     callback,
                                            gpointer                user_data);
WELKIN_AVAILABLE_IN_0_1
gboolean           welkin_destroy_finish   (WelkinEnvironments     *environments,
                                            GAsyncResult           *result,
                                            GError                **error);

#define WELKIN_TYPE_STATE_INFO (welkin_state_info_get_type ())

/* Where the state of a bootstrapped environment is to be had: boxed, immutable, refcounted. */
typedef struct _WelkinStateInfo WelkinStateInfo;

WELKIN_AVAILABLE_IN_0_1
GType               welkin_state_info_get_type          (void) G_GNUC_CONST;
WELKIN_AVAILABLE_IN_0_1
WelkinStateInfo    *welkin_state_info_ref               (WelkinStateInfo     *self);
WELKIN_AVAILABLE_IN_0_1
void                welkin_state_info_unref             (WelkinStateInfo     *self);
WELKIN_AVAILABLE_IN_0_1
const char * const *welkin_state_info_get_instance_ids  (WelkinStateInfo     *self);
/* "HOST:PORT" of the api-port, one for each state instance that has an address. */
WELKIN_AVAILABLE_IN_0_1
const char * const *welkin_state_info_get_api_addresses (WelkinStateInfo     *self);
WELKIN_AVAILABLE_IN_0_1
const char         *welkin_state_info_get_ca_certificate (WelkinStateInfo    *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinStateInfo, welkin_state_info_unref)

/* Reads provider-state (WELKIN_ERROR_NOT_BOOTSTRAPPED when there is none) and waits until an
 * instance of it has an address. */
WELKIN_AVAILABLE_IN_0_1
void                welkin_state_info_load_async        (WelkinEnviron       *environment,
                                                         WelkinSurroundings  *surroundings,
                                                         GCancellable        *cancellable,
                                                         GAsyncReadyCallback  callback,
                                                         gpointer             user_data);
WELKIN_AVAILABLE_IN_0_1
WelkinStateInfo    *welkin_state_info_load_finish       (WelkinEnviron       *environment,
                                                         GAsyncResult        *result,
                                                         GError             **error);

G_END_DECLS
