/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/port-rules.h"

#include <glib/gi18n-lib.h>

#include "model/os-prefix.h"
#include "model/os-protocol.h"
#include "operations/rule-sources.h"
#include "values/welkin-error.h"

/* From the host. */

static gboolean
refuse (WelkinPortRange *range,
        GError         **error,
        const char      *why)
{
  g_autofree char *text = welkin_port_range_to_string (range);

  /* TRANSLATORS: a range of ports like "80/tcp", and why it is none */
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_INVALID_ARGUMENT, _("bad port range \"%s\": %s"),
               text, why);
  return FALSE;
}

/* Nothing but the word itself means all of them. */
static gboolean
is_protocol (const char *text)
{
  for (const char *c = text; *c != '\0'; c++)
    {
      if (!g_ascii_isalnum (*c) && (*c != '-' || c == text))
        return FALSE;
    }
  return *text != '\0';
}

static gboolean
check_range (WelkinPortRange *range,
             GError         **error)
{
  g_autofree char *protocol = os_protocol_normalise (welkin_port_range_get_protocol (range));
  const char *const *sources = welkin_port_range_get_sources (range);

  if (!is_protocol (welkin_port_range_get_protocol (range)))
    return refuse (range, error, _("there is no such protocol"));
  if (os_protocol_has_ports (protocol) && welkin_port_range_get_from (range) == 0)
    return refuse (range, error, _("ports are numbers from 1 to 65535"));
  if (!os_protocol_has_ports (protocol) && welkin_port_range_get_to (range) != 0)
    return refuse (range, error, _("this protocol has no ports"));
  for (gsize i = 0; sources != NULL && sources[i] != NULL; i++)
    {
      g_autofree char *source = os_prefix_normalise (sources[i]);
      g_autofree char *why = NULL;

      if (source != NULL)
        continue;
      why = g_strdup_printf (_("\"%s\" is not a network like 192.0.2.0/24 or 2001:db8::/32"),
                             sources[i]);
      return refuse (range, error, why);
    }
  return TRUE;
}

GPtrArray *
os_port_ranges_copy (GPtrArray *ranges)
{
  GPtrArray *copy =
    g_ptr_array_new_full (ranges->len, (GDestroyNotify) welkin_port_range_unref);

  for (guint i = 0; i < ranges->len; i++)
    g_ptr_array_add (copy, welkin_port_range_ref (g_ptr_array_index (ranges, i)));
  return copy;
}

gboolean
os_port_ranges_check (GPtrArray *ranges,
                      GError   **error)
{
  for (guint i = 0; i < ranges->len; i++)
    {
      if (!check_range (g_ptr_array_index (ranges, i), error))
        return FALSE;
    }
  return TRUE;
}

/* As it is sent; NULL for any. */
static const char *
get_sent_protocol (const char *protocol,
                   const char *ethertype)
{
  if (g_str_equal (protocol, "any"))
    return NULL;
  if (g_str_equal (protocol, "icmp") && g_str_equal (ethertype, "IPv6"))
    return "ipv6-icmp";
  return protocol;
}

static void
add_rules (GPtrArray       *rules,
           WelkinPortRange *range,
           const char      *group_id,
           gboolean         with_twins)
{
  g_autofree char *protocol = os_protocol_normalise (welkin_port_range_get_protocol (range));
  g_auto(GStrv) sources =
    os_rule_sources_complete (welkin_port_range_get_sources (range), with_twins);

  for (gsize i = 0; sources[i] != NULL; i++)
    {
      const char *ethertype = os_rule_source_get_ethertype (sources[i]);
      OsSecurityGroupRule *rule =
        os_security_group_rule_new (group_id, ethertype, get_sent_protocol (protocol, ethertype),
                                    welkin_port_range_get_from (range),
                                    welkin_port_range_get_to (range), sources[i], NULL);

      if (os_security_group_rule_find (rules, rule) == NULL)
        g_ptr_array_add (rules, rule);
      else
        os_security_group_rule_free (rule);
    }
}

GPtrArray *
os_port_ranges_dup_rules (GPtrArray  *ranges,
                          const char *group_id,
                          gboolean    with_twins)
{
  GPtrArray *rules =
    g_ptr_array_new_with_free_func ((GDestroyNotify) os_security_group_rule_free);

  for (guint i = 0; i < ranges->len; i++)
    add_rules (rules, g_ptr_array_index (ranges, i), group_id, with_twins);
  return rules;
}

/* From the cloud. */

/* The range that a rule is one source of. */
static WelkinPortRange *
make_range (const OsSecurityGroupRule *rule,
            const char *const         *sources)
{
  g_autofree char *protocol = os_security_group_rule_dup_protocol (rule);
  guint from;
  guint to;

  os_security_group_rule_get_ports (rule, &from, &to);
  return welkin_port_range_new (protocol, from, to, sources);
}

