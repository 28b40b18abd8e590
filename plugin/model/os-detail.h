/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "model/os-server.h"

G_BEGIN_DECLS

/*
 * What is kept of a server: immutable, refcounted, and in one piece of memory, for there may be
 * thousands of them. What the server did not tell is NULL.
 */
typedef struct _OsDetail OsDetail;

OsDetail           *os_detail_new            (const OsServer *server);
OsDetail           *os_detail_ref            (OsDetail       *self);
void                os_detail_unref          (OsDetail       *self);
const char         *os_detail_get_id         (const OsDetail *self);
/* As nova wrote it. */
const char         *os_detail_get_status     (const OsDetail *self);
WelkinInstanceState os_detail_get_state      (const OsDetail *self);
const char         *os_detail_get_fault      (const OsDetail *self);
const char         *os_detail_get_created    (const OsDetail *self);
const char         *os_detail_get_zone       (const OsDetail *self);
const char         *os_detail_get_flavor_id  (const OsDetail *self);
/* It boots from a volume, or does not tell its image. */
gboolean            os_detail_is_on_volume   (const OsDetail *self);
const char         *os_detail_get_machine_id (const OsDetail *self);
/* Which attempt at which start it was made by. */
const char         *os_detail_get_start      (const OsDetail *self);
/* The id of the one that its metadata name. */
const char         *os_detail_get_floating_ip (const OsDetail *self);
/* external: the name of a network from which the world can be reached, beside one that is called
 * "public"; "" for none. (element-type WelkinAddress) (transfer full): each address once, in nova's
 * order. */
GPtrArray          *os_detail_dup_addresses  (const OsDetail *self,
                                              const char     *external);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OsDetail, os_detail_unref)

G_END_DECLS
