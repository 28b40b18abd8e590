/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include <welkin.h>

G_BEGIN_DECLS

#define DUMMY_TYPE_INSTANCE (dummy_instance_get_type ())
G_DECLARE_FINAL_TYPE (DummyInstance, dummy_instance, DUMMY, INSTANCE, GObject)

/* number: of the start, from 1; start_id, hardware: nullable */
WelkinInstance *dummy_instance_new (guint           number,
                                    const char     *machine_id,
                                    const char     *start_id,
                                    WelkinHardware *hardware);

G_END_DECLS
