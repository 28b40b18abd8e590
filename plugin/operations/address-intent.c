/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "operations/address-intent.h"

#include <string.h>

#include "base/flow.h"
#include "operations/ownership.h"

/* A line is the mark of the start, and words of the same form behind it. */
#define WORD_POOL "pool"
#define WORD_KNOWN "known"
#define WORD_ID "id"
#define WORD_PORT "port"
#define WORD_FORMER "was"
/* No mark begins like this. */
#define DOUBT_PREFIX "perhaps "


typedef struct
{
  char  *key;  /* (owned) (nullable) of the line that is written */
  char  *text; /* (owned) (nullable) */
  char  *id;   /* (owned) (nullable) of the floating IP of which nothing is to be noted any more */

  char **keys; /* (owned) (nullable) of the lines that go */
  guint  next; /* of them */
} Note;

static void
note_free (gpointer user_data)
{
  Note *self = user_data;

  g_free (self->key);
  g_free (self->text);
  g_free (self->id);
  g_strfreev (self->keys);
  g_free (self);
}

/* Lines. */

/* (transfer full) (nullable) */
static char *
get_mark (const char *line)
{
  const char *end = strstr (line, " " WORD_POOL "=");

  if (end == NULL)
    end = strstr (line, " " WORD_ID "=");
  return end != NULL ? g_strndup (line, (gsize) (end - line)) : NULL;
}

static char *
format_intent (const char *mark,
               const char *pool,
               GPtrArray  *ips)
{
  g_autofree char *escaped = g_uri_escape_string (pool, NULL, TRUE);
  GString *line = g_string_new (NULL);

  g_string_append_printf (line, "%s " WORD_POOL "=%s " WORD_KNOWN "=", mark, escaped);
  for (guint i = 0; i < ips->len; i++)
    g_string_append_printf (line, "%s%s", i > 0 ? "," : "",
                            ((OsFloatingIp *) g_ptr_array_index (ips, i))->id);
  return g_string_free (line, FALSE);
}

static gboolean
is_about (const char *line,
          const char *id)
{
  g_autofree char *noted_id = os_mark_get_word (line, WORD_ID);

  return g_strcmp0 (noted_id, id) == 0;
}

/* Writing them. */

gboolean
os_intent_parse_port (const char *line,
                      char      **mark,
                      char      **port_id)
{
  const char *end = strstr (line, " " WORD_PORT "=");

  if (end == NULL)
    return FALSE;
  *mark = g_strndup (line, (gsize) (end - line));
  *port_id = os_mark_get_word (line, WORD_PORT);
  return *port_id != NULL;
}

static void
record_run (WkFlow  *flow,
            gpointer user_data)
{
  Note *self = user_data;
  WelkinIntents *intents = os_snapshot_get_intents (OS_SNAPSHOT (wk_flow_get_source (flow)));
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  if (intents != NULL)
    {
      WK_AWAIT (flow, welkin_intents_record_async (intents, self->key, self->text,
                                                   WK_RESUME (flow)));
      if (!welkin_intents_record_finish (intents, WK_RESULT (flow), &error))
        WK_FAIL (flow, &error, NULL);
    }
  wk_flow_return_pointer (flow, g_steal_pointer (&self->key), g_free);

  WK_FLOW_END (flow);
}

/* text: (transfer full) */
static void
intend (OsSnapshot         *snapshot,
        const char         *mark,
        char               *text,
        GAsyncReadyCallback callback,
        gpointer            user_data)
{
  Note *self = g_new0 (Note, 1);
  g_autofree char *start = os_mark_get_word (mark, "start");
  g_autofree char *start_id = os_mark_get_start_id (start);
  g_autofree char *rest = g_uuid_string_random ();

  self->key = g_strconcat (start_id, "/", rest, NULL);
  self->text = text;
  wk_flow_start (snapshot, NULL, callback, user_data, os_intend_address_async, record_run, self,
                 note_free);
}

void
os_intend_address_async (OsSnapshot         *snapshot,
                         const char         *mark,
                         const char         *pool,
                         GPtrArray          *ips,
                         GAsyncReadyCallback callback,
                         gpointer            user_data)
{
  intend (snapshot, mark, format_intent (mark, pool, ips), callback, user_data);
}

