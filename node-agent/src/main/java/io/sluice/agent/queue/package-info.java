/**
 * The queue that replaces a stage's own: priorities, ageing, and the contract with the stage's
 * workers. It knows nothing of Cassandra; a {@link io.sluice.agent.queue.TaskClassifier} classifies
 * the tasks.
 */
package io.sluice.agent.queue;
