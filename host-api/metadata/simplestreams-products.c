/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "metadata/simplestreams-products.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>

#include "base/json-walk.h"
#include "metadata/metadata-names.h"
#include "values/welkin-error.h"

/*
 * A file of products is a tree of three levels, and what is said on a level holds for all below:
 *
 *   {"format": "products:1.0",
 *    "products": {ID: {"arch": …, "versions": {BUILD: {"release": …, "items": {NAME: {…}}}}}},
 *    "_aliases": {FIELD: {VALUE: {FIELD: VALUE, …}}}}
 */

#define MAX_VALUES 20000000
#define MAX_ITEMS 500000

static const char *const field_names[WELKIN_STREAMS_N_FIELDS] = {
  [WELKIN_STREAMS_ID] = "id",
  [WELKIN_STREAMS_RELEASE] = "release",
  [WELKIN_STREAMS_VERSION] = "version",
  [WELKIN_STREAMS_ARCH] = "arch",
  [WELKIN_STREAMS_REGION] = "region",
  [WELKIN_STREAMS_ENDPOINT] = "endpoint",
  [WELKIN_STREAMS_CRSN] = "crsn",
  [WELKIN_STREAMS_VIRT] = "virt",
  [WELKIN_STREAMS_ROOT_STORE] = "root_store",
  [WELKIN_STREAMS_PATH] = "path",
  [WELKIN_STREAMS_SIZE] = "size",
  [WELKIN_STREAMS_SHA256] = "sha256",
  [WELKIN_STREAMS_FTYPE] = "ftype",
};

/* Those that a product or a version may say for its items. */
static const WelkinStreamsField inherited[] = {
  WELKIN_STREAMS_RELEASE, WELKIN_STREAMS_VERSION,  WELKIN_STREAMS_ARCH,
  WELKIN_STREAMS_REGION,  WELKIN_STREAMS_ENDPOINT,
};

typedef struct
{
  char *fields[WELKIN_STREAMS_N_FIELDS]; /* (owned) (nullable) */
} Fields;

/* A version of a product. */
typedef struct
{
  char      *name;  /* (owned) */
  Fields     said;
  GPtrArray *items; /* (owned) of WelkinStreamsItem */
} Build;

typedef struct
{
  char      *id;     /* (owned) */
  guint      order;  /* among the wanted ones */
  Fields     said;
  GPtrArray *builds; /* (owned) of Build */
} Product;

/* What items have as well that have a certain value in a field. */
typedef struct
{
  WelkinStreamsField field;
  GHashTable        *values; /* (owned) value to Fields */
} Alias;

typedef struct
{
  /* inputs */
  GHashTable *wanted;   /* (owned) (nullable) id to its place from 1 */

  /* while running */
  Product    *product;  /* that is being read, or NULL when nobody wants it */
  char       *format;   /* (owned) (nullable) */
  GPtrArray  *products; /* (owned) of Product */
  GHashTable *by_id;    /* (owned) the same by their ids */
  GPtrArray  *aliases;  /* (owned) of Alias: one for each field */
  guint       n_items;
} Reading;

const char *
welkin_streams_field_get_name (WelkinStreamsField field)
{
  return field_names[field];
}

static int
find_field (const char *name)
{
  for (int i = 0; i < WELKIN_STREAMS_N_FIELDS; i++)
    if (g_str_equal (field_names[i], name))
      return i;
  return -1;
}

static void
fields_clear (char **fields)
{
  for (guint i = 0; i < WELKIN_STREAMS_N_FIELDS; i++)
    g_free (fields[i]);
}

static void
fields_free (gpointer data)
{
  Fields *self = data;

  fields_clear (self->fields);
  g_free (self);
}

void
welkin_streams_item_free (WelkinStreamsItem *self)
{
  fields_clear (self->fields);
  g_free (self->product_id);
  g_free (self->build);
  g_free (self->name);
  g_free (self);
}

const char *
welkin_streams_item_get (const WelkinStreamsItem *self,
                         WelkinStreamsField       field)
{
  return self->fields[field] != NULL ? self->fields[field] : "";
}

static void
build_free (gpointer data)
{
  Build *self = data;

  fields_clear (self->said.fields);
  g_ptr_array_unref (self->items);
  g_free (self->name);
  g_free (self);
}

static void
product_free (gpointer data)
{
  Product *self = data;

  fields_clear (self->said.fields);
  g_ptr_array_unref (self->builds);
  g_free (self->id);
  g_free (self);
}

static void
alias_free (gpointer data)
{
  Alias *self = data;

  g_hash_table_unref (self->values);
  g_free (self);
}

static gpointer
get_last (GPtrArray *array)
{
  return array->len > 0 ? g_ptr_array_index (array, array->len - 1) : NULL;
}

