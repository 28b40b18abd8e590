/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "bootstrap/welkin-bootstrap.h"

G_BEGIN_DECLS

struct _WelkinBootstrapOptions
{
  gatomicrefcount    references;
  WelkinStage        until;
  WelkinConstraints *constraints; /* (owned) never NULL */
  char              *placement;   /* (owned) never NULL */
  char              *metadata_directory; /* (owned) (nullable) */
  char              *agent_version; /* (owned) (nullable) */
  gboolean           uploads_tools;
  char              *agent_directory; /* (owned) (nullable) */
  char             **upload_series; /* (owned) (nullable) */
  gboolean           keep_broken;
  gboolean           save_credentials;
  gboolean           insecure_host_key;
};

G_END_DECLS
