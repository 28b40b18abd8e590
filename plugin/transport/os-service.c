/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "transport/os-service.h"

static const struct
{
  const char *types[6]; /* the best first */
} services[OS_N_SERVICES] = {
  [OS_SERVICE_COMPUTE] = { { "compute", "computev21", "compute_legacy" } },
  [OS_SERVICE_NETWORK] = { { "network" } },
  [OS_SERVICE_IMAGE] = { { "image" } },
  [OS_SERVICE_OBJECT_STORE] = { { "object-store", "object-storage" } },
  [OS_SERVICE_IDENTITY] = { { "identity", "identityv3" } },
  [OS_SERVICE_S3] = { { "s3" } },
  [OS_SERVICE_BLOCK_STORAGE] = { { "block-storage", "volumev3", "volumev2", "volume",
                                   "block-store" } },
  [OS_SERVICE_IMAGE_METADATA] = { { "product-streams" } },
  [OS_SERVICE_TOOLS_METADATA] = { { "welkin-tools", "juju-tools" } },
};

const char *
os_service_get_name (OsServiceKind kind)
{
  return services[kind].types[0];
}

int
os_service_rank_type (OsServiceKind kind,
                      const char   *type)
{
  for (int i = 0; services[kind].types[i] != NULL; i++)
    if (g_str_equal (services[kind].types[i], type))
      return i;
  return -1;
}

/* Where the last segment that is a version begins (its slash), or NULL. Looked for from the right:
 * a prefix of a proxy may look like a version as well. */
static char *
find_version (char *url)
{
  for (char *slash = g_strrstr (url, "/"); slash != NULL;
       slash = g_strrstr_len (url, slash - url, "/"))
    if (g_regex_match_simple ("^/v\\d+(\\.\\d+)?(/|$)", slash, 0, 0))
      return slash;
  return NULL;
}

char *
os_service_strip_version (const char *url)
{
  char *base = g_strdup (url);
  char *version = find_version (base);

  if (version != NULL)
    *version = '\0';
  return base;
}

gboolean
os_service_is_versioned (const char *url)
{
  g_autofree char *base = os_service_strip_version (url);

  return !g_str_equal (base, url);
}

char *
os_service_trim_endpoint (const char *url)
{
  char *base = g_strstrip (g_strdup (url));

  while (g_str_has_suffix (base, "/"))
    base[strlen (base) - 1] = '\0';
  return base;
}

char *
os_service_normalize_endpoint (OsServiceKind kind,
                               const char   *url)
{
  g_autofree char *base = os_service_trim_endpoint (url);
  char *version = find_version (base);

  switch (kind)
    {
    case OS_SERVICE_NETWORK:
      if (g_str_has_suffix (base, "/v2.0"))
        return g_steal_pointer (&base);
      return g_strconcat (base, "/v2.0", NULL);
    case OS_SERVICE_IMAGE:
      if (version != NULL &&
          (g_str_has_prefix (version, "/v1") || g_str_has_prefix (version, "/v2")))
        *version = '\0';
      return g_strconcat (base, "/v2", NULL);
    case OS_SERVICE_IDENTITY:
      /* Whatever version was logged in with: what else it has is of this one. */
      if (version != NULL)
        *version = '\0';
      return g_strconcat (base, "/v3", NULL);
    case OS_SERVICE_COMPUTE:
    case OS_SERVICE_OBJECT_STORE:
    case OS_SERVICE_IMAGE_METADATA:
    case OS_SERVICE_TOOLS_METADATA:
    case OS_SERVICE_S3:
      return g_steal_pointer (&base);
    case OS_SERVICE_BLOCK_STORAGE:
      return version != NULL ? g_steal_pointer (&base) : g_strconcat (base, "/v3", NULL);
    case OS_N_SERVICES:
    default:
      g_return_val_if_reached (NULL);
    }
}
