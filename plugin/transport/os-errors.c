/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>

#include "base/json.h"
#include "base/uri.h"
#include "transport/os-errors.h"
#include "values/welkin-error.h"

/* Characters of a service's words that are shown. */
#define MAX_TEXT 500
/* Bytes of a web page that are looked at for them. */
#define MAX_PAGE 16384

/* What a service says went wrong. */
typedef struct
{
  char    *text;    /* (owned) (nullable) for people */
  char    *type;    /* (owned) (nullable) the service's own name for it: neutron and S3 have one */
  gboolean is_page; /* it was written for a browser, perhaps by somebody in front of the service */
} Complaint;

static void
complaint_clear (Complaint *complaint)
{
  g_free (complaint->text);
  g_free (complaint->type);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Complaint, complaint_clear)

/* One line of plain text out of whatever it was: markup and its contents that nobody reads are
 * dropped, entities and white space become what they stand for, and what was sent as a secret is
 * left out. */
static char *
clean_text (const char    *text,
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
  /* Whole, before anything is cut. */
  g_autofree char *safe = wk_http_request_hide_secrets (request, text);
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

  /* Nova quotes the whole value that it does not like, and user data may hold secrets. */
  value = strstr (clean, " Value: ");
  if (value != NULL)
    *value = '\0';
  if (g_utf8_strlen (clean, -1) > MAX_TEXT)
    {
      g_autofree char *head = g_utf8_substring (clean, 0, MAX_TEXT);

      return g_strconcat (head, "…", NULL);
    }
  return g_steal_pointer (&clean);
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
read_object (JsonObject *object,
             Complaint  *complaint)
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
read_json (JsonNode  *root,
           Complaint *complaint)
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
           WkHttpRequest *request,
           Complaint     *complaint)
{
  g_autofree char *error = dup_element (text, "Error");
  g_autofree char *words = NULL;
  g_autofree char *title = NULL;

  if (error != NULL)
    complaint->type = dup_element (error, "Code");
  complaint->is_page = *text == '<' && error == NULL;
  words = error != NULL ? dup_element (error, "Message") : NULL;
  complaint->text = clean_text (words != NULL ? words : text, request);
  if (*complaint->text != '\0')
    return;

  /* A page that says nothing but in its title. */
  g_clear_pointer (&complaint->text, g_free);
  title = dup_element (text, "title");
  if (title != NULL)
    complaint->text = clean_text (title, request);
}

static void
read_body (WkHttpRequest  *request,
           WkHttpResponse *response,
           Complaint      *complaint)
{
  GBytes *body = wk_http_response_get_body (response);
  const char *content_type = wk_http_response_get_header (response, "Content-Type");
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

          complaint->text = clean_text (words, request);
        }
    }
  else if (*begin != '\0')
    read_text (begin, request, complaint);
  if (complaint->text != NULL && *complaint->text == '\0')
    g_clear_pointer (&complaint->text, g_free);
}

/* What the answer means. The first row that fits counts; status 0 is any, a NULL type and a NULL
 * text are any. */
static const struct
{
  guint       status;
  const char *type;
  const char *text; /* somewhere in the words, without case */
  WelkinError code;
} meanings[] = {
  { 0, "IpAddressGenerationFailure", NULL, WELKIN_ERROR_NO_ADDRESSES },
  { 0, "ExternalIpAddressExhausted", NULL, WELKIN_ERROR_NO_ADDRESSES },
  { 0, "OverQuota", NULL, WELKIN_ERROR_QUOTA_EXCEEDED },
  { 0, "SecurityGroupRuleExists", NULL, WELKIN_ERROR_ALREADY_EXISTS },
  { 0, "DuplicateSecurityGroupRuleInPost", NULL, WELKIN_ERROR_ALREADY_EXISTS },
  { 0, "SecurityGroupInUse", NULL, WELKIN_ERROR_IN_USE },
  { 0, "PortInUse", NULL, WELKIN_ERROR_IN_USE },
  { 0, "ServicePortInUse", NULL, WELKIN_ERROR_IN_USE },
  { 0, "NetworkInUse", NULL, WELKIN_ERROR_IN_USE },
  { 0, "SecurityGroupDefaultAlreadyExists", NULL, WELKIN_ERROR_ALREADY_EXISTS },
  { 0, "NoSuchKey", NULL, WELKIN_ERROR_NOT_FOUND },
  { 0, "NoSuchBucket", NULL, WELKIN_ERROR_NOT_FOUND },
  { 0, NULL, "no valid host was found", WELKIN_ERROR_NO_VALID_HOST },
  { 0, NULL, "exhausted all hosts", WELKIN_ERROR_NO_VALID_HOST },
  { 0, NULL, "exceeded maximum number of retries", WELKIN_ERROR_NO_VALID_HOST },
  { 0, NULL, "exceeded max scheduling attempts", WELKIN_ERROR_NO_VALID_HOST },
  { 0, NULL, "requested availability zone is not available", WELKIN_ERROR_NO_VALID_HOST },
  { 0, NULL, "no fixed ip addresses available", WELKIN_ERROR_NO_ADDRESSES },
  { 0, NULL, "zero fixed ips", WELKIN_ERROR_NO_ADDRESSES },
  { 400, NULL, "already exists", WELKIN_ERROR_ALREADY_EXISTS },
  { 400, NULL, "in use", WELKIN_ERROR_IN_USE },
  { 400, NULL, NULL, WELKIN_ERROR_INVALID_ARGUMENT },
  { 401, NULL, NULL, WELKIN_ERROR_UNAUTHORIZED },
  { 403, NULL, "quota", WELKIN_ERROR_QUOTA_EXCEEDED },
  { 403, NULL, "is over the limit", WELKIN_ERROR_QUOTA_EXCEEDED },
  { 403, NULL, "maximum number of", WELKIN_ERROR_QUOTA_EXCEEDED },
  { 403, NULL, NULL, WELKIN_ERROR_FORBIDDEN },
  { 404, NULL, "no more floating ips", WELKIN_ERROR_NO_ADDRESSES },
  { 404, NULL, NULL, WELKIN_ERROR_NOT_FOUND },
  { 405, NULL, NULL, WELKIN_ERROR_NOT_SUPPORTED },
  { 406, NULL, NULL, WELKIN_ERROR_NOT_SUPPORTED },
  { 408, NULL, NULL, WELKIN_ERROR_TIMED_OUT },
  { 409, NULL, "already exists", WELKIN_ERROR_ALREADY_EXISTS },
  { 409, NULL, "in use", WELKIN_ERROR_IN_USE },
  { 409, NULL, NULL, WELKIN_ERROR_CONFLICT },
  { 410, NULL, NULL, WELKIN_ERROR_NOT_FOUND },
  { 412, NULL, "bad url", WELKIN_ERROR_NOT_FOUND },
  { 412, NULL, "invalid utf8", WELKIN_ERROR_NOT_FOUND },
  { 412, NULL, "maximum limit", WELKIN_ERROR_INVALID_ARGUMENT },
  { 412, NULL, NULL, WELKIN_ERROR_CONFLICT },
  { 413, NULL, NULL, WELKIN_ERROR_QUOTA_EXCEEDED },
  { 422, NULL, NULL, WELKIN_ERROR_INVALID_ARGUMENT },
  { 429, NULL, NULL, WELKIN_ERROR_RATE_LIMITED },
  { 501, NULL, NULL, WELKIN_ERROR_NOT_SUPPORTED },
};

