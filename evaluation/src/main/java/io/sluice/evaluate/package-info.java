/** The evaluation: puts Cassandra and Sluice in turn under the same loads, and writes a report. */
@NullMarked
package io.sluice.evaluate;

import org.jspecify.annotations.NullMarked;
