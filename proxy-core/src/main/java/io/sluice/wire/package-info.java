/**
 * Foundation: frames, and the few parts of messages that the proxy reads or creates. Only this
 * package uses the vendor's protocol library.
 */
@NullMarked
package io.sluice.wire;

import org.jspecify.annotations.NullMarked;
