/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <welkin-plugin.h>

WELKIN_EXTERN const WelkinPluginInfo *welkin_plugin_no_info_info (void);

const WelkinPluginInfo *
welkin_plugin_no_info_info (void)
{
  return NULL;
}
