/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <welkin.h>

static void
assert_derived (const char       *value,
                WelkinAddressKind kind,
                WelkinScope       scope)
{
  g_autoptr(WelkinAddress) address = welkin_address_new (value, WELKIN_SCOPE_UNKNOWN, NULL);

  g_assert_cmpstr (welkin_address_get_value (address), ==, value);
  g_assert_cmpint (welkin_address_get_kind (address), ==, kind);
  g_assert_cmpint (welkin_address_get_scope (address), ==, scope);
}

static void
test_ipv4_tells_its_scope (void)
{
  assert_derived ("127.3.2.1", WELKIN_ADDRESS_IPV4, WELKIN_SCOPE_LOCAL_MACHINE);
  assert_derived ("10.0.0.1", WELKIN_ADDRESS_IPV4, WELKIN_SCOPE_LOCAL_CLOUD);
  assert_derived ("172.16.0.1", WELKIN_ADDRESS_IPV4, WELKIN_SCOPE_LOCAL_CLOUD);
  assert_derived ("172.31.255.255", WELKIN_ADDRESS_IPV4, WELKIN_SCOPE_LOCAL_CLOUD);
  assert_derived ("172.32.0.1", WELKIN_ADDRESS_IPV4, WELKIN_SCOPE_PUBLIC);
  assert_derived ("192.168.1.1", WELKIN_ADDRESS_IPV4, WELKIN_SCOPE_LOCAL_CLOUD);
  assert_derived ("100.127.0.1", WELKIN_ADDRESS_IPV4, WELKIN_SCOPE_LOCAL_CLOUD);
  assert_derived ("100.128.0.1", WELKIN_ADDRESS_IPV4, WELKIN_SCOPE_PUBLIC);
  assert_derived ("169.254.169.254", WELKIN_ADDRESS_IPV4, WELKIN_SCOPE_LINK_LOCAL);
  assert_derived ("224.0.0.1", WELKIN_ADDRESS_IPV4, WELKIN_SCOPE_LINK_LOCAL);
  assert_derived ("239.1.2.3", WELKIN_ADDRESS_IPV4, WELKIN_SCOPE_UNKNOWN);
  assert_derived ("0.0.0.0", WELKIN_ADDRESS_IPV4, WELKIN_SCOPE_UNKNOWN);
  assert_derived ("255.255.255.255", WELKIN_ADDRESS_IPV4, WELKIN_SCOPE_UNKNOWN);
  assert_derived ("8.8.8.8", WELKIN_ADDRESS_IPV4, WELKIN_SCOPE_PUBLIC);
  assert_derived ("::ffff:10.0.0.1", WELKIN_ADDRESS_IPV4, WELKIN_SCOPE_LOCAL_CLOUD);
}

static void
test_ipv6_tells_its_scope (void)
{
  assert_derived ("::1", WELKIN_ADDRESS_IPV6, WELKIN_SCOPE_LOCAL_MACHINE);
  assert_derived ("fd00::1", WELKIN_ADDRESS_IPV6, WELKIN_SCOPE_LOCAL_CLOUD);
  assert_derived ("fe80::1%eth0", WELKIN_ADDRESS_IPV6, WELKIN_SCOPE_LINK_LOCAL);
  assert_derived ("ff01::1", WELKIN_ADDRESS_IPV6, WELKIN_SCOPE_LINK_LOCAL);
  assert_derived ("ff12::1", WELKIN_ADDRESS_IPV6, WELKIN_SCOPE_LINK_LOCAL);
  assert_derived ("ff0e::1", WELKIN_ADDRESS_IPV6, WELKIN_SCOPE_UNKNOWN);
  assert_derived ("::", WELKIN_ADDRESS_IPV6, WELKIN_SCOPE_UNKNOWN);
  assert_derived ("2001:db8::1", WELKIN_ADDRESS_IPV6, WELKIN_SCOPE_PUBLIC);
}

