/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/follow.h"

static gboolean
leader_cancelled_cb (GCancellable *leader,
                     gpointer      follower)
{
  g_cancellable_cancel (follower);
  return G_SOURCE_REMOVE;
}

GSource *
wk_follow (GCancellable *follower,
           GCancellable *leader)
{
  GSource *following = NULL;

  if (g_cancellable_is_cancelled (leader))
    {
      g_cancellable_cancel (follower);
    }
  else if (leader != NULL)
    {
      following = g_cancellable_source_new (leader);
      g_source_set_callback (following, G_SOURCE_FUNC (leader_cancelled_cb),
                             g_object_ref (follower), g_object_unref);
      g_source_attach (following, g_main_context_get_thread_default ());
    }
  return following;
}

void
wk_unfollow (GSource **following)
{
  if (*following != NULL)
    g_source_destroy (*following);
  g_clear_pointer (following, g_source_unref);
}
