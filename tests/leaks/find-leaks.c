/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

/*
 * Hunts for what is left in a cloud when something happens at a request: in each mode of the cloud,
 * for each variant of an environment and each operation, each fault at the first request, the
 * second and so on, until the operation is over before it can happen. Each is a point with a name:
 *
 *   MODE/VARIANT/OPERATION/FAULT/NUMBER
 *
 * Afterwards the cloud holds what it held before, or what it holds after an operation to which
 * nothing happens; and the environment can be destroyed without anything being left.
 */

#include <stdlib.h>
#include <string.h>

#include "faults.h"
#include "operations.h"

/* More requests than any operation makes. */
#define MAX_NUMBER 300
/* Each of the three zones is tried, and the choice of the cloud itself. */
#define MAX_SERVERS 5

static const struct
{
  const char   *name;
  WorldNetworks networks;
} modes[] = {
  { "neutron", WORLD_NEUTRON },
  { "neutron-with-tags", WORLD_NEUTRON_WITH_TAGS },
  { "nova-network", WORLD_NOVA_NETWORK },
};

static const Variant variants[] = {
  /* The first one gets all faults, the others those that differ most from each other. */
  { "floating", "firewall-mode: instance\nuse-floating-ip: true\nexternal-network: public" },
  { "plain", "firewall-mode: instance" },
  { "volume", "firewall-mode: instance\nroot-disk-source: volume" },
  { "apart", "firewall-mode: instance\nanti-affinity: soft" },
  { "global", "firewall-mode: global" },
};

/* What an operation does to which nothing happens. */
typedef struct
{
  WelkinRegistry  *registry;
  WorldNetworks    networks;
  const Variant   *variant;
  const Operation *operation;
  const Fault     *fault;
  char            *name;     /* of the points, without their number */
  char            *pristine; /* what the cloud holds at first, */
  char            *before;   /* when the operation begins, */
  char            *after;    /* and when it has ended */
} Trial;

static guint n_points;
static guint n_leaks;
static guint n_unmarked;

static void
trial_clear (Trial *trial)
{
  g_clear_pointer (&trial->name, g_free);
  g_clear_pointer (&trial->pristine, g_free);
  g_clear_pointer (&trial->before, g_free);
  g_clear_pointer (&trial->after, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Trial, trial_clear)

static void
print_difference (const char *expected,
                  const char *found)
{
  g_auto(GStrv) left = g_strsplit (expected, "\n", -1);
  g_auto(GStrv) right = g_strsplit (found, "\n", -1);
  gsize i = 0, j = 0;

  /* Both are sorted. */
  while (left[i] != NULL || right[j] != NULL)
    {
      int order = left[i] == NULL ? 1 : right[j] == NULL ? -1 : strcmp (left[i], right[j]);

      if (order < 0)
        g_print ("  - %s\n", left[i]);
      else if (order > 0)
        g_print ("  + %s\n", right[j]);
      i += order <= 0 ? 1 : 0;
      j += order >= 0 ? 1 : 0;
    }
}

/* Of each line the kind, the name and the mark; of a floating IP also what it is on. */
static char *
list_things (const char *inventory)
{
  static const char pattern[] = "^(floatingip .*|\\S+ \\S*( \"[^\"\\n]*\")?).*$";
  g_autoptr(GRegex) regex = g_regex_new (pattern, G_REGEX_MULTILINE, 0, NULL);

  return g_regex_replace (regex, inventory, -1, 0, "\\1", 0, NULL);
}

/* A server group is only a wish: a machine is started without it where the cloud refuses to make
 * it. (transfer full) */
static char *
drop_wishes (const char *things)
{
  g_autoptr(GRegex) regex = g_regex_new ("^server_group .*\n", G_REGEX_MULTILINE, 0, NULL);

  return g_regex_replace_literal (regex, things, -1, 0, "", 0, NULL);
}

static gboolean
loses_answers (const Fault *fault)
{
  return fault_kills (fault) || fault->kind == FAULT_OUTAGE || fault->rule.action == FAKE_DROP_AFTER
         || fault->rule.action == FAKE_CUT;
}

/* A floating IP of nova carries no mark. If nobody has learnt its id, it may as well be somebody
 * else's, and nobody may remove it. (transfer full) */
static char *
drop_unmarked (const Trial *trial,
               const char  *found)
{
  static const char free_ip[] = "floatingip demo/ \"\" IP port=-";
  g_auto(GStrv) lines = g_strsplit (found, "\n", -1);
  g_autoptr(GStrvBuilder) left = g_strv_builder_new ();
  g_auto(GStrv) all = NULL;
  guint n_dropped = 0;

  for (gsize i = 0; lines[i] != NULL; i++)
    if (trial->networks == WORLD_NOVA_NETWORK && loses_answers (trial->fault) && n_dropped == 0
        && g_str_equal (lines[i], free_ip))
      n_dropped++;
    else
      g_strv_builder_add (left, lines[i]);
  all = g_strv_builder_end (left);
  return g_strjoinv ("\n", all);
}

/* A cloud that refuses something may be asked for a machine in another way, and then it looks a
 * little different, but there are the same things with the same marks. When all is destroyed,
 * nothing is overlooked. */
static gboolean
is_same (const Trial *trial,
         const char  *expected,
         const char  *found)
{
  g_autofree char *expected_things = list_things (expected);
  g_autofree char *found_things = list_things (found);
  g_autofree char *least_things = drop_wishes (expected_things);

  if (trial->operation->give_up == NULL || expected != trial->after)
    return g_str_equal (expected, found);
  return g_str_equal (expected_things, found_things)
         || (!fault_kills (trial->fault) && g_str_equal (least_things, found_things));
}

static void
report (const Trial *trial,
        guint        number,
        World       *world,
        const char  *what)
{
  g_autofree char *requests = world_describe_requests (world);

  g_print ("LEAK %s/%u: %s\nThe requests of the last step:\n%s", trial->name, number, what,
           requests);
  g_print ("Again: %s '%s/%u'\n\n", g_get_prgname (), trial->name, number);
}

/* FALSE, and a report, if the cloud does not hold what it should. */
static gboolean
check (const Trial *trial,
       guint        number,
       World       *world,
       const char  *expected,
       const char  *when)
{
  g_autofree char *all = world_take_inventory (world, expected);
  g_autofree char *found = drop_unmarked (trial, all);

  if (expected == trial->pristine && !g_str_equal (found, all))
    n_unmarked++;
  if (is_same (trial, expected, found))
    return TRUE;
  report (trial, number, world, when);
  print_difference (expected, found);
  g_print ("\n");
  return FALSE;
}

static gboolean
run_command (const Trial *trial,
             World       *world)
{
  gboolean is_global = g_str_equal (trial->variant->name, "global");

  world_begin_command (world, is_global && trial->operation->global_command[0] != NULL
                                ? trial->operation->global_command
                                : trial->operation->command);
  return world_wait_for_command (world);
}

static gboolean
check_step (const Trial *trial,
            guint        number,
            World       *world,
            gboolean   (*step) (World *world, GError **error),
            const char  *expected,
            const char  *what)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *failure = NULL;

  world_begin_step (world);
  if (step (world, &error))
    return check (trial, number, world, expected, what);
  failure = g_strdup_printf ("%s, which failed: %s", what, error->message);
  report (trial, number, world, failure);
  return FALSE;
}

