/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "model/os-ec2-key.h"
#include "transport/os-client.h"

G_BEGIN_DECLS

/* A pair of EC2 keys of the user in the project of the login: one that identity has, or else a new
 * one, which it then has for all environments of this user. (transfer full) */
void      os_ec2_keys_load_async  (OsClient             *client,
                                   GCancellable         *cancellable,
                                   GAsyncReadyCallback   callback,
                                   gpointer              user_data);
OsEc2Key *os_ec2_keys_load_finish (OsClient             *client,
                                   GAsyncResult         *result,
                                   GError              **error);

G_END_DECLS
