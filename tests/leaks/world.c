/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "world.h"

#include <stdlib.h>
#include <string.h>

#include "home.h"

/* How much faster than the wall's Welkin's time goes. */
#define TIME_SCALE "200"
/* An operation that takes longer hangs. */
#define MAX_SECONDS 30
/* The cloud removes some things a moment after it was told to. */
#define SETTLING_MS 400

struct _World
{
  FakeCloud          *fake;
  Home               *home;
  WelkinEnvironments *environments;
  GCancellable       *cancellable;
  GAsyncResult       *result;
  GSubprocess        *command;
  guint               trap; /* the rule that springs it; 0: none */
  WorldFunc           trapped;
};

/* In the form of environments.yaml; NULL before the first environment was made. */
static char *authority;

static const char base_text[] =
  "environments:\n"
  "  " WORLD_NAME ":\n"
  "    type: openstack\n"
  "    auth-url: %s\n"
  "    username: demo\n"
  "    password: secret\n"
  "    tenant-name: demo\n"
  "    region: RegionOne\n"
  "    default-series: noble\n"
  "    api-port: 17070\n"
  "    authorized-keys: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEvhWl8MW3UBvKsJpJMNzHWDfDRVZ6PmpTf9 "
  "leaks\n";

static void
write_environment (World         *self,
                   const Variant *variant)
{
  g_autoptr(GString) text = g_string_new (NULL);
  g_auto(GStrv) lines = g_strsplit (variant->attributes, "\n", -1);

  g_string_append_printf (text, base_text, fake_cloud_get_auth_url (self->fake));
  for (gsize i = 0; lines[i] != NULL; i++)
    if (*lines[i] != '\0')
      g_string_append_printf (text, "    %s\n", lines[i]);
  g_string_append (text, authority != NULL ? authority : "");
  home_write (self->home, ".config/welkin/environments.yaml", text->str);
}

static const char *
get_time_scale (void)
{
  const char *scale = g_getenv ("WELKIN_TEST_TIME_SCALE");

  return scale != NULL ? scale : TIME_SCALE;
}

World *
world_new (WelkinRegistry *registry,
           WorldNetworks   networks,
           const Variant  *variant)
{
  World *self = g_new0 (World, 1);
  g_autofree char *scale = g_strconcat ("WELKIN_TIME_SCALE=", get_time_scale (), NULL);
  g_autoptr(GError) error = NULL;

  self->fake = fake_cloud_new (&error);
  g_assert_no_error (error);
  fake_cloud_set (self->fake, "build-delay", 2);
  fake_cloud_set (self->fake, "delete-delay", 2);
  fake_cloud_set (self->fake, "fip-delay", 2);
  fake_cloud_set (self->fake, "nova-network", networks == WORLD_NOVA_NETWORK);
  if (networks == WORLD_NEUTRON_WITH_TAGS)
    fake_cloud_set_extension (self->fake, "standard-attr-description", FALSE);
  self->home = home_new (scale);
  write_environment (self, variant);
  self->environments = welkin_environments_new (registry, self->home->surroundings);
  self->cancellable = g_cancellable_new ();
  return self;
}

void
world_free (World *self)
{
  g_clear_object (&self->result);
  g_clear_object (&self->command);
  g_clear_object (&self->environments);
  /* What was just dropped may have something under way that is being cancelled. */
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_clear_object (&self->cancellable);
  home_free (self->home);
  fake_cloud_free (self->fake);
  g_free (self);
}

void
world_share_authority (World        *self,
                       WelkinConfig *config)
{
  static const char *const keys[] = { "ca-cert", "ca-private-key" };
  g_autoptr(GString) text = g_string_new (NULL);

  if (authority != NULL)
    return;
  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      g_auto(GStrv) lines = g_strsplit (welkin_config_get_string (config, keys[i]), "\n", -1);

      g_string_append_printf (text, "    %s: |\n", keys[i]);
      for (gsize j = 0; lines[j] != NULL; j++)
        g_string_append_printf (text, "      %s\n", lines[j]);
    }
  authority = g_string_free (g_steal_pointer (&text), FALSE);
}

FakeCloud *
world_get_fake (World *self)
{
  return self->fake;
}

WelkinEnvironments *
world_get_environments (World *self)
{
  return self->environments;
}

GCancellable *
world_get_cancellable (World *self)
{
  return self->cancellable;
}

void
world_begin_step (World *self)
{
  self->trap = 0;
  fake_log_clear (self->fake);
  g_object_unref (self->cancellable);
  self->cancellable = g_cancellable_new ();
}

char *
world_describe_requests (World *self)
{
  GPtrArray *entries = fake_log_get_entries (self->fake);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < entries->len; i++)
    {
      const FakeLogEntry *entry = g_ptr_array_index (entries, i);

      g_string_append_printf (text, "  %3u %s %s", i + 1, entry->method, entry->path);
      if (entry->status != 0)
        g_string_append_printf (text, " %u\n", entry->status);
      else
        g_string_append (text, " without answer\n");
    }
  return g_string_free (text, FALSE);
}

void
world_set_trap (World    *self,
                guint     rule,
                WorldFunc function)
{
  self->trap = rule;
  self->trapped = function;
}

static gboolean
too_late_cb (gpointer user_data)
{
  World *self = user_data;
  g_autofree char *requests = world_describe_requests (self);

  g_printerr ("It hangs:\n%s", requests);
  abort ();
}

