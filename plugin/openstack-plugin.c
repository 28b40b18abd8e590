/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <welkin-plugin.h>

#include "os-provider.h"

/* With S3 in place of swift: os-storage.c */
static const char * const aliases[] = { "openstack_s3", NULL };

WELKIN_PLUGIN_DEFINE (openstack,
                      .summary = "OpenStack clouds",
                      .version = PACKAGE_VERSION,
                      .license = "LGPL-2.1-or-later",
                      .gettext_domain = GETTEXT_PACKAGE,
                      .aliases = aliases,
                      .get_type = os_provider_get_type)
