/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* The cloud as a whole: services, contents, settings, time. */

#include "fake-guests.h"

static const FakeService *const fake_services[] = {
  &fake_keystone_service,
  &fake_neutron_service,
  &fake_nova_service,
  &fake_glance_service,
  &fake_cinder_service,
  &fake_swift_service,
  &fake_swift_info_service,
  &fake_s3_service,
  &fake_metadata_service,
  &fake_control_service,
};

typedef struct
{
  FakeStore *store;
  FakeAdd add;
  FakeRemove remove;
} FakeKind;

static void
kind_free (gpointer data)
{
  FakeKind *kind = data;

  fake_store_free (kind->store);
  g_free (kind);
}

typedef struct
{
  gint64 due_us;
  guint64 number; /* keeps the order of those due at the same time */
  FakeEvent run;
  char *id;
} Event;

static void
event_free (gpointer data)
{
  Event *event = data;

  g_free (event->id);
  g_free (event);
}

static FakeCloud *
make (const char *host, guint port, gboolean with_defaults, const char *certificate,
      GError **error)
{
  g_autoptr (FakeCloud) self = g_new0 (FakeCloud, 1);

  self->context = g_main_context_ref_thread_default ();
  self->settings = (FakeSettings) {
    .build_delay = 50,
    .delete_delay = 50,
    .fip_delay = 20,
    .token_life = 3600,
    .keystone_has_v3 = TRUE,
    .nova_max_limit = 1000,
    .glance_max_limit = 1000,
    .swift_max_limit = 10000,
    .swift_has_info = TRUE,
    .swift_has_tempurl = TRUE,
    .swift_has_bulk = TRUE,
    .swift_has_slo = TRUE,
    .swift_max_file_size = G_MAXINT,
    .s3_max_keys = 1000,
    .nova_max_microversion = 93,
  };
  self->kinds = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, kind_free);
  self->quotas =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) json_object_unref);
  self->events = g_sequence_new (event_free);
  self->rules = fake_rules_new ();
  self->log = g_ptr_array_new_with_free_func ((GDestroyNotify) fake_log_entry_unref);
  for (guint i = 0; i < G_N_ELEMENTS (fake_services); i++)
    fake_services[i]->create (self);

  if (!fake_server_listen (self, host, port, certificate, error))
    return NULL;
  if (with_defaults)
    fake_cloud_add_defaults (self);
  return g_steal_pointer (&self);
}

FakeCloud *
fake_cloud_new_full (guint port, gboolean with_defaults, const char *certificate, GError **error)
{
  return make ("127.0.0.1", port, with_defaults, certificate, error);
}

FakeCloud *
fake_cloud_new_at (const char *address, guint port, const char *certificate, GError **error)
{
  return make (address, port, TRUE, certificate, error);
}

FakeCloud *
fake_cloud_new (GError **error)
{
  return fake_cloud_new_full (0, TRUE, NULL, error);
}

void
fake_cloud_free (FakeCloud *self)
{
  fake_server_stop (self);
  fake_guests_free (self->guests);
  for (guint i = 0; i < G_N_ELEMENTS (fake_services); i++)
    fake_services[i]->destroy (self);
  g_hash_table_unref (self->kinds);
  g_hash_table_unref (self->quotas);
  g_sequence_free (self->events);
  fake_rules_free (self->rules);
  g_ptr_array_unref (self->log);
  g_main_context_unref (self->context);
  g_free (self->url);
  g_free (self->auth_url);
  g_free (self);
}

const char *
fake_cloud_get_url (FakeCloud *self)
{
  return self->url;
}

const char *
fake_cloud_get_auth_url (FakeCloud *self)
{
  return self->auth_url;
}