/* One more product, or none when nobody wants it. A key that comes twice means its last value. */
static void
begin_product (Reading    *self,
               const char *id)
{
  Product *product = g_hash_table_lookup (self->by_id, id);
  guint order = self->products->len + 1;

  self->product = NULL;
  if (self->wanted != NULL)
    order = GPOINTER_TO_UINT (g_hash_table_lookup (self->wanted, id));
  if (order == 0)
    return;
  if (product != NULL)
    {
      fields_clear (product->said.fields);
      product->said = (Fields) { { NULL } };
      g_ptr_array_set_size (product->builds, 0);
      self->product = product;
      return;
    }

  product = g_new0 (Product, 1);
  product->id = g_strdup (id);
  product->order = order;
  product->builds = g_ptr_array_new_with_free_func (build_free);
  g_ptr_array_add (self->products, product);
  g_hash_table_insert (self->by_id, product->id, product);
  self->product = product;
}

static void
begin_build (Reading    *self,
             const char *name)
{
  Build *build = g_new0 (Build, 1);

  build->name = g_strdup (name);
  build->items = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_streams_item_free);
  g_ptr_array_add (self->product->builds, build);
}

static gboolean
begin_item (Reading    *self,
            Build      *build,
            const char *name,
            GError    **error)
{
  WelkinStreamsItem *item = g_new0 (WelkinStreamsItem, 1);

  item->product_id = g_strdup (self->product->id);
  item->build = g_strdup (build->name);
  item->name = g_strdup (name);
  g_ptr_array_add (build->items, item);
  if (++self->n_items <= MAX_ITEMS)
    return TRUE;
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL, _("more than %d items"), MAX_ITEMS);
  return FALSE;
}

/* text: NULL where something begins that is no text. */
static gboolean
read_field (char      **fields,
            const char *name,
            const char *text,
            GError    **error)
{
  int field = find_field (name);

  if (field < 0)
    return TRUE;
  if (text == NULL)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
                   _("the field \"%s\" of an item is a list or a map, and no text"), name);
      return FALSE;
    }
  g_free (fields[field]);
  fields[field] = g_strdup (text);
  return TRUE;
}

/* path: the keys below a version of a product. */
static gboolean
read_build (Reading           *self,
            Build             *build,
            const char *const *path,
            const char        *text,
            GError           **error)
{
  WelkinStreamsItem *item = get_last (build->items);

  if (!g_str_equal (path[0], "items"))
    return path[1] != NULL || read_field (build->said.fields, path[0], text, error);
  if (path[1] == NULL)
    return TRUE;
  if (path[2] == NULL)
    return text != NULL || begin_item (self, build, path[1], error);
  if (path[3] == NULL && item != NULL)
    return read_field (item->fields, path[2], text, error);
  return TRUE;
}

/* path: the keys below a product. */
static gboolean
read_product (Reading           *self,
              const char *const *path,
              const char        *text,
              GError           **error)
{
  Build *build = get_last (self->product->builds);

  if (!g_str_equal (path[0], "versions"))
    return path[1] != NULL || read_field (self->product->said.fields, path[0], text, error);
  if (path[1] == NULL)
    return TRUE;
  if (path[2] != NULL)
    return build == NULL || read_build (self, build, path + 2, text, error);
  if (text == NULL)
    begin_build (self, path[1]);
  return TRUE;
}

/* The values of a field that make a difference. */
static GHashTable *
get_alias_values (Reading           *self,
                  WelkinStreamsField field)
{
  Alias *alias;

  for (guint i = 0; i < self->aliases->len; i++)
    {
      alias = g_ptr_array_index (self->aliases, i);
      if (alias->field == field)
        return alias->values;
    }
  alias = g_new0 (Alias, 1);
  alias->field = field;
  alias->values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, fields_free);
  g_ptr_array_add (self->aliases, alias);
  return alias->values;
}

static void
read_alias (Reading           *self,
            const char *const *path,
            const char        *text)
{
  int field = find_field (path[0]);
  int set_field = find_field (path[2]);
  GHashTable *values;
  Fields *set;

  /* No item has a field that we do not know. */
  if (field < 0 || set_field < 0)
    return;
  values = get_alias_values (self, (WelkinStreamsField) field);
  set = g_hash_table_lookup (values, path[1]);
  if (set == NULL)
    {
      set = g_new0 (Fields, 1);
      g_hash_table_insert (values, g_strdup (path[1]), set);
    }
  g_free (set->fields[set_field]);
  set->fields[set_field] = g_strdup (text);
}

static gboolean
visit (const char *const *path,
       guint              depth,
       const char        *text,
       gpointer           data,
       GError           **error)
{
  Reading *self = data;

  if (depth == 0)
    return TRUE;
  if (g_str_equal (path[0], "products"))
    {
      if (depth == 2)
        begin_product (self, path[1]);
      return depth <= 2 || self->product == NULL || read_product (self, path + 2, text, error);
    }
  if (text == NULL)
    return TRUE;
  if (depth == 4 && g_str_equal (path[0], "_aliases"))
    read_alias (self, path + 1, text);
  if (depth == 1 && g_str_equal (path[0], "format"))
    {
      g_free (self->format);
      self->format = g_strdup (text);
    }
  return TRUE;
}

