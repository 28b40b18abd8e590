/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "transport/os-clouds.h"

#include "transport/os-settings.h"

WelkinConfig *
os_clouds_fill (WelkinConfig        *config,
                WelkinSurroundings  *surroundings,
                GError             **error)
{
  return os_settings_fill (config, NULL, surroundings, error);
}
