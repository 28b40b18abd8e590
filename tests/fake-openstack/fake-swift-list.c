/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

/* Listings of accounts and containers, as JSON or text. */

#include "fake-swift.h"

typedef struct
{
  guint limit;
  const char *marker;     /* (nullable) */
  const char *end_marker; /* (nullable) */
  const char *prefix;     /* (nullable) */
  const char *delimiter;  /* (nullable) */
  gboolean is_json;
  gboolean is_radosgw;
} Listing;

/* An unreadable limit does not count, one that is too large is refused. */
static gboolean
parse_listing (FakeRequest *request, Listing *listing)
{
  const char *limit = fake_request_get_parameter (request, "limit");
  const char *format = fake_request_get_parameter (request, "format");
  const char *accept = fake_request_get_header (request, "Accept");
  guint most = (guint) request->cloud->settings.swift_max_limit;
  guint64 asked;

  listing->limit = most;
  if (limit != NULL && g_ascii_string_to_unsigned (limit, 10, 0, G_MAXUINT, &asked, NULL))
    {
      if (asked > most)
        {
          g_autofree char *message = g_strdup_printf ("Maximum limit is %u", most);

          fake_request_reply (request, 412, "text/html; charset=UTF-8", message);
          return FALSE;
        }
      listing->limit = (guint) asked;
    }
  listing->marker = fake_request_get_parameter (request, "marker");
  listing->end_marker = fake_request_get_parameter (request, "end_marker");
  listing->prefix = fake_request_get_parameter (request, "prefix");
  listing->delimiter = fake_request_get_parameter (request, "delimiter");
  listing->is_radosgw = request->cloud->settings.swift_is_radosgw != 0;
  if (format != NULL)
    listing->is_json = g_str_equal (format, "json");
  else
    listing->is_json = !listing->is_radosgw && accept != NULL && strstr (accept, "json") != NULL;
  return TRUE;
}

static void
reply_listing (FakeRequest *request, const Listing *listing, GString *out, guint n)
{
  g_autoptr (GBytes) bytes = NULL;
  gboolean is_head = g_str_equal (request->method, "HEAD");
  guint status = n > 0 || (listing->is_json && !listing->is_radosgw) ? 200 : 204;

  if (listing->is_json)
    g_string_append_c (out, ']');
  if (is_head || status == 204)
    g_string_truncate (out, 0);
  bytes = g_string_free_to_bytes (out);
  fake_request_set_header (request, "Vary", "Accept");
  fake_request_reply_bytes (request, is_head ? 204 : status,
                            listing->is_json ? "application/json; charset=utf-8"
                                             : "text/plain; charset=utf-8",
                            g_bytes_get_size (bytes) > 0 ? bytes : NULL);
}

static char *
make_time (gint64 time_us)
{
  g_autofree char *whole = fake_time_text (time_us, FALSE);

  return g_strdup_printf ("%.19s.%06d", whole, (int) (time_us % G_USEC_PER_SEC));
}

/* The first entry of the tree that the listing may show. */
static GTreeNode *
find_first (GTree *tree, const Listing *listing)
{
  const char *from = listing->prefix != NULL ? listing->prefix : "";

  if (listing->marker != NULL && strcmp (listing->marker, from) >= 0)
    return g_tree_upper_bound (tree, listing->marker);
  return g_tree_lower_bound (tree, from);
}

static gboolean
is_beyond (const Listing *listing, const char *name)
{
  return (listing->prefix != NULL && !g_str_has_prefix (name, listing->prefix))
         || (listing->end_marker != NULL && *listing->end_marker != '\0'
             && strcmp (name, listing->end_marker) >= 0);
}

void
fake_swift_list_account (FakeRequest *request, FakeAccount *account)
{
  Listing listing = { 0 };
  GString *out;
  guint n = 0;

  if (!parse_listing (request, &listing))
    return;
  out = g_string_new (listing.is_json ? "[" : NULL);
  for (GTreeNode *node = find_first (account->containers, &listing); node != NULL;
       node = g_tree_node_next (node))
    {
      const char *name = g_tree_node_key (node);
      FakeContainer *container = g_tree_node_value (node);
      g_autofree char *time = make_time (container->time_us);

      if (is_beyond (&listing, name) || n == listing.limit)
        break;
      if (!listing.is_json)
        g_string_append_printf (out, "%s\n", name);
      else
        fake_json_append (out, "%r{'name': %s, 'count': %d, 'bytes': %l, 'last_modified': %s}",
                          n > 0 ? ", " : "", name, g_tree_nnodes (container->objects),
                          (gint64) container->bytes, time);
      n++;
    }
  reply_listing (request, &listing, out, n);
}

/* "a/" for all that lies below it; NULL for an object that stands for itself. */
static char *
get_subdirectory (const Listing *listing, const char *name)
{
  gsize skip = listing->prefix != NULL ? strlen (listing->prefix) : 0;
  const char *found;

  if (listing->delimiter == NULL || *listing->delimiter == '\0')
    return NULL;
  found = strstr (name + skip, listing->delimiter);
  if (found == NULL)
    return NULL;
  return g_strndup (name, (gsize) (found - name) + strlen (listing->delimiter));
}

static void
append_object (GString *out, const Listing *listing, const char *name, FakeObject *object, guint n)
{
  g_autofree char *time = NULL;

  if (!listing->is_json)
    {
      g_string_append_printf (out, "%s\n", name);
      return;
    }
  time = make_time (object->time_us);
  fake_json_append (out, "%r{'bytes': %l, 'hash': %s, 'name': %s, 'content_type': %s,"
                         " 'last_modified': %s}",
                    n > 0 ? ", " : "", (gint64) object->size, object->etag, name,
                    object->content_type, time);
}

static void
append_subdirectory (GString *out, const Listing *listing, const char *name, guint n)
{
  if (listing->is_json)
    fake_json_append (out, "%r{'subdir': %s}", n > 0 ? ", " : "", name);
  else
    g_string_append_printf (out, "%s\n", name);
}

void
fake_swift_list_container (FakeRequest *request, FakeContainer *container)
{
  g_autofree char *last_subdirectory = NULL;
  Listing listing = { 0 };
  GString *out;
  guint n = 0;

  if (!parse_listing (request, &listing))
    return;
  out = g_string_new (listing.is_json ? "[" : NULL);
  for (GTreeNode *node = find_first (container->objects, &listing); node != NULL;
       node = g_tree_node_next (node))
    {
      const char *name = g_tree_node_key (node);
      g_autofree char *subdirectory = get_subdirectory (&listing, name);

      if (is_beyond (&listing, name) || n == listing.limit)
        break;
      if (subdirectory == NULL)
        append_object (out, &listing, name, g_tree_node_value (node), n++);
      else if (g_strcmp0 (subdirectory, last_subdirectory) != 0
               && g_strcmp0 (subdirectory, listing.marker) != 0)
        {
          append_subdirectory (out, &listing, subdirectory, n++);
          g_free (last_subdirectory);
          last_subdirectory = g_steal_pointer (&subdirectory);
        }
    }
  reply_listing (request, &listing, out, n);
}