char **
fake_cloud_dup_environment (FakeCloud *self, const char *user, const char *project)
{
  JsonObject *object = fake_cloud_find_object (self, "user", user);
  GStrvBuilder *builder = g_strv_builder_new ();
  char **environment;

  g_return_val_if_fail (object != NULL, NULL);
  g_strv_builder_add_many (builder, "OS_IDENTITY_API_VERSION=3", "OS_USER_DOMAIN_NAME=Default",
                           "OS_PROJECT_DOMAIN_NAME=Default", "OS_REGION_NAME=RegionOne",
                           "OS_INTERFACE=public", "no_proxy=127.0.0.1,localhost", NULL);
  environment = g_strv_builder_end (builder);
  g_strv_builder_unref (builder);
  environment = g_environ_setenv (environment, "OS_AUTH_URL", self->auth_url, TRUE);
  environment = g_environ_setenv (environment, "OS_USERNAME", user, TRUE);
  environment = g_environ_setenv (environment, "OS_PASSWORD",
                                  fake_json_get_string (object, "password"), TRUE);
  return g_environ_setenv (environment, "OS_PROJECT_NAME", project, TRUE);
}

const FakeService *
fake_cloud_find_service (const char *path)
{
  for (guint i = 0; i < G_N_ELEMENTS (fake_services); i++)
    {
      gsize length = strlen (fake_services[i]->prefix);

      if (strncmp (path, fake_services[i]->prefix, length) == 0
          && (path[length] == '/' || path[length] == '\0'))
        return fake_services[i];
    }
  return NULL;
}

/* contents */

FakeStore *
fake_cloud_add_kind (FakeCloud *self, const char *name, FakeAdd add, FakeRemove remove)
{
  FakeKind *kind = g_new0 (FakeKind, 1);

  kind->store = fake_store_new ();
  kind->add = add;
  kind->remove = remove;
  g_hash_table_insert (self->kinds, g_strdup (name), kind);
  return kind->store;
}

FakeStore *
fake_cloud_get_store (FakeCloud *self, const char *name)
{
  FakeKind *kind = g_hash_table_lookup (self->kinds, name);

  g_assert_nonnull (kind);
  return kind->store;
}

JsonObject *
fake_cloud_find_object (FakeCloud *self, const char *kind, const char *name)
{
  return name != NULL ? fake_store_find (fake_cloud_get_store (self, kind), name) : NULL;
}

JsonObject *
fake_cloud_try_add (FakeCloud *self, const char *name, JsonObject *content)
{
  FakeKind *kind = g_hash_table_lookup (self->kinds, name);

  return kind != NULL && kind->add != NULL ? kind->add (self, content) : NULL;
}

gboolean
fake_cloud_try_update (FakeCloud *self, const char *kind, const char *name, JsonObject *change)
{
  JsonObject *object;

  if (!g_hash_table_contains (self->kinds, kind))
    return FALSE;
  object = fake_cloud_find_object (self, kind, name);
  if (object != NULL)
    fake_json_merge (object, change);
  return object != NULL;
}

gboolean
fake_cloud_try_remove (FakeCloud *self, const char *name_of_kind, const char *name)
{
  FakeKind *kind = g_hash_table_lookup (self->kinds, name_of_kind);
  JsonObject *object = kind != NULL ? fake_store_find (kind->store, name) : NULL;
  g_autofree char *id = NULL;

  if (object == NULL)
    return FALSE;
  id = g_strdup (fake_json_get_string (object, "id"));
  if (kind->remove != NULL)
    kind->remove (self, name_of_kind, id);
  else
    fake_store_remove (kind->store, id);
  return TRUE;
}

static JsonObject *
parse_relaxed (const char *json)
{
  g_autoptr (GString) strict = g_string_new (json);

  if (strchr (json, '"') == NULL)
    g_string_replace (strict, "'", "\"", 0);
  return fake_json_parse_object (strict->str);
}

const char *
fake_cloud_add (FakeCloud *self, const char *kind, const char *json)
{
  g_autoptr (JsonObject) content = parse_relaxed (json);
  JsonObject *object = content != NULL ? fake_cloud_try_add (self, kind, content) : NULL;

  if (object == NULL)
    g_error ("fake-openstack: cannot add %s %s", kind, json);
  return fake_json_get_string (object, "id");
}

