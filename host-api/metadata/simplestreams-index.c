/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "metadata/simplestreams-index.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>

#include "base/json-walk.h"
#include "metadata/metadata-names.h"
#include "values/welkin-error.h"

/*
 * The two lists that lead to products:
 *
 *   {"format": "index:1.0", "index": {CONTENT-ID: {"datatype": …, "path": …, "products": [ID, …],
 *    "clouds": [{"region": …, "endpoint": …}, …]}}}
 *   {"format": "mirrors:1.0", "mirrors": {CONTENT-ID: [{"datatype": …, "path": …, "mirror": …,
 *    "clouds": […]}, …]}}
 */

#define MAX_VALUES 500000
#define MAX_OFFERS 8 /* clouds that a message shows */

typedef struct
{
  GPtrArray *entries; /* (owned) of WelkinStreamsEntry */
  char      *format;  /* (owned) (nullable) */
} List;

void
welkin_streams_entry_free (WelkinStreamsEntry *self)
{
  g_free (self->content_id);
  g_free (self->datatype);
  g_free (self->path);
  g_free (self->mirror);
  g_ptr_array_unref (self->clouds);
  g_hash_table_unref (self->products);
  g_free (self);
}

static void
add_entry (List       *list,
           const char *content_id)
{
  WelkinStreamsEntry *entry = g_new0 (WelkinStreamsEntry, 1);

  entry->content_id = g_strdup (content_id);
  entry->clouds = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_cloud_spec_free);
  entry->products = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_ptr_array_add (list->entries, entry);
}

static void
take_text (char      **place,
           const char *text)
{
  g_free (*place);
  *place = g_strdup (text);
}

static void
read_cloud (WelkinStreamsEntry *entry,
            const char         *key,
            const char         *text)
{
  WelkinCloudSpec *cloud;

  if (entry->clouds->len == 0)
    return;
  cloud = g_ptr_array_index (entry->clouds, entry->clouds->len - 1);
  if (g_str_equal (key, "region"))
    take_text (&cloud->region, text);
  else if (g_str_equal (key, "endpoint"))
    take_text (&cloud->endpoint, text);
}

/* path: the keys below the entry; text: NULL where a list or map begins. */
static void
read_entry (WelkinStreamsEntry *entry,
            const char *const  *path,
            const char         *text)
{
  if (g_str_equal (path[0], "clouds") && path[1] != NULL)
    {
      if (path[2] == NULL && text == NULL)
        g_ptr_array_add (entry->clouds, welkin_cloud_spec_new (NULL, NULL));
      else if (path[2] != NULL && path[3] == NULL && text != NULL)
        read_cloud (entry, path[2], text);
      return;
    }
  if (text == NULL)
    return;
  if (g_str_equal (path[0], "products") && path[1] != NULL)
    g_hash_table_add (entry->products, g_strdup (text));
  else if (path[1] != NULL)
    return;
  else if (g_str_equal (path[0], "datatype"))
    take_text (&entry->datatype, text);
  else if (g_str_equal (path[0], "path"))
    take_text (&entry->path, text);
  else if (g_str_equal (path[0], "mirror"))
    take_text (&entry->mirror, text);
}

static gboolean
visit_list (List              *list,
            const char        *member,
            guint              entry_depth,
            const char *const *path,
            guint              depth,
            const char        *text)
{
  if (depth == 1 && g_str_equal (path[0], "format") && text != NULL)
    take_text (&list->format, text);
  if (depth < entry_depth || !g_str_equal (path[0], member))
    return TRUE;
  if (depth == entry_depth)
    {
      if (text == NULL)
        add_entry (list, path[1]);
      return TRUE;
    }
  if (list->entries->len > 0)
    read_entry (g_ptr_array_index (list->entries, list->entries->len - 1), path + entry_depth,
                text);
  return TRUE;
}

static gboolean
visit_index (const char *const *path,
             guint              depth,
             const char        *text,
             gpointer           data,
             GError           **error)
{
  return visit_list (data, "index", 2, path, depth, text);
}

static gboolean
visit_mirrors (const char *const *path,
               guint              depth,
               const char        *text,
               gpointer           data,
               GError           **error)
{
  return visit_list (data, "mirrors", 3, path, depth, text);
}

static gboolean
parse (List        *list,
       GBytes      *bytes,
       WkJsonVisit  visit,
       const char  *uri,
       GError     **error)
{
  const WkJsonLimits limits = { .max_records = MAX_VALUES };

  list->entries = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_streams_entry_free);
  if (wk_json_walk (bytes, &limits, visit, list, error))
    return TRUE;
  g_prefix_error (error, _("cannot unmarshal JSON metadata at URL \"%s\": "), uri);
  return FALSE;
}

static void
list_clear (List *list)
{
  g_clear_pointer (&list->entries, g_ptr_array_unref);
  g_clear_pointer (&list->format, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (List, list_clear)

GPtrArray *
welkin_streams_parse_index (GBytes     *bytes,
                            const char *uri,
                            GError    **error)
{
  g_auto(List) list = { NULL };

  if (!parse (&list, bytes, visit_index, uri, error))
    return NULL;
  if (g_strcmp0 (list.format, WELKIN_METADATA_INDEX_FORMAT) == 0)
    return g_steal_pointer (&list.entries);
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
               _("unexpected index file format \"%s\", expected \"%s\" at URL \"%s\""),
               list.format != NULL ? list.format : "", WELKIN_METADATA_INDEX_FORMAT, uri);
  return NULL;
}

/* The list that names lists need not tell its format. */
GPtrArray *
welkin_streams_parse_mirrors (GBytes     *bytes,
                              const char *uri,
                              GError    **error)
{
  g_auto(List) list = { NULL };

  if (!parse (&list, bytes, visit_mirrors, uri, error))
    return NULL;
  if (list.format == NULL || g_str_equal (list.format, WELKIN_METADATA_MIRRORS_FORMAT))
    return g_steal_pointer (&list.entries);
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
               _("unexpected mirrors file format \"%s\", expected \"%s\" at URL \"%s\""),
               list.format, WELKIN_METADATA_MIRRORS_FORMAT, uri);
  return NULL;
}

