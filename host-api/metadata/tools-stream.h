/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* One of the series of tools that go side by side, as in "released" or "devel", and the names that
 * it goes by: refcounted. */
typedef struct
{
  char    *name;          /* (owned) */
  gboolean is_released;
  char    *directory;     /* (owned) of its archives, below that of tools: "releases/" */
  char    *content_id;    /* (owned) */
  char   **content_ids;   /* (owned) that one, and the former ones */
  char    *products_path; /* (owned) */
} WelkinToolsStream;

/* name: (nullable): "" and NULL are what is released. WELKIN_ERROR_INVALID_ARGUMENT when it is no
 * name. (transfer full) */
WelkinToolsStream *welkin_tools_stream_new          (const char               *name,
                                                     GError                  **error);
WelkinToolsStream *welkin_tools_stream_ref          (WelkinToolsStream        *self);
void               welkin_tools_stream_unref        (WelkinToolsStream        *self);
/* The directory, of those that archives of the stream lie in, at which a path below that of tools
 * begins; NULL when it is in none of them. */
const char        *welkin_tools_stream_find_directory (const WelkinToolsStream *self,
                                                     const char               *path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinToolsStream, welkin_tools_stream_unref)

G_END_DECLS
