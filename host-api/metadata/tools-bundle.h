/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <gio/gio.h>

#include "values/welkin-surroundings.h"

G_BEGIN_DECLS

/* An archive of agent binaries on this machine, which goes with the record. */
typedef struct
{
  char    *directory;     /* (owned) a temporary one, for all of it */
  char    *path;          /* (owned) of the archive */
  char    *binary;        /* (owned) what the agent says it is: "1.2.3-noble-amd64" */
  char    *sha256;        /* (owned) */
  gint64   size;
  gboolean has_libraries; /* of this machine's release: it runs on no older one */
} WelkinToolsBundle;

void               welkin_tools_bundle_free   (WelkinToolsBundle   *self);

/*
 * Packs all the files of a directory, of which one must be the agent, into an archive, with the
 * libraries of this machine that the agent needs: the same files give the same archive. version:
 * (nullable): the agent is made to be that one, a number or a binary version; of the latter it is
 * not asked. SOURCE_DATE_EPOCH of the surroundings takes the place of the files' times.
 */
void               welkin_tools_bundle_async  (const char          *directory,
                                               const char          *version,
                                               WelkinSurroundings  *surroundings,
                                               GCancellable        *cancellable,
                                               GAsyncReadyCallback  callback,
                                               gpointer             user_data);
/* (transfer full) */
WelkinToolsBundle *welkin_tools_bundle_finish (GAsyncResult        *result,
                                               GError             **error);

/* The directory of the agent: $WELKIN_AGENT_DIR, or the one that is installed with us. (transfer
 * full) */
char              *welkin_tools_get_agent_directory (WelkinSurroundings *surroundings);
/* Whether there is an agent in it that can be run. */
gboolean           welkin_tools_check_agent_directory (const char  *directory,
                                               GError             **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinToolsBundle, welkin_tools_bundle_free)

G_END_DECLS
