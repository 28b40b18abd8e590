/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* Rules: which requests fail, wait, or lose their connection. */

#include "fake-private.h"

typedef struct
{
  FakeRule rule; /* strings owned */
  guint number;
  int to_skip;
  int to_apply; /* -1: for ever */
  guint hits;
  gint64 first_us; /* when it was first applied; 0: not yet */
  FakeLogEntry *first; /* what it was first applied to (nullable) */
} Rule;

struct _FakeRules
{
  GPtrArray *rules; /* of Rule */
  guint count;
};

static void
rule_free (gpointer data)
{
  Rule *rule = data;

  g_free ((char *) rule->rule.method);
  g_free ((char *) rule->rule.path);
  g_free ((char *) rule->rule.service);
  g_free ((char *) rule->rule.body);
  g_free ((char *) rule->rule.content_type);
  g_strfreev ((char **) rule->rule.headers);
  g_clear_pointer (&rule->first, fake_log_entry_unref);
  g_free (rule);
}

FakeRules *
fake_rules_new (void)
{
  FakeRules *rules = g_new0 (FakeRules, 1);

  rules->rules = g_ptr_array_new_with_free_func (rule_free);
  return rules;
}

void
fake_rules_free (FakeRules *rules)
{
  g_ptr_array_unref (rules->rules);
  g_free (rules);
}

guint
fake_cloud_add_rule (FakeCloud *self, const FakeRule *from)
{
  Rule *rule = g_new0 (Rule, 1);

  rule->rule = *from;
  rule->rule.method = g_strdup (from->method);
  rule->rule.path = g_strdup (from->path);
  rule->rule.service = g_strdup (from->service);
  rule->rule.body = g_strdup (from->body);
  rule->rule.content_type = g_strdup (from->content_type);
  rule->rule.headers = (const char *const *) g_strdupv ((char **) from->headers);
  rule->number = ++self->rules->count;
  rule->to_skip = from->skip;
  rule->to_apply = from->times == 0 ? 1 : from->times;
  g_ptr_array_add (self->rules->rules, rule);
  return rule->number;
}

guint
fake_cloud_get_rule_hits (FakeCloud *self, guint number)
{
  for (guint i = 0; i < self->rules->rules->len; i++)
    {
      Rule *rule = g_ptr_array_index (self->rules->rules, i);

      if (rule->number == number)
        return rule->hits;
    }
  return 0;
}

void
fake_cloud_clear_rules (FakeCloud *self)
{
  g_ptr_array_set_size (self->rules->rules, 0);
}

/* Its time begins with the first request that it is applied to. */
static gboolean
is_over (Rule *rule)
{
  return rule->rule.for_ms > 0 && rule->first_us != 0
         && g_get_monotonic_time () - rule->first_us > rule->rule.for_ms * G_TIME_SPAN_MILLISECOND;
}

static gboolean
sticks_elsewhere (Rule *rule, const FakeLogEntry *entry)
{
  return rule->rule.sticks && rule->first != NULL
         && !(g_str_equal (rule->first->method, entry->method)
              && g_str_equal (rule->first->path, entry->path));
}

static gboolean
is_match (const FakeRule *rule, const FakeLogEntry *entry)
{
  if (rule->method != NULL && !g_str_equal (rule->method, entry->method))
    return FALSE;
  if (rule->service != NULL && !g_str_equal (rule->service, entry->service))
    return FALSE;
  return rule->path == NULL || g_pattern_match_simple (rule->path, entry->path);
}

const FakeRule *
fake_rules_match (FakeRules *rules, FakeLogEntry *entry)
{
  if (g_str_has_prefix (entry->path, fake_control_service.prefix))
    return NULL;

  for (guint i = 0; i < rules->rules->len; i++)
    {
      Rule *rule = g_ptr_array_index (rules->rules, i);

      if (rule->to_apply == 0 || is_over (rule) || sticks_elsewhere (rule, entry)
          || !is_match (&rule->rule, entry))
        continue;
      if (rule->to_skip > 0)
        {
          rule->to_skip--;
          continue;
        }
      if (rule->to_apply > 0)
        rule->to_apply--;
      if (rule->hits++ == 0)
        {
          rule->first_us = g_get_monotonic_time ();
          rule->first = fake_log_entry_ref (entry);
        }
      return &rule->rule;
    }
  return NULL;
}

static const char *const action_names[] = {
  [FAKE_ANSWER] = "answer",
  [FAKE_FAIL] = "fail",
  [FAKE_DROP_BEFORE] = "drop-before",
  [FAKE_DROP_AFTER] = "drop-after",
  [FAKE_CUT] = "cut",
  [FAKE_HANG] = "hang",
};

/*
 * Reads a rule as POST /_fake/rules takes it: the members of FakeRule by name,
 * the action in words. Its strings belong to @object and @headers.
 */
gboolean
fake_rules_parse (JsonObject *object, FakeRule *rule, GPtrArray *headers)
{
  const char *action = fake_json_get_string (object, "action");
  JsonArray *lines = fake_json_get_array (object, "headers");
  guint i;

  rule->method = fake_json_get_string (object, "method");
  rule->path = fake_json_get_string (object, "path");
  rule->service = fake_json_get_string (object, "service");
  rule->skip = (int) fake_json_get_int (object, "skip", 0);
  rule->times = (int) fake_json_get_int (object, "times", 0);
  rule->for_ms = (int) fake_json_get_int (object, "for_ms", 0);
  rule->sticks = fake_json_get_bool (object, "sticks", FALSE);
  rule->delay_ms = (int) fake_json_get_int (object, "delay_ms", 0);
  rule->status = (int) fake_json_get_int (object, "status", 0);
  rule->body = fake_json_get_string (object, "body");
  rule->content_type = fake_json_get_string (object, "content_type");
  rule->action = rule->status != 0 ? FAKE_FAIL : FAKE_ANSWER;

  for (i = 0; lines != NULL && i < json_array_get_length (lines); i++)
    {
      JsonNode *line = json_array_get_element (lines, i);

      if (!fake_json_node_is_string (line))
        return FALSE;
      g_ptr_array_add (headers, (char *) json_node_get_string (line));
    }
  g_ptr_array_add (headers, NULL);
  rule->headers = (const char *const *) headers->pdata;

  if (action == NULL)
    return TRUE;
  for (i = 0; i < G_N_ELEMENTS (action_names); i++)
    if (g_str_equal (action, action_names[i]))
      {
        rule->action = (FakeAction) i;
        return TRUE;
      }
  return FALSE;
}
