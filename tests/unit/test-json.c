/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <locale.h>

#include "base/json.h"
#include "values/welkin-error.h"

/* Things of every kind, as a cloud sends them. */

typedef struct
{
  char *network;
  char *addr;
  gint64 version;
} Address;

static const WkJsonField address_fields[] = {
  { "addr", WK_JSON_STRING, G_STRUCT_OFFSET (Address, addr), WK_JSON_REQUIRED },
  { "version", WK_JSON_INT, G_STRUCT_OFFSET (Address, version) },
};
static const WkJsonTable address_table = WK_JSON_TABLE (Address, address_fields);

typedef struct
{
  char *id;
} Image;

static const WkJsonField image_fields[] = {
  { "id", WK_JSON_ID, G_STRUCT_OFFSET (Image, id), WK_JSON_REQUIRED },
};
static const WkJsonTable image_table = WK_JSON_TABLE (Image, image_fields);

typedef struct
{
  char *id;
  char *status;
  gint64 ram;
  gint64 task;
  double load;
  gboolean is_locked;
  gboolean is_public;
  GPtrArray *tags;
  Image *image;
  GPtrArray *volumes;
  GHashTable *metadata;
  GPtrArray *addresses;
  char *fault;
} Server;

static const WkJsonField server_fields[] = {
  { "id", WK_JSON_ID, G_STRUCT_OFFSET (Server, id), WK_JSON_REQUIRED },
  { "status", WK_JSON_STRING, G_STRUCT_OFFSET (Server, status) },
  { "ram", WK_JSON_INT, G_STRUCT_OFFSET (Server, ram) },
  { "task", WK_JSON_INT, G_STRUCT_OFFSET (Server, task), WK_JSON_TRISTATE },
  { "load", WK_JSON_DOUBLE, G_STRUCT_OFFSET (Server, load) },
  { "locked", WK_JSON_BOOLEAN, G_STRUCT_OFFSET (Server, is_locked) },
  { "public", WK_JSON_BOOLEAN, G_STRUCT_OFFSET (Server, is_public), WK_JSON_TRISTATE },
  { "tags", WK_JSON_STRINGS, G_STRUCT_OFFSET (Server, tags) },
  { "image", WK_JSON_RECORD, G_STRUCT_OFFSET (Server, image), 0, &image_table },
  { "volumes", WK_JSON_RECORDS, G_STRUCT_OFFSET (Server, volumes), 0, &image_table },
  { "metadata", WK_JSON_MAP, G_STRUCT_OFFSET (Server, metadata) },
  { "addresses", WK_JSON_GROUPS, G_STRUCT_OFFSET (Server, addresses), 0, &address_table,
    G_STRUCT_OFFSET (Address, network) },
  { "fault", WK_JSON_TEXT, G_STRUCT_OFFSET (Server, fault) },
};
static const WkJsonTable server_table = WK_JSON_TABLE (Server, server_fields);

static const char whole_server[] =
    "{\"servers\": [{"
    "\"id\": 17, \"unknown\": {\"a\": [1, {\"b\": null}], \"c\": \"\\u00e9\"}, \"status\": "
    "\"ACTIVE\", "
    "\"ram\": \"2048\", \"task\": 0, \"load\": 0.25, \"locked\": \"True\", \"public\": false, "
    "\"tags\": [\"one\", 2, null], \"image\": {\"id\": \"i-1\", \"links\": []}, "
    "\"volumes\": [{\"id\": \"v-1\"}, {\"id\": \"v-2\"}], "
    "\"metadata\": {\"k\": \"v\", \"n\": 1.50, \"t\": true, \"gone\": null}, "
    "\"addresses\": {\"z\": [{\"addr\": \"10.0.0.1\", \"version\": 4}, {\"addr\": \"::1\", "
    "\"version\": 6}], "
    "\"a\": [{\"addr\": \"10.1.0.1\"}], \"none\": null, \"empty\": []}, "
    "\"fault\": {\"code\": 500, \"message\": \"a \\\"b\\\" \\\\ \\n\", \"list\": [1, [], {}]}"
    "}], \"servers_links\": [{\"rel\": \"previous\", \"href\": \"http://h/p\"}, "
    "{\"href\": \"http://h/n?marker=17\", \"rel\": \"next\"}]}";

