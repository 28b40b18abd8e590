/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * What is ours is told apart from what others made by a mark which goes along in the
 * call that makes it, and never by its name. Ports, floating IPs and security groups
 * carry the mark in their description, servers in their metadata (see model/os-server.h). Where
 * neutron has no descriptions, a port is named by its mark, and a floating IP is tagged with it as
 * soon as it is there (see services/os-network-service-private.h and complete-marks.h).
 */

/* "START-ID/ATTEMPT": one for each try to make a server, so that the try can be found again. */
char    *os_mark_format_start (const char  *start_id,
                               guint        attempt);
/* START-ID again. (transfer full) */
char    *os_mark_get_start_id (const char  *start);

/* "welkin env=UUID machine=ID start=START"; machine_id and start: nullable. At most 255 bytes. */
char    *os_mark_format       (const char  *environ_uuid,
                               const char  *machine_id,
                               const char  *start);
/* Is it a mark of this environment and, unless machine_id is NULL, of this machine? */
gboolean os_mark_is_ours      (const char  *description,
                               const char  *environ_uuid,
                               const char  *machine_id);
/* The mark of a floating IP that was there before, and is given back in place of being deleted. */
char    *os_mark_format_borrowed (const char *mark);
gboolean os_mark_is_borrowed  (const char  *description);
/* The mark without that. (transfer full) (nullable) */
char    *os_mark_strip_borrowed (const char *description);
/* The start-id in a mark, or NULL. (transfer full) */
char    *os_mark_dup_start_id (const char  *description);
/* The value that stands under the name in a mark, or NULL. (transfer full) */
char    *os_mark_get_word     (const char  *description,
                               const char  *name);

/* Names: for people, and to ask the cloud for few; they prove nothing. */
char    *os_name_server       (const char  *prefix,
                               const char  *environ_name,
                               const char  *machine_id);
char    *os_name_group        (const char  *prefix,
                               const char  *environ_name,
                               const char  *suffix);
/* The one name that proves something: it has the environment's UUID in it. */
char    *os_name_server_group (const char  *prefix,
                               const char  *environ_name,
                               const char  *environ_uuid);
char    *os_name_port         (const char  *prefix,
                               const char  *environ_uuid,
                               const char  *machine_id,
                               const char  *start_id);
/* A pattern for nova's "name" filter that finds every server of the environment, and perhaps
 * others. */
char    *os_name_server_filter (const char *prefix,
                               const char  *environ_name);

G_END_DECLS
