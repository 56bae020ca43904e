/** Steps 5 and 7 of 8: a range read in flight, in pieces that go to several replicas. */
@NullMarked
package io.sluice.exchange.range;

import org.jspecify.annotations.NullMarked;
