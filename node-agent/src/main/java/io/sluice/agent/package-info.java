/**
 * The start of the agent: its arguments, the supported versions, and the hooks for classes of
 * Cassandra. Loads no class of Cassandra.
 */
package io.sluice.agent;
