/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <stdlib.h>

/* Runs while the file is being opened, before anything can be asked. */
__attribute__ ((constructor)) static void
crash (void)
{
  abort ();
}
