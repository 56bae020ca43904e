/** Nodes, clients and proxies under virtual time, with the proxy's own scheduler and cutter. */
@NullMarked
package io.sluice.simulator.cluster;

import org.jspecify.annotations.NullMarked;
