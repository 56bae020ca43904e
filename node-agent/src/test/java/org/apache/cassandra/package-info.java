/**
 * Stand-ins with the names and members that the classifier looks for in Cassandra. The real ones
 * are met in the integration tests.
 */
package org.apache.cassandra;