static void
assert_whole_server (Server *server)
{
  const Address *address;

  g_assert_cmpstr (server->id, ==, "17");
  g_assert_cmpstr (server->status, ==, "ACTIVE");
  g_assert_cmpint (server->ram, ==, 2048);
  g_assert_cmpfloat (server->load, ==, 0.25);
  g_assert_true (server->is_locked);
  g_assert_false (server->is_public);
  g_assert_cmpint (server->task, ==, 0);
  g_assert_cmpuint (server->tags->len, ==, 2);
  g_assert_cmpstr (server->tags->pdata[0], ==, "one");
  g_assert_cmpstr (server->tags->pdata[1], ==, "2");
  g_assert_cmpstr (server->image->id, ==, "i-1");
  g_assert_cmpuint (server->volumes->len, ==, 2);
  g_assert_cmpstr (((Image *) server->volumes->pdata[1])->id, ==, "v-2");
  g_assert_cmpuint (g_hash_table_size (server->metadata), ==, 3);
  g_assert_cmpstr (g_hash_table_lookup (server->metadata, "k"), ==, "v");
  g_assert_cmpstr (g_hash_table_lookup (server->metadata, "n"), ==, "1.50");
  g_assert_cmpstr (g_hash_table_lookup (server->metadata, "t"), ==, "true");
  g_assert_cmpuint (server->addresses->len, ==, 3);
  address = server->addresses->pdata[1];
  g_assert_cmpstr (address->network, ==, "z");
  g_assert_cmpstr (address->addr, ==, "::1");
  g_assert_cmpint (address->version, ==, 6);
  address = server->addresses->pdata[2];
  g_assert_cmpstr (address->network, ==, "a");
  g_assert_cmpstr (server->fault, ==,
                   "{\"code\":500,\"message\":\"a \\\"b\\\" \\\\ \\u000a\",\"list\":[1,[],{}]}");
}

static GPtrArray *
decode (const char *text,
        GError    **error)
{
  g_autoptr(GBytes) bytes = g_bytes_new_static (text, strlen (text));

  return wk_json_decode_records (&server_table, "servers", bytes, error);
}

/* Decodes what must be readable. */
static WkJsonDecoder *
read_text (const char *text)
{
  g_autoptr(GError) error = NULL;
  WkJsonDecoder *decoder = wk_json_decoder_new (&server_table, "servers", NULL);

  g_assert_true (wk_json_decoder_feed (decoder, text, strlen (text), &error));
  g_assert_no_error (error);
  g_assert_true (wk_json_decoder_finish (decoder, &error));
  g_assert_no_error (error);
  return decoder;
}

static void
assert_complaint (const char *record,
                  const char *complaint)
{
  g_autofree char *text = g_strdup_printf ("{\"servers\": [{\"id\": 1}, %s, {\"id\": 2}]}", record);
  g_autoptr(WkJsonDecoder) decoder = read_text (text);
  g_autoptr(GPtrArray) servers = wk_json_decoder_steal_records (decoder);

  g_assert_cmpuint (servers->len, ==, 2);
  g_assert_cmpstr (((Server *) servers->pdata[1])->id, ==, "2");
  g_assert_cmpuint (wk_json_decoder_get_spoilt (decoder), ==, 1);
  g_assert_cmpstr (wk_json_decoder_get_complaint (decoder), ==, complaint);
}

static void
test_whole (void)
{
  g_autoptr(WkJsonDecoder) decoder = read_text (whole_server);
  g_autoptr(GPtrArray) servers = wk_json_decoder_steal_records (decoder);

  g_assert_cmpuint (servers->len, ==, 1);
  assert_whole_server (servers->pdata[0]);
  g_assert_cmpuint (wk_json_decoder_get_spoilt (decoder), ==, 0);
  g_assert_null (wk_json_decoder_get_complaint (decoder));
  g_assert_cmpstr (wk_json_decoder_get_next (decoder), ==, "http://h/n?marker=17");
}

