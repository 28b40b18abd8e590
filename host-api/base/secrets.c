/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include <string.h>

#include "base/redact.h"
#include "base/secrets.h"

/*
 * A server that does not like a value repeats it, but seldom as it was sent: it escapes what its
 * own format takes for markup, some characters and not others, and a proxy in front of it does so
 * again. So the text is not searched for a list of spellings. It is read along with the secret,
 * character by character, in each way in which a character may be written.
 */

/* Below this many bytes, a word may be a secret by chance alone. */
#define MIN_SECRET 4

/* So many characters of a secret are as good as all of it: servers cut what they repeat. It is also
 * the most that is looked at in vain. */
#define LONG_SECRET 256

/* How often one thing may have been escaped. */
#define MAX_LEVELS 3
/* Backslashes that so many levels put in front of a character. */
#define MAX_BACKSLASHES 7

/* Bytes of the longest spelling of one character that anybody writes. */
#define MAX_SPELLING 32

/* Places where the next character may begin: more ways to read a text than these make no sense. */
#define MAX_PLACES 32

typedef struct
{
  gunichar *characters;   /* (owned) */
  glong     n_characters;
} Secret;

struct _WkSecrets
{
  GArray  *secrets;        /* (owned) of Secret */
  gboolean may_begin[256]; /* a spelling of a secret, by the first byte */
};

typedef struct
{
  const char *places[MAX_PLACES];
  guint       n;
} Places;

static void
clear_secret (gpointer data)
{
  Secret *secret = data;

  g_free (secret->characters);
}

WkSecrets *
wk_secrets_new (void)
{
  WkSecrets *self = g_new0 (WkSecrets, 1);

  self->secrets = g_array_new (FALSE, FALSE, sizeof (Secret));
  g_array_set_clear_func (self->secrets, clear_secret);
  return self;
}

void
wk_secrets_free (WkSecrets *self)
{
  g_array_unref (self->secrets);
  g_free (self);
}

void
wk_secrets_add (WkSecrets  *self,
                const char *value)
{
  g_autofree char *valid = g_utf8_make_valid (value, -1);
  Secret secret;

  if (strlen (value) < MIN_SECRET)
    return;
  secret.characters = g_utf8_to_ucs4_fast (valid, -1, &secret.n_characters);
  g_array_append_val (self->secrets, secret);

  self->may_begin[(guchar) *valid] = TRUE;
  self->may_begin['+'] |= *valid == ' ';
  self->may_begin['\\'] = self->may_begin['&'] = self->may_begin['%'] = TRUE;
}

static void
add_place (Places     *places,
           const char *place)
{
  for (guint i = 0; i < places->n; i++)
    if (places->places[i] == place)
      return;
  if (place != NULL && places->n < MAX_PLACES)
    places->places[places->n++] = place;
}

/* The number that so many digits are; -1 when they are none. */
static gint64
read_hex (const char *digits,
          guint       n_digits)
{
  gint64 number = 0;

  for (guint i = 0; i < n_digits; i++)
    {
      if (!g_ascii_isxdigit (digits[i]))
        return -1;
      number = number * 16 + g_ascii_xdigit_value (digits[i]);
    }
  return number;
}

/* Behind the number of an entity: 34; or x22; */
static const char *
skip_number (const char *place,
             gunichar    character)
{
  guint base = g_ascii_tolower (*place) == 'x' ? 16 : 10;
  char *end;
  guint64 number;

  place += base == 16 ? 1 : 0;
  if (!g_ascii_isxdigit (*place))
    return NULL;
  number = g_ascii_strtoull (place, &end, base);
  return number == character && *end == ';' ? end + 1 : NULL;
}

/* Behind the name of an entity: quot; */
static const char *
skip_name (const char *place,
           gunichar    character)
{
  /* Those of U+00A0 and what follows it, in order. */
  static const char *const latin1[] = {
    "nbsp", "iexcl", "cent", "pound", "curren", "yen", "brvbar", "sect", "uml", "copy", "ordf",
    "laquo", "not", "shy", "reg", "macr", "deg", "plusmn", "sup2", "sup3", "acute", "micro", "para",
    "middot", "cedil", "sup1", "ordm", "raquo", "frac14", "frac12", "frac34", "iquest", "Agrave",
    "Aacute", "Acirc", "Atilde", "Auml", "Aring", "AElig", "Ccedil", "Egrave", "Eacute", "Ecirc",
    "Euml", "Igrave", "Iacute", "Icirc", "Iuml", "ETH", "Ntilde", "Ograve", "Oacute", "Ocirc",
    "Otilde", "Ouml", "times", "Oslash", "Ugrave", "Uacute", "Ucirc", "Uuml", "Yacute", "THORN",
    "szlig", "agrave", "aacute", "acirc", "atilde", "auml", "aring", "aelig", "ccedil", "egrave",
    "eacute", "ecirc", "euml", "igrave", "iacute", "icirc", "iuml", "eth", "ntilde", "ograve",
    "oacute", "ocirc", "otilde", "ouml", "divide", "oslash", "ugrave", "uacute", "ucirc", "uuml",
    "yacute", "thorn", "yuml",
  };
  static const struct { gunichar character; const char *name; } marks[] = {
    { '"', "quot" }, { '&', "amp" }, { '<', "lt" }, { '>', "gt" }, { '\'', "apos" },
  };
  const char *name = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (marks); i++)
    if (marks[i].character == character)
      name = marks[i].name;
  if (character >= 0xA0 && character - 0xA0 < G_N_ELEMENTS (latin1))
    name = latin1[character - 0xA0];
  if (name == NULL || !g_str_has_prefix (place, name) || place[strlen (name)] != ';')
    return NULL;
  return place + strlen (name) + 1;
}