/* Of a chain of causes, which nova tells of with the last one behind, that one counts. */
static char *
fold_words (const Complaint *complaint)
{
  g_autofree char *words = g_ascii_strdown (complaint->text != NULL ? complaint->text : "", -1);
  const char *cause = strstr (words, "last exception:");

  return g_strdup (cause != NULL ? cause : words);
}

static WelkinError
find_meaning (guint            status,
              const Complaint *complaint)
{
  g_autofree char *words = fold_words (complaint);

  for (guint i = 0; i < G_N_ELEMENTS (meanings); i++)
    if ((meanings[i].status == 0 || meanings[i].status == status)
        && (meanings[i].type == NULL || g_strcmp0 (meanings[i].type, complaint->type) == 0)
        && (meanings[i].text == NULL || strstr (words, meanings[i].text) != NULL))
      return meanings[i].code;
  if (status >= 500)
    return WELKIN_ERROR_UNAVAILABLE;
  return status >= 400 ? WELKIN_ERROR_FAILED : WELKIN_ERROR_PROTOCOL;
}

static const char *
find_request_id (WkHttpResponse *response)
{
  static const char *const names[] = {
    "x-openstack-request-id", "x-compute-request-id", "x-trans-id", "x-amz-request-id",
    "openstack-request-id",
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const char *id = wk_http_response_get_header (response, names[i]);

      if (id != NULL && *id != '\0')
        return id;
    }
  return NULL;
}

GError *
os_error_new_from_response (const char     *service,
                            WkHttpRequest  *request,
                            WkHttpResponse *response)
{
  guint status = wk_http_response_get_status (response);
  const char *request_id = find_request_id (response);
  g_autofree char *uri = wk_uri_for_display (wk_http_request_get_uri (request));
  g_auto(Complaint) complaint = { NULL };
  g_autofree char *words = NULL;

  read_body (request, response, &complaint);
  g_debug ("%s %s: HTTP %u, request %s", wk_http_request_get_method (request),
           uri, status, request_id != NULL ? request_id : "-");

  if (complaint.text != NULL && wk_http_response_get_proxy (response) != NULL)
    /* TRANSLATORS: method and URL of a request, URL of a proxy, what a web page says */
    words = g_strdup_printf (_("%s %s through proxy %s: %s"), wk_http_request_get_method (request),
                             uri, wk_http_response_get_proxy (response), complaint.text);
  else if (complaint.text != NULL && complaint.is_page)
    words = g_strdup_printf ("%s %s: %s", wk_http_request_get_method (request), uri,
                             complaint.text);
  else if (complaint.text != NULL)
    words = g_strdup (complaint.text);
  else if (status < 400)
    /* TRANSLATORS: URL, service */
    words = g_strdup_printf (_("%s is not where the %s service is: check the catalog of the cloud"),
                             uri, service);
  else
    /* TRANSLATORS: service, method and URL of a request */
    words = g_strdup_printf (_("the %s service refused %s %s"), service,
                             wk_http_request_get_method (request), uri);
  return welkin_error_new_from_service (find_meaning (status, &complaint), words, service, status,
                                        request_id);
}

void
os_error_explain (GError *error)
{
  if (g_error_matches (error, WELKIN_ERROR, WELKIN_ERROR_TIMED_OUT))
    welkin_error_set_hint (error,
                           _("Check that the address is right (auth-url in environments.yaml, or "
                             "the catalog of the cloud), and that this machine reaches it: "
                             "directly, or by the proxy of http_proxy and https_proxy."));
}
