/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-config.h"
#include "values/welkin-surroundings.h"

G_BEGIN_DECLS

/* What no message may ever contain. */
#define CANARY "canary-7d1f"

/* Where the user's clouds.yaml is. */
#define CLOUDS "home/.config/openstack/clouds.yaml"

/* A file with one cloud, which is "a". */
#define A_CLOUD                                                                                    \
  "clouds:\n"                                                                                      \
  "  a:\n"                                                                                         \
  "    auth: {auth_url: 'https://a.test/v3', username: u, password: " CANARY ", project_name: p}\n"

/*
 * A user with a home, in the working directory "here", on a system whose configuration is in
 * "system": all below a directory of the test's own, which texts that are expected call "@/".
 */
typedef struct
{
  char       *directory; /* (owned) */
  GHashTable *variables; /* (owned) name to value */
} CloudFilesFixture;

/* For g_test_add(). */
void                cloud_files_fixture_set_up            (CloudFilesFixture  *fixture,
                                                           gconstpointer       data);
void                cloud_files_fixture_tear_down         (CloudFilesFixture  *fixture,
                                                           gconstpointer       data);

void                cloud_files_fixture_set               (CloudFilesFixture  *fixture,
                                                           const char         *variable,
                                                           const char         *value);
/* (transfer full) */
char               *cloud_files_fixture_path              (CloudFilesFixture  *fixture,
                                                           const char         *name);
/* A file that only its owner may read. */
void                cloud_files_fixture_write             (CloudFilesFixture  *fixture,
                                                           const char         *name,
                                                           const char         *text);
/* (transfer full) */
WelkinSurroundings *cloud_files_fixture_make_surroundings (CloudFilesFixture  *fixture);

/* The effective configuration of one that has these attributes: key, value, …, NULL.
 * (transfer full) */
WelkinConfig       *cloud_files_fixture_fill              (CloudFilesFixture  *fixture,
                                                           ...) G_GNUC_NULL_TERMINATED;
/* That an attribute is so, and is from that line of the file; file: nullable: not asked. */
void                cloud_files_fixture_assert            (CloudFilesFixture  *fixture,
                                                           WelkinConfig       *effective,
                                                           const char         *attribute,
                                                           const char         *expected,
                                                           const char         *file,
                                                           guint               line);
void                cloud_files_fixture_assert_origin     (WelkinConfig       *effective,
                                                           const char         *attribute,
                                                           const char         *expected,
                                                           const char         *origin);
/* That an environment with these attributes is refused with just that message, which holds no
 * secret: key, value, …, NULL. */
void                cloud_files_fixture_assert_refused    (CloudFilesFixture  *fixture,
                                                           const char         *message,
                                                           ...) G_GNUC_NULL_TERMINATED;
/* That people are told just this about the files: text, …, NULL. */
void                cloud_files_fixture_assert_notices    (CloudFilesFixture  *fixture,
                                                           ...) G_GNUC_NULL_TERMINATED;

G_END_DECLS
