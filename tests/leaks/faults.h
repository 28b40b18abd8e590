/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "world.h"

G_BEGIN_DECLS

typedef enum
{
  FAULT_CANCEL,  /* by the one who asked for the operation */
  FAULT_REQUEST, /* what the rule says happens to one request */
  FAULT_OUTAGE,  /* to all that come after, too: nothing can be undone before it is over */
  FAULT_SERVERS, /* so many servers become ERROR */
  FAULT_KILL,    /* the command is killed, and gone on with */
  FAULT_ABANDON, /* the command is killed, and the environment destroyed */
} FaultKind;

typedef struct
{
  const char *name;
  FaultKind   kind;
  FakeRule    rule;
  gboolean    is_for_all;  /* for all variants of an environment */
  gboolean    is_of_start; /* only for operations that start a machine */
} Fault;

extern const Fault faults[];
extern const guint n_faults;

/* Makes it happen at the request of this number, or to so many servers. */
guint    fault_arm     (const Fault *self,
                        World       *world,
                        guint        number);
/* Whether it has happened. */
gboolean fault_has_hit (const Fault *self,
                        World       *world,
                        guint        rule);
gboolean fault_kills   (const Fault *self);

G_END_DECLS
