/**
 * A YCSB binding over the Java driver: the same for Sluice and for Cassandra, by the same property.
 */
@NullMarked
package io.sluice.ycsb;

import org.jspecify.annotations.NullMarked;
