/** The proxy itself: the path a request takes, and the door by which a host starts and stops it. */
@NullMarked
package io.sluice;

import org.jspecify.annotations.NullMarked;
