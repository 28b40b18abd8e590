/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <json-glib/json-glib.h>

#include "base/http.h"

G_BEGIN_DECLS

typedef enum
{
  OS_SERVICE_COMPUTE,
  OS_SERVICE_NETWORK,
  OS_SERVICE_IMAGE,
  OS_SERVICE_OBJECT_STORE,
  OS_N_SERVICES,
} OsServiceKind;

/* One call to a service, before its URL and token are known. */
typedef struct _OsRequest OsRequest;

/* segments: NULL-terminated; each is percent-encoded, so ids may be anything but empty. */
OsRequest     *os_request_new          (OsServiceKind  service,
                                        const char    *method,
                                        ...) G_GNUC_NULL_TERMINATED;
void           os_request_free         (OsRequest     *self);
/* An object's name: "/" in it separates segments. */
void           os_request_set_object   (OsRequest     *self,
                                        const char    *name);
/* value: nullable, then nothing is added. */
void           os_request_add_query    (OsRequest     *self,
                                        const char    *key,
                                        const char    *value);
void           os_request_set_header   (OsRequest     *self,
                                        const char    *name,
                                        const char    *value);
/* (transfer full) */
void           os_request_set_json     (OsRequest     *self,
                                        JsonNode      *body);
/* What the request itself is about, to be set as it is needed: deadline, repeatable, streaming. */
void           os_request_set_body     (OsRequest     *self,
                                        GBytes        *body,
                                        const char    *content_type);
void           os_request_set_deadline (OsRequest     *self,
                                        double         seconds);
/* That this POST may be sent twice. */
void           os_request_set_repeatable (OsRequest   *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OsRequest, os_request_free)

G_END_DECLS
