/** Studies of Cassandra on its host: nodes, loads on them, and what is read of node and kernel. */
@NullMarked
package io.sluice.evaluate.study;

import org.jspecify.annotations.NullMarked;
