/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "metadata/simplestreams-writer.h"

#include "metadata/cloud-spec.h"
#include "metadata/metadata-names.h"
#include "metadata/simplestreams-keep.h"

#define INDENT 4

WelkinStreamsFile *
welkin_streams_file_new (const char *path,
                         GBytes     *contents)
{
  WelkinStreamsFile *self = g_new0 (WelkinStreamsFile, 1);

  self->path = g_strdup (path);
  self->contents = contents;
  return self;
}

void
welkin_streams_file_free (WelkinStreamsFile *self)
{
  g_bytes_unref (self->contents);
  g_free (self->path);
  g_free (self);
}

char *
welkin_streams_make_build (GDateTime *now)
{
  return g_date_time_format (now, "%Y%m%d");
}

/* As in "Wed, 01 May 2013 13:31:26 +0000", in the words of no language but the format's. */
static char *
format_time (GDateTime *now)
{
  static const char *const days[] = { "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun" };
  static const char *const months[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
  g_autoptr(GDateTime) utc = g_date_time_to_utc (now);

  return g_strdup_printf ("%s, %02d %s %04d %02d:%02d:%02d +0000",
                          days[g_date_time_get_day_of_week (utc) - 1],
                          g_date_time_get_day_of_month (utc),
                          months[g_date_time_get_month (utc) - 1], g_date_time_get_year (utc),
                          g_date_time_get_hour (utc), g_date_time_get_minute (utc),
                          g_date_time_get_second (utc));
}

static void
add_text (JsonBuilder *builder,
          const char  *key,
          const char  *text)
{
  json_builder_set_member_name (builder, key);
  json_builder_add_string_value (builder, text);
}

static WelkinStreamsFile *
make_file (const char *path,
           JsonNode   *root)
{
  g_autoptr(JsonGenerator) generator = json_generator_new ();
  GString *text = g_string_new (NULL);

  json_generator_set_root (generator, root);
  json_generator_set_pretty (generator, TRUE);
  json_generator_set_indent (generator, INDENT);
  json_generator_to_gstring (generator, text);
  g_string_append_c (text, '\n');
  return welkin_streams_file_new (path, g_string_free_to_bytes (text));
}

/* Numbers are written as such where they are one. */
static void
add_fields (JsonBuilder              *builder,
            const WelkinStreamsItem  *item,
            const WelkinStreamsField *fields,
            gsize                     n_fields)
{
  for (gsize i = 0; i < n_fields; i++)
    {
      const char *text = welkin_streams_item_get (item, fields[i]);
      gint64 size;

      if (*text == '\0')
        continue;
      json_builder_set_member_name (builder, welkin_streams_field_get_name (fields[i]));
      if (fields[i] == WELKIN_STREAMS_SIZE
          && g_ascii_string_to_signed (text, 10, 0, G_MAXINT64, &size, NULL))
        json_builder_add_int_value (builder, size);
      else
        json_builder_add_string_value (builder, text);
    }
}

static int
compare_items (gconstpointer a,
               gconstpointer b)
{
  const WelkinStreamsItem *left = *(const WelkinStreamsItem *const *) a;
  const WelkinStreamsItem *right = *(const WelkinStreamsItem *const *) b;
  int order = strcmp (left->product_id, right->product_id);

  if (order == 0)
    order = strcmp (left->build, right->build);
  return order != 0 ? order : strcmp (left->name, right->name);
}

static const WelkinStreamsItem *
get_item (GPtrArray *items,
          guint      index)
{
  return index < items->len ? g_ptr_array_index (items, index) : NULL;
}

static gboolean
begins_product (GPtrArray *items,
                guint      index)
{
  return index == 0
         || !g_str_equal (get_item (items, index - 1)->product_id,
                          get_item (items, index)->product_id);
}

static gboolean
begins_build (GPtrArray *items,
              guint      index)
{
  return begins_product (items, index)
         || !g_str_equal (get_item (items, index - 1)->build, get_item (items, index)->build);
}

static void
begin_member (JsonBuilder *builder,
              const char  *key)
{
  json_builder_set_member_name (builder, key);
  json_builder_begin_object (builder);
}

static void
add_products (JsonBuilder               *builder,
              const WelkinStreamsLayout *layout,
              GPtrArray                 *items)
{
  begin_member (builder, "products");
  for (guint i = 0; i < items->len; i++)
    {
      const WelkinStreamsItem *item = get_item (items, i);

      if (begins_product (items, i))
        {
          begin_member (builder, item->product_id);
          add_fields (builder, item, layout->product_fields, layout->n_product_fields);
          begin_member (builder, "versions");
        }
      if (begins_build (items, i))
        {
          begin_member (builder, item->build);
          begin_member (builder, "items");
        }
      begin_member (builder, item->name);
      add_fields (builder, item, layout->item_fields, layout->n_item_fields);
      json_builder_end_object (builder);

      if (i + 1 == items->len || begins_build (items, i + 1))
        {
          json_builder_end_object (builder);
          json_builder_end_object (builder);
        }
      if (i + 1 == items->len || begins_product (items, i + 1))
        {
          json_builder_end_object (builder);
          json_builder_end_object (builder);
        }
    }
  json_builder_end_object (builder);
}

static void
add_clouds (JsonBuilder *builder,
            GPtrArray   *clouds)
{
  json_builder_set_member_name (builder, "clouds");
  json_builder_begin_array (builder);
  for (guint i = 0; i < clouds->len; i++)
    {
      const WelkinCloudSpec *cloud = g_ptr_array_index (clouds, i);

      json_builder_begin_object (builder);
      add_text (builder, "region", cloud->region);
      add_text (builder, "endpoint", cloud->endpoint);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_index_entry (JsonBuilder               *builder,
                 const WelkinStreamsLayout *layout,
                 GPtrArray                 *items,
                 GPtrArray                 *clouds,
                 const char                *updated)
{
  begin_member (builder, layout->content_id);
  add_text (builder, "updated", updated);
  add_text (builder, "format", WELKIN_METADATA_PRODUCTS_FORMAT);
  add_text (builder, "datatype", layout->datatype);
  if (layout->cloud_name != NULL)
    add_text (builder, "cloudname", layout->cloud_name);
  if (clouds != NULL)
    add_clouds (builder, clouds);
  add_text (builder, "path", layout->products_path);
  json_builder_set_member_name (builder, "products");
  json_builder_begin_array (builder);
  for (guint i = 0; i < items->len; i++)
    if (begins_product (items, i))
      json_builder_add_string_value (builder, get_item (items, i)->product_id);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

WelkinStreamsFile *
welkin_streams_make_products (const WelkinStreamsLayout *layout,
                              JsonNode                  *former,
                              GPtrArray                 *items,
                              GDateTime                 *now)
{
  g_autoptr(JsonBuilder) products = json_builder_new ();
  g_autoptr(JsonNode) root = NULL;
  g_autofree char *updated = format_time (now);

  g_ptr_array_sort (items, compare_items);
  json_builder_begin_object (products);
  add_text (products, "format", WELKIN_METADATA_PRODUCTS_FORMAT);
  add_text (products, "content_id", layout->content_id);
  add_text (products, "updated", updated);
  add_products (products, layout, items);
  json_builder_end_object (products);
  root = json_builder_get_root (products);
  welkin_streams_keep_in_products (root, former, layout);
  return make_file (layout->products_path, root);
}

static void
add_other_cb (JsonObject *others,
              const char *content_id,
              JsonNode   *entry,
              gpointer    builder)
{
  json_builder_set_member_name (builder, content_id);
  json_builder_add_value (builder, json_node_copy (entry));
}

WelkinStreamsFile *
welkin_streams_make_index (const WelkinStreamsLayout *layout,
                           const char                *path,
                           JsonNode                  *former,
                           JsonObject                *others,
                           GPtrArray                 *items,
                           GPtrArray                 *clouds,
                           GDateTime                 *now)
{
  g_autoptr(JsonBuilder) index = json_builder_new ();
  g_autoptr(JsonNode) root = NULL;
  g_autofree char *updated = format_time (now);

  json_builder_begin_object (index);
  add_text (index, "format", WELKIN_METADATA_INDEX_FORMAT);
  add_text (index, "updated", updated);
  begin_member (index, "index");
  if (layout->comes_first)
    add_index_entry (index, layout, items, clouds, updated);
  if (others != NULL)
    json_object_foreach_member (others, add_other_cb, index);
  if (!layout->comes_first)
    add_index_entry (index, layout, items, clouds, updated);
  json_builder_end_object (index);
  json_builder_end_object (index);
  root = json_builder_get_root (index);
  welkin_streams_keep_in_index (root, former);
  return make_file (path, root);
}

/* What describes the mirrors of one content. */
typedef struct
{
  JsonBuilder *builder;
  const char  *datatype;
  const char  *build;
} Mirrors;

static void
add_mirrors_cb (JsonObject *others,
                const char *content_id,
                JsonNode   *entry,
                gpointer    user_data)
{
  Mirrors *self = user_data;

  json_builder_set_member_name (self->builder, content_id);
  json_builder_begin_array (self->builder);
  json_builder_begin_object (self->builder);
  add_text (self->builder, "datatype", self->datatype);
  add_text (self->builder, "path", WELKIN_METADATA_DIRECTORY "cpc-mirrors.json");
  add_text (self->builder, "updated", self->build);
  add_text (self->builder, "format", WELKIN_METADATA_MIRRORS_FORMAT);
  json_builder_end_object (self->builder);
  json_builder_end_array (self->builder);
}

WelkinStreamsFile *
welkin_streams_make_mirrors (const WelkinStreamsLayout *layout,
                             JsonObject                *others,
                             const char                *build)
{
  g_autoptr(JsonBuilder) builder = json_builder_new ();
  g_autoptr(JsonNode) root = NULL;
  Mirrors mirrors = { builder, layout->datatype, build };

  json_builder_begin_object (builder);
  begin_member (builder, "mirrors");
  if (others != NULL)
    json_object_foreach_member (others, add_mirrors_cb, &mirrors);
  add_mirrors_cb (NULL, layout->content_id, NULL, &mirrors);
  json_builder_end_object (builder);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  return make_file (WELKIN_METADATA_MIRRORS WELKIN_METADATA_PLAIN_SUFFIX, root);
}
