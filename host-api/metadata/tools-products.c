/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "metadata/tools-products.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>

#include "machine/welkin-series.h"
#include "metadata/arch-names.h"
#include "metadata/metadata-keys.h"
#include "metadata/metadata-names.h"
#include "values/welkin-error.h"

static const WelkinStreamsField product_fields[] = {
  WELKIN_STREAMS_ARCH,
};

static const WelkinStreamsField item_fields[] = {
  WELKIN_STREAMS_RELEASE, WELKIN_STREAMS_VERSION, WELKIN_STREAMS_ARCH,   WELKIN_STREAMS_SIZE,
  WELKIN_STREAMS_PATH,    WELKIN_STREAMS_FTYPE,   WELKIN_STREAMS_SHA256,
};

WelkinStreamsLayout
welkin_tools_make_layout (const WelkinToolsStream *stream)
{
  return (WelkinStreamsLayout){
    .content_id = stream->content_id,
    .datatype = WELKIN_TOOLS_DATATYPE,
    .products_path = stream->products_path,
    .product_fields = product_fields,
    .n_product_fields = G_N_ELEMENTS (product_fields),
    .item_fields = item_fields,
    .n_item_fields = G_N_ELEMENTS (item_fields),
  };
}

gboolean
welkin_tools_filter_init (WelkinToolsFilter *self,
                          const char        *stream,
                          const char        *series,
                          const char        *arch,
                          const char        *version,
                          gboolean           is_released,
                          GError           **error)
{
  *self = (WelkinToolsFilter){ .major = -1, .minor = -1, .is_released = is_released };
  self->stream = welkin_tools_stream_new (stream, error);
  if (self->stream == NULL)
    return FALSE;
  if (g_strcmp0 (version, "current") == 0)
    {
      self->is_exact = TRUE;
      welkin_tools_version_get_host (NULL, &self->number);
    }
  else if (version != NULL && *version != '\0')
    {
      self->is_exact = welkin_tools_version_parse (version, &self->number, NULL);
      if (!self->is_exact
          && !welkin_tools_version_parse_major_minor (version, &self->major, &self->minor, error))
        return FALSE;
    }
  if (series != NULL && !welkin_series_lookup (series, NULL, NULL, error))
    return FALSE;
  self->series = g_strdup (series);
  self->arch = g_strdup (welkin_arch_get_present (arch));
  return TRUE;
}

void
welkin_tools_filter_take_host_version (WelkinToolsFilter *self,
                                       gboolean           any_minor)
{
  WelkinToolsVersion host;

  welkin_tools_version_get_host (NULL, &host);
  self->major = (int) host.major;
  if (!any_minor)
    self->minor = (int) host.minor;
  if (welkin_tools_version_is_development (&host))
    self->is_released = FALSE;
}

void
welkin_tools_filter_clear (WelkinToolsFilter *self)
{
  g_clear_pointer (&self->stream, welkin_tools_stream_unref);
  g_clear_pointer (&self->cloud, welkin_cloud_spec_free);
  g_clear_pointer (&self->series, g_free);
  g_clear_pointer (&self->arch, g_free);
}

gboolean
welkin_tools_item_version (const WelkinStreamsItem *item,
                           WelkinToolsVersion      *version)
{
  return welkin_tools_version_parse (welkin_streams_item_get (item, WELKIN_STREAMS_VERSION),
                                     version, NULL);
}

static gboolean
filter_accepts (const WelkinToolsFilter *self,
                const WelkinStreamsItem *item)
{
  const char *series = welkin_streams_item_get (item, WELKIN_STREAMS_RELEASE);
  const char *arch = welkin_streams_item_get (item, WELKIN_STREAMS_ARCH);
  WelkinToolsVersion version;

  if (*series == '\0' || *arch == '\0'
      || *welkin_streams_item_get (item, WELKIN_STREAMS_PATH) == '\0'
      || !welkin_tools_item_version (item, &version))
    return FALSE;
  if (self->series != NULL && !g_str_equal (self->series, series))
    return FALSE;
  if (self->arch != NULL && !g_str_equal (self->arch, welkin_arch_get_present (arch)))
    return FALSE;
  if (self->is_exact)
    return welkin_tools_version_compare (&self->number, &version) == 0;
  if (self->is_released && welkin_tools_version_is_development (&version))
    return FALSE;
  return (self->major < 0 || (guint) self->major == version.major)
         && (self->minor < 0 || (guint) self->minor == version.minor);
}

