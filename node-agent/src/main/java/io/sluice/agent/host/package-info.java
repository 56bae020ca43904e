/**
 * Linux below the JVM: functions of the C library, called through Cassandra's own JNA by
 * reflection, and the kernel's account of memory in {@code /proc} and the control groups.
 */
package io.sluice.agent.host;
