/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "contracts/welkin-environ.h"
#include "provider-fixture.h"

G_BEGIN_DECLS

/*
 * An environment on a cloud, fake or real, and what the cloud held before. Machines get a floating
 * IP, the base group and one of their own.
 */
typedef struct
{
  ProviderFixture provider;
  WelkinEnviron  *environ; /* (owned) */
  char           *before;  /* (owned) the inventory */
} EnvironFixture;

/* For g_test_add(). */
void               environ_fixture_set_up         (EnvironFixture      *fixture,
                                                   gconstpointer        data);
void               environ_fixture_tear_down      (EnvironFixture      *fixture,
                                                   gconstpointer        data);

/* Adds a test that has an environment of its own. */
void               environ_fixture_add_test       (const char          *path,
                                                   void               (*test) (EnvironFixture *,
                                                                               gconstpointer));

/* The same on a cloud where nova has the networks; skipped on a real one. */
void               environ_fixture_add_nova_test  (const char          *path,
                                                   void               (*test) (EnvironFixture *,
                                                                               gconstpointer));

/* An environment with a uuid of its own; attributes: key, value, …, NULL. (transfer full) */
WelkinEnviron     *environ_fixture_open           (EnvironFixture      *fixture,
                                                   ...) G_GNUC_NULL_TERMINATED;
/* The environment of the test with other attributes. */
void               environ_fixture_reopen         (EnvironFixture      *fixture,
                                                   ...) G_GNUC_NULL_TERMINATED;

/* A floating IP of nobody's, on the fake cloud. */
void               environ_fixture_add_free_ip    (EnvironFixture      *fixture);

/* How to start a machine; constraints: nullable. (transfer full) */
WelkinStartParams *environ_fixture_make_params    (const char          *machine_id,
                                                   const char          *constraints);
WelkinStartResult *environ_fixture_start          (EnvironFixture      *fixture,
                                                   WelkinEnviron       *environ,
                                                   const char          *machine_id,
                                                   const char          *constraints,
                                                   GError             **error);
/* The same, as params say. */
WelkinStartResult *environ_fixture_start_params   (EnvironFixture      *fixture,
                                                   WelkinEnviron       *environ,
                                                   WelkinStartParams   *params,
                                                   GError             **error);
gboolean           environ_fixture_stop           (EnvironFixture      *fixture,
                                                   WelkinEnviron       *environ,
                                                   const char * const  *ids,
                                                   GError             **error);
gboolean           environ_fixture_destroy        (EnvironFixture      *fixture,
                                                   WelkinEnviron       *environ,
                                                   GError             **error);
/* How many requests the fake cloud had, and how many lines of its inventory begin so. */
guint              environ_fixture_count_requests (EnvironFixture      *fixture,
                                                   const char          *method,
                                                   const char          *path);
guint              environ_fixture_count_lines    (EnvironFixture      *fixture,
                                                   const char          *start);
/* The environment of the test has a machine more, or less, or nothing is left of it, or the test
 * fails. (transfer full) */
WelkinStartResult *environ_fixture_assert_starts  (EnvironFixture      *fixture,
                                                   const char          *machine_id,
                                                   const char          *constraints);
void               environ_fixture_assert_stops   (EnvironFixture      *fixture,
                                                   const char          *id);
void               environ_fixture_assert_goes    (EnvironFixture      *fixture);
/* (transfer container) */
GPtrArray         *environ_fixture_list           (EnvironFixture      *fixture,
                                                   WelkinEnviron       *environ,
                                                   GError             **error);

/* The address that others reach it at (transfer none) (nullable). */
WelkinAddress     *environ_fixture_find_public    (WelkinInstance      *instance);

/* Machines that are started at once. */
typedef struct
{
  guint       n_left;
  GPtrArray  *ids;       /* (owned) of those that run */
  GHashTable *addresses; /* (owned) set of their public ones */
} EnvironCrowd;

void               environ_crowd_init             (EnvironCrowd        *crowd);
void               environ_crowd_add              (EnvironCrowd        *crowd,
                                                   WelkinEnviron       *environ,
                                                   WelkinStartParams   *params);
/* Until all of them run. */
void               environ_crowd_wait             (EnvironCrowd        *crowd);
void               environ_crowd_clear            (EnvironCrowd        *crowd);
/* All of this but the last for machines 0 to n - 1. */
void               environ_crowd_start            (EnvironCrowd        *crowd,
                                                   EnvironFixture      *fixture,
                                                   guint                n);

/* What the cloud holds, one thing a line: on the fake cloud all of it, on a real one, where
 * others may be at work, what carries the mark of an environment that the test has opened.
 * (transfer full) */
char              *environ_fixture_take_inventory (EnvironFixture      *fixture);
/* Fails the test unless the inventory is as it was before. */
void               environ_fixture_assert_clean   (EnvironFixture      *fixture);

G_END_DECLS