static gboolean
names_cloud (const WelkinStreamsEntry *entry,
             const WelkinCloudSpec    *wanted)
{
  for (guint i = 0; i < entry->clouds->len; i++)
    if (welkin_cloud_spec_matches (wanted, g_ptr_array_index (entry->clouds, i)))
      return TRUE;
  return FALSE;
}

static gboolean
has_product (const WelkinStreamsEntry *entry,
             const char *const        *product_ids)
{
  for (gsize i = 0; product_ids != NULL && product_ids[i] != NULL; i++)
    if (g_hash_table_contains (entry->products, product_ids[i]))
      return TRUE;
  return product_ids == NULL;
}

/* Who looks for "region R at http://a" sees at once that the metadata say "http://b". */
static void
add_offers (GString   *text,
            GPtrArray *entries)
{
  g_autoptr(GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < entries->len; i++)
    {
      const WelkinStreamsEntry *entry = g_ptr_array_index (entries, i);

      for (guint j = 0; j < entry->clouds->len; j++)
        {
          g_autofree char *offer =
            welkin_cloud_spec_to_text (g_ptr_array_index (entry->clouds, j));

          if (g_hash_table_contains (seen, offer))
            continue;
          if (g_hash_table_size (seen) == MAX_OFFERS)
            {
              g_string_append (text, ", …");
              return;
            }
          g_string_append_printf (text, "%s%s", g_hash_table_size (seen) > 0 ? ", " : "", offer);
          g_hash_table_add (seen, g_steal_pointer (&offer));
        }
    }
}

static GError *
make_cloud_error (GPtrArray             *entries,
                  const WelkinCloudSpec *wanted)
{
  g_autoptr(GString) offers = g_string_new (NULL);
  g_autofree char *text = welkin_cloud_spec_to_text (wanted);

  add_offers (offers, entries);
  /* TRANSLATORS: both are like: region "R1" at "http://id.cloud.test:5000/v3" */
  return g_error_new (WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND,
                      _("index file has no data for cloud: wanted is %s, on offer are %s"), text,
                      offers->str);
}

const WelkinStreamsEntry *
welkin_streams_choose_entry (GPtrArray             *entries,
                             const char            *datatype,
                             const char *const     *content_ids,
                             const WelkinCloudSpec *wanted,
                             const char *const     *product_ids,
                             GError               **error)
{
  g_autoptr(GPtrArray) of_type = g_ptr_array_new ();
  g_autofree char *names = NULL;
  gboolean has_content = FALSE;
  gboolean has_cloud = FALSE;

  for (guint i = 0; i < entries->len; i++)
    {
      WelkinStreamsEntry *entry = g_ptr_array_index (entries, i);

      if (g_strcmp0 (entry->datatype, datatype) == 0 && entry->path != NULL)
        g_ptr_array_add (of_type, entry);
    }
  for (guint i = 0; i < of_type->len; i++)
    {
      const WelkinStreamsEntry *entry = g_ptr_array_index (of_type, i);

      if (content_ids != NULL && !g_strv_contains (content_ids, entry->content_id))
        continue;
      has_content = TRUE;
      if (entry->clouds->len > 0 && !names_cloud (entry, wanted))
        continue;
      has_cloud = TRUE;
      if (has_product (entry, product_ids))
        return entry;
    }

  if (of_type->len == 0)
    g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND, _("index file missing \"%s\" data"),
                 datatype);
  else if (!has_content)
    {
      names = g_strjoinv (", ", (char **) content_ids);
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NOT_FOUND,
                   /* TRANSLATORS: a list of names, as in "org.welkin:devel:tools" */
                   _("index file has no data of any of: %s"), names);
    }
  else if (!has_cloud)
    g_propagate_error (error, make_cloud_error (of_type, wanted));
  else
    {
      names = g_strjoinv (", ", (char **) product_ids);
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_NO_MATCH,
                   _("index file has no data for product name(s) %s"), names);
    }
  return NULL;
}

const WelkinStreamsEntry *
welkin_streams_choose_mirrors (GPtrArray             *entries,
                               const char *const     *content_ids,
                               const char            *datatype,
                               const WelkinCloudSpec *wanted)
{
  const WelkinStreamsEntry *for_any = NULL;

  for (guint i = 0; i < entries->len; i++)
    {
      const WelkinStreamsEntry *entry = g_ptr_array_index (entries, i);

      if (!g_strv_contains (content_ids, entry->content_id) || entry->path == NULL
          || g_strcmp0 (entry->datatype, datatype) != 0)
        continue;
      if (names_cloud (entry, wanted))
        return entry;
      if (for_any == NULL && entry->clouds->len == 0)
        for_any = entry;
    }
  return for_any;
}

const WelkinStreamsEntry *
welkin_streams_choose_mirror (GPtrArray             *entries,
                              const char *const     *content_ids,
                              const WelkinCloudSpec *wanted)
{
  for (guint i = 0; i < entries->len; i++)
    {
      const WelkinStreamsEntry *entry = g_ptr_array_index (entries, i);

      if (g_strv_contains (content_ids, entry->content_id) && entry->path != NULL
          && entry->mirror != NULL && names_cloud (entry, wanted))
        return entry;
    }
  return NULL;
}
