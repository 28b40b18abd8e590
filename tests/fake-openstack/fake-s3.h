/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What the files of the S3 interface share. Its buckets are the containers of the object store. */

#include "fake-swift.h"

G_BEGIN_DECLS

/* Where a request goes; names are decoded. */
typedef struct
{
  char *bucket; /* (nullable) */
  char *key;    /* (nullable) */
} FakeS3Path;

/* A large object that is being put together. */
typedef struct
{
  char *bucket;
  char *key;
  char *part_size; /* (nullable) metadata */
  GTree *parts;    /* (owned) number → GBytes */
} FakeUpload;

struct _FakeS3
{
  GHashTable *uploads; /* id → FakeUpload */
};

/* fake-s3.c */
void fake_s3_fail (FakeRequest *request, guint status, const char *code, const char *message,
                   const char *extra);
/* takes @xml */
void fake_s3_reply (FakeRequest *request, char *xml);
/* text as it stands in an element (transfer full) */
char *fake_s3_escape (const char *text);
/* the texts of all elements of this name, in order (transfer full); NULL if it is no XML */
GPtrArray *fake_s3_read_elements (GBytes *bytes, const char *name);
gint64 fake_s3_get_time (FakeRequest *request);

/* fake-s3-auth.c: the account of who signed the request, or NULL after an answer (transfer full) */
char *fake_s3_authenticate (FakeRequest *request);

/* fake-s3-list.c */
void fake_s3_list_bucket (FakeRequest *request, const char *bucket, FakeContainer *container);
void fake_s3_list_uploads (FakeRequest *request, const char *bucket);

/* fake-s3-objects.c */
/* if the body is what its headers say; FALSE after an answer */
gboolean fake_s3_check_body (FakeRequest *request);
void fake_s3_handle_object (FakeRequest *request, FakeContainer *container, const FakeS3Path *path);
void fake_s3_delete_objects (FakeRequest *request, FakeContainer *container);

/* fake-s3-uploads.c; FALSE: it is no matter of uploads */
gboolean fake_s3_handle_upload (FakeRequest *request, FakeContainer *container,
                                const FakeS3Path *path);
void fake_s3_upload_free (gpointer upload);
void fake_s3_store (FakeRequest *request, FakeContainer *container, const char *key,
                    GBytes *content, const char *etag, const char *part_size);

G_END_DECLS
