/** Disks for nodes: an existing folder, or a file system on a simulated disk with seeks. */
@NullMarked
package io.sluice.evaluate.disk;

import org.jspecify.annotations.NullMarked;
