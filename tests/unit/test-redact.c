/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "base/redact.h"

static void
test_names (void)
{
  static const char *const secret[] = {
    "X-Auth-Token", "x-subject-token", "X-Auth-Key", "Authorization", "Proxy-Authorization",
    "Cookie", "Set-Cookie", "X-Account-Meta-Temp-URL-Key", "X-Account-Meta-Temp-URL-Key-2",
    "X-Container-Meta-Temp-Url-Key", "X-Amz-Security-Token", "X-Amz-Signature", "temp_url_sig",
    "password", "adminPass", "admin_pass", "original_password", "secret", "client_secret", "token",
    "user_data", "OS-EXT-SRV-ATTR:user_data", "key", "private_key", "blob", "contents", "signature",
    "PASSWORD",
  };
  static const char *const open[] = {
    "X-Openstack-Request-Id", "Content-Type", "Etag", "WWW-Authenticate", "Host", "id", "name",
    "key_name", "public_key", "keypair", "access", "marker", "limit", "tokens", "temp_url_expires",
    "metadata", "description", "",
  };

  for (guint i = 0; i < G_N_ELEMENTS (secret); i++)
    {
      g_test_message ("%s", secret[i]);
      g_assert_true (wk_redact_is_secret (secret[i]));
    }
  for (guint i = 0; i < G_N_ELEMENTS (open); i++)
    {
      g_test_message ("%s", open[i]);
      g_assert_false (wk_redact_is_secret (open[i]));
    }
}

static void
test_urls (void)
{
  static const char *const cases[][2] = {
    { "no URL at all, but a question?", "no URL at all, but a question?" },
    { "http://h/p", "http://h/p" },
    { "http://me:pw@h:80/p", "http://***@h:80/p" },
    { "http://me@h", "http://***@h" },
    { "http://me:it's@h", "http://***@h" },
    { "http://a@b@h/x@y", "http://***@h/x@y" },
    { "see http://me:pw@h, and https://you:pw@i/", "see http://***@h, and https://***@i/" },
    { "http://h/?marker=a@b", "http://h/?marker=a@b" },
    { "/o?temp_url_sig=abc&temp_url_expires=1", "/o?temp_url_sig=***&temp_url_expires=1" },
    { "/o?a=1&X-Amz-Signature=abc#f", "/o?a=1&X-Amz-Signature=***#f" },
    { "/o?temp%5Furl%5Fsig=abc", "/o?temp%5Furl%5Fsig=***" },
    { "\"http://h/?token=abc\" and", "\"http://h/?token=***\" and" },
    { "/o?token", "/o?token" },
    { "/o?token=", "/o?token=***" },
    { "?", "?" },
    { "://", "://" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *safe = wk_redact_text (cases[i][0]);

      g_assert_cmpstr (safe, ==, cases[i][1]);
    }
}

static void
test_json (void)
{
  static const char *const cases[][2] = {
    { "{\"server\":{\"name\":\"a\",\"adminPass\":\"x\",\"user_data\":\"eA==\"}}",
      "{\"server\":{\"name\":\"a\",\"adminPass\":\"***\",\"user_data\":\"***\"}}" },
    { "{\"auth\":{\"identity\":{\"methods\":[\"password\"],\"password\":{\"user\":{\"name\":\"n\","
      "\"password\":\"p\"}}}}}",
      "{\"auth\":{\"identity\":{\"methods\":[\"password\"],\"password\":{\"user\":{\"name\":\"n\","
      "\"password\":\"***\"}}}}}" },
    { "{\"token\":{\"id\":\"t\",\"user\":{\"id\":\"u\"}}}",
      "{\"token\":{\"id\":\"***\",\"user\":{\"id\":\"u\"}}}" },
    { "{\"token\":\"t\"}", "{\"token\":\"***\"}" },
    { "{\"password\":12345,\"n\":1.50,\"b\":true,\"z\":null}",
      "{\"password\":\"***\",\"n\":1.50,\"b\":true,\"z\":null}" },
    { "{\"secrets\":[\"a\",[\"b\",1],{\"name\":\"c\"}]}",
      "{\"secrets\":[\"***\",[\"***\",\"***\"],{\"name\":\"c\"}]}" },
    { "{\"pass\\u0077ord\":\"p\"}", "{\"password\":\"***\"}" },
    { " { \"key\" : null , \"url\" : \"http://h/?token=t\" } ",
      "{\"key\":null,\"url\":\"http://h/?token=***\"}" },
    { "[1,\"a\\n\\\"\"]", "[1,\"a\\u000a\\\"\"]" },
    { "{\"a\":\"repeats known-secret here\"}", "{\"a\":\"repeats *** here\"}" },
    { "\xEF\xBB\xBF{}", "{}" },
    /* What was cut is shown as far as it is whole. */
    { "{\"a\":1,\"password\":\"half of", "{\"a\":1,\"password\":" },
    { "{\"a\":[1,", "{\"a\":[1" },
    { "<html>", "" },
    { "", "" },
  };
  g_autoptr(WkSecrets) known = wk_secrets_new ();

  wk_secrets_add (known, "known-secret");
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *safe = wk_redact_json (cases[i][0], strlen (cases[i][0]), known, NULL);

      g_assert_cmpstr (safe, ==, cases[i][1]);
    }
}

static void
test_secrets_are_found (void)
{
  static const char text[] =
      "{\"password\":\"first\",\"a\":{\"secret\":\"se\\\"cond\"},\"b\":\"c\"}";
  g_autoptr(WkSecrets) found = wk_secrets_new ();
  g_autofree char *safe = wk_redact_json (text, strlen (text), NULL, found);
  g_autofree char *values = wk_secrets_hide (found, "first, se\"cond, c", FALSE);

  g_assert_cmpstr (values, ==, "***, ***, c");
  g_assert_null (strstr (safe, "first"));
}

/* A secret that looks like a part of a URL is none. */
static void
test_known_secrets_go_first (void)
{
  g_autoptr(WkSecrets) known = wk_secrets_new ();
  g_autofree char *safe = NULL;
  g_autofree char *without = wk_redact_known ("http://a:b@h, my://word@x?key=pass", NULL, FALSE);

  wk_secrets_add (known, "my://word@x?key=pass");
  safe = wk_redact_known ("http://a:b@h, my://word@x?key=pass", known, FALSE);
  g_assert_cmpstr (safe, ==, "http://***@h, ***");
  g_assert_cmpstr (without, ==, "http://***@h, my://***@x?key=***");
}

/* However deep, and whatever bytes. */
static void
test_odd_json (void)
{
  g_autoptr(GString) deep = g_string_new (NULL);
  g_autofree char *safe = NULL;
  g_autofree char *valid = NULL;

  for (guint i = 0; i < 100000; i++)
    g_string_append_c (deep, '[');
  safe = wk_redact_json (deep->str, deep->len, NULL, NULL);
  g_assert_cmpuint (strlen (safe), ==, 64);

  valid = wk_redact_json ("{\"a\":\"\xff\"}", 9, NULL, NULL);
  g_assert_true (g_utf8_validate (valid, -1, NULL));
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/redact/names", test_names);
  g_test_add_func ("/redact/urls", test_urls);
  g_test_add_func ("/redact/json", test_json);
  g_test_add_func ("/redact/secrets-are-found", test_secrets_are_found);
  g_test_add_func ("/redact/known-secrets-go-first", test_known_secrets_go_first);
  g_test_add_func ("/redact/odd-json", test_odd_json);

  return g_test_run ();
}
