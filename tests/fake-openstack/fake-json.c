/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "fake-json.h"

static void
append_string (GString *out, const char *text)
{
  if (text == NULL)
    {
      g_string_append (out, "null");
      return;
    }

  g_string_append_c (out, '"');
  for (const char *p = text; *p != '\0'; p++)
    {
      guchar c = (guchar) *p;

      if (c == '"' || c == '\\')
        g_string_append_printf (out, "\\%c", c);
      else if (c < 0x20)
        g_string_append_printf (out, "\\u%04x", c);
      else
        g_string_append_c (out, *p);
    }
  g_string_append_c (out, '"');
}

static void
append_node (GString *out, JsonNode *node)
{
  g_autofree char *text = NULL;

  text = node != NULL ? json_to_string (node, FALSE) : g_strdup ("null");
  g_string_append (out, text);
}

static void
append_object (GString *out, JsonObject *object)
{
  g_autoptr (JsonNode) node = NULL;

  if (object != NULL)
    node = json_node_init_object (json_node_alloc (), object);
  append_node (out, node);
}

static void
append_valist (GString *out, const char *format, va_list args)
{
  for (const char *p = format; *p != '\0'; p++)
    {
      if (*p == '\'')
        {
          g_string_append_c (out, '"');
          continue;
        }
      if (*p != '%')
        {
          g_string_append_c (out, *p);
          continue;
        }

      switch (*++p)
        {
        case 's':
          append_string (out, va_arg (args, const char *));
          break;
        case 'r':
          g_string_append (out, va_arg (args, const char *));
          break;
        case 'd':
          g_string_append_printf (out, "%d", va_arg (args, int));
          break;
        case 'l':
          g_string_append_printf (out, "%" G_GINT64_FORMAT, va_arg (args, gint64));
          break;
        case 'b':
          g_string_append (out, va_arg (args, gboolean) ? "true" : "false");
          break;
        case 'o':
          append_object (out, va_arg (args, JsonObject *));
          break;
        case 'j':
          append_node (out, va_arg (args, JsonNode *));
          break;
        default:
          g_assert_not_reached ();
        }
    }
}

void
fake_json_append (GString *out, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  append_valist (out, format, args);
  va_end (args);
}

char *
fake_json (const char *format, ...)
{
  GString *out = g_string_new (NULL);
  va_list args;

  va_start (args, format);
  append_valist (out, format, args);
  va_end (args);
  return g_string_free (out, FALSE);
}

JsonObject *
fake_json_object_new (const char *format, ...)
{
  g_autoptr (GString) out = g_string_new (NULL);
  JsonObject *object;
  va_list args;

  va_start (args, format);
  append_valist (out, format, args);
  va_end (args);
  object = fake_json_parse_object (out->str);
  g_assert_nonnull (object);
  return object;
}

/* json-glib recurses, so text nested deeper than any request is refused first. */
static gboolean
is_shallow (const char *text, gsize length)
{
  gboolean in_string = FALSE;
  guint depth = 0;

  for (gsize i = 0; i < length; i++)
    {
      if (in_string && text[i] == '\\')
        i++;
      else if (text[i] == '"')
        in_string = !in_string;
      else if (!in_string && (text[i] == '{' || text[i] == '['))
        depth++;
      else if (!in_string && (text[i] == '}' || text[i] == ']') && depth > 0)
        depth--;
      if (depth > 64)
        return FALSE;
    }
  return TRUE;
}

JsonNode *
fake_json_parse (const char *text, gssize length)
{
  g_autoptr (JsonParser) parser = json_parser_new ();

  if (length < 0)
    length = (gssize) strlen (text);
  if (!is_shallow (text, (gsize) length)
      || !json_parser_load_from_data (parser, text, length, NULL))
    return NULL;
  return json_parser_steal_root (parser);
}

JsonObject *
fake_json_parse_object (const char *text)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonNode *root;

  if (!is_shallow (text, strlen (text)) || !json_parser_load_from_data (parser, text, -1, NULL))
    return NULL;
  root = json_parser_get_root (parser);
  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root))
    return NULL;
  return json_node_dup_object (root);
}

char *
fake_json_node_to_text (JsonNode *node)
{
  return json_to_string (node, FALSE);
}

static JsonNode *
get_member (JsonObject *object, const char *name, JsonNodeType type)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;

  return node != NULL && json_node_get_node_type (node) == type ? node : NULL;
}

gboolean
fake_json_node_is_string (JsonNode *node)
{
  return JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING;
}

const char *
fake_json_get_string (JsonObject *object, const char *name)
{
  JsonNode *node = get_member (object, name, JSON_NODE_VALUE);

  return node != NULL && fake_json_node_is_string (node) ? json_node_get_string (node) : NULL;
}

gint64
fake_json_get_int (JsonObject *object, const char *name, gint64 fallback)
{
  JsonNode *node = get_member (object, name, JSON_NODE_VALUE);

  if (node == NULL)
    return fallback;
  if (json_node_get_value_type (node) == G_TYPE_INT64)
    return json_node_get_int (node);
  if (fake_json_node_is_string (node))
    {
      gint64 value;

      if (g_ascii_string_to_signed (json_node_get_string (node), 10, G_MININT32, G_MAXINT32, &value,
                                    NULL))
        return value;
    }
  return fallback;
}

