/** Foundation: the memory that the proxy holds for all requests, and its limit. */
@NullMarked
package io.sluice.memory;

import org.jspecify.annotations.NullMarked;
