/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/memo.h"
#include "services/os-s3.h"
#include "transport/os-signature.h"

G_BEGIN_DECLS

struct _OsS3
{
  GObject parent;

  OsClient  *client; /* (owned) */
  char      *url;    /* (nullable) */
  char      *region; /* what the server has corrected it to, if it has */
  char      *access; /* (nullable) */
  char      *secret; /* (nullable) */
  WkMemo    *doors;  /* (owned) OsS3Door, under "" */
  GTimeSpan  skew;   /* how far the server's clock is ahead of ours */
  gboolean   refuses_bulk; /* it did not delete many objects at once: they go one by one */
};

/* Where it is, and the keys to it. Refcounted. */
typedef struct
{
  char *url;
  char *access;
  char *secret;
} OsS3Door;

void        os_s3_door_unref           (OsS3Door             *door);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OsS3Door, os_s3_door_unref)
void        os_s3_load_door_async      (OsS3                 *self,
                                        GCancellable         *cancellable,
                                        GAsyncReadyCallback   callback,
                                        gpointer              user_data);
OsS3Door   *os_s3_load_door_finish     (OsS3                 *self,
                                        GAsyncResult         *result,
                                        GError              **error);

/* One request, before it is signed. Refcounted. */
typedef struct _OsS3Request OsS3Request;

/* name: (nullable) */
OsS3Request *os_s3_request_new         (const char           *method,
                                        const char           *bucket,
                                        const char           *name);
OsS3Request *os_s3_request_ref         (OsS3Request          *self);
void         os_s3_request_unref       (OsS3Request          *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OsS3Request, os_s3_request_unref)
void         os_s3_request_add_query   (OsS3Request          *self,
                                        const char           *key,
                                        const char           *value);
/* name: in lower case; it is signed when it begins with "x-amz-" or is "content-md5". */
void         os_s3_request_set_header  (OsS3Request          *self,
                                        const char           *name,
                                        const char           *value);
void         os_s3_request_unset_header (OsS3Request         *self,
                                        const char           *name);
/* With its checksums. */
void         os_s3_request_set_body    (OsS3Request          *self,
                                        GBytes               *body);
/* sha256: NULL when it is not known, which is for TLS alone */
void         os_s3_request_set_stream  (OsS3Request          *self,
                                        OsBody               *body,
                                        const char           *md5,
                                        const char           *sha256);
void         os_s3_request_set_streaming (OsS3Request        *self);
/* That this POST may be sent twice. */
void         os_s3_request_set_repeatable (OsS3Request       *self);
/* How often it went out so far. */
guint        os_s3_request_get_sends   (OsS3Request          *self);

/* Signs it and sends it; once more when the server knows the region or the time better.
 * Any 2xx is a success. (transfer full) */
void            os_s3_send_async       (OsS3                 *self,
                                        OsS3Request          *request,
                                        GCancellable         *cancellable,
                                        GAsyncReadyCallback   callback,
                                        gpointer              user_data);
WkHttpResponse *os_s3_send_finish      (OsS3                 *self,
                                        GAsyncResult         *result,
                                        GError              **error);
/* The same for a request that deletes. */
gboolean        os_s3_send_finish_delete (OsS3               *self,
                                        GAsyncResult         *result,
                                        GError              **error);
/* As requests are signed at this moment; it holds only as long as door and time do. */
OsSigner        os_s3_make_signer      (OsS3                 *self,
                                        const OsS3Door       *door,
                                        GDateTime            *time);
/* The time as the server has it. (transfer full) */
GDateTime      *os_s3_get_time         (OsS3                 *self);

/* The checksum that an answer is headed by, without quotes. (transfer full) (nullable) */
char           *os_s3_dup_etag         (WkHttpResponse       *response);

/* What looking for an object came to that must not be there: WELKIN_ERROR_ALREADY_EXISTS. present:
 * (nullable) with an error, which goes when it says that there is none. */
gboolean        os_s3_check_absent     (const char           *bucket,
                                        const char           *name,
                                        WkHttpResponse       *present,
                                        GError              **error);

/* How large the parts of an object are that was put in parts. */
#define OS_S3_PART_SIZE_HEADER "x-amz-meta-welkin-part-size"

G_END_DECLS
