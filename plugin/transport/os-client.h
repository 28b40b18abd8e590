/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "base/clock.h"
#include "base/json.h"
#include "transport/os-request.h"
#include "values/welkin-config.h"
#include "values/welkin-surroundings.h"

G_BEGIN_DECLS

#define OS_TYPE_CLIENT (os_client_get_type ())

/*
 * One way into one cloud: who we are, the token and the catalog that the login gave, and the
 * connections. Belongs to a snapshot of the configuration. Every request logs in first if there is
 * no good token; however many ask at once, there is one login.
 *
 * source, in the calls below: the object that the callback gets, and the finish function is given.
 */
G_DECLARE_FINAL_TYPE (OsClient, os_client, OS, CLIENT, GObject)

/* config: validated. former: (nullable) the client of the snapshot before, returned again when
 * nothing that makes a client has changed, so that its token stays. (transfer full) */
OsClient       *os_client_new               (WelkinConfig         *config,
                                             WelkinSurroundings   *surroundings,
                                             OsClient             *former,
                                             GError              **error);

/* One of its own that, beside its login, sends nothing but GET and HEAD: everything else is refused
 * before it goes out. (transfer full) */
OsClient       *os_client_new_read_only     (WelkinConfig         *config,
                                             WelkinSurroundings   *surroundings,
                                             GError              **error);

/* The session, for what is sent without a token. */
WkHttp         *os_client_get_http          (OsClient             *self);
/* How fast time goes, as surroundings say, for what needs no client. (transfer full) */
WkClock        *os_client_make_clock        (WelkinSurroundings   *surroundings);
/* Time as all operations of this cloud shall see it. */
WkClock        *os_client_get_clock         (OsClient             *self);
/* What the cloud takes for the time, as its last answer told; until then it is ours. (transfer
 * full) */
GDateTime      *os_client_dup_cloud_time    (OsClient             *self);
/* The identity URL in its normal form. */
const char     *os_client_get_auth_url      (OsClient             *self);

/* TRUE: there is a good token, for a project, and the catalog has what is needed in our region. */
void            os_client_login_async       (OsClient             *self,
                                             GCancellable         *cancellable,
                                             GAsyncReadyCallback   callback,
                                             gpointer              user_data);
gboolean        os_client_login_finish      (OsClient             *self,
                                             GAsyncResult         *result,
                                             GError              **error);
/* Known after a login, and good as long as self is; NULL before the first one. */
const char     *os_client_get_project_id    (OsClient             *self);
/* NULL as well when the login did not say. */
const char     *os_client_get_user_id       (OsClient             *self);
const char     *os_client_get_region        (OsClient             *self);
/* The names of the roles that we have in the project. */
const char *const *os_client_get_roles      (OsClient             *self);
/* The base URL of a service, in its normal form; NULL when there is none. */
const char     *os_client_get_endpoint      (OsClient             *self,
                                             OsServiceKind         service);

/* Whether compute has a microversion, as in "2.67", that may be asked for: not above 2.67, nor
 * above attribute compute-api-version. It is looked up at the first such call. FALSE also
 * when that fails: what is asked next will tell why. */
void            os_client_has_microversion_async  (OsClient             *self,
                                                   const char           *version,
                                                   GCancellable         *cancellable,
                                                   GAsyncReadyCallback   callback,
                                                   gpointer              user_data);
gboolean        os_client_has_microversion_finish (OsClient             *self,
                                                   GAsyncResult         *result);

/* Sends the request with a token. Any 2xx is a success; everything else is an error that says what
 * the service said. */
void            os_client_send_async        (OsClient             *self,
                                             gpointer              source,
                                             OsRequest            *request,
                                             GCancellable         *cancellable,
                                             GAsyncReadyCallback   callback,
                                             gpointer              user_data);
/* (transfer full) */
WkHttpResponse *os_client_send_finish       (gpointer              source,
                                             GAsyncResult         *result,
                                             GError              **error);
/* The same for an answer that tells no more than that. */
gboolean        os_client_done_finish       (gpointer              source,
                                             GAsyncResult         *result,
                                             GError              **error);
/* The same for a request that deletes: that there was nothing is a success. */
gboolean        os_client_delete_finish     (gpointer              source,
                                             GAsyncResult         *result,
                                             GError              **error);

/* For an answer that is one record under a member, as in {"server": {…}}: the record is to be freed
 * with the free function of its type. */
void            os_client_load_async        (OsClient             *self,
                                             gpointer              source,
                                             OsRequest            *request,
                                             const WkJsonTable    *table,
                                             const char           *member,
                                             GCancellable         *cancellable,
                                             GAsyncReadyCallback   callback,
                                             gpointer              user_data);
gpointer        os_client_load_finish       (gpointer              source,
                                             GAsyncResult         *result,
                                             GError              **error);

/* Gets the records of each page when it is complete; it may keep what it takes a reference to. */
typedef void (*OsPageFunc) (GPtrArray *records,
                            gpointer   data);

/* Follows a list through all its pages. Each page is decoded as it arrives; with a page function
 * only one page is in memory at a time. */
void            os_client_list_async        (OsClient             *self,
                                             gpointer              source,
                                             OsRequest            *request,
                                             const WkJsonTable    *table,
                                             const char           *member,
                                             OsPageFunc            page,
                                             gpointer              page_data,
                                             GCancellable         *cancellable,
                                             GAsyncReadyCallback   callback,
                                             gpointer              user_data);
/* All records, or none when a page function got them. (transfer full) */
GPtrArray      *os_client_list_finish       (gpointer              source,
                                             GAsyncResult         *result,
                                             GError              **error);

G_END_DECLS