void
fake_cloud_update (FakeCloud *self, const char *kind, const char *name, const char *json)
{
  g_autoptr (JsonObject) change = parse_relaxed (json);

  if (change == NULL || !fake_cloud_try_update (self, kind, name, change))
    g_error ("fake-openstack: cannot update %s %s to %s", kind, name, json);
}

void
fake_cloud_remove (FakeCloud *self, const char *kind, const char *name)
{
  if (!fake_cloud_try_remove (self, kind, name))
    g_error ("fake-openstack: there is no %s %s", kind, name);
}

const char *
fake_cloud_find (FakeCloud *self, const char *kind, const char *name)
{
  JsonObject *object = fake_cloud_find_object (self, kind, name);

  return object != NULL ? fake_json_get_string (object, "id") : NULL;
}

/* settings */

static const struct
{
  const char *name;
  gsize offset;
} settings[] = {
#define SETTING(name, field) { name, G_STRUCT_OFFSET (FakeSettings, field) }
  SETTING ("build-delay", build_delay),
  SETTING ("delete-delay", delete_delay),
  SETTING ("fip-delay", fip_delay),
  SETTING ("latency", latency),
  SETTING ("token-life", token_life),
  SETTING ("clock-skew", clock_skew),
  SETTING ("keystone-has-v1", keystone_has_v1),
  SETTING ("keystone-has-v2", keystone_has_v2),
  SETTING ("keystone-has-v3", keystone_has_v3),
  SETTING ("keystone-has-key-pair", keystone_has_key_pair),
  SETTING ("keystone-has-ec2", keystone_has_ec2),
  SETTING ("nova-max-limit", nova_max_limit),
  SETTING ("neutron-max-limit", neutron_max_limit),
  SETTING ("glance-max-limit", glance_max_limit),
  SETTING ("swift-max-limit", swift_max_limit),
  SETTING ("swift-has-info", swift_has_info),
  SETTING ("swift-has-tempurl", swift_has_tempurl),
  SETTING ("nova-network", nova_network),
  SETTING ("swift-has-bulk", swift_has_bulk),
  SETTING ("swift-has-slo", swift_has_slo),
  SETTING ("swift-missing-reads", swift_missing_reads),
  SETTING ("swift-max-file-size", swift_max_file_size),
  SETTING ("swift-is-radosgw", swift_is_radosgw),
  SETTING ("s3-max-keys", s3_max_keys),
  SETTING ("s3-has-v1-list", s3_has_v1_list),
  SETTING ("s3-is-region-one", s3_is_region_one),
  SETTING ("s3-ignores-conditions", s3_ignores_conditions),
  SETTING ("nova-max-microversion", nova_max_microversion),
  SETTING ("case-sensitive", case_sensitive),
  SETTING ("nova-soft-delete", nova_soft_delete),
  SETTING ("nova-leaves-volumes", nova_leaves_volumes),
  SETTING ("nova-missing-reads", nova_missing_reads),
#undef SETTING
};

gboolean
fake_cloud_try_set (FakeCloud *self, const char *setting, int value)
{
  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    if (g_str_equal (settings[i].name, setting))
      {
        G_STRUCT_MEMBER (int, &self->settings, settings[i].offset) = value;
        return TRUE;
      }
  return FALSE;
}

void
fake_cloud_set (FakeCloud *self, const char *setting, int value)
{
  if (!fake_cloud_try_set (self, setting, value))
    g_error ("fake-openstack: there is no setting %s", setting);
}

/* OpenStack's own defaults, for projects that have no other quota */
static const struct
{
  const char *resource;
  int limit;
} default_quotas[] = {
  { "instances", 10 },       { "cores", 20 },          { "ram", 51200 },
  { "key_pairs", 100 },      { "server_groups", 10 },  { "metadata_items", 128 },
  { "network", 100 },        { "subnet", 100 },        { "port", 500 },
  { "router", 10 },          { "floatingip", 50 },     { "security_group", 10 },
  { "security_group_rule", 100 }, { "server_group_members", 10 }, { "volumes", 10 },
};

