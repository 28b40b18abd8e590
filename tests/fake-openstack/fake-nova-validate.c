/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/*
 * What the schemas of the compute API refuse, in its words: they quote the whole
 * value, which may be the user data.
 */

#include "fake-nova.h"

/* "a" in the texts is an attribute, shown with its value as Python prints it. */
static gboolean
refuse (FakeRequest *request, const char *attribute, JsonNode *value, const char *format, ...)
  G_GNUC_PRINTF (4, 5);

static gboolean
refuse (FakeRequest *request, const char *attribute, JsonNode *value, const char *format, ...)
{
  g_autofree char *shown = fake_json_node_is_string (value) ? json_node_dup_string (value)
                                                             : fake_json_node_to_python (value);
  g_autofree char *reason = NULL;
  va_list args;

  va_start (args, format);
  reason = g_strdup_vprintf (format, args);
  va_end (args);
  fake_nova_fail (request, 400, "Invalid input for field/attribute %s. Value: %s. %s", attribute,
                  shown, reason);
  return FALSE;
}

static gboolean
check_text (FakeRequest *request, const char *name, JsonNode *value, glong min, glong max)
{
  g_autofree char *shown = fake_json_node_to_python (value);
  glong length;

  if (!fake_json_node_is_string (value))
    return refuse (request, name, value, "%s is not of type 'string'", shown);
  length = g_utf8_strlen (json_node_get_string (value), -1);
  if (length < min)
    return refuse (request, name, value, "%s is too short", shown);
  if (length > max)
    return refuse (request, name, value, "%s is too long", shown);
  return TRUE;
}

static gboolean
check_name (FakeRequest *request, const char *attribute, JsonNode *value)
{
  const char *text;

  if (!check_text (request, attribute, value, 1, 255))
    return FALSE;
  text = json_node_get_string (value);
  if (!g_ascii_isspace (*text) && !g_ascii_isspace (text[strlen (text) - 1])
      && g_regex_match_simple ("^[^\\p{C}\\p{Zl}\\p{Zp}]+$", text, 0, 0))
    return TRUE;
  fake_nova_fail (request, 400,
                  "An invalid 'name' value was provided. The name must be: printable characters. "
                  "Can not start or end with whitespace.");
  return FALSE;
}

/* Python's decoder skips what is not in the alphabet, and only minds the length. */
static gboolean
is_base64 (const char *text)
{
  gsize n = 0, padding = 0;

  for (const char *p = text; *p != '\0'; p++)
    {
      if (*p == '=' && ++padding > 2)
        return FALSE;
      if (g_ascii_isalnum (*p) || *p == '+' || *p == '/' || *p == '=')
        n++;
    }
  return n % 4 == 0;
}

static gboolean
check_user_data (FakeRequest *request, JsonNode *value)
{
  g_autofree char *shown = NULL;

  if (!check_text (request, "user_data", value, 0, 65535))
    return FALSE;
  if (is_base64 (json_node_get_string (value)))
    return TRUE;
  shown = fake_json_node_to_python (value);
  return refuse (request, "user_data", value, "%s is not a 'base64'", shown);
}

gboolean
fake_nova_validate_metadata (FakeRequest *request, JsonObject *metadata)
{
  g_autoptr (JsonNode) whole = json_node_init_object (json_node_alloc (), metadata);
  JsonObjectIter iter;
  const char *name;
  JsonNode *value;

  json_object_iter_init_ordered (&iter, metadata);
  while (json_object_iter_next_ordered (&iter, &name, &value))
    {
      if (!g_regex_match_simple ("^[a-zA-Z0-9-_:. ]{1,255}$", name, 0, 0))
        return refuse (request, "metadata", whole,
                       "'%s' does not match any of the regexes: '^[a-zA-Z0-9-_:. ]{1,255}$'",
                       name);
      if (!check_text (request, name, value, 0, 255))
        return FALSE;
    }
  return TRUE;
}

gboolean
fake_nova_validate_tags (FakeRequest *request, JsonArray *tags)
{
  g_autoptr (JsonNode) whole = json_node_init_array (json_node_alloc (), tags);
  guint n = json_array_get_length (tags);

  if (n > 50)
    {
      g_autofree char *shown = fake_json_node_to_python (whole);

      return refuse (request, "tags", whole, "%s is too long", shown);
    }
  for (guint i = 0; i < n; i++)
    {
      JsonNode *tag = json_array_get_element (tags, i);
      g_autofree char *index = g_strdup_printf ("%u", i);

      if (!check_text (request, index, tag, 1, 60))
        return FALSE;
      if (strpbrk (json_node_get_string (tag), ",/") != NULL)
        return refuse (request, index, tag, "'%s' does not match '^[^,/]*$'",
                       json_node_get_string (tag));
    }
  return TRUE;
}

