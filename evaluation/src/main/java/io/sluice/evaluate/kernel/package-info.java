/** The kernel's side of a node: control groups, counters of processes, merging of equal pages. */
@NullMarked
package io.sluice.evaluate.kernel;

import org.jspecify.annotations.NullMarked;
