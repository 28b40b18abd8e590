/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "bootstrap/provisioner-plan.h"
#include "home.h"

#define N_ROUNDS 3000
#define MAX_MACHINES 6

/* An instance that is only an id, a start and a state. */
#define TEST_TYPE_INSTANCE (test_instance_get_type ())
G_DECLARE_FINAL_TYPE (TestInstance, test_instance, TEST, INSTANCE, GObject)

struct _TestInstance
{
  GObject             parent_instance;

  char               *id;
  char               *start_id; /* (nullable) */
  WelkinInstanceState state;
};

static void test_instance_iface_init (WelkinInstanceInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (TestInstance, test_instance, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (WELKIN_TYPE_INSTANCE,
                                                      test_instance_iface_init))

static const char *
get_id (WelkinInstance *instance)
{
  return TEST_INSTANCE (instance)->id;
}

static const char *
get_start_id (WelkinInstance *instance)
{
  return TEST_INSTANCE (instance)->start_id;
}

static WelkinInstanceState
get_state (WelkinInstance *instance)
{
  return TEST_INSTANCE (instance)->state;
}

static void
test_instance_iface_init (WelkinInstanceInterface *iface)
{
  iface->get_id = get_id;
  iface->get_start_id = get_start_id;
  iface->get_state = get_state;
}

static void
test_instance_finalize (GObject *object)
{
  g_free (TEST_INSTANCE (object)->id);
  g_free (TEST_INSTANCE (object)->start_id);
  G_OBJECT_CLASS (test_instance_parent_class)->finalize (object);
}

static void
test_instance_class_init (TestInstanceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = test_instance_finalize;
}

static void
test_instance_init (TestInstance *self)
{
}

/* What there is: records, and instances of theirs and of nobody's. */
typedef struct
{
  GPtrArray        *records;
  GPtrArray        *instances;
  WelkinValue      *kept; /* (nullable) */
  WelkinHarvestMode harvest_mode;
} World;

static void
world_free (World *world)
{
  g_ptr_array_unref (world->records);
  g_ptr_array_unref (world->instances);
  g_clear_pointer (&world->kept, welkin_value_unref);
  g_free (world);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (World, world_free)

static World *
world_new (WelkinHarvestMode harvest_mode)
{
  World *world = g_new0 (World, 1);

  world->records = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_machine_record_free);
  world->instances = g_ptr_array_new_with_free_func (g_object_unref);
  world->harvest_mode = harvest_mode;
  return world;
}

static void
add_instance (World              *world,
              const char         *id,
              const char         *start_id,
              WelkinInstanceState state)
{
  TestInstance *instance = g_object_new (TEST_TYPE_INSTANCE, NULL);

  instance->id = g_strdup (id);
  instance->start_id = g_strdup (start_id);
  instance->state = state;
  g_ptr_array_add (world->instances, instance);
}

static WelkinMachineRecord *
add_record (World      *world,
            const char *machine_id,
            const char *life,
            const char *status)
{
  WelkinMachineRecord *record = welkin_machine_record_new (machine_id, "noble", NULL, NULL);

  welkin_machine_record_set (record, "life", life);
  welkin_machine_record_set (record, "status", status);
  g_ptr_array_add (world->records, record);
  return record;
}

static WelkinProvisionerPlan *
make_plan (World *world)
{
  return welkin_provisioner_plan_new (world->records, world->instances, world->kept,
                                      world->harvest_mode);
}

static const char *
pick (GRand             *random,
      const char *const *texts)
{
  return texts[g_rand_int_range (random, 0, (int) g_strv_length ((char **) texts))];
}

static World *
world_new_random (GRand *random)
{
  static const char *const lives[] = { "alive", "alive", "dying", "dead", NULL };
  static const char *const statuses[] = { "pending", "provisioning", "started", "error", NULL };
  World *world =
    world_new ((WelkinHarvestMode) g_rand_int_range (random, 0, WELKIN_HARVEST_ALL + 1));
  int n_machines = g_rand_int_range (random, 0, MAX_MACHINES);

  for (int i = 0; i < n_machines; i++)
    {
      g_autofree char *machine_id = g_strdup_printf ("%d", i);
      g_autofree char *start_id = g_strdup_printf ("start-%d", i);
      g_autofree char *id = g_strdup_printf ("instance-%d", i);
      WelkinMachineRecord *record = add_record (world, machine_id, pick (random, lives),
                                                pick (random, statuses));

      if (g_rand_boolean (random))
        welkin_machine_record_set (record, "start-id", start_id);
      if (g_rand_boolean (random))
        welkin_machine_record_set (record, "instance-id", id);
      if (g_rand_boolean (random))
        welkin_machine_record_set (record, "transient", "true");
      if (g_rand_int_range (random, 0, 4) == 0)
        welkin_machine_record_set (record, "keep-instance", "true");
      if (g_rand_boolean (random))
        add_instance (world, id, start_id,
                      g_rand_int_range (random, 0, WELKIN_INSTANCE_FAILED + 1));
    }
  if (g_rand_boolean (random))
    add_instance (world, "stranger", NULL, WELKIN_INSTANCE_RUNNING);
  if (g_rand_boolean (random))
    {
      g_autoptr(WelkinValue) text = welkin_value_new_text ("start-kept", FALSE, NULL);
      const char *const key = "kept";

      world->kept = welkin_value_new_map (&key, &text, 1, NULL);
      add_instance (world, "kept", "start-kept", WELKIN_INSTANCE_RUNNING);
    }
  return world;
}

static guint
count (GPtrArray  *ids,
       const char *id)
{
  guint n = 0;

  for (guint i = 0; i < ids->len; i++)
    n += g_str_equal (ids->pdata[i], id);
  return n;
}

static guint
count_classes (WelkinProvisionerPlan *plan,
               const char            *machine_id)
{
  return count (plan->dead, machine_id) + count (plan->pending, machine_id)
         + count (plan->adopted, machine_id) + count (plan->maintained, machine_id)
         + count (plan->missing, machine_id);
}

static WelkinInstance *
find_by_start (World      *world,
               const char *start_id)
{
  for (guint i = 0; i < world->instances->len; i++)
    if (g_strcmp0 (welkin_instance_get_start_id (world->instances->pdata[i]), start_id) == 0)
      return world->instances->pdata[i];
  return NULL;
}

static void
check_record (World                 *world,
              WelkinProvisionerPlan *plan,
              WelkinMachineRecord   *record)
{
  const char *machine_id = welkin_machine_record_get_machine_id (record);
  const char *id = welkin_machine_record_get (record, "instance-id");
  const char *start_id = welkin_machine_record_get (record, "start-id");
  gboolean is_alive = welkin_machine_record_is (record, "life", "alive");
  WelkinInstance *started = start_id != NULL ? find_by_start (world, start_id) : NULL;

  g_assert_cmpuint (count_classes (plan, machine_id), <=, 1);
  /* What is at work is never stopped. */
  if (id != NULL && !welkin_machine_record_is (record, "life", "dead"))
    g_assert_cmpuint (count (plan->stopping, id), ==, 0);
  /* The first machine is not the provisioner's. */
  if (g_str_equal (machine_id, "0"))
    g_assert_cmpuint (count (plan->dead, machine_id) + count (plan->pending, machine_id)
                        + count (plan->adopted, machine_id), ==, 0);
  else if (welkin_machine_record_is (record, "life", "dead"))
    g_assert_cmpuint (count (plan->dead, machine_id), ==, 1);
  /* Nothing is started while something of the same start runs. */
  if (count (plan->pending, machine_id) > 0)
    {
      g_assert_true (is_alive);
      g_assert_null (id);
      g_assert_false (welkin_machine_record_is (record, "status", "started"));
      if (started != NULL)
        g_assert_cmpuint (count (plan->stopping, welkin_instance_get_id (started)), ==, 1);
    }
  if (count (plan->adopted, machine_id) > 0)
    {
      g_assert_true (is_alive);
      g_assert_cmpint (welkin_instance_get_state (started), ==, WELKIN_INSTANCE_RUNNING);
      g_assert_cmpuint (count (plan->stopping, welkin_instance_get_id (started)), ==, 0);
    }
  if (welkin_machine_record_is (record, "keep-instance", "true") && id != NULL)
    g_assert_cmpuint (count (plan->stopping, id), ==, 0);
}

static void
check_instances (World                 *world,
                 WelkinProvisionerPlan *plan)
{
  gboolean spares_unknown = world->harvest_mode == WELKIN_HARVEST_NONE
                            || world->harvest_mode == WELKIN_HARVEST_DESTROYED;

  for (guint i = 0; i < world->instances->len; i++)
    {
      const char *id = welkin_instance_get_id (world->instances->pdata[i]);

      g_assert_cmpuint (count (plan->stopping, id) + count (plan->unknown, id), <=, 1);
    }
  g_assert_cmpuint (count (plan->stopping, "kept") + count (plan->unknown, "kept"), ==, 0);
  if (spares_unknown)
    g_assert_cmpuint (count (plan->stopping, "stranger"), ==, 0);
  else
    g_assert_cmpuint (plan->unknown->len, ==, 0);
}

static void
test_holds_its_promises (void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed ((guint32) g_test_rand_int ());

  for (int i = 0; i < N_ROUNDS; i++)
    {
      g_autoptr(World) world = world_new_random (random);
      g_autoptr(WelkinProvisionerPlan) plan = make_plan (world);

      for (guint j = 0; j < world->records->len; j++)
        check_record (world, plan, world->records->pdata[j]);
      check_instances (world, plan);
    }
}

static void
test_takes_over_what_runs (void)
{
  g_autoptr(World) world = world_new (WELKIN_HARVEST_DESTROYED);
  g_autoptr(WelkinProvisionerPlan) plan = NULL;

  welkin_machine_record_set (add_record (world, "1", "alive", "provisioning"), "start-id", "a");
  welkin_machine_record_set (add_record (world, "2", "alive", "provisioning"), "start-id", "b");
  add_record (world, "3", "alive", "pending");
  add_instance (world, "i1", "a", WELKIN_INSTANCE_RUNNING);
  add_instance (world, "i2", "b", WELKIN_INSTANCE_PENDING);
  plan = make_plan (world);

  g_assert_cmpuint (count (plan->adopted, "1"), ==, 1);
  g_assert_cmpuint (count (plan->pending, "2"), ==, 1);
  g_assert_cmpuint (count (plan->pending, "3"), ==, 1);
  g_assert_cmpuint (plan->stopping->len, ==, 1);
  g_assert_cmpuint (count (plan->stopping, "i2"), ==, 1);
  g_assert_cmpuint (plan->interrupted->len, ==, 1);
}

static void
check_harvest (WelkinHarvestMode mode,
               gboolean          stops_dead,
               gboolean          stops_unknown)
{
  g_autoptr(World) world = world_new (mode);
  g_autoptr(WelkinProvisionerPlan) plan = NULL;

  welkin_machine_record_set (add_record (world, "1", "dead", "started"), "instance-id", "i1");
  welkin_machine_record_set (add_record (world, "2", "dying", "started"), "instance-id", "i2");
  add_record (world, "3", "dying", "pending");
  add_instance (world, "i1", "a", WELKIN_INSTANCE_RUNNING);
  add_instance (world, "i2", "b", WELKIN_INSTANCE_RUNNING);
  add_instance (world, "i9", "c", WELKIN_INSTANCE_RUNNING);
  plan = make_plan (world);

  g_assert_cmpuint (plan->dead->len, ==, 2);
  g_assert_cmpuint (count (plan->dead, "2"), ==, 0);
  g_assert_cmpuint (count (plan->stopping, "i1"), ==, stops_dead);
  g_assert_cmpuint (count (plan->stopping, "i2"), ==, 0);
  g_assert_cmpuint (count (plan->stopping, "i9"), ==, stops_unknown);
  g_assert_cmpuint (count (plan->unknown, "i9"), ==, !stops_unknown);
}

static void
test_stops_what_the_mode_says (void)
{
  check_harvest (WELKIN_HARVEST_DESTROYED, TRUE, FALSE);
  check_harvest (WELKIN_HARVEST_ALL, TRUE, TRUE);
  check_harvest (WELKIN_HARVEST_UNKNOWN, FALSE, TRUE);
  check_harvest (WELKIN_HARVEST_NONE, FALSE, FALSE);
}

static void
test_ids_are_never_used_again (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinInfo) info = welkin_info_create (home->surroundings, "e1", NULL);
  g_autoptr(GPtrArray) records = NULL;

  for (int i = 1; i <= 11; i++)
    {
      g_autofree char *wanted = g_strdup_printf ("%d", i);
      g_autofree char *id = welkin_machine_record_allocate_id (info);
      g_autoptr(WelkinMachineRecord) record = welkin_machine_record_new (id, "noble", NULL, NULL);

      g_assert_cmpstr (id, ==, wanted);
      welkin_machine_record_store (record, info);
      if (i % 2 == 0)
        welkin_info_set_entry (info, "machines", id, NULL);
    }

  /* By number, not by letter. */
  records = welkin_machine_record_load_all (info);
  g_assert_cmpuint (records->len, ==, 6);
  g_assert_cmpstr (welkin_machine_record_get_machine_id (records->pdata[5]), ==, "11");
}

