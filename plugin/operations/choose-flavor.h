/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "model/os-flavor.h"
#include "model/os-image.h"
#include "values/welkin-constraints.h"

G_BEGIN_DECLS

/* What a machine is to be chosen from. */
typedef struct
{
  GPtrArray         *flavors;        /* of OsFlavor */
  GPtrArray         *images;         /* of OsImage, best first, each with its architecture */
  WelkinConstraints *constraints;
  gboolean           is_on_volume;   /* the root disk is no matter of the flavor */
  const char        *default_flavor; /* (nullable) name or id, if no constraint asks for a size */
  const char        *region;         /* for messages, like the next two */
  const char        *series;
  const char *const *arches;
} OsOffer;

/* The smallest flavor that satisfies the constraints, with the best image that runs on it; and
 * behind it those that are just like it, for when there is no room for the first one. FALSE with
 * WELKIN_ERROR_NO_MATCH, which names what was wanted. flavors: (out) (transfer container) of
 * OsFlavor; image: (out); both stay the offer's. */
gboolean os_choose_flavor (const OsOffer   *offer,
                           GPtrArray      **flavors,
                           const OsImage  **image,
                           GError         **error);

/* The flavor that is asked for by its name or id, NULL if any will do that is large enough. */
const char *os_offer_get_wanted_flavor (const OsOffer *offer);

G_END_DECLS