/* A WelkinStreamsCollect: each binary version once, as the newest file tells of it. */
static GPtrArray *
collect (GPtrArray                *items,
         const WelkinStreamsQuery *query)
{
  g_autoptr(GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GPtrArray *kept =
    g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_streams_item_free);

  for (guint i = 0; i < items->len; i++)
    {
      const WelkinStreamsItem *item = g_ptr_array_index (items, i);

      if (filter_accepts (query->collect_data, item)
          && g_hash_table_add (seen, welkin_tools_item_binary (item)))
        g_ptr_array_add (kept, welkin_tools_item_copy (item));
    }
  return kept;
}

WelkinStreamsQuery *
welkin_tools_filter_query (const WelkinToolsFilter *self,
                           WelkinSurroundings      *surroundings)
{
  WelkinStreamsQuery *query = welkin_streams_query_new (WELKIN_TOOLS_DATATYPE, collect);

  query->content_ids = g_strdupv (self->stream->content_ids);
  query->follows_mirrors = TRUE;
  query->collect_data = self;
  query->surroundings = surroundings != NULL ? welkin_surroundings_ref (surroundings)
                                             : welkin_surroundings_new_for_process ();
  if (self->cloud != NULL)
    {
      welkin_cloud_spec_free (query->cloud);
      query->cloud = welkin_cloud_spec_copy (self->cloud);
    }
  query->key_path = welkin_tools_key_find (query->surroundings);
  return query;
}

WelkinStreamsItem *
welkin_tools_item_new (const char *directory,
                       const char *binary,
                       const char *sha256,
                       gint64      size,
                       GError    **error)
{
  g_autofree char *series = NULL;
  g_autofree char *arch = NULL;
  g_autofree char *series_version = NULL;
  WelkinToolsVersion version;
  WelkinStreamsItem *item;

  if (!welkin_tools_binary_parse (binary, &version, &series, &arch, error)
      || !welkin_series_lookup (series, NULL, &series_version, error))
    return NULL;
  item = g_new0 (WelkinStreamsItem, 1);
  item->product_id = g_strjoin (":", WELKIN_TOOLS_NAMESPACE, series_version, arch, NULL);
  item->name = g_strdup (binary);
  item->fields[WELKIN_STREAMS_RELEASE] = g_steal_pointer (&series);
  item->fields[WELKIN_STREAMS_VERSION] = welkin_tools_version_format (&version);
  item->fields[WELKIN_STREAMS_ARCH] = g_steal_pointer (&arch);
  item->fields[WELKIN_STREAMS_PATH] =
    g_strconcat (directory, WELKIN_TOOLS_FILE_PREFIX, binary, WELKIN_TOOLS_FILE_SUFFIX, NULL);
  item->fields[WELKIN_STREAMS_FTYPE] = g_strdup ("tar.gz");
  item->fields[WELKIN_STREAMS_SHA256] = g_strdup (sha256);
  if (size >= 0)
    item->fields[WELKIN_STREAMS_SIZE] = g_strdup_printf ("%" G_GINT64_FORMAT, size);
  return item;
}

WelkinStreamsItem *
welkin_tools_item_copy (const WelkinStreamsItem *item)
{
  WelkinStreamsItem *copy = g_new0 (WelkinStreamsItem, 1);

  copy->product_id = g_strdup (item->product_id);
  copy->build = g_strdup (item->build);
  copy->name = g_strdup (item->name);
  for (guint i = 0; i < WELKIN_STREAMS_N_FIELDS; i++)
    copy->fields[i] = g_strdup (item->fields[i]);
  return copy;
}

char *
welkin_tools_item_binary (const WelkinStreamsItem *item)
{
  return g_strjoin ("-", welkin_streams_item_get (item, WELKIN_STREAMS_VERSION),
                    welkin_streams_item_get (item, WELKIN_STREAMS_RELEASE),
                    welkin_streams_item_get (item, WELKIN_STREAMS_ARCH), NULL);
}

