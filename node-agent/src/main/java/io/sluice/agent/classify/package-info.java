/**
 * The classes of the tasks in Cassandra's stages, found by reflection: by class name and by the
 * names and types of fields, so that one jar serves several versions.
 */
package io.sluice.agent.classify;
