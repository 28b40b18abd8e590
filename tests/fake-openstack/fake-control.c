/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/*
 * The control points over HTTP, for tests that run the program:
 *
 *   POST   /_fake/rules          a rule, members as in FakeRule
 *   GET    /_fake/rules/NUMBER   {"hits": N}
 *   DELETE /_fake/rules
 *   GET    /_fake/log            DELETE /_fake/log
 *   GET    /_fake/inventory      ?project=NAME, text
 *   POST   /_fake/settings       {"latency": 50, …}
 *   POST   /_fake/quotas         {"project": NAME, "resource": LIMIT, …}
 *   POST   /_fake/extensions     {"ALIAS": false, …}
 *   POST   /_fake/scripts        {"name", "zone", "times", "states", "code", "message"}
 *   POST   /_fake/expire-tokens
 *   POST   /_fake/KIND           adds contents, as fake_cloud_add(); answers with the id
 *   PATCH  /_fake/KIND/NAME      DELETE /_fake/KIND/NAME
 */

#include "fake-neutron.h"

static JsonObject *
get_body (FakeRequest *request)
{
  JsonNode *json = fake_request_get_json (request);

  return json != NULL && JSON_NODE_HOLDS_OBJECT (json) ? json_node_get_object (json) : NULL;
}

static void
reply_bad (FakeRequest *request, const char *what)
{
  fake_request_reply_json (request, 400, fake_json ("{'error': %s}\n", what));
}

static void
reply_done (FakeRequest *request)
{
  fake_request_reply (request, 204, NULL, NULL);
}

static void
post_rule (FakeRequest *request)
{
  g_autoptr (GPtrArray) headers = g_ptr_array_new ();
  JsonObject *body = get_body (request);
  FakeRule rule = { NULL };

  if (body == NULL || !fake_rules_parse (body, &rule, headers))
    return reply_bad (request, "not a rule");
  fake_request_reply_json (request, 201,
                           fake_json ("{'rule': %d}\n",
                                      fake_cloud_add_rule (request->cloud, &rule)));
}

static void
get_rule (FakeRequest *request)
{
  guint number = (guint) g_ascii_strtoull (g_ptr_array_index (request->args, 0), NULL, 10);

  fake_request_reply_json (request, 200,
                           fake_json ("{'hits': %d}\n",
                                      fake_cloud_get_rule_hits (request->cloud, number)));
}

static void
delete_rules (FakeRequest *request)
{
  fake_cloud_clear_rules (request->cloud);
  reply_done (request);
}

static void
get_log (FakeRequest *request)
{
  fake_request_reply_json (request, 200, fake_log_dump (request->cloud));
}

static void
delete_log (FakeRequest *request)
{
  fake_log_clear (request->cloud);
  reply_done (request);
}

static void
get_inventory (FakeRequest *request)
{
  const char *project = fake_request_get_parameter (request, "project");
  g_autofree char *text = NULL;

  if (project != NULL && fake_cloud_find (request->cloud, "project", project) == NULL)
    return reply_bad (request, "no such project");
  text = fake_cloud_dump_inventory (request->cloud, project);
  fake_request_reply (request, 200, "text/plain; charset=utf-8", text);
}

/* Calls @take for each member of the body. */
static void
take_members (FakeRequest *request,
              gboolean (*take) (FakeCloud *cloud, const char *name, JsonObject *body))
{
  JsonObject *body = get_body (request);
  g_autoptr (GList) names = body != NULL ? json_object_get_members (body) : NULL;

  if (body == NULL)
    return reply_bad (request, "not an object");
  for (GList *l = names; l != NULL; l = l->next)
    if (!take (request->cloud, l->data, body))
      return reply_bad (request, l->data);
  reply_done (request);
}

static gboolean
take_setting (FakeCloud *cloud, const char *name, JsonObject *body)
{
  return fake_cloud_try_set (cloud, name, (int) fake_json_get_int (body, name, 0));
}

