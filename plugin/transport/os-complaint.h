/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/http.h"

G_BEGIN_DECLS

/* What a service, or whoever stands in front of it, says went wrong. */
typedef struct
{
  char    *text;    /* (owned) (nullable) for people, in one line and without markup */
  char    *type;    /* (owned) (nullable) the service's own name for it: neutron and S3 have one */
  gboolean is_page; /* it was written for a browser */
} OsComplaint;

/* complaint: to be filled. content_type: (nullable) may be wrong. What the request had as a secret
 * is left out. */
void os_complaint_read  (OsComplaint   *complaint,
                         GBytes        *body,
                         const char    *content_type,
                         WkHttpRequest *request);
void os_complaint_clear (OsComplaint   *complaint);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (OsComplaint, os_complaint_clear)

G_END_DECLS
