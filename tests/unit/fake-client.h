/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <json-glib/json-glib.h>
#include <libsoup/soup.h>

#include "fake-cloud.h"

G_BEGIN_DECLS

/*
 * A small client of the fake, for its own tests: it waits by running the main
 * context in which the fake answers.
 */
typedef struct
{
  FakeCloud *cloud; /* (owned) */
  SoupSession *session;
  char *token;      /* sent with each request (nullable) */
  char *project_id; /* of the last login */

  /* the last answer */
  guint status;
  SoupMessage *message;
  char *text;
  JsonNode *json; /* (nullable) */
} FakeClient;

FakeClient *fake_client_new (void);
void fake_client_free (FakeClient *client);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FakeClient, fake_client_free)

/* user and password are the same kind of pair as in the test cloud */
void fake_client_log_in (FakeClient *client, const char *user, const char *password,
                         const char *project);

/*
 * Sends and waits. @body may have ' for "; headers are "Name: value", NULL at the
 * end. Status 0 is a connection that was closed.
 */
void fake_client_send (FakeClient *client, const char *method, const char *path, const char *body,
                       ...) G_GNUC_NULL_TERMINATED;
/* the same with %-directives in the path or body done by printf */
char *fake_client_format (const char *format, ...) G_GNUC_PRINTF (1, 2);

/* sends without waiting; fake_client_wait() takes the answer */
typedef struct _FakePending FakePending;
FakePending *fake_client_start (FakeClient *client, const char *method, const char *path,
                                const char *body, ...) G_GNUC_NULL_TERMINATED;
void fake_client_wait (FakeClient *client, FakePending *pending);

/* a value of the answer as text: "server.status", "ports.0.id"; NULL if there is none */
const char *fake_client_get (FakeClient *client, const char *path);
int fake_client_count (FakeClient *client, const char *path);
const char *fake_client_get_header (FakeClient *client, const char *name);
/* runs the main context for a while */
void fake_client_pause (guint ms);
/* asks for @path until @value stands at @member */
void fake_client_await (FakeClient *client, const char *path, const char *member,
                        const char *value);

#define fake_client_assert_status(client, expected)                                              \
  G_STMT_START                                                                                   \
  {                                                                                              \
    if ((client)->status != (expected))                                                          \
      g_test_message ("%u: %s", (client)->status, (client)->text);                               \
    g_assert_cmpuint ((client)->status, ==, (expected));                                         \
  }                                                                                              \
  G_STMT_END

G_END_DECLS
