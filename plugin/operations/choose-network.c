/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/choose-network.h"

#include <glib/gi18n-lib.h>

#include "values/welkin-error.h"

/* Of networks, in a message. */
#define MAX_NAMES 10

/* "private (2a47…), public (77b0…)" */
static char *
describe_networks (GPtrArray *networks)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < networks->len; i++)
    {
      const OsNetwork *network = g_ptr_array_index (networks, i);

      g_string_append_printf (text, "%s%s (%s)", i > 0 ? ", " : "", network->name, network->id);
    }
  return g_string_free (text, FALSE);
}

static const char *
get_attribute (OsNetworkUse use)
{
  return use == OS_NETWORK_FOR_MACHINES ? "network" : "external-network";
}

static gboolean
set_network_error (GError      **error,
                   WelkinError   code,
                   char         *text,
                   OsNetworkUse  use)
{
  g_autofree char *message = text;
  g_autofree char *hint = NULL;

  g_set_error_literal (error, WELKIN_ERROR, code, message);
  if (error == NULL)
    return FALSE;
  /* TRANSLATORS: %s is the name of an attribute in environments.yaml */
  hint = g_strdup_printf (_("Set \"%s\" in environments.yaml to the name or id of a network."),
                          get_attribute (use));
  welkin_error_set_hint (*error, hint);
  welkin_error_set_zone_independent (*error, TRUE);
  return FALSE;
}

char *
os_network_parse_id (const char *text)
{
  g_autofree char *id = g_ascii_strdown (text, -1);
  GString *dashed;

  if (g_uuid_string_is_valid (id))
    return g_steal_pointer (&id);
  if (strlen (id) != 32 || strspn (id, "0123456789abcdef") != 32)
    return NULL;

  dashed = g_string_new (id);
  for (gssize position = 8; position <= 23; position += 5)
    g_string_insert_c (dashed, position, '-');
  return g_string_free (dashed, FALSE);
}

/* An administrator sees the networks of every project. */
static gboolean
is_usable (const OsNetwork *network,
           const char      *project_id)
{
  return network->is_shared || network->is_external
         || g_strcmp0 (network->project_id, project_id) == 0;
}

static int
compare_names (gconstpointer a,
               gconstpointer b)
{
  return g_strcmp0 (*(const char *const *) a, *(const char *const *) b);
}

/* "there are: private, public", each name once; NULL for none. */
static char *
describe_names (GPtrArray   *networks,
                const char  *project_id,
                OsNetworkUse use)
{
  g_autoptr(GPtrArray) names = g_ptr_array_new ();
  g_autofree char *text = NULL;

  for (guint i = 0; i < networks->len; i++)
    {
      OsNetwork *network = g_ptr_array_index (networks, i);

      if (is_usable (network, project_id) && network->name != NULL && *network->name != '\0'
          && (use == OS_NETWORK_FOR_MACHINES || network->is_external)
          && !g_ptr_array_find_with_equal_func (names, network->name, g_str_equal, NULL))
        g_ptr_array_add (names, network->name);
    }
  if (names->len == 0)
    return NULL;
  g_ptr_array_sort (names, compare_names);
  if (names->len > MAX_NAMES)
    {
      g_ptr_array_set_size (names, MAX_NAMES);
      g_ptr_array_add (names, (gpointer) "…");
    }
  g_ptr_array_add (names, NULL);
  text = g_strjoinv (", ", (char **) names->pdata);
  /* TRANSLATORS: names of networks, behind a message that a network was not found */
  return g_strdup_printf (_("there are: %s"), text);
}

static GPtrArray *
list_named (GPtrArray   *networks,
            const char  *name,
            const char  *project_id,
            OsNetworkUse use)
{
  GPtrArray *named = g_ptr_array_new ();

  for (guint i = 0; i < networks->len; i++)
    {
      OsNetwork *network = g_ptr_array_index (networks, i);

      if (g_strcmp0 (network->name, name) == 0 && is_usable (network, project_id)
          && (use == OS_NETWORK_FOR_MACHINES || network->is_external))
        g_ptr_array_add (named, network);
    }
  return named;
}

const OsNetwork *
os_choose_network_by_id (GPtrArray    *networks,
                         const char   *id,
                         OsNetworkUse  use,
                         GError      **error)
{
  for (guint i = 0; i < networks->len; i++)
    {
      const OsNetwork *network = g_ptr_array_index (networks, i);

      if (g_ascii_strcasecmp (network->id, id) == 0)
        return network;
    }
  set_network_error (error, WELKIN_ERROR_NOT_FOUND,
                     g_strdup_printf (_("there is no network %s"), id), use);
  return NULL;
}

const OsNetwork *
os_choose_network_by_name (GPtrArray    *networks,
                           const char   *name,
                           const char   *project_id,
                           OsNetworkUse  use,
                           GError      **error)
{
  g_autoptr(GPtrArray) named = list_named (networks, name, project_id, use);
  g_autofree char *described = NULL;

  if (named->len == 1)
    return g_ptr_array_index (named, 0);
  if (named->len == 0)
    {
      const char *format = use == OS_NETWORK_FOR_MACHINES ? _("no network named \"%s\"")
                                                          : _("no external network named \"%s\"");
      g_autofree char *missing = g_strdup_printf (format, name);

      described = describe_names (networks, project_id, use);
      set_network_error (error, WELKIN_ERROR_NOT_FOUND,
                         g_strjoin ("; ", missing, described, NULL), use);
      return NULL;
    }
  described = describe_networks (named);
  set_network_error (error, WELKIN_ERROR_AMBIGUOUS,
                     g_strdup_printf (_("several networks are named \"%s\": %s"), name, described),
                     use);
  return NULL;
}

