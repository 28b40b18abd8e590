/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <welkin-plugin.h>

#include "os-provider.h"

WELKIN_PLUGIN_DEFINE (openstack,
                      .summary = "OpenStack clouds",
                      .version = PACKAGE_VERSION,
                      .license = "LGPL-2.1-or-later",
                      .gettext_domain = GETTEXT_PACKAGE,
                      .get_type = os_provider_get_type)
