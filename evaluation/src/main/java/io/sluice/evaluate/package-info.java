/** The evaluation: the same load at Cassandra and through Sluice, in turn, and a report of it. */
@NullMarked
package io.sluice.evaluate;

import org.jspecify.annotations.NullMarked;
