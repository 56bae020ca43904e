/**
 * Classifies the tasks in Cassandra's stages by reflection: by class names, and by the names and
 * types of fields. One jar thus serves several versions.
 */
package io.sluice.agent.classify;
