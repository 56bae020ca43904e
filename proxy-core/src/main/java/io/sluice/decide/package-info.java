/**
 * The pure half of the path: no sockets, no threads, no clock reads. Values shared by its rooms.
 */
@NullMarked
package io.sluice.decide;

import org.jspecify.annotations.NullMarked;
