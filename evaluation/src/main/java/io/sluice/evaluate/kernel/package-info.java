/**
 * Access to the kernel for studies: control groups, counters of processes, merging of equal pages.
 */
@NullMarked
package io.sluice.evaluate.kernel;

import org.jspecify.annotations.NullMarked;
