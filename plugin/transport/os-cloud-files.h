/* SPDX-License-Identifier: LGPL-2.1-or-later */

#pragma once

#include "values/welkin-surroundings.h"
#include "values/welkin-value.h"

G_BEGIN_DECLS

/*
 * The files in which users of OpenStack keep what they log in with, shared by all clients:
 *
 *   clouds.yaml         the clouds, under the key "clouds"
 *   secure.yaml         of the same form: what is in it is laid over the former
 *   clouds-public.yaml  what clouds may build on, under the key "public-clouds"
 *
 * Each is also looked for as .yml and .json, in the working directory and then where the
 * surroundings say that "openstack" is configured. OS_CLIENT_CONFIG_FILE and
 * OS_CLIENT_SECURE_FILE come first. Of each, the first that can be read counts, whole.
 */
typedef struct
{
  char        *path;      /* (owned) (nullable): there is none */
  char        *directory; /* (owned) (nullable) what relative paths in it are beside */
  WelkinValue *entries;   /* (owned) a map of names to entries, as they were written */
} OsCloudFile;

typedef struct
{
  OsCloudFile clouds;
  OsCloudFile secure;
  OsCloudFile profiles;

  GPtrArray  *notices; /* (owned) */
  GError     *failure; /* (owned) (nullable) why the first clouds.yaml that has an error was left */
  char       *places;  /* (owned) the directories that were searched, for people */
} OsCloudFiles;

/* What cannot be read is left out. notices: of char *, takes what is wrong with the files, for
 * people. (transfer full) */
OsCloudFiles *os_cloud_files_load  (WelkinSurroundings *surroundings,
                                    GPtrArray          *notices);
void          os_cloud_files_free  (OsCloudFiles       *self);
/* The names of the clouds, in the order of the file. (transfer full) */
char        **os_cloud_files_list  (OsCloudFiles       *self);
/* Whether a cloud of that name is in one of the files. */
gboolean      os_cloud_files_have  (OsCloudFiles       *self,
                                    const char         *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OsCloudFiles, os_cloud_files_free)

G_END_DECLS
