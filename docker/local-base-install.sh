#!/usr/bin/env bash
# The second half of local-base.sh: creates a Java runtime inside the root folder $1, and removes everything
# that an image does not need. Run in a mount namespace of its own: its mounts end with it.
set -euo pipefail
root=${1:?the root folder}

# All of Java SE and what Cassandra and the proxy use beyond it: attaching, JFR, JMX, sun.misc.
modules=java.se,jdk.attach,jdk.compiler,jdk.crypto.ec,jdk.jcmd,jdk.jfr,jdk.management
modules+=,jdk.management.agent,jdk.naming.dns,jdk.naming.rmi,jdk.net,jdk.unsupported,jdk.zipfs

inside() { chroot "$root" env DEBIAN_FRONTEND=noninteractive LC_ALL=C "$@"; }

mount -t proc proc "$root/proc"
# Prevents packages from starting services in the folder.
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
chmod 755 "$root/usr/sbin/policy-rc.d"

inside apt-get install -y -qq --no-install-recommends openjdk-17-jdk-headless
jdk=$(inside sh -c 'dirname "$(dirname "$(readlink -f /usr/bin/jlink)")"')
inside "$jdk/bin/jlink" --add-modules "$modules" --output /opt/java \
  --compress=2 --no-header-files --no-man-pages
# The package's trust store is a link into /etc that outlives the package.
cp --remove-destination "$root/etc/ssl/certs/java/cacerts" "$root/opt/java/lib/security/cacerts"
inside apt-get purge -y -qq openjdk-17-jdk-headless openjdk-17-jre-headless
inside apt-get autoremove -y -qq --purge
inside /opt/java/bin/java -Xshare:dump -version
ln -s /opt/java/bin/java "$root/usr/local/bin/java"

inside apt-get clean
rm -f "$root/usr/sbin/policy-rc.d"
rm -rf "$root"/usr/share/{doc,man,info,locale} "$root"/var/lib/apt/lists/* \
  "$root"/var/cache/{apt,debconf}/* "$root"/var/log/* "$root"/tmp/*
rm -f "$root"/etc/hostname "$root"/etc/resolv.conf
umount "$root/proc"
