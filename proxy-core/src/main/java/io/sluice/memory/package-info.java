/** Foundation: the bytes that all requests make the proxy hold, and their limit. */
@NullMarked
package io.sluice.memory;

import org.jspecify.annotations.NullMarked;
