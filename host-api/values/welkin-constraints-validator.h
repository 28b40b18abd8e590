/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-constraints.h"

G_BEGIN_DECLS

#define WELKIN_TYPE_CONSTRAINTS_VALIDATOR (welkin_constraints_validator_get_type ())

/* What a cloud can make of constraints. Refcounted; a provider fills it before it hands it out, and
 * nobody changes it after that. */
typedef struct _WelkinConstraintsValidator WelkinConstraintsValidator;

/* Whether red and blue may both be present for once. */
typedef gboolean (*WelkinConstraintsResolver) (WelkinConstraints *constraints,
                                               gpointer           user_data);

WELKIN_AVAILABLE_IN_0_1
GType              welkin_constraints_validator_get_type (void) G_GNUC_CONST;
/* Nothing is unsupported, nothing conflicts, and every value will do. */
WELKIN_AVAILABLE_IN_0_1
WelkinConstraintsValidator *welkin_constraints_validator_new (void);
WELKIN_AVAILABLE_IN_0_1
WelkinConstraintsValidator *welkin_constraints_validator_ref (WelkinConstraintsValidator *self);
WELKIN_AVAILABLE_IN_0_1
void               welkin_constraints_validator_unref (WelkinConstraintsValidator *self);

/* names, everywhere: of constraints. Whoever registers a second time replaces what was there. */
WELKIN_AVAILABLE_IN_0_1
void               welkin_constraints_validator_register_unsupported (
                     WelkinConstraintsValidator *self,
                     const char * const         *names);
/* Each of the reds conflicts with each of the blues. */
WELKIN_AVAILABLE_IN_0_1
void               welkin_constraints_validator_register_conflicts (
                     WelkinConstraintsValidator *self,
                     const char * const         *reds,
                     const char * const         *blues);
WELKIN_AVAILABLE_IN_0_1
void               welkin_constraints_validator_register_resolver (
                     WelkinConstraintsValidator *self,
                     const char                 *red,
                     const char                 *blue,
                     WelkinConstraintsResolver   resolver,
                     gpointer                    user_data,
                     GDestroyNotify              notify);
/* The only values that will do; those of a list, each for itself. */
WELKIN_AVAILABLE_IN_0_1
void               welkin_constraints_validator_register_vocabulary (
                     WelkinConstraintsValidator *self,
                     const char                 *name,
                     const char * const         *values);
/* These will do as well. */
WELKIN_AVAILABLE_IN_0_1
void               welkin_constraints_validator_update_vocabulary (
                     WelkinConstraintsValidator *self,
                     const char                 *name,
                     const char * const         *values);

/* The names of those that the cloud ignores, sorted (transfer full); NULL on error:
 * WELKIN_ERROR_INVALID_ARGUMENT. */
WELKIN_AVAILABLE_IN_0_1
char             **welkin_constraints_validator_validate (WelkinConstraintsValidator *self,
                                                          WelkinConstraints          *constraints,
                                                          GError                    **error);
/* Both are validated; fallbacks that conflict with what constraints say are dropped. (transfer
 * full) */
WELKIN_AVAILABLE_IN_0_1
WelkinConstraints *welkin_constraints_validator_merge    (WelkinConstraintsValidator *self,
                                                          WelkinConstraints          *constraints,
                                                          WelkinConstraints          *fallback,
                                                          GError                    **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinConstraintsValidator, welkin_constraints_validator_unref)

G_END_DECLS
