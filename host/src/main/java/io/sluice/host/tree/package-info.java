/** Access to the files of a host, below its root or below the root of a copy. */
@NullMarked
package io.sluice.host.tree;

import org.jspecify.annotations.NullMarked;
