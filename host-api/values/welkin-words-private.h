/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The words "NAME=VALUE" that constraints and hardware characteristics are
 * written in. */

typedef struct
{
  char *name;
  char *value; /* unescaped */
} WelkinWord;

/* noun: "constraint" or "characteristic", for the error. (element-type
 * WelkinWord) */
GPtrArray *welkin_words_split     (const char *text,
                                   const char *noun,
                                   GError    **error);
void       welkin_words_append    (GString    *string,
                                   const char *name,
                                   const char *value);

/* What is wrong with a value, or NULL; an empty value is 0. */
const char *welkin_words_parse_number (const char *value,
                                       guint64    *number);
const char *welkin_words_parse_size   (const char *value,
                                       guint64    *mib);
gboolean    welkin_words_is_arch      (const char *value);

G_END_DECLS