int
fake_cloud_get_quota (FakeCloud *self, const char *project_id, const char *resource)
{
  JsonObject *own = g_hash_table_lookup (self->quotas, project_id);

  if (own != NULL && json_object_has_member (own, resource))
    return (int) json_object_get_int_member (own, resource);
  for (guint i = 0; i < G_N_ELEMENTS (default_quotas); i++)
    if (g_str_equal (default_quotas[i].resource, resource))
      return default_quotas[i].limit;
  return -1;
}

gboolean
fake_cloud_try_set_quota (FakeCloud *self, const char *project, const char *resource, int limit)
{
  const char *id = fake_cloud_find (self, "project", project);
  JsonObject *own;

  if (id == NULL)
    return FALSE;
  own = g_hash_table_lookup (self->quotas, id);
  if (own == NULL)
    {
      own = json_object_new ();
      g_hash_table_insert (self->quotas, g_strdup (id), own);
    }
  for (guint i = 0; i < G_N_ELEMENTS (default_quotas); i++)
    if (g_str_equal (default_quotas[i].resource, resource) || g_str_equal (resource, "*"))
      json_object_set_int_member (own, default_quotas[i].resource, limit);
  return g_str_equal (resource, "*") || json_object_has_member (own, resource);
}

void
fake_cloud_set_quota (FakeCloud *self, const char *project, const char *resource, int limit)
{
  if (!fake_cloud_try_set_quota (self, project, resource, limit))
    g_error ("fake-openstack: no project %s or no quota of %s", project, resource);
}

/* time */

char *
fake_uuid (void)
{
  return g_uuid_string_random ();
}

char *
fake_hex_id (void)
{
  g_autofree char *uuid = g_uuid_string_random ();
  GString *id = g_string_new (uuid);

  g_string_replace (id, "-", "", 0);
  return g_string_free (id, FALSE);
}

char *
fake_time_text (gint64 real_us, gboolean with_micros)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_utc (real_us / G_USEC_PER_SEC);

  return g_date_time_format (time, with_micros ? "%Y-%m-%dT%H:%M:%S.000000Z"
                                               : "%Y-%m-%dT%H:%M:%SZ");
}

char *
fake_now (void)
{
  return fake_time_text (g_get_real_time (), FALSE);
}

static int
compare_events (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const Event *left = a, *right = b;

  if (left->due_us != right->due_us)
    return left->due_us < right->due_us ? -1 : 1;
  return (left->number > right->number) - (left->number < right->number);
}

void
fake_cloud_schedule (FakeCloud *self, int delay_ms, FakeEvent run, const char *id)
{
  Event *event;

  if (delay_ms <= 0)
    {
      run (self, id);
      return;
    }
  event = g_new0 (Event, 1);
  event->due_us = g_get_monotonic_time () + (gint64) delay_ms * 1000;
  event->number = ++self->event_count;
  event->run = run;
  event->id = g_strdup (id);
  g_sequence_insert_sorted (self->events, event, compare_events, NULL);
}

void
fake_cloud_run_events (FakeCloud *self)
{
  gint64 now = g_get_monotonic_time ();

  while (!g_sequence_is_empty (self->events))
    {
      GSequenceIter *first = g_sequence_get_begin_iter (self->events);
      Event *event = g_sequence_get (first);
      g_autofree char *id = NULL;
      FakeEvent run = event->run;

      if (event->due_us > now)
        break;
      id = g_steal_pointer (&event->id);
      g_sequence_remove (first);
      run (self, id);
    }
}

/* what is there */

static int
compare_lines (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

char *
fake_cloud_dump_inventory (FakeCloud *self, const char *project)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  const char *project_id = NULL;

  if (project != NULL)
    {
      project_id = fake_cloud_find (self, "project", project);
      g_return_val_if_fail (project_id != NULL, NULL);
    }
  fake_cloud_run_events (self);
  for (guint i = 0; i < G_N_ELEMENTS (fake_services); i++)
    if (fake_services[i]->dump != NULL)
      fake_services[i]->dump (self, project_id, lines);
  g_ptr_array_sort (lines, compare_lines);
  g_ptr_array_add (lines, NULL);
  return g_strjoinv ("\n", (char **) lines->pdata);
}
