/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-surroundings.h"

G_BEGIN_DECLS

/* An SSH key pair, ed25519, in the formats of OpenSSH: the private half as the
 * text of a file, the public half as one line that ends in the comment. Fast
 * enough for the main loop. */
gboolean welkin_ssh_key_generate      (const char         *comment,
                                       char              **private_key,
                                       char              **public_key,
                                       GError            **error);

/* The line of an authorized_keys file with PREFIX before its comment, which
 * marks it as managed; or NULL when it holds no key. (transfer full) (nullable) */
char    *welkin_ssh_key_mark          (const char         *line,
                                       const char         *prefix);

/* The lines of an authorized_keys file that are not empty and no comment,
 * trimmed, each once. (transfer full) */
char   **welkin_ssh_keys_split        (const char         *text);

/* DATA_DIR/ssh, where the client's own key pairs are. (transfer full) */
char    *welkin_client_keys_get_directory (WelkinSurroundings *surroundings,
                                           GError            **error);
/* Made with one pair in it if there is none. is_new: (out) (optional): whether it is made now */
gboolean welkin_client_keys_ensure    (WelkinSurroundings *surroundings,
                                       gboolean           *is_new,
                                       GError            **error);
/* Paths of the private halves, sorted; every FILE counts that has a FILE.pub.
 * Empty when there is no such directory. (transfer full) */
char   **welkin_client_keys_list      (WelkinSurroundings *surroundings,
                                       GError            **error);
/* Their public halves, as the text of an authorized_keys file. (transfer full) */
char    *welkin_client_keys_read      (WelkinSurroundings *surroundings,
                                       GError            **error);

G_END_DECLS
