/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-storage.h"
#include "provider-fixture.h"

G_BEGIN_DECLS

/* An environment's storage on a client of its own, and calls of it that are waited for. */
typedef struct
{
  OsClient      *client;
  WelkinStorage *storage;
  char          *bucket;
} StoragePlace;

/* uuid: of the environment, NULL for the fixture's; bucket: NULL for a new one */
void            storage_place_init      (StoragePlace        *place,
                                         ProviderFixture     *fixture,
                                         const char          *uuid,
                                         const char          *bucket);
void            storage_place_init_for  (StoragePlace        *place,
                                         ProviderFixture     *fixture,
                                         WelkinConfig        *config);
/* Of this kind, on the fake; FALSE where there is none. */
gboolean        storage_place_init_kind (StoragePlace        *place,
                                         ProviderFixture     *fixture,
                                         const char          *kind);
void            storage_place_clear     (StoragePlace        *place);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (StoragePlace, storage_place_clear)

/* That no other seed would make. (transfer full) */
GBytes         *storage_make_data       (gsize                size,
                                         guint                seed);
/* A stream of bytes that cannot go back to its start. */
GInputStream   *storage_make_one_way    (GBytes              *bytes);
gboolean        storage_save            (ProviderFixture     *fixture,
                                         WelkinStorage       *storage,
                                         const char          *name,
                                         const char          *text,
                                         WelkinStorageFlags   flags,
                                         GError             **error);
void            storage_save_well       (ProviderFixture     *fixture,
                                         WelkinStorage       *storage,
                                         const char          *name,
                                         const char          *text);
GBytes         *storage_load            (ProviderFixture     *fixture,
                                         WelkinStorage       *storage,
                                         const char          *name,
                                         WelkinStorageFlags   flags,
                                         GError             **error);
gboolean        storage_put             (ProviderFixture     *fixture,
                                         WelkinStorage       *storage,
                                         const char          *name,
                                         GInputStream        *stream,
                                         goffset              size,
                                         WelkinStorageFlags   flags,
                                         GCancellable        *cancellable,
                                         GError             **error);
/* How many objects with such a name there are on the fake cloud. */
guint           storage_count_objects   (ProviderFixture     *fixture,
                                         const char          *part);
void            storage_assert_contents (ProviderFixture     *fixture,
                                         WelkinStorage       *storage,
                                         const char          *name,
                                         const char          *text);
/* Names of all that there is. (transfer full) */
char          **storage_list            (ProviderFixture     *fixture,
                                         WelkinStorage       *storage,
                                         const char          *prefix,
                                         GError             **error);
/* expected: joined by "|" */
void            storage_assert_names    (ProviderFixture     *fixture,
                                         WelkinStorage       *storage,
                                         const char          *prefix,
                                         const char          *expected);
gboolean        storage_try_to_remove   (ProviderFixture     *fixture,
                                         WelkinStorage       *storage,
                                         const char          *name,
                                         GError             **error);
void            storage_remove          (ProviderFixture     *fixture,
                                         WelkinStorage       *storage,
                                         const char          *name);
gboolean        storage_remove_all      (ProviderFixture     *fixture,
                                         WelkinStorage       *storage,
                                         GError             **error);
void            storage_remove_all_well (ProviderFixture     *fixture,
                                         WelkinStorage       *storage);
WkHttpResponse *storage_head_container  (ProviderFixture     *fixture,
                                         StoragePlace        *place,
                                         GError             **error);
char           *storage_get_uri         (ProviderFixture     *fixture,
                                         WelkinStorage       *storage,
                                         const char          *name,
                                         GDateTime          **expires,
                                         GError             **error);
/* Without a token. Returns the status. */
guint           storage_fetch           (ProviderFixture     *fixture,
                                         const char          *uri,
                                         GBytes             **body);

/* A test for a kind of storage, under group/kind/path. */
void storage_add_test (const char *group,
                       const char *kind,
                       const char *path,
                       void      (*test) (ProviderFixture *, gconstpointer));

G_END_DECLS