/* At an ampersand. */
static void
skip_entity (Places     *ends,
             const char *place,
             gunichar    character)
{
  place++;
  for (guint level = 0; level < MAX_LEVELS; level++)
    {
      add_place (ends, *place == '#' ? skip_number (place + 1, character)
                                     : skip_name (place, character));
      if (!g_str_has_prefix (place, "amp;"))
        return;
      place += strlen ("amp;");
    }
}

/* At the sign of an escape of URLs, as it is for this byte. */
static void
skip_percent (Places     *ends,
              const char *place,
              guchar      byte)
{
  if (*place++ != '%')
    return;
  for (guint level = 0; level < MAX_LEVELS; level++)
    {
      if (read_hex (place, 2) == byte)
        add_place (ends, place + 2);
      if (!g_str_has_prefix (place, "25"))
        return;
      place += 2;
    }
}

/* All bytes of a character, each of which may be escaped or not. */
static void
skip_bytes (Places     *ends,
            const char *place,
            gunichar    character)
{
  Places now = { .places = { place }, .n = 1 };
  char bytes[6];
  int n_bytes = g_unichar_to_utf8 (character, bytes);

  for (int i = 0; i < n_bytes && now.n > 0; i++)
    {
      Places next;

      next.n = 0;
      for (guint j = 0; j < now.n; j++)
        {
          if (*now.places[j] == bytes[i])
            add_place (&next, now.places[j] + 1);
          skip_percent (&next, now.places[j], (guchar) bytes[i]);
        }
      now = next;
    }
  for (guint i = 0; i < now.n; i++)
    add_place (ends, now.places[i]);
}

/* At what may be a backslash: behind it, in whichever way it is written; NULL when it is none. */
static const char *
skip_backslash (const char *place)
{
  Places ends;

  if (*place == '\\')
    return place + 1;
  ends.n = 0;
  if (*place == '%')
    skip_percent (&ends, place, '\\');
  else if (*place == '&')
    skip_entity (&ends, place, '\\');
  return ends.n > 0 ? ends.places[0] : NULL;
}

/* At the letter of an escape: behind it and so many digits, when they are the number. */
static const char *
skip_digits (const char *place,
             char        letter,
             guint       n_digits,
             guint       number)
{
  if (*place != letter || read_hex (place + 1, n_digits) != number)
    return NULL;
  return place + 1 + n_digits;
}

/* The same in front of all the backslashes of the letter. */
static const char *
skip_unit (const char *place,
           char        letter,
           guint       n_digits,
           guint       number)
{
  guint n_backslashes = 0;
  const char *behind;

  while (n_backslashes <= MAX_BACKSLASHES && (behind = skip_backslash (place)) != NULL)
    {
      n_backslashes++;
      place = behind;
    }
  return n_backslashes > 0 ? skip_digits (place, letter, n_digits, number) : NULL;
}

/* At the letter of an escape: behind the two of JSON for a character beyond the first plane. */
static const char *
skip_surrogates (const char *place,
                 gunichar    character)
{
  place = skip_digits (place, 'u', 4, 0xD800 + ((character - 0x10000) >> 10));
  return place != NULL ? skip_unit (place, 'u', 4, 0xDC00 + ((character - 0x10000) & 0x3FF)) : NULL;
}

/* At the letter of an escape: behind those of Python for the bytes of a character. */
static const char *
skip_hex_bytes (const char *place,
                gunichar    character)
{
  char bytes[6];
  int n_bytes = g_unichar_to_utf8 (character, bytes);

  place = skip_digits (place, 'x', 2, (guchar) bytes[0]);
  for (int i = 1; place != NULL && i < n_bytes; i++)
    place = skip_unit (place, 'x', 2, (guchar) bytes[i]);
  return place;
}

