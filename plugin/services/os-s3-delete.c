/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "base/flow.h"
#include "services/os-delete-each.h"
#include "services/os-s3-private.h"
#include "transport/os-xml.h"
#include "values/welkin-error.h"

/* Deletes many objects: in requests of a thousand names each, and one by one what these leave. */

typedef struct
{
  char      *bucket;
  GPtrArray *names;   /* (owned) all */
  guint      next;    /* of names */
  guint      n_names; /* in the request that is under way */
  GPtrArray *left;    /* (owned) names that are to be deleted alone */
} DeleteObjects;

static void
delete_objects_free (DeleteObjects *self)
{
  g_free (self->bucket);
  g_ptr_array_unref (self->names);
  g_ptr_array_unref (self->left);
  g_free (self);
}

static const char *
get_name (DeleteObjects *self,
          guint          index)
{
  return g_ptr_array_index (self->names, self->next + index);
}

/* XML has no way to write most control characters. */
static gboolean
fits_xml (const char *name)
{
  for (const char *place = name; *place != '\0'; place = g_utf8_next_char (place))
    {
      gunichar character = g_utf8_get_char (place);

      if (character < 0x20 || character == 0xfffe || character == 0xffff)
        return FALSE;
    }
  return TRUE;
}

static OsS3Request *
make_request (DeleteObjects *self)
{
  OsS3Request *request = os_s3_request_new ("POST", self->bucket, NULL);
  GString *xml = g_string_new ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                               "<Delete xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
                               "<Quiet>true</Quiet>");
  g_autoptr(GBytes) body = NULL;

  self->n_names = MIN (OS_S3_MAX_DELETES, self->names->len - self->next);
  for (guint i = 0; i < self->n_names; i++)
    {
      g_autofree char *escaped = g_markup_escape_text (get_name (self, i), -1);

      if (fits_xml (get_name (self, i)))
        g_string_append_printf (xml, "<Object><Key>%s</Key></Object>", escaped);
      else
        g_ptr_array_add (self->left, g_strdup (get_name (self, i)));
    }
  g_string_append (xml, "</Delete>");
  body = g_string_free_to_bytes (xml);
  os_s3_request_add_query (request, "delete", "");
  os_s3_request_set_body (request, body);
  os_s3_request_set_repeatable (request);
  return request;
}

typedef struct
{
  gboolean   is_answer;
  GPtrArray *failed; /* (owned) */
} Answer;

static gboolean
take_element (const char  *path,
              const char  *text,
              gpointer     data,
              GError     **error)
{
  Answer *answer = data;

  answer->is_answer = answer->is_answer || g_str_has_prefix (path, "DeleteResult");
  if (g_str_equal (path, "DeleteResult/Error/Key"))
    g_ptr_array_add (answer->failed, g_strdup (text));
  return TRUE;
}

/* It names what could not be deleted. When it is none, or one to something else, nothing may have
 * been. */
static void
take_answer (DeleteObjects  *self,
             WkHttpResponse *response)
{
  Answer answer = { FALSE, g_ptr_array_new_with_free_func (g_free) };

  if (response != NULL
      && (!os_xml_read (wk_http_response_get_body (response), take_element, &answer, NULL)
          || !os_delete_is_answer (answer.failed, self->names, self->next, self->n_names)))
    answer.is_answer = FALSE;
  if (!answer.is_answer)
    {
      g_ptr_array_set_size (answer.failed, 0);
      for (guint i = 0; i < self->n_names; i++)
        g_ptr_array_add (answer.failed, g_strdup (get_name (self, i)));
    }
  g_ptr_array_extend_and_steal (self->left, answer.failed);
  self->next += self->n_names;
}

static void
delete_objects_run (WkFlow *flow,
                    gpointer user_data)
{
  DeleteObjects *self = user_data;
  OsS3 *s3 = wk_flow_get_source (flow);
  g_autoptr(OsS3Request) request = NULL;
  g_autoptr(WkHttpResponse) response = NULL;
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  while (!s3->refuses_bulk && self->next < self->names->len)
    {
      request = make_request (self);
      WK_AWAIT (flow, os_s3_send_async (s3, request, WK_RESUME (flow)));
      response = os_s3_send_finish (s3, WK_RESULT (flow), &error);
      if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        WK_FAIL (flow, &error, NULL);
      s3->refuses_bulk = response == NULL;
      g_clear_error (&error);
      take_answer (self, response);
    }
  for (; self->next < self->names->len; self->next++)
    g_ptr_array_add (self->left, g_strdup (get_name (self, 0)));

  WK_AWAIT (flow, os_delete_each_async (s3, self->bucket, self->left,
                                        (OsDelete) os_s3_delete_object_async,
                                        (OsDeleteFinish) os_s3_delete_object_finish,
                                        WK_RESUME (flow)));
  if (!os_delete_each_finish (s3, WK_RESULT (flow), &error))
    WK_FAIL (flow, &error, NULL);
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

void
os_s3_delete_objects_async (OsS3                *self,
                            const char          *bucket,
                            GPtrArray           *names,
                            GCancellable        *cancellable,
                            GAsyncReadyCallback  callback,
                            gpointer             user_data)
{
  DeleteObjects *delete = g_new0 (DeleteObjects, 1);

  delete->bucket = g_strdup (bucket);
  delete->names = g_ptr_array_ref (names);
  delete->left = g_ptr_array_new_with_free_func (g_free);
  wk_flow_start (self, cancellable, callback, user_data, os_s3_delete_objects_async,
                 delete_objects_run, delete, (GDestroyNotify) delete_objects_free);
}

gboolean
os_s3_delete_objects_finish (OsS3          *self,
                             GAsyncResult  *result,
                             GError       **error)
{
  return wk_flow_finish_boolean (result, self, os_s3_delete_objects_async, error);
}
