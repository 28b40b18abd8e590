/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-types.h"

G_BEGIN_DECLS

/**
 * WelkinLeftoverKind:
 * @WELKIN_LEFTOVER_SERVER: a server
 * @WELKIN_LEFTOVER_PORT: a port of a network
 * @WELKIN_LEFTOVER_FLOATING_IP: a floating IP
 * @WELKIN_LEFTOVER_SECURITY_GROUP: a security group
 * @WELKIN_LEFTOVER_SERVER_GROUP: a group of servers that are kept apart
 * @WELKIN_LEFTOVER_VOLUME: a volume
 * @WELKIN_LEFTOVER_CONTAINER: a container of files
 *
 * What kind of thing was left behind, in the order in which they can be removed.
 *
 * Since: 0.1
 */
typedef enum
{
  WELKIN_LEFTOVER_SERVER,
  WELKIN_LEFTOVER_PORT,
  WELKIN_LEFTOVER_FLOATING_IP,
  WELKIN_LEFTOVER_SECURITY_GROUP,
  WELKIN_LEFTOVER_SERVER_GROUP,
  WELKIN_LEFTOVER_VOLUME,
  WELKIN_LEFTOVER_CONTAINER,
} WelkinLeftoverKind;

/**
 * WelkinLeftoverState:
 * @WELKIN_LEFTOVER_FOUND: it may be removed
 * @WELKIN_LEFTOVER_KEPT: it is not to be removed
 * @WELKIN_LEFTOVER_REMOVED: it was removed
 * @WELKIN_LEFTOVER_FAILED: it could not be removed
 *
 * What becomes of something that was left behind.
 *
 * Since: 0.1
 */
typedef enum
{
  WELKIN_LEFTOVER_FOUND,
  WELKIN_LEFTOVER_KEPT,
  WELKIN_LEFTOVER_REMOVED,
  WELKIN_LEFTOVER_FAILED,
} WelkinLeftoverState;

#define WELKIN_TYPE_LEFTOVER (welkin_leftover_get_type ())

/* What an environment has left behind in its cloud: immutable, refcounted. */
typedef struct _WelkinLeftover WelkinLeftover;

WELKIN_AVAILABLE_IN_0_1
GType               welkin_leftover_get_type       (void) G_GNUC_CONST;
/* name, machine_id, start_id, changed: (nullable) */
WELKIN_AVAILABLE_IN_0_1
WelkinLeftover     *welkin_leftover_new            (WelkinLeftoverKind   kind,
                                                    const char          *id,
                                                    const char          *name,
                                                    const char          *machine_id,
                                                    const char          *start_id,
                                                    GDateTime           *changed,
                                                    gboolean             is_marked,
                                                    const char          *reason);
/* The same thing; age: seconds since it was changed, by the clock of the cloud. (transfer full) */
WELKIN_AVAILABLE_IN_0_1
WelkinLeftover     *welkin_leftover_with_age       (WelkinLeftover      *self,
                                                    gint64               age);
/* The same thing in another state; note: (nullable) why. (transfer full) */
WELKIN_AVAILABLE_IN_0_1
WelkinLeftover     *welkin_leftover_with_state     (WelkinLeftover      *self,
                                                    WelkinLeftoverState  state,
                                                    const char          *note);
WELKIN_AVAILABLE_IN_0_1
WelkinLeftover     *welkin_leftover_ref            (WelkinLeftover      *self);
WELKIN_AVAILABLE_IN_0_1
void                welkin_leftover_unref          (WelkinLeftover      *self);
WELKIN_AVAILABLE_IN_0_1
WelkinLeftoverKind  welkin_leftover_get_kind       (WelkinLeftover      *self);
WELKIN_AVAILABLE_IN_0_1
const char         *welkin_leftover_get_id         (WelkinLeftover      *self);
WELKIN_AVAILABLE_IN_0_1
const char         *welkin_leftover_get_name       (WelkinLeftover      *self);
WELKIN_AVAILABLE_IN_0_1
const char         *welkin_leftover_get_machine_id (WelkinLeftover      *self);
WELKIN_AVAILABLE_IN_0_1
const char         *welkin_leftover_get_start_id   (WelkinLeftover      *self);
WELKIN_AVAILABLE_IN_0_1
GDateTime          *welkin_leftover_get_changed    (WelkinLeftover      *self);
/* -1 when it is not known. */
WELKIN_AVAILABLE_IN_0_1
gint64              welkin_leftover_get_age        (WelkinLeftover      *self);
WELKIN_AVAILABLE_IN_0_1
gboolean            welkin_leftover_is_marked      (WelkinLeftover      *self);
WELKIN_AVAILABLE_IN_0_1
const char         *welkin_leftover_get_reason     (WelkinLeftover      *self);
WELKIN_AVAILABLE_IN_0_1
WelkinLeftoverState welkin_leftover_get_state      (WelkinLeftover      *self);
WELKIN_AVAILABLE_IN_0_1
const char         *welkin_leftover_get_note       (WelkinLeftover      *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinLeftover, welkin_leftover_unref)

G_END_DECLS