/* Iterates until there is what is pointed to, springing the trap on the way. */
static void
iterate_until (World    *self,
               gpointer *pointer)
{
  guint too_late = g_timeout_add_seconds (MAX_SECONDS, too_late_cb, self);

  while (*pointer == NULL)
    {
      g_main_context_iteration (NULL, TRUE);
      if (self->trap == 0 || fake_cloud_get_rule_hits (self->fake, self->trap) == 0)
        continue;
      self->trap = 0;
      self->trapped (self);
    }
  g_source_remove (too_late);
}

void
world_done_cb (GObject      *source,
               GAsyncResult *result,
               gpointer      user_data)
{
  World *self = user_data;

  g_set_object (&self->result, result);
}

GAsyncResult *
world_wait (World *self)
{
  g_clear_object (&self->result);
  iterate_until (self, (gpointer *) &self->result);
  return self->result;
}

/* An environment of its own: nothing of the caller's may get in. */
static GSubprocessLauncher *
make_launcher (World *self)
{
  GSubprocessLauncher *launcher = g_subprocess_launcher_new (
    G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_SILENCE);
  g_autoptr(GPtrArray) variables = g_ptr_array_new_with_free_func (g_free);

  g_ptr_array_add (variables, g_strconcat ("HOME=", self->home->path, NULL));
  g_ptr_array_add (variables, g_strconcat ("PATH=", g_getenv ("PATH"), NULL));
  g_ptr_array_add (variables, g_strconcat ("WELKIN_TIME_SCALE=", get_time_scale (), NULL));
  g_ptr_array_add (variables, g_strdup ("WELKIN_PLUGIN_PATH=" WELKIN_TEST_PLUGINS));
  g_ptr_array_add (variables, g_strdup ("WELKIN_PUBLIC_IMAGES=none"));
  g_ptr_array_add (variables, g_strdup ("LC_ALL=C.UTF-8"));
  g_ptr_array_add (variables, g_strdup ("no_proxy=127.0.0.1"));
  g_ptr_array_add (variables, NULL);
  g_subprocess_launcher_set_environ (launcher, (char **) variables->pdata);
  return launcher;
}

void
world_begin_command (World              *self,
                     const char * const *arguments)
{
  g_autoptr(GSubprocessLauncher) launcher = make_launcher (self);
  g_autoptr(GPtrArray) words = g_ptr_array_new ();
  g_autoptr(GError) error = NULL;

  g_ptr_array_add (words, (char *) WELKIN_TEST_COMMAND);
  g_ptr_array_add (words, (char *) "--quiet");
  for (gsize i = 0; arguments[i] != NULL; i++)
    g_ptr_array_add (words, (char *) arguments[i]);
  g_ptr_array_add (words, NULL);

  g_clear_object (&self->command);
  self->command =
    g_subprocess_launcher_spawnv (launcher, (const char *const *) words->pdata, &error);
  g_assert_no_error (error);
  g_subprocess_wait_async (self->command, NULL, world_done_cb, self);
}

void
world_kill_command (World *self)
{
  g_subprocess_force_exit (self->command);
}

gboolean
world_wait_for_command (World *self)
{
  world_wait (self);
  g_subprocess_wait_finish (self->command, self->result, NULL);
  return !g_subprocess_get_if_signaled (self->command);
}

WelkinInfo *
world_load_info (World *self)
{
  return welkin_info_load (self->home->surroundings, WORLD_NAME, NULL);
}

/* What differs from one run to the next. */
static const struct
{
  const char *pattern;
  const char *replacement;
} changing[] = {
  { "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(/[0-9]+)?", "UUID" },
  { "\\b[0-9a-f]{32}\\b", "HEX" },
  { "(?<=-)[0-9a-f]{6,12}\\b", "HEX" },
  { "\\b(10|172|198|203)(\\.[0-9]+){3}\\b", "IP" },
  { "(?m)^(object .*) [0-9]+ HEX$", "\\1" },
};

static int
compare_lines (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static char *
take_inventory_now (World *self)
{
  char *text = fake_cloud_dump_inventory (self->fake, "demo");
  g_auto(GStrv) lines = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (changing); i++)
    {
      g_autoptr(GRegex) regex = g_regex_new (changing[i].pattern, 0, 0, NULL);
      g_autofree char *former = g_steal_pointer (&text);

      text = g_regex_replace (regex, former, -1, 0, changing[i].replacement, 0, NULL);
    }
  lines = g_strsplit (text, "\n", -1);
  g_free (text);
  qsort (lines, g_strv_length (lines), sizeof *lines, compare_lines);
  return g_strjoinv ("\n", lines);
}

static gboolean
wake_cb (gpointer user_data)
{
  return G_SOURCE_CONTINUE;
}

char *
world_take_inventory (World      *self,
                      const char *expected)
{
  gint64 end = g_get_monotonic_time () + SETTLING_MS * G_TIME_SPAN_MILLISECOND;
  guint waking = g_timeout_add (1, wake_cb, NULL);
  char *inventory = take_inventory_now (self);

  while (expected != NULL && !g_str_equal (inventory, expected)
         && g_get_monotonic_time () < end)
    {
      g_main_context_iteration (NULL, TRUE);
      g_free (inventory);
      inventory = take_inventory_now (self);
    }
  g_source_remove (waking);
  return inventory;
}