/* The raw item alone decides which aliases hold; those override what it says. */
static void
apply_aliases (Reading           *self,
               WelkinStreamsItem *item)
{
  const Fields *holding[WELKIN_STREAMS_N_FIELDS] = { NULL };

  for (guint i = 0; i < self->aliases->len; i++)
    {
      const Alias *alias = g_ptr_array_index (self->aliases, i);
      const char *value = item->fields[alias->field];

      if (value != NULL)
        holding[i] = g_hash_table_lookup (alias->values, value);
    }
  for (guint i = 0; i < self->aliases->len; i++)
    for (guint j = 0; holding[i] != NULL && j < WELKIN_STREAMS_N_FIELDS; j++)
      if (holding[i]->fields[j] != NULL)
        {
          g_free (item->fields[j]);
          item->fields[j] = g_strdup (holding[i]->fields[j]);
        }
}

static void
inherit (WelkinStreamsItem *item,
         const Build       *build,
         const Product     *product)
{
  for (gsize i = 0; i < G_N_ELEMENTS (inherited); i++)
    {
      char **place = &item->fields[inherited[i]];
      const char *said = build->said.fields[inherited[i]];

      if (*place != NULL && **place != '\0')
        continue;
      if (said == NULL || *said == '\0')
        said = product->said.fields[inherited[i]];
      g_free (*place);
      *place = g_strdup (said);
    }
}

static int
compare_products (gconstpointer a,
                  gconstpointer b)
{
  const Product *left = *(const Product *const *) a;
  const Product *right = *(const Product *const *) b;

  return left->order < right->order ? -1 : left->order > right->order;
}

static int
compare_builds (gconstpointer a,
                gconstpointer b)
{
  const Build *left = *(const Build *const *) a;
  const Build *right = *(const Build *const *) b;

  return strcmp (right->name, left->name);
}

static GPtrArray *
list_items (Reading *self)
{
  GPtrArray *items = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_streams_item_free);

  g_ptr_array_sort (self->products, compare_products);
  for (guint i = 0; i < self->products->len; i++)
    {
      Product *product = g_ptr_array_index (self->products, i);

      g_ptr_array_sort (product->builds, compare_builds);
      for (guint j = 0; j < product->builds->len; j++)
        {
          Build *build = g_ptr_array_index (product->builds, j);

          for (guint k = 0; k < build->items->len; k++)
            {
              apply_aliases (self, g_ptr_array_index (build->items, k));
              inherit (g_ptr_array_index (build->items, k), build, product);
            }
          g_ptr_array_extend_and_steal (items, g_steal_pointer (&build->items));
          build->items = g_ptr_array_new ();
        }
    }
  return items;
}

static void
reading_clear (Reading *self)
{
  g_clear_pointer (&self->wanted, g_hash_table_unref);
  g_clear_pointer (&self->by_id, g_hash_table_unref);
  g_clear_pointer (&self->products, g_ptr_array_unref);
  g_clear_pointer (&self->aliases, g_ptr_array_unref);
  g_clear_pointer (&self->format, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reading, reading_clear)

static GHashTable *
make_wanted (const char *const *product_ids)
{
  GHashTable *wanted = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; product_ids[i] != NULL; i++)
    if (!g_hash_table_contains (wanted, product_ids[i]))
      g_hash_table_insert (wanted, g_strdup (product_ids[i]), GUINT_TO_POINTER (i + 1));
  return wanted;
}

GPtrArray *
welkin_streams_parse_products (GBytes            *bytes,
                               const char *const *product_ids,
                               const char        *uri,
                               GError           **error)
{
  const WkJsonLimits limits = { .max_records = MAX_VALUES };
  g_auto(Reading) self = { NULL };

  if (product_ids != NULL)
    self.wanted = make_wanted (product_ids);
  self.products = g_ptr_array_new_with_free_func (product_free);
  self.by_id = g_hash_table_new (g_str_hash, g_str_equal);
  self.aliases = g_ptr_array_new_with_free_func (alias_free);

  if (!wk_json_walk (bytes, &limits, visit, &self, error))
    {
      g_prefix_error (error, _("cannot unmarshal JSON metadata at URL \"%s\": "), uri);
      return NULL;
    }
  if (g_strcmp0 (self.format, WELKIN_METADATA_PRODUCTS_FORMAT) == 0)
    return list_items (&self);
  g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL,
               _("unexpected products file format \"%s\", expected \"%s\" at URL \"%s\""),
               self.format != NULL ? self.format : "", WELKIN_METADATA_PRODUCTS_FORMAT, uri);
  return NULL;
}
