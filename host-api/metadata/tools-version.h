/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define WELKIN_TOOLS_MAX_TAG 31

/* The number of a version of tools: "1.2.3", "1.2.3.4", "1.21-alpha3", "1.21-beta2.4". */
typedef struct
{
  guint major;
  guint minor;
  guint patch;
  guint build;                       /* 0: none */
  char  tag[WELKIN_TOOLS_MAX_TAG + 1]; /* "": none */
} WelkinToolsVersion;

/* WELKIN_ERROR_INVALID_ARGUMENT when the text is no version. */
gboolean welkin_tools_version_parse             (const char               *text,
                                                 WelkinToolsVersion       *version,
                                                 GError                  **error);
/* (transfer full) */
char    *welkin_tools_version_format            (const WelkinToolsVersion *self);
/* Less than, equal to or greater than 0 as a is older than, the same as or newer than b. */
int      welkin_tools_version_compare           (const WelkinToolsVersion *a,
                                                 const WelkinToolsVersion *b);
/* Whether it is one that only those who make it use. */
gboolean welkin_tools_version_is_development    (const WelkinToolsVersion *self);

/* "1" or "1.2"; minor: -1 when it is not told. */
gboolean welkin_tools_version_parse_major_minor (const char               *text,
                                                 int                      *major,
                                                 int                      *minor,
                                                 GError                  **error);
/* "1.2.3-noble-amd64". series, arch: (out) (transfer full) */
gboolean welkin_tools_binary_parse              (const char               *text,
                                                 WelkinToolsVersion       *version,
                                                 char                    **series,
                                                 char                    **arch,
                                                 GError                  **error);

/* Which one this program is: what it was built as, or what file FORCE-VERSION beside the
 * executable says. executable: (nullable) that of the process */
void     welkin_tools_version_get_host          (const char               *executable,
                                                 WelkinToolsVersion       *version);

G_END_DECLS
