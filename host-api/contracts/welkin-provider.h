/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-environ.h"
#include "values/welkin-cloud.h"
#include "values/welkin-schema.h"
#include "values/welkin-surroundings.h"

G_BEGIN_DECLS

#define WELKIN_TYPE_PROVIDER (welkin_provider_get_type ())

/* A kind of cloud. Stateless: all it knows comes with the call. */
WELKIN_AVAILABLE_IN_0_1
G_DECLARE_INTERFACE (WelkinProvider, welkin_provider, WELKIN, PROVIDER, GObject)

typedef enum /*< flags >*/
{
  WELKIN_PREPARE_NONE = 0,
  WELKIN_PREPARE_SAVE_CREDENTIALS = 1 << 0, /* into the config, so that it stands alone */
} WelkinPrepareFlags;

struct _WelkinProviderInterface
{
  GTypeInterface parent;

  WelkinSchema  *(*get_schema)      (WelkinProvider      *self);
  char          *(*get_boilerplate) (WelkinProvider      *self);
  WelkinConfig  *(*validate)        (WelkinProvider      *self,
                                     WelkinConfig        *config,
                                     WelkinConfig        *old_config,
                                     WelkinSurroundings  *surroundings,
                                     GError             **error);
  WelkinConfig  *(*prepare)         (WelkinProvider      *self,
                                     WelkinConfig        *config,
                                     WelkinPrepareFlags   flags,
                                     WelkinSurroundings  *surroundings,
                                     GError             **error);
  WelkinEnviron *(*open)            (WelkinProvider      *self,
                                     WelkinConfig        *config,
                                     WelkinSurroundings  *surroundings,
                                     GError             **error);
  /* NULL: the config as it is */
  WelkinConfig  *(*get_effective_config) (WelkinProvider     *self,
                                          WelkinConfig       *config,
                                          WelkinSurroundings *surroundings,
                                          GError            **error);
  /* NULL: none */
  GPtrArray     *(*list_clouds)     (WelkinProvider      *self,
                                     WelkinSurroundings  *surroundings);

  gpointer reserved[8];
};

/* The attributes of its own. (transfer full) */
WELKIN_AVAILABLE_IN_0_1
WelkinSchema  *welkin_provider_get_schema      (WelkinProvider      *self);
/* A stanza of environments.yaml, "name:" first, its lines commented out where they are optional;
 * "{{rand}}" stands for 32 random hexadecimal digits. (transfer full) */
WELKIN_AVAILABLE_IN_0_1
char          *welkin_provider_get_boilerplate (WelkinProvider      *self);
/* Checks the attributes, against those of before where there were some, and fills the defaults in;
 * pure: nothing is asked but its arguments. old_config, surroundings: nullable. (transfer full) */
WELKIN_AVAILABLE_IN_0_1
WelkinConfig  *welkin_provider_validate        (WelkinProvider      *self,
                                                WelkinConfig        *config,
                                                WelkinConfig        *old_config,
                                                WelkinSurroundings  *surroundings,
                                                GError             **error);
/* Adds what an environment gets once, at its first use: a container name, say. (transfer full) */
WELKIN_AVAILABLE_IN_0_1
WelkinConfig  *welkin_provider_prepare         (WelkinProvider      *self,
                                                WelkinConfig        *config,
                                                WelkinPrepareFlags   flags,
                                                WelkinSurroundings  *surroundings,
                                                GError             **error);
/* What holds once the surroundings have filled in what the config leaves open; secrets are in it.
 * Pure, as is the above. (transfer full) */
WELKIN_AVAILABLE_IN_0_1
WelkinConfig  *welkin_provider_get_effective_config (WelkinProvider     *self,
                                                WelkinConfig        *config,
                                                WelkinSurroundings  *surroundings,
                                                GError             **error);
/* The clouds that the user can log in to already, as files and variables of the surroundings say.
 * (element-type WelkinCloud) (transfer container) */
WELKIN_AVAILABLE_IN_0_1
GPtrArray     *welkin_provider_list_clouds     (WelkinProvider      *self,
                                                WelkinSurroundings  *surroundings);
/* Validates; asks the cloud nothing. (transfer full) */
WELKIN_AVAILABLE_IN_0_1
WelkinEnviron *welkin_provider_open            (WelkinProvider      *self,
                                                WelkinConfig        *config,
                                                WelkinSurroundings  *surroundings,
                                                GError             **error);

G_END_DECLS
