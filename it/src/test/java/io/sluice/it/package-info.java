/**
 * Black-box tests: each script runs at a node and through Sluice, and must have the same results.
 */
@NullMarked
package io.sluice.it;

import org.jspecify.annotations.NullMarked;
