/**
 * The checker of a history: compares the answers of clients with the rules for a store. Pure: times
 * are arguments.
 */
@NullMarked
package io.sluice.torture.check;

import org.jspecify.annotations.NullMarked;
