#!/usr/bin/env bash
# Builds the base image of Dockerfile and cassandra/Dockerfile from the distribution's own packages,
# for machines that reach a package mirror but no image registry. Root only; see --help.
set -euo pipefail

tag=sluice-base:local
suite=bookworm
mirror=
here=$(cd "$(dirname "$0")" && pwd)

usage() {
  cat <<END
Usage: docker/local-base.sh [--tag NAME:TAG] [--suite NAME] [--mirror URL] [--content ID]

  --tag      what the image is called (default: $tag)
  --suite    the Debian release (default: $suite)
  --mirror   where its packages are (default: debootstrap's own default)
  --content  an id of what went in, kept as the label io.sluice.content
END
}

fail() {
  echo "local-base: $*" >&2
  exit 1
}

content=
while [ $# -gt 0 ]; do
  case $1 in
    --tag) tag=${2:?} ;;
    --suite) suite=${2:?} ;;
    --mirror) mirror=${2:?} ;;
    --content) content=${2:?} ;;
    -h | --help)
      usage
      exit 0
      ;;
    *)
      usage >&2
      exit 2
      ;;
  esac
  shift 2
done

[ "$(id -u)" = 0 ] || fail "debootstrap and chroot need root"
command -v debootstrap >/dev/null || fail "debootstrap is missing: apt-get install debootstrap"
docker version >/dev/null 2>&1 || fail "no Docker engine answers"

cat <<END
local-base: this will
  1. debootstrap Debian $suite (minbase) into a temporary folder, about 250 MB, removed at the end
  2. install openjdk-17-jdk-headless there, in a chroot with a mount namespace of its own, and jlink
     a Java runtime to /opt/java
  3. take out the JDK again, package lists, manuals and translations
  4. import the rest into the Docker engine as $tag
Nothing else on this machine is changed.
END

work=$(mktemp -d "${TMPDIR:-/tmp}/sluice-base.XXXXXX")
trap 'rm -rf --one-file-system "$work"' EXIT
root=$work/root
mkdir -m 755 "$root"

step() {
  "$@" >"$work/log" 2>&1 || {
    tail -n 20 "$work/log" >&2
    fail "failed: $*"
  }
}

step debootstrap --variant=minbase --include=ca-certificates "$suite" "$root" ${mirror:+"$mirror"}
step unshare --mount "$here/local-base-install.sh" "$root"
step tar -C "$root" --numeric-owner --one-file-system -cf "$work/root.tar" .
step docker import \
  --change 'ENV JAVA_HOME=/opt/java LANG=C.UTF-8' \
  --change "LABEL io.sluice.content=$content" \
  "$work/root.tar" "$tag"
echo "local-base: $tag, $(($(docker image inspect --format '{{.Size}}' "$tag") / 1000000)) MB"
