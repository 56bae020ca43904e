/**
 * The bridge between Cassandra's classes and the agent's. The advice is copied into Cassandra's
 * methods; each is one call to a public static method here, which never throws, and whatever does
 * go wrong (a class that cannot be linked) is suppressed: the method goes on as it would have.
 */
package io.sluice.agent.hook;
