/**
 * Faults under load: clients read and write through Sluice, or straight at Cassandra, while nodes
 * and the proxy are killed, paused and restarted, and a checker judges what the clients were told.
 */
@NullMarked
package io.sluice.torture;

import org.jspecify.annotations.NullMarked;
