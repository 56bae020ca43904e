/** Studies of Cassandra on its host: nodes, loads on them, and figures from node and kernel. */
@NullMarked
package io.sluice.evaluate.study;

import org.jspecify.annotations.NullMarked;
