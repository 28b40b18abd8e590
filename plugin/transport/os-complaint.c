/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/json.h"
#include "transport/os-complaint.h"

/* Characters of a service's words that are shown. */
#define MAX_TEXT 500
/* Bytes of a web page that are looked at for them. */
#define MAX_PAGE 16384

void
os_complaint_clear (OsComplaint *complaint)
{
  g_free (complaint->text);
  g_free (complaint->type);
}

/* One line of plain text out of whatever it was: markup and its contents that nobody reads are
 * dropped, entities and white space become what they stand for, and what was sent as a secret is
 * left out. */
static char *
clean_text (const char    *text,
            gboolean       is_cut,
            WkHttpRequest *request)
{
  static const struct { const char *pattern; const char *replacement; } rules[] = {
    { "(?is)<(head|style|script|title)\\b.*?</\\1>", " " },
    { "(?s)<[^<>]*>", " " },
    { "(?is)<[a-z/!][^<>]*$", " " },
    { "&lt;", "<" }, { "&gt;", ">" }, { "&quot;", "\"" }, { "&#39;", "'" }, { "&nbsp;", " " },
    { "&amp;", "&" },
    { "[[:cntrl:]\\s]+", " " },
  };
  /* As it came, before anything of it is taken away. */
  g_autofree char *safe = wk_http_request_hide_secrets (request, text, is_cut);
  g_autofree char *clean = g_utf8_make_valid (safe, -1);
  char *value;

  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    {
      g_autoptr(GRegex) regex = g_regex_new (rules[i].pattern, 0, 0, NULL);
      char *next = g_regex_replace_literal (regex, clean, -1, 0, rules[i].replacement, 0, NULL);

      if (next == NULL)
        continue;
      g_free (clean);
      clean = next;
    }
  g_strstrip (clean);
  /* What markup stood in has come together. */
  g_free (safe);
  safe = wk_http_request_hide_secrets (request, clean, is_cut);

  /* Nova quotes the whole value that it does not like, and user data may hold secrets. */
  value = strstr (safe, " Value: ");
  if (value != NULL)
    *value = '\0';
  if (g_utf8_strlen (safe, -1) > MAX_TEXT)
    {
      g_autofree char *head = g_utf8_substring (safe, 0, MAX_TEXT);

      return g_strconcat (head, "…", NULL);
    }
  return g_steal_pointer (&safe);
}

/* A member that is a text, or a list of texts joined. */
static char *
dup_text_member (JsonObject *object,
                 const char *name)
{
  JsonNode *node = json_object_get_member (object, name);
  JsonArray *array;
  GString *text;

  if (node == NULL)
    return NULL;
  if (JSON_NODE_HOLDS_VALUE (node))
    return g_strdup (json_node_get_string (node));
  if (!JSON_NODE_HOLDS_ARRAY (node))
    return NULL;
  array = json_node_get_array (node);
  text = g_string_new (NULL);
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      JsonNode *item = json_array_get_element (array, i);
      const char *words = JSON_NODE_HOLDS_VALUE (item) ? json_node_get_string (item) : NULL;

      if (words != NULL)
        g_string_append_printf (text, "%s%s", text->len > 0 ? "; " : "", words);
    }
  return g_string_free (text, FALSE);
}

/* message, detail or title, in that order, and neutron's type, which may be all there is. */
static gboolean
read_object (JsonObject  *object,
             OsComplaint *complaint)
{
  static const char *const names[] = { "message", "detail", "title", "type" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *text = dup_text_member (object, names[i]);

      if (text == NULL || *text == '\0')
        continue;
      complaint->text = g_steal_pointer (&text);
      complaint->type = dup_text_member (object, "type");
      return TRUE;
    }
  return FALSE;
}

/* {"itemNotFound": {"message": …}}, {"NeutronError": {"type": …, "message": …}} or a plain text in
 * its place, {"error": {…}}, {"message": …}, {"errors": [{"detail": …}]}. */
static void
read_json (JsonNode    *root,
           OsComplaint *complaint)
{
  JsonObject *object;
  JsonObjectIter iter;
  const char *name;
  JsonNode *node;

  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root))
    return;
  object = json_node_get_object (root);
  json_object_iter_init_ordered (&iter, object);
  while (json_object_iter_next_ordered (&iter, &name, &node))
    {
      if (JSON_NODE_HOLDS_ARRAY (node) && g_str_equal (name, "errors")
          && json_array_get_length (json_node_get_array (node)) > 0)
        node = json_array_get_element (json_node_get_array (node), 0);
      if (JSON_NODE_HOLDS_OBJECT (node) && read_object (json_node_get_object (node), complaint))
        return;
      if (g_str_has_suffix (name, "Error") && JSON_NODE_HOLDS_VALUE (node)
          && json_node_get_string (node) != NULL)
        {
          complaint->text = json_node_dup_string (node);
          return;
        }
    }
  read_object (object, complaint);
}

/* What stands between <name> and </name>; NULL without it. (transfer full) */
static char *
dup_element (const char *text,
             const char *name)
{
  g_autofree char *open = g_strdup_printf ("<%s>", name);
  g_autofree char *close = g_strdup_printf ("</%s>", name);
  const char *begin = strcasestr (text, open);
  const char *end;

  if (begin == NULL)
    return NULL;
  begin += strlen (open);
  end = strcasestr (begin, close);
  return end != NULL ? g_strndup (begin, end - begin) : NULL;
}

/* A page, plain text, or the XML of S3: <Error><Code>…</Code><Message>…</Message></Error>. */
static void
read_text (const char    *text,
           gboolean       is_cut,
           WkHttpRequest *request,
           OsComplaint   *complaint)
{
  g_autofree char *error = dup_element (text, "Error");
  g_autofree char *words = NULL;
  g_autofree char *title = NULL;

  if (error != NULL)
    complaint->type = dup_element (error, "Code");
  complaint->is_page = *text == '<' && error == NULL;
  words = error != NULL ? dup_element (error, "Message") : NULL;
  complaint->text = clean_text (words != NULL ? words : text, words == NULL && is_cut, request);
  if (*complaint->text != '\0')
    return;

  /* A page that says nothing but in its title. */
  g_clear_pointer (&complaint->text, g_free);
  title = dup_element (text, "title");
  if (title != NULL)
    complaint->text = clean_text (title, FALSE, request);
}

void
os_complaint_read (OsComplaint   *complaint,
                   GBytes        *body,
                   const char    *content_type,
                   WkHttpRequest *request)
{
  gboolean is_json = content_type != NULL
                     && g_ascii_strncasecmp (content_type, "application/json", 16) == 0;
  gsize size;
  const char *data = g_bytes_get_data (body, &size);
  g_autofree char *text = g_strndup (size > 0 ? data : "", MIN (size, MAX_PAGE));
  const char *begin = text + strspn (text, " \t\r\n\xEF\xBB\xBF");

  if (*begin == '{' || (is_json && *begin != '<'))
    {
      g_autoptr(JsonNode) root = wk_json_parse (body, NULL);

      read_json (root, complaint);
      if (complaint->text != NULL)
        {
          g_autofree char *words = g_steal_pointer (&complaint->text);

          complaint->text = clean_text (words, FALSE, request);
        }
    }
  else if (*begin != '\0')
    read_text (begin, size > MAX_PAGE, request, complaint);
  if (complaint->text != NULL && *complaint->text == '\0')
    g_clear_pointer (&complaint->text, g_free);
}