static gboolean
take_quota (FakeCloud *cloud, const char *name, JsonObject *body)
{
  const char *project = fake_json_get_string (body, "project");

  if (g_str_equal (name, "project"))
    return TRUE;
  return project != NULL
         && fake_cloud_try_set_quota (cloud, project, name,
                                      (int) fake_json_get_int (body, name, -1));
}

static gboolean
take_extension (FakeCloud *cloud, const char *name, JsonObject *body)
{
  return fake_neutron_set_extension (cloud, name, fake_json_get_bool (body, name, TRUE));
}

static void
post_extensions (FakeRequest *request)
{
  take_members (request, take_extension);
}

static void
post_script (FakeRequest *request)
{
  JsonObject *body = get_body (request);
  const char *states = body != NULL ? fake_json_get_string (body, "states") : NULL;

  if (states == NULL || *states == '\0')
    return reply_bad (request, "no states");
  fake_cloud_script_server (request->cloud, fake_json_get_string (body, "name"),
                            fake_json_get_string (body, "zone"),
                            (int) fake_json_get_int (body, "times", 1), states,
                            (int) fake_json_get_int (body, "code", 0),
                            fake_json_get_string (body, "message"));
  reply_done (request);
}

static void
post_settings (FakeRequest *request)
{
  take_members (request, take_setting);
}

static void
post_quotas (FakeRequest *request)
{
  take_members (request, take_quota);
}

static void
expire_tokens (FakeRequest *request)
{
  fake_cloud_expire_tokens (request->cloud);
  reply_done (request);
}

static void
post_contents (FakeRequest *request)
{
  JsonObject *body = get_body (request);
  JsonObject *object = NULL;

  if (body != NULL)
    object = fake_cloud_try_add (request->cloud, g_ptr_array_index (request->args, 0), body);
  if (object == NULL)
    return reply_bad (request, "no such kind, or something is missing");
  fake_request_reply_json (request, 201,
                           fake_json ("{'id': %s}\n", fake_json_get_string (object, "id")));
}

static void
patch_contents (FakeRequest *request)
{
  JsonObject *body = get_body (request);

  if (body == NULL
      || !fake_cloud_try_update (request->cloud, g_ptr_array_index (request->args, 0),
                                 g_ptr_array_index (request->args, 1), body))
    return reply_bad (request, "no such kind or name");
  reply_done (request);
}

static void
delete_contents (FakeRequest *request)
{
  if (!fake_cloud_try_remove (request->cloud, g_ptr_array_index (request->args, 0),
                              g_ptr_array_index (request->args, 1)))
    return reply_bad (request, "no such kind or name");
  reply_done (request);
}

static const FakeRoute routes[] = {
  { "POST", "/rules", post_rule },
  { "GET", "/rules/*", get_rule },
  { "DELETE", "/rules", delete_rules },
  { "GET", "/log", get_log },
  { "DELETE", "/log", delete_log },
  { "GET", "/inventory", get_inventory },
  { "POST", "/settings", post_settings },
  { "POST", "/quotas", post_quotas },
  { "POST", "/extensions", post_extensions },
  { "POST", "/scripts", post_script },
  { "POST", "/expire-tokens", expire_tokens },
  { "POST", "/*", post_contents },
  { "PATCH", "/*/*", patch_contents },
  { "DELETE", "/*/*", delete_contents },
};

static void
handle (FakeRequest *request)
{
  if (fake_request_route (request, request->path, routes, G_N_ELEMENTS (routes))
      != FAKE_ROUTE_FOUND)
    fake_request_reply (request, 404, "text/plain", "There is no such control point.\n");
}

static void
nothing (FakeCloud *cloud)
{
}

const FakeService fake_control_service = {
  .type = "fake",
  .prefix = "/_fake",
  .create = nothing,
  .destroy = nothing,
  .handle = handle,
};