/* What is at fault every time may be in the way of undoing, too: then it must be said. */
static gboolean
has_left_things (const Fault  *fault,
                 const GError *error)
{
  return fault->rule.times < 0 && strstr (error->message, "left behind") != NULL;
}

/* Whether all is as it should be behind the operation, which has ended with the error (nullable) or
 * was killed. */
static gboolean
check_outcome (const Trial  *trial,
               guint         number,
               World        *world,
               const GError *error)
{
  const Operation *operation = trial->operation;
  FaultKind kind = trial->fault->kind;
  g_autofree char *when = NULL;

  if (kind == FAULT_ABANDON)
    return TRUE;
  if (error == NULL && kind != FAULT_KILL)
    return check (trial, number, world, trial->after, "after it succeeded");
  if (operation->give_up == NULL || kind == FAULT_OUTAGE || kind == FAULT_KILL)
    return check_step (trial, number, world, operation->go_on, trial->after,
                       "after it was gone on with");
  if (has_left_things (trial->fault, error))
    return check_step (trial, number, world, operation->give_up, trial->before,
                       "after it was given up");
  when = g_strdup_printf ("after \"%s\"", error->message);
  return check (trial, number, world, trial->before, when);
}

/* FALSE: the operation was over before the fault could happen. */
static gboolean
try_point (const Trial *trial,
           guint        number)
{
  g_autoptr(World) world = world_new (trial->registry, trial->networks, trial->variant);
  g_autoptr(GError) error = NULL;
  gboolean is_good = TRUE;
  guint rule;

  if (trial->operation->prepare != NULL && !trial->operation->prepare (world, &error))
    g_error ("%s: %s", trial->name, error->message);
  world_begin_step (world);
  rule = fault_arm (trial->fault, world, number);
  if (fault_kills (trial->fault))
    run_command (trial, world);
  else
    trial->operation->run (world, &error);
  if (!fault_has_hit (trial->fault, world, rule))
    return FALSE;

  n_points++;
  fake_cloud_clear_rules (world_get_fake (world));
  is_good = check_outcome (trial, number, world, error)
            && check_step (trial, number, world, operation_destroy_all, trial->pristine,
                           "after all was destroyed");
  if (!is_good)
    n_leaks++;
  return TRUE;
}

/* What it is like when nothing happens. */
static void
measure (Trial *trial)
{
  g_autoptr(World) world = world_new (trial->registry, trial->networks, trial->variant);
  g_autoptr(GError) error = NULL;
  g_autofree char *end = NULL;

  trial->pristine = world_take_inventory (world, NULL);
  if ((trial->operation->prepare != NULL && !trial->operation->prepare (world, &error))
      || !(trial->before = world_take_inventory (world, NULL))
      || !trial->operation->run (world, &error)
      || !(trial->after = world_take_inventory (world, NULL))
      || !operation_destroy_all (world, &error))
    g_error ("%s: %s", trial->name, error->message);
  end = world_take_inventory (world, trial->pristine);
  if (g_str_equal (end, trial->pristine))
    return;
  n_leaks++;
  report (trial, 0, world, "when nothing happened, after all was destroyed");
  print_difference (trial->pristine, end);
}

