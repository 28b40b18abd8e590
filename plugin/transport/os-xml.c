/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "transport/os-xml.h"
#include "values/welkin-error.h"

#define MAX_DEPTH 16
/* Of one element: the longest that means something is an encoded name. */
#define MAX_TEXT (64 * 1024)
/* Of the names of the elements that one is in, which are looked at again for each below. */
#define MAX_PATH 1024

typedef struct
{
  OsXmlFunc  func;
  gpointer   data;
  GString   *path;    /* (owned) */
  GString   *text;    /* (owned) of the element, if it has no children */
  guint      depth;
  gboolean   is_leaf;
  GError    *error;   /* (owned) (nullable) the first */
} Reader;

static gboolean
refuse (GError     **error,
        const char  *words)
{
  g_set_error_literal (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL, words);
  return FALSE;
}

static void
start_cb (GMarkupParseContext  *context,
          const char           *element,
          const char          **names,
          const char          **values,
          gpointer              user_data,
          GError              **error)
{
  Reader *self = user_data;
  const char *colon = strchr (element, ':');

  if (++self->depth > MAX_DEPTH)
    {
      refuse (error, _("the XML is nested too deeply"));
      return;
    }
  if (self->path->len + strlen (element) > MAX_PATH)
    {
      refuse (error, _("the XML has an element that is too long"));
      return;
    }
  if (self->path->len > 0)
    g_string_append_c (self->path, '/');
  g_string_append (self->path, colon != NULL ? colon + 1 : element);
  g_string_truncate (self->text, 0);
  self->is_leaf = TRUE;
}

static void
end_cb (GMarkupParseContext  *context,
        const char           *element,
        gpointer              user_data,
        GError              **error)
{
  Reader *self = user_data;
  const char *slash;

  if (self->is_leaf && !self->func (self->path->str, self->text->str, self->data, error))
    return;
  self->is_leaf = FALSE;
  self->depth--;
  slash = strrchr (self->path->str, '/');
  g_string_truncate (self->path, slash != NULL ? (gsize) (slash - self->path->str) : 0);
}

static void
text_cb (GMarkupParseContext  *context,
         const char           *text,
         gsize                 length,
         gpointer              user_data,
         GError              **error)
{
  Reader *self = user_data;

  if (self->text->len + length > MAX_TEXT)
    refuse (error, _("the XML has an element that is too long"));
  else
    g_string_append_len (self->text, text, (gssize) length);
}

/* GLib 2.74 may set a second error on top of the first one: this is told of both. */
static void
error_cb (GMarkupParseContext *context,
          GError              *error,
          gpointer             user_data)
{
  Reader *self = user_data;

  if (self->error == NULL)
    self->error = g_error_copy (error);
}

gboolean
os_xml_read (GBytes     *bytes,
             OsXmlFunc   func,
             gpointer    data,
             GError    **error)
{
  static const GMarkupParser parser = { start_cb, end_cb, text_cb, NULL, error_cb };
  g_autoptr(GString) path = g_string_new (NULL);
  g_autoptr(GString) text = g_string_new (NULL);
  Reader reader = { func, data, path, text };
  g_autoptr(GMarkupParseContext) context =
    g_markup_parse_context_new (&parser, G_MARKUP_TREAT_CDATA_AS_TEXT, &reader, NULL);
  gsize size;
  const char *xml = g_bytes_get_data (bytes, &size);

  if (size == 0)
    return refuse (error, _("the answer is empty where XML is expected"));
  if (g_markup_parse_context_parse (context, xml, (gssize) size, NULL)
      && g_markup_parse_context_end_parse (context, NULL))
    return TRUE;
  if (reader.error->domain == G_MARKUP_ERROR)
    {
      g_set_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL, _("the answer is not XML: %s"),
                   reader.error->message);
      g_clear_error (&reader.error);
    }
  else
    g_propagate_error (error, reader.error);
  return FALSE;
}
