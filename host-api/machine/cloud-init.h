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

/* (transfer full) */
WelkinValue     *welkin_cloud_init_make_list   (const char *const *strings);

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

/* Debian packages to install, and whether to refresh the list of packages and to
 * upgrade those that are there before. */
void             welkin_cloud_init_set_packages (WelkinCloudInit   *self,
                                                const char *const *packages,
                                                gboolean           update,
                                                gboolean           upgrade);

/* Commands run as root, in this order, in one shell; those for boot run before
 * packages are installed, the others behind. */
void             welkin_cloud_init_add_boot_command (WelkinCloudInit *self,
                                                const char      *command);
void             welkin_cloud_init_add_command (WelkinCloudInit *self,
                                                const char      *command);
/* The same, but no log shows it. */
void             welkin_cloud_init_add_secret_command (WelkinCloudInit *self,
                                                const char      *command);
/* A command that tells whoever watches what comes next. */
void             welkin_cloud_init_add_progress (WelkinCloudInit *self,
                                                const char      *text);
/* Commands that write a file and a newline at its end: it is made empty with
 * its mode first, so that secrets never stand in a file that others can read.
 */
void             welkin_cloud_init_add_file    (WelkinCloudInit *self,
                                                const char      *path,
                                                guint            mode,
                                                const char      *contents);

/* The first boot logs each command that is not secret, and ends with the first that fails.
 * (transfer full) */
char            *welkin_cloud_init_print       (WelkinCloudInit *self);
/* The commands and packages as a script for bash, which does now what cloud-init
 * would do at the first boot. What it is doing goes to standard error, all else to
 * the log, whose end is shown when a command fails. What a command has to say to
 * the caller goes to file descriptor 8, which is standard output. (transfer full) */
char            *welkin_cloud_init_print_script (WelkinCloudInit *self,
                                                const char      *log);

/* What goes to the cloud: gzip data that depends on the text alone. An error
 * when it is too large. */
GBytes          *welkin_cloud_init_compress    (const char *text,
                                                GError    **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinCloudInit, welkin_cloud_init_free)

G_END_DECLS
