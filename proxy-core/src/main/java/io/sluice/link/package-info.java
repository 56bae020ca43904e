/** Foundation: connections to nodes, shared by clients of the same identity. */
@NullMarked
package io.sluice.link;

import org.jspecify.annotations.NullMarked;
