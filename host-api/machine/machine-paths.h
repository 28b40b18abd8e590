/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

/* Where things are on a machine, and how ours are told from others. */

#define WELKIN_MACHINE_DATA_DIR "/var/lib/welkin"
#define WELKIN_MACHINE_NONCE_FILE WELKIN_MACHINE_DATA_DIR "/nonce.txt"
#define WELKIN_MACHINE_LOG_DIR "/var/log/welkin"
#define WELKIN_MACHINE_CLOUD_INIT_LOG "/var/log/cloud-init-output.log"

/* Runs on each machine; where to find it is below. */
#define WELKIN_AGENT "welkin-agent"
/* Beside it, with what GIO loads: how to speak TLS. */
#define WELKIN_AGENT_MODULES "gio-modules"

/* Begins the comments of SSH keys that we put there. */
#define WELKIN_KEY_PREFIX "Welkin:"
