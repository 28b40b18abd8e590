/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <welkin.h>

G_BEGIN_DECLS

/* What an environment has in this cloud: as long as the process lives, however
 * often it is opened. */
typedef struct
{
  GPtrArray  *instances;   /* (owned WelkinInstance) oldest first */
  guint       n_started;
  GHashTable *objects;     /* name to (owned) GBytes */
} DummyCloud;

DummyCloud *dummy_cloud_get   (WelkinConfig *config);
/* Whether the attribute "broken" lists the operation; then there is an
 * error. */
gboolean    dummy_cloud_fails (WelkinConfig *config,
                               const char   *operation,
                               GError      **error);

G_END_DECLS
