/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-config.h"
#include "values/welkin-schema.h"

G_BEGIN_DECLS

/*
 * What attributes that every environment has mean, where that is more than their text.
 */

/* How a new machine is waited for, in seconds. */
typedef struct
{
  guint timeout;         /* in all */
  guint retry_delay;     /* between two attempts to connect */
  guint addresses_delay; /* between two looks at its addresses */
} WelkinConnectDelays;

/* Which instances that nobody remembers are removed. */
typedef enum
{
  WELKIN_HARVEST_NONE,
  WELKIN_HARVEST_UNKNOWN,   /* those that no record knows */
  WELKIN_HARVEST_DESTROYED, /* those of machines that are gone */
  WELKIN_HARVEST_ALL,
} WelkinHarvestMode;

WelkinConnectDelays  welkin_environment_get_connect_delays (WelkinConfig  *config);
WelkinHarvestMode    welkin_environment_get_harvest_mode   (WelkinConfig  *config);
/* key: image-stream or tools-stream */
const char          *welkin_environment_get_stream         (WelkinConfig  *config,
                                                            const char    *key);

/* The only form of a config that leaves the user's computer: nothing secret of
 * the environment or of the provider is in it, and the version of the agents
 * is. (transfer full) */
WelkinConfig        *welkin_environment_make_public_config (WelkinConfig  *config,
                                                            WelkinSchema  *provider_schema,
                                                            GError       **error);

G_END_DECLS
