/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "operations/snapshot.h"

G_BEGIN_DECLS

/*
 * What is noted, outside of the cloud, of a floating IP that cannot be born with its mark. Of one
 * of nova until a server's metadata name it: before it is asked for, which ones there were; as soon
 * as it is known, its id. Of one of neutron's without descriptions until it has its tags: the port
 * that it is born on. And of one that is borrowed, what is to be given back with it. Where the host
 * has no place for that, nothing is noted.
 */

/* mark: that of the start. */
void     os_intend_address_async  (OsSnapshot          *snapshot,
                                   const char          *mark,
                                   const char          *pool,
                                   GPtrArray           *ips,
                                   GAsyncReadyCallback  callback,
                                   gpointer             user_data);
/* The key of what was noted (transfer full). */
char    *os_intend_address_finish (OsSnapshot          *snapshot,
                                   GAsyncResult        *result,
                                   GError             **error);

/* The same for one that is born on the port, to be finished with os_intend_address_finish(). */
void     os_intend_address_on_port_async (OsSnapshot          *snapshot,
                                          const char          *mark,
                                          const char          *port_id,
                                          GAsyncReadyCallback  callback,
                                          gpointer             user_data);
/* What a line of that says (transfer full); FALSE: it is one of another kind. */
gboolean os_intent_parse_port     (const char          *line,
                                   char               **mark,
                                   char               **port_id);

/* What the description of one is before it is borrowed, for when it is given back; to be finished
 * with os_intend_address_finish(). */
void     os_intend_return_async   (OsSnapshot          *snapshot,
                                   const char          *mark,
                                   const char          *id,
                                   const char          *description,
                                   GAsyncReadyCallback  callback,
                                   gpointer             user_data);
/* That of one with a borrowed mark (transfer full): "" where nothing was noted. */
char    *os_find_former_description (OsSnapshot        *snapshot,
                                     const OsFloatingIp *ip);

/* What became of it. id: (nullable): there is none, or nothing has to be known of it any more */
void     os_note_address_async    (OsSnapshot          *snapshot,
                                   const char          *key,
                                   const char          *mark,
                                   const char          *id,
                                   GAsyncReadyCallback  callback,
                                   gpointer             user_data);
gboolean os_note_address_finish   (OsSnapshot          *snapshot,
                                   GAsyncResult        *result,
                                   GError             **error);

/* A server carries it now, or it is gone: that what is noted of it stays is no failure. What was
 * noted without an id stays. */
void     os_forget_address_async  (OsSnapshot          *snapshot,
                                   const char          *id,
                                   GAsyncReadyCallback  callback,
                                   gpointer             user_data);
void     os_forget_address_finish (OsSnapshot          *snapshot,
                                   GAsyncResult        *result);

/* Gives floating IPs (of OsFloatingIp) as descriptions the marks of the starts that asked for them,
 * where that is certain, because they were noted with their ids; and a doubtful one to those that
 * came since a start asked. servers (of OsServer): those that may name them. lines: those of the
 * intents */
void     os_mark_addresses        (GPtrArray           *ips,
                                   GPtrArray           *servers,
                                   GHashTable          *lines);
/* That mark of a doubtful one's description, or NULL. (transfer full) */
char    *os_get_doubtful_mark     (const char          *description);

G_END_DECLS
