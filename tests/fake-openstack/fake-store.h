/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/*
 * Resources of one kind: JSON objects with "id" and mostly "name", as they go
 * over the wire, in the order they were made.
 */
typedef struct _FakeStore FakeStore;

FakeStore *fake_store_new (void);
void fake_store_free (FakeStore *store);

/* takes @object; one without an id gets a UUID */
JsonObject *fake_store_add (FakeStore *store, JsonObject *object);
JsonObject *fake_store_get (FakeStore *store, const char *id);
/* by id, else the first of that name */
JsonObject *fake_store_find (FakeStore *store, const char *name);
void fake_store_remove (FakeStore *store, const char *id);
guint fake_store_get_length (FakeStore *store);

/* for (GList *l = fake_store_get_first (store); l != NULL; l = l->next) JsonObject *o = l->data; */
GList *fake_store_get_first (FakeStore *store);
/* NULL if there is no such id */
GList *fake_store_get_link (FakeStore *store, const char *id);

G_END_DECLS
