/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "machine/proxy-settings.h"

static WelkinConfig *
make_config (const char *const *attributes)
{
  WelkinConfig *config = welkin_config_new ();

  for (gsize i = 0; attributes[i] != NULL; i += 2)
    {
      g_autoptr(WelkinConfig) former = config;

      config = welkin_config_with_text (former, attributes[i], attributes[i + 1], NULL);
    }
  return config;
}

static const char *const all[] = {
  "http-proxy", "http://proxy:3128", "https-proxy", "https://proxy:3129", "ftp-proxy",
  "ftp://proxy", "no-proxy", "localhost,10.0.0.0/8", NULL,
};

static void
test_script_exports_either_case (void)
{
  g_autoptr(WelkinConfig) config = make_config (all);
  g_autoptr(WelkinProxySettings) settings = welkin_proxy_settings_new (config);
  g_autofree char *script = welkin_proxy_settings_to_script (settings);

  g_assert_false (welkin_proxy_settings_is_empty (settings));
  g_assert_cmpstr (script, ==,
                   "export http_proxy=http://proxy:3128\nexport HTTP_PROXY=http://proxy:3128\n"
                   "export https_proxy=https://proxy:3129\nexport HTTPS_PROXY=https://proxy:3129\n"
                   "export ftp_proxy=ftp://proxy\nexport FTP_PROXY=ftp://proxy\n"
                   "export no_proxy=localhost,10.0.0.0/8\n"
                   "export NO_PROXY=localhost,10.0.0.0/8\n");
}

static void
test_script_quotes_what_a_shell_would_read (void)
{
  static const char *const attributes[] = {
    "http-proxy", "http://u:p$x@proxy", "no-proxy", "*.a b'c", NULL,
  };
  g_autoptr(WelkinConfig) config = make_config (attributes);
  g_autoptr(WelkinProxySettings) settings = welkin_proxy_settings_new (config);
  g_autofree char *script = welkin_proxy_settings_to_script (settings);

  g_assert_cmpstr (script, ==,
                   "export http_proxy='http://u:p$x@proxy'\n"
                   "export HTTP_PROXY='http://u:p$x@proxy'\n"
                   "export no_proxy='*.a b'\"'\"'c'\n"
                   "export NO_PROXY='*.a b'\"'\"'c'\n");
}

static void
test_nothing_set_is_nothing_written (void)
{
  static const char *const attributes[] = { "http-proxy", "", NULL };
  g_autoptr(WelkinConfig) config = make_config (attributes);
  g_autoptr(WelkinProxySettings) settings = welkin_proxy_settings_new (config);
  g_autofree char *script = welkin_proxy_settings_to_script (settings);
  g_autofree char *apt = welkin_proxy_settings_to_apt (settings);

  g_assert_true (welkin_proxy_settings_is_empty (settings));
  g_assert_cmpstr (script, ==, "");
  g_assert_cmpstr (apt, ==, "");
}

static void
test_packages_have_their_own_or_the_same (void)
{
  static const char *const own[] = {
    "http-proxy", "http://a", "apt-http-proxy", "http://b", "https-proxy", "http://c",
    "apt-https-proxy", "", "apt-ftp-proxy", "http://\"d\n", "no-proxy", "x", NULL,
  };
  g_autoptr(WelkinConfig) config = make_config (own);
  g_autoptr(WelkinProxySettings) settings = welkin_proxy_settings_new_for_packages (config);
  g_autofree char *apt = welkin_proxy_settings_to_apt (settings);

  g_assert_cmpstr (apt, ==,
                   "Acquire::http::Proxy \"http://b\";\n"
                   "Acquire::https::Proxy \"http://c\";\n"
                   "Acquire::ftp::Proxy \"http://%22d%0A\";\n");
}

/* As apt reads them: where a password cannot be said so, it stays where it is. */
static void
test_logins_have_a_file_of_their_own (void)
{
  static const char *const attributes[] = {
    "apt-http-proxy", "http://me:h%3Au%23s@p:3128/", "apt-https-proxy", "https://i@q/",
    "apt-ftp-proxy", "http://you:s%20p@[::1]:1", NULL,
  };
  static const char *const apart[] = {
    "apt-http-proxy", "http://p:1/", "apt-https-proxy", "http://me:hush@[::1]", NULL,
  };
  g_autoptr(WelkinConfig) config = make_config (attributes);
  g_autoptr(WelkinConfig) other = make_config (apart);
  g_autoptr(WelkinProxySettings) settings = welkin_proxy_settings_new_for_packages (config);
  g_autoptr(WelkinProxySettings) others = welkin_proxy_settings_new_for_packages (other);
  g_autofree char *logins = welkin_proxy_settings_split_apt_logins (settings);
  g_autofree char *lines = welkin_proxy_settings_to_apt (settings);
  g_autofree char *other_logins = welkin_proxy_settings_split_apt_logins (others);
  g_autofree char *other_lines = welkin_proxy_settings_to_apt (others);
  g_autofree char *none = welkin_proxy_settings_split_apt_logins (others);

  g_assert_cmpstr (logins, ==, "machine http://p:3128 login me password h:u#s\n"
                               "machine p:3128 login me password h:u#s\n");
  g_assert_cmpstr (lines, ==,
                   "Acquire::http::Proxy \"http://p:3128/\";\n"
                   "Acquire::https::Proxy \"https://i@q/\";\n"
                   "Acquire::ftp::Proxy \"http://you:s%20p@[::1]:1\";\n");
  g_assert_cmpstr (other_logins, ==, "machine http://[::1] login me password hush\n"
                                     "machine [::1] login me password hush\n");
  g_assert_cmpstr (other_lines, ==,
                   "Acquire::http::Proxy \"http://p:1/\";\n"
                   "Acquire::https::Proxy \"http://[::1]\";\n");
  g_assert_cmpstr (none, ==, "");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/proxy-settings/script-exports-either-case", test_script_exports_either_case);
  g_test_add_func ("/proxy-settings/script-quotes-what-a-shell-would-read",
                   test_script_quotes_what_a_shell_would_read);
  g_test_add_func ("/proxy-settings/nothing-set-is-nothing-written",
                   test_nothing_set_is_nothing_written);
  g_test_add_func ("/proxy-settings/packages-have-their-own-or-the-same",
                   test_packages_have_their_own_or_the_same);
  g_test_add_func ("/proxy-settings/logins-have-a-file-of-their-own",
                   test_logins_have_a_file_of_their_own);
  return g_test_run ();
}
