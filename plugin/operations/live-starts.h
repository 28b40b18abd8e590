/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The start-ids of the starts that are under way in this process, whichever environment and
 * thread they are of: what they have made may have no server yet, however old it is. */
void   os_live_starts_add    (const char *start_id);
void   os_live_starts_remove (const char *start_id);
/* (transfer full) */
char **os_live_starts_list   (void);

G_END_DECLS
