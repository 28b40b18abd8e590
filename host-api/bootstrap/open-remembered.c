/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "bootstrap/open-remembered.h"

gboolean
welkin_open_remembered (WelkinEnvironments *environments,
                        const char         *name,
                        WelkinEnviron     **environment,
                        WelkinInfo        **info,
                        GError            **error)
{
  *environment = welkin_environments_open (environments, name, error);
  if (*environment == NULL)
    return FALSE;
  *info = welkin_info_load (welkin_environments_get_surroundings (environments), name, error);
  return *info != NULL;
}
