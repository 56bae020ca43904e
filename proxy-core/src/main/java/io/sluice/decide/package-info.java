/**
 * The pure half of the request path: no sockets, no threads, no clock reads. The package itself
 * holds values that its rooms share.
 */
@NullMarked
package io.sluice.decide;

import org.jspecify.annotations.NullMarked;