static gboolean
check_networks (FakeRequest *request, JsonNode *value)
{
  static const char *const known[] = { "uuid", "port", "fixed_ip", "tag", NULL };
  g_autofree char *shown = NULL;
  JsonArray *networks;

  if (request->microversion >= 37 && fake_json_node_is_string (value))
    {
      const char *text = json_node_get_string (value);

      if (g_str_equal (text, "auto") || g_str_equal (text, "none"))
        return TRUE;
    }
  if (!JSON_NODE_HOLDS_ARRAY (value))
    {
      shown = fake_json_node_to_python (value);
      return refuse (request, "networks", value,
                     request->microversion >= 37 ? "%s is not valid under any of the given schemas"
                                                 : "%s is not of type 'array'",
                     shown);
    }
  networks = json_node_get_array (value);
  for (guint i = 0; i < json_array_get_length (networks); i++)
    {
      JsonNode *network = json_array_get_element (networks, i);
      g_autofree char *index = g_strdup_printf ("%u", i);
      g_autoptr (GList) names = NULL;

      if (!JSON_NODE_HOLDS_OBJECT (network))
        {
          shown = fake_json_node_to_python (network);
          return refuse (request, index, network, "%s is not of type 'object'", shown);
        }
      names = json_object_get_members (json_node_get_object (network));
      for (GList *l = names; l != NULL; l = l->next)
        if (!g_strv_contains (known, l->data))
          return refuse (request, index, network,
                         "Additional properties are not allowed ('%s' was unexpected)",
                         (char *) l->data);
    }
  return TRUE;
}

static gboolean
check_groups (FakeRequest *request, JsonNode *value)
{
  g_autofree char *shown = fake_json_node_to_python (value);
  JsonArray *groups;

  if (!JSON_NODE_HOLDS_ARRAY (value))
    return refuse (request, "security_groups", value, "%s is not of type 'array'", shown);
  groups = json_node_get_array (value);
  for (guint i = 0; i < json_array_get_length (groups); i++)
    {
      JsonNode *group = json_array_get_element (groups, i);
      g_autofree char *index = g_strdup_printf ("%u", i);
      g_autoptr (GList) names = NULL;

      if (!JSON_NODE_HOLDS_OBJECT (group))
        return refuse (request, index, group, "%s is not of type 'object'", shown);
      names = json_object_get_members (json_node_get_object (group));
      for (GList *l = names; l != NULL; l = l->next)
        if (!g_str_equal (l->data, "name"))
          return refuse (request, index, group,
                         "Additional properties are not allowed ('%s' was unexpected)",
                         (char *) l->data);
    }
  return TRUE;
}

static gboolean
check_mappings (FakeRequest *request, JsonNode *value)
{
  static const char *const known[] = {
    "virtual_name", "volume_id", "snapshot_id", "volume_size", "delete_on_termination",
    "device_name", "no_device", "connection_info", "source_type", "uuid", "image_id",
    "destination_type", "guest_format", "device_type", "disk_bus", "boot_index", "tag", NULL,
  };
  JsonArray *mappings;

  if (!JSON_NODE_HOLDS_ARRAY (value))
    {
      g_autofree char *shown = fake_json_node_to_python (value);

      return refuse (request, "block_device_mapping_v2", value, "%s is not of type 'array'",
                     shown);
    }
  mappings = json_node_get_array (value);
  for (guint i = 0; i < json_array_get_length (mappings); i++)
    {
      JsonNode *mapping = json_array_get_element (mappings, i);
      g_autofree char *index = g_strdup_printf ("%u", i);
      g_autoptr (GList) names = NULL;

      if (!JSON_NODE_HOLDS_OBJECT (mapping))
        continue;
      names = json_object_get_members (json_node_get_object (mapping));
      for (GList *l = names; l != NULL; l = l->next)
        {
          if (g_strv_contains (known, l->data)
              || (g_str_equal (l->data, "volume_type") && request->microversion >= 67))
            continue;
          return refuse (request, index, mapping,
                         "Additional properties are not allowed ('%s' was unexpected)",
                         (char *) l->data);
        }
    }
  return TRUE;
}

static gboolean
check_image (FakeRequest *request, JsonNode *value)
{
  const char *text = fake_json_node_is_string (value) ? json_node_get_string (value) : NULL;
  g_autofree char *shown = NULL;

  if (text != NULL && (*text == '\0' || fake_neutron_is_uuid (text)))
    return TRUE;
  shown = fake_json_node_to_python (value);
  return refuse (request, "imageRef", value, "%s is not valid under any of the given schemas",
                 shown);
}

