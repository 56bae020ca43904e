/**
 * The agent's start: arguments, the versions it knows, and which classes of Cassandra get a hook.
 * Nothing here touches a class of Cassandra.
 */
package io.sluice.agent;
