/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "config.h"

#include "machine/systemd-unit.h"

#include "machine/machine-paths.h"

/* Neither ids of machines nor our paths have characters that mean something to systemd or to a
 * shell. The libraries of the agent come with it, and so do their modules. With a thousand machines
 * the agent takes a tenth of that memory; but libsoup 3.2 loses a little with each request that is
 * none, which anybody may send. */
char *
welkin_systemd_unit_print (WelkinMachineConfig *config)
{
  const char *tag = config->tag;
  g_autofree char *tools = g_strconcat (WELKIN_MACHINE_DATA_DIR "/tools/", tag, NULL);

  return g_strdup_printf ("[Unit]\n"
                          "Description=Welkin agent for %s\n"
                          "After=network-online.target\n"
                          "Wants=network-online.target\n"
                          "\n"
                          "[Service]\n"
                          "LimitNOFILE=20000\n"
                          "MemoryMax=256M\n"
                          "Environment=GIO_MODULE_DIR=%s/" WELKIN_AGENT_MODULES "\n"
                          "ExecStart=/bin/sh -c \"exec '%s/" WELKIN_AGENT "' machine"
                          " --data-dir '" WELKIN_MACHINE_DATA_DIR "' --machine-id %s --debug"
                          " >> '" WELKIN_MACHINE_LOG_DIR "/%s.log' 2>&1\"\n"
                          "Restart=on-failure\n"
                          "RestartSec=5\n"
                          "\n"
                          "[Install]\n"
                          "WantedBy=multi-user.target",
                          tag, tools, tools, config->machine_id, tag);
}
