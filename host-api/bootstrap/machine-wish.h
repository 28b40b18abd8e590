/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-config.h"
#include "values/welkin-constraints.h"

G_BEGIN_DECLS

/* What new machines are to be, as somebody asks for them. */
typedef struct
{
  guint              n_machines;
  char              *series;      /* (owned) (nullable) what they run; NULL: the default */
  WelkinConstraints *constraints; /* (owned) */
  char              *placement;   /* (owned) "" for anywhere */
} WelkinMachineWish;

/* series, constraints, placement: nullable */
void welkin_machine_wish_init     (WelkinMachineWish  *self,
                                   guint               n_machines,
                                   const char         *series,
                                   WelkinConstraints  *constraints,
                                   const char         *placement);
/* Takes from an environment what was not asked for. */
void welkin_machine_wish_complete (WelkinMachineWish  *self,
                                   WelkinConfig       *config);
void welkin_machine_wish_clear    (WelkinMachineWish  *self);

G_END_DECLS