static void
test_ids_are_allocated_together (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinInfo) info = welkin_info_create (home->surroundings, "e1", NULL);
  g_autoptr(WelkinMachineRecord) record = welkin_machine_record_new ("4", "noble", NULL, NULL);
  g_autoptr(GPtrArray) ids = NULL;
  g_autofree char *next = NULL;

  welkin_machine_record_store (record, info);
  ids = welkin_machine_record_allocate_ids (info, 3);
  g_assert_cmpuint (ids->len, ==, 3);
  g_assert_cmpstr (ids->pdata[0], ==, "5");
  g_assert_cmpstr (ids->pdata[2], ==, "7");
  /* They are taken, though none has a record yet. */
  next = welkin_machine_record_allocate_id (info);
  g_assert_cmpstr (next, ==, "8");
}

/* A newer version may write more. */
static void
test_records_keep_what_they_do_not_know (void)
{
  g_autoptr(Home) home = home_new (NULL);
  g_autoptr(WelkinInfo) info = welkin_info_create (home->surroundings, "e1", NULL);
  g_autoptr(WelkinValue) text = welkin_value_new_text ("quantum", FALSE, NULL);
  g_autoptr(WelkinValue) map = NULL;
  g_autoptr(WelkinMachineRecord) record = NULL;
  g_autoptr(WelkinMachineRecord) again = NULL;
  const char *const key = "engine";

  map = welkin_value_new_map (&key, &text, 1, NULL);
  welkin_info_set_entry (info, "machines", "1", map);
  record = welkin_machine_record_load (info, "1");
  welkin_machine_record_set_status (record, "started", NULL);
  welkin_machine_record_store (record, info);
  again = welkin_machine_record_load (info, "1");
  g_assert_true (welkin_machine_record_is (again, "engine", "quantum"));
  g_assert_true (welkin_machine_record_is (again, "status", "started"));
  g_assert_null (welkin_machine_record_load (info, "2"));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/provisioner-plan/holds-its-promises", test_holds_its_promises);
  g_test_add_func ("/provisioner-plan/takes-over-what-runs", test_takes_over_what_runs);
  g_test_add_func ("/provisioner-plan/stops-what-the-mode-says", test_stops_what_the_mode_says);
  g_test_add_func ("/machine-record/ids-are-never-used-again", test_ids_are_never_used_again);
  g_test_add_func ("/machine-record/allocates-ids-together", test_ids_are_allocated_together);
  g_test_add_func ("/machine-record/keeps-what-it-does-not-know",
                   test_records_keep_what_they_do_not_know);

  return g_test_run ();
}
