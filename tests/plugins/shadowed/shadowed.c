/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <welkin-plugin.h>

static GType
get_type (void)
{
  return G_TYPE_INVALID;
}

WELKIN_PLUGIN_DEFINE (dummy,
                      .summary = "Hidden by another directory",
                      .version = "1",
                      .license = "LGPL-2.1-or-later",
                      .get_type = get_type)
