/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-config.h"
#include "values/welkin-tools.h"

G_BEGIN_DECLS

#define WELKIN_TYPE_MACHINE_CONFIG (welkin_machine_config_get_type ())

/* What a machine is to become, told to it at its first boot: immutable, refcounted. The host begins
 * it, the provider finishes it when image and tools are chosen, and renders it as user data. */
typedef struct _WelkinMachineConfig WelkinMachineConfig;

WELKIN_AVAILABLE_IN_0_1
GType                welkin_machine_config_get_type       (void) G_GNUC_CONST;
/* machine_id: "0", "7"; nonce: unique for this start; series: nullable, the environment's default;
 * is_bootstrap: the first machine of the environment, which is set up over SSH later. */
WELKIN_AVAILABLE_IN_0_1
WelkinMachineConfig *welkin_machine_config_new            (const char          *machine_id,
                                                           const char          *nonce,
                                                           const char          *series,
                                                           gboolean             is_bootstrap,
                                                           GError             **error);
WELKIN_AVAILABLE_IN_0_1
WelkinMachineConfig *welkin_machine_config_ref            (WelkinMachineConfig *self);
WELKIN_AVAILABLE_IN_0_1
void                 welkin_machine_config_unref          (WelkinMachineConfig *self);
WELKIN_AVAILABLE_IN_0_1
const char          *welkin_machine_config_get_machine_id (WelkinMachineConfig *self);
/* "machine-0" */
WELKIN_AVAILABLE_IN_0_1
const char          *welkin_machine_config_get_tag        (WelkinMachineConfig *self);
WELKIN_AVAILABLE_IN_0_1
const char          *welkin_machine_config_get_nonce      (WelkinMachineConfig *self);
WELKIN_AVAILABLE_IN_0_1
const char          *welkin_machine_config_get_series     (WelkinMachineConfig *self);
WELKIN_AVAILABLE_IN_0_1
gboolean             welkin_machine_config_is_bootstrap   (WelkinMachineConfig *self);
WELKIN_AVAILABLE_IN_0_1
const char          *welkin_machine_config_get_authorized_keys (WelkinMachineConfig *self);
WELKIN_AVAILABLE_IN_0_1
WelkinTools         *welkin_machine_config_get_tools      (WelkinMachineConfig *self);
/* Keys that may log in beside the environment's own. */
WELKIN_AVAILABLE_IN_0_1
WelkinMachineConfig *welkin_machine_config_with_authorized_keys (WelkinMachineConfig *self,
                                                           const char          *keys);
/* The SSH host key that the machine is to have, so that its first connection can be checked.
 * kind: "ed25519" */
WELKIN_AVAILABLE_IN_0_1
WelkinMachineConfig *welkin_machine_config_with_host_key  (WelkinMachineConfig *self,
                                                           const char          *kind,
                                                           const char          *private_key,
                                                           const char          *public_key);
/* What the environment and the choice of tools add. tools: nullable (then only the basic user data
 * is made). Errors begin with "cannot complete machine configuration: ". */
WELKIN_AVAILABLE_IN_0_1
WelkinMachineConfig *welkin_machine_config_finish         (WelkinMachineConfig *self,
                                                           WelkinConfig        *config,
                                                           WelkinTools         *tools,
                                                           GError             **error);
/* The cloud-init document of a finished config, gzipped (mtime 0): what goes, in base64, to the
 * cloud. Too large an outcome is an error here, before anything is made. */
WELKIN_AVAILABLE_IN_0_1
GBytes              *welkin_machine_config_render_user_data (WelkinMachineConfig *self,
                                                           GError             **error);
/* The same as text, for people and tests. */
WELKIN_AVAILABLE_IN_0_1
char                *welkin_machine_config_render_cloud_config (WelkinMachineConfig *self,
                                                           GError             **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinMachineConfig, welkin_machine_config_unref)

G_END_DECLS
