/** A YCSB binding over the Java driver, with the same properties for Sluice and for Cassandra. */
@NullMarked
package io.sluice.ycsb;

import org.jspecify.annotations.NullMarked;
