/** Disks for nodes: a folder as it is, or a file system on a simulated disk with seeks. */
@NullMarked
package io.sluice.evaluate.disk;

import org.jspecify.annotations.NullMarked;
