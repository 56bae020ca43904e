/** Foundation: immutable values that describe the cluster, its tokens and its tables. */
@NullMarked
package io.sluice.ring;

import org.jspecify.annotations.NullMarked;
