/**
 * Linux below the JVM: functions of the C library, called by reflection through Cassandra's JNA,
 * and memory statistics from {@code /proc} and the control groups.
 */
package io.sluice.agent.host;
