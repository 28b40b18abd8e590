/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What the files of the object store share. */

#include "fake-private.h"

G_BEGIN_DECLS

typedef struct
{
  GBytes *content;      /* (owned) of a manifest: its JSON */
  char *etag;           /* MD5; of a manifest: that of the etags of its segments */
  char *content_type;
  GHashTable *metadata; /* (owned) header name → value */
  gint64 time_us;
  gboolean is_slo;
  guint64 size;         /* of a manifest: of all segments */
  int reads_until_seen; /* how often it is still reported missing */
  FakeLogEntry *writer; /* (owned) */
} FakeObject;

typedef struct
{
  GTree *objects;       /* (owned) name → FakeObject */
  GHashTable *metadata; /* (owned) header name → value */
  guint64 bytes;
  gint64 time_us;
} FakeContainer;

typedef struct
{
  GTree *containers;    /* (owned) name → FakeContainer */
  GHashTable *metadata; /* (owned) header name → value */
  gint64 time_us;
} FakeAccount;

struct _FakeSwift
{
  GHashTable *accounts; /* AUTH_… → FakeAccount */
};

/* Where a request goes; names are decoded. */
typedef struct
{
  char *account;
  char *container; /* (nullable) */
  char *object;    /* (nullable) */
} FakeSwiftPath;

void fake_swift_path_clear (FakeSwiftPath *path);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FakeSwiftPath, fake_swift_path_clear)

/* fake-swift.c */
void fake_swift_reply_status (FakeRequest *request, guint status);
FakeAccount *fake_swift_get_account (FakeCloud *cloud, const char *name);
FakeContainer *fake_swift_get_container (FakeAccount *account, const char *name);
FakeContainer *fake_swift_add_container (FakeAccount *account, const char *name);
/* stores headers that begin with one of @prefixes; an empty value removes */
void fake_swift_take_metadata (FakeRequest *request, GHashTable *metadata,
                               const char *const *prefixes);
void fake_swift_set_time_headers (FakeRequest *request, gint64 time_us);
GHashTable *fake_swift_metadata_new (void);

/* fake-swift-auth.c: whether the request may do what it asks; FALSE after an answer */
gboolean fake_swift_authorize (FakeRequest *request, const FakeSwiftPath *path);
/* the same without an answer, and without what a URL says */
gboolean fake_swift_may_read (FakeRequest *request, const FakeSwiftPath *path);

/* fake-swift-list.c */
void fake_swift_list_account (FakeRequest *request, FakeAccount *account);
void fake_swift_list_container (FakeRequest *request, FakeContainer *container);

/* fake-swift-objects.c */
void fake_object_free (FakeObject *object);
void fake_swift_handle_object (FakeRequest *request, FakeAccount *account,
                               FakeContainer *container, const FakeSwiftPath *path);
/* the content, or the range of it that was asked for, if its etag is the one that was expected */
void fake_swift_reply_content (FakeRequest *request, FakeObject *object, GBytes *content);
JsonObject *fake_swift_add_objects (FakeCloud *cloud, JsonObject *content);
void fake_swift_remove_object (FakeContainer *container, const char *name);

/* fake-swift-bulk.c */
void fake_swift_bulk_delete (FakeRequest *request, const FakeSwiftPath *path);
void fake_swift_delete_manifest (FakeRequest *request, FakeAccount *account,
                                 FakeContainer *container, const FakeSwiftPath *path);
/* the answer to multipart-manifest=get (transfer full) */
GBytes *fake_swift_describe_segments (FakeAccount *account, const FakeObject *manifest);
/* a container's key for temporary URLs, and its rule, are good for that container alone */
gboolean fake_swift_may_read_segments (FakeRequest *request, const FakeSwiftPath *path,
                                       const FakeObject *manifest);
/* the content of all segments; NULL if one is missing (transfer full) */
GBytes *fake_swift_join_segments (FakeAccount *account, const FakeObject *manifest);
/* checks the manifest in the body; FALSE after an answer */
gboolean fake_swift_read_manifest (FakeRequest *request, FakeAccount *account, char **etag,
                                   guint64 *size);
void fake_swift_reply_info (FakeRequest *request);

G_END_DECLS