static void
test_bytewise (void)
{
  static const char *const marks[] = { "", "\xEF\xBB\xBF" };

  for (guint m = 0; m < G_N_ELEMENTS (marks); m++)
    {
      g_autofree char *text = g_strconcat (marks[m], whole_server, NULL);
      g_autoptr(WkJsonDecoder) decoder = wk_json_decoder_new (&server_table, "servers", NULL);
      g_autoptr(GPtrArray) servers = NULL;
      g_autoptr(GError) error = NULL;

      for (gsize i = 0; text[i] != '\0'; i++)
        g_assert_true (wk_json_decoder_feed (decoder, text + i, 1, &error));
      g_assert_true (wk_json_decoder_finish (decoder, &error));
      g_assert_no_error (error);
      servers = wk_json_decoder_steal_records (decoder);
      g_assert_cmpuint (servers->len, ==, 1);
      assert_whole_server (servers->pdata[0]);
    }
}

static void
test_cut (void)
{
  for (gsize length = 0; length < sizeof (whole_server) - 1; length++)
    {
      g_autofree char *copy = g_strndup (whole_server, length);
      g_autoptr(GPtrArray) servers = NULL;
      g_autoptr(GError) error = NULL;

      servers = decode (copy, &error);
      g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
      g_assert_null (servers);
    }
}

static void
test_cut_says_where (void)
{
  g_autoptr(GPtrArray) servers = NULL;
  g_autoptr(GError) error = NULL;

  servers = decode ("{\"servers\": [", &error);
  g_assert_null (servers);
  g_assert_cmpstr (error->message, ==, "the answer is cut off after 13 bytes");
}

static void
test_nulls (void)
{
  g_autoptr(WkJsonDecoder) decoder = read_text (
      "{\"servers\": [{\"id\": \"a\", \"status\": null, \"ram\": null, \"task\": null, "
      "\"load\": null, \"locked\": null, \"public\": null, \"tags\": null, \"image\": null, "
      "\"volumes\": null, \"metadata\": null, \"addresses\": null, \"fault\": null}, "
      "{\"id\": \"b\"}, null], \"next\": null, \"servers_links\": null}");
  g_autoptr(GPtrArray) servers = wk_json_decoder_steal_records (decoder);

  g_assert_cmpuint (servers->len, ==, 2);
  for (guint i = 0; i < servers->len; i++)
    {
      const Server *server = servers->pdata[i];

      g_assert_null (server->status);
      g_assert_cmpint (server->ram, ==, 0);
      g_assert_cmpint (server->task, ==, -1);
      g_assert_cmpfloat (server->load, ==, 0);
      g_assert_false (server->is_locked);
      g_assert_cmpint (server->is_public, ==, -1);
      g_assert_null (server->tags);
      g_assert_null (server->image);
      g_assert_null (server->volumes);
      g_assert_null (server->metadata);
      g_assert_null (server->addresses);
      g_assert_null (server->fault);
    }
  g_assert_cmpuint (wk_json_decoder_get_spoilt (decoder), ==, 0);
  g_assert_null (wk_json_decoder_get_next (decoder));
}

static void
test_null_list_is_empty (void)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GPtrArray) servers = decode ("{\"servers\": null}", &error);

  g_assert_no_error (error);
  g_assert_cmpuint (servers->len, ==, 0);
}

