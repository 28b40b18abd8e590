# SPDX-License-Identifier: LGPL-2.1-or-later
#
# What tests/run and tests/try share.  The script that sources this file has
# set "top" to the top of the source tree.

export LC_ALL=C.UTF-8

builds=${WELKIN_BUILD_DIR:-$top/build}

die() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

install_packages() {
  sh "$top/tests/lib/install-packages" "$@" || exit 1
}

# quietly COMMAND...: its output is shown only if it fails.
quietly() {
  quiet_log=$(mktemp)
  quiet_status=0
  "$@" </dev/null >"$quiet_log" 2>&1 || quiet_status=$?
  [ "$quiet_status" = 0 ] || cat "$quiet_log" >&2
  rm -f "$quiet_log"
  return "$quiet_status"
}

# configure NAME COMPILER [MESON-OPTION...]: makes a build directory, once.
configure() {
  build_dir=$builds/$1
  build_cc=$2
  shift 2
  [ -e "$build_dir/build.ninja" ] ||
    CC=$build_cc quietly meson setup "$build_dir" "$top" "$@"
}

# compile NAME [TARGET...]
compile() {
  build_dir=$builds/$1
  shift
  quietly ninja --quiet -k 0 -C "$build_dir" "$@"
}
