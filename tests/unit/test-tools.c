/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <welkin.h>

static GPtrArray *
make_tools (void)
{
  static const char *const arches[] = { "arm64", "amd64", "amd64" };
  GPtrArray *tools = g_ptr_array_new_with_free_func ((GDestroyNotify) welkin_tools_unref);

  for (guint i = 0; i < G_N_ELEMENTS (arches); i++)
    g_ptr_array_add (tools, welkin_tools_new ("1.2.3", "noble", arches[i], "http://a", NULL, -1));
  return tools;
}

static void
test_choose (void)
{
  const struct
  {
    const char *arch;
    guint       index;
  } vectors[] = {
    { "amd64", 1 },
    { "arm64", 0 },
    { "", 0 },
    { NULL, 0 },
  };
  g_autoptr(GPtrArray) tools = make_tools ();

  for (guint i = 0; i < G_N_ELEMENTS (vectors); i++)
    {
      g_autoptr(GError) error = NULL;
      WelkinTools *chosen = welkin_tools_choose (tools, vectors[i].arch, &error);

      g_assert_no_error (error);
      g_assert_true (chosen == g_ptr_array_index (tools, vectors[i].index));
    }
}

static void
test_none (void)
{
  g_autoptr(GPtrArray) tools = make_tools ();
  g_autoptr(GPtrArray) none = g_ptr_array_new ();
  g_autoptr(GError) error = NULL;

  g_assert_null (welkin_tools_choose (tools, "i386", &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NO_TOOLS);
  g_assert_cmpstr (error->message, ==,
                   "chosen architecture i386 not present in [arm64 amd64 amd64]");
  g_clear_error (&error);
  g_assert_null (welkin_tools_choose (none, NULL, &error));
  g_assert_error (error, WELKIN_ERROR, WELKIN_ERROR_NO_TOOLS);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tools/choose/takes-the-first-of-the-architecture", test_choose);
  g_test_add_func ("/tools/choose/tells-what-there-is-instead", test_none);
  return g_test_run ();
}