static gboolean
is_rule_of (const OsSecurityGroupRule *rule,
            WelkinPortRange           *range)
{
  g_autoptr(WelkinPortRange) there = make_range (rule, NULL);
  g_autofree char *protocol = os_protocol_normalise (welkin_port_range_get_protocol (range));
  g_autofree char *prefix = os_security_group_rule_dup_prefix (rule);
  /* A twin that was made goes, whether or not one would be made today. */
  g_auto(GStrv) sources = os_rule_sources_complete (welkin_port_range_get_sources (range), TRUE);

  return g_str_equal (welkin_port_range_get_protocol (there), protocol)
         && welkin_port_range_get_from (there) == welkin_port_range_get_from (range)
         && welkin_port_range_get_to (there) == welkin_port_range_get_to (range)
         && g_strv_contains ((const char *const *) sources, prefix);
}

GPtrArray *
os_port_ranges_find_rules (GPtrArray             *ranges,
                           const OsSecurityGroup *group)
{
  GPtrArray *ids = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; group->rules != NULL && i < group->rules->len; i++)
    {
      const OsSecurityGroupRule *rule = g_ptr_array_index (group->rules, i);
      gboolean is_found = FALSE;

      if (!os_security_group_rule_is_open (rule))
        continue;
      for (guint j = 0; j < ranges->len && !is_found; j++)
        is_found = is_rule_of (rule, g_ptr_array_index (ranges, j));
      if (is_found)
        g_ptr_array_add (ids, g_strdup (rule->id));
    }
  return ids;
}

static int
compare_texts (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static int
compare_ranges (gconstpointer a,
                gconstpointer b)
{
  return welkin_port_range_compare (*(WelkinPortRange *const *) a, *(WelkinPortRange *const *) b);
}

/* NULL when they are what a range without sources is opened to. (transfer full) */
static char **
simplify_sources (GPtrArray *sources,
                  gboolean   with_twins)
{
  g_auto(GStrv) everywhere = os_rule_sources_complete (NULL, TRUE);
  guint n_needed = with_twins ? 2 : 1;

  g_ptr_array_sort (sources, compare_texts);
  g_ptr_array_add (sources, NULL);
  for (guint i = 0; i < n_needed; i++)
    {
      if (!g_strv_contains ((const char *const *) sources->pdata, everywhere[i]))
        return g_strdupv ((char **) sources->pdata);
    }
  for (guint i = 0; i + 1 < sources->len; i++)
    {
      if (!g_strv_contains ((const char *const *) everywhere, g_ptr_array_index (sources, i)))
        return g_strdupv ((char **) sources->pdata);
    }
  return NULL;
}

/* Rules by the text of their range. (element-type utf8 GPtrArray) (transfer full) */
static GHashTable *
group_rules (const OsSecurityGroup *group)
{
  GHashTable *found = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                             (GDestroyNotify) g_ptr_array_unref);

  for (guint i = 0; group->rules != NULL && i < group->rules->len; i++)
    {
      OsSecurityGroupRule *rule = g_ptr_array_index (group->rules, i);
      g_autoptr(WelkinPortRange) range = NULL;
      g_autofree char *text = NULL;
      GPtrArray *rules;

      if (!os_security_group_rule_is_open (rule))
        continue;
      range = make_range (rule, NULL);
      text = welkin_port_range_to_string (range);
      rules = g_hash_table_lookup (found, text);
      if (rules == NULL)
        {
          rules = g_ptr_array_new ();
          g_hash_table_insert (found, g_steal_pointer (&text), rules);
        }
      g_ptr_array_add (rules, rule);
    }
  return found;
}

static WelkinPortRange *
merge_rules (GPtrArray *rules,
             gboolean   with_twins)
{
  g_autoptr(GPtrArray) prefixes = g_ptr_array_new_with_free_func (g_free);
  g_auto(GStrv) sources = NULL;

  for (guint i = 0; i < rules->len; i++)
    {
      g_autofree char *prefix = os_security_group_rule_dup_prefix (g_ptr_array_index (rules, i));

      if (!g_ptr_array_find_with_equal_func (prefixes, prefix, g_str_equal, NULL))
        g_ptr_array_add (prefixes, g_steal_pointer (&prefix));
    }
  sources = simplify_sources (prefixes, with_twins);
  return make_range (g_ptr_array_index (rules, 0), (const char *const *) sources);
}

GPtrArray *
os_port_rules_dup_ranges (const OsSecurityGroup *group,
                          gboolean               with_twins)
{
  GPtrArray *ranges =
    g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_port_range_unref);
  g_autoptr(GHashTable) found = group_rules (group);
  GHashTableIter iter;
  gpointer rules;

  g_hash_table_iter_init (&iter, found);
  while (g_hash_table_iter_next (&iter, NULL, &rules))
    g_ptr_array_add (ranges, merge_rules (rules, with_twins));
  g_ptr_array_sort (ranges, compare_ranges);
  return ranges;
}
