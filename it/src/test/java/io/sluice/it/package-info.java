/**
 * Black-box tests: the same script runs against a node and through Sluice, and the answers are
 * equal.
 */
@NullMarked
package io.sluice.it;

import org.jspecify.annotations.NullMarked;
