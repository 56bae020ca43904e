/**
 * What the tasks of Cassandra's stages are, found out by reflection: by class name and by the names
 * and types of fields, so that one jar serves several versions.
 */
package io.sluice.agent.classify;
