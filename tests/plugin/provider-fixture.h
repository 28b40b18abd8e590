/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <fake-cloud.h>

#include "transport/os-client.h"

G_BEGIN_DECLS

/*
 * A cloud to test against: the fake one, or with WELKIN_TEST_REAL=1 the one that the OS_… variables
 * name. What has no meaning on a real cloud is skipped there.
 *
 * A call is waited for like this:
 *
 *   os_client_login_async (client, NULL, provider_fixture_done_cb, fixture);
 *   g_assert_true (os_client_login_finish (client, provider_fixture_wait (fixture), &error));
 */
typedef struct
{
  FakeCloud          *fake;         /* (owned) (nullable) NULL on a real cloud */
  WelkinSurroundings *surroundings; /* (owned) with the credentials of "demo" */
  char               *uuid;         /* (owned) of the environment that is tested */
  GAsyncResult       *result;       /* (owned) (nullable) that was not waited for yet */
  GAsyncResult       *last_result;  /* (owned) (nullable) that was waited for */
} ProviderFixture;

/* In place of g_test_run(): where a real cloud is wanted and none is named, nothing is run. */
int           provider_fixture_run         (void);

/* Are the tests run on a real cloud? Then what needs the fake one is best not even added. */
gboolean      provider_fixture_is_real     (void);

/* For g_test_add(). */
void          provider_fixture_set_up      (ProviderFixture *fixture,
                                            gconstpointer    data);
void          provider_fixture_tear_down   (ProviderFixture *fixture,
                                            gconstpointer    data);

/* TRUE when the test makes no sense on a real cloud, which is then said. */
gboolean      provider_fixture_needs_fake  (ProviderFixture *fixture);

/* A validated and prepared configuration; attributes: key, value, …, NULL. (transfer full) */
WelkinConfig *provider_fixture_make_config (ProviderFixture *fixture,
                                            ...) G_GNUC_NULL_TERMINATED;
/* A client of such a configuration. (transfer full) */
OsClient     *provider_fixture_make_client (ProviderFixture *fixture,
                                            ...) G_GNUC_NULL_TERMINATED;

void          provider_fixture_done_cb     (GObject         *source,
                                            GAsyncResult    *result,
                                            gpointer         fixture);
/* The result of the one call that is under way (transfer none); fails the test when it takes too
 * long. */
GAsyncResult *provider_fixture_wait        (ProviderFixture *fixture);

G_END_DECLS
