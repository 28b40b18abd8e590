/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <welkin-plugin.h>

static GType
get_type (void)
{
  return G_TYPE_INVALID;
}

/* Made for a host that can do more than this one. */
static const WelkinPluginInfo info = {
  .abi_major = WELKIN_PLUGIN_ABI_MAJOR,
  .abi_minor = WELKIN_PLUGIN_ABI_MINOR + 1,
  .size = sizeof info,
  .type = "newer_minor",
  .summary = "Never used",
  .version = "1",
  .license = "LGPL-2.1-or-later",
  .get_type = get_type,
};

WELKIN_EXTERN const WelkinPluginInfo *welkin_plugin_newer_minor_info (void);

const WelkinPluginInfo *
welkin_plugin_newer_minor_info (void)
{
  return &info;
}
