/** The running processes of a host. */
@NullMarked
package io.sluice.host.process;

import org.jspecify.annotations.NullMarked;