static void
try_points (Trial      *trial,
            const char *wanted)
{
  guint most = trial->fault->kind == FAULT_SERVERS ? MAX_SERVERS : MAX_NUMBER;
  gint64 begin = g_get_monotonic_time ();
  guint number;

  measure (trial);
  for (number = 1; number <= most; number++)
    {
      g_autofree char *name = g_strdup_printf ("%s/%u", trial->name, number);

      if (wanted != NULL && !g_pattern_match_simple (wanted, name))
        continue;
      if (!try_point (trial, number))
        break;
    }
  if (g_getenv ("WELKIN_TEST_VERBOSE") != NULL)
    g_printerr ("%s: %u, %.1f s\n", trial->name, number - 1,
                (double) (g_get_monotonic_time () - begin) / G_USEC_PER_SEC);
}

/* Where there are tags, floating IPs alone are different. */
static gboolean
is_for (const Fault     *fault,
        const Operation *operation,
        const Variant   *variant,
        WorldNetworks    networks)
{
  if (networks == WORLD_NEUTRON_WITH_TAGS && variant != &variants[0])
    return FALSE;
  if (variant != &variants[0] && !fault->is_for_all)
    return FALSE;
  return !fault->is_of_start || operation->give_up != NULL;
}

/* "neutron/floating/start/cancel/7" has the points "neutron/floating/start/cancel/". */
static gboolean
may_match (const char *wanted,
           const char *name)
{
  const char *slash = wanted != NULL ? strrchr (wanted, '/') : NULL;
  g_autofree char *pattern = NULL;

  if (wanted == NULL)
    return TRUE;
  pattern = slash != NULL ? g_strndup (wanted, (gsize) (slash - wanted)) : g_strdup (wanted);
  return g_pattern_match_simple (pattern, name) || g_pattern_match_simple (wanted, name);
}

/* Goes through all trials of which this process has a share. */
static void
try_all (WelkinRegistry *registry,
         const char     *wanted,
         guint           share,
         guint           n_shares)
{
  guint count = 0;

  for (guint m = 0; m < G_N_ELEMENTS (modes); m++)
    for (guint v = 0; v < G_N_ELEMENTS (variants); v++)
      for (guint o = 0; o < n_operations; o++)
        for (guint f = 0; f < n_faults; f++)
          {
            g_auto(Trial) trial = {
              registry, modes[m].networks, &variants[v], &operations[o], &faults[f],
              g_strjoin ("/", modes[m].name, variants[v].name, operations[o].name, faults[f].name,
                         NULL),
            };

            if (is_for (&faults[f], &operations[o], &variants[v], modes[m].networks)
                && may_match (wanted, trial.name) && count++ % n_shares == share)
              try_points (&trial, wanted);
          }
}

static GLogWriterOutput
drop_message_cb (GLogLevelFlags   level,
                 const GLogField *fields,
                 gsize            n_fields,
                 gpointer         user_data)
{
  return g_getenv ("G_MESSAGES_DEBUG") != NULL || (level & G_LOG_LEVEL_ERROR) != 0
           ? g_log_writer_default (level, fields, n_fields, user_data)
           : G_LOG_WRITER_HANDLED;
}

int
main (int    argc,
      char **argv)
{
  const char *directories[] = { WELKIN_TEST_PLUGINS, NULL };
  g_autoptr(WelkinRegistry) registry = welkin_registry_new (directories);
  g_auto(GStrv) wanted = NULL;
  int share = 1, n_shares = 1;
  const GOptionEntry options[] = {
    { "share", 0, 0, G_OPTION_ARG_INT, &share, "Which share of all points to try", "N" },
    { "shares", 0, 0, G_OPTION_ARG_INT, &n_shares, "How many shares there are", "N" },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &wanted, NULL, "[POINT]" },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr(GOptionContext) context = g_option_context_new (NULL);
  g_autoptr(GError) error = NULL;

  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error)
      || share < 1 || share > n_shares)
    {
      g_printerr ("find-leaks: %s\n", error != NULL ? error->message : "that is no share");
      return 2;
    }
  g_set_prgname (argv[0]);
  /* Warnings would be in the way of what is printed. */
  g_log_set_writer_func (drop_message_cb, NULL, NULL);
  g_setenv ("GIO_USE_VFS", "local", TRUE);
  g_setenv ("GIO_USE_PROXY_RESOLVER", "dummy", TRUE);

  try_all (registry, wanted != NULL ? wanted[0] : NULL, (guint) share - 1, (guint) n_shares);
  if (n_unmarked > 0)
    g_print ("%u times a floating IP of nova was left of which nobody had learnt\n", n_unmarked);
  g_print ("leaks: %u points, %u leaks\n", n_points, n_leaks);
  return n_leaks == 0 ? 0 : 1;
}
