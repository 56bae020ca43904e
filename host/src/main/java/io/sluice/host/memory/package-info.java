/** The memory of processes on one host, and the kernel's merging of equal pages. */
@NullMarked
package io.sluice.host.memory;

import org.jspecify.annotations.NullMarked;
