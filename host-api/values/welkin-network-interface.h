/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-address.h"

G_BEGIN_DECLS

#define WELKIN_TYPE_NETWORK_INTERFACE (welkin_network_interface_get_type ())

/* What connects a machine to one network: immutable, refcounted. */
typedef struct _WelkinNetworkInterface WelkinNetworkInterface;

WELKIN_AVAILABLE_IN_0_1
GType        welkin_network_interface_get_type         (void) G_GNUC_CONST;
/* mac_address, network_name: nullable; addresses: (element-type WelkinAddress) */
WELKIN_AVAILABLE_IN_0_1
WelkinNetworkInterface *welkin_network_interface_new   (const char             *id,
                                                        const char             *mac_address,
                                                        const char             *network_id,
                                                        const char             *network_name,
                                                        GPtrArray              *addresses);
WELKIN_AVAILABLE_IN_0_1
WelkinNetworkInterface *welkin_network_interface_ref   (WelkinNetworkInterface *self);
WELKIN_AVAILABLE_IN_0_1
void         welkin_network_interface_unref            (WelkinNetworkInterface *self);
WELKIN_AVAILABLE_IN_0_1
const char  *welkin_network_interface_get_id           (WelkinNetworkInterface *self);
WELKIN_AVAILABLE_IN_0_1
const char  *welkin_network_interface_get_mac_address  (WelkinNetworkInterface *self);
WELKIN_AVAILABLE_IN_0_1
const char  *welkin_network_interface_get_network_id   (WelkinNetworkInterface *self);
WELKIN_AVAILABLE_IN_0_1
const char  *welkin_network_interface_get_network_name (WelkinNetworkInterface *self);
WELKIN_AVAILABLE_IN_0_1
GPtrArray   *welkin_network_interface_get_addresses    (WelkinNetworkInterface *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinNetworkInterface, welkin_network_interface_unref)

G_END_DECLS