static void
test_names_tell_nothing (void)
{
  assert_derived ("example.com", WELKIN_ADDRESS_HOSTNAME, WELKIN_SCOPE_UNKNOWN);
  assert_derived ("10.0.0", WELKIN_ADDRESS_HOSTNAME, WELKIN_SCOPE_UNKNOWN);
  assert_derived ("", WELKIN_ADDRESS_HOSTNAME, WELKIN_SCOPE_UNKNOWN);
}

static void
test_a_given_scope_wins (void)
{
  g_autoptr(WelkinAddress) address = NULL;

  address = welkin_address_new ("10.0.0.1", WELKIN_SCOPE_PUBLIC, "public");
  g_assert_cmpint (welkin_address_get_scope (address), ==, WELKIN_SCOPE_PUBLIC);
}

static void
assert_text (WelkinAddress *address,
             const char    *text,
             const char    *host_port)
{
  g_autofree char *as_text = welkin_address_to_string (address);
  g_autofree char *as_host_port = welkin_address_to_host_port (address, 17070);

  g_assert_cmpstr (as_text, ==, text);
  g_assert_cmpstr (as_host_port, ==, host_port);
}

static void
test_text_leaves_out_what_is_not_known (void)
{
  g_autoptr(WelkinAddress) full = NULL;
  g_autoptr(WelkinAddress) ipv6 = NULL;
  g_autoptr(WelkinAddress) name = NULL;

  full = welkin_address_new ("10.0.0.1", WELKIN_SCOPE_UNKNOWN, "net");
  ipv6 = welkin_address_new ("2001:db8::1", WELKIN_SCOPE_UNKNOWN, "");
  name = welkin_address_new ("example.com", WELKIN_SCOPE_UNKNOWN, NULL);
  assert_text (full, "local-cloud:10.0.0.1(net)", "10.0.0.1:17070");
  assert_text (ipv6, "public:2001:db8::1", "[2001:db8::1]:17070");
  assert_text (name, "example.com", "example.com:17070");
}

static void
test_equal_addresses_are_equal_in_all (void)
{
  g_autoptr(WelkinAddress) address = welkin_address_new ("10.0.0.1", WELKIN_SCOPE_PUBLIC, "net");
  g_autoptr(WelkinAddress) same = welkin_address_new ("10.0.0.1", WELKIN_SCOPE_PUBLIC, "net");
  g_autoptr(WelkinAddress) scope = welkin_address_new ("10.0.0.1", WELKIN_SCOPE_UNKNOWN, "net");
  g_autoptr(WelkinAddress) network = welkin_address_new ("10.0.0.1", WELKIN_SCOPE_PUBLIC, NULL);

  g_assert_true (welkin_address_equal (address, same));
  g_assert_false (welkin_address_equal (address, scope));
  g_assert_false (welkin_address_equal (address, network));
}

/* texts: "SCOPE:VALUE" by the first letter of the scope, as in "p:8.8.8.8";
 * "?" is unknown */
static GPtrArray *
make_list (const char *texts)
{
  GPtrArray *addresses = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_address_unref);
  g_auto(GStrv) words = g_strsplit (texts, " ", -1);

  for (guint i = 0; words[i] != NULL; i++)
    {
      WelkinScope scope = WELKIN_SCOPE_UNKNOWN;

      if (words[i][0] == 'p')
        scope = WELKIN_SCOPE_PUBLIC;
      if (words[i][0] == 'c')
        scope = WELKIN_SCOPE_LOCAL_CLOUD;
      if (words[i][0] == 'm')
        scope = WELKIN_SCOPE_LOCAL_MACHINE;
      if (words[i][0] == 'l')
        scope = WELKIN_SCOPE_LINK_LOCAL;
      g_ptr_array_add (addresses, welkin_address_new (words[i] + 2, scope, NULL));
    }
  return addresses;
}

static const char *
value_of (WelkinAddress *address)
{
  return address != NULL ? welkin_address_get_value (address) : NULL;
}

static void
assert_public (const char *texts,
               const char *expected)
{
  g_autoptr(GPtrArray) addresses = make_list (texts);

  g_assert_cmpstr (value_of (welkin_address_select_public (addresses)), ==, expected);
}