static GPtrArray *
list_candidates (GPtrArray  *networks,
                 const char *project_id)
{
  GPtrArray *candidates = g_ptr_array_new ();

  for (guint i = 0; i < networks->len; i++)
    {
      OsNetwork *network = g_ptr_array_index (networks, i);
      gboolean is_ours = g_strcmp0 (network->project_id, project_id) == 0;

      if (!network->is_external && network->is_up != FALSE
          && g_ascii_strcasecmp (network->status != NULL ? network->status : "", "ACTIVE") == 0
          && (project_id != NULL ? is_ours : network->is_shared))
        g_ptr_array_add (candidates, network);
    }
  return candidates;
}

static GPtrArray *
list_external (GPtrArray *networks,
               gboolean   shared_only)
{
  GPtrArray *external = g_ptr_array_new ();

  for (guint i = 0; i < networks->len; i++)
    {
      OsNetwork *network = g_ptr_array_index (networks, i);

      if (network->is_external && (network->is_shared || !shared_only))
        g_ptr_array_add (external, network);
    }
  return external;
}

const OsNetwork *
os_choose_network (GPtrArray  *networks,
                   const char *project_id,
                   GError    **error)
{
  g_autoptr(GPtrArray) candidates = list_candidates (networks, project_id);
  g_autofree char *described = NULL;

  if (candidates->len == 0)
    {
      g_ptr_array_unref (candidates);
      candidates = list_candidates (networks, NULL);
    }
  if (candidates->len == 0)
    {
      g_ptr_array_unref (candidates);
      candidates = list_external (networks, TRUE);
    }
  if (candidates->len == 1)
    return g_ptr_array_index (candidates, 0);
  if (candidates->len == 0)
    {
      set_network_error (error, WELKIN_ERROR_NOT_FOUND,
                         g_strdup (_("there is no network to start machines on")),
                         OS_NETWORK_FOR_MACHINES);
      return NULL;
    }
  described = describe_networks (candidates);
  set_network_error (error, WELKIN_ERROR_AMBIGUOUS,
                     g_strdup_printf (_("several networks could be used: %s"), described),
                     OS_NETWORK_FOR_MACHINES);
  return NULL;
}

guint
os_count_external_networks (GPtrArray *networks)
{
  g_autoptr(GPtrArray) external = list_external (networks, FALSE);

  return external->len;
}

gboolean
os_routers_lead_to (GPtrArray  *routers,
                    const char *network_id)
{
  for (guint i = 0; i < routers->len; i++)
    {
      const OsRouter *router = g_ptr_array_index (routers, i);

      if (router->gateway != NULL && g_strcmp0 (router->gateway->network_id, network_id) == 0)
        return TRUE;
    }
  return FALSE;
}

static GPtrArray *
list_reached (GPtrArray *networks,
              GPtrArray *routers)
{
  GPtrArray *reached = g_ptr_array_new ();

  for (guint i = 0; i < networks->len; i++)
    {
      OsNetwork *network = g_ptr_array_index (networks, i);

      if (os_routers_lead_to (routers, network->id))
        g_ptr_array_add (reached, network);
    }
  return reached;
}

const OsNetwork *
os_choose_external_network (GPtrArray *networks,
                            GPtrArray *routers,
                            GError   **error)
{
  g_autoptr(GPtrArray) external = list_external (networks, FALSE);
  g_autofree char *described = NULL;

  if (external->len > 1 && routers != NULL)
    {
      g_autoptr(GPtrArray) reached = list_reached (external, routers);

      if (reached->len == 1)
        return g_ptr_array_index (reached, 0);
    }

  if (external->len == 1)
    return g_ptr_array_index (external, 0);
  if (external->len == 0)
    {
      set_network_error (error, WELKIN_ERROR_NOT_FOUND,
                         g_strdup (_("there is no external network for floating IPs")),
                         OS_NETWORK_FOR_FLOATING_IPS);
      return NULL;
    }
  described = describe_networks (external);
  set_network_error (error, WELKIN_ERROR_AMBIGUOUS,
                     g_strdup_printf (_("several external networks could be used: %s"), described),
                     OS_NETWORK_FOR_FLOATING_IPS);
  return NULL;
}

gboolean
os_check_network (const OsNetwork *network,
                  const char      *project_id,
                  OsNetworkUse     use,
                  GError         **error)
{
  if (use == OS_NETWORK_FOR_FLOATING_IPS)
    {
      if (network->is_external)
        return TRUE;
      return set_network_error (error, WELKIN_ERROR_INVALID_ARGUMENT,
                                g_strdup_printf (_("network \"%s\" (%s) is not external"),
                                                 network->name, network->id),
                                use);
    }

  if (network->is_external && !network->is_shared
      && g_strcmp0 (network->project_id, project_id) != 0)
    return set_network_error (error, WELKIN_ERROR_INVALID_ARGUMENT,
                              g_strdup_printf (_("network \"%s\" (%s) is external: machines cannot "
                                                 "be started on it"),
                                               network->name, network->id),
                              use);
  if (network->subnets == NULL || network->subnets->len == 0)
    return set_network_error (error, WELKIN_ERROR_INVALID_ARGUMENT,
                              g_strdup_printf (_("network \"%s\" (%s) has no subnet"),
                                               network->name, network->id),
                              use);
  return TRUE;
}
