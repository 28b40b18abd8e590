/* SPDX-License-Identifier: LGPL-2.1-or-later */

/*
 * Runs a command and writes what it cost into a file: seconds of CPU, KiB of memory at its peak,
 * seconds by the clock.
 *
 * cost FILE COMMAND [ARGUMENT…]
 *
 * A process of its own, because a command inherits the peak of what started it, and a script's is
 * large.
 */

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double
get_seconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return now.tv_sec + now.tv_nsec / 1e9;
}

static double
get_cpu (const struct rusage *usage)
{
  return usage->ru_utime.tv_sec + usage->ru_stime.tv_sec
         + (usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1e6;
}

int
main (int    argc,
      char **argv)
{
  double begin = get_seconds ();
  struct rusage usage;
  int status;
  pid_t child;
  FILE *file;

  if (argc < 3)
    {
      fprintf (stderr, "Usage: cost FILE COMMAND [ARGUMENT…]\n");
      return 2;
    }
  child = fork ();
  if (child == 0)
    {
      execvp (argv[2], argv + 2);
      fprintf (stderr, "%s: %s\n", argv[2], strerror (errno));
      _exit (127);
    }
  if (child < 0 || wait4 (child, &status, 0, &usage) < 0)
    {
      perror ("cost");
      return 1;
    }
  file = fopen (argv[1], "w");
  if (file == NULL)
    {
      perror (argv[1]);
      return 1;
    }
  fprintf (file, "%f %ld %f\n", get_cpu (&usage), usage.ru_maxrss, get_seconds () - begin);
  fclose (file);
  return WIFEXITED (status) ? WEXITSTATUS (status) : 1;
}
