/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-value.h"

G_BEGIN_DECLS

/* Nova takes 65535 bytes of base64, which is so much without it. */
#define WELKIN_CLOUD_INIT_MAX_BYTES 49149

/* A cloud-init document while it is put together: what a machine does at its
 * first boot. */
typedef struct _WelkinCloudInit WelkinCloudInit;

WelkinCloudInit *welkin_cloud_init_new         (void);
void             welkin_cloud_init_free        (WelkinCloudInit *self);

void             welkin_cloud_init_set         (WelkinCloudInit *self,
                                                const char      *key,
                                                WelkinValue     *value);
void             welkin_cloud_init_set_strings (WelkinCloudInit   *self,
                                                const char        *key,
                                                const char *const *strings);
/* A map of strings: key, value pairs up to NULL. */
void             welkin_cloud_init_set_map     (WelkinCloudInit *self,
                                                const char      *key,
                                                ...) G_GNUC_NULL_TERMINATED;

/* Commands run as root, in this order, in one shell. */
void             welkin_cloud_init_add_command (WelkinCloudInit *self,
                                                const char      *command);
/* Commands that write a file and a newline at its end: it is made empty with
 * its mode first, so that secrets never stand in a file that others can read.
 */
void             welkin_cloud_init_add_file    (WelkinCloudInit *self,
                                                const char      *path,
                                                guint            mode,
                                                const char      *contents);

/* (transfer full) */
char            *welkin_cloud_init_print       (WelkinCloudInit *self);

/* What goes to the cloud: gzip data that depends on the text alone. An error
 * when it is too large. */
GBytes          *welkin_cloud_init_compress    (const char *text,
                                                GError    **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinCloudInit, welkin_cloud_init_free)

G_END_DECLS