static void
assert_internal (const char *texts,
                 gboolean    machine_local,
                 const char *expected)
{
  g_autoptr(GPtrArray) addresses = make_list (texts);

  g_assert_cmpstr (value_of (welkin_address_select_internal (addresses, machine_local)), ==,
                   expected);
}

static void
test_public_selection_prefers_public (void)
{
  assert_public ("", NULL);
  assert_public ("?:10.0.0.1 ?:8.8.8.8", "8.8.8.8");
  assert_public ("m:127.0.0.1", NULL);
  assert_public ("l:169.254.0.1", NULL);
  assert_public ("?:127.0.0.1 c:10.0.0.1 p:public.invalid.testing", "public.invalid.testing");
  assert_public ("?:name c:10.0.0.1", "10.0.0.1");
  assert_public ("?:name", "name");
  assert_public ("?:2001:db8::1 c:10.0.0.1", "2001:db8::1");
  assert_public ("?:2001:db8::1 ?:8.8.8.8 ?:9.9.9.9", "8.8.8.8");
}

static void
test_internal_selection_prefers_the_cloud (void)
{
  assert_internal ("?:8.8.8.8 c:10.0.0.1", FALSE, "10.0.0.1");
  assert_internal ("m:127.0.0.1 c:10.0.0.1", FALSE, "10.0.0.1");
  assert_internal ("m:127.0.0.1 c:10.0.0.1", TRUE, "127.0.0.1");
  assert_internal ("m:127.0.0.1", FALSE, NULL);
  assert_internal ("?:name ?:8.8.8.8", FALSE, "8.8.8.8");
  assert_internal ("c:fd00::1 ?:8.8.8.8", FALSE, "fd00::1");
}