void
os_intend_address_on_port_async (OsSnapshot         *snapshot,
                                 const char         *mark,
                                 const char         *port_id,
                                 GAsyncReadyCallback callback,
                                 gpointer            user_data)
{
  intend (snapshot, mark, g_strdup_printf ("%s " WORD_PORT "=%s", mark, port_id), callback,
          user_data);
}

void
os_intend_return_async (OsSnapshot         *snapshot,
                        const char         *mark,
                        const char         *id,
                        const char         *description,
                        GAsyncReadyCallback callback,
                        gpointer            user_data)
{
  g_autofree char *escaped = g_uri_escape_string (description, NULL, TRUE);

  intend (snapshot, mark,
          g_strdup_printf ("%s " WORD_FORMER "=%s " WORD_ID "=%s", mark, escaped, id), callback,
          user_data);
}

char *
os_intend_address_finish (OsSnapshot   *snapshot,
                          GAsyncResult *result,
                          GError      **error)
{
  return wk_flow_finish_pointer (result, snapshot, os_intend_address_async, error);
}

void
os_note_address_async (OsSnapshot         *snapshot,
                       const char         *key,
                       const char         *mark,
                       const char         *id,
                       GAsyncReadyCallback callback,
                       gpointer            user_data)
{
  Note *self = g_new0 (Note, 1);

  self->key = g_strdup (key);
  if (id != NULL)
    self->text = g_strdup_printf ("%s " WORD_ID "=%s", mark, id);
  wk_flow_start (snapshot, NULL, callback, user_data, os_note_address_async, record_run, self,
                 note_free);
}

gboolean
os_note_address_finish (OsSnapshot   *snapshot,
                        GAsyncResult *result,
                        GError      **error)
{
  g_autofree char *key =
    wk_flow_finish_pointer (result, snapshot, os_note_address_async, error);

  return key != NULL;
}

/* An info that is gone has no lines either. */
static char **
find_keys (Note          *self,
           WelkinIntents *intents)
{
  g_autoptr(GHashTable) lines = intents != NULL ? welkin_intents_load (intents, NULL) : NULL;
  g_autoptr(GStrvBuilder) keys = g_strv_builder_new ();
  GHashTableIter iter;
  gpointer key, line;

  if (lines != NULL)
    {
      g_hash_table_iter_init (&iter, lines);
      while (g_hash_table_iter_next (&iter, &key, &line))
        if (is_about (line, self->id))
          g_strv_builder_add (keys, key);
    }
  return g_strv_builder_end (keys);
}

static void
forget_run (WkFlow  *flow,
            gpointer user_data)
{
  Note *self = user_data;
  WelkinIntents *intents = os_snapshot_get_intents (OS_SNAPSHOT (wk_flow_get_source (flow)));
  g_autoptr(GError) error = NULL;

  WK_FLOW_BEGIN (flow);

  self->keys = find_keys (self, intents);
  for (; self->keys[self->next] != NULL; self->next++)
    {
      WK_AWAIT (flow, welkin_intents_record_async (intents, self->keys[self->next], NULL,
                                                   WK_RESUME (flow)));
      if (!welkin_intents_record_finish (intents, WK_RESULT (flow), &error))
        g_debug ("floating IP %s stays noted: %s", self->id, error->message);
      g_clear_error (&error);
    }
  wk_flow_return_boolean (flow, TRUE);

  WK_FLOW_END (flow);
}

void
os_forget_address_async (OsSnapshot         *snapshot,
                         const char         *id,
                         GAsyncReadyCallback callback,
                         gpointer            user_data)
{
  Note *self = g_new0 (Note, 1);

  self->id = g_strdup (id);
  wk_flow_start (snapshot, NULL, callback, user_data, os_forget_address_async, forget_run, self,
                 note_free);
}

void
os_forget_address_finish (OsSnapshot   *snapshot,
                          GAsyncResult *result)
{
  wk_flow_finish_boolean (result, snapshot, os_forget_address_async, NULL);
}

/* Reading them. */

