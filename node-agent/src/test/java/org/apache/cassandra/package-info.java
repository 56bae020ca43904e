/**
 * Stand-ins with the names and members that the agent looks for in Cassandra. The integration tests
 * use the real classes.
 */
package org.apache.cassandra;
