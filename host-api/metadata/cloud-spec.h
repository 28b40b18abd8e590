/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Which cloud metadata is about: a region, and the identity URL that it is under. */
typedef struct
{
  char *region;   /* (owned) "" when it may be any */
  char *endpoint; /* (owned) "" when it may be any */
} WelkinCloudSpec;

/* region, endpoint: nullable */
WelkinCloudSpec *welkin_cloud_spec_new     (const char            *region,
                                            const char            *endpoint);
WelkinCloudSpec *welkin_cloud_spec_copy    (const WelkinCloudSpec *self);
void             welkin_cloud_spec_free    (WelkinCloudSpec       *self);
/* Is the one that is wanted, which may leave parts open, this one? URLs are compared for what they
 * mean: case of scheme and host, the default port and a slash at the end make no difference. */
gboolean         welkin_cloud_spec_matches (const WelkinCloudSpec *wanted,
                                            const WelkinCloudSpec *offered);
/* For messages: region "R1" at "http://…". (transfer full) */
char            *welkin_cloud_spec_to_text (const WelkinCloudSpec *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WelkinCloudSpec, welkin_cloud_spec_free)

G_END_DECLS
