/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "bootstrap/machine-wish.h"

void
welkin_machine_wish_init (WelkinMachineWish *self,
                          guint              n_machines,
                          const char        *series,
                          WelkinConstraints *constraints,
                          const char        *placement)
{
  self->n_machines = n_machines;
  self->series = g_strdup (series);
  self->constraints = constraints != NULL ? welkin_constraints_ref (constraints)
                                          : welkin_constraints_new ();
  self->placement = g_strdup (placement != NULL ? placement : "");
}

void
welkin_machine_wish_complete (WelkinMachineWish *self,
                              WelkinConfig      *config)
{
  if (self->series == NULL)
    self->series = g_strdup (welkin_config_get_string (config, "default-series"));
}

void
welkin_machine_wish_clear (WelkinMachineWish *self)
{
  g_free (self->placement);
  welkin_constraints_unref (self->constraints);
  g_free (self->series);
}