static gboolean
check_config_drive (FakeRequest *request, JsonNode *value)
{
  static const char *const known[] = {
    "True", "TRUE", "true", "1", "ON", "On", "on", "YES", "Yes", "yes", "False", "FALSE", "false",
    "0", "OFF", "Off", "off", "NO", "No", "no", NULL,
  };
  g_autofree char *text = fake_json_scalar_to_text (value);
  g_autofree char *shown = NULL;

  if (text != NULL && g_strv_contains (known, text))
    return TRUE;
  shown = fake_json_node_to_python (value);
  return refuse (request, "config_drive", value,
                 "%s is not one of [True, 'True', 'TRUE', 'true', '1', 'ON', 'On', 'on', 'YES', "
                 "'Yes', 'yes', False, 'False', 'FALSE', 'false', '0', 'OFF', 'Off', 'off', 'NO', "
                 "'No', 'no']",
                 shown);
}

static gboolean
check_any (FakeRequest *request, JsonNode *value)
{
  return TRUE;
}

static gboolean
check_server_name (FakeRequest *request, JsonNode *value)
{
  return check_name (request, "name", value);
}

static gboolean
check_metadata (FakeRequest *request, JsonNode *value)
{
  if (JSON_NODE_HOLDS_OBJECT (value))
    return fake_nova_validate_metadata (request, json_node_get_object (value));
  return refuse (request, "metadata", value, "value is not of type 'object'");
}

static gboolean
check_tags (FakeRequest *request, JsonNode *value)
{
  if (JSON_NODE_HOLDS_ARRAY (value))
    return fake_nova_validate_tags (request, json_node_get_array (value));
  return refuse (request, "tags", value, "value is not of type 'array'");
}

static gboolean
check_min_count (FakeRequest *request, JsonNode *value)
{
  g_autofree char *text = fake_json_scalar_to_text (value);

  if (text != NULL && g_ascii_strtoll (text, NULL, 10) >= 1)
    return TRUE;
  return refuse (request, "min_count", value, "%s is less than the minimum of 1", text);
}

static const struct
{
  const char *name;
  int since;
  int until;
  gboolean (*check) (FakeRequest *request, JsonNode *value);
} members[] = {
  { "name", 1, G_MAXINT, check_server_name },
  { "flavorRef", 1, G_MAXINT, check_any },
  { "imageRef", 1, G_MAXINT, check_image },
  { "user_data", 1, G_MAXINT, check_user_data },
  { "metadata", 1, G_MAXINT, check_metadata },
  { "networks", 1, G_MAXINT, check_networks },
  { "security_groups", 1, G_MAXINT, check_groups },
  { "block_device_mapping_v2", 1, G_MAXINT, check_mappings },
  { "block_device_mapping", 1, G_MAXINT, check_any },
  { "config_drive", 1, G_MAXINT, check_config_drive },
  { "min_count", 1, G_MAXINT, check_min_count },
  { "max_count", 1, G_MAXINT, check_any },
  { "availability_zone", 1, G_MAXINT, check_any },
  { "key_name", 1, G_MAXINT, check_any },
  { "adminPass", 1, G_MAXINT, check_any },
  { "accessIPv4", 1, G_MAXINT, check_any },
  { "accessIPv6", 1, G_MAXINT, check_any },
  { "OS-DCF:diskConfig", 1, G_MAXINT, check_any },
  { "return_reservation_id", 1, G_MAXINT, check_any },
  { "personality", 1, 56, check_any },
  { "description", 19, G_MAXINT, check_any },
  { "tags", 52, G_MAXINT, check_tags },
  { "trusted_image_certificates", 63, G_MAXINT, check_any },
  { "host", 74, G_MAXINT, check_any },
  { "hypervisor_hostname", 74, G_MAXINT, check_any },
  { "hostname", 90, G_MAXINT, check_any },
};

static gboolean
check_required (FakeRequest *request, JsonObject *server, JsonNode *whole)
{
  static const char *const required[] = { "name", "flavorRef", "networks" };
  guint n = request->microversion >= 37 ? 3 : 2;

  for (guint i = 0; i < n; i++)
    if (!json_object_has_member (server, required[i]))
      return refuse (request, "server", whole, "'%s' is a required property", required[i]);
  return TRUE;
}

gboolean
fake_nova_validate_server (FakeRequest *request, JsonObject *server)
{
  g_autoptr (JsonNode) whole = json_node_init_object (json_node_alloc (), server);
  JsonObjectIter iter;
  const char *name;
  JsonNode *value;
  guint i;

  if (!check_required (request, server, whole))
    return FALSE;
  json_object_iter_init_ordered (&iter, server);
  while (json_object_iter_next_ordered (&iter, &name, &value))
    {
      for (i = 0; i < G_N_ELEMENTS (members); i++)
        if (g_str_equal (members[i].name, name) && request->microversion >= members[i].since
            && request->microversion <= members[i].until)
          break;
      if (i == G_N_ELEMENTS (members))
        return refuse (request, "server", whole,
                       "Additional properties are not allowed ('%s' was unexpected)", name);
      if (!members[i].check (request, value))
        return FALSE;
    }
  return TRUE;
}