/* Those of 2014 wrote 0 for what they did not know. */
gint64
welkin_tools_item_size (const WelkinStreamsItem *item)
{
  gint64 size;

  return g_ascii_string_to_signed (welkin_streams_item_get (item, WELKIN_STREAMS_SIZE), 10, 1,
                                   G_MAXINT64, &size, NULL)
           ? size
           : -1;
}

static int
compare_items (const WelkinStreamsItem *a,
               const WelkinStreamsItem *b)
{
  WelkinToolsVersion left = { 0 };
  WelkinToolsVersion right = { 0 };

  welkin_tools_item_version (a, &left);
  welkin_tools_item_version (b, &right);
  return welkin_tools_version_compare (&left, &right);
}

void
welkin_tools_keep_newest (GPtrArray *items)
{
  WelkinStreamsItem *newest = NULL;
  g_autoptr(WelkinStreamsItem) limit = NULL;

  for (guint i = 0; i < items->len; i++)
    if (newest == NULL || compare_items (g_ptr_array_index (items, i), newest) > 0)
      newest = g_ptr_array_index (items, i);
  if (newest == NULL)
    return;
  limit = welkin_tools_item_copy (newest);
  for (guint i = items->len; i > 0; i--)
    if (compare_items (g_ptr_array_index (items, i - 1), limit) < 0)
      g_ptr_array_remove_index (items, i - 1);
}

const WelkinStreamsItem *
welkin_tools_find_binary (GPtrArray  *items,
                          const char *binary)
{
  for (guint i = 0; i < items->len; i++)
    {
      const WelkinStreamsItem *item = g_ptr_array_index (items, i);
      g_autofree char *other = welkin_tools_item_binary (item);

      if (g_str_equal (other, binary))
        return item;
    }
  return NULL;
}

static gboolean
is_same_file (const WelkinStreamsItem *a,
              const WelkinStreamsItem *b)
{
  return welkin_tools_item_size (a) == welkin_tools_item_size (b)
         && g_str_equal (welkin_streams_item_get (a, WELKIN_STREAMS_SHA256),
                         welkin_streams_item_get (b, WELKIN_STREAMS_SHA256));
}

gboolean
welkin_tools_merge (GPtrArray *items,
                    GPtrArray *others,
                    GError   **error)
{
  for (guint i = 0; i < others->len; i++)
    {
      const WelkinStreamsItem *other = g_ptr_array_index (others, i);
      g_autofree char *binary = welkin_tools_item_binary (other);
      const WelkinStreamsItem *item = welkin_tools_find_binary (items, binary);

      if (item == NULL)
        g_ptr_array_add (items, welkin_tools_item_copy (other));
      else if (welkin_tools_item_size (item) < 0)
        {
          g_ptr_array_remove (items, (gpointer) item);
          g_ptr_array_add (items, welkin_tools_item_copy (other));
        }
      else if (welkin_tools_item_size (other) >= 0 && !is_same_file (item, other))
        {
          g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_CONFLICT,
                       _("metadata mismatch for %s: sizes %s and %s, sha256 %s and %s"), binary,
                       welkin_streams_item_get (item, WELKIN_STREAMS_SIZE),
                       welkin_streams_item_get (other, WELKIN_STREAMS_SIZE),
                       welkin_streams_item_get (item, WELKIN_STREAMS_SHA256),
                       welkin_streams_item_get (other, WELKIN_STREAMS_SHA256));
          return FALSE;
        }
    }
  return TRUE;
}

gboolean
welkin_tools_item_check (const WelkinStreamsItem *item,
                         const char              *sha256,
                         gint64                   size,
                         GError                 **error)
{
  const char *expected = welkin_streams_item_get (item, WELKIN_STREAMS_SHA256);
  gint64 expected_size = welkin_tools_item_size (item);

  if (expected_size >= 0 && expected_size != size)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
                   _("size mismatch, expected %" G_GINT64_FORMAT " bytes, got %" G_GINT64_FORMAT),
                   expected_size, size);
      return FALSE;
    }
  if (*expected != '\0' && g_ascii_strcasecmp (expected, sha256) != 0)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
                   _("sha256 mismatch, expected %s, got %s"), expected, sha256);
      return FALSE;
    }
  return TRUE;
}
