/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/*
 * What proves that somebody has the secret of a pair of EC2 keys: a request to nobody, signed as
 * AWS signs (signature version 4), which identity checks and gives a token for.
 *
 * host: as in "id.test:5000", part of what is signed. Returns the members access, host, verb, path,
 * params, headers, body_hash and signature: identity needs them all. (transfer full)
 */
JsonObject *os_ec2_sign (const char *access,
                         const char *secret,
                         const char *host,
                         const char *region,
                         GDateTime  *time);

G_END_DECLS