static void
test_public_selection_may_prefer_ipv6 (void)
{
  static const struct
  {
    const char *addresses;
    const char *expected;
  } cases[] = {
    { "?:8.8.8.8 ?:2001:db8::1 ?:2001:db8::2", "2001:db8::1" },
    { "c:10.0.0.1 c:fd00::1", "fd00::1" },
    { "?:8.8.8.8 c:fd00::1", "8.8.8.8" },
    { "c:10.0.0.1", "10.0.0.1" },
    { "l:fe80::1", NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr(GPtrArray) addresses = make_list (cases[i].addresses);
      WelkinAddress *selected =
        welkin_address_select_public_of_kind (addresses, WELKIN_ADDRESS_IPV6);

      g_assert_cmpstr (value_of (selected), ==, cases[i].expected);
    }
}

static int
compare_items (gconstpointer a,
               gconstpointer b)
{
  return welkin_address_compare (*(WelkinAddress *const *) a, *(WelkinAddress *const *) b);
}

static void
test_people_see_public_ones_first (void)
{
  g_autoptr(GPtrArray) addresses =
    make_list ("?:0.0.0.0 l:fe80::1 l:169.254.0.1 m:127.0.0.1 c:fd00::1 c:10.0.0.2 c:10.0.0.1 "
               "?:localhost p:name p:2001:db8::1 p:9.9.9.9 p:8.8.8.8");
  g_autoptr(GString) shown = g_string_new (NULL);

  g_ptr_array_sort (addresses, compare_items);
  for (guint i = 0; i < addresses->len; i++)
    g_string_append_printf (shown, " %s", value_of (addresses->pdata[i]));
  g_assert_cmpstr (shown->str, ==,
                   " 8.8.8.8 9.9.9.9 2001:db8::1 name localhost 10.0.0.1 10.0.0.2 fd00::1 "
                   "127.0.0.1 169.254.0.1 fe80::1 0.0.0.0");
}

/* Knows one host. */
G_DECLARE_FINAL_TYPE (SmallResolver, small_resolver, SMALL, RESOLVER, GResolver)

struct _SmallResolver
{
  GResolver parent;
};

G_DEFINE_FINAL_TYPE (SmallResolver, small_resolver, G_TYPE_RESOLVER)

static void
small_resolver_lookup_async (GResolver          *resolver,
                             const char         *name,
                             GCancellable       *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer            user_data)
{
  g_autoptr(GTask) task = g_task_new (resolver, cancellable, callback, user_data);
  GList *found = NULL;

  if (!g_str_equal (name, "machine.cloud.test"))
    {
      g_task_return_new_error (task, G_RESOLVER_ERROR, G_RESOLVER_ERROR_NOT_FOUND, "no %s", name);
      return;
    }
  found = g_list_append (found, g_inet_address_new_from_string ("10.0.0.1"));
  found = g_list_append (found, g_inet_address_new_from_string ("2001:db8::1"));
  g_task_return_pointer (task, found, NULL);
}

static GList *
small_resolver_lookup_finish (GResolver    *resolver,
                              GAsyncResult *result,
                              GError      **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
small_resolver_class_init (SmallResolverClass *class)
{
  GResolverClass *resolver_class = G_RESOLVER_CLASS (class);

  resolver_class->lookup_by_name_async = small_resolver_lookup_async;
  resolver_class->lookup_by_name_finish = small_resolver_lookup_finish;
}

static void
small_resolver_init (SmallResolver *self)
{
}

static void
done_cb (GObject      *source,
         GAsyncResult *result,
         gpointer      user_data)
{
  g_set_object ((GAsyncResult **) user_data, result);
}

/* The addresses with a space behind each; NULL with an error. */
static char *
look_up (const char *name,
         GError    **error)
{
  g_autoptr(GAsyncResult) result = NULL;
  g_autoptr(GPtrArray) addresses = NULL;
  GString *text;

  welkin_address_lookup_async (name, NULL, done_cb, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  addresses = welkin_address_lookup_finish (result, error);
  if (addresses == NULL)
    return NULL;
  text = g_string_new (NULL);
  for (guint i = 0; i < addresses->len; i++)
    {
      g_autofree char *address = welkin_address_to_string (addresses->pdata[i]);

      g_string_append_printf (text, "%s ", address);
    }
  return g_string_free (text, FALSE);
}

static void
test_name_stands_for_addresses_and_itself (void)
{
  g_autoptr(GResolver) former = g_resolver_get_default ();
  g_autoptr(GResolver) resolver = g_object_new (small_resolver_get_type (), NULL);
  g_autofree char *ip = NULL;
  g_autofree char *name = NULL;
  g_autoptr(GError) error = NULL;

  g_resolver_set_default (resolver);
  ip = look_up ("192.168.0.1", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (ip, ==, "local-cloud:192.168.0.1 ");
  name = look_up ("machine.cloud.test", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (name, ==, "local-cloud:10.0.0.1 public:2001:db8::1 machine.cloud.test ");
  g_assert_null (look_up ("other.cloud.test", &error));
  g_assert_error (error, G_RESOLVER_ERROR, G_RESOLVER_ERROR_NOT_FOUND);
  g_assert_cmpstr (error->message, ==, "cannot look up other.cloud.test: no other.cloud.test");
  g_resolver_set_default (former);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/address/ipv4-tells-its-scope", test_ipv4_tells_its_scope);
  g_test_add_func ("/address/ipv6-tells-its-scope", test_ipv6_tells_its_scope);
  g_test_add_func ("/address/names-tell-nothing", test_names_tell_nothing);
  g_test_add_func ("/address/a-given-scope-wins", test_a_given_scope_wins);
  g_test_add_func ("/address/text-leaves-out-what-is-not-known",
                   test_text_leaves_out_what_is_not_known);
  g_test_add_func ("/address/equal-addresses-are-equal-in-all",
                   test_equal_addresses_are_equal_in_all);
  g_test_add_func ("/address/public-selection-prefers-public",
                   test_public_selection_prefers_public);
  g_test_add_func ("/address/public-selection-may-prefer-ipv6",
                   test_public_selection_may_prefer_ipv6);
  g_test_add_func ("/address/people-see-public-ones-first", test_people_see_public_ones_first);
  g_test_add_func ("/address/internal-selection-prefers-the-cloud",
                   test_internal_selection_prefers_the_cloud);
  g_test_add_func ("/address/name-stands-for-addresses-and-itself",
                   test_name_stands_for_addresses_and_itself);
  return g_test_run ();
}
