/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <welkin-plugin.h>

static GType
get_type (void)
{
  return WELKIN_TYPE_REGISTRY;
}

WELKIN_PLUGIN_DEFINE (wrong_type,
                      .summary = "No provider",
                      .version = "1",
                      .license = "LGPL-2.1-or-later",
                      .get_type = get_type)
