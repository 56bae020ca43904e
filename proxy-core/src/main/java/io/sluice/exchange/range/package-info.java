/** Steps 5 and 7 of 8: a range read under way, in pieces that several replicas are asked for. */
@NullMarked
package io.sluice.exchange.range;

import org.jspecify.annotations.NullMarked;
