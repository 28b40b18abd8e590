/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/join.h"
#include "operations/snapshot.h"
#include "values/welkin-leftover.h"

G_BEGIN_DECLS

/* Something in the cloud, of whatever kind. */
typedef struct
{
  WelkinLeftoverKind kind;

  char              *id;
  char              *name;      /* (nullable) */
  char              *mark;      /* (nullable) what tells whose it is; see operations/ownership.h */
  char              *holder_id; /* (nullable) of the server or the port that it is on */
  gboolean           is_used;
  char              *reserved;  /* (nullable) id of the floating IP of nova that a server names */
  char              *changed;   /* (nullable) ISO 8601, by the clock of the cloud */
} OsThing;

/* Removes one, whatever it takes; that it is gone is a success. With a server goes what was made
 * for it; of a floating IP that is borrowed, only our mark. */
void         os_thing_remove_async  (const OsThing       *self,
                                     OsSnapshot          *snapshot,
                                     GCancellable        *cancellable,
                                     GAsyncReadyCallback  callback,
                                     gpointer             user_data);
gboolean     os_thing_remove_finish (const OsThing       *self,
                                     OsSnapshot          *snapshot,
                                     GAsyncResult        *result,
                                     GError             **error);

/*
 * What there is of each kind, but for what is on its way out. The one place that knows how things
 * are listed, whose they are and how they are removed; containers are not among them.
 */
typedef struct _OsInventory OsInventory;

OsInventory *os_inventory_new       (OsSnapshot          *snapshot);
void         os_inventory_free      (OsInventory         *self);
/* Lists those of a kind within the join, as one of its calls; where the cloud has no such things,
 * there are none. query: for ports, floating IPs and security groups alone (nullable). The
 * inventory must live as long. */
void         os_inventory_begin     (OsInventory         *self,
                                     WelkinLeftoverKind   kind,
                                     const char *const   *query,
                                     WkJoin              *join);
/* (element-type OsThing) (transfer none), of all lists of that kind. */
GPtrArray   *os_inventory_get       (OsInventory         *self,
                                     WelkinLeftoverKind   kind);
/* (transfer none) (nullable) */
const OsThing *os_inventory_find    (OsInventory         *self,
                                     WelkinLeftoverKind   kind,
                                     const char          *id);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OsInventory, os_inventory_free)

G_END_DECLS
