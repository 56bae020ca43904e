/**
 * The queue that stands in for a stage's own: lanes, ageing, and the contract of the stage's
 * workers. It knows nothing of Cassandra: what a task is, a {@link
 * io.sluice.agent.queue.TaskClassifier} says.
 */
package io.sluice.agent.queue;
