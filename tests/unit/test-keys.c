/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "machine/keys.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

#define PREFIX "Welkin:"
#define RSA_KEY "ssh-rsa AAAAB3NzaC1yc2EAAAABIwAAAEE="
#define ED_KEY "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

/* Runs ssh-keygen, the judge of our keys; NULL when it is not installed. */
static char *
run_keygen (const char *option,
            const char *path)
{
  g_autofree char *program = g_find_program_in_path ("ssh-keygen");
  const char *const arguments[] = { program, option, "-f", path, NULL };
  char *output = NULL;
  int status = 0;
  g_autoptr(GError) error = NULL;

  if (program == NULL)
    return NULL;
  g_spawn_sync (NULL, (char **) arguments, NULL, G_SPAWN_STDIN_FROM_DEV_NULL, NULL, NULL, &output,
                NULL,
                &status, &error);
  g_assert_no_error (error);
  g_assert_true (g_spawn_check_wait_status (status, &error));
  g_assert_no_error (error);
  return output;
}

static void
test_generate (void)
{
  g_autofree char *private_key = NULL;
  g_autofree char *public_key = NULL;
  g_autofree char *other_private_key = NULL;
  g_autofree char *other_public_key = NULL;
  g_autoptr(GError) error = NULL;

  welkin_ssh_key_generate ("a comment", &private_key, &public_key, &error);
  g_assert_no_error (error);
  g_assert_true (g_str_has_prefix (public_key, "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI"));
  g_assert_true (g_str_has_suffix (public_key, " a comment"));
  g_assert_true (g_str_has_prefix (private_key, "-----BEGIN OPENSSH PRIVATE KEY-----\n"));
  g_assert_true (g_str_has_suffix (private_key, "\n-----END OPENSSH PRIVATE KEY-----\n"));

  welkin_ssh_key_generate ("a comment", &other_private_key, &other_public_key, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (public_key, !=, other_public_key);
}

/* Comments of different lengths meet every length of the padding. */
static void
test_openssh_reads_it (void)
{
  g_autofree char *directory = g_dir_make_tmp ("welkin-test-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "key", NULL);
  g_autofree char *comment = g_strdup ("abcdefgh");

  for (gsize length = 8; length > 0; length--)
    {
      g_autofree char *private_key = NULL;
      g_autofree char *public_key = NULL;
      g_autofree char *output = NULL;
      g_autoptr(GError) error = NULL;

      comment[length] = '\0';
      welkin_ssh_key_generate (comment, &private_key, &public_key, &error);
      g_assert_no_error (error);
      g_file_set_contents_full (path, private_key, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600,
                                &error);
      g_assert_no_error (error);

      output = run_keygen ("-y", path);
      if (output == NULL)
        {
          g_test_skip ("ssh-keygen is not installed");
          break;
        }
      g_assert_cmpstr (g_strchomp (output), ==, public_key);
    }
  g_unlink (path);
  g_assert_cmpint (g_rmdir (directory), ==, 0);
}

static void
test_mark (void)
{
  const struct
  {
    const char *line;
    const char *marked;
  } vectors[] = {
    { RSA_KEY, RSA_KEY " Welkin:sshkey" },
    { RSA_KEY " user@host", RSA_KEY " Welkin:user@host" },
    { RSA_KEY "  user at host", RSA_KEY " Welkin:user at host" },
    { RSA_KEY " Welkin:user@host", RSA_KEY " Welkin:user@host" },
    { ED_KEY " x", ED_KEY " Welkin:x" },
    { "no-pty,command=\"echo \\\"a b\\\" c\" " ED_KEY " x",
      "no-pty,command=\"echo \\\"a b\\\" c\" " ED_KEY " Welkin:x" },
    { "dsa", NULL },
    { "ssh-rsa", NULL },
    { "ssh-rsa !!!!", NULL },
    { "ssh-rsa AAAA", NULL },
    { "ssh-dss AAAAB3NzaC1yc2EAAAABIwAAAEE=", NULL },
    { "command=\"unclosed " RSA_KEY, NULL },
    { "", NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (vectors); i++)
    {
      g_autofree char *marked = welkin_ssh_key_mark (vectors[i].line, PREFIX);

      g_assert_cmpstr (marked, ==, vectors[i].marked);
    }
}

static void
test_split (void)
{
  g_auto(GStrv) keys = welkin_ssh_keys_split ("# mine\r\n  one x \r\n\n\ttwo\n#three\nfour\none x");

  g_assert_cmpuint (g_strv_length (keys), ==, 3);
  g_assert_cmpstr (keys[0], ==, "one x");
  g_assert_cmpstr (keys[1], ==, "two");
  g_assert_cmpstr (keys[2], ==, "four");
}

static void
assert_mode (const char *path,
             guint       mode)
{
  struct stat status;

  g_assert_cmpint (stat (path, &status), ==, 0);
  g_assert_cmphex (status.st_mode & 07777, ==, mode);
}

static void
test_client_keys (void)
{
  gboolean is_new = FALSE;
  g_autofree char *home = g_dir_make_tmp ("welkin-test-XXXXXX", NULL);
  g_autofree char *variable = g_strconcat ("WELKIN_HOME=", home, NULL);
  const char *const variables[] = { variable, NULL };
  g_autoptr(WelkinSurroundings) surroundings = welkin_surroundings_new (variables, "/");
  g_autofree char *directory = g_build_filename (home, "ssh", NULL);
  g_autofree char *private_path = g_build_filename (directory, "welkin_id_ed25519", NULL);
  g_autofree char *public_path = g_strconcat (private_path, ".pub", NULL);
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;
  g_auto(GStrv) none = NULL;
  g_auto(GStrv) keys = NULL;
  g_autoptr(GError) error = NULL;

  none = welkin_client_keys_list (surroundings, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (none), ==, 0);

  welkin_client_keys_ensure (surroundings, &is_new, &error);
  g_assert_true (is_new);
  g_assert_no_error (error);
  assert_mode (directory, 0700);
  assert_mode (private_path, 0600);
  assert_mode (public_path, 0600);
  g_assert_true (g_file_get_contents (public_path, &first, NULL, NULL));
  g_assert_true (g_str_has_suffix (first, " welkin-client-key\n"));

  welkin_client_keys_ensure (surroundings, &is_new, &error);
  g_assert_false (is_new);
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (public_path, &second, NULL, NULL));
  g_assert_cmpstr (first, ==, second);

  keys = welkin_client_keys_list (surroundings, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (keys), ==, 1);
  g_assert_cmpstr (keys[0], ==, private_path);

  g_assert_cmpint (g_unlink (private_path), ==, 0);
  g_assert_cmpint (g_unlink (public_path), ==, 0);
  g_assert_cmpint (g_rmdir (directory), ==, 0);
  g_assert_cmpint (g_rmdir (home), ==, 0);
}

int
main (int   argc,
      char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/keys/generate/makes-a-new-pair-each-time", test_generate);
  g_test_add_func ("/keys/generate/is-what-openssh-reads", test_openssh_reads_it);
  g_test_add_func ("/keys/mark/puts-the-prefix-before-the-comment", test_mark);
  g_test_add_func ("/keys/split/leaves-out-comments-and-blanks", test_split);
  g_test_add_func ("/keys/client/are-made-once-and-private", test_client_keys);
  return g_test_run ();
}
