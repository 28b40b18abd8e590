/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "home.h"

#include <welkin.h>

G_BEGIN_DECLS

/* A home with one environment on the cloud in memory. Each test has a name of its own for it, since
 * that cloud remembers names as long as the process lives. */
typedef struct
{
  Home               *home;
  const char         *name;
  WelkinEnvironments *environments;
  GAsyncResult       *result;
} Fixture;

/* broken: the names of the calls that fail, with a comma between */
Fixture        *fixture_new                    (const char *name,
                                                const char *broken);
void            fixture_free                   (Fixture *fixture);
void            fixture_done_cb                (GObject      *source,
                                                GAsyncResult *result,
                                                gpointer      user_data);
GAsyncResult   *fixture_wait                   (Fixture *fixture);
void            fixture_begin_bootstrap        (Fixture  *fixture,
                                                gboolean  keep_broken);
WelkinEnviron  *fixture_finish_bootstrap       (Fixture  *fixture,
                                                GError  **error);
WelkinEnviron  *fixture_bootstrap              (Fixture   *fixture,
                                                gboolean   keep_broken,
                                                GError   **error);
/* The same where one was before, whose configuration holds. message: (nullable) that it tells */
WelkinEnviron  *fixture_bootstrap_again        (Fixture     *fixture,
                                                const char  *message,
                                                GError     **error);
gboolean        fixture_destroy                (Fixture  *fixture,
                                                GError  **error);
char           *fixture_read_info              (Fixture *fixture);
guint           fixture_count_instances        (Fixture       *fixture,
                                                WelkinEnviron *environment);
/* What the cloud in memory holds under this name, whoever made it. */
WelkinEnviron  *fixture_look_at_cloud          (Fixture *fixture);
void            fixture_assert_nothing_is_left (Fixture *fixture);
void            fixture_save                   (Fixture    *fixture,
                                                const char *name,
                                                const char *text);
char           *fixture_load                   (Fixture    *fixture,
                                                const char *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Fixture, fixture_free)

G_END_DECLS
