/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <welkin-plugin.h>

static GType
get_type (void)
{
  return G_TYPE_INVALID;
}

static const char * const aliases[] = { "dummy", NULL };

WELKIN_PLUGIN_DEFINE (twin,
                      .summary = "Answers to the type of another",
                      .version = "1",
                      .license = "LGPL-2.1-or-later",
                      .aliases = aliases,
                      .get_type = get_type)
