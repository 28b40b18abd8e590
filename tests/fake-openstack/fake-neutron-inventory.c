/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* The network part of the inventory: a line for each resource, without ids. */

#include "fake-neutron.h"

static const char *
get_name (FakeCloud *cloud, const char *kind, const char *id)
{
  JsonObject *object = id != NULL ? fake_store_get (fake_cloud_get_store (cloud, kind), id) : NULL;

  return object != NULL ? fake_json_get_string (object, "name") : NULL;
}

static int
compare_lines (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

static char *
join_sorted (GPtrArray *parts)
{
  g_ptr_array_sort (parts, compare_lines);
  g_ptr_array_add (parts, NULL);
  return g_strjoinv ("; ", (char **) parts->pdata);
}

static char *
describe_rule (FakeCloud *cloud, JsonObject *rule)
{
  const char *protocol = fake_json_get_string (rule, "protocol");
  const char *from = fake_json_get_string (rule, "remote_ip_prefix");
  const char *group = fake_json_get_string (rule, "remote_group_id");

  if (group != NULL)
    from = get_name (cloud, "security_group", group);
  return g_strdup_printf ("%s %s %s %d-%d %s", fake_json_get_string (rule, "direction"),
                          fake_json_get_string (rule, "ethertype"),
                          protocol != NULL ? protocol : "any",
                          (int) fake_json_get_int (rule, "port_range_min", 0),
                          (int) fake_json_get_int (rule, "port_range_max", 0),
                          from != NULL ? from : "any");
}

static char *
describe_group (FakeCloud *cloud, JsonObject *group)
{
  JsonArray *rules = fake_json_get_array (group, "security_group_rules");
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *joined = NULL;

  for (guint i = 0; i < json_array_get_length (rules); i++)
    g_ptr_array_add (lines, describe_rule (cloud, json_array_get_object_element (rules, i)));
  joined = join_sorted (lines);
  return g_strdup_printf ("[%s]", joined);
}

static char *
describe_port (FakeCloud *cloud, JsonObject *port)
{
  JsonArray *groups = fake_json_get_array (port, "security_groups");
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *joined = NULL;

  for (guint i = 0; groups != NULL && i < json_array_get_length (groups); i++)
    g_ptr_array_add (names, g_strdup (get_name (cloud, "security_group",
                                                json_array_get_string_element (groups, i))));
  joined = join_sorted (names);
  return g_strdup_printf ("network=%s owner=%s groups=[%s]",
                          get_name (cloud, "network", fake_json_get_string (port, "network_id")),
                          fake_json_get_string (port, "device_owner"), joined);
}

static char *
describe_floatingip (FakeCloud *cloud, JsonObject *floatingip)
{
  const char *port = fake_json_get_string (floatingip, "port_id");

  return g_strdup_printf ("%s port=%s", fake_json_get_string (floatingip, "floating_ip_address"),
                          port != NULL ? get_name (cloud, "port", port) : "-");
}

static char *
describe_subnet (FakeCloud *cloud, JsonObject *subnet)
{
  return g_strdup (fake_json_get_string (subnet, "cidr"));
}

/* What tells whose it is: its description or, without such, its tags. (transfer full) */
static char *
describe_owner (JsonObject *object)
{
  const char *description = fake_json_get_string (object, "description");
  JsonArray *tags = fake_json_get_array (object, "tags");
  g_autoptr (GString) text = g_string_new (description);

  for (guint i = 0; description == NULL && tags != NULL && i < json_array_get_length (tags); i++)
    g_string_append_printf (text, "%s%s", i > 0 ? " " : "",
                            json_array_get_string_element (tags, i));
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static const struct
{
  const char *kind;
  char *(*describe) (FakeCloud *cloud, JsonObject *object); /* (nullable) */
} kinds[] = {
  { "network", NULL },
  { "subnet", describe_subnet },
  { "router", NULL },
  { "port", describe_port },
  { "floatingip", describe_floatingip },
  { "security_group", describe_group },
};

void
fake_neutron_dump (FakeCloud *cloud, const char *project_id, GPtrArray *lines)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    for (GList *l = fake_store_get_first (fake_cloud_get_store (cloud, kinds[i].kind)); l != NULL;
         l = l->next)
      {
        const char *owner = fake_json_get_string (l->data, "project_id");
        const char *name = fake_json_get_string (l->data, "name");
        g_autofree char *mark = describe_owner (l->data);
        g_autofree char *more = NULL;

        if (project_id != NULL && g_strcmp0 (owner, project_id) != 0)
          continue;
        if (kinds[i].describe != NULL)
          more = kinds[i].describe (cloud, l->data);
        g_ptr_array_add (lines, g_strdup_printf ("%s %s/%s \"%s\" %s", kinds[i].kind,
                                                 get_name (cloud, "project", owner),
                                                 name != NULL ? name : "",
                                                 mark,
                                                 more != NULL ? more : ""));
      }
}
