/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <fake-cloud.h>
#include <welkin.h>

G_BEGIN_DECLS

/*
 * A fake cloud, a home with one environment on it, and the calls that a host makes: what one
 * point of the hunt for leaks happens in.
 */
typedef struct _World World;

typedef struct
{
  const char *name;
  const char *attributes; /* lines of environments.yaml, without indentation; may be empty */
} Variant;

/* What the cloud has for networks. */
typedef enum
{
  WORLD_NEUTRON,
  WORLD_NEUTRON_WITH_TAGS, /* in place of descriptions */
  WORLD_NOVA_NETWORK,
} WorldNetworks;

#define WORLD_NAME "lab"

World              *world_new               (WelkinRegistry      *registry,
                                             WorldNetworks        networks,
                                             const Variant       *variant);
void                world_free              (World               *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (World, world_free)

FakeCloud          *world_get_fake          (World               *self);
WelkinEnvironments *world_get_environments  (World               *self);
GCancellable       *world_get_cancellable   (World               *self);

/* Other worlds of this process take the certificate authority of this environment: to make keys
 * takes longer than all the rest. */
void                world_share_authority   (World               *self,
                                             WelkinConfig        *config);

/* What follows is a step of its own: nothing is cancelled yet, no request was made. */
void                world_begin_step        (World               *self);
/* A line for each request of this step. (transfer full) */
char               *world_describe_requests (World               *self);

/* What is done as soon as a rule of the cloud was applied. */
typedef void        (*WorldFunc)            (World               *self);
void                world_set_trap          (World               *self,
                                             guint                rule,
                                             WorldFunc            function);

/* For calls of the library: the callback, and the result that was waited for (transfer none). */
void                world_done_cb           (GObject             *source,
                                             GAsyncResult        *result,
                                             gpointer             user_data);
GAsyncResult       *world_wait              (World               *self);

/* Begins the command, and ends it at once with SIGKILL. */
void                world_begin_command     (World               *self,
                                             const char * const  *arguments);
void                world_kill_command      (World               *self);
/* Waits for its end. FALSE: it was killed. */
gboolean            world_wait_for_command  (World               *self);

/* NULL if the environment is not known. (transfer full) */
WelkinInfo         *world_load_info         (World               *self);
/* What the cloud holds, without what differs from one run to the next; it is waited for what is
 * on its way out if it is not as expected (nullable). (transfer full) */
char               *world_take_inventory    (World               *self,
                                             const char          *expected);

G_END_DECLS
