/**
 * The bridge between Cassandra's classes and the agent's. Each piece of advice that is copied into
 * a method of Cassandra is one call of a public static method here, which never throws. Any other
 * error, such as a class that cannot be linked, is suppressed, and the method continues as without
 * the agent.
 */
package io.sluice.agent.hook;
