/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "values/welkin-finding.h"

/**
 * WelkinFinding:
 *
 * What an examination has found out in one respect.
 *
 * Findings are immutable and may be shared between threads.
 *
 * Since: 0.1
 */
struct _WelkinFinding
{
  char                *check;
  WelkinFindingStatus  status;
  char                *text;
  char                *remedy; /* (nullable) */
};

G_DEFINE_BOXED_TYPE (WelkinFinding, welkin_finding, welkin_finding_ref, welkin_finding_unref)

static void
finding_clear (gpointer data)
{
  WelkinFinding *self = data;

  g_free (self->remedy);
  g_free (self->text);
  g_free (self->check);
}

/**
 * welkin_finding_new:
 * @check: what was looked at, in a word, as in "login"
 * @status: how it stands
 * @text: what was found, in a sentence without its full stop
 * @remedy: (nullable): what to do about it
 *
 * Makes a finding. This is for providers.
 *
 * Returns: (transfer full): a new finding
 *
 * Since: 0.1
 */
WelkinFinding *
welkin_finding_new (const char          *check,
                    WelkinFindingStatus  status,
                    const char          *text,
                    const char          *remedy)
{
  WelkinFinding *self;

  g_return_val_if_fail (check != NULL && text != NULL, NULL);

  self = g_atomic_rc_box_new0 (WelkinFinding);
  self->check = g_strdup (check);
  self->status = status;
  self->text = g_strdup (text);
  self->remedy = g_strdup (remedy);
  return self;
}

/**
 * welkin_finding_ref:
 * @self: a finding
 *
 * Takes another reference.
 *
 * Returns: (transfer full): @self
 *
 * Since: 0.1
 */
WelkinFinding *
welkin_finding_ref (WelkinFinding *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return g_atomic_rc_box_acquire (self);
}

/**
 * welkin_finding_unref:
 * @self: (transfer full): a finding
 *
 * Drops a reference; the last one frees the finding.
 *
 * Since: 0.1
 */
void
welkin_finding_unref (WelkinFinding *self)
{
  g_return_if_fail (self != NULL);

  g_atomic_rc_box_release_full (self, finding_clear);
}

/**
 * welkin_finding_get_check:
 * @self: a finding
 *
 * Gets what was looked at.
 *
 * Returns: (transfer none): a word, as in "login"
 *
 * Since: 0.1
 */
const char *
welkin_finding_get_check (WelkinFinding *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->check;
}

/**
 * welkin_finding_get_status:
 * @self: a finding
 *
 * Gets how it stands.
 *
 * Returns: the status
 *
 * Since: 0.1
 */
WelkinFindingStatus
welkin_finding_get_status (WelkinFinding *self)
{
  g_return_val_if_fail (self != NULL, WELKIN_FINDING_SKIPPED);

  return self->status;
}

/**
 * welkin_finding_get_text:
 * @self: a finding
 *
 * Gets what was found.
 *
 * Returns: (transfer none): a sentence without its full stop
 *
 * Since: 0.1
 */
const char *
welkin_finding_get_text (WelkinFinding *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->text;
}

/**
 * welkin_finding_get_remedy:
 * @self: a finding
 *
 * Gets what to do about it.
 *
 * Returns: (transfer none) (nullable): one sentence or more; %NULL when there
 *   is nothing to do, or nobody knows what
 *
 * Since: 0.1
 */
const char *
welkin_finding_get_remedy (WelkinFinding *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->remedy;
}
