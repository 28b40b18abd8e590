/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "transport/os-discovery.h"
#include "transport/os-microversion.h"
#include "transport/os-service.h"

#define COMPUTE_VERSION "v2.1"
/* What came later changes answers in ways that nobody here has read about. */
#define HIGHEST 67

struct _OsMicroversions
{
  guint bound; /* the N of 2.N; 0: none */
};

/* The N of "2.N"; 0 for all else. */
static guint
parse_version (const char *version)
{
  guint64 minor;

  if (version == NULL || !g_str_has_prefix (version, "2.")
      || !g_ascii_string_to_unsigned (version + 2, 10, 1, G_MAXUINT16, &minor, NULL))
    return 0;
  return minor;
}

static guint
parse_bound (const char *bound)
{
  guint minor = parse_version (bound);

  if (minor > 0)
    return MIN (minor, HIGHEST);
  if (bound != NULL && *bound != '\0' && !g_str_equal (bound, "2")
      && !g_str_has_suffix (bound, "latest"))
    g_warning ("compute-api-version \"%s\" is no version of compute as in \"2.60\": it bounds "
               "nothing",
               bound);
  return HIGHEST;
}

OsMicroversions *
os_microversions_new (const char *bound)
{
  OsMicroversions *self = g_new0 (OsMicroversions, 1);

  self->bound = parse_bound (bound);
  return self;
}

void
os_microversions_free (OsMicroversions *self)
{
  g_free (self);
}

gboolean
os_microversions_has (OsMicroversions *self,
                      GPtrArray       *versions,
                      const char      *version)
{
  guint minor = parse_version (version);
  guint highest = 0;

  for (guint i = 0; i < versions->len; i++)
    {
      const OsApiVersion *known = g_ptr_array_index (versions, i);

      if (known->major == 2)
        highest = MAX (highest, parse_version (known->highest));
    }
  return minor > 0 && minor <= MIN (highest, self->bound);
}

/* Requests */

gboolean
os_microversions_set_headers (OsMicroversions *self,
                              WkHttpRequest   *request,
                              const char      *version)
{
  g_autofree char *with_service = NULL;

  if (self->bound == 0)
    return FALSE;
  /* The first is understood by every nova that has microversions, the second is what others
   * look at. */
  with_service = g_strconcat ("compute ", version, NULL);
  wk_http_request_set_header (request, "X-OpenStack-Nova-API-Version", version);
  wk_http_request_set_header (request, "OpenStack-API-Version", with_service);
  return TRUE;
}

void
os_microversions_forget (OsMicroversions *self)
{
  g_debug ("compute refuses a microversion: none is asked for from now on");
  self->bound = 0;
}

char *
os_microversion_get_endpoint (const char *endpoint)
{
  g_autofree char *base = os_service_strip_version (endpoint);
  const char *version = endpoint + strlen (base);

  if (!g_str_has_prefix (version, "/v2/") && !g_str_equal (version, "/v2"))
    return g_strdup (endpoint);
  return g_strconcat (base, "/" COMPUTE_VERSION, version + strlen ("/v2"), NULL);
}

/* Without a project, which would be taken for a path of its own, and with a slash, for the same
 * reason. */
char *
os_microversion_get_document (const char *endpoint)
{
  g_autofree char *base = os_service_strip_version (endpoint);

  return g_strconcat (base, "/" COMPUTE_VERSION "/", NULL);
}

gboolean
os_microversion_is_honoured (WkHttpResponse *response,
                              const char     *version)
{
  const char *header = wk_http_response_get_header (response, "OpenStack-API-Version");

  if (header != NULL && g_str_has_prefix (header, "compute "))
    return g_str_equal (header + strlen ("compute "), version);
  return g_strcmp0 (wk_http_response_get_header (response, "X-OpenStack-Nova-API-Version"),
                    version) == 0;
}
