/** The proxy itself: the request path, and the API by which a host starts and stops it. */
@NullMarked
package io.sluice;

import org.jspecify.annotations.NullMarked;