gboolean
fake_json_get_bool (JsonObject *object, const char *name, gboolean fallback)
{
  JsonNode *node = get_member (object, name, JSON_NODE_VALUE);

  if (node == NULL || json_node_get_value_type (node) != G_TYPE_BOOLEAN)
    return fallback;
  return json_node_get_boolean (node);
}

JsonObject *
fake_json_get_object (JsonObject *object, const char *name)
{
  JsonNode *node = get_member (object, name, JSON_NODE_OBJECT);

  return node != NULL ? json_node_get_object (node) : NULL;
}

JsonArray *
fake_json_get_array (JsonObject *object, const char *name)
{
  JsonNode *node = get_member (object, name, JSON_NODE_ARRAY);

  return node != NULL ? json_node_get_array (node) : NULL;
}

gboolean
fake_json_is_null (JsonObject *object, const char *name)
{
  return !json_object_has_member (object, name) || json_object_get_null_member (object, name);
}

gboolean
fake_json_array_has (JsonArray *array, const char *text)
{
  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      JsonNode *node = json_array_get_element (array, i);

      if (fake_json_node_is_string (node) && g_str_equal (json_node_get_string (node), text))
        return TRUE;
    }
  return FALSE;
}

char *
fake_json_scalar_to_text (JsonNode *node)
{
  if (!JSON_NODE_HOLDS_VALUE (node))
    return NULL;
  if (fake_json_node_is_string (node))
    return json_node_dup_string (node);
  if (json_node_get_value_type (node) == G_TYPE_BOOLEAN)
    return g_strdup (json_node_get_boolean (node) ? "true" : "false");
  return json_to_string (node, FALSE);
}

static void
append_python_string (GString *out, const char *text)
{
  char quote = strchr (text, '\'') != NULL && strchr (text, '"') == NULL ? '"' : '\'';

  g_string_append_c (out, quote);
  for (const char *p = text; *p != '\0'; p++)
    {
      if (*p == quote || *p == '\\')
        g_string_append_printf (out, "\\%c", *p);
      else if (*p == '\n')
        g_string_append (out, "\\n");
      else if (*p == '\t')
        g_string_append (out, "\\t");
      else if (*p == '\r')
        g_string_append (out, "\\r");
      else if ((guchar) *p < 0x20 || *p == 0x7f)
        g_string_append_printf (out, "\\x%02x", *p);
      else
        g_string_append_c (out, *p);
    }
  g_string_append_c (out, quote);
}

static void
append_python (GString *out, JsonNode *node)
{
  if (JSON_NODE_HOLDS_OBJECT (node))
    {
      JsonObjectIter iter;
      const char *name;
      JsonNode *member;
      const char *separator = "";

      g_string_append_c (out, '{');
      json_object_iter_init_ordered (&iter, json_node_get_object (node));
      while (json_object_iter_next_ordered (&iter, &name, &member))
        {
          g_string_append (out, separator);
          append_python_string (out, name);
          g_string_append (out, ": ");
          append_python (out, member);
          separator = ", ";
        }
      g_string_append_c (out, '}');
    }
  else if (JSON_NODE_HOLDS_ARRAY (node))
    {
      JsonArray *array = json_node_get_array (node);

      g_string_append_c (out, '[');
      for (guint i = 0; i < json_array_get_length (array); i++)
        {
          if (i > 0)
            g_string_append (out, ", ");
          append_python (out, json_array_get_element (array, i));
        }
      g_string_append_c (out, ']');
    }
  else if (JSON_NODE_HOLDS_NULL (node))
    g_string_append (out, "None");
  else if (fake_json_node_is_string (node))
    append_python_string (out, json_node_get_string (node));
  else if (json_node_get_value_type (node) == G_TYPE_BOOLEAN)
    g_string_append (out, json_node_get_boolean (node) ? "True" : "False");
  else
    append_node (out, node);
}

char *
fake_json_node_to_python (JsonNode *node)
{
  GString *out = g_string_new (NULL);

  append_python (out, node);
  return g_string_free (out, FALSE);
}

char *
fake_json_text_to_python (const char *text)
{
  GString *out = g_string_new (NULL);

  append_python_string (out, text);
  return g_string_free (out, FALSE);
}

void
fake_json_set_text (JsonObject *object, const char *name, const char *json)
{
  JsonNode *node = json_from_string (json, NULL);

  g_assert_nonnull (node);
  json_object_set_member (object, name, node);
}

void
fake_json_copy_members (JsonObject *into, JsonObject *from)
{
  JsonObjectIter iter;
  const char *name;
  JsonNode *member;

  json_object_iter_init_ordered (&iter, from);
  while (json_object_iter_next_ordered (&iter, &name, &member))
    json_object_set_member (into, name, json_node_copy (member));
}

void
fake_json_merge (JsonObject *into, JsonObject *from)
{
  JsonObjectIter iter;
  const char *name;
  JsonNode *member;

  json_object_iter_init_ordered (&iter, from);
  while (json_object_iter_next_ordered (&iter, &name, &member))
    if (!JSON_NODE_HOLDS_NULL (member))
      json_object_set_member (into, name, json_node_copy (member));
}
