/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "values/welkin-leftover.h"

/**
 * WelkinLeftover:
 *
 * Something that an environment has left behind in its cloud, as what a start made that was cut
 * off.
 *
 * Leftovers are immutable and may be shared between threads.
 *
 * Since: 0.1
 */
struct _WelkinLeftover
{
  WelkinLeftoverKind   kind;
  char                *id;
  char                *name;       /* (nullable) */
  char                *machine_id; /* (nullable) */
  char                *start_id;   /* (nullable) */
  GDateTime           *changed;    /* (nullable) */
  gint64               age;        /* in seconds; -1: not told */
  gboolean             is_marked;
  char                *reason;
  WelkinLeftoverState  state;
  char                *note;       /* (nullable) */
};

G_DEFINE_BOXED_TYPE (WelkinLeftover, welkin_leftover, welkin_leftover_ref, welkin_leftover_unref)

static void
leftover_clear (gpointer data)
{
  WelkinLeftover *self = data;

  g_free (self->note);
  g_free (self->reason);
  g_clear_pointer (&self->changed, g_date_time_unref);
  g_free (self->start_id);
  g_free (self->machine_id);
  g_free (self->name);
  g_free (self->id);
}

/**
 * welkin_leftover_new:
 * @kind: what it is
 * @id: the cloud's name for it
 * @name: (nullable): people's name for it
 * @machine_id: (nullable): the machine that it was made for
 * @start_id: (nullable): the start that made it
 * @changed: (nullable): when it was made, or last changed
 * @is_marked: whether it carries the mark of the environment
 * @reason: why it is taken for left behind, in a few words
 *
 * Makes a leftover in the state %WELKIN_LEFTOVER_FOUND. This is for providers.
 *
 * Returns: (transfer full): a new leftover
 *
 * Since: 0.1
 */
WelkinLeftover *
welkin_leftover_new (WelkinLeftoverKind  kind,
                     const char         *id,
                     const char         *name,
                     const char         *machine_id,
                     const char         *start_id,
                     GDateTime          *changed,
                     gboolean            is_marked,
                     const char         *reason)
{
  WelkinLeftover *self;

  g_return_val_if_fail (id != NULL && reason != NULL, NULL);

  self = g_atomic_rc_box_new0 (WelkinLeftover);
  self->kind = kind;
  self->id = g_strdup (id);
  self->name = g_strdup (name);
  self->machine_id = g_strdup (machine_id);
  self->start_id = g_strdup (start_id);
  self->changed = changed != NULL ? g_date_time_ref (changed) : NULL;
  self->age = -1;
  self->is_marked = is_marked;
  self->reason = g_strdup (reason);
  return self;
}

/**
 * welkin_leftover_with_age:
 * @self: a leftover
 * @age: how many seconds ago it was made or last changed
 *
 * Makes a leftover that is the same thing and knows its age. This is for providers: the times of a
 * cloud are those of its own clock, which may differ from that of this computer.
 *
 * Returns: (transfer full): a new leftover
 *
 * Since: 0.1
 */
WelkinLeftover *
welkin_leftover_with_age (WelkinLeftover *self,
                          gint64          age)
{
  WelkinLeftover *other;

  g_return_val_if_fail (self != NULL, NULL);

  other = welkin_leftover_with_state (self, self->state, self->note);
  other->age = MAX (age, 0);
  return other;
}

/**
 * welkin_leftover_with_state:
 * @self: a leftover
 * @state: what has become of it
 * @note: (nullable): why, in a few words
 *
 * Makes a leftover that is the same thing in another state.
 *
 * Returns: (transfer full): a new leftover
 *
 * Since: 0.1
 */
WelkinLeftover *
welkin_leftover_with_state (WelkinLeftover     *self,
                            WelkinLeftoverState state,
                            const char         *note)
{
  WelkinLeftover *other;

  g_return_val_if_fail (self != NULL, NULL);

  other = welkin_leftover_new (self->kind, self->id, self->name, self->machine_id, self->start_id,
                               self->changed, self->is_marked, self->reason);
  other->age = self->age;
  other->state = state;
  other->note = g_strdup (note);
  return other;
}

/**
 * welkin_leftover_ref:
 * @self: a leftover
 *
 * Takes another reference.
 *
 * Returns: (transfer full): @self
 *
 * Since: 0.1
 */
