/** The memory of processes that share a host, and the kernel's merging of equal pages. */
@NullMarked
package io.sluice.host.memory;

import org.jspecify.annotations.NullMarked;
