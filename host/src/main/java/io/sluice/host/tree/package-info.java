/** The files of a host, below its root or below the root of a copy: the one door to all of them. */
@NullMarked
package io.sluice.host.tree;

import org.jspecify.annotations.NullMarked;
