/**
 * Steps 5 and 6 of 8: a request in flight, from its plan to its one answer. Holds the kinds of
 * request that go to one node at a time.
 */
@NullMarked
package io.sluice.exchange;

import org.jspecify.annotations.NullMarked;
