/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "values/welkin-plan-entry.h"

/**
 * WelkinPlanEntry:
 *
 * One thing that would be chosen or made for a machine, and why.
 *
 * Entries are immutable and may be shared between threads.
 *
 * Since: 0.1
 */
struct _WelkinPlanEntry
{
  char *subject;
  char *choice;
  char *reason; /* (nullable) */
};

G_DEFINE_BOXED_TYPE (WelkinPlanEntry,
                     welkin_plan_entry,
                     welkin_plan_entry_ref,
                     welkin_plan_entry_unref)

static void
plan_entry_clear (gpointer data)
{
  WelkinPlanEntry *self = data;

  g_free (self->reason);
  g_free (self->choice);
  g_free (self->subject);
}

/**
 * welkin_plan_entry_new:
 * @subject: what was decided on, in a word, as in "image"
 * @choice: what it would be
 * @reason: (nullable): why
 *
 * Makes an entry of a plan. This is for providers.
 *
 * Returns: (transfer full): a new entry
 *
 * Since: 0.1
 */
WelkinPlanEntry *
welkin_plan_entry_new (const char *subject,
                       const char *choice,
                       const char *reason)
{
  WelkinPlanEntry *self;

  g_return_val_if_fail (subject != NULL && choice != NULL, NULL);

  self = g_atomic_rc_box_new0 (WelkinPlanEntry);
  self->subject = g_strdup (subject);
  self->choice = g_strdup (choice);
  self->reason = g_strdup (reason);
  return self;
}

/**
 * welkin_plan_entry_ref:
 * @self: an entry
 *
 * Takes another reference.
 *
 * Returns: (transfer full): @self
 *
 * Since: 0.1
 */
WelkinPlanEntry *
welkin_plan_entry_ref (WelkinPlanEntry *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

/**
 * welkin_plan_entry_unref:
 * @self: (transfer full): an entry
 *
 * Drops a reference; the last one frees the entry.
 *
 * Since: 0.1
 */
void
welkin_plan_entry_unref (WelkinPlanEntry *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, plan_entry_clear);
}

/**
 * welkin_plan_entry_get_subject:
 * @self: an entry
 *
 * Gets what was decided on.
 *
 * Returns: (transfer none): a word, as in "image"
 *
 * Since: 0.1
 */
const char *
welkin_plan_entry_get_subject (WelkinPlanEntry *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->subject;
}

/**
 * welkin_plan_entry_get_choice:
 * @self: an entry
 *
 * Gets what it would be.
 *
 * Returns: (transfer none): the choice
 *
 * Since: 0.1
 */
const char *
welkin_plan_entry_get_choice (WelkinPlanEntry *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->choice;
}

/**
 * welkin_plan_entry_get_reason:
 * @self: an entry
 *
 * Gets why.
 *
 * Returns: (transfer none) (nullable): the reason; %NULL when none needs to be
 *   told
 *
 * Since: 0.1
 */
const char *
welkin_plan_entry_get_reason (WelkinPlanEntry *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->reason;
}
