package io.sluice;

import io.sluice.decide.PriorityClass;
import io.sluice.decide.schedule.Scheduler;
import io.sluice.execute.dispatch.Dispatcher;
import io.sluice.time.NanoClock;
import io.sluice.watch.Cluster;
import io.sluice.watch.ClusterView;

/**
 * The rooms that a request under way uses.
 *
 * @param config the deadlines
 * @param clock the scheduler's clock
 * @param cluster the cluster as it is
 * @param health which nodes answer
 * @param scheduler whose turn it is
 * @param dispatcher sends
 * @param answers answers
 * @param split what range reads that are split use
 */
record PathRooms(
    ProxyConfig config,
    NanoClock clock,
    Cluster cluster,
    NodeHealth health,
    Scheduler scheduler,
    Dispatcher dispatcher,
    AnswerRoom answers,
    SplitRooms split) {

  ClusterView view() {
    return cluster.view();
  }

  long requestTimeoutNanos() {
    return config.requestTimeout().toNanos();
  }

  long readTimeoutNanos(PriorityClass priorityClass) {
    return switch (priorityClass) {
      case POINT -> config.scheduling().readTimeout().toNanos();
      case RANGE -> config.scheduling().rangeTimeout().toNanos();
    };
  }
}