WelkinLeftover *
welkin_leftover_ref (WelkinLeftover *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

/**
 * welkin_leftover_unref:
 * @self: (transfer full): a leftover
 *
 * Drops a reference; the last one frees the leftover.
 *
 * Since: 0.1
 */
void
welkin_leftover_unref (WelkinLeftover *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, leftover_clear);
}

/**
 * welkin_leftover_get_kind:
 * @self: a leftover
 *
 * Gets what it is.
 *
 * Returns: the kind
 *
 * Since: 0.1
 */
WelkinLeftoverKind
welkin_leftover_get_kind (WelkinLeftover *self)
{
  g_return_val_if_fail (self != NULL, WELKIN_LEFTOVER_SERVER);

  return self->kind;
}

/**
 * welkin_leftover_get_id:
 * @self: a leftover
 *
 * Gets the cloud's name for it.
 *
 * Returns: (transfer none): the id
 *
 * Since: 0.1
 */
const char *
welkin_leftover_get_id (WelkinLeftover *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->id;
}

/**
 * welkin_leftover_get_name:
 * @self: a leftover
 *
 * Gets people's name for it: of a floating IP, its address.
 *
 * Returns: (transfer none) (nullable): the name, or %NULL when it has none
 *
 * Since: 0.1
 */
const char *
welkin_leftover_get_name (WelkinLeftover *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->name;
}

/**
 * welkin_leftover_get_machine_id:
 * @self: a leftover
 *
 * Gets the machine that it was made for.
 *
 * Returns: (transfer none) (nullable): the id of the machine, or %NULL when nobody knows
 *
 * Since: 0.1
 */
const char *
welkin_leftover_get_machine_id (WelkinLeftover *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->machine_id;
}

/**
 * welkin_leftover_get_start_id:
 * @self: a leftover
 *
 * Gets the start that made it.
 *
 * Returns: (transfer none) (nullable): the start-id, or %NULL when nobody knows
 *
 * Since: 0.1
 */
const char *
welkin_leftover_get_start_id (WelkinLeftover *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->start_id;
}

/**
 * welkin_leftover_get_changed:
 * @self: a leftover
 *
 * Gets when it was made, or last changed.
 *
 * Returns: (transfer none) (nullable): the time, or %NULL when the cloud does not tell
 *
 * Since: 0.1
 */
GDateTime *
welkin_leftover_get_changed (WelkinLeftover *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->changed;
}

/**
 * welkin_leftover_get_age:
 * @self: a leftover
 *
 * Gets how long ago it was made, or last changed: as the provider has told, or by the clock of this
 * computer.
 *
 * Returns: the age in seconds, or -1 when the cloud does not tell
 *
 * Since: 0.1
 */
gint64
welkin_leftover_get_age (WelkinLeftover *self)
{
  g_autoptr(GDateTime) now = NULL;

  g_return_val_if_fail (self != NULL, -1);

  if (self->age >= 0 || self->changed == NULL)
    return self->age;
  now = g_date_time_new_now_utc ();
  return MAX (g_date_time_difference (now, self->changed), 0) / G_TIME_SPAN_SECOND;
}

/**
 * welkin_leftover_is_marked:
 * @self: a leftover
 *
 * Gets whether it carries the mark of the environment. What does not is somebody else's for all
 * that is known, and is never removed.
 *
 * Returns: whether it is marked
 *
 * Since: 0.1
 */
gboolean
welkin_leftover_is_marked (WelkinLeftover *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return self->is_marked;
}

/**
 * welkin_leftover_get_reason:
 * @self: a leftover
 *
 * Gets why it is taken for left behind.
 *
 * Returns: (transfer none): a few words
 *
 * Since: 0.1
 */
const char *
welkin_leftover_get_reason (WelkinLeftover *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->reason;
}

/**
 * welkin_leftover_get_state:
 * @self: a leftover
 *
 * Gets what has become of it.
 *
 * Returns: the state
 *
 * Since: 0.1
 */
WelkinLeftoverState
welkin_leftover_get_state (WelkinLeftover *self)
{
  g_return_val_if_fail (self != NULL, WELKIN_LEFTOVER_KEPT);

  return self->state;
}

/**
 * welkin_leftover_get_note:
 * @self: a leftover
 *
 * Gets why it is in the state it is in: what keeps it, or why it could not be removed.
 *
 * Returns: (transfer none) (nullable): a few words
 *
 * Since: 0.1
 */
const char *
welkin_leftover_get_note (WelkinLeftover *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->note;
}
