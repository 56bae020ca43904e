/**
 * Foundation: frames as they travel, and the few parts of a message that the proxy reads or makes.
 * The vendor's protocol library is known here only.
 */
@NullMarked
package io.sluice.wire;

import org.jspecify.annotations.NullMarked;