/* Behind a backslash: where a letter, or the number that follows it, says which character it is. */
static void
skip_escape (Places     *ends,
             const char *place,
             gunichar    character)
{
  static const char controls[] = "\aa\bb\ff\nn\rr\tt\vv";

  for (guint i = 0; controls[i] != '\0'; i += 2)
    if (character == (guchar) controls[i] && *place == controls[i + 1])
      add_place (ends, place + 1);
  if (*place == 'U')
    add_place (ends, skip_digits (place, 'U', 8, character));
  else if (*place == 'u')
    add_place (ends, character <= 0xFFFF ? skip_digits (place, 'u', 4, character)
                                         : skip_surrogates (place, character));
  else if (*place == 'x')
    {
      add_place (ends, skip_digits (place, 'x', 2, character));
      add_place (ends, skip_hex_bytes (place, character));
    }
}

/* All places behind a character that is written here in one way or other. */
static void
skip_character (Places     *ends,
                const char *place,
                gunichar    character)
{
  for (guint i = 0; i <= MAX_BACKSLASHES && place != NULL; i++)
    {
      skip_bytes (ends, place, character);
      if (character > 0x7F && character <= 0xFF)
        skip_percent (ends, place, (guchar) character);
      if (character == ' ' && *place == '+')
        add_place (ends, place + 1);
      if (*place == '&')
        skip_entity (ends, place, character);
      place = skip_backslash (place);
      if (place != NULL)
        skip_escape (ends, place, character);
    }
}

/* Where the text was cut, or shortly in front of that, in an escape or in a character, of which a
 * replacement is left. */
static gboolean
is_broken_off (const char *place,
               const char *end)
{
  if (place == end)
    return TRUE;
  if (end - place >= MAX_SPELLING || strchr ("\\&%\xEF", *place) == NULL)
    return FALSE;
  while (g_ascii_isalnum (*place) || (*place != '\0' && strchr ("\\&%#\xEF\xBF\xBD", *place)))
    place++;
  return place == end;
}

static const char *
get_farthest (const Places *places)
{
  const char *farthest = NULL;

  for (guint i = 0; i < places->n; i++)
    farthest = MAX (farthest, places->places[i]);
  return farthest;
}

/* The farthest place where the secret may end that begins here, or where it does no longer agree
 * after so much that the server has cut it; NULL when none does. */
static const char *
skip_secret (const Secret *secret,
             const char   *place,
             const char   *end,
             gboolean      is_cut)
{
  Places now = { .places = { place }, .n = 1 };
  const char *farthest = NULL;

  if (!is_cut && end - place < MIN (secret->n_characters, LONG_SECRET))
    return NULL;
  for (glong i = 0; i < secret->n_characters && now.n > 0; i++)
    {
      Places next;

      next.n = 0;
      if (i >= LONG_SECRET)
        farthest = get_farthest (&now);
      for (guint j = 0; j < now.n; j++)
        {
          if (is_cut && i > 0 && is_broken_off (now.places[j], end))
            return end;
          skip_character (&next, now.places[j], secret->characters[i]);
        }
      now = next;
    }
  return now.n > 0 ? get_farthest (&now) : farthest;
}

/* Of all that begin here. In what is left out already, the long ones would begin again at each
 * character, where one has many that are the same. */
static const char *
skip_longest (WkSecrets  *self,
              const char *place,
              const char *end,
              gboolean    is_cut,
              gboolean    is_hidden)
{
  const char *farthest = NULL;

  for (guint i = 0; i < self->secrets->len; i++)
    {
      const Secret *secret = &g_array_index (self->secrets, Secret, i);

      if (!is_hidden || secret->n_characters <= LONG_SECRET)
        farthest = MAX (farthest, skip_secret (secret, place, end, is_cut));
    }
  return farthest;
}

/* Nothing begins between two backslashes that does not begin at the first of them, or at the last.
 */
static gboolean
is_inside_run (const char *text,
               const char *place)
{
  return *place == '\\' && place > text && place[-1] == '\\' && place[1] == '\\';
}

char *
wk_secrets_hide (WkSecrets  *self,
                 const char *text,
                 gboolean    is_cut)
{
  GString *safe = g_string_new (NULL);
  const char *end = text + strlen (text);
  const char *hidden = text; /* the end of what is left out so far */

  /* In what is left out, another one may begin that ends behind it. */
  for (const char *place = text; hidden < end && place < end; place++)
    {
      const char *behind;

      if (!self->may_begin[(guchar) *place] || is_inside_run (text, place))
        continue;
      behind = skip_longest (self, place, end, is_cut, place < hidden);
      if (behind == NULL || behind <= hidden)
        continue;
      if (place >= hidden)
        {
          g_string_append_len (safe, hidden, place - hidden);
          g_string_append (safe, WK_REDACTED);
        }
      hidden = behind;
    }
  g_string_append (safe, hidden);
  return g_string_free (safe, FALSE);
}