static void
test_numbers (void)
{
  static const struct
  {
    const char *text;
    gint64 number;
  } good[] = {
    { "20", 20 },
    { "\"20\"", 20 },
    { "\"\"", 0 },
    { "-1", -1 },
    { "\"-1\"", -1 },
    { "9223372036854775807", G_MAXINT64 },
    { "20.0", 20 },
    { "2e3", 2000 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_autofree char *text
          = g_strdup_printf ("{\"servers\": [{\"id\": 5, \"ram\": %s}]}", good[i].text);
      g_autoptr(GPtrArray) servers = decode (text, NULL);

      g_assert_cmpuint (servers->len, ==, 1);
      g_assert_cmpint (((Server *) servers->pdata[0])->ram, ==, good[i].number);
    }
}

static void
test_large_id_keeps_all_digits (void)
{
  g_autoptr(GPtrArray) servers =
      decode ("{\"servers\": [{\"id\": 123456789012345678901234}]}", NULL);

  g_assert_cmpstr (((Server *) servers->pdata[0])->id, ==, "123456789012345678901234");
}

static void
test_spoilt_records (void)
{
  assert_complaint ("{\"id\": 3, \"status\": 5}",
                    "servers[1].status: expected a string, got a number");
  assert_complaint ("{\"id\": 1.5}",
                    "servers[1].id: expected a string or an integer, got a number");
  assert_complaint ("{\"id\": {}}",
                    "servers[1].id: expected a string or an integer, got an object");
  assert_complaint ("{\"id\": 3, \"ram\": \"much\"}",
                    "servers[1].ram: expected a whole number, got a string");
  assert_complaint ("{\"id\": 3, \"ram\": 1.5}",
                    "servers[1].ram: expected a whole number, got a number");
  assert_complaint ("{\"id\": 3, \"ram\": 92233720368547758070}",
                    "servers[1].ram: expected a whole number, got a number");
  assert_complaint ("{\"id\": 3, \"load\": \"nan\"}",
                    "servers[1].load: expected a number, got a string");
  assert_complaint ("{\"id\": 3, \"load\": 1e999}",
                    "servers[1].load: expected a number, got a number");
  assert_complaint ("{\"id\": 3, \"locked\": \"maybe\"}",
                    "servers[1].locked: expected true or false, got a string");
  assert_complaint ("{\"id\": 3, \"locked\": []}",
                    "servers[1].locked: expected true or false, got a list");
  assert_complaint ("{\"id\": 3, \"tags\": \"a\"}",
                    "servers[1].tags: expected a list, got a string");
  assert_complaint ("{\"id\": 3, \"tags\": [\"a\", [\"b\"]]}",
                    "servers[1].tags[1]: expected a string, got a list");
  assert_complaint ("{\"id\": 3, \"tags\": {}}", "servers[1].tags: expected a list, got an object");
  assert_complaint ("{\"id\": 3, \"image\": []}",
                    "servers[1].image: expected an object, got a list");
  assert_complaint ("{\"id\": 3, \"metadata\": {\"k\": {}}}",
                    "servers[1].metadata.k: expected a string, got an object");
  assert_complaint ("{\"id\": 3, \"metadata\": []}",
                    "servers[1].metadata: expected an object, got a list");
  assert_complaint ("{\"id\": 3, \"addresses\": {\"n\": {}}}",
                    "servers[1].addresses.n: expected a list, got an object");
  assert_complaint ("{\"status\": \"x\"}", "servers[1]: lacks “id”");
  assert_complaint ("{\"id\": null}", "servers[1]: lacks “id”");
  assert_complaint ("17", "servers[1]: expected an object, got a number");
  assert_complaint ("[{\"id\": 9}]", "servers[1]: expected an object, got a list");
}

static void
test_spoilt_inner_record_leaves_the_outer (void)
{
  g_autoptr(WkJsonDecoder) decoder = read_text (
      "{\"servers\": [{\"id\": 1, \"volumes\": [{\"id\": 1}, {}, {\"id\": 3}, 4], "
      "\"image\": {\"id\": []}, \"addresses\": {\"n\": [{\"addr\": 4}, {\"addr\": \"a\"}]}}]}");
  g_autoptr(GPtrArray) servers = wk_json_decoder_steal_records (decoder);
  const Server *server = servers->pdata[0];

  g_assert_cmpuint (servers->len, ==, 1);
  g_assert_cmpuint (server->volumes->len, ==, 2);
  g_assert_null (server->image);
  g_assert_cmpuint (server->addresses->len, ==, 1);
  g_assert_cmpuint (wk_json_decoder_get_spoilt (decoder), ==, 4);
  g_assert_cmpstr (wk_json_decoder_get_complaint (decoder), ==,
                   "servers[0].volumes[1]: lacks “id”");
}

static void
test_image_may_be_a_string (void)
{
  g_autoptr(GPtrArray) servers = decode ("{\"servers\": [{\"id\": 1, \"image\": \"\"}]}", NULL);

  g_assert_cmpuint (servers->len, ==, 1);
  g_assert_null (((Server *) servers->pdata[0])->image);
}

static void
test_duplicate_keys_mean_the_last (void)
{
  g_autoptr(WkJsonDecoder) decoder = read_text (
      "{\"servers\": [{\"id\": 1}, {\"id\": 2}], \"servers\": [{\"id\": 3, \"id\": 4, "
      "\"status\": \"a\", \"status\": null, \"tags\": [\"x\"], \"tags\": [\"y\", \"z\"], "
      "\"image\": {\"id\": 1}, \"image\": {\"id\": 2}, \"metadata\": {\"k\": 1}, "
      "\"metadata\": {\"k\": 2, \"k\": 3}, \"fault\": [1], \"fault\": 2}]}");
  g_autoptr(GPtrArray) servers = wk_json_decoder_steal_records (decoder);
  const Server *server;

  g_assert_cmpuint (servers->len, ==, 1);
  server = servers->pdata[0];
  g_assert_cmpstr (server->id, ==, "4");
  g_assert_null (server->status);
  g_assert_cmpuint (server->tags->len, ==, 2);
  g_assert_cmpstr (server->image->id, ==, "2");
  g_assert_cmpstr (g_hash_table_lookup (server->metadata, "k"), ==, "3");
  g_assert_cmpstr (server->fault, ==, "2");
}

static void
test_bad_utf8 (void)
{
  /* Where nobody looks it harms nobody; where somebody does, it spoils that record alone. */
  g_autoptr(GPtrArray) servers =
      decode ("{\"servers\": [{\"id\": 1, \"other\": \"\xff\", \"\xfe\": 1}]}", NULL);

  g_assert_cmpuint (servers->len, ==, 1);
  assert_complaint ("{\"id\": \"\xff\"}", "servers[1].id: not valid UTF-8 text");
  assert_complaint ("{\"id\": 3, \"status\": \"a\xc3\"}",
                    "servers[1].status: not valid UTF-8 text");
  assert_complaint ("{\"id\": 3, \"status\": \"a\\u0000b\"}",
                    "servers[1].status: not valid UTF-8 text");
  assert_complaint ("{\"id\": 3, \"status\": \"\\udc00\"}",
                    "servers[1].status: not valid UTF-8 text");
  assert_complaint ("{\"id\": 3, \"fault\": [\"\xff\"]}", "servers[1].fault: not valid UTF-8 text");
  assert_complaint ("{\"id\": 3, \"metadata\": {\"\xff\": 1}}",
                    "servers[1].metadata: a key that is not valid UTF-8 text");
  assert_complaint ("{\"id\": 3, \"addresses\": {\"\xff\": []}}",
                    "servers[1].addresses: a key that is not valid UTF-8 text");
}

static void
assert_fails (const char *text,
              const char *message)
{
  g_autoptr(GPtrArray) servers = NULL;
  g_autoptr(GError) error = NULL;

  servers = decode (text, &error);
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
  g_assert_null (servers);
  g_assert_cmpstr (error->message, ==, message);
}

static void
test_senseless_texts (void)
{
  assert_fails ("{\"others\": []}", "the answer lacks “servers”");
  assert_fails ("[]", "a list where an object with “servers” was expected");
  assert_fails ("17", "neither a list nor an object");
  assert_fails ("{\"servers\": 17}", "“servers” is neither a list nor an object");
  assert_fails ("<html>",
                "the answer is not JSON: lexical error: invalid char in json text at byte 1");
}

static void
test_syntax_errors (void)
{
  static const char *const texts[] = {
    "{\"servers\": []} x",
    "{\"servers\": []}{}",
    "{\"servers\": [}",
    "{\"servers\": [{\"id\": 01}]}",
    "{\"servers\": [{\"id\": 1,}]}",
    "{'servers': []}",
    "{\"servers\": [] /* note */}",
    "\xEF\xBB{\"servers\": []}",
    "{\"servers\": [{\"id\": \"a\nb\"}]}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr(GPtrArray) servers = NULL;
      g_autoptr(GError) error = NULL;

      g_test_message ("%s", texts[i]);
      servers = decode (texts[i], &error);
      g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
      g_assert_null (servers);
    }
}

static void
test_failure_lasts (void)
{
  g_autoptr(WkJsonDecoder) decoder = wk_json_decoder_new (&server_table, "servers", NULL);
  g_autoptr(GError) error = NULL;

  g_assert_false (wk_json_decoder_feed (decoder, "x", 1, NULL));
  g_assert_false (wk_json_decoder_feed (decoder, "{\"servers\": []}", 15, NULL));
  g_assert_false (wk_json_decoder_finish (decoder, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);

  wk_json_decoder_reset (decoder);
  g_clear_error (&error);
  g_assert_true (wk_json_decoder_feed (decoder, "{\"servers\": []}", 15, &error));
  g_assert_true (wk_json_decoder_finish (decoder, &error));
  g_assert_no_error (error);
}

static void
test_reset_forgets (void)
{
  g_autoptr(WkJsonDecoder) decoder = wk_json_decoder_new (&server_table, "servers", NULL);
  g_autoptr(GPtrArray) servers = NULL;
  g_autoptr(GError) error = NULL;

  /* In the middle of everything that has an owner. */
  g_assert_true (wk_json_decoder_feed (decoder, whole_server, sizeof (whole_server) / 2, &error));
  wk_json_decoder_reset (decoder);
  g_assert_true (wk_json_decoder_feed (decoder, whole_server, sizeof (whole_server) - 1, &error));
  g_assert_true (wk_json_decoder_finish (decoder, &error));
  servers = wk_json_decoder_steal_records (decoder);
  g_assert_cmpuint (servers->len, ==, 1);
  assert_whole_server (servers->pdata[0]);
}

static char *
repeat (const char *text,
        guint       times)
{
  GString *string = g_string_new (NULL);

  for (guint i = 0; i < times; i++)
    g_string_append (string, text);
  return g_string_free (string, FALSE);
}

static void
test_depth (void)
{
  static const char *const openings[] = { "[", "{\"a\":", "[{\"a\":[" };
  static const char *const fronts[] = {
    "",
    "{\"servers\": ",
    "{\"servers\": [{\"id\": 1, \"fault\": ",
    "{\"servers\": [{\"id\": 1, \"volumes\": ",
    "{\"servers\": [{\"id\": 1, \"unknown\": ",
  };

  for (guint i = 0; i < G_N_ELEMENTS (fronts); i++)
    for (guint k = 0; k < G_N_ELEMENTS (openings); k++)
      {
        g_autofree char *deep = repeat (openings[k], 100000);
        g_autofree char *text = g_strconcat (fronts[i], deep, NULL);
        g_autoptr(GBytes) bytes = g_bytes_new_static (text, strlen (text));
        g_autoptr(GPtrArray) servers = NULL;
        g_autoptr(GError) error = NULL;

        servers = decode (text, &error);
        g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
        g_assert_null (servers);
        g_clear_error (&error);
        g_assert_null (wk_json_parse (bytes, &error));
        g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
      }
}

static void
assert_limit (const WkJsonLimits *limits,
              const char         *text,
              const char         *message)
{
  g_autoptr(WkJsonDecoder) decoder = wk_json_decoder_new (&server_table, "servers", limits);
  g_autoptr(GError) error = NULL;

  if (wk_json_decoder_feed (decoder, text, strlen (text), &error))
    wk_json_decoder_finish (decoder, &error);
  if (message == NULL)
    {
      g_assert_no_error (error);
      return;
    }
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
  g_assert_cmpstr (error->message, ==, message);
}

static void
test_limits (void)
{
  WkJsonLimits limits = { .max_bytes = 30, .max_depth = 3, .max_records = 2, .max_string = 8 };

  assert_limit (&limits, "{\"servers\": [{\"id\": 1}]}      ", NULL);
  assert_limit (&limits, "{\"servers\": [{\"id\": 1}]}       ",
                "the answer is longer than 30 bytes");
  limits.max_bytes = 0;
  assert_limit (&limits, "{\"servers\": [{\"id\": [1]}]}", "nested more than 3 deep");
  assert_limit (&limits, "{\"servers\": [{\"x\": [1]}]}", "nested more than 3 deep");
  limits.max_depth = 0;
  assert_limit (&limits, "{\"servers\": [{\"id\": 1}, {\"id\": 2}]}", NULL);
  assert_limit (&limits, "{\"servers\": [{\"id\": 1}, {\"id\": 2}, {\"id\": 3}]}",
                "a list of more than 2 elements");
  assert_limit (&limits, "{\"servers\": [{\"id\": 1, \"tags\": [1, 2, 3]}]}",
                "a list of more than 2 elements");
  assert_limit (&limits, "{\"servers\": [{\"metadata\": {\"a\": 1, \"b\": 2, \"c\": 3}}]}",
                "a list of more than 2 elements");
  assert_limit (&limits, "{\"servers\": [{\"id\": \"12345678\", \"other\": \"123456789\"}]}", NULL);
  assert_limit (&limits, "{\"servers\": [{\"id\": \"123456789\"}]}",
                "a value of more than 8 bytes");
  assert_limit (&limits, "{\"servers\": [{\"fault\": [1, 2, 3, 4, 5]}]}",
                "a value of more than 8 bytes");
}

static void
test_endless_value_is_given_up (void)
{
  const WkJsonLimits limits = { .max_string = 1000 };
  g_autoptr(WkJsonDecoder) decoder = wk_json_decoder_new (&server_table, "servers", &limits);
  g_autoptr(GError) error = NULL;
  guint fed = 0;

  /* A string that nobody wants, and that the parser must hold until it ends. */
  g_assert_true (wk_json_decoder_feed (decoder, "{\"x\": \"", 7, &error));
  while (fed < 100000 && wk_json_decoder_feed (decoder, "0123456789", 10, &error))
    fed += 10;
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
  g_assert_cmpuint (fed, <, 10000);
}

static void
test_next_links (void)
{
  static const struct
  {
    const char *text;
    const char *next;
  } rows[] = {
    { "{\"servers\": [], \"next\": \"/v2/images?marker=1\"}", "/v2/images?marker=1" },
    { "{\"next\": \"/v2/images?marker=1\", \"servers\": []}", "/v2/images?marker=1" },
    { "{\"servers_links\": [{\"rel\": \"next\", \"href\": \"a\"}], \"servers\": []}", "a" },
    { "{\"servers\": [], \"servers_links\": [{\"rel\": \"previous\", \"href\": \"a\"}]}", NULL },
    { "{\"servers\": [], \"servers_links\": [{\"rel\": \"next\"}, {\"href\": \"b\"}]}", NULL },
    { "{\"servers\": [], \"servers_links\": [17, [], {\"rel\": 1, \"href\": {}}]}", NULL },
    { "{\"servers\": [], \"servers_links\": {\"rel\": \"next\", \"href\": \"a\"}}", NULL },
    { "{\"servers\": [], \"volumes_links\": [{\"rel\": \"next\", \"href\": \"a\"}]}", NULL },
    { "{\"servers\": [], \"next\": {\"href\": \"a\"}}", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr(WkJsonDecoder) decoder = read_text (rows[i].text);

      g_assert_cmpstr (wk_json_decoder_get_next (decoder), ==, rows[i].next);
    }
}

static void
test_single_record (void)
{
  static const char text[] = "{\"server\": {\"id\": 4}}";
  static const char bare[] = "{\"id\": 4}";
  static const char wrong[] = "{\"server\": {\"status\": 4}}";
  static const char list[] = "[{\"id\": 4}, {\"id\": 5}]";
  g_autoptr(GBytes) bytes = g_bytes_new_static (text, strlen (text));
  g_autoptr(GBytes) bare_bytes = g_bytes_new_static (bare, strlen (bare));
  g_autoptr(GBytes) wrong_bytes = g_bytes_new_static (wrong, strlen (wrong));
  g_autoptr(GBytes) list_bytes = g_bytes_new_static (list, strlen (list));
  g_autoptr(GPtrArray) records = NULL;
  g_autoptr(GError) error = NULL;
  Server *server;

  server = wk_json_decode_record (&server_table, "server", bytes, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (server->id, ==, "4");
  wk_json_record_free (&server_table, server);

  server = wk_json_decode_record (&server_table, NULL, bare_bytes, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (server->id, ==, "4");
  wk_json_record_free (&server_table, server);

  g_assert_null (wk_json_decode_record (&server_table, "server", wrong_bytes, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
  g_assert_cmpstr (error->message, ==, "server.status: expected a string, got a number");

  records = wk_json_decode_records (&server_table, NULL, list_bytes, NULL);
  g_assert_cmpuint (records->len, ==, 2);
}

static void
test_new_record_is_unset (void)
{
  Server *server = wk_json_record_new (&server_table);

  g_assert_null (server->id);
  g_assert_cmpint (server->is_public, ==, -1);
  wk_json_record_free (&server_table, server);
  wk_json_record_free (&server_table, NULL);
}

static void
test_free_shape (void)
{
  static const char text[] = "\xEF\xBB\xBF{\"a\": [1, \"\u00e9\"]}";
  static const char bad[] = "{\"a\": \"\xff\"}";
  g_autoptr(GBytes) bytes = g_bytes_new_static (text, strlen (text));
  g_autoptr(GBytes) bad_bytes = g_bytes_new_static (bad, strlen (bad));
  g_autoptr(GError) error = NULL;
  g_autoptr(JsonNode) node = wk_json_parse (bytes, &error);

  g_assert_no_error (error);
  g_assert_true (json_object_has_member (json_node_get_object (node), "a"));

  g_assert_null (wk_json_parse (bad_bytes, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_PROTOCOL);
}

static void
test_ten_thousand_records (void)
{
  g_autoptr(GString) text = g_string_new ("{\"servers\": [");
  g_autoptr(GPtrArray) servers = NULL;
  g_autoptr(GError) error = NULL;
  const char *begin = strchr (whole_server, '[') + 1;
  const char *end = strstr (whole_server, "], \"servers_links");
  gsize length = end - begin;
  gint64 start;


  for (guint i = 0; i < 10000; i++)
    {
      g_string_append (text, i > 0 ? "," : "");
      g_string_append_len (text, begin, length);
    }
  g_string_append (text, "]}");

  start = g_get_monotonic_time ();
  servers = decode (text->str, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (servers->len, ==, 10000);
  assert_whole_server (servers->pdata[9999]);
  /* Measured well under 0.2 s; this much under valgrind on a busy machine. */
  g_assert_cmpint (g_get_monotonic_time () - start, <, 20 * G_USEC_PER_SEC);
  g_test_message ("10,000 records, %lu bytes: %" G_GINT64_FORMAT " us", (gulong) text->len,
                  g_get_monotonic_time () - start);
}

int
main (int   argc,
      char *argv[])
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/json/reads-every-kind", test_whole);
  g_test_add_func ("/json/reads-byte-by-byte", test_bytewise);
  g_test_add_func ("/json/refuses-a-cut-at-every-byte", test_cut);
  g_test_add_func ("/json/says-where-it-was-cut", test_cut_says_where);
  g_test_add_func ("/json/null-is-absence", test_nulls);
  g_test_add_func ("/json/null-list-is-empty", test_null_list_is_empty);
  g_test_add_func ("/json/numbers-may-be-strings", test_numbers);
  g_test_add_func ("/json/large-id-keeps-all-digits", test_large_id_keeps_all_digits);
  g_test_add_func ("/json/wrong-type-spoils-the-record-only", test_spoilt_records);
  g_test_add_func ("/json/spoilt-inner-record-leaves-the-outer",
                   test_spoilt_inner_record_leaves_the_outer);
  g_test_add_func ("/json/string-in-place-of-an-object", test_image_may_be_a_string);
  g_test_add_func ("/json/duplicate-keys-mean-the-last", test_duplicate_keys_mean_the_last);
  g_test_add_func ("/json/bad-utf8-spoils-what-is-kept", test_bad_utf8);
  g_test_add_func ("/json/senseless-texts-are-named", test_senseless_texts);
  g_test_add_func ("/json/syntax-errors-fail-the-whole", test_syntax_errors);
  g_test_add_func ("/json/failure-lasts-until-reset", test_failure_lasts);
  g_test_add_func ("/json/reset-forgets", test_reset_forgets);
  g_test_add_func ("/json/depth-is-limited", test_depth);
  g_test_add_func ("/json/limits", test_limits);
  g_test_add_func ("/json/endless-value-is-given-up", test_endless_value_is_given_up);
  g_test_add_func ("/json/next-links", test_next_links);
  g_test_add_func ("/json/single-record", test_single_record);
  g_test_add_func ("/json/new-record-is-unset", test_new_record_is_unset);
  g_test_add_func ("/json/free-shape", test_free_shape);
  g_test_add_func ("/json/ten-thousand-records", test_ten_thousand_records);

  return g_test_run ();
}