/* A line that was left by another claim of the same address has another mark. */
char *
os_find_former_description (OsSnapshot         *snapshot,
                            const OsFloatingIp *ip)
{
  WelkinIntents *intents = os_snapshot_get_intents (snapshot);
  g_autoptr(GHashTable) lines = intents != NULL ? welkin_intents_load (intents, NULL) : NULL;
  g_autofree char *mark = os_mark_strip_borrowed (ip->description);
  g_autofree char *start = g_strconcat (mark, " " WORD_FORMER "=", NULL);
  GHashTableIter iter;
  gpointer line;

  if (lines == NULL)
    return g_strdup ("");
  g_hash_table_iter_init (&iter, lines);
  while (g_hash_table_iter_next (&iter, NULL, &line))
    if (g_str_has_prefix (line, start) && is_about (line, ip->id))
      {
        g_autofree char *escaped = os_mark_get_word (line, WORD_FORMER);

        return g_uri_unescape_string (escaped, NULL);
      }
  return g_strdup ("");
}

/* Ids of addresses that something else speaks for. */
static GHashTable *
list_claimed (GPtrArray  *servers,
              GHashTable *lines)
{
  GHashTable *claimed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  GHashTableIter iter;
  gpointer line;

  for (guint i = 0; i < servers->len; i++)
    {
      const char *id =
        os_server_get_metadata (g_ptr_array_index (servers, i), OS_METADATA_FLOATING_IP);

      if (id != NULL)
        g_hash_table_add (claimed, g_strdup (id));
    }
  g_hash_table_iter_init (&iter, lines);
  while (g_hash_table_iter_next (&iter, NULL, &line))
    {
      char *id = os_mark_get_word (line, WORD_ID);

      if (id != NULL)
        g_hash_table_add (claimed, id);
    }
  return claimed;
}

static void
mark_address (OsFloatingIp *ip,
              const char   *prefix,
              const char   *mark)
{
  g_free (ip->description);
  ip->description = g_strconcat (prefix, mark, NULL);
}

/* The one that was noted with its id, unless it is of use by now. */
static void
mark_noted (GPtrArray  *ips,
            GPtrArray  *servers,
            const char *id,
            const char *mark)
{
  for (guint i = 0; i < servers->len; i++)
    if (g_strcmp0 (os_server_get_metadata (g_ptr_array_index (servers, i),
                                           OS_METADATA_FLOATING_IP), id) == 0)
      return;
  for (guint i = 0; i < ips->len; i++)
    {
      OsFloatingIp *ip = g_ptr_array_index (ips, i);

      if (g_str_equal (ip->id, id) && os_floating_ip_is_free (ip))
        mark_address (ip, "", mark);
    }
}

/* Those that are free, came after the line was written, and that nothing else speaks for. Even the
 * only one may be what somebody else has asked for in that moment: people are told of it, and
 * nothing removes it. */
static void
mark_new (GPtrArray  *ips,
          GHashTable *claimed,
          const char *line,
          const char *mark)
{
  g_autofree char *escaped = os_mark_get_word (line, WORD_POOL);
  g_autofree char *pool = escaped != NULL ? g_uri_unescape_string (escaped, NULL) : NULL;
  g_autofree char *known = os_mark_get_word (line, WORD_KNOWN);
  g_auto(GStrv) known_ids = g_strsplit (known != NULL ? known : "", ",", -1);

  if (pool == NULL || known == NULL)
    return;
  for (guint i = 0; i < ips->len; i++)
    {
      OsFloatingIp *ip = g_ptr_array_index (ips, i);

      if (os_floating_ip_is_free (ip) && !g_hash_table_contains (claimed, ip->id)
          && !g_strv_contains ((const char *const *) known_ids, ip->id)
          && (*pool == '\0' || g_strcmp0 (ip->network_id, pool) == 0))
        mark_address (ip, DOUBT_PREFIX, mark);
    }
}

void
os_mark_addresses (GPtrArray  *ips,
                   GPtrArray  *servers,
                   GHashTable *lines)
{
  g_autoptr(GHashTable) claimed = list_claimed (servers, lines);
  GHashTableIter iter;
  gpointer line;

  g_hash_table_iter_init (&iter, lines);
  while (g_hash_table_iter_next (&iter, NULL, &line))
    {
      g_autofree char *mark = get_mark (line);
      g_autofree char *id = os_mark_get_word (line, WORD_ID);

      if (mark != NULL && id != NULL)
        mark_noted (ips, servers, id, mark);
      else if (mark != NULL)
        mark_new (ips, claimed, line, mark);
    }
}

char *
os_get_doubtful_mark (const char *description)
{
  if (description == NULL || !g_str_has_prefix (description, DOUBT_PREFIX))
    return NULL;
  return g_strdup (description + strlen (DOUBT_PREFIX));
}
