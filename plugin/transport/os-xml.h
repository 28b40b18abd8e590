/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Gets the text of an element without children, when it ends. path: the names of the elements it is
 * in and its own, as in "ListBucketResult/Contents/Key". FALSE with an error ends it. */
typedef gboolean (*OsXmlFunc) (const char  *path,
                               const char  *text,
                               gpointer     data,
                               GError     **error);

/* Reads a document in one pass. What a namespace or an attribute says does not count, entities are
 * those of XML itself, and there are limits to depth and length. WELKIN_ERROR_PROTOCOL for what is
 * none, or is too much. */
gboolean os_xml_read (GBytes     *bytes,
                      OsXmlFunc   func,
                      gpointer    data,
                      GError    **error);

G_END_DECLS
