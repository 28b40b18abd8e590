/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <welkin-plugin.h>

/* The version and the size are all that there is: who reads on reads what is
 * not the plugin's. */
static const struct
{
  guint abi_major;
  guint abi_minor;
  gsize size;
} info = { WELKIN_PLUGIN_ABI_MAJOR, WELKIN_PLUGIN_ABI_MINOR, sizeof info };

WELKIN_EXTERN const WelkinPluginInfo *welkin_plugin_short_size_info (void);

const WelkinPluginInfo *
welkin_plugin_short_size_info (void)
{
  return (const WelkinPluginInfo *) &info;
}
