/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-config.h"

G_BEGIN_DECLS

/* By which proxies machines go out. What is not set is "". */
typedef struct
{
  char *http;     /* (owned) */
  char *https;    /* (owned) */
  char *ftp;      /* (owned) */
  char *no_proxy; /* (owned) what is reached without one, with commas between */
} WelkinProxySettings;

WelkinProxySettings *welkin_proxy_settings_new              (WelkinConfig *config);
/* Those of packages, which are the same where nothing else is said. */
WelkinProxySettings *welkin_proxy_settings_new_for_packages (WelkinConfig *config);
void                 welkin_proxy_settings_free             (WelkinProxySettings *self);

gboolean             welkin_proxy_settings_is_empty         (WelkinProxySettings *self);
/* Lines of a shell script, two for each: programs look at either case. (transfer full) */
char                *welkin_proxy_settings_to_script        (WelkinProxySettings *self);
/* Takes the logins out of the URLs: lines of a file in /etc/apt/auth.conf.d, which root alone need
 * read; "" when there are none. One that such a file cannot hold stays. (transfer full) */
char                *welkin_proxy_settings_split_apt_logins (WelkinProxySettings *self);
/* Lines of a file in /etc/apt/apt.conf.d. (transfer full) */
char                *welkin_proxy_settings_to_apt           (WelkinProxySettings *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinProxySettings, welkin_proxy_settings_free)

G_END_DECLS
