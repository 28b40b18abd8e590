/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/rule-sources.h"

#include "model/os-prefix.h"

#define EVERYWHERE_IPV4 "0.0.0.0/0"
#define EVERYWHERE_IPV6 "::/0"

gboolean
os_config_wants_ipv6_rules (WelkinConfig *config)
{
  return !welkin_config_has (config, "enable-ipv6-rules")
         || welkin_config_get_boolean (config, "enable-ipv6-rules");
}

const char *
os_rule_source_get_ethertype (const char *source)
{
  return strchr (source, ':') != NULL ? "IPv6" : "IPv4";
}

static void
add_source (GPtrArray  *complete,
            const char *source)
{
  g_autofree char *normal = os_prefix_normalise (source);

  if (normal == NULL)
    normal = g_strdup (source);
  if (!g_ptr_array_find_with_equal_func (complete, normal, g_str_equal, NULL))
    g_ptr_array_add (complete, g_steal_pointer (&normal));
}

char **
os_rule_sources_complete (const char *const *sources,
                          gboolean           with_twins)
{
  static const char *const everywhere[] = { EVERYWHERE_IPV4, NULL };
  g_autoptr(GPtrArray) complete = g_ptr_array_new_with_free_func (g_free);

  if (sources == NULL || *sources == NULL)
    sources = everywhere;
  for (gsize i = 0; sources[i] != NULL; i++)
    add_source (complete, sources[i]);
  if (with_twins && g_ptr_array_find_with_equal_func (complete, EVERYWHERE_IPV4, g_str_equal, NULL))
    add_source (complete, EVERYWHERE_IPV6);
  g_ptr_array_add (complete, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&complete), FALSE);
}
