/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What the files of the fake identity service share. */

#include "fake-neutron.h"

G_BEGIN_DECLS

/* What a login has found out. */
typedef struct
{
  JsonObject *user;
  JsonObject *project;        /* (nullable) */
  JsonObject *credential;     /* (nullable) */
  JsonObject *trust;          /* (nullable) */
  const FakeToken *old_token; /* (nullable) */
} FakeLogin;

/* fake-keystone.c */
/* by the clock of this cloud */
gint64 fake_keystone_get_time (FakeCloud *cloud);
/* @extra: more members of the error, each with a comma behind it, or NULL */
void fake_keystone_fail (FakeRequest *request, guint status, const char *message,
                         const char *extra);
/* the same with status 401 and what keystone says to all who are not who they say */
void fake_keystone_refuse (FakeRequest *request);
void fake_keystone_fail_malformed (FakeRequest *request, const char *what, const char *where);

/* fake-keystone-tokens.c */
void fake_keystone_create_tokens (FakeCloud *cloud);
/* the valid one with this id, or NULL */
FakeToken *fake_keystone_get_token (FakeCloud *cloud, const char *id);
FakeToken *fake_keystone_make_token (FakeCloud *cloud, const FakeLogin *login, const char *method);
/* FALSE of what a cloud without neutron has not */
gboolean fake_keystone_shows_type (FakeCloud *cloud, const char *type);
/* the catalog as JSON (transfer full) */
char *fake_keystone_make_catalog (FakeCloud *cloud, const char *project_id);
void fake_keystone_reply_token (FakeRequest *request, guint status, const FakeToken *token);

/* fake-keystone-login.c */
/* the project by id, or by name in the default domain, if the user has a role in it, or NULL */
JsonObject *fake_keystone_find_project (FakeCloud *cloud, JsonObject *user, const char *id,
                                        const char *name);
void fake_keystone_post_token (FakeRequest *request);

/* fake-keystone-v2.c, -ec2.c, -v1.c */
void fake_keystone_post_token_v2 (FakeRequest *request);
void fake_keystone_post_ec2 (FakeRequest *request);
void fake_keystone_get_token_v1 (FakeRequest *request);

/* fake-keystone-users.c */
void fake_keystone_post_credential (FakeRequest *request);
void fake_keystone_delete_credential (FakeRequest *request);
void fake_keystone_post_ec2_key (FakeRequest *request);
void fake_keystone_delete_ec2_key (FakeRequest *request);

/* fake-keystone-keys.c */
void fake_keystone_list_keys (FakeRequest *request);

G_END_DECLS
